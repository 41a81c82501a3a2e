"""The exponential mechanism over whole datasets, scored by the Kolmogorov-Smirnov distance.

Of all k-tuples z of grid points publish one with a probability proportional to

    e^{-epsilon n KS(x, z) / 2},   KS(x, z) = max_t |F_x(t) - F_z(t)|.

Replacing one of n records moves F_x, and so the score, by at most 1 / n: epsilon-DP.

Drawing is exact, though there are |grid|^k datasets. With a = epsilon n / 2 the weight e^{-a KS} is
the integral of a e^{-a v} over all v >= KS. So draw the level v first, with a density proportional
to a e^{-a v} N(v), where N(v) is the share of the tuples within v; then one of these tuples, all as
likely. They are those whose counts up to each grid point stay in a band, and counts of a uniform
tuple make a Markov chain: N(v) is a product of its matrices, each cut to the band. Levels that
together have a probability below 1e-18 are left out.

Source: Wasserman and Zhou (2010), for the mechanism; McSherry and Talwar (2007).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from dplab import arguments
from dplab.distributions import Finite
from dplab.guarantees import BoundedRange, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

MOST_DATASETS = 200_000  # whose law is enumerated
MOST_STEPS = 2**26  # from one count to the next, at all grid points: half a GiB
AT_ONCE = 256  # levels
NEGLIGIBLE = -42.0  # log of what may be left out of the law of the level
SAME = 1e-12  # distances that differ by less are equal


def ks_distance(x, z) -> float:
    """max_t |F_x(t) - F_z(t)| of two datasets of numbers, of any sizes.

    Raises ValueError for an empty one, and for what is no finite number.

    >>> ks_distance([1, 2, 3, 4], [2, 2])
    0.5
    """
    x, z = np.sort(arguments.reals("x", x).ravel()), np.sort(arguments.reals("z", z).ravel())
    at = np.concatenate([x, z])
    shares = (np.searchsorted(data, at, side="right") / len(data) for data in (x, z))
    return float(np.abs(np.subtract(*shares)).max())


@dataclass(frozen=True)
class ExponentialOverDatasets(ExactMechanism):
    """k points of the grid whose distribution function is near that of n records on the grid.

    `grid` are increasing numbers; data are n of them, outputs k of them, in order. epsilon-DP where
    one record is replaced, of bounded range epsilon. Raises ValueError for other arguments, and on
    a call for data that are not n grid points.

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
        if len(grid) * (self.k + 1) ** 2 > MOST_STEPS:
            raise ValueError(f"k must be smaller for a grid of {len(grid)} points, not {self.k}")

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    @property
    def bounded_range(self) -> BoundedRange:
        """epsilon-bounded range, as of every exponential mechanism."""
        return BoundedRange(self.epsilon)

    @property
    def _rate(self) -> float:
        """a, what the weight loses on a distance of one."""
        return self.epsilon * self.n / 2

    def _shares(self, data) -> np.ndarray:
        """F_x at all grid points but the last, shape (G - 1,)."""
        values = arguments.reals("data", data)
        if values.shape != (self.n,) or not np.isin(values, self.grid).all():
            raise ValueError(f"data must be n = {self.n} points of the grid, not {data!r}")
        before = (values <= np.array(self.grid)[:-1, None]).sum(axis=1)
        return np.asarray(before / self.n)

    def distribution(self, data) -> Finite:
        """The law of the published points, as tuples; ValueError if there are over 200,000."""
        from scipy.special import gammaln

        places = range(len(self.grid))
        if comb(len(self.grid) + self.k - 1, self.k) > MOST_DATASETS:
            raise ValueError(f"k must be smaller: there are over {MOST_DATASETS} datasets to list")
        shares, chosen = self._shares(data), list(combinations_with_replacement(places, self.k))
        counts = np.array([np.bincount(z, minlength=len(self.grid)) for z in chosen])
        distance = np.abs(np.cumsum(counts, axis=1)[:, :-1] / self.k - shares).max(axis=1)
        logs = -self._rate * distance - gammaln(counts + 1).sum(axis=1)
        outcomes = tuple(tuple(self.grid[i] for i in z) for z in chosen)
        return Finite(outcomes, logs - np.logaddexp.reduce(logs))

    def distance_law(self, data) -> Finite:
        """The law of KS(data, published), exactly: its mean is the error to expect."""
        levels, log_shares = self._levels(self._shares(data))
        before: np.ndarray = np.append(-np.inf, log_shares[:-1])
        with np.errstate(divide="ignore"):
            new = np.log(-np.expm1(np.minimum(before - log_shares, 0.0)))  # share within no lower
        logs = log_shares + new - self._rate * levels
        logs -= np.logaddexp.reduce(logs)
        return Finite(tuple(levels.tolist()), logs)

    def __call__(self, data, rng: np.random.Generator) -> np.ndarray:
        """One draw, shape (k,)."""
        shares = self._shares(data)
        levels, log_shares = self._levels(shares)
        widths = np.diff(levels, append=np.inf)
        logs = log_shares - self._rate * levels + np.log(-np.expm1(-self._rate * widths))
        weights = np.exp(logs - logs.max())
        level = levels[rng.choice(len(levels), p=weights / weights.sum())]
        counts = self._path(self._bands(shares, level[None]), rng)
        return np.repeat(self.grid, np.diff(counts, prepend=0))

    def _levels(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The distances that datasets have, rising, and log N of each."""
        gaps = np.abs(shares[:, None] - np.arange(self.k + 1) / self.k).ravel()
        levels = np.sort(gaps)
        levels = levels[np.append(True, np.diff(levels) > SAME)]
        logs: list[float] = []
        for start in range(0, len(levels), AT_ONCE):
            some = levels[start : start + AT_ONCE]
            logs += _log_stay(self._steps, self._bands(shares, some)).tolist()
            heaviest = (np.array(logs) - self._rate * levels[: len(logs)]).max()
            if -self._rate * some[-1] - heaviest < NEGLIGIBLE:
                break
        found = np.array(logs)
        kept = found > -np.inf
        return levels[: len(found)][kept], found[kept]

    def _bands(self, shares: np.ndarray, levels: np.ndarray) -> np.ndarray:
        """Whether each count may stand at each grid point but the last: (G - 1, k + 1, levels)."""
        gaps = np.abs(shares[:, None] - np.arange(self.k + 1) / self.k)
        return gaps[..., None] <= levels + SAME

    @cached_property
    def _steps(self) -> list[np.ndarray]:
        """P[count up to the next point | count up to this one] of a uniform tuple, (k + 1, k + 1)
        each: one more point takes each of those left with probability 1 / (points left)."""
        from scipy.special import gammaln, xlog1py, xlogy

        now, then = np.arange(self.k + 1)[:, None], np.arange(self.k + 1)
        left: np.ndarray = self.k - now
        new = np.maximum(then - now, 0)
        ways = gammaln(left + 1) - gammaln(new + 1) - gammaln(left - new + 1)
        found = []
        for points in range(len(self.grid), 1, -1):
            logs = ways + xlogy(new, 1 / points) + xlog1py(left - new, -1 / points)
            found.append(np.where(then >= now, np.exp(logs), 0.0))
        return found

    def _path(self, bands: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Counts up to each grid point, (G,), of a uniform tuple that stays in the band of the one
        level that there is."""
        stay = list(_staying(self._steps, bands))
        counts = [0]
        for step, (ahead, _) in zip(self._steps, reversed(stay), strict=True):
            weights = step[counts[-1]] * ahead.ravel()
            counts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
        return np.array([*counts[1:], self.k])


def _staying(steps: list[np.ndarray], bands: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """From the last point but one back to the first: the probability of each count there, cut to
    the band, that all further ones stay in it, (k + 1, levels), divided by its maximum; and the log
    of all such divisors so far, (levels,)."""
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
    """The log of the share of all tuples that stay in the band, for each level."""
    *_, (ahead, scale) = _staying(steps, bands)
    with np.errstate(divide="ignore"):
        return np.log(steps[0][0] @ ahead) + scale
