from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dplab.attacks.linkage import expected_unique_share
from dplab.theorems.adaptive_gain import adaptive_gain


def voting_by_enumeration(k, n):
    """The mean over all agreements of n records with k coins, ties of either kind counting half."""
    total = 0.0
    for signs in product((-1, 1), repeat=n * k):
        agreements = np.array(signs).reshape(n, k)
        turned = np.where(agreements.sum(axis=0) >= 0, 1, -1)  # a tie may go either way
        total += (1 + np.sign(agreements @ turned)).mean() / 2
    return total / 2 ** (n * k) - 1 / 2


@pytest.mark.parametrize(
    ("k", "n"), [(k, n) for k in range(1, 13) for n in range(1, 13) if k * n <= 12]
)
def test_what_voting_gains_is_exact(k, n):
    assert adaptive_gain(k, n).voting == pytest.approx(voting_by_enumeration(k, n), abs=1e-12)


@given(st.integers(1, 10**6), st.integers(1, 2000))
def test_the_formula_by_the_law_of_a_majority(k, n):
    """gamma is P[heads] / 2 of the n-th coin being decisive, the others a tie or nearly one."""
    gamma = binom.pmf((n - 1) // 2, n - 1, 0.5) / 2
    votes = binom(k, 1 / 2 + gamma)
    expected = votes.sf(k / 2) + votes.pmf(k / 2) * (k % 2 == 0) / 2 - 1 / 2
    found = adaptive_gain(k, n)
    assert found.voting == pytest.approx(expected, abs=1e-9)
    assert found.bound**2 * 2 * n == pytest.approx(k * np.log(n + 1))
    assert found.holds


@given(st.integers(100, 10**6))
def test_for_many_records_it_is_the_root_of_k_over_n(n):
    ks = np.unique(np.geomspace(1, n / 100, 20).astype(int)) * 2 + 1
    found = adaptive_gain(ks, n)
    assert np.allclose(found.voting / found.normal, 1, atol=0.3)
    large = ks > 30
    assert np.allclose(found.voting[large] / found.normal[large], 1, atol=0.02)
    assert np.allclose(found.normal, np.sqrt(ks / n) / np.pi, rtol=0.02)


def test_what_is_measured_is_what_is_said():
    """200 runs, within 8 deviations of their mean."""
    rng, k, n = np.random.default_rng(), 40, 101
    agreements = rng.integers(2, size=(200, n, k)) * 2 - 1
    turned = np.sign(agreements.sum(axis=1, keepdims=True))
    right = (1 + np.sign((agreements * turned).sum(axis=2))).mean(axis=1) / 2
    expected = 1 / 2 + adaptive_gain(k, n).voting
    assert abs(right.mean() - expected) < 8 * right.std() / 200**0.5


@pytest.mark.parametrize(
    ("k", "n", "message"),
    [
        (0, 10, "k must hold whole numbers of at least 1, not 0"),
        ([1, 0], 10, "k must hold whole numbers"),
        (1.5, 10, "k must hold whole numbers"),
        ([], 10, "k must hold whole numbers"),
        (1, 0, "n must be a whole number of at least 1"),
    ],
)
def test_bad_arguments_are_named(k, n, message):
    with pytest.raises(ValueError, match=message):
        adaptive_gain(k, n)


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_a_small_type_keeps_all_digits(kind):
    found = adaptive_gain(np.array([1, 100], dtype=kind), 2000)
    expected = adaptive_gain([1, 100], 2000)
    assert found.normal == pytest.approx(expected.normal, rel=1e-12)
    assert found.bound == pytest.approx(expected.bound, rel=1e-12)


@pytest.mark.parametrize("n", [10**12, 10**15, 10**16, 10**18])
def test_gains_and_uniqueness_for_many_people(n):
    assert adaptive_gain(1, n).voting == pytest.approx(1 / np.sqrt(2 * np.pi * n), rel=1e-6, abs=0)
    assert expected_unique_share(n, float(n)) == pytest.approx(np.exp(-1), rel=1e-6)
