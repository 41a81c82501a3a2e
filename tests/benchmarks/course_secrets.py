"""Do the reference solutions pass under 2,000 secrets of a course? Limit: no failure at all.

    python tests/benchmarks/course_secrets.py [NAME ...]

Grades each problem set, or those named, with its own solutions off the notebook path, under secret
after secret, and prints how many failed and what the checks state: the probability that a right
solution fails, by the union bound. Exits with status 1 if one failed.
"""

import sys
import time
from collections.abc import Iterable

from autograder.classroom.marks import Marks
from autograder.classroom.release import shipped_names
from autograder.rehearsal import promises
from autograder.rehearsal.running import rehearse, source_cells

SECRETS = 2_000


def of_chance(name: str) -> set[str]:
    """The graded cells that draw something: they ask for a generator, or state a probability."""
    cells = source_cells(name)
    stating = {check.name for check in promises.checks_of(name, cells) if check.stated}
    graded = [cell for cell in cells if Marks.of(cell).grade]
    asking = [cell for cell in graded if "generator" in "".join(cell["source"])]
    return stating | {Marks.of(cell).grade_id for cell in asking}


def failures(name: str, numbers: Iterable[int]) -> list[str]:
    """What failed under which secret."""
    cells, tests = source_cells(name), of_chance(name)
    return [
        f"secret {number}, {test}: {ran.message}"
        for number in numbers
        for test, ran in rehearse(cells, secret=promises.secret(number), tests=tests).items()
        if ran.message
    ]


def main() -> None:
    found = []
    print(f"{'problem set':12} {'secrets':>8} {'failed':>7} {'stated, at most':>16} {'seconds':>8}")
    for name in sys.argv[1:] or shipped_names():
        start = time.perf_counter()
        failed = failures(name, range(SECRETS))
        stated = promises.failure_of(promises.checks_of(name, source_cells(name)))
        seconds = time.perf_counter() - start
        print(f"{name:12} {SECRETS:8,} {len(failed):7} {stated:16.1e} {seconds:8.0f}", flush=True)
        found += failed
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
