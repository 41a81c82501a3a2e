"""The reusable holdout: check idea after idea on the same records without fitting to them.

An analyst tries ideas on a training set and checks them on a holdout. If the next idea depends on
the holdout's answers, the holdout is no longer fresh: she fits her choices to its noise.
Thresholdout answers from the training set as long as the holdout agrees, which costs nothing. Each
time that the holdout disagrees, it pays from a budget. It is sparse vector on |holdout - training|,
with a noisy answer after each "above".

Source: Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Science 349:636.
`dplab.theorems.generalization` proves that it works, `dplab.theorems.adaptive_gain` computes what
happens without it, and `dplab.learning.adaptive_analyst` repeats the paper's experiment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from dplab import arguments
from dplab import records as checks
from dplab.interaction import Curator
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold, PaidWhenAbove

Query = Callable[[np.ndarray], Any]  # maps records, one a row, to values from 0 to 1


class Holdout(Protocol):
    """An object that answers questions about shares of fresh records with some property."""

    def ask(self, query: Query) -> float:
        """Return about the mean of query(records), or raise Refused instead of answering."""


def _as_records(name: str, records: Any) -> np.ndarray:
    if type(records) is not np.ndarray or records.dtype.kind not in "biuf":
        records = checks.reals(name, records)
    if records.ndim == 0:
        raise ValueError(f"{name} must be an array with a record in each row")
    return records


def share(query: Query, records: np.ndarray) -> float:
    """Return the mean of query(records); values below 0 count as 0, values above 1 as 1.

    Each value may depend on its own record only. Raises ValueError unless there is one finite
    number for each record.

    >>> share(agrees(0), np.array([[1, 1], [0, 0], [1, 0], [0, 0]]))
    0.75
    """
    records = _as_records("records", records)
    arguments.function("query", query)
    values = checks.array("query(records)", query(records))
    if values.shape != (len(records),):
        raise ValueError(f"query(records) must have shape ({len(records)},)")
    if values.dtype == bool and len(values):  # most queries return bools; counting them is faster
        return int(np.count_nonzero(values)) / len(values)
    return float(checks.reals("query(records)", values).clip(0, 1).mean())


@dataclass(frozen=True, eq=False)
class OrdinaryHoldout:
    """A holdout that answers exactly, as often as it is asked; an adaptive analyst fools it.

    Raises ValueError for other arguments.
    """

    records: np.ndarray = field(repr=False)

    def __post_init__(self):
        object.__setattr__(self, "records", _as_records("records", self.records))

    def ask(self, query: Query) -> float:
        """Return the share of these records."""
        return share(query, self.records)


class Thresholdout:
    """A holdout that answers from the training set unless the curator's records disagree with it.

    With t and h the shares of query(records) on the training set and on the holdout, of n records:

        |h - t| < T + Lap(2 sigma) + Lap(4 sigma):  answer t
        otherwise:                                  answer h + Lap(sigma),

    where Lap(2 sigma) is drawn once, and again after each answer of the second kind. A query gives
    each record a value from 0 to 1, see `share`. On the holdout NaN counts as 0. A query that fails
    on the holdout raises MechanismError, which says nothing of the records. The answer is within
    about T of h, and each of the second kind costs epsilon = 2 / (n sigma) of the curator's budget.

    Guarantee. h and |h - t| move by 1 / n at most when a record of the holdout is replaced. A
    stretch up to "above" is AboveThreshold with count 1: noises of 2 and 4 times
    sensitivity / epsilon_1, which are 2 and 4 sigma at epsilon_1 = 1 / (n sigma). The answer after
    it is a Laplace mechanism of scale sigma, at the same epsilon_1. Both are paid for before they
    are drawn, and a refusal draws nothing (`PaidWhenAbove`). So all answers together keep
    `curator.budget.total`: 2 B / (n sigma) for B answers of the second kind, or
    rho <= B / (n sigma)^2. The number of queries has no influence. The training set is not
    protected.

    `training` has one record in each row, `curator` holds the holdout. The threshold T is at least
    0 and sigma is above 0, both in shares. Raises ValueError for other arguments, and for a holdout
    that does not have n records.

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
        arguments.instance("curator", curator, Curator)
        self.curator = curator
        self.n = arguments.whole("n", n, least=1)
        self.threshold = arguments.number("threshold", threshold, least=0)
        self.sigma = arguments.number("sigma", sigma, above=0)
        arguments.number("1 / (n sigma)", self.epsilon, above=0)
        curator.require(
            lambda records: len(records) == self.n,
            f"the curator's data must be n = {self.n} records",
        )
        self._training = _as_records("training", training)
        self._paid = PaidWhenAbove(
            curator,
            AboveThreshold(threshold=self.threshold, sensitivity=1 / self.n, epsilon=self.epsilon),
        )

    @property
    def epsilon(self) -> float:
        """1 / (n sigma): the price of a stretch of comparisons, and that of a noisy answer."""
        return 1 / (self.n * self.sigma)

    def ask(self, query: Query) -> float:
        """Return the share, from the training set or noisy from the holdout.

        Raises BudgetExceeded, a kind of Refused, if the budget can't pay for a comparison and the
        answer that may follow; then nothing is paid or drawn. Raises ValueError for a query that
        has no share on the training set.
        """
        training_share = share(query, self._training)
        noisy = LaplaceMechanism(
            lambda records: self._share(query, records), 1 / self.n, self.epsilon
        )
        answer = self._paid.ask(lambda data: abs(self._share(query, data) - training_share), noisy)
        return training_share if answer is None else answer

    def _share(self, query: Query, records: np.ndarray) -> float:
        """Return the share of the holdout. NaN counts as 0: an error would reveal a record."""
        return share(lambda rows: np.nan_to_num(query(rows), posinf=1, neginf=0), records)


def agrees(variable: int) -> Query:
    """Return the query that asks whether this variable equals the label, the last column.

    Raises ValueError for other arguments.
    """
    variable = arguments.whole("variable", variable, least=0)
    return lambda records: records[:, variable] == records[:, -1]
