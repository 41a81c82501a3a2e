"""The demo from end to end, as it is typed: every student of the sample class gets what is due."""

import re
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.results import find_all
from tests.assignments.problem_sets import problem_set
from tests.browser import readme_pictures

# Points of 100: in all, and by exercise.
DUE = {
    "ada": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),  # right, in three styles
    "bela": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),
    "chen": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),
    "dora": (68, [7, 4, 8, 6, 6, 3, 7, 7, 0, 0, 8, 5, 7]),  # truth and lie, in and out exchanged
    "emil": (81, [9, 10, 8, 1, 6, 2, 7, 7, 7, 7, 5, 5, 7]),  # one coin for two, things cut off
    "fatima": (74, [10, 10, 8, 5, 2, 4, 0, 7, 7, 2, 8, 4, 7]),  # numpy's generator; YES only
    "gero": (51, [14, 10, 0, 6, 0, 0, 0, 0, 9, 5, 5, 2, 0]),  # biased, no logarithms, parts missing
    "hana": (69, [5, 0, 8, 6, 6, 6, 7, 0, 9, 2, 8, 5, 7]),  # a syntax error, an argument changed
    "ivan": (38, [14, 10, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0]),  # an infinite loop
    "jule": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),  # sys.exit() after a right answer
    "kurt": (0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),  # not JSON
    "lena": (0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),  # attacks the tests
    "milo": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),  # saved by an old editor, renamed
    "nora": (0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),  # untouched
    "otto": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),  # a test deleted, a mark lost
    "pia": (100, [14, 10, 8, 6, 6, 6, 7, 7, 9, 7, 8, 5, 7]),  # warnings, tables, a script
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "course"
    command = [sys.executable, "-m", "autograder.cli", "demo", "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    return Course.at(folder), done.stdout


def test_everybody_gets_what_is_due(shown):
    course, _ = shown
    results = {result.student: result for result in find_all(course, "ps03")}
    assert len(DUE) >= 12
    assert {name: result.points for name, result in results.items()} == {
        name: points for name, (points, _) in DUE.items()
    }
    names = problem_set("ps03").exercises
    for student, (_, parts) in DUE.items():
        found = [sum(c.points for c in results[student].exercise(name)) for name in names]
        assert found == parts, student


def test_what_was_stopped_and_what_was_odd_is_recorded(shown):
    results = {result.student: result for result in find_all(shown[0], "ps03")}
    kinds = {name: [incident.kind for incident in r.incidents] for name, r in results.items()}
    assert kinds["ivan"] == ["timeout"]
    assert kinds["jule"] == ["exit"]
    assert [name for name, result in results.items() if result.needs_teacher] == ["kurt"]
    assert {n.kind for n in results["milo"].notes} == {"file name", "encoding", "line ends"}
    assert {n.kind for n in results["otto"].notes} == {"recognised", "restored"}


def test_feedback_and_report_are_there_and_named(shown):
    course, text = shown
    assert str(course.root) in text
    assert str(course.report("ps03")) in text
    assert str(course.released("ps03")) in text
    assert course.released("ps03").is_file()
    for student in DUE:
        page = course.feedback(student, "ps03").read_text()
        assert "HIDDEN TESTS" not in page
        assert re.search(r"<script", page) is None
    report = course.report("ps03").read_text()
    assert all(f"feedback/{student}/ps03/ps03.html" in report for student in DUE)
    assert "<img alt=" in course.feedback("chen", "ps03").read_text()  # the figure that chen drew
    assert "SyntaxError" in course.feedback("hana", "ps03").read_text()


@pytest.mark.browser
def test_the_readme_shows_these_pages(shown, tmp_path):
    """Fonts and browsers may differ a little; another layout does not pass."""
    for drawn in readme_pictures.draw(shown[0], tmp_path):
        kept = readme_pictures.PICTURES / drawn.name
        assert drawn.stat().st_size < 150_000
        old, new = (
            np.asarray(Image.open(path).convert("L").resize((200, 231))).astype(float)
            for path in (kept, drawn)
        )
        assert abs(old - new).mean() < 6, drawn.name  # of 255
