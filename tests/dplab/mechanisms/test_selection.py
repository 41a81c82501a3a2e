from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import BoundedRange, PureDP
from dplab.mechanisms.noisy_max import ReportNoisyMax
from dplab.mechanisms.selection import (
    ExponentialMechanism,
    PermuteAndFlip,
    permute_and_flip_log_law,
)
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE
from tests.refusals import assert_refused

SCORES = (0.0, 1.0, 1.5, 3.0)  # the worked example of the notes, at epsilon 1
score_lists = st.lists(st.floats(-20, 20), min_size=2, max_size=6)
changes = st.lists(st.floats(-1, 1), min_size=6, max_size=6)
small_epsilons = st.floats(0.05, 4)


def itself(data):
    return data


def counts(data):
    return [data.count(value) for value in range(3)]


def choice(kind, k, epsilon=1.0, **options):
    """A mechanism whose data are the scores themselves."""
    return kind(range(k), itself, 1, epsilon, **options)


def noisy(noise):
    return lambda *args, **options: ReportNoisyMax(*args, **options, noise=noise)


KINDS = [
    pytest.param(ExponentialMechanism, id="exponential mechanism"),
    pytest.param(PermuteAndFlip, id="permute-and-flip"),
    pytest.param(noisy("laplace"), id="Laplace noise"),
    pytest.param(noisy("exponential"), id="exponential noise"),
    pytest.param(noisy("gumbel"), id="Gumbel noise"),
]


def by_permutations(advantages):
    """The definition of permute-and-flip, all orders."""
    p, law = np.exp(advantages), np.zeros(len(advantages))
    orders = list(permutations(range(len(p))))
    for order in orders:
        alive = 1.0
        for i in order:
            law[i] += alive * p[i] / len(orders)
            alive *= 1 - p[i]
    return law


def test_the_worked_example():
    """(.0835489, .1445277, .1928856, .5790378) and the exponential mechanism's best, .4846426."""
    flip = choice(PermuteAndFlip, 4).distribution(SCORES).probabilities
    np.testing.assert_allclose(flip, (0.0835489, 0.1445277, 0.1928856, 0.5790378), atol=1e-7)
    law = choice(ExponentialMechanism, 4).distribution(SCORES)
    assert law.probabilities[3] == pytest.approx(0.4846426, abs=1e-7)
    gap = law.expectation(lambda i: 3 - SCORES[i])
    assert gap == pytest.approx(1.024389, abs=1e-6)
    assert 3 - flip @ SCORES == pytest.approx(0.829031, abs=1e-6)


@given(st.lists(st.floats(-8, 0), min_size=1, max_size=5))
@settings(max_examples=40)
def test_permute_and_flip_by_all_permutations(advantages):
    a = np.array([0.0, *advantages])
    np.testing.assert_allclose(
        np.exp(permute_and_flip_log_law(a)), by_permutations(a), rtol=1e-12, atol=0
    )


@given(score_lists, small_epsilons)
def test_permute_and_flip_is_never_worse(scores, epsilon):
    flip, exponential = (
        choice(kind, len(scores), epsilon).distribution(scores).probabilities @ scores
        for kind in (PermuteAndFlip, ExponentialMechanism)
    )
    assert flip >= exponential - 1e-9


@given(score_lists, small_epsilons)
def test_the_expected_loss_of_the_exponential_mechanism(scores, epsilon):
    """At most log(candidates) / rate below the best."""
    law = choice(ExponentialMechanism, len(scores), epsilon).distribution(scores)
    loss = law.expectation(lambda i: max(scores) - scores[i])
    assert loss <= 2 / epsilon * np.log(len(scores)) + 1e-9


