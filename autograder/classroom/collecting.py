"""What a class handed in, as a folder or a zip -> COURSE/submitted.

Accepted, for problem set NAME, anywhere below the folder or archive (one outer folder is ignored):

    STUDENT/NAME/NAME.ipynb    nbgrader's own layout, with a timestamp.txt beside it or not
    STUDENT/NAME.ipynb
    STUDENT/anything.ipynb     if it is the only notebook there
    STUDENT.ipynb

Nothing else is copied. Links, devices, absolute paths and paths with `..` are refused, a notebook
is read up to a limit and no further (whatever an archive says of its size), and one bad
entry never keeps the others from being collected.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.entries import OUTSIDE, Entry, entries_of, shown
from autograder.classroom.folders import EXCHANGE_FILES, Course, CourseError, write_atomically
from autograder.classroom.submission import SIZE_LIMIT, Note, unreadable

ENTRY_LIMIT = 200_000  # files in one hand-in
TOTAL_LIMIT = 8 << 30  # bytes of all notebooks together


@dataclass(frozen=True)
class HandedIn:
    """One student's submission. `path` is None where there was no notebook to collect."""

    student: str
    path: Path | None
    digest: str
    notes: tuple[Note, ...] = ()
    timestamp: str = ""


@dataclass(frozen=True)
class Collected:
    """The class, and the entries that could not be given to any student, with the reason."""

    submissions: tuple[HandedIn, ...]
    refused: tuple[str, ...]


def collect(course: Course, name: str, source: Path) -> Collected:
    """Copy each student's notebook to COURSE/submitted; raise CourseError if there is none."""
    others = {path.parent.name for path in (course.root / "source").glob("*/*.ipynb")} - {name}
    with entries_of(source) as entries:
        kept, refused = _sorted_out(entries)
        students = _by_student(_without_wrapper(kept, name), refused)
        submissions, total = [], 0
        for student, files in sorted(students.items()):
            handed = _collect_one(course, name, student, files, others, total < TOTAL_LIMIT)
            if handed is not None:
                submissions.append(handed)
                total += handed.path.stat().st_size if handed.path else 0
    if not submissions:
        reasons = "".join(f"\n  {line}" for line in refused[:10])
        raise CourseError(f"{source} has no submission of {name!r} in it{reasons}")
    return Collected(tuple(submissions), tuple(refused))


_LITTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}
_SYSTEMS_OWN = ("._", ".ipynb_checkpoints", ".git", ".Trash", ".cache", ".local", ".jupyter")


def _sorted_out(entries: Iterator[Entry]) -> tuple[list[Entry], list[str]]:
    """Leave out what editors and systems strew about, and what leads out of the archive."""
    kept, refused = [], []
    for count, entry in enumerate(entries):
        if count >= ENTRY_LIMIT:
            raise CourseError(f"more than {ENTRY_LIMIT} files were handed in; that is refused")
        if not entry.parts or entry.problem == OUTSIDE:
            refused.append(f"{shown(entry.name)}: {OUTSIDE}")
        elif _is_hidden(entry.parts[0]) and entry.notebook:
            refused.append(f"{shown(entry.name)}: names that begin with a dot are left out")
        elif not any(part in _LITTER or part.startswith(".") for part in entry.parts):
            kept.append(entry)
    return kept, refused


def _is_hidden(name: str) -> bool:
    """Whether it may be somebody's name: `._alice.ipynb` and the like are a system's own."""
    return name.startswith(".") and not name.startswith(_SYSTEMS_OWN)


def _without_wrapper(entries: list[Entry], name: str) -> list[Entry]:
    """Take off the one outer folder that archives often have."""
    tops = {entry.parts[0] for entry in entries}
    seconds = {entry.parts[1] for entry in entries if len(entry.parts) > 1}
    wrapped = len(tops) == 1 and all(len(entry.parts) > 1 for entry in entries)
    if not wrapped or {name, f"{name}.ipynb"} & seconds or len(seconds) < 2:
        return entries
    return [Entry(entry.parts[1:], entry.read, entry.problem) for entry in entries]


# nbgrader looks for students with glob patterns, formats paths with braces, and its formgrader puts
# names into pages as they are.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f*?\[\]{}<>/\\]")


def _by_student(entries: list[Entry], refused: list[str]) -> dict[str, list[Entry]]:
    students: dict[str, dict[str, list[Entry]]] = {}  # and by the name as it was spelled
    for entry in entries:
        alone = len(entry.parts) == 1
        if alone and not entry.notebook:
            refused.append(f"{shown(entry.name)}: it is no notebook and in no student's folder")
            continue
        owner = entry.parts[0][: -len(".ipynb")] if alone else entry.parts[0]
        student = unicodedata.normalize("NFC", owner).strip()
        if (
            not student
            or _FORBIDDEN.search(student)
            or len(student.encode("utf-8", "replace")) > 120
        ):
            refused.append(f"{shown(entry.name)}: {shown(owner)} can't be a student's name")
            continue
        students.setdefault(student, {}).setdefault(owner, []).append(entry)
    return {student: _own_files(student, by, refused) for student, by in students.items()}


