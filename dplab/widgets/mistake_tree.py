"""Explorer: the game of mistakes. An adversary says "wrong" to a learner as long as it can.

The adversary never cheats: after every round, some rule of the class agrees with all its answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import ipywidgets
import numpy as np

from dplab.learning import (
    MistakeGame,
    first_consistent,
    halving,
    intervals,
    play,
    single_points,
    standard_optimal,
    thresholds,
)
from dplab.learning.mistakes import Round
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice
from dplab.widgets.words import count

CLASSES = {"thresholds": thresholds, "single points": single_points, "intervals": intervals}
POINTS = (3, 7, 15)
YOU = "you"
LEARNERS = {
    "first consistent": first_consistent,
    "halving": halving,
    "standard optimal": standard_optimal,
}
COLOURS = {
    "first consistent": style.ORANGE,
    "halving": style.BLUE,
    "standard optimal": style.GREEN,
    YOU: style.RED,
}
MARKERS = dict(zip(COLOURS, "os^X", strict=True))
LEVELS = (5, 8, 16)  # rows of the board: the first with room for all rounds
PALE = 0.35  # the games that are not on the board
NOTES_X = 1.03  # the start of the notes; the rules are between 0 and 1


@lru_cache(maxsize=16)
def game_of(rules: str, points: int) -> MistakeGame:
    """Return the game on a class, one object for all explorers: it caches its search."""
    return MistakeGame(CLASSES[rules](points))


@lru_cache(maxsize=64)
def rounds_of(rules: str, points: int, learner: str) -> tuple[Round, ...]:
    """Play the whole game of one of `LEARNERS`."""
    return tuple(play(game_of(rules, points), LEARNERS[learner]))


def question(game: MistakeGame, alive: int) -> int | None:
    """Choose a point where both answers leave many rules, for an unknown label; None if over."""

    def worth(split: tuple[int, int, int]) -> tuple[int, int]:
        _, *sides = split
        return min(map(game.dimension, sides)), min(side.bit_count() for side in sides)

    return max(game.splits(alive), key=worth, default=(None,))[0]


def your_rounds(game: MistakeGame, labels: tuple[int, ...]) -> tuple[Round, ...]:
    """Play the game with these labels, until there is nothing left to ask."""
    rounds: list[Round] = []
    alive = game.everybody
    for label in labels:
        if (point := question(game, alive)) is not None:
            alive = game.split(alive, point)[1 - label]
            rounds.append(Round(point, label, alive))
    return tuple(rounds)


@dataclass(frozen=True, eq=False)
class MistakeView:
    """A class, its mistake tree, and the games of all learners; `learner`'s is on the board."""

    rules: str
    points: int
    learner: str
    game: MistakeGame
    games: dict[str, tuple[Round, ...]]

    @property
    def rounds(self) -> tuple[Round, ...]:
        return self.games[self.learner]

    @property
    def depth(self) -> int:
        """The Littlestone dimension."""
        return self.game.dimension(self.game.everybody)

    @property
    def next_point(self) -> int | None:
        """The next point for you to label, None if you don't play or the game is over."""
        last = self.rounds[-1].alive if self.rounds else self.game.everybody
        return question(self.game, last) if self.learner == YOU else None

    @cached_property
    def positions(self) -> list[np.ndarray]:
        """The places in (0, 1) of the consistent rules, before the first round and after each."""
        parts = [self.game.everybody, *(r.alive for r in self.rounds)]
        rules = [[h for h in range(self.size) if part >> h & 1] for part in parts]
        return [(np.array(numbers) + 0.5) / self.size for numbers in rules]

    @property
    def size(self) -> int:
        """The number of rules."""
        return len(self.game.hypotheses)

    def counts(self, learner: str) -> list[int]:
        """Count the consistent rules before the first round of a learner and after each."""
        return [self.size, *(r.alive.bit_count() for r in self.games[learner])]

    @property
    def branches(self) -> list[list[tuple[float, int]]]:
        """The edges of a complete tree of this depth, over (0, 1): (where, depth) at either end."""
        return [
            [((i + 0.5) / 2**d, d), ((2 * i + side + 0.5) / 2 ** (d + 1), d + 1)]
            for d in range(self.depth)
            for i in range(2**d)
            for side in (0, 1)
        ]


