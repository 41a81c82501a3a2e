"""Draw the panels of `loss_picture`: the loss distribution, a ruler below it, delta, and errors.

A panel draws the parts that stay, keeps the artists that move, and moves them to match a view.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from dplab.widgets import style
from dplab.widgets.loss_view import EPSILONS, ERRORS, LossView
from dplab.widgets.words import rough

MIN_DELTA = 1e-6
CEILINGS = (0.26, 0.55, 1.08, 2.2)
INFINITY_PLACE = 0.93  # the place of an infinite loss, as a share of half the axis
PALE, PINK = "#F3BE99", "#CC79A7"
NO_AREA = np.zeros((1, 2))


class Law:
    """Densities and atoms of Z under p and q, the tail beyond epsilon, and delta as its part."""

    def __init__(self, axes: Axes):
        self.axes = axes
        axes.set_title("The privacy loss Z: density, or probability of one value", pad=25)
        axes.tick_params(labelbottom=False)
        axes.locator_params(axis="y", nbins=5)
        self.areas = [
            Polygon(NO_AREA, facecolor=colour, alpha=opacity, linewidth=0)
            for colour, opacity in ((style.BLUE, 0.14), (style.RED, 0.3), (style.RED, 0.95))
        ]
        for area in self.areas:
            axes.add_patch(area)
        self.densities = [
            axes.plot([], [], line, color=colour, label=label, linewidth=1.8)[0]
            for line, colour, label in (
                ("-", style.BLUE, "under x"),
                ("--", style.ORANGE, "under x′"),
            )
        ]
        self.stems = [
            axes.vlines([], 0, 1, color=colour, linewidth=5)
            for colour in (style.BLUE, style.ORANGE, PALE, style.RED)
        ]
        axes.plot([], [], color=PALE, linewidth=5, label="P[Z > ε], of which")
        axes.plot([], [], color=style.RED, linewidth=5, label="δ(ε)")
        place = {"loc": "lower left", "bbox_to_anchor": (-0.01, 1.005), "borderaxespad": 0}
        axes.legend(ncols=4, handlelength=1.1, columnspacing=1.4, **place)
        self.infinity = axes.text(0, 0, "∞", ha="center", va="bottom", color=style.RED, size=13)
        self.cut = axes.axvline(0, color=style.INK, linestyle="--", linewidth=1.1)
        self.artists = [*self.areas, *self.densities, *self.stems, self.cut, self.infinity]

    def move(self, view: LossView) -> None:
        peak = max([0.1, *view.densities[1:].ravel(), *view.atoms[1:].ravel()])
        self.axes.set_xlim(-view.half_width, view.half_width)
        self.axes.set_ylim(0, next(top for top in CEILINGS if peak < 0.97 * top))
        self._move_densities(view)
        self._move_atoms(view)
        self.cut.set_xdata([view.epsilon, view.epsilon])
        self.infinity.set_visible(view.loss.infinite > 0)
        self.infinity.set_position((INFINITY_PLACE * view.half_width, view.loss.infinite))

    def _move_densities(self, view: LossView) -> None:
        z, p, q = view.densities
        for line, heights in zip(self.densities, (p, q), strict=True):
            line.set_data(z, heights)
        is_beyond = z > view.epsilon
        places, tops = z[is_beyond], p[is_beyond]
        self.areas[0].set_xy(_trace_outline(z, 0 * z, p))
        self.areas[1].set_xy(_trace_outline(places, 0 * places, tops))
        self.areas[2].set_xy(_trace_outline(places, np.exp(view.epsilon - places) * tops, tops))

    def _move_atoms(self, view: LossView) -> None:
        z, p, q = view.atoms
        width, is_beyond = view.half_width, z > view.cut
        x, step = np.clip(z, -INFINITY_PLACE * width, INFINITY_PLACE * width), 0.011 * width
        places, tops = (x - step)[is_beyond], p[is_beyond]
        pale = np.exp(view.epsilon - z[is_beyond]) * tops
        self.stems[0].set_segments(_list_stems(x - step, 0 * p, p))
        self.stems[1].set_segments(_list_stems(x + step, 0 * q, q))
        self.stems[2].set_segments(_list_stems(places, 0 * pale, pale))
        self.stems[3].set_segments(_list_stems(places, pale, tops))


class Ruler:
    """Marks on the axis of losses: the range, Renyi between mean and maximum, and rho."""

    def __init__(self, axes: Axes):
        self.axes = axes
        axes.set(ylim=(-0.6, 2.6), xlabel="privacy loss z (in nats)")
        axes.set_yticks([2, 1, 0], labels=["range", "Rényi", "zCDP"])
        axes.tick_params(axis="y", length=0)
        self.range = axes.plot([], [], color=style.INK, linewidth=5, solid_capstyle="butt")[0]
        self.soft = axes.plot([], [], color=style.GREEN, linewidth=1.5)[0]
        self.bar = axes.plot([], [], color=PINK, linewidth=2)[0]
        shapes = (("o", style.GREEN, 5), ("D", style.GREEN, 7), ("s", PINK, 7))
        self.points = [
            axes.plot([], [], marker, color=colour, markersize=size)[0]
            for marker, colour, size in shapes
        ]
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 2.5}
        self.notes = [axes.text(0, y, "", va="center", size=9, bbox=paper) for y in (2, 1, 0)]
        self.cut = axes.axvline(0, color=style.INK, linestyle="--", linewidth=1.1)
        lines = [self.cut, self.range, self.soft, self.bar]
        self.artists = [*lines, *self.points, *self.notes]

    def move(self, view: LossView) -> None:
        width, loss = view.half_width, view.loss
        ends = np.array([loss.smallest, loss.largest, view.mean, view.renyi, view.rho])
        smallest, largest, mean, renyi, rho = np.clip(ends, -2 * width, 2 * width)
        self.cut.set_xdata([view.epsilon, view.epsilon])
        self.range.set_data([smallest, largest], [2, 2])
        self.soft.set_data([mean, largest], [1, 1])
        self.bar.set_data([0, rho], [0, 0])
        for point, x, y in zip(self.points, (mean, renyi, rho), (1, 1, 0), strict=True):
            point.set_data([x], [y])
        texts = (
            f"η = {rough(loss.largest - loss.smallest, 3)}",
            f"mean {rough(view.mean)}, D = {rough(view.renyi, 3)} at α = {view.alpha:g}",
            f"ρ = {rough(view.rho, 3)}",
        )
        for note, text in zip(self.notes, texts, strict=True):
            note.set_text(text)
            note.set_x(-0.985 * width)


class Delta:
    """delta(epsilon) and the tail above it, on a logarithmic axis."""

    def __init__(self, axes: Axes):
        self.axes = axes
        axes.set(title="δ(ε), and P[Z > ε] dotted", yscale="log", ylim=(MIN_DELTA, 1.3))
        axes.set(xlabel="ε", xlim=EPSILONS[[0, -1]])
        axes.xaxis.set_label_coords(0.875, -0.055)
        axes.minorticks_off()
        ones = np.ones_like(EPSILONS)
        self.curve = axes.plot(EPSILONS, ones, color=style.RED)[0]
        self.tail = axes.plot(EPSILONS, ones, ":", color=style.RED, linewidth=1.5)[0]
        self.point = axes.plot([], [], "o", color=style.RED, clip_on=False)[0]
        self.artists = [self.curve, self.tail, self.point]

    def move(self, view: LossView) -> None:
        tail = np.asarray(view.loss.tails(EPSILONS)[0])
        for line, heights in ((self.curve, view.delta_curve), (self.tail, tail)):
            line.set_ydata(np.maximum(heights, MIN_DELTA / 10))
        self.point.set_data([view.epsilon], [max(view.delta, MIN_DELTA)])


class Errors:
    """The trade-off curve, its tangent of slope -e^epsilon, and the test {Z > epsilon}."""

    def __init__(self, axes: Axes):
        self.axes = axes
        axes.set(title="Errors of the best test: x or x′?", xlim=(0, 1), ylim=(0, 1.02))
        axes.set(xlabel="says x where it is x′", ylabel="misses x")
        axes.plot([0, 1], [1, 0], color=style.GREY, linewidth=1)
        self.curve = axes.plot(ERRORS, ERRORS, color=style.BLUE)[0]
        self.tangent = axes.plot([], [], color=style.RED, linewidth=1.2)[0]
        self.point = axes.plot([], [], "o", color=style.RED, clip_on=False)[0]
        self.artists = [self.curve, self.tangent, self.point]

    def move(self, view: LossView) -> None:
        self.curve.set_ydata(view.trade_off)
        x = np.array([0, (1 - view.delta) * np.exp(-view.epsilon)])
        self.tangent.set_data(x, 1 - view.delta - np.exp(view.epsilon) * x)
        self.point.set_data(*([error] for error in view.errors))


def _trace_outline(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    if not len(x):
        return NO_AREA
    return np.array([[*x, *x[::-1]], [*low, *high[::-1]]]).T


def _list_stems(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> list:
    ends = zip(x, low, high, strict=True)
    return [[(place, bottom), (place, top)] for place, bottom, top in ends if top > bottom]
