"""What the numbers of lesson 9 must be."""

import numpy as np


def after_1e2b6db3(two):
    assert np.isclose(np.log(two[0] / two[1]).max(), 2 * np.log(3))


def after_cell_35(account):
    assert account.is_reached


def after_cell_43(moved, added, broken):
    from dplab.audit import exact_epsilon

    for release in (moved, added):
        assert np.isclose(exact_epsilon(release.clamp(-2, 3), "abc", n=2).epsilon, 0.5)
    assert np.isclose(broken, 2 * 0.5)


def after_cell_61(largest, p, q):
    assert np.isclose(largest(p, q), 0.1)


def after_cell_63(total):
    assert total.epsilon == 7


def after_cell_22(press):
    before, after = press.input_loss, press.output_loss
    assert np.isclose(after.largest_log_ratio, before.largest_log_ratio)
    assert after.delta(0) < before.delta(0)


def after_ab90c2e1(spent):
    assert np.isclose(spent, 1)


def after_cell_24(attempts):
    assert all(attempt.holds() for attempt in attempts)


def after_cell_51(patients, rng):
    """A learner spends its whole budget, whatever it learns."""
    from dplab import PureDP
    from dplab.budget import Budget
    from dplab.interaction import Curator
    from dplab.learning.statistical_queries import learn_conjunction

    for epsilon in (0.1, 1.0, 5.0):
        budget = Budget(PureDP(epsilon))
        learn_conjunction(Curator(patients(100), budget, rng), 10, epsilon=epsilon, failure=0.05)
        assert budget.remaining.epsilon < 1e-9


def after_cell_54(learned, t):
    """The rule is found, but with probability 2e-10.

    Noise throws a true feature out with probability below 1e-10. A needless one is kept with
    probability below 1e-10, too: a count of 2,500 would have to come out as 500.
    """
    from dplab.learning.statistical_queries import Conjunction

    assert learned == Conjunction((1, 4))
    assert t == 254


def after_cell_66(guess):
    assert np.isclose(guess, 0.99995, atol=1e-5)
