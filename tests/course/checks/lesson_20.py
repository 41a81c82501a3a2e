"""The numbers of lesson 20; what is random among them is so by the lesson's generator."""

import numpy as np

from dplab import ApproxDP
from dplab.learning import littlestone_dimension, threshold_dimension
from dplab.theorems.ramsey import normality


def after_cell_22(found, two_point_success):
    """The bound holds, and two examples fewer are not enough."""
    assert found.holds
    for points in (2**10 + 1, 2**20 + 1):
        right = [two_point_success(points, n, epsilon=1) for n in range(2, 99, 2)]
        enough = next(place for place, chance in enumerate(right) if chance > 0.9)
        assert right[enough - 1] < 0.9


def after_cell_28(game):
    """Each leaf of the tree is a rule that gives the labels of its path."""
    for path, leaf in game.tree(game.everybody).paths():
        assert all(game.hypotheses[leaf][x] == y for x, y in path)


def after_cell_54(kept):
    """Forty-one rules are a cover of any line."""
    assert len(kept[-1]) <= 41


def after_cell_56(wrong):
    """Each of the twenty is wrong on a tenth or more with probability 1/10 at most, by the theorem.

    Fifteen of them are with probability below 15504e-15, some 1e-11.
    """
    assert sorted(wrong)[5] < 0.1


def after_cell_59(law):
    """One of two rules comes out, so one of them for half of all samples."""
    assert law.probabilities.max() >= 1 / 2


def after_cell_36(counts):
    """All colourings, counted."""
    assert counts == {3: 6, 4: 18, 5: 12, 6: 0}


def after_cell_38(thresholds, single_points, intervals, every):
    """Each of the two dimensions is at least the logarithm of the other."""
    for rules in (thresholds(7), single_points(7), intervals(7), every):
        depth, chain = littlestone_dimension(rules), threshold_dimension(rules)
        assert int(np.log2(chain)) <= depth
        assert int(np.log2(depth)) <= chain


def after_cell_69(chances):
    """The chances of the gap in the middle, exactly."""
    assert np.allclose(chances[:2], [0.1769, 0.00224], rtol=0.01)


def after_cell_73(hits):
    """The proposition holds for a private learner, and not for one without error."""
    for m in (2, 10, 50):
        assert normality(hits(m, epsilon=1), ApproxDP(1, 0)).holds
    assert not normality(np.eye(50), ApproxDP(1, 0)).holds


def after_cell_63(points, failure):
    """Nineteen rules, that are all bad in less than a quarter of draws."""
    assert (len(points), failure < 1 / 4) == (19, True)


def after_cell_50(worst, cube, lone):
    """Halving errs more often than the tree is deep, the standard optimal learner does not."""
    assert worst == {"halving": 4, "standard_optimal": littlestone_dimension(cube + lone)}


def after_cell_82(table):
    """The mistakes of both learners on three classes."""
    assert table == [[7, 3], [6, 1], [7, 4]]
