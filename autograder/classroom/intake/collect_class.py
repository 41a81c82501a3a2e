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
from typing import TYPE_CHECKING

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
    inner_archives,
    layouts,
    mistaken_paths,
    people,
    platforms,
)
from autograder.classroom.intake.choose_notebook import find_claimed_cells, read_file
from autograder.classroom.intake.people import Person
from autograder.classroom.intake.platforms import Owner, Share

if TYPE_CHECKING:
    from autograder.classroom.intake.recognise_variant import ObservedValues, VariantReader

MAX_TOTAL_BYTES = 8 << 30  # bytes of all notebooks together
MAX_OUTER_FOLDERS = 3  # folders around a platform's download


class NothingHandedIn(CourseError):
    """Files without a submission of the problem set; the message says why each was refused."""


@dataclass(frozen=True)
class CollectedSubmission:
    """One student's submission. `paths` has the collected notebooks by name."""

    student: str
    paths: Mapping[str, Path]
    digest: str
    notes: tuple[Note, ...] = ()
    timestamp: str = ""
    name: str = ""  # the student's name on the platform, if it differs
    failure: str = ""  # an error of the system: it could not be collected, so it can't be graded
    variant: str = ""  # the student whose variant it is graded with, if another's of a group
    observed: ObservedValues | None = None  # if each student has a variant


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
    left_out: tuple[str, ...] = ()  # in order, but without a notebook of this problem set


@dataclass(frozen=True)
class CollectOptions:
    """Options of collecting: the students, notebooks and files concerned.

    `notebooks` has the cells that identify each notebook, and `stubs` the released texts of its
    solution cells, so that of two notebooks the one with more answers is taken. Many students hand
    in the set's own `files` with their notebook, so these aren't reported. If `keep` is False,
    nothing is written.
    """

    people: tuple[Person, ...] = ()
    notebooks: Mapping[str, Collection[str]] = field(default_factory=dict)
    students: tuple[str, ...] = ()
    keep: bool = True
    files: frozenset[str] = frozenset()
    groups: Mapping[str, str] = field(default_factory=dict)  # by student
    stubs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by notebook and cell
    variants: VariantReader | None = None  # if each student has a variant

    def stubs_of(self, student: str) -> Mapping[str, Mapping[str, str]]:
        """Return the released texts of the solution cells that the student got."""
        return self.variants.stubs_of(student) if self.variants else self.stubs

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
    is_in_course = source.resolve() == course.root / "submitted"
    scope = dataclasses.replace(scope, people=people.restore_ids(course, scope.people))
    with entries_of(source) as entries:
        download, refused = _find_shares(course, name, scope, source, entries)
        class_list = () if is_in_course else scope.people
        records = collection_record.find(course, name)
        shares, renaming_lines = _assign_shares(course, download, class_list, records)
        known_students = {person.student for person in scope.people} | set(records)
        if download.platform:  # each of its folders belongs to a person
            known_students |= set(shares)
        groups.check_no_student(scope.groups, known_students)
        groups.check_teams(shares, scope.groups)
        if scope.groups:
            shares = groups.share_with_members(shares, scope.groups, is_in_course)
        choice = _choose_shares(shares, scope, source)
        _refuse_another_set(name, source, choice, scope.notebooks)
        handed_in, left_out = _hand_in(course, name, choice, download.platform, scope, refused)
    if not handed_in:
        reasons = "".join(f"\n  {line}" for line in refused[:10])
        raise NothingHandedIn(f"{source} has no submission of {name!r} in it{reasons}")
    if is_in_course:
        handed_in = [
            _add_notes(submission, records.get(submission.student)) for submission in handed_in
        ]
    elif scope.keep:
        new_records = {
            submission.student: _record(
                submission, shares[submission.student].owner, download.platform
            )
            for submission in handed_in
            if not submission.failure
        }
        collection_record.save(course, name, records | new_records)
    listed_students = {person.student for person in scope.people}
    return CollectedClass(
        tuple(handed_in),
        tuple(refused),
        download.platform,
        download.remarks + renaming_lines,
        tuple(sorted(set(shares) - listed_students)) if class_list else (),
        tuple(sorted(listed_students - set(shares) - set(records))),
        () if is_in_course else tuple(left_out),
    )


