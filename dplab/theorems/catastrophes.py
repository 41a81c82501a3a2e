"""Theorem: what delta lets happen to a person happens with probability delta at most.

Call person i exposed by an output that is impossible once i's record is another one. If M is
(epsilon, delta)-DP, then for every data set of n people

    P[i is exposed to a given alternative] <= e^epsilon 0 + delta = delta,
    P[anybody is exposed] <= n delta.

Both are reached: by name-and-shame the first, by publishing a random row (delta = 1/n) the second.
So a delta has to be small against 1/n, and then no catastrophe of this kind is likely.

Proof. The outputs that are impossible under the neighbour are an event S with P[M(x') in S] = 0:
put it into the definition, then add over people, a union bound.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.distributions import Finite, enumerate_law
from dplab.mechanism import ExactMechanism


@dataclass(frozen=True)
class Exposure:
    """P[person i is exposed] for each i, and P[anybody is exposed], in one release."""

    persons: tuple[float, ...]
    anybody: float


def exposure(mechanism: ExactMechanism, data: Sequence[Hashable], other: Hashable) -> Exposure:
    """Who is exposed by an output on `data`, exactly, by enumeration of a finite law.

    Person i is exposed by an output that is impossible with `other` in place of record i.
    Raises ValueError if a law is not finite.

    >>> from dplab.mechanisms.catastrophe import RandomRows
    >>> exposure(RandomRows(n=4), ("Ann", "Bob", "Cem", "Dot"), other=None)
    Exposure(persons=(0.25, 0.25, 0.25, 0.25), anybody=1.0)
    """
    law = enumerate_law(mechanism.distribution(data))
    changed = [(*data[:i], other, *data[i + 1 :]) for i in range(len(data))]
    by_person = np.array([_impossible(law, mechanism.distribution(y)) for y in changed])
    persons = by_person @ law.probabilities
    anybody = by_person.any(axis=0) @ law.probabilities
    return Exposure(tuple(persons.tolist()), float(anybody))


def _impossible(law: Finite, neighbor) -> np.ndarray:
    """Which outcomes of positive probability under `law` have none under `neighbor`."""
    logs = enumerate_law(neighbor).log_densities(law.outcomes)
    return (logs == -np.inf) & (law.log_probabilities > -np.inf)


def chance_of_naming(n: int | np.ndarray, delta: float | np.ndarray) -> float | np.ndarray:
    """1 - (1 - delta)^n: the chance that name-and-shame names somebody among n people.

    Accurate for the smallest delta too, elementwise; at most n delta, at least 1 - e^{-n delta}.
    Raises ValueError unless n >= 1 and 0 <= delta <= 1 throughout.
    """
    n, delta = arguments.reals("n", n), arguments.reals("delta", delta)
    if not (n >= 1).all():
        raise ValueError(f"n must be at least 1, not {n.min()}")
    if not ((delta >= 0) & (delta <= 1)).all():
        raise ValueError(f"delta must lie in [0, 1], not {delta}")
    with np.errstate(divide="ignore"):  # delta = 1 names everybody
        chance = -np.expm1(n * np.log1p(-delta))
    return chance if chance.ndim else float(chance)
