"""A released problem set: its cells as the teacher wrote them, their roles and points.

It has one notebook or several. Of several each is graded by itself, as a part; in the whole a cell
is called NOTEBOOK/CELL, since nbgrader lets two notebooks have cells of one name.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.classroom import materials
from autograder.classroom.folders import Course, CourseError, check_name, command, meant
from autograder.classroom.marks import Marks
from autograder.classroom.roles import COULD_BE_FORGED, role_of
from autograder.wire.contract import Role
from autograder.wire.files import File


@dataclass(frozen=True)
class SourceCell:
    """One cell of the problem set. `source` has the hidden tests, `released` what students saw."""

    marks: Marks  # without a name for a cell that nbgrader doesn't follow
    cell_type: str
    source: str
    released: str
    cell_id: str
    metadata: dict
    notebook: str = ""  # whose it is, as a cell of a set that has several

    @property
    def name(self) -> str:
        return qualified(self.notebook, self.marks.grade_id)

    @property
    def graded(self) -> bool:
        return self.marks.grade

    @property
    def solution(self) -> bool:
        return self.marks.solution

    @property
    def owned(self) -> bool:
        return self.marks.owned

    @property
    def test(self) -> bool:
        return self.marks.test and self.cell_type == "code"

    @property
    def points(self) -> float:
        """What the cell is worth; tasks count as nbgrader counts them."""
        return self.marks.points if self.marks.grade or self.marks.task else 0.0

    @property
    def role(self) -> Role:
        return role_of(self.marks, self.source, self.released)

    @property
    def forgeable(self) -> bool:
        """Whether it is a test that runs in the student's room."""
        return self.test and self.role is Role.FORGEABLE


@dataclass(frozen=True)
class Exercise:
    """The solution cells that belong together, and the graded cells that examine them."""

    name: str
    title: str
    solutions: tuple[str, ...]
    graded: tuple[str, ...]


def qualified(notebook: str, cell: str) -> str:
    """What a cell is called in the set; `notebook` is empty where the set has only one."""
    return f"{notebook}/{cell}" if notebook and cell else cell


@dataclass(frozen=True)
class Assignment:
    """A problem set as it was released, or one notebook of several that it has."""

    name: str
    cells: tuple[SourceCell, ...]
    metadata: dict
    digest: str
    files: tuple[File, ...] = ()  # that lie beside the notebook
    defined: frozenset[str] | None = None  # names, by its own solution; None where that is unknown
    solution: dict[str, str] | None = None  # its own, by cell; None where that is unknown
    notebook: str = ""  # the name of the one that it has
    several: tuple[Assignment, ...] = ()

    @property
    def parts(self) -> tuple[Assignment, ...]:
        """One for each notebook."""
        return self.several or (self,)

    @property
    def notebooks(self) -> tuple[str, ...]:
        """What they are called, in their order."""
        return tuple(part.notebook or part.name for part in self.parts)

    @cached_property
    def followed(self) -> dict[str, SourceCell]:
        """The cells with a grade_id, in the order of the source."""
        return {cell.name: cell for cell in self.cells if cell.name}

    @cached_property
    def scored(self) -> tuple[SourceCell, ...]:
        return tuple(cell for cell in self.followed.values() if cell.points or cell.graded)

    def may_define(self, name: str) -> bool:
        """Whether a notebook that is answered right may have to define the name."""
        return self.defined is None or name in self.defined

    @property
    def max_points(self) -> float:
        return sum(cell.points for cell in self.scored)

    @property
    def forgeable_note(self) -> str:
        """What to know of the points that could be forged, "" where there are none."""
        found = [cell for cell in self.scored if cell.forgeable]
        if not found:
            return ""
        points, names = sum(cell.points for cell in found), ", ".join(cell.name for cell in found)
        most = f"up to {points:g} of {self.max_points:g} points {COULD_BE_FORGED}"
        return f"{most}, since these tests ran in the student's room: {names}"

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        by_notebook = itertools.groupby(self.cells, key=lambda cell: cell.notebook)
        return tuple(
            replace(found, title=f"{notebook}: {found.title}") if notebook else found
            for notebook, cells in by_notebook
            for found in _exercises(tuple(cells))
        )

    @cached_property
    def exercise_of(self) -> dict[str, Exercise]:
        """The exercise that each scored cell belongs to."""
        return {name: exercise for exercise in self.exercises for name in exercise.graded}


def load(course: Course, name: str) -> Assignment:
    """Return the problem set as `release` kept it; raise CourseError where that is out of date."""
    assignment, source = _kept(course, name)
    if course.notebooks(name) and source_digest(course, name) != source:
        one = course.source(name, assignment.notebooks[0])
        place = one.parent if assignment.several else one
        release = command("release", course.root, name)
        raise CourseError(f"{place} has changed since it was released; run: {release}")
    return assignment


