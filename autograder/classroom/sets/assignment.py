"""A released problem set: its cells as the teacher wrote them, their roles and points.

It has one notebook or several. Each of several notebooks is graded by itself, as a part. Then a
cell's name in the set is NOTEBOOK/CELL, since nbgrader lets two notebooks have cells of one name.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError, check_name, command, meant
from autograder.classroom.sets import materials, student_variants
from autograder.classroom.sets.cell_roles import COULD_BE_FORGED, role_of
from autograder.classroom.sets.student_variants import StudentVariants
from autograder.wire.contract import Role
from autograder.wire.files import File


@dataclass(frozen=True)
class SourceCell:
    """One cell of the problem set. `source` has the hidden tests, `released` what students saw."""

    cell_metadata: CellMetadata  # empty for a cell that nbgrader doesn't follow
    cell_type: str
    source: str
    released: str
    cell_id: str
    metadata: dict
    notebook: str = ""  # the name of the cell's notebook, in a set of several notebooks

    @property
    def name(self) -> str:
        return qualified(self.notebook, self.cell_metadata.grade_id)

    @property
    def graded(self) -> bool:
        return self.cell_metadata.grade

    @property
    def solution(self) -> bool:
        return self.cell_metadata.solution

    @property
    def is_teachers(self) -> bool:
        return self.cell_metadata.is_teachers

    @property
    def test(self) -> bool:
        return self.cell_metadata.test and self.cell_type == "code"

    @property
    def points(self) -> float:
        """The points that the cell is worth. Tasks count as nbgrader counts them."""
        return (
            self.cell_metadata.points
            if self.cell_metadata.grade or self.cell_metadata.task
            else 0.0
        )

    @property
    def role(self) -> Role:
        return role_of(self.cell_metadata, self.source, self.released)

    @property
    def forgeable(self) -> bool:
        """True for a test that runs in the student process."""
        return self.test and self.role is Role.FORGEABLE


@dataclass(frozen=True)
class Exercise:
    """The solution cells that belong together, and the graded cells that examine them."""

    name: str
    title: str
    solutions: tuple[str, ...]
    graded: tuple[str, ...]


def qualified(notebook: str, cell: str) -> str:
    """Return a cell's name in the set; `notebook` is empty if the set has only one."""
    return f"{notebook}/{cell}" if notebook and cell else cell


