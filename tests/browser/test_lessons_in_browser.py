"""The lessons in JupyterLab in Chromium: move every slider, see every picture.

One lesson is there whole, of the others what their explorers take: that all of them run is seen in
`tests.course.test_lessons`.
"""

import io
import itertools
import re
import time

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from autograder.desk.student_folder import lay_out
from tests.browser.accessible import violations
from tests.browser.lab import (
    PATIENCE,
    blank_page,
    chromium,
    jupyter_lab,
    run_next,
)

EXPLORERS = {
    "01_the_governor": 3,
    "02_reconstruction": 2,
    "03_diffix": 1,
    "04_membership": 2,
    "05_randomized_response": 1,
    "06_the_promise": 4,
    "07_laplace": 3,
    "08_floating_point": 2,
    "09_composition": 3,
    "10_delta": 3,
    "11_privacy_loss": 2,
    "12_square_root_of_k": 2,
    "13_exponential_mechanism": 3,
    "14_bounded_range": 3,
    "15_whole_table": 2,
    "16_smooth_curve": 1,
    "17_ten_thousand": 1,
    "18_private_training": 2,
    "19_remembers_you": 1,
    "20_learned_privately": 1,
    "21_fooling_yourself": 1,
    "22_worst_case": 1,
    "24_noise_with_memory": 1,
    "26_would_you_ship": 1,
    "23_local_model": 1,
    "25_how_sure": 1,
}
WHOLE = "05_randomized_response"
IMPORTS, EXPLORER = re.compile(r"from |import "), re.compile(r"[A-Z]\w+\(\)")

pytestmark = pytest.mark.browser

OUTPUTS = """
() => window.jupyterapp.shell.currentWidget.model.sharedModel.cells
  .filter((cell) => cell.cell_type === "code")
  .map((cell) => [cell.execution_count, cell.outputs.map((output) => output.output_type)])
"""


SHOWN = """
(count) => {
  const explorers = [...document.querySelectorAll(".dplab-explorer")];
  const shown = (explorer) => explorer.querySelector("img")?.naturalWidth > 0 &&
    [...explorer.querySelectorAll(".widget-readout")].every((text) => text.textContent.trim());
  return explorers.length === count && explorers.every(shown);
}
"""

# A kernel answers in order: with this answer, all that a move of a slider led to has arrived.
SETTLED = """
() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
  .requestExecute({code: "", silent: true}).done.then(() => null)
"""


TOO_WIDE = """
(parts) => parts.filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => part.textContent)
"""


# All of a lesson leaves its kernel but the modules, which take longest to import: the next lesson
# finds no name and no widget of it, and counts its cells from one.
CLEARED = """
() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({
  code: "__import__('ipywidgets').Widget.close_all(); get_ipython().reset()", silent: true
}).done.then(() => null)
"""


# What an image shows: its file has other bytes where a pixel is another. While it is read, the
# next picture may take its place: then that is read.
DRAWN = """
async (image) => {
  const file = async () => {
    await image.decode();
    return await (await fetch(image.src)).arrayBuffer();
  };
  let read = null;
  for (let tries = 0; read === null && tries < 2400; tries++)
    read = await file().catch(() => new Promise((later) => setTimeout(() => later(null), 50)));
  return String(new Uint8Array(await crypto.subtle.digest("SHA-256", read)));
}
"""
SAID_AND_DRAWN = f"""
async (explorer) => {{
  await ({SETTLED})();
  return [
    explorer.querySelector("[role=status]").innerText,
    await ({DRAWN})(explorer.querySelector("img")),
  ];
}}
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    chromium()  # before anything is started
    folder = tmp_path_factory.mktemp("student") / "course"
    lay_out(folder)
    for name in EXPLORERS.keys() - {WHOLE}:
        leave_the_explorers(folder / f"{name}.ipynb")
    with jupyter_lab(folder, tmp_path_factory.mktemp("settings")) as address:
        yield address


def leave_the_explorers(path):
    """Of a lesson's cells only the first, which import, and the explorers' own."""
    lesson = nbformat.read(path, as_version=4)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    first = list(itertools.takewhile(lambda cell: IMPORTS.match(cell.source), code))
    lesson.cells = first + [cell for cell in code if EXPLORER.fullmatch(cell.source)]
    nbformat.write(lesson, path)


@pytest.fixture(scope="module")
def one_page(lab):
    """JupyterLab, in which one lesson after another is opened."""
    with blank_page() as page:
        page.goto(f"{lab}/lab?reset")
        page.wait_for_function("window.jupyterapp?.shell?.currentWidget")
        yield page


@pytest.fixture(scope="module", params=EXPLORERS)
def lesson(one_page, request):
    """The page of a lesson that has run, and how many explorers it should show.

    It runs in the kernel of the lesson before it: that each runs in a new one is seen elsewhere.
    """
    name = request.param
    run_next(one_page, f"{name}.ipynb")
    one_page.wait_for_function(SHOWN, arg=EXPLORERS[name])
    yield one_page, EXPLORERS[name]
    one_page.evaluate(CLEARED)


def picture_of(explorer):
    """The explorer's live image, loaded."""
    image = explorer.locator("img")
    image.scroll_into_view_if_needed()
    image.page.wait_for_function("(image) => image.complete", arg=image.element_handle())
    return image


