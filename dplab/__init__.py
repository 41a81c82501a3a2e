"""Differential privacy: mechanisms, attacks and theorems that you can run.

A mechanism is a map from a dataset to a distribution; start reading at `dplab.mechanism`. After
`import dplab`, each module and subpackage is there without another import, for example
`dplab.accounting.epsilon_bounds`. It is loaded when it is first used.
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from dplab.continuous import Gaussian, Laplace
from dplab.discrete import DiscreteGaussian, DiscreteLaplace
from dplab.distributions import Finite, Product
from dplab.divergences import (
    hockey_stick,
    largest_log_ratio,
    max_divergence,
    privacy_loss,
    renyi_divergence,
    total_variation,
    true_positive_rate,
)
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.catastrophe import NameAndShame, OrEverything, RandomRows
from dplab.mechanisms.discrete import DiscreteGaussianMechanism, GeometricMechanism
from dplab.mechanisms.gap_selection import GapSelection
from dplab.mechanisms.gaussian import GaussianMechanism, analytic_sigma, classic_sigma
from dplab.mechanisms.histogram import StabilityHistogram, histogram
from dplab.mechanisms.laplace import ClippedMean, LaplaceMechanism, SphericalLaplaceMechanism
from dplab.mechanisms.noisy_max import ReportNoisyMax
from dplab.mechanisms.pricing import pricing
from dplab.mechanisms.quantiles import PrivateQuantile
from dplab.mechanisms.randomized_response import CoinSurvey, RandomizedResponse
from dplab.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from dplab.mechanisms.snapping import SnappingMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE
from dplab.piecewise_constant import PiecewiseConstant

__all__ = [
    "ADD_REMOVE",
    "REPLACE_ONE",
    "ZCDP",
    "AboveThreshold",
    "ApproxDP",
    "BoundedRange",
    "ClippedMean",
    "CoinSurvey",
    "DiscreteGaussian",
    "DiscreteGaussianMechanism",
    "DiscreteLaplace",
    "ExactMechanism",
    "ExponentialMechanism",
    "Finite",
    "GapSelection",
    "Gaussian",
    "GaussianMechanism",
    "GeometricMechanism",
    "Laplace",
    "LaplaceMechanism",
    "Mechanism",
    "NameAndShame",
    "OrEverything",
    "PermuteAndFlip",
    "PiecewiseConstant",
    "PrivateQuantile",
    "Product",
    "PureDP",
    "RandomRows",
    "RandomizedResponse",
    "RenyiDP",
    "ReportNoisyMax",
    "SnappingMechanism",
    "SphericalLaplaceMechanism",
    "StabilityHistogram",
    "analytic_sigma",
    "classic_sigma",
    "histogram",
    "hockey_stick",
    "largest_log_ratio",
    "max_divergence",
    "pricing",
    "privacy_loss",
    "renyi_divergence",
    "total_variation",
    "true_positive_rate",
]


def _list_modules() -> set[str]:
    import pkgutil

    return {module.name for module in pkgutil.iter_modules(__path__)}


def __getattr__(name: str) -> _ModuleType:
    if not name.startswith("_") and name in _list_modules():
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_list_modules()})
