"""The look of the course's figures: its own style file and colours.

The colours are Okabe and Ito's (2008), which colour-blind readers can tell apart.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import matplotlib
import numpy as np

STYLE_FILE = Path(__file__).with_name("dplab.mplstyle")

BLUE = "#0072B2"
ORANGE = "#E69F00"
RED = "#D55E00"
GREEN = "#009E73"
INK = "#333333"
GREY = "#999999"


def shades(*colours: str) -> np.ndarray:
    """Return colours as bytes of shape (k, 4).

    An image of bytes is drawn in half the time of an image of numbers from 0 to 1.
    """
    from matplotlib.colors import to_rgba_array

    return np.rint(255 * to_rgba_array(colours)).astype(np.uint8)


def use() -> None:
    """Draw all further figures of this session in the course's style."""
    from matplotlib import style

    style.use(STYLE_FILE)


def context() -> AbstractContextManager[None]:
    """Return a context manager inside which figures are drawn in the course's style."""
    from matplotlib import style

    return style.context(STYLE_FILE)


def plain_ticks(axis: matplotlib.axis.Axis, ticks: list[float]) -> None:
    """Put ticks at these values only, written as plain numbers: 1,000 rather than 10^3."""
    axis.set_ticks(ticks, labels=[f"{tick:,.10g}" for tick in ticks])
    axis.set_ticks([], minor=True)
