"""Divergences: the ways in which privacy measures how far apart two distributions are.

The functions take two distributions, p and q, and know no mechanism. All of them are computed from
one object, the privacy loss of p against q, so that no two answers can disagree.

>>> from dplab.continuous import Laplace
>>> max_divergence(Laplace(1, scale=2), Laplace(0, scale=2))
0.5
"""

from __future__ import annotations

from functools import singledispatch
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dplab.continuous import Gaussian, GaussianVector, Laplace, LaplaceVector, length
from dplab.distributions import Distribution, Finite, Product
from dplab.losses import (
    NO_LOSS,
    AtomicLoss,
    GaussianLoss,
    LaplaceLoss,
    PrivacyLoss,
    total_loss,
)

MAX_SHIFTS = 64  # the most different sizes of shifts in one vector
SHIFT_STEP = 2.0**-30  # a share of the largest shift; shifts are rounded up to multiples of it

Law = TypeVar("Law", bound=Distribution)


@singledispatch
def privacy_loss(p: Distribution, q: Distribution) -> PrivacyLoss:
    """Return the distribution of log(p(Y) / q(Y)) for Y ~ p.

    It is exact for two finite distributions, two Laplace distributions of one scale, two normal
    distributions of one sigma or covariance, and products of finite or of normal distributions.
    Other products and Laplace vectors are put on a grid, and delta is an upper bound (see
    `total_loss`). If a Laplace vector has more than 64 different shifts, each is first rounded up
    to the next of 64 quantiles. Further families register themselves with `privacy_loss.register`.

    Raises ValueError where no exact form is known.
    """
    if not isinstance(p, Distribution):
        raise ValueError(f"p must be a Distribution, not of type {type(p).__name__}")
    kinds = f"{type(p).__name__} against {type(q).__name__}"  # a whole distribution may quote data
    raise ValueError(f"no exact privacy loss is known for {kinds}")


@privacy_loss.register
def _(p: Finite, q: Distribution) -> PrivacyLoss:
    if isinstance(q, Product):
        q = q.enumerate()
    q = _require_same_family(p, q)
    outcomes = p.outcomes
    if q.outcomes is not outcomes:
        outcomes = tuple(dict.fromkeys(p.outcomes + q.outcomes))
    return AtomicLoss.of(p.log_densities(outcomes), q.log_densities(outcomes))


@privacy_loss.register
def _(p: Laplace, q: Distribution) -> PrivacyLoss:
    q = _require_same_family(p, q, "scale")
    shift = abs(p.location - q.location) / p.scale
    return LaplaceLoss(shift) if shift else NO_LOSS


@privacy_loss.register
def _(p: Gaussian, q: Distribution) -> PrivacyLoss:
    q = _require_same_family(p, q, "sigma")
    mu = abs(p.mean - q.mean) / p.sigma
    return GaussianLoss(mu) if mu else NO_LOSS


@privacy_loss.register
def _(p: LaplaceVector, q: Distribution) -> PrivacyLoss:
    q = _require_same_family(p, q, "scale")
    _require_same_length(p.locations, q.locations)
    return total_loss(_count_losses(np.abs(p.locations - q.locations) / p.scale))


@privacy_loss.register
def _(p: GaussianVector, q: Distribution) -> PrivacyLoss:
    q = _require_same_family(p, q)
    _require_same_length(p.mean, q.mean)
    if not np.array_equal(p.covariance, q.covariance):
        raise ValueError("q must have the same covariance as p")
    mu = float(length(p.whiten(p.mean - q.mean)))
    return GaussianLoss(mu) if mu else NO_LOSS


def _require_same_length(p: np.ndarray, q: np.ndarray) -> None:
    if len(p) != len(q):
        raise ValueError(f"q must have {len(p)} coordinates like p, not {len(q)}")


def _count_losses(shifts: np.ndarray) -> dict[PrivacyLoss, int]:
    """Count the Laplace losses of these shifts, none for shift 0; rounding up adds loss."""
    top = shifts.max()
    shares = np.ceil(shifts[shifts > 0] / top / SHIFT_STEP)  # undoes differences of rounding
    kinds, counts = np.unique(shares, return_counts=True)
    if len(kinds) > MAX_SHIFTS:
        kinds, counts = _round_up(shares)
    return {LaplaceLoss(s): int(k) for s, k in np.column_stack([kinds * SHIFT_STEP * top, counts])}


def _round_up(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `MAX_SHIFTS` quantiles, and how many shares are rounded up to each."""
    ends: np.ndarray = len(shares) * np.arange(1, MAX_SHIFTS + 1) // MAX_SHIFTS - 1
    kinds, first = np.unique(np.partition(shares, ends)[ends], return_index=True)
    last: np.ndarray = np.append(first[1:], MAX_SHIFTS) - 1
    return kinds, np.diff(ends[last], prepend=-1)


@privacy_loss.register
def _(p: Product, q: Distribution) -> PrivacyLoss:
    if isinstance(q, Finite):
        return privacy_loss(p.enumerate(), q)
    q = _require_same_family(p, q)
    if len(p.factors) != len(q.factors):
        raise ValueError(f"q must have {len(p.factors)} factors like p, not {len(q.factors)}")
    pairs = zip(p.factors, q.factors, strict=True)
    # Neighbours share most factors as the same object, and those have no loss.
    return total_loss([privacy_loss(a, b) for a, b in pairs if a is not b])


def max_divergence(p: Distribution, q: Distribution) -> float:
    """Return D_inf(p || q) = sup_y log(p(y) / q(y)), in nats; inf if only p has some outcome."""
    return privacy_loss(p, q).largest


def largest_log_ratio(p: Distribution, q: Distribution) -> float:
    """Return sup_y |log p(y) - log q(y)|: the least epsilon of epsilon-indistinguishability."""
    return privacy_loss(p, q).largest_log_ratio


def hockey_stick(p: Distribution, q: Distribution, *, epsilon: float) -> float:
    """Return delta(epsilon) = sup_S p(S) - e^epsilon q(S) = E_p[max(0, 1 - e^{epsilon - Z})]."""
    return privacy_loss(p, q).delta(epsilon)


def total_variation(p: Distribution, q: Distribution) -> float:
    """Return sup_S |p(S) - q(S)|: the hockey stick at epsilon 0."""
    return privacy_loss(p, q).delta(0.0)


def renyi_divergence(p: Distribution, q: Distribution, *, alpha: float) -> float:
    """Return D_alpha(p || q) = log E_q[(p / q)^alpha] / (alpha - 1) for alpha > 1, in nats."""
    return privacy_loss(p, q).renyi(alpha)


def true_positive_rate(
    p: Distribution, q: Distribution, *, false_positive_rate: ArrayLike
) -> np.ndarray:
    """Return the ROC curve: the power of the best test of "q" against "p" at each level."""
    return privacy_loss(p, q).true_positive_rate(false_positive_rate)


def _require_same_family(p: Law, q: Distribution, *shared: str) -> Law:
    """Return q if it is of p's family and has the same `shared` parameters, or raise ValueError."""
    if type(p) is not type(q) or any(getattr(p, name) != getattr(q, name) for name in shared):
        also = "".join(f" and the same {name}" for name in shared)
        raise ValueError(f"q must be {type(p).__name__} like p{also}")
    return q
