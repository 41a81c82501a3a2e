"""The curator in front of a real database: it takes SQL and returns one number with noise.

First the curator checks the question. Then the database filters the rows and adds up each person's
values. Finally the curator adds noise to the sum.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import sqlglot
from sqlglot import exp

from dplab import arguments
from dplab.attacks.diffix import noise
from dplab.attacks.diffix.batch import Batch
from dplab.attacks.diffix.columns import check_sum, typed
from dplab.attacks.diffix.engine import Engine
from dplab.attacks.diffix.generations import ISOLATING, Generation
from dplab.attacks.diffix.sql import READS, Query, parse
from dplab.interaction import Refused


class DiffixCurator:
    """A curator of the table `table`, in which the column `user` names the person of each row.

    `salt` is the curator's secret: anybody who knows it can compute the noise. Fresh noise needs
    `rng`. `asked` counts the answers so far.

    Raises ValueError for other arguments.
    """

    def __init__(
        self,
        engine: Engine,
        table: str,
        user: str,
        generation: Generation,
        *,
        salt: str,
        rng: np.random.Generator | None = None,
    ):
        for name, text in (("table", table), ("user", user), ("salt", salt)):
            arguments.text(name, text)
        arguments.instance("generation", generation, Generation)
        if not hasattr(engine, "rows") or isinstance(engine, type):
            raise ValueError(
                f"engine must be an engine such as SQLite, not {arguments.show(engine)}"
            )
        if rng is not None:
            arguments.generator("rng", rng)
        self.engine, self.table, self.user = engine, table, user
        self.generation, self.asked = generation, 0
        self._salt, self._rng = salt, rng
        self._cache: dict[str, tuple | None] = {}

    def ask(self, sql: str) -> float | None:
        """Return the published answer to a question; None if it is suppressed.

        Raises `Refused`, a ValueError, for a question that is not allowed.
        """
        query = self._check(parse(sql))
        names, values = self._add_up_by_person(query)
        batch = Batch(
            np.ones((1, len(names)), dtype=bool),
            noise.seeds(self._salt, names),
            values,
            [sql],
            [query.static_layers],
            [query.dynamic_layers],
        )
        (answer,) = batch.answers(self.generation, self._salt, self._rng)
        self.asked += 1
        return None if np.isnan(answer) else float(answer)

    def _check(self, query: Query) -> Query:
        columns = {query.counted, *(condition.column for condition in query.conditions)} - {""}
        if query.table != self.table or columns - set(self.columns):
            raise Refused(
                f"there is one table, {self.table}, with columns {', '.join(self.columns)}"
            )
        if query.distinct and query.counted != self.user:
            raise Refused(f"count(DISTINCT ...) counts people: the column must be {self.user}")
        self.generation.check(query, self.isolating)
        if query.counted and not query.distinct:
            check_sum(query, self.columns[query.counted])
        conditions = tuple(typed(c, self.columns[c.column]) for c in query.conditions)
        for condition in conditions:
            if not self._can_compare(condition.text):
                raise Refused(f"{condition.text}: {self.table} can't be compared so")
        return replace(query, conditions=conditions)

    def _can_compare(self, condition: str) -> bool:
        """Return whether the database understands a condition: it hangs on types, not on rows."""
        return (
            self._evaluate(f"SELECT count(*) FROM {self._from} WHERE TRY({condition})") is not None
        )

    def _evaluate(self, sql: str) -> tuple | None:
        """Return the only row of a query for the curator itself; None if the database fails."""
        if sql not in self._cache:
            try:
                [row] = self._rows(sql)
            except Exception:  # any database's; its message may quote a person's value
                row = None
            self._cache[sql] = row
        return self._cache[sql]

    def _rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query. `TRY(...)` is NULL for a row on which the database fails.

        An error would tell that there is such a row. SQLite has none of these, and no TRY.
        """
        [translated] = sqlglot.transpile(
            sql,
            read=READS,
            write=self.engine.dialect,
            unsupported_level=sqlglot.ErrorLevel.IGNORE,
        )
        return self.engine.rows(translated)

    def _add_up_by_person(self, query: Query) -> tuple[list[str], np.ndarray]:
        """Return the people in the answer and their sums, without rows that are nobody's."""
        user = _quote(self.user)
        conditions = [f"NOT {user} IS NULL", *(f"TRY({part.text})" for part in query.conditions)]
        term = "1" if query.distinct else f"sum({_write_amount(query.term)})"
        sql = f"SELECT {user}, {term} FROM {self._from} WHERE {' AND '.join(conditions)}"
        try:
            rows = self._rows(f"{sql} GROUP BY {user}")
        except Exception:  # its message may quote a person's value
            raise Refused("the database can't answer this question") from None
        return [str(name) for name, _ in rows], np.array([float(value) for _, value in rows])

    @property
    def _from(self) -> str:
        return _quote(self.table)

    @cached_property
    def columns(self) -> dict[str, str]:
        """The table's columns, and the type that the database gives each."""
        table = self.table.replace("'", "''")
        return dict(self.engine.rows(f"SELECT name, type FROM pragma_table_info('{table}')"))

    @cached_property
    def isolating(self) -> frozenset[str]:
        """The columns most of whose values belong to one person each."""
        return frozenset(column for column in self.columns if self._share(column) >= ISOLATING)

    def _share(self, column: str) -> float:
        sql = (
            f"SELECT avg(CASE WHEN people = 1 THEN 1.0 ELSE 0.0 END) FROM (SELECT "
            f"count(DISTINCT {_quote(self.user)}) AS people FROM {self._from} "
            f"GROUP BY {_quote(column)}) AS per"
        )
        return self.engine.rows(sql)[0][0]


def _write_amount(term: str) -> str:
    """Return the SQL of the amount that a row adds: 0 if it isn't a number of at least 0.

    A refusal of the sum would reveal that somebody has such a value.
    """
    number = f"TRY({term})"
    return f"CASE WHEN {number} BETWEEN 0 AND 1e300 THEN CAST({number} AS DOUBLE) ELSE 0 END"


def _quote(name: str) -> str:
    """Quote a name so that both databases read it, whatever characters it has."""
    return exp.to_identifier(name, quoted=True).sql(dialect=READS)
