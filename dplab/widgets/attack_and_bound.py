"""Explorer: least squares on noisy counts, and the share of bits that no attack can exceed.

Each of n people has a secret bit. The bits of m random subsets are counted, each count with Laplace
noise of scale 1 / epsilon. A person's bit moves only the counts that include the person. If there
are c of them, c releases of epsilon-DP protect the bit. An attacker may know all other bits. This
attacker guesses the bit right with probability at most

    e^{c epsilon} / (1 + e^{c epsilon})                         by basic composition,
    (1 + delta(0)) / 2, delta(0) of c releases together,        by optimal composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.accounting import Release, delta_bounds, optimal_delta
from dplab.attacks.least_squares import least_squares
from dplab.guarantees import ApproxDP
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.queries import random_queries
from dplab.theorems.bit_guessing import guess_bound
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider
from dplab.widgets.words import percent

PEOPLE = 64
EPSILONS = np.logspace(-2, 1, 25)
MEASURED_AT = EPSILONS[::2]
SECRETS = 20  # attacked at each of `MEASURED_AT`


@dataclass(frozen=True, eq=False)
class AttackView:
    """Shares of bits guessed right: bounds at `EPSILONS`, measured at `MEASURED_AT`.

    No person is in more than `counts_per_person` counts. At the epsilon of the view, `exact` is the
    share that no attack on Laplace noise exceeds, and `recovered` is the measured share: that of
    the dot, if there is one. `hits`, of shape (64,), is True for each bit that an attack there got
    right: the attack of `SECRETS` with a share closest to the mean.
    """

    counts_per_person: int
    basic: np.ndarray
    optimal: np.ndarray
    measured: np.ndarray
    exact: float
    recovered: float
    hits: np.ndarray


def attack_view(*, epsilon: float, m: int, rng: np.random.Generator) -> AttackView:
    """Draw m queries, attack noisy answers to them, and bound the share that any attack can get."""
    queries = random_queries(m, PEOPLE, rng)
    hits = attack(queries, [*MEASURED_AT, epsilon], rng, secrets=SECRETS)
    shares = hits.mean(axis=(1, 2))
    here = int(np.argmax(np.isclose([*MEASURED_AT, epsilon], epsilon)))
    per_person = int(queries.sum(axis=0).max())
    bounds = guess_bounds(per_person)
    return AttackView(
        per_person,
        *bounds,
        shares[:-1],
        exact_bound(epsilon, per_person),
        shares[here],
        hits[here, np.argmin(abs(hits[here].mean(axis=1) - shares[here]))],
    )


@lru_cache(maxsize=64)
def guess_bounds(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Bound a guess about a person in `count` counts: by basic and optimal composition."""
    basic = [guess_bound(ApproxDP(count * epsilon, 0)) for epsilon in EPSILONS]
    deltas = [optimal_delta(ApproxDP(epsilon, 0), count, epsilon=0) for epsilon in EPSILONS]
    return np.array(basic), (1 + np.array(deltas)) / 2


def exact_bound(epsilon: float, count: int) -> float:
    """Return the share of bits that the best attack gets if it knows all other bits."""
    noisy = LaplaceMechanism(sum, sensitivity=1, epsilon=epsilon)
    releases = [Release(noisy, count)]
    return guess_bound(ApproxDP(0, delta_bounds(releases, epsilon=0).upper))


def attack(
    queries: np.ndarray, epsilons: Sequence[float], rng: np.random.Generator, *, secrets: int
) -> np.ndarray:
    """Return which bits least squares gets right: booleans, shape (len(epsilons), secrets, n)."""
    m, n = queries.shape
    bits = rng.integers(2, size=(len(epsilons), secrets, n))
    noise = rng.laplace(size=(len(epsilons), secrets, m)) / np.reshape(epsilons, (-1, 1, 1))
    answers = (bits @ queries.T + noise).reshape(-1, m)
    return least_squares(queries, answers).bits.reshape(bits.shape) == bits


