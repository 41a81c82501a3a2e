"""The parts of a picture that stay when its explorer moves: axes, ticks and legends.

Text makes drawing slow. When one axis gets another range, the other axes stay the same. So each
part is drawn separately, on white, once for each of its ranges and positions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg

from dplab.widgets import style

MAX_IMAGES = 16  # kept at a time, of 3 MB each


class Layers:
    """The parts of a figure that stay, drawn on white. Its axes must not overlap."""

    def __init__(self, canvas: FigureCanvasAgg):
        self._canvas = canvas
        self._images: dict[tuple, np.ndarray] = {}

    def draw(self) -> np.ndarray:
        """Draw all parts on the canvas, and return its pixels, of shape (height, width, 4)."""
        layers = [self._draw_part(part, state) for part, state in self._list_parts()]
        pixels = np.asarray(self._canvas.buffer_rgba())
        pixels[...] = layers[0]
        for layer in layers[1:]:  # ink is darker than white
            np.minimum(pixels, layer, out=pixels)
        return pixels

    def _list_parts(self) -> Iterator[tuple[Artist, tuple]]:
        """Yield each part to draw, and everything that its image depends on."""
        figure = self._canvas.figure
        for legend in filter(Artist.get_visible, figure.legends):
            yield legend, ()
        for axes in filter(Artist.get_visible, figure.axes):
            yield axes, (*axes.bbox.bounds, *axes.get_xlim(), *axes.get_ylim())

    def _draw_part(self, part: Artist, state: tuple) -> np.ndarray:
        if (part, state) not in self._images:
            if len(self._images) == MAX_IMAGES:
                self._images.clear()
            renderer = self._canvas.get_renderer()
            with style.context():  # ticks are made while drawing
                self._canvas.figure.patch.draw(renderer)
                part.draw(renderer)
            self._images[part, state] = np.array(self._canvas.buffer_rgba())
        return self._images[part, state]
