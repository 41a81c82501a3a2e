import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import exact_epsilon
from dplab.mechanisms.pricing import pricing, revenue
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, sensitivity
from dplab.theorems.utility_tail import utility_tail
from tests.refusals import assert_refused

bid_lists = st.lists(st.integers(0, 12), min_size=0, max_size=8)
price_lists = st.lists(st.integers(1, 12), min_size=1, max_size=5, unique=True)


@given(bid_lists, price_lists)
def test_revenue_is_price_times_buyers(bids, prices):
    expected = [p * sum(v >= p for v in bids) for p in prices]
    assert revenue(bids, prices).tolist() == expected


def test_the_notes_three_buyers():
    """(10, 10, 500): revenue 30 at 10, 500 at 500, and nothing above."""
    assert revenue((10, 10, 500), (10, 10.01, 500, 500.01)).tolist() == [30, 10.01, 500, 0]


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("prices", [(1, 2, 5), (3,), (2, 7)])
def test_sensitivity_is_the_highest_price(relation, prices):
    """By brute force over all neighbours, bids above and below every price."""
    universe = (0, 1, 2, 4, 5, 8)
    found = sensitivity(lambda b: revenue(b, prices), relation, universe, 3, norm=np.inf)
    assert found == max(prices) == pricing(prices, epsilon=1).sensitivity


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_scores_are_monotone(relation):
    """No neighbour raises one price's revenue and lowers another's."""
    prices, universe = (1, 2, 5), (0, 1, 2, 4, 5, 8)
    for bids in relation.datasets(universe, 2):
        for others in relation.neighbors_of(bids, universe):
            moves = revenue(others, prices) - revenue(bids, prices)
            assert (moves >= 0).all() or (moves <= 0).all()


@pytest.mark.parametrize(("relation", "reached"), [(REPLACE_ONE, 0.9), (ADD_REMOVE, 0.55)])
def test_the_exact_audit_finds_no_more_than_epsilon(relation, reached):
    """And no more than half of it at the general rate."""
    prices, universe = (1, 2, 3, 4), (0, 1, 2, 3, 4)
    tuned = pricing(prices, epsilon=1, neighbors=relation)
    general = ExponentialMechanism(prices, tuned.scores, 4, 1, neighbors=relation)
    assert reached < exact_epsilon(tuned, universe, n=3).epsilon <= 1
    assert exact_epsilon(general, universe, n=3).epsilon <= 0.5


@given(bid_lists, price_lists, st.floats(0.1, 5))
def test_the_documented_tail(bids, prices, epsilon):
    mechanism = pricing(prices, epsilon=epsilon)
    tail = utility_tail(mechanism, bids, np.linspace(0, 3, 7))
    best, cap = revenue(bids, prices).max(), max(prices)
    assert tail.holds
    assert tail.floors[2] == pytest.approx(best - cap / epsilon * (np.log(len(prices)) + 1))


def test_bad_arguments_are_named():
    calls = [
        (lambda: pricing([1, 0], epsilon=1), "prices must be a row of numbers above 0"),
        (lambda: pricing([[1, 2]], epsilon=1), "prices must be a row of numbers above 0"),
        (lambda: pricing([], epsilon=1), "prices must not be empty"),
        (lambda: pricing([2, 2], epsilon=1), "candidates must be distinct"),
        (lambda: pricing([2], epsilon=0), "epsilon must be .*above 0"),
        (
            lambda: revenue([1, np.nan], [1]),
            "bids must hold finite numbers, but entry 1 is another",
        ),
    ]
    assert_refused(calls)
