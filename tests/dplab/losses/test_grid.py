"""Where losses are put on a grid: what stays where it is, and what is gathered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss, poisson_sampled
from dplab.losses.grid import above, below, finite_ends, reach
from tests.dplab.strategies import finite_laws

steps = st.floats(-5, 0).map(lambda log: 10**log)


@given(st.integers(1, 400), st.floats(-4, 1.4))
def test_a_loss_whose_ends_are_multiples_fills_the_grid_between_them(ends, log_shift):
    """Also where they are so but for rounding; and no cell more. Both atoms stay where they are."""
    loss = LaplaceLoss(10**log_shift)
    step = loss.shift / ends
    laws = [put(loss, step, 1e-20) for put in (above, below)]
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
    loss = poisson_sampled(LaplaceLoss(10**shift), rate=10**rate)
    loss = loss.reverse() if reverse else loss
    law = above(loss, loss.largest / m, 1e-16)
    assert law.infinite <= 1e-16
    assert law.masses[m - law.low :].sum() >= 0.3 * loss.tails(0.999 * loss.largest)[0]
    assert law.masses.sum() == pytest.approx(1, abs=1e-9)


@given(finite_laws(), st.lists(st.integers(-50, 50), min_size=4, max_size=4, unique=True), steps)
@settings(max_examples=30)
def test_atoms_on_the_grid_stay_where_they_are(law, places, step):
    places, p = np.sort(places), law.probabilities
    loss = AtomicLoss(step * places, p, p * np.exp(-step * places))
    for put in (above, below):
        found = put(loss, step, 1e-20)
        expected = np.zeros(len(found.masses))
        expected[places - found.low] = p
        np.testing.assert_allclose(found.masses, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("off", "cells"), [(4e-12, 9), (6e-12, 11)])
def test_a_loss_that_is_off_by_more_than_half_a_rounding_takes_a_cell_more(off, cells):
    assert len(above(LaplaceLoss(1 + off), 0.25, 1e-20).masses) == cells


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
    law = above(loss, part * loss.mu, tail)
    assert law.infinite == pytest.approx(loss.tails(law.losses[-1])[0], rel=1e-9)
    assert law.infinite <= tail


@given(
    st.sampled_from([GaussianLoss, LaplaceLoss]),
    st.floats(-0.5, 1),
    st.floats(-9, -0.01),
    st.floats(-3, -0.5),
    st.floats(-2, 0.5),
    st.booleans(),
)
def test_of_a_sample_the_tail_is_kept_however_many_stay_out(
    kind, log_shift, log_rate, log_step, log_epsilon, reverse
):
    """Merged with what weighs most all would be one loss of 0, as e^{-Z} has the mean 1.

    What is kept has at least half of the delta that is due two steps further out.
    """
    loss = poisson_sampled(kind(10**log_shift), rate=10**log_rate)
    loss = loss.reverse() if reverse else loss
    step, epsilon = 10 ** (log_shift + log_step), 10 ** (log_shift + log_epsilon)
    law = below(loss, step, 1e-37)
    delta = law.masses @ np.maximum(0, -np.expm1(np.minimum(0, epsilon - law.losses)))
    further = loss.delta(epsilon + 2 * step)
    assert 0.5 * further - 1e-15 <= delta <= loss.delta(epsilon) * (1 + 1e-9) + 1e-16


@pytest.mark.parametrize("step", [0.01, 0.3, 1.0])
def test_what_has_most_of_the_mass_lies_on_the_grid_and_the_mean_ratio_is_kept(step):
    loss = poisson_sampled(GaussianLoss(2.0), rate=1e-4)
    law = below(loss, step, 1e-37)
    heaviest = law.masses.argmax()
    assert law.masses[heaviest] > 0.99
    assert law.losses[heaviest] == pytest.approx(-1e-4, abs=1e-4)
    assert 0 < abs(law.origin) < step / 2
    assert law.masses @ np.exp(-law.losses) == pytest.approx(1, abs=1e-12)
