"""Write tables (CSV) in which no spreadsheet takes a text for a formula."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence

_STARTS = frozenset("=+-@")
# A spreadsheet that expects other separators than commas begins a new cell behind each of these.
_CELL = re.compile(r"[^;\t\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def escape_formulas(value: object) -> object:
    """Return a text with an apostrophe before each part that a spreadsheet takes for a formula.

    Such a part may have full-width characters. It may follow invisible characters, or a separator
    other than a comma. A text that begins with a tab or a new line gets an apostrophe too. All line
    ends become \\n, because others would begin a new row.
    """
    if not isinstance(value, str):
        return value
    value = value.replace("\r\n", "\n").replace("\r", "\n")
    text = _CELL.sub(lambda cell: f"'{cell[0]}" if _is_formula(cell[0]) else cell[0], value)
    return f"'{text}" if value[:1] in ("\t", "\n") else text


def _is_formula(text: str) -> bool:
    """Return whether the first visible character begins a formula, in any of its forms."""
    for character in text:
        for plain in unicodedata.normalize("NFKC", character):
            if plain in _STARTS:
                return True
            if unicodedata.category(plain)[0] not in "CZM":
                return False
    return False


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return the rows as CSV text, each value with its formulas escaped."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([escape_formulas(value) for value in row] for row in rows)
    return file.getvalue()
