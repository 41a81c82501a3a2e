import numpy as np
import pytest

from dplab.mechanisms.gaussian import GaussianMechanism, analytic_sigma
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import REPLACE_ONE, sensitivity
from dplab.theorems.private_means import mean_risk


def means(data):
    return np.mean(np.atleast_2d(data), axis=0)


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_sensitivities_are_those_of_brute_force(d, n):
    corners = [tuple(corner) for corner in np.ndindex((2,) * d)]
    assert sensitivity(means, REPLACE_ONE, corners, n) == pytest.approx(d / n)
    assert sensitivity(means, REPLACE_ONE, corners, n, norm=2) == pytest.approx(d**0.5 / n)


@pytest.mark.parametrize(("d", "n", "epsilon"), [(1, 50, 0.5), (8, 200, 1.0), (30, 100, 3.0)])
def test_the_terms_against_the_mechanisms(d, n, epsilon):
    """Means of 4,000 squared errors, within 8 of their deviations: P below 1e-14 each."""
    rounds, rng = 4000, np.random.default_rng()
    risk = mean_risk([d], n=n, epsilon=epsilon, delta=1e-6)
    data = rng.integers(2, size=(n, d))
    sigma = analytic_sigma(sensitivity=d**0.5 / n, epsilon=epsilon, delta=1e-6)
    laplace = LaplaceMechanism(means, d / n, epsilon)
    normal = GaussianMechanism(means, d**0.5 / n, sigma)
    sampled = rng.binomial(n, 0.5, size=(rounds, d)) / n - 0.5
    drawn = {
        "sampling": (sampled**2).sum(axis=1),
        "laplace": [((laplace(data, rng) - means(data)) ** 2).sum() for _ in range(rounds)],
        "normal": [((normal(data, rng) - means(data)) ** 2).sum() for _ in range(rounds)],
    }
    for name, errors in drawn.items():
        expected = getattr(risk, name)[0]
        assert abs(np.mean(errors) - expected) < 8 * np.std(errors) / rounds**0.5


def test_slopes_in_d():
    d = [10, 100, 1000]
    risk = mean_risk(d, n=1000, epsilon=1, delta=1e-6)
    for name, slope in (("sampling", 1), ("laplace", 3), ("normal", 2)):
        found = np.polyfit(np.log(d), np.log(getattr(risk, name)), 1)[0]
        assert found == pytest.approx(slope)


def test_where_noise_takes_over():
    n, epsilon = 3200, 0.5
    risk = mean_risk([10], n=n, epsilon=epsilon, delta=0.1)
    assert epsilon * (n / 8) ** 0.5 == 10
    assert risk.laplace[0] == pytest.approx(risk.sampling[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dimensions": [0]}, "dimensions must be a whole number"),
        ({"n": 0}, "n must be a whole number"),
        ({"epsilon": 0}, "epsilon must be"),
        ({"delta": 0}, "delta must be"),
    ],
)
def test_bad_arguments_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        mean_risk(**({"dimensions": [1], "n": 1, "epsilon": 1, "delta": 0.1} | change))
