import numpy as np
import pytest

from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.widgets import GroupChain
from dplab.widgets.group_chain import COUNTS, SIZES, group_view


@pytest.mark.parametrize("k", [1, 7, 100])
def test_the_group_is_k_epsilon_away_as_the_library_says(k):
    view = group_view(epsilon=0.1, k=k, delta=1e-6)
    count = LaplaceMechanism(lambda data: data, sensitivity=1, epsilon=0.1)
    loss = count.privacy_loss(0.0, float(k)).largest_log_ratio
    assert view.group.epsilon == pytest.approx(loss)
    assert view.guess == pytest.approx(1 / (1 + np.exp(-loss)))
    assert np.abs(np.log(view.present / view.without)).max() == pytest.approx(loss)


def test_delta_grows_by_the_geometric_sum_and_stops_at_one():
    view = group_view(epsilon=1.0, k=5, delta=0.01)
    assert view.deltas[1] == pytest.approx(0.01 * (1 + np.e))
    assert view.group.delta == pytest.approx(0.85791, rel=1e-4)
    assert view.deltas[-1] == 1


def test_the_slider_moves_one_law_away_from_the_other():
    explorer = GroupChain()
    without, present = (line.get_ydata() for line in explorer.laws)
    assert COUNTS[np.argmax(present)] == pytest.approx(3)
    explorer.controls["k"].value = 50
    assert explorer.laws[0].get_ydata() == pytest.approx(without)
    assert COUNTS[np.argmax(explorer.laws[1].get_ydata())] == pytest.approx(50)
    assert explorer.here.get_xdata() == [50]
    said = "For a group of 50, ε = 0.1 becomes 5: a 50% guess becomes at most 99.3%."
    assert explorer.picture.tooltip == said


def test_at_one_over_epsilon_a_guess_is_73_percent():
    explorer = GroupChain()
    for epsilon, k in ((0.1, 10), (0.01, 100), (1.0, 1)):
        explorer.controls["epsilon"].value = epsilon
        assert explorer.limit.get_xdata()[0] == pytest.approx(k)
        guess = explorer.guesses.get_ydata()[k == SIZES][0]
        assert guess == pytest.approx(np.e / (1 + np.e))


def test_caption_writes_small_deltas_as_a_person_does():
    explorer = GroupChain()
    explorer.controls["k"].value = 10
    assert explorer.picture.tooltip.endswith("a 50% guess becomes at most 73%.")
    explorer.controls["delta"].value = 1e-6
    assert explorer.picture.tooltip.endswith("becomes at most 73%. δ = 10⁻⁶ becomes 1.6·10⁻⁵.")
    explorer.controls["epsilon"].value = 1.0
    assert explorer.picture.tooltip.endswith("δ = 10⁻⁶ becomes 0.013.")
    explorer.controls["k"].value = 100
    assert explorer.picture.tooltip.endswith("δ = 10⁻⁶ becomes 1, and protects nobody.")
    for name, value in {"epsilon": 0.016, "k": 60, "delta": 0.01}.items():
        explorer.controls[name].value = value
    assert explorer.picture.tooltip.endswith("δ = 0.01 becomes nearly 1.")


def test_delta_is_drawn_and_in_the_legend_only_where_one_is_promised():
    explorer = GroupChain()
    for delta, drawn in ((0.0, False), (0.01, True)):
        explorer.controls["delta"].value = delta
        assert explorer.deltas.get_visible() == drawn
        shown = [legend for legend in explorer.legends if legend.get_visible()]
        assert [len(legend.get_texts()) for legend in shown] == [1 + drawn]
