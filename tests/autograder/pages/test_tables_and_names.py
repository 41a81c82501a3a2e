"""No cell of a table is calculated, and no name looks like another for want of a visible sign."""

import csv
import io
import re
import sys
import unicodedata
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom.course.printable import visible
from autograder.pages.spreadsheets import as_csv, escape_formulas

STARTS = tuple("=+-@")
SEPARATORS = "[;\t\n\v\f\r]"


@cache
def every_sign() -> list[str]:
    """A million: made by who asks, as each process of the tests loads this file."""
    return [chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 <= number < 0xE000]


@cache
def unseen() -> str:
    signs = every_sign()
    return "".join(s for s in signs if unicodedata.category(s) in ("Cc", "Cf", "Zl", "Zp", "Zs"))


def calculated(cell: str) -> bool:
    """Whether a spreadsheet that reads full width as usual, skips what it can't show, and expects
    some other separator would find a formula."""
    pieces = (unicodedata.normalize("NFKC", piece) for piece in re.split(SEPARATORS, cell))
    return any(piece.lstrip(unseen()).startswith(STARTS) for piece in pieces)


def test_every_sign_that_is_a_form_of_a_formulas_start_is_taken_for_one():
    forms = [s for s in every_sign() if unicodedata.normalize("NFKC", s).startswith(STARTS)]
    assert len(forms) > 15
    for sign in forms:
        assert escape_formulas(f"{sign}1+1") == f"'{sign}1+1"


def test_no_sign_in_front_hides_a_formula():
    for sign in unseen():
        assert not calculated(escape_formulas(f"{sign}=1+1")), repr(sign)
        assert not calculated(escape_formulas(f"a;{sign}\uff0b1")), repr(sign)


PIECES = st.sampled_from(
    [
        *"=+-@;,\t\n\r\v\f'\" a1",
        "\uff1d",
        "\uff0b",
        "\uff0d",
        "\uff20",
        "\ufeff",
        "\u200b",
        "\u202e",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text())
def test_nothing_is_calculated_and_no_row_is_added(text):
    made = escape_formulas(text)
    assert not calculated(made)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert made.replace("'", "") == lines.replace("'", "")
    written = as_csv([[text, 1], ["x", text]])
    assert list(csv.reader(io.StringIO(written))) == [[made, "1"], ["x", made]]
    assert not made.startswith(("\t", "\n", "\r"))


@pytest.mark.parametrize("value", ["O'Neil", "a=b", "a - b, c", "3/4", "", -1.5, None, 7])
def test_what_is_no_formula_stays(value):
    assert escape_formulas(value) == value


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ann", "ann"), ("Ann Archer", "Ann Archer"), ("José", "José"), ("日本 太郎", "日本 太郎"),
        ("a\u200bb", r"a\u200bb"), ("\u202ebob", r"\u202ebob"), ("\ufeffa", r"\ufeffa"),
        ("a ", r"a\u0020"), (" a  b", r"\u0020a\u0020\u0020b"), ("\u3164", r"\u3164"),
        ("a\u00a0b", r"a\u00a0b"), ("a\ufe0f", r"a\ufe0f"), ("\U000e0041", r"\U000e0041"),
    ],
)  # fmt: skip
def test_what_can_not_be_seen_is_shown_by_its_number(name, shown):
    assert visible(name) == shown


@given(st.text(min_size=1))
def test_what_is_shown_can_be_seen(name):
    shown = visible(name)
    assert shown.isprintable()
    assert shown.strip() == shown != ""
    assert visible(shown) == shown
