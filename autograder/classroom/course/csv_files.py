"""Tables that people and platforms make: CSV files, as spreadsheets of any country write them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import CourseError

_MAX_LINES = 10  # lines of titles above the names of the columns
_HOW_TO_SAVE = "in a spreadsheet, save it as 'CSV UTF-8'"


@dataclass(frozen=True)
class Table:
    """The names of the columns, and each row below them with its line number in the file."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read(path: Path, kind: str, columns: Collection[str]) -> Table:
    """Return the table in a file, without lines of titles above it.

    Its header and its delimiter are found by the names of `columns`, in lower case, which it may
    have. Raises CourseError if the file is missing or is no readable CSV file, or if a spreadsheet
    has shortened a number in one of these columns.
    """
    if not path.is_file():
        raise CourseError(f"there is no {kind} {path}")
    text = _text(path)
    sep = re.match(r"sep=(.)\r?\n", text)  # Excel writes this line
    text = text[sep.end() :] if sep else text
    tables = [_table(path, text, delimiter, columns) for delimiter in (sep[1] if sep else ",;\t")]
    table = max(tables, key=lambda table: (_score(table.header, columns), len(table.header)))
    _check_numbers(path, table, columns)
    return table


def _table(path: Path, text: str, delimiter: str, columns: Collection[str]) -> Table:
    """Return the table for this delimiter. Its header is the first line with the most `columns`."""
    rows = _rows(path, text, delimiter)
    if not rows:
        return Table((), ())
    start = max(range(min(len(rows), _MAX_LINES)), key=lambda n: (_score(rows[n][1], columns), -n))
    return Table(rows[start][1], tuple(rows[start + 1 :]))


def _score(header: tuple[str, ...], columns: Collection[str]) -> int:
    return sum(title.strip().casefold() in columns for title in header)


_SHORTENED_NUMBER = re.compile(r"\s*\d([.,]\d+)?E\+\d+\s*")


def _check_numbers(path: Path, table: Table, columns: Collection[str]) -> None:
    """Raise CourseError for a number such as 1.23457E+11, whose last digits are lost.

    Such a number identifies nobody, or several people.
    """
    titles = [title.strip().casefold() for title in table.header]
    for line, row in table.rows:
        for column, value in zip(titles, row, strict=False):
            if column in columns and _SHORTENED_NUMBER.fullmatch(value):
                raise CourseError(
                    f"{path}, line {line}: in the column {column!r} a spreadsheet has shortened a "
                    f"number to {value.strip()}; take the file as it was exported, save it with "
                    "this column as text, or leave the column out"
                )


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise CourseError(f"{path} is a workbook, not a CSV file; {_HOW_TO_SAVE}")
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CourseError(
            f"{path} is not a CSV file in UTF-8, by its line {line}; {_HOW_TO_SAVE}"
        ) from error


def _rows(path: Path, text: str, delimiter: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return all rows that are not empty, with their line numbers."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [(reader.line_num, tuple(row)) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise CourseError(
            f"{path} is not a CSV file in UTF-8, by its line {reader.line_num}: {error}"
        ) from error
