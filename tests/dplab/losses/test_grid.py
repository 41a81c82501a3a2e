"""Where losses are put on a grid: what stays where it is, and what is gathered."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dplab.losses import (
    AtomicLoss,
    GaussianLoss,
    LaplaceLoss,
    poisson_sampled_loss,
    total_loss,
)
from dplab.losses.grid import (
    _center,
    _gather,
    _outcomes,
    _settle,
    _thin,
    finite_ends,
    optimistic,
    pessimistic,
    reach,
)
from tests.dplab.strategies import finite_laws

steps = st.floats(-5, 0).map(lambda log: 10**log)


@given(st.integers(1, 400), st.floats(-4, 1.4))
def test_a_loss_whose_ends_are_multiples_fills_the_grid_between_them(ends, log_shift):
    """Also where they are so but for rounding; and no cell more. Both atoms stay where they are."""
    loss = LaplaceLoss(10**log_shift)
    step = loss.shift / ends
    laws = [put(loss, step, 1e-20) for put in (pessimistic, optimistic)]
    assert len(laws[0].masses) == 2 * ends + 1
    for law in laws:
        assert (law.places[0], law.places[-1]) == (-ends, ends)
        assert law.masses[-1] >= 0.5 * (1 - 1e-9)
        assert law.masses[0] >= 0.5 * np.exp(-loss.shift) * (1 - 1e-9)
        assert (law.masses >= 0).all()
        assert law.masses.sum() == pytest.approx(1, abs=1e-12)


@given(st.floats(-3, 0.5), st.floats(-4, -0.05), st.integers(1, 300), st.booleans())
def test_the_largest_loss_is_no_infinite_one_however_it_was_rounded(shift, rate, m, reverse):
    """Of a sample it is log(1 + rate (e^shift - 1)), and has an atom of nearly half the mass."""
    loss = poisson_sampled_loss(LaplaceLoss(10**shift), rate=10**rate)
    loss = loss.reverse() if reverse else loss
    law = pessimistic(loss, loss.largest / m, 1e-16)
    assert law.infinite <= 1e-16
    assert law.masses[m - law.low :].sum() >= 0.3 * loss.tails(0.999 * loss.largest)[0]
    assert law.masses.sum() == pytest.approx(1, abs=1e-9)


@given(finite_laws(), st.lists(st.integers(-50, 50), min_size=4, max_size=4, unique=True), steps)
@settings(max_examples=30)
def test_atoms_on_the_grid_stay_where_they_are(law, places, step):
    places, p = np.sort(places), law.probabilities
    loss = AtomicLoss(step * places, p, p * np.exp(-step * places))
    for put in (pessimistic, optimistic):
        found = put(loss, step, 1e-20)
        expected = np.zeros(len(found.masses))
        expected[places - found.low] = p
        np.testing.assert_allclose(found.masses, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("off", "cells"), [(4e-12, 9), (6e-12, 11)])
def test_a_loss_that_is_off_by_more_than_half_a_rounding_takes_a_cell_more(off, cells):
    assert len(pessimistic(LaplaceLoss(1 + off), 0.25, 1e-20).masses) == cells


def test_the_ends_of_atoms_are_those_that_p_can_produce():
    losses = np.array([-np.inf, -3.0, -1, 1, 3, np.inf])
    loss = AtomicLoss(losses, np.array([0, 0, 0.5, 0.25, 0, 0.25]), np.full(6, 1 / 6))
    assert finite_ends(loss).tolist() == [-1, 1]


def test_what_a_loss_reaches_is_looked_for_between_1e_8_and_1e8():
    assert reach(GaussianLoss(1e-20), 0.1) == 1.1**-194
    assert reach(GaussianLoss(14_000.0), 1e-9) == 1.1**194
    for mu in (1e-6, 1e-3, 1.0, 30.0):
        loss = GaussianLoss(mu)
        found = reach(loss, 1e-9)
        assert loss.tails(found)[0] <= 1e-9 < loss.tails(found / 1.1)[0]
    assert reach(LaplaceLoss(2.0), 1e-9) == 2.0


@given(st.floats(-3, 1.5), st.floats(-12, -0.5), st.floats(0.001, 0.9))
def test_what_is_beyond_the_last_multiple_is_infinite_and_no_more(log_mu, log_tail, part):
    loss, tail = GaussianLoss(10**log_mu), 10**log_tail
    law = pessimistic(loss, part * loss.mu, tail)
    assert law.infinite == pytest.approx(loss.tails(law.losses[-1])[0], rel=1e-9)
    assert law.infinite <= tail


@given(
    st.sampled_from([GaussianLoss, LaplaceLoss]),
    st.floats(-0.5, 1),
    st.floats(-9, -0.5),
    st.floats(-3, -0.5),
    st.floats(-2, 0.5),
    st.booleans(),
)
@example(GaussianLoss, 0.80919, -8.94206, -0.56009, -0.20336, False)  # lost if merged upwards alone
def test_of_a_sample_the_tail_is_kept_if_most_stay_out(
    kind, log_shift, log_rate, log_step, log_epsilon, reverse
):
    """Merged with what weighs most all would be one loss of 0, as e^{-Z} has the mean 1.

    What is kept has at least half of the delta that is due two steps further out.
    """
    loss = poisson_sampled_loss(kind(10**log_shift), rate=10**log_rate)
    loss = loss.reverse() if reverse else loss
    step, epsilon = 10 ** (log_shift + log_step), 10 ** (log_shift + log_epsilon)
    law = optimistic(loss, step, 1e-37)
    delta = law.masses @ np.maximum(0, -np.expm1(np.minimum(0, epsilon - law.losses)))
    further = loss.delta(epsilon + 2 * step)
    assert 0.5 * further - 1e-15 <= delta <= loss.delta(epsilon) * (1 + 1e-9) + 1e-16


@pytest.mark.parametrize("step", [0.01, 0.3, 1.0])
def test_what_has_most_of_the_mass_lies_on_the_grid_and_the_mean_ratio_is_kept(step):
    loss = poisson_sampled_loss(GaussianLoss(2.0), rate=1e-4)
    law = optimistic(loss, step, 1e-37)
    heaviest = law.masses.argmax()
    assert law.masses[heaviest] > 0.99
    assert law.losses[heaviest] == pytest.approx(-1e-4, abs=1e-4)
    assert 0 < abs(law.origin) < step / 2
    assert law.masses @ np.exp(-law.losses) == pytest.approx(1, abs=1e-12)


def test_what_is_within_a_step_of_the_heaviest_outcome_is_one_on_the_grid():
    """Its ratio P / Q is that of both together; 4.625 and 5.625 are a whole step away."""
    losses = np.array([-5.1, -4.9, 4.625, 5.125, 5.375, 5.625])
    origin, losses, p = _center(losses, np.array([0.2, 0.1, 0.05, 0.31, 0.3, 0.04]), 0.5)
    ratio = 0.61 / (0.31 * np.exp(-5.125) + 0.3 * np.exp(-5.375))
    assert losses + origin == pytest.approx([-5.1, -4.9, 4.625, np.log(ratio), 5.625], rel=1e-14)
    assert p == pytest.approx([0.2, 0.1, 0.05, 0.61, 0.04], rel=1e-14)
    assert losses[3] == pytest.approx(10 * 0.5, abs=1e-14)
    assert 0 < origin < 0.25


@pytest.mark.parametrize(("off", "moved"), [(0, 0), (4e-12, 0), (6e-12, 6e-12), (-6e-12, -6e-12)])
def test_a_heaviest_outcome_that_is_on_the_grid_but_for_rounding_stays_there(off, moved):
    losses, p = np.array([-0.9, 3.0 + off, 7.3]), np.array([0.2, 0.6, 0.2])
    assert _center(losses, p, 0.5)[0] == pytest.approx(moved, abs=1e-15)


@pytest.mark.parametrize(("mass", "moved"), [(0.25, False), (0.26, True)])
def test_a_quarter_of_the_mass_is_not_much(mass, moved):
    rest = (1 - mass) / 4
    p = np.array([rest, rest, mass, rest, rest])
    origin, _, _ = _center(np.array([-9.0, -4.0, 0.3, 4.0, 9.0]), p, 1.0)
    assert (origin != 0) == moved


def test_outcomes_further_apart_than_floats_reach_are_no_one_outcome():
    """e^-40 of one would do; they have other grid points if they may be far apart."""
    losses, p = np.array([-39.0, 1.0, 42.0]), np.array([0.2, 0.6, 0.2])
    _, found, _ = _center(losses, p, 1000.0)
    assert len(found) == 3
    _, found, _ = _center(np.array([-38.5, 1.0, 42.0]), p, 1000.0)
    assert len(found) == 2


@pytest.mark.parametrize("mass", [1.0, 0.01])
@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize(("lacks", "enough"), [(0.0, True), (4e-12, True), (6e-12, False)])
def test_outcomes_that_lack_no_more_than_rounding_are_enough(mass, by, lacks, enough):
    """Two, on either side of the grid point 1, of which the second one can cancel the first."""
    losses, p, groups = [0.7, 1.2], np.zeros(2), []
    own = -np.expm1(1 - np.array(losses))  # excess of a mass of 1
    first, second = (0, 1) if by > 0 else (1, 0)
    p[first] = mass
    p[second] = -mass * own[first] / own[second]
    p[second] -= lacks * p.sum() / abs(own[second])
    whole, p = p.sum(), p.tolist()
    assert _gather(groups, p, losses, 1.0, first, by) == enough
    assert [g for g, _ in groups] == [1] * enough
    assert sum(m for _, m in groups) + sum(p) == pytest.approx(whole, rel=1e-14)
    assert (p[first] == 0) == enough


@pytest.mark.parametrize(
    ("lower", "higher", "goal", "from_groups"),
    [
        (0.5, 0.5, 2, [1]),
        (0.02, 0.5, 2, [0, 1]),
        (0.001, 0.5, 3, [2]),
        (0.001, 0.3, 3, [2, 3]),
        (0.001, 0.1, 2, []),
    ],
)
def test_what_is_left_takes_parts_of_the_nearest_groups(lower, higher, goal, from_groups):
    """Of those below it if they suffice, else of those above it, else of none; the mean of e^{-Z}
    then rises, and with it the privacy."""
    groups = [(-1, lower), (1, lower), (4, higher), (7, higher)]
    left, found = [(0.2, 2.3), (0.1, 2.6)], groups.copy()
    _settle(found, 2, left, 1.0)
    assert found[-1][0] == goal
    used = [before - after for (_, before), (_, after) in zip(groups, found, strict=False)]
    assert [i for i in range(4) if used[i] > 1e-12] == from_groups
    assert found[-1][1] == pytest.approx(0.3 + sum(used))
    ratios = [p * math.exp(-z) for p, z in left]
    ratios += [part * math.exp(-place) for part, (place, _) in zip(used, groups, strict=True)]
    rise = found[-1][1] * math.exp(-goal) - sum(ratios)
    assert rise > 1e-3 if from_groups == [] else rise == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize(("off", "there"), [(4e-12, True), (6e-12, False)])
def test_an_outcome_is_on_a_grid_point_but_for_half_a_rounding(by, off, there):
    """On either side of it, whichever way others would be looked for."""
    for side in (1, -1):
        groups, p = [], [0.5]
        assert _gather(groups, p, [2.0 + side * off], 1.0, 0, by) == there
        assert groups == [(2, 0.5)] * there
        assert p == [0.0 if there else 0.5]


@pytest.mark.parametrize(("below_it", "goal"), [(79, 4), (81, 5)])
def test_groups_further_below_than_floats_reach_are_not_used(below_it, goal):
    """39.5 nats are near enough, and 40.5 too many: then it is put on the next point above."""
    groups = [(4 - below_it, 0.1), (6, 0.5)]
    _settle(groups, 4, [(0.1, 2.1)], 0.5)
    assert groups[-1][0] == goal


def test_where_lower_outcomes_are_far_an_outcome_is_rounded_down_without_them():
    groups, p = [], [0.4, 0.6]
    assert _gather(groups, p, [-60.0, 2.3], 1.0, 1, -1)
    assert (groups, p) == ([(2, 0.6)], [0.4, 0.0])


@pytest.mark.parametrize(("loss", "place"), [(59.0, 0), (61.0, 1)])
def test_what_is_far_below_a_grid_point_is_rounded_down(loss, place):
    """41 nats are far, and 39 are not: then others are looked for, and there is one."""
    groups, p = [], [1e-18, 0.5]
    assert _gather(groups, p, [loss, 180.0], 100.0, 0, 1)
    assert [g for g, _ in groups] == [place]
    assert p[0] == 0
    assert (p[1] < 0.5) == (place == 1)


@given(st.integers(-40_000, 50), st.integers(0, 3000), st.floats(-6, 0))
def test_far_below_0_cells_may_be_a_thousandth_of_a_loss_wide(first, number, log_step):
    edges = 10**log_step * np.arange(first, first + number + 1)
    kept = _thin(edges)
    assert kept[0] == edges[0]
    assert kept[kept >= 0].tolist() == edges[edges >= 0].tolist()
    wide = np.diff(kept)
    assert (wide <= 1.01 * 10**log_step + np.maximum(0, -kept[:-1]) / 1000).all()
    far = edges < -10_000 * 10**log_step
    assert np.isin(kept, edges[far]).sum() <= 1 + far.sum() / 4


def test_of_a_sample_in_reverse_few_outcomes_are_merged():
    """3.8 million cells of a step of 5e-6, nearly all of them below 0."""
    loss = poisson_sampled_loss(GaussianLoss(2.0), rate=1e-4).reverse()
    losses, p = _outcomes(loss, 1.3e-6, 1e-15)
    assert len(losses) < 20_000
    assert p.sum() == pytest.approx(1, abs=1e-12)


def test_an_infinite_loss_counts_once_and_stays_infinite():
    """Also where the loss has atoms, but is not a list of them: a sample of a sum on a grid."""
    z, p = np.array([np.log(7 / 8), np.inf]), np.array([7 / 8, 1 / 8])
    told = AtomicLoss(z, p, np.array([1.0, 0.0]))
    sampled = poisson_sampled_loss(total_loss({told: 1, LaplaceLoss(0.5): 1}), rate=0.5)
    for loss, infinite in ((told, 1 / 8), (sampled, 1 / 16)):
        for put in (optimistic, pessimistic):
            law = put(loss, 0.01, 1e-12)
            assert law.infinite == pytest.approx(infinite, rel=1e-9)
            assert law.masses.sum() == pytest.approx(1 - infinite, rel=1e-9)
            finer = law.refine(0.0025, 4)
            assert finer.losses == pytest.approx(law.losses, abs=1e-12)
            assert finer.masses is law.masses
