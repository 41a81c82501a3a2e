from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dplab import DiscreteLaplace, PureDP
from dplab.audit import goodness_of_fit
from dplab.budget import Budget, BudgetExceeded
from dplab.interaction import Curator
from dplab.learning.statistical_queries import (
    Conjunction,
    learn_conjunction,
    noise_bound,
    noisy_count,
)
from tests.refusals import assert_refused


def everybody(records):
    return np.ones(len(records), dtype=bool)


def examples(n, features, rule, rng):
    bits = rng.integers(2, size=(n, features))
    return np.column_stack([bits, rule(bits)])


class Exact:
    """A curator without noise who notes what it was asked to spend."""

    def __init__(self, records):
        self.records, self.spent = records, []

    def check(self, *counts):
        assert not self.spent

    def ask(self, count):
        self.spent.append(count.guarantee.epsilon)
        return count.query(self.records)


def test_answers_follow_the_law_around_the_count():
    """One test at 1e-10."""
    curator = Curator(np.zeros((7, 2)), Budget(PureDP(1000)), np.random.default_rng())
    answers = [curator.ask(noisy_count(everybody, epsilon=0.5)) for _ in range(2000)]
    assert goodness_of_fit(np.clip(answers, -8, 22), DiscreteLaplace(7, 2).clamp(-8, 22)).passed
    assert curator.budget.remaining.epsilon == pytest.approx(0, abs=1e-9)


def test_records_may_be_lists():
    """At epsilon 100 noise of 1 or more has probability below 1e-43."""
    curator = Curator([[1, 0], [1, 1], [0, 1]], Budget(PureDP(100)), np.random.default_rng())
    assert curator.ask(noisy_count(lambda rows: rows[:, 0] == 1, epsilon=100)) == 2


def test_a_count_moves_by_one_whatever_a_condition_returns():
    count = noisy_count(lambda rows: 5 * rows[:, 0], epsilon=0.5)
    loss = count.privacy_loss([[1, 0], [0, 0]], [[0, 0], [0, 0]])
    assert loss.largest_log_ratio == pytest.approx(0.5)
    assert count.query([[1, 0], [1, 0]]) == 2


def test_a_question_above_the_budget_is_not_answered_and_costs_nothing():
    curator = Curator(np.zeros((7, 2)), Budget(PureDP(1)), np.random.default_rng())
    curator.ask(noisy_count(everybody, epsilon=0.75))
    with pytest.raises(BudgetExceeded, match="price must be at most"):
        curator.ask(noisy_count(everybody, epsilon=0.5))
    assert curator.budget.remaining == PureDP(0.25)


@given(st.integers(1, 50), st.floats(0.05, 50), st.floats(1e-9, 0.5))
@example(1, 5.0, 0.5)  # a noise of 1 is rare enough by far
def test_the_noise_bound_is_the_least_by_the_exact_tail(counts, epsilon, failure):
    p = np.exp(-epsilon / counts)

    def beyond(t):
        """counts times P[|noise| >= t], by summing the law."""
        inside = (1 - p) / (1 + p) * (1 + 2 * (p ** np.arange(1, t)).sum())
        return counts * (1 - inside)

    t = noise_bound(counts, epsilon=epsilon, failure=failure)
    assert beyond(t) <= failure * (1 + 1e-6) + 1e-12
    assert t == 1 or beyond(t - 1) >= failure * (1 - 1e-6) - 1e-12


@pytest.mark.parametrize(("failure", "bound"), [(np.nextafter(1, 0), 1), (5e-324, 373)])
def test_the_noise_bound_of_any_failure(failure, bound):
    """The least t with 2 e^{-2t} / (1 + e^{-2}) <= failure."""
    assert noise_bound(1, epsilon=2.0, failure=failure) == bound


def test_noise_stays_within_its_bound():
    """200 batches of 20, each outside with probability 1e-12: false failure 2e-10."""
    bound = noise_bound(20, epsilon=2.0, failure=1e-12)
    draws = DiscreteLaplace(0, 10).noise(np.random.default_rng(), (200, 20))
    assert abs(draws).max() < bound


