"""The bars of the histogram of the privacy loss are its probabilities, and the red ones delta."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt

from dplab import RandomizedResponse
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.mechanisms.catastrophe import NameAndShame
from dplab.widgets import loss_histogram

matplotlib.use("agg")
LOSSES = {
    "normal": GaussianLoss(1.3),
    "Laplace": LaplaceLoss(0.7),
    "coin": RandomizedResponse(1).privacy_loss(1, 0),
    "two coins": RandomizedResponse(1).privacy_loss(1, 0)
    + RandomizedResponse(2).privacy_loss(0, 1),
    "name-and-shame": NameAndShame(0.05).privacy_loss(["a"], ["b"]),
}
each_loss = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
each_width = pytest.mark.parametrize("width", [0.5, 3, 40])


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def heights(axes, n):
    return np.array([bar.get_height() for bar in axes.containers[n]])


@each_loss
@each_width
def test_bars_are_all_of_the_law(loss, width):
    axes = loss_histogram(loss, width=width, other=True)
    bars = heights(axes, 0)
    assert np.isclose(bars.sum(), 1)
    assert (bars >= -1e-15).all()
    outline = axes.patches[-1].get_data().values
    assert np.isclose(outline.sum(), 1)


@each_loss
@each_width
@pytest.mark.parametrize("epsilon", [0, 0.3, 0.49])
def test_the_red_parts_are_delta(loss, width, epsilon):
    axes = loss_histogram(loss, width=width, epsilon=epsilon)
    bars, red = heights(axes, 0), heights(axes, 1)
    assert np.isclose(red.sum(), loss.delta(epsilon), atol=1e-12)
    assert (red <= bars + 1e-12).all()
    assert (red >= -1e-12).all()


def test_each_bar_is_the_probability_of_its_bin():
    loss = GaussianLoss(1)
    axes = loss_histogram(loss, width=3)
    edges = np.linspace(-3, 3, 62)
    above = loss.tails(edges)[0]
    assert np.allclose(heights(axes, 0)[1:-1], (above[:-1] - above[1:])[1:-1])


def test_infinity_is_said_where_it_is():
    shown = {
        name: [text.get_text() for text in loss_histogram(loss, width=3).texts]
        for name, loss in LOSSES.items()
    }
    assert shown.pop("name-and-shame") == ["∞"]
    assert not any(shown.values())


def test_draws_into_the_axes_that_are_given():
    axes = plt.subplots()[1]
    assert loss_histogram(LOSSES["coin"], width=2, axes=axes) is axes


@pytest.mark.parametrize(("name", "value"), [("width", 0), ("epsilon", 3), ("epsilon", -1)])
def test_bad_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        loss_histogram(LOSSES["coin"], **{"width": 3, name: value})
