"""Release a problem set: nbgrader makes the students' version, we keep the data for grading."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import logging
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.course.cell_metadata import CELLS, HIDDEN, CellMetadata, followed_in
from autograder.classroom.course.file_rights import keep_rights_of_links
from autograder.classroom.course.folders import Course, CourseError, check_name, write_atomically
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.classroom.course.versions import NOTED, installed
from autograder.classroom.gradebook.connection import check_cells, prepare_gradebook
from autograder.classroom.releasing import move_tests, release_each
from autograder.classroom.releasing.reference_run import (
    defined_names,
    solution_of,
    tests_of,
)
from autograder.classroom.releasing.trial import try_out
from autograder.classroom.sets import assignment as problem_sets
from autograder.classroom.sets import (
    materials,
    plain_imports,
    set_variants,
    shipped_sets,
    sources,
    student_variants,
)
from autograder.wire.contract import NotebookRunner
from autograder.wire.files import File

_HERE = Path(__file__).resolve().parents[2]


def prepare(course: Course) -> None:
    """Make the course folder's fixed parts; existing files stay as they are.

    Raises CourseError for a path that nbgrader would misread.
    """
    course.check_path()
    course.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will hold a class's grades
    if not course.config_file.exists():
        config_text = (_HERE / "nbgrader_config.py").read_text(encoding="utf-8")
        write_atomically(course.config_file, config_text)
    course.secret()


def release(
    course: Course,
    name: str,
    runner: NotebookRunner | None = None,
    accepted: Sequence[str] = (),
    tell: Callable[[list[str]], object] = list,
) -> problem_sets.Assignment:
    """Write COURSE/release/NAME and the gradebook's cells; return the problem set.

    The `runner`, if any, first tries each notebook with the source's own solution and unanswered,
    as `trial.try_out` describes. `tell` gets its notes. Raises CourseError if that fails,
    if the source is missing, or if nbgrader refuses it. A second call updates the release.

    If `vary --each` varied the set, each student of the class list also gets a variant, as
    `release_each` describes.
    """
    check_name(name)
    prepare(course)
    shipped_sets.copy_to(course, name)
    notebooks = _notebooks(course, name)
    set_variants.check_replaced(course, name)
    files = materials.find_files(course, name)
    _refuse_solutions(course.root / "source" / name, files)
    each = release_each.find(course, name)
    moves: dict[str, Collection[str]] = {}
    if runner is not None:
        accepted_tests = _split_accepted(course, name, notebooks, accepted)
        moves = _try_notebooks(course, name, files, runner, accepted_tests, tell)
        if each is not None:
            moves = release_each.try_variants(each, files, runner, accepted_tests, moves, tell)
    prepare_gradebook(course)
    check_cells(course, name, notebooks)
    pairs = _generate(course, name, materials.digests(files), moves)
    record: dict[str, Any] = {
        "source": problem_sets.source_digest(course, name),
        "notebooks": [_record(course, name, notebook, *pairs[notebook]) for notebook in notebooks],
        "files": materials.keep(course, files),
    }
    if each is not None:
        templates = _run_steps(course, name, each.templates, moves)
        record["each"] = release_each.describe(each, record["notebooks"], templates)
    parts = [
        problem_sets.from_notebooks(name, *pairs[notebook], files, notebook)
        for notebook in notebooks
    ]
    assignment = problem_sets.with_variants(
        problem_sets.together(name, parts, files),
        student_variants.load(course, name, record.get("each")),
    )
    if not assignment.scored:
        path = course.source(name, notebooks[0])
        path = path.parent if assignment.notebook_parts else path
        raise CourseError(f"{path}: no cell has points, so nothing can be graded")
    write_atomically(course.master(name), json.dumps(record), mode=0o600)
    if each is not None:
        release_each.write(each, assignment)
    else:
        release_each.remove(course, name)
    return assignment


def _try_notebooks(
    course: Course,
    name: str,
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Mapping[str, Sequence[str]],
    tell: Callable[[list[str]], object],
) -> dict[str, Collection[str]]:
    """Try the source of each notebook; return the tests to move."""
    moves: dict[str, Collection[str]] = {}
    for notebook, names in accepted.items():
        trial = try_out(course, course.source(name, notebook), files, runner, names)
        tell(trial.notes)
        moves[notebook] = trial.moves
    return moves


def _refuse_solutions(folder: Path, files: Iterable[File]) -> None:
    """Refuse files with solutions or hidden tests, for example an editor's copy of a source."""
    for file in files:
        if b"### BEGIN SOLUTION" in file.content or HIDDEN in file.content:
            raise CourseError(
                f"{folder / file.name} has solutions or hidden tests in it, and would go to "
                "students as it is; move it elsewhere"
            )


