"""Names from outside, shown so that no two that differ look the same for want of a visible sign."""

from __future__ import annotations

import re
import unicodedata

# Letters and marks by their category, but drawn as nothing or as an empty space.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIANTS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")


def visible(name: str) -> str:
    """The name with a number (`\\u202e`) for every sign that can't be seen, changes the direction
    of writing, or is a space other than one between two words."""
    if _PLAIN.fullmatch(name):
        return name
    spaced = re.sub(r"^ +| +$| {2,}", lambda spaces: "\\u0020" * len(spaces[0]), name)
    return "".join(map(_shown, spaced))


def _shown(sign: str) -> str:
    kind = unicodedata.category(sign)
    unseen = kind[0] == "C" or (kind[0] == "Z" and sign != " ")
    if not (unseen or sign in _BLANK or ord(sign) in _VARIANTS):
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
