"""Audits of privacy: exact ones for known distributions, statistical ones for draws."""

from dplab.audit.canaries import CanaryAudit, audit_by_canaries, epsilon_from_guesses
from dplab.audit.exact import ExactAudit, exact_delta, exact_epsilon
from dplab.audit.goodness_of_fit import Fit, goodness_of_fit
from dplab.audit.statistical import EpsilonBound, epsilon_lower_bound

__all__ = [
    "CanaryAudit",
    "EpsilonBound",
    "ExactAudit",
    "Fit",
    "audit_by_canaries",
    "epsilon_from_guesses",
    "epsilon_lower_bound",
    "exact_delta",
    "exact_epsilon",
    "goodness_of_fit",
]