class MistakeTree(Explorer):
    """Learners against an adversary, and the number of times that it can say "wrong"."""

    size = (9.0, 4.2)

    def __init__(self):
        self.labels: tuple[int, ...] = ()
        super().__init__()

    def make_controls(self) -> Controls:
        def buttons(label: str, options: list[str], value: str) -> ipywidgets.Widget:
            return ipywidgets.RadioButtons(
                options=options, value=value, description=label, layout={"width": "300px"}
            )

        return {
            "points": choice("Points", 15, [(str(t), t) for t in POINTS]),
            "rules": buttons("Rules:", list(CLASSES), "thresholds"),
            "learner": buttons("Learner:", [*LEARNERS, YOU], "halving"),
            "zero": Again("I say 0"),
            "one": Again("I say 1"),
        }

    def link(self, name: str) -> None:
        if name in ("points", "rules"):
            self.labels = ()
        elif name in ("zero", "one"):
            is_new_game = self.value("learner") != YOU or self.view().next_point is None
            label = ("zero", "one").index(name)
            self.labels = (label,) if is_new_game else (*self.labels, label)
            self.controls["learner"].value = YOU

    def compute(self, rules: str, points: int, learner: str, **_: Any) -> MistakeView:
        game = game_of(rules, points)
        games = {name: rounds_of(rules, points, name) for name in LEARNERS}
        games[YOU] = your_rounds(game, self.labels)
        return MistakeView(rules, points, learner, game, games)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.5, 1))
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.13, top=0.92, wspace=0.2)
        left_ax.set(title="Rules that agree with all answers", xlabel="rules, first to last")
        left_ax.set(ylabel="mistakes", xlim=(0, 1.16), xticks=[])
        left_ax.grid(axis="x", visible=False)
        left_ax.text(
            1, 1.03, "point: label", transform=left_ax.transAxes, ha="right", color=style.INK
        )
        right_ax.set(
            title="Rules that are left", xlabel="mistakes", xlim=(-0.5, 16.5), yscale="log"
        )
        right_ax.set(ylim=(0.8, 300), ylabel="rules")
        style.plain_ticks(right_ax.xaxis, [0, 5, 10, 15])
        style.plain_ticks(right_ax.yaxis, [1, 2, 4, 8, 16, 32, 64, 128])
        self.tree = left_ax.vlines([0], 0, 0, color=style.GREY, linewidth=0.8, alpha=0.6)
        (self.rules,) = left_ax.plot([0], [0], ".", markersize=6)
        (self.walk,) = left_ax.plot([0], [0], "-", color=style.INK, linewidth=1.2)
        self.notes = [
            left_ax.text(NOTES_X, i + 0.5, "", color=style.INK, va="center")
            for i in range(LEVELS[-1])
        ]
        self.depth = right_ax.axvline(1, color=style.INK, linestyle=":", label="depth of the tree")
        self.lines = {
            name: right_ax.plot([0], [1], "-", marker=MARKERS[name], color=colour, label=name)[0]
            for name, colour in COLOURS.items()
        }
        for line, size in zip(self.lines.values(), (4, 8, 5, 7), strict=True):
            line.set_markersize(size)  # the games of two learners are often the same
        right_ax.legend(loc="upper right", fontsize="small")
        return [self.tree, self.rules, self.walk, *self.notes, self.depth, *self.lines.values()]

    def move(self, view: MistakeView) -> None:
        levels = next(n for n in LEVELS if len(view.rounds) < n)
        self.walk.axes.set(ylim=(levels - 0.4, -0.6))
        self.tree.set_segments(view.branches)
        sizes = list(map(len, view.positions))
        self.rules.set_data(np.concatenate(view.positions), np.repeat(range(len(sizes)), sizes))
        self.rules.set_color(COLOURS[view.learner])
        self.walk.set_data([rules.mean() for rules in view.positions], range(len(sizes)))
        texts = [f"{r.point}: {r.label}" for r in view.rounds]
        for i, note in enumerate(self.notes):
            note.set_text(texts[i] if i < len(texts) else "")
        self.depth.set_xdata([view.depth] * 2)
        for name, line in self.lines.items():
            line.set_alpha(1 if name == view.learner else PALE)
            line.set_data(range(len(view.games[name]) + 1), view.counts(name))

    def describe(self, view: MistakeView) -> str:
        mistakes = count(len(view.rounds), "mistakes")
        tree = f"{view.size} {view.rules} on {view.points} points have a tree of depth {view.depth}"
        if view.learner != YOU:
            return f"{tree}. The adversary forces {mistakes} on {view.learner}."
        point = view.next_point
        request = "nothing is left to ask." if point is None else f"point {point}, 0 or 1?"
        return f"{tree}. You have made {mistakes}: {request}"
