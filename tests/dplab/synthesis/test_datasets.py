"""The exponential mechanism over datasets: its law by enumeration, by levels, and by drawing."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.distributions import Finite
from dplab.guarantees import PureDP
from dplab.neighbors import REPLACE_ONE, sensitivity
from dplab.synthesis import ExponentialOverDatasets, datasets, ks_distance
from dplab.theorems.bounded_range import range_of_loss
from tests.refusals import assert_refused

GRID = (0.0, 0.5, 1.0)


def by_tuples(release, data):
    """The law by its definition: every k-tuple, one by one."""
    weights = {}
    for z in product(release.grid, repeat=release.k):
        weight = np.exp(-release.epsilon * release.n * ks_distance(data, z) / 2)
        weights[tuple(sorted(z))] = weights.get(tuple(sorted(z)), 0) + weight
    total = sum(weights.values())
    return {z: weight / total for z, weight in weights.items()}


@pytest.mark.parametrize("data", [[0.0] * 5, [0.0, 0.0, 0.5, 1.0, 1.0], [1.0, 0.5, 0.5, 0.5, 0.0]])
@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_the_law_is_that_of_the_definition(data, epsilon):
    release = ExponentialOverDatasets(GRID, n=5, k=4, epsilon=epsilon)
    law, expected = release.distribution(data), by_tuples(release, data)
    assert set(law.outcomes) == set(expected)
    for z, probability in expected.items():
        assert np.exp(law.log_density(z)) == pytest.approx(probability)


@settings(max_examples=30)
@given(st.integers(2, 5), st.integers(1, 6), st.integers(1, 5), st.floats(0.01, 50), st.randoms())
def test_the_law_of_the_distance_is_that_of_the_datasets(points, n, k, epsilon, random):
    grid = tuple(np.sort(random.sample(range(100), points)).tolist())
    data = [random.choice(grid) for _ in range(n)]
    release = ExponentialOverDatasets(grid, n=n, k=k, epsilon=epsilon)
    found, law = release.distance_law(data), release.distribution(data)
    expected = law.map(lambda z: round(ks_distance(data, z), 9))
    assert len(found.outcomes) == len(expected.outcomes)
    for distance, log in zip(found.outcomes, found.log_probabilities, strict=True):
        exact = expected.log_density(round(distance, 9))
        assert np.exp(log) == pytest.approx(np.exp(exact), rel=1e-7, abs=1e-15)


class Fork(Exception):
    """The probabilities of a choice that has not been made yet."""


class Choices:
    """Chooses what it is told to, and asks for more by a `Fork`."""

    def __init__(self, script):
        self.left = list(script)

    def choice(self, n, p):
        assert len(p) == n
        if not self.left:
            raise Fork(p)
        return self.left.pop(0)


def drawn_law(release, data):
    """The law of what a call draws, by all choices that it can make."""
    law, ways = {}, [((), 1.0)]
    while ways:
        script, probability = ways.pop()
        try:
            z = tuple(release(data, Choices(script)).tolist())
            law[z] = law.get(z, 0.0) + probability
        except Fork as fork:
            (p,) = fork.args
            ways += [((*script, int(i)), probability * p[i]) for i in np.flatnonzero(p)]
    return law


@pytest.mark.parametrize(("k", "epsilon"), [(1, 1.0), (2, 0.05), (3, 0.5), (3, 6.0)])
def test_what_is_drawn_has_the_law(k, epsilon):
    release = ExponentialOverDatasets((0, 1, 2, 5), n=6, k=k, epsilon=epsilon)
    data = [0, 0, 1, 2, 2, 5]
    law, found = release.distribution(data), drawn_law(release, data)
    assert set(found) == set(law.outcomes)
    for z, probability in found.items():
        assert probability == pytest.approx(np.exp(law.log_density(z)))


@pytest.mark.parametrize(("k", "epsilon"), [(1, 1.0), (3, 0.5), (4, 6.0)])
def test_draws_follow_the_law(k, epsilon):
    release = ExponentialOverDatasets((0, 1, 2, 5), n=6, k=k, epsilon=epsilon)
    data, rng = [0, 0, 1, 2, 2, 5], np.random.default_rng()
    law = release.distribution(data)
    number = {z: float(i) for i, z in enumerate(law.outcomes)}
    drawn = [number[tuple(release(data, rng).tolist())] for _ in range(4000)]
    assert goodness_of_fit(drawn, law.map(number.__getitem__), failure=1e-10).passed


@pytest.mark.parametrize("epsilon", [1.6, 1.8, 1.9, 2.2, 2.5])
def test_levels_are_left_out_once_all_further_ones_weigh_less_than_1e_18(epsilon, monkeypatch):
    """They weigh e^{-a v} at most, of the heaviest so far, v the last level that is kept; and the
    one before it doesn't do."""
    monkeypatch.setattr(datasets, "BLOCK_LEVELS", 1)
    release = ExponentialOverDatasets(range(6), n=100, k=60, epsilon=epsilon)
    levels, logs = release._levels(release._shares([0] * 30 + [1] * 50 + [4] * 20))
    a = epsilon * 100 / 2
    for kept, enough in ((len(levels), True), (len(levels) - 1, False)):
        heaviest = (logs[:kept] - a * levels[:kept]).max()
        rest = -a * levels[kept - 1] - heaviest
        assert rest <= np.log(1e-18) if enough else rest >= np.log(5e-19)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 40.0])
