"""The list of the class, exported from any system, and the submission of each student on it.

This module reads the gradebooks and participant lists of Canvas, Moodle, Gradescope and
Brightspace, and nbgrader's own table. Among Moodle's lists, only the grading worksheet
distinguishes students with equal names. The last list is saved, so that students keep their ids all
term.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.classroom.course import csv_files
from autograder.classroom.course.folders import Course, CourseError, meant, write_atomically
from autograder.classroom.course.printable import quoted, visible
from autograder.classroom.course.safe_files import refuse_name
from autograder.classroom.gradebook.busy_database import retry_while_locked
from autograder.classroom.gradebook.connection import open_gradebook, readable_errors
from autograder.classroom.intake.platforms import Owner


@dataclass(frozen=True)
class Person:
    """A student of the class. `student` is the id in the course; other values may be unknown."""

    student: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    number: str = ""  # the platform's own number for the person
    time: str = ""  # the time of the submission with that number, from Moodle's worksheet

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.first_name, self.last_name))) or self.student


# Titles of each column that we need; the first column that is present and filled counts.
_STUDENT = (
    "student_id", "username", "sis login id", "sis user id", "orgdefinedid", "id number", "sid",
    "student id", "id", "email", "email address", "identifier",
)  # fmt: skip
_FIRST_NAME = ("first_name", "first name", "firstname", "given name")
_LAST_NAME = ("last_name", "last name", "lastname", "surname", "family name")
_FULL_NAME = ("student", "full name", "name", "student name")
_EMAIL = ("email", "email address", "e-mail", "sis login id")
_NUMBER = ("lms_user_id", "identifier", "id", "sid")
_TIME = ("last modified (submission)",)
_TRANSLATIONS = {  # as Moodle writes them in German, French and Spanish
    "first name": ("vorname", "prénom", "nombre"),
    "last name": ("nachname", "nom", "nom de famille", "apellidos", "apellido(s)"),
    "full name": ("vollständiger name", "nom complet", "nombre completo"),
    "username": ("anmeldename", "benutzername", "nom d'utilisateur", "nombre de usuario"),
    "id number": ("id-nummer", "matrikelnummer", "numéro d'identification", "número de id"),
    "email address": ("e-mail-adresse", "adresse de courriel", "dirección de correo"),
    "identifier": ("identifiant", "identificador"),
    "last modified (submission)": (
        "zuletzt geändert (abgabe)", "dernière modification (travail remis)",
        "última modificación (entrega)",
    ),
}  # fmt: skip
_ENGLISH = {title: column for column, titles in _TRANSLATIONS.items() for title in titles}
_PEOPLE = {*_STUDENT, *_FIRST_NAME, *_LAST_NAME, *_FULL_NAME}
_KNOWN = {*_PEOPLE, *_EMAIL, *_NUMBER, *_TIME, *_ENGLISH}
_NEEDED_COLUMNS = "it needs one of id, Username, SIS Login ID, ID number, SID, Email"
_PARTICIPANT = re.compile(r"(?:participant|teilnehmer)\S*?\s*(?=\d)", re.IGNORECASE)

Row = tuple[int, dict[str, str]]  # the line in the file, and its values by column


def read(path: Path) -> tuple[Person, ...]:
    """Return the people of a CSV file; raise CourseError if it isn't a list of a class."""
    rows = _rows(path)
    column = _student_column(path, rows)
    people = [_person(row, column) for _, row in rows]
    for person in people:
        if reason := refuse_name(person.student):
            raise CourseError(f"{path}: {reason}")
    counts = Counter(person.student for person in people)
    if duplicates := [student for student, count in counts.items() if count > 1]:
        raise CourseError(
            f"{path} has {quoted(duplicates[0])} {counts[duplicates[0]]} times in the column "
            f"{column!r}; each student needs a different value there"
        )
    return tuple(people)


def _rows(path: Path) -> list[Row]:
    table = csv_files.read(path, "list of the class", _KNOWN)
    lower_case = [title.strip().casefold() for title in table.header]
    header = [_ENGLISH.get(title, title) for title in lower_case]
    if table.rows and not _PEOPLE & {*header}:
        titles = ", ".join(map(quoted, table.header[:20]))
        raise CourseError(
            f"{path} has no column that identifies students: {_NEEDED_COLUMNS}. It has {titles}"
        )
    rows = [
        (line, dict(zip(header, map(str.strip, row), strict=False))) for line, row in table.rows
    ]
    people = [(line, _with_identifier(row)) for line, row in rows if _is_person(row)]
    if not people:
        raise CourseError(f"{path} has no people in it")
    return people


