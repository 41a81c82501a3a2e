"""How good are reports on the capstone's towns? Limit: right ones are surely below the bounds.

    python tests/benchmarks/capstone.py [TOWNS]

Draws 20 towns, or as many as are said, as the problem set's own cell draws them, and prints how far
each way to report them is off: root mean square, on average, and its deviation from town to town.
For each bound of the problem set it prints the probability that the mean over as many towns as are
graded is above it, if such means are normal. All ways pay with the same (1, 1e-6), but for Laplace
noise at epsilon = 1; some are told what no clerk tells. Exits with status 1 if a right answer of
the catalogue is above a bound with a probability of 3e-5 or more: of 20 towns the deviation is not
known better. With 300 it is below 1e-10.
"""

import math
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import norm

from dplab import ZCDP
from dplab.queries import MWEM, MarginalQueries, nearest_table
from dplab.queries.projection import to_simplex
from tests.assignments import harness
from tests.assignments.answers.capstone.report import ANSWERS

NAME, TOWNS, N, CHANCE = "capstone", 20, 500, 3e-5
CELLS = {harness.grade_id(cell): cell.source for cell in harness.source(NAME).cells}
GIVEN: dict = {}  # what the problem set gives: the towns, the clerk, the budget
for cell in ("imports", "towns"):
    exec(CELLS[cell], GIVEN)
SHAPE, RHO = GIVEN["SHAPE"], GIVEN["RHO"]
WANTED = np.asarray(MarginalQueries(SHAPE, 2)).astype(float)
TABLES, SIZE = math.comb(len(SHAPE), 2), math.prod(SHAPE)
EVEN = np.full(SIZE, N / SIZE)
Way = Callable[[Callable, np.ndarray, np.random.Generator], np.ndarray]


def bounds() -> Iterator[tuple[str, int, float]]:
    """Test, number of towns and largest error."""
    for test in ("report_budget", "report_together", "report_best"):
        towns, most = re.search(r"error_of\(report, (\d+)\), 0, ([\d.]+)", CELLS[test]).groups()
        yield test, int(towns), float(most)


@cache
def sigma_for(k: int, share: float = 1.0) -> float:
    """Of the noise in all k-way tables, for a share of the budget."""
    return math.sqrt(math.comb(len(SHAPE), k) / (share * RHO))


def normal(ask: Callable, people=None, rng=None) -> np.ndarray:
    return ask(WANTED, sigma_for(2))


