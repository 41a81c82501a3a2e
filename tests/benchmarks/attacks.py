"""How much do the reconstruction attacks recover, in what time and memory?

    OMP_NUM_THREADS=1 python tests/benchmarks/attacks.py [more]

Prints for each attack the people n, the queries m, the largest error of an answer, the share of the
bits that it recovers, seconds and memory, beside the limits for one core. `more` adds the linear
program for sums of absolute errors. Exits with status 1 if a limit is missed. Each attack runs in a
process of its own, whose largest memory is shown; the queries count in it.
"""

import multiprocessing
import resource
import sys
import time
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from dplab.attacks.box_least_squares import box_least_squares
from dplab.attacks.exhaustive import consistent_datasets
from dplab.attacks.hadamard import hadamard_attack
from dplab.attacks.least_squares import least_squares
from dplab.attacks.linear_program import least_absolute, minimum_slack
from dplab.queries import HadamardQueries, SubsetQueries, random_queries


@dataclass(frozen=True)
class Row:
    """An attack on n people with m queries, answers off by at most `noise`, and its limits."""

    name: str
    n: int
    m: int
    noise: float
    seconds: float | None = None
    megabytes: float | None = None


def root(n: int, share: float = 0.2) -> float:
    return share * n**0.5


ROWS = [
    Row("exhaustive", 28, 80, 2.0, seconds=5),
    Row("least squares", 1000, 4000, root(1000), seconds=0.3),
    Row("implicit least squares", 5000, 20_000, root(5000), seconds=2, megabytes=256),
    Row("implicit least squares", 20_000, 40_000, root(20_000), seconds=60, megabytes=1024),
    Row("box least squares", 1000, 4000, root(1000), seconds=1),
    Row("minimum slack", 1000, 4000, root(1000), seconds=10),
    Row("Hadamard", 2**20, 2**20, root(2**20, 0.1), seconds=0.2),
]
MORE = [Row("least absolute", 500, 2000, root(500))]
ATTACKS = {
    "least squares": least_squares,
    "implicit least squares": least_squares,
    "box least squares": box_least_squares,
    "minimum slack": minimum_slack,
    "least absolute": least_absolute,
}


def run(row: Row) -> tuple[float, float, float]:
    """Share of bits recovered, seconds, megabytes."""
    rng = np.random.default_rng()
    secret = rng.integers(2, size=row.n)
    errors = rng.uniform(-row.noise, row.noise, size=row.m)
    if row.name == "Hadamard":
        answers = HadamardQueries(row.n) @ secret + errors
        start = time.perf_counter()
        share = hadamard_attack(answers).accuracy(secret)
    else:
        draw = SubsetQueries.random if "implicit" in row.name else random_queries
        queries = draw(row.m, row.n, rng)
        answers = queries @ secret + errors
        start = time.perf_counter()
        if row.name == "exhaustive":
            found = consistent_datasets(queries, answers, row.noise)
            share = 1 - np.abs(found - secret).mean(axis=1).max()
        else:
            share = ATTACKS[row.name](queries, answers).accuracy(secret)
    seconds = time.perf_counter() - start
    return share, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    table = Table(title="Secret bits from noisy counts, one core")
    for column in ("attack", "n", "m", "error", "recovered", "seconds", "limit", "MiB", "limit"):
        table.add_column(column, justify="left" if column == "attack" else "right")
    missed = []
    for row in ROWS + (MORE if "more" in sys.argv[1:] else []):
        with multiprocessing.get_context("spawn").Pool(1) as alone:
            share, seconds, megabytes = alone.apply(run, (row,))
        if seconds > (row.seconds or np.inf) or megabytes > (row.megabytes or np.inf):
            missed.append(row.name)
        table.add_row(
            row.name,
            f"{row.n:,}",
            f"{row.m:,}",
            f"{row.noise:.1f}",
            f"{share:.2%}",
            f"{seconds:.2f}",
            f"{row.seconds or '':}",
            f"{megabytes:,.0f}",
            f"{row.megabytes or '':}",
        )
    Console(width=100).print(table)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
