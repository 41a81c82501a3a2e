import math
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.continuous import Laplace
from dplab.guarantees import PureDP
from dplab.mechanisms import snapping
from dplab.mechanisms.snapping import SnappingMechanism, snap, snap_answer
from dplab.sampling import OPERATING_SYSTEM
from dplab.sampling.floats import first_float


def identity(value):
    return value


def mechanism(epsilon=1.0, bound=20.0, sensitivity=1.0, query=identity):
    return SnappingMechanism(query, sensitivity=sensitivity, epsilon=epsilon, bound=bound)


@given(st.floats(0.2, 4), st.floats(0.5, 3), st.floats(-10, 10), st.floats(-1, 1))
@settings(max_examples=12)
def test_the_exact_law_keeps_the_promise_for_real_answers(epsilon, sensitivity, center, step):
    """Two answers within the sensitivity: every ratio of exact probabilities is within e^eps."""
    snapping = mechanism(epsilon, 40.0, sensitivity)
    other = center + step * sensitivity
    if abs(Fraction(other) - Fraction(center)) > Fraction(sensitivity):
        other = math.nextafter(other, center)
    p, q = snapping.exact_law(center), snapping.exact_law(other)
    assert p.keys() == q.keys()
    most = Fraction(math.exp(epsilon)) * (1 + Fraction(1, 2**50))
    assert max(max(p[y] / q[y], q[y] / p[y]) for y in p) <= most


def largest_log_ratio(scale, grid, center, bound):
    """Between centers 1 apart, over the sixteen outputs nearest to them, by exact probabilities."""

    def masses(center):
        def tail(outcome):
            def output(sign, u):
                return snap_answer(center, sign, u, scale, grid, bound)

            up = first_float(lambda u: output(1, u) >= outcome, 0.5)
            down = first_float(lambda u: output(-1, u) < outcome, 0.5)
            return (1 - Fraction(up) + Fraction(down)) / 2

        return [a - b for a, b in pairwise(map(tail, outcomes))]

    outcomes = [snap(center, grid) + j * grid for j in range(-8, 9)]
    ratios = [p / q for p, q in zip(masses(center), masses(center - 1), strict=True)]
    return max(math.log(max(r, 1 / r)) for r in ratios)


@pytest.mark.parametrize("bound", [2.0**20, 2.0**36, 2.0**44])
def test_room_for_rounding_is_enough_for_huge_ranges(bound):
    """Around 2^44 floats are 1/256 apart; still lambda = 1 is within the theorem's epsilon."""
    large = mechanism(1.0, bound)
    assert large.scale == 1 + bound * 2.0**-49
    for center in (bound / 2 - 3, bound - 40):
        assert largest_log_ratio(large.scale, large.grid, center, bound) <= 1
        plain = largest_log_ratio(1.0, 1.0, center, bound)
        assert 1 - 1e-12 < plain <= 1 + bound * 2.0**-49


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_the_exact_audit_finds_the_promise_all_but_used(epsilon):
    count = SnappingMechanism(sum, sensitivity=1, epsilon=epsilon, bound=30)
    assert count.guarantee == PureDP(epsilon)
    assert exact_epsilon(count, (0, 1), n=4).epsilon == pytest.approx(epsilon, abs=1e-11)


def hockey_stick(snapping, x, y):
    """The exact delta at the promised epsilon, of x against y."""
    p, q = snapping.exact_law(x), snapping.exact_law(y)
    growth = Fraction(math.exp(snapping.epsilon)) * (1 - Fraction(1, 2**50))
    return sum(max(Fraction(0), p[outcome] - growth * q[outcome]) for outcome in p)


@pytest.mark.parametrize("epsilon", [1.0, 30.0])
def test_from_one_bound_to_the_other_the_promise_holds_where_floats_do_not_end(epsilon):
    near = mechanism(epsilon, 349 / epsilon)
    assert near.guarantee == PureDP(epsilon)
    ends = (-near.bound, 1 - near.bound)
    assert min(min(near.exact_law(x).values()) for x in ends) > 0
    assert hockey_stick(near, *ends) == hockey_stick(near, *ends[::-1]) == 0


@pytest.mark.parametrize(("epsilon", "lambdas"), [(1.0, 376), (1.0, 500), (30.0, 500)])
def test_where_floats_end_an_output_is_possible_on_one_dataset_only(epsilon, lambdas):
    far = mechanism(epsilon, lambdas / epsilon)
    first, second = far.exact_law(-far.bound), far.exact_law(1 - far.bound)
    assert any(first[y] == 0 < second[y] for y in first)
    delta = hockey_stick(far, 1 - far.bound, -far.bound)
    assert 0 < delta <= Fraction(far.guarantee.delta) < Fraction(1, 2**900)


def test_a_scale_without_room_for_rounding_would_be_too_small():
    count = SnappingMechanism(sum, sensitivity=1, epsilon=1, bound=2.0**30)
    assert Fraction(count.scale) >= 1 + Fraction(1, 2**19)
    assert Fraction(math.nextafter(count.scale, 0)) < 1 + Fraction(1, 2**19)


@given(st.floats(0.01, 9), st.floats(0.1, 9), st.floats(1.01, 2**40))
def test_the_scale_is_the_least_float_and_the_grid_the_least_power_that_will_do(
    epsilon, sensitivity, widths
):
    ours = mechanism(epsilon, widths * 1.01 * sensitivity / epsilon, sensitivity)
    needed = (Fraction(sensitivity) + Fraction(ours.bound) / 2**49) / Fraction(epsilon)
    assert Fraction(math.nextafter(ours.scale, 0)) < needed <= Fraction(ours.scale)
    assert ours.grid / 2 < ours.scale <= ours.grid
    assert math.frexp(ours.grid)[0] == 0.5


