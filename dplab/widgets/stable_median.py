"""Explorer: a median that one person moves little, or much, and what it costs to publish it.

On the left are the people, in order of their values. In the middle is how far one person moves the
median after k others have changed: local, smooth and global sensitivity. On the right is the error
of five ways to publish it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import ndtri

from dplab.distributions import Distribution, Finite
from dplab.local_sensitivity import Median
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.inverse_sensitivity import inverse_median
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.propose_test_release import OrNothing, propose_test_release
from dplab.mechanisms.quantiles import PrivateQuantile
from dplab.mechanisms.sample_and_aggregate import SampleAndAggregate
from dplab.mechanisms.smooth_sensitivity import CauchyMechanism
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, log_slider, slider
from dplab.widgets.words import at_most, count, rough

LOWER, UPPER = 0.0, 100.0
LOW_GROUP, HIGH_GROUP, SPREAD = 30.0, 70.0, 4.0  # the centers of two groups, and their deviation
PEOPLE = (51, 101, 201, 401, 801)
DELTA = 1e-6
PART_SIZE = 5  # people in each part of sample and aggregate
SHARE = 0.9  # of the releases that are nearer than the error shown
GRID = np.linspace(LOWER, UPPER, 1001)  # candidates of inverse sensitivity
LEAST_ERROR = 0.05  # where the axis of errors begins
MEDIAN = Median(LOWER, UPPER)
WAYS = (
    "worst case",
    "propose, test, release",
    "smooth sensitivity",
    "inverse sensitivity",
    "sample and aggregate",
)
COLOURS = (style.GREY, style.ORANGE, style.BLUE, style.GREEN, style.RED)


@dataclass(frozen=True, eq=False)
class MedianView:
    """People, the sensitivities of their median, and the errors of five ways to publish it.

    `sensitivities[k]` is the local sensitivity within k changes. `errors` has for each way the
    distance within which 90% of the releases are. It is inf for propose-test-release if more than
    10% are refusals. `distance` is the number of changes until one person moves the median by more
    than `bound`.
    """

    values: np.ndarray
    sensitivities: np.ndarray
    beta: float
    smooth: float
    errors: tuple[float, ...]
    epsilon: float
    bound: float
    distance: float

    @property
    def local(self) -> float:
        return float(self.sensitivities[0])


def make_people(n: int, upper_percent: int) -> np.ndarray:
    """Return n values in [0, 100], in two groups, in a random order that is always the same."""
    upper = round(n * upper_percent / 100)
    groups = [
        center + SPREAD * ndtri((np.arange(size) + 0.5) / size)
        for center, size in ((LOW_GROUP, n - upper), (HIGH_GROUP, upper))
        if size
    ]
    return np.random.default_rng(n).permutation(np.concatenate(groups))


def error_within(law: Distribution, truth: float) -> float:
    """Return the distance from the truth that 90% of the releases keep, clipped to the range."""
    if isinstance(law, OrNothing):
        released = np.exp(law.log_chance)
        return _quantile(law.law, truth, SHARE / released) if released > SHARE else np.inf
    if isinstance(law, Finite):
        distances = np.abs(np.array(law.outcomes, dtype=float) - truth)
        order = np.argsort(distances)
        return float(distances[order][np.searchsorted(law.probabilities[order].cumsum(), SHARE)])
    return _quantile(law, truth, SHARE)


def _quantile(law: Any, truth: float, share: float) -> float:
    """Return the least distance that a clipped real release keeps with probability `share`."""
    distances = np.linspace(0, UPPER - LOWER, 2001)
    high_share = np.where(truth + distances >= UPPER, 1.0, law.cdf(truth + distances))
    low_share = np.where(truth - distances <= LOWER, 0.0, law.cdf(truth - distances))
    return float(np.interp(share, high_share - low_share, distances))


@lru_cache(maxsize=64)
def median_view(n: int, upper_percent: int, epsilon: float, bound: float) -> MedianView:
    """Return all that the picture shows of these people."""
    values = make_people(n, upper_percent)
    smooth = CauchyMechanism(MEDIAN, epsilon)
    mechanisms: tuple[ExactMechanism, ...] = (
        LaplaceMechanism(MEDIAN, UPPER - LOWER, epsilon),
        propose_test_release(MEDIAN, bound, epsilon=epsilon, delta=DELTA),
        smooth,
        inverse_median(GRID, epsilon=epsilon),
        SampleAndAggregate(MEDIAN, n // PART_SIZE, PrivateQuantile(LOWER, UPPER, epsilon)),
    )
    truth = MEDIAN(values)
    errors = tuple(error_within(one.distribution(values), truth) for one in mechanisms)
    return MedianView(
        np.sort(values),
        MEDIAN.at_distance(values),
        smooth.beta,
        MEDIAN.smooth(values, smooth.beta),
        errors,
        epsilon,
        bound,
        MEDIAN.distance(values, bound),
    )


class StableMedian(Explorer):
    """Is the worst case your case? A median in two groups of people."""

    size = (9.0, 3.9)

    def make_controls(self) -> Controls:
        return {
            "upper_percent": slider("In the upper group, %", 20, 0, 50, 2),
            "n": choice("People n", 401, [(str(n), n) for n in PEOPLE]),
            "epsilon": log_slider("Privacy loss ε", 1.0, 0.1, 4),
            "bound": log_slider("Proposed bound", 2.0, 0.2, 100),
        }

    def compute(self, upper_percent: int, n: int, epsilon: float, bound: float) -> MedianView:
        return median_view(n, upper_percent, epsilon, bound)

    def build(self) -> Artists:
        people, middle, right = self.figure.subplots(1, 3, width_ratios=(1, 1.15, 1.1))
        self.figure.subplots_adjust(left=0.05, right=0.985, bottom=0.14, top=0.91, wspace=0.28)
        people.set(title="The people, in order", xlabel="rank, in %", ylim=(0, 100), xlim=(0, 100))
        (self.dots,) = people.plot([], [], ".", color=style.BLUE, markersize=4)
        self.median_line = people.axhline(0, color=style.INK, linewidth=1)
        self.middle_line = people.axvline(50, color=style.GREY, linewidth=1, linestyle=":")
        middle.set(title="How far one person moves it", xlabel="people who changed before, k")
        middle.set(yscale="log", ylim=(0.01, 200), xlim=(-1, 40))
        style.plain_ticks(middle.yaxis, [0.01, 0.1, 1, 10, 100])
        (self.steps,) = middle.plot([], [], color=style.INK, drawstyle="steps-post")
        (self.envelope,) = middle.plot([], [], "--", color=style.BLUE, linewidth=1.2)
        (self.local_dot,) = middle.plot([], [], "o", color=style.RED, markersize=6)
        (self.smooth_dot,) = middle.plot([], [], "s", color=style.BLUE, markersize=6)
        self.global_line = middle.axhline(UPPER - LOWER, color=style.GREY, linewidth=1.2)
        self.bound_line = middle.axhline(1, color=style.ORANGE, linewidth=1.2, linestyle="-.")
        self.bound_line.set_label("proposed")
        self.local_dot.set_label("local")
        self.smooth_dot.set_label("smooth")
        self.global_line.set_label("global")
        middle.legend(loc="lower right", handletextpad=0.4)
        right.set(title="Nine of ten are nearer than", xscale="log", xlim=(LEAST_ERROR, 130))
        right.set(ylim=(len(WAYS) - 0.5, -0.5), xlabel="distance from the median")
        right.set_yticks([])
        for place, way in enumerate(WAYS):
            right.text(1.15 * LEAST_ERROR, place - 0.17, way, va="bottom")
        style.plain_ticks(right.xaxis, [0.1, 1, 10, 100])
        places = np.arange(len(WAYS)) + 0.1
        self.bars = right.barh(places, 1, 0.45, left=LEAST_ERROR, color=COLOURS)
        self.refusal = right.text(1.15 * LEAST_ERROR, 1.1, "refuses", va="center", color=style.RED)
        self.left_ax, self.middle_ax, self.right_ax = people, middle, right
        moving = [self.dots, self.median_line, self.middle_line, self.steps, self.envelope]
        moving += [self.global_line, self.bound_line, self.smooth_dot, self.local_dot]
        return [*moving, *self.bars, self.refusal]

    def move(self, view: MedianView) -> None:
        n = len(view.values)
        self.dots.set_data(100 * (np.arange(n) + 0.5) / n, view.values)
        self.median_line.set_ydata([MEDIAN(view.values)] * 2)
        ks = np.arange(len(view.sensitivities))
        self.steps.set_data(ks, view.sensitivities)
        self.envelope.set_data(ks, np.exp(np.minimum(np.log(view.smooth) + view.beta * ks, 10)))
        self.local_dot.set_data([0], [view.local])
        self.smooth_dot.set_data([0], [view.smooth])
        self.bound_line.set_ydata([view.bound] * 2)
        for bar, error in zip(self.bars, view.errors, strict=True):
            bar.set_width(max(error - LEAST_ERROR, 0) if np.isfinite(error) else 0)
        self.refusal.set_visible(bool(np.isinf(view.errors[1])))

    def describe(self, view: MedianView) -> str:
        propose = f"within {rough(view.errors[1])}"
        if np.isinf(view.errors[1]):
            propose = f"refuses, {count(int(view.distance), 'changes')} from danger"
        return (
            f"Nine of ten releases: worst case within {rough(view.errors[0])}, smooth within "
            f"{rough(view.errors[2])}, propose-test-release {propose}. A 50% guess becomes "
            f"{at_most(view.epsilon)}."
        )
