"""The numbers of lesson 22; what is random among them is so by the lesson's generator."""

import numpy as np


def after_outcome(view):
    """The numbers of the opening, and the ratio that the prediction asks for."""
    assert 3000 < 100 / view.local < 3100
    assert view.errors[0] / view.errors[2] > 200


def after_leak(found, median, x, y):
    """All draws of one firm are 30, none of the other's: the bound is that of 5,000 draws."""
    assert (median.local(x), median.local(y)) == (0, 40)
    assert 5 < found.epsilon < 6


def after_check_cauchy(losses):
    """The theorem, against a grid of outcomes that is nearly fine enough."""
    from dplab.mechanisms.smooth_sensitivity import cauchy_epsilon

    assert np.isclose(losses.max(), cauchy_epsilon(30, 2, 31, 3), atol=1e-5)


def after_by_hand(A, S, salaries):
    """By hand as by the library."""
    from dplab.local_sensitivity import Median

    assert np.allclose(A, Median(0, 100).at_distance(salaries)[:49])
    assert np.isclose(S, Median(0, 100).smooth(salaries, 0.5))


def after_library(smooth, spent, curator, x, y):
    """Neighbours spend less than the promise, and the text names 1.042, 25.8, 40 and 61%."""
    assert np.isclose(smooth.width, 1.042, atol=5e-4)
    assert np.allclose([smooth.query.smooth(z, 0.5) for z in (x, y)], [25.75, 40], atol=0.01)
    assert np.isclose(1 / (1 + np.exp(-spent)), 0.61, atol=0.005)
    assert curator.budget.remaining.epsilon == 0


def after_ptr(careful, median):
    """The text's 26; and 40 people, all alike, hardly pass."""
    assert np.isclose(careful.bar, 2 * np.log(1 / 2e-6))
    assert careful.log_chance([50] * 40) < np.log(0.05)


def after_inverse_mode(chances):
    """The law by its formula."""
    weights = np.exp(-np.array([0, 2, 3]) / 2)
    assert np.allclose(chances, weights / weights.sum())


def after_three_more(turned, parts, salaries, median):
    """By the exact laws: the 200 draws are only to look at."""
    from dplab.widgets.stable_median import error_within

    for way, error in ((turned, 0.13), (parts, 0.38)):
        assert np.isclose(
            error_within(way.distribution(salaries), median(salaries)), error, atol=0.02
        )


def after_plot(errors, percents):
    """Far from the gap 180 to 530 times better; near it refused, and nobody much better."""
    ratios = errors[percents == 20][0][0] / errors[percents == 20][0]
    assert np.allclose([min(ratios[2:]), max(ratios)], [180, 530], rtol=0.02)
    assert np.isinf(errors[percents >= 40, 1]).all()
    assert min(errors[-1]) > 15


def after_clip(here, U, clipped, salaries):
    """Half of the worst case at least, which clipping beats by ten."""
    assert U / 401 >= here >= U / 401 / 2 > 5 * clipped.sensitivity
    assert max(salaries) < 90


def after_sign_numbers(smooth, x, y):
    """The scales of claim 2."""
    assert np.allclose([smooth.scale(x), smooth.scale(y)], [24.7, 38.4], atol=0.05)


def after_other_noise_code(others):
    """Each costs what the text says."""
    from dplab import ZCDP, ApproxDP, PureDP

    assert [way.guarantee for way in others.values()] == [
        PureDP(1.0),
        PureDP(1.0),
        ApproxDP(1.0, 1e-6),
        ZCDP(0.5),
    ]


def after_triangles_drawn(count, graph, noisy, n):
    """Everybody knows the three next on either side."""
    assert count(graph) == 3 * n
    assert noisy.scale(graph) < (n - 2) / 10


def after_pate_run(labels, public, epsilon, teachers):
    """The price by its formula. 300 votes on 100 points: most labels are those of the line.

    The line is right on 76%, and noise changes labels only where votes are near 150 of 300.
    """
    assert np.isclose(teachers.guarantee.rho, 1 / 16)
    assert np.isclose(1 / (1 + np.exp(-epsilon)), 0.85, atol=0.01)
    assert np.mean(labels == (public[:, :2].sum(axis=1) > 1)) > 0.5
