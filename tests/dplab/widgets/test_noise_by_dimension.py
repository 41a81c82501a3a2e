import numpy as np
import pytest

from dplab.theorems.l1_against_l2 import noise
from dplab.widgets import NoiseByDimension
from dplab.widgets.noise_by_dimension import MOVED_COUNTS, SHARES, TRUTH, dimension_view


def slope(line):
    x, y = np.log(line.get_xdata()), np.log(line.get_ydata())
    return np.polyfit(x, y, 1)[0]


def test_curves_have_slopes_one_and_a_half():
    explorer = NoiseByDimension()
    for epsilon in (0.05, 1.0, 5.0):
        explorer.controls["epsilon"].value = epsilon
        assert slope(explorer.lines[0]) == pytest.approx(1)
        assert slope(explorer.lines[1]) == pytest.approx(0.5)


@pytest.mark.parametrize("moved", [1, 9, 400])
def test_deviations_are_the_theorems(moved):
    view = dimension_view(0.5, 1e-6)
    expected = noise(moved, epsilon=0.5, delta=1e-6)
    assert view.laplace * moved == pytest.approx(expected.laplace)
    assert view.gaussian * np.sqrt(moved) == pytest.approx(expected.gaussian)


def test_the_dashed_line_stands_where_the_winner_changes():
    explorer = NoiseByDimension()
    explorer.controls["exponent"].value = 50
    first = explorer.first.get_xdata()[0]
    laplace, gaussian = (
        np.exp(np.interp(np.log(first), np.log(MOVED_COUNTS), np.log(line.get_ydata())))
        for line in explorer.lines
    )
    assert 1 < laplace / gaussian < (first / (first - 1)) ** 0.5
    assert explorer.first_note.get_text() == f"from {first} counts on"
    assert explorer.first_note.get_position()[0] > first


def test_gap_is_drawn_and_written_at_m():
    explorer = NoiseByDimension()
    explorer.controls["moved"].value = 10_000.0
    x, (laplace, gaussian) = explorer.gap.get_data()
    assert list(x) == [10_000, 10_000]
    assert explorer.times.get_text() == f"×{laplace / gaussian:,.1f}"
    assert laplace == pytest.approx(np.sqrt(2) * 10_000 / 0.5)


def test_caption_says_both_deviations_and_what_becomes_of_a_guess():
    explorer = NoiseByDimension()
    laplace, gaussian = explorer.here(explorer.view())
    assert (laplace, gaussian) == pytest.approx((283, 81), abs=0.5)
    assert explorer.picture.tooltip == (
        "Each count of 2,000 people is off by 280 with Laplace noise, by 81 with Gaussian. "
        "A 50% guess becomes at most 62%."
    )


def test_published_shares_are_as_far_off_as_the_caption_says():
    explorer = NoiseByDimension()  # a fixed seed: this tests the drawing, not the law
    explorer.controls["n"].value = 10_000.0
    for dots, deviation in zip(explorer.dots, explorer.here(explorer.view()), strict=True):
        errors = dots.get_ydata() - TRUTH
        assert len(errors) == SHARES
        assert np.std(errors) == pytest.approx(deviation / 10_000, rel=0.3)


def test_publishing_again_draws_anew_and_dots_stay_in_the_frame():
    explorer = NoiseByDimension()
    before = explorer.dots[0].get_ydata()
    explorer.controls["again"].click()
    assert (explorer.dots[0].get_ydata() != before).any()
    explorer.controls["n"].value = 100.0
    low, high = explorer.dots[0].axes.get_ylim()
    assert "Dots beyond the frame are drawn on it" in explorer.picture.tooltip
    for dots in explorer.dots:
        assert low < dots.get_ydata().min()
        assert dots.get_ydata().max() < high
