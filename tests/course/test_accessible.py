"""The site for everybody: axe-core finds nothing against its pages, in any theme, on any screen."""

import pytest

from tests.browser.accessible import violations
from tests.course.test_lessons import executed, tried  # noqa: F401 - fixtures
from tests.course.test_site import NAMES, address, copy, page, site  # noqa: F401 - fixtures

pytestmark = pytest.mark.browser
ELSEWHERE = ("math", "pre")  # long to look at: formulas have a test of their own, code a style

HIDDEN_WHEN_REACHED = """() => {
  const list = document.querySelector(".bd-sidebar-primary");
  const links = [...list.querySelectorAll("nav a")].filter((link) => link.offsetParent);
  return links.reverse().filter((link) => {
    link.focus();
    const box = link.getBoundingClientRect();
    return !link.contains(document.elementFromPoint(box.x + 5, box.y + 2));
  }).map((link) => link.textContent);
}"""

PAGES = ["index", "map", "05_randomized_response", "search", "library/dplab.mechanisms.laplace"]
PAGES += ["library/mechanisms"]
TO_THE_TOP = "document.querySelector('.bd-sidebar-primary').scrollTop = 0"  # kept between pages
WITH_TABLES = ["map", "glossary", "map_of_the_field", "guide", "library/mechanisms"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_the_rules(page, address, name):  # noqa: F811
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}/{name}.html")
    page.add_style_tag(content="* { transition: none !important }")  # a theme is there at once
    page.evaluate(TO_THE_TOP)  # else a link is half below the way to search, which axe counts
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
        assert violations(page, exclude=ELSEWHERE) == [], theme


@pytest.mark.parametrize("name", NAMES + WITH_TABLES)
def test_on_a_phone_a_page_keeps_the_rules_and_its_pictures_their_letters(page, address, name):  # noqa: F811
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/{name}.html")
    assert violations(page, exclude=("pre",)) == []
    for image in page.locator(".cell_output img:not(.moving img)").all():
        assert image.get_attribute("alt")[:1] not in ("", "_")
        assert image.evaluate("(image) => image.height") >= 270


@pytest.mark.parametrize("kind", ["slides", "handout"])
def test_slides_and_handout_keep_the_rules(page, address, kind):  # noqa: F811
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}/05_randomized_response.html")
    (link,) = page.locator(f"a[href$='.{kind}.html']").all()
    link.click()
    page.wait_for_load_state()
    assert kind in page.title()
    assert violations(page) == []


def test_what_tab_reaches_in_the_list_of_pages_is_in_sight(page, address):  # noqa: F811
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}/search.html")
    hidden = page.evaluate(HIDDEN_WHEN_REACHED)
    assert hidden == []
