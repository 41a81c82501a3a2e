"""Exact accounting: the law of the total privacy loss, and certified bounds on its epsilon.

The loss of independent releases is the sum of their losses, and delta(epsilon) is read off its
law. Where the sum has a closed form it is used: normal losses add like Pythagoras, and k losses
of two values are a binomial law. Everything else goes on a grid twice, above and below the truth
(`grid`), and is added up by a Fourier transform with a bound on its error (`convolution`).

For an adaptive composition the same numbers hold when one pair of laws dominates every release
whatever came before (Zhu, Dong and Wang 2022, Theorem 10).

>>> from dplab.losses import LaplaceLoss
>>> bounds = epsilon_bounds([Repeated(LaplaceLoss(0.05), 1000)], delta=1e-6)
>>> round(bounds.lower, 2), round(bounds.upper, 2)
(8.2, 8.2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplab import arguments
from dplab.accounting.releases import Repeated, renyi_curve, worst_cases, worst_loss
from dplab.accounting.renyi import RenyiCurve
from dplab.bisection import between
from dplab.guarantees import ApproxDP, BoundedRange
from dplab.losses import NO_LOSS, AtomicLoss, BinomialLoss, GaussianLoss, PrivacyLoss
from dplab.losses.convolution import DeltaBounds, GridSum, window
from dplab.losses.grid import ROUNDING, above, below, extent, finite_ends
from dplab.moments import variance

FIRST_POINTS = 2**14  # of a transform; where the usual step needs more, a coarse one is first,
FIRST_COARSER = 64  # so many times as wide
MOST_POINTS = 2**18  # of a transform that is not yet fine enough
RELATIVE = 5e-4  # the gap between the bounds that refinement aims at
CLOSED_FORM = 1e-9  # relative error of epsilon and delta granted to a closed form
LAST_DIGITS = 1e-14  # of a sum of floats, relative
COARSE = 8  # steps of k equal losses to a standard deviation of the sum over sqrt(k), at first
THIN = 1e-9  # relative width of a cell that an atom fills and a density does not
MOST_COUNTED = 10**6  # releases of one loss that make its step finer

Counts = dict[PrivacyLoss, int]  # how often each loss comes


@dataclass(frozen=True)
class Bounds:
    """A number that is known to lie in [lower, upper]."""

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """1 - lower / upper; 0 where they agree, also at infinity."""
        return 0.0 if self.upper == self.lower else 1 - self.lower / self.upper


Enough = Callable[[Bounds], bool]  # whether bounds need come no closer


def epsilon_bounds(releases: Sequence[Repeated], *, delta: float) -> Bounds:
    """Bounds on the smallest epsilon with sup_S P(S) - e^epsilon Q(S) <= delta for all releases.

    `delta` is a probability above 0 and below 1; epsilon is in nats, inf where the releases have
    outcomes of total probability above delta that only P can produce. The bounds are a relative
    5e-4 apart or less wherever a transform of 2^20 points allows it. It may not for many releases
    of a few losses that have no grid in common; the lower bound is then the poorer one.

    A mechanism counts as its worst case, and a promise of epsilon or (epsilon, delta) as the worst
    mechanism that keeps it. Where a Renyi or a range promise is among them the upper bound is the
    better one of the Renyi curve's and, if all have one, that of the worst losses; the lower is 0.
    Losses hold for P against Q as given; where one is not symmetric, take the larger epsilon of
    both directions. Raises ValueError for a delta outside its range, or a loss without accurate
    masses.
    """
    delta = arguments.number("delta", delta, above=0, below=1)

    def by_curve(curve: RenyiCurve, told: float) -> float:
        left = (delta - told) / (1 - told)
        return curve.to_approx(left).epsilon if left > 0 else np.inf

    return _best(releases, lambda losses: _epsilon_of_losses(losses, delta), by_curve)


def _epsilon_of_losses(losses: Counts, delta: float) -> Bounds:
    exact = _closed_form(losses)
    if exact is not None:
        less, more = _around(delta, exact.infinite)
        least = exact.epsilon(more) if more < 1 else 0.0
        return Bounds(least * (1 - CLOSED_FORM), exact.epsilon(less) * (1 + CLOSED_FORM))
    most = (1 + CLOSED_FORM) * _largest(losses)
    return _refined(
        losses, delta, lambda total: total.tilt_for_delta(delta), _smallest(delta, most), _close
    )


def delta_bounds(releases: Sequence[Repeated], *, epsilon: float) -> Bounds:
    """Bounds on delta = sup_S P(S) - e^epsilon Q(S) for all releases together.

    `epsilon` is in nats, at least 0. Conditions and errors as of `epsilon_bounds`.
    """
    return _delta_of(releases, epsilon, _close)


def certainly_within(releases: Sequence[Repeated], target: ApproxDP) -> bool:
    """Whether `delta_bounds(releases, epsilon=target.epsilon).upper` is at most `target.delta`.

    It is told from bounds as wide as may be. Conditions and errors as of `epsilon_bounds`.
    """

    def enough(found: Bounds) -> bool:
        return found.upper <= target.delta or found.lower > target.delta or _close(found)

    return _delta_of(releases, target.epsilon, enough).upper <= target.delta


def _delta_of(releases: Sequence[Repeated], epsilon: float, enough: Enough) -> Bounds:
    epsilon = arguments.number("epsilon", epsilon, least=0)

    def by_curve(curve: RenyiCurve, told: float) -> float:
        return told + (1 - told) * curve.delta(epsilon)

    return _best(releases, lambda losses: _delta_of_losses(losses, epsilon, enough), by_curve)


def _delta_of_losses(losses: Counts, epsilon: float, enough: Enough) -> Bounds:
    if epsilon * (1 - CLOSED_FORM) >= _largest(losses):
        return Bounds(0.0, 0.0)
    exact = _closed_form(losses)
    if exact is not None:
        far, near = (exact.delta(epsilon * (1 + sign * CLOSED_FORM)) for sign in (1, -1))
        return Bounds(_around(far)[0], _around(near)[1])
    return _refined(
        losses,
        1e-30,
        lambda total: total.tilt_for_epsilon(epsilon),
        lambda lower, upper: Bounds(lower.lower(epsilon), upper.upper(epsilon)),
        enough,
    )


def _best(releases: Sequence[Repeated], by_losses: Callable, by_curve: Callable) -> Bounds:
    """The bounds of the worst losses, or the least upper bound of all roads that there are."""
    parts = worst_cases(releases)
    tight = [(loss, k) for known, k in parts if (loss := worst_loss(known))]
    if len(tight) == len(parts):
        return by_losses(_gathered(tight))
    upper = by_curve(*renyi_curve(releases))
    pure = [
        (loss, k)
        for known, k in parts
        if (loss := worst_loss(known.to_pure() if isinstance(known, BoundedRange) else known))
    ]
    if len(pure) == len(parts):
        upper = min(upper, by_losses(_gathered(pure)).upper)
    return Bounds(0.0, upper)


def _gathered(losses: Sequence[tuple[PrivacyLoss, int]]) -> Counts:
    """The same total with all normal losses in one, equal losses counted, and no empty ones."""
    counts: Counts = {}
    mu = 0.0
    for loss, count in losses:
        if isinstance(loss, GaussianLoss):
            mu = math.hypot(mu, math.sqrt(count) * loss.mu)
        elif loss is not NO_LOSS:
            counts[loss] = counts.get(loss, 0) + count
    return counts | ({GaussianLoss(mu): 1} if mu else {})


def _closed_form(losses: Counts) -> PrivacyLoss | None:
    if not losses:
        return NO_LOSS
    for loss in losses:
        if loss.infinite > 1 - LAST_DIGITS:  # it tells all by itself
            return loss
    if len(losses) > 1:
        return None
    [(loss, k)] = losses.items()
    if isinstance(loss, BinomialLoss):
        return replace(loss, k=k * loss.k)
    if isinstance(loss, AtomicLoss) and len(loss.losses) == 2 and np.isfinite(loss.losses).all():
        return BinomialLoss.of(k, loss)
    return loss if k == 1 else None


def _around(delta: float, told: float = 0.0) -> tuple[float, float]:
    """delta, less and more what is granted to a closed form: numbers from `told` to 1.

    Next to 1 that is relative to 1 - delta, of which floats keep few digits.
    """
    room = delta * (CLOSED_FORM * (1 - delta) + LAST_DIGITS) + math.ulp(0.0)
    return max(min(delta, told), delta - room), min(1.0, delta + room)


def _largest(losses: Counts) -> float:
    return sum(k * loss.largest for loss, k in losses.items())


def _smallest(delta: float, most: float) -> Callable[[DeltaBounds, DeltaBounds], Bounds]:
    """The smallest epsilon, up to `most`, at which delta's lower and upper bound are at most
    `delta`.
    """

    def bounds(lower: DeltaBounds, upper: DeltaBounds) -> Bounds:
        end = min(most, _root_of_upper(upper, delta))
        return Bounds(_root_of_lower(lower, delta, end), end)

    return bounds


def _root_of_upper(law: DeltaBounds, delta: float) -> float:
    if law.upper(0.0) <= delta:
        return 0.0
    top = float(law.losses[-1]) + law.slack
    return np.inf if law.upper(top) > delta else _falls_to(delta, law.upper, 0.0, top)[1]


def _root_of_lower(law: DeltaBounds, delta: float, most: float) -> float:
    """An epsilon where the lower bound still exceeds `delta`; it is poor far below the root.

    It is good from some 30 / theta below the tilted mean on.
    """
    if law.infinite * (1 - law.slack) > delta:
        return np.inf
    most = min(most, float(law.losses[-1]))
    for start in most - most * 4.0 ** np.arange(-20, 1):
        if law.lower(start) > delta:
            return _falls_to(delta, law.lower, start, most)[0]
    return 0.0


def _falls_to(delta: float, value: Callable[[float], float], low: float, high: float) -> tuple:
    """Close in on where `value` falls to `delta`: value(low) > delta, value(high) <= delta."""
    return between(lambda epsilon: value(epsilon) > delta, low, high, 1e-9)


def _close(found: Bounds) -> bool:
    return found.gap <= RELATIVE


def _refined(losses: Counts, smallest_delta: float, tilt, bounds, enough: Enough) -> Bounds:
    """Make the step finer until the best of all `bounds` are `enough`, if they ever are.

    Where the usual first step needs many points a coarse one begins. Up to the usual step, steps
    may then need any number of points, as long as they bring the bounds much closer.
    """
    losses = _atomic(losses)
    tail = 1e-7 * smallest_delta / sum(losses.values())
    usual = fine = COARSE / _spread_of_sum(losses, tail)
    best, more, limited = Bounds(-np.inf, np.inf), 4, False
    while True:
        sums = _on_grids(losses, fine, tail)
        theta = tilt(sums[1])
        width = window(sums[1], theta)[1]
        if fine == usual and best.lower == -np.inf and width > FIRST_POINTS:
            fine /= FIRST_COARSER
            continue
        if limited and width > 4 * MOST_POINTS:
            if more == 2:
                return best
            fine, more = fine / 2, 2
            continue
        curves = [DeltaBounds(total, theta) for total in sums]
        found, before = bounds(*curves), best
        lower, upper = max(best.lower, found.lower), min(best.upper, found.upper)
        best = Bounds(float(lower), float(upper))
        limited = fine >= usual or upper - lower > (1 - RELATIVE) * (before.upper - before.lower)
        points = max(curves[1].size, *(len(law.masses) for law in sums[1].laws))
        if enough(best) or (limited and points > MOST_POINTS) or curves[1].step <= ROUNDING:
            return best
        fine *= more


def _on_grids(losses: Counts, fine: float, tail: float) -> list[GridSum]:
    """The sum from below and from above, each loss on a grid of its own, part of the finest.

    k losses of spread s on a step h add some k h min(h, s) to the variance.
    """
    counts, steps = tuple(losses.values()), []
    for loss, k in losses.items():
        own = 1 / (fine * math.sqrt(min(k, MOST_COUNTED)))
        steps.append(min(1 / fine, own * max(1.0, own / max(_spread(loss), ROUNDING))))
    step = _aligned(losses, min(steps))
    every = [_multiple(loss, step, own) for loss, own in zip(losses, steps, strict=True)]

    def placed(put):
        parts = zip(losses, every, strict=True)
        return tuple(put(loss, n * step, tail).within(step, n) for loss, n in parts)

    return [GridSum(placed(put), counts) for put in (below, above)]


def _atomic(losses: Counts) -> Counts:
    """The same with one binomial loss of many steps written as many losses of two values."""
    made: Counts = {}
    for loss, k in losses.items():
        if isinstance(loss, BinomialLoss):
            made[loss.one] = k * loss.k
        else:
            made[loss] = k
    return made


def _spread_of_sum(losses: Counts, tail: float) -> float:
    """The order of its standard deviation, in nats, unless one loss or rounding is far larger:
    then the grid of that loss would have too many points.
    """
    spread = math.hypot(*(math.sqrt(k) * _spread(loss) for loss, k in losses.items()))
    widest = max(high - low for low, high in (extent(loss, tail) for loss in losses))
    return max(spread, 1e-3 * widest, 16 * ROUNDING)


def _spread(loss: PrivacyLoss) -> float:
    """The order of one loss's standard deviation, in nats."""
    if isinstance(loss, AtomicLoss):
        z, p = loss.finite()
        p = p / p.sum()
        return max(float(np.sqrt(p @ (z - p @ z) ** 2)), 1e-9)
    return variance(loss) ** 0.5


