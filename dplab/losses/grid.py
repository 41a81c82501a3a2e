"""Put a privacy loss on a grid, once never below the truth and once never above it.

A pair of distributions (p, q) is at least as private as (p', q') if one random map takes p' to p
and q' to q. Then delta(epsilon) of the first pair is at most that of the second, also for any
number of independent releases. Two maps put the losses on multiples of a step h:

- pessimistic: a cell x < Z <= x + h with masses P and Q is split on its two ends. Masses u + v = P
  with u e^{-x} + v e^{-(x + h)} = Q do it, and merging the two ends again gives back the cell;
- optimistic: neighbouring outcomes are merged, the last of them in part, into one outcome whose
  likelihood ratio P / Q is exactly that of a grid point. Merging goes from both ends towards the
  heaviest outcome, which lies on a grid point itself if the step is coarse.

Neither map moves the mean of e^{-Z}, so both err only in the variance of the loss, by O(h^2).
Rounding up or down would err in its mean by O(h). Sources: Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi (2022) for splitting ("connect the dots"); Blackwell (1953) for merging.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dplab.losses.atoms import AtomicLoss
from dplab.losses.loss import PrivacyLoss

ROUNDING = 1e-11  # largest rounding error of a loss, and relative one of a mass, in one release
LEAST_MASS = 1e-300  # masses up to this may lack digits
MAX_MERGE_NATS = 40.0  # outcomes further apart are not merged: e^-40 of one would suffice
HEAVY_MASS = 0.25  # a larger mass within one step is put on the grid as one outcome
CELL_PER_LOSS = 2.0**-10  # width of a cell far below 0, which moves the square by 1e-6 or less
CELLS_PER_STEP = 4  # outcomes are merged from cells that are finer than the grid


@dataclass(frozen=True, eq=False)
class GridLaw:
    """The masses under p of losses origin + step * (low + i every), and of an infinite loss."""

    step: float
    low: int
    masses: np.ndarray
    infinite: float
    every: int = 1
    origin: float = 0.0

    @property
    def places(self) -> np.ndarray:
        """The grid points in steps, whole numbers of shape (len(masses),)."""
        return self.low + self.every * np.arange(len(self.masses))

    @cached_property
    def losses(self) -> np.ndarray:
        """The grid points, shape (len(masses),), in nats."""
        return self.origin + self.step * self.places

    @cached_property
    def _log_masses(self) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.masses)

    def tilt(self, theta: float) -> tuple[np.ndarray, float]:
        """Return the masses tilted by theta, with sum 1, and log E[e^{theta Z}; Z finite]."""
        logs = theta * self.losses + self._log_masses
        largest = logs.max()
        weights = np.exp(logs - largest)
        total = weights.sum()
        return weights / total, float(largest + np.log(total))

    def refine(self, step: float, every: int) -> GridLaw:
        """Return the same distribution on a finer grid, whose step is `every` times smaller."""
        return replace(self, step=step, low=every * self.low, every=every)


def pessimistic(loss: PrivacyLoss, step: float, tail: float) -> GridLaw:
    """Return the loss, split on multiples of `step`: less private, for any number of releases.

    Losses in the upper `tail` of the mass count as infinite.
    """
    low, edges = _edges(loss, step, tail)
    p, q = loss.masses(edges)
    with np.errstate(divide="ignore"):
        same_ratio = np.where(q > LEAST_MASS, np.exp(edges[:-1] + np.log(q)), 0.0)
    upper = np.clip((p - same_ratio) / -math.expm1(-step), 0.0, p)
    masses: np.ndarray = np.append(p - upper, 0.0)
    masses[1:] += upper
    masses[0] += max(0.0, 1 - loss.tails(edges[0])[0])  # rounding may put the sum above 1
    return GridLaw(step, low, masses, float(loss.tails(edges[-1])[0]))


def optimistic(loss: PrivacyLoss, step: float, tail: float) -> GridLaw:
    """Return the loss, merged into multiples of `step`: more private, for any number of releases.

    Losses below the rest are dropped, up to 1e-15 of the mass; those in the upper `tail` count as
    the last. If much mass is in one place, all multiples are moved so that it lies on one of them.
    """
    origin, losses, p = _center(*_outcomes(loss, step / CELLS_PER_STEP, tail), step)
    groups = _merge(p.tolist(), losses.tolist(), step)
    places, masses = np.array([g for g, _ in groups]), np.array([m for _, m in groups])
    low = int(places.min())
    return GridLaw(step, low, np.bincount(places - low, masses), loss.infinite, origin=origin)


def _center(losses: np.ndarray, p: np.ndarray, step: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Return an origin of the grid, and outcomes with their losses relative to it.

    If much mass is within a step of the heaviest outcome, that mass becomes one outcome on the
    grid. Merging might use up all other outcomes to get it there: over all outcomes e^{-Z} has the
    mean 1, so that a sample at a small rate would become a single loss of 0.
    """
    middle = losses[np.argmax(p)]
    is_near = np.abs(losses - middle) < min(step, MAX_MERGE_NATS)
    mass = p[is_near].sum()
    if mass <= HEAVY_MASS or abs(middle - step * np.rint(middle / step)) <= ROUNDING / 2:
        return 0.0, losses, p
    middle -= np.log1p(p[is_near] @ np.expm1(middle - losses[is_near]) / mass)
    origin = float(middle - step * np.rint(middle / step))
    lower, higher = ~is_near & (losses < middle), ~is_near & (losses > middle)
    losses = np.concatenate([losses[lower], [middle], losses[higher]]) - origin
    return origin, losses, np.concatenate([p[lower], [mass], p[higher]])