def test_without_noise_exactly_the_conjunctions_features_are_kept():
    rule = Conjunction((0, 3))
    curator = Exact(examples(4000, 6, rule, np.random.default_rng(3)))
    assert learn_conjunction(curator, 6, epsilon=2.0) == rule
    assert curator.spent == pytest.approx([2.0 / 6] * 6)


def test_the_learner_stays_within_its_budget_and_uses_all_of_it():
    records = examples(100, 7, Conjunction((1,)), np.random.default_rng(3))
    curator = Curator(records, Budget(PureDP(0.7)), np.random.default_rng(4))
    learn_conjunction(curator, 7, epsilon=0.7)
    assert curator.budget.remaining.epsilon == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("n", [100, 10_000])
def test_what_the_docstring_promises_of_errors(n):
    """Five runs at failure 1e-11 each: false-failure probability 5e-11."""
    rng, rule = np.random.default_rng(), Conjunction((0, 2))
    bound = noise_bound(8, epsilon=1.0, failure=1e-11)
    for _ in range(5):
        records = examples(n, 8, rule, rng)
        curator = Curator(records, Budget(PureDP(1.0)), rng)
        learned = learn_conjunction(curator, 8, epsilon=1.0, failure=1e-11)
        assert set(rule.literals) <= set(learned.literals)
        wrong = learned(records[:, :-1]) != records[:, -1]
        assert wrong.sum() <= 2 * bound * 8
        assert not (learned(records[:, :-1]) & (records[:, -1] == 0)).any()


def test_with_many_examples_it_learns_the_rule_itself():
    """2,500 positives, about 1,250 lack a needless feature, bound 211: failure below 1e-10.

    That fewer than 900 of them lack one has probability 6 exp(-2 2500 0.14^2) < 1e-40.
    """
    rng, rule = np.random.default_rng(), Conjunction((4, 6))
    records = examples(10_000, 8, rule, rng)
    curator = Curator(records, Budget(PureDP(1.0)), rng)
    assert learn_conjunction(curator, 8, epsilon=1.0, failure=1e-10) == rule


def test_bad_arguments_are_named():
    calls = [
        (lambda: noise_bound(0, epsilon=1, failure=0.1), "counts must be a whole number"),
        (
            lambda: noisy_count(lambda rows: rows == 1, epsilon=1).query([[1, 0]]),
            r"shape \(1,\)$",
        ),
        (lambda: noisy_count(lambda rows: True, epsilon=1).query([[1, 0]]), r"shape \(1,\)$"),
        (lambda: noise_bound(1, epsilon=0, failure=0.1), "epsilon must be .*above 0, not 0"),
        (lambda: noise_bound(1, epsilon=1, failure=1), "failure must be .*below 1, not 1"),
        (lambda: noise_bound(1, epsilon=1, failure=0), "failure must be .*above 0.*, not 0"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 1 - 1e-9])
def test_where_the_budget_pays_for_some_counts_alone_nothing_is_drawn(share):
    rng = np.random.default_rng(3)
    curator = Curator(examples(50, 6, Conjunction((1,)), rng), Budget(PureDP(2 * share)), rng)
    before = rng.bit_generator.state
    with pytest.raises(BudgetExceeded, match="price must be at most"):
        learn_conjunction(curator, 6, epsilon=2.0)
    assert rng.bit_generator.state == before
    assert curator.budget.remaining == PureDP(2 * share)


def test_equal_rules_are_one():
    """So that a learner's rules can be counted."""
    assert len({Conjunction((0, 2)), Conjunction((0, 2)), Conjunction((2,))}) == 2


def test_a_feature_that_as_many_lack_as_the_bound_says_is_left_out():
    bound = noise_bound(3, epsilon=1.0, failure=0.1)
    said = iter([bound - 1, bound, bound + 1])
    curator = SimpleNamespace(check=lambda *counts: None, ask=lambda count: next(said))
    assert learn_conjunction(curator, 3, epsilon=1.0, failure=0.1) == Conjunction((0,))
