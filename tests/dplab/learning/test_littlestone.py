from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.learning import (
    MistakeGame,
    intervals,
    littlestone_dimension,
    single_points,
    threshold_dimension,
    thresholds,
)
from dplab.learning.littlestone import Node


@st.composite
def small_classes(draw, most=9):
    points = draw(st.integers(1, 5))
    rows = st.lists(st.integers(0, 1), min_size=points, max_size=points)
    return draw(st.lists(rows, min_size=1, max_size=most))


def dimension_by_definition(rules):
    """The depth of the deepest tree, over all first points, without any shortcut."""
    depths = []
    for x in range(len(rules[0])):
        sides = [[rule for rule in rules if rule[x] == label] for label in (0, 1)]
        if all(sides):
            depths.append(1 + min(map(dimension_by_definition, sides)))
    return max(depths, default=0)


def chain_by_definition(rules):
    """The largest k such that some k points and k rules, in some order, are thresholds."""
    points = range(len(rules[0]))
    for k in range(min(len(rules), len(points)), 0, -1):
        staircase = [[int(i <= j) for j in range(k)] for i in range(k)]
        for xs in permutations(points, k):
            rows = [[rule[x] for x in xs] for rule in rules]
            if all(step in rows for step in staircase):
                return k
    return 0


@given(small_classes())
def test_the_dimension_is_that_of_the_definition(rules):
    assert littlestone_dimension(rules) == dimension_by_definition(rules)


@given(small_classes(most=6))
def test_the_threshold_dimension_is_that_of_the_definition(rules):
    assert threshold_dimension(rules) == chain_by_definition(rules)


@pytest.mark.parametrize("points", [1, 2, 3, 7, 8, 15, 31, 63, 127, 255])
def test_thresholds_have_the_logarithm_and_all(points):
    expected = int(np.log2(points + 1) + 1e-9)
    assert littlestone_dimension(thresholds(points)) == expected
    if points < 64:
        assert threshold_dimension(thresholds(points)) == points


@pytest.mark.parametrize("points", [2, 3, 10, 200])
def test_single_points_have_one_however_many(points):
    assert littlestone_dimension(single_points(points)) == 1
    assert threshold_dimension(single_points(points)) == 1


@pytest.mark.parametrize("points", [1, 4, 9])
def test_all_functions_have_as_many_as_points(points):
    every = list(product((0, 1), repeat=points))
    assert littlestone_dimension(every) == points
    assert points > 4 or threshold_dimension(every) == points


@pytest.mark.parametrize(("hypotheses", "points"), [(1023, 32), (991, 44)])
def test_large_classes(hypotheses, points):
    rules = np.random.default_rng(0).random((hypotheses, points)) < 0.5
    game = MistakeGame(rules)
    depth = game.dimension(game.everybody)
    tree = game.tree(game.everybody)
    assert isinstance(tree, Node)
    assert depth == 9  # ten would take 1,024 leaves; nine are shattered as shown:
    assert_shattered(rules, tree, depth)


def assert_shattered(rules, tree, depth):
    paths = list(tree.paths())
    assert len(paths) == 1 << depth
    assert len({tuple(path) for path, _ in paths}) == 1 << depth
    for path, leaf in paths:
        assert len(path) == depth
        assert all(rules[leaf][point] == label for point, label in path)
    for answers in product((0, 1), repeat=depth):  # and the paths make one tree
        node = tree
        for answer in answers:
            node = (node.zero, node.one)[answer]
        assert isinstance(node, int)


@given(small_classes())
def test_the_tree_is_shattered_and_as_deep_as_the_dimension(rules):
    game = MistakeGame(rules)
    depth = game.dimension(game.everybody)
    tree = game.tree(game.everybody)
    if depth == 0:
        assert tree == 0
    else:
        assert_shattered(rules, tree, depth)


