"""A notebook as its student has it, which serves as its own problem set.

The marks that nbgrader left in it say which cells are tests, which are locked and what they are
worth. Grading believes none of these marks: a student who changes them misleads nobody else.
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

_MAX_NAMES = 5  # of missing cells in a note


@dataclass(frozen=True)
class Draft:
    """A notebook, the problem set that it contains, and what is odd about that."""

    data: bytes
    assignment: Assignment
    notes: tuple[Note, ...]


class NoTests(CourseError):
    """Nothing in a notebook says that it was released with tests."""


def load(path: Path) -> Draft:
    """Read a notebook; raise CourseError where it isn't one, or has no tests in it."""
    data = _bytes(path)
    reading = read_notebook.read(data)
    if not reading.readable:
        raise CourseError(f"{path} can't be checked. {reading.notes[-1].message}")
    metadata = _parse(data).get("metadata")
    marks, names = _marks(data), _names_released(metadata)
    set_files = tuple(materials.found_with(path, metadata))
    files = tuple(file for _, file, _ in set_files if file is not None)
    assignment = _problem_set(path.stem, reading.cells, marks, names, files)
    if not any(cell.test or cell.graded for cell in assignment.followed_cells.values()):
        kind = CourseError if names else NoTests
        raise kind(
            f"{path} has no tests in it. If it is a problem set, an editor has removed the "
            "metadata that nbgrader puts on its cells; get it again and copy your answers into it"
        )
    notes = (
        *_as_source(data), *_other_versions(metadata),
        *_missing_cells(names, [name for name, of in marks.items() if of.is_followed]),
        *_changed_cells(assignment), *_other_files(set_files),
    )  # fmt: skip
    return Draft(data, assignment, notes)


def load_folder(folder: Path) -> tuple[dict[Path, Draft], tuple[Path, ...]]:
    """Return the notebooks of a problem set that has several, and others, the student's own.

    Raises CourseError where there is none of a set.
    """
    drafts: dict[Path, Draft] = {}
    others = []
    for path in sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith(".")):
        try:
            drafts[path] = load(path)
        except NoTests:
            others.append(path)
    if not drafts:
        has = "no notebook with tests" if others else "no notebook"
        raise CourseError(f"{folder} has {has} in it; name the notebook itself")
    return drafts, tuple(others)


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"there is no notebook {path}")
    if not path.is_file():
        raise CourseError(f"{path} is no file; name the notebook itself")
    with path.open("rb") as file:
        return file.read(read_notebook.SIZE_LIMIT + 1)


def _marks(data: bytes) -> dict[str, CellMetadata]:
    """Return what the file says about each cell, by grade_id. The file must be readable."""
    by_name: dict[str, CellMetadata] = {}
    for cell in _cells(_parse(data)):
        marks = CellMetadata.of(cell) if isinstance(cell, dict) else CellMetadata()
        if marks.grade_id:
            by_name.setdefault(read_notebook.clean_text(marks.grade_id), marks)
    return by_name


def _cells(notebook: dict) -> list:
    """Return the cells, also those in the worksheets of the format before 2015."""
    if "cells" in notebook:
        return notebook["cells"]
    return [cell for sheet in notebook["worksheets"] for cell in sheet.get("cells", ())]


def _parse(data: bytes) -> dict:
    text = data.decode(json.detect_encoding(data), errors="replace")
    return json.loads(text.lstrip("\ufeff \t\r\n"))


def _as_source(data: bytes) -> Iterator[Note]:
    if HIDDEN in data:
        text = (
            "This is a teacher's source, with hidden tests. The files beside it are known only "
            "after its release; `autograder release` tries its solutions with those files."
        )
        yield Note("source", text)


def _other_versions(metadata: object) -> Iterator[Note]:
    """Yield a note on versions that differ here from those noted on the teacher's machine."""
    noted = metadata.get(versions.NOTED) if isinstance(metadata, dict) else None
    if not isinstance(noted, dict):
        return
    there = {name: str(version)[:20] for name, version in noted.items()}
    if others := versions.differences(there, versions.installed()):
        yield Note("versions", f"Grading has other versions: {read_notebook.clean_text(others)}.")


