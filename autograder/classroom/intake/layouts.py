"""Sort a class's files by student, in a folder or an archive of no platform."""

from __future__ import annotations

import dataclasses
import itertools
import unicodedata
from collections.abc import Collection, Iterator

from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import OUTSIDE, Entry, empty_folder, refuse_name

ENTRY_LIMIT = 200_000  # files in one hand-in; beyond it only notebooks count
MAX_NAME_CHARACTERS = 255  # the limit of file systems; archives have none
_NEEDED = {"timestamp.txt", "submission_metadata.yml"}

_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_SYSTEM_NAMES = ("._", ".ipynb_checkpoints", ".git", ".Trash", ".cache", ".local", ".jupyter")


def sorted_out(entries: Iterator[Entry]) -> tuple[list[Entry], list[str]]:
    """Leave out files of editors and systems, and paths that lead out of the archive.

    Thousands of files of one student don't push out the files of others. Raises CourseError for
    more notebooks than any class hands in.
    """
    accepted: list[Entry] = []
    refused: list[str] = []
    excess_entries: list[Entry] = []
    hidden_folders: dict[tuple[str, ...], None] = {}  # folders that contain something hidden
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
            (accepted if is_needed or len(accepted) < ENTRY_LIMIT else excess_entries).append(entry)
        else:
            hidden_folders[_visible_part(entry.parts)] = None
    accepted += [
        empty_folder(parts, "only hidden files are in it") for parts in hidden_folders if parts
    ]
    if excess_entries:
        remark = f"{len(excess_entries)} more than the {ENTRY_LIMIT} files that are looked at"
        refused.append(f"{quoted(excess_entries[0].name)} and what follows: {remark}")
    return accepted, refused


def _visible_part(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path up to the first name that editors and systems hide."""
    is_seen = (not (part in _LITTER or part.startswith(".")) for part in parts)
    return tuple(part for part, _ in zip(parts, itertools.takewhile(bool, is_seen), strict=False))


def _is_hidden(name: str) -> bool:
    """Return whether a hidden file may be a student's, unlike `._alice.ipynb`."""
    return name.startswith(".") and not name.startswith(_SYSTEM_NAMES)


def without_wrapper(entries: list[Entry], name: str, notebooks: Collection[str]) -> list[Entry]:
    """Take off the one outer folder that archives often have."""
    first_names = {entry.parts[0] for entry in entries}
    second_names = {entry.parts[1] for entry in entries if len(entry.parts) > 1}
    is_wrapped = len(first_names) == 1 and all(
        len(entry.parts) > 1 for entry in entries if not entry.is_folder
    )
    if (
        not is_wrapped
        or {name, *(f"{notebook}.ipynb" for notebook in notebooks)} & second_names
        or len(second_names) < 2
    ):
        return entries
    return without_first(entries)


def without_first(entries: list[Entry]) -> list[Entry]:
    """Return the entries without their outermost folder."""
    inner_entries = [entry for entry in entries if len(entry.parts) > 1]
    return [dataclasses.replace(entry, parts=entry.parts[1:]) for entry in inner_entries]


def by_student(entries: list[Entry], refused: list[str]) -> dict[str, list[Entry]]:
    """Return each student's files: the files in their folder, or with their name.

    Adds a line to `refused` for files that belong to nobody.
    """
    students: dict[str, dict[str, list[Entry]]] = {}  # by student, then by the original spelling
    files_by_reason: dict[str, list[Entry]] = {}  # by the reason why their name is refused
    refused += refuse_empty(entries)
    for entry in entries:
        if entry.is_folder:
            continue
        is_single_file = len(entry.parts) == 1
        if is_single_file and not entry.notebook:
            reason = entry.problem or "it is no notebook and in no student's folder"
            refused.append(f"{quoted(entry.name)}: {reason}")
            continue
        owner = entry.stem if is_single_file else entry.parts[0]
        student = unicodedata.normalize("NFC", owner).strip()
        if reason := refuse_name(student):
            files_by_reason.setdefault(reason, []).append(entry)
            continue
        students.setdefault(student, {}).setdefault(owner, []).append(entry)
    refused += [f"{_name_files(files)}: {reason}" for reason, files in files_by_reason.items()]
    return {
        student: _own_files(student, files_by_owner, refused)
        for student, files_by_owner in students.items()
    }


def refuse_empty(entries: list[Entry]) -> list[str]:
    """Return a line for each student's folder that has nothing in it, with the reason."""
    filled_folders = {entry.parts[0] for entry in entries if not entry.is_folder}
    reasons = {
        entry.parts[0]: entry.problem
        for entry in entries
        if entry.is_folder and entry.parts[0] not in filled_folders
    }
    return [f"{quoted(folder)}: {reason}" for folder, reason in reasons.items()]


def _own_files(student: str, by_owner: dict[str, list[Entry]], refused: list[str]) -> list[Entry]:
    """Return the files under the student's name, or under the first name that is almost the same.

    Such a name differs only in spaces or accents. It counts only if no files are under the name
    itself. So no student's work replaces the work of one with almost the same name.
    """
    owner = student if student in by_owner else next(iter(by_owner))
    for other, entries in by_owner.items():
        reason = f"{quoted(other)} can't be told from {quoted(owner)}"
        if other != owner:
            refused.append(f"{_name_files(entries)}: {reason}")
    return by_owner[owner]


def _name_files(entries: list[Entry]) -> str:
    """Return the name of a submission's first file, and the number of others."""
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"{quoted(entries[0].name)}{more}"
