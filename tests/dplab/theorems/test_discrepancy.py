from functools import partial
from itertools import product
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.attacks.exhaustive import consistent_datasets
from dplab.guarantees import ApproxDP
from dplab.theorems.bit_guessing import guess_bound
from dplab.theorems.discrepancy import MAX_PEOPLE, least_private_error, partial_discrepancy
from tests.refusals import assert_refused


def by_search(queries, share):
    signs = np.array(list(product((-1, 0, 1), repeat=queries.shape[1])))
    kept = signs[abs(signs).sum(axis=1) >= share * queries.shape[1] - 1e-9]
    return abs(kept @ queries.T).max(axis=1).min()


def all_subsets(n):
    return np.array(list(product((0, 1), repeat=n)))


@st.composite
def questions(draw, most_people=6):
    m, n = draw(st.integers(1, 12)), draw(st.integers(1, most_people))
    row = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    return np.array(draw(st.lists(row, min_size=m, max_size=m)))


shares = st.one_of(st.just(1.0), st.floats(0.01, 1), st.sampled_from([0.5, 1 / 3, 0.2]))


@settings(max_examples=60)
@given(questions(), shares)
def test_it_is_what_a_search_through_all_signs_finds(queries, share):
    found = partial_discrepancy(queries, share)
    assert found.value == by_search(queries, share)
    assert set(found.signs) <= {-1, 0, 1}
    assert abs(found.signs).sum() >= share * queries.shape[1] - 1e-9
    assert abs(queries @ found.signs).max() == found.value


@pytest.mark.parametrize("share", [1.0, 0.7, 0.5, 0.25, 0.01])
def test_known_discrepancies(share):
    for n in (1, 2, 5, 8):
        assert partial_discrepancy(all_subsets(n), share).value == ceil(ceil(share * n) / 2)
    for n in (1, 2, 7, MAX_PEOPLE):
        assert partial_discrepancy(np.tri(n), share).value == 1
        assert partial_discrepancy(np.eye(n), share).value == 1
    cells = np.repeat(np.eye(5), 2, axis=1)  # two people in each
    assert partial_discrepancy(cells, share).value == 0
    assert partial_discrepancy(np.ones((1, 7)), share).value == ceil(share * 7) % 2 * (
        share > 6 / 7
    )


@settings(max_examples=40)
@given(questions(8), shares, st.data())
def test_below_half_of_it_fewer_bits_are_wrong_and_from_there_on_decoys_fit(queries, share, data):
    n, found = queries.shape[1], partial_discrepancy(queries, share)
    secret = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    within = st.floats(-1, 1)
    if found.value > 0:  # errors just below a half of it
        error = (found.value / 2) * (1 - 1e-9)
        off = data.draw(st.lists(within, min_size=len(queries), max_size=len(queries)))
        fitting = consistent_datasets(queries, queries @ secret + error * np.array(off), error)
        assert len(fitting)
        assert (fitting != secret).sum(axis=1).max() < share * n
    first, second = found.decoys
    between = (queries @ first + queries @ second) / 2
    fitting = consistent_datasets(queries, between, found.value / 2).tolist()
    assert first.tolist() in fitting
    assert second.tolist() in fitting
    assert (first != second).sum() >= share * n - 1e-9


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.1, 0.0), (1.0, 1e-6), (0.5, 0.2)])
@pytest.mark.parametrize("failure", [0.0, 0.05, 0.3])
def test_a_private_curator_errs_by_half_of_the_discrepancy_at_what_a_guess_leaves(
    epsilon, delta, failure
):
    promise = ApproxDP(epsilon, delta)
    share = 1 - guess_bound(promise) / (1 - failure)
    for n in (3, 6, 8):
        bound = least_private_error(all_subsets(n), promise, failure)
        assert bound == (ceil(ceil(share * n) / 2) / 2 if share > 0 else 0)


@given(questions())
def test_no_answers_that_are_fixed_in_advance_are_nearer(queries):
    """They promise epsilon = 0; the best are half of each question's people."""
    fixed = queries.sum(axis=1) / 2
    datasets = all_subsets(queries.shape[1])
    worst = abs(datasets @ queries.T - fixed).max()
    assert worst >= least_private_error(queries, ApproxDP(0.0, 0.0))


def test_what_nobody_promises_bounds_nothing():
    assert least_private_error(all_subsets(4), ApproxDP(25.0, 0.0)) == 0.5  # a share of 1e-11
    assert least_private_error(all_subsets(4), ApproxDP(50.0, 0.0)) == 0
    assert least_private_error(all_subsets(4), ApproxDP(0.0, 1.0)) == 0
    assert least_private_error(all_subsets(4), ApproxDP(0.0, 0.0), failure=0.5) == 0


def test_other_questions_and_shares_are_refused():
    cases = [
        ([[0, 2]], 1.0, "queries must hold whole numbers from 0 to 1, not 2"),
        ([[0.5, 1]], 1.0, "queries must hold whole numbers from 0 to 1, not 0.5"),
        ([], 1.0, "queries must not be empty"),
        ([0, 1], 1.0, r"queries must be \(m, n\), n at most 24, not \(2,\)"),
        (np.ones((1, 25)), 1.0, r"n at most 24, not \(1, 25\)"),
        ([[0, 1]], 0.0, "share must be"),
        ([[0, 1]], 1.1, "share must be"),
        ([[0, 1]], np.nan, "share must be"),
    ]
    assert_refused(
        [(partial(partial_discrepancy, queries, share), words) for queries, share, words in cases]
    )


def test_a_failure_that_is_certain_is_refused():
    with pytest.raises(ValueError, match="failure must be"):
        least_private_error(np.eye(3), ApproxDP(0.1, 0.0), failure=1.0)
