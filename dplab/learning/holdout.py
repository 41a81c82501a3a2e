"""The reusable holdout: checking what one found, again and again, without fitting to the check.

An analyst tries ideas on a training set and checks them on a holdout. If the next idea depends on
what the holdout said, it stops being fresh: choosing by its answers fits to its noise. Thresholdout
says what the training set says as long as the holdout agrees, which costs nothing, and pays from a
budget for each time that it doesn't. It is sparse vector on |holdout - training|, and after each
"above" a noisy answer.

Sources: Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Science 349:636, the algorithm
and the experiment in its supplement; `dplab.theorems.generalization` for why it works, and
`dplab.theorems.adaptive_gain` for what happens without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dplab import arguments
from dplab.interaction import Curator, Refused
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold, Comparisons

Query = Callable[[np.ndarray], Any]  # records, one a row, to a value from 0 to 1 for each


class Holdout(Protocol):
    """Whoever answers what share of fresh records has some property."""

    def ask(self, query: Query) -> float:
        """The mean of query(records), or nearly; raises Refused where the answer is no."""


def share(query: Query, records: np.ndarray) -> float:
    """The mean of query(records), whose values below 0 count as 0 and those above 1 as 1.

    Each value may depend on its own record only. Raises ValueError unless there is one finite
    number for each record.

    >>> share(agrees(0), np.array([[1, 1], [0, 0], [1, 0], [0, 0]]))
    0.75
    """
    values = np.asarray(query(records))
    if values.shape != (len(records),):
        raise ValueError(f"query(records) must have shape ({len(records)},), not {values.shape}")
    if values.dtype == bool and len(values):  # most are, and counting is faster
        return int(np.count_nonzero(values)) / len(values)
    return float(arguments.reals("query(records)", values).clip(0, 1).mean())


@dataclass(frozen=True, eq=False)
class OrdinaryHoldout:
    """Answers exactly, as often as it is asked: what an analyst who adapts fools."""

    records: np.ndarray

    def ask(self, query: Query) -> float:
        """The share on these records."""
        return share(query, self.records)


class Thresholdout:
    """Answers shares from the training set, and from the curator's holdout where the two differ.

    With t and h the shares of query(records) on the training set and on the holdout, of n records:

        |h - t| < T + Lap(2 sigma) + Lap(4 sigma):  answer t
        else:                                       answer h + Lap(sigma),

    where Lap(2 sigma) is drawn once, and again after each answer of the second kind. A query gives
    each record a value from 0 to 1 (see `share`; what is no number counts as 0 on the holdout, and
    a query that raises for a record tells of it). The answer is within about T of h, and each of
    the second kind costs epsilon = 2 / (n sigma) of the curator's budget.

    Promise. h and |h - t| move by 1 / n at most when a record of the holdout is replaced. A stretch
    up to "above" is AboveThreshold with count 1: noises of 2 and 4 sensitivities / epsilon_1, which
    are 2 and 4 sigma at epsilon_1 = 1 / (n sigma). The answer after it is a Laplace mechanism of
    scale sigma, at the same epsilon_1. Both are paid for before they are drawn, and nothing is
    compared unless the budget can pay for the answer too: a refusal draws nothing. So all answers
    together keep `curator.budget.total`: 2 B / (n sigma) for B answers of the second kind,
    or rho <= B / (n sigma)^2, however many queries there are. The training set is not protected.

    `training` has a record a row, `curator` holds the holdout; threshold T is at least 0, sigma
    above 0, both in shares. Raises ValueError for other arguments, and for a holdout that is not of
    n records.

    >>> from dplab import PureDP
    >>> from dplab.budget import Budget
    >>> rng = np.random.default_rng(0)
    >>> training, holdout = rng.integers(2, size=(2, 1000, 2))
    >>> curator = Curator(holdout, Budget(PureDP(2 * 5 / (1000 * 0.005))), rng)
    >>> reusable = Thresholdout(training, curator, n=1000, threshold=0.1, sigma=0.005)
    >>> reusable.ask(agrees(0)) == share(agrees(0), training), curator.budget.spent
    (True, PureDP(epsilon=0.2))
    """

    def __init__(
        self, training: Any, curator: Curator, *, n: int, threshold: float, sigma: float
    ) -> None:
        self.curator = curator
        self.n = arguments.whole("n", n, least=1)
        self.threshold = arguments.number("threshold", threshold, least=0)
        self.sigma = arguments.number("sigma", sigma, above=0)
        self._training = np.asarray(training)
        self._comparisons: Comparisons | None = None  # with the threshold noise of this stretch

    @property
    def epsilon(self) -> float:
        """1 / (n sigma): of a stretch of answers from the training set, and of one that isn't."""
        return 1 / (self.n * self.sigma)

    def ask(self, query: Query) -> float:
        """The share, from the training set or noisy from the holdout.

        Raises, before anything is paid or drawn, BudgetExceeded, a Refused, where the budget can't
        pay for a comparison and the answer that may follow; ValueError for a query that has no
        share on the training set.
        """
        known = share(query, self._training)
        noisy = LaplaceMechanism(
            lambda records: self._share(query, records), 1 / self.n, self.epsilon
        )
        if not self._compared(noisy).ask(lambda records: abs(self._share(query, records) - known)):
            return known
        self._comparisons = None
        return self.curator.ask(noisy)

    def _compared(self, noisy: LaplaceMechanism) -> Comparisons:
        """The comparisons of this stretch, once the budget can pay for the noisy answer, too."""
        if self._comparisons is None:
            stretch = AboveThreshold(
                threshold=self.threshold, sensitivity=1 / self.n, epsilon=self.epsilon
            ).stream()
            self.curator.check(stretch, noisy)
            self._comparisons = self.curator.ask(stretch)
        self.curator.check(noisy)
        return self._comparisons

    def _share(self, query: Query, records: np.ndarray) -> float:
        """On the holdout: what is no number counts as 0, since an error would tell of a record."""
        if len(records) != self.n:
            raise ValueError(f"the curator's data must be n = {self.n} records, not {len(records)}")
        return share(lambda rows: np.nan_to_num(query(rows), posinf=1, neginf=0), records)


