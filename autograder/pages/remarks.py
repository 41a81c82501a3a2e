"""Remarks for the report: equal ones are grouped, and students have the names of the class list."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.printable import visible
from autograder.classroom.grading.results import Result, describe_incident
from autograder.classroom.intake import people
from autograder.wire.contract import Incident


@dataclass(frozen=True)
class Remark:
    """A remark, its kind, and the ids of all students whom it concerns."""

    kind: str
    text: str
    needs_teacher: bool
    students: tuple[str, ...]


def find_names(course: Course, names_in_gradebook: Mapping[str, str]) -> dict[str, str]:
    """Return the students' names, by id: those of the class list, or else of the gradebook."""
    names = dict(names_in_gradebook)
    with contextlib.suppress(CourseError):  # `doctor` tells of a damaged list
        names |= {person.student: person.name for person in people.load_list(course)}
    return {student: name for student, name in names.items() if name and name != student}


def label(student: str, names: Mapping[str, str]) -> str:
    """Return a student's name with the id, or the id alone if no name is known."""
    name = names.get(student)
    return f"{visible(name)} ({visible(student)})" if name else visible(student)


def urgent(results: Iterable[Result]) -> list[Remark]:
    """Return the remarks that need the teacher: on submissions, faulty tests, and the grader."""
    return _group((student, remark) for student, remark in _notes(results) if remark[2]) + _group(
        pair for result in results for pair in _failures(result)
    )


def noted(results: Iterable[Result]) -> list[Remark]:
    """Return the remarks on what was odd about submissions."""
    return _group(_notes(results))


def stopped(results: Iterable[Result]) -> list[Remark]:
    """Return the remarks on what was stopped."""
    return _group(
        (result.student, (incident.kind, describe_incident(incident), False))
        for result in results
        for incident in result.incidents
    )


_Entry = tuple[str, tuple[str, str, bool]]  # a student; kind, text and urgency of a remark


def _notes(results: Iterable[Result]) -> Iterator[_Entry]:
    for result in results:
        for note in result.notes:
            yield result.student, (note.kind, note.text, note.needs_teacher)


def _failures(result: Result) -> Iterator[_Entry]:
    for fault in result.faults:
        yield result.student, ("faulty test", fault, True)
    for incident in result.incidents:
        if incident.kind in (Incident.GRADER, Incident.HIDDEN):
            yield result.student, (incident.kind, describe_incident(incident), True)


def _group(entries: Iterable[_Entry]) -> list[Remark]:
    """Return one remark for all entries with the same text; the first students come first."""
    students_by_remark: dict[tuple[str, str, bool], list[str]] = {}
    for student, remark in entries:
        students_by_remark.setdefault(remark, []).append(student)
    return [
        Remark(*remark, tuple(dict.fromkeys(students)))
        for remark, students in students_by_remark.items()
    ]
