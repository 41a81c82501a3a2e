"""The site's first page moves, is light, and leads to every lesson; four lessons begin moving."""

import pytest
from PIL import Image

from course.site.explorables import LESSONS
from tests.course.test_lessons import executed, tried  # noqa: F401 - fixtures
from tests.course.test_site import (  # noqa: F401 - fixtures
    NAMES,
    address,
    copy,
    opened,
    page,
    site,
)

pytestmark = pytest.mark.browser
MOST_BYTES = 1_000_000  # of the first page, uncompressed
SCREENS = {1280: 800, 390: 844}
DRAWN = "document.querySelector('.stage svg').innerHTML"
RUNNING = "document.getAnimations().filter((a) => a.playState === 'running').length"


@pytest.fixture(params=SCREENS)
def first_screen(page, request):  # noqa: F811
    page.set_viewport_size({"width": request.param, "height": SCREENS[request.param]})
    yield page
    page.emulate_media(reduced_motion="no-preference")


def in_sight(page):  # noqa: F811
    """How much of the explorable's picture is in the first screen, as a share."""
    box = page.locator(".stage").bounding_box()
    return (page.viewport_size["height"] - box["y"]) / box["height"]


def test_first_screen_moves_without_a_click_and_rests_where_that_is_asked_for(
    first_screen,
    address,  # noqa: F811
):
    opened(first_screen, address, "index")
    assert sum(first_screen.got) < MOST_BYTES
    assert in_sight(first_screen) >= 1
    before = first_screen.evaluate(DRAWN)
    first_screen.wait_for_function(f"(before) => {DRAWN} !== before", arg=before)
    first_screen.emulate_media(reduced_motion="reduce")
    opened(first_screen, address, "index")
    first_screen.locator("figure.explorable[data-mounted]").wait_for()
    before = first_screen.evaluate(DRAWN)
    first_screen.wait_for_timeout(1000)
    assert first_screen.evaluate(DRAWN) == before
    assert first_screen.evaluate(RUNNING) == 0
    assert not first_screen.errors


def test_cards_lead_to_every_lesson_and_their_pictures_stop(page, address):  # noqa: F811
    opened(page, address, "index")
    cards = page.locator(".cards a")
    links = cards.evaluate_all("(all) => all.map((card) => card.getAttribute('href'))")
    assert links == [f"{name}.html" for name in NAMES]
    assert cards.locator("svg").count() == len(LESSONS)
    for image in cards.locator("img").all():
        image.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.naturalWidth > 100", arg=image.element_handle())
    assert page.evaluate(RUNNING) > 20
    page.get_by_role("button", name="Stop the pictures").click()
    page.wait_for_function(f"{RUNNING} === 0")


@pytest.mark.parametrize(("model", "lesson"), LESSONS.items())
def test_a_lesson_begins_with_its_explorable(first_screen, address, model, lesson):  # noqa: F811
    opened(first_screen, address, lesson)
    first = first_screen.locator(".bd-article figure").first
    assert first.get_attribute("data-model") == model
    assert in_sight(first_screen) > 0.3
    assert not first_screen.errors


def test_a_shared_link_has_a_picture(page, address, site):  # noqa: F811
    opened(page, address, "05_randomized_response")
    properties = page.locator("meta[property^='og:']").evaluate_all(
        """(all) => Object.fromEntries(
          all.map((meta) => [meta.getAttribute("property"), meta.content]))"""
    )
    assert properties["og:title"] == "5. Did you cheat?"
    with Image.open(site / properties["og:image"]) as picture:
        assert picture.size == (1200, 630)
