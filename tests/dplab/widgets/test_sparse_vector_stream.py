import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab.attacks.sparse_vector import transcript_loss
from dplab.widgets import SparseVectorStream, style
from dplab.widgets.sparse_vector_stream import KINDS, LENGTHS, STREAM, mechanism, stream_view

RIGHT, *WRONG = KINDS


def view_of(kind, epsilon=1.0, count=2, seed=0):
    return stream_view(kind=kind, epsilon=epsilon, count=count, seed=seed)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("count", [1, 5])
def test_only_the_right_one_stays_within_its_promise(epsilon, count):
    assert view_of(RIGHT, epsilon, count).spent.max() <= epsilon * (1 + 1e-9)
    for kind in WRONG:
        assert transcript_loss(mechanism(kind, epsilon, count), 60, 1) > 1.01 * epsilon


def test_curve_is_what_the_attack_spends():
    curve = view_of("quiet threshold", count=3).spent
    assert curve[4] == transcript_loss(mechanism("quiet threshold", 1.0, 3), int(LENGTHS[4]), 3)
    assert (np.diff(curve) > 0).all()


def test_the_same_noise_scaled_for_every_variant():
    right, unlimited = view_of(RIGHT, count=1), view_of("no limit on “above”", count=1)
    assert right.bar == unlimited.bar
    assert (right.noisy - STREAM) == pytest.approx(2 * (unlimited.noisy - STREAM))


def test_replies_compare_noisy_answers_with_the_noisy_threshold():
    view = view_of(RIGHT, count=1)
    asked = view.noisy[: len(view.replies)]
    assert ((asked >= view.bar) == view.is_above).all()
    assert view.is_above[-1]
    assert view.is_above.sum() == 1


def test_picture_follows_the_variant():
    explorer = SparseVectorStream()
    assert to_hex(explorer.curve.get_color()) == to_hex(style.GREEN)
    assert "As it should be, stopping after 2 “above”: the" in explorer.picture.tooltip
    assert "costs ε = 1, as promised. A 50% guess becomes at most 73%." in explorer.picture.tooltip
    assert not explorer.note.get_text()
    explorer.controls["kind"].value = "noise not scaled by count"
    assert to_hex(explorer.curve.get_color()) == to_hex(style.RED)
    assert explorer.curve.get_ydata() == pytest.approx(explorer.view().spent)
    assert explorer.note.get_text() == "more than it promised"
    price = f"costs ε = {explorer.view().spent[-1]:.2g}, not the promised 1."
    assert price in explorer.picture.tooltip
    explorer.controls["kind"].value = "quiet answers"
    assert len(explorer.curve.get_xdata()) == 0
    assert explorer.note.get_text().startswith("infinite")
    assert "costs no finite ε, not the promised 1." in explorer.picture.tooltip
    assert "all but certain" in explorer.picture.tooltip


def test_every_answer_is_in_the_picture_and_every_price_in_the_frame():
    explorer = SparseVectorStream()
    for kind in KINDS:
        for count in (1, 5):
            explorer.controls["kind"].value = kind
            explorer.controls["count"].value = count
            answers = len(explorer.view().replies)
            assert sum(len(dots.get_xdata()) for dots in explorer.dots) == answers
            prices = [0.0, *explorer.curve.get_ydata()]
            assert max(prices) < explorer.curve.axes.get_ylim()[1]


def test_new_noise_is_new_and_its_price_the_same():
    explorer = SparseVectorStream()
    before, price = explorer.view().noisy, explorer.curve.get_ydata()
    explorer.controls["seed"].click()
    assert (explorer.view().noisy != before).all()
    assert (explorer.curve.get_ydata() == price).all()
