"""Running sums step by step: their noise, their price, and bands of the square root."""

import numpy as np
import pytest

from dplab.losses import GaussianLoss
from dplab.queries import (
    Factorization,
    banded_factorization,
    causal_factors,
    noisy_running_sums,
    optimal_factors,
    square_root_factorization,
    step_noise,
    stream_loss,
    tree_factorization,
)
from tests.refusals import assert_refused


@pytest.mark.parametrize("n", [1, 2, 5, 16])
def test_bands_go_from_noise_on_each_step_to_the_square_root(n):
    one, root = banded_factorization(n, 1), banded_factorization(n, n)
    assert (one.strategy == np.eye(n)).all()
    assert one.recovery == pytest.approx(np.tri(n))
    assert root.strategy == pytest.approx(square_root_factorization(n).strategy)
    assert root.recovery == pytest.approx(root.strategy)
    for bands in range(1, n + 1):
        made = banded_factorization(n, bands)
        assert made.workload == pytest.approx(np.tri(n), abs=1e-12)
        assert not np.triu(made.recovery, 1).any()
        assert not np.tril(made.strategy, -bands).any()
        gram = made.strategy.T @ made.strategy
        assert not np.triu(gram, bands).any()  # columns so far apart are orthogonal


def test_the_noise_of_steps_follows_the_recursion():
    """And R Z are its running sums, so that the answers are those of noisy steps."""
    z = np.random.default_rng().normal(size=20)
    made = banded_factorization(20, 3)
    y = np.zeros(20)
    for t in range(20):
        y[t] = z[t] - 0.5 * y[t - 1] * (t > 0) - 0.375 * y[t - 2] * (t > 1)
    assert step_noise(made) @ z == pytest.approx(y)
    assert np.cumsum(y) == pytest.approx(made.recovery @ z)


def test_each_answer_comes_before_the_next_step_is_read():
    """And it is row t of R (A x + sigma z), with a fresh draw for each step."""
    factors = causal_factors(optimal_factors(np.tri(4)).factorization)
    read, script = [], np.random.Generator(np.random.PCG64(1))
    z = np.random.Generator(np.random.PCG64(1)).normal(size=4)

    def steps():
        for step in (1, -2.5, 0, 3):
            read.append(step)
            yield step

    answers = []
    for answer in noisy_running_sums(steps(), factors, sigma=2, rng=script):
        answers.append(answer)
        assert len(read) == len(answers)
    assert answers == pytest.approx(np.cumsum(read) + 2 * factors.recovery @ z)


def test_the_price_is_that_of_the_longest_column():
    root = square_root_factorization(3)
    length = (1 + 1 / 4 + 9 / 64) ** 0.5
    assert stream_loss(root, sigma=2) == GaussianLoss(length / 2)


def test_bad_arguments_are_named():
    root, rng = square_root_factorization(2), np.random.default_rng()
    singular = Factorization(np.eye(2), [[1, 0], [0, 0]])

    def start(steps, factors=root, sigma=1.0):
        return list(noisy_running_sums(steps, factors, sigma=sigma, rng=rng))

    calls = [
        (lambda: start([1, 2, 3]), "steps must be at most n = 2"),
        (lambda: start("12"), "steps must be numbers"),
        (lambda: start([1, np.nan]), "each of steps must be"),
        (lambda: start([1], sigma=0), "sigma must be .* above 0"),
        (lambda: noisy_running_sums([1], root, sigma=0, rng=rng), "sigma must be .* above 0"),
        (lambda: start([1], tree_factorization(2)), "must have lower triangular recovery"),
        (lambda: stream_loss(Factorization(np.eye(2), np.ones((2, 2))), sigma=1), "triangular"),
        (lambda: step_noise(singular), "no 0 on the diagonal"),
        (lambda: banded_factorization(3, 4), "bands must be .* at most 3"),
        (lambda: banded_factorization(3, 0), "bands must be a whole number of at least 1"),
        (lambda: banded_factorization(4097, 1), "n must be .* at most 4096"),
    ]
    assert_refused(calls)
    assert start([]) == []
