import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dplab.audit import epsilon_lower_bound
from dplab.audit.statistical import clopper_pearson
from dplab.mechanisms.randomized_response import CoinSurvey, RandomizedResponse


@given(st.integers(1, 30), st.floats(0.01, 0.99), st.sampled_from([0.2, 0.01, 1e-4]))
def test_clopper_pearson_covers_exactly(n, probability, failure):
    """The probability of all counts whose bound misses is at most `failure`, by enumeration."""
    counts = np.arange(n + 1)
    lower, upper = clopper_pearson(counts, n, failure)
    mass = binom.pmf(counts, n, probability)
    assert mass[lower > probability].sum() <= failure * (1 + 1e-9)
    assert mass[upper < probability].sum() <= failure * (1 + 1e-9)


def test_the_ends_of_clopper_pearson():
    assert clopper_pearson(0, 10, 0.05)[0] == 0
    assert clopper_pearson(10, 10, 0.05)[1] == 1
    assert clopper_pearson(0, 10, 0.05)[1] == pytest.approx(1 - 0.05 ** (1 / 10))


def outputs(mechanism, truth, draws=50_000):
    return mechanism(np.full(draws, truth), np.random.default_rng())


def test_the_bound_is_close_to_epsilon_and_below_it():
    """Above epsilon with probability at most 1e-9; below 0.9 needs a deviation of 9 sigma."""
    mechanism = RandomizedResponse(1.0)
    bound = epsilon_lower_bound(outputs(mechanism, 0), outputs(mechanism, 1))
    assert 0.85 < bound.epsilon <= 1.0
    assert bound.event.startswith("output")


def test_an_outcome_that_one_side_never_has_is_found():
    """NO has probability 1/2 for the innocent and 0 for the guilty: epsilon is unbounded."""
    survey = CoinSurvey(theta=0.5)
    assert epsilon_lower_bound(outputs(survey, 0), outputs(survey, 1)).epsilon > 6


def test_delta_pays_for_it():
    """The survey is (0, 1/2)-DP: with delta = 1/2 granted no epsilon is left (wrong w.p. 1e-9)."""
    survey = CoinSurvey(theta=0.5)
    assert epsilon_lower_bound(outputs(survey, 0), outputs(survey, 1), delta=0.5).epsilon == 0


def test_vectors_are_searched_coordinate_by_coordinate():
    """One leaking coordinate among four; it escapes with probability below 1e-12."""
    rng = np.random.default_rng()
    x, y = rng.normal(size=(2, 4000, 4))
    y[:, 2] += 3
    bound = epsilon_lower_bound(x, y)
    assert bound.epsilon > 1
    assert bound.event.startswith("output[2]")


def test_equal_laws_prove_nothing():
    """A positive bound for equal laws has probability at most 1e-9."""
    rng = np.random.default_rng()
    assert epsilon_lower_bound(rng.normal(size=5000), rng.normal(size=5000)).epsilon == 0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1.0], [1.0, 2.0], "outputs_x must have shape"),
        ([1.0, np.nan], [1.0, 2.0], "outputs_x must hold finite numbers, not nan"),
        (np.zeros((4, 2)), np.zeros((4, 3)), "one width, not 2 and 3"),
    ],
)
def test_bad_arguments_are_named(x, y, message):
    with pytest.raises(ValueError, match=message):
        epsilon_lower_bound(x, y)
