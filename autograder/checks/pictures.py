"""Draw a sample and its expected law in SVG, for messages.

Under Jupyter, `show` puts a picture into the notebook. While grading, it gives the picture to the
examiner, which passes it on to the feedback.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.wire.run import current_run
from dplab.continuous import RealDistribution
from dplab.distributions import Distribution, Product

MAX_BARS = 10
_WIDTH, _HEIGHT, _TOP, _LEFT = 420, 170, 26, 40
_LAW, _SAMPLE, _INK = "#0072B2", "#E69F00", "#333333"


def show(picture: str) -> None:
    """Show a picture, in grading or under Jupyter."""
    if (take_picture := current_run().take_picture) is not None:
        take_picture(picture)
        return
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        display({"image/svg+xml": picture, "text/plain": "a picture"}, raw=True)


def sample_and_law(sample: np.ndarray, law: Distribution) -> str:
    """Draw the sample's shares, or its distribution function, together with those of the law."""
    if isinstance(law, RealDistribution):
        return _draw_curves(np.sort(sample.ravel()), law)
    if isinstance(law, Product):
        return _draw_bars(list(map(tuple, sample.tolist())), law.enumerate())
    return _draw_bars(sample.ravel().tolist(), law)


def _draw_bars(draws: list, law: Any) -> str:
    counts = Counter(draws)
    expected = dict(zip(law.outcomes, law.probabilities.tolist(), strict=True))
    shares = {y: counts[y] / len(draws) for y in {**expected, **counts}}
    shown_outcomes = sorted(shares, key=lambda y: -abs(shares[y] - expected.get(y, 0.0)))[:MAX_BARS]
    outcomes = [outcome for outcome in shares if outcome in shown_outcomes]
    top = max(max(shares[y], expected.get(y, 0.0)) for y in outcomes)
    step = (_WIDTH - _LEFT) / len(outcomes)
    parts = [_draw_axis(top)]
    for number, outcome in enumerate(outcomes):
        left_edge = _LEFT + step * number
        pairs = ((_LAW, expected.get(outcome, 0.0)), (_SAMPLE, shares[outcome]))
        for offset, (colour, value) in enumerate(pairs):
            height = value / top * (_HEIGHT - _TOP - 24)
            x, y = left_edge + step * (0.14 + 0.36 * offset), _HEIGHT - 24 - height
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{0.34 * step:.1f}" height="{height:.1f}" '
                f'fill="{colour}"/>'
            )
        parts.append(_text(left_edge + step / 2, _HEIGHT - 8, _label(outcome), "middle"))
    return _join_drawing(parts, f"{len(draws):,} draws")


def _draw_curves(draws: np.ndarray, law: RealDistribution) -> str:
    low, high = np.quantile(draws, [0.001, 0.999])
    grid = np.linspace(low, high if high > low else low + 1, 121)
    sample_shares = np.searchsorted(draws, grid, side="right") / len(draws)
    parts = [_draw_axis(1.0)]
    curves: list[tuple[str, Any]] = [(_LAW, law.cdf(grid)), (_SAMPLE, sample_shares)]
    for colour, values in curves:
        xs = _LEFT + (grid - grid[0]) / (grid[-1] - grid[0]) * (_WIDTH - _LEFT - 8)
        ys = _HEIGHT - 24 - values * (_HEIGHT - _TOP - 24)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
    parts += [
        _text(_LEFT, _HEIGHT - 8, f"{grid[0]:.3g}", "start"),
        _text(_WIDTH - 8, _HEIGHT - 8, f"{grid[-1]:.3g}", "end"),
    ]
    return _join_drawing(parts, f"share of {len(draws):,} draws up to y")


def _draw_axis(top: float) -> str:
    base = _HEIGHT - 24
    lines = f'<path d="M{_LEFT} {_TOP}V{base}H{_WIDTH}" stroke="{_INK}" fill="none"/>'
    return (
        lines + _text(_LEFT - 4, _TOP + 8, f"{top:.3g}", "end") + _text(_LEFT - 4, base, "0", "end")
    )


def _label(outcome: Any) -> str:
    text = "".join(f"{part:g}" for part in outcome) if isinstance(outcome, tuple) else str(outcome)
    return text if len(text) <= 8 else f"{text[:7]}…"


def _text(x: float, y: float, text: str, anchor: str, colour: str = _INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{html.escape(text)}</text>"
    )


def _join_drawing(parts: Sequence[str], description: str) -> str:
    legend = [
        _text(_LEFT + 6, 14, "■ expected", "start", _LAW),
        _text(_LEFT + 90, 14, "■ yours", "start", _SAMPLE),
        _text(_WIDTH - 4, 14, description, "end"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="11" role="img" '
        f'aria-label="Expected shares and yours: {html.escape(description, quote=True)}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join([*legend, *parts])}</svg>'
    )
