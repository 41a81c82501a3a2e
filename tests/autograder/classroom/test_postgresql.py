"""The gradebook in PostgreSQL: what is tested with SQLite holds there too, and so does the rest.

The tests that are imported here run once more, on a course whose gradebook is in PostgreSQL.
"""

import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from traitlets.config import Config

import autograder
from autograder import cli
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.results import find_all
from autograder.classroom.releasing import release as releasing
from autograder.classroom.running.coordinator import grade_class
from autograder.classroom.running.progress import Progress
from autograder.classroom.sets.assignment import load
from tests.autograder import tiny_assignment
from tests.autograder.classroom.postgresql import cluster
from tests.autograder.classroom.test_classroom import (  # noqa: F401
    GRADERS,
    hand_in,
    notebook,
    test_a_class_is_graded_whatever_is_in_it,
    test_a_grade_given_by_hand_survives_a_regrading,
    test_a_killed_command_loses_nothing_and_leaves_no_process,
    test_a_spoilt_result_is_graded_again,
    test_an_interrupt_loses_nothing_that_is_finished,
    test_what_is_unchanged_is_kept,
)
from tests.autograder.pages.test_feedback import (  # noqa: F401
    test_named_students_only_and_unknown_ones_not_at_all,
    test_points_and_comments_given_by_hand_are_in_it,
)
from tests.autograder.pages.test_report import (  # noqa: F401
    graded,
    test_the_numbers_are_right,
    test_the_table_has_a_line_for_each_student,
)
from tests.autograder.test_cli import strong  # noqa: F401
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes, late_penalties

pytestmark = pytest.mark.usefixtures("one_room")

SHIPPED = Path(autograder.__file__).parent / "nbgrader_config.py"
NAMES = ("Zoë Ångström", "Дарья", "李雷", "o'Brien; drop table student --", "50% & more")


def with_gradebook(course, url, more=""):
    """The same course, with its gradebook at this URL."""
    course.root.mkdir(parents=True, exist_ok=True)
    course.config_file.write_text(
        f"{SHIPPED.read_text(encoding='utf-8')}\nc.CourseDirectory.db_url = {url!r}\n{more}",
        encoding="utf-8",
    )
    return Course.at(course.root)  # which reads the configuration anew


@pytest.fixture(scope="session")
def released_in_postgres(postgres, tmp_path_factory):
    """A released course; its gradebook is the database `released`, which each test copies."""
    course = Course.at(tmp_path_factory.mktemp("released") / "course")
    tiny_assignment.write_source(course.root)
    course = with_gradebook(course, postgres.create("released"))
    releasing.release(course, "tiny")
    return course


@pytest.fixture
def database(postgres):
    """The name of a database of the test's own."""
    taken = postgres.execute("select count(*) from pg_database")[0][0]
    return f"test_{taken}"


@pytest.fixture
def course(request, tmp_path):
    """In PostgreSQL, unless a test asks for SQLite by way of its parameter."""
    in_sqlite = getattr(request, "param", "postgresql") == "sqlite"
    name = "released_course" if in_sqlite else "released_in_postgres"
    source = request.getfixturevalue(name)
    shutil.copytree(source.root, tmp_path / "course")
    course = Course.at(tmp_path / "course")
    if in_sqlite:
        return course
    server, database = map(request.getfixturevalue, ("postgres", "database"))
    return with_gradebook(course, server.create(database, template="released"))


on_both = pytest.mark.parametrize("course", ["sqlite", "postgresql"], indirect=True)


def test_the_gradebook_is_where_the_configuration_says(course, postgres, database):
    assert not (course.root / "gradebook.db").exists()
    names = {name for (name,) in postgres.execute("select name from base_cell", database)}
    assert names == {"double", "double_small", "double_negative", "mean", "mean_of_three", "why"}


def test_releasing_again_changes_nothing(course, postgres, database):
    count = "select count(*) from base_cell"
    before = postgres.execute(count, database)
    releasing.release(course, "tiny")
    assert postgres.execute(count, database) == before


