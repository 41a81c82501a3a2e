"""Collect a class's submissions from a folder or a zip into COURSE/submitted.

A learning platform's download can be used as it is (see `platforms`). Otherwise these are accepted
for problem set NAME, anywhere below the folder or archive (one outer folder may be around them):

    STUDENT/NAME/NAME.ipynb    nbgrader's own layout, with a timestamp.txt beside it or not
    STUDENT/NAME.ipynb
    STUDENT/anything.ipynb     if it is the only notebook there, or the only one of this set
    STUDENT.ipynb

Sets with several notebooks take the first two forms. Each notebook has its own name, or another
name and cells that tell which notebook it is.

Nothing else is copied. Links, devices, absolute paths and paths with `..` are refused. A notebook
is read up to a limit and no further, whatever size an archive claims. One bad entry never keeps
the others from being collected.
"""

from __future__ import annotations

import codecs
import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.course import times
from autograder.classroom.course.cell_metadata import HIDDEN
from autograder.classroom.course.folders import (
    Course,
    CourseError,
    command,
    ends_everything,
    say_error,
    write_atomically,
)
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry, entries_of, refuse_name
from autograder.classroom.grading.read_notebook import Note, unreadable
from autograder.classroom.grading.results import content_of
from autograder.classroom.intake import (
    collection_record,
    flat_names,
    groups,
    layouts,
    mistaken_paths,
    people,
    platforms,
)
from autograder.classroom.intake.choose_notebook import (
    choose_notebook,
    find_claimed_cells,
    read_file,
)
from autograder.classroom.intake.people import Person
from autograder.classroom.intake.platforms import Owner, Share

MAX_TOTAL_BYTES = 8 << 30  # bytes of all notebooks together
MAX_OUTER_FOLDERS = 3  # folders around a platform's download, at most


@dataclass(frozen=True)
class CollectedSubmission:
    """One student's submission. `paths` has the collected notebooks by name."""

    student: str
    paths: Mapping[str, Path]
    digest: str
    notes: tuple[Note, ...] = ()
    timestamp: str = ""
    name: str = ""  # the student's name on the platform, where it differs
    failure: str = ""  # an error of the system: it could not be collected, so it can't be graded


@dataclass(frozen=True)
class CollectedClass:
    """The submissions of a class, and the entries that belong to no student, with the reason.

    Each submission is in `submissions`, `refused` or `left_out`. Students in `unlisted` handed in
    but aren't on the list of the class. Students in `missing` are on it but didn't hand in.
    """

    submissions: tuple[CollectedSubmission, ...]
    refused: tuple[str, ...]
    platform: str = ""
    remarks: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # without fault, but without a notebook of this problem set


@dataclass(frozen=True)
class CollectOptions:
    """Options of collecting: the students, notebooks and files concerned.

    `notebooks` has the cells that identify each notebook. Many students hand in the set's own
    `files` with their notebook, so these aren't reported. If `keep` is False, nothing is written.
    """

    people: tuple[Person, ...] = ()
    notebooks: Mapping[str, Collection[str]] = field(default_factory=dict)
    students: tuple[str, ...] = ()
    keep: bool = True
    files: frozenset[str] = frozenset()
    groups: Mapping[str, str] = field(default_factory=dict)  # by student

    def is_set_file(self, entry: Entry) -> bool:
        """Return whether the entry is a file of the problem set, below a student's folder."""
        path = "/".join(entry.parts[1:])
        return any(f"/{path}".endswith(f"/{file}") for file in self.files)


EVERYTHING = CollectOptions()


