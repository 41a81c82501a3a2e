"""Learning a rule from examples, privately: the exponential mechanism over a class of rules.

A class is a boolean array of shape (hypotheses, points): row h has the label of each
point under hypothesis h. Examples are pairs (point, label) with labels 0 or 1. A learner is
probably approximately correct (PAC) if, for every distribution of points and every hypothesis that
labels them, the rule that it returns is wrong on few new points, except with a small probability.

`dplab.theorems.private_pac` says how many examples `private_learner` needs.

Sources: Valiant (1984); Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2008). With weights
e^{-epsilon errors}, as some texts have them, the learner is 2 epsilon-DP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.mechanisms.selection import ExponentialMechanism

MAX_CLASS_ENTRIES = 2**27  # hypotheses times points


def thresholds(points: int) -> np.ndarray:
    """Return all rules [x >= t], t = 0, ..., points: bools of shape (points + 1, points).

    >>> thresholds(2).astype(int).tolist()
    [[1, 1], [0, 1], [0, 0]]
    """
    points = _check_points(points, lambda n: n + 1)
    return np.arange(points) >= np.arange(points + 1)[:, None]


def single_points(points: int) -> np.ndarray:
    """Return all rules [x = c]: bools of shape (points, points)."""
    return np.eye(_check_points(points, lambda n: n), dtype=bool)


def intervals(points: int) -> np.ndarray:
    """Return all rules [a <= x < b], the empty one first.

    Bools of shape (1 + points (points + 1) / 2, points).
    """
    points = _check_points(points, lambda n: 1 + n * (n + 1) // 2)
    lengths = thresholds(points)
    rules = [lengths[a] & ~lengths[b] for a in range(points) for b in range(a + 1, points + 1)]
    return np.array([lengths[points], *rules])


def _check_points(points: int, rules: Callable[[int], int]) -> int:
    """Return the number of points; raise ValueError if their rules are too many to store."""
    n = arguments.whole("points", points, least=1)
    if rules(n) * n > MAX_CLASS_ENTRIES:
        raise ValueError(f"points must be fewer than {n:,}: {rules(n):,} rules are too many")
    return n


def as_class(hypotheses: Any) -> np.ndarray:
    """Return the class as a bool array; raise ValueError unless it is rows of 0s and 1s."""
    rules = arguments.to_floats(hypotheses)
    if rules is None:
        raise ValueError(f"hypotheses must be rows of 0s and 1s, not {arguments.show(hypotheses)}")
    if rules.ndim != 2 or 0 in rules.shape or not np.isin(rules, (0, 1)).all():
        raise ValueError(f"hypotheses must be rows of 0s and 1s, not of shape {rules.shape}")
    return rules.astype(bool)


def examples(sample: Any, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points and the labels of a sample, ints of shape (n,), or raise ValueError."""
    pairs = records.reals("sample", sample)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError("sample must be pairs of a point and a label")
    labels = records.categories("the labels of sample", pairs[:, 1], 2)
    return records.categories("the points of sample", pairs[:, 0], points), labels


def errors(hypotheses: Any, sample: Any) -> np.ndarray:
    """Return how many examples each hypothesis gets wrong, ints of shape (hypotheses,).

    >>> errors(thresholds(2), [(0, 0), (1, 1), (1, 1)]).tolist()
    [1, 0, 2]
    """
    rules = as_class(hypotheses)
    points, labels = examples(sample, rules.shape[1])
    zeros = np.bincount(points[labels == 0], minlength=rules.shape[1])
    ones = np.bincount(points[labels == 1], minlength=rules.shape[1])
    return ones.sum() + rules @ (zeros - ones)


def private_learner(hypotheses: Any, epsilon: float) -> ExponentialMechanism:
    """Return the mechanism that chooses row h with P(h) proportional to e^{-epsilon errors_h / 2}.

    One example replaced moves the errors of a hypothesis by at most 1: epsilon-DP. Its data are
    samples of one fixed size.

    >>> private_learner(thresholds(2), 1).distribution([(0, 0), (1, 1)]).probabilities.round(3)
    array([0.274, 0.452, 0.274])
    """
    rules = as_class(hypotheses)
    return ExponentialMechanism(range(len(rules)), lambda data: -errors(rules, data), 1, epsilon)


def smallest_positive(sample: Any, points: int) -> int:
    """Return the threshold at the smallest point that is labelled 1, or `points` if none is.

    If a threshold gave the labels, it makes no error. It publishes somebody's point.

    Raises ValueError for other arguments.
    """
    points = arguments.whole("points", points, least=1)
    where, labels = examples(sample, points)
    return int(where[labels == 1].min(initial=points))


def cover(hypotheses: Any, weights: Any, radius: float) -> list[int]:
    """Return rows such that every hypothesis is near one of them.

    Near means that the two differ on points of a probability of at most `radius`. `weights` are the
    public probabilities of the points. The rows are chosen greedily, and any two of them differ by
    more than the radius. For thresholds there are fewer than 1 / radius + 1 rows, for any number of
    points. Raises ValueError for weights that are no probabilities of the points, and unless
    0 <= radius < 1.
    """
    rules: np.ndarray = as_class(hypotheses).astype(float)
    weights = _require_probabilities(weights, rules.shape[1])
    radius = arguments.number("radius", radius, least=0, below=1)
    centers: list[int] = []
    is_far: np.ndarray = np.ones(len(rules), dtype=bool)
    while is_far.any():
        centers.append(int(is_far.argmax()))
        center = rules[centers[-1]]
        distances = rules @ (weights * (1 - 2 * center)) + center @ weights  # P[they differ]
        is_far &= distances > radius + 1e-12
    return centers


def _as_rule(rule: Any) -> np.ndarray:
    labels = arguments.categories("rule", rule, 2)
    if labels.ndim != 1:
        raise ValueError(f"rule must be a row of 0s and 1s, not of shape {labels.shape}")
    return labels.astype(bool)


def draw_sample(rule: Any, weights: Any, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n points, labelled by the rule, a row of bools; examples are ints of shape (n, 2).

    `weights` are the probabilities of the independent points. Raises ValueError for other weights,
    and unless n is a whole number of at least 1.
    """
    rule, n = _as_rule(rule), arguments.size("n", n)
    arguments.generator("rng", rng)
    weights = _require_probabilities(weights, len(rule))
    points = rng.choice(len(rule), size=n, p=weights)
    return np.column_stack([points, rule[points]])


def all_samples(rule: Any, weights: Any, n: int) -> Iterator[tuple[Sequence, float]]:
    """Yield every sample of n labelled points, sorted, and the probability of its points.

    That is the probability to draw them in any order. There are C(points + n - 1, n) samples.
    Raises ValueError as `draw_sample` does.
    """
    rule = _as_rule(rule)
    weights, n = _require_probabilities(weights, len(rule)), arguments.whole("n", n, least=1)
    labels = rule.astype(int).tolist()
    for points in combinations_with_replacement(range(len(rule)), n):
        counts = np.bincount(points, minlength=len(rule))
        orders = factorial(n) // prod(map(factorial, counts.tolist()))
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(counts > 0, counts * np.log(weights), 0.0)  # 0 log 0 is 0
        yield [(x, labels[x]) for x in points], float(np.exp(log(orders) + logs.sum()))


def _require_probabilities(weights: Any, points: int) -> np.ndarray:
    weights = arguments.reals("weights", weights)
    if weights.shape != (points,) or weights.min() < 0 or abs(weights.sum() - 1) > 1e-9:
        raise ValueError(f"weights must be {points} probabilities that sum to 1, not {weights}")
    return weights
