"""The course in the browser: does all of it run, how soon, how large, how long to build?

    python tests/benchmarks/lite.py [LESSON...]

Builds the site three times, with a copy of Pyodide in it: for the first time, after a change of one
lesson, and after one of a module of the library's. Follows a link to each lesson in a browser that
has never been there, until its first explorer has moved. Runs every lesson and every solved problem
set, or the lessons whose numbers are given, under Pyodide in Node, and three lessons in Chromium by
their buttons. Ends with status 1 if a cell fails other than by its sentence, or a mark is missed:
300 s and 30 s for a build, 3 s and 1 MB from a link to what moves, 25 s from the button to the
first moved slider. The builds are timed here alone, so run it on an idle machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import nbformat

from course.site.pyodide import copy_pyodide
from tests.browser.lab import blank_page
from tests.course.lite_page import failures, moved, opened_by_the_button
from tests.course.node import ASSIGNMENTS, cells_of, solved, under_pyodide
from tests.course.test_lessons import LESSONS
from tests.course.test_site import MOST_BYTES, Quiet, first_explorer_moves_at_once

ROOT = LESSONS[0].parents[1]
MODULE = "dplab/theorems/discrepancy.py"  # of one lesson, as nearly half of all modules are
FIRST, AGAIN, LINK, CLICK = 300, 30, 3, 25  # seconds
IN_CHROMIUM = ("05_randomized_response", "07_laplace", "16_smooth_curve")


def timed_builds(work: Path) -> tuple[Path, bool]:
    """The site, and whether all builds keep their marks: in a copy of the project's folder."""
    copy, site, project = work / "copy", work / "site", work / "project"
    begun = time.monotonic()
    copy_pyodide(copy)
    print(f"copy of Pyodide: {time.monotonic() - begun:.0f} s, {megabytes(copy):.0f} MB")
    shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(".*"))
    first = seconds_of_build(project, site, copy)
    lesson = project / "course" / LESSONS[-1].name
    notebook = nbformat.read(lesson, as_version=4)
    notebook.cells[-1].source += "\n\nAnd one more sentence."
    nbformat.write(notebook, lesson)
    again = seconds_of_build(project, site, copy)
    assert "And one more sentence." in (site / f"{lesson.stem}.html").read_text(encoding="utf-8")
    with (project / MODULE).open("a") as module:
        module.write("\n# One more comment.\n")
    other = seconds_of_build(project, site, copy)
    print(
        f"site: {first:.0f} s (mark {FIRST}); after a change of a lesson {again:.0f} s ({AGAIN}),"
    )
    print(f"      of {MODULE} {other:.0f} s ({AGAIN})")
    lite = megabytes(site / "lite")
    print(f"site: {megabytes(site):.0f} MB, JupyterLite {lite:.0f} MB of it")
    return site, first < FIRST and max(again, other) < AGAIN


def seconds_of_build(project: Path, site: Path, copy: Path) -> float:
    begun = time.monotonic()
    command = [sys.executable, "-m", "course.site.build", "--pyodide", str(copy), str(site)]
    its_own = os.environ | {"PYTHONPATH": str(project)}  # the copy's library, in kernels too
    subprocess.run(command, check=True, cwd=project, env=its_own)
    return time.monotonic() - begun


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def in_node(work: Path, numbers: set[int]) -> bool:
    """Run all lessons and sets; whether each comes to its end, or to its sentence."""
    lessons = [path for path in LESSONS if not numbers or int(path.stem[:2]) in numbers]
    notebooks = {path.stem: cells_of(path) for path in lessons}
    if not numbers:
        names = sorted(path.name for path in ASSIGNMENTS.iterdir() if path.is_dir())
        notebooks |= {name: solved(name) for name in names}
    wheels = (work / "site" / "lite" / "pypi").glob("*.whl")
    ran = under_pyodide(work / "copy", wheels, notebooks, work)
    for one in ran.values():
        print(f"{one.name:28} {one.seconds:6.1f} s  {one.said or ''}")
    whole = sum(one.said is None for one in ran.values())
    print(f"{whole} of {len(notebooks)} ran to their end under Pyodide in Node")
    return set(ran) == set(notebooks) and all(one.is_as_expected for one in ran.values())


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address at which a static server has the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def from_a_link(address: str) -> bool:
    """To each lesson's first explorer that moves, with nothing kept; whether soon and light."""
    took = {path.stem: seconds_until_it_moves(f"{address}/{path.stem}.html") for path in LESSONS}
    weighs = {path.stem: weight(f"{address}/{path.stem}.html") for path in LESSONS}
    slowest, heaviest = max(took, key=took.get), max(weighs, key=weighs.get)
    print(
        f"from a link to what moves: {took[slowest]:.1f} s at most, {slowest} (mark {LINK}), "
        f"{weighs[heaviest] / 1e6:.2f} MB at most, {heaviest} ({MOST_BYTES / 1e6})"
    )
    return took[slowest] < LINK and weighs[heaviest] < MOST_BYTES


def seconds_until_it_moves(url: str) -> float:
    with blank_page() as page:
        begun = time.monotonic()
        page.goto(url, wait_until="domcontentloaded")
        first_explorer_moves_at_once(page)
        return time.monotonic() - begun


def weight(url: str) -> int:
    """Bytes of a page with all that it loads, before anything is moved."""
    with blank_page() as page:
        got: list[int] = []
        page.on("response", lambda response: got.append(int(response.headers["content-length"])))
        page.goto(url, wait_until="networkidle")
        return sum(got)


def by_the_button(address: str) -> bool:
    """From the button to the first moved slider; whether in time, without asking anybody else."""
    fine = True
    for name in IN_CHROMIUM:
        with blank_page() as page:
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            begun = opened_by_the_button(page, address, name)
            ready = time.monotonic() - begun
            failed = failures(page)
            slider, seconds = moved(page), time.monotonic() - begun
        elsewhere = [u for u in asked if not u.startswith((address, "data:", "blob:"))]
        print(
            f"{name:28} first explorer {ready:.1f} s, first moved slider {seconds:.1f} s (mark "
            f"{CLICK}), the slider {slider:.2f} s {failed or ''} {elsewhere or ''}"
        )
        fine = fine and seconds < CLICK and not failed and not elsewhere
    return fine


def main(*numbers: int) -> None:
    work = Path(tempfile.mkdtemp())
    try:
        site, fine = timed_builds(work)
        with served(site) as address:
            fine = from_a_link(address) and fine
            fine = by_the_button(address) and fine
        fine = in_node(work, set(numbers)) and fine
    finally:
        shutil.rmtree(work)
    sys.exit(not fine)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
