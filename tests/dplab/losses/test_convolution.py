"""The sum of grid losses: what its certificate grants, by the formulas in the module's head."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.losses import GaussianLoss
from dplab.losses.convolution import DeltaBounds, GridSum, convolve, power_above, window
from dplab.losses.grid import ROUNDING, GridLaw, pessimistic

UNIT = 2.0**-53
MASSES = np.array([0.1, 0.2, 0.3, 0.25, 0.15])


def sums(k, step=0.01, low=-2, masses=MASSES, infinite=0.0):
    return GridSum((GridLaw(step, low, masses, infinite),), (k,))


@given(st.integers(1, 50), st.integers(5, 12))
def test_the_error_of_a_transform_is_that_of_the_certificate(k, log_size):
    """psi = 16 u log2 N, e = psi sqrt(N) ||x||, and Parseval."""
    size = 1 << log_size
    law, error = convolve(sums(k), 0.0, -2 * k, size)
    spectrum = np.abs(np.fft.rfft(MASSES, size))
    psi = 16 * UNIT * log_size
    off = psi * np.sqrt(size) * np.linalg.norm(MASSES)
    rounding = k * 256 * UNIT
    errors = spectrum**k * (np.expm1(k * np.log1p(off / spectrum)) + rounding)
    expected = np.sqrt(2 * (errors @ errors) / size) + psi * np.linalg.norm(law)
    assert error == pytest.approx(expected, rel=0.01, abs=0)


@given(st.integers(1, 1000), st.floats(0, 0.99), st.floats(0, 0.5))
def test_a_sum_of_one_value_is_granted_its_rounding_alone(k, epsilon, infinite):
    """The sum is 1 or infinite; each loss is off by 1e-11 at most, and each mass by as much of it.

    The transform adds a tenth of that at most.
    """
    one = GridLaw(0.01 / k, 100, np.array([1 - infinite]), infinite)
    bounds, slack = DeltaBounds(GridSum((one,), (k,)), 1.0), k * ROUNDING
    finite, told = (1 - infinite) ** k, -np.expm1(k * np.log1p(-infinite))
    low, high = (
        finite * np.exp(sign * slack) * -np.expm1(epsilon - sign * slack - 1) for sign in (-1, 1)
    )
    low, room = low + told * (1 - slack), slack / 10
    assert low - room <= bounds.lower(epsilon) <= low + 1e-14
    assert high + told - 1e-14 <= bounds.upper(epsilon) <= high + told + room


def test_beyond_the_sum_nothing_is_left_but_what_the_window_misses():
    """2 e^{-44} at a tilt at which no rounding counts."""
    bounds = DeltaBounds(sums(1, step=1.0), 40.0)
    assert bounds.error == pytest.approx(2 * np.exp(-44), rel=1e-9)


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0.1, 5), st.floats(-1, 2))
def test_a_law_whose_grid_begins_elsewhere_moves_the_sum_as_often_as_it_comes(a, b, theta, at):
    """delta(epsilon) depends on Z - epsilon alone."""
    laws = [GridLaw(0.1, low, MASSES, 0.0) for low in (-2, -1)]
    moved = [replace(law, origin=origin) for law, origin in zip(laws, (a, b), strict=True)]
    there, here = (DeltaBounds(GridSum(tuple(each), (7, 2)), theta) for each in (moved, laws))
    epsilon = at + 7 * a + 2 * b
    assert there.size == here.size
    assert there.upper(epsilon) == pytest.approx(here.upper(at), rel=1e-9)
    assert there.lower(epsilon) == pytest.approx(here.lower(at), rel=1e-9)


@given(st.integers(1, 18))
def test_a_window_is_no_wider_than_the_sum(k):
    assert window(sums(k), 0.0) == (-2 * k, 4 * k + 1)


@pytest.mark.parametrize("mu", [0.05, 0.3, 2.0])
def test_the_window_of_a_normal_sum_is_that_of_the_best_tau(mu):
    """sqrt(2 LEVEL) standard deviations on each side."""
    total = GridSum((pessimistic(GaussianLoss(mu), mu / 50, 1e-22),), (400,))
    _, width = window(total, 0.0)
    assert width == pytest.approx(2 * np.sqrt(88) * 20 * 50, rel=1e-3)


def test_a_transform_has_a_power_of_2_of_points_above_the_window():
    assert [power_above(width) for width in (1, 15, 16, 31, 32)] == [16, 16, 32, 32, 64]


@given(st.floats(0, 1))
def test_a_tilt_is_found_between_a_millionth_of_a_deviation_and_a_step(share):
    total = sums(9, step=1e-9)
    spread = total.moments(0.0)[2] ** 0.5
    sought = (1e-6 / spread) ** (1 - share) * (1 / 1e-9) ** share
    assert total.tilt(lambda theta: theta - sought) == pytest.approx(sought, rel=1e-4)


@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-12])
@pytest.mark.parametrize("k", [1000, 30_000])
def test_the_tilt_for_delta_is_the_order_of_the_least_epsilon(k, delta):
    """(log M(theta) + log(1 / delta) + theta log(theta / (1 + theta)) - log(1 + theta)) / theta."""
    total = sums(k)

    def epsilon(theta):
        rest = np.log(1 / delta) - np.log1p(theta)
        return (total.log_moment(theta) + rest) / theta + np.log(theta / (1 + theta))

    best = total.tilt_for_delta(delta)
    for other in (0.9, 0.99, 1.01, 1.1):
        assert epsilon(best) < epsilon(other * best)
