from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import PureDP
from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.distributions import Finite
from dplab.learning import (
    cover,
    draw_sample,
    errors,
    intervals,
    pac,
    private_learner,
    rule_law,
    single_points,
    smallest_positive,
    thresholds,
)
from dplab.learning.pac import all_samples, as_class
from dplab.neighbors import REPLACE_ONE, sensitivity
from tests.refusals import assert_refused

CLASSES = (thresholds, single_points, intervals)


@st.composite
def classes_and_samples(draw):
    points = draw(st.integers(1, 6))
    rows = st.lists(st.integers(0, 1), min_size=points, max_size=points)
    rules = draw(st.lists(rows, min_size=1, max_size=8))
    pairs = st.tuples(st.integers(0, points - 1), st.integers(0, 1))
    return rules, draw(st.lists(pairs, min_size=1, max_size=9))


@pytest.mark.parametrize("points", [1, 2, 5])
def test_classes_are_what_they_say(points):
    line = range(points)
    cuts = {tuple(x >= t for x in line) for t in range(points + 1)}
    assert set(map(tuple, thresholds(points).tolist())) == cuts
    assert len(thresholds(points)) == len(cuts)
    inside = {tuple(a <= x < b for x in line) for a in range(points) for b in range(points + 1)}
    assert set(map(tuple, intervals(points).tolist())) == inside
    assert len(intervals(points)) == len(inside) == 1 + comb(points + 1, 2)
    assert not intervals(points)[0].any()
    assert [row.tolist() for row in single_points(points)] == [[x == c for x in line] for c in line]


def test_a_class_of_too_many_entries_is_not_written_down(monkeypatch):
    monkeypatch.setattr(pac, "MAX_CLASS_ENTRIES", 12)
    assert thresholds(3).shape == (4, 3)
    with pytest.raises(ValueError, match="fewer than 4: 5 rules"):
        thresholds(4)


@given(classes_and_samples())
def test_errors_are_counted_one_by_one(given_):
    rules, sample = given_
    expected = [sum(rule[x] != y for x, y in sample) for rule in rules]
    assert errors(rules, sample).tolist() == expected
    assert errors(np.array(rules, dtype=bool), np.array(sample)).tolist() == expected


@given(classes_and_samples(), st.floats(0.01, 10))
def test_the_learner_weighs_errors_by_half_of_epsilon(given_, epsilon):
    rules, sample = given_
    weights = np.array([np.exp(-epsilon * e / 2) for e in errors(rules, sample)])
    law = private_learner(rules, epsilon).distribution(sample)
    assert law.outcomes == tuple(range(len(rules)))
    assert law.probabilities == pytest.approx(weights / weights.sum())


def test_one_example_moves_one_error():
    universe = list(product(range(3), (0, 1)))
    scores = private_learner(thresholds(3), 1.0).scores
    assert sensitivity(scores, REPLACE_ONE, universe, n=2, norm=np.inf) == 1


@pytest.mark.parametrize("make", CLASSES)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_it_keeps_its_promise_on_all_small_samples(make, epsilon):
    learner = private_learner(make(3), epsilon)
    assert learner.guarantee == PureDP(epsilon)
    audit = exact_epsilon(learner, list(product(range(3), (0, 1))), n=3)
    assert 0.5 * epsilon < audit.epsilon <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("cuts", [4, 16])
def test_epsilon_times_errors_in_the_exponent_spends_nearly_twice_epsilon(cuts):
    """Everybody is labelled 0 at the last point, where one hypothesis alone says so."""
    learner = private_learner(thresholds(cuts), 2 * 1.0)  # e^{-errors}, sold as epsilon = 1
    zeros = [(cuts - 1, 0)] * 11
    loss = learner.privacy_loss([*zeros, (cuts - 1, 1)], [*zeros, (cuts - 1, 0)])
    assert 1.98 < loss.largest_log_ratio <= 2


@given(st.integers(1, 8), st.data())
def test_the_naive_threshold_makes_no_error_and_is_somebodys_point(points, data):
    t = data.draw(st.integers(0, points))
    where = data.draw(st.lists(st.integers(0, points - 1), min_size=1, max_size=8))
    sample = [(x, int(x >= t)) for x in where]
    found = smallest_positive(sample, points)
    assert errors(thresholds(points), sample)[found] == 0
    assert found == points if max(where) < t else found in where