def _aligned(losses: Counts, step: float) -> float:
    """A step no larger, of which the ends of all losses are multiples, if one is near.

    Else one of which the end that comes most often is.
    """
    values = [(k * mass, z) for loss, k in losses.items() for z, mass in _ends(loss)]
    unit = 0.0
    for _, z in values:
        unit = _common_divisor(unit, abs(z))
    if values and unit <= step / 16:
        unit = abs(max(values)[1])
    return unit / np.ceil(unit / step - 1e-9) if unit > step / 16 else step


def _ends(loss: PrivacyLoss) -> list[tuple[float, float]]:
    """The smallest and the largest finite loss, and the mass of each, where it has some."""
    ends = finite_ends(loss)
    ends = ends[np.isfinite(ends)]
    masses = [loss.masses(np.array([z - THIN * abs(z), z]))[0][0] for z in ends]
    return [(float(z), float(p)) for z, p in zip(ends, masses, strict=True) if p > THIN**0.5]


def _multiple(loss: PrivacyLoss, step: float, most: float) -> int:
    """How many steps, `most` together, make one of the loss's own, of which its ends are multiples.

    Where these are none, steps 16 times finer make up for it.
    """
    number, ends = max(1, int(most / step)), [z / step for z, _ in _ends(loss)]
    if not ends:
        return number
    divisors = np.arange(1, number + 1)
    found = int(divisors[math.gcd(*map(round, ends)) % divisors == 0][-1])
    fits = all(abs(end - round(end)) < 1e-6 for end in ends)
    return found if fits and 16 * found > number else max(1, number // 16)


def _common_divisor(a: float, b: float) -> float:
    """Euclid's algorithm, with remainders that are rounding error taken for 0."""
    small = 1e-12 * max(a, b)
    while b > small:
        a, b = b, abs(a - b * round(a / b))
    return a
