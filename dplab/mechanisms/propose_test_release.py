"""Propose how sensitive the query is, test it with noise, and release or refuse.

The proposal is a mechanism that is private only on data where the query moves little, as is Laplace
noise for a local sensitivity of at most b. The distance to data where it is not private moves by at
most 1 between neighbours. So it can be tested with noise. `GapSelection` is the case where the best
candidate itself is proposed.

Source: Dwork and Lei (2009).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Distribution, Finite
from dplab.guarantees import ApproxDP, Guarantee
from dplab.local_sensitivity import LocalQuery
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.laplace_quadrature import log_cdf
from dplab.neighbors import Neighbors


@dataclass(frozen=True, eq=False)
class OrNothing(Distribution):
    """The distribution of an outcome of `law` with probability e^{log_chance}, otherwise None.

    Raises ValueError unless law is a distribution and log_chance at most 0.
    """

    law: Distribution
    log_chance: float

    def __post_init__(self):
        arguments.instance("law", self.law, Distribution)
        arguments.settle(self, arguments.number, "log_chance", most=0)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        is_released = rng.random(size) < np.exp(self.log_chance)
        outcomes = self.law.sample(rng, size)
        if size is None:
            return outcomes if is_released else None
        return np.where(is_released, np.asarray(outcomes, dtype=object), None)

    def log_density(self, outcome: Any) -> Any:
        if outcome is None:
            with np.errstate(divide="ignore"):
                return float(np.log(-np.expm1(self.log_chance)))
        return self.log_chance + self.law.log_density(outcome)


@dataclass(frozen=True)
class ProposeTestRelease(ExactMechanism):
    """The mechanism that runs `release` if the data pass a test, and otherwise returns None.

        passes if distance(data) + Lap(1 / test_epsilon) > log(1 / (2 delta)) / test_epsilon

    `distance(data)` is the number of records to change until `release` may not be private: it is 0
    there, above 0 it is at least 1, and it moves by at most 1 between neighbours. So `release` may
    be Laplace noise with a sensitivity b that is only proposed, and the distance that to data of a
    local sensitivity above b; see `propose_test_release`. With `release` epsilon_2-DP where the
    distance is above 0, it is (test_epsilon + epsilon_2, delta)-DP.

    Proof. The probabilities to pass are within e^{test_epsilon}. If the distance is above 0 on x,
    then `release` is private against every neighbour, and the epsilons add. If it is 0, then x
    passes with probability e^{-log(1 / (2 delta))} / 2 = delta, and otherwise says None.

    Raises ValueError unless test_epsilon > 0 and 0 < delta < 1/2; on a call, unless the distance is
    a number of at least 0 or inf.
    """

    release: ExactMechanism
    distance: Callable[[Any], float]
    test_epsilon: float
    delta: float

    def __post_init__(self):
        arguments.instance("release", self.release, ExactMechanism)
        arguments.settle(self, arguments.function, "distance")
        arguments.settle(self, arguments.number, "test_epsilon", above=0)
        arguments.settle(self, arguments.number, "delta", above=0, below=0.5)
        arguments.number("log(1 / (2 delta)) / test_epsilon", self.bar)

    @property
    def guarantee(self) -> Guarantee:
        price = self.release.price_in(ApproxDP)
        return price + ApproxDP(self.test_epsilon, self.delta)

    @property
    def neighbors(self) -> Neighbors:
        return self.release.neighbors

    @property
    def bar(self) -> float:
        """The threshold that the noisy distance has to exceed."""
        return float(-np.log(2 * self.delta) / self.test_epsilon)

    def log_chance(self, data: Any) -> float:
        """Return the log probability that the data pass."""
        distance = self.distance(data)
        if distance != np.inf:
            distance = max(records.number("distance(data)", distance), 0.0)
        return float(log_cdf(np.asarray(distance - self.bar), 1 / self.test_epsilon))

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of the output; it is finite if that of `release` is."""
        log_chance, law = self.log_chance(data), self.release.distribution(data)
        if not isinstance(law, Finite):
            return OrNothing(law, log_chance)
        with np.errstate(divide="ignore"):
            log_refusal = np.log(-np.expm1(log_chance))
        logs: np.ndarray = np.append(law.log_probabilities + log_chance, log_refusal)
        return Finite((*law.outcomes, None), logs)


def propose_test_release(
    query: LocalQuery, bound: float, *, epsilon: float, delta: float
) -> ProposeTestRelease:
    """Return the mechanism that proposes `bound` for the local sensitivity of a query.

    Half of epsilon is for the test and half for Laplace noise of scale 2 bound / epsilon. It is
    (epsilon, delta)-DP. Raises ValueError unless bound and epsilon are above 0 and 0 < delta < 1/2.

    >>> from dplab.local_sensitivity import Median
    >>> careful = propose_test_release(Median(0, 10), 3, epsilon=2, delta=0.01)
    >>> round(careful.bar, 3), [careful.distance(n * [5]) for n in (3, 9)]
    (3.912, [1.0, 4.0])
    """
    arguments.instance("query", query, LocalQuery)
    bound = arguments.number("bound", bound, above=0)
    half = arguments.number("epsilon", epsilon, above=0) / 2
    release = LaplaceMechanism(query, bound, half, query.neighbors)
    return ProposeTestRelease(release, lambda data: query.distance(data, bound), half, delta)
