"""Do the reference solutions pass under 2,000 secrets of a course? Limit: no failure at all.

    python tests/benchmarks/course_secrets.py [NAME ...]

Grades each problem set, or those named, with its own solutions off the notebook path, under secret
after secret, and prints how many failed and what the checks state: the probability that a right
solution fails, by the union bound. Exits with status 1 if one failed.
"""

import sys
import time

from autograder.classroom.sets import shipped_sets
from autograder.rehearsal import error_rates
from autograder.rehearsal.run_trusted import source_cells
from tests.assignments.under_secrets import failures, of_chance

SECRETS = 2_000


def main() -> None:
    found = []
    print(f"{'problem set':12} {'secrets':>8} {'failed':>7} {'stated, at most':>16} {'seconds':>8}")
    for name in sys.argv[1:] or shipped_sets.names_with_tests():
        start, cells = time.perf_counter(), source_cells(name)
        tests = error_rates.checks_of(name, cells)
        failed = failures(cells, of_chance(cells, tests), range(SECRETS))
        stated = error_rates.failure_of(tests)
        seconds = time.perf_counter() - start
        print(f"{name:12} {SECRETS:8,} {len(failed):7} {stated:16.1e} {seconds:8.0f}", flush=True)
        found += failed
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
