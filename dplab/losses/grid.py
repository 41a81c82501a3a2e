"""Put a privacy loss on a grid, once never below the truth and once never above it.

A pair of laws (p, q) is at least as private as (p', q') when p and q are p' and q' after one and
the same random map: then delta(epsilon) of the first is at most that of the second, and so it is
for any number of releases side by side. Two maps put the losses on multiples of a step h:

- above: a cell x < Z <= x + h with masses P and Q is split on its two ends. Masses u + v = P with
  u e^{-x} + v e^{-(x + h)} = Q do it, and merging the two ends again gives back the cell;
- below: neighbouring outcomes are merged, the last of them in part, into one outcome whose
  likelihood ratio P / Q is exactly a grid point's.

Neither moves the mean of e^{-Z}, so both err in the variance of the loss alone, by O(h^2), where
rounding up or down would err in its mean by O(h). Sources: Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi (2022) for splitting ("connect the dots"); Blackwell (1953) for merging.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplab.losses.atoms import AtomicLoss
from dplab.losses.loss import PrivacyLoss

ROUNDING = 1e-11  # what floats may do to a loss, or relative to a mass, in one release
TINY = 1e-300  # a mass that has all its digits is larger
FAR = 40.0  # nats; outcomes so far apart are not merged: e^-40 of one would do
FINER = 4  # merged outcomes are gathered from cells so many times finer than the grid


@dataclass(frozen=True, eq=False)
class GridLaw:
    """Masses under p of the losses step * (low + i every), and of an infinite loss."""

    step: float
    low: int
    masses: np.ndarray
    infinite: float
    every: int = 1

    @property
    def places(self) -> np.ndarray:
        """The grid points in steps, whole numbers of shape (len(masses),)."""
        return self.low + self.every * np.arange(len(self.masses))

    @property
    def losses(self) -> np.ndarray:
        """The grid points, shape (len(masses),), in nats."""
        return self.step * self.places

    def within(self, step: float, every: int) -> GridLaw:
        """The same law on a grid of this `step`, of which its own is a multiple."""
        return GridLaw(step, every * self.low, self.masses, self.infinite, every)


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
    """
    losses, p = _outcomes(loss, step / FINER, tail)
    nearest = np.rint(losses / step)
    exact = np.abs(losses - step * nearest) <= ROUNDING / 2
    groups = list(zip(nearest[exact].astype(int).tolist(), p[exact].tolist(), strict=True))
    groups += _merged(p[~exact].tolist(), losses[~exact].tolist(), step)
    places, masses = np.array([g for g, _ in groups]), np.array([m for _, m in groups])
    low = int(places.min())
    return GridLaw(step, low, np.bincount(places - low, masses), loss.infinite)


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
    edges = _with_ends(edges, loss)
    p, q = loss.masses(edges)
    with np.errstate(all="ignore"):
        ratios = np.where(q > TINY, np.log(p / q), edges[:-1])  # without digits: rounded down
    beyond = float(loss.tails(edges[-1])[0]) - loss.infinite
    masses: np.ndarray = np.append(p, beyond)
    losses: np.ndarray = np.append(ratios, edges[-1])
    kept = masses > TINY
    return losses[kept], masses[kept]


def _with_ends(edges: np.ndarray, loss: PrivacyLoss) -> np.ndarray:
    """Give the smallest and the largest loss, where they may have mass, a tiny cell each."""
    ends = [z for z in (loss.smallest, loss.largest) if edges[0] - 1 < z < edges[-1] + 1]
    thin = [z - _rounding(z) for z in ends]
    return np.unique(np.concatenate([edges, ends, thin]))


def _merged(p: list[float], losses: list[float], step: float) -> list[tuple[int, float]]:
    """Merge outcomes, sorted by loss, into (grid point, mass): the ratio is a grid point's.

    Relative to the grid point g an outcome has an excess p - e^g q = p (1 - e^{g - z}), below 0
    for z < g. Outcomes are taken from the lowest on until their excesses cancel.
    """
    groups, i = [], 0
    while i < len(p):
        if p[i] == 0:  # the group before has taken all of it
            i += 1
            continue
        g = math.floor(losses[i] / step) + 1
        if g * step - losses[i] > FAR:  # then it is rounded down
            groups.append((g - 1, p[i]))
            i += 1
            continue
        mass, excess, start = 0.0, 0.0, i
        while i < len(p):
            own = -math.expm1(g * step - losses[i])
            if excess + p[i] * own >= 0:
                part = min(p[i], -excess / own)
                groups.append((g, mass + part))
                p[i] -= part
                break
            mass, excess, i = mass + p[i], excess + p[i] * own, i + 1
        else:
            if excess >= -ROUNDING / 2 * mass:  # the ratio is that of g but for rounding
                groups.append((g, mass))
            else:
                _settle(groups, g - 1, p[start:], losses[start:], step)
    return groups


def _settle(groups: list, g: int, p: list[float], losses: list[float], step: float) -> None:
    """Put the last outcomes, too few to reach g + 1, on g, with lower groups to cancel them.

    Where the lower groups do not suffice, the loss is rounded down to g.
    """
    mass = sum(p)
    excess = sum(-m * math.expm1(g * step - z) for m, z in zip(p, losses, strict=True))
    for i in reversed(range(len(groups))):
        place, own = groups[i]
        if excess <= 0 or (g - place) * step > FAR:
            break
        deficit = math.expm1((g - place) * step)
        part = min(own, excess / deficit) if deficit > 0 else own  # on g itself: it comes back
        groups[i] = (place, own - part)
        mass, excess = mass + part, excess - part * deficit
    groups.append((g, mass))
