"""The catalogue, graded by the command: everything contained, every score as deserved."""

import base64
import json
import os
import re
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

import autograder
import dplab
from autograder.rooms.probing import probe
from tests.autograder.hostile.catalogue import KINDS, all_submissions
from tests.autograder.hostile.classroom import marked_files
from tests.autograder.hostile.conftest import CLASSES, class_of
from tests.autograder.pages.test_feedback import Page, assert_harmless

CATALOGUE = all_submissions()
each_class = pytest.mark.parametrize("name", CLASSES)
each_submission = pytest.mark.parametrize(
    "found", CATALOGUE, ids=[f"{found.kind}-{found.name}" for found in CATALOGUE]
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not probe().strong and "CI" not in os.environ, reason="the sandbox is weak here"
    ),
]
# What only a teacher has: names, numbers and words of the hidden test, and the solution's text.
HIDDEN = ("SECRET_NUMBER", "7351", "14702", "HIDDEN TESTS", "LEAKED")


def test_the_catalogue_covers_what_it_should():
    counts = Counter(found.kind for found in CATALOGUE)
    assert sum(counts.values()) >= 80
    assert all(counts[kind] >= 5 for kind in KINDS)
    assert len({found.tries for found in CATALOGUE}) == len(CATALOGUE)
    assert len({found.student for found in CATALOGUE}) == len(CATALOGUE)


@each_submission
def test_the_score_is_as_deserved(classes, found):
    result = classes(class_of(found)).results[found.student]
    told = [(cell.name, cell.points, cell.message) for cell in result.cells]
    assert result.points == found.points, (told, result.incidents, result.notes)


@each_class
def test_every_neighbour_has_all_points(classes, name):
    graded = classes(name)
    most = 50 if graded.problem_set == "ps03" else 6
    points = {student: graded.results[student].points for student in graded.honest}
    assert set(points.values()) == {most}, points
    assert not any(graded.results[student].incidents for student in points)


@each_class
def test_nobody_is_graded_who_handed_nothing_in(classes, name):
    graded = classes(name)
    students = {found.student for found in graded.submissions} | set(graded.honest)
    assert set(graded.results) == students


@each_class
def test_nothing_is_left(classes, name):
    graded = classes(name)
    assert graded.left_running == []
    assert graded.left_behind == []
    assert marked_files() == []


@each_class
def test_nothing_of_the_teacher_s_is_changed(classes, name):
    assert classes(name).changed == []


def test_nothing_of_the_project_is_changed():
    for package in (autograder, dplab):
        for path in Path(package.__file__).parent.rglob("*.py"):
            assert b"hostile-" not in path.read_bytes(), path


@each_class
def test_what_was_handed_in_is_what_lies_there(classes, name):
    graded = classes(name)
    for file, data in graded.handed_in.items():
        student = file.replace("\\", "/").partition("/")[0].removesuffix(".ipynb")
        path = graded.course.submitted(student, graded.problem_set)
        if path.exists():
            assert path.is_file()
            assert not path.is_symlink()
            assert path.stat().st_mode & 0o7777 == 0o644
            assert path.read_bytes() == data
        else:
            assert graded.results[student].points == 0


@each_class
def test_the_gradebook_has_these_points_and_no_others(classes, name):
    graded = classes(name)
    query = (
        "select submitted_assignment.student_id, sum(grade.auto_score) from grade "
        "join submitted_notebook on grade.notebook_id = submitted_notebook.id "
        "join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id "
        "group by submitted_assignment.student_id"
    )
    with sqlite3.connect(graded.course.root / "gradebook.db") as book:
        kept = {student: points or 0 for student, points in book.execute(query)}
        most = book.execute("select sum(max_score) from grade_cells").fetchone()[0]
        manual = book.execute("select count(*) from grade where manual_score != 0").fetchone()[0]
    assert kept == {student: result.points for student, result in graded.results.items()}
    assert most == (50 if graded.problem_set == "ps03" else 10)
    assert manual == 0


@each_submission
def test_the_page_has_nothing_of_the_teacher_s_or_of_others(classes, found):
    graded = classes(class_of(found))
    page = graded.page(found.student)
    secret = (graded.course.private / "secret").read_bytes()
    spellings = (secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1])
    for hidden in (*HIDDEN, *spellings, str(graded.course.root)):
        assert hidden not in page or _wrote(found, graded, hidden), hidden
    others = re.findall(r"neighbour\d+", page)
    assert others == []


def _wrote(found, graded, hidden: str) -> bool:
    """Whether the student's own notebook has these words: some know where the course lies."""
    return hidden not in HIDDEN and hidden.encode() in graded.handed_in[found.file]


@pytest.mark.parametrize("name", ["class.zip", "class"])  # ps03 asks for no words
def test_a_neighbour_s_page_has_their_own_words_alone(classes, name):
    graded = classes(name)
    for student, text in graded.honest.items():
        found = re.findall(r"neighbour\d+", graded.page(student))
        assert set(found) == set(re.findall(r"neighbour\d+", text))


@each_submission
def test_outputs_found_nothing(classes, found):
    notebook = classes(class_of(found)).notebook(found.student)
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    assert "LEAKED" not in json.dumps(outputs)


@each_submission
def test_the_page_is_harmless(classes, found):
    assert_harmless(classes(class_of(found)).page(found.student))


@each_class
def test_the_report_is_harmless(classes, name):
    graded = classes(name)
    page = Page(graded.course.report(graded.problem_set).read_text(encoding="utf-8"))
    assert not {"script", "iframe", "object", "embed", "form", "base", "link"} & set(page.tags)
    assert not [found for found in page.attributes if found[1].startswith("on")]
    assert "javascript:" not in str(page.attributes)


def test_the_table_of_points_has_no_formula(classes):
    graded = classes("class.zip")
    table = graded.course.report("tiny", ".csv").read_text(encoding="utf-8-sig")
    names = [line.partition(",")[0].strip('"') for line in table.splitlines()]
    assert "'=HYPERLINK(1)" in names
    assert not [name for name in names if name.startswith(("=", "+", "-", "@"))]


def test_the_terminal_gets_no_escapes_from_students(classes):
    for name in CLASSES:
        assert not re.search(r"\x1b\](?!8;;file)|\x1b\[2J|\x07|\x9b", classes(name).said)
