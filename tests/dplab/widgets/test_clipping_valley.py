import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ClippedMean
from dplab.widgets import ClippingValley
from dplab.widgets.clipping_valley import valley

counts = st.lists(st.integers(0, 60), min_size=1, max_size=40)


@given(counts, st.integers(1, 80), st.floats(0.01, 5))
def test_bias_and_noise_are_those_of_the_clipped_mean(values, bound, epsilon):
    view = valley(np.array(values), epsilon=epsilon, bounds=np.array([bound]))
    mechanism = ClippedMean(lower=0, upper=bound, n=len(values), epsilon=epsilon)
    law = mechanism.distribution(values)
    assert view.bias[0] == pytest.approx(np.mean(values) - law.location, abs=1e-9)
    assert view.noise[0] == pytest.approx(law.scale)  # E|noise| of a Laplace law is its scale


@given(counts, st.floats(0.05, 5))
def test_one_over_epsilon_values_lie_above_the_floor(values, epsilon):
    view, values = valley(np.array(values), epsilon=epsilon), np.array(values)
    best = view.bounds[view.best]
    assert (values > best).sum() <= 1 / epsilon + 1e-9
    assert best == 1 or (values >= best).sum() >= 1 / epsilon - 1e-9


def test_negative_values_are_refused():
    with pytest.raises(ValueError, match=r"values must be at least 0, not -2"):
        valley(np.array([3, -2]), epsilon=1.0)


def test_bound_moves_the_dot_along_the_sum():
    explorer = ClippingValley()
    for bound in (5, 40):
        explorer.controls["bound"].value = bound
        (x,), (y,) = explorer.here.get_data()
        assert x == bound
        bias, noise, total = (line.get_ydata()[bound - 1] for line in explorer.lines)
        assert y == total == pytest.approx(bias + noise)
        assert [line.get_xdata()[0] for line in explorer.cuts] == [bound, bound]


def test_star_marks_the_floor_that_10_people_exceed():
    explorer = ClippingValley()
    (best,), (error,) = explorer.best.get_data()
    assert error == explorer.lines[2].get_ydata().min()
    assert (explorer.data > best).sum() <= 10 <= (explorer.data >= best).sum()


def test_half_epsilon_doubles_the_noise_and_leaves_the_bias():
    explorer = ClippingValley()
    bias, noise, _ = (line.get_ydata().copy() for line in explorer.lines)
    explorer.controls["epsilon"].value = 0.05
    assert explorer.lines[0].get_ydata() == pytest.approx(bias)
    assert explorer.lines[1].get_ydata() == pytest.approx(2 * noise)


def test_more_people_keep_those_who_were_there():
    explorer = ClippingValley()
    few = explorer.data
    explorer.controls["n"].value = 10_000.0
    assert len(explorer.data) == 10_000
    assert (explorer.data[: len(few)] == few).all()


def test_bars_are_the_shares_of_the_data():
    explorer = ClippingValley()
    tops = np.array([segment[1][1] for segment in explorer.bars.get_segments()])
    shares = np.bincount(explorer.data, minlength=81) / 1000
    assert tops[shares > 0] == pytest.approx(shares[shares > 0])


def test_caption_compares_the_two_bounds_and_counts_people_above_the_best():
    explorer = ClippingValley()
    said = "Your bound errs by 0.6, the best bound by 0.32. 10 people are above the best. "
    assert explorer.picture.tooltip == said + "A 50% guess becomes at most 52.5%."
    explorer.controls["bound"].value = int(explorer.best.get_xdata()[0])
    assert "Your bound errs by 0.32, the best bound by 0.32." in explorer.picture.tooltip
    explorer.controls["epsilon"].value = 2.0
    assert "Nobody is above the best." in explorer.picture.tooltip
