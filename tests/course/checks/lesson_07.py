"""The numbers of lesson 7, *How much noise is enough?*, out of its reader's sight."""

import numpy as np

from dplab import Laplace, RandomizedResponse
from dplab.audit import goodness_of_fit


def after_cell_13():
    for t in (0.001, 0.002, 0.005):
        assert np.isclose(2 * Laplace(0, 1 / 1000).cdf(-t), np.exp(-t * 1000))


def after_cell_19(share, total):
    assert np.allclose((share, total), (1 / 8, 77))


def after_cell_24(share, loss):
    assert np.isclose(loss.largest_log_ratio, 1)
    assert share.guarantee.epsilon == 1


def after_d8f8f7de(draws, share, x, fit):
    """The fit fails by chance with probability 1e-11."""
    assert len(draws) == 3000
    assert fit.passed
    assert goodness_of_fit(draws, share.distribution(x), failure=1e-11).passed


def after_b6672daa(loss):
    """Half of all outputs lose the whole epsilon, and e times fewer of the neighbour's."""
    assert np.allclose(loss.tails(1 - 1e-9), [1 / 2, 1 / (2 * np.e)])


def after_cell_26(law):
    assert np.allclose((law.location, 2**0.5 * law.scale), (1, 0.028284), atol=1e-6)


def after_cell_31():
    for epsilon, times in ((0.1, 22.35), (1, 21.46), (2, 19.03)):
        crowd_error = RandomizedResponse(epsilon).frequency_variance(0.3, n=1000) ** 0.5
        assert np.isclose(crowd_error * 1000 * epsilon / 2**0.5, times, atol=0.005)
    sampling, curator = (0.3 * 0.7 / 10) ** 0.5, 2**0.5 / 10
    assert curator < sampling  # from ten people up, as the one falls faster


def after_cell_42(visits, bias, bounds):
    assert len(visits) == 20_190
    assert bias[bounds == 50] < 0.01


def after_cell_43(visits, bias, bounds):
    for epsilon in (0.001, 0.01, 0.1):
        best = bounds[np.argmin(bias + bounds / (len(visits) * epsilon))]
        assert (visits > best).sum() <= 1 / epsilon <= (visits >= best).sum()


def after_cell_45(mean_visits):
    """A person of five years, under "Who is a neighbour?"."""
    five_years = mean_visits.guarantee.group(5).epsilon
    assert np.isclose(five_years, 0.5)
    assert f"{1 / (1 + np.exp(-five_years)):.0%}" == "62%"


def after_a1ec7373(log_ratio, honest, outputs):
    """The audit of an honest count, and the numbers of the three verdicts."""
    assert abs(log_ratio(*honest, outputs)).max() < 0.1 + 1e-12
    too_little = log_ratio(Laplace(3, 10**0.5), Laplace(4, 10**0.5), outputs)
    assert np.isclose(abs(too_little).max(), 0.316, atol=5e-4)
    assert np.isclose(abs(np.log(honest[0].cdf(0) / honest[1].cdf(0))), 0.1)
    assert round(log_ratio(Laplace(2.9, 7.7), Laplace(2.3, 2), 60.0)) == 20


def after_cell_35(sizes, errors, crowd_error, theory):
    """The crowd's five errors miss theory by 16% with probability below 5e-10 together, by a
    Chernoff bound; the five fits of the curator's draws fail with probability 1e-11 each.
    """
    assert (abs(crowd_error / theory - 1) < 0.16).all()
    for n, (_, noise) in zip(sizes, errors, strict=True):
        assert goodness_of_fit(noise, Laplace(0, 1 / n), failure=1e-11).passed
