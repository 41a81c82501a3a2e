"""Read the conditions of a WHERE that the curator allows, and name their layers of noise.

Two spellings of one condition must have one name: otherwise an attacker could average the noise of
its layers away. So a name has no comments or redundant brackets, and writes 2000.0 and 2e3 as 2000.
An IN is sorted, and an IN or a BETWEEN of one value is an =. A value in quotes is a text, even if
it looks like a number: the module `columns` defines the values that a column can be compared with.
Ranges with different ends can pick the same people, so their dynamic layer is named by the column
alone. Arithmetic has endless spellings of one condition: only a curator that allows no arithmetic
is safe there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from dplab.interaction import Refused

BUCKETS = (exp.Floor, exp.Ceil, exp.Round)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Pow, exp.Neg, exp.Sqrt, exp.Abs)
LEAVES = (exp.Column, exp.Identifier, exp.Literal, exp.Paren)
MAX_NUMBER_DIGITS = 15  # with more digits, many spellings are the same float
ALLOWED = (
    "allowed is SELECT count(*), count(DISTINCT column), sum(column) or "
    "sum(cast(substring(column, place, 1) AS integer)) FROM one table WHERE conditions "
    "joined by AND: column = value, column <> value, column IN (values), "
    "column BETWEEN low AND high, or floor, ceil and round (to whole numbers) of arithmetic on one "
    "column, compared by ="
)


@dataclass(frozen=True)
class Condition:
    """One condition of a WHERE: its SQL, and the names of its noise layers.

    `name` names the static layer, `elements` the dynamic ones: one for each value of an IN,
    otherwise one. `maths` is True if a function is applied to the column, `arithmetic` if a
    bucketing function is applied to more than the bare column. `operator` is "=", "<>", "IN" or
    "BETWEEN", or "" for an equation; `values` are those that the column, or its bucket, is compared
    with, spelled as in the name.
    """

    text: str
    name: str
    column: str
    elements: tuple[str, ...]
    maths: bool = False
    arithmetic: bool = False
    operator: str = ""
    values: tuple[str, ...] = ()


def condition(node: exp.Expr) -> Condition:
    """Read one condition; raise `Refused` if the curator doesn't allow it."""
    node = node.unnest()
    column, text = node.this.unnest(), node.sql(comments=False)
    if isinstance(column, exp.Column):
        operator, values = _comparison(node)
        if values and all(map(_is_value, values)):
            return build_comparison(
                text, column.name, operator, [_spell(value) for value in values]
            )
    if isinstance(node, exp.EQ):
        return _equation(node, text)
    raise Refused(f"{text} is not an allowed condition; {ALLOWED}")


def _comparison(node: exp.Expr) -> tuple[str, list[exp.Expr]]:
    """Return the operator and the values of a comparison; for other conditions, "" and []."""
    if isinstance(node, exp.EQ | exp.NEQ):
        return ("=" if isinstance(node, exp.EQ) else "<>"), [node.expression.unnest()]
    if isinstance(node, exp.In):
        return "IN", node.expressions
    if isinstance(node, exp.Between):
        return "BETWEEN", [node.args["low"], node.args["high"]]
    return "", []


def build_comparison(text: str, column: str, operator: str, values: list[str]) -> Condition:
    """Return the condition that compares a column with values, which are spelled as in a name."""
    elements: tuple[str, ...]
    if operator == "BETWEEN" and values[0] != values[1]:
        name, elements = f"{column} BETWEEN {values[0]} AND {values[1]}", (f"{column} BETWEEN",)
    elif operator == "<>":
        name = f"{column} <> {values[0]}"
        elements = (name,)
    else:
        values = sorted(set(values))
        operator = "=" if len(values) == 1 else "IN"
        elements = tuple(f"{column} = {value}" for value in values)
        name = elements[0] if len(values) == 1 else f"{column} IN ({', '.join(values)})"
    return Condition(text, name, column, elements, operator=operator, values=tuple(values))


def _is_value(node: exp.Expr) -> bool:
    if isinstance(node, exp.Neg):
        return isinstance(node.this, exp.Literal) and not node.this.is_string
    return isinstance(node, exp.Literal)


def _spell(node: exp.Expr) -> str:
    """Spell a value as in a name: a number has one spelling, a text keeps its quotes."""
    if isinstance(node, exp.Neg):
        inner = _spell(node.this)
        return inner if inner == "0" else f"-{inner}"
    if node.is_string:
        return node.sql(comments=False)
    number = float(node.this)
    digits = "".join(map(str, Decimal(node.this).as_tuple().digits)).strip("0")
    if not math.isfinite(number) or len(digits) > MAX_NUMBER_DIGITS:
        raise Refused(
            f"{node.this}: a number must be finite and have at most {MAX_NUMBER_DIGITS} digits, "
            f"not counting zeros at its ends"
        )
    return str(int(number) if number.is_integer() else number)


def _equation(node: exp.EQ, text: str) -> Condition:
    nodes = list(node.walk())
    has_other_nodes = not all(
        isinstance(n, (exp.EQ, *BUCKETS, *ARITHMETIC, *LEAVES)) for n in nodes
    )
    has_text = any(isinstance(n, exp.Literal) and n.is_string for n in nodes)
    columns = {column.name for column in node.find_all(exp.Column)}
    sides = [side.unnest() for side in (node.this, node.expression)]
    is_bucketed = all(isinstance(side, BUCKETS) or _is_value(side) for side in sides)
    if (
        has_other_nodes
        or has_text
        or len(columns) != 1
        or not is_bucketed
        or _rounds_to_decimals(node)
    ):
        raise Refused(f"{text} is not an allowed condition; {ALLOWED}")
    is_bare = all(isinstance(b.this.unnest(), exp.Column) for b in node.find_all(*BUCKETS))
    name = " = ".join(sorted(map(plainest, sides)))
    values = tuple(_spell(side) for side in sides if is_bare and _is_value(side))
    return Condition(text, name, columns.pop(), (name,), True, not is_bare, values=values)


def _rounds_to_decimals(node: exp.Expr) -> bool:
    """Return whether something is rounded to decimals, which have many spellings."""
    decimals = [part.args.get("decimals") for part in node.find_all(exp.Round)]
    return any(decimal is not None and plainest(decimal) != "0" for decimal in decimals)


def plainest(node: exp.Expr) -> str:
    """Spell an expression in its plainest form, which names it."""
    return node.transform(_simplify).sql(comments=False)


def _simplify(node: exp.Expr) -> exp.Expr:
    is_needed = isinstance(node.this, exp.Binary) and isinstance(node.parent, exp.Binary | exp.Neg)
    if isinstance(node, exp.Paren) and not is_needed:
        return node.this
    if isinstance(node, exp.Literal) and not node.is_string:
        return exp.Literal.number(_spell(node))
    if isinstance(node, exp.Identifier):
        return exp.to_identifier(node.name)
    if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.BIGINT:
        return exp.DataType.build("INT")
    if isinstance(node, exp.Round) and (node.args.get("decimals") or exp.null()).name == "0":
        return exp.Round(this=node.this)
    return node
