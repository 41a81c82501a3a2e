"""Rows a second into the gradebook: SQLite beside PostgreSQL, the same class in the same run.

    python tests/benchmarks/gradebook.py [STUDENTS]

A row is what one cell of one submission has in the gradebook: a grade or a comment. Each
submission is a transaction that is safe on the disk when it ends, in both. "first" is the first
grading of the class, "again" a regrading. Without PostgreSQL on the machine its lines are missing.
"""

from __future__ import annotations

import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

from autograder.classroom.course.folders import Course
from autograder.classroom.gradebook.connection import open_gradebook
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.results import CellResult, Result
from autograder.classroom.releasing.release import release
from tests.autograder.classroom.postgresql import cluster, programs

NAME = "ps03"
LEAST_ROWS_PER_SECOND = 1000  # a submission's 30 or so rows in 30 ms, off the workers' cores


def result_of(student: str, cells: dict[str, float]) -> Result:
    """What grading hands to the gradebook: every cell with its points."""
    scored = tuple(CellResult(cell, points, points, "") for cell, points in cells.items())
    return Result(student, NAME, "", "", scored)


def rows_of_one(course: Course) -> int:
    """A grade for each graded cell, a comment for each answer, both for a task."""
    with open_gradebook(course) as book:
        found = book.find_notebook(NAME, NAME)
        return sum(map(len, (found.grade_cells, found.solution_cells, 2 * found.task_cells)))


def rows_per_second(course: Course, results: list[Result]) -> tuple[int, float, float]:
    """Rows of one submission, and rows a second of a first grading and of a regrading."""
    rows = rows_of_one(course)
    with OpenGradebook(course, NAME) as book:
        seconds = [timed(book, results) for _ in range(2)]
        assert len(book.grades()) == len(results)
    first, again = (rows * len(results) / took for took in seconds)
    return rows, first, again


def timed(book: OpenGradebook, results: list[Result]) -> float:
    began = time.perf_counter()
    for result in results:
        book.write(result)
    return time.perf_counter() - began


def measured(name: str, url: str, students: int) -> tuple[str, int, float, float]:
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course = Course.at(folder)
        if url:
            course.config_file.write_text(f"c = get_config()\nc.CourseDirectory.db_url = {url!r}\n")
        assignment = release(course, NAME)
        cells = {cell.name: cell.points for cell in assignment.scored}
        results = [result_of(f"student{number:04}", cells) for number in range(students)]
        return name, *rows_per_second(course, results)


def main(students: int = 200) -> None:
    found = [measured("SQLite", "", students)]
    if programs() is not None:
        with cluster(fsync=True) as server:
            found.append(measured("PostgreSQL", server.create("course"), students))
    rows = found[0][1]
    table = Table(title=f"{students} submissions of {NAME}, {rows} rows each")
    for heading in ("", "first, rows/s", "of the limit", "ms each", "again, rows/s", "ms each"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, _, first, again in found:
        table.add_row(
            name,
            f"{first:.0f}",
            f"{first / LEAST_ROWS_PER_SECOND:.1f} times",
            f"{1000 * rows / first:.1f}",
            f"{again:.0f}",
            f"{1000 * rows / again:.1f}",
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
