"""The numbers of lesson 18; what is random among them is so by the lesson's generator."""

import numpy as np

from dplab.learning import clip_rows


def after_cell_16(moved, risk):
    """By the theorem; and somebody moves the model by a tenth of it."""
    assert 0.1 * risk.sensitivity < max(moved) <= risk.sensitivity


def after_secret_outcome(smaller):
    """The prediction names the nearest of its choices."""
    assert 1 / 7 < smaller < 1 / 6


def after_cell_42(found):
    """At epsilon = 1 noisy steps have 93% of the tumours, with a deviation of 0.4.

    That is six deviations or more away from 0.9: below 1e-9 by the normal law, with all others.
    """
    assert found["gradient", 1] > 0.9 > found["output", 0.5]


def after_network_picture(shares, plain):
    """The mean of five networks has 67% at epsilon = 0.5, with a deviation of 1.9.

    At epsilon = 2 it has 92%, with a deviation of 1.4. The ends are six deviations away or more:
    below 1e-9 by the normal law, with all others.
    """
    assert np.mean(shares[0]) < 0.8 < np.mean(shares[2]) < plain + 0.07


def after_secret_worth_code(known, two):
    """By the accounts, which are not random."""
    assert known > 1.5 * two.guarantee.epsilon


def after_leak_shown(noise_scale):
    """Of 2,000 normal numbers each; the ratio is 2 in the mean, with a deviation of 0.04."""
    assert noise_scale(10) > 1.5 * noise_scale(20)


def after_cell_22(ratios):
    """By the theorem."""
    assert max(np.abs(ratios)) <= 1


def after_excess_picture(excess, sizes, bounds):
    """The mean excess risks of 20 models are below a half of their bounds.

    That is ten deviations away or more.
    """
    for method, strength in (
        ("output", "regularizer_pure"),
        ("objective", "regularizer_objective"),
    ):
        for n, bound in zip(sizes, bounds, strict=True):
            runs = [excess(n, method, getattr(bound, strength)) for _ in range(20)]
            assert np.mean(runs) < getattr(bound, f"{method}_pure")


def after_amplification_laws(normal):
    """The theorem holds at each of the epsilons."""
    assert normal.is_confirmed


def after_per_example_check(slow, fast):
    """Both ways of clipping give the same sum."""
    assert np.allclose(clip_rows(slow, 1.0).sum(axis=0), fast)