def _problem_set(
    name: str,
    cells: tuple[PlainCell, ...],
    marks: dict[str, CellMetadata],
    names: list[str],
    files: tuple[File, ...],
) -> Assignment:
    """Return the cells with their marks. The first of several copies of a cell is the original.

    `names` are those of the cells that were released.
    """
    marked = [_mark(cell, marks.get(cell.claimed)) for cell in cells]
    cell_marks = [CellMetadata.of(cell) for cell in marked]
    stubs = {
        of.grade_id: cell["source"]
        for of, cell in zip(cell_marks, marked, strict=True)
        if of.solution and _is_released(cell)
    }
    grade_ids = [of.grade_id for of in cell_marks]
    master = [
        cell if grade_ids.index(of.grade_id) == place else _mark(cells[place], None)
        for place, (cell, of) in enumerate(zip(marked, cell_marks, strict=True))
    ]
    # Where no copy is left as released, nobody knows what the stub was: any text is an answer.
    released = [
        cell | {"source": stubs.get(CellMetadata.of(cell).grade_id, "")}
        if CellMetadata.of(cell).solution
        else cell
        for cell in master
    ]
    for place, gone in reversed([*_find_missing_answers(master, names)]):
        cell = PlainCell("code", "", gone)
        for all_of in (master, released):
            all_of.insert(place, _mark(cell, CellMetadata(gone, solution=True)))
    return from_notebooks(name, {"cells": master}, {"cells": released}, files)


def _find_missing_answers(cells: list[dict], names: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the place and name of each missing answer.

    Between the heading of an exercise and its first test, only an answer has to be there.
    """
    present = {CellMetadata.of(cell).grade_id for cell in cells}
    is_headed = False
    for place, cell in enumerate(cells):
        marks = CellMetadata.of(cell)
        if cell["cell_type"] == "markdown" and not marks.solution:
            is_headed |= bool(HEADING.search(cell["source"]))
        if not marks.is_followed:
            continue
        if is_headed and marks.test and marks.grade_id in names[1:]:
            answer = names[names.index(marks.grade_id) - 1]
            if answer not in present:
                yield place, answer
        is_headed = False


def _mark(cell: PlainCell, marks: CellMetadata | None) -> dict:
    """Return the cell as a notebook holds it, with these marks or with none."""
    own_marks = None if marks is None else dataclasses.replace(marks, grade_id=cell.claimed)
    metadata = {} if own_marks is None else {"nbgrader": own_marks.as_dict()}
    shape = {"cell_type": cell.cell_type, "id": cell.cell_id, "metadata": metadata}
    return shape | {"source": cell.source}


def _is_released(cell: dict) -> bool | None:
    """Return whether a marked cell is as released; None where nbgrader left no checksum."""
    checksum = CellMetadata.of(cell).checksum
    return checksum == nbgrader_rules.checksum(cell) if checksum else None


def _names_released(metadata: object) -> list[str]:
    """Return the names of the cells that were released, as far as the notebook notes them."""
    noted = metadata.get(CELLS) if isinstance(metadata, dict) else None
    names = [name for name in noted if isinstance(name, str)] if isinstance(noted, list) else []
    return [*dict.fromkeys(names)]


def _missing_cells(names: list[str], present: Collection[str]) -> Iterator[Note]:
    """Yield a note on cells that were released and are missing."""
    if gone := [name for name in names if name not in present]:
        some = read_notebook.clean_text(", ".join(map(repr, gone[:_MAX_NAMES])))
        more = f" and {len(gone) - _MAX_NAMES} more" if len(gone) > _MAX_NAMES else ""
        text = f"Cells of the problem set are missing: {some}{more}. Get it again and copy your "
        yield Note("missing", text + "answers into it. Grading puts back only what isn't yours.")


def _changed_cells(assignment: Assignment) -> Iterator[Note]:
    """Yield a note on each test and locked cell that isn't as released."""
    for origin in assignment.followed_cells.values():
        shape = {"cell_type": origin.cell_type, "source": origin.source}
        if origin.is_teachers and _is_released(shape | {"metadata": origin.metadata}) is False:
            text = f"The cell {origin.name!r} has been changed. Grading uses the original."
            if not origin.graded:
                text += " Here it ran as it is, and other points may come out: put it back first."
            yield Note("changed", text)


def _other_files(set_files: tuple[tuple[str, File | None, bool], ...]) -> Iterator[Note]:
    """Yield a note on each file of the problem set that is missing, or isn't as released."""
    for name, file, is_released in set_files:
        label = read_notebook.clean_text(name)
        if file is None:
            text = f"The file {label!r} of the problem set isn't beside the notebook. Get it again."
            yield Note("files", text)
        elif not is_released:
            yield Note("files", f"The file {label!r} has been changed. Grading uses the original.")
