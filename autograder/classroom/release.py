"""Release a problem set: nbgrader makes the students' version, we keep what grading needs."""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.classroom import assignment as problem_sets
from autograder.classroom import materials
from autograder.classroom.folders import Course, CourseError, check_name, write_atomically
from autograder.classroom.gradebook import prepare_gradebook
from autograder.classroom.quick_nbgrader import alembic_at_hand
from autograder.classroom.reference import defined_names, try_out
from autograder.classroom.versions import NOTED, installed

_HERE = Path(__file__).resolve().parents[1]
SHIPPED = (_HERE / "assignments", _HERE.parent / "assignments")  # in a wheel, in the repository


def shipped_names() -> list[str]:
    """The project's own problem sets, by name."""
    found = {path.parent.name for folder in SHIPPED for path in folder.glob("*/*.ipynb")}
    return sorted(found)


def prepare(course: Course) -> None:
    """Make the course folder's fixed parts; what is there already stays as it is."""
    course.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will hold a class's grades
    if not course.config_file.exists():
        shipped = (_HERE / "nbgrader_config.py").read_text(encoding="utf-8")
        write_atomically(course.config_file, shipped)
    course.secret()


def release(
    course: Course, name: str, rooms=None, accepted: Sequence[str] = ()
) -> problem_sets.Assignment:
    """Write COURSE/release/NAME and the gradebook's cells; return the problem set.

    Given `rooms`, it is tried there first, with the source's own solution and with none: see
    `reference.try_out`. Raises CourseError where that fails, the source is missing or nbgrader
    refuses it. Releasing again updates.
    """
    check_name(name)
    prepare(course)
    _copy_shipped(course, name)
    files = materials.beside(course, name)
    if rooms is not None:
        try_out(course, name, files, rooms, accepted)
    defined = defined_names(course.source(name))
    prepare_gradebook(course)
    master, released = _generate(course, name, materials.digests(files))
    kept = {
        "source": problem_sets.source_digest(course, name),
        "master": master,
        "released": released,
        "files": materials.keep(course, files),
        "defined": defined,
    }
    assignment = problem_sets.from_notebooks(name, master, released, files)
    if not assignment.scored:
        raise CourseError(f"{course.source(name)}: no cell has points, so nothing can be graded")
    write_atomically(course.master(name), json.dumps(kept), mode=0o600)
    return assignment


def _copy_shipped(course: Course, name: str) -> None:
    """Put the project's problem set into COURSE/source unless the teacher has one of that name."""
    target = course.source(name)
    if target.exists():
        return
    if target.parent.exists() and any(target.parent.glob("*.ipynb")):
        found = ", ".join(path.name for path in sorted(target.parent.glob("*.ipynb")))
        raise CourseError(f"{target.parent} has {found}; the notebook must be named {target.name}")
    for folder in SHIPPED:
        if (folder / name / target.name).is_file():
            shutil.copytree(
                folder / name, target.parent, ignore=shutil.ignore_patterns(".*", "__pycache__")
            )
            return
    ours = ", ".join(shipped_names()) or "none"
    raise CourseError(
        f"there is no problem set {name!r}: put yours at {target}, or name one of ours ({ours})"
    )


def _generate(course: Course, name: str, files: dict[str, str]) -> tuple[dict, dict]:
    """Run nbgrader's generate_assignment; return its notebook with and without hidden tests."""
    from nbgrader.converters.generate_assignment import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.preprocessors import NbGraderPreprocessor, SaveCells

    masters = []

    class KeepMaster(NbGraderPreprocessor):
        def preprocess(self, notebook, resources):
            masters.append(copy.deepcopy(notebook))
            notebook.metadata[NOTED] = installed()
            if files:
                notebook.metadata[materials.NOTED] = files
            return notebook, resources

    config = copy.deepcopy(course.config)
    folder = CourseDirectory(config=config, root=str(course.root), assignment_id=name)
    folder.notebook_id = name
    folder.db_url = course.database
    converter = GenerateAssignment(coursedir=folder, config=config, force=True)
    steps = list(converter.preprocessors)
    saving = next(i for i, step in enumerate(steps) if issubclass(step, SaveCells))
    converter.preprocessors = [*steps[: saving + 1], KeepMaster, *steps[saving + 1 :]]
    with _messages(converter, name), alembic_at_hand():
        converter.start()
    released = json.loads(course.released(name).read_text(encoding="utf-8"))
    return json.loads(json.dumps(masters[-1])), released


class _Listening(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, said: list[str], level: int) -> None:
        super().__init__(level)
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record.getMessage())


@contextlib.contextmanager
def _messages(converter, name: str) -> Iterator[None]:
    """Turn what nbgrader logs and raises into one CourseError that says what is wrong."""
    from nbgrader.converters.base import NbGraderException

    said: list[str] = []
    handler = _Listening(said, logging.ERROR)
    log = logging.getLogger(f"autograder.classroom.release.{name}")
    log.propagate = False
    log.setLevel(logging.ERROR)
    log.addHandler(handler)
    converter.log = log
    try:
        yield
    except (NbGraderException, SystemExit, Exception) as error:
        reason = next((line for line in said if "Traceback" not in line), "") or str(error)
        trail = next((line.strip().splitlines()[-1] for line in said if "Traceback" in line), "")
        raise CourseError(f"nbgrader could not release {name!r}: {trail or reason}") from error
    finally:
        log.removeHandler(handler)
