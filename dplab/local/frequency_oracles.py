"""Frequency oracles: how many people have each of k categories, if everybody adds noise.

Each answer *supports* some categories. It supports the person's own with probability p and each
other one with probability q. If s_j people of n have category j, it is supported by
s_j p + (n - s_j) q answers in the mean. So

    estimate of the share s_j / n  =  (share of answers that support j - q) / (p - q)

is unbiased. Only the coins vary: each person adds p (1 - p) or q (1 - q), for any other category.
At share 0 the variance is q (1 - q) / (n (p - q)^2), which is, times n (e^epsilon - 1)^2,

    e^epsilon + k - 2            randomized response with k answers: one number
    (1 + e^(epsilon/2))^2 e^(epsilon/2)      unary encoding as in RAPPOR: k bits
    4 e^epsilon                  optimised unary encoding (k bits), local hashing
    (1 + e^epsilon)^2            Hadamard response: log2(k) + 1 bits

Randomized response is better than the optimised encoding if and only if k < 3 e^epsilon + 2.

Sources: Wang, Blocki, Li and Jha, Locally differentially private protocols for frequency
estimation (2017); Erlingsson, Pihur and Korolova (2014) for RAPPOR; Acharya, Sun and Zhang (2019),
for Hadamard response.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit

from dplab import arguments, records
from dplab.distributions import Distribution, Finite, Product
from dplab.losses import AtomicLoss
from dplab.mechanisms.randomized_response import MAX_ANSWERS, LocalMechanism
from dplab.queries.families import transform

MAX_CODE = 2**53  # an answer is a whole number that a float holds
BLOCK = 2**22  # pairs of an answer and a category that are compared at once


class FrequencyOracle(LocalMechanism):
    """A local mechanism for categories 0..k-1 whose answers support categories, see above.

    The loss between two truths is epsilon, -epsilon or 0.
    """

    epsilon: float
    k: int

    @property
    @abstractmethod
    def truth_probability(self) -> float:
        """p, with which an answer supports the person's own category."""

    @property
    @abstractmethod
    def lie_probability(self) -> float:
        """q, with which an answer supports any other category."""

    @property
    @abstractmethod
    def telling_probability(self) -> float:
        """The probability that an answer's loss, of one truth against another, is epsilon."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of possible answers."""

    @property
    def bits(self) -> float:
        """The length of an answer, log2 of `size`."""
        return math.log2(self.size)

    @abstractmethod
    def supports(self, answers: Any, categories: ArrayLike | None = None) -> np.ndarray:
        """Return whether each answer supports each category, bools of shape (n, categories).

        The categories are all k, unless others are named. Raises ValueError for other answers.
        """

    @property
    def worst_case(self) -> AtomicLoss:
        """The loss of any two truths."""
        for_it, against_it = self.telling_probability * np.exp([0, -self.epsilon])
        rest = 1 - for_it - against_it
        masses = np.array([against_it, rest, for_it])
        return AtomicLoss(self.epsilon * np.array([-1.0, 0, 1]), masses, masses[::-1])

    def frequencies(self, answers: Any, categories: ArrayLike | None = None) -> np.ndarray:
        """Estimate the share of people in each of the categories, all k if none are named.

        The estimates are unbiased, so some may be below 0. Raises ValueError for other answers.
        """
        support = self._count_support(answers, self._to_categories(categories)) / len(answers)
        return (support - self.lie_probability) / self._gap

    def frequency_variance(self, share: float, n: int) -> float:
        """Return the variance of one of `frequencies`, from n answers, see above.

        Raises ValueError unless the share is from 0 to 1 and n a whole number of at least 1, and
        for an epsilon so small that p - q is below 1e-9.
        """
        share = arguments.number("share", share, least=0, most=1)
        n = arguments.whole("n", n, least=1)
        p, q = self.truth_probability, self.lie_probability
        return (share * p * (1 - p) + (1 - share) * q * (1 - q)) / n / self._gap**2

    @property
    def _gap(self) -> float:
        gap = self.truth_probability - self.lie_probability
        return arguments.number("p - q", gap, least=1e-9)  # below, it has few digits

    def _count_support(self, answers: Any, categories: np.ndarray) -> np.ndarray:
        answers, size = np.asarray(answers), max(1, BLOCK // len(categories))
        blocks = (answers[i : i + size] for i in range(0, len(answers), size))
        return sum(self.supports(block, categories).sum(axis=0) for block in blocks)

    def _to_categories(self, categories: ArrayLike | None) -> np.ndarray:
        if categories is None:
            return np.arange(arguments.size("k", self.k, most=BLOCK))
        return arguments.categories("categories", categories, self.k, ndim=1)


@dataclass(frozen=True)
class UnaryEncoding(FrequencyOracle):
    """The mechanism that sends k bits, one for each category, each with noise of its own.

        P(bit_j = 1 | truth = i) = p if j = i, q otherwise,   p (1 - q) / (q (1 - p)) = e^epsilon

    Two truths differ in two bits; their ratios are p / q and (1 - q) / (1 - p), and the product is
    e^epsilon. The optimised encoding has p = 1/2 and q = 1 / (1 + e^epsilon), which minimises the
    variance q (1 - q) / (p - q)^2 at share 0. A *symmetric* one, RAPPOR's, has
    p = 1 - q = e^(epsilon/2) / (1 + e^(epsilon/2)). An answer is an array of k zeros and ones.
    Raises ValueError unless epsilon > 0 and 2 <= k <= 4096.

    Sources: Wang and others (2017), Section 4; Erlingsson and others (2014).

    >>> answers = UnaryEncoding(epsilon=1.0, k=4)([0, 3, 3], np.random.default_rng(1))
    >>> answers.shape
    (3, 4)
    """

    epsilon: float
    k: int
    symmetric: bool = False

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.whole, "k", least=2, most=MAX_ANSWERS)
        arguments.settle(self, arguments.flag, "symmetric")

    @property
    def truth_probability(self) -> float:
        return float(expit(self.epsilon / 2)) if self.symmetric else 0.5

    @property
    def lie_probability(self) -> float:
        return float(expit(-self.epsilon / 2 if self.symmetric else -self.epsilon))

    @property
    def telling_probability(self) -> float:
        return self.truth_probability * (1 - self.lie_probability)

    @property
    def size(self) -> int:
        return 2**self.k

    @cached_property
    def answer_laws(self) -> tuple[Product, ...]:  # type: ignore[override]
        p, q = self.truth_probability, self.lie_probability
        true, false = Finite.of({0: 1 - p, 1: p}), Finite.of({0: 1 - q, 1: q})
        return tuple(
            Product(tuple(true if j == truth else false for j in range(self.k)))
            for truth in range(self.k)
        )

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of one answer's bits, or of all answers, one after another.

        Raises ValueError for data that are not categories.
        """
        truths = records.categories("data", data, self.k)
        if truths.ndim == 0:
            return self.answer_laws[int(truths)]
        return Product(tuple(bit for v in truths.ravel() for bit in self.answer_laws[v].factors))

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return the bits of all people, of the shape of data and then k.

        Raises ValueError for other arguments.
        """
        truths = records.categories("data", data, self.k)
        arguments.generator("rng", rng)
        is_truth = np.arange(self.k) == truths[..., None]
        chance = np.where(is_truth, self.truth_probability, self.lie_probability)
        return (rng.random(chance.shape) < chance).astype(int)

    def supports(self, answers: Any, categories: ArrayLike | None = None) -> np.ndarray:
        """Return the bits of these categories.

        Raises ValueError for other answers.
        """
        bits = arguments.categories("answers", answers, 2, ndim=2)
        if bits.shape[1] != self.k:
            raise ValueError(f"answers must have {self.k} bits each, not {bits.shape[1]}")
        return bits[:, self._to_categories(categories)] == 1


