"""Explorer: sparse vector on a stream of counts, the right version and five wrong ones.

On the left is one run on a stream of 24 counts. On the right is what the variant spends, exactly,
on a telling pair of streams of growing length. The unit is the epsilon that it guarantees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import ipywidgets
import numpy as np

from dplab.attacks.sparse_vector import (
    QuietAnswers,
    QuietThreshold,
    ShownAnswers,
    Unlimited,
    Unscaled,
    transcript_loss,
)
from dplab.mechanisms.sparse_vector import AboveThreshold
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import ON_THE_FRAME, at_most

KINDS = {
    "as it should be": AboveThreshold,
    "quiet threshold": QuietThreshold,
    "quiet answers": QuietAnswers,
    "no limit on “above”": Unlimited,
    "noise not scaled by count": Unscaled,
    "answers shown": ShownAnswers,
}
THRESHOLD = 60.0
STREAM = np.array(
    [12, 31, 8, 25, 40, 17, 22, 35, 97, 14, 28, 44, 9, 38, 20, 112, 33, 26, 18, 41, 90, 11, 29, 36]
)
LENGTHS = np.array([1, 2, 3, 4, 6, 8, 11, 14, 18, 22, 26, 30])
FRAME = (-45, 165)  # the ends of the axis of counts
TOPS = (1.3, 3.0, 10.0, 30.0)  # multiples of epsilon at the top of the axis


@dataclass(frozen=True, eq=False)
class StreamView:
    """One run: noisy answers, noisy threshold and replies; and the epsilon spent at `LENGTHS`."""

    noisy: np.ndarray
    bar: float
    replies: tuple
    epsilon: float
    spent: np.ndarray

    @property
    def is_above(self) -> np.ndarray:
        """True for each reply that is "above", shape (replies,)."""
        return np.array([reply is not False for reply in self.replies])


def mechanism(kind: str, epsilon: float, count: int, threshold: float = 0.0) -> AboveThreshold:
    """Return the variant for streams of sensitivity 1."""
    return KINDS[kind](threshold=threshold, sensitivity=1.0, epsilon=epsilon, max_positives=count)


@lru_cache(maxsize=128)
def spent_curve(kind: str, epsilon: float, count: int) -> np.ndarray:
    """Return the epsilon of the variant on telling pairs of streams, `LENGTHS` answers below."""
    variant = mechanism(kind, epsilon, count)
    above_counts = [
        1 if kind == "answers shown" else int(min(below_count, variant.limit))
        for below_count in LENGTHS
    ]
    return np.array(
        [
            transcript_loss(variant, int(below_count), above_count)
            for below_count, above_count in zip(LENGTHS, above_counts, strict=True)
        ]
    )


def stream_view(*, kind: str, epsilon: float, count: int, seed: int) -> StreamView:
    """Run once on `STREAM`; all variants scale the same draws from `seed`."""
    variant, rng = mechanism(kind, epsilon, count, THRESHOLD), np.random.default_rng(seed)
    bar = THRESHOLD + variant.threshold_scale * rng.laplace()
    noisy = STREAM + variant.query_scale * rng.laplace(size=len(STREAM))
    replies = variant.publish(noisy, bar)
    return StreamView(noisy, bar, replies, epsilon, spent_curve(kind, epsilon, count))


class SparseVectorStream(Explorer):
    """One run that asks which counts are above 60, and the epsilon that the variant spends."""

    size = (9.0, 3.9)

    def make_controls(self) -> Controls:
        kind = ipywidgets.RadioButtons(
            description="Variant", options=list(KINDS), value=next(iter(KINDS))
        )
        kind.layout.width = "auto"
        return {
            "kind": kind,
            "epsilon": log_slider("Promised ε", 1.0, 0.1, 4.0),
            "count": slider("Stop after “above”", 2, 1, 5, 1),
            "seed": Again("New noise"),
        }

    def link(self, name: str) -> None:
        self.controls["count"].disabled = KINDS[self.value("kind")] in (QuietAnswers, Unlimited)

    compute = staticmethod(stream_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.06, right=0.99, bottom=0.13, top=0.91, wspace=0.17)
        places = np.arange(1, len(STREAM) + 1)
        left_ax.set(title="A stream of counts: which are above 60?", xlabel="number in the stream")
        left_ax.set(xlim=(0.3, len(STREAM) + 0.7), ylim=FRAME)
        left_ax.axhline(THRESHOLD, color=style.GREY, linewidth=1, linestyle=":")
        left_ax.plot(places, STREAM, "_", color=style.INK, label="true count")
        self.bar = left_ax.axhline(THRESHOLD, color=style.INK, linewidth=1.4)
        self.bar.set_label("noisy threshold")
        self.dots = [
            left_ax.plot([], [], shape, color=colour, label=label)[0]
            for shape, colour, label in (
                ("v", style.BLUE, "“below”"),
                ("^", style.RED, "“above”"),
            )
        ]
        left_ax.legend(loc="upper left", ncols=2)
        right_ax.set(title="Spent on a telling pair of streams, / ε", xlabel="answers below")
        right_ax.set(xlim=(0, LENGTHS[-1] + 1))
        right_ax.axhline(1, color=style.INK, linestyle="--", linewidth=1.2)
        self.promised = right_ax.annotate(
            "promised", (LENGTHS[-1], 1), (0, 4), textcoords="offset points", ha="right"
        )
        (self.curve,) = right_ax.plot(LENGTHS, LENGTHS, "o-", markersize=4)
        self.note = right_ax.text(
            0.03, 0.93, "", transform=right_ax.transAxes, ha="left", color=style.RED
        )
        return [self.bar, *self.dots, self.promised, self.curve, self.note]

    def move(self, view: StreamView) -> None:
        self.bar.set_ydata([view.bar] * 2)
        places, reply_count = np.arange(1, len(STREAM) + 1), len(view.replies)
        heights = np.clip(view.noisy, *FRAME)
        for dots, group in zip(self.dots, (~view.is_above, view.is_above), strict=True):
            dots.set_data(places[:reply_count][group], heights[:reply_count][group])
        finite = np.isfinite(view.spent)
        multiples = view.spent[finite] / view.epsilon
        self.curve.set_data(LENGTHS[finite], multiples)
        most = multiples.max() if len(multiples) else 1.0
        self.curve.axes.set_ylim(0, next(top for top in TOPS if most < 0.95 * top))
        broken = view.spent.max() > view.epsilon * (1 + 1e-9)
        self.curve.set_color(style.RED if broken else style.GREEN)
        warning = "more than it promised" if finite.all() else "infinite from two answers"
        self.note.set_text(warning if broken else "")

    def describe(self, view: StreamView) -> str:
        largest, answers = float(view.spent[-1]), view.noisy[: len(view.replies)]
        is_kept = largest <= view.epsilon * (1 + 1e-9)
        price = "no finite ε" if largest == np.inf else f"ε = {largest:.2g}"
        promised = "as promised" if is_kept else f"not the promised {view.epsilon:.2g}"
        name, limit = self.value("kind").capitalize(), self.controls["count"]
        stops = "" if limit.disabled else f", stopping after {limit.value} “above”"
        note = ON_THE_FRAME if (np.clip(answers, *FRAME) != answers).any() else ""
        return (
            f"{name}{stops}: the telling pair costs {price}, {promised}. "
            f"A 50% guess becomes {at_most(largest)}.{note}"
        )
