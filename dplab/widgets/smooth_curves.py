"""Explorer: one density by four private methods, each coarse or fine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.ticker import NullLocator

from dplab.mechanisms.gaussian import analytic_sigma
from dplab.synthesis import KernelDensity, bernstein_polynomial, series_curve, series_sensitivity
from dplab.synthesis.kernel import kernel_values
from dplab.synthesis.series import cosines
from dplab.widgets import style
from dplab.widgets.density_bins import hill
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider
from dplab.widgets.words import at_most, rough

X = np.linspace(0, 1, 181)
TRUTH = 12 * X * (1 - X) ** 2
CELLS = 720  # cells of the count of people, which is made before a curve
MIDDLES = (np.arange(CELLS) + 0.5) / CELLS
FINENESS = (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64)
DELTA = 1e-5
ERRORS = (10.0, 1e3, 1e6)  # tops of the axis of errors
BANDWIDTH = 0.1  # the bandwidth of the kernel estimate that Bernstein polynomials follow
HISTOGRAM, COSINES, KERNEL, BERNSTEIN = "histogram", "cosines", "kernels", "Bernstein"


@dataclass(frozen=True, eq=False)
class Curve:
    """A density estimate at X without noise, one draw of its noise, and the noise's risk."""

    plain: np.ndarray
    noise: np.ndarray
    noise_risk: float

    @property
    def error(self) -> float:
        """The integrated squared error without noise."""
        return float(((self.plain - TRUTH) ** 2).mean())


def histogram_curve(shares: np.ndarray, n: int, m: int, epsilon: float, unit: np.ndarray) -> Curve:
    """Estimate with m bins and noise of scale 2 / epsilon in each count."""
    heights = np.bincount((MIDDLES * m).astype(int), shares, m) * m
    scale = 2 * m / (n * epsilon)
    bins = np.minimum((X * m).astype(int), m - 1)
    return Curve(heights[bins], scale * unit[bins], 2 * scale**2)


def cosine_curve(shares: np.ndarray, n: int, m: int, epsilon: float, unit: np.ndarray) -> Curve:
    """Estimate with m cosines and noise for their exact sensitivity."""
    scale = series_sensitivity(m, n) / epsilon
    plain = series_curve(shares @ cosines(MIDDLES, m), X)
    return Curve(plain, cosines(X, m) @ (scale * unit[:m]), 2 * m * scale**2)


def kernel_curve(shares: np.ndarray, n: int, m: int, epsilon: float, unit: np.ndarray) -> Curve:
    """Estimate with bandwidth 1 / (2 m) and a Gaussian process that keeps (epsilon, DELTA)."""
    h = 1 / (2 * m)
    sensitivity = KernelDensity((0.0,), n, h, 1.0).sensitivity
    sigma = analytic_sigma(sensitivity=sensitivity, epsilon=epsilon, delta=DELTA)
    noise = sigma * (_factor_kernel(h) @ unit) if unit.any() else 0 * X
    return Curve(_estimate_density(shares, h), noise, sigma**2)


def bernstein_curve(shares: np.ndarray, n: int, m: int, epsilon: float, unit: np.ndarray) -> Curve:
    """Estimate with a polynomial of degree m from noisy values of a kernel estimate."""
    lattice = np.linspace(0, 1, m + 1)
    scale = (m + 1) / (n * np.sqrt(2 * np.pi) * BANDWIDTH * epsilon)
    values = np.interp(lattice, X, _estimate_density(shares, BANDWIDTH))
    basis = _evaluate_basis(m)
    risk = 2 * scale**2 * (basis**2).sum(axis=1).mean()
    return Curve(basis @ values, basis @ (scale * unit[: m + 1]), float(risk))


def _estimate_density(shares: np.ndarray, h: float) -> np.ndarray:
    return _evaluate_kernel(h) @ shares / (np.sqrt(2 * np.pi) * h)


@lru_cache(maxsize=32)
def _evaluate_kernel(h: float) -> np.ndarray:
    return kernel_values(X, MIDDLES, h)


@lru_cache(maxsize=32)
def _evaluate_basis(m: int) -> np.ndarray:
    """Evaluate the m + 1 Bernstein polynomials at X, one in each column."""
    return np.stack([bernstein_polynomial(row, X) for row in np.eye(m + 1)], axis=1)


@lru_cache(maxsize=32)
def _factor_kernel(h: float) -> np.ndarray:
    return np.linalg.cholesky(kernel_values(X, X, h) + 1e-8 * np.eye(len(X)))


METHODS: dict[str, Callable[..., Curve]] = {
    HISTOGRAM: histogram_curve,
    COSINES: cosine_curve,
    KERNEL: kernel_curve,
    BERNSTEIN: bernstein_curve,
}


