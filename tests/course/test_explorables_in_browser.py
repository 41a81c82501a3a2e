"""Explorables in Chromium: dragged, driven by the keyboard, stopped, and at rest where asked."""

import shutil
import threading
from functools import partial
from http.server import ThreadingHTTPServer

import pytest

from course.site.explorables import LESSONS, SCRIPTS, figure
from tests.browser.accessible import violations
from tests.browser.lab import blank_page, chromium
from tests.course.test_site import Quiet

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorable</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/explorables.css"></head><body><main>{}</main></body></html>"""
DRAWN = "document.querySelector('.stage svg').innerHTML"
MOUNTED = "figure.explorable[data-mounted]"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Pages of one explorable each, with no theme and no lesson."""
    chromium()
    folder = tmp_path_factory.mktemp("explorables")
    shutil.copytree(SCRIPTS.parent, folder / "_static")
    for name in LESSONS:
        (folder / f"{name}.html").write_text(PAGE.format(figure(name)), encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser_page(address):
    with blank_page() as page:
        page.errors = []
        page.on("console", lambda m: m.type == "error" and page.errors.append(m.text))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        yield page


@pytest.fixture(params=LESSONS)
def page(request, browser_page, address):
    """The page of an explorable, moving; without an error when the test has ended."""
    browser_page.errors.clear()
    browser_page.emulate_media(reduced_motion="no-preference")
    browser_page.set_viewport_size({"width": 390, "height": 844})
    browser_page.mouse.move(0, 0)  # on a picture it would be followed
    browser_page.goto(f"{address}/{request.param}.html")
    browser_page.locator(MOUNTED).wait_for()
    yield browser_page
    assert browser_page.errors == []


def is_moving(page):
    """Whether a picture changes within a second."""
    before = page.evaluate(DRAWN)
    page.wait_for_timeout(1000)
    return page.evaluate(DRAWN) != before


def test_it_moves_until_it_is_stopped_and_rests_where_that_is_asked_for(page):
    before = page.evaluate(DRAWN)
    page.wait_for_function(f"(before) => {DRAWN} !== before", arg=before)
    page.get_by_role("button", name="Stop").click()
    assert not is_moving(page)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.locator(MOUNTED).wait_for()
    assert not is_moving(page)
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"(before) => {DRAWN} !== before", arg=page.evaluate(DRAWN))


def test_every_handle_is_dragged_and_driven_by_keys(page):
    page.get_by_role("button", name="Stop").click()
    handles = page.get_by_role("slider").all()
    assert len(handles) == 2
    for handle in handles:
        drawn, said = page.evaluate(DRAWN), handle.get_attribute("aria-valuetext")
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=4)
        page.mouse.up()
        dragged = float(handle.get_attribute("aria-valuenow"))
        assert handle.bounding_box()["x"] - box["x"] == pytest.approx(40, abs=12)  # whole steps
        assert page.evaluate(DRAWN) != drawn
        assert handle.get_attribute("aria-valuetext") != said
        for key, beyond in (("ArrowLeft", -1), ("ArrowRight", 0), ("Home", -1), ("End", 1)):
            handle.press(key)
            now = float(handle.get_attribute("aria-valuenow"))
            assert (now > dragged) - (now < dragged) == beyond, key


def test_it_has_names_and_no_more_width_than_a_phone(page):
    assert page.get_by_role("group").get_attribute("aria-label")
    assert all(h.get_attribute("aria-label") for h in page.get_by_role("slider").all())
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    texts = page.evaluate(
        """[...document.querySelectorAll(".stage text")].map((text) => {
          const box = text.getBoundingClientRect();
          return [text.textContent, box.left, box.right];
        })"""
    )
    assert [text for text, left, right in texts if left < 0 or right > 390] == []


def test_without_a_script_it_is_a_picture_with_its_words(browser_page, address):
    context = browser_page.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/coins.html")
    assert page.locator(".stage svg").bounding_box()["height"] > 200
    assert "100 students cheated" in page.locator("figcaption").inner_text()
    assert not page.locator("button").is_visible()
    context.close()
