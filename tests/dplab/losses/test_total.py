"""Sums of losses on a grid: how fine it is, and what stays exact."""

import numpy as np
import pytest

from dplab.accounting import Release, delta_bounds
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss, poisson_sampled_loss, total_loss
from dplab.moments import variance


def step(loss):
    return float(np.diff(loss.losses[1:3])[0])


@pytest.mark.parametrize(
    "parts",
    [
        {LaplaceLoss(1.0): 2},
        {LaplaceLoss(1.0): 50},
        {LaplaceLoss(30.0): 2},
        {LaplaceLoss(0.1): 3, LaplaceLoss(0.7): 2},
        {LaplaceLoss(0.1): 300, LaplaceLoss(0.7): 2},
        {LaplaceLoss(1.0): 1, GaussianLoss(0.5): 1},
        {LaplaceLoss(0.1): 1, LaplaceLoss(30.0): 1},
        {poisson_sampled_loss(GaussianLoss(1.0), rate=0.01): 1000},
    ],
)
def test_a_sum_is_spread_on_some_8_000_points(parts):
    loss = total_loss(parts)
    assert 7400 < len(loss.losses) < 8192
    assert (loss.q >= 0).all()
    exact, among = sum(k * variance(part) for part, k in parts.items()), slice(1, -1)
    mean = loss.p[among] @ loss.losses[among]
    found = loss.p[among] @ (loss.losses[among] - mean) ** 2
    assert exact * (1 - 1e-8) < found < exact * (1 + 1e-5 * sum(parts.values()))


def test_normal_losses_add_up_by_the_root_of_their_number():
    """36 releases at mu = 1/2 are one at 3, and with one at 4 beside them they are one at 5."""
    assert total_loss({GaussianLoss(0.5): 36}).mu == pytest.approx(3.0)
    assert total_loss({GaussianLoss(0.5): 36, GaussianLoss(4.0): 1}).mu == pytest.approx(5.0)


@pytest.mark.parametrize(("rate", "k"), [(1e-3, 1000), (0.01, 10_000), (1e-4, 100)])
def test_a_sum_of_samples_spreads_as_little_more(rate, k):
    """Losses whose tails are many times as long as a deviation: a fiftieth at most."""
    sampled = poisson_sampled_loss(GaussianLoss(1.0), rate=rate)
    loss, among = total_loss({sampled: k}), slice(1, -1)
    mean = loss.p[among] @ loss.losses[among]
    found = loss.p[among] @ (loss.losses[among] - mean) ** 2
    assert k * variance(sampled) < found < k * variance(sampled) * 1.02
    assert step(loss) <= variance(sampled) ** 0.5 / 4 * 1.05


@pytest.mark.parametrize("parts", [{0.1: 3, 0.7: 2}, {0.2: 500, 0.3: 400}])
def test_7_800_steps_fill_the_window_of_a_coarse_grid(parts):
    """Whose step is the ends' distance over 256, or over 16 times the root of their number."""
    n, losses = sum(parts.values()), {LaplaceLoss(shift): k for shift, k in parts.items()}
    distance = np.sqrt(sum(k * (2 * shift) ** 2 for shift, k in parts.items()))
    coarse = distance / max(256, 16 * np.sqrt(n))
    points = 7800 * step(total_loss(losses)) / coarse
    assert points == pytest.approx(round(points), abs=1e-5)


def test_the_step_of_equal_losses_is_a_part_of_each():
    for shift, k in ((1.0, 2), (0.7, 3), (0.01, 10_000), (2e-10, 5)):
        parts = shift / step(total_loss({LaplaceLoss(shift): k}))
        assert parts == pytest.approx(round(parts), rel=1e-9)


@pytest.mark.parametrize("shift", [0.1, 2.0])
def test_the_step_is_a_quarter_of_a_deviation_where_that_is_less(shift):
    parts = {LaplaceLoss(shift): 10_000, LaplaceLoss(2 * shift): 10_000}
    spread = sum(k * variance(part) for part, k in parts.items()) / 20_000
    assert step(total_loss(parts)) == pytest.approx(spread**0.5 / 4, rel=0.01)


def test_a_loss_narrower_than_a_step_is_one():
    loss = total_loss({LaplaceLoss(0.01): 10**6})
    assert step(loss) == pytest.approx(0.01, rel=1e-9)


def test_no_step_is_finer_than_rounding_allows():
    """Sixteen times what floats may do to a loss."""
    loss = total_loss({LaplaceLoss(1e-9): 1, LaplaceLoss(2e-9): 1})
    assert step(loss) == pytest.approx(16e-11, rel=1e-9)


def test_the_largest_loss_of_many_narrow_samples_stays_finite():
    """Its atom was taken for infinite where it is 47 steps and a rounding: delta was 0.27."""
    sampled = poisson_sampled_loss(LaplaceLoss(0.11161712985900417), rate=0.00056896519293367)
    found = total_loss({sampled: 4923}).delta(0.0123)
    certified = delta_bounds([Release(sampled, 4923)], epsilon=0.0123)
    assert certified.lower <= found <= 1.05 * certified.upper


def test_what_a_sum_states_exactly_counts_each_part_as_often_as_it_is_added():
    """One part is not symmetric, and may be infinite in one direction with probability 1/8."""
    low = (1 - 7 / 8 * np.exp(-2)) / (np.e - np.exp(-2))  # so that q has the mass 1, too
    z, p = np.array([-1.0, 2.0, np.inf]), np.array([low, 7 / 8 - low, 1 / 8])
    told = AtomicLoss(z, p, p * np.exp(-z))
    loss = total_loss({told: 3, LaplaceLoss(0.5): 2})
    assert loss.infinite == pytest.approx(1 - (7 / 8) ** 3, rel=1e-12)
    assert (loss.smallest, loss.largest) == (-4.0, np.inf)
    reverse = loss.reverse()
    assert (reverse.smallest, reverse.largest, reverse.infinite) == (-np.inf, 4.0, 0.0)
    assert dict(reverse.parts)[LaplaceLoss(0.5)] == 2
    bounded = total_loss({LaplaceLoss(0.5): 2, LaplaceLoss(0.25): 3})
    assert bounded.rho == pytest.approx(2 * LaplaceLoss(0.5).rho + 3 * LaplaceLoss(0.25).rho)
