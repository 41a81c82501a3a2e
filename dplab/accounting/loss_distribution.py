"""Exact accounting: the law of the total privacy loss, and certified bounds on its epsilon.

The loss of independent releases is the sum of their losses, and delta(epsilon) is read off its
law. Where the sum has a closed form it is used: normal losses add like Pythagoras, and k losses
of two values are a binomial law. Everything else goes on a grid twice, above and below the truth
(`grid`), and is added up by a Fourier transform with a bound on its error (`convolution`).

For an adaptive composition the same numbers hold when one pair of laws dominates every release
whatever came before (Zhu, Dong and Wang 2022, Theorem 10).

>>> from dplab.losses import LaplaceLoss
>>> bounds = epsilon_bounds([Releases(LaplaceLoss(0.05), 1000)], delta=1e-6)
>>> round(bounds.lower, 2), round(bounds.upper, 2)
(8.2, 8.2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.accounting.convolution import DeltaBounds, GridSum
from dplab.accounting.grid import ROUNDING, above, below
from dplab.accounting.optimal import BinomialLoss
from dplab.bisection import between
from dplab.losses import NO_LOSS, AtomicLoss, GaussianLoss, PrivacyLoss, RoundedLoss

MOST_POINTS = 2**17  # of a transform that is not yet fine enough
RELATIVE = 5e-4  # the gap between the bounds that refinement aims at
CLOSED_FORM = 1e-9  # relative error granted to the special functions of a closed form
COARSE, FINE = 16, 16384  # grid points to a standard deviation of one loss, first and at most


@dataclass(frozen=True)
class Releases:
    """`count` releases of one privacy loss each: a `PrivacyLoss` and how often."""

    loss: PrivacyLoss
    count: int = 1

    def __post_init__(self):
        object.__setattr__(self, "count", arguments.whole("count", self.count, least=1))
        if not isinstance(self.loss, PrivacyLoss) or isinstance(self.loss, RoundedLoss):
            raise ValueError(f"loss must be an exact PrivacyLoss, not {self.loss!r}")


@dataclass(frozen=True)
class Bounds:
    """A number that is known to lie in [lower, upper]."""

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """(upper - lower) / upper; 0 where they agree, also at infinity."""
        return 0.0 if self.upper == self.lower else (self.upper - self.lower) / self.upper


def epsilon_bounds(releases: Sequence[Releases], *, delta: float) -> Bounds:
    """Bounds on the smallest epsilon with sup_S P(S) - e^epsilon Q(S) <= delta for all releases.

    `delta` is a probability above 0 and below 1; epsilon is in nats, inf where the releases have
    outcomes of total probability above delta that only P can produce. The bounds are a relative
    5e-4 apart or less wherever a transform of 2^19 points allows it. It does not for many releases
    of a few losses that have no grid in common; the lower bound is then the poorer one.
    They hold for P against Q as given; for a promise take the larger epsilon of both directions.
    Raises ValueError for a delta outside its range, or a loss without accurate masses.
    """
    delta = arguments.number("delta", delta, above=0, below=1)
    exact = _closed_form(_gathered(releases))
    epsilon = np.inf if exact is None else exact.epsilon(delta)
    if exact is not None and _has_digits(exact, epsilon):
        return Bounds(epsilon * (1 - CLOSED_FORM), epsilon * (1 + CLOSED_FORM))
    return _refined(releases, delta, lambda total: total.tilt_for_delta(delta), _smallest(delta))


def delta_bounds(releases: Sequence[Releases], *, epsilon: float) -> Bounds:
    """Bounds on delta = sup_S P(S) - e^epsilon Q(S) for all releases together.

    `epsilon` is in nats, at least 0. Conditions and errors as of `epsilon_bounds`.
    """
    epsilon = arguments.number("epsilon", epsilon, least=0)
    exact = _closed_form(_gathered(releases))
    if exact is not None and _has_digits(exact, epsilon):
        wide = CLOSED_FORM * max(1.0, epsilon)
        return Bounds(exact.delta(epsilon + wide), min(1.0, exact.delta(epsilon - wide)))
    return _refined(
        releases,
        1e-30,
        lambda total: total.tilt_for_epsilon(epsilon),
        lambda lower, upper: Bounds(lower.lower(epsilon), upper.upper(epsilon)),
    )


def _gathered(releases: Sequence[Releases]) -> list[Releases]:
    """The same total with all normal losses in one, equal losses counted, and no empty ones."""
    if not releases:
        raise ValueError("releases must not be empty")
    counts: dict[PrivacyLoss, int] = {}
    squares = 0.0
    for release in releases:
        if isinstance(release.loss, GaussianLoss):
            squares += release.count * release.loss.mu**2
        elif release.loss is not NO_LOSS:
            counts[release.loss] = counts.get(release.loss, 0) + release.count
    rest = [Releases(loss, count) for loss, count in counts.items()]
    return rest + ([Releases(GaussianLoss(float(np.sqrt(squares))))] if squares else [])


def _closed_form(releases: list[Releases]) -> PrivacyLoss | None:
    if not releases:
        return NO_LOSS
    if len(releases) > 1:
        return None
    loss, k = releases[0].loss, releases[0].count
    if isinstance(loss, BinomialLoss):
        return BinomialLoss(k * loss.k, loss.low, loss.high, loss.p, loss.q)
    if isinstance(loss, AtomicLoss) and len(loss.losses) == 2 and np.isfinite(loss.losses).all():
        (low, high), (_, p), (_, q) = loss.losses, loss.p, loss.q
        return BinomialLoss(k, float(low), float(high), float(p), float(q))
    return loss if k == 1 else None


def _has_digits(loss: PrivacyLoss, epsilon: float) -> bool:
    """Whether the tail under q, about e^{-epsilon}, is not lost to underflow."""
    return epsilon < 600 or isinstance(loss, GaussianLoss)


def _smallest(delta: float) -> Callable[[DeltaBounds, DeltaBounds], Bounds]:
    """The smallest epsilon at which delta's lower and upper bound are at most `delta`."""

    def bounds(lower: DeltaBounds, upper: DeltaBounds) -> Bounds:
        most = _root_of_upper(upper, delta)
        return Bounds(_root_of_lower(lower, delta, most), most)

    return bounds


