"""Whole tables instead of answers: densities and datasets that may be published."""

from dplab.synthesis.datasets import ExponentialOverDatasets, ks_distance
from dplab.synthesis.density import histogram_density

__all__ = ["ExponentialOverDatasets", "histogram_density", "ks_distance"]
