"""Whether a neighbour pays: the same class with hogs among it and without, on two cores.

    python tests/benchmarks/neighbours.py [STUDENTS]

Each hog is right in everything, and takes what it can get: processes that spin, memory, a disk, a
flood of output. Prints what grading took and ends with an error where an honest student's points
are others than without the hogs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.classroom.course.folders import Course
from autograder.classroom.grading import results
from autograder.classroom.releasing.release import release
from autograder.demo import filled_in
from autograder.sandbox.probing import probe
from tests.benchmarks.grading import NAME, hand_in, solutions

HOGS = {
    "spins": "import os\nfor _ in range(60):\n    if os.fork() == 0:\n        while True: pass",
    "spins-in-threads": (
        "import threading\ndef spin():\n    while True: pass\n"
        "for _ in range(50): threading.Thread(target=spin, daemon=True).start()"
    ),
    "sleeps": "import time; time.sleep(30)",
    "holds-memory": "held = [bytearray(1 << 20) for _ in range(1500)]",
    "writes": "for n in range(60):\n    open(f'f{n}', 'wb').write(bytes(1 << 20))",
    "shouts": "for _ in range(10**5): print('x' * 100)",
    "forks": "import os\nwhile True: os.fork()",
}


def seconds_to_grade(course: Course) -> float:
    command = [sys.executable, "-m", "autograder.cli", "grade", str(course.root), NAME]
    began = time.perf_counter()
    done = subprocess.run(
        [*command, "--jobs", "2", "--allow-weak-sandbox"], capture_output=True, text=True
    )
    if done.returncode not in (0, 3):
        sys.exit(f"grading failed with {done.returncode}:\n{done.stderr[-2000:]}")
    return time.perf_counter() - began


def honest_points(course: Course) -> dict[str, float]:
    return {
        result.student: result.points
        for result in results.find_all(course, NAME)
        if result.student not in HOGS
    }


def add_hogs(course: Course) -> None:
    released = json.loads(course.released(NAME).read_text(encoding="utf-8"))
    answers = solutions(course)
    first = next(iter(answers))
    for name, source in HOGS.items():
        own = answers | {first: f"{source}\n{answers[first]}"}
        path = course.submitted(name, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(released, own)), encoding="utf-8")


def main(students: int = 20) -> None:
    print(probe().describe())
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        found, took = {}, {}
        for label in ("alone", "with hogs"):
            course = Course.at(Path(folder) / label.replace(" ", "-"))
            release(course, NAME)
            hand_in(course, students)
            if label == "with hogs":
                add_hogs(course)
            took[label] = seconds_to_grade(course)
            found[label] = honest_points(course)
    table = Table(title=f"{students} honest students on {os.cpu_count()} cores")
    for heading in ("", "seconds", "least points", "most points"):
        table.add_column(heading, justify="right" if heading else "left")
    for label, points in found.items():
        row = f"{took[label]:.1f}", f"{min(points.values()):g}", f"{max(points.values()):g}"
        table.add_row(label, *row)
    Console(width=100).print(table)
    if found["alone"] != found["with hogs"]:
        sys.exit("WRONG: honest students have other points beside hogs")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
