"""Draw the README's pictures of a page of feedback and of the class report, from the sample class.

python -m tests.browser.readme_pictures

It needs Chromium, and what `autograder demo` needs; the pictures go to course/images/grading.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from autograder.classroom.course.folders import Course
from autograder.commands.common import console
from autograder.demo import NAME, run
from dplab.widgets.png import light
from tests.browser.lab import blank_page

PICTURES = Path(__file__).parents[2] / "course" / "images" / "grading"
STUDENT = "emil"  # some exercises right, some wrong, some partly
WIDTH, HEIGHT = 1_000, 1_155


def main(arguments: list[str] | None = None) -> None:
    """Parse the command line; grade the sample class, or take a course that the demo has made."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.readme_pictures")
    parser.add_argument("--course", type=Path, help="a folder in which the demo has run")
    chosen = parser.parse_args(arguments)
    if chosen.course:
        paths = draw(Course.at(chosen.course), PICTURES)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(console(), Path(folder), None)
            paths = draw(Course.at(folder), PICTURES)
    for path in paths:
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def draw(course: Course, folder: Path, student: str = STUDENT, name: str = NAME) -> list[Path]:
    """Write what a browser shows first of the two pages; the pictures."""
    pages = {
        "feedback.png": course.root / "feedback" / student / name / f"{name}.html",
        "report.png": course.report(name),
    }
    folder.mkdir(parents=True, exist_ok=True)
    with blank_page() as page:
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.emulate_media(color_scheme="light")
        for picture, shown in pages.items():
            page.goto(shown.as_uri())
            (folder / picture).write_bytes(light(page.screenshot()))
    return [folder / picture for picture in pages]


if __name__ == "__main__":
    main()
