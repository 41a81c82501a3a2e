"""Releasing a problem set, and reading it back for grading."""

import json
import stat

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import assignment, shipped_sets
from autograder.wire.contract import Role
from tests.autograder.tiny_assignment import source_notebook, write_source


def test_the_release_has_neither_solutions_nor_hidden_tests(course):
    text = course.released("tiny").read_text()
    assert "return 2 * x" not in text
    assert "SECRET_NUMBER" not in text
    assert "NotImplementedError" in text


def test_what_is_kept_has_hidden_tests_and_no_solutions(course, tiny):
    assert "SECRET_NUMBER" in tiny.followed_cells["double_negative"].source
    assert "SECRET_NUMBER" not in tiny.followed_cells["double_negative"].released
    assert not any("return 2 * x" in cell.source for cell in tiny.cells)


def test_what_is_kept_is_for_the_teacher_alone(course):
    for path in (course.private / "secret", course.master("tiny")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_roles_points_and_exercises(tiny):
    roles = {name: cell.role for name, cell in tiny.followed_cells.items()}
    assert roles["imports"] is Role.BOTH
    assert roles["double"] is roles["why"] is Role.STUDENT
    assert roles["double_small"] is Role.EXAMINER
    assert tiny.max_points == 10
    assert [(e.name, e.title, e.graded) for e in tiny.exercises] == [
        ("double", "1. Double it", ("double_small", "double_negative")),
        ("mean", "2. The mean", ("mean_of_three",)),
        ("why", "2. The mean", ("why",)),
    ]


def test_releasing_again_updates_and_keeps_the_secret(course):
    secret = course.secret()
    path = course.source("tiny")
    path.write_text(path.read_text().replace("double(3) == 6", "double(4) == 8"))
    with pytest.raises(CourseError, match="has changed since it was released; run: autograder"):
        assignment.load(course, "tiny")
    release(course, "tiny")
    assert "double(4) == 8" in assignment.load(course, "tiny").followed_cells["double_small"].source
    assert "double(4) == 8" in course.released("tiny").read_text()
    assert course.secret() == secret


def test_releasing_again_without_a_change_changes_nothing(course, tiny):
    before = course.released("tiny").read_bytes()
    release(course, "tiny")
    assert course.released("tiny").read_bytes() == before
    assert assignment.load(course, "tiny").digest == tiny.digest


CHANGED_CELLS = {
    "added": (lambda cells: cells.append({**cells[4], "id": "more"} | _of("more", grade=True)),
              "'more' is new"),
    "renamed": (lambda cells: cells[4].update(_of("renamed", grade=True)),
                "'renamed' is new; 'double_small' is gone"),
    "removed": (lambda cells: cells.pop(4), "'double_small' is gone"),
    "worth nothing": (lambda cells: cells[4].update(_of("double_small")),
                      "'double_small' is of another kind"),
}  # fmt: skip


def _of(name, grade=False):
    marks = {"schema_version": 3, "grade_id": name, "cell_type": "code", "points": 1}
    flags = {"grade": grade, "locked": True, "solution": False, "task": False}
    return {"metadata": {"nbgrader": marks | flags}}


@pytest.mark.parametrize(("change", "said"), CHANGED_CELLS.values(), ids=CHANGED_CELLS)
def test_cells_of_a_set_that_has_submissions_are_named_with_the_way_out(course, change, said):
    with Gradebook(course.database) as book:
        book.add_student("ann")
        book.add_submission("tiny", "ann")
    before, released = course.source("tiny").read_text(), course.released("tiny").read_bytes()
    notebook = json.loads(before)
    change(notebook["cells"])
    course.source("tiny").write_text(json.dumps(notebook))
    with pytest.raises(
        CourseError, match=f"{said}.*give 0 points to a test.*; or give the set a new name"
    ):
        release(course, "tiny")
    assert course.released("tiny").read_bytes() == released
    course.source("tiny").write_text(before.replace('"points": 1', '"points": 0'))
    assert release(course, "tiny").max_points == 9


def test_the_teachers_own_configuration_stays(course):
    course.config_file.write_text("c = get_config()\nc.CourseDirectory.course_id = 'mine'\n")
    release(course, "tiny")
    assert "mine" in course.config_file.read_text()


def test_our_own_problem_sets_are_copied(tmp_path):
    assert "ps03" in shipped_sets.names()
    course = Course.at(tmp_path / "course")
    assert release(course, "ps03").max_points == 100
    assert "BEGIN SOLUTION" in course.source("ps03").read_text()
    assert "BEGIN SOLUTION" not in course.released("ps03").read_text()


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a+b", ".hidden", "x" * 65, "a b"])
def test_a_name_that_can_be_no_folder_is_refused(tmp_path, name):
    with pytest.raises(CourseError, match="can't be the name of a problem set"):
        release(Course.at(tmp_path), name)


def test_an_unknown_problem_set_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(CourseError, match=r"no problem set 'ps99'.*ps03"):
        release(Course.at(tmp_path), "ps99")


def test_the_notebook_may_have_another_name_than_the_set(tmp_path):
    write_source(tmp_path)
    (tmp_path / "source/tiny/tiny.ipynb").rename(tmp_path / "source/tiny/Problem 1.ipynb")
    course = Course.at(tmp_path)
    assert release(course, "tiny").notebooks == ("Problem 1",)
    assert assignment.load(course, "tiny").max_points == 10
    assert [path.name for path in course.released("tiny").parent.iterdir()] == ["Problem 1.ipynb"]


def _release_changed(tmp_path, change):
    notebook = source_notebook()
    change(notebook)
    path = write_source(tmp_path)
    path.write_text(nbformat.writes(notebook))
    return release(Course.at(tmp_path), "tiny")


def test_nbgraders_complaint_is_passed_on(tmp_path):
    def unclosed(notebook):
        notebook.cells[3].source = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x"

    with pytest.raises(CourseError, match=r"could not release 'tiny'.*[nN]o end solution"):
        _release_changed(tmp_path, unclosed)


def test_a_problem_set_without_points_is_refused(tmp_path):
    def pointless(notebook):
        notebook.cells = notebook.cells[:4]

    with pytest.raises(CourseError, match="no cell has points"):
        _release_changed(tmp_path, pointless)


def test_grading_an_unreleased_problem_set_says_what_to_run(tmp_path):
    with pytest.raises(CourseError, match=r"has not been released.*run: autograder release"):
        assignment.load(Course.at(tmp_path), "tiny")


@pytest.mark.parametrize("text", ["", "[]", '{"master": {}}'])
def test_a_damaged_file_says_what_to_run(course, text):
    course.master("tiny").write_text(text)
    with pytest.raises(CourseError, match=r"is damaged.*run: autograder release"):
        assignment.load(course, "tiny")


def test_a_damaged_configuration_names_the_file(course):
    course.config_file.write_text("this is not Python")
    with pytest.raises(CourseError, match=r"nbgrader_config\.py can't be read"):
        _ = Course.at(course.root).database


def test_the_release_is_a_valid_notebook_with_checksums(course):
    released = nbformat.read(course.released("tiny"), as_version=4)
    nbformat.validate(released)
    marked = [c for c in released.cells if c.metadata.get("nbgrader", {}).get("grade_id")]
    assert all("checksum" in cell.metadata.nbgrader for cell in marked)


def test_a_heading_loses_its_points(released_course):
    cells = json.loads(released_course.master("tiny").read_text())
    (kept,) = cells["notebooks"]
    for version in ("master", "released"):
        kept[version]["cells"][2]["source"] = "## 1. Double it (3 points)"
    found = assignment.from_notebooks("tiny", kept["master"], kept["released"])
    assert found.exercises[0].title == "1. Double it"
