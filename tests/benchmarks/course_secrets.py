"""Do the reference solutions pass under 2,000 secrets of a course? Limit: no failure at all.

    python tests/benchmarks/course_secrets.py [NAME ...]

Grades each problem set, or those named, with its own solutions off the notebook path, under secret
after secret, and prints how many failed and what the checks state: the probability that a right
solution fails, by the union bound. Exits with status 1 if one failed.
"""

import sys
import time
from collections.abc import Iterable

from autograder.classroom import shipped
from autograder.classroom.marks import Marks
from autograder.rehearsal import promises
from autograder.rehearsal.running import rehearse, source_cells

SECRETS = 2_000


def of_chance(cells: Iterable[dict], tests: Iterable[promises.Check]) -> set[str]:
    """The graded cells that draw something: they ask for a generator, or state a probability."""
    graded = [cell for cell in cells if Marks.of(cell).grade]
    asking = [cell for cell in graded if "generator" in "".join(cell["source"])]
    stating = {test.name for test in tests if test.stated}
    return stating | {Marks.of(cell).grade_id for cell in asking}


def failures(cells: Iterable[dict], tests: set[str], numbers: Iterable[int]) -> list[str]:
    """Which of the tests failed under which secret."""
    return [
        f"secret {number}, {test}: {ran.message}"
        for number in numbers
        for test, ran in rehearse(cells, secret=promises.secret(number), tests=tests).items()
        if ran.message
    ]


def main() -> None:
    found = []
    print(f"{'problem set':12} {'secrets':>8} {'failed':>7} {'stated, at most':>16} {'seconds':>8}")
    for name in sys.argv[1:] or shipped.names():
        start, cells = time.perf_counter(), source_cells(name)
        tests = promises.checks_of(name, cells)
        failed = failures(cells, of_chance(cells, tests), range(SECRETS))
        stated = promises.failure_of(tests)
        seconds = time.perf_counter() - start
        print(f"{name:12} {SECRETS:8,} {len(failed):7} {stated:16.1e} {seconds:8.0f}", flush=True)
        found += failed
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
