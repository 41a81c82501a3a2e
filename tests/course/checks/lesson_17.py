"""The numbers of lesson 17; what is random among them is so by the lesson's generator."""

import numpy as np

from dplab import PureDP


def after_fm_hand(W, A):
    """By hand, too, the recovery gives all answers."""
    assert np.allclose(W @ np.linalg.pinv(A) @ A, W)


def after_fm_rows(rows, W):
    """All are factors of one matrix; none can have less than its mean singular value."""
    for factors in rows.values():
        assert np.allclose(factors.workload, W)
    assert np.isclose(rows["square root"].largest_error(), 2.831, atol=1e-3)
    assert np.linalg.svd(W, compute_uv=False).mean() > 2.47


def after_cell_23(off):
    """They spread by 600 only if a node of the largest is off by 50 scales: below 1e-20."""
    assert off.std() < 600


def after_cell_45(worst):
    """Four questions are off by 0.1 with Laplace noise with probability below 1e-10.

    The others are measured: in twelve runs the errors stayed eight standard deviations or more
    away, which a normal law exceeds with probability 1e-15.
    """
    assert worst["Laplace"][0] < 0.1
    assert worst["projection"][3] < worst["normal"][3]
    assert worst["projection"][4] < worst["normal"][4]
    assert worst["Laplace"][4] > 1


def after_cell_63(learned, asked):
    """The table is one of 1,000 people; the questions are about as many as the title says."""
    assert sum(map(len, asked.values())) == 9968
    assert np.isclose(learned.sum(), 1000)


def after_cell_55(table):
    """One cell of four is open."""
    assert [rate.open for rate in table.values()] == [False, False, True, False]


def after_jl_run(projected, off):
    """The 120 numbers break their bound only by a jump of 40 scales: below 1e-17."""
    assert projected.guarantee == PureDP(1)
    assert off["120 numbers, lifted"] < projected.error_bound


def after_discrepancy_shown(half, least):
    """The discrepancies that the text speaks of."""
    assert [half["cells of two"], half["thresholds"], least["all subsets of 8"]] == [0, 1, 1]
    assert half["random"] >= half["thresholds"]
