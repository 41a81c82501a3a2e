"""Explorer: the epsilon of each answer becomes a smaller one if the answers are shuffled.

On the left are the two laws of the number of ones, with one person's bit 0 and with 1. On the right
is the epsilon that they have at delta, exactly, and the clones' bound for every mechanism, against
n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.local.shuffling import clones_epsilon, shuffled_laws, shuffled_loss
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, rough

SIZES = (10, 32, 100, 1000, 10_000, 100_000)
WIDTH = 4.5  # standard deviations shown on either side
FEWEST = 6  # numbers of ones shown on either side


@dataclass(frozen=True, eq=False)
class ShuffleView:
    """The laws and epsilons of n shuffled answers, of which all others are about a bit 0.

    `counts`, `with_one` and `with_zero` are the laws of the number of ones. `exact` and `clones`
    are the epsilons at each of SIZES; `here` is the pair at n.
    """

    counts: np.ndarray
    with_one: np.ndarray
    with_zero: np.ndarray
    exact: np.ndarray
    clones: np.ndarray
    here: tuple[float, float]


@lru_cache(maxsize=1024)
def epsilons_of(epsilon: float, n: int, exponent: int) -> tuple[float, float]:
    """Return the exact epsilon, the others all having bit 0, and the clones' bound."""
    loss, delta = shuffled_loss(epsilon, ones=0, zeros=n - 1), 10.0**-exponent
    exact = max(loss.epsilon(delta), loss.reverse().epsilon(delta))
    return exact, clones_epsilon(epsilon, n, delta=delta)


def shuffle_view(epsilon: float, n: int, exponent: int) -> ShuffleView:
    """Compute all that the picture shows."""
    counts, with_one, with_zero = shuffled_laws(epsilon, ones=0, zeros=n - 1)
    exact, clones = np.array([epsilons_of(epsilon, size, exponent) for size in SIZES]).T
    here = epsilons_of(epsilon, n, exponent)
    return ShuffleView(counts, with_one, with_zero, exact, clones, here)


class ShuffledEpsilon(Explorer):
    """Noisy answers of n people, shuffled: what is left of each answer's epsilon."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "n": log_slider("People n", 100, 10, 100_000),
            "epsilon": log_slider("ε of each answer", 1.0, 0.1, 4.0),
            "exponent": slider("k in δ = 10⁻ᵏ", 6, 5, 12, 1),
        }

    def compute(self, n: int, epsilon: float, exponent: int) -> ShuffleView:
        return shuffle_view(epsilon, n, exponent)

    def build(self) -> Artists:
        counts_ax, curves_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.97, bottom=0.27, top=0.91, wspace=0.2)
        counts_ax.set(title="How many answers are 1", xlabel="number of ones")
        counts_ax.set(ylabel="probability", yticks=[])
        (self.zero,) = counts_ax.plot(
            [], [], "o-", color=style.BLUE, markersize=3, label="your bit is 0"
        )
        (self.one,) = counts_ax.plot(
            [], [], "s--", color=style.RED, markersize=3, label="your bit is 1"
        )
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "columnspacing": 1}
        counts_ax.legend(ncols=2, **place)
        curves_ax.set(title="ε of all answers, shuffled", xlabel="people n", ylabel="ε")
        curves_ax.set(xscale="log", yscale="log", xlim=(8, 1.25e5), ylim=(2e-4, 8))
        style.plain_ticks(curves_ax.xaxis, [10, 100, 1000, 10_000, 100_000])
        style.plain_ticks(curves_ax.yaxis, [0.001, 0.01, 0.1, 1])
        (self.alone,) = curves_ax.plot(
            [8, 1.25e5], [1, 1], ":", color=style.INK, label="not shuffled"
        )
        (self.clones,) = curves_ax.plot(
            SIZES, SIZES, "--", color=style.ORANGE, label="clones: any kind"
        )
        (self.exact,) = curves_ax.plot(SIZES, SIZES, "-", color=style.BLUE, label="bits, exactly")
        (self.dots,) = curves_ax.plot([10, 10], [1, 1], "o", color=style.INK)
        (self.rule,) = curves_ax.plot([10, 10], [2e-4, 8], color=style.GREY, linewidth=0.8)
        curves_ax.legend(ncols=3, handlelength=1.6, **place)
        self.left_ax = counts_ax
        return [self.rule, self.zero, self.one, self.alone, self.clones, self.exact, self.dots]

    def move(self, view: ShuffleView) -> None:
        n = self.value("n")
        mean = view.counts @ view.with_zero
        deviation = np.sqrt((view.counts - mean) ** 2 @ view.with_zero)
        half = max(FEWEST, WIDTH * deviation)
        low, high = max(-0.5, np.floor(mean - half)), min(n + 0.5, np.ceil(mean + half))
        is_shown = (view.counts >= low) & (view.counts <= high)
        is_shown &= np.arange(len(is_shown)) % max(1, int(is_shown.sum() // 60)) == 0
        for line, law in ((self.zero, view.with_zero), (self.one, view.with_one)):
            line.set_data(view.counts[is_shown], law[is_shown])
        self.left_ax.set(xlim=(low, high), ylim=(0, 1.08 * view.with_zero.max()))
        self.alone.set_ydata([self.value("epsilon")] * 2)
        self.exact.set_ydata(view.exact)
        self.clones.set_ydata(view.clones)
        self.dots.set_data([n, n], view.here)
        self.rule.set_xdata([n, n])

    def describe(self, view: ShuffleView) -> str:
        exact, clones = view.here
        return (
            f"Alone, your answer turns a 50% guess into {at_most(self.value('epsilon'))}; shuffled "
            f"among {self.value('n'):,} bits, {at_most(exact).removeprefix('at most ')}. "
            f"Clones promise ε = {rough(clones)}."
        )
