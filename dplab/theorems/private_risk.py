"""Theorem: the risk that privacy adds to a model, for three ways of adding noise.

Let the loss be convex with slope at most L, ||x|| <= 1, and let the best model have a length of at
most R. The expected risk (without the regulariser) is above the best one's by at most

    output, pure      2 L R (d / (n epsilon))^{1/2}
    output, normal    2 L R (c sqrt(d) / n)^{1/2}
    objective, pure   (2 L R (2 d (d + 1))^{1/2} + b R^2) / (n epsilon)
    gradient, normal  L R (1 / T + 4 c^2 d / n^2)^{1/2}, for large T near 2 L R c sqrt(d) / n,

where c = `analytic_sigma` for sensitivity 1, about sqrt(2 log(1 / delta)) / epsilon, and b is the
largest curvature of the loss: rates of (d / n)^{1/2}, d^{1/4} / n^{1/2}, d / n and d^{1/2} / n. The
last two are the best there are, up to constants and logarithms, under epsilon-DP and under
(epsilon, delta)-DP; objective perturbation with normal noise has the last one, too. Some
lecture notes have d / (epsilon sqrt(n)) for output and objective, which is too large.

Proof. Output: noise b moves the risk by L ||b|| at most, and the minimiser of the regularised risk
has a risk of at most lambda R^2 / 2 above the best. The mean length of b is d S / epsilon, or at
most c sqrt(d) S, with the sensitivity S = 2 L / (n lambda). Choose the lambda with the least sum.

Objective: let theta' minimise the regularised risk J plus <t, theta> / n, t the tilt, and theta
minimise J. Then J(theta') - J(theta) <= <t, theta - theta'> / n <= ||t||^2 / (n^2 lambda), because
a tilt moves the minimiser by ||t|| / (n lambda) at most. Again lambda R^2 / 2 comes on top. The
mean of ||t||^2 is d (d + 1) s^2, with s = 2 L / epsilon' of `ObjectivePerturbation`. The best
lambda for epsilon' gives the sum 2 L R (2 d (d + 1))^{1/2} / (n epsilon'). There log(1 + b /
(n lambda)) <= b / (n lambda) = epsilon' k with k = b R / (2 L (2 d (d + 1))^{1/2}), so that
epsilon' = epsilon / (1 + k) is small enough.

Gradient: take steps of length eta from 0 along noisy gradients g, and project each into the ball of
radius R. Then ||theta' - best||^2 <= ||theta - best||^2 - 2 eta <g, theta - best> + eta^2 ||g||^2.
The mean of <g, theta - best> is at least the excess, by convexity, and that of ||g||^2 is at most
L^2 + d s^2 with noise s. Add T steps: the excess of the mean theta is at most
R^2 / (2 eta T) + eta (L^2 + d s^2) / 2; choose eta, and s = 2 L c sqrt(T) / n from T full batches.

The bound is for that descent. `NoisyGradientDescent` doesn't project and returns its last theta, as
in practice; this proof says nothing about it.

Sources: Chaudhuri, Monteleoni and Sarwate (2011); Bassily, Smith and Thakurta (2014), also for the
lower bound; Kifer, Smith and Thakurta (2012) for objective perturbation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.mechanisms.gaussian import analytic_sigma


@dataclass(frozen=True)
class ExcessRisk:
    """The bounds on the excess risk, and the regularisers for output and objective."""

    output_pure: float
    output_normal: float
    gradient: float
    regularizer_pure: float
    regularizer_normal: float
    objective_pure: float
    regularizer_objective: float


def excess_risk(
    n: int,
    d: int,
    *,
    epsilon: float,
    delta: float,
    steps: int | None = None,
    lipschitz: float = 1.0,
    radius: float = 1.0,
    smoothness: float = 0.25,
) -> ExcessRisk:
    """Return the bounds of the theorem; without `steps`, in the limit of many steps.

    `smoothness` is the largest curvature of the loss; a quarter is that of the logistic one. Raises
    ValueError for numbers out of range.

    >>> bounds = excess_risk(10_000, 25, epsilon=1.0, delta=1e-5)
    >>> round(bounds.output_pure, 4), round(bounds.output_normal, 4), round(bounds.gradient, 4)
    (0.1, 0.0864, 0.0037)
    """
    n, d = arguments.whole("n", n, least=1), arguments.size("d", d)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    slope = arguments.number("lipschitz", lipschitz, above=0)
    radius = arguments.number("radius", radius, above=0)
    curvature = arguments.number("smoothness", smoothness, above=0)
    c = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    pure, normal = (2 * np.sqrt(length / n) for length in (d / epsilon, c * np.sqrt(d)))
    inverse_steps = 0.0 if steps is None else 1 / arguments.whole("steps", steps, least=1)
    gradient = np.sqrt(inverse_steps + 4 * c**2 * d / n**2)
    tilted = (2 * slope * radius * np.sqrt(2 * d * (d + 1)) + curvature * radius**2) / (n * epsilon)
    return ExcessRisk(
        output_pure=float(slope * radius * pure),
        output_normal=float(slope * radius * normal),
        gradient=float(slope * radius * gradient),
        regularizer_pure=float(slope / radius * pure),
        regularizer_normal=float(slope / radius * normal),
        objective_pure=float(tilted),
        regularizer_objective=float(tilted / radius**2),
    )
