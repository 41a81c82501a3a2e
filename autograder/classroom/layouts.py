"""A class's files in a folder or an archive of no platform's: what counts, and whose it is."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Collection, Iterator

from autograder.classroom.entries import OUTSIDE, Entry, can_be_a_student
from autograder.classroom.folders import CourseError
from autograder.classroom.visible import quoted

ENTRY_LIMIT = 200_000  # files in one hand-in, beyond which notebooks alone count
NAME_LIMIT = 255  # characters, as file systems have it; an archive's names may have any number
_NEEDED = {"timestamp.txt", "submission_metadata.yml"}

_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_SYSTEMS_OWN = ("._", ".ipynb_checkpoints", ".git", ".Trash", ".cache", ".local", ".jupyter")


def sorted_out(entries: Iterator[Entry]) -> tuple[list[Entry], list[str]]:
    """Leave out what editors and systems strew about, and what leads out of the archive.

    One student's thousands of files don't cost the others theirs. Raises CourseError for more
    notebooks than any class hands in.
    """
    kept: list[Entry] = []
    refused: list[str] = []
    beyond: list[Entry] = []
    for entry in entries:
        if len(kept) >= 2 * ENTRY_LIMIT:
            raise CourseError(f"more than {ENTRY_LIMIT} notebooks were handed in; that is refused")
        if not entry.parts or entry.problem == OUTSIDE:
            refused.append(f"{quoted(entry.name)}: {OUTSIDE}")
        elif any(len(part) > NAME_LIMIT for part in entry.parts):
            refused.append(f"{quoted(entry.name)}: a name in its path is too long for any disk")
        elif _is_hidden(entry.parts[0]) and entry.notebook:
            refused.append(f"{quoted(entry.name)}: names that begin with a dot are left out")
        elif not any(part in _LITTER or part.startswith(".") for part in entry.parts):
            is_needed = entry.notebook or entry.parts[-1] in _NEEDED
            (kept if is_needed or len(kept) < ENTRY_LIMIT else beyond).append(entry)
    if beyond:
        told = f"{len(beyond)} more than the {ENTRY_LIMIT} files that are looked at"
        refused.append(f"{quoted(beyond[0].name)} and what follows: {told}")
    return kept, refused


def _is_hidden(name: str) -> bool:
    """Whether it may be somebody's name: `._alice.ipynb` and the like are a system's own."""
    return name.startswith(".") and not name.startswith(_SYSTEMS_OWN)


def without_wrapper(entries: list[Entry], name: str, notebooks: Collection[str]) -> list[Entry]:
    """Take off the one outer folder that archives often have."""
    tops = {entry.parts[0] for entry in entries}
    seconds = {entry.parts[1] for entry in entries if len(entry.parts) > 1}
    wrapped = len(tops) == 1 and all(len(entry.parts) > 1 for entry in entries)
    if (
        not wrapped
        or {name, *(f"{notebook}.ipynb" for notebook in notebooks)} & seconds
        or len(seconds) < 2
    ):
        return entries
    return without_first(entries)


def without_first(entries: list[Entry]) -> list[Entry]:
    """The entries without their outermost folder."""
    return [dataclasses.replace(entry, parts=entry.parts[1:]) for entry in entries]


def by_student(entries: list[Entry], refused: list[str]) -> dict[str, list[Entry]]:
    """Student -> what lies in their folder or is called after them.

    Adds to `refused` what is nobody's.
    """
    students: dict[str, dict[str, list[Entry]]] = {}  # and by the name as it was spelled
    for entry in entries:
        alone = len(entry.parts) == 1
        if alone and not entry.notebook:
            refused.append(f"{quoted(entry.name)}: it is no notebook and in no student's folder")
            continue
        owner = entry.parts[0][: -len(".ipynb")] if alone else entry.parts[0]
        student = unicodedata.normalize("NFC", owner).strip()
        if not can_be_a_student(student):
            refused.append(f"{quoted(entry.name)}: {quoted(owner)} can't be a student's name")
            continue
        students.setdefault(student, {}).setdefault(owner, []).append(entry)
    return {student: _own_files(student, by, refused) for student, by in students.items()}


def _own_files(student: str, by_owner: dict[str, list[Entry]], refused: list[str]) -> list[Entry]:
    """The files under the name itself, else under the first that differs in spaces or accents:
    nobody's work takes the place of that of somebody who is called almost the same."""
    owner = student if student in by_owner else next(iter(by_owner))
    for other, entries in by_owner.items():
        reason = f"{quoted(other)} can't be told from {quoted(owner)}"
        if other != owner:
            refused += [f"{quoted(entry.name)}: {reason}" for entry in entries]
    return by_owner[owner]
