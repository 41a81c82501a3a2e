"""From true answers to published ones: suppression, flattening, noise; for many questions at once.

    answer = round(flattened sum + scale * sum of layers),   no answer for too few people

A set of fewer than 2 people gets no answer. Nor does a set of fewer than a threshold, drawn from
N(4, 1/2), which sticks to the set. The one or two largest values are flattened to the mean of the
next one to three. `scale` is the larger of the mean value and half of that top group's mean: 1 for
a count of people. A layer is a standard Gaussian. A static layer depends on the name of a
condition, a dynamic one on the name and the set of people.

Over curators k layers have standard deviation sqrt(k) * scale. An attack asks one curator. Static
layers of repeated conditions move all its answers together, so these spread less around their mean.
Sources: Francis, Probst Eide and Munz (2017); Aircloak's documents of Diffix Cedar.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.attacks.diffix import noise
from dplab.attacks.diffix.generations import Generation

THRESHOLD, OUTLIERS, TOP = 1, 2, 3  # the purposes of numbers that a set's seed draws


@dataclass(frozen=True, eq=False)
class Batch:
    """m questions on n people: the set of people of each question, and each person's value.

    `members` is True or False, (m, n). `people` are the people's seeds, `values` what each adds to
    a sum, at least 0, (n,). `texts`, `static` and `dynamic` have an entry for each question: its
    text, and the names of its layers. All questions have the same number of layers.
    """

    members: np.ndarray
    people: np.ndarray
    values: np.ndarray
    texts: list[str]
    static: list[tuple[str, ...]]
    dynamic: list[tuple[str, ...]]

    def answers(
        self, generation: Generation, salt: str, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Return the published answers, floats of shape (m,); NaN where suppressed.

        Fresh noise needs `rng`. Raises ValueError if it is missing then, or for a negative value.
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
        sums, scale = self._flatten(sets)
        answers = np.round(sums + generation.sigma * scale * self.layers(salt, sets))
        return np.where(self._is_suppressed(sets), np.nan, answers)

    def layers(self, salt: str, sets: np.ndarray) -> np.ndarray:
        """Add up each question's layers, in units of one layer's standard deviation: (m,)."""
        total = np.zeros(len(sets))
        for names in zip(*self.static, strict=True):
            total += noise.normals(noise.seeds(salt, names))
        for names in zip(*self.dynamic, strict=True):
            total += noise.normals(noise.mix(noise.seeds(salt, names), sets))
        return total

    def _is_suppressed(self, sets: np.ndarray) -> np.ndarray:
        size = self.members.sum(axis=1)
        return (size < 2) | (size < 4 + 0.5 * noise.normals(sets, THRESHOLD))

    def _flatten(self, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums after flattening the largest values, and the scale of the noise."""
        order = np.argsort(-self.values, kind="stable")
        members, values = self.members[:, order], self.values[order]
        rank = np.where(members, np.cumsum(members, axis=1, dtype=np.int32), 0)
        outliers: np.ndarray = 1 + (noise.uniforms(sets, OUTLIERS) * 2).astype(int)[:, None]
        top = outliers + 1 + (noise.uniforms(sets, TOP) * 3).astype(int)[:, None]
        is_outlier, in_top = (rank > 0) & (rank <= outliers), (rank > outliers) & (rank <= top)
        top_mean = (in_top @ values) / np.maximum(1, in_top.sum(axis=1))
        sums = members @ values - is_outlier @ values + is_outlier.sum(axis=1) * top_mean
        mean = sums / np.maximum(1, members.sum(axis=1))
        return sums, np.maximum(mean, top_mean / 2)