def _root_of_upper(law: DeltaBounds, delta: float) -> float:
    top = max(0.0, float(law.losses[-1]) + law.slack) + law.step
    if law.upper(top) > delta:
        return np.inf
    return 0.0 if law.upper(0.0) <= delta else _falls_to(delta, law.upper, 0.0, top)[1]


def _root_of_lower(law: DeltaBounds, delta: float, most: float) -> float:
    """An epsilon where the lower bound still exceeds `delta`; it is poor far below the root."""
    if law.infinite * (1 - law.slack) > delta:
        return np.inf
    most = min(most, max(0.0, float(law.losses[-1])))
    for share in 4.0 ** np.arange(-12, 1):
        start = most * (1 - share)
        if law.lower(start) > delta:
            return _falls_to(delta, law.lower, start, most)[0]
    return 0.0


def _falls_to(delta: float, value: Callable[[float], float], low: float, high: float) -> tuple:
    """Close in on where `value` falls to `delta`: value(low) > delta, value(high) <= delta."""
    return between(lambda epsilon: value(epsilon) > delta, low, high, 1e-9)


def _refined(releases, smallest_delta: float, tilt, bounds) -> Bounds:
    """Halve the step until `bounds` are close enough, and keep the best of all."""
    parts = _atomic(_gathered(releases))
    tail = 1e-7 * smallest_delta / sum(part.count for part in parts)
    spread = _common_spread(parts)
    best, points = Bounds(-np.inf, np.inf), COARSE
    while points <= FINE:
        step = _aligned(parts, spread / points)
        sums = [
            GridSum(tuple(put(p.loss, step, tail) for p in parts), tuple(p.count for p in parts))
            for put in (below, above)
        ]
        theta = tilt(sums[1])
        curves = [DeltaBounds(total, theta) for total in sums]
        found = bounds(*curves)
        lower, upper = max(best.lower, found.lower), min(best.upper, found.upper)
        best = Bounds(float(lower), float(upper))
        if best.gap <= RELATIVE or curves[1].size > MOST_POINTS or step <= ROUNDING:
            break
        points *= 4
    return best


def _atomic(releases: list[Releases]) -> list[Releases]:
    """The same with one binomial loss of many steps written as many losses of two values."""
    return [
        Releases(r.loss.one, r.count * r.loss.k) if isinstance(r.loss, BinomialLoss) else r
        for r in releases
    ]


def _common_spread(releases: list[Releases]) -> float:
    """The smallest spread of one loss, unless the total, the widest or rounding is far larger."""
    spreads = [_spread(release.loss) for release in releases]
    squares = [r.count * spread**2 for r, spread in zip(releases, spreads, strict=True)]
    widths = [r.loss.largest - r.loss.smallest for r in releases]
    widest = max((width for width in widths if np.isfinite(width)), default=0.0)
    return max(min(spreads), 1e-3 * sum(squares) ** 0.5, 1e-4 * widest, 16 * ROUNDING)


def _spread(loss: PrivacyLoss) -> float:
    """The order of one loss's standard deviation, in nats."""
    if isinstance(loss, GaussianLoss):
        return loss.mu
    if isinstance(loss, AtomicLoss):
        kept = np.isfinite(loss.losses) & (loss.p > 0)
        p, z = loss.p[kept] / loss.p[kept].sum(), loss.losses[kept]
        return max(float(np.sqrt(p @ (z - p @ z) ** 2)), 1e-9)
    return loss.largest - loss.smallest if np.isfinite(loss.smallest) else 1.0


def _aligned(releases: list[Releases], step: float) -> float:
    """A step no larger, of which the ends of all losses are multiples, if one is near."""
    unit = 0.0
    for release in releases:
        for end in (release.loss.smallest, release.loss.largest):
            unit = _common_divisor(unit, abs(end)) if np.isfinite(end) else unit
    if unit <= step / 16:  # none is: then of the loss that comes most often
        unit = max((_heaviest(r) for r in releases), default=(0.0, 0.0))[1]
    return unit / np.ceil(unit / step - 1e-9) if unit > step / 16 else step


def _heaviest(release: Releases) -> tuple[float, float]:
    """The largest expected number of one loss, and its absolute value; zeros if there is none."""
    loss = release.loss
    if not isinstance(loss, AtomicLoss):
        return 0.0, 0.0
    i = int(np.argmax(np.where(np.isfinite(loss.losses), loss.p, -1.0)))
    return release.count * float(loss.p[i]), abs(float(loss.losses[i]))


def _common_divisor(a: float, b: float) -> float:
    """Euclid's algorithm, with remainders that are rounding error taken for 0."""
    small = 1e-12 * max(a, b)
    while b > small:
        a, b = b, abs(a - b * round(a / b))
    return a
