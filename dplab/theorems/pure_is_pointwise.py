"""The definition speaks of all events; for pure differential privacy single outputs are enough.

Theorem. For two distributions p and q on finitely many outputs,

    max over events S of |log p(S) - log q(S)|  =  max over outputs y of |log p(y) - log q(y)|.

Proof. A single output is an event, so the left side is at least the right. And if p(y) <= e^epsilon
q(y) for all y, then the sum of p over S is at most e^epsilon times the sum of q over S. The same
holds for densities, with integrals. (With delta > 0 it fails: see `pointwise_delta`.)

Source: Dwork and Roth (2014), after Definition 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.distributions import Finite
from dplab.divergences import largest_log_ratio

MAX_OUTPUTS = 16  # 16 outputs have 65,536 events


@dataclass(frozen=True, eq=False)
class Events:
    """The |log ratio| of each non-empty event; bit i of its number is 1 if output i is in it.

    Shape (2^m - 1,) for m outputs; `by_outputs` is the largest over single outputs.
    """

    outputs: tuple
    log_ratios: np.ndarray
    by_outputs: float

    @property
    def by_events(self) -> float:
        """The largest over all events."""
        return float(self.log_ratios.max())


def all_events(p: Finite, q: Finite) -> Events:
    """Enumerate all events of the outputs that p or q can produce.

    Raises ValueError for more than MAX_OUTPUTS of them.

    >>> p, q = Finite.of({0: 0.5, 1: 0.3, 2: 0.2}), Finite.of({0: 0.6, 1: 0.3, 2: 0.1})
    >>> events = all_events(p, q)
    >>> len(events.log_ratios), round(events.by_events, 4), round(events.by_outputs, 4)
    (7, 0.6931, 0.6931)
    """
    arguments.instance("p", p, Finite)
    arguments.instance("q", q, Finite)
    outputs = tuple(dict.fromkeys(p.support + q.support))
    m = len(outputs)
    if m > MAX_OUTPUTS:
        raise ValueError(f"p and q must have at most {MAX_OUTPUTS} outputs together, not {m}")
    events = np.arange(1, 2**m)[:, None] >> np.arange(m) & 1
    with np.errstate(divide="ignore"):
        logs = [
            np.log(events @ np.exp(distribution.log_densities(outputs))) for distribution in (p, q)
        ]
    return Events(outputs, np.abs(logs[0] - logs[1]), largest_log_ratio(p, q))
