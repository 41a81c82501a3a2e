import numpy as np
import pytest

from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, sensitivity
from dplab.widgets import HistogramBins
from dplab.widgets.histogram_bins import REMOVED, VISITS, bins_view, day

NOISE = np.linspace(-2, 2, 48)


def view_of(bins, width, neighbors, epsilon=0.5):
    return bins_view(NOISE, epsilon=epsilon, bins=bins, width=width, neighbors=neighbors)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_the_sensitivity_is_that_of_brute_force(width, relation):
    """Windows around a clock of 12 slots, two people."""

    def counts(slots):
        return [sum((s - j) % 12 < width for s in slots) for j in range(12)]

    expected = sensitivity(counts, relation, range(12), 2)
    assert view_of(12, width, relation).sensitivity == expected


@pytest.mark.parametrize("bins", [12, 24, 36, 48])
def test_disjoint_bins_cost_the_same_however_many(bins):
    assert view_of(bins, 1, REPLACE_ONE).scale == pytest.approx(2 / 0.5)
    assert view_of(bins, 1, ADD_REMOVE).scale == pytest.approx(1 / 0.5)
    assert view_of(bins, 1, REPLACE_ONE).scale_of_shares == pytest.approx(bins / 0.5)


@pytest.mark.parametrize("width", [1, 4])
def test_each_visit_is_counted_in_as_many_bins_as_a_bin_has_slots(width):
    view = view_of(24, width, REPLACE_ONE)
    assert view.counts.sum() == width * day(24).sum()
    assert view.counts[3] == day(24)[3 : 3 + width].sum()
    assert abs(day(24).sum() - VISITS) < 24


def test_picture_shows_the_move_and_a_release():
    explorer = HistogramBins()
    assert explorer.moves.get_data().values.tolist().count(0) == 22
    assert explorer.total.get_text() == "moves add up to 2"
    explorer.controls["width"].value = 3
    explorer.controls["relation"].value = REMOVED
    assert explorer.moves.get_data().values.sum() == -3
    middles, noisy = explorer.noisy.get_data()
    assert middles == pytest.approx(np.arange(24) + 0.5)
    counts = explorer.counts.get_data().values
    assert noisy - counts == pytest.approx(3 / 0.5 * explorer.unit_noise[:24])
    lengths = [np.ptp(segment[:, 1]) for segment in explorer.noise.get_segments()]
    assert lengths == pytest.approx([2 * 2**0.5 * 3 / 0.5] * 24)


def test_new_noise_changes_the_release_and_not_the_counts():
    explorer = HistogramBins()
    counts, noisy = explorer.counts.get_data().values, explorer.noisy.get_ydata().copy()
    explorer.controls["again"].click()
    assert explorer.counts.get_data().values == pytest.approx(counts)
    assert (explorer.noisy.get_ydata() != noisy).all()


def test_counts_stay_inside_the_axis():
    explorer = HistogramBins()
    for bins in (12, 48):
        for width in (1, 6):
            explorer.controls["bins"].value = bins
            explorer.controls["width"].value = width
            top = explorer.counts.axes.get_ylim()[1]
            assert 1.3 * explorer.counts.get_data().values.max() < top


def test_caption_says_scale_and_guess():
    explorer = HistogramBins()
    assert explorer.picture.tooltip == (
        "Each count gets noise of scale 4; separate counts would need scale 48. "
        "A 50% guess becomes at most 62%."
    )
    explorer.controls["width"].value = 3
    assert "noise of scale 12; separate counts would need scale 48." in explorer.picture.tooltip