@dataclass(frozen=True, eq=False)
class CurveView:
    """One method at one fineness, and its two errors at all of FINENESS."""

    method: str
    n: int
    m: int
    epsilon: float
    curve: Curve
    plain: np.ndarray
    private: np.ndarray

    @property
    def best(self) -> int:
        """The fineness with the least error, noise included."""
        return FINENESS[int(np.argmin(self.private))]


def curve_view(
    shares: np.ndarray, unit: dict, *, method: str, n: int, m: int, epsilon: float
) -> CurveView:
    """Compute the picture from the shares of n people in CELLS and unit noise."""
    make, noise = METHODS[method], unit["normal" if method == KERNEL else "laplace"]
    curves = {size: make(shares, n, size, epsilon, noise * (size == m)) for size in FINENESS}
    plain = np.array([curve.error for curve in curves.values()])
    added = np.array([curve.noise_risk for curve in curves.values()])
    return CurveView(method, n, m, epsilon, curves[m], plain, plain + added)


class SmoothCurves(Explorer):
    """Steps, cosines, bumps and polynomials: each with its noise and its error."""

    def __init__(self):
        self.rng = np.random.default_rng(16)
        self.draw()
        super().__init__()

    def draw(self) -> None:
        self.places = self.rng.random(100_000)
        size = len(X)
        self.unit = {"laplace": self.rng.laplace(size=size), "normal": self.rng.normal(size=size)}

    def make_controls(self) -> Controls:
        return {
            "method": choice("Method", COSINES, [(name, name) for name in METHODS]),
            "m": choice("Fineness", 16, [(str(m), m) for m in FINENESS]),
            "n": log_slider("People n", 1000, 100, 100_000),
            "epsilon": log_slider("ε", 1.0, 0.1, 10),
            "again": Again("New people and noise"),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.draw()

    def compute(self, n: int, again: int, **settings: Any) -> CurveView:
        n, ends = int(n), hill(np.linspace(0, 1, CELLS + 1))
        counts = np.diff(np.searchsorted(np.sort(self.places[:n]), ends, side="right"))
        return curve_view(counts / n, self.unit, n=n, **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.05, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(title="The density", xlabel="x", xlim=(0, 1))
        right_ax.set(title="Squared error", xlabel="fineness", xscale="log", yscale="log")
        right_ax.set(xlim=(0.95, 68))
        right_ax.yaxis.set_minor_locator(NullLocator())  # its top moves; ticks cost time
        style.plain_ticks(right_ax.xaxis, [1, 2, 4, 8, 16, 32, 64])
        left_ax.axhline(0, color=style.GREY, linewidth=1)
        left_ax.plot(X, TRUTH, ":", color=style.INK, label="truth")
        (self.plain,) = left_ax.plot(X, TRUTH, "--", color=style.GREEN, label="without noise")
        (self.private,) = left_ax.plot(X, TRUTH, color=style.BLUE, label="published")
        left_ax.legend(loc="upper right")
        (self.plain_errors,) = right_ax.plot(
            FINENESS, FINENESS, "o--", color=style.GREEN, label="without noise"
        )
        (self.private_errors,) = right_ax.plot(
            FINENESS, FINENESS, "o-", color=style.BLUE, label="published"
        )
        right_ax.legend(loc="upper center")
        (self.here,) = right_ax.plot([1], [1], "o", color=style.RED, markersize=9)
        return [self.plain, self.private, self.plain_errors, self.private_errors, self.here]

    def move(self, view: CurveView) -> None:
        published = view.curve.plain + view.curve.noise
        self.plain.set_ydata(view.curve.plain)
        self.private.set_ydata(published)
        is_near = published.min() > -0.65 and published.max() < 2.5
        self.plain.axes.set_ylim(*((-0.7, 2.6) if is_near else (-1, 4)))
        largest = max(view.private.max(), view.plain.max())
        self.plain_errors.axes.set_ylim(1e-4, next(top for top in ERRORS if 5 * largest < top))
        self.plain_errors.set_ydata(view.plain)
        self.private_errors.set_ydata(view.private)
        self.here.set_data([view.m], [view.private[FINENESS.index(view.m)]])

    def describe(self, view: CurveView) -> str:
        i = FINENESS.index(view.m)
        added = view.private[i] - view.plain[i]
        guess = "With δ = 10⁻⁵ a" if view.method == KERNEL else "A"
        return (
            f"Noise adds {rough(float(added))} to a squared error of "
            f"{rough(float(view.plain[i]))}; fineness {view.best} would be best. {guess} 50% guess "
            f"becomes {at_most(view.epsilon)}."
        )
