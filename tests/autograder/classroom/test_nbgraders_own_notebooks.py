"""The notebooks of nbgrader's own test suite: stock's points, cell by cell, or a clear refusal.

Those that can be released are notebooks of one problem set, so that one release, one grading and
one run of nbgrader's `autograde` do for all of them.
"""

import importlib.util
import json
import shutil
from pathlib import Path
from typing import ClassVar

import nbformat
import pytest
from click.testing import CliRunner
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbconvert.preprocessors import ExecutePreprocessor
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import Execute
from traitlets.config import Config

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.classroom.releasing.release import release
from autograder.cli import main
from autograder.commands.common import runner_for_own_code
from tests.autograder.trusted_runner import TrustedRunner
from tests.sharing import once

FILES = Path(importlib.util.find_spec("nbgrader").origin).parent / "tests"
APPS, PREPROCESSORS = FILES / "apps" / "files", FILES / "preprocessors" / "files"
SUITE = {
    "test": APPS / "test.ipynb",
    "with-output": APPS / "test-with-output.ipynb",
    "v0": APPS / "test-v0.ipynb",
    "v1": APPS / "test-v1.ipynb",
    "v2": APPS / "test-v2.ipynb",
    "hidden-tests": APPS / "test-hidden-tests.ipynb",
    "zero-points": APPS / "validation-zero-points.ipynb",
    "relative-file": APPS / "open_relative_file.ipynb",
    "variable": APPS / "validating-environment-variable.ipynb",
    "hashed": APPS / "autotest-hashed.ipynb",
    "hidden": APPS / "autotest-hidden.ipynb",
    "multi": APPS / "autotest-multi.ipynb",
    "nose": PREPROCESSORS / "test.ipynb",
    "taskcell": PREPROCESSORS / "test_taskcell.ipynb",
}
WRONG = {
    "hidden": APPS / "autotest-hidden-changed-wrong.ipynb",
    "multi": APPS / "autotest-multi-changed.ipynb",
}
SUBMITTED = {
    path.stem.removeprefix("submitted-"): path
    for folder in (PREPROCESSORS, APPS)
    for path in folder.glob("submitted-*.ipynb")
}
OWN = ("correct_squares", "squares_invalid_input", "correct_sum_of_squares")
NOSE = (*OWN, "sum_of_squares_uses_squares")
ACCEPTED = {  # what `release` would refuse, with good reason
    "hidden-tests": OWN,  # its own solution is wrong, its stub is half of it
    "zero-points": OWN[:1],  # fails, and costs nothing
    "relative-file": ("open_file",),  # there is nothing to answer
    "variable": ("cell-bfbdf1784663b6b6",),  # uses a module that a student's cell imports
    "nose": NOSE,  # a package that no Python of today has
    "taskcell": NOSE,
}
# Tests that fail by an error of their own: stock takes it for the student's and gives nothing, here
# their points wait for the teacher.
FAULTY = {(notebook, test) for notebook in ("nose", "taskcell") for test in OWN}


def _graded(folder):
    """The points of everybody, here and by stock."""
    course = Course.at(folder / "course")
    for name, path in SUITE.items():
        _put(_updated(path), course.source("suite", name))
    _put(_updated(SUBMITTED["changed"]), course.source("submitted"))
    for name in ("autotests.yml", "data.txt"):
        shutil.copy(APPS / name, course.source("suite").parent)
    accepted = [f"{name}/{test}" for name, tests in ACCEPTED.items() for test in tests]
    with runner_for_own_code() as (rooms, _):
        release(course, "suite", rooms, accepted)
        release(course, "submitted", rooms, ["foo"])  # which passes without an answer
    shutil.copytree(course.root, folder / "stock")
    for name, student, notebook, handed in _answers(course):
        for place in (folder / name, folder / "stock" / "submitted"):
            _put(handed, place / student / name / f"{notebook}.ipynb")
    for name in ("suite", "submitted"):
        words = ["grade", str(course.root), name, str(folder / name), "--jobs", "1"]
        done = CliRunner().invoke(main, words)
        assert done.exit_code in (0, 3), done.output
    _autograde(folder / "stock")
    return _points(course.root), _points(folder / "stock")


