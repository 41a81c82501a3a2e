"""Explorer: n secret bits, m noisy counts, and the bits that least squares recovers.

The errors are random, or come from a curator who lies towards the opposite bits. Both have the same
root mean square. The picture shows the predicted curves of both: see `reconstruction_law`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab.attacks.contrary_curator import ContraryCurator
from dplab.attacks.least_squares import least_squares
from dplab.queries import random_queries
from dplab.theorems.reconstruction_law import collapsed_share, contrary_share
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider

SIZES = np.logspace(-1, 2, 121)  # the sizes of errors at which the curves are computed
MEASURED_AT = SIZES[::8]
TILE = 12  # pixels of a person's square and the gap beside it
HOLE = slice(4, 7)  # pixels left white if the guess is wrong
LAWS = {"random": collapsed_share, "contrary": contrary_share}


@dataclass(frozen=True, eq=False)
class BitsView:
    """The outcome of one attack: `hits`, shape (n,), is True for each bit that is right.

    `measured` has the share of right bits at the errors `MEASURED_AT`, one attack each. `laws` has
    the theoretical share at `SIZES`, for each curator.
    """

    hits: np.ndarray
    measured: np.ndarray
    laws: dict[str, np.ndarray]

    @property
    def share(self) -> float:
        """The share of bits that are right."""
        return float(self.hits.mean())


def bits_view(
    *, n: int, kappa: float, error: float, curator: str, rng: np.random.Generator
) -> BitsView:
    """Draw bits and m = kappa n queries, and attack the answers of `curator`."""
    queries, secret = random_queries(round(kappa * n), n, rng), rng.permutation(np.arange(n) % 2)
    sizes: np.ndarray = np.append(MEASURED_AT, error)
    truth = queries @ secret
    if curator == "random":
        errors = rng.normal(0, sizes[:, None], (len(sizes), len(queries)))
    else:
        errors = sizes[:, None] * (ContraryCurator(secret, 1).ask(queries) - truth)
    hits = least_squares(queries, truth + errors).bits == secret
    curves = {name: share(SIZES / np.sqrt(n), kappa) for name, share in LAWS.items()}
    return BitsView(hits[-1], hits[:-1].mean(axis=1), curves)


class ReconstructBits(Explorer):
    """The bits that least squares gets right, and their share for every size of the errors."""

    size = (9.0, 4.1)
    seed = 2003

    def make_controls(self) -> Controls:
        sides = [(f"{k * k}", k * k) for k in (4, 6, 8, 10, 12, 16)]
        kappas = [(f"{k:g} n", k) for k in (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)]
        curators = [("random noise", "random"), ("a contrary curator", "contrary")]
        return {
            "n": choice("People n", 64, sides),
            "kappa": choice("Counts m", 4.0, kappas),
            "error": log_slider("Size of errors", 2.0, 0.1, 100),
            "curator": choice("Who answers", "random", curators),
            "again": Again("Ask again"),
        }

    def compute(self, again: int, **settings: Any) -> BitsView:
        return bits_view(rng=self.generator(again), **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.9))
        self.figure.subplots_adjust(left=0.02, right=0.98, bottom=0.22, top=0.92, wspace=0.16)
        left_ax.set(title="The secret bits", xticks=[], yticks=[], aspect="equal")
        left_ax.set(xlim=(-0.01, 1.01), ylim=(1.15, -0.01))
        left_ax.grid(visible=False)
        left_ax.spines[:].set_visible(False)
        self.people = left_ax.imshow(
            np.zeros((2, 2, 3)), extent=(0, 1, 1, 0), interpolation="nearest"
        )
        self.tally = left_ax.text(0.5, 1.1, "", ha="center", color=style.INK)
        right_ax.set(xscale="log", xlim=(0.085, 118), ylim=(-0.04, 1.05), xlabel="size of an error")
        right_ax.set(title="Share of bits guessed right")
        style.plain_ticks(right_ax.xaxis, [0.1, 1, 10, 100])
        style.plain_ticks(right_ax.yaxis, [0, 0.25, 0.5, 0.75, 1])
        looks: dict[str, dict[str, str]] = {
            "random": {"color": style.BLUE, "label": "predicted, random"},
            "contrary": {"color": style.RED, "label": "predicted, contrary", "linestyle": "--"},
        }
        self.laws = {name: right_ax.plot(SIZES, 0 * SIZES, **looks[name])[0] for name in LAWS}
        (self.measured,) = right_ax.plot(
            MEASURED_AT, 0 * MEASURED_AT, "o", color=style.INK, markersize=5, label="attacks"
        )
        (self.root,) = right_ax.plot([1, 1], [-1, 2], ":", color=style.INK, label="√n")
        (self.marker,) = right_ax.plot(
            [1], [1], "D", color=style.GREEN, markersize=9, zorder=6, label="on the left"
        )
        right_ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.42, -0.16),
            ncols=5,
            columnspacing=1,
            handlelength=1.6,
        )
        return [self.people, self.tally, *self.laws.values(), self.measured, self.root, self.marker]

    def move(self, view: BitsView) -> None:
        side = round(len(view.hits) ** 0.5)
        self.people.set_data(_draw_tiles(view.hits, side))
        self.tally.set_text(f"{view.hits.sum()} right, {(~view.hits).sum()} wrong (with a hole)")
        for name, line in self.laws.items():
            line.set_ydata(view.laws[name])
        self.measured.set_ydata(view.measured)
        self.root.set_xdata([side, side])
        self.marker.set_data([self.value("error")], [view.share])

    def describe(self, view: BitsView) -> str:
        n, kappa, error = (self.value(name) for name in ("n", "kappa", "error"))
        contrary = self.value("curator") == "contrary"
        size = f"{'moved by' if contrary else 'typically off by'} {error:g}"
        return (
            f"Each of {round(kappa * n):,} counts is {size}. "
            f"Least squares guesses {view.hits.sum()} of {n} bits right."
        )


def _draw_tiles(hits: np.ndarray, side: int) -> np.ndarray:
    """Draw side x side people: blue if the bit is right, otherwise orange with a hole."""
    blue, orange, white = style.shades(style.BLUE, style.ORANGE, "white")
    colours, holes = (np.where(hits[:, None], blue, wrong) for wrong in (orange, white))
    tiles = np.full((side, TILE, side, TILE, 4), white)
    tiles[:, :-1, :, :-1] = colours.reshape(side, 1, side, 1, 4)
    tiles[:, HOLE, :, HOLE] = holes.reshape(side, 1, side, 1, 4)
    return tiles.reshape(side * TILE, side * TILE, 4)
