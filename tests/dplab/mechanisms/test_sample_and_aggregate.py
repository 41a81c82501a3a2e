import numpy as np
import pytest

from dplab import ADD_REMOVE, ClippedMean, LaplaceMechanism, PrivateQuantile, PureDP
from dplab.audit import exact_epsilon
from dplab.mechanisms.inverse_sensitivity import inverse_mode
from dplab.mechanisms.sample_and_aggregate import SampleAndAggregate, split_evenly


def test_parts_are_disjoint_equal_and_in_order():
    data = np.arange(11)
    parts = split_evenly(data, 3)
    assert [part.tolist() for part in parts] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert split_evenly((1, 2), 2) == [(1,), (2,)]
    with pytest.raises(ValueError, match="data must hold at least as many records as parts, 3"):
        split_evenly([1, 2], 3)


def test_it_is_as_private_as_its_last_step():
    """The estimator is as unstable as can be: it tells whether a part has exactly one 1."""
    mechanism = SampleAndAggregate(
        lambda part: sum(part) == 1, 2, inverse_mode((False, True), epsilon=1)
    )
    audit = exact_epsilon(mechanism, (0, 1), n=4)
    assert mechanism.guarantee == PureDP(1.0)
    assert 0.4 < audit.epsilon <= 1 + 1e-12


def test_the_law_is_that_of_the_estimates():
    mechanism = SampleAndAggregate(np.mean, 2, ClippedMean(0, 1, 2, 0.5))
    law = mechanism.distribution([0.0, 0.5, 1.0, 1.0, 7.0])
    assert (law.location, law.scale) == (0.625, 1.0)
    assert mechanism([0.0, 0.5, 1.0, 1.0], np.random.default_rng(3)) == law.sample(
        np.random.default_rng(3)
    )
    assert mechanism.worst_case == mechanism.mechanism.worst_case
    assert not mechanism.is_tight


def test_a_mechanism_of_other_neighbours_is_refused():
    last = LaplaceMechanism(sum, 1, 1, neighbors=ADD_REMOVE)
    with pytest.raises(ValueError, match=r"mechanism.neighbors must be one of ReplaceOne"):
        SampleAndAggregate(max, 2, last)
    assert SampleAndAggregate(max, 2, PrivateQuantile(0, 1, 1)).parts == 2
