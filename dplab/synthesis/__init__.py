"""Synthesis: densities, curves and datasets that may be published instead of answers."""

from dplab.synthesis.bernstein import bernstein_mechanism, bernstein_polynomial
from dplab.synthesis.columns import Columns, Marginals
from dplab.synthesis.datasets import ExponentialOverDatasets, ks_distance
from dplab.synthesis.density import histogram_density
from dplab.synthesis.kernel import KernelDensity
from dplab.synthesis.series import (
    series_curve,
    series_mechanism,
    series_sensitivity,
)
from dplab.synthesis.top_down import TopDown

__all__ = [
    "Columns",
    "ExponentialOverDatasets",
    "KernelDensity",
    "Marginals",
    "TopDown",
    "bernstein_mechanism",
    "bernstein_polynomial",
    "histogram_density",
    "ks_distance",
    "series_curve",
    "series_mechanism",
    "series_sensitivity",
]
