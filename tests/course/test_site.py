"""The site: built once from the lessons as they were executed, and opened in Chromium."""

import re
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest

import dplab
from course.site.build import build
from course.site.library import markdown
from course.site.pyodide import copy_pyodide
from tests.browser.lab import blank_page, chromium
from tests.course.test_lessons import COURSE, LESSONS, executed, tried  # noqa: F401 - fixtures
from tests.sharing import once

pytestmark = [pytest.mark.slow, pytest.mark.browser]
MOST_BYTES = 1_500_000  # of a page with all that it loads, before anything is moved
NAMES = [path.stem for path in LESSONS]
OTHERS = [
    "index",
    "map",
    "glossary",
    "guide",
    "search",
    "library/dplab.mechanisms.laplace",
    "ps03/ps03",
]


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """A copy of Pyodide."""

    def made(folder):
        copy_pyodide(folder / "copy")
        return folder / "copy"

    return once(tmp_path_factory, "pyodide", made)


@pytest.fixture(scope="session")
def site(tmp_path_factory, executed, copy):  # noqa: F811
    def made(folder):
        build(folder / "site", executed, copy)
        return folder / "site"

    return once(tmp_path_factory, "site", made)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    chromium()  # before anything is started
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address):
    with blank_page() as page:
        page.asked, page.got, page.errors = [], [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("response", lambda r: page.got.append(int(r.headers.get("content-length", 0))))
        page.on("console", lambda m: m.type == "error" and page.errors.append(m.text))
        yield page


def opened(page, address, name):
    for seen in (page.asked, page.got, page.errors):
        seen.clear()
    page.goto(f"{address}/{name}.html", wait_until="networkidle")
    return page


@pytest.mark.parametrize("name", NAMES + OTHERS)
def test_a_page_is_light_asks_nobody_else_and_is_no_wider_than_a_phone(page, address, name):
    page.set_viewport_size({"width": 1280, "height": 900})
    opened(page, address, name)
    assert not [url for url in page.asked if not url.startswith((address, "data:"))]
    assert not page.errors
    assert sum(page.got) < MOST_BYTES
    if name in NAMES:
        first_explorer_moves_at_once(page)
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def first_explorer_moves_at_once(page):
    figure = page.locator("figure.moving").first
    image, slider, said = (figure.locator(what) for what in ("img", "input", "[role=status]"))
    before, sentence = image.get_attribute("src"), said.inner_text()
    assert "50% guess" in sentence
    assert image.get_attribute("alt") == sentence
    slider.focus()
    at_the_end = slider.input_value() == slider.get_attribute("max")
    for _ in range(3):  # two neighbouring places can say the same
        slider.press("ArrowLeft" if at_the_end else "ArrowRight")
    page.wait_for_function("(image) => image.complete", arg=image.element_handle())
    assert image.get_attribute("src") != before
    assert image.evaluate("(image) => image.naturalWidth") >= 1200
    assert said.inner_text() != sentence
    assert slider.get_attribute("aria-valuetext") == figure.locator("output").inner_text()


def test_a_prediction_waits_for_a_choice(page, address):
    opened(page, address, "05_randomized_response")
    verdict = page.locator("[data-compares=innocent]")
    assert "certain" not in verdict.inner_text()
    page.get_by_label("no surer than before").check()
    assert verdict.inner_text().startswith("You predicted “no surer than before”; it is “certain”")
    page.get_by_label("certain", exact=True).check()
    assert verdict.inner_text() == "You predicted “certain”, and so it is."


def test_pages_are_dark_where_that_is_asked_for(page, address):
    opened(page, address, "07_laplace")
    ground = "getComputedStyle(document.body).backgroundColor"
    filters = "getComputedStyle(document.querySelector('.moving img')).filter"
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    light = page.evaluate(ground)
    assert page.evaluate(filters) == "none"
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(ground) != light
    assert "invert" in page.evaluate(filters)


def test_on_paper_no_line_of_code_is_cut(page, address):
    opened(page, address, "07_laplace")
    page.set_viewport_size({"width": 700, "height": 900})
    page.emulate_media(media="print")
    cut = "[...document.querySelectorAll('pre')].filter(p => p.scrollWidth > p.clientWidth).length"
    assert page.evaluate(cut) == 0
    page.emulate_media(media="screen")
    assert page.evaluate(cut) > 0


def test_a_full_stop_stays_with_its_formula(site):
    text = (site / "05_randomized_response.html").read_text(encoding="utf-8")
    assert re.search(r"</math>[.,:]+</span>", text)
    assert not re.search(r"</math></span>[.,:]", text)


def test_words_are_found(page, address):
    page.goto(f"{address}/search.html?q=permute+and+flip")
    page.locator("#search-results li a").first.wait_for()
    assert page.locator("#search-results li a[href*='14_bounded_range']").count()


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.found += [given[key] for key in ("href", "src") if given.get(key)]
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}


def links(path):
    reader = Links()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def test_every_link_leads_somewhere(site):
    pages = {path.resolve(): links(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.found:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages[target].names if target in pages else {anchor}
            if not target.exists() or (anchor and anchor not in known):
                broken.append(f"{path.relative_to(site.resolve())}: {link}")
    assert broken == []


def test_no_solution_and_no_hidden_test_is_on_it(site):
    secret = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)")
    hidden = [p for p in site.rglob("*.*") if p.suffix in (".html", ".js", ".txt", ".ipynb")]
    assert len(hidden) > 100
    found = [p.name for p in hidden if secret.search(p.read_text(encoding="utf-8"))]
    assert set(found) <= {"guide.html", "searchindex.js"}  # which says what such marks are


def test_the_library_s_pages_name_everything_public(site):
    text = "".join(p.read_text(encoding="utf-8") for p in (site / "library").glob("*.html"))
    missing = [
        name for name in dplab.__all__ if f">{name}<" not in text and f" {name}<" not in text
    ]
    assert missing == []


def test_all_formulas_are_mathematics(site):
    for name in NAMES:
        assert "<math" in (site / f"{name}.html").read_text(encoding="utf-8")


def test_a_docstring_is_shown_as_it_is_meant():
    shown = markdown("A law of *x* and y_1, `a * b`.\n\n    x^2\n\n>>> 1 + 1\n2")
    law, formula, example = shown.split("\n\n")
    assert law == "A law of \\*x\\* and y\\_1, `a * b`."
    assert formula == "```text\nx^2\n```"
    assert example == "```pycon\n>>> 1 + 1\n2\n```"


def test_students_get_nothing_that_builds_the_site(tmp_path):
    from autograder.desk.laying_out import lay_out

    lay_out(tmp_path / "privacy")
    assert not (tmp_path / "privacy" / "site").exists()
    assert (COURSE / "site" / "build.py").exists()
