import numpy as np
import pytest

from dplab.mechanisms.gaussian import GaussianMechanism, analytic_sigma
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import REPLACE_ONE, sensitivity
from dplab.theorems.private_means import mean_risk, packing_bound, tracing_bound


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


def test_the_bounds_grow_with_the_cube_and_the_square():
    d = np.array([10_000, 20_000])
    packing = packing_bound(d, n=10_000, epsilon=1)
    tracing = tracing_bound(d, n=10_000, epsilon=1)
    assert packing == pytest.approx(d**3 / (2048 * 10_000**2), rel=0.01)
    assert tracing == pytest.approx(d**2 / (144 * np.exp(2) * 10_000**2), rel=0.01)
    assert packing_bound([5], n=10, epsilon=1) == tracing_bound([66], n=10, epsilon=1) == [0]
    assert tracing_bound([67], n=10, epsilon=1) > 0  # 9 e^2 is 66.5


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 3.0])
def test_no_mechanism_beats_the_bounds(epsilon):
    """Nor does answering 1/2, whatever d: k never exceeds n."""
    d, n = np.unique(np.geomspace(1, 1e6, 200).astype(int)), 1000
    risk = mean_risk(d, n=n, epsilon=epsilon, delta=1e-4)
    best = np.minimum(risk.laplace, d / 4)
    assert (packing_bound(d, n=n, epsilon=epsilon) <= best).all()
    assert (tracing_bound(d, n=n, epsilon=epsilon) <= np.minimum(risk.normal, d / 4)).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_at_its_limit_the_promise_allows_just_the_members_score(epsilon):
    k, delta = 100, 1 / 400
    d = 9 * np.exp(2 * epsilon) * k
    allowed = np.exp(epsilon) * 3 / 16 * (d / k) ** 0.5 + delta * d / 4
    assert d / (8 * k) == pytest.approx(allowed)


@pytest.mark.parametrize("d", [8, 12])
def test_there_are_as_many_words_as_the_packing_needs(d):
    """Chosen greedily, more than e^{d/8} words differ pairwise in more than d / 4 places."""
    words = [0]
    for word in range(1, 2**d):
        if all((word ^ other).bit_count() > d / 4 for other in words):
            words.append(word)
    assert len(words) >= np.exp(d / 8)


def test_a_member_s_score_is_as_the_proof_says():
    """Answers off by exactly d / (16 k) in squared length, in the worst direction.

    The sum of scores is d / 8 in the mean; its deviation is below 1% of it here.
    """
    k, d = 50, 40_000
    rng = np.random.default_rng()
    centred = rng.integers(2, size=(k, d)) - 0.5
    lean = centred.mean(axis=0)
    answers = lean * (1 - (d / (16 * k)) ** 0.5 / np.linalg.norm(lean))
    assert (centred @ answers).sum() == pytest.approx(d / 8, rel=0.1)


@pytest.mark.parametrize("bound", [packing_bound, tracing_bound])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dimensions": [0]}, "dimensions must be a whole number"),
        ({"n": 0}, "n must be a whole number"),
        ({"epsilon": 0}, "epsilon must be"),
    ],
)
def test_the_bounds_name_bad_arguments(bound, change, message):
    with pytest.raises(ValueError, match=message):
        bound(**({"dimensions": [1], "n": 1, "epsilon": 1} | change))


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
