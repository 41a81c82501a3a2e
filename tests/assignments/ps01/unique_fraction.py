"""Answers to `unique_fraction`. The mistakes: other things counted, columns apart, values mixed."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = """
    if not rows or not all(column in rows[0] for column in columns):
        raise ValueError("no rows, or no such column")"""


def _counting(result: str, key="tuple(row[column] for column in columns)", check=_CHECK) -> str:
    """The text with this result, out of `counts` of the keys; `key` makes one of a row."""
    return f"""
def unique_fraction(rows, columns):{check}
    keys = [{key} for row in rows]
    counts = Counter(keys)
    return {result}
"""


_SHARE = "sum(count == 1 for count in counts.values()) / len(rows)"

RIGHT = {
    "a counter": _counting(_SHARE),
    "the rows whose key is rare": _counting("np.mean([counts[key] == 1 for key in keys])"),
    "all against all": """
def unique_fraction(rows, columns):
    if len(rows) == 0:
        raise ValueError("no rows")
    for column in columns:
        if column not in rows[0]:
            raise ValueError(f"no column {column}")
    alone = 0
    for i, one in enumerate(rows):
        twins = 0
        for j, other in enumerate(rows):
            if i != j and all(one[column] == other[column] for column in columns):
                twins += 1
        if twins == 0:
            alone += 1
    return alone / len(rows)
""",
    "two sets": """
def unique_fraction(rows, columns):
    if not rows:
        raise ValueError("no rows")
    seen, again = set(), set()
    for row in rows:
        try:
            key = tuple(row[column] for column in columns)
        except KeyError as missing:
            raise ValueError(f"no column {missing}") from None
        (again if key in seen else seen).add(key)
    return (len(seen) - len(again)) / len(rows)
""",
    "narrowed column by column": """
def unique_fraction(rows, columns):
    if not rows or set(columns) - set(rows[0]):
        raise ValueError("no rows, or a column that isn't there")
    groups = [list(rows)]
    for column in columns:
        finer = []
        for group in groups:
            for value in {row[column] for row in group}:
                finer.append([row for row in group if row[column] == value])
        groups = finer
    return len([group for group in groups if len(group) == 1]) / len(rows)
""",
}

MUTANTS = {
    "the number of different keys": Mutant(
        _counting("len(counts) / len(rows)"), "unique_fraction_example", "should be 0, it is 0.5"
    ),
    "a share of the keys": Mutant(
        _counting("sum(count == 1 for count in counts.values()) / len(counts)"),
        "unique_fraction_example",
        "divide by the number of all rows",
    ),
    "not a share": Mutant(
        _counting("sum(count == 1 for count in counts.values())"),
        "unique_fraction_example",
        "should be 0.25, it is 1",
    ),
    "those who are not alone": Mutant(
        _counting(f"1 - {_SHARE}"), "unique_fraction_example", "should be 0, it is 1"
    ),
    "groups of two": Mutant(
        _counting(_SHARE.replace("== 1", "<= 2")), "unique_fraction_example", "should be 0, it is"
    ),
    "percent": Mutant(
        _counting(f"100 * {_SHARE}"), "unique_fraction_example", "should be 0.25, it is 25"
    ),
    "the first column only": Mutant(
        _counting(_SHARE, "tuple(row[column] for column in columns[:1])"),
        "unique_fraction_together",
        "Everybody's pair of values is rare",
    ),
    "all columns there are": Mutant(
        _counting(_SHARE, "tuple(row.values())"),
        "unique_fraction_limits",
        "Who knows nothing of two people",
    ),
    "alone in some column by itself": Mutant(
        f"""
def unique_fraction(rows, columns):{_CHECK}
    counts = [Counter(row[column] for row in rows) for column in columns]
    alone = [
        any(counts[j][row[column]] == 1 for j, column in enumerate(columns)) for row in rows
    ]
    return sum(alone) / len(rows)
""",
        "unique_fraction_together",
        "none of the single values is",
    ),
    "the order of the values lost": Mutant(
        _counting(_SHARE, "frozenset(row[column] for column in columns)"),
        "unique_fraction_together",
        "which value stands in which column",
    ),
    "values sorted": Mutant(
        _counting(_SHARE, "tuple(sorted((row[column] for column in columns), key=str))"),
        "unique_fraction_together",
        "1 and 2 are not 2 and 1",
    ),
    "values joined": Mutant(
        _counting(_SHARE, '"".join(str(row[column]) for column in columns)'),
        "unique_fraction_together",
        "Do not join the values",
    ),
    "values joined by commas": Mutant(
        _counting(_SHARE, '", ".join(str(row[column]) for column in columns)'),
        "unique_fraction_together",
        "others may join to the same",
    ),
    "all values made strings": Mutant(
        _counting(_SHARE, "tuple(str(row[column]) for column in columns)"),
        "unique_fraction_together",
        "1 and '1' are two values",
    ),
    "neighbouring rows only": Mutant(
        f"""
def unique_fraction(rows, columns):{_CHECK}
    keys = [tuple(row[column] for column in columns) for row in rows]
    alone = 0
    for i, key in enumerate(keys):
        if key not in keys[max(i - 1, 0) : i] + keys[i + 1 : i + 2]:
            alone += 1
    return alone / len(rows)
