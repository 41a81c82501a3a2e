"""Read groups that hand in together: a CSV file with the columns `student_id` and `group`.

A group hands in once, under its own name or under the name of one member. Each member gets the
submission and its points. A student without a group works alone.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from autograder.classroom.course import csv_files
from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.classroom.course.printable import quoted, visible
from autograder.classroom.course.safe_files import refuse_name
from autograder.classroom.grading.read_notebook import Note
from autograder.classroom.intake.choose_notebook import read_file
from autograder.classroom.intake.platforms import Share

COLUMNS = ("student_id", "group")
_MAX_NAME_CHARACTERS = 100  # characters of a group's name
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def read(path: Path) -> dict[str, str]:
    """Return each student's group; raise CourseError for another file, or for contradictions."""
    table = csv_files.read(path, "list of groups", COLUMNS)
    header = [cell.strip().casefold() for cell in table.header]
    if missing := [name for name in COLUMNS if name not in header]:
        raise CourseError(f"{path} has no column {missing[0]!r}; it needs {' and '.join(COLUMNS)}")
    groups: dict[str, str] = {}
    for line, row in table.rows:
        student, group = _member(f"{path}, line {line}", dict(zip(header, row, strict=False)))
        if groups.setdefault(student, group) != group:
            raise CourseError(
                f"{path}, line {line}: {quoted(student)} is in {_describe(groups[student])} "
                f"already and can't be in {_describe(group)}, too"
            )
    groups = {student: group for student, group in groups.items() if group}
    if not groups:
        raise CourseError(f"{path} has no student in a group")
    for group in groups.values():
        if groups.get(group, group) != group:
            raise CourseError(
                f"{path}: {_describe(group)} has the name of a student of another group, so a "
                f"folder {quoted(group)} could belong to either; give the group another name"
            )
    return groups


def _member(place: str, row: dict[str, str]) -> tuple[str, str]:
    student, group = (row.get(name, "").strip() for name in COLUMNS)
    if reason := refuse_name(student):
        raise CourseError(f"{place}: {reason}")
    if _CONTROL.search(group) or len(group) > _MAX_NAME_CHARACTERS:
        raise CourseError(f"{place}: {quoted(group)} can't be a group's name")
    return student, group


def _describe(group: str) -> str:
    return f"the group {quoted(group)}" if group else "no group"


def check_listed(groups: Mapping[str, str], class_list: Collection[str]) -> None:
    """Raise CourseError if somebody in a group isn't on the list of the class."""
    if unlisted := sorted(set(groups) - set(class_list)) if class_list else []:
        names = ", ".join(map(quoted, unlisted[:10]))
        raise CourseError(
            f"these students are in a group but not on the list of the class: {names}; nothing was "
            "graded"
        )


def save(course: Course, name: str, groups: Mapping[str, str]) -> None:
    """Save the groups, for later grading and for the report."""
    write_atomically(course.groups(name), json.dumps(dict(sorted(groups.items()))), mode=0o600)


def find(course: Course, name: str) -> dict[str, str]:
    """Return the groups that were given last for this problem set, or {} if there are none.

    Raises CourseError if the file is damaged.
    """
    path = course.groups(name)
    if not path.exists():
        return {}
    try:
        return {str(s): str(g) for s, g in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, AttributeError) as error:
        raise CourseError(f"{path} is damaged; give the groups again with --groups") from error


def remove(course: Course, student: str) -> None:
    """Remove a student from all saved groups."""
    for name in course.sets:
        groups = find(course, name)
        if groups.pop(student, None) and groups:
            save(course, name, groups)
        elif not groups:
            course.groups(name).unlink(missing_ok=True)


def check_no_student(groups: Mapping[str, str], students: Collection[str]) -> None:
    """Raise CourseError if a group has the name of one of these students, who isn't in it.

    A folder of that name could belong to the student or to the group.
    """
    names = {student.casefold() for student in students}
    group_of = {student.casefold(): group for student, group in groups.items()}
    for group in sorted(set(groups.values())):
        if group.casefold() in names and group_of.get(group.casefold()) != group:
            raise CourseError(
                f"{quoted(group)} is a student, and {_describe(group)} has the same name: a folder "
                "of that name could belong to either. Nothing was graded. Give the group another "
                "name or, if there is no such student, use 'autograder remove'"
            )


def check_teams(shares: Mapping[str, Share], groups: Mapping[str, str]) -> None:
    """Raise CourseError if a platform's team handed in and its members aren't known.

    The download names only members who handed in a file; the others would get no points.
    """
    teams = defaultdict(list)
    for student, share in sorted(shares.items()):
        if share.owner.team and student not in groups:
            teams[share.owner.team].append(student)
    if teams:
        text = "; ".join(
            f"{quoted(team)}, for which {' and '.join(map(quoted, students))} handed in"
            for team, students in sorted(teams.items())[:10]
        )
        raise CourseError(
            f"the download does not name all members of these teams: {text}. Nothing was graded. "
            "Write all members of each team into a CSV file with the columns student_id and group, "
            "and give it by --groups; a student who works alone is a group of one"
        )


def share_with_members(
    shares: Mapping[str, Share], groups: Mapping[str, str], inside: bool
) -> dict[str, Share]:
    """Give each member the group's share; raise CourseError if a group has two.

    If the files come from the course itself (`inside`), each member has a copy already, and equal
    copies count as one.
    """
    members = defaultdict(list)
    for student, group in sorted(groups.items()):
        members[group].append(student)
    by_student = dict(shares)
    for group, students in sorted(members.items()):
        group_shares = [by_student[student] for student in students if student in by_student]
        if group not in groups and group in by_student:
            group_shares.append(by_student.pop(group))
        if len(group_shares) > 1 and not (inside and _are_copies(group_shares)):
            names = ", ".join(quoted(share.owner.student) for share in group_shares)
            raise CourseError(
                f"{_describe(group)} handed in more than once, as {names}. Nothing was graded. "
                "Delete all but one, or remove from the group whoever works alone"
            )
        if group_shares:
            size_text = "1 member" if len(students) == 1 else f"{len(students)} members"
            note = Note(
                "group", f"Handed in for the group {visible(group)}, which has {size_text}."
            )
            by_student |= {student: _copy(group_shares[0], student, note) for student in students}
    return by_student


def _copy(share: Share, student: str, note: Note) -> Share:
    """Copy a share for another member, without the sender's number and address."""
    owner = dataclasses.replace(share.owner, student=student, name=student, number="", email="")
    return dataclasses.replace(share, owner=owner, notes=(*share.notes, note))


def _are_copies(shares: list[Share]) -> bool:
    def contents(share: Share) -> dict[tuple[str, ...], str]:
        return {
            file.parts[1:]: hashlib.sha256(read_file(file, []) or b"").hexdigest()
            for file in share.files
        }

    return all(contents(share) == contents(shares[0]) for share in shares[1:])


def one_of_each(students: Collection[str], groups: Mapping[str, str]) -> list[str]:
    """Return the first student of each group, and all students who work alone."""
    seen_groups: set[str] = set()
    representatives = []
    for student in sorted(students):
        group = groups.get(student, "")
        if not group or group not in seen_groups:
            representatives.append(student)
        seen_groups.add(group)
    return representatives
