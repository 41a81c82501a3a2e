"""Teachers and a student (PATE): models trained on parts of the data vote on public points.

Each teacher is trained on its own part of the private data. For each public point the classes get
votes, noise is added to the counts, and the winner is the label. A student is trained on these
labels alone: that is post-processing. It is sample and aggregate with a noisy vote.

A record is in one part and changes one teacher, whose vote leaves one class for another: by sqrt(2)
in L2 for each point. All votes about m points together are one vector that moves by sqrt(2 m), so
normal noise of sigma costs rho = m / sigma^2.

Where nearly all teachers agree, one vote hardly changes the winner, and less than this is spent;
but how much less depends on the data, and is secret like them. Papernot and others (2018) publish
it with smooth sensitivity.

Sources: Papernot, Abadi, Erlingsson, Goodfellow and Talwar (2017); Papernot, Song, Mironov,
Raghunathan, Talwar and Erlingsson (2018), for normal noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.losses import GaussianLoss
from dplab.mechanism import Mechanism
from dplab.mechanisms.sample_and_aggregate import split_evenly
from dplab.neighbors import REPLACE_ONE


@dataclass(frozen=True, eq=False)
class TeacherLabels(Mechanism):
    """The mechanism that labels public points by a noisy vote of teachers.

        label of point j = argmax_c (#{teachers that say c about j} + N(0, sigma^2))

    `learner(part)` returns a rule, and `rule(points)` a class 0 .. classes - 1 for each point. The
    learner has no randomness of its own. Points have shape (m, ...). It is (m / sigma^2)-zCDP.
    Noise is floats, whose low bits choose among ties only.
    Raises ValueError unless points are numbers, parts >= 1, classes >= 2 and sigma > 0.

    >>> def learn(part):
    ...     return lambda points: (points > np.mean(part)).astype(int)
    >>> teachers = TeacherLabels(learn, [0.0, 0.4, 1.0], parts=3, classes=2, sigma=2)
    >>> teachers.votes(np.array([0.1, 0.3, 0.5, 0.3, 0.6, 0.8])).tolist()
    [[3, 0], [2, 1], [0, 3]]
    >>> teachers.guarantee
    ZCDP(rho=0.7499999999999999)
    """

    learner: Callable[[Any], Callable[[np.ndarray], Any]]
    points: np.ndarray
    parts: int
    classes: int
    sigma: float
    neighbors = REPLACE_ONE
    is_tight = False  # only the winners are published, not the noisy counts

    def __post_init__(self):
        arguments.settle(self, arguments.function, "learner")
        arguments.settle(self, arguments.reals, "points")
        object.__setattr__(self, "points", np.atleast_1d(self.points))
        arguments.settle(self, arguments.whole, "parts", least=1)
        arguments.settle(self, arguments.size, "classes", least=2)
        arguments.settle(self, arguments.number, "sigma", above=0)
        arguments.number("sqrt(points) / sigma", len(self.points) ** 0.5 / self.sigma, above=0)

    @property
    def worst_case(self) -> GaussianLoss:
        """The loss when a teacher changes its vote about every point."""
        return GaussianLoss(float(np.sqrt(2 * len(self.points)) / self.sigma))

    def votes(self, data: Any) -> np.ndarray:
        """Return how many teachers say each class about each point, shape (m, classes).

        They are not private.
        """
        counts: np.ndarray = np.zeros((len(self.points), self.classes), dtype=int)
        for part in split_evenly(data, self.parts):
            answers = self.learner(part)(self.points)
            labels = records.categories("a teacher's labels", answers, self.classes)
            counts[np.arange(len(self.points)), labels.reshape(len(self.points))] += 1
        return counts

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        votes = self.votes(data)
        arguments.generator("rng", rng)
        return np.argmax(votes + rng.normal(0.0, self.sigma, votes.shape), axis=1)
