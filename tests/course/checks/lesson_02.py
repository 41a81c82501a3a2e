"""What the numbers of lesson 2 must be.

Questions drawn with `drawn` are the same in every run, and so are the checks on them. The checks
of what is random, together with those in sight, fail with probability below 1e-9.
"""

from unittest import TestCase

import numpy as np

from dplab.attacks.least_squares import least_squares
from dplab.attacks.linear_program import Infeasible, feasible_point, least_absolute
from dplab.attacks.wild_answers import MAX_WILD_SHARE
from dplab.queries import random_queries
from dplab.theorems import reconstruction_law as law


def after_cell_16(wrong):
    assert wrong.min() == 0


def after_cell_34(shares):
    assert shares["random subsets"] > shares["marginals"] > 0.9
    assert max(shares["thresholds"], shares["bins of one"]) < 0.75


def after_cell_38(errors, hits):
    for kappa in (2, 4, 16):
        assert abs(hits[kappa] - law.contrary_share(errors, kappa)).max() < 0.15


def after_46dbc48c(thousand, sampled, asked, doubled):
    """The verdict of claim 2: of 500 fair bits half are 0; the share is 0.1 off at 9 deviations."""
    hits = least_squares(asked, doubled).bits == thousand
    assert abs(hits.mean() - 0.75) < 0.1
    assert law.collapsed_share(2, 4) < 0.6
    assert law.collapsed_share(2, 400) > 0.99


def after_a0909130(n, inverse):
    """The loop's last size, and its first with other questions."""
    others = 1 / law.noise_gain(random_queries(400, 100, np.random.default_rng(2007))) ** 2
    assert np.isclose(inverse.mean(), (3 * n + 1) / 4, rtol=0.03)
    assert np.isclose(others.mean(), 301 / 4, rtol=0.03)


def after_cell_22(queries, answers, error, program, plain, secret):
    """The linear program always keeps its bound. Least squares gets 93 in expectation."""
    assert abs(queries @ program.estimates - answers).max() <= error + 1e-6
    assert plain.accuracy(secret) > 0.6


def after_cell_25(queries, answers, error, within):
    assert abs(queries @ within.estimates - answers).max() <= error + 1e-6


def after_cell_26(queries, answers, error):
    """A tenth of the stated error fits with a probability below 1e-50, by a net over datasets."""
    with TestCase().assertRaises(Infeasible):
        feasible_point(queries, answers, error=error / 10)


def after_cell_42(program, plain, hidden):
    assert max(program.accuracy(hidden), plain.accuracy(hidden)) < 0.5


def after_cell_36c(off, right):
    """The counts pass 500 only if one of the tree's large nodes has noise of 40 scales."""
    assert off.std() < 500
    assert right.mean() < 0.55


def after_cell_45(queries, answers, secret):
    assert least_absolute(queries, answers).accuracy(secret) == 0


def after_cell_46(rights):
    assert all(right == (share < MAX_WILD_SHARE) for share, right in rights.items())


def after_cell_50(differences, largest):
    assert abs(largest.sum() / differences.sum() - 0.5) < 0.01


def after_6f8cf597(off, c, kappa):
    """The ages' spread is off by 30% at nine standard deviations."""
    assert np.isclose(off.std(), 2 * c / (kappa - 1) ** 0.5, rtol=0.3)
    assert (abs(off) <= 1).mean() > 0.9


def after_cell_57(share_at):
    for epsilon, expected in ((1, 0.522), (10, 0.667), (50, 0.93)):
        assert abs(share_at[epsilon] - expected) < 0.005
