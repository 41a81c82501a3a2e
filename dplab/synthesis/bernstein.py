"""The Bernstein mechanism: a function published through its values on a lattice.

Let F_x be a function on [0, 1] that depends on the data x. Publish its values v_k at 0, 1/K, ..., 1
with Laplace noise, and between them the polynomial sum_k v_k C(K, k) t^k (1 - t)^{K - k}, which is
post-processing. If a record moves F_x by at most Delta at every t, the K + 1 values have L1
sensitivity (K + 1) Delta.
A Bernstein polynomial is an average of the values. So neither it nor its noise ever exceeds them.
Its distance from a smooth F falls like 1 / K.

Theorem (after Alda and Rubinstein 2017). Any epsilon-DP release of a function errs by about
Delta / epsilon: let data x and y be m steps apart, and F_x(t) and F_y(t) m Delta apart. On x or
on y the release is off at t by m Delta / 2 or more with probability 1 / (1 + e^{m epsilon}) at
least. For m = 1 / epsilon that is Delta / (2 epsilon), and 27%.

Proof. The outputs nearer than m Delta / 2 to F_x(t) and those nearer to F_y(t) have nothing in
common. If both have probability p on their own data, then 1 >= p + p e^{-m epsilon} on x.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors
from dplab.queries.linear import MAX_CELLS


def bernstein_mechanism(
    function: Callable,
    sensitivity: float,
    K: int,
    *,
    epsilon: float,
    neighbors: Neighbors = REPLACE_ONE,
) -> LaplaceMechanism:
    """Return the mechanism that publishes function(data, t) at t = 0, 1/K, ..., 1: epsilon-DP.

    `function` takes the data and an array of places; `sensitivity` is the most that a neighbour
    moves it at any place. Outputs are arrays of shape (K + 1,), for `bernstein_polynomial`. Raises
    ValueError unless sensitivity and epsilon are above 0 and K is a whole number of at least 1.

    >>> bernstein_mechanism(lambda data, t: t * sum(data), 0.5, 4, epsilon=1.0).scale
    2.5
    """
    arguments.function("function", function)
    K = arguments.whole("K", K, least=1, most=MAX_CELLS)
    lattice = np.linspace(0, 1, K + 1)
    most = arguments.number("sensitivity", sensitivity, above=0)
    return LaplaceMechanism(
        lambda data: function(data, lattice), (K + 1) * most, epsilon, neighbors
    )


def bernstein_polynomial(values: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Return sum_k values[k] C(K, k) t^k (1 - t)^{K - k} at each t in [0, 1], elementwise.

    Raises ValueError unless values are finite numbers, and t numbers in [0, 1].

    >>> bernstein_polynomial([0.0, 0.5, 1.0], [0.0, 0.25, 1.0]).tolist()
    [0.0, 0.25, 1.0]
    """
    from scipy.special import gammaln, xlog1py, xlogy

    values, t = arguments.reals("values", values, ndim=1), arguments.reals("t", t)[..., None]
    if t.min() < 0 or t.max() > 1:
        raise ValueError(f"t must be in [0, 1], not from {t.min()} to {t.max()}")
    degree, k = len(values) - 1, np.arange(len(values))
    ways = gammaln(degree + 1) - gammaln(k + 1) - gammaln(degree - k + 1)
    return np.exp(ways + xlogy(k, t) + xlog1py(degree - k, -t)) @ values
