import numpy as np
import pytest

from dplab import ZCDP, ApproxDP
from dplab.accounting import advanced_composition, optimal_epsilon, simple_epsilon
from dplab.widgets import SquareRootOfK
from dplab.widgets.square_root_of_k import ALL, AXIS, LINES, ROWS, price_view
from tests.dplab.widgets.test_explorer import drawn_whole, pixels


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
    for epsilon in (0.01, 0.1, 0.4, 0.63):
        explorer.controls["epsilon"].value = epsilon
        (k,), (height,) = explorer.crossing.get_data()
        lines = dict(zip(LINES, explorer.lines, strict=True))
        for name in ("basic", "advanced"):
            x, y = np.log(lines[name].get_data())
            assert np.interp(np.log(k), x, y) == pytest.approx(np.log(height), abs=0.02)


@pytest.mark.parametrize("epsilon", [0.001, 0.63, 0.8])
def test_no_line_leaves_the_frame_above_or_below(epsilon):
    explorer = SquareRootOfK()
    explorer.controls["epsilon"].value = epsilon
    for line in explorer.lines:
        assert AXIS[0] < line.get_ydata().min() <= line.get_ydata().max() < AXIS[1]


def test_it_opens_with_three_bounds_and_shows_all_when_asked():
    explorer = SquareRootOfK()
    pictures, names, seen = [], [], []
    for shown, rows in ROWS.items():
        explorer.controls["shown"].value = shown
        pictures.append(explorer.picture.value)
        names.append([label.get_text() for label in explorer.right_ax.get_yticklabels()])
        for artists, count in ((explorer.lines, 6), (explorer.bars, 7), (explorer.figures, 7)):
            assert [x.get_visible() for x in artists] == [row in rows for row in range(count)]
        places = [explorer.figures[row].get_position()[1] for row in rows]
        assert places == list(range(len(rows)))
        middles = [explorer.bars[row].get_y() + explorer.bars[row].get_height() / 2 for row in rows]
        assert middles == pytest.approx(places)
        (key,) = [key for key in explorer.figure.legends if key.get_visible()]
        seen.append([text.get_text() for text in key.get_texts()])
    every = [name for name, *_ in LINES.values()]
    assert names == [["basic", "advanced", "optimal"], [*every, "Laplace noise's own"]]
    marks = ["your k", "advanced meets basic"]
    assert seen == [["basic", "advanced", "optimal", *marks], [*every, *marks]]
    explorer.controls["shown"].value = next(iter(ROWS))
    assert explorer.picture.value == pictures[0] != pictures[1]


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
    advanced, basic = explorer.view().bounds[[1, 0]]
    assert advanced > basic


def test_lines_reach_the_edge_of_the_picture():
    for epsilon in (0.001, 0.8):
        curves = price_view(epsilon=epsilon, k=1, delta=1e-6).curves
        assert curves.ks[-1] == 10_000


def test_a_smaller_delta_costs_more():
    explorer = SquareRootOfK()
    before = explorer.bars[-2].get_width()
    explorer.controls["digits"].value = 12
    assert explorer.bars[-2].get_width() > before


def test_the_other_legend_takes_the_place_of_the_first():
    explorer = SquareRootOfK()
    explorer.controls["shown"].value = ALL
    (key,) = [key for key in explorer.figure.legends if key.get_visible()]
    box = key.get_window_extent(explorer.canvas.get_renderer())
    shown = pixels(explorer)
    rows = slice(round(len(shown) - box.y1), round(len(shown) - box.y0))
    assert (abs(shown - drawn_whole(explorer))[rows].max(axis=-1) > 64).mean() < 0.001


def test_caption_has_the_numbers_of_the_bars():
    explorer = SquareRootOfK()
    assert explorer.picture.tooltip == (
        "100 releases cost ε = 10 by basic composition, and 4.77 by optimal composition. "
        "A 50% guess becomes at most 99.2%, apart from δ."
    )
    explorer.controls["shown"].value = ALL
    explorer.controls["k"].value = 1.0
    basic, optimal = (explorer.figures[row].get_text() for row in (0, 5))
    assert explorer.picture.tooltip.startswith(
        f"1 release costs ε = {basic} by basic composition, and {optimal} by optimal composition. "
    )
