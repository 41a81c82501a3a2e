"""JupyterLite in Chromium: opened by a lesson's button, its cells run, its first slider moved."""

from __future__ import annotations

import json
import time

from tests.browser.lab import READY

SECONDS = 300  # until what does not happen is taken for broken
RUN_TO_THE_FIRST_EXPLORER = """
async () => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const cells = notebook.model.sharedModel.cells;
  const first = cells.findIndex((cell) => /^[A-Z]\\w+\\(\\)$/.test(cell.source));
  notebook.activeCellIndex = first + 1;
  await window.jupyterapp.commands.execute("notebook:run-all-above");
}
"""
FAILED = """
() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .flatMap((cell) => cell.toJSON().outputs ?? [])
  .filter((output) => output.output_type === "error")
  .map((output) => `${output.ename}: ${output.evalue}`)
"""


def opened_by_the_button(page, address: str, name: str) -> float:
    """Press "Run it here" on the page of this lesson or set, and wait for its kernel.

    Returns when the button was pressed, on the monotonic clock.
    """
    page.set_default_timeout(1000 * SECONDS)
    page.route("**/lite/jupyter-lite.json", _exposed)
    page.goto(f"{address}/{name}.html")
    begun = time.monotonic()
    page.get_by_role("link", name="Run it here").click()
    page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext !== undefined")
    page.evaluate(READY)
    return begun


def _exposed(route) -> None:
    """The settings, with JupyterLab's own names for a test to ask."""
    response = route.fetch()
    settings = response.json()
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    route.fulfill(response=response, body=json.dumps(settings))


def run_all(page) -> list[str]:
    """Run all cells, to the end; what those that failed said."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    return page.evaluate(FAILED)


def run_first_explorer(page) -> list[str]:
    """Run cells from the top to the first explorer; what those that failed said."""
    page.evaluate(RUN_TO_THE_FIRST_EXPLORER)
    return page.evaluate(FAILED)


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
