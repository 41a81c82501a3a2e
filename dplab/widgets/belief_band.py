"""Explorer: from prior to posterior, with others whose secrets are unrelated or the same.

k people answer a survey by randomized response. Every answer is YES, the output that reveals most.
If all secrets are independent, the odds of your secret move by the factor e^epsilon. If the whole
family shares one secret, they move by e^{k epsilon}; the others' answers alone would have moved
them by e^{(k - 1) epsilon}.
"""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets
import numpy as np

from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most, count, percent

PRIORS = np.linspace(0, 1, 201)
STRANGERS, FAMILY = "their own secrets", "your secret too"
EVIDENCE_ENDS = (3.4, 6.8, 13.0)  # of the axis, in nats; the first that all answers fit is used
MAX_NOTE_START = 0.27  # of the axis; a note that starts further right would be cut off


@dataclass(frozen=True)
class BeliefView:
    """The evidence about you in nats: from the others' answers, and from yours."""

    epsilon: float
    people: int
    prior: float
    from_others: float
    from_you: float

    @property
    def posterior_without(self) -> float:
        """The posterior without your answer."""
        return float(after(self.prior, self.from_others))

    @property
    def posterior(self) -> float:
        """The posterior with your answer."""
        return float(after(self.prior, self.from_others + self.from_you))

    @property
    def breaks_naive_reading(self) -> bool:
        """True if the posterior is outside the band of e^{+-epsilon} around the prior odds."""
        return self.from_others > 0


def after(prior: float | np.ndarray, evidence: float) -> np.ndarray:
    """Return the posterior of a prior in [0, 1]: its odds are multiplied by e^evidence."""
    prior, factor = np.asarray(prior, dtype=float), np.exp(evidence)
    return prior * factor / (1 - prior + prior * factor)


def belief_view(*, epsilon: float, people: int, others: str, prior: float) -> BeliefView:
    """Return the evidence if all `people` answer YES; `others` is STRANGERS or FAMILY."""
    from_others = (people - 1) * epsilon if others == FAMILY else 0.0
    return BeliefView(epsilon, people, prior, from_others, epsilon)


class BeliefBand(Explorer):
    """The posterior for every prior, with the band, and the evidence from you and from others."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        others = ipywidgets.RadioButtons(
            options=[STRANGERS, FAMILY], description="The others have", layout={"width": "420px"}
        )
        others.style.description_width = "130px"
        return {
            "epsilon": slider("Privacy loss ε", 1.0, 0.1, 2.5, 0.1),
            "people": slider("People who answer", 3, 1, 5, 1),
            "prior": slider("Prior", 0.5, 0.02, 0.98, 0.02),
            "others": others,
        }

    def link(self, name: str) -> None:
        self.controls["others"].disabled = self.value("people") == 1

    compute = staticmethod(belief_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.25))
        self.figure.subplots_adjust(left=0.065, right=0.98, bottom=0.23, top=0.91, wspace=0.2)
        left_ax.set(title="Belief about you after the survey", xlabel="belief before the survey")
        left_ax.set(xlim=(0, 1), ylim=(0, 1.002))
        for axis in (left_ax.xaxis, left_ax.yaxis):
            axis.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25%", "50%", "75%", "100%"])
        left_ax.plot([0, 1], [0, 1], color=style.GREY, linestyle=":", linewidth=1.2)
        self.band = left_ax.fill_between(PRIORS, PRIORS, PRIORS, color=style.GREEN, alpha=0.18)
        self.band.set_label("odds within $e^{\\pm\\varepsilon}$")
        (self.without,) = left_ax.plot(
            PRIORS, PRIORS, "--", color=style.ORANGE, label="without you"
        )
        (self.curve,) = left_ax.plot(PRIORS, PRIORS, color=style.BLUE, label="with you")
        (self.here,) = left_ax.plot([0.5], [0.5], "o", color=style.BLUE, markeredgecolor="white")
        self.figure.legend(loc="lower left", ncols=3, columnspacing=1.4)
        right_ax.set(
            title="Whose answers change the belief",
            xlabel="evidence in nats: the log of the odds ratio",
        )
        right_ax.set(ylim=(-0.7, 1.75), yticks=[])
        right_ax.grid(axis="y", visible=False)
        self.bars = [
            right_ax.barh([height], [1], left=[0], height=0.5, color=colour)[0]
            for height, colour in ((1, style.ORANGE), (0, style.BLUE))
        ]
        self.notes = [right_ax.text(0, height + 0.33, "", color=style.INK) for height in (1, 0)]
        (self.limit,) = right_ax.plot(
            [0, 1], [-0.36] * 2, color=style.INK, marker="|", linewidth=1.2
        )
        self.limit_note = right_ax.text(1, -0.6, "", color=style.INK)
        self.beyond = left_ax.text(0.36, 0.4, "", color=style.RED)
        moving = [self.band, self.without, self.curve, self.here, *self.bars, *self.notes]
        return [*moving, self.limit, self.limit_note, self.beyond]

    def move(self, view: BeliefView) -> None:
        edges = [after(PRIORS, sign * view.epsilon) for sign in (1, -1)]
        corners = [np.column_stack([PRIORS, edge]) for edge in edges]
        self.band.set_verts([np.concatenate([corners[0], corners[1][::-1]])])
        self.without.set_ydata(after(PRIORS, view.from_others))
        self.curve.set_ydata(after(PRIORS, view.from_others + view.from_you))
        self.beyond.set_text("beyond the band" if view.breaks_naive_reading else "")
        self.here.set_markerfacecolor(style.RED if view.breaks_naive_reading else style.BLUE)
        self.here.set_data([view.prior], [view.posterior])
        end = next(end for end in EVIDENCE_ENDS if view.people * view.epsilon < end)
        self.limit.axes.set_xlim(0, end)
        widths = (view.from_others, view.from_you)
        for bar, start, width in zip(self.bars, (0, view.from_others), widths, strict=True):
            bar.set_x(start)
            bar.set_width(width)
        others = count(view.people - 1, "other answers")
        texts = (
            f"{others}: {percent(view.prior)} → {percent(view.posterior_without)}",
            f"yours on top: {percent(view.posterior_without)} → {percent(view.posterior)}",
        )
        for note, text in zip(self.notes, texts, strict=True):
            note.set_text(text)
            note.set_x(0.008 * end)
        self.limit.set_xdata([view.from_others, view.from_others + view.epsilon])
        self.limit_note.set_x(min(view.from_others + 0.008 * end, MAX_NOTE_START * end))
        self.limit_note.set_text(f"at most ε = {view.epsilon:.1f}, whatever the others say")

    def describe(self, view: BeliefView) -> str:
        where = "outside" if view.breaks_naive_reading else "inside"
        return (
            f"After {view.people} YES the belief is {percent(view.posterior)}, {where} the band; "
            f"without yours, {percent(view.posterior_without)}. By your answer alone a 50% guess "
            f"becomes {at_most(view.epsilon)}."
        )
