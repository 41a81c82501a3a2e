"""A curator who answers within E of the truth, and lies where it hurts least squares most.

To a query q it answers q.b + E or q.b - E, whichever pulls the attacker to the opposite bits:

    sign of sum_i (q_i - 1/2) (1 - 2 b_i).

It needs to know neither the other queries nor the attack. All its lies point to one dataset, so
asking more does not average them away: see `dplab.theorems.reconstruction_law`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments


@dataclass(frozen=True, eq=False)
class ContraryCurator:
    """Answers off by `error`, towards the dataset in which every secret bit is the other one.

    `secret` is 0/1 of shape (n,), `error` at least 0; ValueError otherwise.

    >>> ContraryCurator([1, 1, 0, 0], error=0.5).ask([[1, 1, 0, 0], [0, 1, 1, 1]]).tolist()
    [1.5, 1.5]
    """

    secret: np.ndarray
    error: float

    def __post_init__(self):
        secret = arguments.categories("secret", self.secret, 2)
        object.__setattr__(self, "secret", secret)
        arguments.settle(self, arguments.number, "error", least=0)

    def ask(self, queries) -> np.ndarray:
        """One answer a query, shape (m,), each within `error` of its true count."""
        queries = np.asarray(queries)
        pull = (queries - 0.5) @ (1 - 2 * self.secret)
        return queries @ self.secret + self.error * np.sign(pull)
