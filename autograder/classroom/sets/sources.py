"""Read a problem set's source notebooks as nbgrader does, before any of their code is run.

nbgrader adds the header and footer that the course's configuration names, and writes the tests that
a line `### AUTOTEST` asks for. Tests also get imports of plain cells: see `plain_imports`. All
this is repeated at the release, so nothing is saved here.
"""

from __future__ import annotations

import contextlib
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.sets.assignment import text_of

_FAILED = "nbgrader can't make its tests"


def read(course: Course, path: Path) -> dict[str, Any]:
    """Return the notebook at `path`; raise CourseError if it isn't one, or nbgrader refuses it."""
    from nbclient.exceptions import CellExecutionError
    from nbformat import from_dict
    from nbgrader.preprocessors import IncludeHeaderFooter, InstantiateTests

    from autograder.classroom.sets import plain_imports  # it needs numpy and IPython

    notebook = from_dict(_parse(path))
    _check_cell_metadata(path, notebook)
    resources: dict = {"metadata": {"path": str(path.parent)}}
    try:
        with in_its_folder(course):
            for step in (IncludeHeaderFooter, InstantiateTests):
                notebook, _ = step(config=course.config).preprocess(notebook, resources)
    except CellExecutionError as error:  # nbgrader runs all cells to get the right values
        raise CourseError(f"{path}: {_FAILED}: {error.ename}: {error.evalue}") from error
    except Exception as error:
        reason = str(error) or "AUTOTEST is in a cell that is no test"  # nbgrader only logs it
        raise CourseError(f"{path}: {_FAILED}: {reason}") from error
    plain_imports.add_imports(notebook["cells"])
    return notebook


@contextlib.contextmanager
def in_its_folder(course: Course) -> Iterator[None]:
    """Change to the course folder, where nbgrader looks for named files and `autotests.yml`."""
    with contextlib.chdir(course.root):
        yield


def _parse(path: Path) -> dict:
    """Return the notebook with each text as one string, as nbgrader has it."""
    try:
        notebook = dict(json.loads(path.read_text(encoding="utf-8")))
        cells = [cell | {"source": text_of(cell["source"])} for cell in notebook["cells"]]
        _ = [(cell["cell_type"], dict(cell["metadata"])) for cell in cells]
    except (ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{path} is no notebook: {error!r}") from error
    return {"metadata": {}} | notebook | {"cells": cells}


def _check_cell_metadata(path: Path, notebook: Any) -> None:
    """Raise CourseError for cell metadata that nbgrader would refuse only after the trial run."""
    from nbgrader.nbgraderformat import MetadataValidator, SchemaTooNewError, SchemaTooOldError
    from nbgrader.nbgraderformat import ValidationError as Refused

    try:
        MetadataValidator().validate_nb(notebook)
    except SchemaTooOldError as error:
        raise CourseError(
            f"{path} has cell metadata of an older nbgrader (schema {error.actual_version}, "
            f"not {error.expected_version}): keep a copy, and run: nbgrader update "
            f"{shlex.quote(str(path.parent))}"
        ) from error
    except SchemaTooNewError as error:
        raise CourseError(
            f"{path} has cell metadata of a newer nbgrader (schema {error.actual_version}, "
            f"not {error.expected_version}): install that version here"
        ) from error
    except Refused as error:
        raise CourseError(
            f"{path} has cell metadata that nbgrader refuses: {error.message}"
        ) from error
