from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.guarantees import ApproxDP
from dplab.learning import private_learner, thresholds
from dplab.theorems.groups import FamilyAlarm
from dplab.theorems.ramsey import (
    colourings_without_triangle,
    gap_law,
    middle_gap,
    normality,
    two_steps_on,
)
from tests.refusals import assert_refused


@given(st.floats(0.01, 2), st.floats(0, 0.02))
def test_two_steps_cost_what_the_family_alarm_spends(epsilon, delta):
    """It attains the bound: the alarm of two ones has probability q, that of none p, exactly."""
    alarm = FamilyAlarm(epsilon, delta, n=2, first=0.001)
    p = two_steps_on(alarm.alarm(2), ApproxDP(epsilon, delta))
    assert p == pytest.approx(alarm.alarm(0), rel=1e-6)


@given(st.floats(0, 1), st.floats(0, 5), st.floats(0, 1))
def test_two_steps_by_the_formula(q, epsilon, delta):
    expected = max(0, q - (1 + np.exp(epsilon)) * delta) * np.exp(-2 * epsilon)
    assert two_steps_on(q, ApproxDP(epsilon, delta)) == pytest.approx(expected, abs=1e-12)


def test_two_deltas_would_not_do():
    """The alarm that never sounds for nobody refutes (q - 2 delta) e^{-2 epsilon} <= p."""
    alarm = FamilyAlarm(1.0, 0.01, n=2)
    assert alarm.alarm(0) == 0
    assert alarm.alarm(2) - 2 * 0.01 > 0.01
    assert two_steps_on(alarm.alarm(2), ApproxDP(1.0, 0.01)) == pytest.approx(0, abs=1e-12)


