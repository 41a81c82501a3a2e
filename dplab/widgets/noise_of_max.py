"""Explorer: report noisy max with three kinds of noise, on two neighbouring lists of scores.

The first candidate leads the others, whose scores are equal. In the neighbour it rises by one; the
others stay (together) or fall by one (apart). Scores are in units of the sensitivity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ipywidgets
import numpy as np

from dplab.mechanisms.noisy_max import ReportNoisyMax
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most, uncertain

LEADS = np.linspace(-8, 8, 33)
NOISES = {"laplace": style.BLUE, "exponential": style.ORANGE, "gumbel": style.GREEN}
DASHES = ("-", "-.", ":")
TOGETHER, APART = "together: the first rises", "apart: the others fall, too"
FULL, HALF = "2/ε, for any scores", "1/ε, for monotone scores"


@dataclass(frozen=True, eq=False)
class MaxView:
    """The log probabilities of all candidates, before and after the change, at each of `LEADS`.

    `logs_before[noise]` and `logs_after[noise]` have shape (leads, m); `now` is the index of the
    lead shown.
    """

    epsilon: float
    now: int
    logs_before: dict[str, np.ndarray]
    logs_after: dict[str, np.ndarray]

    def losses(self, noise: str) -> np.ndarray:
        """Return the largest |log ratio| at each lead."""
        return np.abs(self.logs_after[noise] - self.logs_before[noise]).max(axis=1)

    @property
    def largest(self) -> dict[str, float]:
        """The largest of `losses` for each noise."""
        return {noise: float(self.losses(noise).max()) for noise in NOISES}


def max_view(*, lead: float, m: int, epsilon: float, others_fall: bool, half: bool) -> MaxView:
    """Return the distributions of the noisy maximum of m scores with each noise."""
    place = int(np.abs(LEADS - lead).argmin())
    logs_before, logs_after = {}, {}
    for noise in NOISES:
        logs_before[noise] = log_laws(noise, m, epsilon, half, (0, 0))
        logs_after[noise] = log_laws(noise, m, epsilon, half, (1, -1 if others_fall else 0))
    return MaxView(epsilon, place, logs_before, logs_after)


@lru_cache(maxsize=64)
def log_laws(noise: str, m: int, epsilon: float, half: bool, moves: tuple) -> np.ndarray:
    """Return log P(candidate), (leads, m), of scores lead + moves[0], moves[1], ..., moves[1]."""
    mechanism = ReportNoisyMax(range(m), np.array, 1, epsilon, monotone=half, noise=noise)
    scores = [[lead + moves[0]] + [moves[1]] * (m - 1) for lead in LEADS]
    return np.array([mechanism.log_law(mechanism.advantages(row)) for row in scores])


class NoiseOfMax(Explorer):
    """The chance that the first candidate wins, on two neighbours; the loss at every lead."""

    def make_controls(self) -> Controls:
        def radio(label: str, *options: str) -> ipywidgets.Widget:
            layout = {"width": "420px"}
            return ipywidgets.RadioButtons(options=options, description=label, layout=layout)

        return {
            "scale": radio("Noise scale:", FULL, HALF),
            "moves": radio("Scores move:", APART, TOGETHER),
            "lead": slider("Lead of the first", 0.0, -8.0, 8.0, 0.5),
            "m": slider("Candidates m", 3, 2, 10, 1),
            "epsilon": slider("Promised ε", 1.0, 0.2, 2.0, 0.1),
        }

    def compute(self, scale: str, moves: str, **settings: Any) -> MaxView:
        return max_view(others_fall=moves == APART, half=scale == HALF, **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.3))
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(title="P(first wins): before (pale), after", ylim=(0, 1.02), xlim=(-0.6, 2.6))
        left_ax.set_xticks(range(3), labels=[noise.capitalize() for noise in NOISES])
        left_ax.grid(False, axis="x")
        places = [i + side for i in range(3) for side in (-0.17, 0.17)]
        self.bars = left_ax.bar(places, 0.5, width=0.3, color=np.repeat([*NOISES.values()], 2))
        for pale in self.bars[::2]:
            pale.set_alpha(0.45)
        right_ax.set(title="Privacy loss at each lead", xlabel="lead of the first, before")
        right_ax.set(xlim=LEADS[[0, -1]])
        self.lines = {
            noise: right_ax.plot(LEADS, 0 * LEADS, dashes, color=colour, label=noise.capitalize())[
                0
            ]
            for (noise, colour), dashes in zip(NOISES.items(), DASHES, strict=True)
        }
        self.promise = right_ax.axhline(0, color=style.INK, linestyle="--", label="promised ε")
        self.here = right_ax.axvline(0, ymax=0.8, color=style.GREY, linewidth=1.2)
        right_ax.legend(loc="upper right", ncols=2)
        return [*self.bars, self.here, *self.lines.values(), self.promise]

    def move(self, view: MaxView) -> None:
        for i, noise in enumerate(NOISES):
            for bar, logs in zip(
                self.bars[2 * i : 2 * i + 2], (view.logs_before, view.logs_after), strict=True
            ):
                bar.set_height(np.exp(logs[noise][view.now, 0]))
            self.lines[noise].set_ydata(view.losses(noise))
        self.promise.set_ydata([view.epsilon] * 2)
        self.here.set_xdata([LEADS[view.now]] * 2)
        largest = max(view.largest.values())
        top = next(top for top in (0.7, 1.4, 2.8, 5.6) if max(largest, view.epsilon) < 0.75 * top)
        self.promise.axes.set_ylim(0, top)

    def describe(self, view: MaxView) -> str:
        chances = {noise: view.logs_after[noise][view.now, 0] for noise in NOISES}
        best = max(chances, key=chances.__getitem__)
        name = best.capitalize() if best != "exponential" else best
        worst, promised = max(view.largest.values()), at_most(view.epsilon)
        is_kept = worst <= view.epsilon * (1 + 1e-9)
        guess = f"{promised}, as promised" if is_kept else f"{at_most(worst)}, not {promised}"
        return (
            f"With {name} noise the first wins most often, in "
            f"{uncertain(float(np.exp(chances[best])))} of draws. A 50% guess becomes {guess}."
        )
