"""Theorem: a catastrophe that delta allows happens to a person with probability at most delta.

An output exposes person i if it is impossible with another record of i. If M is
(epsilon, delta)-DP, then for every dataset of n people

    P[i is exposed to a given alternative] <= e^epsilon 0 + delta = delta,
    P[anybody is exposed] <= n delta.

Name-and-shame reaches the first bound, and a random row (delta = 1/n) reaches the second. So delta
has to be small against 1/n, and then no catastrophe of this kind is likely.

Proof. The outputs that are impossible under the neighbour are an event S with P[M(x') in S] = 0.
Put S into the definition, then add over people by the union bound.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution, Finite, enumerate_law
from dplab.mechanism import ExactMechanism


@dataclass(frozen=True)
class Exposure:
    """The probabilities that one release exposes person i, for each i, and anybody."""

    persons: tuple[float, ...]
    anybody: float


def exposure(mechanism: ExactMechanism, data: Sequence[Hashable], other: Hashable) -> Exposure:
    """Return the exact probabilities that an output on `data` exposes people.

    The distribution must be finite. An output exposes person i if it is impossible with `other` in
    place of record i. Raises ValueError if a distribution is not finite.

    >>> from dplab.mechanisms.catastrophe import RandomRows
    >>> exposure(RandomRows(n=4), ("Ann", "Bob", "Cem", "Dot"), other=None)
    Exposure(persons=(0.25, 0.25, 0.25, 0.25), anybody=1.0)
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    data = arguments.sequence("data", data)
    distribution = enumerate_law(mechanism.distribution(data))
    neighbors = [(*data[:i], other, *data[i + 1 :]) for i in range(len(data))]
    by_person = np.array(
        [_find_impossible(distribution, mechanism.distribution(y)) for y in neighbors]
    )
    persons = by_person @ distribution.probabilities
    anybody = by_person.any(axis=0) @ distribution.probabilities
    return Exposure(tuple(persons.tolist()), float(anybody))


def _find_impossible(distribution: Finite, neighbor: Distribution) -> np.ndarray:
    """Return which outcomes are possible under `law` but not under `neighbor`."""
    logs = enumerate_law(neighbor).log_densities(distribution.outcomes)
    return (logs == -np.inf) & (distribution.log_probabilities > -np.inf)


def chance_of_naming(n: int | np.ndarray, delta: float | np.ndarray) -> float | np.ndarray:
    """Return 1 - (1 - delta)^n, the chance that name-and-shame names one of n people.

    It is elementwise, and accurate also for the smallest delta. It is at most n delta, and at least
    1 - e^{-n delta}.
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
