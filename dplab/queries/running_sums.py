"""Running sums with correlated normal noise, published while the stream goes on.

Factors W = R A that are both lower triangular can answer step by step: answer t is row t of
R (A x + sigma Z), and needs the first t steps and the first t noises alone. As R = W A^{-1},

    answer = W (x + y),     y = sigma A^{-1} Z:

the running sums of noisy steps, whose noise y is correlated. It takes back later a part of what it
added before.

The promise also holds if each step depends on earlier answers (`dplab.theorems.adaptive_streams`).
Sources: Denisov, McMahan, Rush, Smith and Thakurta (2022); Fichtenberger, Henzinger and Upadhyay
(2023). Outputs are floats, and their low bits leak: use this for analysis and training.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.losses import GaussianLoss
from dplab.queries.factorization import Factorization


def step_noise(factorization: Factorization) -> np.ndarray:
    """Return A^{-1}, shape (n, n): row t says how the noise of step t is made from Z.

    Raises ValueError unless R and A are lower triangular, and A is invertible.

    >>> from dplab.queries import banded_factorization
    >>> step_noise(banded_factorization(3, 2)).tolist()
    [[1.0, 0.0, 0.0], [-0.5, 1.0, 0.0], [0.25, -0.5, 1.0]]
    """
    _require_causal(factorization)
    n = len(factorization.strategy)
    return np.tril(np.linalg.solve(factorization.strategy, np.eye(n))) + 0.0


def stream_loss(factorization: Factorization, *, sigma: float) -> GaussianLoss:
    """Return the loss of all answers together, |A| / sigma deviations wide, also if steps adapt.

    Neighbours are streams that differ by 1 at most, in one step. Raises ValueError unless R and A
    are lower triangular, A is invertible, and sigma is above 0.
    """
    _require_causal(factorization)
    sigma = arguments.number("sigma", sigma, above=0)
    length = factorization.sensitivity(norm=2)
    return GaussianLoss(arguments.number("|A| / sigma", length / sigma, above=0))


def noisy_running_sums(
    steps: Iterable[float], factorization: Factorization, *, sigma: float, rng: Any
) -> Iterator[float]:
    """Yield the noisy sum after each of at most n steps: row t of R (A x + sigma Z).

    `steps` are numbers. They are read one at a time, and each may depend on earlier answers.
    `stream_loss` is what all answers cost. Raises ValueError for factors that `stream_loss`
    refuses, for a step that is not a finite number, and for one after the n-th.

    >>> from dplab.queries import square_root_factorization
    >>> rng, root = np.random.default_rng(), square_root_factorization(1000)
    >>> len(list(noisy_running_sums([1, 0, 1], root, sigma=2, rng=rng)))
    3
    """
    stream_loss(factorization, sigma=sigma)
    arguments.generator("rng", rng)
    if not isinstance(steps, Iterable) or isinstance(steps, str | bytes | type):
        raise ValueError("steps must be numbers")
    return _sum_up(iter(steps), factorization, float(sigma), rng)


def _sum_up(
    steps: Iterator[float], factorization: Factorization, sigma: float, rng: np.random.Generator
) -> Iterator[float]:
    recovery, strategy = factorization.recovery, factorization.strategy
    n = len(strategy)
    numbers, measured = np.zeros(n), np.zeros(n)
    for t, step in enumerate(steps):
        if t == n:
            raise ValueError(f"steps must be at most n = {n}")
        numbers[t] = records.number("each of steps", step)
        measured[t] = strategy[t] @ numbers + sigma * rng.normal()
        yield float(recovery[t] @ measured)


def _require_causal(factorization: Factorization) -> None:
    arguments.instance("factorization", factorization, Factorization)
    recovery, strategy = factorization.recovery, factorization.strategy
    square = recovery.shape == strategy.shape == strategy.shape[::-1]
    if not square or np.triu(recovery, 1).any() or np.triu(strategy, 1).any():
        raise ValueError("factorization must have lower triangular recovery and strategy")
    if not np.diag(strategy).all():
        raise ValueError("factorization must have no 0 on the diagonal of its strategy")
