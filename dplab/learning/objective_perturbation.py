"""Objective perturbation: minimise a risk that was tilted at random, and publish the minimiser.

It minimises J(theta) + <b, theta> / n, where b has a density proportional to e^{-||b|| / s}. With
more data b weighs less, and where the risk is steep b moves the minimiser little. So noise that is
added before the minimisation adapts to the shape of the problem. Noise that is added afterwards
does not.

**It is epsilon-DP** for s = 2 L / epsilon', where epsilon' = epsilon - log(1 + c / (n lambda)), L
and c the largest slope and curvature of the objective, ||x|| <= 1. Proof: theta is published if and
only if b = b(theta) = -n grad J(theta), one value, so that its density is

    nu(b(theta)) |det n J''(theta)|.

With another record b(theta) moves by 2 L at most, and the first factor changes by e^{epsilon'} at
most. In the second factor the matrix A of the n - 1 others and n lambda gets one more term a x x'
of rank one, with a <= c: det(A + a x x') = det(A) (1 + a x' A^-1 x), between 1 and 1 + c / (n
lambda) times det(A), under both datasets.

Chaudhuri, Monteleoni and Sarwate (2011), Theorem 9, subtract twice that logarithm, as if the
records that leave and come could both change the factor in one direction. They raise lambda where
no epsilon remains. The theorem is about exact minimisers and does not cover a solver's last bits
(Iyengar and others 2019 add noise for them).

Source: Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplab import arguments
from dplab import records as checks
from dplab.continuous import SphericalLaplace
from dplab.distributions import Distribution
from dplab.guarantees import PureDP
from dplab.learning.risk import RegularizedRisk, lipschitz
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE


@dataclass(frozen=True)
class ObjectivePerturbation(ExactMechanism):
    """The mechanism that publishes the minimiser of a `risk` tilted at random: epsilon-DP.

        output = argmin_theta J(theta) + <b, theta> / n
        density of b proportional to e^{-||b|| / s},   s = 2 L / (epsilon - log(1 + c / (n lambda)))

    J is the risk, n its number of records and lambda its regularizer; L and c are the largest slope
    and curvature of its objective. Data are the records of `RegularizedRisk`, and the output is
    theta, shape (d,). Neighbours differ in one replaced record. Raises ValueError for an objective
    without a bounded slope, and unless log(1 + c / (n lambda)) is below epsilon.
    """

    risk: RegularizedRisk
    epsilon: float
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.instance("risk", self.risk, RegularizedRisk)
        arguments.settle(self, arguments.number, "epsilon", above=0)
        lipschitz(self.risk.objective)
        if self.noise_epsilon <= 0:
            least = self.risk.objective.smoothness / (self.risk.n * np.expm1(self.epsilon))
            raise ValueError(
                f"regularizer must be above {least:.6g} for epsilon {self.epsilon}, "
                f"not {self.risk.regularizer}"
            )

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    @property
    def noise_epsilon(self) -> float:
        """epsilon - log(1 + c / (n lambda)), the part of epsilon that is left for the tilt."""
        curved = self.risk.objective.smoothness / (self.risk.n * self.risk.regularizer)
        return self.epsilon - float(np.log1p(curved))

    @property
    def scale(self) -> float:
        """s of the formula: the scale of the length of b."""
        return 2 * lipschitz(self.risk.objective) / self.noise_epsilon

    def distribution(self, data: Any) -> TiltedMinimizer:
        """Return the distribution of the published model, with the density of the proof."""
        return TiltedMinimizer(self.risk, self.scale, checks.reals("data", data))


@dataclass(frozen=True, eq=False)
class TiltedMinimizer(Distribution):
    """The minimiser of `risk` on `records`, tilted by spherical Laplace noise: a distribution.

    A draw raises ValueError unless it gets a numpy Generator.
    """

    risk: RegularizedRisk
    scale: float
    records: np.ndarray = field(repr=False)  # a message may quote a distribution, but no records

    @property
    def tilt(self) -> SphericalLaplace:
        """The distribution of b."""
        return SphericalLaplace(np.zeros(self.risk.split(self.records)[0].shape[1]), self.scale)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> np.ndarray:
        arguments.generator("rng", rng)
        tilts = self.tilt.sample(rng, size)
        if size is None:
            return self.risk.minimizer(self.records, tilts)
        flat = tilts.reshape(-1, tilts.shape[-1])
        minimizers = [self.risk.minimizer(self.records, tilt) for tilt in flat]
        return np.array(minimizers).reshape(tilts.shape)

    def log_density(self, outcome: Any) -> float:
        """Return log nu(b(theta)) + log det(n J''(theta)) for one model, shape (d,).

        Raises ValueError for a model that is not finite.
        """
        theta = arguments.reals("outcome", outcome)
        tilt: np.ndarray = -self.risk.n * self.risk.gradient(theta, self.records)
        bend = np.linalg.slogdet(self.risk.n * self.risk.hessian(theta, self.records))[1]
        return float(self.tilt.log_density(tilt) + bend)
