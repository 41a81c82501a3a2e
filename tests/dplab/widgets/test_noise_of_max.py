import numpy as np
import pytest

from dplab import ReportNoisyMax
from dplab.widgets import NoiseOfMax
from dplab.widgets.noise_of_max import APART, HALF, LEADS, NOISES, TOGETHER, max_view


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("apart", "half"), [(True, True), (False, True), (True, False)])
def test_what_is_spent_is_the_privacy_loss(noise, apart, half):
    view = max_view(lead=-4, m=3, epsilon=0.8, others_fall=apart, half=half)
    mechanism = ReportNoisyMax(range(3), np.array, 1, 0.8, monotone=half, noise=noise)
    for i in (0, view.now, 20):
        lead, fall = LEADS[i], -1 if apart else 0
        loss = mechanism.privacy_loss([lead + 1, fall, fall], [lead, 0, 0])
        assert view.losses(noise)[i] == pytest.approx(loss.largest_log_ratio)


@pytest.mark.parametrize(("apart", "spent"), [(False, 0.9977), (True, 1.9968)])
def test_the_notes_figures_for_laplace_noise_of_scale_one(apart, spent):
    """Three candidates, scale 1, a lead of -5 that becomes -4: .9977 and 1.9968."""
    after = 1 if apart else 0  # apart, scores (-5, 1, 1) against (-4, 0, 0)
    mechanism = ReportNoisyMax(range(3), np.array, 1, 1, monotone=True)
    loss = mechanism.privacy_loss([-5, after, after], [-4, 0, 0])
    assert loss.largest_log_ratio == pytest.approx(spent, abs=5e-5)
    view = max_view(lead=-5 - after, m=3, epsilon=1, others_fall=apart, half=True)
    assert view.losses("laplace")[view.now] == pytest.approx(spent, abs=5e-5)


def test_half_the_noise_holds_for_scores_that_move_together_only():
    explorer = NoiseOfMax()
    assert "A 50% guess becomes at most 73%, as promised." in explorer.picture.tooltip
    explorer.controls["scale"].value = HALF
    assert "A 50% guess becomes at most 88%, not at most 73%." in explorer.picture.tooltip
    explorer.controls["moves"].value = TOGETHER
    assert "A 50% guess becomes at most 73%, as promised." in explorer.picture.tooltip
    assert explorer.view().largest["exponential"] == pytest.approx(1)


def test_bars_and_lines_follow_the_view():
    explorer = NoiseOfMax()
    explorer.controls["moves"].value = APART
    explorer.controls["lead"].value = 2.0
    view = explorer.view()
    assert LEADS[view.now] == 2
    for i, noise in enumerate(NOISES):
        heights = [bar.get_height() for bar in explorer.bars[2 * i : 2 * i + 2]]
        expected = [
            np.exp(logs[noise][view.now, 0]) for logs in (view.logs_before, view.logs_after)
        ]
        assert heights == pytest.approx(expected)
        assert explorer.lines[noise].get_ydata() == pytest.approx(view.losses(noise))
    assert explorer.here.get_xdata() == [2, 2]


def test_caption_names_the_noise_with_the_best_chance():
    explorer = NoiseOfMax()
    for lead, noise in ((2.0, "exponential"), (-6.0, "Gumbel")):
        explorer.controls["lead"].value = lead
        view = explorer.view()
        chances = {noise: np.exp(logs[view.now, 0]) for noise, logs in view.logs_after.items()}
        assert max(chances, key=chances.get) == noise.lower()
        assert f"With {noise} noise the first wins most" in explorer.picture.tooltip


def test_curves_stay_inside_their_axis():
    explorer = NoiseOfMax()
    explorer.controls["scale"].value = HALF
    for epsilon in (0.2, 1.0, 2.0):
        explorer.controls["epsilon"].value = epsilon
        top = explorer.promise.axes.get_ylim()[1]
        assert max(line.get_ydata().max() for line in explorer.lines.values()) < 0.75 * top
