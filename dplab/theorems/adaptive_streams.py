"""Normal noise keeps its promise if a stream adapts, and other noise may not.

An adversary sees each answer, and then chooses the next step of two streams. They must stay
neighbours: measurement t moves by d_t between them, where d_t may depend on all earlier answers,
and whatever she does sum_t |d_t|^2 <= kappa^2.

**Theorem.** With normal noise of deviation sigma, all answers lose no more than one answer that is
kappa / sigma deviations wide.

**Proof.** She gains if d has another coordinate, at the end, that makes the sum kappa^2. Under the
first stream the loss is then kappa^2 / (2 sigma^2) + S / sigma with S = sum_t <d_t, Z_t>. Let i u
be imaginary. Given all before step t, the mean of exp(i u <d_t, Z_t>) is exp(-u^2 |d_t|^2 / 2). So
E exp(i u S + u^2 sum_t |d_t|^2 / 2) = 1, by taking the last step first. As the sum is the constant
kappa^2, E exp(i u S) = exp(-u^2 kappa^2 / 2): S is normal, with variance kappa^2. QED

For other noise the law of the loss depends on what she does. `silent_step_delta` has an example of
noise with a memory that is all but private for fixed streams, and not at all for adaptive ones.

Sources: Denisov, McMahan, Rush, Smith and Thakurta (2022), Theorem 2.1, by a rotation to lower
triangular A; Jain, Raskhodnikova, Sivakumar and Smith (2023) for the adaptive model.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments

MAX_DRAWS = 10**7


def adaptive_losses(
    strategy: ArrayLike,
    differs: Callable[[np.ndarray, int], np.ndarray],
    *,
    sigma: float,
    runs: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw the losses of `runs` adaptive streams that differ by 1 in one step; shape (runs,).

    `strategy` is a lower triangular A of shape (n, n). Before step t, differs(seen, t) says by
    bools of shape (runs,) in which runs this is the step that differs, unless one did before.
    `seen`, of shape (runs, t), are the measurements so far, without the steps of the first stream.
    Runs without any such step differ in the last one. Raises ValueError for another strategy, and
    for more than 10 million draws.

    >>> rng = np.random.default_rng()
    >>> adaptive_losses(np.eye(3), lambda seen, t: t == 0, sigma=1, runs=5, rng=rng).shape
    (5,)
    """
    matrix = arguments.reals("strategy", strategy)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or np.triu(matrix, 1).any():
        raise ValueError("strategy must be lower triangular, of shape (n, n)")
    arguments.function("differs", differs)
    sigma, n = arguments.number("sigma", sigma, above=0), len(matrix)
    runs = arguments.whole("runs", runs, least=1, most=MAX_DRAWS // n)
    noise = sigma * arguments.generator("rng", rng).normal(size=(runs, n))
    place = np.full(runs, n)
    for t in range(n):
        differing = (place == n) & (differs(noise[:, :t], t) | (t == n - 1))
        place[differing] = t
    moved = matrix.T[place] / sigma  # measurements of step `place` and later ones alone
    return (moved * noise / sigma).sum(axis=1) + (moved**2).sum(axis=1) / 2


def silent_step_delta(n: int, *, adaptive: bool) -> float:
    """Return delta(0), exactly, of bits that are added to coins, except for one silent step.

    Step 1 publishes a random number J from 2 to n. Each further step publishes its bit added to a
    fair coin modulo 2, but step J publishes its bit as it is. Streams that differ in a step s that
    is fixed beforehand are told apart if and only if J = s: delta(0) = 1 / (n - 1). An adversary
    who first sees J lets the streams differ in step J. Raises ValueError unless n is at least 2.

    >>> silent_step_delta(101, adaptive=False), silent_step_delta(101, adaptive=True)
    (0.01, 1.0)
    """
    n = arguments.whole("n", n, least=2)
    return 1.0 if arguments.flag("adaptive", adaptive) else 1 / (n - 1)
