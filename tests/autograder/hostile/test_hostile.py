"""The catalogue, graded by the command: everything contained, every score as deserved.

It is graded in the strong sandbox, and on a throwaway machine in the portable one, without those
whom that can't contain; each of them is graded there alone.
"""

import os
import re
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

import autograder
import dplab
from autograder.rooms.landlock import version
from autograder.rooms.probing import probe
from tests.autograder.hostile import containment
from tests.autograder.hostile.catalogue import KINDS, MOST, all_submissions
from tests.autograder.hostile.conftest import CLASSES, class_of, graded_in
from tests.autograder.hostile.observer import MARK
from tests.autograder.hostile.portable import UNCONTAINED
from tests.autograder.pages.test_feedback import Page

CATALOGUE = all_submissions()
SIGNALS_SINCE = 6  # the version of Landlock that holds them back
STRONG = pytest.mark.skipif(
    not probe().strong and "CI" not in os.environ, reason="the sandbox is weak here"
)
PORTABLE = pytest.mark.skipif(
    version() < SIGNALS_SINCE or probe().bubblewrap is None,
    reason="needs Landlock in the kernel, and bubblewrap to make a throwaway machine",
)
pytestmark = pytest.mark.slow
each_sandbox = pytest.mark.parametrize(
    "portable",
    [
        pytest.param(False, marks=STRONG, id="strong"),
        pytest.param(True, marks=PORTABLE, id="portable"),
    ],
)
each_class = pytest.mark.parametrize("name", CLASSES)
each_submission = pytest.mark.parametrize(
    ("found", "portable"),
    [
        pytest.param(
            found,
            portable,
            marks=PORTABLE if portable else STRONG,
            id=f"{found.kind}-{found.name}-{'portable' if portable else 'strong'}",
        )
        for portable in (False, True)
        for found in CATALOGUE
        if not (portable and found.name in UNCONTAINED)
    ],
)


def test_the_catalogue_covers_what_it_should():
    counts = Counter(found.kind for found in CATALOGUE)
    assert sum(counts.values()) >= 80
    assert all(counts[kind] >= 5 for kind in KINDS)
    assert len({found.tries for found in CATALOGUE}) == len(CATALOGUE)
    assert len({found.student for found in CATALOGUE}) == len(CATALOGUE)


@each_submission
def test_the_score_is_as_deserved(classes, found, portable):
    graded = classes(class_of(found), portable)
    assert containment.undeserved_score(graded, found) == []


@each_sandbox
@each_class
def test_every_neighbour_has_all_points(classes, name, portable):
    graded = classes(name, portable)
    assert len(graded.honest) > 3
    assert containment.neighbours_hurt(graded) == []


@each_sandbox
@each_class
def test_nobody_is_graded_who_handed_nothing_in(classes, name, portable):
    graded = classes(name, portable)
    students = {found.student for found in graded.submissions} | set(graded.honest)
    assert set(graded.results) == students


@each_sandbox
@each_class
def test_nothing_is_left(classes, name, portable):
    assert containment.left_over(classes(name, portable)) == []


@each_sandbox
@each_class
def test_nothing_of_the_teacher_s_is_changed(classes, name, portable):
    assert classes(name, portable).changed == []


@PORTABLE
@pytest.mark.parametrize("name", UNCONTAINED)
def test_who_is_said_to_be_uncontained_is(tmp_path_factory, name):
    """The list that teachers read is exact: who is contained after all must be taken off it."""
    (found,) = [found for found in CATALOGUE if found.name == name]
    graded = graded_in(tmp_path_factory, class_of(found), (found,), portable=True)
    assert containment.breaches(graded, found) != []
    assert UNCONTAINED[name]


def test_nothing_of_the_project_is_changed():
    for package in (autograder, dplab):
        for path in Path(package.__file__).parent.rglob("*.py"):
            assert MARK.encode() not in path.read_bytes(), path


@each_sandbox
@each_class
def test_what_was_handed_in_is_what_lies_there(classes, name, portable):
    graded = classes(name, portable)
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


@each_sandbox
@each_class
def test_the_gradebook_has_these_points_and_no_others(classes, name, portable):
    graded = classes(name, portable)
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
    assert most == MOST[graded.problem_set] + (4 if graded.problem_set == "tiny" else 0)  # by hand
    assert manual == 0


@each_submission
def test_the_page_has_nothing_of_the_teacher_s_or_of_others(classes, found, portable):
    graded = classes(class_of(found), portable)
    assert containment.told_to_the_student(graded, found) == []


@each_sandbox
@pytest.mark.parametrize("name", ["class.zip", "class"])  # the others ask for no words
def test_a_neighbour_s_page_has_their_own_words_alone(classes, name, portable):
    graded = classes(name, portable)
    for student, text in graded.honest.items():
        found = re.findall(r"neighbour\d+", graded.page(student))
        assert set(found) == set(re.findall(r"neighbour\d+", text))


@each_submission
def test_outputs_found_nothing(classes, found, portable):
    graded = classes(class_of(found), portable)
    assert containment.found_by_the_student(graded, found) == []


@each_submission
def test_the_page_is_harmless(classes, found, portable):
    assert containment.harmful_page(classes(class_of(found), portable), found) == []


@STRONG
@each_class
def test_the_report_is_harmless(classes, name):
    graded = classes(name)
    page = Page(graded.course.report(graded.problem_set).read_text(encoding="utf-8"))
    assert not {"script", "iframe", "object", "embed", "form", "base", "link"} & set(page.tags)
    assert not [found for found in page.attributes if found[1].startswith("on")]
    assert "javascript:" not in str(page.attributes)


@STRONG
def test_the_table_of_points_has_no_formula(classes):
    graded = classes("class.zip")
    table = graded.course.report("tiny", ".csv").read_text(encoding="utf-8-sig")
    names = [line.partition(",")[0].strip('"') for line in table.splitlines()]
    assert "'=HYPERLINK(1)" in names
    assert not [name for name in names if name.startswith(("=", "+", "-", "@"))]


@STRONG
def test_the_terminal_gets_no_escapes_from_students(classes):
    for name in CLASSES:
        assert not re.search(r"\x1b\](?!8;;file)|\x1b\[2J|\x07|\x9b", classes(name).observed.said)
