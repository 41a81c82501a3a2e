"""From a key press on a slider to the new picture in the browser. Limits: median 80 ms, 95% 120 ms.

    python tests/benchmarks/key_presses.py [LESSON...]

Opens each lesson of a student's folder, or those whose numbers are given, in JupyterLab in
Chromium, runs it, and presses arrow keys on every slider of every explorer. Prints for each
explorer the milliseconds from the event of the key to the new image, and ends with status 1 if one
is over a limit.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from autograder.desk.student_folder import lay_out
from tests.browser.lab import jupyter_lab, open_notebook
from tests.browser.test_lessons_in_browser import EXPLORERS, SETTLED, SHOWN, picture_of

MEDIAN, MOST = 80, 120
PRESSES = 20  # on each slider, there and back

LISTEN = """
(image) => {
  window.dplabTimes = [];
  window.dplabPressed = null;
  const pressed = (event) => { window.dplabPressed = event.timeStamp; };
  document.addEventListener("keydown", pressed, true);
  image.addEventListener("load", () => {
    if (window.dplabPressed !== null)
      window.dplabTimes.push(performance.now() - window.dplabPressed);
    window.dplabPressed = null;
  });
}
"""


def times_of(page, explorer) -> list[float]:
    """Milliseconds of each press that led to another picture."""
    picture_of(explorer).evaluate(LISTEN)
    for handle in explorer.locator(".noUi-handle").all():
        handle.focus()
        there = handle.get_attribute("aria-valuenow") != handle.get_attribute("aria-valuemax")
        keys = ["ArrowRight", "ArrowLeft"] if there else ["ArrowLeft", "ArrowRight"]
        for key in [key for key in keys for _ in range(PRESSES // 2)]:
            handle.press(key)
            page.evaluate(SETTLED)
            page.wait_for_timeout(30)
    return page.evaluate("window.dplabTimes")


def main(*numbers: int) -> None:
    slow = False
    print(f"{'lesson':24} explorer  presses  median  95%   (limits {MEDIAN}, {MOST} ms)")
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder) / "course")
        with jupyter_lab(Path(folder) / "course", Path(folder) / "settings") as address:
            for name in [n for n in EXPLORERS if not numbers or int(n[:2]) in numbers]:
                with open_notebook(address, f"{name}.ipynb") as page:
                    page.wait_for_function(SHOWN, arg=EXPLORERS[name], timeout=120_000)
                    page.evaluate(SETTLED)
                    for number, explorer in enumerate(page.locator(".dplab-explorer").all()):
                        times = times_of(page, explorer)
                        if len(times) < 2:  # all its controls are buttons
                            continue
                        median, most = (
                            statistics.median(times),
                            statistics.quantiles(times, n=20)[-1],
                        )
                        slow |= median > MEDIAN or most > MOST
                        count = len(times)
                        print(f"{name:24} {number + 1:8} {count:8} {median:7.0f} {most:4.0f}")
    sys.exit(slow)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
