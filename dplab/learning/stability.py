"""Learning by agreement: publish the rule that most parts of the sample lead to.

An algorithm A is globally stable at eta on a distribution if some rule h comes out of a sample of m
examples with P[A(S) = h] >= eta: exactly h, not one like it.

Theorem (such rules generalise). If A makes no error on its own sample, then h is wrong on new
points with probability at most 1 - eta^{1/m} <= ln(1 / eta) / m.

Proof. If h is wrong with probability e, it makes no error on m examples with probability (1 - e)^m,
and where it comes out it makes none: eta <= (1 - e)^m.

Theorem (such algorithms can be made private). Cut k m examples into k parts and run A on each. One
example replaced changes one of the k rules that come out, so that their histogram may be published
by any private mechanism. `StabilityHistogram` does it for rules that nobody listed; the rest is
post-processing. About eta k parts agree on h: with k of log(1 / delta) / (eta epsilon), up to
constants, the count of h exceeds the noise, however many rules there are.

Every class of finite Littlestone dimension d has such an algorithm, built on the standard optimal
one, with eta = 2^{-2^{O(d)}}; polynomially many examples in d suffice by another way.

Sources: Bun, Livni and Moran (2020); Ghazi, Golowich, Kumar and Manurangsi (2021).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP
from dplab.learning.littlestone import MistakeGame
from dplab.learning.mistakes import standard_optimal
from dplab.learning.pac import all_samples
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.histogram import StabilityHistogram
from dplab.neighbors import REPLACE_ONE, Neighbors

MAX_EXAMPLES = 2000  # all samples are enumerated

MAX_COUNTS = 2_000_000  # noisy counts in the distribution of a published rule
TAIL_SCALES = 40  # noise scales; larger counts have probability e^-40 and are taken for one


@dataclass(frozen=True)
class StableLearner(ExactMechanism):
    """The mechanism that publishes the rule on which most of `parts` parts of the sample agree.

        output = argmax_h (#{parts whose rule is h} + noise_h) if that count >= T, otherwise None

    `learner(part)` returns a hashable rule, or None to abstain, and has no randomness of its own.
    The parts are disjoint and have len(data) // parts examples each; the rest is not used. The rule
    of the largest noisy count is published if it reaches the threshold of `StabilityHistogram`,
    otherwise None: (epsilon, delta)-DP.
    Raises ValueError for bad epsilon or delta, and on a sample with fewer examples than parts.
    """

    learner: Callable[[Sequence], Hashable]
    parts: int
    epsilon: Any
    delta: float
    neighbors: Neighbors = field(default=REPLACE_ONE, init=False)

    def __post_init__(self):
        arguments.settle(self, arguments.function, "learner")
        arguments.settle(self, arguments.whole, "parts", least=1)
        _ = self.histogram

    @cached_property
    def histogram(self) -> StabilityHistogram:
        """The mechanism that publishes the rules of the parts and their noisy counts."""
        return StabilityHistogram(self.epsilon, self.delta, self.neighbors)

    @property
    def guarantee(self) -> ApproxDP:
        return self.histogram.guarantee

    def rules(self, data: Sequence) -> list[Hashable]:
        """Return the rule of each part, without the parts where the learner abstains: not private.

        Raises ValueError for fewer records than parts.
        """
        data = records.sized("data", data)
        if len(data) < self.parts:
            raise ValueError(f"data must be at least {self.parts} examples")
        size = len(data) // self.parts
        part_rules = [self.learner(data[i * size : (i + 1) * size]) for i in range(self.parts)]
        return [rule for rule in part_rules if rule is not None]

    def distribution(self, data: Sequence) -> Finite:
        """Return the distribution of the published rule: the largest of independent noisy counts.

        Raises ValueError if epsilon is so small that the distribution is too large to store.
        """
        counts = Counter(self.rules(data))
        if not counts:
            return Finite.of({None: 1.0})
        names = sorted(counts, key=repr)  # the first name wins a tie
        tail = int(TAIL_SCALES * 2 / self.histogram.epsilon)
        most = max(counts.values()) + self.histogram.threshold + tail
        if most > MAX_COUNTS:
            raise ValueError(f"epsilon must be larger: the law has more than {MAX_COUNTS} counts")
        heights = [None, *range(self.histogram.threshold, most + 1)]
        distributions = [self.histogram.bin_law(counts[name], most) for name in names]
        pmf = np.exp([distribution.log_densities(heights) for distribution in distributions])
        up_to = np.cumsum(pmf, axis=1)
        smaller = up_to - pmf
        chances = {}
        for i, name in enumerate(names):
            wins = pmf[i] * smaller[:i].prod(axis=0) * up_to[i + 1 :].prod(axis=0)
            chances[name] = float(wins[1:].sum())
        return Finite.of({**chances, None: float(pmf[:, 0].prod())})

    def __call__(self, data: Sequence, rng: Any) -> Hashable:
        """Return one rule, or None, drawn with exact noise."""
        return next(iter(self.histogram(self.rules(data), rng)), None)


def optimal_rule(hypotheses: Any) -> Callable[[Sequence], tuple[int, ...]]:
    """Return the learner that labels all points like the standard optimal algorithm.

    Its rules are tuples of a label for each point; they need not be in the class. For single points
    the rule is the hypothesis itself if its point occurs in the sample, otherwise "0 everywhere".
    One of the two is the rule of at least half of all samples, however many points there are.

    >>> from dplab.learning import single_points
    >>> optimal_rule(single_points(3))([(0, 0)]), optimal_rule(single_points(3))([(2, 1)])
    ((0, 0, 0), (0, 0, 1))
    """
    game = MistakeGame(hypotheses)

    def learn(sample: Sequence) -> tuple[int, ...]:
        alive = game.consistent(sample)
        return tuple(standard_optimal(game, alive, point) for point in range(game.points))

    return learn


def rule_law(learner: Callable[[Sequence], Hashable], rule: Any, weights: Any, n: int) -> Finite:
    """Return the distribution of the rule learned from n random examples of `rule`, a row of bools.

    All samples are enumerated; `weights` are the probabilities of the points. The learner must not
    depend on the order of the examples. It is globally stable at the largest probability.

    Raises ValueError for other arguments.
    """
    n = arguments.size("n", n, most=MAX_EXAMPLES)
    arguments.function("learner", learner)
    chances: dict[Hashable, float] = defaultdict(float)
    for sample, chance in all_samples(rule, weights, n):
        chances[learner(sample)] += chance
    return Finite.of(chances)


def stable_error(eta: float, n: int) -> float:
    """Return 1 - eta^{1/n}, the largest error of a rule that is stable at eta.

    Such a rule comes out of n examples with probability eta, and makes no error on them. Raises
    ValueError unless 0 < eta <= 1 and n >= 1.
    """
    eta = arguments.number("eta", eta, above=0, most=1)
    return float(-np.expm1(np.log(eta) / arguments.whole("n", n, least=1)))