def test_levels_may_be_computed_a_few_at_a_time(epsilon, monkeypatch):
    """And none that weighs anything is left out."""
    grid = tuple(range(6))
    release = ExponentialOverDatasets(grid, n=20, k=30, epsilon=epsilon)
    data = [0] * 3 + [1] * 9 + [4] * 8
    whole = release.distance_law(data)
    monkeypatch.setattr(datasets, "BLOCK_LEVELS", 3)
    found = release.distance_law(data)
    kept = len(found.outcomes)
    assert found.outcomes == whole.outcomes[:kept]
    assert found.probabilities == pytest.approx(whole.probabilities[:kept], abs=1e-12)


def test_draws_follow_the_law_where_there_are_too_many_to_list():
    """Their distances, among thousands of levels; false failure 1e-10."""
    grid, rng = tuple(range(12)), np.random.default_rng()
    data = rng.binomial(11, 0.3, size=200)
    release = ExponentialOverDatasets(grid, n=200, k=40, epsilon=0.4)
    law = release.distance_law(data)
    edges = np.quantile(law.outcomes, [0.02, 0.05, 0.1, 0.2])
    drawn = [ks_distance(data, release(data, rng)) for _ in range(1500)]
    binned = law.map(lambda v: int(np.searchsorted(edges, v + 1e-9)))
    found = np.searchsorted(edges, np.array(drawn) + 1e-9)
    assert goodness_of_fit(found, binned, failure=1e-10).passed


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_it_keeps_its_promise(epsilon):
    release = ExponentialOverDatasets(GRID, n=4, k=3, epsilon=epsilon)
    audit = exact_epsilon(release, GRID, 4)
    assert 0.3 * epsilon < audit.epsilon <= epsilon + 1e-9
    pair = range_of_loss(release.distribution(audit.x), release.distribution(audit.neighbor))
    assert pair.eta <= release.bounded_range.eta + 1e-9
    assert release.guarantee == PureDP(epsilon)


