"""The exponential mechanism over whole datasets, scored by the Kolmogorov-Smirnov distance.

Publish a k-tuple z of grid points with a probability proportional to

    e^{-epsilon n KS(x, z) / 2},   KS(x, z) = max_t |F_x(t) - F_z(t)|.

Replacing one of n records moves F_x, and so the score, by at most 1 / n: epsilon-DP.

Drawing is exact, though there are |grid|^k datasets. With a = epsilon n / 2 the weight e^{-a KS} is
the integral of a e^{-a v} over all v >= KS. So draw the level v first, with a density proportional
to a e^{-a v} N(v), where N(v) is the share of the tuples within v. Then draw one of these tuples
uniformly. They are the tuples whose counts up to each grid point stay in a band. The counts of a
uniform tuple are a Markov chain, so N(v) is a product of its matrices, each cut to the band. Levels
that together have a probability below 1e-18 are left out.

Source: Wasserman and Zhou (2010), for the mechanism; McSherry and Talwar (2007).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import BoundedRange
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

MAX_DATASETS = 200_000  # datasets in a distribution
MAX_STEPS = 2**26  # steps between neighbouring counts at all grid points: half a GiB
BLOCK_LEVELS = 256  # levels that are computed at once
NEGLIGIBLE_LOG = -42.0  # log of the share that the distribution of the level may leave out
SAME_DISTANCE = 1e-12  # distances that differ by less are equal


def ks_distance(x: ArrayLike, z: ArrayLike) -> float:
    """Return max_t |F_x(t) - F_z(t)| of two datasets of numbers, of any sizes.

    Raises ValueError for an empty dataset, and for numbers that are not finite.

    >>> ks_distance([1, 2, 3, 4], [2, 2])
    0.5
    """
    x, z = np.sort(records.reals("x", x).ravel()), np.sort(records.reals("z", z).ravel())
    at = np.concatenate([x, z])
    shares = (np.searchsorted(data, at, side="right") / len(data) for data in (x, z))
    return float(np.abs(np.subtract(*shares)).max())


@dataclass(frozen=True)
class ExponentialOverDatasets(ExactMechanism):
    """A mechanism that publishes k grid points with a distribution function near that of the data.

    `grid` are increasing numbers. Data are n of them; outputs are k of them, in order. It is
    epsilon-DP if one record is replaced, of bounded range epsilon. Raises ValueError for other
    arguments, and on a call for data that are not n grid points.

    >>> release = ExponentialOverDatasets((0.0, 0.5, 1.0), n=8, k=4, epsilon=1.0)
    >>> law = release.distance_law([0.0] * 8)
    >>> law.outcomes, round(law.expectation(float), 4)
    ((0.0, 0.25, 0.5, 0.75, 1.0), 0.4239)
    """

    grid: tuple[float, ...]
    n: int
    k: int
    epsilon: float
    neighbors = REPLACE_ONE

    def __post_init__(self):
        grid = arguments.reals("grid", self.grid)
        if grid.ndim != 1 or len(grid) < 2 or (np.diff(grid) <= 0).any():
            raise ValueError(f"grid must be two or more increasing numbers, not {self.grid!r}")
        object.__setattr__(self, "grid", tuple(grid.tolist()))
        arguments.settle(self, arguments.whole, "n", "k", least=1)
        arguments.settle(self, arguments.number, "epsilon", above=0)
        if len(grid) * (self.k + 1) ** 2 > MAX_STEPS:
            raise ValueError(f"k must be smaller for a grid of {len(grid)} points, not {self.k}")

    @property
    def worst_case(self) -> BoundedRange:
        """epsilon, as for every exponential mechanism."""
        return BoundedRange(self.epsilon)

    @property
    def _rate(self) -> float:
        """The rate a, the log weight that a distance of one costs."""
        return self.epsilon * self.n / 2

    def _shares(self, data: Any) -> np.ndarray:
        """Return F_x at all grid points except the last, shape (G - 1,)."""
        values = records.reals("data", data)
        if records.are_moved():
            between = (np.array(self.grid)[1:] + self.grid[:-1]) / 2
            values = np.array(self.grid)[np.searchsorted(between, values, side="right")]
        if values.shape != (self.n,) or not np.isin(values, self.grid).all():
            raise ValueError(f"data must be n = {self.n} points of the grid")
        counts = (values <= np.array(self.grid)[:-1, None]).sum(axis=1)
        return np.asarray(counts / self.n)

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the published tuples; ValueError above 200,000 tuples."""
        from scipy.special import gammaln

        places = range(len(self.grid))
        if comb(len(self.grid) + self.k - 1, self.k) > MAX_DATASETS:
            raise ValueError(f"k must be smaller: there are over {MAX_DATASETS} datasets to list")
        shares, tuples = self._shares(data), list(combinations_with_replacement(places, self.k))
        counts = np.array([np.bincount(z, minlength=len(self.grid)) for z in tuples])
        distance = np.abs(np.cumsum(counts, axis=1)[:, :-1] / self.k - shares).max(axis=1)
        logs = -self._rate * distance - gammaln(counts + 1).sum(axis=1)
        outcomes = tuple(tuple(self.grid[i] for i in z) for z in tuples)
        return Finite(outcomes, logs - np.logaddexp.reduce(logs))

    def distance_law(self, data: Any) -> Finite:
        """Return the exact distribution of KS(data, published); its mean is the expected error."""
        levels, log_shares = self._levels(self._shares(data))
        lower: np.ndarray = np.append(-np.inf, log_shares[:-1])
        with np.errstate(divide="ignore"):
            new = np.log(-np.expm1(np.minimum(lower - log_shares, 0.0)))  # share at this distance
        logs = log_shares + new - self._rate * levels
        logs -= np.logaddexp.reduce(logs)
        return Finite(tuple(levels.tolist()), logs)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Draw one output, shape (k,).

        Raises ValueError for other arguments.
        """
        shares = self._shares(data)
        arguments.generator("rng", rng)
        levels, log_shares = self._levels(shares)
        widths = np.diff(levels, append=np.inf)
        logs = log_shares - self._rate * levels + np.log(-np.expm1(-self._rate * widths))
        weights = np.exp(logs - logs.max())
        level = levels[rng.choice(len(levels), p=weights / weights.sum())]
        counts = self._draw_path(self._bands(shares, level[None]), rng)
        return np.repeat(self.grid, np.diff(counts, prepend=0))

    def _levels(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the possible distances of datasets, rising, and log N of each."""
        gaps = np.abs(shares[:, None] - np.arange(self.k + 1) / self.k).ravel()
        levels = np.sort(gaps)
        levels = levels[np.append(True, np.diff(levels) > SAME_DISTANCE)]
        logs: list[float] = []
        for start in range(0, len(levels), BLOCK_LEVELS):
            block = levels[start : start + BLOCK_LEVELS]
            logs += _log_stay(self._steps, self._bands(shares, block)).tolist()
            heaviest = (np.array(logs) - self._rate * levels[: len(logs)]).max()
            if -self._rate * block[-1] - heaviest < NEGLIGIBLE_LOG:
                break
        log_shares = np.array(logs)
        possible = log_shares > -np.inf
        return levels[: len(log_shares)][possible], log_shares[possible]

    def _bands(self, shares: np.ndarray, levels: np.ndarray) -> np.ndarray:
        """Return which counts are allowed at each point but the last: (G - 1, k + 1, levels)."""
        gaps = np.abs(shares[:, None] - np.arange(self.k + 1) / self.k)
        return gaps[..., None] <= levels + SAME_DISTANCE

    @cached_property
    def _steps(self) -> list[np.ndarray]:
        """P[count up to the next point | count up to this one] of a uniform tuple.

        Each matrix is (k + 1, k + 1). A point takes each of the remaining entries of the tuple with
        probability 1 / (remaining points).
        """
        from scipy.special import gammaln, xlog1py, xlogy

        before, after = np.arange(self.k + 1)[:, None], np.arange(self.k + 1)
        rest: np.ndarray = self.k - before
        new = np.maximum(after - before, 0)
        ways = gammaln(rest + 1) - gammaln(new + 1) - gammaln(rest - new + 1)
        steps = []
        for points in range(len(self.grid), 1, -1):
            logs = ways + xlogy(new, 1 / points) + xlog1py(rest - new, -1 / points)
            steps.append(np.where(after >= before, np.exp(logs), 0.0))
        return steps

    def _draw_path(self, bands: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a uniform tuple in the band of the only level: its counts up to each point, (G,)."""
        stay = list(_stay(self._steps, bands))
        counts = [0]
        for step, (ahead, _) in zip(self._steps, reversed(stay), strict=True):
            weights = step[counts[-1]] * ahead.ravel()
            counts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
        return np.array([*counts[1:], self.k])


def _stay(steps: list[np.ndarray], bands: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the scaled probability that counts stay in the band from each point on, and its scale.

    Points come from the last but one back to the first. The probability is given for each count at
    the point, 0 outside of the band, shape (k + 1, levels), divided by its maximum. The scale is
    the log of all such divisors so far, shape (levels,).
    """
    ahead: np.ndarray = bands[-1].astype(float)
    scale = np.zeros(bands.shape[2])
    yield ahead, scale
    for step, band in zip(steps[:0:-1], bands[-2::-1], strict=True):
        ahead = band * (step @ ahead)
        top = ahead.max(axis=0)
        with np.errstate(divide="ignore"):
            ahead, scale = ahead / np.where(top > 0, top, 1.0), scale + np.log(top)
        yield ahead, scale


def _log_stay(steps: list[np.ndarray], bands: np.ndarray) -> np.ndarray:
    """Return the log of the share of all tuples that stay in the band, for each level."""
    *_, (ahead, scale) = _stay(steps, bands)
    with np.errstate(divide="ignore"):
        return np.log(steps[0][0] @ ahead) + scale