def collect(
    course: Course, name: str, source: Path, scope: CollectOptions = EVERYTHING
) -> CollectedClass:
    """Copy each student's notebook to COURSE/submitted; raise CourseError if there is none."""
    scope = scope if scope.notebooks else dataclasses.replace(scope, notebooks={name: ()})
    mistaken_paths.check_submissions(course, name, source)
    inside = source.resolve() == course.root / "submitted"
    scope = dataclasses.replace(scope, people=people.restore_ids(course, scope.people))
    with entries_of(source) as entries:
        download, refused = _shares(course, name, scope, source, entries)
        class_list = () if inside else scope.people
        records = collection_record.find(course, name)
        shares, renamed = _assign_shares(course, download, class_list, records)
        known_students = {person.student for person in scope.people} | set(records)
        if download.platform:  # its folders are people's, whatever their names are
            known_students |= set(shares)
        groups.check_no_student(scope.groups, known_students)
        groups.check_teams(shares, scope.groups)
        shares = groups.share_with_members(shares, scope.groups, inside) if scope.groups else shares
        choice = _choose_shares(shares, scope, source)
        _refuse_another_set(name, source, choice, scope.notebooks)
        handed_in, left_out = _hand_in(course, name, choice, download.platform, scope, refused)
    if not handed_in:
        reasons = "".join(f"\n  {line}" for line in refused[:10])
        raise CourseError(f"{source} has no submission of {name!r} in it{reasons}")
    if inside:
        handed_in = [_add_notes(handed, records.get(handed.student)) for handed in handed_in]
    elif scope.keep:
        new_records = {
            handed.student: _record(handed, shares[handed.student].owner, download.platform)
            for handed in handed_in
            if not handed.failure
        }
        collection_record.save(course, name, records | new_records)
    listed_students = {person.student for person in scope.people}
    return CollectedClass(
        tuple(handed_in),
        tuple(refused),
        download.platform,
        download.remarks + renamed,
        tuple(sorted(set(shares) - listed_students)) if class_list else (),
        tuple(sorted(listed_students - set(shares) - set(records))),
        () if inside else tuple(left_out),
    )


def _refuse_another_set(
    name: str, source: Path, shares: dict[str, Share], notebooks: Mapping[str, Collection[str]]
) -> None:
    """Raise CourseError where all notebooks are of other sets, by most of their cells.

    They would replace what was handed in before.
    """
    cells = {cell for names in notebooks.values() for cell in names}
    files = (file for share in shares.values() for file in share.files if file.notebook)
    foreign = 0
    for file in files if cells else ():
        claimed = find_claimed_cells(file)
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
    scope: CollectOptions,
    refused: list[str],
) -> tuple[list[CollectedSubmission], list[str]]:
    """Return each student's notebooks, and lines on students who gave none of this problem set.

    All notebooks together are kept up to the limit.
    """
    others = {*course.sources} - {name}
    handed_in: list[CollectedSubmission] = []
    left_out: list[str] = []
    total = 0
    for student, share in sorted(shares.items()):
        hand = _StudentFiles(
            course, name, student, share, others, scope, total < MAX_TOTAL_BYTES, refused
        )
        refusals = len(refused)
        if (handed := _collect_one(hand, platform)) is None:
            other = f"{quoted(student)}: all notebooks are other problem sets'"
            left_out += [other] if len(refused) == refusals else []
        else:
            handed_in.append(handed)
            total += sum(p.stat().st_size for p in handed.paths.values()) if scope.keep else 0
    if handed_in and all(handed.failure for handed in handed_in):
        raise CourseError(f"no submission could be collected: {handed_in[0].failure}")
    return handed_in, left_out


def _collect_one(hand: _StudentFiles, platform: str) -> CollectedSubmission | None:
    """Collect one student's notebooks. If they cause an error, this student gets a note about it.

    The other students are collected all the same.
    """
    try:
        return hand.collect(platform)
    except Exception as error:
        if ends_everything(error):
            raise
        reason = f"It could not be collected: {say_error(error)}"
        note = Note("not collected", reason, needs_teacher=True)
        digest = content_of([None] * len(hand.scope.notebooks))
        return CollectedSubmission(hand.student, {}, digest, (note,), failure=note.message)


