"""What stays of a picture, drawn part by part, is what matplotlib draws in one go."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dplab import widgets
from dplab.widgets import style
from dplab.widgets.layers import MAX_IMAGES, Layers


def full_draw(canvas):
    with style.context():
        canvas.draw()
    return np.asarray(canvas.buffer_rgba()).copy()


@pytest.mark.parametrize(
    "change",
    [
        lambda axes: axes.set_xlim(0, 5),
        lambda axes: axes.set_ylim(0, 5),
        lambda axes: axes.set_position([0.2, 0.2, 0.2, 0.5]),
        lambda axes: axes.set_visible(False),
    ],
)
def test_what_changes_is_drawn_anew_and_what_changes_back_is_as_it_was(change):
    canvas = FigureCanvasAgg(Figure())
    one, _ = canvas.figure.subplots(1, 2)
    canvas.figure.legend(one.plot([0, 1], [0, 1]), ["a line"])
    layers, place = Layers(canvas), one.get_position()
    first = layers.draw().copy()
    assert (first == full_draw(canvas)).all()
    change(one)
    second = layers.draw().copy()
    assert (second == full_draw(canvas)).all()
    assert (second != first).any()
    one.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), position=place, visible=True)
    assert (layers.draw() == first).all()


def test_more_than_are_kept_are_drawn_as_well():
    canvas = FigureCanvasAgg(Figure(figsize=(4, 2)))
    axes, layers = canvas.figure.subplots(), Layers(canvas)
    for most in range(1, MAX_IMAGES + 3):
        axes.set_xlim(0, most)
        found = layers.draw().copy()
        assert (found == full_draw(canvas)).all()
        assert len(layers._images) <= MAX_IMAGES


@pytest.mark.parametrize("name", widgets.EXPLORERS)
def test_layers_of_every_explorer_are_one_full_draw_to_the_byte(name):
    explorer = getattr(widgets, name)()
    layers = explorer.layers.draw().copy()
    assert (layers == full_draw(explorer.canvas)).all()  # without what moves
