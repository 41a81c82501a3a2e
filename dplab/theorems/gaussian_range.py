"""Theorem: a formula sigma = a / epsilon for the Gaussian mechanism holds up to one epsilon.

Fix a, which may depend on delta, and a sensitivity of 1. With sigma = a / epsilon the true delta

    delta(epsilon) = Phi(epsilon / (2a) - a) - e^epsilon Phi(-epsilon / (2a) - a)

strictly rises with epsilon, from 0 to 1. So every such formula keeps its guarantee of delta up to
one epsilon, where the two are equal, and breaks it beyond. Formulas differ in that epsilon.

Proof. With b = epsilon / (2a) + a, e^epsilon phi(b) is the density phi at epsilon / (2a) - a; so
the derivative is e^epsilon (phi(b) / a - Phi(-b)), and Phi(-b) <= phi(b) / b < phi(b) / a.
At epsilon = 0 both terms are Phi(-a). As epsilon grows the first goes to 1, and the second is at
most e^epsilon phi(b) / b, which is phi(epsilon / (2a) - a) / b and goes to 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.bisection import edge
from dplab.losses import GaussianLoss


@dataclass(frozen=True)
class SigmaFormula:
    """The formula sigma = sensitivity sqrt(factor log(top / delta)) / epsilon.

    Raises ValueError for other arguments.

    >>> float(round(DWORK_ROTH.sigma(epsilon=1, delta=1e-5), 6))
    4.844805
    """

    name: str
    factor: float
    top: float

    def __post_init__(self):
        arguments.settle(self, arguments.text, "name")
        arguments.settle(self, arguments.number, "factor", "top")

    def sigma(self, *, epsilon: ArrayLike, delta: float, sensitivity: float = 1.0) -> Any:
        """Return sigma by the formula, also where it breaks its guarantee; elementwise in epsilon.

        Raises ValueError unless 0 < delta < 1.
        """
        delta = arguments.number("delta", delta, above=0, below=1)
        return sensitivity * np.sqrt(self.factor * np.log(self.top / delta)) / epsilon

    def true_delta(self, *, epsilon: float, delta: float) -> float:
        """Return the delta that the mechanism with this sigma has at epsilon.

        Raises ValueError unless epsilon is above 0 and 0 < delta < 1.
        """
        epsilon = arguments.number("epsilon", epsilon, above=0)
        return GaussianLoss(1 / self.sigma(epsilon=epsilon, delta=delta)).delta(epsilon)

    def last_epsilon(self, delta: float) -> float:
        """Return the largest epsilon at which the guarantee of (epsilon, delta)-DP is kept.

        Bisection finds it to twelve digits, since the true delta rises with epsilon.
        """
        return edge(lambda epsilon: self.true_delta(epsilon=epsilon, delta=delta) <= delta)[0]


DWORK_ROTH = SigmaFormula("√(2 ln(1.25/δ)) Δ/ε", factor=2, top=1.25)
"""Dwork and Roth (2014), Theorem A.1, proven for epsilon < 1."""

WITH_TWO = SigmaFormula("√(2 ln(2/δ)) Δ/ε", factor=2, top=2)
"""The formula of some slides, which add a little more noise and don't mention a range."""

UNDER_NOISED = SigmaFormula("√(ln(1/δ)) Δ/ε", factor=1, top=1)
"""A slip in some lecture notes: it lacks the 2, and breaks its guarantee well below 1."""
