"""The worst case of a mechanism: no neighbours have a larger delta, at any epsilon."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import (
    ADD_REMOVE,
    AboveThreshold,
    ApproxDP,
    BoundedRange,
    ClippedMean,
    CoinSurvey,
    DiscreteGaussianMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    GeometricMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
    PureDP,
    RandomizedResponse,
    RandomRows,
    SnappingMechanism,
    StabilityHistogram,
    histogram,
)
from dplab.accounting import Release, epsilon_bounds
from dplab.accounting.releases import worst_loss
from dplab.divergences import privacy_loss
from dplab.losses import total_loss
from dplab.neighbors import pairs

EPSILONS = np.concatenate([-np.geomspace(3, 1e-3, 9), [0.0], np.geomspace(1e-3, 6, 14)])


def itself(data):
    return data


def deltas(loss):
    return np.array([loss.delta(epsilon) for epsilon in EPSILONS])


def expect_dominated(mechanism, x, y, slack=1e-12):
    worst, loss = mechanism.worst_case, mechanism.privacy_loss(x, y)
    if isinstance(worst, BoundedRange):
        assert worst.holds_for(loss)
        worst = worst.to_pure()
    assert (deltas(loss) <= deltas(worst_loss(worst)) + slack).all()


epsilons = st.floats(0.05, 4)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=4)


@settings(max_examples=25)
@given(epsilons, st.floats(0.1, 10), shares)
def test_laplace_noise_is_worst_in_one_coordinate(epsilon, sensitivity, moved):
    """Whatever coordinates share the sensitivity; sums of their losses lie on a grid."""
    mechanism = LaplaceMechanism(itself, sensitivity=sensitivity, epsilon=epsilon)
    spent = sensitivity * np.array(moved) / max(1.0, sum(moved))
    kept = mechanism.privacy_loss(spent, np.zeros(len(spent)))
    assert (deltas(kept)[9:] <= deltas(mechanism.worst_case)[9:] + 1e-7).all()
    alone = mechanism.privacy_loss(np.array([sensitivity]), np.zeros(1))
    assert deltas(alone) == pytest.approx(deltas(mechanism.worst_case), abs=1e-12)


@settings(max_examples=25)
@given(epsilons, st.lists(st.integers(-3, 3), min_size=1, max_size=3), st.integers(0, 2))
def test_geometric_noise_is_worst_in_one_coordinate(epsilon, moved, spare):
    """And exactly so, also where the sensitivity is no multiple of the grid."""
    steps = sum(map(abs, moved)) + spare
    mechanism = GeometricMechanism(itself, max(steps, 1) + Fraction(1, 3), Fraction(epsilon))
    expect_dominated(mechanism, moved, [0] * len(moved))
    whole = mechanism.privacy_loss([max(steps, 1)], [0])
    assert deltas(whole) == pytest.approx(deltas(mechanism.worst_case), abs=1e-12)


@pytest.mark.parametrize("make", [GeometricMechanism, DiscreteGaussianMechanism])
def test_a_sensitivity_below_the_grid_is_refused(make):
    """A curator would round 0.499 and 0.501 to 0 and 1, with noise for a move of 0.01."""
    with pytest.raises(ValueError, match="sensitivity must be at least one step of the grid, 1"):
        make(np.mean, 0.01, 1)


@settings(max_examples=25)
@given(st.floats(0.1, 5), st.floats(0.1, 10), shares)
def test_normal_noise_is_worst_at_the_full_distance_in_any_direction(mu, sensitivity, moved):
    mechanism = GaussianMechanism(itself, sensitivity=sensitivity, sigma=sensitivity / mu)
    step = sensitivity * np.array(moved) / max(1.0, np.linalg.norm(moved))
    expect_dominated(mechanism, step, np.zeros(len(step)))
    at_most = mechanism.privacy_loss(np.array([sensitivity]), np.zeros(1))
    assert deltas(at_most) == pytest.approx(deltas(mechanism.worst_case), rel=1e-9)


def moves(squares, most=3):
    """Yield moves of up to `most` coordinates, in steps, whose squares add up to this at most."""
    steps = range(1, int(squares**0.5) + 1)
    for count in range(1, most + 1):
        for move in combinations_with_replacement(steps, count):
            if sum(step * step for step in move) <= squares:
                yield move


@pytest.mark.parametrize("squares", [1, 2, 3, 4, 9, 18])
@pytest.mark.parametrize(("sigma", "grid"), [(1, 1), (0.5, 1), (2, 0.5), (5, 1), (9, 1)])
def test_a_discrete_gaussian_is_dominated_for_each_move_of_whole_steps(squares, sigma, grid):
    """Up to three coordinates; sums of losses are exact here, and bounds on a grid there."""
    mechanism = DiscreteGaussianMechanism(
        itself, Fraction(squares**0.5) * Fraction(grid) * (1 + Fraction(1, 10**9)), sigma, grid
    )
    worst = mechanism.worst_case
    assert mechanism.guarantee.holds_for(privacy_loss(mechanism.noise, mechanism.noise))
    if worst == mechanism.guarantee:
        assert squares > 3
        assert sigma / grid < 5
        return
    limits = deltas(worst)
    for move in moves(squares, 3 if sigma < 5 or squares <= 3 else 2):
        exact = total_loss(one_step(mechanism, step) for step in move)
        assert (deltas(exact) <= limits + 1e-11).all(), move
    assert mechanism.is_tight == (squares <= 3)
    if squares <= 3:
        assert deltas(exact)[9:] == pytest.approx(limits[9:], rel=0.03, abs=1e-4)


def one_step(mechanism, steps):
    moved = replace(mechanism.noise, location=steps * mechanism.grid)
    return privacy_loss(mechanism.noise, moved)


def test_a_discrete_gaussian_costs_what_its_loss_does():
    """A hundred of sigma 10; dp_accounting has no number, the normal law's epsilon is 4.8866."""
    count = DiscreteGaussianMechanism(itself, 1, 10)
    bounds = epsilon_bounds([Release(count, 100)], delta=1e-6)
    assert bounds.lower == pytest.approx(4.886, abs=2e-3)
    assert bounds.gap <= 5e-4
    for sigma in (80, 1000):  # beyond what is enumerated
        wide = DiscreteGaussianMechanism(itself, 1, sigma)
        found = epsilon_bounds([Release(wide, sigma**2)], delta=1e-6)
        assert bounds.lower < found.upper < bounds.upper * 1.001
        assert found.lower_of == "guarantee"


