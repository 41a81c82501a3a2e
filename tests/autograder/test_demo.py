"""The demo from end to end, as it is typed: every student of the sample class gets what is due."""

import re
import subprocess
import sys
import time

import pytest

from autograder import demo
from autograder.classroom.folders import Course
from autograder.classroom.results import find_all

# Points of 50: in all, and by exercise.
DUE = {
    "ada": (50, [14, 10, 8, 6, 6, 6]),  # right, in three styles
    "bela": (50, [14, 10, 8, 6, 6, 6]),
    "chen": (50, [14, 10, 8, 6, 6, 6]),
    "dora": (36, [9, 4, 8, 6, 6, 3]),  # truth and lie exchanged
    "emil": (38, [9, 10, 8, 3, 6, 2]),  # one coin for two people, a clipped estimate
    "fatima": (38, [10, 10, 8, 5, 2, 3]),  # numpy's global generator
    "gero": (30, [14, 10, 0, 6, 0, 0]),  # biased, no logarithms, an exercise left out
    "hana": (36, [10, 0, 8, 6, 6, 6]),  # a syntax error, an argument changed
    "ivan": (38, [14, 10, 8, 6, 0, 0]),  # an infinite loop
    "jule": (50, [14, 10, 8, 6, 6, 6]),  # sys.exit() after a right answer
    "kurt": (0, [0, 0, 0, 0, 0, 0]),  # not JSON
    "lena": (0, [0, 0, 0, 0, 0, 0]),  # attacks the tests
    "milo": (50, [14, 10, 8, 6, 6, 6]),  # byte-order mark, Windows line ends, another file name
    "nora": (0, [0, 0, 0, 0, 0, 0]),  # untouched
    "otto": (50, [14, 10, 8, 6, 6, 6]),  # a test deleted, a mark lost
    "pia": (50, [14, 10, 8, 6, 6, 6]),  # warnings, tables, a script in the text
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "course"
    command = [sys.executable, "-m", "autograder.cli", "demo", "--folder", str(folder)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return Course.at(folder), done.stdout, time.monotonic() - began


@pytest.mark.slow
def test_everybody_gets_what_is_due(shown):
    course, _, _ = shown
    results = {result.student: result for result in find_all(course, "ps03")}
    assert len(DUE) >= 12
    assert {name: result.points for name, result in results.items()} == {
        name: points for name, (points, _) in DUE.items()
    }
    names = ["respond", "output_law", "debias", "warner_estimate", "epsilon_of_warner", "slope"]
    for student, (_, parts) in DUE.items():
        found = [sum(c.points for c in results[student].exercise(name)) for name in names]
        assert found == parts, student


@pytest.mark.slow
def test_what_was_stopped_and_what_was_odd_is_recorded(shown):
    results = {result.student: result for result in find_all(shown[0], "ps03")}
    kinds = {name: [incident.kind for incident in r.incidents] for name, r in results.items()}
    assert kinds["ivan"] == ["timeout"]
    assert kinds["jule"] == ["exit"]
    assert [name for name, result in results.items() if result.needs_teacher] == ["kurt"]
    assert {n.kind for n in results["milo"].notes} == {"file name", "encoding", "line ends"}
    assert {n.kind for n in results["otto"].notes} == {"recognised", "restored"}


@pytest.mark.slow
def test_feedback_and_report_are_there_and_named(shown):
    course, text, _ = shown
    assert str(course.root) in text
    assert str(course.report("ps03")) in text
    for student in DUE:
        page = course.feedback(student, "ps03").read_text()
        assert "HIDDEN TESTS" not in page
        assert re.search(r"<script", page) is None
    report = course.report("ps03").read_text()
    assert all(f"feedback/{student}/ps03/ps03.html" in report for student in DUE)
    assert "<img alt=" in course.feedback("chen", "ps03").read_text()  # the figure that chen drew
    assert "SyntaxError" in course.feedback("hana", "ps03").read_text()


@pytest.mark.slow
def test_it_takes_half_a_minute_at_most(shown):
    assert shown[2] < 90  # 12 to 18 s on two quiet cores; a busy machine may take longer


def test_a_sample_student_is_read_by_the_names_of_cells(tmp_path):
    path = tmp_path / "ann.txt"
    path.write_text("What ann does.\n# %% one\nx = 1\n\n# %% extra after one\nprint(x)\n")
    assert demo.sample(path) == {"one": "x = 1", "extra after one": "print(x)"}


@pytest.mark.slow
def test_the_table_explains_everybody_who_lost_points(shown):
    lines = {line.split()[0]: line for line in shown[1].splitlines() if line.split()[1:]}
    assert "warner_estimate did not end" in lines["ivan"]
    assert "Nothing was filled in." in lines["nora"]
    assert "No test passed." in lines["lena"]
    assert "Failed: respond_law" in lines["dora"]