def _put(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def _updated(path):
    """As `nbgrader update` leaves it."""
    return MetadataValidator().upgrade_notebook_metadata(nbformat.read(path, as_version=4))


def _answers(course):
    """Set, student, notebook and what was handed in."""
    for name in SUITE:
        released = nbformat.read(course.released("suite", name), as_version=4)
        source = nbformat.read(course.source("suite", name), as_version=4)
        yield "suite", "untouched", name, released
        yield "suite", "solved", name, _solved(released, source)
    for name, path in WRONG.items():
        yield "suite", "wrong", name, nbformat.read(path, as_version=4)
    for student, path in SUBMITTED.items():
        handed = nbformat.v4.upgrade(nbformat.read(path, as_version=4))  # else stock refuses some
        yield "submitted", student, "submitted", handed


def _solved(released, source):
    solved = nbformat.from_dict(released)
    for cell, solution in zip(solved.cells, source.cells, strict=True):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = solution.source
    return solved


class Once(Execute):
    """nbgrader's own run, a single one of all notebooks with the same code. They have one kernel,
    emptied for each; who changes IPython itself has another.
    """

    kernel = None
    outputs: ClassVar[dict] = {}

    def preprocess(self, nb, resources, retries=None):
        code = [cell for cell in nb.cells if cell.cell_type == "code"]
        key = json.dumps([cell.source for cell in code])
        if key not in self.outputs:
            self.outputs[key] = self._ran(nb, resources)
        for cell, outputs in zip(code, self.outputs[key], strict=True):
            cell.outputs = outputs
        return nb, resources

    def _ran(self, nb, resources):
        alone = any("interactiveshell" in cell.source for cell in nb.cells)
        kernel = AsyncKernelManager() if alone else self.kernel
        emptied = f"%reset -f\n%cd -q {resources['metadata']['path']}"
        cells = [nbformat.v4.new_code_cell(emptied), *nb.cells]
        ran = nbformat.v4.new_notebook(cells=cells, metadata=nb.metadata)
        ExecutePreprocessor.preprocess(self, ran, resources, kernel)
        if alone:
            run_sync(kernel.shutdown_kernel)(now=True)
        return [cell.outputs for cell in ran.cells[1:] if cell.cell_type == "code"]


def _autograde(root):
    """By stock nbgrader in its own configuration."""
    config = Config()
    stock = Autograde.autograde_preprocessors.default()
    config.Autograde.autograde_preprocessors = [Once, *stock[1:]]
    Once.kernel = AsyncKernelManager()
    with alembic_in_process():
        for name in ("suite", "submitted"):
            folder = CourseDirectory(config=config, root=str(root), assignment_id=name)
            Autograde(coursedir=folder, config=config, create_student=True).start()
    run_sync(Once.kernel.shutdown_kernel)(now=True)


def _points(root):
    """(student, notebook, cell) -> points, None where a human is to give them."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        return {
            (submission.student.id, notebook.name, grade.name): (
                None if grade.needs_manual_grade else grade.auto_score
            )
            for name in ("suite", "submitted")
            for submission in book.assignment_submissions(name)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    return once(tmp_path_factory, "nbgrader's own notebooks", _graded)


def _of(points, student, notebook):
    return [{k[2]: n for k, n in one.items() if k[:2] == (student, notebook)} for one in points]


@pytest.mark.parametrize("student", ["solved", "untouched"])
@pytest.mark.parametrize("notebook", SUITE)
def test_stocks_points_are_given_cell_by_cell(points, notebook, student):
    here, stock = _of(points, student, notebook)
    faulty = {cell for name, cell in FAULTY if name == notebook}
    assert here == {cell: None if cell in faulty else stock[cell] for cell in stock}
    assert {stock[cell] for cell in faulty} <= {0}
    assert len(stock) >= len(ACCEPTED.get(notebook, "1"))


def test_a_solution_gets_points_and_a_stub_gets_none(points):
    """Else nothing would have run, here and there alike."""
    for notebook in ("test", "with-output", "v0", "v1", "v2", "hashed", "hidden", "multi"):
        solved, untouched = (_of(points, s, notebook)[0] for s in ("solved", "untouched"))
        assert sum(filter(None, solved.values())) == {"hashed": 1, "hidden": 1, "multi": 4}.get(
            notebook, 3
        )
        assert set(untouched.values()) <= {0}


@pytest.mark.parametrize("notebook", WRONG)
def test_a_wrong_answer_loses_what_it_loses_in_stock(points, notebook):
    here, stock = _of(points, "wrong", notebook)
    assert here == stock
    assert 0 in here.values()


@pytest.mark.parametrize("student", SUBMITTED)
def test_what_was_handed_in_with_other_cells_gets_stocks_points(points, student):
    """Tests and locked cells that were changed are nbgrader's own again before anything runs; so
    are the kinds of cells. Two students make IPython hide errors.
    """
    here, stock = _of(points, student, "submitted")
    assert here == stock
    by_tests = {"foo": 1, "bar": 1 if student == "changed" else 0}
    assert {cell: here[cell] for cell in by_tests} == by_tests


REFUSED = {
    "apps/files/test-v0": "older nbgrader (schema 0",
    "apps/files/test-v0-invalid": "older nbgrader (schema 0",
    "apps/files/test-v1": "older nbgrader (schema 1",
    "apps/files/test-v2": "older nbgrader (schema 2",
    "apps/files/too-new": "newer nbgrader (schema 10",
    "preprocessors/files/bad-markdown-cell-1": "'foo' is not marked as a solution cell",
    "preprocessors/files/bad-markdown-cell-2": "does not have a grade_id",
    "preprocessors/files/blank-grade-id": "grade_id is empty",
    "preprocessors/files/blank-points": "'id1' does not have points",
    "preprocessors/files/duplicate-grade-ids": "Duplicate grade id: id1",
    "ui-tests/files/old-schema": "older nbgrader (schema 0",
}


@pytest.mark.parametrize("file", REFUSED)
def test_what_stock_refuses_is_refused_before_it_runs_and_says_why(tmp_path, file):
    course, name = Course.at(tmp_path), Path(file).name
    course.source(name).parent.mkdir(parents=True)
    shutil.copy(FILES / f"{file}.ipynb", course.source(name))
    with pytest.raises(CourseError, match="nbgrader could not release"):
        release(course, name)
    room = TrustedRunner()
    with pytest.raises(CourseError) as error:
        release(course, name, room)
    assert f"{course.source(name)} has cell metadata" in str(error.value)
    assert REFUSED[file] in str(error.value)
    assert room.runs == 0
    assert not course.released(name).exists()
