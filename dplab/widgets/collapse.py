"""Explorer: one curve for each n. Over the right axis the curves coincide.

Random subsets and marginals collapse over sigma / sqrt(n), thresholds over sigma itself. So the
family of questions decides how much noise hides a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dplab.attacks.least_squares import least_squares
from dplab.queries import ConjunctionQueries, IntervalQueries, random_queries
from dplab.theorems.reconstruction_law import collapsed_share, reconstruction_law
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice

PEOPLE = (16, 48, 144)
SHARES = np.logspace(-2, 1, 61)  # sigma / sqrt(n)
MEASURED_PLACES = slice(0, None, 6)
BITS = 1280  # attacked at each dot, over all secrets
FAMILIES = ("random subsets", "marginals", "thresholds")


@dataclass(frozen=True, eq=False)
class ShareCurve:
    """For n people: the exact share at sigma = SHARES sqrt(n), and the share measured at some."""

    n: int
    exact: np.ndarray
    measured: np.ndarray


def queries_of(family: str, n: int, kappa: int, rng: np.random.Generator) -> np.ndarray:
    """Return about kappa n queries of a family on n people, shape (m, n)."""
    if family == "random subsets":
        return random_queries(kappa * n, n, rng)
    if family == "thresholds":
        return np.tile(IntervalQueries.thresholds(n), (kappa, 1))
    d = next(d for d in range(2, n + 2) if 1 + d * (d + 1) // 2 >= kappa * n)
    return np.asarray(ConjunctionQueries(rng.integers(2, size=(n, d)), k=2))


@lru_cache(maxsize=64)
def curve(family: str, n: int, kappa: int) -> ShareCurve:
    """Return the exact shares of `reconstruction_law` for these queries, and measured ones."""
    rng = np.random.default_rng([n, kappa])
    queries, sigmas = queries_of(family, n, kappa, rng), SHARES * np.sqrt(n)
    exact = reconstruction_law(queries, sigmas).shares
    spreads, count = sigmas[MEASURED_PLACES, None, None], BITS // n
    secrets = rng.integers(2, size=(len(spreads), count, n))
    noise = spreads * rng.normal(size=(len(spreads), count, len(queries)))
    answers = (secrets @ queries.T.astype(float) + noise).reshape(-1, len(queries))
    hits = least_squares(queries, answers).bits.reshape(secrets.shape) == secrets
    return ShareCurve(n, exact, hits.mean(axis=(1, 2)))


class Collapse(Explorer):
    """The share of bits that least squares recovers, for 16, 48 and 144 people."""

    def make_controls(self) -> Controls:
        kappas = [(f"{k} n", k) for k in (2, 4, 8)]
        axes = [("σ", "sigma"), ("σ / √n", "share")]
        return {
            "family": choice("Questions", FAMILIES[0], [(name, name) for name in FAMILIES]),
            "axis": choice("Horizontal axis", "sigma", axes),
            "kappa": choice("Counts m", 4, kappas),
        }

    def compute(self, family: str, kappa: int, **_: Any) -> list[ShareCurve]:
        return [curve(family, n, kappa) for n in PEOPLE]

    def build(self) -> Artists:
        axes = self.figure.subplots()
        self.figure.subplots_adjust(left=0.07, right=0.98, bottom=0.15, top=0.91)
        axes.set(title="Share of bits guessed right", xscale="log", ylim=(0.44, 1.03))
        style.plain_ticks(axes.yaxis, [0.5, 0.6, 0.7, 0.8, 0.9, 1])
        self.axes, self.lines, self.dots = axes, [], []
        looks = ((style.GREEN, "o"), (style.BLUE, "s"), (style.RED, "^"))
        for n, (colour, dot) in zip(PEOPLE, looks, strict=True):
            self.lines += axes.plot([1], [1], color=colour)
            looks_of_dots: dict[str, Any] = {
                "color": colour,
                "markersize": 6,
                "markeredgecolor": "white",
            }
            self.dots += axes.plot([1], [1], dot, label=f"n = {n}", zorder=5, **looks_of_dots)
        (self.law,) = axes.plot([1], [1], "--", color=style.INK, linewidth=1.4, zorder=6)
        axes.legend(loc="upper right")
        formula = "dashed: Φ(√(κ − 1) √n / 4σ)"
        self.formula = axes.text(0.985, 0.67, formula, transform=axes.transAxes, ha="right")
        return [*self.lines, *self.dots, self.law, self.formula]

    def move(self, view: list[ShareCurve]) -> None:
        share = self.value("axis") == "share"
        ends, ticks = (
            ((0.009, 11), [0.01, 0.1, 1, 10]) if share else ((0.036, 160), [0.1, 1, 10, 100])
        )
        self.axes.set(xlim=ends, xlabel="noise σ / √n" if share else "noise σ")
        style.plain_ticks(self.axes.xaxis, ticks)
        for line, dots, result in zip(self.lines, self.dots, view, strict=True):
            places = SHARES * (1 if share else result.n**0.5)
            line.set_data(places, result.exact)
            dots.set_data(places[MEASURED_PLACES], result.measured)
        self.law.set_data(SHARES, collapsed_share(SHARES, self.value("kappa")))
        for artist in (self.law, self.formula):
            artist.set_visible(share)

    def describe(self, view: list[ShareCurve]) -> str:
        axis = {"share": "σ / √n", "sigma": "σ"}[self.value("axis")]
        return f"At equal {axis} the curves of {self.value('family')} {self.say_distance(view)}."

    def say_distance(self, view: list[ShareCurve]) -> str:
        points = round(100 * self.distance(view))
        if points < 1:
            return "fall together"
        return f"are up to {points} point{'s' * (points > 1)} apart"

    def distance(self, view: list[ShareCurve]) -> float:
        """Return the largest difference of two curves at one place of the horizontal axis."""
        scales = [1 if self.value("axis") == "share" else result.n**0.5 for result in view]
        places = np.concatenate([SHARES * scale for scale in scales])
        shares = [
            np.interp(places, SHARES * scale, result.exact)
            for scale, result in zip(scales, view, strict=True)
        ]
        return float(np.ptp(shares, axis=0).max())
