"""The SQL that the curator allows: one aggregate of one table, conditions joined by AND.

    SELECT count(*) | count(DISTINCT column) | sum(column) |
           sum(cast(substring(column, place, 1) AS integer))
    FROM table WHERE condition AND condition ...

and a condition is `column = value`, `column <> value`, `column IN (values)`,
`column BETWEEN low AND high`, or an equation of bucketing functions (floor, ceil, round) of the
arithmetic of one column. A value in quotes is a text, without quotes it is a number. Everything
else is refused, that is, any part that isn't in `PARTS`.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from dplab import arguments
from dplab.attacks.diffix.conditions import ALLOWED, Condition, condition, plainest
from dplab.interaction import Refused

READS = "duckdb"  # the dialect of analysts; `^` is a power in it
MAX_CONDITIONS = 100  # of a query

_ONE = (exp.From, exp.Where, exp.Table, exp.Column, exp.Sum, exp.Paren, exp.Neg, exp.Sqrt, exp.Abs)
_TWO = (exp.And, exp.EQ, exp.NEQ, exp.Add, exp.Sub, exp.Mul, exp.Pow)
PARTS: dict[type[exp.Expr], set[str]] = {  # allowed parts of a question, with their own parts
    **{kind: {"this"} for kind in (*_ONE, exp.Floor, exp.Ceil)},
    **{kind: {"this", "expression"} for kind in _TWO},
    exp.Select: {"expressions", "from_", "where"},
    exp.Div: {"this", "expression", "typed", "safe"},
    exp.Round: {"this", "decimals"},
    exp.Identifier: {"this", "quoted"},
    exp.Literal: {"this", "is_string"},
    exp.Star: set(),
    exp.Count: {"this", "big_int"},
    exp.Distinct: {"expressions"},
    exp.Cast: {"this", "to"},
    exp.DataType: {"this"},
    exp.Substring: {"this", "start", "length"},
    exp.In: {"this", "expressions"},
    exp.Between: {"this", "low", "high"},
}


@dataclass(frozen=True)
class Query:
    """A parsed question: the term that is added up, the conditions, and the table.

    A repeated condition has its layers once, or two answers would reveal the noise. A question
    without conditions has the layers of its table.

    `counted` is the column inside the aggregate, "" for count(*). `term` is the SQL of the amount
    that a row adds to the sum, and `name` its plainest spelling, which names a layer. `distinct`
    says that a person counts once, with any number of rows.
    """

    text: str
    table: str
    term: str
    name: str
    counted: str
    distinct: bool
    conditions: tuple[Condition, ...]

    @property
    def static_layers(self) -> tuple[str, ...]:
        """The names of the layers that depend on the question alone: one a condition."""
        return tuple(dict.fromkeys(c.name for c in self.conditions)) or (self.table,)

    @property
    def dynamic_layers(self) -> tuple[str, ...]:
        """The names of the layers that depend on the set of people, too."""
        names = [element for condition in self.conditions for element in condition.elements]
        if not self.conditions:
            names = [self.table]
        return tuple(dict.fromkeys([*names, self.name] if self.counted else names))


def parse(text: str) -> Query:
    """Read a question. Raises `Refused`, a ValueError, for SQL that is not allowed.

    >>> parse("select COUNT(*) from loans where status='C'").conditions[0].text
    "status = 'C'"
    """
    arguments.text("text", text)
    try:
        select = _one_select(text)
        _refuse_strange_parts(select)
        tables = list(select.find_all(exp.Table))
        if len(tables) != 1 or len(select.expressions) != 1:
            raise Refused(f"one aggregate of one table at a time; {ALLOWED}")
        [table], [aggregate] = tables, select.expressions
        term, name, counted, distinct = _parse_aggregate(aggregate)
        conditions = tuple(map(condition, _split_by_and(select.args.get("where"))))
    except RecursionError:
        raise Refused(f"the question is nested too deeply; {ALLOWED}") from None
    return Query(text, table.name, term, name, counted, distinct, conditions)


def _refuse_strange_parts(select: exp.Select) -> None:
    for node in select.walk():
        if type(node) not in PARTS:
            raise Refused(f"{node.sql(comments=False)} can't be asked for; {ALLOWED}")
        if strange := {name for name, part in node.args.items() if part} - PARTS[type(node)]:
            raise Refused(f"{', '.join(sorted(strange))} can't be asked for; {ALLOWED}")


def _split_by_and(where: exp.Where | None) -> list[exp.Expr]:
    if where is None:
        return []
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    if len(parts) > MAX_CONDITIONS:
        raise Refused(f"{len(parts)} conditions are more than {MAX_CONDITIONS}; {ALLOWED}")
    return parts


def _one_select(text: str) -> exp.Select:
    try:
        statements = sqlglot.parse(text, read=READS)
    except sqlglot.errors.SqlglotError as error:
        raise Refused(f"this is no SQL: {str(error).splitlines()[0]}; {ALLOWED}") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise Refused(f"a question is one SELECT; {ALLOWED}")
    return statements[0]


def _parse_aggregate(node: exp.Expr) -> tuple[str, str, str, bool]:
    """Return the term of a row, its name, its column, and whether a person counts once."""
    counted = node.this if isinstance(node, exp.Count) else None
    if isinstance(counted, exp.Star):
        return "1", "1", "", False
    if isinstance(counted, exp.Distinct):
        columns = counted.expressions
        if len(columns) == 1 and isinstance(columns[0], exp.Column):
            name = columns[0].name
            return name, name, name, True
    if isinstance(node, exp.Sum):
        term = node.this
        column = _find_digit_column(term) if isinstance(term, exp.Cast) else term
        if isinstance(column, exp.Column):
            return term.sql(comments=False), plainest(term), column.name, False
    raise Refused(f"{node.sql(comments=False)} is none of the aggregates; {ALLOWED}")


def _find_digit_column(cast: exp.Cast) -> exp.Expr | None:
    """Return the column whose digit is added up, or None; longer parts would have many names."""
    part = cast.this
    whole = cast.to.this in (exp.DataType.Type.INT, exp.DataType.Type.BIGINT)
    if not whole or not isinstance(part, exp.Substring):
        return None
    start, length = (plainest(part.args.get(name) or exp.null()) for name in ("start", "length"))
    return part.this if start.isdecimal() and start != "0" and length == "1" else None
