"""What each explorer opens with: python -m tests.dplab.widgets.opening_views.

For each explorer it prints the words and numbers of its caption, and of each panel the share of
the frame that its data span, in width and in height, without axes, grid and legend.
"""

from __future__ import annotations

import re
import statistics

import numpy as np
from matplotlib.axes import Axes

from dplab import widgets
from dplab.widgets.explorer import Explorer

NUMBER = re.compile(r"\d[\d,.]*(?:·?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")


def caption(explorer: Explorer) -> str:
    """Return the caption as a reader sees it."""
    return re.sub(r"<[^>]+>", "", explorer.caption.value)


def numbers(text: str) -> list[str]:
    """Return the numbers of a text; a power of ten is one.

    >>> numbers("A 50% guess becomes 73%, at δ = 1.6·10⁻⁵.")
    ['50', '73', '1.6·10⁻⁵']
    """
    return [found.rstrip(".,") for found in NUMBER.findall(text)]


def spans(explorer: Explorer) -> list[tuple[float, float]]:
    """Return for each panel the shares of its width and height that its data span."""
    panels = [axes for axes in explorer.figure.axes if axes.get_visible() and axes.axison]
    return [_span(explorer, axes) for axes in panels]


def _span(explorer: Explorer, axes: Axes) -> tuple[float, float]:
    """Draw the data of one panel alone, and measure the box round its ink."""
    canvas, renderer = explorer.canvas, explorer.canvas.get_renderer()
    explorer.figure.patch.draw(renderer)
    for artist in (*axes.lines, *axes.patches, *axes.collections, *axes.images, *axes.texts):
        if artist.get_visible():
            artist.draw(renderer)
    pixels = np.asarray(canvas.buffer_rgba())[..., :3]
    left, low, right, high = np.round(axes.bbox.extents).astype(int)
    frame = pixels[pixels.shape[0] - high : pixels.shape[0] - low, left:right]
    ink = (frame < 250).any(axis=2)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return 0.0, 0.0
    return (
        float(columns[-1] - columns[0] + 1) / ink.shape[1],
        float(rows[-1] - rows[0] + 1) / ink.shape[0],
    )


def main() -> None:
    words, counts = [], []
    print(f"{'explorer':22} words numbers  width x height of each panel's data")
    for name in widgets.EXPLORERS:
        explorer = getattr(widgets, name)()
        said = caption(explorer)
        words.append(len(said.split()))
        counts.append(len(numbers(said)))
        panels = ", ".join(f"{w:.0%} x {h:.0%}" for w, h in spans(explorer))
        print(f"{name:22} {words[-1]:5} {counts[-1]:7}  {panels}")
    print(f"{'median':22} {statistics.median(words):5.0f} {statistics.median(counts):7.0f}")


if __name__ == "__main__":
    main()
