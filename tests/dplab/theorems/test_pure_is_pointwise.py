import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.distributions import Finite
from dplab.theorems.pure_is_pointwise import all_events

weights = st.lists(st.floats(0.01, 1), min_size=2, max_size=6)


def law(some: list[float]) -> Finite:
    return Finite.of({i: weight / sum(some) for i, weight in enumerate(some)})


@given(weights, weights)
def test_no_event_tells_more_than_a_single_output(first, second):
    size = min(len(first), len(second))
    found = all_events(law(first[:size]), law(second[:size]))
    assert len(found.log_ratios) == 2**size - 1
    assert found.by_events == pytest.approx(found.by_outputs, abs=1e-9)


def test_events_by_hand():
    found = all_events(Finite.of({"a": 0.5, "b": 0.5}), Finite.of({"b": 0.2, "a": 0.8}))
    assert found.outputs == ("a", "b")
    assert found.log_ratios == pytest.approx([np.log(1.6), np.log(2.5), 0])  # a, b, both


def test_what_only_one_can_produce_is_infinite_either_way():
    found = all_events(Finite.of({0: 1.0}), Finite.of({0: 0.5, 1: 0.5}))
    assert found.by_events == found.by_outputs == np.inf


def test_events_beyond_count_are_refused():
    with pytest.raises(ValueError, match="at most 16 outputs together, not 17"):
        all_events(law([1.0] * 17), law([1.0] * 17))
