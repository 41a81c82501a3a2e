"""Multiplicative weights online: queries come one by one, and most answers cost nothing.

The curator's data are a table of counts. A public table h of equally many people starts with equal
cells. For each query, sparse vector tests whether the answer of h is far off. If it is not, h
answers, and that costs nothing. If it is, the analyst pays for a noisy answer, and h learns from it
as in `dplab.queries.weights`. Each such answer brings h nearer to the data in relative entropy. So
few answers are paid for, whatever the number of queries and the analyst.

Source: Hardt and Rothblum (2010).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.interaction import Curator
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold, PaidWhenAbove
from dplab.queries.linear import MAX_CELLS
from dplab.queries.weights import Measured, replayed


class OnlineWeights:
    """A learner that answers linear queries on a table of n people one by one.

    Let b be the noise of a comparison: a sum of Laplace noise of scales 2 / epsilon and
    4 / epsilon, where epsilon^2 = rho. The answer to a query q is

        q . h              if |q . x - q . h| + b < threshold,
        q . x + N(0, 1/rho)    otherwise; then h learns, and b's first part is drawn anew.

    Guarantee. q . x moves by 1 at most if a person is replaced. Comparisons up to "above" are
    epsilon-DP, so (rho / 2)-zCDP. The answer after them is (rho / 2)-zCDP as well: each answer of
    the second kind costs at most `rho` of the curator's budget, half of it for the comparisons
    before it. A refusal draws nothing (`PaidWhenAbove`). All answers keep `curator.budget.total`,
    however many there are.

    `curator` holds the table, shape (cells,), whose sum `n` is public; threshold and answers are in
    people. Raises ValueError for numbers out of range and for another table. The table
    is checked when the learner is made, not when it answers.

    >>> from dplab import ZCDP
    >>> from dplab.budget import Budget
    >>> curator = Curator(np.array([900, 50, 50]), Budget(ZCDP(0.5)), np.random.default_rng(1))
    >>> learner = OnlineWeights(curator, cells=3, n=1000, threshold=100, rho=0.1)
    >>> [round(learner.ask([1, 0, 0]), -2) for _ in range(5)], learner.updates
    ([900.0, 900.0, 900.0, 900.0, 900.0], 2)
    """

    def __init__(
        self,
        curator: Curator,
        cells: int,
        n: int,
        *,
        threshold: float,
        rho: float,
        replays: int = 10,
    ) -> None:
        arguments.instance("curator", curator, Curator)
        self.curator = curator
        self.n = arguments.whole("n", n, least=1)
        self.threshold = arguments.number("threshold", threshold, above=0)
        self.rho = arguments.number("rho", rho, above=0)
        self.replays = arguments.whole("replays", replays, least=1)
        cells = arguments.whole("cells", cells, least=1, most=MAX_CELLS)
        self.table: np.ndarray = np.full(cells, self.n / cells)
        curator.require(
            self._fits, f"the curator's table must be {cells} counts of {self.n} people"
        )
        self._measured: Measured = []
        self._paid = PaidWhenAbove(
            curator,
            AboveThreshold(
                threshold=self.threshold, sensitivity=1, epsilon=float(np.sqrt(self.rho))
            ),
        )

    @property
    def updates(self) -> int:
        """The number of answers that were paid for so far."""
        return len(self._measured)

    def ask(self, query: ArrayLike) -> float:
        """Return the answer to one query, shape (cells,) with entries from 0 to 1.

        Raises BudgetExceeded, a kind of Refused, before anything is drawn, if the budget can't pay
        for a comparison and the answer that may follow. Raises ValueError for another query.
        """
        query = arguments.reals("query", query).copy()  # the analyst may change the original
        if query.shape != self.table.shape or (query < 0).any() or (query > 1).any():
            raise ValueError(f"query must be {len(self.table)} numbers from 0 to 1")
        guess = float(query @ self.table)
        noisy = GaussianMechanism.for_zcdp(
            lambda x: float(query @ x), sensitivity=1, rho=self.rho / 2
        )
        answer = self._paid.ask(lambda x: abs(float(query @ x) - guess), noisy)
        if answer is None:
            return guess
        self._measured.append((query, answer))
        self.table = replayed(self.table, self._measured, self.replays)
        return answer

    def _fits(self, table: ArrayLike) -> bool:
        x = records.reals("the curator's table", table)
        is_counts = x.shape == self.table.shape and (x >= 0).all() and (x == np.floor(x)).all()
        return bool(is_counts) and x.sum() == self.n
