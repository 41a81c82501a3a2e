"""The factorization mechanism: write the questions as W = R A, measure A, and recover by R.

Let x be a table of counts. Publish A x with independent noise of standard deviation s |A|. |A| is
the sensitivity of the *strategy* A: the largest norm of a column, L1 for Laplace noise (s =
sqrt(2) / epsilon) and L2 for normal noise (s = 1 / sqrt(2 rho)). The answers R (A x + noise) are
post-processing. Whatever x is, answer j has the standard deviation

    s |A| |R_j|,    R_j the j-th row of the *recovery* R, in the L2 norm.

So an error is a product, |R| |A|: the largest |R_j|, or their root mean square, times |A|. Many
mechanisms differ only in how they factor W:

    A = I             noise on the cells              R = W
    A = W             noise on each answer            R = I
    A = tree          the sums of the tree's nodes    R has a one for each node of a threshold
    A = sqrt(W)       for running counts              R = sqrt(W)
    A = H             the Hadamard matrix             R = W H^-1

With L2 norms the least largest error is the factorization norm gamma_2(W). For (epsilon, delta)-DP
no mechanism beats the best factorization by more than a factor of logarithms, if people are many.

Sources: Li, Hay, Rastogi, Miklau and McGregor (2010, with a long version in 2015) for Laplace noise
and R = W A^+, the matrix mechanism; Nikolov, Talwar and Zhang (2013); Edmonds, Nikolov and Ullman
(2020); Fichtenberger, Henzinger and Upadhyay (2023) for the square root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.guarantees import ZCDP, Guarantee, PureDP
from dplab.losses import PrivacyLoss
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.histogram import touched_bins
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import ADD_REMOVE, Neighbors
from dplab.queries.linear import LinearQueries, table_of

SPAN_TOLERANCE = 1e-8  # the limit of W - W A^+ A, relative to the largest entry of W


def table_sensitivity(
    queries: ArrayLike, *, norm: int = 1, neighbors: Neighbors = ADD_REMOVE
) -> float:
    """Return the sensitivity of linear queries on a table of counts, in the L1 or the L2 norm.

    Adding or removing a record moves one count by 1: the largest norm of a column. Replacing a
    record moves two counts: the largest distance of two columns. Raises ValueError unless `norm` is
    1 or 2.

    >>> table_sensitivity([[1, 1, 1], [1, 0, 0]])
    2.0
    """
    columns, norm = _build_matrix("queries", queries).T, arguments.one_of("norm", norm, (1, 2))
    if touched_bins(neighbors) == 1:
        return float(np.linalg.norm(columns, norm, axis=1).max())
    return float(max(np.linalg.norm(columns - column, norm, axis=1).max() for column in columns))


@dataclass(frozen=True, eq=False)
class Factorization:
    """The questions W = R A: `recovery` R of shape (m, p), `strategy` A of shape (p, cells).

    Errors are in units of s, see above; `norm` is 1 for Laplace and 2 for normal noise. Raises
    ValueError for shapes that don't fit.

    >>> each = Factorization(np.eye(3), np.tri(3))
    >>> each.largest_error(norm=1), round(each.largest_error(norm=2), 4)
    (3.0, 1.7321)
    """

    recovery: np.ndarray
    strategy: np.ndarray

    def __post_init__(self):
        arguments.settle(self, arguments.reals, "recovery", "strategy")
        shapes = self.recovery.shape, self.strategy.shape
        if [len(shape) for shape in shapes] != [2, 2] or shapes[0][1] != shapes[1][0]:
            raise ValueError(f"recovery and strategy must be (m, p) and (p, cells), not {shapes}")

    @classmethod
    def by_least_squares(cls, workload: ArrayLike, strategy: ArrayLike) -> Factorization:
        """Return W = (W A^+) A, the recovery with the least errors for this strategy.

        Raises ValueError where the strategy doesn't determine the answers.
        """
        return cls(recovery_from(workload, strategy), np.asarray(strategy))

    @property
    def workload(self) -> np.ndarray:
        """The questions R A, of shape (m, cells)."""
        return self.recovery @ self.strategy

    def sensitivity(self, *, norm: int = 2, neighbors: Neighbors = ADD_REMOVE) -> float:
        """Return |A|, how far one record moves the measurements in this norm."""
        return table_sensitivity(self.strategy, norm=norm, neighbors=neighbors)

    def errors(self, *, norm: int = 2, neighbors: Neighbors = ADD_REMOVE) -> np.ndarray:
        """Return |A| |R_j| for each question, shape (m,)."""
        rows = np.linalg.norm(self.recovery, axis=1)
        return self.sensitivity(norm=norm, neighbors=neighbors) * rows

    def largest_error(self, *, norm: int = 2, neighbors: Neighbors = ADD_REMOVE) -> float:
        """Return the largest |A| |R_j|."""
        return float(self.errors(norm=norm, neighbors=neighbors).max())

    def root_mean_error(self, *, norm: int = 2, neighbors: Neighbors = ADD_REMOVE) -> float:
        """Return the root mean square of |A| |R_j| over all questions."""
        return float(np.sqrt(np.mean(self.errors(norm=norm, neighbors=neighbors) ** 2)))


@dataclass(frozen=True, eq=False)
class FactorizationMechanism(Mechanism):
    """The mechanism that answers W x by R (A x + noise).

        output = R (A x + s |A| Z),   Z of independent parts with variance 1

    `total` is PureDP, for Laplace noise, or ZCDP, for normal noise. Data are records, whole numbers
    from 0 to cells - 1: the cell, or the time, of each person. Outputs are float arrays of shape
    (m,). Raises ValueError for another total, and for a strategy that no record moves.

    >>> halves = Factorization.by_least_squares([[1, 0]], [[0.5, 0.5], [0.5, -0.5]])
    >>> FactorizationMechanism(halves, PureDP(0.5)).deviations.round(4).tolist()
    [4.0]
    """

    factorization: Factorization
    total: PureDP | ZCDP
    neighbors: Neighbors = ADD_REMOVE
    is_tight = False  # a record may move several coordinates, or the answers may tell less

    def __post_init__(self):
        arguments.instance("factorization", self.factorization, Factorization)
        if not isinstance(self.total, PureDP | ZCDP) or self.total in (PureDP(0), ZCDP(0)):
            raise ValueError(f"total must be PureDP or ZCDP, above 0, not {self.total!r}")
        arguments.number("sensitivity of the strategy", self._sensitivity, above=0)

    @property
    def _norm(self) -> int:
        return 1 if isinstance(self.total, PureDP) else 2

    @property
    def _sensitivity(self) -> float:
        return self.factorization.sensitivity(norm=self._norm, neighbors=self.neighbors)

    @property
    def guarantee(self) -> PureDP | ZCDP:
        return self.total

    @property
    def worst_case(self) -> PrivacyLoss | Guarantee:
        return self.measurement.worst_case

    @property
    def measurement(self) -> ExactMechanism:
        """The mechanism that publishes A x + noise."""
        if isinstance(self.total, PureDP):
            strategy, epsilon = self.factorization.strategy, self.total.epsilon
            return strategy_mechanism(strategy, epsilon=epsilon, neighbors=self.neighbors)
        return GaussianMechanism.for_zcdp(
            self._measure,
            sensitivity=self._sensitivity,
            rho=self.total.rho,
            neighbors=self.neighbors,
        )

    def _measure(self, records: ArrayLike) -> np.ndarray:
        strategy = self.factorization.strategy
        return strategy @ table_of(records, strategy.shape[1])

    @property
    def deviations(self) -> np.ndarray:
        """The standard deviation of each answer, shape (m,)."""
        if isinstance(self.total, PureDP):
            unit = np.sqrt(2) / self.total.epsilon
        else:
            unit = 1 / np.sqrt(2 * self.total.rho)
        return unit * self.factorization.errors(norm=self._norm, neighbors=self.neighbors)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        return self.factorization.recovery @ self.measurement(data, rng)


def strategy_mechanism(
    strategy: ArrayLike, *, epsilon: Any, neighbors: Neighbors = ADD_REMOVE
) -> LaplaceMechanism:
    """Return the mechanism that publishes A x with Laplace noise: epsilon-DP.

    Data are records, whole numbers from 0 to N - 1: the cell of each person, for a strategy of
    shape (p, N). Raises ValueError for a strategy of zeros only.
    """
    matrix = _build_matrix("strategy", strategy)

    def measure(records: ArrayLike) -> np.ndarray:
        return matrix @ table_of(records, matrix.shape[1])

    return LaplaceMechanism(
        measure, table_sensitivity(matrix, neighbors=neighbors), epsilon, neighbors
    )


def answers_from(workload: ArrayLike, strategy: ArrayLike, measured: ArrayLike) -> np.ndarray:
    """Return W A^+ measured, shape (m,): the workload's answers inferred from the measurements.

    Raises ValueError if the strategy doesn't determine them.

    >>> answers_from([[1, 0], [1, 1]], [[0.5, 0.5], [0.5, -0.5]], [1.5, -0.5]).round(6).tolist()
    [1.0, 3.0]
    """
    measured = arguments.reals("measured", measured)
    recovery = recovery_from(workload, strategy)
    if measured.shape != recovery.shape[1:]:
        raise ValueError(f"measured must have shape {recovery.shape[1:]}, not {measured.shape}")
    return recovery @ measured


def strategy_deviations(
    workload: ArrayLike, strategy: ArrayLike, *, epsilon: float, neighbors: Neighbors = ADD_REMOVE
) -> np.ndarray:
    """Return the standard deviation of the noise in each answer of the workload, shape (m,).

    Raises ValueError unless epsilon is above 0 and the workload follows from the strategy.
    """
    strategy = _build_matrix("strategy", strategy)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    factors = Factorization.by_least_squares(workload, strategy)
    return np.sqrt(2) / epsilon * factors.errors(norm=1, neighbors=neighbors)


def recovery_from(workload: ArrayLike, strategy: ArrayLike) -> np.ndarray:
    """Return W A^+, of shape (m, p); an implicit workload multiplies, which is far quicker.

    Raises ValueError if the strategy doesn't determine the answers.
    """
    workload = (
        workload if isinstance(workload, LinearQueries) else _build_matrix("workload", workload)
    )
    strategy, cells = _build_matrix("strategy", strategy), np.eye(workload.shape[1])
    if strategy.shape[1] != len(cells):
        raise ValueError(f"strategy must be on {len(cells)} cells, not {strategy.shape[1]}")
    inverse = np.linalg.pinv(strategy)
    error, size = (np.abs(workload @ x).max() for x in (cells - inverse @ strategy, cells))
    if not error <= SPAN_TOLERANCE * size:
        raise ValueError("strategy must determine the answers to the workload, but it doesn't")
    return workload @ inverse


def _build_matrix(name: str, queries: ArrayLike) -> np.ndarray:
    matrix = arguments.reals(
        name, np.asarray(queries) if isinstance(queries, LinearQueries) else queries
    )
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be of shape (m, n), not {matrix.shape}")
    return matrix
