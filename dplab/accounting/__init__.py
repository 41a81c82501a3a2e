"""The total cost of many releases: bounds from simple to exact."""

from dplab.accounting.composition import (
    advanced_composition,
)
from dplab.accounting.curves import (
    CompositionCurves,
    composition_curves,
    crossing_by_price,
)
from dplab.accounting.loss_distribution import Bounds, delta_bounds, epsilon_bounds
from dplab.accounting.optimal import (
    optimal_delta,
    optimal_epsilon,
    randomized_response_loss,
)
from dplab.accounting.queries import (
    NoiseCurves,
    advanced_epsilon_each,
    crossing_by_target,
    most_queries,
    noise_curves,
    optimal_epsilon_each,
)
from dplab.accounting.releases import Repeated, renyi_curve
from dplab.accounting.renyi import (
    RenyiCurve,
    rho_for,
    simple_epsilon,
)
from dplab.accounting.subsampling import (
    subsampled,
)
from dplab.accounting.trade_off import (
    TradeOff,
    delta_from_trade_off,
    promised_trade_off,
)

__all__ = [
    "Bounds",
    "CompositionCurves",
    "NoiseCurves",
    "RenyiCurve",
    "Repeated",
    "TradeOff",
    "advanced_composition",
    "advanced_epsilon_each",
    "composition_curves",
    "crossing_by_price",
    "crossing_by_target",
    "delta_bounds",
    "delta_from_trade_off",
    "epsilon_bounds",
    "most_queries",
    "noise_curves",
    "optimal_delta",
    "optimal_epsilon",
    "optimal_epsilon_each",
    "promised_trade_off",
    "randomized_response_loss",
    "renyi_curve",
    "rho_for",
    "simple_epsilon",
    "subsampled",
]
