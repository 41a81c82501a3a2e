"""What stays of a picture, drawn part by part, is what matplotlib draws in one go."""

import numpy as np
import pytest

from dplab import widgets
from dplab.widgets import style


@pytest.mark.slow
@pytest.mark.parametrize("name", widgets.EXPLORERS)
def test_layers_of_every_explorer_are_one_full_draw_to_the_byte(name):
    explorer = getattr(widgets, name)()
    layers = explorer.layers.draw().copy()
    with style.context():
        explorer.canvas.draw()  # without what moves
    assert (layers == np.asarray(explorer.canvas.buffer_rgba())).all()
