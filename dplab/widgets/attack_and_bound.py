"""Explorer: least squares on noisy counts, and the share of bits that no attack can exceed.

n people have a secret bit each, and m random subsets are counted, each with Laplace noise of scale
1 / epsilon. A person's bit moves only the counts that the person is in. If those are c, its bit is
guarded by c releases of epsilon-DP, and whoever knows all other bits guesses it with probability

    e^{c epsilon} / (1 + e^{c epsilon})                         by basic composition,
    (1 + delta(0)) / 2, delta(0) of c releases together,        by optimal composition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.accounting import Repeated, delta_bounds, optimal_delta
from dplab.attacks.least_squares import least_squares
from dplab.guarantees import ApproxDP
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.queries import random_queries
from dplab.theorems.bit_guessing import guess_bound
from dplab.widgets import style
from dplab.widgets.explorer import Again, Explorer, log_slider
from dplab.widgets.words import percent

PEOPLE = 64
EPSILONS = np.logspace(-2, 1, 25)
MEASURED_AT = EPSILONS[::2]
SECRETS = 20  # drawn and attacked at each measured point


@dataclass(frozen=True, eq=False)
class AttackView:
    """Shares of bits guessed right: bounds at `EPSILONS`, measured at `MEASURED_AT`.

    Nobody is in more than `inside` counts. At the one epsilon of the view `exact` is the share that
    no attack on Laplace noise exceeds, `got` the measured one, and `hits` says of each bit, shape
    (64,), whether one attack got it right.
    """

    inside: int
    basic: np.ndarray
    optimal: np.ndarray
    measured: np.ndarray
    exact: float
    got: float
    hits: np.ndarray


def attack_view(*, epsilon: float, m: int, rng: np.random.Generator) -> AttackView:
    """Draw m queries, attack noisy answers to them, and bound what any attack could have got."""
    queries = random_queries(m, PEOPLE, rng)
    hits = attack(queries, [*MEASURED_AT, epsilon], rng, secrets=SECRETS)
    *measured, got = hits.mean(axis=(1, 2))
    inside = int(queries.sum(axis=0).max())
    bounds = promised(inside)
    return AttackView(
        inside, *bounds, np.array(measured), exact_bound(epsilon, inside), got, hits[-1, 0]
    )


@lru_cache(maxsize=64)
def promised(inside: int) -> tuple[np.ndarray, np.ndarray]:
    """The bounds for somebody in `inside` counts: by basic and by optimal composition. Pure."""
    basic = [guess_bound(ApproxDP(inside * epsilon, 0)) for epsilon in EPSILONS]
    deltas = [optimal_delta(ApproxDP(epsilon, 0), inside, epsilon=0) for epsilon in EPSILONS]
    return np.array(basic), (1 + np.array(deltas)) / 2


def exact_bound(epsilon: float, inside: int) -> float:
    """The share of bits that the best attack on Laplace noise gets, all other bits known. Pure."""
    noisy = LaplaceMechanism(sum, sensitivity=1, epsilon=epsilon)
    releases = [Repeated(noisy, inside)]
    return guess_bound(ApproxDP(0, delta_bounds(releases, epsilon=0).upper))


def attack(queries: np.ndarray, epsilons, rng: np.random.Generator, *, secrets: int) -> np.ndarray:
    """Which bits least squares gets right: a boolean array (len(epsilons), secrets, n)."""
    m, n = queries.shape
    bits = rng.integers(2, size=(len(epsilons), secrets, n))
    noise = rng.laplace(size=(len(epsilons), secrets, m)) / np.reshape(epsilons, (-1, 1, 1))
    answers = (bits @ queries.T + noise).reshape(-1, m)
    return least_squares(queries, answers).bits.reshape(bits.shape) == bits


class AttackAndBound(Explorer):
    """The share of bits that least squares recovers, below what privacy lets anybody recover."""

    size = (9.0, 3.9)
    seed = 2003

    def make_controls(self):
        return {
            "epsilon": log_slider("ε of each count", 0.1, 0.01, 10),
            "m": log_slider("Counts m", 250, 16, 1000),
            "again": Again("Attack again"),
        }

    def view(self):
        rng = self.generator()
        return attack_view(epsilon=self.value("epsilon"), m=round(self.value("m")), rng=rng)

    def build(self):
        left, right = self.figure.subplots(1, 2, width_ratios=(2.1, 1))
        self.figure.subplots_adjust(left=0.07, right=0.98, bottom=0.14, top=0.91, wspace=0.1)
        left.set(xscale="log", xlim=(0.009, 11), ylim=(0.44, 1.03), xlabel="ε of each count")
        left.set(title=f"Share of {PEOPLE} secret bits guessed right")
        style.plain_ticks(left.xaxis, [0.01, 0.1, 1, 10])
        style.plain_ticks(left.yaxis, [0.5, 0.6, 0.7, 0.8, 0.9, 1])
        left.axhline(0.5, color=style.INK, linewidth=0.8, linestyle=":")
        self.basic, self.optimal = (
            left.plot(EPSILONS, EPSILONS, dashes, color=c, label=f"bound by {name} composition")[0]
            for name, c, dashes in (("basic", style.GREY, "--"), ("optimal", style.INK, "-"))
        )
        (self.exact,) = left.plot(
            [1], [1], "D", color=style.GREEN, label="exact bound for Laplace noise"
        )
        (self.measured,) = left.plot(
            MEASURED_AT, MEASURED_AT, "o", color=style.BLUE, markeredgecolor="white", zorder=5,
            label=f"least squares, {SECRETS} secrets each",
        )  # fmt: skip
        (self.marker,) = left.plot([1, 1], [0, 2], color=style.INK, linewidth=0.9)
        left.legend(loc="lower right")
        right.set(title="One attack at your ε", xticks=[], yticks=[])
        right.set(xlim=(-0.8, 8), ylim=(8.6, -0.6), aspect="equal")
        right.grid(visible=False)
        right.spines[:].set_visible(False)
        places = np.arange(PEOPLE)
        self.people = right.scatter(places % 8, places // 8, s=230, marker="s", linewidths=0)
        self.tally = right.text(3.5, 8.25, "", ha="center", color=style.INK)
        return [
            self.basic, self.optimal, self.measured, self.exact, self.marker, self.people,
            self.tally,
        ]  # fmt: skip

    def move(self, view):
        epsilon = self.value("epsilon")
        self.basic.set_ydata(view.basic)
        self.optimal.set_ydata(view.optimal)
        self.measured.set_ydata(view.measured)
        self.marker.set_xdata([epsilon, epsilon])
        self.exact.set_data([epsilon], [view.exact])
        self.people.set_facecolor([style.BLUE if hit else style.ORANGE for hit in view.hits])
        self.people.set_sizes(np.where(view.hits, 230, 70))
        self.tally.set_text(f"{view.hits.sum()} right (blue), {(~view.hits).sum()} wrong (small)")

    def describe(self, view):
        epsilon, m = self.value("epsilon"), round(self.value("m"))
        basic = guess_bound(ApproxDP(view.inside * epsilon, 0))
        return (
            f"{m:,} counts with Laplace noise at ε = {epsilon:.2g} each; nobody is in more than "
            f"{view.inside:,} of them. Least squares gets {percent(view.got)} of the bits right "
            f"here. Whatever the attack, a 50% guess at a bit becomes {_right(view.exact)}, even "
            f"for somebody who knows all other bits; by basic composition one would say "
            f"{_right(basic)}."
        )


def _right(bound: float) -> str:
    """How often a guess is right, at most: never always, though the bound's float may be 1."""
    return f"at most {percent(bound)}" if bound < 0.9999 else "all but certain"
