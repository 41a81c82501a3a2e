"""Theorem: for approximate privacy it does not suffice to look at outputs one by one.

The inequality p(y) <= e^epsilon q(y) + delta for every single output y says nothing about events.
Split every output into k equally likely ones, by a random serial number, and

    the largest excess at one output, max_y p(y) - e^epsilon q(y), is divided by k,
    the largest excess of an event, sup_S p(S) - e^epsilon q(S), stays the same.

Proof. Each (y, serial) has p(y)/k and q(y)/k. The best event is {y : p(y) > e^epsilon q(y)}, and
its excess is a sum, here of k equal terms for each y. With delta = 0 the check by outputs does
suffice: the sum then has no positive term.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution, Finite, enumerate_law
from dplab.divergences import hockey_stick

MAX_NUMBERS = 10**6


@dataclass(frozen=True)
class Excess:
    """The excess of p over e^epsilon q, at one output, `pointwise`, and on an event, `exact`."""

    pointwise: float
    exact: float


def excess(p: Distribution, q: Distribution, *, epsilon: float) -> Excess:
    """Return the delta of a check by outputs for two finite distributions, and the true delta.

    Raises ValueError unless both distributions are finite and epsilon is at least 0.

    >>> bits = [Finite.of({0: 1.0}), Finite.of({1: 1.0})]
    >>> excess(*(with_serial_number(bit, k=1024) for bit in bits), epsilon=0)
    Excess(pointwise=0.0009765625, exact=1.0)
    """
    arguments.instance("p", p, Distribution)
    arguments.instance("q", q, Distribution)
    epsilon = arguments.number("epsilon", epsilon, least=0)
    p, q = enumerate_law(p), enumerate_law(q)
    over = p.probabilities - np.exp(epsilon + q.log_densities(p.outcomes))
    return Excess(max(0.0, float(over.max())), hockey_stick(p, q, epsilon=epsilon))


def with_serial_number(law: Finite, k: int) -> Finite:
    """Return the distribution of (outcome, serial), with an independent uniform serial in 0..k-1.

    Raises ValueError unless k is a whole number of at least 1.
    """
    arguments.instance("law", law, Finite)
    k = arguments.size("k", k, most=MAX_NUMBERS)
    outcomes = tuple((outcome, serial) for outcome in law.outcomes for serial in range(k))
    return Finite(outcomes, np.repeat(law.log_probabilities, k) - np.log(k))
