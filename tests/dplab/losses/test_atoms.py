"""Atoms, binomial losses and cells of normal losses: each direction and all digits."""

import mpmath
import numpy as np
import pytest

from dplab.losses import AtomicLoss, BinomialLoss, GaussianLoss


def atoms(p, q):
    return AtomicLoss.of(np.log(p), np.log(q))


def test_the_reverse_of_a_binomial_loss_is_that_of_its_atoms():
    one = atoms([0.9, 0.1], [0.6, 0.4])
    for loss in (BinomialLoss.of(3, one), BinomialLoss.of(3, one).reverse()):
        listed = loss.atoms().reverse()
        for found in (loss.reverse().atoms(), loss.reverse().reverse().atoms().reverse()):
            assert found.losses == pytest.approx(listed.losses)
            assert found.p == pytest.approx(listed.p)
            assert found.q == pytest.approx(listed.q)
        assert loss.reverse().delta(0.25) == pytest.approx(listed.delta(0.25))


def test_a_loss_that_is_nearly_that_of_its_reverse_is_not_symmetric():
    """Otherwise one direction would be added up, and the other one may be larger."""
    for distance in (1e-2, 1e-6, 1e-9):
        assert not atoms([0.5, 0.5], [0.5 - distance, 0.5 + distance]).is_symmetric
    assert atoms([0.25, 0.75], [0.75, 0.25]).is_symmetric


@pytest.mark.parametrize("a", [0.25, 0.26, 0.27, 0.28])
def test_losses_that_differ_by_a_billionth_are_two(a):
    for gap in (1e-7, 1e-8, 1e-9):
        loss = atoms([1 - 2 * a, a, a], [0.25, 0.375 - gap, 0.375 + gap])
        assert len(loss.losses) == 3
        assert np.diff(loss.losses)[0] == pytest.approx(2 * gap / 0.375, rel=1e-6)


@pytest.mark.parametrize("mu", [0.25, 1.0, 4.0])
def test_cells_of_a_normal_loss_keep_their_digits_on_both_sides(mu):
    """In the tails, a difference of two numbers near 1 has none left."""
    for start in (-9.0, -5.0, -0.5, 0.5, 5.0, 9.0):
        edges = mu * np.array([start, start + 0.125])
        with mpmath.workdps(60):
            exact = [
                mpmath.ncdf(mpmath.mpf(edges[1]) / mu + side * mpmath.mpf(mu) / 2)
                - mpmath.ncdf(mpmath.mpf(edges[0]) / mu + side * mpmath.mpf(mu) / 2)
                for side in (-1, 1)
            ]
        for found, cell in zip(GaussianLoss(mu).masses(edges), exact, strict=True):
            assert found[0] == pytest.approx(float(cell), rel=1e-11, abs=0)
