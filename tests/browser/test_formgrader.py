"""nbgrader's formgrader on a class that `autograder grade` has graded."""

import os

import nbformat
import pytest

from autograder.classroom.assignment import load
from autograder.classroom.collecting import collect
from autograder.classroom.coordinator import Graders, grade_class
from autograder.classroom.folders import Course
from autograder.classroom.release import release
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.autograder import tiny_assignment
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.browser.lab import blank_page, chromium, jupyter_lab

pytestmark = pytest.mark.browser

PICTURE = """
%matplotlib inline
import matplotlib.pyplot as plt
plt.plot([0, 1], [0, 2])
plt.show()
print("double of 4 is", double(4))
"""
CLASS = {
    "ann": SOLUTIONS | {"double": SOLUTIONS["double"] + PICTURE},
    "bob": SOLUTIONS | {"mean": "def mean(values):\n    return 0"},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    course = Course.at(tmp_path_factory.mktemp("teacher") / "course")
    tiny_assignment.write_source(course.root)
    release(course, "tiny")
    released = nbformat.read(course.released("tiny"), as_version=4)
    for student, answers in CLASS.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released, answers)))
    handed_in = collect(course, "tiny", course.root / "submitted").submissions
    grade_class(course, load(course, "tiny"), handed_in, Graders(Limits(), probe(), "", 1))
    return course


@pytest.fixture(scope="module")
def page(course, tmp_path_factory):
    if chromium() is None:
        reason = "no chromium on this machine: apt-get install chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with (
        jupyter_lab(course.root, tmp_path_factory.mktemp("settings")) as address,
        blank_page() as page,
    ):
        page.base = f"{address}/formgrader"
        yield page


def test_the_scores_of_the_class_are_shown(page):
    page.goto(f"{page.base}/gradebook/tiny/tiny")
    page.wait_for_selector("text=Submission #2")
    rows = page.locator("tbody tr").all_inner_texts()
    assert len(rows) == 2
    scores = sorted(row.split("\t")[2].strip() for row in rows)
    assert scores == ["3 / 10", "6 / 10"]  # four points wait for a human


def test_a_submission_is_shown_with_its_outputs(page):
    page.goto(f"{page.base}/manage_submissions/tiny")
    page.wait_for_selector("text=ann")
    page.goto(f"{page.base}/manage_students/ann/tiny")
    page.wait_for_selector("tbody a")
    page.click("tbody a")
    page.wait_for_selector("text=double of 4 is 8")
    assert page.locator(
        ".jp-RenderedImage img, .output_png img, img[src^='data:image/png']"
    ).count()
    assert page.locator("input.score").count() == 4