@dataclass(frozen=True)
class HadamardResponse(FrequencyOracle):
    """The mechanism that sends the number of a column in which the truth's row has a +1, mostly.

        P(answer = y | truth = i) = 2 p / K if H[i + 1, y] = 1, 2 (1 - p) / K otherwise,
        p = e^epsilon / (1 + e^epsilon)

    H is the Hadamard matrix of K rows, K the smallest power of two above k; its first row is all
    ones and belongs to nobody. Two rows agree in half of the columns: so an answer supports every
    other category with probability 1/2. Estimates for all k take K log2(K) sums. Raises ValueError
    unless epsilon > 0 and 2 <= k < 2^53.

    Source: Acharya, Sun and Zhang (2019), Section 3, for small epsilon.

    >>> HadamardResponse(epsilon=np.log(3), k=3).distribution(0).probabilities.round(3).tolist()
    [0.375, 0.125, 0.375, 0.125]
    """

    epsilon: float
    k: int

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.whole, "k", least=2, most=MAX_CODE - 1)

    @property
    def size(self) -> int:
        """K, the number of columns."""
        return 1 << self.k.bit_length()

    @property
    def truth_probability(self) -> float:
        return float(expit(self.epsilon))

    @property
    def lie_probability(self) -> float:
        return 0.5

    @property
    def telling_probability(self) -> float:
        return self.truth_probability / 2

    @cached_property
    def answer_laws(self) -> tuple[Finite, ...]:
        arguments.whole("k", self.k, least=2, most=MAX_ANSWERS - 1)
        columns = np.arange(self.size)
        logs = log_expit([self.epsilon, -self.epsilon]) - np.log(self.size / 2)
        rows = (logs[_odd_bits(columns & (truth + 1))] for truth in range(self.k))
        return tuple(Finite(tuple(columns.tolist()), row) for row in rows)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return a column for each person, ints of the shape of data.

        A random column of the wrong sign is turned into one of the right sign by the last binary
        one of the row's number. Raises ValueError for other arguments.
        """
        rows: np.ndarray = records.categories("data", data, self.k).astype(np.int64) + 1
        arguments.generator("rng", rng)
        columns = np.floor(rng.random(rows.shape) * self.size).astype(np.int64)
        lies = rng.random(rows.shape) >= self.truth_probability
        return np.where(_odd_bits(columns & rows) == lies, columns, columns ^ (rows & -rows))

    def supports(self, answers: Any, categories: ArrayLike | None = None) -> np.ndarray:
        """Return where the categories' rows have a +1 in the answers' columns.

        Raises ValueError for other answers.
        """
        columns = arguments.categories("answers", answers, self.size, ndim=1)
        rows: np.ndarray = self._to_categories(categories).astype(np.int64) + 1
        return _odd_bits(columns.astype(np.int64)[:, None] & rows) == 0

    def _count_support(self, answers: Any, categories: np.ndarray) -> np.ndarray:
        if len(categories) < self.k:
            return super()._count_support(answers, categories)
        columns = arguments.categories("answers", answers, self.size, ndim=1)
        sums = transform(np.bincount(columns, minlength=self.size))
        return (columns.size + sums[categories + 1]) / 2


def _odd_bits(numbers: np.ndarray) -> np.ndarray:
    """Return 1 for numbers of int64 with an odd number of binary ones, 0 for the others."""
    for shift in (32, 16, 8, 4, 2, 1):
        numbers = numbers ^ (numbers >> shift)
    return numbers & 1
