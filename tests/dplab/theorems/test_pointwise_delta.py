from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.continuous import Laplace
from dplab.distributions import Finite
from dplab.theorems.pointwise_delta import excess, with_serial_number


@st.composite
def laws(draw, outcomes=4):
    weights = draw(st.lists(st.floats(0, 1), min_size=outcomes, max_size=outcomes))
    weights = np.array(weights) + 1e-3
    return Finite.of(dict(enumerate(weights / weights.sum())))


def over_all_events(p, q, epsilon):
    """sup_S p(S) - e^epsilon q(S) by trying every event."""
    gaps = p.probabilities - np.exp(epsilon) * q.probabilities
    events = chain.from_iterable(combinations(gaps, size) for size in range(len(gaps) + 1))
    return max(map(sum, events))


@given(laws(), laws(), st.floats(0, 2))
def test_the_exact_excess_is_the_largest_over_all_events(p, q, epsilon):
    found = excess(p, q, epsilon=epsilon)
    assert found.exact == pytest.approx(over_all_events(p, q, epsilon), abs=1e-12)
    assert found.pointwise <= found.exact + 1e-12
    assert (found.pointwise > 1e-9) == (found.exact > 1e-9)  # the same check where delta is 0


@given(laws(), laws(), st.floats(0, 2), st.integers(1, 50))
def test_serial_numbers_hide_the_excess_from_a_check_by_outputs(p, q, epsilon, k):
    before = excess(p, q, epsilon=epsilon)
    after = excess(with_serial_number(p, k), with_serial_number(q, k), epsilon=epsilon)
    assert after.pointwise == pytest.approx(before.pointwise / k, abs=1e-12)
    assert after.exact == pytest.approx(before.exact, abs=1e-9)


def test_bare_records_pass_the_check_by_outputs():
    one, other = (with_serial_number(Finite.of({bit: 1.0}), k=4096) for bit in (0, 1))
    assert excess(one, other, epsilon=0).pointwise == pytest.approx(2**-12)
    assert excess(one, other, epsilon=3).exact == pytest.approx(1)


def test_post_processing_takes_the_serial_number_off():
    law = Finite.of({"a": 0.25, "b": 0.75})
    back = with_serial_number(law, 7).map(lambda outcome: outcome[0])
    assert back.outcomes == law.outcomes
    assert back.probabilities == pytest.approx(law.probabilities)


def test_bad_arguments_are_named():
    law = Finite.of({0: 1.0})
    with pytest.raises(ValueError, match="finitely many outcomes"):
        excess(Laplace(0, 1), law, epsilon=0)
    with pytest.raises(ValueError, match=r"epsilon must be .*at least 0, not -1"):
        excess(law, law, epsilon=-1)
    with pytest.raises(ValueError, match=r"k must be .*at least 1, not 0"):
        with_serial_number(law, 0)