@pytest.mark.parametrize("kind", KINDS)
@given(score_lists, changes, small_epsilons)
@settings(max_examples=40)
def test_no_change_within_the_sensitivity_spends_more_than_epsilon(kind, scores, change, epsilon):
    mechanism, scores = choice(kind, len(scores), epsilon), np.array(scores)
    loss = mechanism.privacy_loss(scores, scores + change[: len(scores)])
    assert loss.largest_log_ratio <= epsilon * (1 + 1e-9)
    assert loss.largest - loss.smallest <= mechanism.bounded_range.eta * (1 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(score_lists, changes, small_epsilons)
@settings(max_examples=40)
def test_monotone_scores_take_half_the_noise(kind, scores, change, epsilon):
    mechanism = choice(kind, len(scores), epsilon, monotone=True)
    scores = np.array(scores)
    loss = mechanism.privacy_loss(scores, scores + np.abs(change[: len(scores)]))
    assert loss.largest_log_ratio <= epsilon * (1 + 1e-9)
    assert loss.largest - loss.smallest <= mechanism.bounded_range.eta * (1 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_epsilon_is_reached(kind):
    """The best falls by 1, the others rise by 1 (general) or stand still (monotone)."""
    for monotone, rise in ((False, 1), (True, 0)):
        mechanism = choice(kind, 3, 0.8, monotone=monotone)
        x, y = np.array([400.0, 0, 0]), np.array([399.0, rise, rise])
        loss = mechanism.privacy_loss(y, x)
        assert loss.largest_log_ratio == pytest.approx(0.8, rel=2e-2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("relation", "monotone"), [(REPLACE_ONE, False), (ADD_REMOVE, True)])
def test_the_exact_audit_over_all_small_datasets(kind, relation, monotone):
    mechanism = kind(range(3), counts, 1, 1.5, monotone=monotone, neighbors=relation)
    audit = exact_epsilon(mechanism, range(3), n=5)
    assert mechanism.guarantee == PureDP(1.5)
    assert 0.7 < audit.epsilon <= 1.5 + 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_half_the_noise_is_not_for_scores_that_move_apart(kind):
    """Sold as monotone, counts under replacement spend nearly 2 epsilon."""
    mechanism = choice(kind, 3, 1.0, monotone=True)
    loss = mechanism.privacy_loss(np.array([39.0, 1, 1]), np.array([40.0, 0, 0]))
    assert 1.9 < loss.largest_log_ratio <= 2


def test_bounded_range_is_what_the_exponential_mechanism_has_and_others_lack():
    """From six equal scores one rises by 1 and the others fall: the losses lie apart by so much."""
    x, y = np.zeros(6), np.array([1.0, -1, -1, -1, -1, -1])
    for kind in (ExponentialMechanism, noisy("gumbel")):
        mechanism = choice(kind, 6)
        assert mechanism.bounded_range == BoundedRange(1.0)
        assert mechanism.bounded_range.to_zcdp().rho == pytest.approx(1 / 8)
        loss = mechanism.privacy_loss(x, y)
        assert loss.largest - loss.smallest == pytest.approx(1.0)
    for kind in (PermuteAndFlip, noisy("exponential"), noisy("laplace")):
        loss = choice(kind, 6).privacy_loss(x, y)
        assert 1.1 < loss.largest - loss.smallest <= 2
        assert choice(kind, 6).bounded_range == BoundedRange(2.0)


@pytest.mark.parametrize("kind", KINDS)
def test_draws_follow_the_law(kind):
    """Two tests of five kinds at 1e-10: false-failure probability 1e-9."""
    rng = np.random.default_rng()
    for scores in (SCORES, (2.0, -np.inf, 2.0, -1.0)):
        mechanism = choice(kind, 4, 1.3)
        draws = [mechanism(scores, rng) for _ in range(20_000)]
        assert goodness_of_fit(draws, mechanism.distribution(scores)).passed


@pytest.mark.parametrize("kind", KINDS)
def test_huge_scores_and_impossible_candidates(kind):
    mechanism = choice(kind, 3)
    law = mechanism.distribution([1e6, 1e6 - 2, -np.inf])
    usual = mechanism.distribution([0.0, -2, -np.inf])
    np.testing.assert_allclose(law.probabilities, usual.probabilities, rtol=1e-9)
    assert law.probabilities[2] == 0
    assert mechanism([1e300, -1e300, -np.inf], np.random.default_rng()) == 0


def test_the_rate_of_the_largest_numbers_there_are():
    assert [
        ExponentialMechanism("ab", itself, 1e308, 1e308, is_monotone).rate
        for is_monotone in (False, True)
    ] == [0.5, 1]


def test_a_million_candidates():
    """Two tests at 1e-10. The law is a table; draws fall into ten groups as it says."""
    k, rng = 1_000_000, np.random.default_rng()
    scores = np.linspace(0, 12, k)
    mechanism = choice(ExponentialMechanism, k, 0.8)
    law = mechanism.distribution(scores)
    assert law.probabilities.sum() == pytest.approx(1)
    tenths = law.probabilities.reshape(10, -1).sum(axis=1)
    draws = [mechanism(scores, rng) // (k // 10) for _ in range(60)]
    assert goodness_of_fit(draws, Finite.of(dict(enumerate(tenths)))).passed
    flips = [choice(PermuteAndFlip, k)(np.where(scores > 11, 0, -np.inf), rng) for _ in range(5)]
    assert min(flips) > 0.9 * k


def test_the_laws_at_their_largest():
    advantages = np.append(-np.abs(np.random.default_rng(1).normal(size=999)), 0.0)
    assert np.exp(permute_and_flip_log_law(advantages)).sum() == pytest.approx(1, abs=1e-11)
    with pytest.raises(ValueError, match="candidates must be at most 1000 for this law, not 1001"):
        permute_and_flip_log_law(np.zeros(1001))


def test_neighbouring_laws_share_their_outcomes():
    mechanism = ExponentialMechanism(("a", "b"), itself, 1, 1)
    p, q = mechanism.distribution([1, 0]), mechanism.distribution([0, 1])
    assert p.outcomes is q.outcomes
    assert privacy_loss(p, q).largest_log_ratio == pytest.approx(0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_arguments_are_named(kind):
    calls = [
        (lambda: kind("ab", itself, 0, 1), "sensitivity must be .*above 0, not 0"),
        (lambda: kind("ab", itself, 1, np.inf), "epsilon must be .*not inf"),
        (lambda: kind("ab", itself, 1e-300, 1e300), "epsilon / sensitivity must be .*not inf"),
        (lambda: kind("", itself, 1, 1), "candidates must be distinct, and at least one"),
        (lambda: kind("aa", itself, 1, 1), "candidates must be distinct"),
        (
            lambda: kind("ab", itself, 1, 1)([1, 2, 3], np.random.default_rng()),
            r"scores\(data\) must have shape \(2,\)$",
        ),
        (
            lambda: kind("ab", itself, 1, 1).distribution([1, np.nan]),
            r"scores\(data\) must be finite numbers or -inf, and one finite$",
        ),
        (
            lambda: kind("ab", itself, 1, 1).distribution([1, np.inf]),
            "one finite$",
        ),
        (
            lambda: kind("ab", itself, 1, 1).distribution([-np.inf, -np.inf]),
            "one finite$",
        ),
    ]
    assert_refused(calls)


@pytest.mark.filterwarnings("error")
def test_scores_at_the_ends_of_floats():
    far = ExponentialMechanism("ab", lambda data: [1e308, -1e308], 1e308, 1)  # differ by 2e308
    assert far.distribution(()).log_probabilities == pytest.approx(-np.log1p(np.exp([-1, 1])))
    with pytest.raises(ValueError, match="epsilon / sensitivity must be a finite number above 0"):
        ExponentialMechanism("ab", lambda data: [0, -np.inf], 1, 5e-324)
