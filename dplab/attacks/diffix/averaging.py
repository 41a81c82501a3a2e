"""Averaging: ask a pair of questions that differ in one person again and again.

With noise of variance v in each answer, the difference has variance 2 v around the person's bit.
Then `attacks.averaging.pairs_to_be_right` says how many pairs are enough. Where the noise sticks to
the text, the attacker changes the text but not the question.
"""

from __future__ import annotations

from dplab import arguments

MAX_REWORDINGS = 10**6


def reword(question: str, column: str, k: int) -> list[str]:
    """Reword the question k times, with the same answer: each excludes a value that nobody has.

    `question` is SQL with at least one condition, on a table where `column` is never negative.
    Raises ValueError unless k is a whole number of at least 1.

    >>> reword("SELECT count(*) FROM t WHERE a = 1", "a", 2)[1]
    'SELECT count(*) FROM t WHERE a = 1 AND a <> -2'
    """
    arguments.text("question", question)
    arguments.text("column", column)
    k = arguments.size("k", k, most=MAX_REWORDINGS)
    return [f"{question} AND {column} <> -{i}" for i in range(1, k + 1)]
