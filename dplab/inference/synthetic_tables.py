"""Shares of synthetic tables: their error, and the smaller error that an analyst believes.

n people are counted in cells, each count gets noise, and m synthetic people are drawn from the
noisy table. Let p be the population's share of a group of k cells, Q the noisy table's and S the
synthetic share. Q has mean p, and S has mean Q and variance Q (1 - Q) / m. By the law of total
variance S has mean p and the variance

    p (1 - p) / n  +  k v / n^2  +  (p (1 - p) - Var Q) / m,     Var Q the sum of the first two,

v the variance of the noise. Somebody who takes the synthetic people for real ones computes
p (1 - p) / m. That is less, and falls to 0 with m: the first two terms don't.

Tables whose negative counts become 0 have a bias besides (`theorems.nonnegative_counts`).
Sources: Raghunathan, Reiter and Rubin (2003) for several synthetic datasets without noise; Raisa,
Jalko, Kaski and Honkela (2023) for the failure with noise. The variance is computed above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.inference.intervals import MAX_PEOPLE, normal_quantile


@dataclass(frozen=True)
class SyntheticError:
    """The variances of a synthetic share: of people, noise and drawing, and what is claimed."""

    sampling: float
    noise: float
    drawing: float
    claimed: float

    @property
    def total(self) -> float:
        """The variance of the synthetic share around the population's."""
        return self.sampling + self.noise + self.drawing

    def coverage(self, *, alpha: float = 0.05) -> float:
        """Return how often the claimed interval contains the truth, by the normal approximation."""
        from scipy.special import ndtr

        z = normal_quantile(alpha) * np.sqrt(self.claimed / self.total)
        return float(1 - 2 * ndtr(-z))


def synthetic_error(
    share: float, *, n: int, cells: int, variance: float, synthetic_people: int
) -> SyntheticError:
    """Return the error of the share of a group of `cells` cells, in squared shares.

    `variance` is that of the noise on one count. m is the number of all synthetic people, from one
    table or several that were drawn from the same noisy table. Raises ValueError unless 0 < share <
    1, the variance is at least 0 and small enough for the table to be a distribution, and the
    others are whole numbers from 1 to 10^8.

    >>> found = synthetic_error(0.3, n=1000, cells=10, variance=8, synthetic_people=1000)
    >>> round(found.total / found.claimed, 3), round(found.coverage(), 3)
    (2.38, 0.796)
    """
    share = arguments.number("share", share, above=0, below=1)
    n = arguments.size("n", n, most=MAX_PEOPLE)
    cells = arguments.size("cells", cells, most=MAX_PEOPLE)
    m = arguments.size("synthetic_people", synthetic_people, most=MAX_PEOPLE)
    one = share * (1 - share)
    noise = arguments.number("variance", variance, least=0) * cells / n / n
    sampling = one / n
    if sampling + noise > one:
        raise ValueError(f"variance must be small against n = {n}, not {variance!r}")
    return SyntheticError(sampling, noise, (one - sampling - noise) / m, one / m)
