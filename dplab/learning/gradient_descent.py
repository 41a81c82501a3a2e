"""Gradient perturbation: every step of the descent is noisy, and no other part sees the data.

A step draws m of the n records without replacement, shortens each record's gradient to the L2
length C, adds them up, and adds normal noise of standard deviation s C to each coordinate:

    theta <- theta - learning_rate / m (sum_i clip(g_i) + s C Z),     Z ~ N(0, I).

Replacing a record changes the sum by 2 C at most, whatever the objective and the data: one step is
a normal mechanism, 2 / s sigmas wide, on a secret sample. All steps together cost the sum of their
losses. The objective need not be convex, and no problem has to be solved exactly.

Sources: Song, Chaudhuri and Sarwate (2013); Bassily, Smith and Thakurta (2014); Abadi and others
(2016) for clipping each record.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.accounting import Release, epsilon_bounds
from dplab.bisection import edge
from dplab.deprecated import OldName, old_arguments
from dplab.guarantees import ApproxDP
from dplab.learning.risk import Objective, row_lengths, split
from dplab.losses import GaussianLoss, PrivacyLoss, total_loss
from dplab.losses.sampled import fixed_size_sampled_loss
from dplab.mechanism import Mechanism
from dplab.neighbors import REPLACE_ONE

LEAST_WEIGHT = 1e-290  # weights up to this may lack digits; such a record is left out
NOISE_TOLERANCE = 1e-3  # relative excess of the noise over the least that suffices


def clipped_sum(x: ArrayLike, slopes: ArrayLike, clip: float) -> np.ndarray:
    """Return the sum of all slopes[i] x[i], each shortened to the length `clip`; shape (d,).

    Raises ValueError for entries that are no numbers.

    >>> clipped_sum([[3.0, 4.0], [0.0, 0.1]], [2.0, -1.0], clip=1.0).round(6).tolist()
    [0.6, 0.7]
    """
    clip = arguments.number("clip", clip, above=0)
    x, slopes = records.floats("x", x), records.floats("slopes", slopes)
    if x.ndim != 2 or slopes.shape != x.shape[:1]:
        raise ValueError("x and slopes must have the shapes (n, d) and (n,)")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = slopes * (clip / np.maximum(np.abs(slopes) * row_lengths(x), clip))
    has_digits = np.isfinite(weights) & (np.abs(weights) > LEAST_WEIGHT)
    return x.T @ np.where(has_digits, weights, 0.0)  # leave the others out


@old_arguments(loss="objective", noise="noise_multiplier")
@dataclass(frozen=True)
class NoisyGradientDescent(Mechanism):
    """A mechanism that trains a linear model by noisy steps and publishes the last theta.

    Data are n records of d features and a label. `noise_multiplier` is s. `batch` is m; None means
    all n. Training starts
    from theta = 0. The guarantee is (epsilon, `delta`)-DP with the certified epsilon of all steps.
    All parameters are public: choose them without looking at the data.
    Raises ValueError for numbers out of range: clip, noise_multiplier and
    learning_rate must be above 0.

    >>> from dplab.learning.risk import LOGISTIC
    >>> settings = dict(clip=0.2, noise_multiplier=20.0, steps=100, learning_rate=16)
    >>> sgd = NoisyGradientDescent(LOGISTIC, 500, **settings)
    >>> round(sgd.guarantee.epsilon, 2)
    4.38
    """

    objective: Objective
    n: int
    clip: float
    noise_multiplier: float
    steps: int
    learning_rate: float
    delta: float = 1e-5
    batch: int | None = None
    neighbors = REPLACE_ONE
    is_tight = False  # only the last theta is published
    loss, noise = OldName("objective"), OldName("noise_multiplier")

    def __post_init__(self):
        arguments.instance("objective", self.objective, Objective)
        arguments.settle(
            self, arguments.number, "clip", "noise_multiplier", "learning_rate", above=0
        )
        arguments.settle(self, arguments.whole, "n", "steps", least=1)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        if self.batch is not None:
            arguments.settle(self, arguments.whole, "batch", least=1, most=self.n)

    @classmethod
    def for_epsilon(
        cls,
        objective: Objective,
        n: int,
        *,
        epsilon: float,
        clip: float,
        steps: int,
        learning_rate: float,
        delta: float = 1e-5,
        batch: int | None = None,
    ) -> NoisyGradientDescent:
        """Return the mechanism with enough noise for (epsilon, delta)-DP, at most 0.1% too much.

        Raises ValueError for numbers out of range; epsilon must be above 0.
        """
        epsilon = arguments.number("epsilon", epsilon, above=0)

        def make(noise_multiplier: float) -> NoisyGradientDescent:
            return cls(objective, n, clip, noise_multiplier, steps, learning_rate, delta, batch)

        largest_mu, _ = edge(lambda mu: make(2 / mu).guarantee.epsilon <= epsilon, NOISE_TOLERANCE)
        return make(2 / largest_mu)

    @property
    def batch_size(self) -> int:
        """The number m of records in a batch."""
        return self.n if self.batch is None else self.batch

    @property
    def step_loss(self) -> PrivacyLoss:
        """The privacy loss of one step, for `Release(descent.step_loss, descent.steps)`."""
        step = GaussianLoss(2 / self.noise_multiplier)
        if self.batch_size == self.n:
            return step
        return fixed_size_sampled_loss(step, rate=self.batch_size / self.n)

    @property
    def worst_case(self) -> PrivacyLoss:
        """The losses of all steps together, as if every step were published."""
        return total_loss({self.step_loss: self.steps})

    @cached_property
    def guarantee(self) -> ApproxDP:
        return compose_steps(self.step_loss, self.steps, self.delta)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return the trained model, of shape (d,).

        Raises ValueError for other arguments.
        """
        x, y = split(data, self.objective.labels)
        if len(x) != self.n:
            raise ValueError(f"data must be n = {self.n} records")
        arguments.generator("rng", rng)
        theta = np.zeros(x.shape[1])
        for _ in range(self.steps):
            rows = self._draw_batch(rng)
            slopes = self.objective.slope(x[rows] @ theta, y[rows])
            noise = self.clip * self.noise_multiplier * rng.normal(size=len(theta))
            step = self._sum_clipped(x[rows], slopes) + noise
            theta = theta - self.learning_rate / self.batch_size * step
        return theta

    def _sum_clipped(self, x: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        return clipped_sum(x, slopes, self.clip)

    def _draw_batch(self, rng: np.random.Generator) -> slice | np.ndarray:
        if self.batch_size == self.n:
            return slice(None)
        return rng.choice(self.n, self.batch_size, replace=False, shuffle=False)


@lru_cache  # the same epsilon is asked for again and again
def compose_steps(step: PrivacyLoss, steps: int, delta: float) -> ApproxDP:
    """Return the certified guarantee of all steps together, the larger of both directions."""
    return ApproxDP(epsilon_bounds([Release(step, steps)], delta=delta).upper, delta)
