"""Membership with a threshold for each record: the likelihood-ratio attack.

Some records are hard: a model has a large objective on them whether or not it was trained on them.
An attack with one threshold for all accuses the easy records. So the attacker first finds out how
each record looks in and out. She trains *shadow models*, each on a random half of the records that
she knows. On a record, the score of a model is

    log(p / (1 - p)) = -log(e^objective - 1),      p = e^-objective,

where p is the probability that the model gives to the right label. Over the models with the record
the score is about normal, with a mean and a deviation of its own, and so over the models without
it. She accuses the record whose score is more likely under the first distribution than under the
second, by some factor: a normal density in over a normal density out.

The measure of an attack is the share of members whom it accuses if it accuses hardly any outsider.
The share of right guesses on average is no good measure: an attacker who is certain about a few
people harms these few most.

Sources: Carlini, Chien, Nasr, Song, Terzis and Tramer (2022) for the attack and the measure;
Sablayrolles, Douze, Ollivier, Schmid and Jegou (2019) for a threshold for each record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments

MAX_SHADOWS = 10**6

LEAST_DEVIATION = 1e-3  # smaller deviations of scores are due to the number of shadow models


def confidences(objectives: ArrayLike) -> np.ndarray:
    """Return the score log(p / (1 - p)) for objectives -log p; same shape.

    Raises ValueError for objectives that are negative or not finite.

    >>> confidences([np.log(2), 0.01, 40.0]).round(3).tolist()
    [0.0, 4.6, -40.0]
    """
    values = arguments.reals("objectives", objectives)
    arguments.number("the least of objectives", float(values.min()), least=0)
    values = np.maximum(values, np.finfo(float).tiny)
    return -values - np.log(-np.expm1(-values))


@dataclass(frozen=True, eq=False)
class Shadows:
    """k models on random halves of n records: `members` and `scores` of shape (k, n).

    `members[i, j]` says whether model i was trained on record j, and `scores[i, j]` is the score of
    model i on record j.
    """

    members: np.ndarray
    scores: np.ndarray

    def split(self, last: int = 1) -> tuple[Shadows, Shadows]:
        """Return all models but the `last` ones, and the last ones, as targets of an attack."""
        parts = (slice(None, -last), slice(-last, None))
        first, second = (Shadows(self.members[part], self.scores[part]) for part in parts)
        return first, second


def train_shadows(
    train: Callable[[np.ndarray, np.random.Generator], Any],
    score: Callable[[Any, np.ndarray], np.ndarray],
    records: np.ndarray,
    count: int,
    rng: np.random.Generator,
) -> Shadows:
    """Train `count` models, each on records that a fair coin chose, and score all records.

    `train(records, rng)` returns a model, and `score(model, records)` n numbers, larger for
    members. Each two models that follow each other have opposite coins, so that every record is in
    and out equally often. Raises ValueError unless `count` is even and at least 4.
    """
    arguments.function("train", train)
    arguments.function("score", score)
    records = arguments.reals("records", records, ndim=2)
    count = arguments.size("count", count, least=4, most=MAX_SHADOWS)
    if count % 2:
        raise ValueError(f"count must be even, not {count}")
    arguments.generator("rng", rng)
    half = rng.random((count // 2, len(records))) < 0.5
    members = np.stack([half, ~half], axis=1).reshape(count, len(records))
    scores = [score(train(records[chosen], rng), records) for chosen in members]
    return Shadows(members, np.array(scores, dtype=float))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Normal distributions of each record's score: means and deviations in and out, each (n,)."""

    mean_in: np.ndarray
    deviation_in: np.ndarray
    mean_out: np.ndarray
    deviation_out: np.ndarray

    @classmethod
    def of(cls, shadows: Shadows) -> Calibration:
        """Estimate both distributions; raise ValueError for a record in or out less than twice."""
        moments = []
        for chosen in (shadows.members, ~shadows.members):
            if chosen.sum(axis=0).min() < 2:
                raise ValueError("shadows must have each record in twice, and out twice, at least")
            scores = np.where(chosen, shadows.scores, np.nan)
            moments += [np.nanmean(scores, axis=0), np.nanstd(scores, axis=0, ddof=1)]
        mean_in, deviation_in, mean_out, deviation_out = moments
        deviation_in = np.maximum(LEAST_DEVIATION, deviation_in)
        deviation_out = np.maximum(LEAST_DEVIATION, deviation_out)
        return cls(mean_in, deviation_in, mean_out, deviation_out)

    def log_ratios(self, scores: ArrayLike) -> np.ndarray:
        """Return log of the density in over the density out at each record's score, shape (..., n).

        Raises ValueError for scores that are no finite numbers.

        >>> one = Calibration(*(np.array([x]) for x in (1.0, 1.0, 0.0, 1.0)))
        >>> one.log_ratios([0.5]).tolist(), one.log_ratios([3.0]).tolist()
        ([0.0], [2.5])
        """
        values = arguments.reals("scores", scores)
        log_in = -(((values - self.mean_in) / self.deviation_in) ** 2) / 2
        log_out = -(((values - self.mean_out) / self.deviation_out) ** 2) / 2
        return log_in - log_out + np.log(self.deviation_out / self.deviation_in)


def true_positive_rate_at(
    false_positive_rate: float, member_scores: ArrayLike, outsider_scores: ArrayLike
) -> float:
    """Return the share of members above the least threshold that accuses so few outsiders.

    The share of accused outsiders is at most `false_positive_rate`. Raises ValueError for a rate
    outside of [0, 1], and for scores that are no finite numbers.

    >>> true_positive_rate_at(0.25, [0.5, 2.0, 3.0, 1.9], [-1.0, 0.0, 1.0, 2.5])
    0.75
    """
    rate = arguments.number("false_positive_rate", false_positive_rate, least=0, most=1)
    members = arguments.reals("member_scores", member_scores).ravel()
    outsiders = np.sort(arguments.reals("outsider_scores", outsider_scores).ravel())[::-1]
    allowed = int(rate * len(outsiders) + 1e-9)
    if allowed == len(outsiders):
        return 1.0
    return float((members > outsiders[allowed]).mean())
