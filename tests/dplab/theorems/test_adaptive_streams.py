"""Adaptive streams: the loss is normal whatever the adversary does; a silent step is found."""

from itertools import product

import numpy as np
import pytest

from dplab import Gaussian
from dplab.audit import goodness_of_fit
from dplab.queries import square_root_factorization
from dplab.theorems.adaptive_streams import adaptive_losses, silent_step_delta

ADVERSARIES = {
    "at once": lambda seen, t: np.ones(len(seen), bool),
    "never": lambda seen, t: np.zeros(len(seen), bool),
    "after much noise": lambda seen, t: (seen > 1).any(axis=1),
    "after a fall": lambda seen, t: (
        seen[:, -1] < seen[:, :-1].min(axis=1, initial=-1) if t else np.zeros(len(seen), bool)
    ),
}


@pytest.mark.parametrize("name", ADVERSARIES)
def test_the_loss_of_equal_columns_is_normal_for_every_adversary(name):
    """4,000 losses against the normal law, at a false-failure probability of 1e-10."""
    rows = np.array([[1, 0, 0], [0.6, 1, 0], [0.8, 1, np.sqrt(2)]])  # columns of length sqrt(2)
    losses = adaptive_losses(
        rows, ADVERSARIES[name], sigma=2, runs=4000, rng=np.random.default_rng()
    )
    mu = np.sqrt(2) / 2
    assert goodness_of_fit(losses, Gaussian(mu**2 / 2, mu)).passed


def test_a_step_that_differs_moves_its_own_column():
    """With sigma = 100 the losses are near 0; their means are |column|^2 / (2 sigma^2)."""
    root = square_root_factorization(3).strategy
    for step, length in ((0, 1 + 1 / 4 + 9 / 64), (2, 1.0)):

        def differs(seen, t, step=step):
            return np.full(len(seen), t == step)

        rng, same = np.random.default_rng(5), np.random.default_rng(5)
        found = adaptive_losses(root, differs, sigma=0.5, runs=7, rng=rng)
        z = same.normal(size=(7, 3))
        assert found == pytest.approx(z @ root[:, step] / 0.5 + length / 0.5)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_silent_step_by_all_transcripts(n):
    """Exactly: all J and coins, for streams fixed beforehand and for one that waits for J."""

    def law(stream):
        """Return probabilities of transcripts, by J and the published bits."""
        found = {}
        for silent in range(2, n + 1):
            for coins in product((0, 1), repeat=n - 2):
                rest, bits = iter(coins), stream(silent)
                shown = tuple(
                    bit if t == silent else (bit + next(rest)) % 2
                    for t, bit in zip(range(2, n + 1), bits, strict=True)
                )
                key = silent, shown
                found[key] = found.get(key, 0) + 1 / (n - 1) / 2 ** (n - 2)
        return found

    def total_variation(p, q):
        return sum(max(0, p[key] - q.get(key, 0)) for key in p)

    def one_at(place):
        return [int(t == place) for t in range(2, n + 1)]

    zeros = law(lambda silent: [0] * (n - 1))
    fixed = max(total_variation(law(lambda _, s=s: one_at(s)), zeros) for s in range(2, n + 1))
    assert fixed == pytest.approx(silent_step_delta(n, adaptive=False))
    assert total_variation(law(one_at), zeros) == pytest.approx(silent_step_delta(n, adaptive=True))


def test_bad_arguments_are_named():
    rng = np.random.default_rng()
    for matrix, message in ((np.ones((2, 2)), "lower triangular"), (np.ones(3), "triangular")):
        with pytest.raises(ValueError, match=f"strategy must be {message}|strategy must be lower"):
            adaptive_losses(matrix, ADVERSARIES["never"], sigma=1, runs=1, rng=rng)
    with pytest.raises(ValueError, match="runs must be"):
        adaptive_losses(np.eye(2), ADVERSARIES["never"], sigma=1, runs=10**7, rng=rng)
    with pytest.raises(ValueError, match="n must be a whole number of at least 2"):
        silent_step_delta(1, adaptive=False)
