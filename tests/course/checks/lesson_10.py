"""What the numbers of lesson 10 must be."""

import numpy as np


def after_cell_13(p, q):
    from dplab import RandomizedResponse

    for epsilon in (0, 1, 2):
        excess = np.maximum(0, p - np.exp(epsilon) * q).sum()
        assert np.isclose(excess, RandomizedResponse(2).privacy_loss(1, 0).delta(epsilon))


def after_cell_16(people, delta):
    from dplab.mechanisms.catastrophe import NameAndShame, OrEverything, RandomRows
    from dplab.theorems.catastrophes import exposure

    for button in (NameAndShame(delta), RandomRows(n=4), OrEverything(NameAndShame(1e-9), delta)):
        assert np.allclose(exposure(button, people, other=None).persons, delta)


def after_cell_20(everyone):
    assert np.isclose(1 / everyone, 140_737, rtol=1e-4)


def after_cell_23(exact):
    assert np.isclose(exact, 1 - 0.9**2)


def after_cell_26(one):
    for k, factor in ((2, 3.71828), (5, 85.791), (10, 12_818.3)):
        assert np.isclose(one.group(k).delta / one.delta, factor, rtol=1e-5)


def after_cell_32(area, unit):
    assert np.isclose(area, unit.guarantee.delta, atol=1e-6)


def after_cell_37(classic, least):
    assert np.isclose(classic.sigma / least.sigma, 1.315, atol=1e-3)


def after_cell_44(noise):
    from dplab.theorems.l1_against_l2 import crossover

    assert np.isclose(noise.laplace / noise.gaussian, 10.6, atol=0.05)
    assert crossover(epsilon=1, delta=1e-6) == 9


def after_cell_51(gaussian, facts, counts, errors, rng):
    """The 780 noises follow the normal law; by bad luck they fail with probability 1e-10 at most.

    Both typical errors are exact.
    """
    from dplab import Gaussian
    from dplab.audit import goodness_of_fit

    noise, law = gaussian(facts, rng) - counts, Gaussian(0, gaussian.sigma)
    assert goodness_of_fit(noise, law, failure=1e-10).passed
    assert len(counts) == 780
    assert np.allclose(errors, [0.173, 0.019], atol=0.001)


def after_2836796e(normal, shame):
    assert normal.delta(3) < 0.002 < 0.12 < shame.delta(3)


def after_0580bd54(p, q):
    assert np.isclose(p[np.log(p / q) > 1].sum(), 0.3085, atol=1e-4)


def after_cell_18():
    from dplab.audit import exact_delta
    from dplab.mechanisms.catastrophe import NameAndShame

    for epsilon in (0, 3):
        assert np.isclose(exact_delta(NameAndShame(1 / 4), (0, 1), n=4, epsilon=epsilon), 1 / 4)


def after_cell_28(steps, family):
    assert np.allclose([*steps, family], [1e-6] * 5 + [85.791e-6], rtol=1e-4, atol=0)


def after_cell_46():
    from dplab.theorems.l1_against_l2 import norms

    for move in (np.ones(100), np.eye(100)[0]):
        assert norms(move).l2 <= norms(move).l1 <= 10 * norms(move).l2


def after_cell_35(gaussian_range):
    for delta, last in ((1e-2, 6.77), (1e-5, 8.42), (1e-9, 9.62)):
        assert np.isclose(gaussian_range.DWORK_ROTH.last_epsilon(delta), last, atol=0.005)


def after_cell_59(slip):
    for delta, times in ((1e-5, 4.284), (1e-6, 10.63), (1e-9, 193.3)):
        assert np.isclose(slip.true_delta(epsilon=1, delta=delta) / delta, times, rtol=1e-3)


def after_cell_60(two):
    assert np.isclose(two.true_delta(epsilon=1, delta=1e-5), 2.434e-8, rtol=1e-3, atol=0)
    for delta, last in ((1e-2, 7.906), (1e-5, 9.391), (1e-9, 10.54)):
        assert np.isclose(two.last_epsilon(delta), last, rtol=1e-3)
