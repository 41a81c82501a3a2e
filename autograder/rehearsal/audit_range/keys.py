"""The keys of the range in a course: the course's own, or those of its students."""

from __future__ import annotations

import ast
import json

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.intake import people
from autograder.classroom.sets import set_variants, student_variants
from autograder.classroom.sets.assignment import text_of
from autograder.rehearsal.run_trusted import source_cells

SET = "range"
COMMON = "all students"


def find_keys(course: Course, count: int) -> dict[str, str]:
    """Return the keys of up to `count` students by id, or one key if all have the same.

    Raises CourseError if the notebook has no line `KEY = "..."`.
    """
    if not course.template(SET).exists():
        has_source = course.source(SET).exists()
        cells = _cells(course.source(SET).read_text("utf-8")) if has_source else source_cells(SET)
        return {COMMON: _read_key(cells, {})}
    choices = set_variants.find_choices(course, SET)
    if not choices:
        return {COMMON: _read_key(_cells(course.source(SET).read_text("utf-8")), {})}
    (template,) = set_variants.read_template(course, SET).values()
    variants = student_variants.StudentVariants(SET, choices, (), course.secret())
    students = [person.student for person in people.load_list(course)][:count]
    names = students or [f"student-{number}" for number in range(1, count + 1)]
    return {name: _read_key(template["cells"], variants.values(name)) for name in names}


def _cells(text: str) -> list[dict]:
    return json.loads(text)["cells"]


def _read_key(cells: list[dict], values: dict[str, str]) -> str:
    """Return the value of KEY in the notebook, with these values for its placeholders."""
    for cell in cells:
        text = student_variants.fill(text_of(cell["source"]), values)
        if cell["cell_type"] != "code" or "KEY =" not in text:
            continue
        for node in ast.parse(text).body:
            is_key = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KEY"
            if is_key and isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                return str(node.value.value)
    raise CourseError(f"the notebook of {SET!r} has no line that begins with KEY = ")
