"""The numbers of lesson 16."""

import numpy as np

from dplab.synthesis import series_sensitivity


def after_82a9d39c(noisy, means):
    """Four noisy means of scale 0.004 are off by 0.2 with probability below 1e-20."""
    assert abs(noisy - means).max() < 0.2


def after_cell_13():
    assert np.isclose(series_sensitivity(1), 2 * 2**0.5)


def after_cell_22(loss, curve):
    assert loss.mu <= curve.mu < loss.mu * (1 + 1e-6)


def after_8edd3d02(wide, narrow):
    assert np.isclose((narrow / wide) ** 2, 16)


def after_cell_27(noisy, theirs):
    """Two times four means of scale 0.004 differ by 0.2 with probability below 1e-20."""
    assert abs(noisy - theirs).max() < 0.2


def after_cell_29(people):
    assert ((people >= 0) & (people <= 1)).all()


def after_885f54f3(slope):
    """It is -0.75, deviation 0.013 (600 runs): seven deviations, 3e-12 by the normal law."""
    assert abs(slope + 3 / 4) < 0.1


def after_cell_44(slopes):
    assert np.allclose(slopes, [1, 3, 2])


def after_53f89af3(loss):
    """The numbers in the verdicts on the claims."""
    factors = [series_sensitivity(m) / m for m in (1, 10, 50)]
    assert np.allclose(factors, [2.83, 1.81, 1.74], atol=0.005)
    assert loss.largest == np.inf


def after_cell_34(classic, exact):
    assert np.allclose([classic, exact], [4.941, 3.731], atol=5e-4)


def after_0f5591a8(spent, by_rho):
    assert np.allclose([spent, by_rho], [2.28, 2.48], atol=0.005)


def after_alone(alone, curve):
    """The text says 1.06 and 0.56."""
    assert np.allclose([alone.mu, curve.mu], [1.06, 0.56], atol=0.005)


def after_cell_41(bernstein_polynomial, values, t):
    assert abs(bernstein_polynomial(values, t)).max() <= abs(values).max() + 1e-12


def after_269c03c7(shares):
    """Of 100 members each is missed with probability below 1e-4: more than ten, below 1e-26.

    With private noise each is found with 2.7% at most: thirty, with probability below 1e-20.
    """
    *exact, private = shares
    assert min(exact) > 0.9
    assert private < 0.3
