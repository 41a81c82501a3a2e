"""Seconds a submission: `autograder grade` against stock `nbgrader autograde`, the same class.

    python tests/benchmarks/grading.py [STUDENTS]

Stock nbgrader grades the class in one process with its own configuration, its best case. Each is
compared with stock nbgrader on as many cores. Times are by the clock, from starting a command to
its end; "each further" leaves out what a class of one takes, which is mostly starting up. The
points must be the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.classroom.folders import Course
from autograder.classroom.release import release
from autograder.demo import SAMPLE_CLASS, filled_in, sample

NAME = "ps03"

STOCK = f"""
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
import os
folder = CourseDirectory(root=os.getcwd(), assignment_id={NAME!r})
Autograde(coursedir=folder).start()
"""

POINTS = """
select submitted_assignment.student_id, base_cell.name, grade.auto_score
from grade join base_cell on grade.cell_id = base_cell.id
join submitted_notebook on grade.notebook_id = submitted_notebook.id
join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
"""


def hand_in(course: Course, students: int) -> None:
    """The reference solution, with a comment that makes each student's notebook their own."""
    released = json.loads(course.released(NAME).read_text(encoding="utf-8"))
    answers = sample(SAMPLE_CLASS / "ada.txt")
    for number in range(students):
        student = f"student{number:03}"
        own = {name: f"# {student}\n{text}" for name, text in answers.items()}
        path = course.submitted(student, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(released, own)), encoding="utf-8")


def timed(command: list[str], folder: Path, cores: int) -> float:
    """Seconds by the clock, on so many cores."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    mine = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, mine[-cores:])
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    os.sched_setaffinity(0, mine)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return seconds


def points(course: Course) -> list[tuple]:
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        return sorted(database.execute(POINTS).fetchall())


def graded(course: Course, name: str) -> float:
    """Seconds to grade a fresh copy of the course."""
    copy = course.root.with_name(f"{course.root.name}-{name}")
    shutil.copytree(course.root, copy)
    contender = CONTENDERS[name]
    if contender.command is STOCK_COMMAND:
        Course.at(copy).config_file.write_text("c = get_config()\n")
    command = [part.format(course=copy) for part in contender.command]
    took = timed(command, copy, contender.cores)
    stock = course.root.with_name(f"{course.root.name}-stock-1")
    if points(Course.at(copy)) != points(Course.at(stock)):
        sys.exit("the points differ from stock nbgrader's")
    return took


@dataclass(frozen=True)
class Contender:
    """A way to grade the class, and what it is compared with."""

    label: str
    command: list[str]
    cores: int
    stock: str


STOCK_COMMAND = [sys.executable, "-c", STOCK]
OURS = [sys.executable, "-m", "autograder.cli", "grade", "{course}", NAME, "--allow-weak-sandbox"]
CONTENDERS = {
    "stock-1": Contender("nbgrader autograde on one core", STOCK_COMMAND, 1, "stock-1"),
    "ours-1": Contender("autograder grade on one core", OURS, 1, "stock-1"),
    "stock-2": Contender("nbgrader autograde on two cores", STOCK_COMMAND, 2, "stock-2"),
    "ours-2": Contender("autograder grade on two cores", OURS, 2, "stock-2"),
}


def course_of(folder: Path, students: int) -> Course:
    course = Course.at(folder / f"class-of-{students}")
    most = release(course, NAME).max_points
    hand_in(course, students)
    print(f"a class of {students}: {most:g} points each")
    return course


def main(students: int = 20) -> None:
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course, alone = course_of(Path(folder), students), course_of(Path(folder), 1)
        # A class of one tells what starting costs; the rest is what each further one costs.
        first = {name: graded(alone, name) for name in CONTENDERS}
        whole = {name: graded(course, name) for name in CONTENDERS}
        stock = Course.at(Path(folder, f"{course.root.name}-stock-1"))
        total = sum(score for _, _, score in points(stock))
    further = {name: (whole[name] - first[name]) / (students - 1) for name in CONTENDERS}
    table = Table(title=f"{students} honest submissions of {NAME}, {total:g} points by each")
    for heading in ("", "all, s", "each, s", "times faster", "each further, s", "times faster"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, contender in CONTENDERS.items():
        table.add_row(
            contender.label,
            f"{whole[name]:.1f}",
            f"{whole[name] / students:.3f}",
            f"{whole[contender.stock] / whole[name]:.1f}",
            f"{further[name]:.3f}",
            f"{further[contender.stock] / further[name]:.1f}",
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
