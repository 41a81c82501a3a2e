"""The numbers of lesson 13."""

import numpy as np

from dplab.audit import goodness_of_fit


def after_cell_23(moved, few):
    assert moved == max(few)


def after_cell_27(tuned):
    assert 0.9 < tuned.epsilon <= 1


def after_cell_31(tail):
    assert tail.gap <= 2 * 500 / 1 * np.log(50)


def after_cell_37(shares_of_best, rules):
    """Twice the rate earns more."""
    for k in (1, 10, 100):
        plain, monotone = (shares_of_best(rule, k)[0] for rule in rules.values())
        assert plain < monotone


def after_cell_47(moved):
    assert moved == 10_000


def after_cell_50(PrivateQuantile, incomes):
    law = PrivateQuantile(0, 10_000, epsilon=1).distribution(incomes)
    assert len(law.edges) == len(np.unique(incomes)) + 2
    for upper in (1e4, 1e6, 1e9):
        law = PrivateQuantile(0, upper, epsilon=1).distribution(incomes)
        assert 0.9 < law.cdf(895) - law.cdf(863) < 0.92


def after_cell_53(law):
    assert np.allclose(law.probabilities, [0.0884, 0.9116])


def after_cell_42(half, apart):
    """The loss 1.76 is quoted below the vote."""
    assert apart < 1
    assert np.isclose(half.privacy_loss([0, 6, 0], [1, 5, 0]).largest_log_ratio, 1.76, atol=5e-3)


def after_cell_45(ExponentialMechanism, rng):
    """By bad luck 20,000 winners do not follow the law with probability 1e-10 at most."""
    scores = (0, 1, 1.5, 3)
    chosen = ExponentialMechanism(range(4), np.array, 1, epsilon=1).distribution(scores)
    noisy = np.array(scores) + 2 * rng.gumbel(size=(20_000, 4))
    assert goodness_of_fit(noisy.argmax(axis=1), chosen, failure=1e-10).passed


def after_cell_33(trick):
    assert trick.holds
    assert np.isclose(trick.winners[3], 0.4846426)


def after_cell_29(law):
    assert np.allclose(law.probabilities, [3 / 4, 1 / 4, 0])


def after_cell_56(on_grid):
    assert on_grid.distribution(np.full(235, 884)).probabilities[884] > 0.999999


def after_cell_57(small):
    assert small == 1
