"""The database behind the curator: sqlite3 from the standard library, or DuckDB if installed.

An engine holds tables, names its dialect of SQL, and returns rows. Python gives powers and roots to
sqlite3, because not every build of it has them.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from dplab import arguments, optional

if TYPE_CHECKING:
    import pandas as pd


MAX_INTEGER = 2**63  # the limit of SQLite
FUNCTIONS: tuple[tuple[str, int, Callable], ...] = (  # name, number of arguments, Python function
    ("FLOOR", 1, math.floor),
    ("CEIL", 1, math.ceil),
    ("SQRT", 1, math.sqrt),
    ("POWER", 2, math.pow),
)


class Engine(Protocol):
    """A database as a curator needs it."""

    dialect: str

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a SELECT in the engine's dialect."""


def _require_tables(tables: Any) -> None:
    if not isinstance(tables, Mapping) or not all(hasattr(t, "to_sql") for t in tables.values()):
        raise ValueError(f"tables must be DataFrames by name, not {arguments.show(tables)}")


class SQLite:
    """A database in memory, by sqlite3.

    Raises ValueError for other arguments.

    >>> import pandas as pd
    >>> SQLite({"t": pd.DataFrame({"x": [1, 2, 3]})}).rows("SELECT sum(POWER(x, 2)) FROM t")
    [(14.0,)]
    """

    dialect = "sqlite"

    def __init__(self, tables: Mapping[str, pd.DataFrame]):
        _require_tables(tables)
        self._connection = sqlite3.connect(":memory:")
        for name, table in tables.items():
            table.to_sql(name, self._connection, index=False)
        for name, count, function in FUNCTIONS:
            self._connection.create_function(name, count, _guard(function), deterministic=True)

    def rows(self, sql: str) -> list[tuple]:
        return self._connection.execute(sql).fetchall()


class DuckDB:
    """A database in memory, by DuckDB, which is imported only here.

    Raises ValueError for other arguments.
    """

    dialect = "duckdb"

    def __init__(self, tables: Mapping[str, pd.DataFrame]):
        _require_tables(tables)
        duckdb = optional.load("duckdb", "This database", install="duckdb")
        self._connection = duckdb.connect(":memory:")
        for name, table in tables.items():
            self._connection.register("incoming", table)
            self._connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM incoming')
            self._connection.unregister("incoming")

    def rows(self, sql: str) -> list[tuple]:
        return self._connection.execute(sql).fetchall()


def _guard(function: Callable) -> Callable:
    """Return a function that gives NULL where a number has no such power, as SQL does.

    A whole number that SQLite can't hold becomes a float: an error would reveal it.
    """

    def safe(*arguments: Any) -> float | None:
        try:
            number = function(*arguments)
            return number if abs(number) < MAX_INTEGER else float(number)
        except (ValueError, OverflowError, TypeError):
            return None

    return safe
