"""The class report: the numbers are right, and names and messages from outside stay text."""

import csv
import io

import pytest

from autograder.classroom import coordinator
from autograder.classroom.collecting import collect
from autograder.classroom.coordinator import Graders, grade_class
from autograder.classroom.folders import CourseError
from autograder.classroom.results import CellResult, Result
from autograder.classroom.submission import Note
from autograder.pages import report
from autograder.pages.report import points_csv, render, write_report
from autograder.rooms.contract import Incident, Limits
from tests.autograder.pages.test_feedback import Page
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes


@pytest.fixture
def graded(course, tiny, released, one_room):
    notebooks = {
        "ann": as_bytes(answered(released)),
        "bob": as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"})),
        "cyd": as_bytes(answered(released, {**SOLUTIONS, "double": "def double(x): return -x"})),
        "dan": b"not a notebook",
        "eve": as_bytes(answered(released, {**SOLUTIONS, "mean": "while True: pass"})),
    }
    for student, data in notebooks.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    handed = collect(course, "tiny", course.root / "submitted").submissions
    return grade_class(course, tiny, handed, Graders(Limits(), None, "files, network", 1))


def words(text):
    return " ".join(" ".join(Page(text).words).split())


def test_the_numbers_are_right(course, tiny, graded):
    coordinator.save_refused(course, "tiny", ("'../x.ipynb': its path leads out",))
    page, _ = write_report(course, tiny)
    text = words(page.read_text())
    assert [result.points for result in graded] == [6, 3, 3, 0, 3]
    assert "submissions 5 median of 10 3 mean 3.0 all points 0 to look at 2" in text
    assert "Sandbox in force: files, network" in text
    assert "dan : The file is not a notebook" in text
    assert "Not collected: '../x.ipynb': its path leads out" in text
    assert "mean did not end and was stopped" in text


def test_checks_count_who_lost_points_and_why(tiny, graded):
    rows = {row.name: row for row in report._checks(tiny, graded)}
    assert rows["double_small"].lost == 2
    assert rows["double_small"].mean == pytest.approx(2 / 4)  # dan's could not be read
    messages = dict(rows["double_small"].messages)
    assert messages == {"double(3) should be 6, it is 3": 2}  # 3 and -3 differ in a number only


def test_the_page_links_to_feedback_and_runs_nothing(course, tiny, graded):
    page, _ = write_report(course, tiny)
    text = page.read_text()
    assert 'href="../feedback/ann/tiny/tiny.html"' in text
    assert "script-src 'none'" in text
    found = Page(text)
    assert "script" not in found.tags
    assert found.tags.count("svg") == 3


def test_the_table_has_a_line_for_each_student(course, tiny, graded):
    _, table = write_report(course, tiny)
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [row["student"] for row in rows] == ["ann", "bob", "cyd", "dan", "eve"]
    assert rows[0]["points"] == "6.0"
    assert rows[0]["double_negative"] == "2.0"
    assert rows[0]["why"] == ""
    assert rows[3]["needs_teacher"] == "yes"


def _result(student, note="", message=""):
    notes = (Note("odd", note),) if note else ()
    incident = Incident(Incident.DIED, "double", message)
    cells = (CellResult("double_small", "double", 0.0, 1.0, message),)
    return Result(student, "tiny", "k", "c", cells, notes=notes, incidents=(incident,))


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>"])
def test_what_comes_from_outside_stays_text(tiny, text):
    page = render(tiny, [_result(text, text, text)], [text])
    found = Page(page)
    assert not {"script", "img"} & set(found.tags)
    assert page.count(text.replace("<", "&lt;").replace(">", "&gt;")) >= 4


def test_a_name_in_a_link_is_quoted(tiny):
    page = render(tiny, [_result('a" onclick="x/../b')], [])
    assert 'href="../feedback/a%22%20onclick%3D%22x%2F..%2Fb/tiny/tiny.html"' in page


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_a_spreadsheet_takes_no_text_for_a_formula(tiny, name):
    line = points_csv(tiny, [_result(name, note=name)]).splitlines()[1]
    assert line.startswith((f"'{name}", f"\"'{name}"))


def test_a_class_of_one_and_a_class_without_time_can_be_drawn(tiny):
    assert "<svg" in render(tiny, [_result("ann")], [])


def test_without_results_there_is_no_report(course, tiny):
    with pytest.raises(CourseError, match="grade first"):
        write_report(course, tiny)