def _own_files(student: str, by_owner: dict[str, list[Entry]], refused: list[str]) -> list[Entry]:
    """The files under the name itself, else under the first that differs in spaces or accents:
    nobody's work takes the place of that of somebody who is called almost the same."""
    owner = student if student in by_owner else next(iter(by_owner))
    for other, entries in by_owner.items():
        reason = f"{shown(other)} can't be told from {shown(owner)}"
        if other != owner:
            refused += [f"{shown(entry.name)}: {reason}" for entry in entries]
    return by_owner[owner]


def _collect_one(course, name, student, files, others, room_left) -> HandedIn | None:
    chosen, notes = _choose(name, files, others)
    if chosen is None and not notes:
        return None
    data = None
    if chosen is not None and not room_left:
        notes.append(unreadable(f"the class's notebooks exceed {TOTAL_LIMIT >> 30} GiB together"))
    elif chosen is not None:
        data = _read(chosen, notes)
    if data is None:
        return HandedIn(student, None, hashlib.sha256(b"").hexdigest(), tuple(notes))
    path = course.submitted(student, name)
    timestamp = _timestamp(files, name)
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
        write_atomically(path, data)
    if timestamp:
        write_atomically(path.with_name("timestamp.txt"), timestamp)
    digest = hashlib.sha256(data).hexdigest()
    return HandedIn(student, path, digest, tuple(notes), timestamp)


_REPEATED = "A file is in the archive more than once; the last one was taken."


def _choose(name: str, files: list[Entry], others: set[str]) -> tuple[Entry | None, list[Note]]:
    """The student's notebook, by the layouts in their order, and what is odd about it."""
    right = f"{name}.ipynb"
    last = {f.parts: f for f in files}
    repeated = [Note("duplicate", _REPEATED, needs_teacher=True)] * (len(last) < len(files))
    files = list(last.values())
    own = [f for f in files if f.notebook and not (len(f.parts) > 2 and f.parts[1] in others)]
    for place in ((name, right), (right,)):
        exact = [file for file in own if file.parts[1:] == place]
        if exact:
            ignored = [file for file in own if file is not exact[0]]
            notes = repeated + _other_notebooks(exact[0], ignored)
            return exact[0], notes + _left_behind(files, exact[0])
    within = [file for file in own if name in file.parts[1:-1]] or own
    if len(within) == 1:
        chosen = within[0]
        notes = _left_behind(files, chosen)
        if len(chosen.parts) > 1:
            was = shown(chosen.parts[-1])
            notes.insert(0, Note("file name", f"The file was named {was}, not {right!r}."))
        return chosen, repeated + notes
    if within:
        listed = ", ".join(sorted(shown("/".join(file.parts[1:])) for file in within))
        return None, [unreadable(f"several notebooks and none is {right!r}: {listed}")]
    if any(file.notebook for file in files):
        return None, []
    return None, [unreadable("no notebook was handed in")]


def _other_notebooks(chosen: Entry, others: list[Entry]) -> list[Note]:
    if not others:
        return []
    listed = ", ".join(sorted(shown("/".join(file.parts)) for file in others)[:5])
    taken = shown("/".join(chosen.parts))
    text = f"Several notebooks were handed in; {taken} was graded, left aside: {listed}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _left_behind(files: list[Entry], chosen: Entry) -> list[Note]:
    others = [f for f in files if f is not chosen and f.parts[-1] not in EXCHANGE_FILES]
    others = [f for f in others if not f.notebook and f.parts[1:-1] == chosen.parts[1:-1]]
    beside = sorted(shown(f.parts[-1]) for f in others)
    if not beside or len(chosen.parts) == 1:
        return []
    listed = ", ".join(beside[:5]) + (" and more" if len(beside) > 5 else "")
    return [Note("other files", f"Only the notebook is graded; left aside: {listed}.")]


def _read(entry: Entry, notes: list[Note]) -> bytes | None:
    if entry.problem:
        notes.append(unreadable(f"{shown(entry.name)} was refused: {entry.problem}"))
        return None
    try:
        data = entry.read(SIZE_LIMIT + 1)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
            ValueError) as error:  # fmt: skip
        notes.append(unreadable(f"{shown(entry.name)} can't be read: {error}"))
        return None
    if len(data) > SIZE_LIMIT:
        limit = SIZE_LIMIT >> 20
        notes.append(unreadable(f"{shown(entry.name)} is larger than the limit of {limit} MiB"))
        return None
    return data


def _timestamp(files: list[Entry], name: str) -> str:
    """When nbgrader says that it was handed in, if that can be read as a time."""
    for file in files:
        if file.parts[1:] == (name, "timestamp.txt") and not file.problem:
            from autograder.classroom.quick_nbgrader import (
                parse_utc,  # half a second, and seldom needed
            )

            try:
                text = file.read(100).decode("ascii").strip()
                parse_utc(text)
            except (OSError, ValueError, OverflowError, zipfile.BadZipFile, zlib.error):
                return ""
            return text
    return ""
