from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ADD_REMOVE, ApproxDP
from dplab.audit import exact_delta, goodness_of_fit
from dplab.distributions import Product
from dplab.learning import (
    StableLearner,
    optimal_rule,
    rule_law,
    single_points,
    smallest_positive,
    stability,
    stable_error,
    thresholds,
)
from tests.refusals import assert_refused


def first(part):
    return part[0]


def smallest(part):
    return smallest_positive(part, 4)


@pytest.mark.parametrize(("epsilon", "delta"), [(4.0, 0.2), (1.0, 0.4), (10.0, 0.01), (0.5, 1e-3)])
def test_it_keeps_its_promise(epsilon, delta):
    """Parts of one record: every change of the parts' rules is one of a record, all tried."""
    learner = StableLearner(first, 4, epsilon, delta)
    assert learner.guarantee == ApproxDP(epsilon, delta)
    assert 0 < exact_delta(learner, "abc", n=4, epsilon=epsilon) <= delta


@given(st.floats(0.05, 10), st.floats(1e-9, 0.5))
def test_a_rule_of_one_part_is_published_as_seldom_as_delta_asks_and_no_seldomer(epsilon, delta):
    """With one part the chance to be published is all that is spent; the threshold is the least."""
    learner = StableLearner(first, 1, epsilon, delta)
    spent = exact_delta(learner, "ab", n=1, epsilon=epsilon)
    step = delta / (1 + np.exp(epsilon / 2))
    assert np.exp(-epsilon / 2) * step * (1 - 1e-6) <= spent <= step * (1 + 1e-6)


def test_parts_of_two_records_are_as_private():
    learner = StableLearner(lambda part: "".join(part), 2, 2.0, 0.3)
    assert exact_delta(learner, "ab", n=4, epsilon=2.0) <= 0.3


@pytest.mark.parametrize(
    "counts", [{"a": 5}, {"a": 3, "b": 2}, {"b": 4, "a": 4}, {"c": 6, "b": 1, "a": 6}]
)
def test_the_law_is_that_of_the_largest_published_count(counts):
    """Against all outcomes of the histogram, bin by bin."""
    data = [name for name, count in counts.items() for _ in range(count)]
    learner = StableLearner(first, len(data), 3.0, 0.05)
    names = list(counts)
    bins = [learner.histogram.bin_law(counts[name], 40) for name in names]
    law, expected = Product(tuple(bins)).enumerate(), Counter()
    for heights, chance in zip(law.outcomes, law.probabilities, strict=True):
        seen = {name: h for name, h in zip(names, heights, strict=True) if h is not None}
        winner = min(seen, key=lambda name: (-seen[name], name), default=None)
        expected[winner] += chance
    law = learner.distribution(data)
    found = dict(zip(law.outcomes, law.probabilities, strict=True))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.03, 0.2, 1.0, 8.0])
def test_of_two_rules_the_larger_count_wins_and_the_first_a_tie(epsilon):
    learner = StableLearner(first, 9, epsilon, 0.4)
    heights = list(range(learner.histogram.threshold, 4000))
    laws = [learner.histogram.bin_law(count, 5000) for count in (5, 4)]
    a, b = (np.exp(law.log_densities(heights)) for law in laws)
    silent = [np.exp(law.log_density(None)) for law in laws]
    expected = {
        "a": a.sum() * silent[1] + (a * np.cumsum(b)).sum(),
        "b": b.sum() * silent[0] + (b * (np.cumsum(a) - a)).sum(),
        None: silent[0] * silent[1],
    }
    law = learner.distribution("aaaaabbbb")
    found = dict(zip(law.outcomes, law.probabilities, strict=True))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 5])
def test_draws_follow_the_law(epsilon):
    """Two tests at 1e-10."""
    data = ["a"] * 7 + ["b"] * 6 + ["c"] * 2
    learner, rng = StableLearner(first, 15, epsilon, 0.3), np.random.default_rng()
    draws = [learner(data, rng) for _ in range(2000)]
    assert goodness_of_fit(draws, learner.distribution(data)).passed


def test_epsilon_may_be_a_pair_of_whole_numbers():
    half, pair = (StableLearner(first, 4, epsilon, 1e-3) for epsilon in (Fraction(1, 2), (1, 2)))
    found, expected = pair.distribution("aaab"), half.distribution("aaab")
    assert found.outcomes == expected.outcomes
    assert (found.probabilities == expected.probabilities).all()


def test_parts_are_disjoint_and_all_but_the_rest_is_used():
    learner = StableLearner(tuple, 3, 1.0, 0.1)
    assert learner.rules(list(range(11))) == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    rows = np.arange(12).reshape(6, 2)
    total = StableLearner(lambda part: int(part.sum()), 2, 1.0, 0.1)
    assert total.rules(rows) == [15, 51]


def test_parts_may_abstain_and_are_as_private():
    """The last letter abstains."""
    learner = StableLearner(lambda part: None if "z" in part else part[0], 3, 2.0, 0.3)
    assert exact_delta(learner, "abz", n=3, epsilon=2.0) <= 0.3
    assert learner.rules("azb") == ["a", "b"]
    assert learner.distribution("azz").support == ("a", None)
    assert learner.distribution("zzz").support == (None,)
    assert learner("zzz", np.random.default_rng()) is None


