import numpy as np
import pytest

from dplab.theorems.histogram_risk import histogram_risk
from dplab.widgets import DensityBins
from dplab.widgets.density_bins import CROWDS, MAX_BINS, MAX_DENSITY, NUMBERS, SHAPES, density_view

PLACES = np.random.default_rng(3).random(1000)
NOISE = np.linspace(-4, 4, MAX_BINS)


def view_of(shape, bins=10, n=1000, epsilon=1.0):
    return density_view(PLACES, NOISE, shape=shape, bins=bins, n=n, epsilon=epsilon)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_distribution_functions_that_fit_the_picture(shape):
    cdf = SHAPES[shape](np.linspace(0, 1, 2001))
    assert cdf[0] == pytest.approx(0)
    assert cdf[-1] == pytest.approx(1)
    assert (np.diff(cdf) >= -1e-12).all()
    assert (np.diff(cdf) * 2000).max() < MAX_DENSITY


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bins", [2, 10, 128])
def test_all_people_are_counted_where_they_stand(shape, bins):
    """A person at place u of the distribution is in the bin whose share of it has u."""
    view = view_of(shape, bins=bins, n=700)
    ends = SHAPES[shape](np.linspace(0, 1, bins + 1))
    expected = np.histogram(PLACES[:700], bins=np.unique(ends))[0]
    assert view.counts.sum() == 700
    assert view.counts[np.diff(ends) > 0].tolist() == expected.tolist()


def test_what_is_published_is_the_noisy_counts_without_the_negative_ones():
    view = view_of(CROWDS, bins=64, epsilon=0.5)
    kept = np.maximum(np.round(view.counts + 4 * NOISE[:64]), 0)
    assert view.density.probabilities == pytest.approx(kept / kept.sum())
    assert view.filled == ((view.counts == 0) & (kept > 0)).sum()


@pytest.mark.parametrize(("bins", "epsilon"), [(10, 1.0), (100, 0.1)])
def test_the_errors_are_those_of_the_theorem(bins, epsilon):
    view = view_of(CROWDS, bins=bins, epsilon=epsilon)
    exact = histogram_risk(SHAPES[CROWDS], [bins], n=1000, epsilon=epsilon)
    assert view.here == pytest.approx(exact.total[0])
    assert (view.risk.ms == NUMBERS).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_no_number_of_bins_is_better_than_the_best(shape):
    every = histogram_risk(SHAPES[shape], range(1, MAX_BINS + 1), n=10_000, epsilon=0.1).total
    assert view_of(shape, n=10_000, epsilon=0.1).risk.total.min() == pytest.approx(every.min())


def test_picture_follows_the_controls():
    explorer = DensityBins()
    assert len(explorer.steps.get_data().values) == 10
    before = explorer.steps.get_data().values
    for name, value in (("shape", CROWDS), ("bins", 128), ("n", 100.0), ("epsilon", 0.1)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert explorer.steps.get_data().values == pytest.approx(np.exp(view.density.log_heights))
    assert explorer.here.get_data()[1][0] == pytest.approx(view.here)
    assert explorer.total.get_ydata() == pytest.approx(view.risk.total)
    assert explorer.terms["noise"].get_ydata() == pytest.approx(view.risk.noise)
    assert explorer.truth.get_ydata().max() == pytest.approx(2 / 3 / 0.28, rel=0.01)
    for name, value in (("shape", "a hill"), ("bins", 10), ("n", 1000.0), ("epsilon", 1.0)):
        explorer.controls[name].value = value
    assert explorer.steps.get_data().values == pytest.approx(before)
    explorer.controls["again"].click()
    assert explorer.steps.get_data().values != pytest.approx(before)


def test_caption_says_guess_empty_bins_and_errors():
    explorer = DensityBins()
    explorer.controls["shape"].value = CROWDS
    explorer.controls["bins"].value = 100
    caption, view = explorer.picture.tooltip, explorer.view()
    assert "A 50% guess becomes at most 73%" in caption
    assert f"Of {(view.counts == 0).sum()} empty bins noise fills {view.filled}." in caption
    assert f"With 100 bins the mean squared error is {view.here:.2g}; " in caption
    assert f"{view.risk.best} would be best." in caption
    assert "empty" not in DensityBins().picture.tooltip


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_errors_are_inside_the_frame(epsilon):
    explorer = DensityBins()
    explorer.controls["epsilon"].value = epsilon
    for n in (100.0, 100_000.0):
        explorer.controls["n"].value = n
        low, high = explorer.total.axes.get_ylim()
        assert low <= explorer.total.get_ydata().min() < explorer.total.get_ydata().max() < high