def test_every_cell_ran_without_error(lesson):
    page, _ = lesson
    cells = page.evaluate(OUTPUTS)
    assert [count for count, _ in cells] == list(range(1, len(cells) + 1))
    assert not [kinds for _, kinds in cells if "error" in kinds]


def test_every_explorer_shows_one_picture_and_no_browser_error(lesson):
    page, expected = lesson
    explorers = page.locator(".dplab-explorer")
    assert explorers.count() == expected
    assert page.get_by_text("javascript error").count() == 0
    for explorer in explorers.all():
        image = picture_of(explorer)
        assert image.is_visible()
        assert image.evaluate("(image) => image.naturalWidth") >= 1200
        caption = explorer.locator("[role=status]").inner_text()
        assert len(caption.split()) > 5
        assert image.get_attribute("title") == caption


@pytest.mark.parametrize("width", [800, 1280])
def test_an_explorer_does_not_scroll_sideways_and_no_word_is_cut(lesson, width):
    page, _ = lesson
    page.set_viewport_size({"width": width, "height": 1000})
    found = page.locator(".dplab-explorer, .dplab-explorer .widget-readout").evaluate_all(TOO_WIDE)
    page.set_viewport_size({"width": 1280, "height": 1000})
    assert found == []


def test_controls_and_pictures_keep_the_rules_of_accessibility(lesson):
    page, _ = lesson
    assert violations(page, ".dplab-live") == []


def test_still_picture_gives_way_to_the_live_one(lesson):
    page, expected = lesson
    before_explorers = page.locator(
        ".jp-OutputArea-child:has(+ .jp-OutputArea-child .dplab-explorer) img"
    )
    assert before_explorers.count() == expected
    assert not any(image.is_visible() for image in before_explorers.all())


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_the_lesson_s_own_plots_stay(lesson):
    page, _ = lesson
    assert any(plot.is_visible() for plot in page.locator(".jp-RenderedImage img").all())


def key_away_from_the_end(handle):
    at_the_left = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemin")
    return "ArrowRight" if at_the_left else "ArrowLeft"


def test_arrow_keys_on_every_slider_change_picture_and_caption(lesson):
    page, _ = lesson
    for explorer in page.query_selector_all(".dplab-explorer"):
        for handle in explorer.query_selector_all(".noUi-handle"):
            sentence, picture = explorer.evaluate(SAID_AND_DRAWN)
            handle.focus()
            key = key_away_from_the_end(handle)
            for _ in range(10):  # two neighboring places can show, or say, the same
                page.keyboard.press(key)
                said, drawn = explorer.evaluate(SAID_AND_DRAWN)
                told, shown = said != sentence, drawn != picture
                if told and shown:
                    break
            assert told
            assert shown
            assert handle.get_attribute("aria-valuetext") in handle.evaluate(SAID_BESIDE)


# What the number or word behind a slider is; of two handles both.
SAID_BESIDE = "(handle) => handle.closest('.widget-slider').innerText"


def dragged(page, handle):
    """Drag a slider's handle to the farther end of its track by the mouse.

    Cells that come into view take more room, or less, than was kept for them, and the handle may
    slip from under the mouse: then it is taken again.
    """
    before, patience = handle.get_attribute("aria-valuenow"), time.monotonic() + PATIENCE / 1000
    while handle.get_attribute("aria-valuenow") == before:
        assert time.monotonic() < patience
        handle.hover()
        here, track = handle.bounding_box(), handle.query_selector("xpath=../../..").bounding_box()
        x, y = here["x"] + here["width"] / 2, here["y"] + here["height"] / 2
        left, right = track["x"] + 1, track["x"] + track["width"] - 1
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(left if x - left > right - x else right, y, steps=3)
        page.mouse.up()


def test_the_mouse_drags_and_presses_whatever_an_explorer_has(lesson):
    page, _ = lesson
    for explorer in page.query_selector_all(".dplab-explorer"):
        handles = explorer.query_selector_all(".noUi-handle")
        radio = explorer.query_selector("input[type=radio]:not(:checked)")
        deeds = [lambda handle=handle: dragged(page, handle) for handle in handles[:1]]
        deeds += [button.click for button in explorer.query_selector_all("button")]
        deeds += [radio.click] if radio else []
        for deed in deeds:
            before = explorer.evaluate(SAID_AND_DRAWN)
            deed()
            patience = time.monotonic() + PATIENCE / 1000
            while explorer.evaluate(SAID_AND_DRAWN) == before:  # the kernel is told a moment later
                assert time.monotonic() < patience
                page.wait_for_timeout(50)


