"""What a class handed in, as a folder or a zip -> COURSE/submitted.

A learning platform's download is taken as it comes (`platforms`). Otherwise accepted, for problem
set NAME, anywhere below the folder or archive (one outer folder is ignored):

    STUDENT/NAME/NAME.ipynb    nbgrader's own layout, with a timestamp.txt beside it or not
    STUDENT/NAME.ipynb
    STUDENT/anything.ipynb     if it is the only notebook there, or the only one of this set
    STUDENT.ipynb

Of a set with several notebooks the first two, each under its own name, or under another one that
its cells tell.

Nothing else is copied. Links, devices, absolute paths and paths with `..` are refused, a notebook
is read up to a limit and no further (whatever an archive says of its size), and one bad
entry never keeps the others from being collected.
"""

from __future__ import annotations

import codecs
import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom import collected as register
from autograder.classroom import flat_names, groups, layouts, misplaced, people, platforms, times
from autograder.classroom.entries import Entry, entries_of, refuse_name
from autograder.classroom.folders import (
    Course,
    CourseError,
    command,
    ends_everything,
    say_error,
    write_atomically,
)
from autograder.classroom.marks import HIDDEN
from autograder.classroom.people import Person
from autograder.classroom.picking import claimed_by, pick, read_file
from autograder.classroom.platforms import Owner, Share
from autograder.classroom.results import content_of
from autograder.classroom.submission import Note, unreadable
from autograder.classroom.visible import quoted

TOTAL_LIMIT = 8 << 30  # bytes of all notebooks together
OUTER = 3  # folders around a platform's download, at most


@dataclass(frozen=True)
class HandedIn:
    """One student's submission. `paths` has, by name, the notebooks that there were to collect."""

    student: str
    paths: Mapping[str, Path]
    digest: str
    notes: tuple[Note, ...] = ()
    timestamp: str = ""
    name: str = ""  # by which the platform calls the student, where that is another
    failure: str = ""  # an error of ours: it could not be collected, and can't be graded


@dataclass(frozen=True)
class Collected:
    """The class, and the entries that could not be given to any student, with the reason.

    Each submission is in `submissions`, `refused` or `left_out`. `unlisted` handed in and aren't on
    the list of the class, `missing` are and didn't.
    """

    submissions: tuple[HandedIn, ...]
    refused: tuple[str, ...]
    platform: str = ""
    told: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # what is in order, and nothing of this problem set


@dataclass(frozen=True)
class Wanted:
    """What is collected: of all students or of some, with the cells of each notebook to know it
    by. The set's own `files` come back with many a notebook, and are no news.

    With `keep` False nothing is written.
    """

    people: tuple[Person, ...] = ()
    notebooks: Mapping[str, Collection[str]] = field(default_factory=dict)
    students: tuple[str, ...] = ()
    keep: bool = True
    files: frozenset[str] = frozenset()
    groups: Mapping[str, str] = field(default_factory=dict)  # by student

    def brings(self, entry: Entry) -> bool:
        """Whether it is a file of the problem set, below a student's folder."""
        below = "/".join(entry.parts[1:])
        return any(f"/{below}".endswith(f"/{file}") for file in self.files)


EVERYTHING = Wanted()


def collect(course: Course, name: str, source: Path, wanted: Wanted = EVERYTHING) -> Collected:
    """Copy each student's notebook to COURSE/submitted; raise CourseError if there is none."""
    wanted = wanted if wanted.notebooks else dataclasses.replace(wanted, notebooks={name: ()})
    misplaced.check_submissions(course, name, source)
    inside = source.resolve() == course.root / "submitted"
    wanted = dataclasses.replace(wanted, people=people.as_known(course, wanted.people))
    with entries_of(source) as entries:
        found, refused = _shares(course, name, wanted, source, entries)
        listed = () if inside else wanted.people
        before = register.find(course, name)
        shares, renamed = _named(course, found, listed, before)
        people_known = {person.student for person in wanted.people} | set(before)
        if found.platform:  # whose folders are people's, whatever they call themselves
            people_known |= set(shares)
        groups.check_no_student(wanted.groups, people_known)
        groups.check_teams(shares, wanted.groups)
        shares = groups.spread(shares, wanted.groups, inside) if wanted.groups else shares
        chosen = _chosen(shares, wanted, source)
        _refuse_another_set(name, source, chosen, wanted.notebooks)
        handed_in, left_out = _hand_in(course, name, chosen, found.platform, wanted, refused)
    if not handed_in:
        reasons = "".join(f"\n  {line}" for line in refused[:10])
        raise CourseError(f"{source} has no submission of {name!r} in it{reasons}")
    if inside:
        handed_in = [_as_before(handed, before.get(handed.student)) for handed in handed_in]
    elif wanted.keep:
        kept = {h.student: register.Kept.of(h, shares[h.student].owner, found.platform)
                for h in handed_in if not h.failure}  # fmt: skip
        register.save(course, name, before | kept)
    known = {person.student for person in wanted.people}
    return Collected(
        tuple(handed_in),
        tuple(refused),
        found.platform,
        found.told + renamed,
        tuple(sorted(set(shares) - known)) if listed else (),
        tuple(sorted(known - set(shares) - set(before))),
        () if inside else tuple(left_out),
    )


