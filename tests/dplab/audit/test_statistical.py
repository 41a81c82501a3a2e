import operator
import warnings
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dplab.audit import epsilon_lower_bound
from dplab.audit.statistical import _candidates, clopper_pearson
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
    assert clopper_pearson(1, 10, 0.05)[0] == pytest.approx(1 - 0.95 ** (1 / 10))
    assert clopper_pearson(9, 10, 0.05)[1] == pytest.approx(0.95 ** (1 / 10))


@pytest.mark.parametrize("failure", [1e-9, 1e-15, 3e-16, 1.7e-16])
def test_clopper_pearson_covers_at_the_smallest_failures(failure):
    """Where a probability has the value of a bound, by exact sums: a bound near 1 is rounded up."""
    most = Fraction(failure) * (1 + Fraction(1, 10**10))
    for n in range(1, 6):
        lower, upper = clopper_pearson(np.arange(n + 1), n, failure)
        for count in range(n):
            p, q = Fraction(upper[count]), Fraction(lower[count + 1])
            assert sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(count + 1)) <= most
            assert (
                sum(comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(count + 1, n + 1)) <= most
            )


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


RELATIONS = {"<=": operator.le, ">": operator.gt, "==": operator.eq}


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize(
    ("relation", "x", "y"),
    [
        ("<=", [0] * 300 + [1] * 200 + [2] * 500, [2] * 1000),
        (">", [0] * 1000, [0] * 400 + [1] * 300 + [2] * 300),
        ("==", [0] * 250 + [1] * 500 + [2] * 250, [0] * 500 + [2] * 500),
    ],
)
def test_the_event_is_the_one_that_is_counted(relation, x, y, width):
    """Both halves are the same, and the second column says nothing."""
    x, y = (np.tile(draws, 2).astype(float) for draws in (x, y))
    bound = epsilon_lower_bound(*(np.column_stack([z, 0 * z][:width]) for z in (x, y)))
    name, found, value = bound.event.split()
    assert (name, found) == ("output" if width == 1 else "output[0]", relation)
    counts = sorted(RELATIONS[found](z, float(value)).sum() // 2 for z in (x, y))
    assert counts == [0, 600 if relation == ">" else 500]
    assert bound.upper == clopper_pearson(counts[0], 1000, 1e-9 / 2)[1]
    assert bound.lower == clopper_pearson(counts[1], 1000, 1e-9 / 2)[0]


@pytest.mark.parametrize("draws", [10, 64, 65, 1000])
def test_half_lines_are_tried_at_64_places_and_the_64_most_frequent_values(draws):
    """In even steps from the smallest draw to the largest; of all values, if there are so few."""
    pooled = np.random.default_rng().normal(size=draws)
    places = np.sort(pooled)[[i * (draws - 1) // 63 for i in range(64)]]
    events = _candidates(pooled[: draws // 3, None], pooled[draws // 3 :, None])
    assert [event.relation for event in events] == ["<=", ">"] * len(np.unique(places))
    assert [event.value for event in events[::2]] == np.unique(places).tolist()

    often = np.repeat(np.arange(90.0), 90 - np.arange(90))[:, None]  # the last of them once
    events = [event for event in _candidates(often, often[:0]) if event.relation == "=="]
    assert [event.value for event in events] == list(range(64))
    events = [event for event in _candidates(often[-15:], often[:0]) if event.relation == "=="]
    assert [event.value for event in events] == [85, 86, 87, 88]


def test_what_was_seen_a_few_times_does_not_win_the_search():
    """2 comes up three times in each half, on one side alone; 1 proves more."""
    x = np.tile(np.repeat([2, 1, 0], [3, 59_997, 40_000]), 2)
    y = np.tile(np.repeat([1, 0], [50_000, 50_000]), 2)
    assert epsilon_lower_bound(x, y).epsilon > 0.1


def test_an_event_that_does_not_come_again_is_no_division_by_0():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert epsilon_lower_bound(np.repeat([0, 1], 1000), np.ones(2000)).epsilon == 0


def test_two_draws_are_enough():
    assert epsilon_lower_bound([0, 1], [0, 1]).epsilon == 0
    assert epsilon_lower_bound([[0, 1]] * 2, [[0, 1]] * 2).epsilon == 0


def test_events_are_searched_on_one_half_and_tested_on_the_other():
    """What only one of the halves shows proves nothing."""
    nothing, leak, never = np.zeros(1000), np.ones(1000), np.zeros(2000)
    assert epsilon_lower_bound(np.concatenate([nothing, leak]), never).epsilon == 0
    assert epsilon_lower_bound(np.concatenate([leak, nothing]), never).epsilon == 0
    assert epsilon_lower_bound(never, np.concatenate([leak, nothing])).epsilon == 0
    assert epsilon_lower_bound(np.ones(2000), never).epsilon > 3


@pytest.mark.parametrize("failure", [1e-9, 0.01, 0.4])
@pytest.mark.parametrize(("often", "seldom"), [(600, 50), (900, 20), (400, 10)])
def test_each_of_the_two_bounds_has_half_of_the_failure(often, seldom, failure):
    """So many of 1,000 draws are 1 on the one side, so many on the other, in both halves."""
    x, y = (np.tile(np.arange(1000) < ones, 2).astype(float) for ones in (often, seldom))
    bound = epsilon_lower_bound(x, y, failure=failure)
    assert bound.lower == clopper_pearson(often, 1000, failure / 2)[0] < often / 1000
    assert bound.upper == clopper_pearson(seldom, 1000, failure / 2)[1] > seldom / 1000
    assert bound.epsilon == pytest.approx(np.log(bound.lower / bound.upper))


def test_an_event_that_delta_covers_does_not_win_the_search():
    """2 never comes up on one side, but seldom on the other; 1 against 0 tells more."""
    x = np.tile(np.repeat([2, 1, 0], [50, 650, 300]), 2)
    y = np.tile(np.repeat([1, 0], [300, 700]), 2)
    bound = epsilon_lower_bound(x, y, delta=0.1)
    assert 0.2 < bound.epsilon < np.log((0.7 - 0.1) / 0.3)


def test_equal_laws_prove_nothing():
    """A positive bound for equal laws has probability at most 1e-9."""
    rng = np.random.default_rng()
    assert epsilon_lower_bound(rng.normal(size=5000), rng.normal(size=5000)).epsilon == 0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1.0], [1.0], "outputs_x must have shape"),
        ([1.0], [1.0, 2.0], "outputs_x must have shape"),
        ([1.0, np.nan], [1.0, 2.0], "outputs_x must hold finite numbers, not nan"),
        (np.zeros((4, 2)), np.zeros((4, 3)), "one width, not 2 and 3"),
    ],
)
def test_bad_arguments_are_named(x, y, message):
    with pytest.raises(ValueError, match=message):
        epsilon_lower_bound(x, y)


@pytest.mark.parametrize(
    ("name", "value"), [("delta", 1), ("delta", -0.1), ("failure", 0), ("failure", 1)]
)
def test_probabilities_out_of_range_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name} must be .* not {value}"):
        epsilon_lower_bound([0.0, 1.0], [0.0, 1.0], **{name: value})
