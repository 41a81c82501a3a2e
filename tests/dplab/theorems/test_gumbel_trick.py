import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab.audit import goodness_of_fit
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.theorems.gumbel_trick import gumbel_trick

weights = st.lists(st.floats(-40, 40), min_size=1, max_size=6)


@given(weights)
def test_it_holds(log_weights):
    assert gumbel_trick(log_weights).holds


@pytest.mark.parametrize("shift", [1e9, -1e17, 1e300])
def test_it_holds_far_from_0(shift):
    found = gumbel_trick([shift, shift])
    assert found.holds
    assert found.winners == pytest.approx([0.5, 0.5])


def test_the_integral_by_another_rule():
    a = np.array([0, 0.5, 0.75, 1.5])

    def density(x, i):
        return np.exp(-(x - a[i]) - np.exp(-(x - a)).sum())

    expected = [quad(density, -8, 50, args=(i,), epsabs=1e-13)[0] for i in range(4)]
    np.testing.assert_allclose(gumbel_trick(a).winners, expected, atol=1e-10)


def test_the_winner_is_the_exponential_mechanisms():
    """The notes' scores (0, 1, 1.5, 3) at epsilon 1: the best wins with probability .4846426."""
    scores = (0, 1, 1.5, 3)
    law = ExponentialMechanism(range(4), lambda s: s, 1, 1).distribution(scores)
    winners = gumbel_trick(np.array(scores) / 2).winners
    np.testing.assert_allclose(winners, law.probabilities, rtol=1e-9)
    assert winners[3] == pytest.approx(0.4846426, abs=1e-7)


def test_winner_and_winning_value_by_drawing():
    """Two tests at 1e-10: who wins, and who wins among those with a large winning value."""
    a = np.log([1, 2, 5])
    noisy = a + np.random.default_rng().gumbel(size=(40_000, 3))
    law = ExponentialMechanism(range(3), lambda s: s, 1, 2).distribution(a)
    winners = noisy.argmax(axis=1)
    assert goodness_of_fit(winners, law).passed
    assert goodness_of_fit(winners[noisy.max(axis=1) > 3], law).passed


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="log_weights must hold finite numbers, not inf"):
        gumbel_trick([0, np.inf])
