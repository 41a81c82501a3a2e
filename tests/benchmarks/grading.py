"""Seconds a submission: `autograder grade` against stock nbgrader, the same class in one run.

    python tests/benchmarks/grading.py [STUDENTS]

Stock nbgrader handles the class in one process with its own configuration, its best case, and is
given as many cores. Times are by the clock, from starting a command to its end, which for stock
nbgrader is a minute; ours are the median of four runs between those, as machines have moods. All
find their modules compiled. "Each further" leaves out what a class of one takes, which is mostly
starting up. The last rows are of a class ten times as large, each of it beside each further one of
stock nbgrader's. The points must be the same, and every student must have a page of feedback where
these are written. Prints the walls that are in force, and below the table the limit: the seconds of
a plain `exec` of a submission's cells and tests, without walls, pages or a gradebook. Ends with an
error below the marks: with feedback, a class of 200 is graded 10 times faster than stock nbgrader
on one core, 20 on two.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.classroom.sets.assignment import text_of
from autograder.demo import filled_in
from autograder.pages.feedback import prepare_pages
from autograder.sandbox.probing import probe

NAME = "ps03"
MARKS = {1: 10, 2: 20}  # times faster than stock nbgrader, by cores
_MARKS = re.compile(r" *### (BEGIN|END) SOLUTION\n?")

STOCK = f"""
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
import os
folder = CourseDirectory(root=os.getcwd(), assignment_id={NAME!r})
Autograde(coursedir=folder).start()
"""
STOCK_COMMAND = (sys.executable, "-c", STOCK)
STOCK_FEEDBACK = (sys.executable, "-c", f"{STOCK}GenerateFeedback(coursedir=folder).start()")
OURS = (sys.executable, "-m", "autograder.cli", "grade", "{course}", NAME, "--allow-weak-sandbox")

POINTS = """
select base_cell.name, grade.auto_score
from grade join base_cell on grade.cell_id = base_cell.id
"""


def solutions(course: Course) -> dict[str, str]:
    """The teacher's own answers, by the name of their cell."""
    notebook = json.loads(course.source(NAME).read_text(encoding="utf-8"))
    marked = [(cell["metadata"].get("nbgrader", {}), cell) for cell in notebook["cells"]]
    return {
        marks["grade_id"]: _MARKS.sub("", text_of(cell["source"]))
        for marks, cell in marked
        if marks.get("solution")
    }


def hand_in(course: Course, students: int) -> None:
    """The reference solution, with a comment that makes each student's notebook their own."""
    released = json.loads(course.released(NAME).read_text(encoding="utf-8"))
    answers = solutions(course)
    for number in range(students):
        student = f"student{number:03}"
        own = {name: f"# {student}\n{text}" for name, text in answers.items()}
        path = course.submitted(student, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(released, own)), encoding="utf-8")