class AttackAndBound(Explorer):
    """The share of bits that least squares recovers, below what privacy lets anybody recover."""

    size = (9.0, 4.4)
    seed = 2003

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("ε of each count", 0.1, 0.01, 10),
            "m": log_slider("Counts m", 250, 16, 1000),
            "again": Again("Attack again"),
        }

    def compute(self, epsilon: float, m: int, again: int) -> AttackView:
        return attack_view(epsilon=epsilon, m=m, rng=self.generator(again))

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(2.1, 1))
        self.figure.subplots_adjust(left=0.07, right=0.98, bottom=0.29, top=0.92, wspace=0.1)
        left_ax.set(xscale="log", xlim=(0.009, 11), ylim=(0.44, 1.03), xlabel="ε of each count")
        left_ax.set(title=f"Share of {PEOPLE} secret bits guessed right")
        style.plain_ticks(left_ax.xaxis, [0.01, 0.1, 1, 10])
        style.plain_ticks(left_ax.yaxis, [0.5, 0.6, 0.7, 0.8, 0.9, 1])
        self.basic, self.optimal = (
            left_ax.plot(EPSILONS, EPSILONS, dashes, color=c, label=f"bound by {name} composition")[
                0
            ]
            for name, c, dashes in (("basic", style.GREY, "--"), ("optimal", style.INK, "-"))
        )
        (self.exact,) = left_ax.plot(
            [1], [1], "D", color=style.GREEN, label="bound for Laplace noise itself"
        )
        (self.measured,) = left_ax.plot(
            MEASURED_AT, MEASURED_AT, "o", color=style.BLUE, markeredgecolor="white", zorder=5,
            label=f"least squares: mean of {SECRETS} attacks",
        )  # fmt: skip
        (self.marker,) = left_ax.plot(
            [1, 1], [0, 2], color=style.INK, linewidth=0.9, label="your ε"
        )
        left_ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, columnspacing=1.4)
        right_ax.set(title=f"The most typical of {SECRETS} attacks", xticks=[], yticks=[])
        right_ax.set(xlim=(-0.8, 8), ylim=(8.6, -0.6), aspect="equal")
        right_ax.grid(visible=False)
        right_ax.spines[:].set_visible(False)
        places = np.arange(PEOPLE)
        self.people = right_ax.scatter(places % 8, places // 8, s=230, marker="s", linewidths=0)
        self.holes = right_ax.scatter(places % 8, places // 8, marker="s", linewidths=0)
        self.holes.set_facecolor("white")
        self.tally = right_ax.text(3.5, 8.25, "", ha="center", color=style.INK)
        return [
            self.basic, self.optimal, self.measured, self.exact, self.marker, self.people,
            self.holes, self.tally,
        ]  # fmt: skip

    def move(self, view: AttackView) -> None:
        epsilon = self.value("epsilon")
        self.basic.set_ydata(view.basic)
        self.optimal.set_ydata(view.optimal)
        self.measured.set_ydata(view.measured)
        self.marker.set_xdata([epsilon, epsilon])
        self.exact.set_data([epsilon], [view.exact])
        self.people.set_facecolor([style.BLUE if hit else style.ORANGE for hit in view.hits])
        self.holes.set_sizes(np.where(view.hits, 0, 40))
        self.tally.set_text(f"{view.hits.sum()} right, {(~view.hits).sum()} wrong (with a hole)")

    def describe(self, view: AttackView) -> str:
        return (
            f"On average least squares gets {percent(view.recovered)} of the bits right. With any "
            f"attack a 50% guess at a bit becomes {_say_bound(view.exact)}."
        )


def _say_bound(bound: float) -> str:
    """Say how often a guess is right at most; never "always", even if the bound's float is 1."""
    return f"at most {percent(bound)}" if bound < 0.9999 else "all but certain"
