"""Bounds that hold from above only, both directions of a loss, and releases in several parts."""

import numpy as np
import pytest

from dplab import GaussianMechanism
from dplab.accounting import Release, delta_bounds, epsilon_bounds
from dplab.accounting.loss_distribution import certainly_within
from dplab.guarantees import ZCDP, ApproxDP, PureDP
from dplab.losses import AtomicLoss, GaussianLoss, fixed_size_sampled_loss, poisson_sampled_loss

LEAK = ApproxDP(0.0, 4e-6)
RELEASES = [Release(ZCDP(0.125), 2), Release(LEAK, 2)]
CATASTROPHE = 1 - (1 - 4e-6) ** 2


def test_the_probability_of_a_catastrophe_is_taken_from_delta():
    """The curve of 241 orders is at most a percent above the best order's."""
    for delta in (1e-5, 1e-4):
        left = (delta - CATASTROPHE) / (1 - CATASTROPHE)
        best = ZCDP(0.25).to_approx(left).epsilon
        bounds = epsilon_bounds(RELEASES, delta=delta)
        assert bounds.lower == 0
        assert best <= bounds.upper <= best * 1.01
    assert epsilon_bounds(RELEASES, delta=7e-6).upper == np.inf


def test_the_probability_of_a_catastrophe_is_added_to_delta():
    for epsilon in (0.5, 3.0, 50.0):
        best = CATASTROPHE + (1 - CATASTROPHE) * ZCDP(0.25).delta(epsilon)
        bounds = delta_bounds(RELEASES, epsilon=epsilon)
        assert bounds.lower == 0
        assert best * (1 - 1e-9) <= bounds.upper <= best * 1.05


def test_a_lower_bound_is_not_enough_to_be_certain():
    assert not certainly_within([Release(ZCDP(0.5))], ApproxDP(0.5, 1e-6))
    assert certainly_within([Release(ZCDP(0.5))], ApproxDP(6.0, 1e-6))
    assert not certainly_within([Release(PureDP(0.5), 3)], ApproxDP(1.0, 1e-6))


@pytest.mark.parametrize("epsilon", [0.0, 0.25, 1.0])
def test_the_two_directions_of_a_sample_of_a_sample(epsilon):
    """D_a(q, p) = 1 - a + a D_{1/a}(p, q), for any p and q."""
    inner = poisson_sampled_loss(GaussianLoss(2.0), rate=0.5)
    for loss in (inner, inner.reverse()):
        sampled = poisson_sampled_loss(loss, rate=0.75)
        expected = 1 - np.exp(epsilon) + np.exp(epsilon) * sampled.delta(-epsilon)
        assert sampled.reverse().delta(epsilon) == pytest.approx(expected, rel=1e-9, abs=1e-15)
        assert sampled.reverse().reverse() == sampled


def test_a_loss_with_a_smaller_reverse_has_no_bound_for_a_replaced_record():
    loss = AtomicLoss.of(np.log([0.5, 0.5]), np.log([0.45, 0.55]))
    with pytest.raises(ValueError, match="loss must be as large as its reverse"):
        fixed_size_sampled_loss(loss, rate=0.5)


def test_releases_of_equal_losses_may_come_in_parts():
    whole = [Release(PureDP(0.1), 7), Release(GaussianLoss(0.5), 4)]
    parts = [Release(PureDP(0.1), 3), Release(GaussianLoss(0.5), 4), Release(PureDP(0.1), 4)]
    assert delta_bounds(parts, epsilon=0.3) == delta_bounds(whole, epsilon=0.3)
    assert delta_bounds(parts[::2], epsilon=0.3) == delta_bounds(whole[:1], epsilon=0.3)


def test_a_lower_bound_is_of_the_mechanisms_only_if_all_are_tight():
    tight, stated = Release(GaussianMechanism(sum, 1, 2)), Release(PureDP(0.1))
    for releases, lower_of in (([tight], "mechanism"), ([tight, stated], "guarantee")):
        assert epsilon_bounds(releases, delta=1e-6).lower_of == lower_of
        assert delta_bounds(releases[::-1], epsilon=0.5).lower_of == lower_of
