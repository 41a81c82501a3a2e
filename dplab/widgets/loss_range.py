"""Explorer: the range of the privacy loss of a private choice, and what it says about rho.

There are six candidates. The record that changes raises the first score by one sensitivity and
lowers all others by one. The exponential mechanism's losses fit between t and t + epsilon for every
lead of the first candidate; those of permute-and-flip do not. On the right is the least rho of the
pair for every lead, beside the bounds from epsilon and from the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import ipywidgets
import numpy as np

from dplab.mechanisms.selection import log_softmax, permute_and_flip_log_law
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most, rough

LAWS = {"exponential mechanism": log_softmax, "permute-and-flip": permute_and_flip_log_law}
COLOURS = (style.BLUE, style.ORANGE)
LINES = ("-", "--")
OTHERS = np.array([0.0, -0.5, -1.0, -2.0, -3.0])  # scores of the other five, in sensitivities
LEADS = np.linspace(-10, 10, 41)
ORDERS = 1 + np.logspace(-3, 3, 60)  # Renyi orders, over which D_alpha / alpha is maximised


@dataclass(frozen=True, eq=False)
class RangeView:
    """The losses of the six candidates, their probabilities, and rho at each of `LEADS`."""

    epsilon: float
    losses: np.ndarray
    probabilities: np.ndarray
    rho: float
    curves: dict[str, np.ndarray]

    @property
    def width(self) -> float:
        """The range of the loss, in units of epsilon."""
        return float(np.ptp(self.losses)) / self.epsilon

    @property
    def too_wide(self) -> bool:
        """True if the range is more than epsilon."""
        return self.width > 1 + 1e-9

    @property
    def in_epsilons(self) -> str:
        """The width in words; a range that is too wide is never written as 1.00 ε."""
        return "just over ε" if self.too_wide and self.width < 1.005 else f"{self.width:.2f} ε"


def log_laws(law: str, epsilon: float, lead: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the log distributions on x and on its neighbour; the scores' sensitivity is 1."""
    scores = np.array([lead, *OTHERS])
    neighbor_scores = scores + np.where(np.arange(6) == 0, 1, -1)
    log_p, log_q = (LAWS[law](epsilon / 2 * (s - s.max())) for s in (scores, neighbor_scores))
    return log_p, log_q


def rho_of(log_p: np.ndarray, log_q: np.ndarray) -> float:
    """Maximise D_alpha / alpha over orders and both directions; good to three digits."""
    slopes = []
    for p, q in ((log_p, log_q), (log_q, log_p)):
        moments = np.logaddexp.reduce(p + (ORDERS[:, None] - 1) * (p - q), axis=1)
        slopes.append((moments / (ORDERS - 1) / ORDERS).max())
    return max(slopes)


@lru_cache(maxsize=64)
def rho_curve(law: str, epsilon: float) -> np.ndarray:
    """Return rho of the pair at each of `LEADS`."""
    return np.array([rho_of(*log_laws(law, epsilon, lead)) for lead in LEADS])


def range_view(*, law: str, epsilon: float, lead: float) -> RangeView:
    """Compute everything that the picture shows."""
    log_p, log_q = log_laws(law, epsilon, lead)
    curves = {name: rho_curve(name, epsilon) for name in LAWS}
    return RangeView(epsilon, log_p - log_q, np.exp(log_p), rho_of(log_p, log_q), curves)


class LossRange(Explorer):
    """The losses of a private choice inside their interval, and rho beside its bounds."""

    def make_controls(self) -> Controls:
        mechanism = ipywidgets.RadioButtons(
            description="Mechanism", options=list(LAWS), value=next(iter(LAWS))
        )
        mechanism.layout.width = "auto"
        return {
            "epsilon": slider("Promised ε", 1.0, 0.1, 4.0, 0.1),
            "lead": slider("Lead of the first", 0.5, -10.0, 10.0, 0.5),
            "law": mechanism,
        }

    compute = staticmethod(range_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.065, right=0.98, bottom=0.14, top=0.91, wspace=0.18)
        left_ax.set(title="Privacy loss of each candidate", xlabel="loss / ε", ylabel="probability")
        left_ax.set(xlim=(-1.15, 1.15))
        for side in (-1, 1):
            left_ax.axvline(side, color=style.INK, linestyle="--", linewidth=1.2)
        self.band = left_ax.axvspan(-0.5, 0.5, color=style.GREEN, alpha=0.16, linewidth=0)
        self.stems = left_ax.vlines(np.zeros(6), 0, 1, linewidth=4)
        (self.heads,) = left_ax.plot(np.zeros(6), np.zeros(6), "o", color=style.INK, markersize=4)
        self.note = left_ax.text(
            0, 0.93, "", ha="center", color=style.INK, transform=left_ax.get_xaxis_transform()
        )
        right_ax.set(title="ρ / ε² of this pair of neighbours", xlabel="lead of the first (in Δ)")
        right_ax.set(xlim=LEADS[[0, -1]], ylim=(0, 0.6))
        right_ax.set_xticks(range(-10, 11, 5))
        right_ax.axhline(1 / 2, color=style.INK, linestyle="--", linewidth=1.2)
        right_ax.text(-9.8, 0.51, "1/2: all that ε says", color=style.INK)
        right_ax.axhline(1 / 8, color=style.GREEN, linestyle="--", linewidth=1.2)
        right_ax.text(-9.8, 0.135, "1/8: range ε", color=style.GREEN)
        self.lines = [
            right_ax.plot(LEADS, 0 * LEADS, color=colour, linestyle=line, label=name)[0]
            for name, colour, line in zip(LAWS, COLOURS, LINES, strict=True)
        ]
        (self.here,) = right_ax.plot([0], [0], "o", color=style.RED)
        right_ax.legend(loc="upper right", bbox_to_anchor=(1, 0.82))
        return [self.band, self.stems, self.heads, self.note, *self.lines, self.here]

    def move(self, view: RangeView) -> None:
        x, peak = view.losses / view.epsilon, view.probabilities.max()
        self.band.axes.set_ylim(0, 0.55 if peak < 0.5 else 1.05)
        colour = dict(zip(LAWS, COLOURS, strict=True))[self.value("law")]
        self.stems.set_segments(
            [[(a, 0), (a, p)] for a, p in zip(x, view.probabilities, strict=True)]
        )
        self.stems.set_color(colour)
        self.heads.set_data(x, view.probabilities)
        self.band.set_x(x.min())
        self.band.set_width(np.ptp(x))
        self.band.set_color(style.RED if view.too_wide else style.GREEN)
        self.note.set_x(np.clip((x.min() + x.max()) / 2, -0.5, 0.5))
        self.note.set_text(f"range {view.in_epsilons}{', too wide' if view.too_wide else ''}")
        for line, curve in zip(self.lines, view.curves.values(), strict=True):
            line.set_ydata(curve / view.epsilon**2)
        self.here.set_data([self.value("lead")], [view.rho / view.epsilon**2])

    def describe(self, view: RangeView) -> str:
        width = f"{view.in_epsilons}, so too wide" if view.too_wide else "ε"
        rho = rough(view.rho, 3 if view.rho > 0.001 else 2)
        return (
            f"The losses lie in a range of {width}, and this pair costs ρ = {rho}. "
            f"A 50% guess becomes {at_most(view.epsilon)}."
        )
