"""The curator: SQL in, one disturbed number out, with a real database behind.

The database does what it is good at: it filters the rows and adds up what each person contributes.
The curator checks the question before, and disturbs the sum after.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import sqlglot

from dplab.attacks.diffix import noise
from dplab.attacks.diffix.batch import Batch
from dplab.attacks.diffix.conditions import Refused
from dplab.attacks.diffix.engine import Engine
from dplab.attacks.diffix.generations import ISOLATING, Generation
from dplab.attacks.diffix.sql import READS, Query, parse


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

    def answer(self, sql: str) -> float | None:
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
        return query

    def _contributions(self, query: Query) -> tuple[list[str], np.ndarray]:
        """Who is in the answer, and what each adds to it."""
        where = " AND ".join(condition.text for condition in query.conditions) or "1 = 1"
        term = "1" if query.distinct else f"sum({query.term})"
        sql = f"SELECT {self.user}, {term} FROM {self.table} WHERE {where} GROUP BY {self.user}"
        rows = self.engine.rows(sqlglot.transpile(sql, read=READS, write=self.engine.dialect)[0])
        return [str(name) for name, _ in rows], np.array([float(value) for _, value in rows])

    @cached_property
    def columns(self) -> list[str]:
        """The table's columns."""
        sql = f"SELECT name FROM pragma_table_info('{self.table}')"
        return [name for (name,) in self.engine.rows(sql)]

    @cached_property
    def isolating(self) -> frozenset[str]:
        """The columns most of whose values belong to one person each."""
        return frozenset(column for column in self.columns if self._share(column) >= ISOLATING)

    def _share(self, column: str) -> float:
        sql = (
            f"SELECT avg(CASE WHEN people = 1 THEN 1.0 ELSE 0.0 END) FROM (SELECT "
            f"count(DISTINCT {self.user}) AS people FROM {self.table} GROUP BY {column}) AS per"
        )
        return self.engine.rows(sql)[0][0]
