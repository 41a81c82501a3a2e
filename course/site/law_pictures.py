"""Pictures of mechanisms for the site: the output's distribution on two neighbours.

A mechanism that has no distribution, or one of vectors, is drawn by its trade-off curve.
"""

from __future__ import annotations

import io
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplab.accounting import worst_trade_off
from dplab.continuous import RealDistribution
from dplab.discrete import Lattice
from dplab.distributions import Distribution, Finite, Product
from dplab.divergences import privacy_loss
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.catastrophe import Everything
from dplab.widgets import style
from dplab.widgets.png import light

INCHES = (5.2, 2.6)  # narrow: on a phone the words in it are about as large as the text
DOTS = 200  # per inch: sharp on a screen of two dots per pixel
MOST_BARS = 9  # outcomes with a name of their own below the picture
ON_X, ON_Y = style.BLUE, style.RED  # each has a contrast of 3 or more with white, and with night
ABOVE = {"ncols": 2, "loc": "lower left", "bbox_to_anchor": (0.0, 0.97)}  # the curves, in a row
LETTERS = 60  # in one line below the picture
DRAWS = 4_000  # draws that decide which outputs a picture shows
CHANCE = 0.05  # of a false alarm, in the sentence about a trade-off curve


def draw_mechanism(mechanism: Mechanism, x: Any, y: Any) -> tuple[bytes, str]:
    """Return a picture as a PNG, and a text for readers who don't see it."""
    with style.context():
        figure = Figure(figsize=INCHES)
        figure.subplots_adjust(left=0.13, right=0.97, bottom=0.24, top=0.88)
        axes = figure.add_subplot()
        text = _draw_laws(axes, mechanism, x, y) or _draw_trade_off(axes, mechanism)
        png = io.BytesIO()
        figure.savefig(png, dpi=DOTS, format="png")
    return light(png.getvalue()), text


def _draw_laws(axes: Axes, mechanism: Mechanism, x: Any, y: Any) -> str:
    """Draw the distributions on both neighbours; return the text, or "" where none is drawn."""
    if not isinstance(mechanism, ExactMechanism):
        return ""
    laws = _differing_factors(mechanism.distribution(x), mechanism.distribution(y))
    for kind, draw in DRAWN:
        if isinstance(laws[0], kind):
            text = draw(axes, *laws)
            axes.legend(["on x", "on its neighbour y"], **ABOVE)
            return text
    return ""


def _differing_factors(p: Distribution, q: Distribution) -> tuple[Distribution, Distribution]:
    """Return both distributions, or of products the first two factors that differ."""
    if not (isinstance(p, Product) and isinstance(q, Product)):
        return p, q
    pairs = zip(p.factors, q.factors, strict=True)
    return next(pair for pair in pairs if privacy_loss(*pair).largest_log_ratio > 0)


def _draw_finite(axes: Axes, p: Finite, q: Finite) -> str:
    outcomes = list(dict.fromkeys([*p.support, *q.support]))
    is_number = all(isinstance(outcome, int | float) for outcome in outcomes)
    outcomes.sort(key=None if is_number else str)
    heights = np.exp([law.log_densities(outcomes) for law in (p, q)])
    if is_number and len(outcomes) > MOST_BARS:
        return _draw_steps(axes, outcomes, heights)
    places = np.arange(len(outcomes))
    for shift, row, colour in ((-0.2, heights[0], ON_X), (0.2, heights[1], ON_Y)):
        axes.bar(places + shift, row, 0.4, color=colour)
    names = [_name(outcome) for outcome in outcomes]
    width = LETTERS // len(names)
    axes.set_xticks(places, [fill(name, width) for name in names], fontsize=8)
    axes.set(xlabel="output", ylabel="probability")
    return _tell_difference(names, heights)


def _name(outcome: Any) -> str:
    """Return an outcome as a reader writes it: a tuple's parts one after the other."""
    if isinstance(outcome, tuple):
        return ", ".join(map(_name, outcome))
    if isinstance(outcome, Everything):
        return f"all data: {_name(outcome.data)}"
    return f"{outcome:g}" if isinstance(outcome, float) else str(outcome)


def _draw_lattice(axes: Axes, p: Lattice, q: Lattice) -> str:
    low, high = _range(p, q)
    steps = range(int(np.floor(low / float(p.grid))), int(np.ceil(high / float(p.grid))) + 1)
    outcomes = [float(step * p.grid) for step in steps]
    return _draw_steps(axes, outcomes, np.exp([law.log_density(outcomes) for law in (p, q)]))


def _draw_steps(axes: Axes, outcomes: list[float], heights: np.ndarray) -> str:
    """Draw probabilities of numbers, each as a point on a line that goes to the next one."""
    large = heights.max(axis=0) > heights.max() / 1_000
    shown = slice(np.flatnonzero(large)[0], np.flatnonzero(large)[-1] + 1)
    for row, colour, mark in zip(heights, (ON_X, ON_Y), "os", strict=True):
        axes.plot(outcomes[shown], row[shown], color=colour, marker=mark, markersize=4, linewidth=1)
    axes.set(xlabel="output", ylabel="probability")
    return _tell_difference([f"{outcome:g}" for outcome in outcomes], heights)


def _tell_difference(names: list[str], heights: np.ndarray) -> str:
    at = int(np.argmax(np.abs(heights[0] - heights[1])))
    p, q = heights[:, at]
    return (
        "Probabilities of the output on x and on its neighbour y. They differ most at "
        f"{names[at]}: {p:.3g} and {q:.3g}."
    )


def _draw_real(axes: Axes, p: RealDistribution, q: RealDistribution) -> str:
    outputs = np.linspace(*_range(p, q), 1_001)
    heights = np.exp([law.log_density(outputs) for law in (p, q)])
    for row, colour, line in zip(heights, (ON_X, ON_Y), ("-", "--"), strict=True):
        axes.plot(outputs, row, color=colour, linestyle=line)
    axes.set(xlabel="output", ylabel="density", ylim=(0, None))
    peaks = outputs[heights.argmax(axis=1)]
    return (
        "Densities of the output on x and on its neighbour y. Their peaks are at about "
        f"{peaks[0]:.3g} and {peaks[1]:.3g}."
    )


def _range(p: Distribution, q: Distribution) -> tuple[float, float]:
    """Return the ends of the outputs to draw: nearly all draws of both lie between them."""
    rng = np.random.default_rng(1)
    draws = np.concatenate([law.sample(rng, DRAWS) for law in (p, q)]).astype(float)
    low, high = np.quantile(draws, [0.004, 0.996])
    return float(low), float(high)


DRAWN = (Finite, _draw_finite), (Lattice, _draw_lattice), (RealDistribution, _draw_real)


def _draw_trade_off(axes: Axes, mechanism: Mechanism) -> str:
    least_misses = worst_trade_off(mechanism)
    alarms = np.linspace(0, 1, 401)
    axes.plot(alarms, least_misses(alarms), color=ON_X)
    axes.plot([0, 1], [1, 0], color=style.INK, linestyle=":", linewidth=1.2)
    axes.legend(["this mechanism, worst neighbours", "a blind guess"], **ABOVE)
    axes.set(xlabel="false alarms of a test", ylabel="misses, at least", xlim=(0, 1), ylim=(0, 1))
    missed = float(least_misses(CHANCE))
    return (
        f"The trade-off curve of one release. A test for one person with {CHANCE:.0%} false alarms "
        f"misses at least {missed:.1%}."
    )