def _refuse_another_set(
    name: str, source: Path, shares: dict[str, Share], notebooks: Mapping[str, Collection[str]]
) -> None:
    """Raise CourseError if most cells of each notebook belong to other sets.

    Such notebooks would replace earlier submissions.
    """
    cells = {cell for names in notebooks.values() for cell in names}
    files = (file for share in shares.values() for file in share.files if file.notebook)
    count = 0
    for file in files if cells else ():
        claimed_cells = find_claimed_cells(file)
        if 2 * len(claimed_cells & cells) > len(claimed_cells):  # many sets have a cell `imports`
            return
        count += bool(claimed_cells)
    if count > 1:
        raise CourseError(
            f"none of the {count} notebooks in {source} is one of {name!r}: they are another "
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

    Notebooks are saved until their total size reaches the limit.
    """
    others = {*course.sources} - {name}
    handed_in: list[CollectedSubmission] = []
    left_out: list[str] = []
    total_bytes = 0
    for student, share in sorted(shares.items()):
        student_files = _StudentFiles(
            course, name, student, share, others, scope, total_bytes < MAX_TOTAL_BYTES, refused
        )
        refusal_count = len(refused)
        if (submission := _collect_one(student_files, platform)) is None:
            line = f"{quoted(student)}: all notebooks are other problem sets'"
            left_out += [line] if len(refused) == refusal_count else []
        else:
            handed_in.append(submission)
            total_bytes += (
                sum(path.stat().st_size for path in submission.paths.values()) if scope.keep else 0
            )
    if handed_in and all(submission.failure for submission in handed_in):
        raise CourseError(f"no submission could be collected: {handed_in[0].failure}")
    return handed_in, left_out


def _collect_one(student_files: _StudentFiles, platform: str) -> CollectedSubmission | None:
    """Collect one student's notebooks. If they cause an error, this student gets a note about it.

    The other students' notebooks are collected nevertheless.
    """
    try:
        return student_files.collect(platform)
    except Exception as error:
        if ends_everything(error):
            raise
        reason = f"It could not be collected: {say_error(error)}"
        note = Note("not collected", reason, needs_teacher=True)
        digest = content_of([None] * len(student_files.scope.notebooks))
        return CollectedSubmission(student_files.student, {}, digest, (note,), failure=note.message)


def _find_shares(
    course: Course, name: str, scope: CollectOptions, source: Path, entries: Iterator[Entry]
) -> tuple[platforms.Download, list[str]]:
    """Return all files by student, under a platform's names of students or under ours."""
    notebooks = scope.notebooks
    usable, refused = layouts.sorted_out(entries)
    usable = mistaken_paths.leave_out_courses(usable, name, notebooks, refused)
    download, inner_entries = _download(usable, course)
    if download is None:
        unwrapped = layouts.without_wrapper(usable, name, notebooks)
        mistaken_paths.check_depth(unwrapped, name, notebooks, source)
        unwrapped = flat_names.without_platforms(unwrapped, refused)
        names = {
            *scope.groups,
            *scope.groups.values(),
            *(person.student for person in scope.people),
        }
        flat_names.check(unwrapped, {name, *notebooks}, names, source)
        students = layouts.by_student(unwrapped, refused)
        shares = (
            Share(Owner(student, student), tuple(files)) for student, files in students.items()
        )
        return platforms.Download("", tuple(shares)), refused
    if download.platform != "Sakai":  # Sakai's download has a folder for everybody
        refused += layouts.refuse_empty(inner_entries)
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

    The names come from the class list, or otherwise from the last collection of this set.
    """
    owners = [share.owner for share in download.shares]
    person_of = people.match(owners, class_list) if class_list else {}
    earlier_students = defaultdict(list)
    for student, record in records.items():
        if record.platform and record.number:
            earlier_students[record.platform, record.number, record.name].append(student)
    shares: dict[str, Share] = {}
    renaming_lines = []
    for share in download.shares:
        owner = share.owner
        old_names = earlier_students[download.platform, owner.number, owner.name]
        student = (
            person_of[owner].student if owner in person_of else (old_names or [owner.student])[-1]
        )
        renaming_lines += [
            f"{quoted(student)} was {quoted(old)} before: {command('remove', course.root, old)}"
            for old in old_names
            if old != student
        ]
        if student in shares:
            raise CourseError(
                f"two submissions would be those of {quoted(student)}: nothing was graded. A list "
                "of the class tells them apart; give it by --roster"
            )
        shares[student] = _add_time(course, share, person_of.get(owner))
    return shares, tuple(renaming_lines)


def _add_time(course: Course, share: Share, person: Person | None) -> Share:
    """Add the time of this submission from Moodle's worksheet; Moodle's zip has no times."""
    owner = share.owner
    if person is None or not person.time or owner.time or owner.number != person.number:
        return share
    if not re.search(r"\d", person.time):  # the worksheet has a dash instead of a time
        return share
    return dataclasses.replace(share, owner=platforms.with_time(owner, person.time, course.zone))


def _choose_shares(
    shares: dict[str, Share], scope: CollectOptions, source: Path
) -> dict[str, Share]:
    if missing_students := [student for student in scope.students if student not in shares]:
        names_text = "; ".join(
            quoted(name) + people.suggest_student(name, scope.people, shares)
            for name in missing_students
        )
        raise CourseError(f"{source} has no submission of {names_text}; nothing was graded")
    if not scope.students:
        return shares
    teams = {scope.groups[student] for student in scope.students if student in scope.groups}
    return {
        student: share
        for student, share in shares.items()
        if student in scope.students or scope.groups.get(student) in teams  # each member's, too
    }


def _record(
    submission: CollectedSubmission, owner: Owner, platform: str
) -> collection_record.SubmissionRecord:
    details = (owner.late, platform, owner.number, owner.name)
    return collection_record.SubmissionRecord(
        submission.digest, submission.notes, submission.timestamp, *details
    )


def _add_notes(
    submission: CollectedSubmission, record: collection_record.SubmissionRecord | None
) -> CollectedSubmission:
    """Add the notes made when the same notebook was collected from outside."""
    if record is None or record.digest != submission.digest:
        return submission
    name = "" if record.name == submission.student else record.name
    notes = record.notes
    # The group's members may have changed.
    if _group_notes(notes) != _group_notes(submission.notes):
        notes = (*(note for note in notes if note.kind != "group"), *_group_notes(submission.notes))
    return dataclasses.replace(submission, notes=notes, name=name)


def _group_notes(notes: tuple[Note, ...]) -> list[Note]:
    return [note for note in notes if note.kind == "group"]


@dataclass(frozen=True)
class _StudentFiles:
    """One student's files, among which are the notebooks to collect."""

    course: Course
    name: str
    student: str
    share: Share
    others: set[str]  # problem sets
    scope: CollectOptions
    has_space_left: bool
    refused: list[str]

    def collect(self, platform: str) -> CollectedSubmission | None:
        """Save the notebooks; return None if there is no notebook of this problem set."""
        files = [file for file in self.share.files if not self.scope.is_set_file(file)]
        choice = inner_archives.choose(
            self.name, files, self.others, self.scope.notebooks, self.scope.stubs_of(self.student)
        )
        if not choice.files and not choice.notes:
            return None
        notes = [*choice.notes, *self.share.notes]
        if self.share.owner.late:
            notes.append(_note_late(platform))
        if self.share.owner.unread:
            notes.append(_note_time(platform, self.share.owner.unread))
        contents = {n: self._data(n, choice.files.get(n), notes) for n in self.scope.notebooks}
        if any(data and HIDDEN in data for data in contents.values()):
            self.refused.append(
                f"{quoted(self.student)}: a notebook with hidden tests in it is a teacher's"
            )
            return None
        digest = content_of(list(contents.values()))
        timestamp = self.share.owner.time
        if not timestamp and (stamp := _read_timestamp(files, self.name)) is not None:
            timestamp = stamp if _can_be_read(stamp, self.course) else ""
            notes += [] if timestamp else [_note_time("timestamp.txt", stamp)]
        paths = {}
        for notebook, data in contents.items():
            path = self.course.submitted(self.student, self.name, notebook)
            if data is not None:
                paths[notebook] = path
            if self.scope.keep:
                _save_notebook(path, data, notebook in choice.files, timestamp)
        timestamp = timestamp if paths else ""
        reader = self.scope.variants
        return CollectedSubmission(
            self.student, paths, digest, tuple(notes), timestamp, self._name,
            observed=reader.read(contents.values()) if reader else None,
        )  # fmt: skip

    @property
    def _name(self) -> str:
        name = self.share.owner.name
        return "" if name == self.student else name

    def _data(self, notebook: str, file: Entry | None, notes: list[Note]) -> bytes | None:
        if file is None:
            return None
        new_notes: list[Note] = []
        if self.has_space_left:
            data = read_file(file, new_notes)
        else:
            limit = MAX_TOTAL_BYTES >> 30
            new_notes.append(unreadable(f"the class's notebooks exceed {limit} GiB together"))
            data = None
        notebook_name = notebook if len(self.scope.notebooks) > 1 else ""
        notes += [dataclasses.replace(note, notebook=notebook_name) for note in new_notes]
        return data


def _note_late(platform: str) -> Note:
    text = f"{platform} marks it as late and doesn't say by how much; no penalty was taken."
    return Note("late", text, needs_teacher=True)


def _note_time(platform: str, time: str) -> Note:
    text = f"{platform} has the time {quoted(time)}, which can't be read; no penalty was taken."
    return Note("time", text, needs_teacher=True)


def _save_notebook(path: Path, data: bytes | None, is_handed_in: bool, timestamp: str) -> None:
    """Write a notebook; remove an earlier submission's notebook if this one has none."""
    if data is None:
        if not is_handed_in:
            path.unlink(missing_ok=True)
        return
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == data):
        if not timestamp:  # the file belongs to another submission
            path.with_name("timestamp.txt").unlink(missing_ok=True)
        write_atomically(path, data)
    if timestamp:
        write_atomically(path.with_name("timestamp.txt"), timestamp)


def _read_timestamp(files: list[Entry], name: str) -> str | None:
    """Return the time that nbgrader's exchange wrote beside the notebook, or None."""
    for file in files:
        if file.parts[1:] == (name, "timestamp.txt") and not file.problem:
            try:
                data = file.read(100).removeprefix(codecs.BOM_UTF8)  # an editor may have added it
                return data.decode("ascii", "backslashreplace").strip()
            except Exception:  # `zipfile` raises errors of many kinds
                return ""
    return None


def _can_be_read(stamp: str, course: Course) -> bool:
    try:
        times.of_exchange(stamp, course.zone)
    except ValueError:
        return False
    return True
