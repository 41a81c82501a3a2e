from itertools import product

import numpy as np
import pytest

from dplab import BoundedRange, PrivateQuantile
from dplab.audit import exact_epsilon
from dplab.local_sensitivity import Median
from dplab.mechanisms.inverse_sensitivity import (
    inverse_median,
    inverse_mode,
    inverse_sensitivity,
    median_changes,
    mode_changes,
)


def mode(data):
    """Return the most frequent, the first of "abc" among several."""
    return max("abc", key=lambda c: (data.count(c), -ord(c)))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_changes_of_a_median_are_those_of_all_datasets(n):
    universe = (0, 1, 3, 4)
    by_enumeration = inverse_sensitivity(Median(0, 4), universe, n, epsilon=1)
    for x in list(product(universe, repeat=n))[:: 1 if n < 4 else 7]:
        assert (-median_changes(x, by_enumeration.candidates)).tolist() == by_enumeration.scores(x)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_changes_of_a_mode_are_those_of_all_datasets(n):
    """Also where records are no candidates: "d"."""
    by_enumeration = inverse_sensitivity(mode, "abcd", n, epsilon=1)
    for x in list(product("abcd", repeat=n))[:: 1 if n < 4 else 7]:
        found = mode_changes(x, by_enumeration.candidates)
        assert (-found).tolist() == by_enumeration.scores(x)


def test_both_laws_are_private_and_nearly_spend_epsilon():
    for mechanism, universe in (
        (inverse_median((0, 1, 3), epsilon=1.0), (0, 1, 3)),
        (inverse_mode("abc", epsilon=1.0), "abc"),
    ):
        audit = exact_epsilon(mechanism, universe, n=5)
        assert 0.6 < audit.epsilon <= 1 + 1e-12
        assert mechanism.worst_case == BoundedRange(1.0)


def test_a_surplus_moves_to_the_candidate():
    assert median_changes([2, 3, 5, 9, 9], [5, 4, 9, 10, 0]).tolist() == [0, 1, 1, 3, 3]
    assert median_changes([2, 9], [2, 9, 5]).tolist() == [0, 1, 1]
    assert median_changes([7], [7, 0]).tolist() == [0, 1]
    assert mode_changes("aaaaabbc", "abc").tolist() == [0, 2, 3]
    assert mode_changes("ab", "ab").tolist() == [0, 1]
    assert mode_changes("b", "ab").tolist() == [1, 0]


def test_between_the_values_it_is_the_private_quantile():
    """An odd number of values: scores differ by the same 1/2 everywhere, so the laws agree."""
    values = np.array([2.0, 3.0, 5.0, 9.0, 9.5])
    law = PrivateQuantile(0, 10, epsilon=1.0).distribution(values)
    middles = (law.edges[:-1] + law.edges[1:]) / 2
    scores = -0.5 * median_changes(values, middles)
    assert np.ptp(scores - law.log_heights) < 1e-12


@pytest.mark.parametrize("candidates", [[1, 1], [], ["a"]])
def test_candidates_of_a_median_are_distinct_numbers(candidates):
    with pytest.raises(ValueError, match="candidates must"):
        inverse_median(candidates, epsilon=1)
