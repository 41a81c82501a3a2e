"""Choice among a few candidates that lead by a wide margin, at a price that ignores the others.

The margin of the `top` best is best score - score of rank top + 1. It moves by at most twice the
sensitivity between neighbours, so it can be tested with noise. The mechanism proposes the `top`
candidates and tests their margin. Then it releases a choice among them, or nothing. The number of
other candidates has no influence.

Sources: Dwork and Lei (2009) for propose, test, release; Smith and Thakurta (2013) for the best
candidate alone; Chaudhuri, Hsu and Song (2014) for the large margin idea, here with a rank that
is fixed beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.laplace_quadrature import log_cdf
from dplab.mechanisms.selection import log_softmax
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation


@dataclass(frozen=True)
class GapSelection(ExactMechanism):
    """A choice among the `top` best candidates if their margin passes a noisy test, otherwise None.

    With a part epsilon_1 of epsilon for the test, D the sensitivity, and m the margin:

        passes if m + Lap(2 D / epsilon_1) > safe_margin + (2 D / epsilon_1) log(1 / (2 delta)),
        then the exponential mechanism at epsilon_2 = epsilon - epsilon_1, among the top only,
        safe_margin = 2 D + (2 D / epsilon_2) log(top / delta).

    epsilon_1 = epsilon / 2; for top = 1 there is no choice, so epsilon_1 = epsilon and
    safe_margin = 2 D. It is (epsilon, delta)-DP.

    Proof. The test passes with probabilities within e^{epsilon_1}. If m <= safe_margin on x, it
    passes with probability at most delta. Otherwise let U and U' be the top on x and x'. Sums of
    e^{rate score} over a top are within e^{rate D}, since each is the largest over `top`
    candidates; so the choice among candidates of both U and U' is epsilon_2-DP. A candidate in U
    alone scores on x' at most as much as rank top + 1. So on x it scores at most 2 D more than that
    rank, which is m - 2 D below the best. All such candidates together are chosen with probability
    at most top e^{-rate (m - 2 D)} <= delta.

    Only differences of scores count, so `neighbors.half_range` may replace the sensitivity.
    Ties go to the earlier candidate. Raises ValueError unless sensitivity and epsilon are above 0,
    0 < delta < 1, candidates are distinct and 1 <= top < their number.

    >>> vote = GapSelection("abc", lambda data: [data.count(c) for c in "abc"], 1, 1, delta=1e-6)
    >>> vote.distribution(40 * "a" + 8 * "b").probabilities.round(6).tolist()
    [0.923524, 0.0, 0.0, 0.076476]
    """

    candidates: Sequence[Hashable]
    scores: Callable[[Any], Any]
    sensitivity: float
    epsilon: float
    delta: float
    top: int = 1
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "candidates", is_hashable=True)
        arguments.settle(self, arguments.function, "scores")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", above=0)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        object.__setattr__(self, "candidates", tuple(self.candidates))
        if len(set(self.candidates)) < len(self.candidates) or None in self.candidates:
            raise ValueError("candidates must be distinct, and none of them None")
        arguments.settle(self, arguments.whole, "top", least=1, most=len(self.candidates) - 1)
        arguments.number("the test's part of epsilon", self.test_epsilon, above=0)
        arguments.number("sensitivity / epsilon", self.test_scale, above=0)
        if self.top > 1:
            arguments.number("epsilon / sensitivity", self.rate, above=0)

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def test_epsilon(self) -> float:
        """The part of epsilon for the test."""
        return self.epsilon if self.top == 1 else self.epsilon / 2

    @property
    def test_scale(self) -> float:
        """The scale of the noise on the margin."""
        return 2 * self.sensitivity / self.test_epsilon

    @property
    def rate(self) -> float:
        """The log weight that a unit of score adds in the choice among the top."""
        return (self.epsilon - self.test_epsilon) / (2 * self.sensitivity)

    @property
    def safe_margin(self) -> float:
        """The margin above which the choice among the top is private."""
        if self.top == 1:
            return 2 * self.sensitivity
        return 2 * self.sensitivity + (np.log(self.top) - np.log(self.delta)) / self.rate

    @property
    def bar(self) -> float:
        """The threshold that the noisy margin has to exceed."""
        return self.safe_margin - self.test_scale * np.log(2 * self.delta)

    def rank(self, data: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions of all candidates, best first, and their scores in that order.

        Raises ValueError unless there is one finite score for each.
        """
        scores = records.reals("scores(data)", self.scores(data))
        if scores.shape != (len(self.candidates),):
            raise ValueError(f"scores(data) must have shape ({len(self.candidates)},)")
        order = np.argsort(-scores, kind="stable")
        return order, scores[order]

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the output: a candidate, or None."""
        order, scores = self.rank(data)
        lead = scores[0] - scores[self.top] - self.bar
        logs = np.full(len(self.candidates) + 1, -np.inf)
        choice = log_softmax(self.rate * (scores[: self.top] - scores[0]))
        logs[order[: self.top]] = log_cdf(lead, self.test_scale) + choice
        logs[-1] = log_cdf(-lead, self.test_scale)
        return Finite((*self.candidates, None), logs)
