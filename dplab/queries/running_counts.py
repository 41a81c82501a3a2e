"""Factorizations of running counts: the square root, with all its bands or a few, and the tree.

W is lower triangular, all ones: question t is the sum of the first t counts. See `factorization`.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular, toeplitz

from dplab import arguments
from dplab.queries.factorization import Factorization
from dplab.queries.families import IntervalQueries

MAX_STEPS = 4096  # of a factorization that is stored; the tree's two arrays have 256 MiB each


def square_root_coefficients(n: int) -> np.ndarray:
    """Return (2j choose j) / 4^j for j = 0, ..., n - 1, the series of 1 / sqrt(1 - z).

    Its square is 1 / (1 - z) = 1 + z + z^2 + ..., which are running counts. Raises ValueError
    unless n is a whole number of at least 1.

    >>> square_root_coefficients(4).tolist()
    [1.0, 0.5, 0.375, 0.3125]
    """
    n = arguments.size("n", n)
    j = np.arange(1, n)
    return np.concatenate([[1.0], np.cumprod((2 * j - 1) / (2 * j))])


def square_root_factorization(n: int) -> Factorization:
    """Return the square root of the n running counts: R = A, lower triangular, R R = W.

    Entry (i, j) is coefficient i - j, so count t needs only the first t noise terms. Both errors,
    by L2 norms, are at most the sum of the first n squared coefficients, (log(n) + 3.35) / pi
    nearly. No factorization has a largest error below the mean of the singular values of W, as
    their sum is at most |R|_F |A|_F <= sqrt(n) |R| sqrt(n) |A|. This mean is lower by 0.37 at most,
    for these n. Raises ValueError unless n is from 1 to 4,096. Source: Fichtenberger, Henzinger and
    Upadhyay (2023).

    >>> square_root_factorization(3).workload.tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    """
    n = arguments.whole("n", n, least=1, most=MAX_STEPS)
    root = toeplitz(square_root_coefficients(n), np.zeros(n))
    return Factorization(root, root)


def banded_factorization(n: int, bands: int) -> Factorization:
    """Return the factors of n running counts whose A is the first `bands` diagonals of the root.

    A and R = W A^{-1} are lower triangular. One band is noise on each step, n bands are the square
    root. Steps x plus the noise y = A^{-1} Z have running sums with the noise R Z, and

        y_t = Z_t - (a_1 y_{t-1} + ... + a_{b-1} y_{t-b+1}),     a the square root's coefficients:

    the noise remembers b - 1 values. Columns of A that are b or more apart are orthogonal. Raises
    ValueError unless n is from 1 to 4,096 and `bands` is from 1 to n. Sources: Choquette-Choo and
    others (2023) for bands; Kalinin and Lampert (2024) for these coefficients.

    >>> banded_factorization(3, 2).strategy.tolist()
    [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.5, 1.0]]
    """
    n = arguments.whole("n", n, least=1, most=MAX_STEPS)
    bands = arguments.whole("bands", bands, least=1, most=n)
    column = np.zeros(n)
    column[:bands] = square_root_coefficients(bands)
    strategy = toeplitz(column, np.zeros(n))
    first = solve_triangular(strategy, np.ones(n), lower=True)  # R is W A^{-1} = A^{-1} W
    return Factorization(toeplitz(first, np.zeros(n)), strategy)


def tree_factorization(n: int) -> Factorization:
    """Return the tree factorization: A has the nodes of `IntervalQueries.tree`, R adds nodes.

    Count t adds the nodes that its binary digits name. Raises ValueError unless n is from 1 to
    4,096.
    """
    n = arguments.whole("n", n, least=1, most=MAX_STEPS)
    nodes, counts, end = np.asarray(IntervalQueries.tree(n)), np.arange(1, n + 1), 0
    recovery = np.zeros((n, len(nodes)))
    for level in range(n.bit_length()):
        full = counts >> level  # complete nodes; an odd last one is used
        odd = full % 2 == 1
        recovery[odd, end + full[odd] - 1] = 1
        end += n >> level
    return Factorization(recovery, nodes)
