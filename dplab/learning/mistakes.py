"""Learners who predict one label after another, and the adversary who makes them err.

At first all hypotheses of a class are possible. An adversary can make three learners commit this
many mistakes:

    first_consistent    up to hypotheses - 1
    halving             up to log2(hypotheses)
    standard_optimal    up to Ldim, and no learner can guarantee fewer

Sources: Littlestone (1988); Barzdin and Freivalds (1972) and Angluin (1988) for halving.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dplab import arguments
from dplab.learning.littlestone import MistakeGame

Learner = Callable[[MistakeGame, int, int], int]  # (game, alive, point) -> label


def _check_state(game: MistakeGame, alive: int, point: int) -> None:
    arguments.instance("game", game, MistakeGame)
    arguments.whole("alive", alive, least=0, most=game.everybody)
    arguments.whole("point", point, least=0, most=game.points - 1)


def first_consistent(game: MistakeGame, alive: int, point: int) -> int:
    """Return the label that the first consistent hypothesis gives to the point.

    Raises ValueError for other arguments.
    """
    _check_state(game, alive, point)
    return int(game.split(alive & -alive, point)[1] > 0)


def halving(game: MistakeGame, alive: int, point: int) -> int:
    """Return the label of most hypotheses; so there are at most log2(hypotheses) mistakes.

    Raises ValueError for other arguments.
    """
    _check_state(game, alive, point)
    zeros, ones = game.split(alive, point)
    return int(ones.bit_count() > zeros.bit_count())


def standard_optimal(game: MistakeGame, alive: int, point: int) -> int:
    """Say the label whose side has the larger Littlestone dimension: at most Ldim mistakes.

    Raises ValueError for other arguments.
    """
    _check_state(game, alive, point)
    zeros, ones = game.split(alive, point)
    return int(game.dimension(ones) > game.dimension(zeros))


@dataclass(frozen=True)
class Round:
    """A point, the learner's wrong `label`, and the hypotheses that are still possible."""

    point: int
    label: int
    alive: int


def play(game: MistakeGame, learner: Learner) -> list[Round]:
    """Return the rounds against an adversary who knows the learner; each is a mistake.

    The adversary asks for the point where most hypotheses remain after "wrong": by dimension, so
    that there are Ldim rounds or more, then by number. The game ends when all remaining hypotheses
    agree on every point.

    Raises ValueError for other arguments.
    """
    arguments.instance("game", game, MistakeGame)
    arguments.function("learner", learner)
    rounds, alive = [], game.everybody
    while options := game.splits(alive):
        guesses = [(point, learner(game, alive, point), sides) for point, *sides in options]
        candidates = [Round(point, guess, sides[1 - guess]) for point, guess, sides in guesses]
        rounds.append(max(candidates, key=lambda r: (game.dimension(r.alive), r.alive.bit_count())))
        alive = rounds[-1].alive
    return rounds


def most_mistakes(game: MistakeGame, learner: Learner) -> int:
    """Return how many mistakes the worst sequence makes the learner commit, by full search.

    Use it for small classes: the work grows with the number of sets that answers can leave.

    Raises ValueError for other arguments.
    """
    arguments.instance("game", game, MistakeGame)
    arguments.function("learner", learner)
    mistakes: dict[int, int] = {}

    def worst(alive: int) -> int:
        if alive not in mistakes:
            mistakes[alive] = 0
            for point, *sides in game.splits(alive):
                guess = learner(game, alive, point)
                counts = [worst(side) + (label != guess) for label, side in enumerate(sides)]
                mistakes[alive] = max(mistakes[alive], *counts)
        return mistakes[alive]

    return worst(game.everybody)
