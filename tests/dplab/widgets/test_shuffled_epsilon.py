import numpy as np
import pytest

from dplab.local.shuffling import clones_epsilon, shuffled_loss
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.widgets import ShuffledEpsilon
from dplab.widgets.shuffled_epsilon import SIZES, shuffle_view


@pytest.mark.parametrize(("epsilon", "n", "exponent"), [(0.5, 10, 5), (2.0, 1000, 9)])
def test_what_is_shown_is_the_library_s(epsilon, n, exponent):
    view, delta = shuffle_view(epsilon, n, exponent), 10.0**-exponent
    loss = shuffled_loss(epsilon, ones=n - 1, zeros=0)  # the same by symmetry, turned round
    exact = max(loss.epsilon(delta), loss.reverse().epsilon(delta))
    assert view.here == pytest.approx((exact, clones_epsilon(epsilon, n, delta=delta)))
    place = SIZES.index(n)
    assert (view.exact[place], view.clones[place]) == pytest.approx(view.here)
    assert (view.exact <= view.clones).all()
    assert (view.clones <= epsilon * (1 + 1e-9)).all()
    lie = RandomizedResponse(epsilon).lie_probability
    assert view.counts @ view.with_zero == pytest.approx(n * lie)
    assert view.counts @ view.with_one == pytest.approx((n - 2) * lie + 1)


def test_picture_follows_the_controls():
    explorer = ShuffledEpsilon()
    for name, value in (("n", 1000), ("epsilon", 2.0), ("exponent", 9)):
        before = explorer.picture.value
        explorer.controls[name].value = value
        assert explorer.picture.value != before
    view = explorer.view()
    assert explorer.exact.get_ydata() == pytest.approx(view.exact)
    assert explorer.clones.get_ydata() == pytest.approx(view.clones)
    assert list(explorer.dots.get_ydata()) == pytest.approx(view.here)
    assert set(explorer.dots.get_xdata()) == set(explorer.rule.get_xdata()) == {1000}
    assert set(explorer.alone.get_ydata()) == {2.0}
    low, high = explorer.left_ax.get_xlim()
    for line, law in ((explorer.zero, view.with_zero), (explorer.one, view.with_one)):
        assert low <= line.get_xdata().min() < line.get_xdata().max() <= high
        shown = dict(zip(view.counts, law, strict=True))
        assert line.get_ydata() == pytest.approx([shown[x] for x in line.get_xdata()])
        assert line.get_ydata().max() > 0.9 * law.max()


def test_curves_stay_in_their_frame():
    explorer = ShuffledEpsilon()
    axes = explorer.exact.axes
    for epsilon in (0.1, 4.0):
        for exponent in (5, 12):
            explorer.controls["epsilon"].value = epsilon
            explorer.controls["exponent"].value = exponent
            shown = np.concatenate([explorer.exact.get_ydata(), explorer.clones.get_ydata()])
            assert axes.get_ylim()[0] < shown.min() < shown.max() < axes.get_ylim()[1]


def test_caption_says_what_becomes_of_a_guess_and_follows_each_control():
    explorer = ShuffledEpsilon()
    exact, clones = explorer.view().here
    assert explorer.picture.tooltip == (
        "Alone, your answer turns a 50% guess into at most 73%; shuffled among 100 bits, "
        f"{1 / (1 + np.exp(-exact)):.0%}. Clones promise ε = {clones:.2g}."
    )
    for name, value in (("n", 130), ("epsilon", 1.3), ("exponent", 7)):
        before = explorer.picture.tooltip
        explorer.controls[name].value = value
        assert explorer.picture.tooltip != before
