"""Learners who predict one label after another, and the adversary who makes them err.

Three learners of a class whose hypotheses are all still possible at first, and the mistakes that
they can be made to commit:

    first_consistent    up to hypotheses - 1
    halving             up to log2(hypotheses)
    standard_optimal    up to Ldim, and nobody does with fewer

Sources: Littlestone (1988); Barzdin and Freivalds (1972) and Angluin (1988) for halving.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dplab.learning.littlestone import MistakeGame

Learner = Callable[[MistakeGame, int, int], int]  # of the game, those alive and a point: a label


def first_consistent(game: MistakeGame, alive: int, point: int) -> int:
    """Say what the first of the consistent hypotheses says."""
    return int(game.split(alive & -alive, point)[1] > 0)


def halving(game: MistakeGame, alive: int, point: int) -> int:
    """Say what most say: a mistake leaves at most half, so there are log2(hypotheses) at most."""
    zeros, ones = game.split(alive, point)
    return int(ones.bit_count() > zeros.bit_count())


def standard_optimal(game: MistakeGame, alive: int, point: int) -> int:
    """Say the label whose side has the larger Littlestone dimension: at most Ldim mistakes."""
    zeros, ones = game.split(alive, point)
    return int(game.dimension(ones) > game.dimension(zeros))


@dataclass(frozen=True)
class Round:
    """A point, the label that the learner said wrongly, and who agrees with the answers so far."""

    point: int
    said: int
    alive: int


def play(game: MistakeGame, learner: Learner) -> list[Round]:
    """The rounds against an adversary who sees through the learner, each of them a mistake.

    It asks where the most is left after "wrong": by dimension, so that there are Ldim rounds or
    more, then by number. It ends when those that are left agree on every point.
    """
    rounds, alive = [], game.everybody
    while options := game.splits(alive):
        asked = [(point, learner(game, alive, point), sides) for point, *sides in options]
        left = [Round(point, said, sides[1 - said]) for point, said, sides in asked]
        rounds.append(max(left, key=lambda r: (game.dimension(r.alive), r.alive.bit_count())))
        alive = rounds[-1].alive
    return rounds


def most_mistakes(game: MistakeGame, learner: Learner) -> int:
    """The mistakes that the worst sequence makes the learner commit, by exhaustive search.

    Work grows with the number of sets that answers can leave: for small classes.
    """
    known: dict[int, int] = {}

    def worst(alive: int) -> int:
        if alive not in known:
            known[alive] = 0
            for point, *sides in game.splits(alive):
                said = learner(game, alive, point)
                counts = [worst(side) + (label != said) for label, side in enumerate(sides)]
                known[alive] = max(known[alive], *counts)
        return known[alive]

    return worst(game.everybody)