def test_many_parts_that_agree_are_heard_and_a_few_are_not():
    """Noise of scale 2 beyond 100 has a probability below 1e-21."""
    learner, rng = StableLearner(first, 200, 1.0, 1e-9), np.random.default_rng()
    bar = learner.histogram.threshold
    assert learner(["a"] * 200, rng) == "a"
    assert learner.distribution(["a"] * 200).log_density("a") == pytest.approx(0, abs=1e-12)
    alone = learner.distribution([str(i) for i in range(200)])
    assert np.exp(alone.log_density(None)) > 1 - 200 * 1e-9
    assert 40 < bar < 60


@given(st.integers(2, 6), st.data())
def test_of_single_points_the_learner_knows_the_point_or_says_zero(points, data):
    target = data.draw(st.integers(0, points - 1))
    where = data.draw(st.lists(st.integers(0, points - 1), min_size=1, max_size=4))
    sample = [(x, int(x == target)) for x in where]
    rule = optimal_rule(single_points(points))(sample)
    left = set(range(points)) - set(where)
    known = target in where or len(left) == 1
    assert rule == tuple(int(known and x == target) for x in range(points))


@given(st.integers(2, 5), st.integers(0, 2**32), st.integers(1, 4))
def test_of_single_points_the_learner_is_stable_at_one_half(points, seed, n):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(points))
    learner = optimal_rule(single_points(points))
    law = rule_law(learner, single_points(points)[rng.integers(points)], weights, n)
    assert len(law.outcomes) <= 2
    assert law.probabilities.max() >= 0.5 - 1e-12


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_law_of_the_rules_by_all_sequences(n):
    weights, rule = np.array([0.4, 0.1, 0.3, 0.2]), thresholds(4)[2]
    expected: Counter = Counter()
    for xs in product(range(4), repeat=n):
        expected[smallest([(x, int(rule[x])) for x in xs])] += weights[list(xs)].prod()
    law = rule_law(smallest, rule, weights, n)
    assert dict(zip(law.outcomes, law.probabilities, strict=True)) == pytest.approx(expected)


@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from(["naive", "optimal"]))
def test_what_comes_out_often_is_seldom_wrong(seed, n, kind):
    """The theorem on random distributions: every rule that comes out at all keeps its bound."""
    rng = np.random.default_rng(seed)
    weights, rule = rng.dirichlet(np.ones(4)), thresholds(4)[rng.integers(5)]
    optimal = optimal_rule(thresholds(4))
    learner = optimal if kind == "optimal" else lambda part: tuple(thresholds(4)[smallest(part)])
    law = rule_law(learner, rule, weights, n)
    for answers, eta in zip(law.outcomes, law.probabilities, strict=True):
        wrong = (np.array(answers) != rule) @ weights
        assert wrong <= stable_error(min(eta, 1.0), n) + 1e-9


def test_the_error_bound_is_reached_and_below_the_simple_one():
    for eta, n in ((0.5, 1), (0.5, 20), (1e-6, 7), (1.0, 3)):
        assert stable_error(eta, n) == pytest.approx(1 - eta ** (1 / n))
        assert stable_error(eta, n) <= np.log(1 / eta) / n + 1e-15
    never_there = rule_law(optimal_rule(single_points(2)), [1, 0], [0.5, 0.5], 1)
    assert never_there.probabilities.max() == pytest.approx(1)  # the other point tells, too


def test_bad_arguments_are_named():
    calls = [
        (lambda: StableLearner(first, 0, 1, 0.1), "parts must be a whole number of at least 1"),
        (lambda: StableLearner(first, 2, 0, 0.1), "epsilon must be"),
        (lambda: StableLearner(first, 2, 1, 0), "delta must be"),
        (lambda: StableLearner(first, 2, 1, 0.1)("a", None), "data must be at least 2 examples"),
        (lambda: stable_error(0, 3), "eta must be .*above 0"),
        (lambda: stable_error(1.5, 3), "eta must be .*1"),
        (lambda: stable_error(0.5, 0), "n must be a whole number"),
    ]
    assert_refused(calls)


def test_a_law_of_too_many_counts_is_not_begun(monkeypatch):
    learner = StableLearner(lambda sample: "one", 4, 1e-6, 1e-6)
    with pytest.raises(ValueError, match="epsilon must be larger"):
        learner.distribution(range(8))
    learner = StableLearner(lambda sample: "one", 4, 1.0, 1e-6)
    counts = 4 + learner.histogram.threshold + 2 * stability.TAIL_SCALES
    monkeypatch.setattr(stability, "MAX_COUNTS", counts)
    assert sum(learner.distribution(range(8)).probabilities) == pytest.approx(1)
    monkeypatch.setattr(stability, "MAX_COUNTS", counts - 1)
    with pytest.raises(ValueError, match=f"more than {counts - 1} counts"):
        learner.distribution(range(8))


def test_its_neighbours_are_not_chosen():
    with pytest.raises(TypeError, match="neighbors"):
        StableLearner(first, 2, 1, 0.1, neighbors=ADD_REMOVE)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0])
def test_a_longer_tail_of_the_counts_changes_no_law(epsilon, monkeypatch):
    learner = StableLearner(first, 10, epsilon, 0.4)
    law = learner.distribution("aaaaabbbbb")
    monkeypatch.setattr(stability, "TAIL_SCALES", 80)
    longer = learner.distribution("aaaaabbbbb")
    assert law.outcomes == longer.outcomes
    assert law.probabilities == pytest.approx(longer.probabilities, abs=1e-14)
