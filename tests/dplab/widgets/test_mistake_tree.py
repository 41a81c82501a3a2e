from itertools import product

import numpy as np
import pytest

from dplab.learning import littlestone_dimension, most_mistakes
from dplab.widgets import MistakeTree
from dplab.widgets.mistake_tree import (
    CLASSES,
    LEARNERS,
    LEVELS,
    POINTS,
    YOU,
    game_of,
    question,
    rounds_of,
    your_rounds,
)

everything = pytest.mark.parametrize(("rules", "points"), list(product(CLASSES, POINTS)))


@everything
def test_games_are_between_the_dimension_and_the_worst(rules, points):
    game = game_of(rules, points)
    depth = littlestone_dimension(CLASSES[rules](points))
    assert len(rounds_of(rules, points, "standard optimal")) == depth
    for name, learner in LEARNERS.items():
        rounds = rounds_of(rules, points, name)
        assert depth <= len(rounds) < LEVELS[-1]
        if points == 3:
            assert len(rounds) == most_mistakes(game, learner)


@everything
def test_whatever_you_say_is_wrong_as_often_as_the_tree_is_deep(rules, points):
    """And each answer leaves a rule, which gives all of them."""
    game = game_of(rules, points)
    depth = game.dimension(game.everybody)
    for said in product((0, 1), repeat=depth):
        rounds = your_rounds(game, said)
        assert [one.label for one in rounds] == list(said)
        answers = [(one.point, 1 - one.label) for one in rounds]
        assert rounds[-1].alive == game.consistent(answers) != 0


def test_a_game_of_yours_ends_when_nothing_is_left_to_ask():
    game = game_of("thresholds", 3)
    assert len(your_rounds(game, (0,) * 10)) == 2
    assert question(game, 1) is None
    assert len(your_rounds(game_of("single points", 7), (1,) * 10)) == 6
    assert len(your_rounds(game_of("single points", 7), (0,) * 10)) == 1


@pytest.mark.parametrize("learner", LEARNERS)
def test_picture_follows_the_controls(learner):
    explorer = MistakeTree()
    for rules, points in (("intervals", 7), ("single points", 15), ("thresholds", 3)):
        for name, value in (("rules", rules), ("points", points), ("learner", learner)):
            explorer.controls[name].value = value
        view, game = explorer.view(), game_of(rules, points)
        assert view.depth == littlestone_dimension(CLASSES[rules](points))
        assert explorer.depth.get_xdata() == [view.depth] * 2
        assert len(explorer.tree.get_segments()) == 2 ** (view.depth + 1) - 2
        alive = [game.everybody, *(one.alive for one in view.rounds)]
        where, heights = explorer.rules.get_data()
        for level, part in enumerate(alive):
            shown = {round(x * view.size - 0.5) for x in where[np.equal(heights, level)]}
            assert shown == {h for h in range(view.size) if part >> h & 1}
        for name, line in explorer.lines.items():
            assert line.get_ydata() == view.counts(name)
            assert len(line.get_xdata()) == len(view.games[name]) + 1
        texts = [note.get_text() for note in explorer.notes if note.get_text()]
        assert texts == [f"{one.point}: {one.label}" for one in view.rounds]


def test_buttons_play_your_game_and_start_it_again():
    explorer = MistakeTree()
    explorer.controls["points"].value = 3
    explorer.controls["one"].click()
    assert explorer.value("learner") == YOU
    view = explorer.view()
    assert [one.label for one in view.rounds] == [1]
    assert view.next_point is not None
    explorer.controls["zero"].click()
    assert explorer.labels == (1, 0)
    assert explorer.view().next_point is None
    assert "You have made 2 mistakes: nothing is left to ask." in explorer.picture.tooltip
    explorer.controls["zero"].click()
    assert explorer.labels == (0,)
    explorer.controls["learner"].value = "halving"
    assert explorer.view().next_point is None
    explorer.controls["one"].click()
    assert explorer.labels == (1,)
    explorer.controls["rules"].value = "intervals"
    assert explorer.labels == ()
    assert "You have made no mistakes: point" in explorer.picture.tooltip


def test_caption_says_depth_and_mistakes():
    explorer = MistakeTree()
    tree = "16 thresholds on 15 points have a tree of depth 4."
    assert explorer.picture.tooltip == f"{tree} The adversary forces 4 mistakes on halving."
    explorer.controls["learner"].value = "first consistent"
    forced = "The adversary forces 15 mistakes on first consistent."
    assert explorer.picture.tooltip == f"{tree} {forced}"
    explorer.controls["learner"].value = YOU
    assert explorer.picture.tooltip.endswith("You have made no mistakes: point 7, 0 or 1?")


def test_only_the_game_on_the_board_is_drawn_dark():
    explorer = MistakeTree()
    explorer.controls["learner"].value = "first consistent"
    dark = [name for name, line in explorer.lines.items() if line.get_alpha() == 1]
    assert dark == ["first consistent"]
