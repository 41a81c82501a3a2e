import numpy as np
import pytest

from dplab.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from dplab.widgets import FlipOrExponential
from dplab.widgets.flip_or_exponential import EPSILONS, flip_view


def test_laws_are_those_of_the_mechanisms():
    view, scores = flip_view(epsilon=2.0, candidates=5, spacing=0.6), -0.6 * np.arange(5)
    pairs = ((PermuteAndFlip, view.two.flip), (ExponentialMechanism, view.two.exponential))
    for kind, law in pairs:
        mechanism = kind(range(5), lambda data: data, 1, 2.0)
        assert law == pytest.approx(mechanism.distribution(scores).probabilities)


@pytest.mark.parametrize(("candidates", "spacing"), [(2, 0.2), (8, 1.0), (20, 4.0)])
def test_ratio_falls_from_one_towards_one_half(candidates, spacing):
    gaps = flip_view(epsilon=1.0, candidates=candidates, spacing=spacing).gaps
    ratio = gaps[0] / gaps[1]
    assert (np.diff(ratio) <= 1e-12).all()
    assert 0.5 - 1e-9 <= ratio[-1] < ratio[0] < 1


def test_picture_shows_both_laws_and_both_gaps():
    explorer = FlipOrExponential()
    explorer.controls["candidates"].value = 3
    view = explorer.view()
    for bar, law in zip(explorer.bars, (view.two.flip, view.two.exponential), strict=True):
        assert [segment[1, 1] for segment in bar.get_segments()] == pytest.approx(law)
    flip, exponential = explorer.here.get_ydata()
    assert flip * view.blind == pytest.approx(view.two.flip_gap)
    assert exponential * view.blind == pytest.approx(view.two.exponential_gap)
    assert np.interp(1.0, EPSILONS, explorer.lines[0].get_ydata()) == pytest.approx(flip, abs=0.01)


def test_caption_names_the_ratio_and_the_promise():
    explorer = FlipOrExponential()
    for epsilon, guess in ((1.0, "73%"), (2.0, "88%")):
        explorer.controls["epsilon"].value = epsilon
        two = explorer.view().two
        ratio = two.flip_gap / two.exponential_gap
        assert f"gives up {ratio:.0%} of the score" in explorer.picture.tooltip
        assert f"a 50% guess becomes at most {guess}" in explorer.picture.tooltip


def test_every_candidate_is_inside_the_frame():
    explorer = FlipOrExponential()
    for candidates, epsilon in ((2, 10.0), (6, 0.1), (20, 0.1), (20, 10.0)):
        explorer.controls["candidates"].value = candidates
        explorer.controls["epsilon"].value = epsilon
        axes = explorer.bars[0].axes
        ends = np.concatenate([bar.get_segments() for bar in explorer.bars])
        assert axes.get_xlim()[0] < ends[..., 0].min() < ends[..., 0].max() < axes.get_xlim()[1]
        assert ends[..., 1].max() < axes.get_ylim()[1]