def _with_identifier(row: dict[str, str]) -> dict[str, str]:
    """Return the row with a submission's number as `identifier`; German Moodle calls it ID."""
    if _PARTICIPANT.match(number := row.get("id", "")):
        return {"identifier": number} | {title: row[title] for title in row if title != "id"}
    return row


def _is_person(row: dict[str, str]) -> bool:
    """Return whether a row is a person: it has a name, and isn't a special row of Canvas."""
    is_special = row.get("student", "").startswith(("Points Possible", "Student, Test"))
    return not is_special and any(row.get(column) for column in _PEOPLE)


def _student_column(path: Path, rows: list[Row]) -> str:
    """Return the first column that names everybody.

    Raises CourseError if an earlier column names most students, but not all: with a later column,
    all students would get other ids.
    """
    for column in _STUDENT:
        rows_without_name = [(line, row) for line, row in rows if not row.get(column)]
        if not rows_without_name:
            return column
        if 2 * len(rows_without_name) < len(rows):
            lines = ", ".join(
                f"line {line} ({_row_label(row)})" for line, row in rows_without_name[:5]
            )
            more = f" and {len(rows_without_name) - 5} more" if len(rows_without_name) > 5 else ""
            raise CourseError(
                f"{path} names students by the column {column!r}, which is empty in {lines}{more}: "
                "give it a value there, or take the column out of the file"
            )
    raise CourseError(
        f"{path} has no column that names everybody; {_NEEDED_COLUMNS}, with a value in each line"
    )


def _row_label(row: dict[str, str]) -> str:
    columns = (*_FULL_NAME, *_FIRST_NAME, *_LAST_NAME, *_EMAIL)
    return quoted(" ".join(row[column] for column in columns if row.get(column)))


def _person(row: dict[str, str], column: str) -> Person:
    first, last = _first_of(row, _FIRST_NAME), _first_of(row, _LAST_NAME)
    if not (first or last):
        full_name = _first_of(row, _FULL_NAME)
        last, comma, first = full_name.partition(",")
        if not comma:
            first, _, last = full_name.rpartition(" ")
    email = _first_of(row, _EMAIL)
    number = _PARTICIPANT.sub("", _first_of(row, _NUMBER), count=1)
    student = row[column].removeprefix("#")
    email = email if "@" in email else ""
    time = _first_of(row, _TIME)
    return Person(student, first.strip(), last.strip(), email, number.strip(), time)


def _first_of(row: dict[str, str], columns: tuple[str, ...]) -> str:
    return next((row[column] for column in columns if row.get(column)), "")


def restore_ids(course: Course, people: tuple[Person, ...]) -> tuple[Person, ...]:
    """Return the people with the ids that the last list gave them.

    The new list may identify students by another column. Two entries with the same e-mail address,
    or with the same number and name, are the same person.
    """
    last_list = load_list(course)
    earlier_ids = defaultdict(set)
    for person in last_list:
        for key in _identity(person):
            earlier_ids[key].add(person.student)
    known_ids = {person.student for person in last_list}
    new_ids = {person.student for person in people}
    candidates = {
        person.student: ids.pop()
        for person in people
        if person.student not in known_ids
        and len(ids := set().union(*(earlier_ids[key] for key in _identity(person))) - new_ids) == 1
    }
    counts = Counter(candidates.values())
    restored_ids = {new: old for new, old in candidates.items() if counts[old] == 1}
    return tuple(
        replace(person, student=restored_ids.get(person.student, person.student))
        for person in people
    )


def _identity(person: Person) -> list[tuple[str, ...]]:
    by_email = [("email", person.email.casefold())] if person.email else []
    return by_email + ([("number", person.number, _letters(person.name))] if person.number else [])


def save_list(course: Course, people: tuple[Person, ...]) -> None:
    """Save the list for later problem sets, and enter the people into nbgrader's gradebook."""
    people = restore_ids(course, people)
    write_atomically(course.people, json.dumps([asdict(p) for p in people]), mode=0o600)
    with open_gradebook(course) as book, readable_errors(course, "written"):
        for person in people:
            fields = {key: value for key, value in asdict(person).items() if value}
            student = fields.pop("student")
            fields.pop("time", None)
            if number := fields.pop("number", ""):
                fields["lms_user_id"] = number
            retry_while_locked(functools.partial(book.update_or_create_student, student, **fields))


