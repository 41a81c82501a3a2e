"""What the numbers of lesson 1 must be.

The towns are drawn with seeds of their own, except for the one that replaces the census.
"""

import numpy as np

from dplab.attacks import averaging, differencing
from dplab.attacks.linkage import unique_share


def after_cell_13(share, cells):
    assert np.exp(-8499 / (cells - 1)) < share < np.exp(-8499 / cells)


def after_cell_19(pairs):
    assert pairs == [37, 132, 217, 433, 764]


def after_cell_25(matches, voters):
    assert len(matches) > 0.98 * len(voters)


def after_cell_27(governor):
    assert governor[["name", "ill"]].to_numpy().tolist() == [["Gero Popov", 1]]


def after_cell_32(income):
    assert round(income) == 126_600


def after_cell_34(differences):
    """By chance the mean is on the wrong side with probability 1e-11."""
    assert averaging.right_with(4000, variance=20) > 1 - 1e-11
    assert differences.mean() > 1 / 2


def after_cell_54(right, theory):
    """By Hoeffding each of six shares is off by 0.06 with probability 2 exp(-28.8) < 1e-12."""
    assert (abs(right - theory)[[0, 36, 131, 216, 432, 763]] < 0.06).all()


def after_cell_37(survey, known, shares):
    assert round(unique_share(survey, known), 2) == 0.40
    assert shares[-1] == unique_share(survey, known)
    assert (np.diff(shares) >= 0).all()


def after_cell_39(lone):
    assert (len(lone), lone.any_affair.sum()) == (2570, 909)


def after_cell_58(in_sample, in_town):
    assert in_sample > 0.95
    assert in_town < 0.7


def after_cell_61(ill, given_away):
    assert (ill, given_away) == (221, 40)


def after_95a6b4d1(halves, strict, person):
    """The verdicts of the claims."""
    assert averaging.pairs_to_be_right(0.99, variance=200) == 4330
    assert differencing.attack(strict, person) == 126_600
    assert np.linalg.matrix_rank(halves) == 6


def after_cell_49(steps):
    assert steps == [2, 7, 12, 17]


def after_cell_42(shares):
    assert (np.diff(shares) >= 0).all()


def after_cell_44(everything):
    """In an invented town everybody is alone, and 0.95 is far away."""
    assert everything > 0.95
