"""Explorer: the guarantee for a group of k that follows from a guarantee for one person.

On the left are the distributions of a count with Laplace noise, without the group and with it. On
the right are the best guess about the whole group, and the delta of its guarantee, as the group
grows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.continuous import Laplace
from dplab.guarantees import ApproxDP
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, log_slider, slider
from dplab.widgets.words import at_most, rough

COUNTS = np.linspace(-60, 160, 881)
SIZES = np.arange(1, 101)
DELTAS = (0.0, *(10.0**-j for j in range(12, 1, -1)))


@dataclass(frozen=True, eq=False)
class GroupView:
    """Densities on `COUNTS` without the group and with it; guarantees for groups of `SIZES`."""

    promise: ApproxDP
    k: int
    without: np.ndarray
    present: np.ndarray
    guesses: np.ndarray
    deltas: np.ndarray

    @property
    def group(self) -> ApproxDP:
        """The guarantee for the group of k."""
        return self.promise.group(self.k)

    @property
    def guess(self) -> float:
        """The most that a 50% guess about the whole group can become, leaving delta aside."""
        return float(self.guesses[self.k - 1])


def group_view(*, epsilon: float, k: int, delta: float) -> GroupView:
    """Return the distributions of a count with and without k people, and the guarantees."""
    guarantee = ApproxDP(epsilon, delta)
    distributions = (Laplace(0, 1 / epsilon), Laplace(k, 1 / epsilon))
    without, present = (np.exp(distribution.log_density(COUNTS)) for distribution in distributions)
    guesses = 1 / (1 + np.exp(-epsilon * SIZES))
    deltas = np.array([guarantee.group(int(size)).delta for size in SIZES])
    return GroupView(guarantee, k, without, present, guesses, deltas)


class GroupChain(Explorer):
    """Group privacy: k people, k epsilon, and a delta that grows faster than k.

    It opens without delta, and draws none.
    """

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("Promised ε", 0.1, 0.01, 1.0),
            "k": slider("People in the group", 3, 1, 100, 1),
            "delta": choice("Promised δ", 0.0, [(rough(delta), delta) for delta in DELTAS]),
        }

    compute = staticmethod(group_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1))
        self.figure.subplots_adjust(left=0.05, right=0.98, bottom=0.23, top=0.91, wspace=0.16)
        left_ax.set(
            title="How likely each published count is",
            xlabel="published count (0: true count of all others)",
        )
        left_ax.set(xlim=COUNTS[[0, -1]], ylim=(0, 1.08), yticks=[])
        self.laws = [
            left_ax.plot(COUNTS, 0 * COUNTS, line, color=colour, label=label)[0]
            for colour, line, label in (
                (style.BLUE, "-", "without the group"),
                (style.ORANGE, "--", "with it"),
            )
        ]
        right_ax.set(title="What the promise leaves for groups", xlabel="people in the group, k")
        right_ax.set(xlim=(0, 100), ylim=(0, 1.03))
        right_ax.yaxis.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25%", "50%", "75%", "100%"])
        (self.guesses,) = right_ax.plot(
            SIZES, 0 * SIZES, color=style.BLUE, label="a 50% guess becomes"
        )
        (self.deltas,) = right_ax.plot(
            SIZES, 0 * SIZES, "--", color=style.RED, label="$\\delta$ for the group"
        )
        self.limit = right_ax.axvline(10, color=style.INK, linestyle=":", linewidth=1.4)
        self.limit_note = right_ax.text(10, 0.05, "k = 1/ε", color=style.INK)
        self.limit_note.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
        (self.here,) = right_ax.plot([1], [0.5], "o", color=style.BLUE, markeredgecolor="white")
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.19), "ncols": 2}
        left_ax.legend(**place)
        self.legends = [  # without delta, and with it
            right_ax.add_artist(right_ax.legend(handles=handles, **place))
            for handles in ([self.guesses], [self.guesses, self.deltas])
        ]
        moving = [self.guesses, self.deltas, self.limit, self.limit_note, self.here]
        return [*self.laws, *self.legends, *moving]

    def move(self, view: GroupView) -> None:
        for line, density in zip(self.laws, (view.without, view.present), strict=True):
            line.set_ydata(density / view.without.max())  # the axis has no numbers
        self.guesses.set_ydata(view.guesses)
        self.deltas.set_ydata(view.deltas)
        has_delta = view.promise.delta > 0
        self.deltas.set_visible(has_delta)
        for legend, is_shown in zip(self.legends, (not has_delta, has_delta), strict=True):
            legend.set_visible(is_shown)
        self.limit.set_xdata([1 / view.promise.epsilon] * 2)
        near_the_end = view.promise.epsilon < 1 / 80
        self.limit_note.set_ha("right" if near_the_end else "left")
        self.limit_note.set_x(1 / view.promise.epsilon + (-1.5 if near_the_end else 1.5))
        self.here.set_data([view.k], [view.guess])

    def describe(self, view: GroupView) -> str:
        promise, group = view.promise, view.group
        sentence = (
            f"For a group of {view.k}, ε = {promise.epsilon:.2g} becomes {group.epsilon:.3g}: "
            f"a 50% guess becomes {at_most(group.epsilon)}."
        )
        if not promise.delta:
            return sentence
        return f"{sentence} δ = {rough(promise.delta)} {_say_delta(group.delta)}."


def _say_delta(delta: float) -> str:
    if delta < 0.995:  # above this it would be rounded to 1
        return f"becomes {rough(delta)}"
    return "becomes 1, and protects nobody" if delta >= 1 else "becomes nearly 1"
