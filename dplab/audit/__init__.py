"""Is it really private? Exactly, where the law is known; statistically, where only draws are."""

from dplab.audit.exact import ExactAudit, exact_delta, exact_epsilon
from dplab.audit.goodness_of_fit import Fit, goodness_of_fit
from dplab.audit.statistical import EpsilonBound, epsilon_lower_bound

__all__ = [
    "EpsilonBound",
    "ExactAudit",
    "Fit",
    "epsilon_lower_bound",
    "exact_delta",
    "exact_epsilon",
    "goodness_of_fit",
]
