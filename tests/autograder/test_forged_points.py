"""Points that could be forged: whatever shows them says so, and sums them apart."""

import csv
import io
import json

import nbformat
import pytest
from click.testing import CliRunner
from nbgrader import api

from autograder import cli
from autograder.classroom.course.folders import Course
from autograder.classroom.grading import results
from autograder.preprocessor import _with_roles
from autograder.wire.contract import Role
from tests.autograder.tiny_assignment import SOLUTIONS, TEXTS, answered, as_bytes, write_source
from tests.sharing import once

SAME = (
    "### FORGEABLE TEST\n# A number is doubled by the very function.\n"
    "double.seen = True\nassert double(3) == 6 and double.seen"
)
FORGER = {
    **SOLUTIONS,
    "double": "class Double:\n    def __eq__(self, other):\n        return True\n"
    "def double(x):\n    return Double()",
}


def _graded(folder):
    """ann is right, bob's answer makes the forgeable test pass alone, cy left it open.

    The other test can't ask bob's object what it is equal to: a human decides.
    """
    course = Course.at(folder / "course")
    texts = [(k, n, SAME if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    write_source(course.root, texts=texts)
    said = [_command("release", str(course.root), "tiny")]
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    for student, answers in {"ann": SOLUTIONS, "bob": FORGER, "cy": {}}.items():
        path = folder / "in" / student / "tiny.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released, answers)))
    handed_in = [str(course.root), "tiny"]
    said.append(_command("grade", *handed_in, str(folder / "in"), "--jobs", "1", "--feedback"))
    said.append(_command("grade", *handed_in, "--again", "--jobs", "1", "--json"))
    said.append(_command("report", *handed_in))
    said += [_command("export", *handed_in, "--format", to) for to in FORMATS]
    return str(course.root), said


FORMATS = ("canvas", "moodle", "brightspace", "csv", "gradescope")


def _command(*arguments):
    found = CliRunner(env={"COLUMNS": "160"}).invoke(cli.main, arguments)
    assert found.exit_code in (0, 3), found.output
    return found.output


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root, said = once(tmp_path_factory, "forged points", _graded)
    return Course.at(root), said


def test_the_forger_has_these_points_and_no_others(graded):
    course, _ = graded
    points = {
        student: [cell.points for cell in results.find(course, student, "tiny").cells]
        for student in ("ann", "bob", "cy")
    }
    assert points == {"ann": [1, 2, 3, None], "bob": [1, None, 3, None], "cy": [0, 0, 0, 0]}
    sums = [results.find(course, student, "tiny").forgeable for student in points]
    assert sums == [1, 1, 0]


def test_the_commands_say_so(graded):
    _, (released, table, found, *_) = graded
    note = "up to 1 of 10 points could be forged, since these tests ran in the student's process"
    assert f"{note}: double_small" in " ".join(released.split())
    assert f"{note}: double_small" in table
    listed = json.loads(found[found.index("{") :])["students"]
    assert [one["could_be_forged"] for one in listed] == [1, 1, 0]


def test_the_gradebook_says_so_and_feedback_does_not_take_it_for_a_teacher(graded):
    course, _ = graded
    with api.Gradebook(course.database) as book:
        said = [
            book.find_comment("double", "tiny", "tiny", student).comment
            for student in ("ann", "bob", "cy")
        ]
    assert said == ["Points that could be forged: double_small."] * 2 + ["No response."]
    notebook = json.loads(course.autograded("ann", "tiny").read_text(encoding="utf-8"))
    shown = [str(cell.get("outputs")) for cell in notebook["cells"]]
    assert sum("its points could be forged" in text for text in shown) == 1
    page = course.feedback("ann", "tiny").read_text(encoding="utf-8")
    assert "Your teacher says" not in page
    assert "A number is doubled by the very function (could be forged)" in page
    assert "1 of the points could be forged" in page


def test_the_report_sums_them_apart(graded):
    course, _ = graded
    page = course.report("tiny").read_text(encoding="utf-8")
    assert "<dt>could be forged</dt>" in page
    assert page.count("1 could be forged</span>") == 2
    assert "A number is doubled by the very function (could be forged)" in page
    rows = list(csv.DictReader(io.StringIO(course.report("tiny", ".csv").read_text("utf-8-sig"))))
    assert [row["could_be_forged"] for row in rows] == ["1.0", "1.0", "0.0"]


def test_every_export_says_so(graded):
    course, (*_, canvas, moodle, brightspace, table, gradescope) = graded
    for said in (canvas, moodle, brightspace, table, gradescope):
        assert "note: up to 1 of 10 points could be forged" in said
    folder = course.root / "export"
    rows = list(csv.DictReader(io.StringIO((folder / "tiny-csv.csv").read_text("utf-8-sig"))))
    assert [row["could_be_forged"] for row in rows] == ["1.0", "1.0", "0.0"]
    assert [row["double_small"] for row in rows] == ["1.0", "1.0", "0.0"]
    rows = list(csv.DictReader(io.StringIO((folder / "tiny-moodle.csv").read_text("utf-8"))))
    assert [row["tiny could be forged"] for row in rows] == ["1.0", "1.0", "0.0"]
    kept = json.loads((folder / "tiny-gradescope" / "ann" / "results.json").read_text("utf-8"))
    assert [test["name"].endswith("(could be forged)") for test in kept["tests"]].count(True) == 1


@pytest.mark.parametrize(("to", "column"), [("canvas", "Student"), ("brightspace", "Username")])
def test_where_an_import_has_no_place_for_it_a_table_beside_has(graded, to, column):
    course, said = graded
    path = course.root / "export" / f"tiny-{to}-could-be-forged.csv"
    text = said[-5 + FORMATS.index(to)].replace("\n", "")
    assert f"not for importing, has each student's: {path}" in text
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))
    assert [(r["student_id"], r["score"], r["could_be_forged"]) for r in rows] == [
        ("ann", "6.0", "1.0"),
        ("bob", "4.0", "1.0"),
        ("cy", "0.0", "0.0"),
    ]
    imported = (course.root / "export" / f"tiny-{to}.csv").read_text("utf-8")
    assert imported.startswith(column)
    assert "forged" not in imported


def test_the_table_lies_beside_what_was_asked_for_and_there_is_none_without_need(graded, tmp_path):
    course, _ = graded
    _command(
        "export", str(course.root), "tiny", "--format", "canvas", "--output", f"{tmp_path}/a.csv"
    )
    _command(
        "export", str(course.root), "tiny", "--format", "moodle", "--output", f"{tmp_path}/b.csv"
    )
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == ["a-could-be-forged.csv", "a.csv", "b.csv"]


def test_students_see_it_when_they_check(graded):
    course, _ = graded
    said = _command("check", str(course.root.parent / "in" / "ann" / "tiny.ipynb"))
    assert "  2 of 2 visible tests passed (1 could be forged)" in said


def test_nbgraders_own_autograding_knows_it_by_the_gradebook(graded):
    course, _ = graded
    released = nbformat.read(course.released("tiny"), as_version=4)
    code = [cell for cell in released.cells if cell.cell_type == "code"]
    for cell in code:
        cell.source = "x = 1"  # whatever the notebook says
    names = {"db_url": course.database, "notebook": "tiny", "assignment": "tiny"}
    found = {cell.name: cell for cell in _with_roles(code, names)}
    assert found["double_small"].role is Role.FORGEABLE
    assert found["double_small"].most == 1
    assert found["double_small"].source == SAME
    assert found["double_negative"].role is Role.EXAMINER
