"""Does every answer of the catalogue get in the rooms what it gets off them? Limit: every one.

    python tests/benchmarks/answers_in_rooms.py [NAME ...]

Grades the right answers to each problem set, or to those named, and the mistakes that its tests
must find, as many exercises at a time as there are, and prints how many notebooks these were and
which of them differed. The tests take three notebooks of each set. Exits with status 1 if one
differed.
"""

import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from autograder.classroom.grading import grade_notebook
from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.rehearsal import error_rates
from autograder.sandbox.probing import probe
from tests.assignments.test_problem_sets_graded import (
    LIMITS,
    NAMES,
    TURNS,
    Classroom,
    graded_as_deserved,
    released_in,
)


def main(names: list[str]) -> None:
    differed = []
    print(f"{'problem set':12} {'notebooks':>9} {'differed':>8} {'seconds':>8}")
    with SandboxedRunner(LIMITS, probe()) as rooms, tempfile.TemporaryDirectory() as folder:
        for name in names:
            start = time.perf_counter()
            classroom = Classroom(name, *released_in(Path(folder) / name, name), rooms)
            found = differing(classroom)
            seconds = time.perf_counter() - start
            print(f"{name:12} {len(TURNS[name]):9} {len(found):8} {seconds:8.0f}", flush=True)
            differed += found
    print("\n".join(differed))
    sys.exit(bool(differed))


def differing(classroom: Classroom) -> list[str]:
    """What is wrong with the points or words of a notebook."""
    found = []
    for number, turn in enumerate(TURNS[classroom.name]):
        with patch.object(grade_notebook, "seed", lambda *submission: error_rates.secret(0)):
            try:
                graded_as_deserved(classroom, turn)
            except AssertionError as error:
                found.append(f"{classroom.name}, turn {number}: {error}")
    return found


if __name__ == "__main__":
    main(sys.argv[1:] or NAMES)
