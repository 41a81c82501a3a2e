"""The Hadamard attack: n queries that can be solved with n log n operations.

The queries are the rows of (1 + H) / 2 (`HadamardQueries`), where the rows of H are orthogonal,
H H = n I. The answers are a_j = q_j . b + e_j. So 2 a_j - a_0 = H_j . b + (2 e_j - e_0) are
answers to all H_j, and b = H (H b) / n solves for the bits.

If every |e_j| <= E, then at most 36 E^2 bits are wrong. By orthogonality, the squares of the errors
of the estimates have the same sum as those of the transformed errors / n, at most (3 E)^2. The
estimate of each wrong bit is off by 1/2 at least. So n queries with errors of o(sqrt n) leave o(n)
bits wrong. Source: Dwork and Yekhanin (2008), Section 3, with Fourier instead of Hadamard.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from dplab import arguments
from dplab.attacks.least_squares import Reconstruction
from dplab.queries.families import power_of_two, transform


def hadamard_attack(answers: ArrayLike) -> Reconstruction:
    """Find every bit from n answers to the Hadamard queries, shape (n,), in the queries' order.

    Raises ValueError unless n is a power of two.

    >>> hadamard_attack([3.2, 0.9, 1.1, 0.8]).bits
    array([0, 1, 1, 1])
    """
    answers = arguments.reals("answers", answers)
    if answers.ndim != 1:
        raise ValueError(f"answers must be of shape (n,), not {answers.shape}")
    n = power_of_two("the number of answers", answers.size)
    return Reconstruction(transform(2 * answers - answers[0]) / n)
