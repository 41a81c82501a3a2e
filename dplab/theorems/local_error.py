"""Theorem: without a curator, a share among n people is off by about 1 / (epsilon sqrt n).

Each of n people draws a bit, 1 with probability s, and sends what an epsilon-DP mechanism of their
own makes of it. Whatever estimates s from all answers, there is an s at which, with probability 1/4
or more, it errs by at least

    1 / (2 sqrt(2 n) (e^epsilon - 1))

A curator's noise is about 1 / (epsilon n), beside the error of drawing n people, at most
1 / (2 sqrt n).

Proof. Let s be (1 - t) / 2 or (1 + t) / 2, and let a person's answer have the density r_i from bit
i, so m = (r_0 + r_1) / 2 +- t (r_1 - r_0) / 2. By epsilon-DP |r_1 - r_0| <= (e^epsilon - 1)
min(r_0, r_1), and min(r_0, r_1) <= m, as m is a mean of the two. Hence the two laws m, m' of one
answer have

    chi^2(m, m') = sum (m - m')^2 / m' = t^2 sum (r_1 - r_0)^2 / m' <= t^2 (e^epsilon - 1)^2,

since (r_1 - r_0)^2 / m' <= (e^epsilon - 1)^2 min(r_0, r_1) and the minima sum to at most 1. The
divergence KL is at most chi^2, and adds up over n independent answers: n t^2 (e^epsilon - 1)^2.
It is 1/2 for t = 1 / (sqrt(2 n) (e^epsilon - 1)). By Pinsker's inequality all answers together are
then at a distance (total variation) of at most sqrt(1/4) = 1/2. An estimate with an error below t/2
tells the two shares apart. No test errs with probability below (1 - 1/2) / 2 = 1/4 under both.

The bound is for t <= 1; below that n it is 1/2 at most. Randomized response has the error
e^(epsilon/2) / ((e^epsilon - 1) sqrt n), so it is the best up to a constant for small epsilon.

Source: Duchi, Jordan and Wainwright, Local privacy and statistical minimax rates (2013), Theorem 1
and Section 3; Le Cam's method of two points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.mechanisms.randomized_response import RandomizedResponse


@dataclass(frozen=True)
class LocalError:
    """Errors of a share among n people: the bound, randomized response, and a curator's noise.

    `bound` is exceeded with probability 1/4 at some share. The others are standard deviations:
    `response` of its coins, `curator` of Laplace noise of scale 1 / (epsilon n).
    """

    bound: float
    response: float
    curator: float


def local_error(epsilon: float, n: int) -> LocalError:
    """Return the errors at this epsilon and n, see above.

    Raises ValueError unless epsilon >= 1e-300 and n is at least 1.

    >>> error = local_error(0.5, n=10_000)
    >>> round(error.bound, 4), round(error.response, 4), round(error.curator, 5)
    (0.0055, 0.0198, 0.00028)
    """
    epsilon = arguments.number("epsilon", epsilon, least=1e-300)
    n = arguments.whole("n", n, least=1)
    distance = min(1.0, float(-np.exp(-epsilon) / np.expm1(-epsilon) / (2 * n) ** 0.5))
    response = RandomizedResponse(epsilon).frequency_variance(0, n) ** 0.5
    return LocalError(distance / 2, response, float(np.sqrt(2) / n / epsilon))
