"""Theorem: the share of n secret bits that least squares recovers from m noisy counts.

Let a = Q b + e with independent normal noise of standard deviation sigma and Q of rank n. The
least-squares estimate of bit i is normal around b_i, so its rounding is right with probability

    Phi(1 / (2 sigma r_i)),    r_i^2 = ((Q'Q)^-1)_ii,

exactly. Noise of size 1 moves bit i by r_i. For m = kappa n random subsets r_i is near
2 / sqrt(m - n) for everybody, and with sigma = c sqrt(n) the share is near

    Phi(sqrt(kappa - 1) / (4 c)):

which does not depend on n. All curves over sigma / sqrt(n) collapse to one: noise of o(sqrt n)
leaves o(n) bits in doubt. For the n prefixes r_i^2 = 2 (1 for the first) doesn't depend on n
either.

Against `ContraryCurator`, whose errors are c sqrt(n) and point away from b, the estimates are near
b_i + 2 c sqrt(2 / pi) (1 - 2 b_i), with a spread of 2 c sqrt((1 - 2 / pi) / (kappa - 1)). More
queries make that spread small and leave the shift: beyond c = sqrt(pi / 2) / 4 = 0.313 most bits
come out wrong, however many queries there are.

Proof. The estimate is b + (Q'Q)^-1 Q'e, which is linear in e; its covariance is sigma^2 (Q'Q)^-1.
For random Q, Q'Q is near (m / 4) (I + 11') and the mean of its inverse's diagonal near 4 / (m - n),
as for normal entries. The contrary errors regressed on the pull (Q - 1/2) z, z = 1 - 2 b, of
standard deviation sqrt(n) / 2, have slope E sqrt(2 / pi) 2 / sqrt(n); the residual has the
variance (1 - 2 / pi) E^2 and no direction.

Sources: Dwork and Yekhanin (2008) for the singular values; the rest is the normal linear model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from dplab import arguments

RANK_TOLERANCE = 1e-12  # relative to the largest squared singular value; below it is rank loss
BREAKS_AT = np.sqrt(np.pi / 2) / 4  # error over sqrt(n) where the contrary curator beats any m


def noise_gain(queries: ArrayLike) -> np.ndarray:
    """Return r_i of the theorem, shape (n,): the spread of each estimate for noise of spread 1.

    Raises ValueError unless `queries` has shape (m, n) and rank n.

    >>> noise_gain([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).round(3)
    array([1.   , 1.414, 1.414])
    """
    queries = arguments.reals("queries", queries)
    if queries.ndim != 2:
        raise ValueError(f"queries must be (m, n) of rank n, not {queries.shape}")
    values, vectors = np.linalg.eigh(queries.T @ queries)
    if values[0] <= RANK_TOLERANCE * values[-1]:
        raise ValueError(f"queries must be (m, n) of rank n, not {queries.shape} of a lower rank")
    return np.sqrt((vectors**2 / values).sum(axis=1))


def collapsed_share(c: ArrayLike, kappa: float) -> Any:
    """Return Phi(sqrt(kappa - 1) / (4 c)): kappa n random queries, normal noise of c sqrt(n).

    Raises ValueError unless kappa is above 1.

    >>> round(float(collapsed_share(0.2, 4)), 3), round(float(collapsed_share(2.0, 4)), 3)
    (0.985, 0.586)
    """
    c = arguments.reals("c", c, least=0)
    return ndtr(np.sqrt(arguments.number("kappa", kappa, above=1) - 1) / (4 * np.asarray(c)))


def contrary_share(c: ArrayLike, kappa: float) -> Any:
    """Return the share of right bits against a `ContraryCurator` with error c sqrt(n).

    Raises ValueError unless kappa is above 1.

    >>> contrary_share(np.array([0.2, 0.3133, 0.5]), 100).round(3)
    array([1. , 0.5, 0. ])
    """
    c = arguments.reals("c", c, least=0)
    c, kappa = np.asarray(c), arguments.number("kappa", kappa, above=1)
    shift, spread = 2 * c * np.sqrt(2 / np.pi), 2 * c * np.sqrt((1 - 2 / np.pi) / (kappa - 1))
    return ndtr((0.5 - shift) / spread)


@dataclass(frozen=True, eq=False)
class ReconstructionLaw:
    """The exact share of right bits at each of `sigmas`, for n people and m queries."""

    n: int
    m: int
    sigmas: np.ndarray
    shares: np.ndarray


def reconstruction_law(queries: ArrayLike, sigmas: Sequence[float]) -> ReconstructionLaw:
    """Return the exact share for these queries and each standard deviation of the noise.

    Raises ValueError for a deviation that is not above 0.
    """
    gain, deviations = noise_gain(queries), arguments.reals("sigmas", sigmas, ndim=1)
    if (deviations <= 0).any():
        raise ValueError(f"sigmas must be above 0, not {deviations.min()}")
    shares = ndtr(1 / (2 * gain * deviations[:, None])).mean(axis=1)
    return ReconstructionLaw(len(gain), len(queries), deviations, shares)
