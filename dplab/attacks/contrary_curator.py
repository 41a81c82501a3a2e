"""A curator who answers within E of the truth, with errors that hurt least squares most.

To a query q it answers q.b + E or q.b - E, whichever pulls the attacker to the opposite bits. The
error has the

    sign of sum_i (q_i - 1/2) (1 - 2 b_i).

It needs to know neither the other queries nor the attack. All its errors point to one dataset, so
more questions do not average them out: see `dplab.theorems.reconstruction_law`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments


@dataclass(frozen=True, eq=False)
class ContraryCurator:
    """A curator with answers off by `error`, towards the dataset with all bits flipped.

    `secret` is 0/1 of shape (n,), `error` at least 0; ValueError otherwise.

    >>> ContraryCurator([1, 1, 0, 0], error=0.5).ask([[1, 1, 0, 0], [0, 1, 1, 1]]).tolist()
    [1.5, 1.5]
    """

    secret: np.ndarray
    error: float

    def __post_init__(self):
        secret = arguments.categories("secret", self.secret, 2, ndim=1)
        object.__setattr__(self, "secret", secret)
        arguments.settle(self, arguments.number, "error", least=0)

    def ask(self, queries: ArrayLike) -> np.ndarray:
        """Answer each query within `error` of its true count: shape (m,)."""
        queries = np.asarray(queries)
        pull = (queries - 0.5) @ (1 - 2 * self.secret)
        return queries @ self.secret + self.error * np.sign(pull)
