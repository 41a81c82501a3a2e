import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from dplab.guarantees import PureDP
from dplab.synthesis import histogram_density, series_curve, series_mechanism, series_sensitivity
from dplab.synthesis.series import cosines
from tests.refusals import assert_refused


@pytest.mark.parametrize("m", [1, 4])
def test_the_cosines_are_orthonormal(m):
    for i in range(m + 1):
        for j in range(1, m + 1):

            def product(x, i=i, j=j):
                first = cosines(x, m)[i - 1] if i else 1.0
                return first * cosines(x, m)[j - 1]

            assert quad(product, 0, 1)[0] == pytest.approx(float(i == j), abs=1e-9)


@pytest.mark.parametrize("m", [1, 2, 3, 5, 8, 13, 50])
def test_the_sensitivity_is_the_largest_move_of_all_pairs(m):
    """By brute force on a grid, which can only miss a little of it."""
    values = cosines(np.linspace(0, 1, 1201), m)
    found = max(np.abs(values - row).sum(axis=1).max() for row in values[::8])
    assert found <= series_sensitivity(m)
    assert found >= series_sensitivity(m) * (1 - 2e-3)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 20, 50, 333])
def test_the_sensitivity_is_above_the_largest_move_and_hardly_so(m):
    """2 sqrt(2) times the largest sum of squares of sines, which a search finds to 14 digits."""
    j, around = np.arange(1, m + 1), 3 * np.pi / (4 * m + 2)

    def fall(s):
        return -(np.sin(j * s) ** 2).sum()

    found = minimize_scalar(fall, bounds=(0.8 * around, 1.2 * around), options={"xatol": 1e-12})
    largest = 2 * np.sqrt(2) * -found.fun
    assert largest < series_sensitivity(m) < largest * (1 + 2e-9)


@pytest.mark.parametrize(
    ("m", "known"), [(1, 2.828), (3, 6.103), (5, 9.516), (10, 18.100), (50, 86.937)]
)
def test_published_figures(m, known):
    assert series_sensitivity(m) == pytest.approx(known, abs=6e-4)
    assert series_sensitivity(m, 500) == pytest.approx(known / 500, abs=2e-6)


@given(st.integers(1, 300))
def test_the_sensitivity_is_between_its_bounds(m):
    assert series_sensitivity(m) <= 2 * np.sqrt(2) * m * (1 + 1e-8)
    assert series_sensitivity(m) >= np.sqrt(2) * m
    assert series_sensitivity(m + 1) > series_sensitivity(m)


@pytest.mark.parametrize(("m", "real"), [(1, 2.83), (3, 2.03), (5, 1.90), (10, 1.81), (50, 1.74)])
def test_the_noise_in_print_is_too_little(m, real):
    """Standard deviation sqrt(2) m / (n epsilon): the real epsilon over the one that is claimed."""
    scale = np.sqrt(2) * m / np.sqrt(2)
    assert series_sensitivity(m) / scale == pytest.approx(real, abs=0.005)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_worst_pair_spends_epsilon_and_no_pair_more(epsilon):
    mechanism, rest = series_mechanism(3, 5, epsilon=epsilon), [0.2, 0.4, 0.9, 1.0]
    losses = [
        mechanism.privacy_loss([x, *rest], [y, *rest]).largest
        for x in np.linspace(0, 1, 57)
        for y in (0.0, 0.3, 1.0)
    ]
    assert max(losses) <= epsilon + 1e-9
    assert max(losses) >= 0.99 * epsilon
    assert mechanism.guarantee == PureDP(epsilon)


def test_a_curve_is_the_sum_of_its_cosines():
    x, b = np.linspace(0, 1, 7), np.array([0.5, -0.25])
    expected = 1 + np.sqrt(2) * (0.5 * np.cos(np.pi * x) - 0.25 * np.cos(2 * np.pi * x))
    assert series_curve(b, x) == pytest.approx(expected)


def test_means_without_noise_lead_to_the_density():
    """Of Beta(2, 3), from 200,000 even places of its distribution."""
    u = (np.arange(100_000) + 0.5) / 100_000
    grid = np.linspace(0, 1, 20_001)
    x = np.interp(u, grid**2 * (6 - 8 * grid + 3 * grid**2), grid)
    truth = 12 * grid * (1 - grid) ** 2
    errors = [
        ((series_curve(series_mechanism(m, len(x), epsilon=1).query(x), grid) - truth) ** 2).mean()
        for m in (3, 12, 48)
    ]
    assert errors[0] < 0.05
    assert errors[1] < errors[0] / 10
    assert errors[2] < errors[1] / 10
    density = histogram_density(curve_at_middles(x), np.linspace(0, 1, 65))
    assert np.exp(density.log_heights) == pytest.approx(truth[156::312][:64], abs=0.4)


def curve_at_middles(x):
    middles = (np.arange(64) + 0.5) / 64
    return series_curve(cosines(x, 12).mean(axis=0), middles)


@pytest.mark.parametrize("m", [3.0, True])
def test_what_is_remembered_for_a_whole_number_is_not_said_of_others(m):
    series_sensitivity(int(m), 10)
    with pytest.raises(ValueError, match="m must be a whole number"):
        series_sensitivity(m, 10)


def test_bad_arguments_are_named():
    calls = [
        (lambda: series_sensitivity(0), "m must be a whole number"),
        (lambda: series_sensitivity(1, 0), "n must be a whole number"),
        (lambda: series_mechanism(2, 2, epsilon=0), "epsilon must be"),
        (lambda: series_mechanism(2, 2, epsilon=1).query([0.5]), "data must be n = 2 numbers"),
        (
            lambda: series_mechanism(2, 1, epsilon=1).query([1.5]),
            "data must hold numbers from 0 to 1, but entry 0",
        ),
        (
            lambda: series_mechanism(2, 1, epsilon=1).query([-0.1]),
            "data must hold numbers from 0 to 1",
        ),
        (lambda: series_curve([], 0.5), "coefficients must not be empty"),
    ]
    assert_refused(calls)
