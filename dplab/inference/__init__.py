"""Inference: intervals, tests and regression that count the noise of a private release.

All of it is computed from what a mechanism published, and so costs no privacy.
"""

from dplab.inference.intervals import Interval, NoisyCount, bootstrap_interval
from dplab.inference.proportion_test import ProportionTest, Tulap, smooth_count
from dplab.inference.regression import Regression, moments_mechanism, regress
from dplab.inference.synthetic_tables import SyntheticError, synthetic_error

__all__ = [
    "Interval",
    "NoisyCount",
    "ProportionTest",
    "Regression",
    "SyntheticError",
    "Tulap",
    "bootstrap_interval",
    "moments_mechanism",
    "regress",
    "smooth_count",
    "synthetic_error",
]