@given(small_classes(), st.data())
def test_parts_of_a_class_have_their_own_dimension(rules, data):
    rows = data.draw(st.sets(st.integers(0, len(rules) - 1)))
    game, alive = MistakeGame(rules), sum(1 << row for row in rows)
    game.dimension(game.everybody)  # what is remembered must not mislead
    part = [rules[row] for row in rows]
    assert game.dimension(alive) == (dimension_by_definition(part) if part else -1)


@given(small_classes(), st.data())
def test_who_is_consistent(rules, data):
    pairs = st.tuples(st.integers(0, len(rules[0]) - 1), st.integers(0, 1))
    sample = data.draw(st.lists(pairs, min_size=1, max_size=5))
    alive = MistakeGame(rules).consistent(sample)
    agree = [all(rule[x] == y for x, y in sample) for rule in rules]
    assert [bool(alive >> row & 1) for row in range(len(rules))] == agree


@settings(max_examples=60)
@given(small_classes(most=12))
def test_each_dimension_bounds_the_other(rules):
    depth, chain = littlestone_dimension(rules), threshold_dimension(rules)
    assert chain == 0 or int(np.log2(chain)) <= depth
    assert depth == 0 or int(np.log2(depth)) <= chain


def test_repeated_hypotheses_and_the_order_change_nothing():
    rules = intervals(5)
    shuffled = np.random.default_rng(1).permutation(np.vstack([rules, rules]))[:, ::-1]
    assert littlestone_dimension(shuffled) == littlestone_dimension(rules)
    assert threshold_dimension(shuffled) == threshold_dimension(rules)


def test_few_hypotheses_on_many_points_are_few_columns():
    rules = np.tile([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], 100_000)
    assert threshold_dimension(rules) == 3  # each point by itself would take minutes
    assert littlestone_dimension(rules) == 1


def test_a_class_has_no_tree_deeper_than_its_dimension():
    game = MistakeGame(thresholds(6))
    assert len(list(game.tree(game.everybody, 1).paths())) == 2
    with pytest.raises(ValueError, match="depth must be at most 2, not 3"):
        game.tree(game.everybody, 3)
    with pytest.raises(ValueError, match="depth must be at most -1, not 0"):
        game.tree(0, 0)


def test_splits_are_all_there_are_and_the_most_even_first():
    game = MistakeGame(thresholds(5))
    found = game.splits(game.everybody)
    assert sorted(point for point, *_ in found) == list(range(5))
    smaller = [min(zeros.bit_count(), ones.bit_count()) for _, zeros, ones in found]
    assert smaller == [3, 2, 2, 1, 1]
    assert all(zeros | ones == game.everybody and not zeros & ones for _, zeros, ones in found)
    assert len(game.splits(game.everybody, 2)) == 3
    assert not game.splits(1)


def test_bad_classes_are_refused():
    for call in (littlestone_dimension, threshold_dimension, MistakeGame):
        with pytest.raises(ValueError, match="hypotheses must be rows of 0s and 1s"):
            call([[0, 3]])


@pytest.mark.parametrize("share", [0.5, 0.35, 0.3, 0.2, 0.1])
@pytest.mark.parametrize("seed", range(5))
def test_a_large_class_is_searched_in_few_steps_however_rare_a_one(share, seed):
    """Seeds are fixed: in the search itself nothing is random. Asking the larger side first would
    look at some 100 times as many parts of the class.
    """
    game = MistakeGame(np.random.default_rng(seed).random((1024, 32)) < share)
    game.dimension(game.everybody)
    assert len(game._bounds) < 10_000


@pytest.mark.parametrize("seed", range(3))
def test_so_are_half_spaces(seed):
    rng = np.random.default_rng(seed)
    points, normals = rng.normal(size=(32, 3)), rng.normal(size=(1024, 3))
    game = MistakeGame(normals @ points.T > rng.normal(size=(1024, 1)) / 2)
    game.dimension(game.everybody)
    assert len(game._bounds) < 10_000