def _record(course: Course, name: str, notebook: str, master: dict, released: dict) -> dict:
    source = course.source(name, notebook)
    record = {"name": notebook, "master": master, "released": released}
    return record | {"defined": defined_names(source), "solution": solution_of(source)}


_NOTEBOOK = re.compile(r"\w(?:[\w .,()&+'-]{0,98}[\w)'+-])?")


def _notebooks(course: Course, name: str) -> tuple[str, ...]:
    """Return the set's notebooks; raise CourseError for a name that some system can't have."""
    names = course.notebooks(name)
    for notebook in names:
        path = course.source(name, notebook)
        if not _NOTEBOOK.fullmatch(notebook):
            raise CourseError(
                f"{path}: a notebook's name has letters, digits, spaces and '-_.,()&+' in it, at "
                "most 100, and begins with a letter or digit"
            )
        if not path.is_file():
            raise CourseError(f"{path} is no file that could be released")
    folded_names = [unicodedata.normalize("NFC", notebook).casefold() for notebook in names]
    for i, j in itertools.combinations(range(len(names)), 2):
        if folded_names[i] == folded_names[j]:
            raise CourseError(
                f"{course.source(name, names[i]).parent}: {names[i]!r} and {names[j]!r} "
                "differ by letter case alone, which not every system keeps apart; rename one"
            )
    return names


def _split_accepted(
    course: Course, name: str, notebooks: Sequence[str], accepted: Sequence[str]
) -> dict[str, list[str]]:
    """Return the accepted tests of each notebook; a name may begin with the notebook's."""
    if len(notebooks) == 1:
        return {notebooks[0]: list(accepted)}
    tests_by_notebook, unknown_tests = {}, set(accepted)
    for notebook in notebooks:
        tests = tests_of(course.source(name, notebook))
        names = {test: test for test in tests} | {f"{notebook}/{test}": test for test in tests}
        tests_by_notebook[notebook] = [names[test] for test in accepted if test in names]
        unknown_tests -= set(names)
    if unknown_tests:
        folder = course.root / "source" / name
        raise CourseError(
            f"{folder} has no test {min(unknown_tests)!r} that could be accepted as it is"
        )
    return tests_by_notebook


def _generate(
    course: Course, name: str, files: dict[str, str], moves: Mapping[str, Collection[str]]
) -> dict[str, tuple[dict, dict]]:
    """Run nbgrader's generate_assignment; return each notebook with and without hidden tests."""
    masters: dict[str, dict] = {}
    keep_rights_of_links()
    converter = _make_converter(course, name, files, moves, masters)
    with _collect_messages(converter, name), alembic_in_process(), sources.in_its_folder(course):
        converter.start()
    return {
        notebook: (json.loads(json.dumps(master)), _read(course.released(name, notebook)))
        for notebook, master in masters.items()
    }


