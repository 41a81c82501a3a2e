"""What the numbers of lesson 12 must be."""

import numpy as np


def after_cell_16(coin):
    from dplab.theorems.loss_walk import loss_walk

    for k in (100, 400, 2500):
        assert loss_walk(coin, k, delta=1e-6).holds


def after_92c54d1c(half):
    from dplab.theorems.loss_walk import loss_walk

    one = loss_walk(half, 1, delta=1e-6)
    for k in (1, 4, 16):
        assert np.isclose(loss_walk(half, k, delta=1e-6).sd ** 2, k * one.sd**2)


def after_cell_19():
    from dplab.theorems.composition_curves import crossing_by_price

    assert np.isclose(crossing_by_price(0.1, delta=1e-6), 34.51, atol=0.01)
    assert crossing_by_price(np.log(2), delta=1e-6) == np.inf


def after_cell_24(coin, total_law):
    from dplab.theorems.loss_walk import loss_walk

    assert np.allclose(total_law, loss_walk(coin, 100, delta=1e-6).total.p)


def after_cell_26(delta, exact):
    from dplab import ApproxDP
    from dplab.accounting import optimal_delta

    assert np.isclose(delta, optimal_delta(ApproxDP(0.1, 0), 100, epsilon=exact), atol=1e-12)


def after_cell_41(few, many, lines):
    for name in lines:
        times = (getattr(many, name) / getattr(few, name)).item()
        assert np.isclose(times, 100 if name == "basic" else 10, rtol=0.02)


def after_cell_50(bound, coins, least):
    assert np.allclose([bound, coins, least.best], [0.7311, 0.7311, 0.6967], atol=1e-4)


def after_cell_33(exact, by_orders, tight, simple, advanced):
    assert exact < by_orders < tight < simple < advanced


def after_cell_33c(answered):
    assert answered == 487


def after_cell_36(mixed):
    from dplab import accounting

    for releases in (mixed[:1], mixed):
        assert accounting.epsilon_bounds(releases, delta=1e-6).gap < 1e-2


def after_cell_38(large, worst):
    assert np.allclose([large, worst], [71.55, 83.53], atol=0.01)


def after_cell_43(target):
    from dplab.theorems.noise_curves import crossing_by_target

    assert crossing_by_target(target) == 30


def after_cell_45(own, normal):
    assert (own, normal) == (48, 89)


def after_cell_47(spreads):
    """The ratio leaves 6 to 18 with probability below 1e-9, a chi-square tail of 99 degrees."""
    assert 6 < spreads[10_000] / spreads[100] < 18