def _edges(loss: PrivacyLoss, step: float, tail: float) -> tuple[int, np.ndarray]:
    """Return the first multiple of `step` and the edges from there that hold all but the tails."""
    smallest, largest = extent(loss, tail)
    slack = ROUNDING / 2 / step  # a loss within rounding of a multiple stays there
    first = math.floor(smallest / step + slack)
    last = max(first + 1, math.ceil(largest / step - slack))
    edges = step * np.arange(first, last + 1)
    # The largest loss may have mass: rounding must not put it above the last edge.
    edges[-1] = max(edges[-1], largest + _rounding(largest) * (largest == loss.largest))
    return first, edges


def _rounding(loss: float) -> float:
    """Return a generous bound on the rounding error of a loss."""
    return max(ROUNDING / 4, 4 * np.spacing(abs(loss)))


def extent(loss: PrivacyLoss, tail: float) -> tuple[float, float]:
    """Return the range of finite losses in nats, without 1e-15 of mass below and `tail` above."""
    smallest, largest = finite_ends(loss)
    least = _reach(lambda z: 1 - loss.tails(-z)[0] <= 1e-15, -loss.smallest)
    return float(max(smallest, -least)), float(min(largest, reach(loss, tail)))


def reach(loss: PrivacyLoss, tail: float) -> float:
    """Return a number of nats that finite losses exceed with a probability of at most `tail`.

    Raises ValueError for losses that are too large to be of use.
    """
    limit = _reach(lambda z: loss.tails(z)[0] - loss.infinite <= tail, loss.largest)
    if limit != loss.largest and loss.tails(limit)[0] - loss.infinite > tail:
        raise ValueError(
            "a loss of more than 1e8 nats is too large to be added to others on a grid"
        )
    return limit


def finite_ends(loss: PrivacyLoss) -> np.ndarray:
    """Return the smallest and the largest loss; for atoms the finite ones under p."""
    if isinstance(loss, AtomicLoss):
        return loss.finite()[0][[0, -1]]
    return np.array([loss.smallest, loss.largest])


def _reach(enough: Callable[[float], bool], end: float) -> float:
    """Return the least power of 1.1, from 1e-8 to 1e8, for which `enough` holds.

    `enough` is monotone and holds at `end`. Returns `end` if it doesn't hold at nine tenths of it.
    """
    if np.isfinite(end) and not enough(0.9 * end):
        return end
    low, high = -194, 194
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(1.1**middle) else (middle + 1, high)
    return 1.1**high


def _outcomes(loss: PrivacyLoss, step: float, tail: float) -> tuple[np.ndarray, np.ndarray]:
    """Return finitely many outcomes to merge: their losses, and their masses under p."""
    if isinstance(loss, AtomicLoss):
        return loss.finite()
    _, edges = _edges(loss, step, tail)
    edges = _add_ends(_thin(edges), loss)
    p, q = loss.masses(edges)
    with np.errstate(all="ignore"):
        ratios = np.where(q > LEAST_MASS, np.log(p / q), edges[:-1])  # rounded down if q is tiny
    mass_beyond = float(loss.tails(edges[-1])[0]) - loss.infinite
    masses: np.ndarray = np.append(p, mass_beyond)
    losses: np.ndarray = np.append(ratios, edges[-1])
    has_digits = masses > LEAST_MASS
    return losses[has_digits], masses[has_digits]


