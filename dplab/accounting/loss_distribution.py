"""Exact accounting: the distribution of the total loss, and certified bounds on its epsilon.

The loss of independent releases is the sum of their losses, and its distribution gives
delta(epsilon). Two kinds of sums have a closed form: normal losses add like Pythagoras, and k
losses of two values have a binomial distribution. All other losses are put on two grids, above and
below the truth (`grid`). A Fourier transform with a bound on its error adds them up
(`convolution`).

The same numbers hold for an adaptive composition if one pair of distributions dominates every
release, whatever was released before (Zhu, Dong and Wang 2022, Theorem 10).

>>> from dplab.losses import LaplaceLoss
>>> bounds = epsilon_bounds([Release(LaplaceLoss(0.05), 1000)], delta=1e-6)
>>> round(bounds.lower, 2), round(bounds.upper, 2)
(8.2, 8.2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dplab import arguments
from dplab.accounting.releases import Release, renyi_curve, worst_cases, worst_loss
from dplab.accounting.renyi import RenyiCurve
from dplab.bisection import between
from dplab.guarantees import ApproxDP, BoundedRange
from dplab.losses import NO_LOSS, AtomicLoss, BinomialLoss, GaussianLoss, PrivacyLoss
from dplab.losses.convolution import DeltaBounds, GridSum, window
from dplab.losses.grid import ROUNDING, GridLaw, extent, finite_ends, optimistic, pessimistic
from dplab.moments import variance

FIRST_POINTS = 2**14  # points of a transform; a coarser step is first if the usual one needs more
FIRST_STEP_RATIO = 64  # the ratio of that coarser step to the usual one
MAX_POINTS = 2**18  # points of a transform; refinement ends above, even if the gap is too wide
GAP_TARGET = 5e-4  # relative gap between the bounds at which refinement ends
CLOSED_FORM_ERROR = 1e-9  # relative, of epsilon and delta from a closed form
SUM_ERROR = 1e-14  # relative, of a sum of floats
FIRST_RESOLUTION = 8  # the first step of k equal losses is the sum's deviation / (8 sqrt(k))
ATOM_WIDTH = 1e-9  # relative, of a cell in which an atom has mass and a density hardly any
NEAR_MEAN = np.array([1, 2, 4, 8])  # distances below a tilted mean, times theta, to search from
MAX_REFINING_COUNT = 10**6  # releases of a loss; more do not make its step finer

Counts = dict[PrivacyLoss, int]  # the number of releases with each loss


@dataclass(frozen=True)
class Bounds:
    """Certified bounds on a number: it lies in [lower, upper].

    The upper end always holds for the mechanisms. If `lower_of` is "mechanism", then so does the
    lower end: some neighbours have the losses that were added up (`Mechanism.is_tight`). If it is
    "guarantee", the lower end holds for other mechanisms with the same guarantees, and those that
    were asked for may cost less.
    """

    lower: float
    upper: float
    lower_of: str = field(default="mechanism", compare=False)

    @property
    def gap(self) -> float:
        """1 - lower / upper; 0 where they agree, also at infinity."""
        return 0.0 if self.upper == self.lower else 1 - self.lower / self.upper


def epsilon_bounds(releases: Sequence[Release], *, delta: float) -> Bounds:
    """Bound the smallest epsilon with sup_S P(S) - e^epsilon Q(S) <= delta for all releases.

    `delta` is a probability above 0 and below 1; epsilon is in nats, inf where the releases have
    outcomes of total probability above delta that only P can produce. The bounds are a relative
    5e-4 apart or less wherever a transform of 2^20 points allows it. It may not allow it for many
    releases of a few losses without a common grid. Then the lower bound is the poorer one. It may
    even be 0 if the largest losses add up to more than a million nats.

    A mechanism counts as its worst case, and a guarantee of epsilon or (epsilon, delta) as the
    worst mechanism that keeps it: `Bounds.lower_of` says which. If a Renyi or a range guarantee is
    among the releases, the lower bound is 0. The upper bound is then that of the Renyi curve, or of
    the worst losses if all releases have one and it is smaller. If a loss is not symmetric, the
    result is the larger of two: that of all losses, and that of the `reverse()` of all. Raises
    ValueError for a delta outside its range, or a loss without accurate masses.
    """
    return _choose_bounds(releases, _EpsilonFor(arguments.number("delta", delta, above=0, below=1)))


def delta_bounds(releases: Sequence[Release], *, epsilon: float) -> Bounds:
    """Bound delta = sup_S P(S) - e^epsilon Q(S) for all releases together.

    `epsilon` is in nats, at least 0. Conditions and errors as of `epsilon_bounds`.
    """
    return _choose_bounds(releases, _DeltaAt(arguments.number("epsilon", epsilon, least=0)))


def certainly_within(releases: Sequence[Release], target: ApproxDP) -> bool:
    """Return whether all releases together are certainly within `target`.

    It compares the upper bound of `delta_bounds` with its delta, and stops when that is clear.
    Conditions and errors as of `epsilon_bounds`.
    """
    target = arguments.guarantee("target", target, ApproxDP)
    question = _DeltaAt(target.epsilon, threshold=target.delta)
    return _choose_bounds(releases, question).upper <= target.delta


@dataclass(frozen=True)
class _EpsilonFor:
    """The question for the smallest epsilon, up to `most`, with which `delta` is enough."""

    delta: float
    most: float = np.inf

    @property
    def smallest_delta(self) -> float:
        return self.delta

    def by_losses(self, losses: Counts) -> Bounds:
        exact = _closed_form(losses)
        if exact is not None:
            low, high = _widen(self.delta, exact.infinite)
            least = exact.epsilon(high) if high < 1 else 0.0
            most = exact.epsilon(low) * (1 + CLOSED_FORM_ERROR)
            if exact.infinite > 1 - SUM_ERROR and sum(losses.values()) > 1:
                most = np.inf  # the closed form leaves out all other losses
            return Bounds(least * (1 - CLOSED_FORM_ERROR), most)
        most = (1 + CLOSED_FORM_ERROR) * _sum_largest(losses)
        return _refine(losses, _EpsilonFor(self.delta, most))

    def by_curve(self, curve: RenyiCurve, catastrophe: float) -> float:
        if self.delta <= catastrophe:
            return np.inf
        return curve.to_approx((self.delta - catastrophe) / (1 - catastrophe)).epsilon

    def tilt(self, total: GridSum) -> float:
        return total.tilt_for_delta(self.delta)

    def by_grids(self, lower: DeltaBounds, upper: DeltaBounds) -> Bounds:
        end = min(self.most, _root_of_upper(upper, self.delta))
        return Bounds(_root_of_lower(lower, self.delta, end), end)

    def is_answered(self, bounds: Bounds) -> bool:
        return bounds.gap <= GAP_TARGET


@dataclass(frozen=True)
class _DeltaAt:
    """The question for delta at `epsilon`, or only whether it is within a `threshold`."""

    epsilon: float
    threshold: float | None = None
    smallest_delta = 1e-30

    def by_losses(self, losses: Counts) -> Bounds:
        if self.epsilon * (1 - CLOSED_FORM_ERROR) >= _sum_largest(losses):
            return Bounds(0.0, 0.0)
        exact = _closed_form(losses)
        if exact is None:
            return _refine(losses, self)
        signs = (1, -1)
        low, high = (exact.delta(self.epsilon * (1 + s * CLOSED_FORM_ERROR)) for s in signs)
        return Bounds(_widen(low)[0], _widen(high)[1])

    def by_curve(self, curve: RenyiCurve, catastrophe: float) -> float:
        return catastrophe + (1 - catastrophe) * curve.delta(self.epsilon)

    def tilt(self, total: GridSum) -> float:
        return total.tilt_for_epsilon(self.epsilon)

    def by_grids(self, lower: DeltaBounds, upper: DeltaBounds) -> Bounds:
        return Bounds(lower.lower(self.epsilon), upper.upper(self.epsilon))

    def is_answered(self, bounds: Bounds) -> bool:
        limit = self.threshold
        if limit is not None and (bounds.upper <= limit or bounds.lower > limit):
            return True
        return bounds.gap <= GAP_TARGET


Question = _EpsilonFor | _DeltaAt


def _choose_bounds(releases: Sequence[Release], question: Question) -> Bounds:
    """Bound by the worst losses; if some release has none, by 0 and the least upper bound."""
    parts = worst_cases(releases)
    lower_of = "mechanism" if all(release.is_tight for release in releases) else "guarantee"
    tight = [(loss, k) for part, k in parts if (loss := worst_loss(part))]
    if len(tight) == len(parts):
        return replace(_bound_by_losses(tight, question), lower_of=lower_of)
    upper = question.by_curve(*renyi_curve(releases))
    pure = [
        (loss, k)
        for part, k in parts
        if (loss := worst_loss(part.to_pure() if isinstance(part, BoundedRange) else part))
    ]
    if len(pure) == len(parts):
        upper = min(upper, _bound_by_losses(pure, question).upper)
    return Bounds(0.0, upper, lower_of)


def _bound_by_losses(losses: Sequence[tuple[PrivacyLoss, int]], question: Question) -> Bounds:
    """Return the larger bounds of both directions: all losses, or all of them reversed."""
    counts = _gather(losses)
    reverse = {loss if loss.is_symmetric else loss.reverse(): k for loss, k in counts.items()}
    directions = [counts] if reverse == counts else [counts, reverse]
    bounds = [question.by_losses(direction) for direction in directions]
    return Bounds(max(b.lower for b in bounds), max(b.upper for b in bounds))


def _gather(losses: Sequence[tuple[PrivacyLoss, int]]) -> Counts:
    """Count equal losses, add up all normal ones, and leave out losses that are 0."""
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
        if loss.infinite > 1 - SUM_ERROR:  # this release reveals everything alone
            return loss
    if len(losses) > 1:
        return None
    [(loss, k)] = losses.items()
    if isinstance(loss, BinomialLoss):
        return replace(loss, k=k * loss.k)
    if isinstance(loss, AtomicLoss) and len(loss.losses) == 2 and np.isfinite(loss.losses).all():
        return BinomialLoss.of(k, loss)
    return loss if k == 1 else None


def _widen(delta: float, least: float = 0.0) -> tuple[float, float]:
    """Return delta minus and plus the error of a closed form: numbers from `least` to 1.

    Near 1 the error is relative to 1 - delta, of which floats keep few digits.
    """
    error = delta * (CLOSED_FORM_ERROR * (1 - delta) + SUM_ERROR) + math.ulp(0.0)
    return max(min(delta, least), delta - error), min(1.0, delta + error)


def _sum_largest(losses: Counts) -> float:
    return sum(k * loss.largest for loss, k in losses.items())


def _root_of_upper(bounds: DeltaBounds, delta: float) -> float:
    if bounds.upper(0.0) <= delta:
        return 0.0
    top = float(bounds.losses[-1]) + bounds.slack
    return np.inf if bounds.upper(top) > delta else _bracket_root(delta, bounds.upper, 0.0, top)[1]


def _root_of_lower(bounds: DeltaBounds, delta: float, most: float) -> float:
    """Return an epsilon where the lower bound still exceeds `delta`; it may be far too small.

    It is good from about 30 / theta below the tilted mean upwards. In a sum of many large losses
    all that range may lie between two of the places that come first.
    """
    if bounds.infinite * (1 - bounds.slack) > delta:
        return np.inf
    most = min(most, float(bounds.losses[-1]))
    starts: np.ndarray = np.append(
        most - most * 4.0 ** np.arange(-20, 1), bounds.center - NEAR_MEAN / bounds.theta
    )
    for start in starts[(starts >= 0) & (starts < most)]:
        if bounds.lower(start) > delta:
            return _bracket_root(delta, bounds.lower, start, most)[0]
    return 0.0


def _bracket_root(delta: float, value: Callable[[float], float], low: float, high: float) -> tuple:
    """Bracket where `value` falls to `delta`: value(low) > delta >= value(high)."""
    return between(lambda epsilon: value(epsilon) > delta, low, high, 1e-9)


def _refine(losses: Counts, question: Question) -> Bounds:
    """Make the step finer until the best of all bounds answer the question, if they ever do.

    If the usual first step needs many points, a coarser step is first. From there to the usual
    step, the number of points is not limited, as long as each step brings the bounds much closer.
    """
    losses = _split_binomials(losses)
    tail = 1e-7 * question.smallest_delta / sum(losses.values())
    usual = fine = FIRST_RESOLUTION / _spread_of_sum(losses, tail)
    best, factor, limited = Bounds(-np.inf, np.inf), 4, False
    while True:
        sums = _put_on_grids(losses, fine, tail)
        theta = question.tilt(sums[1])
        width = window(sums[1], theta)[1]
        if fine == usual and best.lower == -np.inf and width > FIRST_POINTS:
            fine /= FIRST_STEP_RATIO
            continue
        if limited and width > 4 * MAX_POINTS:
            if factor == 2:
                return best
            fine, factor = fine / 2, 2
            continue
        curves = [DeltaBounds(total, theta) for total in sums]
        latest, last_gap = question.by_grids(*curves), best.upper - best.lower
        lower, upper = max(best.lower, latest.lower), min(best.upper, latest.upper)
        best = Bounds(float(lower), float(upper))
        limited = fine >= usual or upper - lower > (1 - GAP_TARGET) * last_gap
        points = max(curves[1].size, *(len(law.masses) for law in sums[1].laws))
        if question.is_answered(best) or (limited and points > MAX_POINTS):
            return best
        if curves[1].step <= ROUNDING:
            return best
        fine *= factor


def _put_on_grids(losses: Counts, fine: float, tail: float) -> list[GridSum]:
    """Put the sum on grids from below and from above, each loss on a grid within the finest.

    k losses of spread s on a step h add about k h min(h, s) to the variance.
    """
    counts, steps = tuple(losses.values()), []
    for loss, k in losses.items():
        width = 1 / (fine * math.sqrt(min(k, MAX_REFINING_COUNT)))
        steps.append(min(1 / fine, width * max(1.0, width / max(_spread(loss), ROUNDING))))
    step = _align_step(losses, min(steps))
    every = [_multiple(loss, step, width) for loss, width in zip(losses, steps, strict=True)]

    def place(put_on_grid: Callable[[PrivacyLoss, float, float], GridLaw]) -> tuple[GridLaw, ...]:
        parts = zip(losses, every, strict=True)
        return tuple(put_on_grid(loss, n * step, tail).refine(step, n) for loss, n in parts)

    return [GridSum(place(put_on_grid), counts) for put_on_grid in (optimistic, pessimistic)]


def _split_binomials(losses: Counts) -> Counts:
    """Write each binomial loss of k steps as k losses of two values."""
    counts: Counts = {}
    for loss, k in losses.items():
        if isinstance(loss, BinomialLoss):
            counts[loss.one] = k * loss.k
        else:
            counts[loss] = k
    return counts


def _spread_of_sum(losses: Counts, tail: float) -> float:
    """Return the order of the sum's standard deviation, in nats.

    Where one loss or rounding is far larger it is more, so that no grid has too many points.
    """
    spread = math.hypot(*(math.sqrt(k) * _spread(loss) for loss, k in losses.items()))
    widest = max(high - low for low, high in (extent(loss, tail) for loss in losses))
    return max(spread, 1e-3 * widest, 16 * ROUNDING)


def _spread(loss: PrivacyLoss) -> float:
    """Return the order of one loss's standard deviation, in nats."""
    if isinstance(loss, AtomicLoss):
        z, p = loss.finite()
        p = p / p.sum()
        return max(float(np.sqrt(p @ (z - p @ z) ** 2)), 1e-9)
    return variance(loss) ** 0.5


