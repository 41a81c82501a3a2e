"""Optimal composition: the exact delta(epsilon) of k releases that guarantee (epsilon_0, delta_0).

Every (epsilon_0, delta_0)-DP mechanism is, on two neighbours, randomized response after a random
map. With probability delta_0 it tells all, otherwise it flips a coin of odds e^{epsilon_0}. So the
worst case is k-fold randomized response, and its privacy loss is (2 B - k) epsilon_0, B binomial.
For different guarantees the exact answer is #P-hard; use `loss_distribution.epsilon_bounds`.

Sources: Kairouz, Oh and Viswanath (2015), Theorem 3.3; Murtagh and Vadhan (2016).
"""

from __future__ import annotations

import numpy as np

from dplab import arguments
from dplab.guarantees import ApproxDP
from dplab.losses import NO_LOSS, BinomialLoss, PrivacyLoss

MAX_RELEASES = 10**12  # the loss of so many coins has some 10^7 atoms


def randomized_response_loss(epsilon: float, k: int = 1) -> PrivacyLoss:
    """Return the loss of k bits of randomized response, the worst of k epsilon-DP releases.

    Raises ValueError unless epsilon is at least 0 and k a whole number of at least 1.
    """
    epsilon = arguments.number("epsilon", epsilon, least=0)
    k = arguments.size("k", k, most=MAX_RELEASES)
    if epsilon == 0:
        return NO_LOSS
    truth, lie = np.exp(-np.logaddexp(0, [-epsilon, epsilon])).tolist()
    return BinomialLoss(k, (-epsilon, epsilon), (lie, truth), (truth, lie))


def optimal_delta(promise: ApproxDP, k: int, *, epsilon: float) -> float:
    """Return the least delta at which k releases, adaptive too, are (epsilon, delta)-DP together.

    It is 1 - (1 - delta_0)^k (1 - d(epsilon)), d the hockey stick of k-fold randomized response.
    This holds for every epsilon >= 0, not only for the (k - 2i) epsilon_0 of the theorem.
    `epsilon` is in nats. Raises ValueError unless it is at least 0 and k at least 1.
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    epsilon = arguments.number("epsilon", epsilon, least=0)
    coins = randomized_response_loss(promise.epsilon, k).delta(epsilon)
    return _add_catastrophe(promise.delta, k, coins)


def optimal_epsilon(promise: ApproxDP, k: int, *, delta: float) -> float:
    """Return the smallest epsilon at which k releases of `promise` are (epsilon, delta)-DP.

    inf where delta is below 1 - (1 - delta_0)^k, the chance that one of the releases tells all.
    Raises ValueError unless 0 <= delta < 1 and k is at least 1.

    >>> round(optimal_epsilon(ApproxDP(0.1, 0), 100, delta=1e-6), 4)
    4.7746
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    delta = arguments.number("delta", delta, least=0, below=1)
    loss = randomized_response_loss(promise.epsilon, k)
    return _find_epsilon_besides(loss, promise.delta, k, delta)


def _add_catastrophe(delta: float, k: int, rest: float) -> float:
    if delta == 1:
        return 1.0
    return float(-np.expm1(k * np.log1p(-delta) + np.log1p(-rest))) if rest < 1 else 1.0


def _find_epsilon_besides(loss: PrivacyLoss, catastrophe: float, k: int, delta: float) -> float:
    """Return the epsilon at which the loss spends the delta that k catastrophes leave."""
    if catastrophe == 1:
        return np.inf
    remaining_delta = -np.expm1(np.log1p(-delta) - k * np.log1p(-catastrophe))
    return loss.epsilon(remaining_delta) if remaining_delta >= 0 else np.inf
