"""Read a student's notebook that serves as its own problem set, to check it before handing in.

Its cell metadata say which cells are tests, which are locked and what they are worth. Grading never
reads these metadata, so a student who changes them misleads nobody else.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course import versions
from autograder.classroom.course.cell_metadata import CELLS, HIDDEN, CellMetadata
from autograder.classroom.course.folders import CourseError
from autograder.classroom.grading import read_notebook
from autograder.classroom.grading.read_notebook import Note, PlainCell
from autograder.classroom.sets import materials, nbgrader_rules
from autograder.classroom.sets.assignment import HEADING, Assignment, from_notebooks
from autograder.wire.files import File

_MAX_NAMES = 5  # names of missing cells in one note


@dataclass(frozen=True)
class Draft:
    """A notebook, the problem set that it contains, and notes on its oddities."""

    data: bytes
    assignment: Assignment
    notes: tuple[Note, ...]


class NoTests(CourseError):
    """A notebook without tests, and without a sign that it was released with some."""


def load(path: Path) -> Draft:
    """Read a notebook; raise CourseError if it isn't one, or has no tests."""
    data = _read_bytes(path)
    reading = read_notebook.read(data)
    if not reading.readable:
        raise CourseError(f"{path} can't be checked. {reading.notes[-1].message}")
    metadata = _parse(data).get("metadata")
    metadata_of, names = _cell_metadata(data), _read_released_names(metadata)
    set_files = tuple(materials.found_with(path, metadata))
    files = tuple(file for _, file, _ in set_files if file is not None)
    assignment = _problem_set(path.stem, reading.cells, metadata_of, names, files)
    if not any(cell.test or cell.graded for cell in assignment.followed_cells.values()):
        error_class = CourseError if names else NoTests
        raise error_class(
            f"{path} has no tests in it. If it is a problem set, an editor has removed the "
            "metadata that nbgrader puts on its cells; get it again and copy your answers into it"
        )
    followed_names = [name for name, entry in metadata_of.items() if entry.is_followed]
    notes = (
        *_note_source(data), *_note_versions(metadata),
        *_note_missing_cells(names, followed_names),
        *_note_changed_cells(assignment), *_note_files(set_files),
    )  # fmt: skip
    return Draft(data, assignment, notes)


def load_folder(folder: Path) -> tuple[dict[Path, Draft], tuple[Path, ...]]:
    """Return the notebooks of a problem set that has several, and the student's other notebooks.

    Raises CourseError if no notebook belongs to a problem set.
    """
    drafts: dict[Path, Draft] = {}
    others = []
    for path in sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith(".")):
        try:
            drafts[path] = load(path)
        except NoTests:
            others.append(path)
    if not drafts:
        problem = "no notebook with tests" if others else "no notebook"
        raise CourseError(f"{folder} has {problem} in it; name the notebook itself")
    return drafts, tuple(others)


def _read_bytes(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"there is no notebook {path}")
    if not path.is_file():
        raise CourseError(f"{path} is no file; name the notebook itself")
    with path.open("rb") as file:
        return file.read(read_notebook.SIZE_LIMIT + 1)


def _cell_metadata(data: bytes) -> dict[str, CellMetadata]:
    """Return the metadata of each cell, by grade_id. The file must be readable."""
    by_name: dict[str, CellMetadata] = {}
    for cell in _cells(_parse(data)):
        cell_metadata = CellMetadata.of(cell) if isinstance(cell, dict) else CellMetadata()
        if cell_metadata.grade_id:
            by_name.setdefault(read_notebook.clean_text(cell_metadata.grade_id), cell_metadata)
    return by_name


def _cells(notebook: dict) -> list:
    """Return the cells, also those in the worksheets of the format before 2015."""
    if "cells" in notebook:
        return notebook["cells"]
    return [cell for sheet in notebook["worksheets"] for cell in sheet.get("cells", ())]


def _parse(data: bytes) -> dict:
    text = data.decode(json.detect_encoding(data), errors="replace")
    return json.loads(text.lstrip("\ufeff \t\r\n"))


def _note_source(data: bytes) -> Iterator[Note]:
    if HIDDEN in data:
        text = (
            "This is a teacher's source, with hidden tests. The files beside it are known only "
            "after its release; `autograder release` tries its solutions with those files."
        )
        yield Note("source", text)


def _note_versions(metadata: object) -> Iterator[Note]:
    """Yield a note if versions here differ from those on the teacher's machine."""
    recorded = metadata.get(versions.NOTED) if isinstance(metadata, dict) else None
    if not isinstance(recorded, dict):
        return
    original = {name: str(version)[:20] for name, version in recorded.items()}
    if others := versions.differences(original, versions.installed()):
        yield Note("versions", f"Grading uses other versions: {read_notebook.clean_text(others)}.")


