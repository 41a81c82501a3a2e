"""Formulas of docstrings, which are plain text, as HTML with Greek letters and raised exponents.

A docstring writes `e^{-epsilon |y|}` for a power and `x_i` for an index. An underscore inside a
name, as in `learning_rate`, stays.
"""

from __future__ import annotations

import html
import re

SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "<-": "←",
    "||": "‖",
    "+-": "±",
    " - ": " − ",
    "{-": "{−",
    "^-": "^−",
}
WORDS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "rho": "ρ",
    "sigma": "σ",
    "Lambda": "Λ",
    "Delta": "Δ",
    "Phi": "Φ",
    "sum": "∑",
    "prod": "∏",
    "integral": "∫",
    "sqrt": "√",
}
_WORD = re.compile(rf"(?<![A-Za-z])({'|'.join(WORDS)})(?![A-Za-z])")
_SINGLE = re.compile(r"−?[^\W_](?![^\W_])")  # one letter or digit that is not the start of a name
TAGS = {"^": "sup", "_": "sub"}


def typeset(formula: str) -> str:
    """Return the HTML of a formula. A line that is indented goes on the line before it."""
    formula = re.sub(r"\n\s+", " ", formula.replace("`", ""))
    for sign, better in SIGNS.items():
        formula = formula.replace(sign, better)
    formula = _WORD.sub(lambda found: WORDS[found[1]], formula)
    formula = re.sub(r"(?<=\w)-(?=\d)", "−", formula)
    return "<br>".join(map(_typeset_line, formula.splitlines()))


def _typeset_line(text: str) -> str:
    parts, position = [], 0
    while position < len(text):
        tag = TAGS.get(text[position])
        end = _end_of_index(text, position + 1) if tag else None
        if end is None:
            parts.append(html.escape(text[position]))
            position += 1
            continue
        inside = text[position + 1 : end]
        inside = inside[1:-1] if inside.startswith("{") else inside
        parts.append(f"<{tag}>{_typeset_line(inside)}</{tag}>")
        position = end
    return "".join(parts)


def _end_of_index(text: str, start: int) -> int | None:
    """Return where the exponent or index that begins at `start` ends; None if there is none."""
    if not text.startswith("{", start):
        found = _SINGLE.match(text, start)
        return found.end() if found else None
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return None