@pytest.mark.parametrize("radius", [0.0, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("make", CLASSES)
def test_a_cover_is_near_everybody_and_wastes_nothing(make, radius):
    rules, rng = make(12), np.random.default_rng(1)
    for weights in (np.full(12, 1 / 12), rng.dirichlet(np.ones(12)), np.eye(12)[3]):
        kept = cover(rules, weights, radius)
        apart = (rules[:, None] ^ rules[kept]) @ weights
        assert (apart.min(axis=1) <= radius + 1e-9).all()
        among = (rules[kept][:, None] ^ rules[kept]) @ weights
        assert (among[~np.eye(len(kept), dtype=bool)] > radius).all()


@pytest.mark.parametrize("points", [10, 100, 1000])
@pytest.mark.parametrize("radius", [0.05, 0.13, 0.5])
def test_a_cover_of_thresholds_does_not_grow_with_the_grid(points, radius):
    kept = cover(thresholds(points), np.full(points, 1 / points), radius)
    assert len(kept) < 1 / radius + 1


def test_samples_follow_the_weights_and_the_rule():
    """One test at 1e-10."""
    weights, rule = [0.5, 0.0, 0.2, 0.3], [1, 0, 1, 0]
    sample = draw_sample(rule, weights, 5000, np.random.default_rng())
    assert sample.shape == (5000, 2)
    assert (sample[:, 1] == np.array(rule)[sample[:, 0]]).all()
    law = Finite.of(dict(enumerate(weights)))
    assert goodness_of_fit(sample[:, 0], law).passed


@pytest.mark.parametrize(("points", "n"), [(1, 3), (2, 1), (3, 4), (4, 3)])
def test_all_samples_are_those_of_all_sequences(points, n):
    weights = np.random.default_rng(points).dirichlet(np.ones(points))
    rule = [x % 2 for x in range(points)]
    expected: Counter = Counter()
    for xs in product(range(points), repeat=n):
        expected[tuple((x, rule[x]) for x in sorted(xs))] += np.prod(weights[list(xs)])
    found = {tuple(sample): chance for sample, chance in all_samples(rule, weights, n)}
    assert found == pytest.approx(expected)


def test_bad_arguments_are_named():
    calls = [
        (lambda: thresholds(0), "points must be a whole number of at least 1"),
        (lambda: intervals(0), "points must be a whole number of at least 1"),
        (lambda: single_points(0), "points must be a whole number of at least 1"),
        (lambda: as_class([[0, 2]]), "hypotheses must be rows of 0s and 1s"),
        (lambda: as_class([0, 1]), "hypotheses must be rows of 0s and 1s"),
        (lambda: as_class(np.zeros((0, 3))), "hypotheses must be rows of 0s and 1s"),
        (
            lambda: errors(thresholds(2), [(2, 0)]),
            "the points of sample must .* 0 to 1, but entry 0",
        ),
        (
            lambda: errors(thresholds(2), [(0, 2)]),
            "the labels of sample must .* 0 to 1, but entry 0",
        ),
        (lambda: errors(thresholds(2), [0, 1]), "sample must be pairs"),
        (lambda: errors(thresholds(2), []), "sample must not be empty"),
        (lambda: private_learner(thresholds(2), 0), "epsilon must be .*above 0"),
        (lambda: cover(thresholds(2), [0.5, 0.4], 0.1), "weights must be 2 probabilities"),
        (lambda: cover(thresholds(2), [1.5, -0.5], 0.1), "weights must be 2 probabilities"),
        (lambda: cover(thresholds(2), [1.0], 0.1), "weights must be 2 probabilities"),
        (lambda: cover(thresholds(2), [0.5, 0.5], 1), "radius must be .*below 1"),
        (lambda: cover(thresholds(2), [0.5, 0.5], -0.1), "radius must be .*at least 0"),
        (lambda: draw_sample([0, 1], [0.5, 0.5], 0, None), "n must be a whole number"),
        (lambda: next(all_samples([0, 1], [0.5, 0.5], 0)), "n must be a whole number"),
    ]
    assert_refused(calls)


@settings(max_examples=10)
@given(st.integers(1, 40), st.integers(0, 2**32))
def test_a_learned_threshold_is_drawn_from_its_law(n, seed):
    """Ten tests at 1e-10 each."""
    sample = draw_sample(thresholds(6)[2], np.full(6, 1 / 6), n, np.random.default_rng(seed))
    learner, rng = private_learner(thresholds(6), 1.0), np.random.default_rng()
    drawn = [learner(sample, rng) for _ in range(400)]
    assert goodness_of_fit(drawn, learner.distribution(sample)).passed


def test_laws_of_many_examples():
    law = rule_law(lambda sample: sample[0], [0, 1], [0.5, 0.5], 2000)
    assert law.probabilities.sum() == pytest.approx(1)


@pytest.mark.filterwarnings("error")
def test_an_impossible_point_is_in_no_sample():
    found = {tuple(sample): chance for sample, chance in all_samples([1, 0], [1.0, 0.0], 2)}
    assert found == {((0, 1), (0, 1)): 1, ((0, 1), (1, 0)): 0, ((1, 0), (1, 0)): 0}