def _thin(edges: np.ndarray) -> np.ndarray:
    """Return the edges without most of those far below 0.

    There a cell may be as wide as `CELL_PER_LOSS` times its distance from 0. The reverse loss of a
    sample goes far down, but has little mass there.
    """
    negative = edges < 0
    cells = np.floor(np.log(-edges[negative]) / CELL_PER_LOSS)
    first = np.diff(cells, prepend=np.inf) != 0
    return np.concatenate([edges[negative][first], edges[~negative]])


def _add_ends(edges: np.ndarray, loss: PrivacyLoss) -> np.ndarray:
    """Add a tiny cell for the smallest and for the largest loss, which may have mass."""
    ends = [z for z in (loss.smallest, loss.largest) if edges[0] - 1 < z < edges[-1] + 1]
    lower_ends = [z - _rounding(z) for z in ends]
    return np.unique(np.concatenate([edges, ends, lower_ends]))


def _merge(p: list[float], losses: list[float], step: float) -> list[tuple[int, float]]:
    """Merge outcomes, sorted by loss, into pairs (grid point, mass) with the ratio of the point.

    Merging goes from both ends towards the heaviest outcome: the mass to merge with increases.
    """
    groups: list[tuple[int, float]] = []
    i, heaviest = len(p) - 1, max(range(len(p)), key=p.__getitem__)
    while i > heaviest and (p[i] == 0 or _gather(groups, p, losses, step, i, -1)):
        i -= 1
    del p[i + 1 :]
    cells: dict[int, list[tuple[float, float]]] = {}
    for i in range(len(p)):
        if p[i] > 0 and not _gather(groups, p, losses, step, i, 1):
            cells.setdefault(math.floor(losses[i] / step), []).append((p[i], losses[i]))
    for g, outcomes in cells.items():
        _settle(groups, g, outcomes, step)
    return groups


def _gather(
    groups: list, p: list[float], losses: list[float], step: float, i: int, by: int
) -> bool:
    """Merge outcomes i, i + `by`, ..., the last one in part, into the next grid point.

    Returns whether they suffice. Relative to the grid point g an outcome has the excess
    p - e^g q = p (1 - e^{g - z}), which is below 0 for z < g. The excesses of a group cancel.
    """
    g = -by * math.floor((ROUNDING / 2 - by * losses[i]) / step)
    is_far = by > 0 and g * step - losses[i] > MAX_MERGE_NATS  # it is rounded down
    if is_far or abs(g * step - losses[i]) <= ROUNDING / 2:
        groups.append((g - is_far, p[i]))
        p[i] = 0.0
        return True
    mass, excess, j = 0.0, 0.0, i
    while 0 <= j < len(p) and (gap := g * step - losses[j]) <= MAX_MERGE_NATS:
        weight = -math.expm1(gap)
        new_excess = excess + p[j] * weight
        if by * new_excess >= 0:
            part = min(p[j], -excess / weight)
            p[j] -= part
            mass += part
            break
        mass, excess, j = mass + p[j], new_excess, j + by
    else:
        # They may lack rounding errors only, or e^-MAX_MERGE_NATS of an outcome far below.
        if by * excess < -ROUNDING / 2 * mass and not 0 <= j < len(p):
            return False
    groups.append((g, mass))
    for place in range(i, j, by):
        p[place] = 0.0
    return True


def _settle(groups: list, g: int, outcomes: list[tuple[float, float]], step: float) -> None:
    """Put outcomes (mass, loss) between g and g + 1 on one of the two grid points.

    It takes parts of the groups below or above that point, the nearest first. If neither side
    suffices, the loss is rounded down to g.
    """
    mass = sum(p for p, _ in outcomes)
    for goal, by in (g, -1), (g + 1, 1):
        lacks = by * sum(p * math.expm1(goal * step - z) for p, z in outcomes)
        others = [
            (abs(place - goal), i, by * -math.expm1((goal - place) * step))
            for i, (place, _) in enumerate(groups)
            if by * (place - goal) > 0 and (goal - place) * step <= MAX_MERGE_NATS
        ]
        if sum(groups[i][1] * weight for _, i, weight in others) < lacks:
            continue
        for _, i, weight in sorted(others):
            part = min(groups[i][1], lacks / weight)
            groups[i] = (groups[i][0], groups[i][1] - part)
            mass, lacks = mass + part, lacks - part * weight
        break
    else:
        goal = g
    groups.append((goal, mass))
