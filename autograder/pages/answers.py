"""The answers of a class by exercise, from the autograded notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.results import Result, find_all
from autograder.classroom.intake import groups
from autograder.classroom.sets.assignment import Assignment, qualified, released, text_of
from autograder.pages.similarity import Pair, near_duplicates

PUBLISHED = "the problem set's own solution, in source/"  # no student's folder can have this name


def alike_in_class(
    course: Course,
    assignment: Assignment,
    results: Sequence[Result],
    others: Sequence[Course] = (),
) -> dict[str, list[Pair]]:
    """Return the near-duplicates in each exercise that is answered in code.

    The problem set's own solution takes part under the name `PUBLISHED`. Cells that are unchanged
    since release aren't compared. Of a group, only the first student is compared. The students of
    `others` take part, too, but no pair has two of them. Raises CourseError if another course has
    no results.
    """
    sources = _read_class(course, assignment.name, results)
    released_sources = _released_sources(assignment, results)
    outsiders = {PUBLISHED: dict(_read_own_solution(course, assignment))}
    for other in others:
        other_results = find_all(other, assignment.name)
        if other.root == course.root or not other_results:
            raise CourseError(f"no other class's {assignment.name!r} was graded in {other.root}")
        own = _read_class(other, assignment.name, other_results)
        outsiders |= {name_outsider(student, other): texts for student, texts in own.items()}
        released_sources |= _released_sources(released(other, assignment.name), other_results)
    sources |= outsiders
    pairs_by_exercise = {}
    for exercise in assignment.exercises:
        cells = [assignment.followed_cells[name] for name in exercise.solutions]
        names = [cell.name for cell in cells if cell.cell_type == "code"]
        answers = {
            student: "\n\n".join(texts[name] for name in names if name in texts)
            for student, texts in sources.items()
        }
        pairs_by_exercise[exercise.name] = [
            pair
            for pair in near_duplicates(answers, released_sources)
            if not {pair.first, pair.second} <= outsiders.keys()
        ]
    return pairs_by_exercise


def name_outsider(student: str, course: Course) -> str:
    """Return a name for a student of another course; no student's folder can have it."""
    return f"{student}, in {course.root}"


def is_outsider(name: str) -> bool:
    """Return whether it is no student of the course, who would have no slash in the name."""
    return "/" in name


def _read_class(course: Course, name: str, results: Sequence[Result]) -> dict[str, dict[str, str]]:
    """Return the answers of each student, and of the first student of each group, by cell."""
    student_groups = groups.find(course, name)
    compared_students = set(groups.one_of_each([r.student for r in results], student_groups))
    return {
        r.student: dict(_read_answers(course, r)) for r in results if r.student in compared_students
    }


def _released_sources(assignment: Assignment, results: Sequence[Result]) -> dict[str, None]:
    """Return the code that students got, each text once."""
    variants = [assignment]
    if assignment.variants is not None:
        variants += [assignment.for_student(r.variant or r.student) for r in results]
    return dict.fromkeys(
        cell.released for variant in variants for cell in variant.cells if cell.cell_type == "code"
    )


def _read_answers(course: Course, result: Result) -> Iterator[tuple[str, str]]:
    """Yield grade_id and text of a student's answers, or nothing if a notebook can't be read."""
    names = result.notebooks or (result.assignment,)
    for name in names:
        path = course.autograded(result.student, result.assignment, name)
        for cell, text in _read_solutions(path, name if len(names) > 1 else ""):
            if cell not in result.unanswered:
                yield cell, text


def _read_own_solution(course: Course, assignment: Assignment) -> Iterator[tuple[str, str]]:
    for name in assignment.notebooks:
        path = course.source(assignment.name, name)
        yield from _read_solutions(path, name if assignment.notebook_parts else "")


def _read_solutions(path: Path, notebook: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of a notebook's solution cells, or nothing if it can't be read.

    If the set has several notebooks, a cell's name begins with its `notebook`.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return
    for cell in cells:
        cell_metadata = CellMetadata.of(cell)
        if cell_metadata.solution:
            yield qualified(notebook, cell_metadata.grade_id), text_of(cell["source"])
