"""The values that a column can be compared with, by the type that the database gives it.

A database casts a value to the column's type. DuckDB reads '15.5001', ' 16' and '0b10000' as the
whole number 16, 't' and 'yes' as true, and '2020-1-1' as a date. Layers with the names of such
spellings would be averaged away. So a column of numbers takes numbers without quotes, a column of
texts takes texts, and a date has one way to be written.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from dplab.attacks.diffix.conditions import Condition, build_comparison
from dplab.attacks.diffix.sql import Query
from dplab.interaction import Refused

DATE, TIME = "%Y-%m-%d", "%Y-%m-%d %H:%M:%S"
_NUMBER = r"-?[0-9.]+(e[-+]?[0-9]+)?"  # a number in the spelling of Python


@dataclass(frozen=True)
class Kind:
    """A kind of types: their pattern, the pattern of values, and the advice of a refusal."""

    name: str
    types: str
    values: str
    advice: str

    @property
    def is_number(self) -> bool:
        """True if arithmetic can be done with the values."""
        return self.values == _NUMBER


KINDS = (
    Kind("whole", r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", _NUMBER, "numbers without quotes"),
    Kind("single", r"FLOAT", _NUMBER, "numbers without quotes, of at most 6 digits"),
    Kind("number", r"DOUBLE|REAL|DECIMAL.*", _NUMBER, "numbers without quotes"),
    Kind("text", r"VARCHAR|TEXT|ENUM.*", r"'.*'", "texts in single quotes, not by a range"),
    Kind("boolean", r"BOOLEAN", "0|1", "0 or 1 without quotes"),
    Kind("date", r"DATE", r"'\d{4}-\d\d-\d\d'", "dates in the form '2020-01-31'"),
    Kind(
        "time",
        r"TIMESTAMP(_NS|_MS|_S)?",
        r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'",
        "times in the form '2020-01-31 23:59:00'",
    ),
)


def typed(condition: Condition, declared: str) -> Condition:
    """Return the condition with the names that fit its column's type; raise `Refused` if none do.

    Ends of a range on whole numbers are rounded inwards; their floor, ceil and round are
    themselves.

    >>> from dplab.attacks.diffix import parse
    >>> [ages] = parse("SELECT count(*) FROM t WHERE age BETWEEN 15.5 AND 16.9").conditions
    >>> typed(ages, "BIGINT").name
    'age = 16'
    """
    kind = _find_kind(declared)
    if kind is None:
        raise Refused(f"{condition.text}: {condition.column} has a type that can't be compared")
    is_range = condition.operator == "BETWEEN"
    does_fit = all(_fits(kind, value) for value in condition.values)
    if (
        not does_fit
        or (is_range and kind.name == "text")
        or (condition.maths and not kind.is_number)
    ):
        raise Refused(f"{condition.text}: {condition.column} is compared with {kind.advice}")
    if kind.name != "whole":
        return condition
    if is_range:
        low, high = map(Decimal, condition.values)
        ends = [str(math.ceil(low)), str(math.floor(high))]
        return build_comparison(condition.text, condition.column, "BETWEEN", ends)
    if condition.maths and len(condition.values) == 1:
        bare = build_comparison(condition.text, condition.column, "=", list(condition.values))
        return replace(bare, maths=True)
    return condition


def check_sum(query: Query, declared: str) -> None:
    """Raise `Refused` unless a column of this type can be added up, or its digits."""
    kind, is_digit = _find_kind(declared), query.term.startswith("CAST(")
    if kind is None or not (kind.name == "text" if is_digit else kind.is_number):
        values = "texts" if is_digit else "numbers"
        raise Refused(f"sum({query.term}): {query.counted} has a type without {values}")


def _find_kind(declared: str) -> Kind | None:
    return next((k for k in KINDS if re.fullmatch(k.types, declared, re.IGNORECASE)), None)


def _fits(kind: Kind, value: str) -> bool:
    """Return whether a value, spelled as in a name, is written as columns of this kind need it."""
    if not re.fullmatch(kind.values, value, re.DOTALL):
        return False
    if kind.name == "single":
        return len(re.sub(r"e.*|\D", "", value).strip("0")) <= 6
    if kind.name in ("date", "time"):
        try:
            datetime.strptime(value.strip("'"), DATE if kind.name == "date" else TIME)
        except ValueError:
            return False
    return True
