"""Training in a known order, with noise that has a memory: DP-FTRL with bands.

Each record is assigned to one of `batches` batches at random, once, and anyone may know which. The
batches take turns, `epochs` times. Step t adds up the clipped gradients of its batch, and noise y_t
that takes back a part of earlier noise (`dplab.queries.running_counts.banded_factorization`):

    theta <- theta - learning_rate / L (sum_i clip(g_i) + noise_multiplier C y_t),
    y_t = Z_t - (a_1 y_{t-1} + ... + a_{b-1} y_{t-b+1}),     Z_t ~ N(0, I),

with the coefficients a of the square root, and b bands. With b = 1 the noise has no memory. The
model is a sum of all steps, so what matters is the noise of running sums, which is R Z.

Neighbours add or remove a record, which changes the gradients of every `batches`-th step by C at
most. Measurements A G + noise move by the sum of these columns of A, each times a vector of length
C. Entries of A'A are at least 0, so they move farthest if all these vectors are equal: by C times

    |A|_e = max_j |sum of the columns j, j + batches, ... of A|.

With b <= batches these columns are orthogonal, and |A|_e <= sqrt(epochs (a_0^2 + ... +
a_{b-1}^2)). Later gradients depend on earlier models. Normal noise keeps its promise all the same
(`dplab.theorems.adaptive_streams`). The loss of the whole training is exactly that of a normal
mechanism, |A|_e / noise_multiplier deviations wide, and no secret sample is needed.

Sources: Kairouz, McMahan, Song, Thakkar, Thakurta and Xu (2021) for DP-FTRL, with a tree;
Choquette-Choo, McMahan, Rush and Thakurta (2023) for many epochs; Choquette-Choo and others (2023),
(Amplified) banded matrix factorization; Kalinin and Lampert (2024) for the coefficients.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.bisection import edge
from dplab.guarantees import ApproxDP
from dplab.learning.gradient_descent import NOISE_TOLERANCE, compose_steps
from dplab.learning.networks import Model
from dplab.losses import GaussianLoss
from dplab.mechanism import Mechanism
from dplab.neighbors import ADD_REMOVE
from dplab.queries.running_counts import MAX_STEPS, square_root_coefficients


class CorrelatedNoise:
    """Noise for sums that are published one after the other: sigma y_t on the t-th of them.

    It remembers the last `bands` - 1 noises, arrays of the shape of a sum. Raises ValueError unless
    `bands` is a whole number of at least 1 and sigma is above 0.

    >>> noise = CorrelatedNoise(bands=2, sigma=3.0, rng=np.random.default_rng())
    >>> noise.add_to(np.zeros(2)).shape
    (2,)
    """

    def __init__(self, *, bands: int, sigma: float, rng: np.random.Generator):
        self.coefficients = square_root_coefficients(arguments.size("bands", bands))[1:]
        self.sigma = arguments.number("sigma", sigma, above=0)
        self.rng = arguments.generator("rng", rng)
        self.past: deque[np.ndarray] = deque(maxlen=len(self.coefficients))  # the latest is first

    def add_to(self, total: np.ndarray) -> np.ndarray:
        """Return total + sigma y_t."""
        remembered = zip(self.coefficients, self.past, strict=False)
        corrected = total - sum(coefficient * noise for coefficient, noise in remembered)
        noisy = corrected + self.sigma * self.rng.normal(size=len(total))
        self.past.appendleft(noisy - total)
        return noisy


def training_sensitivity(batches: int, epochs: int, bands: int) -> float:
    """Return |A|_e for batches that take turns: see above.

    Raises ValueError unless there are at most 4,096 steps, and `bands` is at most their number.

    >>> training_sensitivity(10, 4, bands=1), round(training_sensitivity(10, 4, bands=10), 3)
    (2.0, 2.677)
    """
    batches = arguments.whole("batches", batches, least=1)
    epochs = arguments.whole("epochs", epochs, least=1)
    steps = arguments.whole("batches * epochs", batches * epochs, least=1, most=MAX_STEPS)
    column = np.zeros(steps)
    bands = arguments.whole("bands", bands, least=1, most=steps)
    column[:bands] = square_root_coefficients(bands)
    moved = np.zeros(steps)  # the first batch moves farthest: its columns are the longest
    for start in range(0, steps, batches):
        moved[start:] += column[: steps - start]
    return float(np.linalg.norm(moved))


@dataclass(frozen=True)
class BandedTraining(Mechanism):
    """A mechanism that trains a `model` in a known order with correlated noise.

    `batch_size` is L, a public number. Data are an array of any number of records, also of none. It
    publishes the last parameters; the guarantee, (epsilon, `delta`)-DP, is for all steps and for
    the order as well. All parameters are public: choose them without looking at the data. Raises
    ValueError for numbers out of range.

    >>> from dplab.learning import LOGISTIC, LinearModel
    >>> how = {"clip": 1.0, "noise_multiplier": 8.0, "learning_rate": 1.0}
    >>> model = LinearModel(LOGISTIC, 3)
    >>> banded = BandedTraining(model, batches=10, epochs=4, bands=10, batch_size=50, **how)
    >>> round(banded.guarantee.epsilon, 2)
    1.28
    """

    model: Model
    batches: int
    epochs: int
    bands: int
    batch_size: float
    clip: float
    noise_multiplier: float
    learning_rate: float
    delta: float = 1e-5
    neighbors = ADD_REMOVE
    is_tight = False  # only the last parameters are published

    def __post_init__(self):
        if not hasattr(self.model, "clipped_sum") or isinstance(self.model, type):
            raise ValueError(f"model must be a Model, not {arguments.show(self.model)}")
        names = ("batch_size", "clip", "noise_multiplier", "learning_rate")
        arguments.settle(self, arguments.number, *names, above=0)
        arguments.settle(self, arguments.whole, "batches", "epochs", "bands", least=1)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        training_sensitivity(self.batches, self.epochs, self.bands)

    @classmethod
    def for_epsilon(
        cls,
        model: Model,
        *,
        epsilon: float,
        batches: int,
        epochs: int,
        bands: int,
        batch_size: float,
        clip: float,
        learning_rate: float,
        delta: float = 1e-5,
    ) -> BandedTraining:
        """Return the mechanism with enough noise for (epsilon, delta)-DP, at most 0.1% too much.

        Raises ValueError for numbers out of range; epsilon must be above 0.
        """
        epsilon = arguments.number("epsilon", epsilon, above=0)
        delta = arguments.number("delta", delta, above=0, below=1)
        moved = training_sensitivity(batches, epochs, bands)

        def promises(mu: float) -> bool:
            return compose_steps(GaussianLoss(mu), 1, delta).epsilon <= epsilon

        noise = moved / edge(promises, NOISE_TOLERANCE)[0]
        return cls(model, batches, epochs, bands, batch_size, clip, noise, learning_rate, delta)

    @property
    def steps(self) -> int:
        """The number of steps, batches times epochs."""
        return self.batches * self.epochs

    @property
    def worst_case(self) -> GaussianLoss:
        """The loss of all steps together, as if every step were published."""
        moved = training_sensitivity(self.batches, self.epochs, self.bands)
        return GaussianLoss(moved / self.noise_multiplier)

    @cached_property
    def guarantee(self) -> ApproxDP:
        return compose_steps(self.worst_case, 1, self.delta)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return the trained parameters.

        Raises ValueError for other arguments.
        """
        rows = records.reals("data", data, may_be_empty=True)
        arguments.generator("rng", rng)
        own = (rng.random(len(rows)) * self.batches).astype(int)
        batches = [rows[own == batch] for batch in range(self.batches)]
        sigma = self.noise_multiplier * self.clip
        noise = CorrelatedNoise(bands=self.bands, sigma=sigma, rng=rng)
        theta = self.model.start(rng)
        for t in range(self.steps):
            noisy_sum = noise.add_to(self._sum_clipped(theta, batches[t % self.batches]))
            theta = theta - self.learning_rate / self.batch_size * noisy_sum
        return theta

    def _sum_clipped(self, theta: np.ndarray, batch: np.ndarray) -> np.ndarray:
        return self.model.clipped_sum(theta, batch, self.clip)