def released(course: Course, name: str) -> Assignment:
    """The problem set as `release` kept it, whatever became of its source since."""
    return _kept(course, name)[0]


def _kept(course: Course, name: str) -> tuple[Assignment, str]:
    """The problem set, and the digest of the source that it was made from."""
    check_name(name)
    path = course.master(name)
    release = f"run: {command('release', course.root, name)}"
    if not path.exists():
        raise CourseError(not_released(course, name))
    try:
        kept = dict(json.loads(path.read_text(encoding="utf-8")))
        files = materials.kept(course, kept.get("files", {}))
        parts = [_part(name, notebook, files) for notebook in kept["notebooks"]]
        return together(name, parts, files), str(kept["source"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path} is damaged ({error!r}); {release}") from error


def not_released(course: Course, name: str) -> str:
    """What to say of a set that isn't there: how to release it, or what it may be called."""
    said = f"problem set {name!r} has not been released in {course.root}"
    if name in course.sets or course.notebooks(name) or not course.sets:
        return f"{said}; run: {command('release', course.root, name)}"
    return f"{said}; it has: {', '.join(course.sets)}{meant(name, course.sets)}"


def _part(name: str, kept: dict, files: tuple[File, ...]) -> Assignment:
    """One notebook as `release` kept it."""
    part = from_notebooks(name, kept["master"], kept["released"], files, kept["name"])
    defined, solution = kept["defined"], kept.get("solution")  # earlier releases have no solution
    return replace(
        part,
        defined=None if defined is None else frozenset(defined),
        solution=None if solution is None else dict(solution),
    )


def together(name: str, parts: Sequence[Assignment], files: tuple[File, ...] = ()) -> Assignment:
    """The problem set that has these notebooks; raises ValueError where there is none."""
    if not parts:
        raise ValueError("there is no notebook")
    if len(parts) == 1:
        return parts[0]
    cells = tuple(replace(cell, notebook=p.notebook) for p in parts for cell in p.cells)
    listed = json.dumps([[part.notebook, part.digest] for part in parts])
    digest = hashlib.sha256(listed.encode()).hexdigest()
    return Assignment(name, cells, {}, digest, files, several=tuple(parts))


def source_digest(course: Course, name: str) -> str:
    """Changes with any notebook of the set, and with any file beside them."""
    total = hashlib.sha256()
    names = course.notebooks(name)
    for notebook in names:
        total.update(course.source(name, notebook).read_bytes())
    total.update(materials.together(materials.beside(course, name)).encode())
    if names != (name,):
        total.update(json.dumps(names).encode())
    return total.hexdigest()


def from_notebooks(
    name: str, master: dict, released: dict, files: tuple[File, ...] = (), notebook: str = ""
) -> Assignment:
    """Pair the cells of the master (hidden tests, no solutions) with those that students saw.

    Raises ValueError where their numbers differ.
    """
    if len(master["cells"]) != len(released["cells"]):
        raise ValueError("the master and the released notebook have different numbers of cells")
    pairs = zip(master["cells"], released["cells"], strict=True)
    cells = tuple(_source_cell(cell, seen) for cell, seen in pairs)
    text = json.dumps(master, sort_keys=True) + materials.together(files)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    metadata = master.get("metadata", {})
    return Assignment(name, cells, metadata, digest, files, notebook=notebook or name)


def _source_cell(cell: dict, seen: dict) -> SourceCell:
    marks = Marks.of(cell)
    return SourceCell(
        marks=marks if marks.followed else Marks(),
        cell_type=cell["cell_type"],
        source=text_of(cell["source"]),
        released=text_of(seen["source"]),
        cell_id=cell.get("id", ""),
        metadata=cell["metadata"],
    )


def text_of(source: str | list[str]) -> str:
    """A cell's text, which a notebook file may hold as one string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def _exercises(cells: tuple[SourceCell, ...]):
    """An exercise begins at the first solution cell after a graded one (or at the start)."""
    heading = title = ""
    solutions: list[str] = []
    graded: list[str] = []
    for cell in cells:
        if cell.cell_type == "markdown" and not cell.solution and HEADING.search(cell.source):
            heading = HEADING.findall(cell.source)[-1]
        if cell.solution and graded and solutions:
            yield _exercise(title, solutions, graded)
            solutions, graded = [], []
        if cell.solution:
            title = title if solutions else heading
            solutions.append(cell.name)
        if cell.name and (cell.graded or cell.points):
            graded.append(cell.name)
    if graded:
        yield _exercise(title, solutions, graded)


def _exercise(title: str, solutions: list[str], graded: list[str]) -> Exercise:
    name = (solutions or graded)[0]
    title = re.sub(r"\s*\([\d.]+ points?\)$", "", title)
    return Exercise(name, title or name, tuple(solutions), tuple(graded))