def hits_of(positions_of_sample, gaps, n, domain, epsilon):
    """P[the threshold on sample i is in gap j], from the law of all thresholds, one by one."""
    labels = [0] * (n // 2) + [1] * (n // 2)
    learner = private_learner(thresholds(domain), epsilon)
    rows = []
    for positions in positions_of_sample:
        law = learner.distribution(list(zip(positions, labels, strict=True))).probabilities
        rows.append([law[left + 1 : right + 1].sum() for left, right in gaps])
    return np.array(rows)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_argument_on_the_exponential_mechanism(k, epsilon):
    """n = 4, a block of m + 1 points with k - 1 on its left and n - k - 1 on its right."""
    n, m, domain = 4, 5, 24
    points = list(range(3, 3 + 2 * (n + m - 1), 2))
    left, block, right = points[: k - 1], points[k - 1 : k + m], points[k + m :]
    assert len(left) + 2 + len(right) == n
    gaps = list(pairwise(block))
    hits = hits_of([[*left, *gap, *right] for gap in gaps], gaps, n, domain, epsilon)
    found = normality(hits, ApproxDP(epsilon, 0.0))
    assert found.q == pytest.approx(min(hits[i, i] for i in range(m)))
    assert found.p == pytest.approx(found.q * np.exp(-2 * epsilon))
    assert found.holds
    if k > 1:  # a promise that it does not keep
        assert not normality(hits, ApproxDP(epsilon / 50, 0.0)).holds


def test_it_fails_for_a_learner_without_error():
    assert not normality(np.eye(4), ApproxDP(0.5, 0.0)).holds
    assert normality(np.eye(1), ApproxDP(0.5, 0.0)).holds
    flat = normality(np.full((4, 4), 0.25), ApproxDP(0.0, 0.0))
    assert flat.holds
    assert flat.p == 0.25
    late = np.full((3, 3), 0.3)
    late[2, 0] = 0.0
    assert not normality(late, ApproxDP(1.0, 0.0)).holds  # the first sample shows nothing
    uneven = np.full((3, 3), 0.3)
    uneven[1, 1] = 0.2
    assert normality(uneven, ApproxDP(0.0, 0.0)).q == 0.2


@given(st.integers(1, 30), st.data())
def test_gaps_collect_the_law_of_all_thresholds(domain, data):
    where = st.integers(0, domain - 1)
    positions = sorted(data.draw(st.sets(where, min_size=1, max_size=8)))
    bits = st.lists(st.integers(0, 1), min_size=len(positions), max_size=len(positions))
    labels, epsilon = data.draw(bits), data.draw(st.floats(0.01, 10))
    sample = list(zip(positions, labels, strict=True))
    law = private_learner(thresholds(domain), epsilon).distribution(sample).probabilities
    ends = [-1, *positions, domain]
    expected = [law[a + 1 : b + 1].sum() for a, b in pairwise(ends)]
    found = gap_law(positions, labels, domain=domain, epsilon=epsilon)
    assert found == pytest.approx(expected)


def test_the_middle_gap_vanishes_on_a_long_line():
    found = [middle_gap(2**bits, 20, epsilon=1) for bits in (8, 16, 32, 64)]
    assert found == pytest.approx([0.1769, 0.00224, 3.5e-8, 8.0e-18], rel=0.02, abs=0)


@pytest.mark.parametrize("n", [2, 3, 10, 11])
def test_the_middle_gap_by_its_formula(n):
    """One threshold without an error, one with each number on either side, the rest outside."""
    domain, epsilon, half = 1000, 0.7, n // 2
    errors = [*range(1, half), *range(1, n - half)]
    first = domain // 2 - half
    weights = np.exp(-epsilon * np.array(errors, dtype=float) / 2).sum() + 1
    weights += (first + 1) * np.exp(-epsilon * half / 2)
    weights += (domain - first - n + 1) * np.exp(-epsilon * (n - half) / 2)
    assert middle_gap(domain, n, epsilon=epsilon) == pytest.approx(1 / weights)


def test_all_points_of_the_domain_may_be_used():
    assert middle_gap(2, 2, epsilon=2.0) == pytest.approx(1 / (1 + 2 * np.exp(-1)))


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (2, 2), (3, 6), (4, 18), (5, 12), (6, 0)])
def test_colourings_one_by_one(n, expected):
    assert colourings_without_triangle(n) == expected
    if n < 6:
        edges = list(combinations(range(n), 2))
        free = 0
        for colours in product((0, 1), repeat=len(edges)):
            colour = dict(zip(edges, colours, strict=True))
            triangles = combinations(range(n), 3)
            free += all(
                len({colour[pair] for pair in combinations(triangle, 2)}) == 2
                for triangle in triangles
            )
        assert free == expected


def test_bad_arguments_are_named():
    calls = [
        (lambda: two_steps_on(1.1, ApproxDP(1, 0)), "q must be .*at most 1"),
        (lambda: normality([[0.5, 0.6], [0, 0]], ApproxDP(1, 0)), "hits must be square"),
        (lambda: normality([[0.5, 0.5]], ApproxDP(1, 0)), "hits must be square"),
        (lambda: normality([[-0.5]], ApproxDP(1, 0)), "hits must be square"),
        (lambda: gap_law([1, 1], [0, 1], domain=4, epsilon=1), "positions must increase"),
        (lambda: gap_law([2, 1], [0, 1], domain=4, epsilon=1), "positions must increase"),
        (lambda: gap_law([4], [0], domain=4, epsilon=1), "positions must be a whole number"),
        (lambda: gap_law([1], [0, 1], domain=4, epsilon=1), "labels must be 1, one for each"),
        (lambda: gap_law([1], [2], domain=4, epsilon=1), "labels must hold whole numbers"),
        (lambda: gap_law([1], [1], domain=4, epsilon=0), "epsilon must be"),
        (lambda: middle_gap(8, 9, epsilon=1), "n must be a whole number .*at most 8"),
        (lambda: middle_gap(8, 1, epsilon=1), "n must be a whole number of at least 2"),
        (lambda: colourings_without_triangle(7), "n must be a whole number .*at most 6"),
    ]
    assert_refused(calls)


def test_gaps_in_domains_beyond_floats():
    assert 0 <= middle_gap(2**2000, 20, epsilon=1) < 1e-300
