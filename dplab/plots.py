"""Axes for pictures of losses, curves and tables; matplotlib is imported when one is drawn.

Each `plot()` of the library draws into the axes `ax`, or into new ones without it, and returns
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dplab import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (6.4, 3.6)  # of new axes, in inches


def label_axes(ax: Axes | None, **settings: Any) -> Axes:
    """Return `ax` with these settings, such as xlabel and ylabel; without it, new axes.

    Raises `dplab.optional.Absent` if matplotlib is missing.
    """
    if ax is None:
        pyplot = optional.load("matplotlib.pyplot", "A picture", "matplotlib")
        ax = pyplot.subplots(figsize=SIZE, layout="constrained")[1]
    ax.set(**settings)
    return ax
