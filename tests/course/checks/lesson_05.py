"""The numbers of lesson 5, *Did you cheat?*, out of its reader's sight."""

import numpy as np

from dplab import CoinSurvey, RandomizedResponse, privacy_loss
from dplab.audit import exact_epsilon


def after_cell_14(say_yes):
    """A cheater says NO with probability 0; an innocent one with the probability of heads."""
    assert np.allclose(say_yes.distribution(1).probabilities, [0, 1])
    assert np.allclose(say_yes.distribution(0).probabilities, [0.5, 0.5])


def after_cell_19():
    """Two fair coins are randomized response at log 3."""
    by_coins, mechanism = CoinSurvey(theta=0.5, yes=0.5), RandomizedResponse(epsilon=np.log(3))
    assert np.isclose(by_coins.guarantee.epsilon, np.log(3))
    assert np.isclose(mechanism.truth_probability, 3 / 4)


def after_cell_22(loss, on_x, on_neighbour):
    """One factor of four is e, and so is their product."""
    factors = [
        privacy_loss(p, q).largest_log_ratio
        for p, q in zip(on_x.factors, on_neighbour.factors, strict=True)
    ]
    assert np.allclose(factors, [0, 0, 1, 0])
    assert np.isclose(loss.largest_log_ratio, 1)


def after_fe3b962b(loss):
    assert np.allclose(loss.tails(0), [np.e / (1 + np.e), 1 / (1 + np.e)])


def after_cell_25(found):
    assert found.pairs == 5120
    assert np.isclose(found.epsilon, 1, atol=1e-12)


def after_cell_27(z, mechanism, on_average):
    """The mean is the truth, and the variance is that of the theorem."""
    assert np.isclose(on_average, 1)
    for truth in (0, 1):
        p = mechanism.distribution(truth).probabilities
        assert np.isclose(p @ z, truth)
        assert np.isclose(p @ z**2 - truth**2, np.e / (np.e - 1) ** 2)


def after_cell_41(mechanisms, estimates, affair):
    """The data are the published ones. Each z lies in an interval of length 1 / (p - q), so by
    Hoeffding's inequality an estimate is off by more than is allowed with probability 1e-11 at
    most; the six together with 6e-11.
    """
    assert (len(affair), affair.sum()) == (6366, 2053)
    for m, estimate in zip(mechanisms, estimates, strict=True):
        allowed = np.sqrt(np.log(2 / 1e-11) / (2 * len(affair))) / (2 * m.truth_probability - 1)
        assert abs(estimate.value - affair.mean()) < allowed


def after_cell_43(mechanism):
    """What "Where it fails" says of ten answers, and of a class of saints."""
    ten_yes, ten_no = mechanism.distribution([1] * 10), mechanism.distribution([0] * 10)
    ten = privacy_loss(ten_yes, ten_no).largest_log_ratio
    assert np.isclose(ten, 10)
    assert f"{1 / (1 + np.exp(-ten)):.3%}" == "99.995%"
    saints = RandomizedResponse(0.1).distribution(0)
    assert np.isclose(saints.probabilities[1], 0.475, atol=1e-3)


def after_62d72fd8(warner):
    assert np.isclose(warner, np.log(3))


def after_cell_31():
    pi = (1 - 0.5) + 0.5 * 0.2  # θ = 0.5, and 20% cheated
    assert np.isclose(np.sqrt(pi * (1 - pi) / 1000) / 0.5, 0.03098, atol=1e-5)


def after_cell_34(measured, theory, slope):
    """By an exact Chernoff bound the five errors miss theory by 16% with probability below 1.5e-10
    together; the slope follows from them.
    """
    assert (abs(measured / theory - 1) < 0.16).all()
    assert abs(slope + 1 / 2) < 0.1


def after_cell_50(five):
    assert np.isclose(exact_epsilon(five, universe=range(5), n=2).epsilon, 2)
