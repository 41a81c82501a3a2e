"""What many releases cost together: bounds from simple to exact, and budgets that hold."""

from dplab.accounting.composition import (
    advanced_composition,
    basic_composition,
    bounded_range_composition,
)
from dplab.accounting.loss_distribution import Bounds, Releases, delta_bounds, epsilon_bounds
from dplab.accounting.optimal import (
    BinomialLoss,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    randomized_response_loss,
)

__all__ = [
    "BinomialLoss",
    "Bounds",
    "Releases",
    "advanced_composition",
    "basic_composition",
    "bounded_range_composition",
    "delta_bounds",
    "epsilon_bounds",
    "optimal_composition",
    "optimal_delta",
    "optimal_epsilon",
    "randomized_response_loss",
]
