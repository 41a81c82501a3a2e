import numpy as np
import pytest

from dplab.mechanisms.gaussian import analytic_sigma
from dplab.synthesis import KernelDensity, bernstein_mechanism, series_mechanism
from dplab.widgets import SmoothCurves
from dplab.widgets.smooth_curves import (
    BANDWIDTH,
    BERNSTEIN,
    CELLS,
    COSINES,
    DELTA,
    FINENESS,
    HISTOGRAM,
    KERNEL,
    METHODS,
    MIDDLES,
    TRUTH,
    X,
)

N = 2000
PEOPLE = np.random.default_rng(1).integers(CELLS, size=N)
SHARES = np.bincount(PEOPLE, minlength=CELLS) / N
UNIT = np.random.default_rng(2).normal(size=len(X))


@pytest.mark.parametrize("m", [1, 8, 64])
def test_curves_without_noise_are_those_of_the_library(m):
    data = MIDDLES[PEOPLE]
    series = METHODS[COSINES](SHARES, N, m, 1.0, UNIT)
    means = series_mechanism(m, N, epsilon=1).query(data)
    waves = np.sqrt(2) * np.cos(np.pi * np.outer(X, np.arange(1, m + 1)))
    assert series.plain == pytest.approx(1 + waves @ means)
    kernel = KernelDensity(tuple(X.tolist()), N, 1 / (2 * m), 1.0)
    assert METHODS[KERNEL](SHARES, N, m, 1.0, UNIT).plain == pytest.approx(kernel.estimate(data))
    steps = METHODS[HISTOGRAM](SHARES, N, m, 1.0, UNIT).plain
    heights = np.histogram(data, m, (0, 1))[0] * m / N
    assert steps == pytest.approx(heights[np.minimum((X * m).astype(int), m - 1)])


@pytest.mark.parametrize("m", [2, 16])
def test_noise_is_what_each_promise_needs(m):
    laplace = series_mechanism(m, N, epsilon=0.5).scale
    waves = np.sqrt(2) * np.cos(np.pi * np.outer(X, np.arange(1, m + 1)))
    assert METHODS[COSINES](SHARES, N, m, 0.5, UNIT).noise == pytest.approx(
        waves @ UNIT[:m] * laplace
    )
    kernel = KernelDensity((0.5,), N, 1 / (2 * m), 1.0)
    sigma = analytic_sigma(sensitivity=kernel.sensitivity, epsilon=0.5, delta=DELTA)
    assert METHODS[KERNEL](SHARES, N, m, 0.5, UNIT).noise_risk == pytest.approx(sigma**2)
    peak = 1 / (np.sqrt(2 * np.pi) * BANDWIDTH * N)
    scale = bernstein_mechanism(np.add, peak, m, epsilon=0.5).scale
    bernstein = METHODS[BERNSTEIN](SHARES, N, m, 0.5, np.ones(len(X)))
    assert bernstein.noise == pytest.approx(np.full(len(X), scale))  # they add up to one
    steps = METHODS[HISTOGRAM](SHARES, N, m, 0.5, np.ones(len(X))).noise
    assert steps == pytest.approx(np.full(len(X), 2 * m / (N * 0.5)))


@pytest.mark.parametrize("method", METHODS)
def test_the_mean_of_the_noise_is_that_of_draws(method):
    """2,000 draws, within 8 of their deviations: P below 1e-14."""
    rng = np.random.default_rng()
    draw = rng.normal if method == KERNEL else rng.laplace
    curves = [METHODS[method](SHARES, N, 6, 1.0, draw(size=len(X))) for _ in range(2000)]
    squares = [(curve.noise**2).mean() for curve in curves]
    risk = curves[0].noise_risk
    assert abs(np.mean(squares) - risk) < 8 * np.std(squares) / 2000**0.5 + 0.02 * risk


@pytest.mark.parametrize("method", METHODS)
def test_picture_follows_the_controls(method):
    explorer = SmoothCurves()
    for name, value in (("method", method), ("m", 16), ("n", 100.0), ("epsilon", 0.1)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert explorer.private.get_ydata() == pytest.approx(view.curve.plain + view.curve.noise)
    assert explorer.plain.get_ydata() == pytest.approx(view.curve.plain)
    assert explorer.plain_errors.get_ydata() == pytest.approx(view.plain)
    assert explorer.here.get_data() == ([16], [view.private[FINENESS.index(16)]])
    assert (view.private > view.plain).all()
    assert view.plain[FINENESS.index(16)] == pytest.approx(((view.curve.plain - TRUTH) ** 2).mean())
    before = explorer.private.get_ydata().copy()
    explorer.controls["again"].click()
    assert (explorer.private.get_ydata() != before).any()


def test_caption_says_guess_errors_and_the_best():
    explorer = SmoothCurves()
    caption, view = explorer.picture.tooltip, explorer.view()
    assert "A 50% guess becomes at most 73%" in caption
    assert f"fineness {view.best} would be best" in caption
    noise, error = view.curve.noise_risk, view.curve.error
    assert f"Noise adds {noise:.2g} to a squared error of {error:.2g};" in caption
    explorer.controls["method"].value = KERNEL
    assert "With δ = 10⁻⁵ a 50% guess becomes at most 73%" in explorer.picture.tooltip
    explorer.controls["epsilon"].value = 0.1
    assert "becomes at most 52.5%" in explorer.picture.tooltip


@pytest.mark.parametrize("method", METHODS)
def test_errors_are_inside_the_frame(method):
    explorer = SmoothCurves()
    explorer.controls["method"].value = method
    for n, epsilon in ((100.0, 0.1), (1000.0, 1.0), (100_000.0, 10.0)):
        explorer.controls["n"].value, explorer.controls["epsilon"].value = n, epsilon
        errors = np.concatenate([explorer.view().plain, explorer.view().private])
        assert errors.max() < explorer.private_errors.axes.get_ylim()[1]