def _shares(
    course: Course, name: str, scope: CollectOptions, source: Path, entries: Iterator[Entry]
) -> tuple[platforms.Download, list[str]]:
    """Return everything handed in, by student, under a platform's names of students or ours."""
    notebooks = scope.notebooks
    usable, refused = layouts.sorted_out(entries)
    usable = mistaken_paths.leave_out_courses(usable, name, notebooks, refused)
    download, inner = _download(usable, course)
    if download is None:
        unwrapped = layouts.without_wrapper(usable, name, notebooks)
        mistaken_paths.check_depth(unwrapped, name, notebooks, source)
        unwrapped = flat_names.without_platforms(unwrapped, refused)
        names = {*scope.groups, *scope.groups.values(), *(one.student for one in scope.people)}
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
    """Return a platform's download, and its entries without outer folders.

    Unpacking may have put folders around the download.
    """
    for _ in range(1 + MAX_OUTER_FOLDERS):
        files = [entry for entry in entries if not entry.is_folder]
        if download := platforms.recognise(files, course.zone):
            return download, entries
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


def _assign_shares(
    course: Course,
    download: platforms.Download,
    class_list: tuple[Person, ...],
    records: dict[str, collection_record.SubmissionRecord],
) -> tuple[dict[str, Share], tuple[str, ...]]:
    """Return each student's share, and lines on students who had another name the last time.

    Names are those of the class list, otherwise those of this set's last collecting.
    """
    owners = [share.owner for share in download.shares]
    who = people.match(owners, class_list) if class_list else {}
    earlier = defaultdict(list)
    for student, record in records.items():
        if record.platform and record.number:
            earlier[record.platform, record.number, record.name].append(student)
    shares: dict[str, Share] = {}
    renamed = []
    for share in download.shares:
        owner = share.owner
        names = earlier[download.platform, owner.number, owner.name]
        student = who[owner].student if owner in who else (names or [owner.student])[-1]
        renamed += [
            f"{quoted(student)} was {quoted(other)} before: {command('remove', course.root, other)}"
            for other in names
            if other != student
        ]
        if student in shares:
            raise CourseError(
                f"two submissions would be those of {quoted(student)}: nothing was graded. A list "
                "of the class tells them apart; give it by --roster"
            )
        shares[student] = _add_time(course, share, who.get(owner))
    return shares, tuple(renamed)


def _add_time(course: Course, share: Share, person: Person | None) -> Share:
    """Add the time that Moodle's worksheet has of this very submission; Moodle's zip has none."""
    owner = share.owner
    if person is None or not person.time or owner.time or owner.number != person.number:
        return share
    if not re.search(r"\d", person.time):  # a dash
        return share
    return dataclasses.replace(share, owner=platforms.with_time(owner, person.time, course.zone))


def _choose_shares(
    shares: dict[str, Share], scope: CollectOptions, source: Path
) -> dict[str, Share]:
    if absent := [student for student in scope.students if student not in shares]:
        who = "; ".join(
            quoted(name) + people.suggest_student(name, scope.people, shares) for name in absent
        )
        raise CourseError(f"{source} has no submission of {who}; nothing was graded")
    if not scope.students:
        return shares
    teams = {scope.groups[student] for student in scope.students if student in scope.groups}
    return {
        student: share
        for student, share in shares.items()
        if student in scope.students or scope.groups.get(student) in teams  # it is theirs, too
    }


def _record(
    handed: CollectedSubmission, owner: Owner, platform: str
) -> collection_record.SubmissionRecord:
    about = (owner.late, platform, owner.number, owner.name)
    return collection_record.SubmissionRecord(handed.digest, handed.notes, handed.timestamp, *about)


