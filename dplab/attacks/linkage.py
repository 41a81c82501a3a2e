"""Linkage: a table without names and one with names share enough columns to be joined.

The attack finds everybody whose values in the shared columns are unique in both tables. Sweeney
(2000) reports that date of birth, sex and ZIP code are unique for 87% of the people of the United
States.
Source: Sweeney (2002), k-anonymity: a model for protecting privacy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dplab import arguments

if TYPE_CHECKING:
    import pandas as pd


def _require_table(name: str, table: Any) -> None:
    if not hasattr(table, "columns") or isinstance(table, type):
        raise ValueError(f"{name} must be a pandas DataFrame, not {arguments.show(table)}")


def group_sizes(table: pd.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """Count for each row the rows with its values in all `columns`, itself included: (n,).

    Without columns nobody can be told apart, and every count is n. Values may be of any hashable
    type, and missing values count as one value.
    Raises ValueError for an empty table or a column that it doesn't have.

    >>> import pandas as pd
    >>> class_ = pd.DataFrame({"sex": ["F", "F", "M"], "age": [20, 20, 20]})
    >>> group_sizes(class_, ["sex", "age"]), group_sizes(class_, [])
    (array([2, 2, 1]), array([3, 3, 3]))
    """
    _require_table("table", table)
    columns = arguments.sequence("columns", columns, may_be_empty=True)
    if len(table) == 0:
        raise ValueError("table must have rows, not 0")
    for column in columns:
        arguments.one_of("each of columns", column, list(table.columns))
    groups: np.ndarray = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        codes, values = table[column].factorize(use_na_sentinel=False)  # no order is needed
        groups = np.unique(groups * len(values) + codes, return_inverse=True)[1]
    return np.bincount(groups)[groups]


def unique_share(table: pd.DataFrame, columns: Sequence[str]) -> float:
    """Return the share of the rows that are alone with their values in `columns`, from 0 to 1."""
    return float((group_sizes(table, columns) == 1).mean())


def expected_unique_share(n: int, cells: float) -> float:
    """Return the expected share of n people who are alone in one of `cells` random cells.

    It is (1 - 1/cells)^(n - 1), near e^(-n/cells): all n - 1 others must fall into other cells.
    Raises ValueError unless n and cells are at least 1.

    >>> round(expected_unique_share(23, 365), 3)
    0.941
    """
    n = arguments.whole("n", n, least=1)
    cells = arguments.number("cells", cells, least=1)
    if n == 1 or cells == 1:
        return float(n == 1)
    return float(np.exp((n - 1) * np.log1p(-1 / cells)))


def link(table: pd.DataFrame, named_table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Join the rows, one of each table, that are alone in their tables and agree in `columns`.

    Each row is a pair and has all columns of both tables. A column in both that isn't in
    `columns` gets the suffix "_named". The pairs are right if both tables cover nearly the same
    people. A person who is in only one table may be joined to somebody else.
    Raises ValueError for an empty table, no columns, or one that a table doesn't have.
    """
    _require_table("table", table)
    _require_table("named_table", named_table)
    columns = arguments.sequence("columns", columns, may_be_empty=True)
    arguments.whole("the number of columns", len(columns), least=1)
    alone, named_rows = (rows[group_sizes(rows, columns) == 1] for rows in (table, named_table))
    return alone.merge(named_rows, on=list(columns), suffixes=("", "_named"))