def test_a_course_with_a_name_of_its_own(postgres, database, tmp_path):
    course = Course.at(tmp_path / "course")
    tiny_assignment.write_source(course.root)
    course = with_gradebook(
        course, postgres.create(database), "c.CourseDirectory.course_id = 'Datenschutz Ü'\n"
    )
    releasing.release(course, "tiny")
    found = postgres.execute("select name, course_id from assignment", database)
    assert found == [("tiny", "Datenschutz Ü")]


@on_both
def test_names_in_any_script_come_back_as_they_went_in(course, tiny, tmp_path, notebook):  # noqa: F811
    handed = hand_in(course, tmp_path, {f"{name}.ipynb": notebook for name in NAMES})
    grade_class(course, tiny, handed, GRADERS)
    with OpenGradebook(course, "tiny") as gradebook:
        grades = gradebook.grades()
    assert set(grades) == set(NAMES)
    assert {cells["mean_of_three"].points for cells in grades.values()} == {3}


@on_both
def test_a_late_submission_is_penalised(course, tiny, tmp_path, notebook):  # noqa: F811
    from nbgrader.api import Gradebook

    with Gradebook(course.database) as book:
        book.update_or_create_assignment("tiny", duedate="2026-11-01 00:00:00 UTC")
    late = "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    course = with_gradebook(course, course.database, late)
    times = {"ann": "2026-10-31 10:00:00 UTC", "bob": "2026-11-02 10:00:00 UTC"}
    files = {f"{student}/tiny/tiny.ipynb": notebook for student in times}
    files |= {f"{s}/tiny/timestamp.txt": moment.encode() for s, moment in times.items()}
    grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS)
    with Gradebook(course.database) as book:
        found = [book.find_submission_notebook("tiny", "tiny", s) for s in times]
        assert [row.late_submission_penalty for row in found] == [None, 6.0]
    assert late_penalties(course, "tiny") == {"bob": 6.0}


def formgrader(course):
    """What the formgrader's pages ask nbgrader for."""
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    folder = CourseDirectory(config=Config(), root=str(course.root))
    folder.db_url = course.database
    return NbGraderAPI(coursedir=folder)


def seen_by_formgrader(api):
    """Every page of a graded problem set, from the list of all to the list of submissions."""
    return SimpleNamespace(
        assignment=next(found for found in api.get_assignments() if found["name"] == "tiny"),
        students={found["id"]: found["score"] for found in api.get_students()},
        submissions={found["student"]: found["score"] for found in api.get_submissions("tiny")},
        notebooks=sorted(found["score"] for found in api.get_notebook_submissions("tiny", "tiny")),
    )


