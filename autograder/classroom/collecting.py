"""What a class handed in, as a folder or a zip -> COURSE/submitted.

A download of Moodle, Canvas, Gradescope or Brightspace is taken as it comes (`platforms`). Else
accepted, for problem set NAME, anywhere below the folder or archive (one outer folder is ignored):

    STUDENT/NAME/NAME.ipynb    nbgrader's own layout, with a timestamp.txt beside it or not
    STUDENT/NAME.ipynb
    STUDENT/anything.ipynb     if it is the only notebook there, or the only one of this set
    STUDENT.ipynb

Nothing else is copied. Links, devices, absolute paths and paths with `..` are refused, a notebook
is read up to a limit and no further (whatever an archive says of its size), and one bad
entry never keeps the others from being collected.
"""

from __future__ import annotations

import dataclasses
import hashlib
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import collected as register
from autograder.classroom import extensions, misplaced, people, platforms
from autograder.classroom.entries import OUTSIDE, Entry, can_be_a_student, entries_of, shown
from autograder.classroom.folders import EXCHANGE_FILES, Course, CourseError, write_atomically
from autograder.classroom.people import Person
from autograder.classroom.platforms import Owner, Share
from autograder.classroom.submission import SIZE_LIMIT, Note, read, unreadable

ENTRY_LIMIT = 200_000  # files in one hand-in
TOTAL_LIMIT = 8 << 30  # bytes of all notebooks together
OUTER = 3  # folders around a platform's download, at most
COMPARED = 20  # notebooks of one student that are looked into for the right one


@dataclass(frozen=True)
class HandedIn:
    """One student's submission. `path` is None where there was no notebook to collect."""

    student: str
    path: Path | None
    digest: str
    notes: tuple[Note, ...] = ()
    timestamp: str = ""
    name: str = ""  # by which the platform calls the student, where that is another


@dataclass(frozen=True)
class Collected:
    """The class, and the entries that could not be given to any student, with the reason.

    `unlisted` handed in and aren't on the list of the class, `missing` are and didn't.
    """

    submissions: tuple[HandedIn, ...]
    refused: tuple[str, ...]
    platform: str = ""
    told: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What is collected: of all students or of some, with the set's own cells to know it by. Its
    own `files` come back with many a notebook, and are no news.

    With `keep` False nothing is written.
    """

    people: tuple[Person, ...] = ()
    cells: frozenset[str] = frozenset()
    students: tuple[str, ...] = ()
    keep: bool = True
    files: frozenset[str] = frozenset()

    def brings(self, entry: Entry) -> bool:
        """Whether it is a file of the problem set, below a student's folder."""
        tails = ("/".join(entry.parts[start:]) for start in range(1, len(entry.parts)))
        return any(tail in self.files for tail in tails)


EVERYTHING = Wanted()


def collect(course: Course, name: str, source: Path, wanted: Wanted = EVERYTHING) -> Collected:
    """Copy each student's notebook to COURSE/submitted; raise CourseError if there is none."""
    misplaced.check_submissions(course, name, source)
    inside = source.resolve() == course.root / "submitted"
    with entries_of(source) as entries:
        found, refused = _shares(course, name, source, entries)
        listed = () if inside else wanted.people
        before = register.find(course, name)
        shares, renamed = _named(course, found, listed, before)
        chosen = _chosen(shares, wanted.students, source)
        handed_in = _hand_in(course, name, chosen, found.platform, wanted)
    if not handed_in:
        reasons = "".join(f"\n  {line}" for line in refused[:10])
        raise CourseError(f"{source} has no submission of {name!r} in it{reasons}")
    if inside:
        handed_in = [_as_before(handed, before.get(handed.student)) for handed in handed_in]
    elif wanted.keep:
        kept = {h.student: register.Kept.of(h, shares[h.student].owner, found.platform)
                for h in handed_in}  # fmt: skip
        register.save(course, name, before | kept)
    known = {person.student for person in wanted.people}
    return Collected(
        tuple(handed_in),
        tuple(refused),
        found.platform,
        found.told + renamed,
        tuple(sorted(set(shares) - known)) if listed else (),
        tuple(sorted(known - set(shares) - set(before))),
    )


def _hand_in(
    course: Course, name: str, shares: dict[str, Share], platform: str, wanted: Wanted
) -> list[HandedIn]:
    """Each student's notebook, by name; of all together no more than the limit is kept."""
    others = {path.parent.name for path in (course.root / "source").glob("*/*.ipynb")} - {name}
    found: list[HandedIn] = []
    total = 0
    for student, share in sorted(shares.items()):
        hand = _Hand(course, name, student, share, others, wanted, total < TOTAL_LIMIT)
        if (handed := hand.collect(platform)) is not None:
            found.append(handed)
            total += handed.path.stat().st_size if handed.path and wanted.keep else 0
    return found


