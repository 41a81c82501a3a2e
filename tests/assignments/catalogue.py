"""What a catalogue of answers is made of: the texts of a solution cell, as students leave them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A wrong answer: `fails` is the grade_id of the test that must find it.

    `says` are words that the student must read there.
    """

    source: str
    fails: str
    says: str


@dataclass(frozen=True)
class Answers:
    """Right and wrong answers to one exercise, by name; `cell` is the solution cell's grade_id."""

    cell: str
    right: dict[str, str]
    mutants: dict[str, Mutant]
