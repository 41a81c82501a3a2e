"""Explorer: zoom into the floats that the Laplace mechanism can return on two neighbours.

Outputs are sorted into cells of one width, and the probability of each cell is exact: it
counts the sampler's 2^53 - 1 uniform numbers that lead there. With wide cells the picture is a pair
of smooth densities. Where a cell is one float, most floats are possible on one dataset or on none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from dplab.attacks.floating_point import UNIFORMS, giveaway, uniforms_below
from dplab.continuous import Laplace
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, slider
from dplab.widgets.words import at_most

CELLS = 96
EXPONENTS = (*range(1, 7), 8, 12, 20, 30, 40, 44, *range(46, 55))  # cells are 2^-exponent wide
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
CEILINGS = (0.07, 0.15, 0.3, 0.6, 1.2, 2.4, 5, 10, 20, 40, 80, 160, 320, 640, 1300, 2600)


@dataclass(frozen=True, eq=False)
class LatticeView:
    """Counts of uniform numbers that lead into each cell, on x and on x': shape (2, CELLS).

    `edges` has CELLS + 1 multiples of `width`, a power of two; `one_float` is True if each cell
    is one float. `proof_share` is the share of outputs on x, of 3,000, that x' can't give.
    """

    laws: tuple[Laplace, Laplace]
    edges: np.ndarray
    width: float
    counts: np.ndarray
    one_float: bool
    proof_share: float

    @property
    def exponent(self) -> int:
        """Cells are 2^-exponent wide."""
        return -int(np.log2(self.width))

    @property
    def densities(self) -> np.ndarray:
        """Probability of a cell over its width, shape (2, CELLS)."""
        return self.counts / UNIFORMS / self.width

    @property
    def possible(self) -> np.ndarray:
        """The cells that are possible on x, and on x': bools of shape (2, CELLS)."""
        return self.counts > 0

    @property
    def log_ratio(self) -> np.ndarray:
        """The privacy loss of a cell: infinite if one dataset alone can give it, NaN if none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.subtract(*np.log(self.counts))


def lattice_view(*, answer: float, offset: float, epsilon: float, exponent: int) -> LatticeView:
    """Count in cells around answer + offset, of width 2^-exponent or one float, if wider.

    The neighbour's answer is larger by 1. The scale is 1 / epsilon.
    """
    distributions = Laplace(answer, 1 / epsilon), Laplace(answer + 1, 1 / epsilon)
    center = answer + offset
    width = max(2.0**-exponent, float(np.spacing(abs(center))))
    edges = (np.floor(center / width) + np.arange(CELLS + 1) - CELLS // 2) * width
    counts = [np.diff(uniforms_below(edges, p.location, p.scale)) for p in distributions]
    one_float = bool((np.nextafter(edges[:-1], np.inf) == edges[1:]).all())
    return LatticeView(
        distributions, edges, width, np.array(counts), one_float, measure_proofs(*distributions)
    )


@lru_cache(maxsize=256)
def measure_proofs(law: Laplace, other: Laplace) -> float:
    """Return the share of draws that prove their distribution, always for the same 3,000 draws."""
    return giveaway(law, other, np.random.default_rng(2012), size=3000)


class FloatLattice(Explorer):
    """The outputs that are possible on x, on x' and on both, in wide cells and in single floats.

    It opens on single floats, where the leak shows.
    """

    size = (9.0, 4.6)

    def make_controls(self) -> Controls:
        widths = [(power(exponent), exponent) for exponent in EXPONENTS]
        answers = [(f"{answer:,}", answer) for answer in (-1, 0, 1, 10, 100, 1000, 1_000_000)]
        return {
            "exponent": choice("Zoom: cell width", EXPONENTS[-1], widths),
            "offset": slider("Look at f(x) +", 0.3, -3.0, 4.0, 0.05),
            "answer": choice("Answer f(x)", 0, answers),
            "epsilon": slider("Promised ε", 1.0, 0.1, 2.0, 0.1),
        }

    compute = staticmethod(lattice_view)

    def build(self) -> Artists:
        top, bottom = self.figure.subplots(2, 1, height_ratios=(1.5, 1), sharex=True)
        self.figure.subplots_adjust(left=0.08, right=0.98, bottom=0.11, top=0.93, hspace=0.36)
        top.set(title="Density of the output: on x up, on its neighbour x′ down", yticks=[0])
        top.set(ylabel="density")
        bottom.set(ylabel="nats")
        bottom.set(title="Log of the ratio, cell by cell: the privacy loss", ylim=(-3.4, 3.4))
        bottom.set(xlabel="cell, counted from the middle", xlim=(-CELLS / 2, CELLS / 2))
        bottom.set_yticks([-3, 0, 3], labels=["−∞", "0", "∞"])
        top.tick_params(labelbottom=True)
        self.bars = [
            top.add_collection(LineCollection([], colors=colour, linewidths=4.2))
            for colour in (style.BLUE, style.ORANGE)
        ]
        (self.finite,) = bottom.plot([], [], ".", color=style.GREEN)
        self.infinite = [
            bottom.plot([], [], mark, color=style.RED, markersize=5)[0] for mark in ("^", "v")
        ]
        self.promise = [
            bottom.axhline(0, color=style.INK, linestyle="--", linewidth=1.2) for _ in range(2)
        ]
        self.note = top.text(
            1, 1.05, "", transform=top.transAxes, ha="right", va="bottom", color=style.INK
        )
        return [*self.bars, self.finite, *self.infinite, *self.promise, self.note]

    def move(self, view: LatticeView) -> None:
        cells, end = np.arange(CELLS) - CELLS / 2 + 0.5, view.densities.max()
        is_on_both = np.logical_and.reduce(view.possible) & view.one_float
        for i, (densities, sign) in enumerate(zip(view.densities, (1, -1), strict=True)):
            positive = densities > 0
            pairs = zip(cells[positive], sign * densities[positive], strict=True)
            self.bars[i].set_segments([[(x, 0), (x, height)] for x, height in pairs])
            self.bars[i].set_color(
                np.where(is_on_both[positive], style.GREEN, (style.BLUE, style.ORANGE)[i])
            )
        top = next((ceiling for ceiling in CEILINGS if end < 0.97 * ceiling), CEILINGS[-1])
        self.bars[0].axes.set_ylim(-top, top)
        loss = view.log_ratio
        is_finite = np.isfinite(loss)
        self.finite.set_data(cells[is_finite], np.clip(loss[is_finite], -2.8, 2.8))
        for marks, value in zip(self.infinite, (np.inf, -np.inf), strict=True):
            marks.set_data(cells[loss == value], np.sign(value) * np.full((loss == value).sum(), 3))
        for line, sign in zip(self.promise, (1, -1), strict=True):
            line.set_ydata([sign * self.value("epsilon")] * 2)
        unit = "floats" if view.one_float else "cells"
        self.note.set_text(f"{unit} {power(view.exponent)} wide, around {self.place:,.10g}")

    @property
    def place(self) -> float:
        """The output in the middle of the picture."""
        return self.value("answer") + self.value("offset")

    def describe(self, view: LatticeView) -> str:
        both = int(view.possible.all(axis=0).sum())
        some = {0: "none is", 1: "one is", CELLS: "all are"}.get(both, f"{both} are")
        kind, green = ("floats", " (green)") if view.one_float else ("cells", "")
        return (
            f"Of {CELLS} {kind}, {some} possible on both{green}. "
            f"{_write_share(view.proof_share)} on x prove that it was x. "
            f"The promise: a 50% guess becomes {at_most(self.value('epsilon'))}."
        )


def _write_share(share: float) -> str:
    """Write a share that is measured in 3,000 draws."""
    if share >= 0.01:
        return f"{share:.0%} of single outputs"
    return f"{1000 * share:.1f} of 1,000 single outputs" if share else "None of 3,000 outputs drawn"


def power(exponent: int) -> str:
    """Write 2^-exponent with superscripts."""
    return f"2⁻{str(exponent).translate(SUPERSCRIPTS)}"