def _shares(
    course: Course, name: str, source: Path, entries: Iterator[Entry]
) -> tuple[platforms.Download, list[str]]:
    """All that was handed in by student, as a platform names students or as we do."""
    kept, refused = _sorted_out(entries)
    kept = misplaced.without_courses(kept, name, refused)
    download = _download(kept, course)
    if download is None:
        unwrapped = _without_wrapper(kept, name)
        misplaced.check_height(unwrapped, name, source)
        students = _by_student(unwrapped, refused)
        shares = (Share(Owner(s, s), tuple(files)) for s, files in students.items())
        return platforms.Download("", tuple(shares)), refused
    shares = (share for share in download.shares if _is_possible(share, refused))
    return dataclasses.replace(download, shares=tuple(shares)), refused + list(download.refused)


def _download(entries: list[Entry], course: Course) -> platforms.Download | None:
    """A platform's, also within outer folders, as unpacking makes them."""
    for _ in range(1 + OUTER):
        if found := platforms.recognise(entries, course.zone):
            return found
        if len({entry.parts[0] for entry in entries}) != 1 or any(
            len(entry.parts) == 1 for entry in entries
        ):
            return None
        entries = _without_first(entries)
    return None


def _is_possible(share: Share, refused: list[str]) -> bool:
    if not can_be_a_student(share.owner.student):
        names = ", ".join(shown(entry.name) for entry in share.files[:3])
        refused.append(f"{names}: {shown(share.owner.student)} can't be a student's name")
    return can_be_a_student(share.owner.student)


def _named(
    course: Course,
    download: platforms.Download,
    listed: tuple[Person, ...],
    before: dict[str, register.Kept],
) -> tuple[dict[str, Share], tuple[str, ...]]:
    """Student -> share: by the list of the class, else as this set's last collecting had it.

    And who was somebody else then, by name.
    """
    owners = [share.owner for share in download.shares]
    who = people.matched(owners, listed) if listed else {}
    earlier = defaultdict(list)
    for student, kept in before.items():
        if kept.platform and kept.number:
            earlier[kept.platform, kept.number, kept.name].append(student)
    found: dict[str, Share] = {}
    renamed = []
    for share in download.shares:
        owner = share.owner
        then = earlier[download.platform, owner.number, owner.name]
        student = who[owner].student if owner in who else (then or [owner.student])[-1]
        renamed += [
            f"{shown(student)} was {shown(other)} before: autograder remove COURSE {other}"
            for other in then
            if other != student
        ]
        if student in found:
            raise CourseError(
                f"two submissions would be those of {shown(student)}: nothing was graded. A list "
                "of the class tells them apart; give it by --roster"
            )
        found[student] = _timed(course, share, who.get(owner))
    return found, tuple(renamed)


def _timed(course: Course, share: Share, person: Person | None) -> Share:
    """With the time that Moodle's worksheet has of this very submission; its zip has none."""
    owner = share.owner
    if person is None or not person.time or owner.time or owner.number != person.number:
        return share
    try:
        time = f"{extensions.read_time(person.time, course)} UTC"
    except CourseError:  # in a language that we can't read, or a dash
        return share
    return dataclasses.replace(share, owner=dataclasses.replace(owner, time=time))


def _chosen(shares: dict[str, Share], students: tuple[str, ...], source: Path) -> dict[str, Share]:
    if absent := [student for student in students if student not in shares]:
        who = ", ".join(map(shown, absent))
        raise CourseError(f"{source} has no submission of {who}; nothing was graded")
    return {s: share for s, share in shares.items() if not students or s in students}


def _as_before(handed: HandedIn, kept: register.Kept | None) -> HandedIn:
    """With what was noted when the same notebook was collected from outside."""
    if kept is None or kept.digest != handed.digest:
        return handed
    name = "" if kept.name == handed.student else kept.name
    return dataclasses.replace(handed, notes=kept.notes, name=name)


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
    return _without_first(entries)


def _without_first(entries: list[Entry]) -> list[Entry]:
    return [dataclasses.replace(entry, parts=entry.parts[1:]) for entry in entries]


def _by_student(entries: list[Entry], refused: list[str]) -> dict[str, list[Entry]]:
    students: dict[str, dict[str, list[Entry]]] = {}  # and by the name as it was spelled
    for entry in entries:
        alone = len(entry.parts) == 1
        if alone and not entry.notebook:
            refused.append(f"{shown(entry.name)}: it is no notebook and in no student's folder")
            continue
        owner = entry.parts[0][: -len(".ipynb")] if alone else entry.parts[0]
        student = unicodedata.normalize("NFC", owner).strip()
        if not can_be_a_student(student):
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