def _align_step(losses: Counts, step: float) -> float:
    """Return a step, at most `step`, that divides the ends of all losses, if one is near.

    Otherwise it divides the end of the largest total mass, if that is possible.
    """
    values = [(k * mass, z) for loss, k in losses.items() for z, mass in _ends(loss)]
    unit = 0.0
    for _, z in values:
        unit = _common_divisor(unit, abs(z))
    if values and unit <= step / 16:
        unit = abs(max(values)[1])
    return unit / np.ceil(unit / step - 1e-9) if unit > step / 16 else step


def _ends(loss: PrivacyLoss) -> list[tuple[float, float]]:
    """Return the smallest and the largest finite loss with their masses, if these are not 0."""
    ends = finite_ends(loss)
    ends = ends[np.isfinite(ends)]
    masses = [loss.masses(np.array([z - ATOM_WIDTH * abs(z), z]))[0][0] for z in ends]
    return [(float(z), float(p)) for z, p in zip(ends, masses, strict=True) if p > ATOM_WIDTH**0.5]


def _multiple(loss: PrivacyLoss, step: float, most: float) -> int:
    """Return how many steps, up to `most` wide, make one step that divides the loss's ends.

    Where only far fewer do, a step 16 times finer is enough.
    """
    number, ends = max(1, int(most / step)), [z / step for z, _ in _ends(loss)]
    if not ends:
        return number
    divisors = np.arange(1, number + 1)
    divisor = int(divisors[math.gcd(*map(round, ends)) % divisors == 0][-1])
    fits = all(abs(end - round(end)) < 1e-6 for end in ends)
    return divisor if fits and 16 * divisor > number else max(1, number // 16)


def _common_divisor(a: float, b: float) -> float:
    """Run Euclid's algorithm, in which remainders of the size of rounding errors count as 0."""
    small = 1e-12 * max(a, b)
    while b > small:
        a, b = b, abs(a - b * round(a / b))
    return a
