"""Name the student's functions that a test calls, to say which one was stopped.

A student knows the name of her function, and hardly the name of a test cell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from autograder.classroom.grading.match_cells import MatchedCell
from autograder.classroom.grading.results import CallIncident
from autograder.classroom.sets.assignment import Assignment, SourceCell
from autograder.wire.contract import Incident

MAX_NAME_CHARACTERS = 60  # a longer name is left out of the message
_DEFINITION = re.compile(r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *=(?!=)", re.MULTILINE)


def name_functions(
    incidents: Iterable[Incident], assignment: Assignment, cells: Sequence[MatchedCell]
) -> tuple[Incident, ...]:
    """Return the incidents, with the functions that were called for each incident of a test."""
    answers = {
        cell.origin.name: _find_definitions(cell.plain.source)
        for cell in cells
        if cell.origin and cell.origin.solution
    }
    return tuple(_name_functions(incident, assignment, answers) for incident in incidents)


def _name_functions(
    incident: Incident, assignment: Assignment, answers: dict[str, list[str]]
) -> Incident:
    test = assignment.followed_cells.get(incident.cell)
    if test is None or not test.test or incident.kind in (Incident.GRADER, Incident.HIDDEN):
        return incident
    used_names = _find_names(test)
    solutions = assignment.exercise_of[test.name].solutions if test.graded else ()
    own_functions = [name for solution in solutions for name in answers.get(solution, ())]
    functions = [name for names in answers.values() for name in names]
    for candidates in (own_functions, functions):
        if called := [name for name in dict.fromkeys(candidates) if name in used_names]:
            fields = (incident.kind, incident.cell, incident.message, tuple(called))
            return CallIncident(*fields)
    return incident


def _find_definitions(source: str) -> list[str]:
    """Return the names that an answer defines at its top, also if it isn't valid Python."""
    names = (match[1] or match[2] for match in _DEFINITION.finditer(source))
    return [name for name in names if len(name) <= MAX_NAME_CHARACTERS]


def _find_names(test: SourceCell) -> set[str]:
    """Return the names in the part of a test that students see."""
    try:
        tree = ast.parse(test.released)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic of IPython
        return set(re.findall(r"\w+", test.released))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
