from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ExponentialMechanism, GeometricMechanism
from dplab.distributions import enumerate_law
from dplab.guarantees import PureDP
from dplab.synthesis import bernstein_mechanism, bernstein_polynomial
from tests.refusals import assert_refused


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0, 1))
def test_the_polynomial_is_that_of_the_formula_and_between_its_values(values, t):
    degree = len(values) - 1
    exact = sum(v * comb(degree, k) * t**k * (1 - t) ** (degree - k) for k, v in enumerate(values))
    found = float(bernstein_polynomial(values, t))
    assert found == pytest.approx(exact, abs=1e-9)
    assert min(values) - 1e-9 <= found <= max(values) + 1e-9


@pytest.mark.parametrize("degree", [1, 10, 500])
def test_lines_are_themselves_and_the_error_of_a_curve_falls_with_the_degree(degree):
    t, lattice = np.linspace(0, 1, 33), np.linspace(0, 1, degree + 1)
    assert bernstein_polynomial(2 - 3 * lattice, t) == pytest.approx(2 - 3 * t)
    gap = abs(bernstein_polynomial(lattice**2, t) - t**2)
    assert gap.max() == pytest.approx(0.25 / degree)


def missed(mechanism, m):
    """Return how often it is off by m / 2 or more, on m zeros or on m ones, whichever is more."""
    laws = [enumerate_law(mechanism.distribution([bit] * m)) for bit in (0, 1)]
    off = [abs(np.array(law.outcomes) - bit * m) >= m / 2 for bit, law in enumerate(laws)]
    return max(law.probabilities[far].sum() for law, far in zip(laws, off, strict=True))


@pytest.mark.parametrize("m", [1, 2, 5, 10])
def test_no_release_errs_less_than_a_sensitivity_by_epsilon(m):
    """A sum of m bits at epsilon = 1 / m; with ten times the epsilon the bound would be broken."""
    least = 1 / (1 + np.e)
    for epsilon, is_kept in ((1 / m, True), (10 / m, False)):
        noisy = GeometricMechanism(sum, 1, epsilon).clamp(0, m)
        chosen = ExponentialMechanism(
            range(m + 1), lambda x: -abs(sum(x) - np.arange(m + 1)), 1, epsilon
        )
        assert [missed(one, m) >= least for one in (noisy, chosen)] == [is_kept, is_kept]


@pytest.mark.parametrize("K", [1, 4, 9])
def test_values_cost_epsilon_where_all_of_them_move(K):
    """One record moves the curve by its whole sensitivity at every place."""
    mechanism = bernstein_mechanism(lambda data, t: np.mean(data) + 0 * t, 1 / 4, K, epsilon=0.5)
    loss = mechanism.privacy_loss([1, 0, 0, 1], [0, 0, 0, 1])
    assert loss.largest == pytest.approx(0.5)
    assert mechanism.guarantee == PureDP(0.5)
    assert mechanism([0, 1, 1, 1], np.random.default_rng()).shape == (K + 1,)


@pytest.mark.parametrize("K", [1, 4, 9])
def test_values_are_those_on_the_lattice(K):
    mechanism = bernstein_mechanism(lambda data, t: data + t**2, 1, K, epsilon=1)
    assert mechanism.query(3) == pytest.approx([3 + (i / K) ** 2 for i in range(K + 1)])


@pytest.mark.parametrize("K", [np.uint8(255), np.int8(127)])
def test_the_degree_may_be_a_small_integer(K):
    assert bernstein_mechanism(lambda data, t: t, 1, K, epsilon=1).scale == int(K) + 1


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: bernstein_mechanism(np.add, 1, 0, epsilon=1),
            "K must be .* at least 1, at most 268435456, not 0",
        ),
        (lambda: bernstein_mechanism(np.add, 0, 2, epsilon=1), "sensitivity must be"),
        (lambda: bernstein_mechanism(np.add, -0.5, 2, epsilon=1), "above 0, not -0.5"),
        (lambda: bernstein_mechanism(np.add, 1, 2, epsilon=0), "epsilon must be"),
        (lambda: bernstein_polynomial([], 0.5), "values must not be empty"),
        (lambda: bernstein_polynomial([1.0], [0.5, 1.25]), r"t must be in \[0, 1\], not from 0.5"),
        (lambda: bernstein_polynomial([1.0], -0.25), r"t must be in \[0, 1\], not from -0.25"),
        (lambda: bernstein_polynomial([1.0], np.nan), "t must hold finite numbers"),
    ]
    assert_refused(calls)
