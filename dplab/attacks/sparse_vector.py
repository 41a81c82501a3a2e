"""Wrongly published variants of sparse vector, and the streams that prove them wrong.

Each variant guarantees `epsilon` and spends more, some of them without a limit. One pair of
neighbouring streams is enough for all of them. A run of answers that must look "below" comes first,
then a run that must look "above". Neighbours move the first up and the second down by the
sensitivity.

Source: Lyu, Su and Li (2017), Figure 1, which numbers the algorithms as below.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dplab import arguments
from dplab.mechanisms.laplace_quadrature import log_cdf
from dplab.mechanisms.sparse_vector import AboveThreshold, Transcript


@dataclass(frozen=True)
class QuietThreshold(AboveThreshold):
    """A threshold without noise: then every "below" costs as much as an "above".

    m answers below cost m epsilon_2 / (2 max_positives), without a limit as streams grow. This
    variant is not in Figure 1; it adds noise to the answers alone.
    """

    @property
    def threshold_scale(self) -> float:
        return 0.0


@dataclass(frozen=True)
class QuietAnswers(AboveThreshold):
    """Answers without noise, and no limit on "above" (Algorithm 5, from a paper of 2014).

    The transcript orders the answers: epsilon is infinite on a stream of two.
    """

    @property
    def query_scale(self) -> float:
        return 0.0

    @property
    def limit(self) -> float:
        return np.inf


@dataclass(frozen=True)
class Unlimited(AboveThreshold):
    """Noise as for one "above", and no limit on their number (Algorithm 6, from 2015).

    Every further pair of an answer below and one above costs at least epsilon / 2, without a limit.
    """

    @property
    def query_scale(self) -> float:
        return self.sensitivity / self.query_epsilon

    @property
    def limit(self) -> float:
        return np.inf


@dataclass(frozen=True)
class Unscaled(AboveThreshold):
    """A stop at `max_positives`, which the noise of the answers ignores (Algorithm 4, 2014).

    epsilon_1 = epsilon / 4 for the threshold; the scale of the answers is sensitivity / epsilon_2,
    without 2 c, where c is `max_positives`. It spends (1 + 6 c) epsilon / 4, no less.
    """

    threshold_share: float = 0.25

    @property
    def query_scale(self) -> float:
        return self.sensitivity / self.query_epsilon


@dataclass(frozen=True)
class ShownAnswers(AboveThreshold):
    """Publication of the noisy answer itself where it is above (Algorithm 3, notes of 2011).

    A published answer lies above the noisy threshold, so it is an upper bound on the threshold,
    and every "below" costs again, without a limit. Here answers are published rounded to the bins
    between `edges`, as intervals (low, high); rounding is post-processing and only hides.

    Raises ValueError for other arguments.
    """

    edges: tuple[float, ...] = (0.0,)

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(
            self, "edges", tuple(arguments.reals("edges", self.edges, ndim=1).tolist())
        )

    @property
    def query_scale(self) -> float:
        return self.max_positives * self.sensitivity / self.query_epsilon

    @property
    def replies(self) -> tuple:
        ends = (-np.inf, *self.edges, np.inf)
        return (False, *pairwise(ends))

    def publish(self, noisy: np.ndarray, bar: float) -> Transcript:
        replies = super().publish(noisy, bar)
        bins = self.replies[1:]
        pairs = zip(replies, noisy, strict=False)
        return tuple(bins[bisect_right(self.edges, y)] if hit else False for hit, y in pairs)

    def log_reply(self, answer: float, reply: Any, noise: np.ndarray) -> np.ndarray:
        if reply is False:
            return super().log_reply(answer, reply, noise)
        low, high = reply
        low = np.minimum(np.maximum(low, self.threshold + noise), high)
        return log_between(low - answer, high - answer, self.query_scale)

    def _noise(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # The published interval's ends are kinks too.
        return super()._noise(np.concatenate([answers, self.edges]))


VARIANTS = (QuietThreshold, QuietAnswers, Unlimited, Unscaled, ShownAnswers)


def log_between(low: np.ndarray, high: np.ndarray, scale: float) -> np.ndarray:
    """Return log P[low < noise < high] for Laplace noise of this scale, elementwise."""
    mirrored = low > 0  # mirrored tails are small, so their difference keeps its digits
    first, second = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    larger, smaller = log_cdf(second, scale), log_cdf(first, scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        return larger + np.log(-np.expm1(smaller - larger))


def telling_pair(
    negatives: int, positives: int, *, sensitivity: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return streams (0, ..., 0, D, ..., D) and (D, ..., D, 0, ..., 0), D the sensitivity.

    The first part of each has `negatives` entries, the rest `positives`; the two differ by D
    everywhere. The transcript "all below, then all above" is likelier under the first. Pairs of
    that length farther from the threshold reveal a little more. Raises ValueError unless both
    numbers are whole and at least 0.
    """
    negatives = arguments.size("negatives", negatives, least=0)
    positives = arguments.size("positives", positives, least=0)
    sensitivity = arguments.number("sensitivity", sensitivity, above=0)
    first: np.ndarray = np.repeat([0.0, sensitivity], [negatives, positives])
    return first, sensitivity - first


def transcript_loss(mechanism: AboveThreshold, negatives: int, positives: int) -> float:
    """Return the loss of `negatives` times "below", then `positives` times "above".

    `mechanism` compares the streams of `telling_pair`, with a threshold of 0. The loss is exact for
    this transcript, and a lower bound on epsilon; inf if only one stream can give it.

    Raises ValueError for other arguments.

    >>> stream = dict(threshold=0, sensitivity=1, epsilon=1)
    >>> round(transcript_loss(AboveThreshold(**stream), 20, 1), 4)
    1.0
    >>> transcript_loss(QuietAnswers(**stream), 1, 1)
    inf
    """
    arguments.instance("mechanism", mechanism, AboveThreshold)
    x, y = telling_pair(negatives, positives, sensitivity=mechanism.sensitivity)
    if not len(x):
        return 0.0  # no answers, no loss
    top = mechanism.replies[1]
    transcript = (False,) * negatives + (top,) * positives
    return mechanism.log_probability(x, transcript) - mechanism.log_probability(y, transcript)