def test_the_published_instance():
    """n = 8, k = 4, three points, epsilon = 1: the exact epsilon is .92782."""
    audit = exact_epsilon(ExponentialOverDatasets(GRID, n=8, k=4, epsilon=1), GRID, 8)
    assert audit.epsilon == pytest.approx(0.92782, abs=5e-6)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_the_score_moves_by_one_nth(n):
    def score(x):
        return [ks_distance(x, z) for z in product(GRID, repeat=2)]

    assert sensitivity(score, REPLACE_ONE, GRID, n, norm=np.inf) == pytest.approx(1 / n)


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
)
def test_the_distance_is_the_largest_gap_of_the_distribution_functions(x, z):
    gaps = [abs(np.mean(np.array(x) <= t) - np.mean(np.array(z) <= t)) for t in range(6)]
    assert ks_distance(x, z) == pytest.approx(max(gaps))
    assert ks_distance(z, x) == ks_distance(x, z)


def test_many_records_and_a_large_budget_lead_to_the_nearest_dataset():
    """Where all but the nearest datasets have a weight of e^-500 and less."""
    data = np.repeat([0, 1, 2], [500, 300, 200])
    release = ExponentialOverDatasets((0, 1, 2), n=1000, k=10, epsilon=1000.0)
    assert release(data, np.random.default_rng()).tolist() == [0] * 5 + [1] * 3 + [2] * 2
    assert isinstance(release.distance_law(data), Finite)


def test_levels_that_no_dataset_has_and_weights_that_underflow_are_no_division_by_0():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = ExponentialOverDatasets(range(6), n=9, k=4, epsilon=1.0)
        law = release.distance_law([0, 0, 1, 1, 1, 2, 4, 5, 5])
        assert law.probabilities.sum() == pytest.approx(1)
        far = ExponentialOverDatasets((0, 1), n=1000, k=1, epsilon=8.0)
        assert far([0, 1] * 500, np.random.default_rng()).shape == (1,)


def test_the_largest_that_is_allowed(monkeypatch):
    """2^26 steps from count to count; and as many datasets as may be listed."""
    assert ExponentialOverDatasets(range(64), 1, 1023, 1).k == 1023
    with pytest.raises(ValueError, match="k must be smaller for a grid of 64 points, not 1024"):
        ExponentialOverDatasets(range(64), 1, 1024, 1)
    with pytest.raises(ValueError, match="there are over 200000 datasets to list"):
        ExponentialOverDatasets(GRID, 1, 631, 1).distribution([0])
    monkeypatch.setattr(datasets, "MAX_DATASETS", 15)
    assert len(ExponentialOverDatasets(GRID, 1, 4, 1).distribution([0]).outcomes) == 15
    with pytest.raises(ValueError, match="there are over 15 datasets to list"):
        ExponentialOverDatasets(GRID, 1, 5, 1).distribution([0])


def test_bad_arguments_are_named():
    calls = [
        (lambda: ExponentialOverDatasets((0,), 1, 1, 1), "grid must be two or more increasing"),
        (lambda: ExponentialOverDatasets((1, 0), 1, 1, 1), "grid must be two or more increasing"),
        (lambda: ExponentialOverDatasets((0, 0), 1, 1, 1), "grid must be two or more increasing"),
        (lambda: ExponentialOverDatasets((0.5, 0), 1, 1, 1), "grid must be two or more incr"),
        (lambda: ExponentialOverDatasets((0, 1), 0, 1, 1), "n must be a whole number"),
        (lambda: ExponentialOverDatasets((0, 1), 1, 0, 1), "k must be a whole number"),
        (lambda: ExponentialOverDatasets((0, 1), 1, 1, 0), "epsilon must be"),
        (lambda: ExponentialOverDatasets((0, 1), 2, 1, 1)([0], None), "data must be n = 2 points"),
        (lambda: ExponentialOverDatasets((0, 1), 1, 1, 1)([2], None), "data must be n = 1 points"),
        (lambda: ExponentialOverDatasets(range(9), 1, 99, 1).distribution([0]), "k must be small"),
        (
            lambda: ExponentialOverDatasets(range(99), 9, 999, 1),
            "k must be smaller for a grid of 99",
        ),
        (lambda: ks_distance([], [1]), "x must not be empty"),
    ]
    assert_refused(calls)