@on_both
def test_formgrader_reads_while_the_class_is_graded(course, tiny, tmp_path, released):
    """It sees whole submissions only, whenever it looks, and at last the whole class."""
    right = {f"s{n:02}.ipynb": as_bytes(answered(released)) for n in range(8)}
    wrong = {"w.ipynb": as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"}))}
    handed = hand_in(course, tmp_path, right | wrong)
    over, seen, problems = threading.Event(), [], []

    def read():
        while not over.is_set():
            try:
                seen.append(seen_by_formgrader(formgrader(course)))
            except Exception as error:
                problems.append(repr(error))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        grade_class(course, tiny, handed, GRADERS)
    finally:
        over.set()
        reader.join()
    assert problems == []
    assert seen
    assert all(set(view.notebooks) <= {3, 6} for view in seen)
    last = seen_by_formgrader(formgrader(course))
    assert last.submissions == {f"s{n:02}": 6 for n in range(8)} | {"w": 3}
    assert last.students == last.submissions
    assert last.notebooks == [3] + [6] * 8
    assert last.assignment["num_submissions"] == 9
    assert last.assignment["average_score"] == pytest.approx(51 / 9)


# --- what can go wrong ----------------------------------------------------------------------

BROKEN = {
    "no such database": "postgresql+psycopg://postgres@/nowhere?host={folder}",
    "no server": "postgresql+psycopg://teacher:secret-word@127.0.0.1:1/course",
    "no driver": "postgresql+pg8000://postgres@/course",
    "no such kind": "postgres://teacher:secret-word@/course",
    "no URL": "my gradebook, secret-word",
}


@pytest.fixture
def handed_in(tmp_path, notebook):  # noqa: F811
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for student in ("ann", "bob"):
        (folder / f"{student}.ipynb").write_bytes(notebook)
    return folder


def refused(*arguments):
    """What a command says that does nothing but say why."""
    done = CliRunner().invoke(cli.main, [str(argument) for argument in arguments])
    assert done.exit_code == 1, done.output
    assert "Traceback" not in done.output
    *_, line = done.output.splitlines()
    assert line.startswith("error: the gradebook ")
    assert "secret-word" not in done.output
    return line


@pytest.mark.parametrize("url", BROKEN.values(), ids=BROKEN)
@pytest.mark.usefixtures("strong")
def test_a_gradebook_that_cannot_be_opened_is_named_and_nothing_graded(
    course, postgres, handed_in, url
):
    course = with_gradebook(course, url.format(folder=postgres.folder))
    assert "can't be opened: " in refused("grade", course.root, "tiny", handed_in)
    assert "can't be opened: " in refused("release", course.root, "tiny")
    assert find_all(course, "tiny") == []
    assert not (course.root / "autograded").exists()


def test_what_is_missing_is_said(course, postgres):
    with pytest.raises(CourseError, match='database "nowhere" does not exist'):
        releasing.release(with_gradebook(course, postgres.url("nowhere")), "tiny")
    course = with_gradebook(course, BROKEN["no driver"])
    with pytest.raises(CourseError, match=r"pg8000 is not installed .* '.\[postgresql\]'"):
        releasing.release(course, "tiny")
    course = with_gradebook(course, BROKEN["no server"])
    with pytest.raises(CourseError, match=r"teacher:\*\*\*@127\.0\.0\.1:1/course .* refused"):
        releasing.release(course, "tiny")


@pytest.mark.usefixtures("strong", "postgres")
def test_a_server_that_fails_meanwhile_loses_nothing(tmp_path, released):
    """The grading ends with one line; what was written is there, and the rest is graded later."""
    with cluster(fsync=True) as server:
        course = Course.at(tmp_path / "own")
        tiny_assignment.write_source(course.root)
        course = with_gradebook(course, server.create("course"))
        releasing.release(course, "tiny")
        data = as_bytes(answered(released))
        handed = hand_in(course, tmp_path, {f"s{n}.ipynb": data for n in range(5)})

        class Failing(Progress):
            def finished(self, result, kept):
                if len(find_all(course, "tiny")) == 2:
                    server.stop()

        with pytest.raises(CourseError, match="can't be written: "):
            grade_class(course, load(course, "tiny"), handed, GRADERS, progress=Failing())
        kept = {result.student for result in find_all(course, "tiny")}
        assert len(kept) == 2
        refused("feedback", course.root, "tiny")
        server.start(fsync=True)
        with OpenGradebook(course, "tiny") as gradebook:
            assert set(gradebook.grades()) == kept
        grade_class(course, load(course, "tiny"), handed, GRADERS)
        with OpenGradebook(course, "tiny") as gradebook:
            assert len(gradebook.grades()) == 5


def test_stock_nbgrader_grades_into_the_same_gradebook(course, released):
    """`nbgrader` itself reads and writes what `autograder release` made."""
    path = course.submitted("Дарья", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(answered(released)))
    command = [sys.executable, "-m", "nbgrader", "autograde", "tiny"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with OpenGradebook(course, "tiny") as gradebook:
        grades = gradebook.grades()
    assert {name: grade.points for name, grade in grades["Дарья"].items() if grade.points} == {
        "double_small": 1, "double_negative": 2, "mean_of_three": 3,
    }  # fmt: skip
