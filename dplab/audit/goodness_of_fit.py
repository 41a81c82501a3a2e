"""Goodness of fit: tests of draws against a distribution, with proven false-failure rates.

Real distributions: the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant,
P[sup |F_n - F| > t] <= 2 exp(-2 n t^2). Laplace and normal distributions are also tested by the
exact distribution of the scale's sufficient statistic, which finds noise 20% too small in about
1,300 draws. Finite distributions: an exact binomial test of every outcome. Levels are split by the
union bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from dplab import arguments
from dplab.continuous import Gaussian, Laplace, RealDistribution
from dplab.distributions import Distribution, Finite, Product

_NUMBERS = (int, float, np.number, np.bool_, list, np.ndarray)  # or rows of numbers


@dataclass(frozen=True)
class Fit:
    """The result of a test of a sample against a distribution; if it fails, `reason` says why.

    A sample that does follow the distribution is rejected with probability at most `failure`.
    """

    passed: bool
    failure: float
    reason: str = ""


def goodness_of_fit(sample: Any, law: Distribution, *, failure: float = 1e-10) -> Fit:
    """Test independent draws, an array of any shape, against the distribution they should follow.

    In a list with other entries than numbers and rows of numbers, each entry is one draw, for
    example a tuple. Draws from a product of finite distributions are rows, of shape (draws, parts),
    and are tested as a whole: dependent parts fail. `failure` bounds the probability that a right
    sample is rejected. Raises ValueError for an empty sample or a distribution that is neither
    finite nor real.
    """
    failure = arguments.number("failure", failure, above=0, below=1)
    reason = _misfit(law, sample, failure)
    return Fit(not reason, failure, reason)


@singledispatch
def _misfit(distribution: Distribution, sample: Any, failure: float) -> str:
    raise ValueError(f"law must be finite or real, not {distribution!r}")


@_misfit.register
def _(distribution: Finite, sample: Any, failure: float) -> str:
    if isinstance(sample, list) and not all(isinstance(draw, _NUMBERS) for draw in sample):
        # An array would take tuples apart.
        return _wrong_counts(distribution, Counter(sample), failure)
    draws = np.asarray(sample)
    if draws.dtype.kind in "OSU":
        return _wrong_counts(distribution, Counter(draws.ravel().tolist()), failure)
    values, counts = np.unique(draws, return_counts=True)
    count_of = dict(zip(values.tolist(), counts.tolist(), strict=True))
    return _wrong_counts(distribution, count_of, failure)


@_misfit.register
def _(distribution: Product, sample: Any, failure: float) -> str:
    rows, parts = np.asarray(sample), len(distribution.factors)
    if rows.ndim != 2 or rows.shape[1] != parts:
        raise ValueError(f"sample must have shape (draws, {parts}), not {rows.shape}")
    return _wrong_counts(distribution.enumerate(), Counter(map(tuple, rows.tolist())), failure)


def _wrong_counts(distribution: Finite, counts: Mapping[Any, int], failure: float) -> str:
    n = sum(counts.values())
    if n == 0:
        raise ValueError("sample must not be empty")
    impossible = [value for value in counts if distribution.log_density(value) == -np.inf]
    if impossible:
        return (
            f"{impossible[0]!r} came up, which is impossible: outcomes are {distribution.support!r}"
        )
    level = failure / len(distribution.outcomes)
    for outcome, expected in zip(distribution.outcomes, distribution.probabilities, strict=True):
        if _binomial_p_value(counts.get(outcome, 0), n, expected) < level:
            share = counts.get(outcome, 0) / n
            return f"{outcome!r} came up in a share {share:.4f} of draws, expected {expected:.4f}"
    return ""


@_misfit.register
def _(distribution: RealDistribution, sample: Any, failure: float) -> str:
    draws = arguments.to_floats(sample)
    if draws is None or sample is None:
        raise ValueError("sample must hold real numbers")
    draws = np.sort(draws.ravel())
    if draws.size == 0:
        raise ValueError("sample must not be empty")
    if not np.isfinite(draws).all():
        return "a draw is not a finite number"
    wrong_scale = _wrong_scale(distribution, draws, failure / 2)
    return wrong_scale or _wrong_shape(distribution, draws, failure / 2)


def _wrong_shape(distribution: RealDistribution, draws: np.ndarray, failure: float) -> str:
    n, expected = len(draws), distribution.cdf(draws)
    steps = np.arange(n + 1) / n
    gaps = np.maximum(steps[1:] - expected, expected - steps[:-1])
    i, limit = int(gaps.argmax()), float(np.sqrt(np.log(2 / failure) / (2 * n)))
    if gaps[i] <= limit:
        return ""
    return (
        f"a share {(i + 1) / n:.4f} of draws is at most {draws[i]:.4g}, expected {expected[i]:.4f}"
    )


def _wrong_scale(distribution: RealDistribution, draws: np.ndarray, failure: float) -> str:
    from scipy.special import gammainc, gammaincc

    n = len(draws)
    # For Laplace |y - location| / scale is exponential, and the sum has the gamma(n) distribution.
    if isinstance(distribution, Laplace):
        shape, total = float(n), np.abs(draws - distribution.location).sum() / distribution.scale
        ratio = total / n
    elif isinstance(distribution, Gaussian):  # half the sum of squares is gamma(n / 2)
        shape, total = n / 2, (((draws - distribution.mean) / distribution.sigma) ** 2).sum() / 2
        ratio = float(np.sqrt(2 * total / n))
    else:
        return ""
    if 2 * min(gammainc(shape, total), gammaincc(shape, total)) >= failure:
        return ""
    return f"the spread around the center is {ratio:.3f} times what it should be"


def _binomial_p_value(count: int, n: int, probability: float) -> float:
    """Return the exact two-sided p-value: twice the smaller tail, including the count."""
    from scipy.special import bdtr, bdtrc

    p = min(1.0, float(probability))
    return float(min(1.0, 2 * min(bdtr(count, n, p), bdtrc(count - 1, n, p))))
