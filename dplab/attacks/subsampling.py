"""A defence that stops reconstruction but protects nobody: answer from a random half.

The curator draws half of the people once, counts among them, and doubles. The only error of an
answer is the sampling error, about n^{1/2}. No answer depends on the people outside the sample. If
bits are fair coins, an attacker guesses these bits right half of the time, so no attack gets more
than 3/4 of all bits in expectation. And yet the sampled half is in effect published: least squares
identifies sampled people whose bit is 1, without any error. The curator is (0, 1/2)-DP, and (0,
delta)-DP for no smaller delta.

Source: the theory of reconstruction attacks, after Dinur and Nissim (2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.linalg import LinearOperator

from dplab import arguments
from dplab.attacks.least_squares import Reconstruction, least_squares
from dplab.guarantees import ApproxDP


@dataclass(frozen=True, eq=False)
class HalfSampleCurator:
    """A curator that answers counts of secret bits from a fixed half of the people.

    `secret` is 0/1 of shape (n,), n even; `sample` is True for n/2 of the people. Use `random`.
    """

    secret: np.ndarray
    sample: np.ndarray

    @classmethod
    def random(cls, secret: ArrayLike, rng: np.random.Generator) -> HalfSampleCurator:
        """Sample half of the people. Raises ValueError unless there are 2, 4, 6, ... bits."""
        arguments.generator("rng", rng)
        secret = arguments.categories("secret", secret, 2)
        if secret.ndim != 1 or len(secret) % 2:
            raise ValueError(f"secret must be a row of evenly many bits, not {secret.shape}")
        return cls(secret, rng.permutation(len(secret)) < len(secret) // 2)

    @property
    def guarantee(self) -> ApproxDP:
        """(0, 1/2)-DP: the answers depend on a person's bit with probability 1/2."""
        return ApproxDP(0.0, 0.5)

    def ask(self, queries: ArrayLike) -> np.ndarray:
        """Return twice the counts in the sample: unbiased for `queries @ secret`, shape (m,)."""
        return 2 * (np.asarray(queries) @ (self.secret * self.sample).astype(int))


@dataclass(frozen=True, eq=False)
class NamedPeople:
    """The people whom least squares identifies, and the solution that identifies them.

    `reconstruction.estimates` are near 2 for sampled people whose bit is 1, near 0 for all others.
    """

    reconstruction: Reconstruction

    @cached_property
    def people(self) -> np.ndarray:
        """The positions, in order, of the people whose bit is 1 according to the attack."""
        return np.flatnonzero(self.reconstruction.estimates > 1)

    @property
    def bits(self) -> np.ndarray:
        """A guess for everybody: 1 for the named people, otherwise 0."""
        return (self.reconstruction.estimates > 1).astype(int)


def name_sampled(queries: ArrayLike | LinearOperator, answers: ArrayLike) -> NamedPeople:
    """Estimate, by least squares, twice each sampled person's bit, and 0 for all others.

    `queries` is 0/1 of shape (m, n), m at least n; `answers` has shape (m,).

    >>> curator = HalfSampleCurator(np.array([1, 1]), np.array([True, False]))
    >>> name_sampled([[1, 0], [1, 1]], curator.ask([[1, 0], [1, 1]])).people
    array([0])
    """
    return NamedPeople(least_squares(queries, answers))
