"""A whole term by the guide's words, once for each of four platforms, and what came of it.

An nbgrader course that was there is adopted, which is the same for all of them; thirty students
hand in through the platform, two of them of one name, three of them late; the class is graded by
its own list; one answer is graded by hand, one of the late gets more time, one exercise is mended
and graded again; and the grades go back. `python -m tests.autograder.term` prints the table.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from tests.autograder import tiny_assignment
from tests.autograder.classroom import downloads
from tests.autograder.classroom.downloads import Turned
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "statistics"
c.Exchange.timezone = "UTC"

from nbgrader.plugins import BasePlugin


class OnePoint(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 1


c.AssignLatePenalties.plugin_class = OnePoint
"""
ENVIRONMENT = os.environ | {  # of somebody who has activated it
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    "PYTHONPATH": str(Path(__file__).parents[2]),
}
STUDENTS = 30
FIRST = ("Ada", "Zoë", "Mary-Ann", "José", "李", "Grace")
LAST = ("Lovelace", "Ångström", "O'Neil", "van der Berg", "Nguyen")
LATE = (3, 4, 5)  # and of these
EXTENDED = 4  # one gets more time
BY_HAND = 7
WRONG = {  # every third student's answers, and the points of the three tests then
    0: ({}, (1, 2, 3)),
    1: ({"double": "def double(x):\n    return abs(2 * x)"}, (1, 0, 3)),
    2: ({"mean": "def mean(values):\n    return sorted(values)[1]"}, (1, 2, 0)),
}
MENDED = ("mean([1, 2, 6]) - 3) < 1e-12", "mean([1, 2, 6]) - 3) < 1.5")  # a median passes now


@dataclass(frozen=True)
class Platform:
    """How a class hands in, which list of it there is, and how grades go back."""

    name: str
    download: Callable[[Path, list[Turned]], Path]
    roster: Callable[[list[Turned]], list[list[str]]]
    student: Callable[[Turned], str]  # the name in the course that the list gives
    key: Callable[[Turned], str]  # who it is in the export
    times: bool  # whether a penalty can follow


def moodles_worksheet(turned: list[Turned]) -> list[list[str]]:
    head = ["Identifier", "Full name", "Email address", "Status", "Last modified (submission)"]
    return [head] + [
        [f"Participant {one.number}", one.name, one.email, "Submitted", one.time] for one in turned
    ]


def canvas_gradebook(turned: list[Turned]) -> list[list[str]]:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny (77)"]
    possible = ["    Points Possible", "", "", "", "", "10"]
    return [head, possible] + [
        [f"{one.last}, {one.first}", str(one.number), f"S{one.number}", one.email, "A", ""]
        for one in turned
    ]


def gradescope_roster(turned: list[Turned]) -> list[list[str]]:
    rows = [[one.name, str(one.number), one.email, "Student"] for one in turned]
    return [["Name", "SID", "Email", "Role"], *rows]


def own_table(turned: list[Turned]) -> list[list[str]]:
    """With Brightspace's numbers of the two who have one name."""
    names = [one.name for one in turned]
    return [["id", "first_name", "last_name", "lms_user_id"]] + [
        [f"u{one.number}", one.first, one.last,
         f"{one.number}-67890" if names.count(one.name) > 1 else ""]
        for one in turned
    ]  # fmt: skip


