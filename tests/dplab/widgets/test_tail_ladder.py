import numpy as np
import pytest

from dplab.accounting import simple_epsilon
from dplab.guarantees import ZCDP
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.theorems.loss_tails import loss_tails
from dplab.widgets import TailLadder
from dplab.widgets.loss_view import COIN, LAPLACE, SHAME, STRENGTHS
from dplab.widgets.tail_ladder import (
    ALL,
    EPSILON_RANGE,
    NAMES,
    ROWS,
    THRESHOLDS,
    LadderView,
    _write_short,
)


@pytest.mark.parametrize("delta", [0.1, 1e-4, 1e-9])
@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(0.8)])
def test_no_bound_allows_to_promise_less_than_the_truth(loss, delta):
    *bounds, tail, true = LadderView(loss_tails(loss), delta).epsilons
    assert true <= tail <= min(bounds) + 1e-9
    assert loss.delta(true) <= delta * (1 + 1e-9)
    assert loss.tails(tail)[0] <= delta


def test_tail_epsilon_at_the_ends():
    tails = loss_tails(GaussianLoss(0.01))
    assert LadderView(tails, 0.9).tail_epsilon == 0
    assert LadderView(tails, 0.1).tail_epsilon == pytest.approx(0.01 * 1.2816 + 0.00005, abs=1e-6)


def with_all_bounds():
    explorer = TailLadder()
    explorer.controls["shown"].value = ALL
    return explorer


def test_it_opens_with_three_bounds_and_shows_all_when_asked():
    explorer = TailLadder()
    names, seen = [], []
    for shown in ROWS:
        explorer.controls["shown"].value = shown
        labels = explorer.right_ax.get_yticklabels()
        names.append([label.get_text() for label in labels])
        places = [label.get_position()[1] for label in labels]
        assert places == [explorer.numbers[row].get_position()[1] for row in ROWS[shown]]
        assert places == [explorer.ends[row].get_ydata()[0] for row in ROWS[shown]]
        for artists in (explorer.lines, explorer.bars, explorer.crossings, explorer.numbers):
            seen.append([artist.get_visible() for artist in artists])
    assert names == [["Markov", "moment k", "the whole law"], list(NAMES)]
    assert seen == [[row in (0, 2, 6) for row in range(7)]] * 4 + [[True] * 7] * 4


def test_another_alpha_shows_what_it_moves():
    explorer = TailLadder()
    explorer.controls["alpha"].value = 5.0
    assert explorer.value("shown") == ALL
    assert explorer.lines[3].get_visible()


def test_lines_are_the_bounds_and_bars_where_they_cross_delta():
    explorer = with_all_bounds()
    view = explorer.view()
    for line, bar in zip(explorer.lines, explorer.bars, strict=True):
        epsilon = bar.get_xdata()[1]
        if epsilon < THRESHOLDS[-1]:
            height = np.exp(np.interp(epsilon, THRESHOLDS, np.log(line.get_ydata())))
            assert height == pytest.approx(1e-6, rel=0.1)
    for crossing, end, epsilon in zip(
        explorer.crossings, explorer.ends, view.epsilons, strict=True
    ):
        assert crossing.get_marker() == end.get_marker()
        assert crossing.get_xdata()[0] == end.get_xdata()[0] == epsilon
    assert view.epsilons[4] == pytest.approx(simple_epsilon(ZCDP(0.5), delta=1e-6))
    assert [text.get_text() for text in explorer.numbers] == [
        "896,000", "1,000", "46.2", "6.61", "5.76", "5.25", "4.89",
    ]  # fmt: skip


def test_a_higher_moment_is_a_steeper_line():
    explorer = TailLadder()
    slopes = []
    for k in (2, 6):
        explorer.controls["k"].value = k
        heights = np.log(explorer.lines[2].get_ydata())
        far = (THRESHOLDS > 20) & (heights > np.log(1e-11))
        slopes.append(np.polyfit(np.log(THRESHOLDS[far]), heights[far], 1)[0])
    assert slopes == pytest.approx([-2, -6])


def test_figures_beside_bars_have_no_exponents():
    assert [_write_short(epsilon) for epsilon in (1.6e8, 9.96e7, 2.4e9)] == [
        "160 million", "100 million", "2.4 billion",
    ]  # fmt: skip


def test_the_caption_follows_every_control():
    explorer = TailLadder()
    before = {explorer.picture.tooltip}
    for name, value in (
        ("mechanism", LAPLACE), ("strength", 2.0), ("k", 7), ("alpha", 10.0), ("digits", 3),
    ):  # fmt: skip
        explorer.controls[name].value = value
        before.add(explorer.picture.tooltip)
    assert len(before) == 6
    assert explorer.controls["strength"].description == STRENGTHS[LAPLACE]
    assert explorer.value("shown") == ALL  # alpha was moved
    assert explorer.picture.tooltip == (
        "At this δ the mean of |Z| alone gives ε = 1,600, moment k 5.03, Rényi α 2.7, "
        "and the whole law gives 2."
    )


def test_the_caption_has_the_numbers_of_the_picture():
    explorer = with_all_bounds()
    markov, _, moment, renyi, *_, true = (text.get_text() for text in explorer.numbers)
    assert explorer.picture.tooltip == (
        f"At this δ the mean of |Z| alone gives ε = {markov}, moment k {moment}, Rényi α {renyi}, "
        f"and the whole law gives {true}."
    )
    assert markov == "896,000"


def test_randomized_response_needs_no_more_than_its_epsilon():
    explorer = with_all_bounds()
    explorer.controls["mechanism"].value = COIN
    assert [text.get_text() for text in explorer.numbers[-2:]] == ["1", "1"]


def test_a_catastrophe_has_no_epsilon():
    explorer = with_all_bounds()
    explorer.controls["mechanism"].value = SHAME
    assert {text.get_text() for text in explorer.numbers} == {"none"}
    assert all(bar.get_xdata()[1] > EPSILON_RANGE[1] for bar in explorer.bars)
    assert "a 50% guess becomes 100%" in explorer.picture.tooltip
    explorer.controls["digits"].value = 1
    assert explorer.picture.tooltip == "No moment exists. The whole law gives ε = 0 at this δ."
