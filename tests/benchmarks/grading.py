"""Seconds a submission: `autograder grade` against stock `nbgrader autograde`, the same class.

    python tests/benchmarks/grading.py [STUDENTS]

Stock nbgrader grades the class in one process with its own configuration, its best case. Times
are from starting a command to its end; "each further" leaves out what a class of one takes, which
is mostly starting up. The points must be the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
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


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Seconds by the clock, and of all processors together."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    began, before = time.perf_counter(), _processor_seconds()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return seconds, _processor_seconds() - before


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def points(course: Course) -> list[tuple]:
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        return sorted(database.execute(POINTS).fetchall())


def graded(course: Course, name: str, command: list[str]) -> tuple[float, float]:
    """A fresh copy of the course, graded by the command."""
    copy = course.root.with_name(f"{course.root.name}-{name}")
    shutil.copytree(course.root, copy)
    if name == "stock":
        Course.at(copy).config_file.write_text("c = get_config()\n")
    took = timed([part.format(course=copy) for part in command], copy)
    if points(Course.at(copy)) != points(
        Course.at(course.root.with_name(f"{course.root.name}-stock"))
    ):
        sys.exit("the points differ from stock nbgrader's")
    return took


def ours(jobs: int) -> list[str]:
    grade = [sys.executable, "-m", "autograder.cli", "grade", "{course}", NAME]
    return [*grade, "--jobs", str(jobs), "--allow-weak-sandbox"]


CONTENDERS = {
    "stock": ("nbgrader autograde, one process", [sys.executable, "-c", STOCK]),
    "one": ("autograder grade, 1 worker", ours(1)),
    "two": ("autograder grade, 2 workers", ours(2)),
}


@dataclass(frozen=True)
class Timing:
    """Seconds by the clock for a class, and of processors; and what each further one takes."""

    seconds: float
    processor: float
    further: float
    further_processor: float


def measure(name: str, course: Course, alone: Course, students: int) -> Timing:
    """A class of one tells what starting costs; the rest is what each further one costs."""
    command = CONTENDERS[name][1]
    first, all_of_them = graded(alone, name, command), graded(course, name, command)
    further = [(many - one) / (students - 1) for many, one in zip(all_of_them, first, strict=True)]
    return Timing(*all_of_them, *further)


def course_of(folder: Path, students: int) -> Course:
    course = Course.at(folder / f"class-of-{students}")
    most = release(course, NAME).max_points
    hand_in(course, students)
    print(f"a class of {students}: {most:g} points each")
    return course


def main(students: int = 20) -> None:
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course, alone = course_of(Path(folder), students), course_of(Path(folder), 1)
        rows = {name: measure(name, course, alone, students) for name in CONTENDERS}
        scores = [
            score for _, _, score in points(Course.at(Path(folder, f"{course.root.name}-stock")))
        ]
    table = Table(title=f"{students} honest submissions of {NAME}, {sum(scores):g} points by each")
    for heading in ("", "all, s", "each, s", "times faster", "each further, s", "times faster"):
        table.add_column(heading, justify="right" if heading else "left")
    stock = rows["stock"]
    for name, took in rows.items():
        for unit, whole, further, base, base_further in (
            ("clock", took.seconds, took.further, stock.seconds, stock.further),
            (
                "processor",
                took.processor,
                took.further_processor,
                stock.processor,
                stock.further_processor,
            ),
        ):
            table.add_row(
                f"{CONTENDERS[name][0]} ({unit})",
                f"{whole:.1f}",
                f"{whole / students:.3f}",
                f"{base / whole:.1f}",
                f"{further:.3f}",
                f"{base_further / further:.1f}",
            )
    Console(width=110).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
