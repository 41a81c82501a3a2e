"""Estimate people's values from the published answers, by least squares with a shared offset.

All questions of an attack share some conditions, and so some layers of noise. These add nearly the
same number to each answer: the shared offset, one more unknown. If the values are bits, digits or
small whole numbers, rounding then removes the rest of the noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve

from dplab import arguments


def estimates(members: ArrayLike, answers: ArrayLike) -> np.ndarray:
    """Return the values v that fit best, with a number c: min ||members v + c - answers||_2.

    `members` is True or False of shape (m, n), m > n; `answers` has shape (m,), or (r, m) for r
    sums over the same sets, and then v has shape (r, n). Suppressed answers, NaN in any of the r,
    are left out. Raises ValueError for shapes that do not fit, and if too few answers are left.
    """
    given = arguments.to_floats(answers)
    if given is None:
        raise ValueError(f"answers must hold numbers or NaN, not {arguments.show(answers)}")
    answers = np.atleast_2d(given)
    sets = arguments.reals("members", members, may_be_bool=True)
    if sets.ndim != 2 or answers.ndim != 2 or answers.shape[1] != len(sets):
        raise ValueError(
            f"members and answers must be (m, n) and (m,) or (r, m), not {sets.shape} "
            f"and {answers.shape}"
        )
    is_answered = ~np.isnan(answers).any(axis=0)
    n = sets.shape[1]
    arguments.whole("the number of answers that were given", int(is_answered.sum()), least=n + 1)
    centered = sets[is_answered] - sets[is_answered].mean(axis=0)
    shifted = answers[:, is_answered] - answers[:, is_answered].mean(axis=1, keepdims=True)
    square = centered.T @ centered + 1e-9 * len(centered) * np.eye(n)
    return solve(square, centered.T @ shifted.T, assume_a="pos").T.reshape(
        (n,) if len(answers) == 1 else (-1, n)
    )
