from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from dplab.audit import goodness_of_fit
from dplab.guarantees import ApproxDP
from dplab.mechanisms.histogram import StabilityHistogram
from dplab.mechanisms.partition_selection import MAX_KEYS, PartitionSelection
from dplab.neighbors import ADD_REMOVE
from tests.refusals import assert_refused


def by_recursion(epsilon, delta, most):
    """Return pi(0), ..., pi(most) by the minimum in the docstring."""
    found = [0.0]
    for _ in range(most):
        up, down = np.exp(epsilon) * found[-1] + delta, (1 - found[-1] - delta) / np.exp(epsilon)
        found.append(min(up, 1 - down, 1.0))
    return np.array(found)


@given(st.floats(0.02, 30), st.floats(1e-12, 0.999), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_the_closed_form_is_the_recursion(epsilon, delta, bound):
    names = PartitionSelection(epsilon, delta, bound)
    found = names.naming_probability(np.arange(200))
    assert found == pytest.approx(by_recursion(epsilon / bound, delta / bound, 199), abs=1e-9)
    assert (np.diff(found) >= -1e-12).all()


def test_no_private_way_to_name_a_key_has_a_larger_probability():
    """Each pi(n) by a linear program over all curves p(0) = 0, p(1), ..., p(12)."""
    epsilon, delta, size = 0.7, 0.02, 13
    rows, limits = [], []
    for n in range(size - 1):
        for a, b in ((n, n + 1), (n + 1, n)):
            named, unnamed = np.zeros(size), np.zeros(size)
            named[a], named[b] = 1, -np.exp(epsilon)
            unnamed[a], unnamed[b] = -1, np.exp(epsilon)
            rows += [named, unnamed]
            limits += [delta, np.exp(epsilon) + delta - 1]
    bounds = [(0, 0)] + [(0, 1)] * (size - 1)
    pi = PartitionSelection(epsilon, delta).naming_probability(np.arange(size))
    for n in (1, 5, 12):
        best = linprog(-np.eye(size)[n], rows, limits, bounds=bounds)
        assert pi[n] == pytest.approx(-best.fun)


@pytest.mark.parametrize("bound", [1, 2])
def test_the_exact_delta_is_spent_and_never_more(bound):
    """All data of up to four people with up to two of two keys, and each person who may come."""
    names = PartitionSelection(1.0, 0.1, bound)
    kinds, worst = [(), ("a",), ("b",), ("a", "b")], 0.0
    for size in range(4):
        for data in product(kinds, repeat=size):
            for newcomer in kinds[1:4]:
                loss = names.privacy_loss(data, (*data, newcomer))
                worst = max(worst, loss.delta(1.0), loss.reverse().delta(1.0))
    assert worst <= 0.1 * (1 + 1e-9)
    assert worst > 0.09
    assert names.guarantee == ApproxDP(1.0, 0.1)
    assert names.neighbors == ADD_REMOVE


def test_a_threshold_names_no_key_more_often():
    names, threshold = PartitionSelection(1.0, 1e-5), StabilityHistogram(1, 1e-5, ADD_REMOVE)
    for n in (1, 8, 12, 20):
        law = threshold.bin_law(n, threshold.threshold + 1)
        assert names.naming_probability(n) >= 1 - np.exp(law.log_density(None)) - 1e-12


def test_of_a_person_the_first_different_keys_count():
    data = [("a", "a", "b", "c"), "a", ("c", "b"), ()]
    assert PartitionSelection(1, 0.1, bound=2).count_people(data) == {"a": 2, "b": 2, "c": 1}
    assert PartitionSelection(1, 0.1).count_people(data) == {"a": 2, "c": 1}
    assert PartitionSelection(1, 0.1, bound=9).count_people(data) == {"a": 2, "b": 2, "c": 2}
    assert PartitionSelection(1, 0.1).distribution([]).outcomes == (frozenset(),)


def test_draws_follow_the_law():
    """One test at 1e-10."""
    names, rng = PartitionSelection(1.0, 0.05, 2), np.random.default_rng()
    data = [("a", "b")] * 3 + ["a"] * 4
    draws = [names(data, rng) for _ in range(2000)]
    assert goodness_of_fit(draws, names.distribution(data)).passed


def test_the_ends_of_the_arguments():
    found = PartitionSelection(800, 1e-30).naming_probability([0, 1, 2])
    assert found == pytest.approx([0, 1e-30, 1], rel=1e-12, abs=0)
    assert PartitionSelection(1e-9, 0.25).naming_probability(range(5)) == pytest.approx(
        [0, 0.25, 0.5, 0.75, 1]
    )
    assert PartitionSelection(1, 0.9).naming_probability(1) == pytest.approx(0.9)
    assert PartitionSelection(1, 1e-6).naming_probability(10**12) == 1


def test_bad_arguments_are_named():
    names = PartitionSelection(1, 0.1)
    many = [str(i) for i in range(MAX_KEYS + 1)]
    assert_refused(
        [
            (lambda: PartitionSelection(0, 0.1), "epsilon must be .*above 0"),
            (lambda: PartitionSelection(1, 0), "delta must be"),
            (lambda: PartitionSelection(1, 1), "delta must be"),
            (lambda: PartitionSelection(1, 0.1, 0), "bound must be a whole number"),
            (lambda: names.naming_probability(-1), "people must hold"),
            (lambda: names.naming_probability(0.5), "people must hold whole"),
            (lambda: names.distribution(many), "data must have at most 16 keys"),
            (lambda: names(many, 3), "rng must be"),
            (lambda: names(3, np.random.default_rng()), "data must be a sequence"),
        ]
    )
