import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab.discrete import DiscreteLaplace
from dplab.widgets import SmokingToggle, style
from dplab.widgets.smoking_toggle import (
    BINS,
    CLEAN,
    IN,
    OUT,
    counts_of,
    published_risks,
    smoking_view,
)


def test_counts_are_the_shares_and_his_record_is_one_of_them():
    assert counts_of(1000, with_him=False).tolist() == [[686, 14], [240, 60]]
    assert (counts_of(1000, with_him=True) - counts_of(1000, with_him=False)).sum() == 1


def test_smoking_matters_and_taking_part_does_not():
    view = smoking_view(n=10_000, epsilon=1.0)
    assert view.prior == pytest.approx(0.074)
    assert view.exact == pytest.approx([0.2, 0.2, 0.02], abs=5e-4)
    assert (view.shifts < 1 / 3000).all()
    assert ((view.low < view.exact) & (view.exact < view.high)).all()


def test_draws_are_of_the_discrete_laplace_law():
    """Counts 600 and 600 with noise of scale 20: the spread of the risk by the law's variance."""
    risks = published_risks(np.full((2, 2), 600), 1, epsilon=0.1)
    variance = float(DiscreteLaplace(0, 20).variance)
    assert risks.std() == pytest.approx((variance / 8) ** 0.5 / 600, rel=0.05)


def test_no_bin_breaks_the_promise():
    """20,000 common draws a bin: the worst log ratio of well-filled bins is below epsilon."""
    view = smoking_view(n=100, epsilon=1.0)
    filled = (view.with_him > 0.01) & (view.without > 0.01)
    assert abs(np.log(view.with_him[filled] / view.without[filled])).max() < 1.0


def test_a_record_moves_the_figure_that_it_would_be_in():
    """3 of 30 that are ill become 7 of 31, 1 of 70 becomes 2 of 71."""
    view = smoking_view(n=100, epsilon=1.0)
    assert view.shifts == pytest.approx([7 / 31 - 6 / 30] * 2 + [2 / 71 - 1 / 70])
    explorer = SmokingToggle()
    explorer.controls["n"].value = 100.0
    assert "; his record moves it by 3 points." in explorer.picture.tooltip
    explorer.controls["who"].value = CLEAN
    assert "; his record would move it by 1 point." in explorer.picture.tooltip


def test_the_toggle_chooses_who_is_shown_in_blue():
    explorer = SmokingToggle()
    for row, who in enumerate((IN, OUT, CLEAN)):
        explorer.controls["who"].value = who
        colours = [to_hex(dot.get_color()) for dot in explorer.dots]
        assert [c == to_hex(style.BLUE) for c in colours] == [i == row for i in range(3)]
    assert "that Mr. S falls ill goes from 7.4% to 1.8%;" in explorer.picture.tooltip


def test_fewer_people_and_less_epsilon_blur():
    explorer = SmokingToggle()
    width = np.ptp(explorer.spans[0].get_xdata())
    explorer.controls["epsilon"].value = 0.1
    assert np.ptp(explorer.spans[0].get_xdata()) > 3 * width
    assert "A 50% guess about the record becomes at most 52.5%" in explorer.picture.tooltip


def test_all_draws_and_bands_are_in_the_picture():
    explorer = SmokingToggle()
    explorer.controls["n"].value, explorer.controls["epsilon"].value = 100.0, 0.1
    assert explorer.view().with_him.sum() == pytest.approx(1)
    for n, epsilon in ((100.0, 0.1), (320.0, 1.0), (100.0, 1.0)):
        explorer.controls["n"].value, explorer.controls["epsilon"].value = n, epsilon
        ends = {axes.get_xlim()[1] for axes in explorer.both_axes}
        assert ends == {0.4 if n == 320 else 1 if epsilon < 1 else 0.7}
        assert explorer.view().high.max() <= max(ends)
        hidden = BINS[1:] > max(ends) + 1e-9
        assert explorer.view().with_him[hidden].sum() < 1e-3
