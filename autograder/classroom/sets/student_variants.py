"""The variant of a problem set for each student, drawn from the secret and the student's id.

`vary --each` lists the values of each placeholder, and `release` keeps the released texts with
their placeholders. From these come the texts of any student, also of one who joins later.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.sets import nbgrader_rules

PLACEHOLDER_NAME = r"[^\W\d]\w*"
MENTIONED = re.compile(rf"\{{\{{\s*({PLACEHOLDER_NAME})\s*\}}\}}")
DECLARED = re.compile(rf"\{{\{{\s*({PLACEHOLDER_NAME})\s*:([^{{}}\n]*\|[^{{}}\n]*)\}}\}}")


def draw(secret: bytes, name: str, placeholder: str, choices: Sequence[str], student: str) -> str:
    """Return the value of a placeholder for a student of set `name`; for the course if it is ""."""
    subject = f"vary\0{name}\0{placeholder}" + (f"\0{student}" if student else "")
    digest = hmac.new(secret, subject.encode(), hashlib.sha256).digest()
    return choices[int.from_bytes(digest, "big") % len(choices)]


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with values instead of the placeholders that have one."""
    return MENTIONED.sub(lambda match: values.get(match[1], match[0]), text)


@dataclass(frozen=True)
class StudentVariants:
    """The values that may be drawn for students, and the released texts with placeholders.

    `notebooks` has the records of `release`, with placeholders in texts and names.
    """

    name: str
    choices: Mapping[str, Sequence[str]]
    notebooks: Sequence[Mapping[str, Any]]
    secret: bytes = field(repr=False)

    @property
    def count(self) -> int:
        """The number of possible variants."""
        return math.prod(map(len, self.choices.values()))

    @property
    def digest(self) -> str:
        """A digest of all texts and values."""
        text = json.dumps([self.choices, self.notebooks], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def values(self, student: str = "") -> dict[str, str]:
        """Return a student's value of each placeholder, or those of the course."""
        return {
            placeholder: draw(self.secret, self.name, placeholder, choices, student)
            for placeholder, choices in self.choices.items()
        }

    def records(self, values: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the record of each notebook, as `release` makes it, with these values."""
        return [fill_record(record, values) for record in self.notebooks]


def fill_record(record: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """Return a notebook's record with values instead of placeholders."""
    defined, solution = record["defined"], record["solution"]
    return {
        "name": record["name"],
        "master": fill_notebook(record["master"], values),
        "released": fill_notebook(record["released"], values),
        "defined": None if defined is None else [fill(name, values) for name in defined],
        "solution": {cell: fill(text, values) for cell, text in solution.items()},
    }


def fill_notebook(notebook: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """Return a released notebook with values, and with nbgrader's checksums of the new texts."""
    return {**notebook, "cells": [_fill_cell(cell, values) for cell in notebook["cells"]]}


def _fill_cell(cell: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    new_cell = {**cell, "source": fill(cell["source"], values)}
    if CellMetadata.of(new_cell).checksum and new_cell["source"] != cell["source"]:
        marks = {**cell["metadata"]["nbgrader"], "checksum": nbgrader_rules.checksum(new_cell)}
        new_cell["metadata"] = {**cell["metadata"], "nbgrader": marks}
    return new_cell


def read_choices(course: Course, name: str) -> object:
    """Return the values that `vary --each` recorded last, or None; a damaged record has none."""
    try:
        record = json.loads(course.varied(name).read_text(encoding="utf-8"))
        return record.get("each")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def load(course: Course, name: str, record: Mapping[str, Any] | None) -> StudentVariants | None:
    """Return the variants that `release` has recorded, or None if all students have the same.

    Raises CourseError if the course has lost the secret from which they were drawn.
    """
    if record is None:
        return None
    if not course.has_secret:
        raise CourseError(
            f"the secret of {course.root} is gone, from which the students' values of {name!r} "
            "were drawn; put it back from a backup"
        )
    variants = StudentVariants(name, record["choices"], record["notebooks"], course.secret())
    if variants.values() != record["values"]:
        raise CourseError(
            f"{course.secret_file} is not the secret from which the students' values of {name!r} "
            "were drawn; put that one back from a backup"
        )
    return variants


def cover(choices: Mapping[str, Sequence[str]], base: Mapping[str, str]) -> Iterator[dict]:
    """Yield values for trials: with those of `base`, each value of a placeholder occurs once."""
    others = {n: [value for value in values if value != base[n]] for n, values in choices.items()}
    for place in range(max(map(len, others.values()), default=0)):
        yield {
            name: values[place] if place < len(values) else base[name]
            for name, values in others.items()
        }


def describe(values: Mapping[str, str]) -> str:
    """Return the values as text, such as "ratio = 3, who = Ada"."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())
