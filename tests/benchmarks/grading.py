"""Seconds a submission: `autograder grade` against stock `nbgrader autograde`, the same class.

    python tests/benchmarks/grading.py [STUDENTS]

Stock nbgrader grades the class in one process with its own configuration, its best case. Times
are from starting a command to its end. The points must be the same.
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


def ours(course: Course, jobs: int) -> tuple[float, float]:
    """A fresh copy of the course, graded by the command."""
    copy = Course.at(course.root.with_name(f"ours-{jobs}"))
    shutil.copytree(course.root, copy.root)
    command = [sys.executable, "-m", "autograder.cli", "grade", str(copy.root), NAME]
    took = timed([*command, "--jobs", str(jobs), "--allow-weak-sandbox"], copy.root)
    if points(copy) != points(Course.at(course.root.with_name("stock"))):
        sys.exit("the points differ from stock nbgrader's")
    return took


def main(students: int = 20) -> None:
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course = Course.at(Path(folder, "course"))
        most = release(course, NAME).max_points
        hand_in(course, students)
        copy = Course.at(Path(folder, "stock"))
        shutil.copytree(course.root, copy.root)
        copy.config_file.write_text("c = get_config()\n")
        stock = timed([sys.executable, "-c", STOCK], copy.root)
        total = sum(score for _, _, score in points(copy))
        if total != students * most:
            sys.exit(f"the reference solutions got {total} points of {students * most}")
        rows = [("nbgrader autograde, one process", stock)]
        rows += [(f"autograder grade, {n} worker{'s' * (n > 1)}", ours(course, n)) for n in (1, 2)]
    table = Table(title=f"{students} honest submissions of {NAME}, the same points")
    for heading in ("", "seconds", "each", "processor seconds", "each", "times faster"):
        table.add_column(heading, justify="right" if heading else "left")
    for what, took in rows:
        times = [f"{seconds:.{digits}f}" for t in took for seconds, digits in _both(t, students)]
        table.add_row(what, *times, f"{stock[0] / took[0]:.1f}")
    Console(width=100).print(table)


def _both(seconds: float, students: int) -> tuple[tuple[float, int], tuple[float, int]]:
    """In all with one digit, each with three."""
    return (seconds, 1), (seconds / students, 3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
