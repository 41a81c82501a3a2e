"""Explorer: four weeks of bicycle hire, with at most C rides of each unit of privacy.

Published are the rides from each station, for stations that selection names. On the left are the
rides of a station that the bound loses and the noise on it, against C. On the right are the
stations: all their rides, and those that count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import ipywidgets
import numpy as np

from dplab.contributions import bike_rides, rank_rows
from dplab.mechanisms.partition_selection import PartitionSelection
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice
from dplab.widgets.words import at_most, percent, rough

STATIONS = 80
BOUNDS = (1, 2, 3, 5, 10, 20, 50, 100, 150)
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
DELTA = 1e-6
SEED = 26
RIDE, DAY, RIDER = UNITS = ("a ride", "a rider's day", "a rider")


@dataclass(frozen=True, eq=False)
class Bounded:
    """The rides with at most C of each unit, for each C of BOUNDS.

    Counts of rides, of those that stay, and of units with a ride that stays: shape (80,) and twice
    (bounds, 80).
    """

    rides: np.ndarray
    rides_that_stay: np.ndarray
    units: np.ndarray

    def share_lost(self, bound: int) -> float:
        """Return the share of all rides that a bound of BOUNDS loses."""
        return float(1 - self.rides_that_stay[BOUNDS.index(bound)].sum() / self.rides.sum())


@dataclass(frozen=True, eq=False)
class ContributionView:
    """The cost of a bound: `lost` and `noise` for each of BOUNDS, as rides of one station.

    `chances` is the probability of each station to be named at this bound, shape (80,).
    """

    unit: str
    epsilon: float
    bound: int
    bounded: Bounded
    lost: np.ndarray
    noise: np.ndarray
    chances: np.ndarray

    @property
    def place(self) -> int:
        return BOUNDS.index(self.bound)

    @property
    def share_lost(self) -> float:
        """The share of all rides that the bound loses."""
        return self.bounded.share_lost(self.bound)

    @property
    def unnamed(self) -> float:
        """The mean number of stations that are not named."""
        return float((1 - self.chances).sum())


def _count(stations: np.ndarray) -> np.ndarray:
    return np.bincount(stations, minlength=STATIONS + 1)[1:]


@lru_cache(maxsize=3)
def bounded_rides(unit: str) -> Bounded:
    """Draw the table, and rank the rides of each unit once: for C the first C of them stay."""
    table = bike_rides(np.random.default_rng(SEED))
    rider, day, station = table.T
    codes = {RIDE: np.arange(len(table)), DAY: 32 * rider + day, RIDER: rider}[unit]
    rank = rank_rows(codes.tolist(), np.random.default_rng(SEED))
    pair = codes * (STATIONS + 1) + station
    order = np.lexsort((rank, pair))  # of a unit's rides from a station the first comes first
    is_first: np.ndarray = np.append(True, np.diff(pair[order]) > 0)
    first, first_at = rank[order][is_first], station[order][is_first]
    stay = np.array([_count(station[rank < bound]) for bound in BOUNDS])
    units = np.array([_count(first_at[first < bound]) for bound in BOUNDS])
    return Bounded(_count(station), stay, units)


class ContributionBound(Explorer):
    """A bound on the rides of a person: lost rides, noise, and stations that stay unnamed."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        for name in UNITS:  # so that no move waits for it
            bounded_rides(name)
        unit = ipywidgets.RadioButtons(description="Protect", options=list(UNITS), value=RIDER)
        unit.layout.width = "auto"
        return {
            "bound": choice("Rides that count", 5, [(str(c), c) for c in BOUNDS]),
            "epsilon": choice("Privacy loss ε", 2.0, [(f"{e:g}", e) for e in EPSILONS]),
            "unit": unit,
        }

    def compute(self, bound: int, epsilon: float, unit: str) -> ContributionView:
        bounded = bounded_rides(unit)
        lost = (bounded.rides - bounded.rides_that_stay).sum(axis=1) / STATIONS
        noise = np.array(BOUNDS) / (epsilon / 2)
        selection = PartitionSelection(epsilon / 2, DELTA, bound)
        chances = selection.naming_probability(bounded.units[BOUNDS.index(bound)])
        return ContributionView(unit, epsilon, bound, bounded, lost, noise, chances)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.3))
        self.figure.subplots_adjust(left=0.09, right=0.985, bottom=0.27, top=0.91, wspace=0.3)
        left_ax.set(title="Error of a station's count", xlabel="rides of a unit that count, C")
        left_ax.set(ylabel="rides", xscale="log", yscale="log", xlim=(0.9, 167), ylim=(0.5, 3e3))
        style.plain_ticks(left_ax.xaxis, list(BOUNDS[:1] + BOUNDS[3:8]))
        style.plain_ticks(left_ax.yaxis, [1, 10, 100, 1000])
        lines = {
            "lost": ("s--", style.BLUE),
            "noise": ("^-.", style.ORANGE),
            "both": ("o-", style.INK),
        }
        self.lines = [
            left_ax.plot(BOUNDS, BOUNDS, look, color=colour, label=label, markersize=3)[0]
            for label, (look, colour) in lines.items()
        ]
        self.rule = left_ax.axvline(1, color=style.GREY, linewidth=1)
        right_ax.set(title="Stations, by rides", xlabel="station", yscale="log", ylabel="rides")
        right_ax.set(xlim=(0, STATIONS + 1), ylim=(3, 2e4))
        style.plain_ticks(right_ax.yaxis, [10, 100, 1000, 10_000])
        (self.all,) = right_ax.plot([], [], "-", color=style.GREY, label="all rides")
        (self.shown,) = right_ax.plot([], [], "o", color=style.BLUE, markersize=3)
        (self.hidden,) = right_ax.plot([], [], "x", color=style.RED, markersize=4)
        self.shown.set_label("counted, likely named")
        self.hidden.set_label("likely not")
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "columnspacing": 1}
        left_ax.legend(ncols=3, **place)
        right_ax.legend(ncols=3, handletextpad=0.2, **place)
        return [self.rule, *self.lines, self.all, self.shown, self.hidden]

    def move(self, view: ContributionView) -> None:
        self.rule.set_xdata([view.bound] * 2)
        rows = (view.lost, view.noise, view.lost + view.noise)
        for line, row in zip(self.lines, rows, strict=True):
            line.set_ydata(np.maximum(row, 1e-9))
        order = np.argsort(-view.bounded.rides, kind="stable")
        stay, is_named = view.bounded.rides_that_stay[view.place][order], view.chances[order] > 0.5
        place = np.arange(1, STATIONS + 1)
        self.all.set_data(place, view.bounded.rides[order])
        self.shown.set_data(place[is_named], stay[is_named])
        self.hidden.set_data(place[~is_named], stay[~is_named])

    def describe(self, view: ContributionView) -> str:
        lost = "No rides" if view.share_lost == 0 else f"{percent(view.share_lost)} of the rides"
        unnamed = round(view.unnamed)
        stations = "station stays" if unnamed == 1 else "stations stay"
        return (
            f"{lost} are lost, noise moves a count by {rough(float(view.noise[view.place]))}, and "
            f"{unnamed or 'no'} {stations} unnamed. A 50% guess about {view.unit} becomes "
            f"{at_most(view.epsilon)}."
        )