def test_the_grid_of_a_scale_that_is_a_power_of_two_is_the_scale():
    """Sensitivity 7.5 and 2^-49 bound, 1 / 2, are 8 together."""
    assert mechanism(1.0, 2.0**48, sensitivity=7.5).grid == 8


@given(st.floats(-30, 30), st.floats(0.2, 3))
@settings(max_examples=10)
def test_law_is_that_of_rounded_laplace_noise_to_twelve_digits(center, epsilon):
    """The second method: differences of the Laplace distribution function."""
    ours = mechanism(epsilon, 64.0)
    law = ours.exact_law(center)
    assert sum(law.values()) == 1
    edges = np.array(sorted(law))[1:] - ours.grid / 2
    exact = np.diff(Laplace(center, ours.scale).cdf(edges), prepend=0, append=1)
    assert [float(law[y]) for y in sorted(law)] == pytest.approx(exact, abs=1e-12)


def test_each_threshold_is_where_the_program_turns():
    """The first u at which the output changes, and the float before it."""
    ours, center = mechanism(1.0, 20.0), 0.3
    for outcome in (-6.0, 0.0, 4.0, 20.0):
        sign = -1 if outcome > center else 1
        turn = first_float(
            lambda u, s=sign, y=outcome: (
                (snap_answer(center, s, u, ours.scale, ours.grid, 20.0) >= y) == (s > 0)
            ),
            0.5,
        )
        outputs = [
            snap_answer(center, sign, u, ours.scale, ours.grid, 20.0)
            for u in (math.nextafter(turn, 0), turn)
        ]
        assert (outputs[0] >= outcome) != (outputs[1] >= outcome)


def test_draws_follow_the_law():
    """Fails a right mechanism with probability 2e-10."""
    ours, rng = mechanism(0.8, 10.0), np.random.default_rng()
    for center in (0.0, 9.7):
        draws = [ours(center, rng) for _ in range(3000)]
        assert goodness_of_fit(draws, ours.distribution(center), failure=1e-10).passed


def test_outputs_are_multiples_of_a_power_of_two_and_the_bounds():
    ours = mechanism(0.7, 13.0)
    assert (ours.grid, ours.scale) == (2.0, pytest.approx(1 / 0.7))
    assert sorted(ours.exact_law(5.0)) == [-13.0, *np.arange(-12.0, 13.0, 2.0), 13.0]
    assert abs(ours(1e300, OPERATING_SYSTEM)) <= 13


@pytest.mark.parametrize(
    ("value", "grid", "expected"),
    [
        (0.49999999999999994, 1.0, 0.0),
        (0.5, 1.0, 1.0),
        (-0.5, 1.0, 0.0),
        (1.5, 1.0, 2.0),
        (2.5, 1.0, 3.0),
        (-0.75, 0.5, -0.5),
        (4503599627370497.0, 1.0, 4503599627370497.0),
        (9007199254740993.0 * 4, 8.0, 36028797018963968.0),
        (3.0, 4.0, 4.0),
    ],
)
def test_snap_is_exact_and_breaks_ties_upward(value, grid, expected):
    assert snap(value, grid) == expected


@pytest.mark.parametrize("bound", [0.5, 1.0, 2.0**47, math.inf])
def test_bound_must_leave_room_and_digits(bound):
    with pytest.raises(ValueError, match="bound must be"):
        mechanism(1.0, bound)


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_the_range_of_a_bound_is_in_scales(epsilon):
    """Up to 2^46 of them; the message says how many units these are."""
    near = 2.0**45 / epsilon
    assert mechanism(epsilon, near).bound == near
    with pytest.raises(ValueError, match="bound must be") as refused:
        mechanism(epsilon, 2.0**48 / epsilon)
    least, most = re.findall(r"(?:above|below) (\S+?),? ", str(refused.value))
    assert float(most) == 2.0**46 * float(least)


def test_a_bound_of_2_to_the_46_scales_is_too_large():
    """Sensitivity 7 and 2^-49 bound make a scale of 8."""
    with pytest.raises(ValueError, match=r"above 8\.0 and below 562949953421312\.0"):
        mechanism(1.0, 2.0**49, sensitivity=7.0)


def test_a_bound_beyond_350_scales_has_a_delta():
    just = mechanism(1 + 350 * 2.0**-49, 350.0)
    assert (just.scale, just.guarantee) == (1.0, PureDP(just.epsilon))
    assert mechanism(just.epsilon, 350.01).guarantee.delta > 0
    near, far = mechanism(0.5, 698.0), mechanism(0.5, 702.0)
    assert near.guarantee == PureDP(0.5)
    assert 0 < far.guarantee.delta < 1e-300


def test_a_delta_that_says_nothing_is_1():
    assert SnappingMechanism(sum, sensitivity=1, epsilon=1000, bound=1).guarantee.delta == 1


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="epsilon must be a finite number above 0, not 0"):
        mechanism(0)
    with pytest.raises(ValueError, match="query"):
        mechanism()(math.nan, np.random.default_rng())


@pytest.mark.parametrize("center", [-7.3, 0.0, 4.9])
def test_a_law_asks_the_program_some_twenty_times_for_each_outcome(monkeypatch, center):
    """Where it turns is guessed to twelve digits, and sought among the floats near it."""
    asked, plain = [], snapping.rounded_log
    monkeypatch.setattr(snapping, "rounded_log", lambda u: asked.append(u) or plain(u))
    law = mechanism(0.9, 25.0).exact_law(center)
    assert len(asked) < 23 * len(law)


def test_a_law_of_too_many_outcomes_is_not_begun():
    with pytest.raises(ValueError, match="bound must be smaller: the law has over 100000 outcomes"):
        SnappingMechanism(sum, 1, 1, 2.0**40).distribution([0])
