"""Every bound as a curve in k: the total epsilon of k releases of epsilon-DP.

All bounds are true; they use more or less of the losses. Basic composition uses the largest loss,
the others use that losses cancel, and the optimal bound uses their distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.accounting.composition import advanced_composition
from dplab.accounting.optimal import optimal_epsilon
from dplab.accounting.renyi import RenyiCurve, simple_epsilon
from dplab.guarantees import ZCDP, ApproxDP, PureDP


@dataclass(frozen=True, eq=False)
class CompositionCurves:
    """The epsilon of ks[i] releases at one delta by each bound, in nats; arrays of one shape.

    - basic: k epsilon (Dwork, McSherry, Nissim and Smith 2006);
    - advanced: `advanced_composition` (Dwork, Rothblum and Vadhan 2010);
    - zcdp_simple: k epsilon^2 / 2 by `simple_epsilon` (Bun and Steinke 2016);
    - zcdp: k epsilon tanh(epsilon / 2) by the tight conversion (Canonne, Kamath and Steinke 2020);
    - renyi: the Renyi curve of randomized response by the same conversion (Mironov 2017);
    - optimal: `optimal_epsilon`, which no bound for all mechanisms can beat (Kairouz, Oh and
      Viswanath 2015).
    """

    ks: np.ndarray
    basic: np.ndarray
    advanced: np.ndarray
    zcdp_simple: np.ndarray
    zcdp: np.ndarray
    renyi: np.ndarray
    optimal: np.ndarray


def composition_curves(epsilon: float, ks: Sequence[int], *, delta: float) -> CompositionCurves:
    """Compute all bounds for ks[i] releases of `epsilon`-DP each, at the same total `delta`.

    Raises ValueError unless epsilon > 0, 0 < delta < 1 and every k is a whole number of at least 1.

    >>> composition_curves(0.1, [100], delta=1e-6).optimal.round(4)
    array([4.7746])
    """
    epsilon = arguments.number("epsilon", epsilon, above=0)
    counts = arguments.wholes("ks", ks, least=1)
    one, rhos = ApproxDP(epsilon, 0), counts * epsilon * epsilon / 2
    return CompositionCurves(
        ks=counts,
        basic=counts * epsilon,
        advanced=np.array([advanced_composition(one, k, delta=delta).epsilon for k in counts]),
        zcdp_simple=np.array([simple_epsilon(ZCDP(rho), delta=delta) for rho in rhos]),
        zcdp=_convert(RenyiCurve.of(PureDP(epsilon).to_zcdp()), counts, delta),
        renyi=_convert(RenyiCurve.of(PureDP(epsilon)), counts, delta),
        optimal=np.array([optimal_epsilon(one, k, delta=delta) for k in counts]),
    )


def _convert(curve: RenyiCurve, ks: np.ndarray, delta: float) -> np.ndarray:
    """Return `(k * curve).to_approx(delta).epsilon` for every k at once."""
    a, tau = np.array(curve.orders), np.array(curve.epsilons)
    epsilons = np.outer(ks, tau) + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)
    return np.maximum(0.0, epsilons.min(axis=1))


def crossing_by_price(epsilon: float, *, delta: float) -> float:
    """Return the k beyond which advanced composition is below basic; inf from epsilon = ln 2 on.

    k epsilon > epsilon sqrt(2 k ln(1 / delta)) + k epsilon (e^epsilon - 1) if and only if
    epsilon < ln 2 and k > 2 ln(1 / delta) / (2 - e^epsilon)^2: at least 2 ln(1 / delta) releases.
    Raises ValueError unless epsilon > 0 and 0 < delta < 1.

    >>> round(crossing_by_price(0.1, delta=1e-6), 2)
    34.51
    """
    epsilon = arguments.number("epsilon", epsilon, above=0)
    delta = arguments.number("delta", delta, above=0, below=1)
    margin = 2 - np.exp(epsilon)
    return float(-2 * np.log(delta) / margin**2) if margin > 0 else np.inf
