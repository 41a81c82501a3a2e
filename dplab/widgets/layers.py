"""What stays of a picture when its explorer moves: axes, ticks, legends, each drawn on its own.

Laying out text is what makes drawing slow, and where one axis gets another range the other axes
are as they were. So each is drawn once for each range and place of its own, on the bare ground.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg

from dplab.widgets import style

KEPT = 16  # of 3 MB each


class Layers:
    """What a figure shows when nothing moves, on white ground; its axes stand beside each other."""

    def __init__(self, canvas: FigureCanvasAgg):
        self._canvas = canvas
        self._kept: dict[tuple, np.ndarray] = {}

    def draw(self) -> np.ndarray:
        """Draw them on the canvas, and return its pixels, of shape (height, width, 4)."""
        layers = [self._layer(part, state) for part, state in self._parts()]
        pixels = np.asarray(self._canvas.buffer_rgba())
        pixels[...] = layers[0]
        for layer in layers[1:]:  # ink is darker than the ground
            np.minimum(pixels, layer, out=pixels)
        return pixels

    def _parts(self) -> Iterator[tuple[Artist, tuple]]:
        """What is drawn on its own, and all that it depends on."""
        figure = self._canvas.figure
        for legend in figure.legends:
            yield legend, ()
        for axes in filter(Artist.get_visible, figure.axes):
            yield axes, (*axes.bbox.bounds, *axes.get_xlim(), *axes.get_ylim())

    def _layer(self, part: Artist, state: tuple) -> np.ndarray:
        if (part, state) not in self._kept:
            if len(self._kept) == KEPT:
                self._kept.clear()
            renderer = self._canvas.get_renderer()
            with style.context():  # ticks are made while drawing
                self._canvas.figure.patch.draw(renderer)
                part.draw(renderer)
            self._kept[part, state] = np.array(self._canvas.buffer_rgba())
        return self._kept[part, state]
