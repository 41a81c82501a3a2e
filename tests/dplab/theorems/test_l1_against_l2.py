import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.guarantees import PureDP
from dplab.mechanisms.gaussian import GaussianMechanism, classic_sigma
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import REPLACE_ONE, sensitivity
from dplab.theorems.l1_against_l2 import crossover, noise, norms

vectors = st.lists(st.integers(-1000, 1000), min_size=1, max_size=20)


@given(vectors)
def test_the_norms_come_in_order(v):
    found = norms(v)
    assert found.l2 <= found.l1 * (1 + 1e-12)
    assert found.l1 <= found.most * (1 + 1e-12)
    assert found.l1 == pytest.approx(sum(map(abs, v)))
    assert found.l2 == pytest.approx(sum(x * x for x in v) ** 0.5)


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_the_norms_have_the_unit_of_the_vector(unit):
    assert norms([3 * unit, -4 * unit]).l2 == pytest.approx(5 * unit)


@pytest.mark.parametrize("d", [1, 2, 100])
def test_one_entry_and_equal_entries_reach_the_bounds(d):
    one, equal = norms([5.0] + [0.0] * (d - 1)), norms([-2.0] * d)
    assert one.l1 == one.l2 == 5
    assert equal.l1 == pytest.approx(equal.most)


def attributes(data):
    """Of people with three yes-or-no attributes each: how many have each."""
    return np.sum([[person >> bit & 1 for bit in range(3)] for person in data], axis=0)


def test_the_noise_keeps_the_promise_and_reaches_it():
    """d = 3 attributes, all of which one person moves; sensitivities by brute force."""
    l1, l2 = (sensitivity(attributes, REPLACE_ONE, range(8), 2, norm=p) for p in (1, 2))
    assert (l1, l2) == (3, pytest.approx(np.sqrt(3)))
    found = noise(3, epsilon=0.8, delta=1e-4)
    laplace = LaplaceMechanism(attributes, sensitivity=l1, epsilon=0.8)
    assert laplace.guarantee == PureDP(0.8)
    assert found.laplace == pytest.approx(np.sqrt(2) * laplace.scale)
    gaussian = GaussianMechanism(attributes, l2, found.gaussian, epsilon=0.8)
    assert gaussian.privacy_loss((0, 0), (7, 0)).delta(0.8) == pytest.approx(1e-4)


def test_d_against_root_d():
    one, hundred = (noise(moved, epsilon=0.5, delta=1e-6) for moved in (1, 100))
    assert hundred.laplace == pytest.approx(100 * one.laplace)
    assert hundred.gaussian == pytest.approx(10 * one.gaussian)
    assert hundred.gaussian < 10 * classic_sigma(sensitivity=1, epsilon=0.5, delta=1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 2.0**-50])
def test_the_winner_changes_at_the_crossover(epsilon, delta):
    first = crossover(epsilon=epsilon, delta=delta)
    assert noise(first, epsilon=epsilon, delta=delta).winner == "Gaussian"
    assert noise(first - 1, epsilon=epsilon, delta=delta).winner == "Laplace"


def test_a_histogram_wants_laplace_noise():
    assert noise(2, epsilon=1.0, delta=1e-6).winner == "Laplace"
    assert crossover(epsilon=1.0, delta=1e-6) == 9


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"moved must be .*at least 1, not 0"):
        noise(0, epsilon=1, delta=0.1)
    with pytest.raises(ValueError, match=r"delta must be .*not 0"):
        noise(1, epsilon=1, delta=0)
    with pytest.raises(ValueError, match="v must not be empty"):
        norms([])