@dataclass(frozen=True)
class Assignment:
    """A problem set as it was released, or one notebook of several that it has."""

    name: str
    cells: tuple[SourceCell, ...]
    metadata: dict
    digest: str
    files: tuple[File, ...] = ()  # the files beside the notebook
    defined_names: frozenset[str] | None = None  # by its own solution; None if unknown
    solution: dict[str, str] | None = None  # its own solution, by cell; None if unknown
    notebook: str = ""  # the name of its notebook, if it has only one
    notebook_parts: tuple[Assignment, ...] = ()
    variants: StudentVariants | None = None  # if each student gets a variant
    set_digest: str = ""  # of a student's variant: the digest of the set

    @property
    def release(self) -> str:
        """The digest of the released set; that of all students' variants is the same."""
        return self.set_digest or self.digest

    def for_student(self, student: str) -> Assignment:
        """Return the variant of a student, or the set itself if all students have the same."""
        if self.variants is None:
            return self
        records = self.variants.records(self.variants.values(student))
        parts = [_part(self.name, record, self.files) for record in records]
        return replace(together(self.name, parts, self.files), set_digest=self.digest)

    @property
    def parts(self) -> tuple[Assignment, ...]:
        """The parts of the set, one for each notebook."""
        return self.notebook_parts or (self,)

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of the notebooks, in their order."""
        return tuple(part.notebook or part.name for part in self.parts)

    @cached_property
    def followed_cells(self) -> dict[str, SourceCell]:
        """The cells with a grade_id, in the order of the source."""
        return {cell.name: cell for cell in self.cells if cell.name}

    @property
    def stubs(self) -> dict[str, str]:
        """The text of each solution cell as it was released, by name."""
        return {cell.name: cell.released for cell in self.followed_cells.values() if cell.solution}

    @cached_property
    def scored(self) -> tuple[SourceCell, ...]:
        return tuple(cell for cell in self.followed_cells.values() if cell.points or cell.graded)

    def may_define(self, name: str) -> bool:
        """Return whether a correctly answered notebook may have to define the name."""
        return self.defined_names is None or name in self.defined_names

    @property
    def max_points(self) -> float:
        return sum(cell.points for cell in self.scored)

    @property
    def forgeable_note(self) -> str:
        """A sentence about the points that could be forged, or "" if there are none."""
        cells = [c for c in self.scored if c.forgeable]
        if not cells:
            return ""
        points, names = sum(c.points for c in cells), ", ".join(c.name for c in cells)
        amount = f"up to {points:g} of {self.max_points:g} points {COULD_BE_FORGED}"
        return f"{amount}, since these tests ran in the student's process: {names}"

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        by_notebook = itertools.groupby(self.cells, key=lambda cell: cell.notebook)
        return tuple(
            replace(exercise, title=f"{notebook}: {exercise.title}") if notebook else exercise
            for notebook, cells in by_notebook
            for exercise in _exercises(tuple(cells))
        )

    @cached_property
    def exercise_of(self) -> dict[str, Exercise]:
        """The exercise that each scored cell belongs to."""
        return {name: exercise for exercise in self.exercises for name in exercise.graded}


def load(course: Course, name: str) -> Assignment:
    """Return the problem set as `release` saved it; raise CourseError if its source has changed."""
    assignment, source = _load_with_digest(course, name)
    if course.notebooks(name) and source_digest(course, name) != source:
        path = course.source(name, assignment.notebooks[0])
        changed_path = path.parent if assignment.notebook_parts else path
        release = command("release", course.root, name)
        raise CourseError(f"{changed_path} has changed since it was released; run: {release}")
    return assignment


def released(course: Course, name: str) -> Assignment:
    """Return the problem set as `release` saved it, even if its source has changed since."""
    return _load_with_digest(course, name)[0]


def _load_with_digest(course: Course, name: str) -> tuple[Assignment, str]:
    """Return the problem set, and the digest of the source that it was made from."""
    check_name(name)
    path = course.master(name)
    release = f"run: {command('release', course.root, name)}"
    if not path.exists():
        raise CourseError(not_released(course, name))
    try:
        record = dict(json.loads(path.read_text(encoding="utf-8")))
        files = materials.load(course, record.get("files", {}))
        parts = [_part(name, notebook, files) for notebook in record["notebooks"]]
        variants = student_variants.load(course, name, record.get("each"))
        return with_variants(together(name, parts, files), variants), str(record["source"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path} is damaged ({error!r}); {release}") from error


def not_released(course: Course, name: str) -> str:
    """Return a message about a missing set: how to release it, or which name may be meant."""
    problem = f"problem set {name!r} has not been released in {course.root}"
    if name in course.sets or course.notebooks(name) or not course.sets:
        return f"{problem}; run: {command('release', course.root, name)}"
    return f"{problem}; it has: {', '.join(course.sets)}{meant(name, course.sets)}"


def _part(name: str, record: dict, files: tuple[File, ...]) -> Assignment:
    """Return one notebook as `release` saved it; old releases may have no solution."""
    part = from_notebooks(name, record["master"], record["released"], files, record["name"])
    defined_names, solution = record["defined"], record.get("solution")
    return replace(
        part,
        defined_names=None if defined_names is None else frozenset(defined_names),
        solution=None if solution is None else dict(solution),
    )


def together(name: str, parts: Sequence[Assignment], files: tuple[File, ...] = ()) -> Assignment:
    """Return the problem set that has these notebooks; raise ValueError if there are none."""
    if not parts:
        raise ValueError("there is no notebook")
    if len(parts) == 1:
        return parts[0]
    cells = tuple(replace(cell, notebook=p.notebook) for p in parts for cell in p.cells)
    digests = json.dumps([[part.notebook, part.digest] for part in parts])
    digest = hashlib.sha256(digests.encode()).hexdigest()
    return Assignment(name, cells, {}, digest, files, notebook_parts=tuple(parts))


def with_variants(assignment: Assignment, variants: StudentVariants | None) -> Assignment:
    """Return the set with the variants of its students, on which its digest then depends."""
    if variants is None:
        return assignment
    digest = hashlib.sha256(f"{assignment.digest} {variants.digest}".encode()).hexdigest()
    return replace(assignment, digest=digest, variants=variants)


def source_digest(course: Course, name: str) -> str:
    """Return a digest that changes with any notebook of the set, and any file beside them."""
    digest = hashlib.sha256()
    names = course.notebooks(name)
    for notebook in names:
        digest.update(course.source(name, notebook).read_bytes())
    digest.update(materials.digest_all(materials.find_files(course, name)).encode())
    if names != (name,):
        digest.update(json.dumps(names).encode())
    if choices := student_variants.read_choices(course, name):
        digest.update(json.dumps(choices).encode())
    return digest.hexdigest()


def from_notebooks(
    name: str, master: dict, released: dict, files: tuple[File, ...] = (), notebook: str = ""
) -> Assignment:
    """Pair the cells of the master (hidden tests, no solutions) with those that students saw.

    Raises ValueError if their numbers differ.
    """
    if len(master["cells"]) != len(released["cells"]):
        raise ValueError("the master and the released notebook have different numbers of cells")
    pairs = zip(master["cells"], released["cells"], strict=True)
    cells = tuple(_source_cell(cell, released_cell) for cell, released_cell in pairs)
    text = json.dumps(master, sort_keys=True) + materials.digest_all(files)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    metadata = master.get("metadata", {})
    return Assignment(name, cells, metadata, digest, files, notebook=notebook or name)


def _source_cell(cell: dict, released_cell: dict) -> SourceCell:
    cell_metadata = CellMetadata.of(cell)
    return SourceCell(
        cell_metadata=cell_metadata if cell_metadata.is_followed else CellMetadata(),
        cell_type=cell["cell_type"],
        source=text_of(cell["source"]),
        released=text_of(released_cell["source"]),
        cell_id=cell.get("id", ""),
        metadata=cell["metadata"],
    )


def text_of(source: str | list[str]) -> str:
    """Return a cell's text, which a file may hold as one string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def _exercises(cells: tuple[SourceCell, ...]) -> Iterator[Exercise]:
    """Yield exercises. Each begins at the start, or at the first solution after a graded cell."""
    heading = title = ""
    solutions: list[str] = []
    graded_cells: list[str] = []
    for cell in cells:
        if cell.cell_type == "markdown" and not cell.solution and HEADING.search(cell.source):
            heading = HEADING.findall(cell.source)[-1]
        if cell.solution and graded_cells and solutions:
            yield _exercise(title, solutions, graded_cells)
            solutions, graded_cells = [], []
        if cell.solution:
            title = title if solutions else heading
            solutions.append(cell.name)
        if cell.name and (cell.graded or cell.points):
            graded_cells.append(cell.name)
    if graded_cells:
        yield _exercise(title, solutions, graded_cells)


def _exercise(title: str, solutions: list[str], graded_cells: list[str]) -> Exercise:
    name = (solutions or graded_cells)[0]
    title = re.sub(r"\s*\([\d.]+ points?\)$", "", title)
    return Exercise(name, title or name, tuple(solutions), tuple(graded_cells))
