import numpy as np
import pytest
from scipy.stats import binom, norm

from dplab.attacks.membership import (
    Population,
    expected_score,
    half_sample_power,
    rates,
    tracing_power,
)


def attacked(release, repeats=200, n=100, d=400, seed=15):
    """Scores of members and of as many outsiders over many studies, each (repeats, n)."""
    rng, population = np.random.default_rng(seed), Population.fair(d)
    members, outsiders = [], []
    for _ in range(repeats):
        study = population.sample(n, rng)
        released = release(study, rng)
        members.append(population.scores(study, released))
        outsiders.append(population.scores(population.sample(n, rng), released))
    return np.array(members), np.array(outsiders)


def test_score_by_hand():
    """p = (1/2, 1/4), lean = (1/4, 1/4): spread^2 = 1/16 (1/4 + 3/16)."""
    population = Population([0.5, 0.25])
    spread = (7 / 256) ** 0.5
    expected = [(0.5 * 0.25 + 0.75 * 0.25) / spread, (-0.5 * 0.25 - 0.25 * 0.25) / spread]
    scores = population.scores([[1, 1], [0, 0]], [0.75, 0.5])
    assert scores == pytest.approx(expected)


@pytest.mark.parametrize(("p", "unit"), [(0.25, 1e200), (1e-210, 1e-200)])
def test_a_score_has_no_unit(p, unit):
    """Leans of 1 and 2 units: 3 (1 - p) / (5 p (1 - p))^{1/2}."""
    score = Population([p, p]).scores([[1, 1]], [p + unit, p + 2 * unit])
    assert score == pytest.approx(3 * (1 - p) / (5 * p * (1 - p)) ** 0.5)


def test_an_outsiders_score_has_mean_zero_and_variance_one_exactly():
    """By enumeration of all outsiders, for an arbitrary release."""
    population = Population([0.1, 0.4, 0.7])
    people = np.array([[i >> j & 1 for j in range(3)] for i in range(8)])
    p = population.frequencies
    weight = np.where(people, p, 1 - p).prod(axis=1)
    scores = population.scores(people, [0.3, 0.0, 0.9])
    assert weight @ scores == pytest.approx(0)
    assert weight @ scores**2 == pytest.approx(1)


def test_power_is_the_formulas():
    """20,000 members; the normal approximation is off by less than 0.02. Fails with P < 1e-9."""
    members, outsiders = attacked(lambda study, rng: study.mean(axis=0))
    found = rates(members, outsiders, norm.isf(0.01))
    assert found.true_positive == pytest.approx(0.372, abs=0.04)
    assert found.false_positive == pytest.approx(0.01, abs=0.006)
    assert tracing_power(400, 100, false_positive_rate=0.01) == pytest.approx(0.372, abs=5e-4)


def test_unequal_frequencies_count_for_less():
    """A member's mean score by the formula of the module: a mean of 400 studies' scores.

    One member's score in each study has variance near 1, so that the mean is off by 0.05 in
    standard deviation: by 0.5 with probability below 1e-20; equal weights would be off by 1.6.
    """
    rng, n = np.random.default_rng(), 50
    population = Population(np.concatenate([np.full(100, 0.5), np.full(900, 0.01)]))
    scores = []
    for _ in range(400):
        study = population.sample(n, rng)
        scores.append(population.scores(study[:1], study.mean(axis=0))[0])
    weights = population.frequencies * (1 - population.frequencies)
    expected = weights.sum() / np.sqrt((weights**2).sum() * n)
    assert abs(np.mean(scores) - expected) < 0.5
    assert np.sqrt(1000 / n) - expected > 1.5


def test_noise_lowers_the_score_as_computed():
    """The mean of 20,000 scores, 200 correlated studies: standard error below 0.02, six of them."""
    sigma = 0.1
    members, _ = attacked(lambda s, rng: s.mean(axis=0) + rng.normal(0, sigma, s.shape[1]))
    assert members.mean() == pytest.approx(expected_score(400, 100, sigma=sigma), abs=0.12)
    assert expected_score(400, 100, sigma=sigma) == pytest.approx(2 / 5**0.5)
    assert expected_score(1, 1) == 1


def test_a_population_has_one_attribute_or_more():
    assert Population.fair(1).frequencies.tolist() == [0.5]
    with pytest.raises(ValueError, match="d must be a whole number"):
        Population.fair(0)


@pytest.mark.parametrize("sigma", [-0.1, -1.0, np.nan])
def test_noise_has_no_negative_deviation(sigma):
    with pytest.raises(ValueError, match="sigma must be"):
        expected_score(400, 100, sigma=sigma)


def test_the_sampled_half_is_easier_to_trace():
    """Of 20,000 members 10,000 are in the half. Fails with probability below 1e-9."""
    members, _ = attacked(lambda study, rng: study[:50].mean(axis=0))
    accused = members > norm.isf(0.01)
    assert accused[:, :50].mean() == pytest.approx(norm.sf(norm.isf(0.01) - 8**0.5), abs=0.06)
    assert accused[:, 50:].mean() <= binom.isf(1e-10, 10_000, 0.015) / 10_000
    assert half_sample_power(400, 100, false_positive_rate=0.01) == pytest.approx(
        accused.mean(), abs=0.04
    )


def test_power_grows_with_d_and_falls_with_n():
    power = [tracing_power(d, 100, false_positive_rate=0.01) for d in (10, 100, 1000)]
    assert power == sorted(power)
    assert tracing_power(400, 10**6, false_positive_rate=0.01) == pytest.approx(0.01, abs=1e-3)


def test_rates_count_who_is_above_the_threshold():
    found = rates([1, 2, 3], [0, 2, 4, 5], threshold=2)
    assert (found.true_positive, found.false_positive) == (1 / 3, 1 / 2)


@pytest.mark.parametrize("frequencies", [[0.0, 0.5], [1.0], [[0.5]], [float("nan")], []])
def test_frequencies_that_are_none(frequencies):
    with pytest.raises(ValueError, match="frequencies must"):
        Population(frequencies)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="people and means must be"):
        Population.fair(3).scores([[1, 0]], [0.5, 0.6])
    with pytest.raises(ValueError, match="means must differ"):
        Population.fair(2).scores([[1, 0]], [0.5, 0.5])


@pytest.mark.parametrize("rate", [0, 1, -0.1, float("nan")])
def test_a_false_positive_rate_is_inside_zero_and_one(rate):
    with pytest.raises(ValueError, match="false_positive_rate"):
        tracing_power(10, 10, false_positive_rate=rate)
