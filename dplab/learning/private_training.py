"""Training on secret samples: the algorithm and the account with which large models are trained.

Each step takes a Poisson sample: every record is in it with probability `rate`, independently of
all others. It shortens the gradient of each record in the sample to the length C and adds the
gradients up. Then it adds normal noise, and divides by a public number L, about the expected size
of a batch:

    theta <- theta - learning_rate / L (sum_i clip(g_i) + noise_multiplier C Z),     Z ~ N(0, I).

Neighbours add or remove a record, so that the number of records is secret. A record moves the sum
by C at most: one step is a normal mechanism, 1 / noise_multiplier sigmas wide, on a Poisson sample
(`dplab.theorems.amplification`). The losses of the steps add up, separately in each direction.

L must not depend on the data. If it were the size of the batch or rate n, an added record would
change the scale of the model's noise. With 2,000 noisy numbers that is easy to see, and no
guarantee holds.

Sources: Abadi and others (2016); Lebeda, Regehr, Kamath and Steinke (2024) on batches and accounts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.bisection import edge
from dplab.guarantees import ApproxDP
from dplab.learning.gradient_descent import NOISE_TOLERANCE, compose_steps
from dplab.learning.networks import Model
from dplab.losses import GaussianLoss, PrivacyLoss, poisson_sampled_loss, total_loss
from dplab.mechanism import Mechanism
from dplab.neighbors import ADD_REMOVE


@dataclass(frozen=True)
class PoissonTraining(Mechanism):
    """A mechanism that trains a `model` by noisy steps and publishes the last parameters.

    `batch_size` is L, a number above 0. Data are an array of any number of records, also of none.
    The guarantee is (epsilon, `delta`)-DP with the certified epsilon of all steps. All parameters
    are public: choose them without looking at the data. Raises ValueError for numbers out of range.

    >>> from dplab.learning import LOGISTIC, LinearModel
    >>> how = {"clip": 1.0, "noise_multiplier": 2.0, "steps": 100, "learning_rate": 1.0}
    >>> training = PoissonTraining(LinearModel(LOGISTIC, 3), rate=0.1, batch_size=50, **how)
    >>> round(training.guarantee.epsilon, 1)
    2.3
    """

    model: Model
    rate: float
    batch_size: float
    clip: float
    noise_multiplier: float
    steps: int
    learning_rate: float
    delta: float = 1e-5
    neighbors = ADD_REMOVE
    is_tight = False  # only the last parameters are published

    def __post_init__(self):
        if not hasattr(self.model, "clipped_sum") or isinstance(self.model, type):
            raise ValueError(f"model must be a Model, not {arguments.show(self.model)}")
        names = ("batch_size", "clip", "noise_multiplier", "learning_rate")
        arguments.settle(self, arguments.number, *names, above=0)
        arguments.settle(self, arguments.number, "rate", above=0, most=1)
        arguments.settle(self, arguments.whole, "steps", least=1)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)

    @classmethod
    def for_epsilon(
        cls,
        model: Model,
        *,
        epsilon: float,
        rate: float,
        batch_size: float,
        clip: float,
        steps: int,
        learning_rate: float,
        delta: float = 1e-5,
    ) -> PoissonTraining:
        """Return the mechanism with enough noise for (epsilon, delta)-DP, at most 0.1% too much.

        Raises ValueError for numbers out of range; epsilon must be above 0.
        """
        epsilon = arguments.number("epsilon", epsilon, above=0)

        def make(noise: float) -> PoissonTraining:
            return cls(model, rate, batch_size, clip, noise, steps, learning_rate, delta)

        largest_mu, _ = edge(lambda mu: make(1 / mu).guarantee.epsilon <= epsilon, NOISE_TOLERANCE)
        return make(1 / largest_mu)

    @property
    def step_loss(self) -> PrivacyLoss:
        """The privacy loss of one step if a record is removed; its `reverse()` if one is added."""
        return poisson_sampled_loss(GaussianLoss(1 / self.noise_multiplier), rate=self.rate)

    @property
    def worst_case(self) -> PrivacyLoss:
        """The losses of all steps together, as if every step were published."""
        return total_loss({self.step_loss: self.steps})

    @cached_property
    def guarantee(self) -> ApproxDP:
        return compose_steps(self.step_loss, self.steps, self.delta)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return the trained parameters.

        Raises ValueError for other arguments.
        """
        rows = records.reals("data", data, may_be_empty=True)
        arguments.generator("rng", rng)
        theta = self.model.start(rng)
        for _ in range(self.steps):
            batch = rows[rng.random(len(rows)) < self.rate]
            noise = self.noise_multiplier * self.clip * rng.normal(size=len(theta))
            noisy_sum = self._sum_clipped(theta, batch) + noise
            theta = theta - self.learning_rate / self.batch_size * noisy_sum
        return theta

    def _sum_clipped(self, theta: np.ndarray, batch: np.ndarray) -> np.ndarray:
        return self.model.clipped_sum(theta, batch, self.clip)