NAMED_ANEW = """
(before) => {
  const explorer = document.querySelector(".dplab-explorer");
  const told = explorer.querySelector("[role=status]").innerText;
  return told !== before && explorer.querySelector("img").alt === told;
}
"""
PIXEL = """
(image) => {
  const place = image.getBoundingClientRect();
  return [place.left + place.width - 3, place.top + 3];
}
"""
COPIED = """
async () => {
  const { context } = window.jupyterapp.shell.currentWidget;
  await context.save();
  return (await window.jupyterapp.serviceManager.contents.copy(context.path, "")).path;
}
"""


def corner_of(page, image) -> float:
    """How light a picture is in its corner, where nothing is drawn: 0 black, 255 white."""
    image.scroll_into_view_if_needed()
    x, y = image.evaluate(PIXEL)
    shot = page.screenshot(clip={"x": x, "y": y, "width": 2, "height": 2})
    return float(np.asarray(Image.open(io.BytesIO(shot)).convert("L")).mean())


def becomes(page, image, dark: bool) -> bool:
    """Whether a picture's corner is nearly black, or nearly white, before patience ends.

    A theme is painted some time after the page says that it has it.
    """
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        light = corner_of(page, image)
        if light < 40 if dark else light > 240:
            return True
        page.wait_for_timeout(100)
    return False


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_pictures_follow_a_dark_theme(lesson):
    page, _ = lesson
    live = picture_of(page.locator(".dplab-explorer").first)
    plot = next(i for i in page.locator(".jp-RenderedImage img").all() if i.is_visible())
    assert becomes(page, live, dark=False)
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
    for theme, dark in (("JupyterLab Dark", True), ("JupyterLab Light", False)):
        page.evaluate(change, theme)
        body = f'body[data-jp-theme-light="{str(not dark).lower()}"]'
        page.wait_for_selector(body, state="attached")
        assert becomes(page, live, dark)
        assert becomes(page, plot, dark)


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_opened_again_it_shows_still_pictures_and_how_to_move_them(lesson, lab):
    """A copy of it, as it is saved after it has run: no kernel knows its explorers."""
    running, expected = lesson
    assert not any(note.is_visible() for note in running.locator(".dplab-note").all())
    page = running.context.browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(f"{lab}/lab/tree/{running.evaluate(COPIED)}?reset")
    page.get_by_text("To move this picture, run the lesson").first.wait_for()
    page.locator(".dplab-note").nth(expected).wait_for()  # predictions have notes, too
    still = page.locator(".jp-OutputArea:has(.dplab-note) .jp-RenderedImage img")
    expect(still).to_have_count(expected, timeout=PATIENCE)
    for picture in still.all():
        expect(picture).to_be_visible(timeout=PATIENCE)
    for failed in ("model not found", "Loading widget"):
        assert not any(text.is_visible() for text in page.get_by_text(failed).all())
    page.close()


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_controls_and_pictures_are_named_for_who_does_not_see_them(lesson):
    page, _ = lesson
    for slider in ("Students n", "Share who cheated", "Heads θ", "Privacy loss ε"):
        assert page.get_by_role("slider", name=slider, exact=True).count() == 1
    handle = page.get_by_role("slider", name="Students n", exact=True)
    before = page.locator(".dplab-explorer [role=status]").inner_text()
    handle.press(key_away_from_the_end(handle))
    page.wait_for_function(NAMED_ANEW, arg=before)
    question = "A student says NO. How sure may you be that she did not cheat?"
    group = page.get_by_role("radiogroup", name=question)
    assert group.get_by_role("radio").count() == 3


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_verdict_follows_a_prediction_made_late(lesson):
    page, _ = lesson
    assert page.get_by_text("You predicted").count() == 0
    page.get_by_label("no surer than before").click()
    page.get_by_text("You predicted no surer than before; it is certain.").wait_for()
    page.get_by_label("certain", exact=True).click()
    page.get_by_text("You predicted certain, and so it is.").wait_for()


@pytest.mark.parametrize("lesson", [WHOLE], indirect=True)
def test_epsilon_slider_takes_theta_along(lesson):
    page, _ = lesson
    readouts = page.locator(".dplab-explorer .widget-readout")
    theta, epsilon = (float(readouts.nth(number).text_content()) for number in (2, 3))
    handle = page.locator(".dplab-explorer .noUi-handle").nth(3)
    handle.focus()
    for _ in range(60):  # a press may come before the answer to the last one
        handle.press("ArrowRight")
        page.evaluate(SETTLED)
        if float(readouts.nth(3).text_content()) > epsilon + 0.1:
            break
    assert float(readouts.nth(3).text_content()) > epsilon + 0.1
    page.wait_for_function(
        "([readout, before]) => Number(readout.textContent) > before",
        arg=[readouts.nth(2).element_handle(), theta],
    )
