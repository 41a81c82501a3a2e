"""nbgrader's autograding in the two processes: a preprocessor that replaces `Execute`."""

from __future__ import annotations

import atexit
import functools
import hashlib
from pathlib import Path

from nbformat import from_dict
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float

from autograder.classroom.course import extensions
from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.file_rights import keep_rights_of_links
from autograder.classroom.course.folders import Course, command
from autograder.classroom.grading.grade_notebook import seed
from autograder.classroom.releasing.reference_run import without_hidden_tests
from autograder.classroom.sets import materials
from autograder.classroom.sets.assignment import load
from autograder.classroom.sets.cell_roles import role_of
from autograder.classroom.sets.student_variants import read_choices
from autograder.examiner import verdicts
from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.redaction import make_harmless, show_as_text
from autograder.sandbox.probing import probe
from autograder.wire.files import File


class TwoRooms(NbGraderPreprocessor):
    """The preprocessor that runs a student's cells in one process and the tests in another."""

    allow_weak_sandbox = Bool(
        False, help="Grade although this machine can't shut student code in completely."
    ).tag(config=True)
    cell_seconds = Float(
        Limits.cell_seconds, help="After this time a cell is interrupted and counts as failed."
    ).tag(config=True)
    notebook_seconds = Float(
        Limits.notebook_seconds, help="After this time the rest of a notebook isn't run."
    ).tag(config=True)

    def preprocess(self, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Run the notebook and write the outputs into its cells, as `Execute` does.

        Raises `RuntimeError` if the sandbox is weaker than required.
        """
        _refuse_variants(Course.at(CourseDirectory(config=self.config).root), resources["nbgrader"])
        code_cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        cells = _with_roles(code_cells, resources["nbgrader"])
        limits = Limits(cell_seconds=self.cell_seconds, notebook_seconds=self.notebook_seconds)
        runner = _runner(limits, self.allow_weak_sandbox)
        files = self._files(resources["nbgrader"])
        run = runner.run(cells, self._seed(resources["nbgrader"]), files)
        for cell, graded_cell, cell_run in zip(code_cells, cells, run.cells, strict=True):
            outputs = verdicts.all_outputs(cell_run, graded_cell.role.is_test)
            cell.outputs = [from_dict(output) for output in outputs]
            cell.execution_count = cell_run.execution_count
        for incident in run.incidents:
            self.log.warning("%s in cell %s: %s", incident.kind, incident.cell, incident.message)
        make_harmless(notebook, CourseDirectory(config=self.config), resources["nbgrader"])
        show_as_text(self._graded_folder(resources["nbgrader"]), files)
        keep_rights_of_links()
        _enter_extension(CourseDirectory(config=self.config), resources["nbgrader"])
        return notebook, resources

    def _graded_folder(self, names: dict) -> Path:
        """Return the folder of nbgrader's copies of a submission's files."""
        folder = CourseDirectory(config=self.config)
        place = folder.autograded_directory, names["student"], names["assignment"]
        return Path(folder.format_path(*place))

    def _files(self, names: dict) -> tuple[File, ...]:
        """Return the files as released, or the present ones if only nbgrader released the set."""
        course = Course.at(CourseDirectory(config=self.config).root)
        if course.master(names["assignment"]).exists():
            return load(course, names["assignment"]).files
        return materials.find_files(course, names["assignment"])

    def _seed(self, names: dict) -> bytes:
        """Return the seed that `autograder grade` uses for the same file."""
        folder = CourseDirectory(config=self.config)
        place = folder.format_path(
            folder.submitted_directory, names["student"], names["assignment"]
        )
        submitted = Path(place, f"{names['notebook']}.ipynb")
        content = hashlib.sha256(submitted.read_bytes()).hexdigest()
        return seed(Course.at(folder.root).secret(), names["assignment"], content)


def _refuse_variants(course: Course, names: dict) -> None:
    """Raise `RuntimeError` if each student has a variant: nbgrader knows only the course's own."""
    if read_choices(course, names["assignment"]):
        raise RuntimeError(
            f"{names['assignment']} has a variant for each student, which nbgrader's command can't "
            f"grade; run: {command('grade', course.root, names['assignment'])}"
        )


def _enter_extension(folder: CourseDirectory, names: dict) -> None:
    """Record an extension granted before the submission: nbgrader computes the penalty next."""
    end_by_student = extensions.read_ends(Course.at(folder.root), names["assignment"])
    if (end := end_by_student.get(names["student"])) is None:
        return
    with Gradebook(names["db_url"]) as gradebook:
        submission = gradebook.find_submission(names["assignment"], names["student"])
        if submission.assignment.duedate is not None:
            submission.extension = extensions.extension_length(submission.assignment.duedate, end)
            gradebook.db.commit()


def _with_roles(code_cells: list[NotebookNode], names: dict) -> list[Cell]:
    """Give each cell its role.

    The text of the tests comes from the gradebook: a student may have changed the notebook.
    """
    with Gradebook(names["db_url"]) as gradebook:
        recorded = gradebook.find_notebook(names["notebook"], names["assignment"])
        solutions = {cell.name for cell in recorded.solution_cells}
        tests = {c.name: c.max_score for c in recorded.grade_cells if c.name not in solutions}
        locked_sources = {cell.name: cell.source for cell in recorded.source_cells if cell.locked}
    cells = []
    for number, cell in enumerate(code_cells, start=1):
        name = CellMetadata.of(cell).grade_id or f"cell {number}"
        source = locked_sources.pop(name, None)  # a second cell of that name is the student's own
        if source is None:
            cells.append(Cell(Role.STUDENT, cell.source, name))
        else:
            cell_metadata = CellMetadata(name, grade=name in tests, locked=True)
            released = without_hidden_tests(source)
            role = role_of(cell_metadata, source, released)
            cells.append(Cell(role, source, name, released, tests.get(name, 0.0)))
    return cells


@functools.cache
def _runner(limits: Limits, weak_allowed: bool) -> SandboxedRunner:
    """Return the runner that all notebooks of this process share."""
    sandbox = probe()
    if not sandbox.strong and not weak_allowed:
        raise RuntimeError(
            "the sandbox of this machine is weaker than grading needs:\n"
            f"{sandbox.describe()}\nInstall bubblewrap, or set "
            "c.TwoRooms.allow_weak_sandbox = True if you trust everybody who handed in."
        )
    runner = SandboxedRunner(limits, sandbox)
    atexit.register(runner.close)
    return runner
