"""What the numbers of lesson 11 must be."""

import numpy as np


def after_12d5afc0(known):
    assert np.isclose(known.delta(0.5), 1 - np.exp(-1 / 4))
    assert (known.smallest, known.largest) == (-1, 1)


def after_cell_20(p, q, z):
    assert np.allclose(q, np.exp(-z) * p)


def after_da60968d(coin):
    assert np.isclose(coin.delta(0.5), 0.287649, atol=1e-6)
    assert coin.delta(1) == 0


def after_cell_24(four):
    from dplab import ZCDP

    assert np.allclose(four, [0.5, ZCDP(0.5).to_renyi(4).epsilon, 0.126937, 0.020924], atol=1e-6)


def after_cell_30(z):
    """The test for a normal law fails by chance with probability 1e-10."""
    from dplab import Gaussian
    from dplab.audit import goodness_of_fit

    assert goodness_of_fit(z, Gaussian(0.5, sigma=1), failure=1e-10).passed


def after_cell_32(z, margin, loss):
    """By Hoeffding one of four shares of 100,000 is off by 0.011 with probability below 4e-10.

    Each is off by so much with probability 2 e^-24.2, below 1e-10.
    """
    for epsilon in (1, 2):
        above, beyond_margin = (z > epsilon).mean(), (z > epsilon + margin).mean()
        assert abs(above - loss.tails(epsilon)[0]) < 0.011
        assert abs(beyond_margin - loss.delta(epsilon)) < 0.011


def after_cell_34(coin):
    from dplab.losses import LaplaceLoss
    from dplab.theorems.pure_is_concentrated import pure_is_concentrated

    for some in (coin, LaplaceLoss(1)):
        assert pure_is_concentrated(some, [1.001, 1.5, 2, 28, 1000]).holds


def after_cell_35(three, orders, renyi_line):
    for some, _ in three.values():
        assert renyi_line(some, orders).holds


def after_cell_37(three, coin, normal, means):
    assert three["Gaussian"][0].renyi(27) < coin.renyi(27) < coin.renyi(28) < normal.mu**2 * 14
    assert np.allclose(means, [np.tanh(0.5), np.exp(-1), normal.mu**2 / 2])


def after_cell_42(ladder):
    assert ladder.holds(np.linspace(0.1, 20, 200))
    assert round(ladder.markov.epsilon(1e-6)) == 895_593


def after_cell_46(shame, gauss, typical):
    assert max(shame.delta(1), gauss.delta(1)) <= 1.001e-5
    assert 0.74 < 1 / (1 + np.exp(-typical)) < 0.75


def after_cell_50(gauss):
    assert gauss.delta(1.5) < 2e-9
    assert gauss.delta(2) < 1e-14


def after_cell_26(loss, TradeOff, delta_from_trade_off):
    for epsilon in (0.5, 1, 2):
        gap = delta_from_trade_off(TradeOff(loss), epsilon=epsilon)
        assert np.isclose(gap, loss.delta(epsilon), atol=1e-9)


def after_cell_44(conversions):
    assert np.allclose(conversions, [5.7565, 5.2215, 4.8866], atol=1e-4)


def after_cell_52(tails):
    assert tails.holds
