"""The matrix mechanism: measure other queries than the workload, and infer its answers.

Let the rows of W be the queries on a table x of counts, and those of A a *strategy* that spans
them. Publish A x with Laplace noise of scale Delta(A) / epsilon, Delta(A) the L1 sensitivity of the
strategy, and answer W A^+ (A x + noise): post-processing. The noise in answer j has the variance

    2 (Delta(A) / epsilon)^2 |(W A^+)_j|^2,

for every x. The identity, a tree and the Hadamard rows are strategies for different workloads.
Source: Li, Miklau, Hay, McGregor and Rastogi (2015).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
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
    scale = table_sensitivity(strategy, neighbors=neighbors) / epsilon
    return np.sqrt(2) * scale * np.linalg.norm(recovery_from(workload, strategy), axis=1)


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
