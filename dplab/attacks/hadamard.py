"""The Hadamard attack: n queries, chosen so that solving them takes n log n operations.

Row j of the Hadamard matrix H has entry (-1)^(number of ones in the binary digits of j & i) for
person i; its rows are orthogonal, H H = n I. The 0/1 query (1 + H_j) / 2 counts the people with +1.
Of the answers a_j = q_j . b + e_j the transform 2 a_j - a_0 = H_j . b + (2 e_j - e_0) makes
answers to all H_j at once, and b = H (H b) / n undoes it.

If every |e_j| <= E, then at most 36 E^2 bits come out wrong: by orthogonality the squares of the
errors of the estimates sum to that of the transformed errors / n, at most (3 E)^2, and each wrong
bit is off by 1/2 at least. So n queries with errors of o(sqrt n) leave o(n) bits in doubt, at a
million people as at a thousand.
Source: Dwork and Yekhanin (2008), Section 3, with Fourier in the place of Hadamard.
"""

from __future__ import annotations

import numpy as np

from dplab import arguments
from dplab.attacks.least_squares import Reconstruction


def hadamard_queries(n: int) -> np.ndarray:
    """The n queries on n people, 0/1 of shape (n, n); n is a power of two, else ValueError.

    >>> hadamard_queries(4).tolist()
    [[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]]
    """
    rows = np.arange(_power_of_two("n", n))
    ones = np.bitwise_count(rows[:, None] & rows[None])
    return 1 - (ones % 2).astype(int)


def hadamard_counts(bits) -> np.ndarray:
    """The true answers to all queries, shape (n,), without writing the queries down.

    >>> hadamard_counts([0, 1, 1, 1]).tolist()
    [3.0, 1.0, 1.0, 1.0]
    """
    bits = arguments.categories("bits", bits, 2)
    _power_of_two("the number of bits", len(bits))
    return (bits.sum() + transform(bits)) / 2


def hadamard_attack(answers) -> Reconstruction:
    """Every bit from n answers to the Hadamard queries, shape (n,), in the queries' order.

    Raises ValueError unless n is a power of two.

    >>> hadamard_attack([3.2, 0.9, 1.1, 0.8]).bits
    array([0, 1, 1, 1])
    """
    answers = arguments.reals("answers", answers)
    n = _power_of_two("the number of answers", answers.size)
    return Reconstruction(transform(2 * answers - answers[0]) / n)


def transform(values) -> np.ndarray:
    """H times values, shape (n,): the fast Walsh-Hadamard transform, n log2(n) additions.

    In single precision: to about seven digits of the largest entry.
    """
    now = np.array(values, dtype=np.float32)
    width = _power_of_two("the number of values", len(now))
    now = now.reshape(1, width)
    while width > 1:
        width //= 2
        pairs = now.reshape(-1, 2, width)
        now = np.empty_like(pairs)
        np.add(pairs[:, 0], pairs[:, 1], out=now[:, 0])
        np.subtract(pairs[:, 0], pairs[:, 1], out=now[:, 1])
    return now.ravel().astype(float)


def _power_of_two(name: str, n: int) -> int:
    if arguments.whole(name, n, least=1) & (n - 1):
        raise ValueError(f"{name} must be a power of two, not {n}")
    return n
