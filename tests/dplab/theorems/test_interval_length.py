from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest
from scipy.optimize import linprog

from dplab.discrete import DiscreteLaplace
from dplab.theorems.interval_length import geometric_counts, least_counts


def shortest(n, epsilon, alpha, count):
    """Return the least mean number of counts in a private interval on `count`, by a program."""
    intervals = list(combinations_with_replacement(range(n + 1), 2))
    size = len(intervals)

    def at(c):
        return slice(c * size, (c + 1) * size)

    rows, limits = [], []
    for c in range(n):
        for here, there in ((c, c + 1), (c + 1, c)):
            block = np.zeros((size, (n + 1) * size))
            block[:, at(here)], block[:, at(there)] = np.eye(size), -exp(epsilon) * np.eye(size)
            rows.append(block)
            limits.append(np.zeros(size))
    misses, sums = np.zeros((n + 1, (n + 1) * size)), np.zeros((n + 1, (n + 1) * size))
    for c in range(n + 1):
        misses[c, at(c)] = [not low <= c <= high for low, high in intervals]
        sums[c, at(c)] = 1
    rows.append(misses)
    limits.append(np.full(n + 1, alpha))
    cost = np.zeros((n + 1) * size)
    cost[at(count)] = [high - low + 1 for low, high in intervals]
    found = linprog(
        cost,
        np.vstack(rows),
        np.concatenate(limits),
        A_eq=sums,
        b_eq=np.ones(n + 1),
        method="highs",
    )
    return found.fun


@pytest.mark.parametrize(("epsilon", "alpha"), [(0.3, 0.1), (1.0, 0.05), (2.0, 0.3)])
def test_no_private_interval_is_shorter(epsilon, alpha):
    for count in (0, 2, 4):
        bound = least_counts(epsilon=epsilon, alpha=alpha, n=4, count=count)
        assert bound <= shortest(4, epsilon, alpha, count) + 1e-9


def test_the_bound_is_nearly_reached_at_an_end():
    """Of empty data: 0 to a random end."""
    bound = least_counts(epsilon=1.0, alpha=0.2, n=4, count=0)
    assert shortest(4, 1.0, 0.2, 0) == pytest.approx(bound, rel=0.1)


def test_for_small_epsilon_it_is_the_integral():
    for alpha, times in ((0.05, 4.1889), (0.01, 7.2502)):
        t = np.linspace(0, 40, 400_001)
        curve = np.maximum(1 - alpha * np.exp(t), (1 - alpha) * np.exp(-t))
        assert 2 * np.trapezoid(curve, t) == pytest.approx(times, abs=1e-4)
        most = np.log((1 - alpha) / alpha)
        assert 2 * (most - 1 + 3 * alpha) == pytest.approx(times, abs=1e-4)
        found = least_counts(epsilon=1e-4, alpha=alpha, n=10**6, count=500_000)
        assert found * 1e-4 == pytest.approx(times, abs=1e-3)


def test_a_huge_epsilon_leaves_the_count_itself():
    assert least_counts(epsilon=1e4, alpha=0.1, n=10**6, count=3) == pytest.approx(0.9)
    assert geometric_counts(epsilon=50, alpha=0.1) == 1


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6])
def test_geometric_noise_stays_within_k_and_not_within_less(epsilon, alpha):
    k, law = geometric_counts(epsilon=epsilon, alpha=alpha) // 2, DiscreteLaplace(0, 1 / epsilon)

    def outside(k):
        return 2 * np.exp(law._log_tail(k + 1))

    assert outside(k) <= alpha
    assert k == 0 or outside(k - 1) > alpha
    wide = least_counts(epsilon=epsilon, alpha=alpha, n=10_000, count=5000)
    assert wide <= 2 * k + 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"alpha": 1}, "alpha must"), ({"count": 5}, "count must"), ({"n": 0, "count": 0}, "n must")],
)
def test_bad_arguments(changes, message):
    with pytest.raises(ValueError, match=message):
        least_counts(**{"epsilon": 1.0, "alpha": 0.1, "n": 4, "count": 2, **changes})
