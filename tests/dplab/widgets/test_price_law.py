import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ExponentialMechanism
from dplab.theorems.utility_tail import utility_tail
from dplab.widgets import PriceLaw
from dplab.widgets.price_law import TAIL_EXPONENT, THREE, price_view

bid_lists = st.lists(st.floats(1, 600), min_size=1, max_size=20)


@given(bid_lists, st.sampled_from([100.0, 500.0]), st.floats(0.05, 20))
def test_law_and_floor_are_the_librarys(bids, cap, epsilon):
    view = price_view(np.array(bids), cap=cap, epsilon=epsilon)
    earned = [p * sum(v >= p for v in bids) for p in view.prices]
    mechanism = ExponentialMechanism(view.prices, lambda _: earned, cap, epsilon)
    tail = utility_tail(mechanism, bids, TAIL_EXPONENT)
    np.testing.assert_allclose(view.law, mechanism.distribution(bids).probabilities)
    assert view.floor * len(bids) == pytest.approx(tail.floors[0])
    assert view.expected * len(bids) == pytest.approx(max(earned) - tail.gap)
    assert view.law[view.revenue <= view.floor].sum() <= 0.05


def test_three_buyers_are_those_of_the_notes():
    explorer = PriceLaw()
    explorer.controls["bids"].value = THREE
    explorer.controls["n"].value = 3
    assert explorer.data.tolist() == [10, 10, 500]
    view = explorer.view()
    assert (3 * view.revenue[[0, -1]]).tolist() == pytest.approx([30, 500])
    assert view.prices[view.best] == 500


def test_more_buyers_keep_those_who_were_there():
    explorer = PriceLaw()
    few = explorer.data
    explorer.controls["n"].value = 900
    assert len(explorer.data) == 900
    assert (explorer.data[: len(few)] == few).all()


def test_the_bars_are_the_law_and_the_star_is_the_best_price():
    explorer = PriceLaw()
    tops = [segment[1] for segment in explorer.bars.get_segments()]
    view = explorer.view()
    np.testing.assert_allclose(tops, np.column_stack([view.prices, view.law]))
    assert explorer.best.get_ydata()[0] == explorer.curve.get_ydata().max()


def test_a_higher_cap_earns_less():
    """Prices that nobody would pay cost something: there are more of them, and the rate falls."""
    explorer = PriceLaw()
    earned = []
    for cap in (200.0, 500.0, 1000.0):
        explorer.controls["cap"].value = cap
        earned.append(explorer.expected.get_ydata()[0])
    assert earned == sorted(earned, reverse=True)


def test_the_floor_rises_above_zero_with_the_crowd():
    explorer = PriceLaw()
    explorer.controls["n"].value = 30
    assert explorer.view().floor < explorer.floor.get_ydata()[0] == 0
    explorer.controls["n"].value = 3000
    assert 0 < explorer.floor.get_ydata()[0] == explorer.view().floor
    assert explorer.view().floor < explorer.expected.get_ydata()[0]


def test_caption_says_the_shares_of_draws_and_of_revenue():
    explorer = PriceLaw()
    view, caption = explorer.view(), explorer.picture.tooltip
    assert f"chosen in {view.law[view.best]:.0%} of draws" in caption
    assert f"{view.expected / view.revenue.max():.0%} of the best revenue is earned" in caption
    explorer.controls["epsilon"].value = 0.1
    assert "A 50% guess becomes at most 52.5%" in explorer.picture.tooltip
