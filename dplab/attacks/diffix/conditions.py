"""The conditions of a WHERE that the curator allows, and the names of their layers of noise.

Two spellings of one condition must have one name, or an attacker averages the noise of its layers
away. So a name has no comments, quotes or redundant brackets, and writes 2000.0 and '2000' as 2000.
An IN is sorted, and an IN or a BETWEEN of one value is an =. Arithmetic has endless spellings of
one condition: only a curator that allows no arithmetic is safe there.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dplab.interaction import Refused

BUCKETS = (exp.Floor, exp.Ceil, exp.Round)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Pow, exp.Neg, exp.Sqrt, exp.Abs)
LEAVES = (exp.Column, exp.Identifier, exp.Literal, exp.Paren)
ALLOWED = (
    "allowed is SELECT count(*), count(DISTINCT column), sum(column) or "
    "sum(cast(substring(column, place, 1) AS integer)) FROM one table WHERE conditions "
    "joined by AND: column = value, column <> value, column IN (values), "
    "column BETWEEN low AND high, or floor, ceil and round of arithmetic on one column, compared "
    "by ="
)


@dataclass(frozen=True)
class Condition:
    """One condition of a WHERE: its SQL, and the names of its noise layers.

    `name` names the static layer, `elements` the dynamic ones: one for each value of an IN, none
    for a range, otherwise one. `maths` says that a function is applied to the column, `arithmetic`
    that a bucketing function is applied to more than the bare column.
    """

    text: str
    name: str
    column: str
    elements: tuple[str, ...]
    maths: bool = False
    arithmetic: bool = False


def condition(node: exp.Expr) -> Condition:
    """Read one condition; raises `Refused`."""
    node = node.unnest()
    column, text = node.this.unnest(), node.sql(comments=False)
    if isinstance(column, exp.Column):
        values = _values(node)
        if values and all(map(_is_value, values)):
            name, elements = _names(type(node), column.name, [_spell(value) for value in values])
            return Condition(text, name, column.name, elements)
    if isinstance(node, exp.EQ):
        return _equation(node, text)
    raise Refused(f"{text} is none of the conditions; {ALLOWED}")


def _values(node: exp.Expr) -> list[exp.Expr]:
    """Return the values that the column is compared with; none for other conditions."""
    if isinstance(node, exp.EQ | exp.NEQ):
        return [node.expression.unnest()]
    if isinstance(node, exp.In):
        return node.expressions
    if isinstance(node, exp.Between):
        return [node.args["low"], node.args["high"]]
    return []


def _names(kind: type, column: str, values: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return the names of the static layer and of the dynamic ones."""
    if kind is exp.NEQ:
        return (name := f"{column} <> {values[0]}"), (name,)
    if kind is exp.Between and values[0] != values[1]:
        return f"{column} BETWEEN {values[0]} AND {values[1]}", ()
    values = sorted(set(values))
    elements = tuple(f"{column} = {value}" for value in values)
    return (elements[0] if len(values) == 1 else f"{column} IN ({', '.join(values)})"), elements


def _is_value(node: exp.Expr) -> bool:
    inner = node.this if isinstance(node, exp.Neg) else node
    return isinstance(inner, exp.Literal)


def _spell(node: exp.Expr) -> str:
    """Spell a value as in a name: a number has one spelling, also if it is in quotes."""
    if isinstance(node, exp.Neg):
        inner = _spell(node.this)
        return inner if inner == "0" else inner[1:] if inner[0] == "-" else f"-{inner}"
    try:
        number = float(node.this)
        exact = int(number) if number.is_integer() else number
    except (ValueError, OverflowError):  # a word, or infinity
        return node.sql(comments=False)
    return str(exact)


def _equation(node: exp.EQ, text: str) -> Condition:
    strange_nodes = [
        n for n in node.walk() if not isinstance(n, (exp.EQ, *BUCKETS, *ARITHMETIC, *LEAVES))
    ]
    columns = {column.name for column in node.find_all(exp.Column)}
    sides = [side.unnest() for side in (node.this, node.expression)]
    is_bucketed = all(isinstance(side, BUCKETS) or _is_value(side) for side in sides)
    if strange_nodes or len(columns) != 1 or not is_bucketed:
        raise Refused(f"{text} is none of the conditions; {ALLOWED}")
    is_bare = all(isinstance(b.this.unnest(), exp.Column) for b in node.find_all(*BUCKETS))
    name = " = ".join(sorted(map(plainest, sides)))
    return Condition(text, name, columns.pop(), (name,), maths=True, arithmetic=not is_bare)


def plainest(node: exp.Expr) -> str:
    """Spell an expression in its plainest form, which names it."""
    return node.transform(_simplify).sql(comments=False)


def _simplify(node: exp.Expr) -> exp.Expr:
    is_needed = isinstance(node.this, exp.Binary) and isinstance(node.parent, exp.Binary | exp.Neg)
    if isinstance(node, exp.Paren) and not is_needed:
        return node.this
    if isinstance(node, exp.Literal):
        return exp.Literal.number(_spell(node))
    if isinstance(node, exp.Identifier):
        return exp.to_identifier(node.name)
    if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.BIGINT:
        return exp.DataType.build("INT")
    if isinstance(node, exp.Round) and (node.args.get("decimals") or exp.null()).name == "0":
        return exp.Round(this=node.this)
    return node