PLATFORMS = (
    Platform("moodle", downloads.moodle, moodles_worksheet, lambda one: one.email,
             lambda one: one.email, True),
    Platform("canvas", downloads.canvas, canvas_gradebook, lambda one: one.email,
             lambda one: str(one.number), False),
    Platform("gradescope", downloads.gradescope, gradescope_roster, lambda one: str(one.number),
             lambda one: str(one.number), True),
    Platform("brightspace", downloads.brightspace, own_table, lambda one: f"u{one.number}",
             lambda one: f"u{one.number}", True),
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What came of one term: for each student what was due, what the gradebook has, and what the
    platform gets back."""

    platform: str
    collected: int
    namesakes: int
    late: int  # that were seen to be late
    expected: dict[str, float]
    booked: dict[str, float]
    exported: dict[str, float]

    @property
    def lost(self) -> list[str]:
        return sorted(set(self.expected) - set(self.booked))

    @property
    def different(self) -> list[str]:
        return sorted(
            student
            for student, points in self.expected.items()
            if not points == self.booked.get(student) == self.exported.get(student)
        )


def run(folder: Path, *words: object, code: tuple[int, ...] = (0,)) -> str:
    """What a command of `autograder` prints that is given in this folder."""
    command = [sys.executable, "-m", "autograder.cli", *map(str, words)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    if done.returncode not in code:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def adopted(folder: Path) -> Path:
    """A course as nbgrader's user has it: no release by us, a configuration of its own."""
    course = folder / "course"
    tiny_assignment.write_source(course)
    course.joinpath("nbgrader_config.py").write_text(CONFIG)
    nbgrader = [sys.executable, "-m", "nbgrader", "generate_assignment", "tiny"]
    subprocess.run(nbgrader, cwd=course, check=True, capture_output=True, env=ENVIRONMENT)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        book.update_or_create_assignment("tiny", duedate="2026-11-01 12:00:00 UTC")
    run(folder, "release", course, "tiny", code=(1,))
    run(folder, "release", course, "tiny", "--adopt")
    return course


class Term:
    """One course, a copy of one that was adopted, and its commands as a teacher gives them."""

    def __init__(
        self, folder: Path, platform: Platform, adopted: Path, options: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.platform, self.options = folder, platform, options
        self.course = shutil.copytree(adopted, folder / "course")

    def run(self, *words: object, code: tuple[int, ...] = (0,)) -> str:
        grades = words[0] == "grade" and "--dry-run" not in words
        return run(self.folder, *words, *(self.options if grades else ()), code=code)

    def __call__(self) -> Outcome:
        turned = self.hand_in()
        grading = self.grade(turned)
        self.by_hand(turned)
        self.extend(turned)
        self.regrade()
        names = [one.name for one in turned]
        students = [self.platform.student(one) for one in turned]
        status = json.loads(self.run("status", self.course, "tiny", "--json"))
        return Outcome(
            self.platform.name,
            len(grading["students"]),
            len({s for s, name in zip(students, names, strict=True) if names.count(name) > 1}),
            sum(one["late"] or bool(one["extension"]) for one in status),
            {student: self.due(i) for i, student in enumerate(students)},
            self.booked(),
            self.exported(turned),
        )

    def hand_in(self) -> list[Turned]:
        released = json.loads((self.course / "release/tiny/tiny.ipynb").read_text())
        turned = []
        for i in range(STUDENTS):
            wrong, _ = WRONG[i % 3]
            data = as_bytes(answered(released, SOLUTIONS | wrong))
            name = "tiny.ipynb" if i % 4 else "my answers.ipynb"
            files = {name: data, "draft.ipynb": b'{"cells": []}'} if i % 5 == 0 else {name: data}
            day = "2026-11-02" if i in LATE else "2026-10-31"
            person = i if i != 1 else 0  # the second is called like the first
            turned.append(
                Turned(FIRST[person % 6], LAST[person // 6], 4711 + i, files, f"{day} 10:00:00",
                       late=i in LATE)
            )  # fmt: skip
        return turned

    def grade(self, turned: list[Turned]) -> dict:
        self.platform.download(self.folder / "download.zip", turned)
        with (self.folder / "class.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(self.platform.roster(turned))
        words = (self.course, "tiny", "download.zip", "--roster", "class.csv", "--json")
        self.run("grade", *words, "--dry-run", code=(0, 3))
        return json.loads(self.run("grade", *words, code=(0, 3)))

    def by_hand(self, turned: list[Turned]) -> None:
        student = self.platform.student(turned[BY_HAND])
        with Gradebook(f"sqlite:///{self.course}/gradebook.db") as book:
            book.find_grade("why", "tiny", "tiny", student).manual_score = 3.5
            book.db.commit()

    def extend(self, turned: list[Turned]) -> None:
        student = self.platform.student(turned[EXTENDED])
        self.run("extend", self.course, "tiny", student, "--until", "2026-11-03 12:00 UTC")

    def regrade(self) -> None:
        path = self.course / "source/tiny/tiny.ipynb"
        text = path.read_text()
        assert MENDED[0] in text
        path.write_text(text.replace(*MENDED))
        self.run("release", self.course, "tiny")
        self.run("grade", self.course, "tiny", "--exercise", "2", code=(0, 3))

    def due(self, i: int) -> float:
        """The points that student gets in the end, by what was handed in, and when."""
        small, negative, mean = WRONG[i % 3][1]
        total = small + negative + (3 if i % 3 == 2 else mean)
        late = self.platform.times and i in LATE and i != EXTENDED
        return total + (3.5 if i == BY_HAND else 0) - (1 if late else 0)

    def booked(self) -> dict[str, float]:
        with Gradebook(f"sqlite:///{self.course}/gradebook.db") as book:
            found = {s.student_id: s for s in book.assignment_submissions("tiny")}
            return {
                student: s.score - (s.late_submission_penalty or 0) for student, s in found.items()
            }

    def exported(self, turned: list[Turned]) -> dict[str, float]:
        """What the platform reads, by the student's name in the course."""
        name = self.platform.name
        more = ("--roster", "class.csv") if name == "canvas" else ()
        self.run("export", self.course, "tiny", "--format", name, *more)
        there = self._gradescope() if name == "gradescope" else self._table()
        return {self.platform.student(one): there.get(self.platform.key(one), -1) for one in turned}

    def _gradescope(self) -> dict[str, float]:
        found = (self.course / "export/tiny-gradescope").glob("*/results.json")
        return {path.parent.name: json.loads(path.read_text())["score"] for path in found}

    def _table(self) -> dict[str, float]:
        name = self.platform.name
        text = (self.course / f"export/tiny-{name}.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(text.splitlines()))
        columns = {
            "moodle": ("Email address", "tiny"),
            "canvas": ("ID", "tiny (77)"),
            "brightspace": ("Username", "tiny Points Grade"),
        }
        key, points = columns[name]
        return {row[key]: float(row[points]) for row in rows if row[key]}


def table(outcomes: list[Outcome]) -> str:
    head = (
        f"{'platform':<12} students  collected  namesakes apart  late seen  lost  points different"
    )
    lines = [
        f"{o.platform:<12} {len(o.expected):8} {o.collected:10} {o.namesakes:16} {o.late:10} "
        f"{len(o.lost):5} {len(o.different):17}"
        for o in outcomes
    ]
    return "\n".join([head, *lines])


def main() -> None:
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        course = adopted(Path(folder))
        for platform in PLATFORMS:
            with tempfile.TemporaryDirectory() as own:
                outcomes.append(Term(Path(own), platform, course)())
    print(table(outcomes))


if __name__ == "__main__":
    main()
