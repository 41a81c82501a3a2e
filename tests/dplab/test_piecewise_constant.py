from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab import Laplace
from dplab.audit import goodness_of_fit
from dplab.divergences import privacy_loss, total_variation
from dplab.piecewise_constant import PiecewiseConstant
from tests.refusals import assert_refused

edge_lists = st.lists(st.integers(-20, 20), min_size=2, max_size=8, unique=True).map(sorted)
heights = st.lists(st.floats(-30, 30), min_size=7, max_size=7)


def steps(edges, logs):
    return PiecewiseConstant(edges, logs[: len(edges) - 1])


@given(edge_lists, heights)
@settings(max_examples=50)
def test_density_integrates_to_the_distribution_function(edges, logs):
    law = steps(edges, logs)
    mass = sum(quad(lambda y: np.exp(law.log_density(y)), a, b)[0] for a, b in pairwise(edges))
    assert mass == pytest.approx(1)
    for a, b in pairwise(edges):
        middle = (a + b) / 2
        below = quad(lambda y: np.exp(law.log_density(y)), a, middle)[0]
        assert law.cdf(middle) - law.cdf(a) == pytest.approx(below, abs=1e-9)


@given(edge_lists, heights, heights)
def test_privacy_loss_of_two_laws_on_the_same_edges_is_that_of_their_cells(edges, logs, others):
    p, q = steps(edges, logs), steps(edges, others)
    cells = np.log(p.probabilities) - np.log(q.probabilities)
    loss = privacy_loss(p, q)
    assert loss.largest_log_ratio == pytest.approx(abs(cells).max(), abs=1e-9)
    assert total_variation(p, q) == pytest.approx(
        np.abs(p.probabilities - q.probabilities).sum() / 2, abs=1e-9
    )


def test_edges_of_both_laws_cut_the_loss():
    """Uniform on [0, 4] against density 3/8 on [0, 2], 1/8 on [2, 4]: ratios 2/3 and 2."""
    p, q = PiecewiseConstant([0, 4], [0]), PiecewiseConstant([0, 2, 4], np.log([3, 1]))
    loss = privacy_loss(p, q)
    assert loss.largest == pytest.approx(np.log(2))
    assert loss.smallest == pytest.approx(np.log(2 / 3))
    assert loss.delta(0) == pytest.approx(1 / 4)


def test_where_only_one_law_lives_the_loss_is_infinite():
    p, q = PiecewiseConstant([0, 2], [0]), PiecewiseConstant([1, 3], [0])
    loss = privacy_loss(p, q)
    assert loss.infinite == pytest.approx(1 / 2)
    assert loss.largest_log_ratio == np.inf


def test_empty_intervals_carry_nothing():
    law = PiecewiseConstant([0, 1, 1, 1, 2, 2], [0, 500, 9, np.log(3), 800])
    assert law.edges.tolist() == [0, 1, 2]
    np.testing.assert_allclose(law.probabilities, [0.25, 0.75])
    gap = PiecewiseConstant([0, 1, 2, 3], [0, -np.inf, 0])
    assert gap.log_density(1.5) == -np.inf
    np.testing.assert_allclose(gap.cdf([0, 1, 1.5, 2, 3]), [0, 0.5, 0.5, 0.5, 1])


def test_density_has_both_ends_and_nothing_beyond():
    law = PiecewiseConstant([0, 1, 3], np.log([4, 1]))
    y = [-0.1, 0, 0.5, 1, 2.9, 3, 3.1]
    np.testing.assert_allclose(
        np.exp(law.log_density(y)), [0, 2 / 3, 2 / 3, 1 / 6, 1 / 6, 1 / 6, 0]
    )


def test_heights_of_any_size():
    law = PiecewiseConstant([0, 1, 2], [1e6, 1e6 - np.log(3)])
    np.testing.assert_allclose(law.probabilities, [0.75, 0.25])


def test_draws_follow_the_law():
    """Two tests at 1e-10."""
    rng = np.random.default_rng()
    for law in (
        PiecewiseConstant([0, 1, 1, 3, 10], [2, 9, 0, -1]),
        PiecewiseConstant([-5, 5], [3]),
    ):
        assert goodness_of_fit(law.sample(rng, 20_000), law).passed


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: PiecewiseConstant([0, 1], [0, 0]),
            r"log_heights must have .* shape \(1,\), not \(2,\)",
        ),
        (lambda: PiecewiseConstant([0, 2, 1], [0, 0]), "edges must not decrease"),
        (lambda: PiecewiseConstant([0, np.inf], [0]), "edges must hold finite numbers, not inf"),
        (lambda: PiecewiseConstant([1, 1], [0]), "finite on an interval of length above 0"),
        (lambda: PiecewiseConstant([0, 1], [-np.inf]), "finite on an interval of length above 0"),
        (lambda: PiecewiseConstant([0, 1], [np.nan]), "nor log_heights be NaN"),
        (
            lambda: privacy_loss(PiecewiseConstant([0, 1], [0]), Laplace(0, 1)),
            "q must be PiecewiseConstant like p",
        ),
    ]
    assert_refused(calls)