def timed(command: list[str], folder: Path, cores: int) -> float:
    """Seconds by the clock, on so many cores."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    mine = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, mine[-cores:])
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    os.sched_setaffinity(0, mine)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return seconds


def points(course: Course) -> dict[str, set]:
    """What each cell was given; all students hand in the same."""
    found: dict[str, set] = {}
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        for cell, score in database.execute(POINTS):
            found.setdefault(cell, set()).add(score)
    return found


@dataclass(frozen=True)
class Contender:
    """A way to do a piece of work."""

    label: str
    command: tuple[str, ...]
    feedback: bool
    cores: int

    @property
    def stock(self) -> Contender:
        """What this one is compared with."""
        return next(c for c in CONTENDERS if (c.feedback, c.cores) == (self.feedback, self.cores))


CONTENDERS = [
    Contender(f"{label}, {cores} core{'s' * (cores > 1)}", command, feedback, cores)
    for cores in (1, 2)
    for label, command, feedback in (
        ("nbgrader autograde", STOCK_COMMAND, False),
        ("autograder grade", OURS, False),
        ("nbgrader autograde, generate_feedback", STOCK_FEEDBACK, True),
        ("autograder grade --feedback", (*OURS, "--feedback"), True),
    )
]


EXPECTED: dict[str, set] = {}  # what stock nbgrader gave to each cell


def graded(course: Course, contender: Contender) -> float:
    """Seconds to grade a fresh copy of the course."""
    number = CONTENDERS.index(contender)
    copy = Course.at(course.root.with_name(f"{course.root.name}-{number}"))
    shutil.copytree(course.root, copy.root)
    if contender.stock is contender:
        copy.config_file.write_text("c = get_config()\n")
    command = [part.format(course=copy.root) for part in contender.command]
    took = timed(command, copy.root, contender.cores)
    if contender is CONTENDERS[0]:
        EXPECTED.update(points(copy))
    if not points(copy).items() <= EXPECTED.items():
        sys.exit("the points differ from stock nbgrader's")
    pages = len(list(copy.root.glob(f"feedback/*/{NAME}/{NAME}.html")))
    if pages != contender.feedback * len(list(course.root.glob("submitted/*"))):
        sys.exit(f"{contender.label} wrote {pages} pages of feedback")
    shutil.rmtree(copy.root)
    return took


def compared(course: Course) -> dict[Contender, float]:
    """Seconds for the class: of each stock contender's run, and the median of ours around them."""
    ours = [c for c in CONTENDERS if c.stock is not c]
    times: dict[Contender, list[float]] = {contender: [] for contender in CONTENDERS}
    for stock in [c for c in CONTENDERS if c.stock is c]:
        times[stock].append(graded(course, stock))
        for contender in ours:
            times[contender].append(graded(course, contender))
    return {contender: statistics.median(taken) for contender, taken in times.items()}


def plain_exec(course: Course) -> float:
    """Seconds of processor time to run one submission's cells and the tests by `exec`, at best."""
    source = json.loads(course.source(NAME).read_text(encoding="utf-8"))["cells"]
    code = [
        compile(text_of(c["source"]), "cell", "exec") for c in source if c["cell_type"] == "code"
    ]
    taken = []
    for _ in range(4):  # the first one imports
        began, names = time.process_time(), {"__name__": "__main__"}
        for cell in code:
            exec(cell, names)
        taken.append(time.process_time() - began)
    return min(taken)


def course_of(folder: Path, students: int) -> Course:
    course = Course.at(folder / f"class-of-{students}")
    assignment = release(course, NAME)
    prepare_pages(course, assignment)
    hand_in(course, students)
    print(f"a class of {students}: {assignment.max_points:g} points each")
    return course


def main(students: int = 20) -> None:
    print(probe().describe())
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course, alone = course_of(Path(folder), students), course_of(Path(folder), 1)
        # A class of one tells what starting costs; the rest is what each further one costs.
        first, whole = compared(alone), compared(course)
        crowd = course_of(Path(folder), 10 * students)
        ours = [c for c in CONTENDERS if c.feedback and c.stock is not c]
        large = {contender: graded(crowd, contender) / (10 * students) for contender in ours}
    further = {c: (whole[c] - first[c]) / (students - 1) for c in CONTENDERS}
    table = Table(title=f"{students} honest submissions of {NAME}")
    for heading in ("", "all, s", "each, s", "times faster", "each further, s", "times faster"):
        table.add_column(heading, justify="right" if heading else "left")
    for contender in CONTENDERS:
        table.add_row(
            contender.label,
            f"{whole[contender]:.1f}",
            f"{whole[contender] / students:.3f}",
            f"{whole[contender.stock] / whole[contender]:.1f}",
            f"{further[contender]:.3f}",
            f"{further[contender.stock] / further[contender]:.1f}",
        )
    for contender, each in large.items():
        label = f"{contender.label}, {10 * students} students"
        faster = f"{further[contender.stock] / each:.1f}"
        table.add_row(label, f"{10 * students * each:.1f}", f"{each:.3f}", faster)
    Console(width=120).print(table)
    print(f"a plain exec of the cells and tests: {plain_exec(course):.3f} s of processor time each")
    faster = {c: further[c.stock] / each for c, each in large.items()}
    slow = [c.label for c in faster if faster[c] < MARKS[c.cores]]
    sys.exit(f"below the mark: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
