"""Numbers in captions, written as a person would: they are read at every move."""

from __future__ import annotations

import numpy as np

ON_THE_FRAME = " (Dots beyond the frame are drawn on it.)"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def rough(value: float, digits: int = 2) -> str:
    """Write a number with so many digits, or ∞; use a power of ten if it is small.

    >>> rough(8.08), rough(460_337), rough(0.013), rough(1.63e-5), rough(0.00001)
    ('8.1', '460,000', '0.013', '1.6·10⁻⁵', '10⁻⁵')
    """
    if value == np.inf:
        return "∞"
    if 0 < abs(value) < 0.0001:
        leading, power = f"{value:.{digits - 1}e}".split("e")
        raised = "10" + str(int(power)).translate(_RAISED)
        return raised if float(leading) == 1 else f"{float(leading):g}·{raised}"
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:,.{digits}g}" if abs(rounded) < 10.0**digits else f"{rounded:,.0f}"


def percent(part: float) -> str:
    """Write a share, with more digits near 0 and near 1.

    >>> percent(0.374), percent(0.027), percent(0.004), percent(0.992), percent(3.84)
    ('37%', '2.7%', '0.4%', '99.2%', '380%')
    >>> percent(0.0), percent(1e-6), percent(1 - 1e-6), percent(1.0)
    ('0%', 'under 0.01%', 'over 99.99%', '100%')
    """
    if part in (0, 1):
        return f"{part:.0%}"
    if part > 1:
        return f"{rough(100 * part)}%"
    if part < 0.0001:
        return "under 0.01%"
    if part > 0.9999:
        return "over 99.99%"
    if part > 0.99:
        return f"{100 - float(f'{100 * (1 - part):.1g}'):g}%"
    return f"{part:.0%}" if part >= 0.0995 else f"{100 * part:.{2 if part >= 0.01 else 1}g}%"


def uncertain(chance: float) -> str:
    """Write a probability that is neither 0 nor 1, even if its float is.

    >>> uncertain(0.0), uncertain(0.37), uncertain(1.0)
    ('under 0.01%', '37%', 'over 99.99%')
    """
    return percent(min(max(chance, 1e-9), 1 - 1e-9))


def guess(loss: float) -> str:
    """Write what a 50% guess becomes at a privacy loss: e^loss / (1 + e^loss).

    >>> guess(0.001), guess(0.01), guess(0.04), guess(0.1), guess(1.0), guess(6.3)
    ('50.02%', '50.2%', '51%', '52.5%', '73%', '99.8%')
    """
    sure = 1 / (1 + np.exp(-loss))
    if 0.5 < sure < 0.53:
        return f"{round(100 * sure, 2 if sure < 0.501 else 1):g}%"
    return percent(sure)


def at_most(epsilon: float) -> str:
    """Write what a 50% guess becomes at most if no loss is above `epsilon`.

    >>> at_most(1.0), at_most(9.0), at_most(10.0)
    ('at most 73%', 'at most 99.99%', 'all but certain')
    """
    return "all but certain" if np.exp(-epsilon) < 1e-4 else f"at most {guess(epsilon)}"


def count(number: int, things: str) -> str:
    """Write a number and the things counted, whose plural ends in s.

    >>> count(0, "bins"), count(1, "bins"), count(2000, "bins")
    ('no bins', '1 bin', '2,000 bins')
    """
    if number == 0:
        return f"no {things}"
    return f"1 {things.removesuffix('s')}" if number == 1 else f"{number:,} {things}"
