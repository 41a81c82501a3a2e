"""JupyterLite in Chromium: opened by a lesson's button, its cells run, its first slider moved."""

from __future__ import annotations

import time

from tests.browser.lab import READY

SECONDS = 300  # until what does not happen is taken for broken
FAILED = """
() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .flatMap((cell) => cell.toJSON().outputs ?? [])
  .filter((output) => output.output_type === "error")
  .map((output) => `${output.ename}: ${output.evalue}`)
"""


def opened_by_the_button(page, address: str, name: str) -> float:
    """Press "Run it here" on the page of this lesson or set, and wait until the bar is gone.

    A lesson has then run to its first explorer. Returns when the button was pressed, on the
    monotonic clock.
    """
    page.set_default_timeout(1000 * SECONDS)
    page.goto(f"{address}/{name}.html")
    begun = time.monotonic()
    page.get_by_role("link", name="Run it here").click()
    page.get_by_role("progressbar", name="Loading").wait_for()
    page.locator("#waiting[data-ready]").wait_for()
    page.evaluate(READY)
    return begun


def failures(page) -> list[str]:
    """What the cells said that failed."""
    return page.evaluate(FAILED)


def run_all(page) -> list[str]:
    """Run all cells, to the end; what those that failed said."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    return failures(page)


def moved(page) -> float:
    """Move the first slider by a key: seconds until the picture beside it is another."""
    slider = page.locator(".jp-OutputArea-output [role=slider]").first
    slider.scroll_into_view_if_needed()
    picture = page.locator(".jp-OutputArea-output .widget-image").first
    before = picture.get_attribute("src")
    at_the_end = slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
    slider.focus()
    begun = time.monotonic()
    for _ in range(3):  # two neighbouring places can look the same
        slider.press("ArrowLeft" if at_the_end else "ArrowRight")
    page.wait_for_function(
        "([picture, before]) => picture.getAttribute('src') !== before",
        arg=[picture.element_handle(), before],
    )
    return time.monotonic() - begun