def _run_steps(
    course: Course,
    name: str,
    notebooks: Mapping[str, dict],
    moves: Mapping[str, Collection[str]],
) -> dict[str, tuple[dict, dict]]:
    """Run nbgrader's steps on notebooks that it need not know, and write nothing.

    Return each notebook with and without hidden tests.
    """
    from nbformat import from_dict
    from nbgrader.preprocessors import InstantiateTests, SaveCells

    masters: dict[str, dict] = {}
    converter = _make_converter(course, name, {}, moves, masters)
    steps = [
        step(parent=converter)
        for step in converter.preprocessors
        if not issubclass(step, (InstantiateTests, SaveCells))
    ]
    pairs = {}
    with _collect_messages(converter, name), sources.in_its_folder(course):
        for notebook, cells in notebooks.items():
            released, place = from_dict(cells), {"notebook": notebook, "assignment": name}
            resources = {"nbgrader": place, "metadata": {}}
            for step in steps:
                released, resources = step.preprocess(released, resources)
            pairs[notebook] = (masters[notebook], released)
    return pairs


def _make_converter(
    course: Course,
    name: str,
    files: dict[str, str],
    moves: Mapping[str, Collection[str]],
    masters: dict[str, dict],
) -> Any:
    """Return nbgrader's converter with our own steps.

    It puts each notebook with its hidden tests into `masters`. The tests in `moves`, by notebook,
    get the first line that lets them run in the student's process.
    """
    from nbgrader.converters.generate_assignment import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor, SaveCells

    class KeepMaster(NbGraderPreprocessor):
        def preprocess(self, notebook: Any, resources: Any) -> tuple:
            masters[resources["nbgrader"]["notebook"]] = copy.deepcopy(notebook)
            notebook.metadata[NOTED] = installed()
            notebook.metadata[CELLS] = followed_in(notebook)
            if files:
                notebook.metadata[materials.NOTED] = files
            return notebook, resources

    class MoveTests(NbGraderPreprocessor):
        def preprocess(self, notebook: Any, resources: Any) -> tuple:
            names = moves.get(resources["nbgrader"]["notebook"], ())
            for cell in notebook.cells:
                if CellMetadata.of(cell).grade_id in names:
                    cell.source = move_tests.add_line(cell)["source"]
            return notebook, resources

    class AddImports(NbGraderPreprocessor):
        def preprocess(self, notebook: Any, resources: Any) -> tuple:
            plain_imports.add_imports(notebook.cells)
            return notebook, resources

    config = copy.deepcopy(course.config)
    folder = CourseDirectory(config=config, root=str(course.root), assignment_id=name)
    folder.db_url = course.database
    folder.ignore = [*folder.ignore, ".*"]  # the files of editors and systems
    converter = GenerateAssignment(coursedir=folder, config=config, force=True)
    steps = [MoveTests, *converter.preprocessors]
    clear_place = next(i for i, step in enumerate(steps) if issubclass(step, ClearSolutions))
    steps.insert(clear_place, AddImports)
    save_place = next(i for i, step in enumerate(steps) if issubclass(step, SaveCells))
    converter.preprocessors = [*steps[: save_place + 1], KeepMaster, *steps[save_place + 1 :]]
    return converter


def _read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


class _LogCollector(logging.Handler):
    """A handler that keeps the logged messages."""

    def __init__(self, messages: list[str], level: int) -> None:
        super().__init__(level)
        self._messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(record.getMessage())


@contextlib.contextmanager
def _collect_messages(converter: Any, name: str) -> Iterator[None]:
    """Turn nbgrader's logged messages and errors into one CourseError."""
    from nbgrader.converters.base import NbGraderException

    lines: list[str] = []
    handler = _LogCollector(lines, logging.ERROR)
    log = logging.getLogger(f"autograder.classroom.releasing.release.{name}")
    log.propagate = False
    log.setLevel(logging.ERROR)
    log.addHandler(handler)
    converter.log = log
    try:
        yield
    except (NbGraderException, SystemExit, Exception) as error:
        reason = next((line for line in lines if "Traceback" not in line), "") or str(error)
        traceback_end = next(
            (line.strip().splitlines()[-1] for line in lines if "Traceback" in line), ""
        )
        raise CourseError(
            f"nbgrader could not release {name!r}: {traceback_end or reason}"
        ) from error
    finally:
        log.removeHandler(handler)