def _add_notes(
    handed: CollectedSubmission, record: collection_record.SubmissionRecord | None
) -> CollectedSubmission:
    """Add the notes made when the same notebook was collected from outside."""
    if record is None or record.digest != handed.digest:
        return handed
    name = "" if record.name == handed.student else record.name
    notes = record.notes
    if _group_notes(notes) != _group_notes(handed.notes):  # the group's members may have changed
        notes = (*(note for note in notes if note.kind != "group"), *_group_notes(handed.notes))
    return dataclasses.replace(handed, notes=notes, name=name)


def _group_notes(notes: tuple[Note, ...]) -> list[Note]:
    return [note for note in notes if note.kind == "group"]


@dataclass(frozen=True)
class _StudentFiles:
    """One student's files, of which one is to be collected."""

    course: Course
    name: str
    student: str
    share: Share
    others: set[str]  # problem sets
    scope: CollectOptions
    room_left: bool
    refused: list[str]

    def collect(self, platform: str) -> CollectedSubmission | None:
        """Keep the notebooks; return None where there is nothing of this problem set."""
        files = [file for file in self.share.files if not self.scope.is_set_file(file)]
        picked = choose_notebook(self.name, files, self.others, self.scope.notebooks)
        if not picked.files and not picked.notes:
            return None
        notes = [*picked.notes, *self.share.notes]
        if self.share.owner.late:
            notes.append(_late_note(platform))
        if self.share.owner.unread:
            notes.append(_time_note(platform, self.share.owner.unread))
        contents = {n: self._data(n, picked.files.get(n), notes) for n in self.scope.notebooks}
        if any(data and HIDDEN in data for data in contents.values()):
            self.refused.append(
                f"{quoted(self.student)}: a notebook with hidden tests in it is a teacher's"
            )
            return None
        digest = content_of(list(contents.values()))
        timestamp = self.share.owner.time
        if not timestamp and (stamp := _stamp(files, self.name)) is not None:
            timestamp = stamp if _is_time(stamp, self.course) else ""
            notes += [] if timestamp else [_time_note("timestamp.txt", stamp)]
        paths = {}
        for notebook, data in contents.items():
            path = self.course.submitted(self.student, self.name, notebook)
            if data is not None:
                paths[notebook] = path
            if self.scope.keep:
                _keep(path, data, notebook in picked.files, timestamp)
        timestamp = timestamp if paths else ""
        return CollectedSubmission(self.student, paths, digest, tuple(notes), timestamp, self._name)

    @property
    def _name(self) -> str:
        name = self.share.owner.name
        return "" if name == self.student else name

    def _data(self, notebook: str, file: Entry | None, notes: list[Note]) -> bytes | None:
        if file is None:
            return None
        new_notes: list[Note] = []
        if self.room_left:
            data = read_file(file, new_notes)
        else:
            limit = MAX_TOTAL_BYTES >> 30
            new_notes.append(unreadable(f"the class's notebooks exceed {limit} GiB together"))
            data = None
        about = notebook if len(self.scope.notebooks) > 1 else ""
        notes += [dataclasses.replace(note, notebook=about) for note in new_notes]
        return data


def _late_note(platform: str) -> Note:
    text = f"{platform} marks it as late and doesn't say by how much; no penalty was taken."
    return Note("late", text, needs_teacher=True)


def _time_note(platform: str, time: str) -> Note:
    text = f"{platform} has the time {quoted(time)}, which can't be read; no penalty was taken."
    return Note("time", text, needs_teacher=True)


def _keep(path: Path, data: bytes | None, is_there: bool, timestamp: str) -> None:
    """Write a notebook; remove an earlier submission's where this one has none."""
    if data is None:
        if not is_there:
            path.unlink(missing_ok=True)
        return
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
        if not timestamp:  # it is another submission's
            path.with_name("timestamp.txt").unlink(missing_ok=True)
        write_atomically(path, data)
    if timestamp:
        write_atomically(path.with_name("timestamp.txt"), timestamp)


def _stamp(files: list[Entry], name: str) -> str | None:
    """Return when it was handed in, as nbgrader's exchange wrote it; None where it didn't."""
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