@dataclass(frozen=True)
class _Hand:
    """One student's files, of which one is to be collected."""

    course: Course
    name: str
    student: str
    share: Share
    others: set[str]  # problem sets
    wanted: Wanted
    room_left: bool

    def collect(self, platform: str) -> HandedIn | None:
        """Keep the notebook; None where nothing of this problem set is there."""
        files = [file for file in self.share.files if not self.wanted.brings(file)]
        chosen, notes = _choose(self.name, files, self.others, self.wanted.cells)
        if chosen is None and not notes:
            return None
        notes += self.share.notes
        if self.share.owner.late:
            notes.append(_marked_late(platform))
        data = self._data(chosen, notes)
        if data is None:
            digest = hashlib.sha256(b"").hexdigest()
            return HandedIn(self.student, None, digest, tuple(notes), name=self._name)
        path = self.course.submitted(self.student, self.name)
        timestamp = self.share.owner.time or _timestamp(files, self.name)
        if self.wanted.keep:
            _keep(path, data, timestamp)
        digest = hashlib.sha256(data).hexdigest()
        return HandedIn(self.student, path, digest, tuple(notes), timestamp, self._name)

    @property
    def _name(self) -> str:
        name = self.share.owner.name
        return "" if name == self.student else name

    def _data(self, chosen: Entry | None, notes: list[Note]) -> bytes | None:
        if chosen is not None and not self.room_left:
            limit = TOTAL_LIMIT >> 30
            notes.append(unreadable(f"the class's notebooks exceed {limit} GiB together"))
            return None
        return None if chosen is None else _read(chosen, notes)


def _marked_late(platform: str) -> Note:
    text = f"{platform} marks it as late and doesn't say by how much; no penalty was taken."
    return Note("late", text, needs_teacher=True)


def _keep(path: Path, data: bytes, timestamp: str) -> None:
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
        write_atomically(path, data)
    if timestamp:
        write_atomically(path.with_name("timestamp.txt"), timestamp)


_REPEATED = "A file is in the archive more than once; the last one was taken."


def _choose(
    name: str, files: list[Entry], others: set[str], cells: frozenset[str]
) -> tuple[Entry | None, list[Note]]:
    """The student's notebook, by the layouts in their order, and what is odd about it."""
    right = f"{name}.ipynb"
    last = {f.parts: f for f in files}
    repeated = [Note("duplicate", _REPEATED, needs_teacher=True)] * (len(last) < len(files))
    files = list(last.values())
    own = [f for f in files if f.notebook and not (len(f.parts) > 2 and f.parts[1] in others)]
    chosen = _by_name(name, own)
    within = [file for file in own if name in file.parts[1:-1]] or own
    if len(own) > 1 and (chosen or len(within) > 1):
        chosen = _by_content(chosen, own if chosen else within, cells)
    elif len(within) == 1:
        chosen = within[0]
    if chosen is not None:
        ignored = [file for file in own if file is not chosen]
        notes = _renamed(chosen, right) if chosen.parts[-1] != right else []
        notes += _other_notebooks(chosen, ignored) if len(within) > 1 or ignored else []
        return chosen, repeated + notes + _left_behind(files, chosen)
    if within:
        listed = ", ".join(sorted(shown("/".join(file.parts[1:])) for file in within))
        return None, [unreadable(f"several notebooks and none is {right!r}: {listed}")]
    if any(file.notebook for file in files):
        return None, []
    return None, [unreadable("no notebook was handed in")]


def _by_name(name: str, own: list[Entry]) -> Entry | None:
    for place in ((name, f"{name}.ipynb"), (f"{name}.ipynb",)):
        if exact := [file for file in own if file.parts[1:] == place]:
            return exact[0]
    return None


def _by_content(named: Entry | None, own: list[Entry], cells: frozenset[str]) -> Entry | None:
    """The one that is called right, unless it has nothing of the problem set and one other has."""
    counts = {file.parts: _cells_of(file, cells) for file in own[:COMPARED]}
    if named is not None and (counts.get(named.parts) or not any(counts.values())):
        return named
    most = max(counts.values(), default=0)
    best = [file for file in own[:COMPARED] if counts[file.parts] == most > 0]
    return best[0] if len(best) == 1 else named


def _cells_of(file: Entry, cells: frozenset[str]) -> int:
    """How many cells of the problem set a notebook has."""
    data = _read(file, [])
    return len({cell.claimed for cell in read(data).cells} & cells) if data else 0


def _renamed(chosen: Entry, right: str) -> list[Note]:
    if len(chosen.parts) == 1:
        return []
    was = shown(chosen.parts[-1])
    return [Note("file name", f"The file was named {was}, not {right!r}.")]


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
