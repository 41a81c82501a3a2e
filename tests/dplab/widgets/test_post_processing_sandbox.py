import numpy as np
import pytest

from dplab import GeometricMechanism
from dplab.widgets import PostProcessingSandbox
from dplab.widgets.post_processing_sandbox import (
    CLAMP,
    COUNTS,
    EPSILONS,
    LIE,
    MERGE,
    NEIGHBOURS,
    RANDOM,
    channel_of,
    sandbox_view,
)

KINDS = [MERGE, CLAMP, LIE, RANDOM]
SOMETHING = np.random.default_rng(1).dirichlet(np.ones(len(COUNTS)), len(COUNTS))


@pytest.mark.parametrize("kind", KINDS)
def test_at_strength_0_nothing_happens(kind):
    assert channel_of(kind, 0.0, SOMETHING).matrix == pytest.approx(np.eye(len(COUNTS)))


@pytest.mark.parametrize("kind", [MERGE, CLAMP, LIE])
def test_at_strength_1_nothing_is_said(kind):
    after = sandbox_view(epsilon=1.0, channel=channel_of(kind, 1.0, SOMETHING)).output_loss
    assert after.largest_log_ratio == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strength", [0.1, 0.35, 0.7, 1.0])
def test_no_curve_rises(kind, strength):
    view = sandbox_view(epsilon=1.3, channel=channel_of(kind, strength, SOMETHING))
    before, after = view.deltas(EPSILONS)
    assert (after <= before + 1e-12).all()
    assert view.holds()


def test_the_laws_are_the_mechanisms():
    view = sandbox_view(epsilon=0.8, channel=channel_of(LIE, 0.5, SOMETHING))
    count = GeometricMechanism(sum, 1, 0.8).clamp(COUNTS[0], COUNTS[-1])
    for law, truth in zip((view.p, view.q), NEIGHBOURS, strict=True):
        expected = count.distribution([1] * truth)
        assert law.log_densities(COUNTS) == pytest.approx(expected.log_densities(COUNTS))


def test_clamping_moves_the_ends_inward():
    channel = channel_of(CLAMP, 0.3, SOMETHING)
    assert np.nonzero(channel.matrix.sum(axis=0))[0].tolist() == list(range(2, 10))


def test_picture_shows_the_laws_before_and_after_and_both_curves():
    explorer = PostProcessingSandbox()
    explorer.controls["kind"].value = MERGE
    explorer.controls["strength"].value = 0.3  # fours
    before, after = (pair[0].get_data().values for pair in explorer.bars)
    assert after[::4] == pytest.approx(before.reshape(3, 4).sum(axis=1))
    assert after.sum() == pytest.approx(after[::4].sum())
    dashed, solid = (curve.get_ydata() for curve in explorer.curves)
    assert (solid <= dashed + 1e-12).all()
    assert (solid < dashed).any()


def test_pairs_that_part_the_neighbours_keep_all_that_can_be_told():
    """The log ratio is constant on either side of the two counts: only the side matters."""
    view = sandbox_view(epsilon=1.0, channel=channel_of(MERGE, 0.1, SOMETHING))
    before, after = view.deltas(EPSILONS)
    assert len(set(view.channel.matrix.argmax(axis=1))) == 6
    assert after == pytest.approx(before)


def test_another_matrix_changes_what_comes_out_and_not_what_went_in():
    explorer = PostProcessingSandbox()
    before, after = (pair[0].get_data().values.copy() for pair in explorer.bars)
    explorer.controls["again"].click()
    assert explorer.bars[0][0].get_data().values == pytest.approx(before)
    assert abs(explorer.bars[1][0].get_data().values - after).max() > 0.01


def test_caption_says_what_both_sides_tell():
    explorer = PostProcessingSandbox()
    explorer.controls["kind"].value = LIE
    explorer.controls["strength"].value = 1.0
    assert explorer.picture.tooltip == (
        "A 50% guess becomes at most 73% before the channel, and at most 50% after it. "
        "The curve of the excess now begins at 0.00, below 0.46."
    )
    explorer.controls["kind"].value = MERGE
    explorer.controls["strength"].value = 0.1  # pairs
    assert explorer.picture.tooltip == (
        "A 50% guess becomes at most 73%, before the channel and after it. "
        "The curve of the excess now begins as before."
    )
    assert explorer.view().input_loss.delta(0) == pytest.approx(0.46, abs=0.005)
