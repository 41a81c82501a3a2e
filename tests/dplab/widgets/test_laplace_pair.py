import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab import LaplaceMechanism
from dplab.widgets import LaplacePair, style
from dplab.widgets.laplace_pair import OUTPUTS, pair_view


@pytest.mark.parametrize("distance", [0.5, 1.0, 2.0])
def test_largest_log_ratio_is_the_librarys(distance):
    view = pair_view(epsilon=0.8, sensitivity=1.0, distance=distance)
    mechanism = LaplaceMechanism(lambda data: data, sensitivity=1.0, epsilon=0.8)
    expected = mechanism.privacy_loss(0.0, distance).largest_log_ratio
    assert view.largest == pytest.approx(expected)
    assert abs(view.log_ratio).max() == pytest.approx(expected)
    assert view.private == (distance <= 1.0)


def test_loss_is_flat_outside_the_two_answers_and_a_line_between():
    loss = pair_view(epsilon=1.0, sensitivity=1.0, distance=1.0).log_ratio
    assert loss[OUTPUTS <= 0] == pytest.approx(1.0)
    assert loss[OUTPUTS >= 1] == pytest.approx(-1.0)
    between = (OUTPUTS > 0) & (OUTPUTS < 1)
    assert loss[between] == pytest.approx(1 - 2 * OUTPUTS[between])


def test_picture_shows_both_densities_and_their_ratio():
    explorer = LaplacePair()
    explorer.controls["distance"].value = 2.0
    p, q = (line.get_ydata() for line in explorer.densities)
    assert explorer.ratio.get_ydata() == pytest.approx(np.log(p / q))
    assert OUTPUTS[q.argmax()] == pytest.approx(2.0)
    assert p.sum() * np.diff(OUTPUTS)[0] == pytest.approx(1, abs=0.01)


def test_a_distance_beyond_the_sensitivity_breaks_the_promise_in_red():
    explorer = LaplacePair()
    assert to_hex(explorer.ratio.get_color()) == to_hex(style.GREEN)
    explorer.controls["distance"].value = 2.0
    assert to_hex(explorer.ratio.get_color()) == to_hex(style.RED)
    told = "The log ratio reaches 2, and ε = 1 was promised: the promise is broken. "
    assert told in explorer.picture.tooltip


def test_a_guess_that_is_nearly_sure_is_not_called_100_percent():
    explorer = LaplacePair()
    assert explorer.picture.tooltip.endswith("A 50% guess becomes at most 73%.")
    explorer.controls["sensitivity"].value = 0.5
    explorer.controls["distance"].value = 4.0
    assert explorer.picture.tooltip.endswith("A 50% guess becomes at most 99.97%.")


def test_less_epsilon_buys_more_noise_and_keeps_the_promise():
    explorer = LaplacePair()
    explorer.controls["epsilon"].value = 0.5
    assert explorer.densities[0].get_ydata().max() == pytest.approx(0.25)
    assert [line.get_ydata()[0] for line in explorer.promise] == [0.5, -0.5]
    assert "the promise holds" in explorer.picture.tooltip


def test_densities_stay_inside_their_axis():
    explorer = LaplacePair()
    assert explorer.ratio.axes.get_ylim()[1] < 2 * explorer.ratio.get_ydata().max()
    for epsilon in (0.1, 0.5, 1.5, 2.0):
        for sensitivity in (0.5, 4.0):
            explorer.controls["epsilon"].value = epsilon
            explorer.controls["sensitivity"].value = sensitivity
            explorer.controls["distance"].value = 4.0
            assert explorer.ratio.get_ydata().max() < explorer.ratio.axes.get_ylim()[1]
            note = explorer.note.get_window_extent(explorer.canvas.get_renderer())
            assert note.y1 < explorer.note.axes.bbox.y1
            top = explorer.densities[0].axes.get_ylim()[1]
            assert explorer.densities[0].get_ydata().max() < top