def _problem_set(
    name: str,
    cells: tuple[PlainCell, ...],
    metadata_of: dict[str, CellMetadata],
    names: list[str],
    files: tuple[File, ...],
) -> Assignment:
    """Return the problem set of these cells. Of several copies, the first is the original.

    `names` are the names of the cells that were released.
    """
    own_cells = [_with_metadata(cell, metadata_of.get(cell.claimed)) for cell in cells]
    own_metadata = [CellMetadata.of(cell) for cell in own_cells]
    stubs = {
        cell_metadata.grade_id: cell["source"]
        for cell_metadata, cell in zip(own_metadata, own_cells, strict=True)
        if cell_metadata.solution and _is_released(cell)
    }
    grade_ids = [cell_metadata.grade_id for cell_metadata in own_metadata]
    master = [
        cell
        if grade_ids.index(cell_metadata.grade_id) == place
        else _with_metadata(cells[place], None)
        for place, (cell, cell_metadata) in enumerate(zip(own_cells, own_metadata, strict=True))
    ]
    # If no copy is as released, the stub is unknown, and any text counts as an answer.
    released = [
        cell | {"source": stubs.get(CellMetadata.of(cell).grade_id, "")}
        if CellMetadata.of(cell).solution
        else cell
        for cell in master
    ]
    for place, missing_name in reversed([*_find_missing_answers(master, names)]):
        cell = PlainCell("code", "", missing_name)
        for notebook_cells in (master, released):
            notebook_cells.insert(
                place, _with_metadata(cell, CellMetadata(missing_name, solution=True))
            )
    return from_notebooks(name, {"cells": master}, {"cells": released}, files)


def _find_missing_answers(cells: list[dict], names: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the place and name of each missing answer.

    Between the heading of an exercise and its first test, only its answer is required.
    """
    present = {CellMetadata.of(cell).grade_id for cell in cells}
    is_headed = False
    for place, cell in enumerate(cells):
        cell_metadata = CellMetadata.of(cell)
        if cell["cell_type"] == "markdown" and not cell_metadata.solution:
            is_headed |= bool(HEADING.search(cell["source"]))
        if not cell_metadata.is_followed:
            continue
        if is_headed and cell_metadata.test and cell_metadata.grade_id in names[1:]:
            answer = names[names.index(cell_metadata.grade_id) - 1]
            if answer not in present:
                yield place, answer
        is_headed = False


def _with_metadata(cell: PlainCell, cell_metadata: CellMetadata | None) -> dict:
    """Return the cell as a notebook holds it, with nbgrader's metadata if there are any."""
    metadata = {}
    if cell_metadata is not None:
        entry = dataclasses.replace(cell_metadata, grade_id=cell.claimed)
        metadata = {"nbgrader": entry.as_dict()}
    new_cell = {"cell_type": cell.cell_type, "id": cell.cell_id, "metadata": metadata}
    return new_cell | {"source": cell.source}


def _is_released(cell: dict) -> bool | None:
    """Return whether the cell is as released, or None if its metadata have no checksum."""
    checksum = CellMetadata.of(cell).checksum
    return checksum == nbgrader_rules.checksum(cell) if checksum else None


def _read_released_names(metadata: object) -> list[str]:
    """Return the names of the released cells in the notebook's metadata, or []."""
    released = metadata.get(CELLS) if isinstance(metadata, dict) else None
    names = (
        [name for name in released if isinstance(name, str)] if isinstance(released, list) else []
    )
    return [*dict.fromkeys(names)]


def _note_missing_cells(names: list[str], present: Collection[str]) -> Iterator[Note]:
    """Yield a note on cells that were released and are missing."""
    if missing := [name for name in names if name not in present]:
        names_text = read_notebook.clean_text(", ".join(map(repr, missing[:_MAX_NAMES])))
        more = f" and {len(missing) - _MAX_NAMES} more" if len(missing) > _MAX_NAMES else ""
        text = (
            f"Cells of the problem set are missing: {names_text}{more}. Get it again and copy your "
        )
        yield Note(
            "missing", text + "answers into it. Grading restores only cells that aren't answers."
        )


def _note_changed_cells(assignment: Assignment) -> Iterator[Note]:
    """Yield a note on each test and locked cell that isn't as released."""
    for origin in assignment.followed_cells.values():
        cell = {"cell_type": origin.cell_type, "source": origin.source}
        if origin.is_teachers and _is_released(cell | {"metadata": origin.metadata}) is False:
            text = f"The cell {origin.name!r} has been changed. Grading uses the original."
            if not origin.graded:
                text += " Here it ran as it is, so the points may differ: restore it first."
            yield Note("changed", text)


def _note_files(set_files: tuple[tuple[str, File | None, bool], ...]) -> Iterator[Note]:
    """Yield a note on each file of the problem set that is missing, or isn't as released."""
    for name, file, is_released in set_files:
        label = read_notebook.clean_text(name)
        if file is None:
            text = f"The file {label!r} of the problem set isn't beside the notebook. Get it again."
            yield Note("files", text)
        elif not is_released:
            yield Note("files", f"The file {label!r} has been changed. Grading uses the original.")
