"""What the messages of all sides have in common."""

from __future__ import annotations


def counted(number: int, what: str, many: str = "") -> str:
    """How many there are of something: "one array", "3 arrays"."""
    return f"one {what}" if number == 1 else f"{number} {many or what + 's'}"
