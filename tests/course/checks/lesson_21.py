"""The numbers of lesson 21; what is random among them is so by the lesson's generator."""

import numpy as np


def after_cell_35(said, first):
    """A noise of scale 0.008 would have to pass 0.3, in one of six answers: below 1e-14."""
    assert np.allclose(said, [*first[:, :5].mean(axis=0), 0], atol=0.2)


def after_bccca191(plain, paid_for):
    """The plain holdout's 63% has a deviation of 0.6 over seeds: eight of them are 5 points.

    An answer of the holdout itself on 4,000 coins is off by normal noise of 0.008 and Laplace noise
    of scale 0.003: by more than 0.1 with probability below 1e-12. Once in thousands of runs the
    budget is used up before the end. Then the analysis ends there, and says so by "nan".
    """
    assert abs(plain.reported[-1] - 0.63) < 0.05
    assert not (abs(paid_for - 0.5) > 0.1).any()


def after_e5683dde(learned):
    """The vote of ten telling variables has a deviation of a point: ten of them are 0.1."""
    assert not abs(learned.reported[1] - learned.fresh[1]) > 0.1


def after_cell_62(keeper, n, sigma):
    """Nothing is left that pays for an answer."""
    assert keeper.budget.remaining.epsilon < 1 / (n * sigma)


def after_cell_39(answers, price):
    """The price that the text names as 50% to 87%."""
    assert np.isclose(answers * price, 1.897, atol=0.001)


def after_56b3f88f(gain, ks, n):
    """By the theorems; the root of k is near for k small against n."""
    assert gain.holds
    assert np.allclose(gain.voting, np.sqrt(ks / n) / np.pi, rtol=0.1)


def after_cell_26(tight):
    """Randomized response with three answers reaches the bound."""
    assert np.isclose(tight.largest_gain, tight.bound)


def after_920cce25(checked, naive):
    """Nobody gains more than the bound, nor more than the winner's share."""
    assert all(one.holds for one in checked)
    assert np.allclose(naive, [one.largest_gain for one in checked])


def after_cell_57(rho, pure):
    """Both say something, and the budget in zCDP says more."""
    assert rho < pure < 1
