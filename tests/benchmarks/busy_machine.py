"""Whether honest work keeps its points on a busy machine: a class alone, and beside busy loops.

    python tests/benchmarks/busy_machine.py [STUDENTS] [SET] [LOOPS]

Each of the students (20, or so many) hands in right answers to a problem set (ps08), in styles that
differ from student to student: some call back a thousand times, some draw one number at a time. The
class is graded alone, and again beside LOOPS (8) processes that never rest. Prints the seconds, how
long the machine made the cells wait, and each test whose points differ; ends with an error if one
does.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.results import Result
from autograder.classroom.intake import collect_class
from autograder.classroom.releasing.release import release
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.demo import filled_in
from autograder.sandbox.probing import Probe
from autograder.wire.contract import Limits
from tests.assignments import harness
from tests.assignments.problem_sets import problem_set

WORKERS = 2
LOOP = "while True: pass"


def hand_in(course: Course, name: str, students: int, folder: Path) -> None:
    """Write right answers, to each exercise in another style from student to student."""
    released = json.loads(course.released(name).read_text(encoding="utf-8"))
    answers = problem_set(name).answers
    for number in range(students):
        chosen = {}
        for exercise, known in answers.items():
            styles = list(known.right.values())
            chosen[exercise] = f"# student {number}\n{styles[number % len(styles)]}"
        path = folder / f"student{number:03}.ipynb"
        path.write_text(json.dumps(filled_in(released, chosen)), encoding="utf-8")


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep the cores busy with so many processes while the `with` block runs."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def grade(course: Course, name: str, folder: Path) -> tuple[list[Result], float]:
    """Return the results of a fresh grading, and its seconds by the clock."""
    handed_in = collect_class.collect(course, name, folder).submissions
    began = time.perf_counter()
    with Probe() as probe:
        graders = Graders(Limits(), probe.sandbox, WORKERS, probe.parent)
        results = grade_class(course, load(course, name), handed_in, graders, again=True)
    return results, time.perf_counter() - began


def differences(alone: list[Result], beside: list[Result]) -> list[str]:
    """Return a line for each test whose points differ."""
    pairs = [
        (one.student, here, there)
        for one, other in zip(alone, beside, strict=True)
        for here, there in zip(one.cells, other.cells, strict=True)
    ]
    return [
        f"{student} {here.name}: {here.points} alone, {there.points} beside: {there.message[:200]}"
        for student, here, there in pairs
        if here.points != there.points
    ]


def main() -> None:
    """Grade the class twice and compare."""
    students, name, loops = [*sys.argv[1:], *["20", "ps08", "8"][len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as scratch:
        course, folder = Course.at(Path(scratch) / "course"), Path(scratch) / "in"
        source = course.source(name, name)
        source.parent.mkdir(parents=True)
        source.write_bytes(harness.source_path(name).read_bytes())
        folder.mkdir()
        release(course, name)
        hand_in(course, name, int(students), folder)
        alone, seconds = grade(course, name, folder)
        print(f"alone: {seconds:.0f} s, {sum(one.points for one in alone):g} points in total")
        with busy_loops(int(loops)):
            beside, seconds = grade(course, name, folder)
    print(f"beside {loops} busy loops: {seconds:.0f} s, {sum(r.points for r in beside):g} points")
    for line in (found := differences(alone, beside)):
        print(line)
    lost = [one.student for one in alone if one.points < one.max_points]
    print(f"{len(found)} tests differ; {len(lost)} of {students} students lost points alone")
    sys.exit(bool(found or lost))


if __name__ == "__main__":
    main()
