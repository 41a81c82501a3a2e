"""What many releases cost together: bounds from simple to exact, and budgets that hold."""

from dplab.accounting.budget import Budget, BudgetExceeded, Filter, Odometer
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
from dplab.accounting.renyi import (
    RenyiCurve,
    rho_for,
    simple_epsilon,
    subsampled,
    subsampled_gaussian,
    subsampled_without_replacement,
)
from dplab.accounting.trade_off import (
    TradeOff,
    delta_from_trade_off,
    promised_trade_off,
    trade_off_from_promises,
)

__all__ = [
    "BinomialLoss",
    "Bounds",
    "Budget",
    "BudgetExceeded",
    "Filter",
    "Odometer",
    "Releases",
    "RenyiCurve",
    "TradeOff",
    "advanced_composition",
    "basic_composition",
    "bounded_range_composition",
    "delta_bounds",
    "delta_from_trade_off",
    "epsilon_bounds",
    "optimal_composition",
    "optimal_delta",
    "optimal_epsilon",
    "promised_trade_off",
    "randomized_response_loss",
    "rho_for",
    "simple_epsilon",
    "subsampled",
    "subsampled_gaussian",
    "subsampled_without_replacement",
    "trade_off_from_promises",
]
