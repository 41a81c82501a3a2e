"""The parts of a catalogue of answers: texts of a solution cell, as students leave them.

FOLDER/NAME/ holds a Python module for each exercise of the problem set NAME, with its `ANSWERS`.
For a course FOLDER is COURSE/answers, beside COURSE/source. Students get nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mutant:
    """A wrong answer: `fails` is the grade_id of the test that must find it.

    `says` are words that the test's message must contain.
    """

    source: str
    fails: str
    says: str = ""


@dataclass(frozen=True)
class Answers:
    """Right and wrong answers to one exercise, by name; `cell` is the solution cell's grade_id."""

    cell: str
    right: Mapping[str, str] = field(default_factory=dict)
    mutants: Mapping[str, Mutant] = field(default_factory=dict)