def _refuse_another_set(
    name: str, source: Path, shares: dict[str, Share], notebooks: Mapping[str, Collection[str]]
) -> None:
    """Raise CourseError where all notebooks are of other sets, by most of their cells: they would
    take the place of what was handed in before.
    """
    cells = {cell for names in notebooks.values() for cell in names}
    files = (file for share in shares.values() for file in share.files if file.notebook)
    foreign = 0
    for file in files if cells else ():
        claimed = claimed_by(file)
        if 2 * len(claimed & cells) > len(claimed):  # many sets have a cell `imports`
            return
        foreign += bool(claimed)
    if foreign > 1:
        raise CourseError(
            f"none of the {foreign} notebooks in {source} is one of {name!r}: they are another "
            "problem set's, and nothing was collected"
        )


def _hand_in(
    course: Course,
    name: str,
    shares: dict[str, Share],
    platform: str,
    wanted: Wanted,
    refused: list[str],
) -> tuple[list[HandedIn], list[str]]:
    """Return each student's notebooks, and who gave nothing of this problem set; of all together
    no more than the limit is kept.
    """
    others = {*course.sources} - {name}
    found: list[HandedIn] = []
    left_out: list[str] = []
    total = 0
    for student, share in sorted(shares.items()):
        hand = _Hand(course, name, student, share, others, wanted, total < TOTAL_LIMIT, refused)
        refusals = len(refused)
        if (handed := _guarded(hand, platform)) is None:
            other = f"{quoted(student)}: all notebooks are other problem sets'"
            left_out += [other] if len(refused) == refusals else []
        else:
            found.append(handed)
            total += sum(p.stat().st_size for p in handed.paths.values()) if wanted.keep else 0
    if found and all(handed.failure for handed in found):
        raise CourseError(f"no submission could be collected: {found[0].failure}")
    return found, left_out


def _guarded(hand: _Hand, platform: str) -> HandedIn | None:
    """Collect one student's notebooks. An error that they cause is told of this student, and the
    class goes on.
    """
    try:
        return hand.collect(platform)
    except Exception as error:
        if ends_everything(error):
            raise
        reason = f"It could not be collected: {say_error(error)}"
        note = Note("not collected", reason, needs_teacher=True)
        digest = content_of([None] * len(hand.wanted.notebooks))
        return HandedIn(hand.student, {}, digest, (note,), failure=note.message)


def _shares(
    course: Course, name: str, wanted: Wanted, source: Path, entries: Iterator[Entry]
) -> tuple[platforms.Download, list[str]]:
    """All that was handed in by student, as a platform names students or as we do."""
    notebooks = wanted.notebooks
    kept, refused = layouts.sorted_out(entries)
    kept = misplaced.without_courses(kept, name, notebooks, refused)
    download, inner = _download(kept, course)
    if download is None:
        unwrapped = layouts.without_wrapper(kept, name, notebooks)
        misplaced.check_height(unwrapped, name, notebooks, source)
        unwrapped = flat_names.without_platforms(unwrapped, refused)
        names = {*wanted.groups, *wanted.groups.values(), *(one.student for one in wanted.people)}
        flat_names.check(unwrapped, {name, *notebooks}, names, source)
        students = layouts.by_student(unwrapped, refused)
        shares = (Share(Owner(s, s), tuple(files)) for s, files in students.items())
        return platforms.Download("", tuple(shares)), refused
    if download.platform != "Sakai":  # which has a folder for everybody
        refused += layouts.refuse_empty(inner)
    shares = (share for share in download.shares if _is_possible(share, refused))
    return dataclasses.replace(download, shares=tuple(shares)), refused + list(download.refused)


def _download(
    entries: list[Entry], course: Course
) -> tuple[platforms.Download | None, list[Entry]]:
    """Return a platform's download, also within outer folders, as unpacking makes them, and its
    entries without these folders.
    """
    for _ in range(1 + OUTER):
        files = [entry for entry in entries if not entry.is_folder]
        if found := platforms.recognise(files, course.zone):
            return found, entries
        if len({entry.parts[0] for entry in files}) != 1 or any(
            len(entry.parts) == 1 for entry in files
        ):
            break
        entries = layouts.without_first(entries)
    return None, entries


def _is_possible(share: Share, refused: list[str]) -> bool:
    if reason := refuse_name(share.owner.student):
        names = ", ".join(quoted(entry.name) for entry in share.files[:3])
        refused.append(f"{names}: {reason}")
    return not reason


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
            f"{quoted(student)} was {quoted(other)} before: {command('remove', course.root, other)}"
            for other in then
            if other != student
        ]
        if student in found:
            raise CourseError(
                f"two submissions would be those of {quoted(student)}: nothing was graded. A list "
                "of the class tells them apart; give it by --roster"
            )
        found[student] = _timed(course, share, who.get(owner))
    return found, tuple(renamed)


