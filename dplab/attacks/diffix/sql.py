"""Which SQL the curator takes: one aggregate of one table, conditions joined by AND.

    SELECT count(*) | count(DISTINCT column) | sum(column) | sum(cast(substring(...) AS integer))
    FROM table WHERE condition AND condition ...

and a condition is `column = value`, `column <> value`, `column IN (values)`,
`column BETWEEN low AND high`, or an equation of bucketing functions (floor, ceil, round) of the
arithmetic of one column. Everything else is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from dplab.attacks.diffix.conditions import ALLOWED, Condition, Refused, condition

READS = "duckdb"  # the dialect that analysts write; `^` is a power in it


@dataclass(frozen=True)
class Query:
    """A question that was understood: what is added up, for whom, and from which table.

    `counted` is the column inside the aggregate, "" for count(*); `term` is the SQL of what a row
    adds to the sum; `distinct` is set where a person counts once, whatever their rows.
    """

    text: str
    table: str
    term: str
    counted: str
    distinct: bool
    conditions: tuple[Condition, ...]

    @property
    def static_layers(self) -> tuple[str, ...]:
        """The names of the layers that depend on the question alone: one a condition."""
        return tuple(condition.text for condition in self.conditions)

    @property
    def dynamic_layers(self) -> tuple[str, ...]:
        """The names of the layers that depend on the set of people, too."""
        named = [element for condition in self.conditions for element in condition.elements]
        return (*named, self.term) if self.counted else tuple(named)


def parse(text: str) -> Query:
    """Read a question. Raises `Refused`, a ValueError, for all that is outside of the subset.

    >>> parse("select COUNT(*) from loans where status='C'").conditions[0].text
    "status = 'C'"
    """
    select = _one_select(text)
    known = {"kind", "expressions", "from_", "where"}
    if strange := {name for name, part in select.args.items() if part} - known:
        raise Refused(f"{', '.join(sorted(strange))} can't be asked for; {ALLOWED}")
    tables = list(select.find_all(exp.Table))
    if len(tables) != 1 or len(select.expressions) != 1 or select.args.get("kind"):
        raise Refused(f"one aggregate of one table at a time; {ALLOWED}")
    if not isinstance(select.args["from_"].this, exp.Table) or tables[0].alias or tables[0].db:
        raise Refused(f"FROM must name a table; {ALLOWED}")
    term, counted, distinct = _aggregate(select.expressions[0])
    conditions = tuple(map(condition, _joined_by_and(select.args.get("where"))))
    return Query(text, tables[0].name, term, counted, distinct, conditions)


def _joined_by_and(where: exp.Where | None) -> list[exp.Expression]:
    if where is None:
        return []
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


def _one_select(text: str) -> exp.Select:
    try:
        statements = sqlglot.parse(text, read=READS)
    except sqlglot.errors.SqlglotError as error:
        raise Refused(f"this is no SQL: {str(error).splitlines()[0]}; {ALLOWED}") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise Refused(f"a question is one SELECT; {ALLOWED}")
    return statements[0]


def _aggregate(node: exp.Expression) -> tuple[str, str, bool]:
    """What a row adds, the column inside, and whether a person counts once."""
    inner = node.this if isinstance(node, exp.Count | exp.Sum) else None
    if isinstance(node, exp.Count) and isinstance(inner, exp.Star):
        return "1", "", False
    if isinstance(node, exp.Count) and isinstance(inner, exp.Distinct):
        columns = inner.expressions
        if len(columns) == 1 and isinstance(columns[0], exp.Column):
            return columns[0].name, columns[0].name, True
    if isinstance(node, exp.Sum):
        column = _digit_of(inner) if isinstance(inner, exp.Cast) else inner
        if isinstance(column, exp.Column):
            return inner.sql(), column.name, False
    raise Refused(f"{node.sql()} is none of the aggregates; {ALLOWED}")


def _digit_of(cast: exp.Cast) -> exp.Expression | None:
    part = cast.this
    whole = cast.to.this in (exp.DataType.Type.INT, exp.DataType.Type.BIGINT)
    fixed = isinstance(part, exp.Substring) and all(
        isinstance(part.args.get(name), exp.Literal) for name in ("start", "length")
    )
    return part.this if whole and fixed else None
