"""Put a privacy loss on a grid, once never below the truth and once never above it.

A pair of laws (p, q) is at least as private as (p', q') when p and q are p' and q' after one and
the same random map: then delta(epsilon) of the first is at most that of the second, and so it is
for any number of releases side by side. Two maps put the losses on multiples of a step h:

- above: a cell x < Z <= x + h with masses P and Q is split on its two ends. Masses u + v = P with
  u e^{-x} + v e^{-(x + h)} = Q do it, and merging the two ends again gives back the cell;
- below: neighbouring outcomes are merged, the last of them in part, into one outcome whose
  likelihood ratio P / Q is exactly a grid point's; from both ends towards the heaviest outcome,
  which lies on a grid point itself where the step is coarse.

Neither moves the mean of e^{-Z}, so both err in the variance of the loss alone, by O(h^2), where
rounding up or down would err in its mean by O(h). Sources: Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi (2022) for splitting ("connect the dots"); Blackwell (1953) for merging.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dplab.losses.atoms import AtomicLoss
from dplab.losses.loss import PrivacyLoss

ROUNDING = 1e-11  # what floats may do to a loss, or relative to a mass, in one release
TINY = 1e-300  # a mass that has all its digits is larger
FAR = 40.0  # nats; outcomes so far apart are not merged: e^-40 of one would do
MUCH = 0.25  # of the mass; more than that within a step is put on the grid as one outcome
NARROW = 2.0**-10  # of a loss; a cell so wide takes a millionth from its square, or less
FINER = 4  # merged outcomes are gathered from cells so many times finer than the grid


@dataclass(frozen=True, eq=False)
class GridLaw:
    """Masses under p of the losses origin + step * (low + i every), and of an infinite loss."""

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

    @property
    def losses(self) -> np.ndarray:
        """The grid points, shape (len(masses),), in nats."""
        return self.origin + self.step * self.places

    def within(self, step: float, every: int) -> GridLaw:
        """The same law on a grid of this `step`, of which its own is a multiple."""
        return replace(self, step=step, low=every * self.low, every=every)


def above(loss: PrivacyLoss, step: float, tail: float) -> GridLaw:
    """The loss, split on multiples of `step`: less private, for any number of releases.

    Losses above all but `tail` of the mass count as infinite.
    """
    low, edges = _edges(loss, step, tail)
    p, q = loss.masses(edges)
    with np.errstate(divide="ignore"):
        same_ratio = np.where(q > TINY, np.exp(edges[:-1] + np.log(q)), 0.0)
    upper = np.clip((p - same_ratio) / -math.expm1(-step), 0.0, p)
    masses: np.ndarray = np.append(p - upper, 0.0)
    masses[1:] += upper
    masses[0] += max(0.0, 1 - loss.tails(edges[0])[0])  # masses may add up to more, by rounding
    return GridLaw(step, low, masses, float(loss.tails(edges[-1])[0]))


def below(loss: PrivacyLoss, step: float, tail: float) -> GridLaw:
    """The loss, merged into multiples of `step`: more private, for any number of releases.

    Of the losses below all but `tail` of the mass nothing is kept; those above count as the last.
    Where much of the mass is in one place all multiples are moved, so that it is on one of them.
    """
    origin, losses, p = _centered(*_outcomes(loss, step / FINER, tail), step)
    groups = _merged(p.tolist(), losses.tolist(), step)
    places, masses = np.array([g for g, _ in groups]), np.array([m for _, m in groups])
    low = int(places.min())
    return GridLaw(step, low, np.bincount(places - low, masses), loss.infinite, origin=origin)


def _centered(
    losses: np.ndarray, p: np.ndarray, step: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """An origin, and outcomes with their losses from it. Where much of the mass is within a step
    of the heaviest outcome, it is made one outcome, which lies on the grid.

    To come to lie there by merging it might need all the rest: over all outcomes e^{-Z} has the
    mean 1, so that all of a sample at a small rate would be one loss of 0.
    """
    middle = losses[np.argmax(p)]
    near = np.abs(losses - middle) < min(step, FAR)
    mass = p[near].sum()
    if mass <= MUCH or abs(middle - step * np.rint(middle / step)) <= ROUNDING / 2:
        return 0.0, losses, p
    middle -= np.log1p(p[near] @ np.expm1(middle - losses[near]) / mass)
    origin = float(middle - step * np.rint(middle / step))
    lower, higher = ~near & (losses < middle), ~near & (losses > middle)
    losses = np.concatenate([losses[lower], [middle], losses[higher]]) - origin
    return origin, losses, np.concatenate([p[lower], [mass], p[higher]])


def _edges(loss: PrivacyLoss, step: float, tail: float) -> tuple[int, np.ndarray]:
    """The first multiple of `step`, and edges from it on that hold all but a tail on each side."""
    smallest, largest = extent(loss, tail)
    slack = ROUNDING / 2 / step  # a loss that is a multiple but for rounding stays where it is
    first = math.floor(smallest / step + slack)
    last = max(first + 1, math.ceil(largest / step - slack))
    edges = step * np.arange(first, last + 1)
    # Where the largest loss has mass, rounding must not set it above the last edge.
    edges[-1] = max(edges[-1], largest + _rounding(largest) * (largest == loss.largest))
    return first, edges


def _rounding(loss: float) -> float:
    """What floats may do to a loss, with room to spare."""
    return max(ROUNDING / 4, 4 * np.spacing(abs(loss)))


def extent(loss: PrivacyLoss, tail: float) -> tuple[float, float]:
    """From where to where finite losses lie, in nats, but for 1e-15 below and `tail` above."""
    smallest, largest = finite_ends(loss)
    least = _reach(lambda z: 1 - loss.tails(-z)[0] <= 1e-15, -loss.smallest)
    return float(max(smallest, -least)), float(min(largest, reach(loss, tail)))


def reach(loss: PrivacyLoss, tail: float) -> float:
    """A number that finite losses exceed with a probability of `tail` at most, in nats.

    Raises ValueError where they are larger than is of use.
    """
    found = _reach(lambda z: loss.tails(z)[0] - loss.infinite <= tail, loss.largest)
    if found != loss.largest and loss.tails(found)[0] - loss.infinite > tail:
        raise ValueError(
            "a loss of more than 1e8 nats is too large to be added to others on a grid"
        )
    return found


def finite_ends(loss: PrivacyLoss) -> np.ndarray:
    """The smallest and the largest loss, of atoms the finite ones that p can produce."""
    if isinstance(loss, AtomicLoss):
        return loss.finite()[0][[0, -1]]
    return np.array([loss.smallest, loss.largest])


def _reach(enough: Callable[[float], bool], end: float) -> float:
    """The least power of 1.1, from 1e-8 to 1e8, for which `enough` holds: it does so from there.

    Or `end`, from where it holds for certain, if it doesn't hold at nine tenths of that.
    """
    if np.isfinite(end) and not enough(0.9 * end):
        return end
    low, high = -194, 194
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(1.1**middle) else (middle + 1, high)
    return 1.1**high


def _outcomes(loss: PrivacyLoss, step: float, tail: float) -> tuple[np.ndarray, np.ndarray]:
    """Losses of finitely many outcomes that the loss can be merged into, and masses under p."""
    if isinstance(loss, AtomicLoss):
        return loss.finite()
    _, edges = _edges(loss, step, tail)
    edges = _with_ends(_thinned(edges), loss)
    p, q = loss.masses(edges)
    with np.errstate(all="ignore"):
        ratios = np.where(q > TINY, np.log(p / q), edges[:-1])  # without digits: rounded down
    beyond = float(loss.tails(edges[-1])[0]) - loss.infinite
    masses: np.ndarray = np.append(p, beyond)
    losses: np.ndarray = np.append(ratios, edges[-1])
    kept = masses > TINY
    return losses[kept], masses[kept]


def _thinned(edges: np.ndarray) -> np.ndarray:
    """The edges without most of those far below 0, where cells may be as wide as `NARROW` of their
    distance from it: in reverse a sample's losses go far down, and few of them do.
    """
    negative = edges < 0
    cells = np.floor(np.log(-edges[negative]) / NARROW)
    first = np.diff(cells, prepend=np.inf) != 0
    return np.concatenate([edges[negative][first], edges[~negative]])


def _with_ends(edges: np.ndarray, loss: PrivacyLoss) -> np.ndarray:
    """Give the smallest and the largest loss, where they may have mass, a tiny cell each."""
    ends = [z for z in (loss.smallest, loss.largest) if edges[0] - 1 < z < edges[-1] + 1]
    thin = [z - _rounding(z) for z in ends]
    return np.unique(np.concatenate([edges, ends, thin]))


def _merged(p: list[float], losses: list[float], step: float) -> list[tuple[int, float]]:
    """Merge outcomes, sorted by loss, into (grid point, mass): the ratio is a grid point's.

    From either end towards the heaviest outcome, so that there is more and more to merge with.
    """
    groups: list[tuple[int, float]] = []
    i, heaviest = len(p) - 1, max(range(len(p)), key=p.__getitem__)
    while i > heaviest and (p[i] == 0 or _gather(groups, p, losses, step, i, -1)):
        i -= 1
    del p[i + 1 :]
    left: dict[int, list[tuple[float, float]]] = {}
    for i in range(len(p)):
        if p[i] > 0 and not _gather(groups, p, losses, step, i, 1):
            left.setdefault(math.floor(losses[i] / step), []).append((p[i], losses[i]))
    for g, outcomes in left.items():
        _settle(groups, g, outcomes, step)
    return groups


def _gather(
    groups: list, p: list[float], losses: list[float], step: float, i: int, by: int
) -> bool:
    """Merge outcome i, then i + `by` and so on, the last one in part, into the grid point next to
    i in that direction; or tell that all of them don't suffice.

    Relative to the grid point g an outcome has an excess p - e^g q = p (1 - e^{g - z}), below 0
    for z < g; those of a group cancel.
    """
    g = -by * math.floor((ROUNDING / 2 - by * losses[i]) / step)
    far = by > 0 and g * step - losses[i] > FAR  # then it is rounded down
    if far or abs(g * step - losses[i]) <= ROUNDING / 2:
        groups.append((g - far, p[i]))
        p[i] = 0.0
        return True
    mass, excess, j = 0.0, 0.0, i
    while 0 <= j < len(p) and (gap := g * step - losses[j]) <= FAR:
        own = -math.expm1(gap)
        more = excess + p[j] * own
        if by * more >= 0:
            part = min(p[j], -excess / own)
            p[j] -= part
            mass += part
            break
        mass, excess, j = mass + p[j], more, j + by
    else:
        # They may lack no more than rounding, or e^-FAR of one that is as far below.
        if by * excess < -ROUNDING / 2 * mass and not 0 <= j < len(p):
            return False
    groups.append((g, mass))
    for taken in range(i, j, by):
        p[taken] = 0.0
    return True


def _settle(groups: list, g: int, outcomes: list[tuple[float, float]], step: float) -> None:
    """Put outcomes (mass, loss) between g and g + 1 on one of the two, with parts of the groups
    below or above it, the nearest first.

    Where neither suffice, the loss is rounded down to g.
    """
    mass = sum(p for p, _ in outcomes)
    for goal, by in (g, -1), (g + 1, 1):
        lacks = by * sum(p * math.expm1(goal * step - z) for p, z in outcomes)
        others = [
            (abs(place - goal), i, by * -math.expm1((goal - place) * step))
            for i, (place, _) in enumerate(groups)
            if by * (place - goal) > 0 and (goal - place) * step <= FAR
        ]
        if sum(groups[i][1] * own for _, i, own in others) < lacks:
            continue
        for _, i, own in sorted(others):
            part = min(groups[i][1], lacks / own)
            groups[i] = (groups[i][0], groups[i][1] - part)
            mass, lacks = mass + part, lacks - part * own
        break
    else:
        goal = g
    groups.append((goal, mass))
