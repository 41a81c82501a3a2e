import re

import numpy as np
import pytest

from dplab.contributions import bike_rides
from dplab.mechanisms.partition_selection import PartitionSelection
from dplab.widgets import ContributionBound
from dplab.widgets.contribution_bound import (
    BOUNDS,
    DAY,
    DELTA,
    EPSILONS,
    RIDE,
    RIDER,
    SEED,
    UNITS,
    bounded_rides,
)


@pytest.mark.parametrize("unit", UNITS)
def test_what_stays_is_at_most_c_rides_of_each_unit(unit):
    """Totals are known whichever rides stay; nothing is lost without a rider above the bound."""
    rider, day, _ = bike_rides(np.random.default_rng(SEED)).T
    codes = {RIDE: np.arange(len(rider)), DAY: 32 * rider + day, RIDER: rider}[unit]
    rows = np.unique(codes, return_counts=True)[1]
    bounded = bounded_rides(unit)
    assert bounded.rides_that_stay.sum(axis=1).tolist() == [
        np.minimum(rows, c).sum() for c in BOUNDS
    ]
    assert (bounded.rides_that_stay <= bounded.rides).all()
    assert (bounded.rides_that_stay[-1] == bounded.rides).all()
    assert (np.diff(bounded.rides_that_stay, axis=0) >= 0).all()


@pytest.mark.parametrize("unit", UNITS)
def test_units_of_a_station_count_once(unit):
    """With one ride of each they are its rides; without a bound they are the pairs of the table."""
    rider, day, station = bike_rides(np.random.default_rng(SEED)).T
    codes = {RIDE: np.arange(len(rider)), DAY: 32 * rider + day, RIDER: rider}[unit]
    bounded = bounded_rides(unit)
    assert (bounded.units[0] == bounded.rides_that_stay[0]).all()
    pairs = set(zip(codes.tolist(), station.tolist(), strict=True))
    assert bounded.units[-1].sum() == len(pairs)
    assert (bounded.units <= bounded.rides_that_stay).all()


def test_picture_follows_the_controls():
    explorer = ContributionBound()
    for bound, epsilon, unit in ((1, 10.0, RIDE), (150, 0.1, DAY), (20, 1.0, RIDER)):
        for name, value in (("bound", bound), ("epsilon", epsilon), ("unit", unit)):
            explorer.controls[name].value = value
        view, bounded = explorer.view(), bounded_rides(unit)
        at = BOUNDS.index(bound)
        lost, noise, both = (line.get_ydata() for line in explorer.lines)
        assert lost[at] == pytest.approx(
            (bounded.rides - bounded.rides_that_stay[at]).mean(), abs=1e-8
        )
        assert noise == pytest.approx(2 * np.array(BOUNDS) / epsilon)
        assert both == pytest.approx(lost + noise, abs=1e-8)
        assert explorer.rule.get_xdata() == [bound, bound]
        chances = PartitionSelection(epsilon / 2, DELTA, bound).naming_probability(
            bounded.units[at]
        )
        assert view.chances == pytest.approx(chances)
        order = np.argsort(-bounded.rides, kind="stable")
        is_named = chances[order] > 0.5
        assert (explorer.shown.get_xdata() == 1 + np.flatnonzero(is_named)).all()
        assert (explorer.hidden.get_xdata() == 1 + np.flatnonzero(~is_named)).all()
        shown = np.sort([*explorer.shown.get_ydata(), *explorer.hidden.get_ydata()])
        assert shown.tolist() == np.sort(bounded.rides_that_stay[at]).tolist()
        assert explorer.all.get_ydata().tolist() == sorted(bounded.rides, reverse=True)


def test_caption_says_what_is_lost_and_what_is_promised():
    explorer = ContributionBound()
    view = explorer.view()
    assert explorer.picture.tooltip == (
        f"{view.share_lost:.0%} of the rides are lost, noise moves a count by 5, and "
        f"{view.unnamed:.0f} stations stay unnamed. A 50% guess about a rider becomes at most 88%."
    )
    explorer.controls["unit"].value = RIDE
    explorer.controls["bound"].value = 1
    assert re.match("No rides are lost, .* 1, and no stations stay", explorer.picture.tooltip)
    assert "about a ride becomes" in explorer.picture.tooltip
    explorer.controls["epsilon"].value = EPSILONS[-1]
    assert explorer.picture.tooltip.endswith("about a ride becomes all but certain.")


def test_one_station_is_one():
    explorer = ContributionBound()
    sentences = []
    for bound in BOUNDS:
        for epsilon in EPSILONS:
            for unit in UNITS:
                view = explorer.compute(bound, epsilon, unit)
                if round(view.unnamed) == 1:
                    sentences.append(explorer.describe(view))
    assert sentences
    assert all("1 station stays unnamed" in sentence for sentence in sentences)
