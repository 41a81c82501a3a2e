"""From true answers to published ones: suppression, flattening, noise; for many questions at once.

    answer = round(flattened sum + scale * sum of layers),   nothing at all for too few people

A set of fewer than 2 people gets no answer, nor one of fewer than a threshold that is drawn from
N(4, 1/2) and sticks to the set. The one or two who add most are flattened to the mean of the next
one to three. `scale` is the larger of the mean of what people add and half of that top group's
mean: 1 for a count of people. A layer is a standard Gaussian, static by the name of a condition,
dynamic by the name and the set of people; k layers have standard deviation sqrt(k) * scale.
Over curators, that is: an attack asks one, whose static layers of the conditions that it keeps move
all its answers together, so these spread by less around their own mean.
Sources: Francis, Probst Eide and Munz (2017); Aircloak's documents of Diffix Cedar.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.attacks.diffix import noise
from dplab.attacks.diffix.generations import Generation

THRESHOLD, OUTLIERS, TOP = 1, 2, 3  # purposes of the numbers drawn from a set's seed


@dataclass(frozen=True, eq=False)
class Batch:
    """m questions on n people: who is in the set of each, and what each person adds.

    `members` is True or False, (m, n); `people` are the people's seeds and `values` what they add,
    at least 0, (n,). `texts`, `static` and `dynamic` have an entry for each question: its text, and
    the names of its layers, as many for each question.
    """

    members: np.ndarray
    people: np.ndarray
    values: np.ndarray
    texts: list[str]
    static: list[tuple[str, ...]]
    dynamic: list[tuple[str, ...]]

    def answers(self, generation: Generation, salt: str, rng=None) -> np.ndarray:
        """What the curator publishes, floats of shape (m,); NaN where it suppresses the answer.

        `rng` is needed where noise is fresh. Raises ValueError if it is missing then, or where
        somebody adds less than 0.
        """
        if (self.values < 0).any():
            raise ValueError(f"values must be at least 0, not {self.values.min()}")
        sums = self.members @ self.values
        if generation.noise == "none":
            return sums
        if generation.noise == "fresh":
            if rng is None:
                raise ValueError("rng must be a numpy.random.Generator where noise is fresh")
            return np.round(sums + rng.normal(0, generation.sigma, len(sums)))
        if generation.noise == "sticky":
            return np.round(sums + generation.sigma * noise.normals(noise.seeds(salt, self.texts)))
        sets = noise.set_seeds(self.members, self.people)
        sums, scale = self._flattened(sets)
        answers = np.round(sums + generation.sigma * scale * self.layers(salt, sets))
        return np.where(self._suppressed(sets), np.nan, answers)

    def layers(self, salt: str, sets: np.ndarray) -> np.ndarray:
        """The sum of each question's layers, in units of one layer's standard deviation: (m,)."""
        total = np.zeros(len(sets))
        for names in zip(*self.static, strict=True):
            total += noise.normals(noise.seeds(salt, names))
        for names in zip(*self.dynamic, strict=True):
            total += noise.normals(noise.mixed(noise.seeds(salt, names), sets))
        return total

    def _suppressed(self, sets: np.ndarray) -> np.ndarray:
        size = self.members.sum(axis=1)
        return (size < 2) | (size < 4 + 0.5 * noise.normals(sets, THRESHOLD))

    def _flattened(self, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sums with the largest contributions cut down, and the scale of the noise."""
        order = np.argsort(-self.values, kind="stable")
        members, values = self.members[:, order], self.values[order]
        rank = np.where(members, np.cumsum(members, axis=1, dtype=np.int32), 0)
        outliers: np.ndarray = 1 + (noise.uniforms(sets, OUTLIERS) * 2).astype(int)[:, None]
        top = outliers + 1 + (noise.uniforms(sets, TOP) * 3).astype(int)[:, None]
        cut, shown = (rank > 0) & (rank <= outliers), (rank > outliers) & (rank <= top)
        top_mean = (shown @ values) / np.maximum(1, shown.sum(axis=1))
        sums = members @ values - cut @ values + cut.sum(axis=1) * top_mean
        mean = sums / np.maximum(1, members.sum(axis=1))
        return sums, np.maximum(mean, top_mean / 2)