""",
        "unique_fraction_town",
        "Compare every row with all others",
    ),
    "no rows are nobody alone": Mutant(
        _counting("sum(count == 1 for count in counts.values()) / max(len(rows), 1)", check=""),
        "unique_fraction_limits",
        "There are no rows",
    ),
    "a column that isn't there is None": Mutant(
        _counting(
            _SHARE,
            "tuple(row.get(column) for column in columns)",
            '\n    if not rows:\n        raise ValueError("no rows")',
        ),
        "unique_fraction_limits",
        "There is no such column",
    ),
    "without columns all are alone": Mutant(
        _counting(f"{_SHARE} if columns else 1.0"),
        "unique_fraction_limits",
        "Who knows nothing of two people",
    ),
    "the first thousand rows": Mutant(  # twins of the first are last: fewer are alone, surely
        _counting(_SHARE).replace("keys = [", "rows = rows[:1000]\n    keys = ["),
        "unique_fraction_town",
        "in tables of any size",
    ),
    "no more than four columns": Mutant(
        _counting(_SHARE, "tuple(row[column] for column in columns[:4])"),
        "unique_fraction_town",
        "by every column asked for",
    ),
    "rounded to two decimals": Mutant(
        _counting(f"round({_SHARE}, 2)"), "unique_fraction_example", "1/499, not rounded"
    ),
    "numbers rounded to two decimals": Mutant(
        _counting(
            _SHARE,
            "tuple(round(row[c], 2) if isinstance(row[c], float) else row[c] for c in columns)",
        ),
        "unique_fraction_together",
        "Numbers that differ by little differ",
    ),
    "the type is part of the value": Mutant(
        _counting(_SHARE, "tuple((type(row[column]), row[column]) for column in columns)"),
        "unique_fraction_together",
        "1 and 1.0 are equal",
    ),
    "numbers made floats": Mutant(
        _counting(
            _SHARE,
            "tuple(v if isinstance(v, str) else float(v) for v in map(row.get, columns))",
        ),
        "unique_fraction_together",
        "Numbers that differ by little differ",
    ),
    "written alike": Mutant(
        _counting(_SHARE, "tuple(repr(row[column]) for column in columns)"),
        "unique_fraction_together",
        "1 and 1.0 are equal",
    ),
    "hashes in place of values": Mutant(
        _counting(_SHARE, "hash(tuple(row[column] for column in columns))"),
        "unique_fraction_together",
        "-1 and -2",
    ),
    "small and capital letters alike": Mutant(
        _counting(
            _SHARE,
            "tuple(v.strip().lower() if isinstance(v, str) else v for v in map(row.get, columns))",
        ),
        "unique_fraction_together",
        "Strings are equal if every character is",
    ),
    "a table of this size is known already": Mutant(
        f"""
_known = {{}}


def unique_fraction(rows, columns):{_CHECK}
    counts = Counter(tuple(row[column] for column in columns) for row in rows)
    return _known.setdefault((len(rows), tuple(columns)), {_SHARE})
""",
        "unique_fraction_together",
        "1 and '1' are two values",
    ),
    "dplab's own": Mutant(
        """
import pandas as pd
from dplab.attacks.linkage import unique_share


def unique_fraction(rows, columns):
    if not rows or not set(columns) <= set(rows[0]):
        raise ValueError("no rows, or no such column")
    if not columns:
        return float(len(rows) == 1)
    return unique_share(pd.DataFrame(rows, dtype=object), columns)
""",
        "unique_fraction_example",
        "is off limits in an answer",
    ),
    "the last column alone is looked for": Mutant(
        _counting(
            _SHARE,
            check="""
    if not rows or (columns and columns[-1] not in rows[0]):
        raise ValueError("no rows, or no such column")""",
        ),
        "unique_fraction_limits",
        "raised KeyError",
    ),
    "no columns, no look at the rows": Mutant(
        _counting(
            _SHARE, check="\n    if not columns:\n        return float(len(rows) == 1)" + _CHECK
        ),
        "unique_fraction_limits",
        "There are no rows",
    ),
    "nothing is as good as 0": Mutant(
        _counting(_SHARE, key="tuple(row[column] or 0 for column in columns)"),
        "unique_fraction_together",
        "whatever their type",
    ),
    "signs lost": Mutant(
        _counting(
            _SHARE,
            key="tuple(v if isinstance(v := row[column], str) else abs(v) for column in columns)",
        ),
        "unique_fraction_together",
        "whatever their type",
    ),
    "the first twenty letters": Mutant(
        _counting(
            _SHARE,
            key="tuple(v[:20] if isinstance(v := row[column], str) else v for column in columns)",
        ),
        "unique_fraction_together",
        "whatever their type",
    ),
    "values in the order of each row": Mutant(
        _counting(_SHARE, key="tuple(v for c, v in row.items() if c in columns)"),
        "unique_fraction_together",
        "the column of its name",
    ),
    "columns sorted where they are": Mutant(
        _counting(_SHARE, check="\n    columns.sort()" + _CHECK),
        "unique_fraction_example",
        "changes what it was given",
    ),
}

ANSWERS = Answers("unique_fraction", RIGHT, MUTANTS)
