"""Wording that the messages of all parts share."""

from __future__ import annotations


def count_noun(number: int, what: str, many: str = "") -> str:
    """Return a number with its noun: "one array", "3 arrays"."""
    return f"one {what}" if number == 1 else f"{number} {many or what + 's'}"
