"""Normal noise with rare long jumps, which make it purely private.

In d dimensions there are N directions u_c of length 1, in which one person may move the answers.
The noise is

    Y + sum_c J_c u_c,

where Y has independent normal coordinates of deviation sigma. J_c is 0 with probability 1 - q, q =
1 / (10 N), and otherwise Laplace of scale 1 / l, where l sigma = 1/2: nine draws in ten have no
jump at all.

Theorem. With sigma = (1/2 + sqrt(2 log C)) / slope and C = 4 (1 - q) / (q l sigma sqrt(2 pi)), the
log density changes by at most `slope` per unit along each u_c.

Proof. Fix all jumps except for J_c. Along u_c the density is psi = (1 - q) f + q g at some s: f is
the normal density, g that of a normal plus a Laplace number. Take s >= 0. The slope of log f is s /
sigma^2, that of log g at most l. So the slope of log psi is at most l + (tau / sigma) times (1 - q)
f / psi, where tau = (s - l sigma^2) / sigma. If tau >= 0, g is at least (l / 4) e^{-l s + l^2
sigma^2 / 2}, so (1 - q) f / psi <= min(1, C e^{-tau^2 / 2}). The product with tau is at most sqrt(2
log C). Each other value of the other jumps gives the same bound, so their mixture has it, too.

Laplace noise would need a deviation of sqrt(2 d) / slope in each coordinate for all directions;
this noise needs little more than sqrt(2 log N) / slope, in any dimension.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments

MEAN_JUMPS = 0.1  # the mean number of jumps in all directions together
LENGTH_TOLERANCE = 1e-9
STEEPNESS = 0.5  # l sigma: sigma divided by the scale of a jump


@dataclass(frozen=True, eq=False)
class RareJumpNoise:
    """The noise above, for `directions` u_c of shape (d, N), whose length is 1, or 0.

    Raises ValueError for other shapes or lengths, and unless `slope`, in nats per unit, is above 0.

    >>> round(RareJumpNoise(np.eye(4), slope=1.0).sigma, 3)
    3.606
    """

    directions: np.ndarray
    slope: float

    def __post_init__(self):
        arguments.settle(self, arguments.reals, "directions")
        arguments.settle(self, arguments.number, "slope", above=0)
        if self.directions.ndim != 2:
            raise ValueError(f"directions must be of shape (d, N), not {self.directions.shape}")
        lengths = np.linalg.norm(self.directions, axis=0)
        if (
            wrong_lengths := lengths[np.minimum(lengths, abs(lengths - 1)) > LENGTH_TOLERANCE]
        ).size:
            raise ValueError(f"directions must have length 1 or 0, not {wrong_lengths[0]}")

    @property
    def chance(self) -> float:
        """q, the probability of a jump in one direction."""
        return MEAN_JUMPS / self.directions.shape[1]

    @property
    def sigma(self) -> float:
        """The standard deviation of the normal part, nearly sqrt(2 log N) / slope."""
        c = 4 * (1 / self.chance - 1) / (STEEPNESS * np.sqrt(2 * np.pi))
        return float(STEEPNESS + np.sqrt(2 * np.log(c))) / self.slope

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """Draw one noise, shape (d,); in nine of ten draws it has no jump.

        Raises ValueError for other arguments.
        """
        arguments.generator("rng", rng)
        d, cells = self.directions.shape
        jumping = np.flatnonzero(rng.random(cells) < self.chance)
        jumps = rng.laplace(0, self.sigma / STEEPNESS, len(jumping))
        return rng.normal(0, self.sigma, d) + self.directions[:, jumping] @ jumps
