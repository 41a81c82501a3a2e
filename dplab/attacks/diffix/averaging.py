"""Averaging: ask a pair of questions that differ in one person again and again.

Noise of variance v in each answer makes a difference of variance 2 v around the person's bit. The
mean of k of them has variance 2 v / k, and calling everything above 1/2 a one is right with
probability Phi(sqrt(k / (8 v))). Where the noise sticks to the text, the text can be changed
without a change of what is asked.
"""

from __future__ import annotations

import math

from scipy.special import ndtri

from dplab import arguments


def pairs_to_tell(variance: float, sure: float) -> int:
    """How many pairs make a guess right with probability `sure`: ceil(8 v z^2), Phi(z) = sure.

    `variance` is v, that of one answer's noise, above 0; `sure` is above 1/2 and below 1, else
    ValueError.

    >>> [pairs_to_tell(10, sure) for sure in (0.75, 0.9, 0.95, 0.99, 0.999)]
    [37, 132, 217, 433, 764]
    """
    variance = arguments.number("variance", variance, above=0)
    sure = arguments.number("sure", sure, above=0.5, below=1)
    return math.ceil(8 * variance * ndtri(sure) ** 2)


def reworded(question: str, column: str, k: int) -> list[str]:
    """k questions with the same answer: each excludes another value that nobody has.

    `question` is SQL with at least one condition, on a table where `column` is never negative.

    >>> reworded("SELECT count(*) FROM t WHERE a = 1", "a", 2)[1]
    'SELECT count(*) FROM t WHERE a = 1 AND a <> -2'
    """
    k = arguments.whole("k", k, least=1)
    return [f"{question} AND {column} <> -{i}" for i in range(1, k + 1)]
