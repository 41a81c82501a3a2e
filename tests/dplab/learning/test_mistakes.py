import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.learning import (
    MistakeGame,
    first_consistent,
    halving,
    intervals,
    littlestone_dimension,
    most_mistakes,
    play,
    single_points,
    standard_optimal,
    thresholds,
)
from tests.dplab.learning.test_littlestone import small_classes

LEARNERS = (first_consistent, halving, standard_optimal)


def distinct(rules):
    return len({tuple(rule) for rule in np.asarray(rules).tolist()})


@given(small_classes())
def test_the_standard_optimal_learner_makes_as_many_mistakes_as_the_dimension(rules):
    """The theorem, over all sequences: no fewer, since the adversary has its tree; no more."""
    depth, game = littlestone_dimension(rules), MistakeGame(rules)
    assert most_mistakes(game, standard_optimal) == len(play(game, standard_optimal)) == depth


@given(small_classes())
def test_halving_makes_at_most_the_logarithm(rules):
    game = MistakeGame(rules)
    depth, most = littlestone_dimension(rules), most_mistakes(game, halving)
    assert depth <= most <= np.log2(len(rules)) + 1e-9
    assert depth <= most_mistakes(game, first_consistent) <= distinct(rules) - 1


def exhaustive(game, learner, alive):
    """The worst number of mistakes, by trying all sequences without remembering anything."""
    counts = [0]
    for point in range(game.points):
        said = learner(game, alive, point)
        for label, left in enumerate(game.split(alive, point)):
            if left and left != alive:
                counts.append((label != said) + exhaustive(game, learner, left))
    return max(counts)


@settings(max_examples=40)
@given(small_classes(most=6), st.sampled_from(LEARNERS))
def test_most_mistakes_by_all_sequences(rules, learner):
    game = MistakeGame(rules)
    assert most_mistakes(game, learner) == exhaustive(game, learner, game.everybody)


@given(small_classes(), st.sampled_from(LEARNERS))
def test_a_game_is_fair_and_each_round_a_mistake(rules, learner):
    game = MistakeGame(rules)
    rounds, alive = play(game, learner), game.everybody
    for one in rounds:
        assert one.label == learner(game, alive, one.point)
        assert one.alive == game.split(alive, one.point)[1 - one.label] != 0
        alive = one.alive
    assert not game.splits(alive)
    assert littlestone_dimension(rules) <= len(rounds) <= most_mistakes(game, learner)


@pytest.mark.parametrize("points", [1, 3, 7, 15, 31])
def test_on_thresholds_the_first_learner_pays_for_every_point(points):
    game, depth = MistakeGame(thresholds(points)), int(np.log2(points + 1))
    assert [len(play(game, learner)) for learner in LEARNERS] == [points, depth, depth]
    assert most_mistakes(game, first_consistent) == points


@pytest.mark.parametrize("make", [thresholds, single_points, intervals])
def test_the_adversary_of_play_is_the_worst_on_small_usual_classes(make):
    game = MistakeGame(make(6))
    for learner in LEARNERS:
        assert len(play(game, learner)) == most_mistakes(game, learner)


def test_halving_can_be_worse_than_the_dimension():
    """Eight rules on three points where the first says 0, and nine single points where it says 1:
    the many are the poorer side."""
    cube = [[0, *(n >> bit & 1 for bit in range(3)), *[0] * 9] for n in range(8)]
    singles = [[1, 0, 0, 0, *row] for row in np.eye(9, dtype=int).tolist()]
    game = MistakeGame(cube + singles)
    assert most_mistakes(game, standard_optimal) == 3
    assert most_mistakes(game, halving) == len(play(game, halving)) == 4


def test_ties_say_zero():
    game = MistakeGame([[0, 1], [1, 0]])
    assert halving(game, game.everybody, 0) == standard_optimal(game, game.everybody, 0) == 0
    assert first_consistent(game, game.everybody, 1) == 1


@given(small_classes(), st.data())
def test_what_each_learner_says(rules, data):
    """By counting, and by the dimension of the two sides."""
    rows = data.draw(st.sets(st.integers(0, len(rules) - 1), min_size=1))
    point = data.draw(st.integers(0, len(rules[0]) - 1))
    game, alive = MistakeGame(rules), sum(1 << row for row in rows)
    sides = [[rules[row] for row in sorted(rows) if rules[row][point] == y] for y in (0, 1)]
    depths = [littlestone_dimension(side) if side else -1 for side in sides]
    assert first_consistent(game, alive, point) == rules[min(rows)][point]
    assert halving(game, alive, point) == (len(sides[1]) > len(sides[0]))
    assert standard_optimal(game, alive, point) == (depths[1] > depths[0])


def test_rounds_are_values():
    first, again = (play(MistakeGame(thresholds(4)), halving) for _ in range(2))
    assert set(first) == set(again)
