"""The numbers of lesson 14."""

import numpy as np

from dplab import ADD_REMOVE, PermuteAndFlip, PureDP, ReportNoisyMax
from dplab.accounting import optimal_epsilon
from dplab.attacks.sparse_vector import QuietAnswers, Unscaled, transcript_loss
from dplab.audit import exact_epsilon
from dplab.theorems.bounded_range import largest_rho
from dplab.theorems.permute_and_flip import compare


def after_8c2423cb(losses):
    assert np.isclose(np.ptp(losses), 1)


def after_cell_19():
    for eta, known in ((0.1, 0.00124983), (1, 0.123302), (2, 0.474474), (4, 1.66985)):
        assert np.isclose(largest_rho(eta), known, rtol=1e-5)


def after_cell_25(ways, half, full, audit):
    assert (half, full) == (1, 2)
    assert audit.epsilon <= 1 + 1e-9
    for kind in (PermuteAndFlip, ReportNoisyMax):
        choice = kind("abc", ways, half, epsilon=1, neighbors=ADD_REMOVE)
        assert 0.4 < exact_epsilon(choice, "abc", n=3).epsilon <= 1 + 1e-9


def after_hundred_choices(by_epsilon, by_range):
    assert np.allclose([by_epsilon, by_range], [0.5, 0.125], rtol=1e-3)


def after_cell_31(total, by_epsilon, by_range):
    assert np.allclose([total(by_epsilon), total(by_range)], [5.22, 2.42], atol=0.006)


def after_cell_34(vote, total, by_range):
    """The same total buys four times as many choices; by ε alone nothing comes near."""
    best = optimal_epsilon(vote.guarantee.to_approx(), 100, delta=1e-6)
    assert np.isclose(total(4 * by_range), total(100 * 0.1**2 / 2))
    assert total(by_range) < best / 1.9


def after_cell_40(two):
    assert np.allclose(two.flip, [0.0835489, 0.1445277, 0.1928856, 0.5790378], atol=5e-8)
    assert np.allclose([two.flip_gap, two.exponential_gap], [0.829031, 1.024389], atol=5e-7)


def after_e0028455(replies):
    """Some noise of scale 4 or 2 passes 240 with probability below 10 e^-60 + e^-120."""
    assert replies.tolist() == [False] * 9 + [True]


def after_cell_49(two_replies, many):
    assert np.allclose([two_replies, many], [0.396, 1], atol=5e-4)


def after_cell_53(sparse, distances, each, far):
    """The text behind it says 99.7% at 40, and 71% at 500 with noise on every answer."""
    near, at_40, at_500 = sparse[distances == 40][0], each[far == 40][0], each[far == 500][0]
    assert np.isclose(near, 0.997, atol=5e-4)
    assert at_40 < 1e-15
    assert np.isclose(at_500, 0.71, atol=5e-3)


def after_cell_56(VARIANTS):
    for kind in VARIANTS:
        variant = kind(np.array, threshold=0, sensitivity=1, epsilon=1)
        positives = 60 if variant.limit == np.inf else 1
        assert transcript_loss(variant, 60, positives) > 1.7
    two_answers = QuietAnswers(np.array, threshold=0, sensitivity=1, epsilon=1)
    assert two_answers.privacy_loss([0.0, 1.0], [1.0, 0.0]).largest_log_ratio == np.inf
    unscaled = Unscaled(np.array, threshold=0, sensitivity=1, epsilon=1, max_positives=3)
    assert np.isclose(transcript_loss(unscaled, negatives=80, positives=3), (1 + 6 * 3) / 4)


def after_4ff1a14b(normal, election, halved):
    """The numbers in the verdicts on the claims."""
    assert np.isclose(normal.renyi(4), 2)
    assert np.isclose(exact_epsilon(election, "ab", n=4).epsilon, 0.97, atol=5e-3)
    assert np.isclose(transcript_loss(halved, negatives=50, positives=1), 1.5, atol=5e-3)


def after_cell_43(ratios, rng):
    """The gap is never larger; `holds` says so of laws and gaps, here on elections of its own."""
    assert max(ratios) <= 1 + 1e-12
    for _ in range(200):
        scores, rate = rng.normal(scale=3, size=rng.integers(2, 9)), rng.uniform(0.05, 2)
        assert compare(scores, rate).holds


def after_45843c6a(pair):
    assert np.allclose([pair.eta, pair.rho], [1.66, 0.327], atol=0.005)


def after_cell_75(exponential, flips):
    assert np.isclose(PureDP(0.50527).to_zcdp().rho, 1 / 8, atol=1e-5)
    assert np.allclose([exponential, *flips], [1.39, 2.09, 1.94], atol=0.005)


def after_cell_15(pair):
    assert pair.holds
    assert np.isclose(pair.eta, pair.epsilon)


def after_cell_54c(curator):
    assert curator.budget.remaining == PureDP(0.0)


def after_cell_54d(ill, day):
    """One of some 100 days has noise beyond 150 with probability below 100 e^-37."""
    assert abs((ill < day).sum() - 500) < 300


def after_cell_64(found):
    assert np.isclose(found, 0.01)


def after_cell_67(tester, released, among):
    assert np.isclose(tester.bar, 28.24, atol=0.005)
    assert released[40] > 0.998
    assert among < 1e-10


def after_cell_69(law):
    assert law.support == (0, 1, None)
