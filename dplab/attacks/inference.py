"""Statistical inference: good guesses from statistics of others, which privacy allows.

**Smoking and cancer.** A study finds that smokers fall ill more often. People who know that you
smoke now believe more about you, whether you were in the study or not. Differential privacy
guarantees that *your record* makes little difference. It does not guarantee that nothing is
learned.

**Surname and geography** (BISG). If block and surname are independent given the group, Bayes' rule
and the tables of a census and of its surnames give

    P(group | block, surname)  is proportional to  P(group | block) P(surname | group).

Noise for privacy leaves these predictions nearly as good, because they do not depend on one record.
Sources: Bun et al. (2021), "Statistical inference is not a privacy violation"; Elliott et al.
(2009) for BISG.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.data.surnames import Residents
from dplab.mechanisms.histogram import histogram


def risk(counts: ArrayLike, smokes: int) -> float:
    """Return the share of the ill among smokers (1) or others (0), from counts of shape (2, 2).

    Noisy counts are raised to 1/2 at least, so that there is always a share.

    Raises ValueError for other arguments.
    """
    counts = arguments.reals("counts", counts, ndim=2)
    arguments.one_of("smokes", smokes, (0, 1))
    well, ill = np.maximum(np.asarray(counts, dtype=float)[smokes], 0.5)
    return float(ill / (well + ill))


@dataclass(frozen=True, eq=False)
class Tables:
    """Counts of people by block and group, shape (blocks, groups), and by surname and group."""

    blocks: np.ndarray
    surnames: np.ndarray

    @classmethod
    def of(cls, residents: Residents, *, shape: tuple[int, int, int]) -> Tables:
        """Count exactly; `shape` says how many blocks, surnames and groups there are."""
        blocks, surnames, groups = shape
        return cls(
            _count(residents.block, residents.group, (blocks, groups)),
            _count(residents.surname, residents.group, (surnames, groups)),
        )

    def release(self, epsilon: float, rng: np.random.Generator) -> Tables:
        """Release noisy tables, epsilon-DP for replacing a person: epsilon / 2 for each table.

        Every count gets noise. Negative counts are set to zero: post-processing costs nothing.
        Raises ValueError unless epsilon is above 0.
        """
        arguments.generator("rng", rng)
        half = arguments.number("epsilon", epsilon, above=0) / 2
        return Tables(_add_noise(self.blocks, half, rng), _add_noise(self.surnames, half, rng))

    def posterior(self, block: np.ndarray, surname: np.ndarray) -> np.ndarray:
        """Return P(group | block, surname) for arrays of people, shape (people, groups).

        Where the tables rule out every group, all are equally likely.
        """
        borne = self.surnames / np.maximum(self.surnames.sum(axis=0), 1)
        weight = self.blocks[block] * borne[surname]
        weight[weight.sum(axis=-1) == 0] = 1
        return weight / weight.sum(axis=-1, keepdims=True)

    def accuracy(self, people: Residents) -> float:
        """Return the share of people whose likeliest group is theirs."""
        guesses = self.posterior(people.block, people.surname).argmax(axis=1)
        return float((guesses == people.group).mean())

    def without_own_record(self, people: Residents) -> np.ndarray:
        """Return each person's posterior of their own group from tables without their record.

        The tables must count all of these people. Shape (people,).
        """
        return np.array([self._compute_posterior_without(*person) for person in _list_rows(people)])

    def _compute_posterior_without(self, block: int, surname: int, group: int) -> float:
        blocks, surnames = self.blocks.copy(), self.surnames.copy()
        blocks[block, group] -= 1
        surnames[surname, group] -= 1
        other_tables = Tables(blocks, surnames)
        return float(other_tables.posterior(np.array([block]), np.array([surname]))[0, group])


def swap_residents(residents: Residents, share: float, rng: np.random.Generator) -> Residents:
    """Exchange the blocks of random pairs, until `share` of the people have another's block.

    Agencies used it earlier. Counts of people by block, and by group, do not change, and most
    records stay true. It has no privacy guarantee. Raises ValueError unless
    0 <= share <= 1.
    """
    arguments.instance("residents", residents, Residents)
    arguments.generator("rng", rng)
    share = arguments.number("share", share, least=0, most=1)
    pairs = int(share * len(residents) / 2)
    first, second = rng.permutation(len(residents))[: 2 * pairs].reshape(2, pairs)
    block = residents.block.copy()
    block[first], block[second] = residents.block[second], residents.block[first]
    return Residents(block, residents.surname, residents.group)


def lonely(residents: Residents) -> np.ndarray:
    """Return the positions of people who are the only one of their group in their block.

    Raises ValueError for other arguments.
    """
    arguments.instance("residents", residents, Residents)
    pairs = np.stack([residents.block, residents.group], axis=1)
    _, place, size = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    return np.flatnonzero(size[place.ravel()] == 1)


def _count(first: np.ndarray, second: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def _add_noise(counts: np.ndarray, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    noise = histogram(range(counts.size), epsilon=epsilon).noise.noise(rng, counts.shape)
    return np.maximum(counts + noise, 0)


def _list_rows(people: Residents) -> Sequence[tuple[int, int, int]]:
    columns = people.block.tolist(), people.surname.tolist(), people.group.tolist()
    return list(zip(*columns, strict=True))
