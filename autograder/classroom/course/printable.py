"""Make names and other text from outside fit to be printed.

Use `visible` for a name by itself, in a table or on a page, and `quoted` for a name or a text in a
sentence. Use `sanitize.as_printed` for output of student code: it keeps the colours.
"""

from __future__ import annotations

import re
import unicodedata

# Unicode calls these letters and marks, but they are drawn as nothing or as an empty space.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIANTS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_PLAIN_NAME = re.compile(r"[!-~]+(?: [!-~]+)*")


def visible(name: str) -> str:
    """Return the name with a number (`\\u202e`) for each sign that could mislead a reader.

    Such a sign can't be seen, changes the direction of writing, or is a space. A single space
    between two words stays. So names that differ only in such signs don't look the same.
    """
    if _PLAIN_NAME.fullmatch(name):
        return name
    text = re.sub(r"^ +| +$| {2,}", lambda match: "\\u0020" * len(match[0]), name)
    return "".join(map(_escape_sign, text))


def quoted(text: str) -> str:
    """Return the text in quotes, in one line, as Python writes it; a long one is cut after 77."""
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _escape_sign(sign: str) -> str:
    category = unicodedata.category(sign)
    is_invisible = category[0] == "C" or (category[0] == "Z" and sign != " ")
    if not (is_invisible or sign in _BLANK or ord(sign) in _VARIANTS):
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
