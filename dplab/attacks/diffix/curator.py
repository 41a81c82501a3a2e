"""The curator: SQL in, one disturbed number out, with a real database behind.

The database does what it is good at: it filters the rows and adds up what each person contributes.
The curator checks the question before, and disturbs the sum after.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property

import numpy as np
import sqlglot
from sqlglot import exp

from dplab.attacks.diffix import noise
from dplab.attacks.diffix.batch import Batch
from dplab.attacks.diffix.engine import Engine
from dplab.attacks.diffix.generations import ISOLATING, Generation
from dplab.attacks.diffix.sql import READS, Query, parse
from dplab.interaction import Refused


class Curator:
    """Answers questions about the table `table`, in which the column `user` says whose a row is.

    `salt` is the curator's secret: whoever knows it can compute the noise. `rng` is needed where
    noise is fresh. `asked` counts the answers that were given.
    """

    def __init__(
        self, engine: Engine, table: str, user: str, generation: Generation, *, salt: str, rng=None
    ):
        self.engine, self.table, self.user = engine, table, user
        self.generation, self.asked = generation, 0
        self._salt, self._rng = salt, rng
        self._known: dict[str, tuple | None] = {}

    def ask(self, sql: str) -> float | None:
        """The published answer to a question; None if it is suppressed.

        Raises `Refused`, a ValueError, where the question is outside of what is allowed.
        """
        query = self._checked(parse(sql))
        names, values = self._contributions(query)
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

    def _checked(self, query: Query) -> Query:
        named = {query.counted, *(condition.column for condition in query.conditions)} - {""}
        if query.table != self.table or named - set(self.columns):
            raise Refused(
                f"there is one table, {self.table}, with columns {', '.join(self.columns)}"
            )
        if query.distinct and query.counted != self.user:
            raise Refused(f"count(DISTINCT ...) counts people: the column must be {self.user}")
        self.generation.check(query, self.isolating)
        if query.counted and not query.distinct and not self._are_amounts(query.term):
            raise Refused(f"sum({query.term}): not all of {self.table} has numbers of at least 0")
        for condition in query.conditions:
            if self._evaluated(f"SELECT count(*) FROM {self._from} WHERE {condition.text}") is None:
                raise Refused(f"{condition.text}: not all of {self.table} can be compared so")
        return query

    def _are_amounts(self, term: str) -> bool:
        """Whether all that `term` can ever add up are numbers of at least 0.

        Asked of the whole table, whatever the question's conditions: an error, or a value in it,
        that hangs on who meets them would tell of somebody.
        """
        found = self._evaluated(f"SELECT min({term}), max({term}) FROM {self._from}")
        amounts = [value for value in found or ["no number"] if value is not None]
        return all(isinstance(value, int | float | Decimal) and value >= 0 for value in amounts)

    def _evaluated(self, sql: str) -> tuple | None:
        """The one row of an answer for the curator's own eyes; None if the database can't."""
        if sql not in self._known:
            try:
                [row] = self._rows(sql)
            except Exception:  # of whichever database; its message may quote a person's value
                row = None
            self._known[sql] = row
        return self._known[sql]

    def _rows(self, sql: str) -> list[tuple]:
        return self.engine.rows(sqlglot.transpile(sql, read=READS, write=self.engine.dialect)[0])

    def _contributions(self, query: Query) -> tuple[list[str], np.ndarray]:
        """Who is in the answer, and what each adds to it; a row that is nobody's is left out."""
        user = _quoted(self.user)
        conditions = [f"NOT {user} IS NULL", *(condition.text for condition in query.conditions)]
        term = "1" if query.distinct else f"coalesce(sum({query.term}), 0)"
        rows = self._rows(
            f"SELECT {user}, {term} FROM {self._from} WHERE {' AND '.join(conditions)} "
            f"GROUP BY {user}"
        )
        return [str(name) for name, _ in rows], np.array([float(value) for _, value in rows])

    @property
    def _from(self) -> str:
        return _quoted(self.table)

    @cached_property
    def columns(self) -> list[str]:
        """The table's columns."""
        table = self.table.replace("'", "''")
        return [
            name for (name,) in self.engine.rows(f"SELECT name FROM pragma_table_info('{table}')")
        ]

    @cached_property
    def isolating(self) -> frozenset[str]:
        """The columns most of whose values belong to one person each."""
        return frozenset(column for column in self.columns if self._share(column) >= ISOLATING)

    def _share(self, column: str) -> float:
        sql = (
            f"SELECT avg(CASE WHEN people = 1 THEN 1.0 ELSE 0.0 END) FROM (SELECT "
            f"count(DISTINCT {_quoted(self.user)}) AS people FROM {self._from} "
            f"GROUP BY {_quoted(column)}) AS per"
        )
        return self.engine.rows(sql)[0][0]


def _quoted(name: str) -> str:
    """A name as both databases read it, whatever is in it."""
    return exp.to_identifier(name, quoted=True).sql(dialect=READS)
