"""One condition of a WHERE: which the curator takes, and what names its layers of noise.

sqlglot has read the text, so spaces, letter case and redundant brackets make no difference to what
a condition is called.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

BUCKETS = (exp.Floor, exp.Ceil, exp.Round)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Pow, exp.Neg, exp.Sqrt, exp.Abs)
LEAVES = (exp.Column, exp.Identifier, exp.Literal, exp.Paren)
ALLOWED = (
    "allowed is SELECT count(*), count(DISTINCT column), sum(column) or "
    "sum(cast(substring(column, start, length) AS integer)) FROM one table WHERE conditions "
    "joined by AND: column = value, column <> value, column IN (values), "
    "column BETWEEN low AND high, or floor, ceil and round of arithmetic on one column, compared "
    "by ="
)


class Refused(ValueError):
    """The question is outside of what the curator answers; the message says what is inside."""


@dataclass(frozen=True)
class Condition:
    """One condition of a WHERE: its SQL in normal form, and what names its noise layers.

    `elements` name the dynamic layers: one, but one a value for IN, and none for a range.
    `maths` says that a function is applied to the column, `arithmetic` that a bucketing function
    is applied to more than the bare column.
    """

    text: str
    column: str
    elements: tuple[str, ...]
    maths: bool = False
    arithmetic: bool = False


def condition(node: exp.Expression) -> Condition:
    """Read one condition; raises `Refused`."""
    node = node.unnest()
    column, text = node.this, node.sql()
    if isinstance(column, exp.Column):
        values = {
            exp.EQ: lambda: [node.expression],
            exp.NEQ: lambda: [node.expression],
            exp.In: lambda: node.expressions,
            exp.Between: lambda: [node.args["low"], node.args["high"]],
        }.get(type(node), list)()
        if values and all(map(_is_value, values)):
            return Condition(text, column.name, _elements(node, text))
    if isinstance(node, exp.EQ):
        return _equation(node, text)
    raise Refused(f"{text} is none of the conditions; {ALLOWED}")


def _elements(node: exp.Expression, text: str) -> tuple[str, ...]:
    if isinstance(node, exp.Between):
        return ()
    if isinstance(node, exp.In):
        return tuple(f"{node.this.sql()} = {value.sql()}" for value in node.expressions)
    return (text,)


def _is_value(node: exp.Expression) -> bool:
    inner = node.this if isinstance(node, exp.Neg) else node
    return isinstance(inner, exp.Literal)


def _equation(node: exp.EQ, text: str) -> Condition:
    strange = [
        n for n in node.walk() if not isinstance(n, (exp.EQ, *BUCKETS, *ARITHMETIC, *LEAVES))
    ]
    columns = {column.name for column in node.find_all(exp.Column)}
    sides = [side.unnest() for side in (node.this, node.expression)]
    bucketed = all(isinstance(side, BUCKETS) or _is_value(side) for side in sides)
    if strange or len(columns) != 1 or not bucketed:
        raise Refused(f"{text} is none of the conditions; {ALLOWED}")
    bare = all(isinstance(b.this.unnest(), exp.Column) for b in node.find_all(*BUCKETS))
    return Condition(text, columns.pop(), (text,), maths=True, arithmetic=not bare)