def least_squares(strategy: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Among the tables with sum n, negative counts allowed."""
    change = np.linalg.pinv(strategy) @ (answers - strategy @ EVEN)
    return EVEN + change - change.mean()


def even_strategy() -> np.ndarray:
    """The fourth root of W'W: of all strategies whose directions are its own, the best."""
    squares, directions = np.linalg.eigh(WANTED.T @ WANTED)
    kept = squares > 1e-9 * squares.max()
    return (directions[:, kept] * squares[kept] ** 0.25).T


def root_least_squares(ask: Callable, people=None, rng=None) -> np.ndarray:
    strategy = even_strategy()
    sigma = pdist(strategy.T).max() / math.sqrt(2 * RHO) * (1 + 1e-9)
    return WANTED @ least_squares(strategy, ask(strategy, sigma))


def likeliest_shape(ask: Callable, people=None, rng=None) -> np.ndarray:
    """Multiplicative steps towards the normal answers: the table that they leave most even."""
    answers, table = normal(ask), EVEN
    for _ in range(400):
        error = WANTED.T @ (answers - WANTED @ table)
        grown = table * np.exp(np.clip(error / (TABLES * N), -30, 30))
        table = N * grown / grown.sum()
    return WANTED @ table


def cells_and_tables(ask: Callable, people=None, rng=None) -> np.ndarray:
    """Seven tenths of the budget for the tables, the rest for the cells."""
    s, t = sigma_for(2, 0.7), math.sqrt(1 / (0.3 * RHO))
    queries = np.vstack([WANTED, np.eye(SIZE) * s / t])
    answers = np.concatenate([ask(WANTED, s), ask(np.eye(SIZE), t) * s / t])
    return WANTED @ nearest_table(queries, answers, N)


def independent(ask: Callable, people=None, rng=None) -> np.ndarray:
    single = np.asarray(MarginalQueries(SHAPE, 1)).astype(float)
    shares = np.maximum(ask(single, sigma_for(1)), 0.01)
    table = np.ones(1)
    for share in np.split(shares, np.cumsum(SHAPE)[:-1]):
        table = np.outer(table, share / share.sum()).ravel()
    return WANTED @ (N * table)


def noisy_table(ask: Callable) -> np.ndarray:
    return ask(np.eye(SIZE), math.sqrt(1 / RHO))


def ways() -> dict[str, Way]:
    """How to report, by name; the catalogue's right answers among them."""
    found: dict[str, Way] = {
        "Laplace each, epsilon 1": lambda ask, people, rng: (
            WANTED @ np.bincount(people, minlength=SIZE) + rng.laplace(0, 2 * TABLES, len(WANTED))
        ),
        "noisy table": lambda ask, people, rng: WANTED @ noisy_table(ask),
        "noisy table, simplex": lambda ask, people, rng: WANTED @ to_simplex(noisy_table(ask), N),
        "normal each": normal,
        "normal each, cut at 0": lambda ask, people, rng: np.maximum(normal(ask), 0),
        "independent attributes": independent,
        "least squares": lambda ask, people, rng: WANTED @ least_squares(WANTED, normal(ask)),
        "least squares, root": root_least_squares,
        "likeliest shape": likeliest_shape,
        "cells and tables": cells_and_tables,
        "what other towns have": lambda ask, people, rng: elsewhere(),
    }
    for rounds in (5, 10, 20):
        found[f"MWEM, {rounds} rounds"] = lambda ask, people, rng, rounds=rounds: (
            WANTED @ MWEM(WANTED, N, rounds, ZCDP(RHO))(people, rng)
        )
    return found | {f"right: {name}": right(source) for name, source in ANSWERS.right.items()}


@cache
def elsewhere() -> np.ndarray:
    rng = np.random.default_rng()
    towns = [np.bincount(GIVEN["new_town"](N, rng), minlength=SIZE) for _ in range(50)]
    return WANTED @ np.mean(towns, axis=0)


def right(source: str) -> Way:
    names = dict(GIVEN, combinations=combinations)
    exec(source, names)
    return lambda ask, people, rng: np.array(names["report"](ask, SHAPE, N, RHO))


def errors(way: Way, towns: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    found = []
    for people in towns:
        counts = way(GIVEN["clerk"](people, SHAPE, RHO, rng), people, rng)
        truth = WANTED @ np.bincount(people, minlength=SIZE)
        found.append(np.sqrt(np.mean((counts - truth) ** 2)))
    return np.array(found)


def main(count: int) -> None:
    rng = np.random.default_rng()
    towns = [GIVEN["new_town"](N, rng) for _ in range(count)]
    print(f"{'':40} {'error':>6} {'+-':>5} {'ms':>6}", end="")
    print("".join(f"{f'P[> {most:g}]':>12}" for _, _, most in bounds()))
    failed = False
    for name, way in ways().items():
        start = time.perf_counter()
        off = errors(way, towns, rng)
        spent = (time.perf_counter() - start) / count * 1000
        above = [
            norm.sf(most, off.mean(), off.std(ddof=1) / math.sqrt(drawn))
            for _, drawn, most in bounds()
        ]
        failed |= name.startswith("right") and max(above) >= CHANCE
        print(f"{name:40} {off.mean():6.1f} {off.std(ddof=1):5.1f} {spent:6.0f}", end="")
        print("".join(f"{chance:12.0e}" for chance in above), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TOWNS)
