"""The matrix mechanism: measure other queries than those that are asked, and work theirs out.

Let the rows of W be the queries on a table x of counts, and those of A a *strategy* that spans
them. Publish A x with Laplace noise of scale Delta(A) / epsilon, Delta(A) the L1 sensitivity of the
strategy, and answer W A^+ (A x + noise): post-processing. The noise in answer j has the variance

    2 (Delta(A) / epsilon)^2 |(W A^+)_j|^2,

whatever x is. The identity, a tree and the Hadamard rows are strategies, for other workloads each.
Source: Li, Miklau, Hay, McGregor and Rastogi (2015).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dplab import arguments
from dplab.mechanisms.histogram import touched_bins
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import ADD_REMOVE, Neighbors
from dplab.queries.linear import LinearQueries, table_of

CLOSE = 1e-8  # of W and W A^+ A, relative to the largest entry of W


def table_sensitivity(queries, *, neighbors: Neighbors = ADD_REMOVE) -> float:
    """The L1 sensitivity of linear queries on a table of counts.

    A record more or less moves one count by 1: the largest sum of a column's absolute values. A
    record that is replaced moves two: the largest L1 distance of two columns.

    >>> table_sensitivity([[1, 1, 1], [1, 0, 0]])
    2.0
    """
    columns = _matrix("queries", queries).T
    if touched_bins(neighbors) == 1:
        return float(np.abs(columns).sum(axis=1).max())
    return float(max(np.abs(columns - one).sum(axis=1).max() for one in columns))


def strategy_mechanism(
    strategy, *, epsilon: Any, neighbors: Neighbors = ADD_REMOVE
) -> LaplaceMechanism:
    """The mechanism that publishes A x with Laplace noise: epsilon-DP.

    Data are records, whole numbers from 0 to N - 1: the cell of each person, for a strategy of
    shape (p, N). Raises ValueError for a strategy that a record doesn't move.
    """
    matrix = _matrix("strategy", strategy)

    def measured(records) -> np.ndarray:
        return matrix @ table_of(records, matrix.shape[1])

    return LaplaceMechanism(
        measured, table_sensitivity(matrix, neighbors=neighbors), epsilon, neighbors
    )


def answers_from(workload, strategy, measured) -> np.ndarray:
    """W A^+ measured, shape (m,): the answers to the workload that the measurements say.

    Raises ValueError where the strategy doesn't determine them.

    >>> answers_from([[1, 0], [1, 1]], [[0.5, 0.5], [0.5, -0.5]], [1.5, -0.5]).round(6).tolist()
    [1.0, 3.0]
    """
    measured = arguments.reals("measured", measured)
    recovery = _recovery(workload, strategy)
    if measured.shape != recovery.shape[1:]:
        raise ValueError(f"measured must have shape {recovery.shape[1:]}, not {measured.shape}")
    return recovery @ measured


def strategy_deviations(
    workload, strategy, *, epsilon: float, neighbors: Neighbors = ADD_REMOVE
) -> np.ndarray:
    """The standard deviation of the noise in each answer of the workload, shape (m,).

    Raises ValueError unless epsilon is above 0 and the workload follows from the strategy.
    """
    epsilon = arguments.number("epsilon", epsilon, above=0)
    scale = table_sensitivity(strategy, neighbors=neighbors) / epsilon
    return np.sqrt(2) * scale * np.linalg.norm(_recovery(workload, strategy), axis=1)


def _recovery(workload, strategy) -> np.ndarray:
    """W A^+, of shape (m, p): by products with an implicit workload, which are far quicker."""
    wanted = workload if isinstance(workload, LinearQueries) else _matrix("workload", workload)
    known, cells = _matrix("strategy", strategy), np.eye(wanted.shape[1])
    if known.shape[1] != len(cells):
        raise ValueError(f"strategy must be on {len(cells)} cells, not {known.shape[1]}")
    inverse = np.linalg.pinv(known)
    missed, size = (np.abs(wanted @ x).max() for x in (cells - inverse @ known, cells))
    if not missed <= CLOSE * size:
        raise ValueError("strategy must determine the answers to the workload, and doesn't")
    return wanted @ inverse


def _matrix(name: str, queries) -> np.ndarray:
    matrix = arguments.reals(name, np.asarray(queries))
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be of shape (m, n), not {matrix.shape}")
    return matrix
