"""Multiplicative weights as a conversation: queries come one by one, and most cost nothing.

The curator's data are a table of counts; a public table h of as many people starts the same
everywhere. Of each query sparse vector asks whether h is far off. If not, h answers, for nothing.
If it is, a noisy answer is paid for, and h learns from it as in `dplab.queries.weights`. Each such
answer brings h nearer to the data in relative entropy, so that there can't be many, however many
queries there are and whoever chooses them.

Source: Hardt and Rothblum (2010).
"""

from __future__ import annotations

import numpy as np

from dplab import arguments
from dplab.interaction import Curator
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold, PaidWhenAbove
from dplab.queries.linear import MOST_CELLS
from dplab.queries.weights import Measured, replayed


class OnlineWeights:
    """Answers linear queries on a table of n people as they come, by what it has learned.

    With b the noise of a comparison (Laplace, of scales 2 / epsilon and 4 / epsilon where
    epsilon^2 = rho), a query q is answered

        q . h              if |q . x - q . h| + b < threshold,
        q . x + N(0, 1/rho)    else; then h learns, and b's first part is drawn anew.

    Promise. q . x moves by 1 at most where a person is replaced. Comparisons up to "above" are
    epsilon-DP, so (rho / 2)-zCDP, and so is the answer after them: each answer of the second kind
    costs `rho` of the curator's budget at most, half of it for the comparisons before, and a
    refusal draws nothing (`PaidWhenAbove`). All answers keep `curator.budget.total`, however many
    there are.

    `curator` holds the table, shape (cells,), whose sum `n` is public; threshold and answers are in
    people. Raises ValueError for numbers out of range and for another table.

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
        self.curator = curator
        self.n = arguments.whole("n", n, least=1)
        self.threshold = arguments.number("threshold", threshold, above=0)
        self.rho = arguments.number("rho", rho, above=0)
        self.replays = arguments.whole("replays", replays, least=1)
        cells = arguments.whole("cells", cells, least=1, most=MOST_CELLS)
        self.table: np.ndarray = np.full(cells, self.n / cells)
        self._measured: Measured = []
        self._paid = PaidWhenAbove(
            curator,
            AboveThreshold(
                threshold=self.threshold, sensitivity=1, epsilon=float(np.sqrt(self.rho))
            ),
        )

    @property
    def updates(self) -> int:
        """How many answers were paid for so far."""
        return len(self._measured)

    def ask(self, query) -> float:
        """The answer to one query, shape (cells,) with entries from 0 to 1.

        Raises, before anything is drawn, BudgetExceeded, a Refused, where the budget can't pay for
        a comparison and the answer that may follow; ValueError for another query.
        """
        query = arguments.reals("query", query).copy()  # kept, whatever the analyst does to hers
        if query.shape != self.table.shape or (query < 0).any() or (query > 1).any():
            raise ValueError(f"query must be {len(self.table)} numbers from 0 to 1")
        guess = float(query @ self.table)
        noisy = GaussianMechanism.for_zcdp(
            lambda x: self._true(query, x), sensitivity=1, rho=self.rho / 2
        )
        answer = self._paid.ask(lambda x: abs(self._true(query, x) - guess), noisy)
        if answer is None:
            return guess
        self._measured.append((query, answer))
        self.table = replayed(self.table, self._measured, self.replays)
        return answer

    def _true(self, query: np.ndarray, x) -> float:
        x = np.asarray(x, dtype=float)
        counts = x.shape == query.shape and (x >= 0).all() and (x == np.floor(x)).all()
        if not counts or x.sum() != self.n:
            raise ValueError(f"the curator's table must be {len(query)} counts of {self.n} people")
        return float(query @ x)