def load_list(course: Course) -> tuple[Person, ...]:
    """Return the list that was given last, or () if there was none.

    Raises CourseError if it is damaged.
    """
    try:
        return tuple(Person(**row) for row in json.loads(course.people.read_text("utf-8")))
    except FileNotFoundError:
        return ()
    except (ValueError, TypeError) as error:
        raise CourseError(
            f"{course.people} is damaged ({error}); take it from a backup, or move it out of the "
            "way and give --roster again"
        ) from error


def match(owners: list[Owner], people: tuple[Person, ...]) -> dict[Owner, Person]:
    """Return the person of each owner of a submission who is on the list.

    Raises CourseError if a submission fits two people, or if one person fits two submissions.
    """
    lookup = _PersonLookup(people)
    matches = {owner: person for owner in owners if (person := lookup.find(owner)) is not None}
    owners_by_person = defaultdict(list)
    for owner, person in matches.items():
        owners_by_person[person].append(owner)
    for person, rivals in owners_by_person.items():
        if len(rivals) > 1:
            names = " and ".join(quoted(_label(owner)) for owner in rivals)
            raise CourseError(
                f"the list of the class has one {quoted(person.student)}, but {names} are two "
                "submissions that fit. Nothing was graded. Correct the list and give it by --roster"
            )
    return matches


def _label(owner: Owner) -> str:
    return f"{owner.name or owner.student} ({owner.number})" if owner.number else owner.student


def suggest_student(name: str, people: Iterable[Person], students: Iterable[str]) -> str:
    """Return the end of a sentence that names the likely student; "" if no name is similar."""
    keys = {name, name.casefold(), _letters(name)}
    matches = [p for p in people if any(key in keys for _, key in _keys_of_person(p))]
    if len(matches) == 1 and matches[0].student != name:
        return f"; {quoted(matches[0].student)} is {visible(matches[0].name)}"
    return meant(name, students)


class _PersonLookup:
    def __init__(self, people: tuple[Person, ...]) -> None:
        self._people: dict[tuple[str, str], set[Person]] = defaultdict(set)
        for person in people:
            for key in _keys_of_person(person):
                self._people[key].add(person)

    def find(self, owner: Owner) -> Person | None:
        """Return the person whom the first matching key identifies, or None.

        Raises CourseError if several people fit. A number may not be a person's (in Moodle it may
        be the submission's), so it must not contradict the name.
        """
        keys = _keys_of_owner(owner)
        by_name = [self._people[key] for key in keys if key[0] == "name" and key in self._people]
        for key in keys:
            people = self._people.get(key, set())
            if len(people) == 1 and key[1] in (owner.number, owner.number.casefold()):
                people = people.union(*(group for group in by_name if len(group) == 1))
            if len(people) == 1:
                return next(iter(people))
            if people:
                students = ", ".join(sorted(quoted(person.student) for person in people))
                raise CourseError(
                    f"{quoted(_label(owner))} could be each of {students}. Nothing was graded. "
                    "Give, by --roster, a list with the platform's numbers or e-mail addresses "
                    "(in Moodle, the grading worksheet of this set)"
                )
        return None


def _keys_of_person(person: Person) -> set[tuple[str, str]]:
    first, last = _letters(person.first_name), _letters(person.last_name)
    keys = {
        ("student", person.student.casefold()),
        ("number", person.number),
        ("email", person.email.casefold()),
        ("name", _letters(person.name)),
        ("name", first + last),
        ("name", last + first),
    }
    return {key for key in keys if key[1]}


def _keys_of_owner(owner: Owner) -> list[tuple[str, str]]:
    keys = [
        ("number", owner.number),
        ("email", owner.email.casefold()),
        ("student", owner.number.casefold()),
        ("student", owner.student.casefold()),
        ("name", _letters(owner.name)),
        ("name", _letters(" ".join(reversed(owner.name.split(",", 1))))),
    ]
    return [key for key in keys if key[1]]


def _letters(name: str) -> str:
    """Return the name without accents, spaces, punctuation and case, as Canvas writes it."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(
        r"[\W_]", "", "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    )
