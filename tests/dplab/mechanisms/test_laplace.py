import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import epsilon_lower_bound, goodness_of_fit
from dplab.continuous import Laplace
from dplab.guarantees import PureDP
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.laplace import ClippedMean, LaplaceMechanism, SphericalLaplaceMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, sensitivity
from tests.dplab.strategies import epsilons
from tests.refusals import assert_refused


def histogram(data):
    return np.bincount(np.array(data, dtype=int), minlength=3)


@given(epsilons)
def test_the_worst_neighbours_spend_exactly_epsilon(epsilon):
    count = LaplaceMechanism(sum, sensitivity=1, epsilon=epsilon)
    assert count.guarantee == PureDP(epsilon)
    assert count.privacy_loss([1, 0], [0, 0]).largest_log_ratio == pytest.approx(epsilon)


@pytest.mark.parametrize(("relation", "l1"), [(REPLACE_ONE, 2), (ADD_REMOVE, 1)])
def test_a_vector_needs_its_l1_sensitivity(relation, l1):
    assert sensitivity(histogram, relation, (0, 1, 2), 3) == l1
    release = LaplaceMechanism(histogram, sensitivity=l1, epsilon=0.8, neighbors=relation)
    losses = [release.privacy_loss((0, 1), y) for y in relation.neighbors_of((0, 1), (0, 1, 2))]
    assert max(loss.largest_log_ratio for loss in losses) == pytest.approx(0.8)


def test_a_table_has_no_law_that_its_draws_would_not_follow():
    """Draws have the shape of the answer, and outcomes of a vector's law are of shape (d,)."""
    for law in (LaplaceMechanism, GaussianMechanism):
        table = law(lambda data: np.zeros((2, 2)), 1, 1)
        assert table([0], np.random.default_rng()).shape == (2, 2)
        with pytest.raises(ValueError, match=r"must be of shape \(d,\), not \(2, 2\)"):
            table.distribution([0])


def test_noise_follows_its_law():
    """Three tests at 1e-10: false-failure probability 3e-10."""
    rng = np.random.default_rng()
    count = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)
    assert goodness_of_fit([count([1, 1, 0], rng) for _ in range(4000)], Laplace(2, scale=2)).passed
    release = LaplaceMechanism(lambda data: np.zeros(5000), sensitivity=2, epsilon=1)
    assert goodness_of_fit(release([0], rng), Laplace(0, scale=2)).passed
    mean = ClippedMean(lower=-1, upper=1, n=4, epsilon=2)
    draws = [mean([-9, 0, 0, 1], rng) for _ in range(4000)]
    assert goodness_of_fit(draws, Laplace(0.0, scale=0.25)).passed


def test_the_standard_deviation_is_root_two_scales():
    """B = 1, n = 100, epsilon = 1: scale .02, sd .028284 (not sqrt(2 scale))."""
    law = ClippedMean(lower=-1, upper=1, n=100, epsilon=1).distribution(np.zeros(100))
    assert law.scale == pytest.approx(0.02)
    grid = np.linspace(-1, 1, 2_000_001)
    variance = np.trapezoid(grid**2 * np.exp(law.log_density(grid)), grid)
    assert np.sqrt(variance) == pytest.approx(0.028284, abs=1e-6)


@given(st.lists(st.floats(-100, 100), min_size=3, max_size=3), st.floats(-100, 100))
def test_clipping_makes_the_bound_true_whatever_the_data(values, other):
    mean = ClippedMean(lower=-1, upper=5, n=3, epsilon=1)
    x, y = mean.distribution(values), mean.distribution([other, *values[1:]])
    assert abs(x.location - y.location) <= mean.sensitivity + 1e-12


@pytest.mark.parametrize(("epsilon", "ratio"), [(0.1, 22.35), (1.0, 21.46), (2.0, 19.03)])
def test_a_trusted_curator_is_worth_the_root_of_n(epsilon, ratio):
    """Standard deviations for the mean of n = 1000 bits: randomized response over Laplace."""
    n = 1000
    local = np.sqrt(RandomizedResponse(epsilon).frequency_variance(0.5, n))
    curator = np.sqrt(2) * ClippedMean(lower=0, upper=1, n=n, epsilon=epsilon).sensitivity / epsilon
    assert local / curator == pytest.approx(ratio, abs=0.005)


@given(st.floats(0.0, 3.0), epsilons)
def test_the_tail_of_the_error(t, epsilon):
    """P(|noise| >= t) = exp(-t n epsilon) for the mean of n bits."""
    law = ClippedMean(lower=0, upper=1, n=10, epsilon=epsilon).distribution(np.zeros(10))
    tail = law.cdf(-t) + 1 - law.cdf(t)
    assert tail == pytest.approx(np.exp(-t * 10 * epsilon), abs=1e-12)


def test_an_audit_of_draws_believes_the_promise_and_catches_half_the_noise():
    """False alarm 1e-9. Half the noise at these sizes escapes with probability below 1e-12."""
    rng = np.random.default_rng()
    honest = rng.laplace(0, 1, 20_000), rng.laplace(1, 1, 20_000)
    cheap = rng.laplace(0, 0.5, 20_000), rng.laplace(1, 0.5, 20_000)
    assert epsilon_lower_bound(*honest).epsilon <= 1
    assert epsilon_lower_bound(*cheap).epsilon > 1


def test_bad_arguments_are_named():
    calls = [
        (lambda: LaplaceMechanism(sum, sensitivity=0, epsilon=1), "sensitivity must be .*above 0"),
        (lambda: LaplaceMechanism(sum, sensitivity=1, epsilon=np.nan), "epsilon must be .*not nan"),
        (
            lambda: LaplaceMechanism(lambda d: np.nan, 1, 1)([0], np.random.default_rng()),
            r"query\(data\) must hold finite numbers$",
        ),
        (lambda: LaplaceMechanism(sum, 1e300, 1e-300), "sensitivity / epsilon must be .*not inf"),
        (lambda: LaplaceMechanism(sum, 1e-300, 1e300), "sensitivity / epsilon must be .*not 0.0"),
        (
            lambda: SphericalLaplaceMechanism(np.asarray, 0, 1),
            "sensitivity must be .*above 0, not 0",
        ),
        (lambda: SphericalLaplaceMechanism(np.asarray, 1, 0), "epsilon must be .*above 0, not 0"),
        (lambda: ClippedMean(lower=1, upper=1, n=3, epsilon=1), "upper must be .*above 1.0, not 1"),
        (lambda: ClippedMean(lower=0, upper=1, n=0, epsilon=1), "n must be a whole number"),
        (lambda: ClippedMean(lower=0, upper=1, n=3, epsilon=0), "epsilon must be .*above 0, not 0"),
        (
            lambda: ClippedMean(lower=0, upper=1, n=3, epsilon=1).distribution([1, 2]),
            r"data must have shape \(3,\)$",
        ),
        (
            lambda: ClippedMean(lower=0, upper=1, n=2, epsilon=1).distribution([1, np.inf]),
            "data must hold finite numbers, but entry 1 is another",
        ),
    ]
    assert_refused(calls)
