"""Explorer: report noisy max with three kinds of noise, on two neighbouring lists of scores.

The first candidate leads the others, which are level, by some distance; in the neighbour it leads
by one more, because all others fell (apart), or because it rose and nobody moved (together).
Scores are in units of the sensitivity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import ipywidgets
import numpy as np

from dplab.mechanisms.noisy_max import ReportNoisyMax
from dplab.widgets import style
from dplab.widgets.explorer import Explorer, slider
from dplab.widgets.words import at_most, percent

LEADS = np.linspace(-8, 8, 33)
NOISES = {"laplace": style.BLUE, "exponential": style.ORANGE, "gumbel": style.GREEN}
DASHES = ("-", "-.", ":")
TOGETHER, APART = "together: the first rises", "apart: the others fall, too"
FULL, HALF = "2/ε, for any scores", "1/ε, for monotone scores"


@dataclass(frozen=True, eq=False)
class MaxView:
    """The log probabilities of all candidates, before and after, at each of `LEADS`.

    `before[noise]` and `after[noise]` have shape (leads, m); `now` is the index of the lead shown.
    """

    epsilon: float
    now: int
    before: dict[str, np.ndarray]
    after: dict[str, np.ndarray]

    def spent(self, noise: str) -> np.ndarray:
        """The largest |log ratio| at each lead."""
        return np.abs(self.after[noise] - self.before[noise]).max(axis=1)

    @property
    def largest(self) -> dict[str, float]:
        """The largest of `spent` for each noise."""
        return {noise: float(self.spent(noise).max()) for noise in NOISES}


def max_view(*, lead: float, m: int, epsilon: float, apart: bool, half: bool) -> MaxView:
    """The laws of the noisy maximum of m scores with each noise. Pure."""
    now = int(np.abs(LEADS - lead).argmin())
    before, after = {}, {}
    for noise in NOISES:
        before[noise] = log_laws(noise, m, epsilon, half, (0, 0))
        after[noise] = log_laws(noise, m, epsilon, half, (1, -1 if apart else 0))
    return MaxView(epsilon, now, before, after)


@lru_cache(maxsize=64)
def log_laws(noise: str, m: int, epsilon: float, half: bool, moves: tuple) -> np.ndarray:
    """log P(candidate) for scores (lead + moves[0], moves[1], ..., moves[1]), shape (leads, m)."""
    mechanism = ReportNoisyMax(range(m), np.array, 1, epsilon, monotone=half, noise=noise)
    scores = [[lead + moves[0]] + [moves[1]] * (m - 1) for lead in LEADS]
    return np.array([mechanism.log_law(mechanism.advantages(row)) for row in scores])


class NoiseOfMax(Explorer):
    """Who comes first, on two neighbours; and the privacy loss at every lead."""

    def make_controls(self):
        def radio(label, *options):
            layout = {"width": "420px"}
            return ipywidgets.RadioButtons(options=options, description=label, layout=layout)

        return {
            "scale": radio("Noise scale:", FULL, HALF),
            "moves": radio("Scores move:", APART, TOGETHER),
            "lead": slider("Lead of the first", 0.0, -8.0, 8.0, 0.5),
            "m": slider("Candidates m", 3, 2, 10, 1),
            "epsilon": slider("Promised ε", 1.0, 0.2, 2.0, 0.1),
        }

    def view(self):
        lead, m, epsilon = (self.value(name) for name in ("lead", "m", "epsilon"))
        apart, half = self.value("moves") == APART, self.value("scale") == HALF
        return max_view(lead=lead, m=m, epsilon=epsilon, apart=apart, half=half)

    def build(self):
        left, right = self.figure.subplots(1, 2, width_ratios=(1, 1.3))
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left.set(title="P(first wins): before (pale), after", ylim=(0, 1.02), xlim=(-0.6, 2.6))
        left.set_xticks(range(3), labels=[noise.capitalize() for noise in NOISES])
        left.grid(False, axis="x")
        places = [i + side for i in range(3) for side in (-0.17, 0.17)]
        self.bars = left.bar(places, 0.5, width=0.3, color=np.repeat([*NOISES.values()], 2))
        for pale in self.bars[::2]:
            pale.set_alpha(0.45)
        right.set(title="Privacy loss at each lead", xlabel="lead of the first, before")
        right.set(xlim=LEADS[[0, -1]])
        self.lines = {
            noise: right.plot(LEADS, 0 * LEADS, dashes, color=colour, label=noise.capitalize())[0]
            for (noise, colour), dashes in zip(NOISES.items(), DASHES, strict=True)
        }
        self.promise = right.axhline(0, color=style.INK, linestyle="--", label="promised ε")
        self.here = right.axvline(0, ymax=0.8, color=style.GREY, linewidth=1.2)
        right.legend(loc="upper right", ncols=2)
        return [*self.bars, self.here, *self.lines.values(), self.promise]

    def move(self, view):
        for i, noise in enumerate(NOISES):
            for bar, logs in zip(
                self.bars[2 * i : 2 * i + 2], (view.before, view.after), strict=True
            ):
                bar.set_height(np.exp(logs[noise][view.now, 0]))
            self.lines[noise].set_ydata(view.spent(noise))
        self.promise.set_ydata([view.epsilon] * 2)
        self.here.set_xdata([LEADS[view.now]] * 2)
        largest = max(view.largest.values())
        top = next(top for top in (0.7, 1.4, 2.8, 5.6) if max(largest, view.epsilon) < 0.75 * top)
        self.promise.axes.set_ylim(0, top)

    def describe(self, view):
        wins = [percent(float(np.exp(view.after[noise][view.now, 0]))) for noise in NOISES]
        spent = [f"{view.largest[noise]:.2f}" for noise in NOISES]
        worst = max(view.largest.values())
        kept = "kept" if worst <= view.epsilon * (1 + 1e-9) else "broken"
        return (
            f"The first {_stood(LEADS[view.now])}, and gains: it now wins {_listed(wins)}. The "
            f"largest privacy loss on the right is {_listed(spent)}. ε = {view.epsilon:.1f} was "
            f"promised, and is {kept}: a 50% guess becomes {at_most(worst)} "
            f"(promised: {at_most(view.epsilon)})."
        )


def _stood(lead: float) -> str:
    if lead == 0:
        return "was level"
    return f"led by {lead:g}" if lead > 0 else f"was {-lead:g} behind"


def _listed(numbers: list[str]) -> str:
    """One number for each noise, in words."""
    laplace, exponential, gumbel = numbers
    return f"{laplace} with Laplace noise, {exponential} with exponential, {gumbel} with Gumbel"
