"""Sort a class's files in a folder or an archive of no platform: which count, and whose."""

from __future__ import annotations

import dataclasses
import itertools
import unicodedata
from collections.abc import Collection, Iterator

from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import OUTSIDE, Entry, empty_folder, refuse_name

ENTRY_LIMIT = 200_000  # files in one hand-in; beyond it only notebooks count
MAX_NAME_CHARACTERS = 255  # as in file systems; an archive's names may have any number
_NEEDED = {"timestamp.txt", "submission_metadata.yml"}

_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_SYSTEMS_OWN = ("._", ".ipynb_checkpoints", ".git", ".Trash", ".cache", ".local", ".jupyter")


def sorted_out(entries: Iterator[Entry]) -> tuple[list[Entry], list[str]]:
    """Leave out files of editors and systems, and paths that lead out of the archive.

    One student's thousands of files don't push out those of others. Raises CourseError for more
    notebooks than any class hands in.
    """
    accepted: list[Entry] = []
    refused: list[str] = []
    beyond: list[Entry] = []
    hidden: dict[tuple[str, ...], None] = {}  # folders with something hidden in them
    for entry in entries:
        if len(accepted) >= 2 * ENTRY_LIMIT:
            raise CourseError(f"more than {ENTRY_LIMIT} notebooks were handed in, which is refused")
        if not entry.parts or entry.problem == OUTSIDE:
            refused.append(f"{quoted(entry.name)}: {OUTSIDE}")
        elif any(len(part) > MAX_NAME_CHARACTERS for part in entry.parts):
            refused.append(f"{quoted(entry.name)}: a name in its path is too long for any disk")
        elif _is_hidden(entry.parts[0]) and entry.notebook:
            refused.append(f"{quoted(entry.name)}: names that begin with a dot are left out")
        elif _visible_part(entry.parts) == entry.parts:
            is_needed = entry.notebook or entry.parts[-1] in _NEEDED
            (accepted if is_needed or len(accepted) < ENTRY_LIMIT else beyond).append(entry)
        else:
            hidden[_visible_part(entry.parts)] = None
    accepted += [empty_folder(parts, "only hidden files are in it") for parts in hidden if parts]
    if beyond:
        remark = f"{len(beyond)} more than the {ENTRY_LIMIT} files that are looked at"
        refused.append(f"{quoted(beyond[0].name)} and what follows: {remark}")
    return accepted, refused


def _visible_part(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path up to the first name that editors and systems hide."""
    is_seen = (not (part in _LITTER or part.startswith(".")) for part in parts)
    return tuple(part for part, _ in zip(parts, itertools.takewhile(bool, is_seen), strict=False))


def _is_hidden(name: str) -> bool:
    """Return whether it is a hidden file that may be a student's, unlike `._alice.ipynb`."""
    return name.startswith(".") and not name.startswith(_SYSTEMS_OWN)


def without_wrapper(entries: list[Entry], name: str, notebooks: Collection[str]) -> list[Entry]:
    """Take off the one outer folder that archives often have."""
    tops = {entry.parts[0] for entry in entries}
    seconds = {entry.parts[1] for entry in entries if len(entry.parts) > 1}
    wrapped = len(tops) == 1 and all(len(e.parts) > 1 for e in entries if not e.is_folder)
    if (
        not wrapped
        or {name, *(f"{notebook}.ipynb" for notebook in notebooks)} & seconds
        or len(seconds) < 2
    ):
        return entries
    return without_first(entries)


def without_first(entries: list[Entry]) -> list[Entry]:
    """Return the entries without their outermost folder."""
    inner = [entry for entry in entries if len(entry.parts) > 1]
    return [dataclasses.replace(entry, parts=entry.parts[1:]) for entry in inner]


def by_student(entries: list[Entry], refused: list[str]) -> dict[str, list[Entry]]:
    """Return each student's files: those in their folder, or called after them.

    Adds to `refused` the files that are nobody's.
    """
    students: dict[str, dict[str, list[Entry]]] = {}  # inside, by the name as it was spelled
    nameless: dict[str, list[Entry]] = {}  # by the reason why that is nobody's name
    refused += refuse_empty(entries)
    for entry in entries:
        if entry.is_folder:
            continue
        alone = len(entry.parts) == 1
        if alone and not entry.notebook:
            reason = entry.problem or "it is no notebook and in no student's folder"
            refused.append(f"{quoted(entry.name)}: {reason}")
            continue
        owner = entry.stem if alone else entry.parts[0]
        student = unicodedata.normalize("NFC", owner).strip()
        if reason := refuse_name(student):
            nameless.setdefault(reason, []).append(entry)
            continue
        students.setdefault(student, {}).setdefault(owner, []).append(entry)
    refused += [f"{_name_files(files)}: {reason}" for reason, files in nameless.items()]
    return {student: _own_files(student, by, refused) for student, by in students.items()}


def refuse_empty(entries: list[Entry]) -> list[str]:
    """Return a line for each student's folder that has nothing in it, with the reason."""
    filled = {entry.parts[0] for entry in entries if not entry.is_folder}
    reasons = {e.parts[0]: e.problem for e in entries if e.is_folder and e.parts[0] not in filled}
    return [f"{quoted(folder)}: {reason}" for folder, reason in reasons.items()]


def _own_files(student: str, by_owner: dict[str, list[Entry]], refused: list[str]) -> list[Entry]:
    """Return the files under the student's name, or under the first name that is almost the same.

    Such a name differs only in spaces or accents. It counts only if no files are under the name
    itself. So no work replaces that of a student with almost the same name.
    """
    owner = student if student in by_owner else next(iter(by_owner))
    for other, entries in by_owner.items():
        reason = f"{quoted(other)} can't be told from {quoted(owner)}"
        if other != owner:
            refused.append(f"{_name_files(entries)}: {reason}")
    return by_owner[owner]


def _name_files(entries: list[Entry]) -> str:
    """Name the files of one submission by the first."""
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"{quoted(entries[0].name)}{more}"