@pytest.mark.parametrize("k", [2, 3, 7, 50])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_randomized_response_is_the_same_for_any_two_truths(k, epsilon):
    mechanism = RandomizedResponse(epsilon, k)
    for x, y in ((0, 1), (k - 1, 0)):
        assert deltas(mechanism.privacy_loss(x, y)) == pytest.approx(
            deltas(mechanism.worst_case), abs=1e-14
        )


def test_the_worst_case_of_many_categories_needs_no_laws():
    worst = RandomizedResponse(1.0, 10**9).worst_case
    assert worst.largest == 1.0
    assert worst.delta(0) == pytest.approx(np.expm1(1) / (np.e + 1e9 - 1))


def test_a_clipped_mean_is_worst_where_a_value_crosses_the_whole_range():
    mechanism = ClippedMean(lower=-1, upper=3, n=4, epsilon=0.8)
    expect_dominated(mechanism, [0, 0, 0, 1], [0, 0, 0, 2])
    across = mechanism.privacy_loss([0, 0, 0, -9], [0, 0, 0, 9])
    assert deltas(across) == pytest.approx(deltas(mechanism.worst_case), abs=1e-12)


SMALL = {  # mechanisms whose laws are enumerated, their universe and n
    "coins": (CoinSurvey(0.4, 0.3), (0, 1), 3),
    "coins that say YES": (CoinSurvey(0.4), (0, 1), 3),
    "rows": (RandomRows(3), (0, 1), 3),
    "histogram": (histogram("ab", epsilon=0.6).clamp(0, 3), "ab", 3),
    "histogram, a record more": (
        histogram("ab", epsilon=0.6, neighbors=ADD_REMOVE).clamp(0, 3), "ab", 3
    ),
    "clamped": (GeometricMechanism(sum, 1, 0.7).clamp(0, 3), (0, 1), 3),
    "published twice": (RandomizedResponse(0.5).post_process(lambda y: (y, y)), (0, 1), 1),
    "vote": (ExponentialMechanism("ab", lambda x: [x.count(c) for c in "ab"], 1, 0.9), "ab", 4),
    "flip": (PermuteAndFlip("ab", lambda x: [x.count(c) for c in "ab"], 1, 0.9), "ab", 4),
    "stream": (
        AboveThreshold(lambda x: [sum(x)] * 3, threshold=2, sensitivity=1, epsilon=1.0), (0, 1), 3
    ),
}  # fmt: skip


@pytest.mark.parametrize(("mechanism", "universe", "n"), SMALL.values(), ids=SMALL)
def test_no_neighbours_in_a_small_universe_are_worse(mechanism, universe, n):
    for x, y in pairs(mechanism.neighbors, universe, n):
        if n > 1:
            expect_dominated(mechanism, x, y)
        else:
            expect_dominated(mechanism, x[0], y[0])


@pytest.mark.parametrize(
    ("mechanism", "promise"),
    [
        (CoinSurvey(0.4), ApproxDP(0, 0.4)),
        (RandomRows(4), ApproxDP(0, 0.25)),
        (SnappingMechanism(sum, sensitivity=1, epsilon=1, bound=100), None),
        (StabilityHistogram(1, 1e-6), ApproxDP(1, 1e-6)),
        (DiscreteGaussianMechanism(sum, 10, 2), None),
    ],
)
def test_where_no_worst_pair_is_known_it_is_the_promise(mechanism, promise):
    assert mechanism.worst_case == mechanism.guarantee
    assert promise in (None, mechanism.worst_case)


def test_the_worst_mechanism_of_a_promise_is_what_its_theorem_says():
    assert deltas(worst_loss(PureDP(0.7))) == pytest.approx(
        deltas(RandomizedResponse(0.7).worst_case), abs=1e-14
    )
    worst = worst_loss(ApproxDP(0.7, 0.01))
    assert worst.delta(0.7) == pytest.approx(0.01)
    assert worst.delta(-0.7) == pytest.approx(1 - np.exp(-0.7) + 0.01 * np.exp(-0.7))
    assert worst_loss(ApproxDP(0.7, 0)).delta(0.7) == pytest.approx(0, abs=1e-16)
    assert worst_loss(ApproxDP(0, 1)).delta(30) == 1
