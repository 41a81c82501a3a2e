"""Theorem: reconstruction becomes impossible at an error of half a discrepancy of the queries.

Each of n people has a secret bit, and the questions are the rows of a 0/1 matrix Q. Their partial
discrepancy at a share beta of the people is

    d = min ||Q x||_inf   over all x in {-1, 0, 1}^n with at least beta n entries that aren't 0:

how evenly all questions can split a group of that size. If all answers are within E of the truth,

    E < d / 2     every dataset that fits them has fewer than beta n wrong bits;
    E >= d / 2    some answers fit two datasets that differ in beta n bits or more.

Proof. Let b and c fit. Then x = b - c has ||Q x||_inf <= 2 E < d, so fewer than beta n entries of
it aren't 0. For the second line take the best x, the bits b = (x > 0) and c = (x < 0): the answers
(Q b + Q c) / 2 are d / 2 away from both.

Privacy follows a reconstruction. An (epsilon, delta)-DP curator whose answers are all within E with
probability 1 - failure would let an attacker get more than (1 - failure) (1 - beta) of fair bits.
Nobody gets more than `guess_bound`, so if that is no larger, E >= d / 2. The same holds for the
columns of any group of people, if the bits of the others are known.

Thresholds have d = 1 (signs that alternate), all subsets d = beta n / 2, random ones a d that grows
like sqrt(n); disjoint cells with two people in each have d = 0.

Sources: Dinur and Nissim (2003); Muthukrishnan and Nikolov (2012), Section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import Bounds, LinearConstraint, milp

from dplab import arguments
from dplab.guarantees import ApproxDP
from dplab.theorems.bit_guessing import guess_bound

MAX_PEOPLE = 24  # the work of the search grows exponentially with them


@dataclass(frozen=True, eq=False)
class Discrepancy:
    """The discrepancy `value` = ||Q x||_inf of the best `signs` x, ints of shape (n,)."""

    value: int
    signs: np.ndarray

    @property
    def decoys(self) -> tuple[np.ndarray, np.ndarray]:
        """Two datasets that fit the same answers when errors of value / 2 are allowed."""
        return (self.signs > 0).astype(int), (self.signs < 0).astype(int)


def partial_discrepancy(queries: ArrayLike, share: float = 1.0) -> Discrepancy:
    """Return d of the theorem for `queries`, 0/1 of shape (m, n); `share` is beta, in (0, 1].

    HiGHS solves a mixed-integer program. Raises ValueError for other entries or shares, or for
    more than MAX_PEOPLE columns.

    >>> best = partial_discrepancy([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> best.value, abs(np.cumsum(best.signs)).tolist()
    (1, [1, 0, 1])
    """
    queries = arguments.categories("queries", queries, 2)
    if queries.ndim != 2 or queries.shape[1] > MAX_PEOPLE:
        raise ValueError(f"queries must be (m, n), n at most {MAX_PEOPLE}, not {queries.shape}")
    share, (m, n) = arguments.number("share", share, above=0, most=1), queries.shape
    zeros, slack = np.zeros((n, 1)), -np.ones((m, 1))
    at_most = np.block(  # rows for Q x <= d, -Q x <= d and plus + minus <= 1
        [[queries, -queries, slack], [-queries, queries, slack], [np.eye(n), np.eye(n), zeros]]
    )
    plus_minus: np.ndarray = np.append(np.ones(2 * n), 0)
    solved = milp(
        1 - plus_minus,
        integrality=np.ones(2 * n + 1),
        bounds=Bounds(0, np.append(np.ones(2 * n), n)),
        constraints=[
            LinearConstraint(at_most, ub=np.repeat([0, 1], [2 * m, n])),
            LinearConstraint(plus_minus, lb=max(1, np.ceil(share * n - 1e-9))),
        ],
    )
    signs = np.rint(solved.x[:n] - solved.x[n : 2 * n]).astype(int)
    return Discrepancy(int(abs(queries @ signs).max()), signs)


def least_private_error(queries: ArrayLike, promise: ApproxDP, failure: float = 0.0) -> float:
    """Return an error that some answer must have with a probability above `failure`.

    It is d / 2 at beta = 1 - guess_bound(guarantee) / (1 - failure), or 0 if beta is not above 0.
    It holds for all mechanisms that keep the guarantee. A group of people gives a bound, too.
    Raises ValueError as `partial_discrepancy` does, and unless 0 <= failure < 1.

    >>> least_private_error(np.tri(8), ApproxDP(0.5, 0))
    0.5
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    failure = arguments.number("failure", failure, least=0, below=1)
    share = 1 - guess_bound(promise) / (1 - failure)
    return partial_discrepancy(queries, share).value / 2 if share > 0 else 0.0
