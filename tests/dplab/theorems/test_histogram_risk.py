import numpy as np
import pytest

from dplab.mechanisms.histogram import histogram
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE
from dplab.theorems.histogram_risk import histogram_risk
from tests.refusals import assert_refused


def hill(x):
    """The distribution function of Beta(2, 3)."""
    return x**2 * (6 - 8 * x + 3 * x**2)


def density(x):
    return 12 * x * (1 - x) ** 2


@pytest.mark.parametrize("neighbors", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize(("m", "epsilon"), [(1, 0.5), (4, 0.5), (10, 2.0)])
def test_the_three_terms_against_the_mechanism(m, epsilon, neighbors):
    """The mean of 4,000 errors, within 8 of its standard deviations: P below 1e-14.

    The error is the mean of (height - density)^2 over 2,000 points x, multiplied out by bins.
    """
    n, rounds, rng = 60, 4000, np.random.default_rng()
    x = (np.arange(2000) + 0.5) / 2000
    mechanism = histogram(range(m), epsilon=epsilon, neighbors=neighbors)
    places = np.minimum((rng.beta(2, 3, size=(rounds, n)) * m).astype(int), m - 1)
    heights = np.array([mechanism(row, rng) for row in places]) * m / n
    bins, weight = (x * m).astype(int), 1 / len(x)
    widths, areas = np.bincount(bins) * weight, np.bincount(bins, density(x)) * weight
    errors = heights**2 @ widths - 2 * heights @ areas + (density(x) ** 2).mean()
    risk = histogram_risk(hill, [m], n=n, epsilon=epsilon, neighbors=neighbors)
    assert abs(errors.mean() - risk.total[0]) < 8 * errors.std() / rounds**0.5 + 1e-5


@pytest.mark.parametrize("m", [1, 3, 16, 100])
def test_the_bias_is_the_distance_of_the_density_from_its_steps(m):
    x = (np.arange(300_000) + 0.5) / 300_000
    steps = m * np.diff(hill(np.linspace(0, 1, m + 1)))
    exact = ((density(x) - steps[(x * m).astype(int)]) ** 2).mean()
    assert histogram_risk(hill, [m], n=5, epsilon=1).bias[0] == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("epsilon", [1.0, 1e6])
def test_the_least_error_falls_like_n_to_the_two_thirds(epsilon):
    ns, ms = 10 ** np.arange(4, 8), np.unique(np.logspace(0, 3, 200).astype(int))
    risks = [histogram_risk(hill, ms, n=int(n), epsilon=epsilon) for n in ns]
    slope = np.polyfit(np.log(ns), np.log([risk.total.min() for risk in risks]), 1)[0]
    assert slope == pytest.approx(-2 / 3, abs=0.03)
    bins = np.polyfit(np.log(ns), np.log([risk.best for risk in risks]), 1)[0]
    assert bins == pytest.approx(1 / 3, abs=0.05)


def test_privacy_is_dear_for_few_and_nearly_free_for_many():
    few, many = (
        histogram_risk(hill, range(1, 60), n=n, epsilon=0.1).total.min()
        / histogram_risk(hill, range(1, 60), n=n, epsilon=1e9).total.min()
        for n in (300, 100_000)
    )
    assert few > 3
    assert many < 1.3


def test_bad_arguments_are_named():
    calls = [
        (lambda: histogram_risk(hill, [0], n=5, epsilon=1), "ms must be a whole number"),
        (lambda: histogram_risk(hill, [2**15 + 1], n=5, epsilon=1), "ms must be .* at most 32768"),
        (lambda: histogram_risk(hill, [2], n=0, epsilon=1), "n must be a whole number"),
        (lambda: histogram_risk(hill, [2], n=5, epsilon=0), "epsilon must be"),
        (lambda: histogram_risk(lambda x: 2 * x, [2], n=5, epsilon=1), "cdf must rise"),
        (lambda: histogram_risk(lambda x: 1 - x, [2], n=5, epsilon=1), "cdf must rise"),
    ]
    assert_refused(calls)
