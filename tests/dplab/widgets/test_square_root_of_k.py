import numpy as np
import pytest

from dplab import ZCDP, ApproxDP
from dplab.accounting import advanced_composition, optimal_epsilon, simple_epsilon
from dplab.widgets import SquareRootOfK
from dplab.widgets.square_root_of_k import AXIS_TOP, LINES, MAX_EPSILON, price_view


def test_the_figures_at_one_k_are_the_librarys():
    basic, advanced, simple, _, _, optimal, own = price_view(epsilon=0.1, k=100, delta=1e-6).bounds
    assert basic == pytest.approx(10)
    assert advanced == advanced_composition(ApproxDP(0.1, 0), 100, delta=1e-6).epsilon
    assert simple == pytest.approx(simple_epsilon(ZCDP(0.5), delta=1e-6))
    assert optimal == optimal_epsilon(ApproxDP(0.1, 0), 100, delta=1e-6)
    assert own == pytest.approx(4.693, abs=1e-3)


def test_bars_and_marker_follow_k():
    explorer = SquareRootOfK()
    explorer.controls["k"].value = 1000.0
    assert list(explorer.marker.get_xdata()) == [1000, 1000]
    widths = [bar.get_width() for bar in explorer.bars]
    assert widths[0] == 1
    assert widths[-2] == pytest.approx(19.3447 / 100, rel=1e-4)
    assert explorer.figures[-2].get_text() == "19.3"


def test_a_bar_that_leaves_the_picture_says_so():
    explorer = SquareRootOfK()
    explorer.controls["k"].value = 1.0
    assert explorer.figures[1].get_text() == "0.536 →"
    assert explorer.bars[1].get_width() == pytest.approx(1.12)


def test_the_circle_sits_where_the_two_lines_cross():
    explorer = SquareRootOfK()
    for epsilon in (0.01, 0.1, 0.4):  # at 0.5 it is on the frame
        explorer.controls["epsilon"].value = epsilon
        (k,), (height,) = explorer.crossing.get_data()
        lines = dict(zip(LINES, explorer.lines, strict=True))
        for name in ("basic", "advanced"):
            x, y = np.log(lines[name].get_data())
            assert np.interp(np.log(k), x, y) == pytest.approx(np.log(height), abs=0.02)


@pytest.mark.parametrize(("epsilon", "said"), [(0.4, "(circle)"), (0.63, "(circle, on the frame)")])
def test_the_circle_is_where_the_caption_sends_one(epsilon, said):
    explorer = SquareRootOfK()
    explorer.controls["epsilon"].value = epsilon
    assert said in explorer.picture.tooltip
    assert (explorer.crossing.get_ydata()[0] == AXIS_TOP) == ("frame" in said)


def test_what_grows_like_a_root_is_level_and_what_is_added_up_is_not():
    explorer = SquareRootOfK()
    lines = dict(zip(LINES, explorer.lines, strict=True))
    heights = {name: np.interp([100, 400], *lines[name].get_data()) for name in LINES}
    assert heights["basic"][1] / heights["basic"][0] == pytest.approx(2, rel=0.03)
    for name in LINES:
        if name != "basic":
            assert heights[name][1] < 1.25 * heights[name][0]
    assert heights["optimal"][0] == pytest.approx(4.77, abs=0.02)


def test_from_ln_2_on_there_is_no_circle():
    explorer = SquareRootOfK()
    explorer.controls["epsilon"].value = 0.8
    assert np.isnan(explorer.crossing.get_xdata()).all()
    assert "Advanced composition never undercuts basic" in explorer.picture.tooltip
    assert "50% guess" in explorer.picture.tooltip


def test_lines_reach_the_edge_of_the_picture():
    for epsilon in (0.001, 0.8):
        curves = price_view(epsilon=epsilon, k=1, delta=1e-6).curves
        assert curves.ks[-1] == 10_000 or curves.optimal[-1] > MAX_EPSILON / 3


def test_a_smaller_delta_costs_more():
    explorer = SquareRootOfK()
    before = explorer.bars[-2].get_width()
    explorer.controls["digits"].value = 12
    assert explorer.bars[-2].get_width() > before
    assert "δ = 10^−12" in explorer.picture.tooltip
