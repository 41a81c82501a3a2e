"""The histogram of the privacy loss: a picture that many lessons use."""

from __future__ import annotations

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from dplab import arguments
from dplab.losses import PrivacyLoss
from dplab.widgets import style

BINS = 61  # an odd number, so that a loss of 0 is in the middle of a bin


def loss_histogram(
    loss: PrivacyLoss,
    *,
    width: float,
    epsilon: float | None = None,
    other: bool = False,
    axes: Axes | None = None,
) -> Axes:
    """Draw how likely each privacy loss Z is under x, in 61 bins from -width to width, in nats.

    `other` outlines the distribution of the same log ratio under x'. A dashed line marks `epsilon`.
    In each bar beyond it, the part that counts is red: 1 - e^(epsilon - z) of a loss z. The red
    parts together are delta(epsilon). The outermost bins include all losses beyond the width; "∞"
    marks infinite ones. The function draws into new axes if none are given, and returns the axes.
    It raises ValueError unless 0 <= epsilon < width.
    """
    width = arguments.number("width", width, above=0)
    if axes is None:
        axes = plt.subplots(figsize=(6.4, 2.8))[1]
    edges = np.linspace(-width, width, BINS + 1)
    middles, step = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    under_x, under_other = (_sum_bins(tail) for tail in loss.tails(edges))
    axes.bar(middles, under_x, step, color=style.BLUE, label="under x")
    if other:
        axes.stairs(under_other, edges, color=style.ORANGE, linewidth=1.6, label="under x′")
    if epsilon is not None:
        epsilon = arguments.number("epsilon", epsilon, least=0, below=width)
        above_p, above_q = loss.tails(np.maximum(edges, epsilon))
        delta = -np.diff(above_p - np.exp(epsilon) * above_q, append=0)
        delta[-2] += delta[-1]
        axes.axvline(epsilon, color=style.INK, linestyle="--", linewidth=1.1, label="ε")
        axes.bar(middles, delta[:-1], step, color=style.RED, label="δ(ε)")
    if loss.infinite:
        axes.text(
            float(middles[-1]),
            float(under_x[-1]),
            "∞",
            ha="center",
            va="bottom",
            color=style.RED,
            size=13,
        )
    axes.set(xlabel="privacy loss z (in nats)", ylabel="probability", xlim=(-width, width))
    if other or epsilon is not None:
        axes.legend(loc="upper left")
    return axes


def _sum_bins(tails: np.ndarray) -> np.ndarray:
    """Return the mass of each bin, from the tails at its edges; end bins include all beyond."""
    masses = -np.diff(tails)
    masses[0] += 1 - tails[0]
    masses[-1] += tails[-1]
    return masses