def agrees(variable: int) -> Query:
    """The query: does this variable have the value of the label, the last column?"""
    return lambda records: records[:, variable] == records[:, -1]


@dataclass(frozen=True)
class Vote:
    """Predict the label by a vote of variables, of which those in `flipped` vote the other way.

    As a query it says how right the vote is on each record: 1 or 0, and 1/2 for a tie.

    >>> Vote((0, 1), (False, True))(np.array([[1, 0, 1], [0, 0, 1], [0, 1, 1]])).tolist()
    [1.0, 0.5, 0.0]
    """

    variables: tuple[int, ...]
    flipped: tuple[bool, ...]

    def __call__(self, records: np.ndarray) -> np.ndarray:
        """How right the vote is on each record, shape (records,)."""
        right = (records[:, self.variables] == records[:, -1:]) != np.array(self.flipped, bool)
        return (1 + np.sign(2 * right.sum(axis=1) - len(self.variables))) / 2

    def best(self, size: int) -> Vote:
        """The vote of the first `size` variables."""
        return Vote(self.variables[:size], self.flipped[:size])


def vote_of_agreeing(training: np.ndarray, holdout: Holdout) -> Vote:
    """What an analyst who adapts finds: variables that predict on the training set and the holdout.

    She asks the holdout about each variable, and keeps those whose agreement with the label is off
    1/2 by 1 / (2 sqrt(n)) or more, to the same side on both sets; best on the training set first.
    Where the holdout refuses she keeps what she has.
    """
    variables, least = training.shape[1] - 1, 1 / (2 * np.sqrt(len(training)))
    known = np.array([share(agrees(j), training) for j in range(variables)]) - 1 / 2
    said = np.zeros(variables)  # 0 where nothing was answered
    with suppress(Refused):
        for j in range(variables):
            said[j] = holdout.ask(agrees(j)) - 1 / 2
    kept = (known * said > 0) & (abs(known) >= least) & (abs(said) >= least)
    order = [int(j) for j in np.argsort(-abs(known), kind="stable") if kept[j]]
    return Vote(tuple(order), tuple(bool(known[j] < 0) for j in order))


@dataclass(frozen=True, eq=False)
class Findings:
    """Votes of more and more variables: how right on the training set, as reported, and in truth.

    Arrays of shape (sizes,); `reported` is NaN from where the holdout refused. `vote` is that of
    all variables that were kept.
    """

    vote: Vote
    sizes: np.ndarray
    training: np.ndarray
    reported: np.ndarray
    fresh: np.ndarray


def adaptive_analysis(
    training: np.ndarray, holdout: Holdout, fresh: np.ndarray, sizes: Sequence[int]
) -> Findings:
    """Let an analyst choose by `vote_of_agreeing`, and ask the same holdout how right she is.

    Records are rows of 0/1, the label last; `sizes` are how many of her best variables vote.
    `fresh` records nobody has seen: the truth, nearly. Raises ValueError for a size below 1.
    """
    for size in sizes:
        arguments.whole("sizes", size, least=1)
    found = vote_of_agreeing(training, holdout)
    votes = [found.best(size) for size in sizes]
    reported = np.full(len(votes), np.nan)
    with suppress(Refused):
        for i, vote in enumerate(votes):
            reported[i] = holdout.ask(vote)
    known, true = (np.array([share(vote, some) for vote in votes]) for some in (training, fresh))
    return Findings(found, np.array(sizes), known, reported, true)


def make_records(
    n: int, variables: int, rng: np.random.Generator, *, telling: int = 0, agreement: float = 0.56
) -> np.ndarray:
    """n records of 0/1 variables and a label, bool of shape (n, variables + 1), the label last.

    The first `telling` variables have the label's value with probability `agreement`, the others
    with 1/2: they are coins. Raises ValueError unless 0 <= telling <= variables, all whole numbers,
    and 0 <= agreement <= 1.
    """
    n, variables = (
        arguments.whole("n", n, least=1),
        arguments.whole("variables", variables, least=1),
    )
    telling = arguments.whole("telling", telling, least=0, most=variables)
    agreement = arguments.number("agreement", agreement, least=0, most=1)
    records = rng.integers(2, size=(variables + 1, n), dtype=bool).T  # a variable's values together
    different = rng.random((n, telling)) >= agreement
    records[:, :telling] = records[:, -1:] ^ different
    return records
