"""The total cost of many releases: bounds from simple to exact."""

from dplab.accounting.composition import advanced_composition
from dplab.accounting.dominating_pairs import worst_trade_off
from dplab.accounting.loss_distribution import Bounds, delta_bounds, epsilon_bounds
from dplab.accounting.optimal import optimal_delta, optimal_epsilon
from dplab.accounting.queries import most_queries
from dplab.accounting.releases import Release, renyi_curve
from dplab.accounting.renyi import RenyiCurve, rho_for, simple_epsilon
from dplab.accounting.subsampling import SampledMechanism, amplify_by_sampling, sampled
from dplab.accounting.trade_off import TradeOff, delta_from_trade_off, promised_trade_off
from dplab.deprecated import old_names

__all__ = [
    "Bounds",
    "Release",
    "RenyiCurve",
    "SampledMechanism",
    "TradeOff",
    "advanced_composition",
    "amplify_by_sampling",
    "delta_bounds",
    "delta_from_trade_off",
    "epsilon_bounds",
    "most_queries",
    "optimal_delta",
    "optimal_epsilon",
    "promised_trade_off",
    "renyi_curve",
    "rho_for",
    "sampled",
    "simple_epsilon",
    "worst_trade_off",
]

__getattr__ = old_names(
    __name__,
    CompositionCurves="dplab.theorems.composition_curves.CompositionCurves",
    NoiseCurves="dplab.theorems.noise_curves.NoiseCurves",
    Repeated="Release",
    advanced_epsilon_each="dplab.theorems.noise_curves.advanced_epsilon_each",
    composition_curves="dplab.theorems.composition_curves.composition_curves",
    crossing_by_price="dplab.theorems.composition_curves.crossing_by_price",
    crossing_by_target="dplab.theorems.noise_curves.crossing_by_target",
    noise_curves="dplab.theorems.noise_curves.noise_curves",
    optimal_epsilon_each="dplab.theorems.noise_curves.optimal_epsilon_each",
    randomized_response_loss="dplab.accounting.optimal.randomized_response_loss",
    subsampled="amplify_by_sampling",
)
