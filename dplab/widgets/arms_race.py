"""Explorer: an attack on a curator, and how many secrets it finds with how many questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.attacks.diffix.generations import GENERATIONS, Generation
from dplab.widgets import style
from dplab.widgets.diffix_race import ATTACKS, PEOPLE, QUESTIONS, Outcome, outcome
from dplab.widgets.explorer import Artists, Controls, Explorer, choice

COLUMNS = 8  # people in a row
ATTACK_NAMES = {
    "same pair": "same pair again",
    "reworded": "pair reworded",
    "number": "number's digits",
    "latitude": "latitude's digits",
}
LINE_STYLES = dict(
    zip(
        ATTACKS,
        ((style.ORANGE, "o-"), (style.RED, "s--"), (style.BLUE, "^-"), (style.GREEN, "D:")),
        strict=True,
    )
)


@dataclass(frozen=True, eq=False)
class RaceView:
    """The outcome of each attack against one curator, the chosen attack, and the row of counts."""

    generation: Generation
    attack: str
    row: int
    outcomes: dict[str, Outcome]

    @property
    def chosen_outcome(self) -> Outcome:
        return self.outcomes[self.attack]

    @property
    def right_count(self) -> int:
        """The number of people whom the chosen attack guesses right."""
        return int(self.chosen_outcome.right[self.row].sum())


def race_view(*, generation: Generation, attack: str, questions: int) -> RaceView:
    """Return the outcome of every attack, at `questions` per person, one of `QUESTIONS`."""
    outcomes = {name: outcome(generation, name) for name in ATTACKS}
    return RaceView(generation, attack, QUESTIONS.index(questions), outcomes)


class ArmsRace(Explorer):
    """48 people with a secret bit each, six curators, four attacks."""

    size = (9.0, 4.2)

    def make_controls(self) -> Controls:
        for generation in GENERATIONS:  # fill the caches, so that no move takes long
            race_view(generation=generation, attack=ATTACKS[0], questions=2)
        return {
            "generation": choice("Curator", GENERATIONS[2], [(g.name, g) for g in GENERATIONS]),
            "attack": choice("Attack", ATTACKS[1], [(ATTACK_NAMES[a], a) for a in ATTACKS]),
            "questions": choice("Questions per person", 64, [(f"{q:,}", q) for q in QUESTIONS]),
        }

    compute = staticmethod(race_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.35))
        self.figure.subplots_adjust(left=0.03, right=0.98, bottom=0.27, top=0.91, wspace=0.2)
        places = np.divmod(np.arange(PEOPLE), COLUMNS)
        self.people = left_ax.scatter(places[1], -places[0], s=230, marker="s", linewidths=2.5)
        left_ax.set(title="48 people: whose loan is guessed right", xticks=[], yticks=[])
        left_ax.set(xlim=(-0.7, COLUMNS - 0.3), ylim=(-PEOPLE / COLUMNS - 0.35, 0.7))
        left_ax.grid(False)
        left_ax.spines[:].set_visible(False)
        self.note = left_ax.text(
            (COLUMNS - 1) / 2, -PEOPLE / COLUMNS + 0.05, "", ha="center", va="center"
        )
        right_ax.set(title="Share guessed right", xlabel="questions per person", ylim=(0.35, 1.04))
        right_ax.set(xscale="log", xlim=(1.7, 1250))
        style.plain_ticks(right_ax.xaxis, [2, 8, 32, 128, 512])
        right_ax.set_yticks([0.5, 0.75, 1], labels=["50%", "75%", "100%"])
        right_ax.axhline(0.5, color=style.GREY, linestyle="--", linewidth=1.2, label="a coin")
        self.curves = {
            attack: right_ax.plot(
                QUESTIONS, np.full(len(QUESTIONS), 0.5), look, markersize=5, color=colour
            )[0]
            for attack, (colour, look) in LINE_STYLES.items()
        }
        for attack, curve in self.curves.items():
            curve.set_label(ATTACK_NAMES[attack])
        (self.here,) = right_ax.plot(
            [2], [0.5], "o", markersize=13, fillstyle="none", color=style.INK, label="on the left"
        )
        right_ax.legend(loc="upper center", bbox_to_anchor=(0.44, -0.19), ncols=3, columnspacing=2)
        return [self.people, self.note, *self.curves.values(), self.here]

    def move(self, view: RaceView) -> None:
        refused, right = view.chosen_outcome.refused, view.chosen_outcome.right[view.row]
        edges, filled = np.where(right, style.BLUE, style.RED), np.where(right, style.BLUE, "white")
        self.people.set_edgecolor(np.full(PEOPLE, style.GREY) if refused else edges)
        self.people.set_facecolor(np.full(PEOPLE, style.GREY) if refused else filled)
        words = "the curator refuses" if refused else f"{view.right_count} of {PEOPLE} right"
        self.note.set_text(f"{view.generation.name} curator: {words}")
        for attack, curve in self.curves.items():
            curve.set_ydata(view.outcomes[attack].shares)
            curve.set_visible(not view.outcomes[attack].refused)
            curve.set_linewidth(3 if attack == view.attack else 1.2)
        self.here.set_data([QUESTIONS[view.row]], [view.chosen_outcome.shares[view.row]])

    def describe(self, view: RaceView) -> str:
        questions = f"{QUESTIONS[view.row]:,} questions per person"
        start = f"The {view.generation.name} curator against the {ATTACK_NAMES[view.attack]}, "
        if view.chosen_outcome.refused:
            return f"{start}{questions}: refused."
        return f"{start}{questions}: {view.right_count} of {PEOPLE} loans are guessed right."