def _timed(course: Course, share: Share, person: Person | None) -> Share:
    """With the time that Moodle's worksheet has of this very submission; its zip has none."""
    owner = share.owner
    if person is None or not person.time or owner.time or owner.number != person.number:
        return share
    if not re.search(r"\d", person.time):  # a dash
        return share
    return dataclasses.replace(share, owner=platforms.timed(owner, person.time, course.zone))


def _chosen(shares: dict[str, Share], wanted: Wanted, source: Path) -> dict[str, Share]:
    if absent := [student for student in wanted.students if student not in shares]:
        who = "; ".join(quoted(name) + people.near(name, wanted.people, shares) for name in absent)
        raise CourseError(f"{source} has no submission of {who}; nothing was graded")
    if not wanted.students:
        return shares
    teams = {wanted.groups[student] for student in wanted.students if student in wanted.groups}
    return {
        student: share
        for student, share in shares.items()
        if student in wanted.students or wanted.groups.get(student) in teams  # it is theirs, too
    }


def _as_before(handed: HandedIn, kept: register.Kept | None) -> HandedIn:
    """With what was noted when the same notebook was collected from outside."""
    if kept is None or kept.digest != handed.digest:
        return handed
    name = "" if kept.name == handed.student else kept.name
    notes = kept.notes
    if _of_group(notes) != _of_group(handed.notes):  # who is in it may have changed
        notes = (*(note for note in notes if note.kind != "group"), *_of_group(handed.notes))
    return dataclasses.replace(handed, notes=notes, name=name)


def _of_group(notes: tuple[Note, ...]) -> list[Note]:
    return [note for note in notes if note.kind == "group"]


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
    refused: list[str]

    def collect(self, platform: str) -> HandedIn | None:
        """Keep the notebooks; None where nothing of this problem set is there."""
        files = [file for file in self.share.files if not self.wanted.brings(file)]
        picked = pick(self.name, files, self.others, self.wanted.notebooks)
        if not picked.files and not picked.notes:
            return None
        notes = [*picked.notes, *self.share.notes]
        if self.share.owner.late:
            notes.append(_marked_late(platform))
        if self.share.owner.unread:
            notes.append(_unread(platform, self.share.owner.unread))
        found = {n: self._data(n, picked.files.get(n), notes) for n in self.wanted.notebooks}
        if any(data and HIDDEN in data for data in found.values()):
            self.refused.append(
                f"{quoted(self.student)}: a notebook with hidden tests in it is a teacher's"
            )
            return None
        digest = content_of(list(found.values()))
        timestamp = self.share.owner.time
        if not timestamp and (stamp := _stamp(files, self.name)) is not None:
            timestamp = stamp if _is_time(stamp, self.course) else ""
            notes += [] if timestamp else [_unread("timestamp.txt", stamp)]
        paths = {}
        for notebook, data in found.items():
            path = self.course.submitted(self.student, self.name, notebook)
            if data is not None:
                paths[notebook] = path
            if self.wanted.keep:
                _keep(path, data, notebook in picked.files, timestamp)
        timestamp = timestamp if paths else ""
        return HandedIn(self.student, paths, digest, tuple(notes), timestamp, self._name)

    @property
    def _name(self) -> str:
        name = self.share.owner.name
        return "" if name == self.student else name

    def _data(self, notebook: str, file: Entry | None, notes: list[Note]) -> bytes | None:
        if file is None:
            return None
        said: list[Note] = []
        if self.room_left:
            data = read_file(file, said)
        else:
            limit = TOTAL_LIMIT >> 30
            said.append(unreadable(f"the class's notebooks exceed {limit} GiB together"))
            data = None
        about = notebook if len(self.wanted.notebooks) > 1 else ""
        notes += [dataclasses.replace(note, notebook=about) for note in said]
        return data


def _marked_late(platform: str) -> Note:
    text = f"{platform} marks it as late and doesn't say by how much; no penalty was taken."
    return Note("late", text, needs_teacher=True)


def _unread(platform: str, time: str) -> Note:
    text = f"{platform} has the time {quoted(time)}, which can't be read; no penalty was taken."
    return Note("time", text, needs_teacher=True)


def _keep(path: Path, data: bytes | None, is_there: bool, timestamp: str) -> None:
    """A notebook of an earlier submission goes where this one is without."""
    if data is None:
        if not is_there:
            path.unlink(missing_ok=True)
        return
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
        if not timestamp:  # another submission's
            path.with_name("timestamp.txt").unlink(missing_ok=True)
        write_atomically(path, data)
    if timestamp:
        write_atomically(path.with_name("timestamp.txt"), timestamp)


def _stamp(files: list[Entry], name: str) -> str | None:
    """What nbgrader's exchange wrote of the time when it was handed in."""
    for file in files:
        if file.parts[1:] == (name, "timestamp.txt") and not file.problem:
            try:
                data = file.read(100).removeprefix(codecs.BOM_UTF8)  # as an editor leaves it
                return data.decode("ascii", "backslashreplace").strip()
            except Exception:  # `zipfile` has a dozen ways to fail
                return ""
    return None


def _is_time(stamp: str, course: Course) -> bool:
    try:
        times.of_exchange(stamp, course.zone)
    except ValueError:
        return False
    return True
