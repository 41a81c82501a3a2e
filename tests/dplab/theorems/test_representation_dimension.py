from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.learning import private_learner
from dplab.theorems.representation_dimension import (
    RULES,
    random_representation,
    representation_failure,
)
from tests.refusals import assert_refused


@settings(max_examples=60)
@given(st.integers(1, 8), st.integers(0, 2**32), st.sampled_from([0.1, 1.0, 10.0]))
def test_eighteen_rules_fail_with_probability_below_a_quarter(points, seed, spread):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(points, spread))
    for target in range(points):
        assert representation_failure(weights, target) <= (59 / 64) ** RULES < 1 / 4


def test_seventeen_would_not_do_by_this_proof():
    assert (59 / 64) ** (RULES - 1) > 1 / 4


def test_the_failure_by_all_rules():
    """Right on the first point, and 1 on none of the others, or on one of the lighter two."""
    weights, target = np.array([0.3, 0.26, 0.24, 0.2]), 0
    good = 1 / 8 * ((7 / 8) ** 3 + 2 / 8 * (7 / 8) ** 2)
    by_hand = 0.0
    for rule in product((0, 1), repeat=4):
        if weights[np.array(rule) != (np.arange(4) == target)].sum() <= 1 / 4:
            by_hand += (1 / 8) ** sum(rule) * (7 / 8) ** (4 - sum(rule))
    assert by_hand == pytest.approx(good)
    for rules in (1, 5, 18):
        assert representation_failure(weights, target, rules) == pytest.approx((1 - good) ** rules)


def test_zero_everywhere_is_enough_for_a_rare_point():
    assert representation_failure([0.25, 0.75], 0) == 0
    assert representation_failure([0.26, 0.74], 0) > 0


def test_random_sets_are_good_as_often_as_said():
    """4,000 sets: off by 0.055 with probability 2 exp(-2 4000 0.055^2) = 6e-11 at most."""
    rng, weights = np.random.default_rng(), np.array([0.5, 0.125, 0.125, 0.125, 0.125])
    fails = 0
    for _ in range(4000):
        rules = random_representation(5, rng)
        assert rules.shape == (RULES + 1, 5)
        assert not rules[0].any()
        fails += not ((rules ^ np.eye(5, dtype=bool)[0]) @ weights <= 1 / 4).any()
    assert abs(fails / 4000 - representation_failure(weights, 0)) < 0.055


@pytest.mark.parametrize("points", [100, 20_000])
def test_a_pure_learner_of_points_whose_examples_do_not_grow_with_them(points):
    """60 runs, each fails with probability 1/4 for the set and 0.01 for the choice: 40 or more
    failures have a probability below exp(-60 KL(2/3, 0.26)) = 4e-10."""
    rng, n, failures = np.random.default_rng(), 120, 0
    for _ in range(60):
        target = rng.integers(points)
        where = np.where(rng.random(n) < 0.5, target, rng.integers(points, size=n))
        sample = np.column_stack([where, where == target])
        rules = random_representation(points, rng)
        chosen = rules[private_learner(rules, 1.0)(sample, rng)]
        failures += not chosen[target] or chosen.mean() > 0.5
    assert failures < 40


def test_bad_arguments_are_named():
    calls = [
        (lambda: random_representation(0, None), "points must be a whole number"),
        (lambda: representation_failure([0.5, 0.5], 2), "target must be .*at most 1"),
        (lambda: representation_failure(np.full(17, 1 / 17), 0), "number of weights must be"),
    ]
    assert_refused(calls)
