"""Learning by agreement: publish the rule that comes out of most parts of the sample.

An algorithm A is globally stable at eta on a distribution if some rule h comes out of a sample of m
examples with P[A(S) = h] >= eta: exactly h, not one like it.

Theorem (such rules generalise). If A makes no error on its own sample, then h is wrong on new
points with probability at most 1 - eta^{1/m} <= ln(1 / eta) / m.

Proof. If h is wrong with probability e, it makes no error on m examples with probability (1 - e)^m,
and where it comes out it makes none: eta <= (1 - e)^m.

Theorem (such algorithms can be made private). Cut k m examples into k parts and run A on each. One
example replaced changes one of the k rules that come out, so that their histogram may be published
by any private way, for rules that nobody listed by `StabilityHistogram`; the rest is
post-processing. About eta k parts agree on h: with k of log(1 / delta) / (eta epsilon), up to
constants, h stands out, however many rules there are.

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

from dplab import arguments
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP
from dplab.learning.littlestone import MistakeGame
from dplab.learning.mistakes import standard_optimal
from dplab.learning.pac import all_samples
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.histogram import StabilityHistogram
from dplab.neighbors import REPLACE_ONE, Neighbors

MOST_HEIGHTS = 2_000_000  # counts in a law that is written down
TAIL = 40  # in scales of the noise: counts beyond are drawn with probability e^-40, taken for one


@dataclass(frozen=True)
class StableLearner(ExactMechanism):
    """The rule on which most of `parts` disjoint parts of the sample agree, or None.

    `learner(part)` returns a hashable rule, or None to abstain, and has no randomness of its own.
    Parts have len(data) // parts examples each; what is left over is not used. The rule of the
    largest noisy count is published, if it reaches the threshold of `StabilityHistogram`:
    (epsilon, delta)-DP.
    Raises ValueError for bad epsilon or delta, and on a sample with fewer examples than parts.
    """

    learner: Callable[[Sequence], Hashable]
    parts: int
    epsilon: Any
    delta: float
    neighbors: Neighbors = field(default=REPLACE_ONE, init=False)

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "parts", least=1)
        _ = self.histogram

    @cached_property
    def histogram(self) -> StabilityHistogram:
        """What publishes the rules that came out, and how often."""
        return StabilityHistogram(self.epsilon, self.delta, self.neighbors)

    @property
    def guarantee(self) -> ApproxDP:
        return self.histogram.guarantee

    def rules(self, data: Sequence) -> list[Hashable]:
        """What the learner makes of each part, if it doesn't abstain: not private.

        Raises ValueError for fewer records than parts.
        """
        size = arguments.whole("len(data)", len(data), least=self.parts) // self.parts
        made = [self.learner(data[i * size : (i + 1) * size]) for i in range(self.parts)]
        return [rule for rule in made if rule is not None]

    def distribution(self, data: Sequence) -> Finite:
        """The law of the published rule: the largest of independent noisy counts.

        Raises ValueError where epsilon is too small to write the law down.
        """
        counts = Counter(self.rules(data))
        if not counts:
            return Finite.of({None: 1.0})
        names = sorted(counts, key=repr)  # the first wins a tie
        tail = int(TAIL * 2 / self.histogram.epsilon)
        most = max(counts.values()) + self.histogram.threshold + tail
        if most > MOST_HEIGHTS:
            raise ValueError(f"epsilon must be larger: the law has more than {MOST_HEIGHTS} counts")
        heights = [None, *range(self.histogram.threshold, most + 1)]
        laws = [self.histogram.bin_law(counts[name], most) for name in names]
        pmf = np.exp([law.log_densities(heights) for law in laws])
        up_to = np.cumsum(pmf, axis=1)
        below = up_to - pmf
        chances = {}
        for i, name in enumerate(names):
            wins = pmf[i] * below[:i].prod(axis=0) * up_to[i + 1 :].prod(axis=0)
            chances[name] = float(wins[1:].sum())
        return Finite.of({**chances, None: float(pmf[:, 0].prod())})

    def __call__(self, data: Sequence, rng: Any) -> Hashable:
        """One rule, or None, drawn with exact noise."""
        return next(iter(self.histogram(self.rules(data), rng)), None)


def optimal_rule(hypotheses: Any) -> Callable[[Sequence], tuple[int, ...]]:
    """The learner that answers all points as the standard optimal algorithm would after the sample.

    Its rules are tuples of a label for each point, of the class or not. For single points they are
    the hypothesis itself if its point occurs in the sample, else "0 everywhere": one of the two
    comes out of at least half of all samples, however many points there are.

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
    """The law of what comes out of n random examples of a rule, a row of bools; by enumeration.

    `weights` are the points' probabilities. The learner must not look at the order of the examples.
    The algorithm is globally stable at the largest probability.
    """
    chances: dict[Hashable, float] = defaultdict(float)
    for sample, chance in all_samples(rule, weights, n):
        chances[learner(sample)] += chance
    return Finite.of(chances)


def stable_error(eta: float, n: int) -> float:
    """1 - eta^{1/n}: no rule that comes out of n examples with probability eta, and fits them, is
    wrong on more. Raises ValueError unless 0 < eta <= 1 and n >= 1.
    """
    eta = arguments.number("eta", eta, above=0, most=1)
    return float(-np.expm1(np.log(eta) / arguments.whole("n", n, least=1)))
