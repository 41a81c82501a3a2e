"""Local hashing: each person draws a hash function, and answers about its g values only.

A hash of the category is a number 0..g-1. Randomized response with g answers hides it, and the
answer supports all categories with the same hash as the answer. The hash functions are linear: for
a prime g write categories in base g, with d digits, and take

    h_a(v) = a_1 v_1 + ... + a_d v_d  modulo g

If v and w differ, then a (v - w) is uniform modulo g for a random a. So two categories collide with
probability exactly 1/g, and an answer supports another person's category with probability 1/g:

    p = e^epsilon / (e^epsilon + g - 1),   q = p / g + (1 - 1/g) (1 - p) / (g - 1) = 1/g,
    q (1 - q) / (p - q)^2 = (e^epsilon + g - 1)^2 / ((g - 1) (e^epsilon - 1)^2)

At g - 1 = e^epsilon this is least, 4 e^epsilon / (e^epsilon - 1)^2. With g = 2 it is
((e^epsilon + 1) / (e^epsilon - 1))^2, as for Hadamard response: h_a(v) is 1 where the Hadamard
matrix has a -1 at row v, column a.

Source: Wang, Blocki, Li and Jha (2017), Section 4.4; linear hash functions are Carter and
Wegman's (1979).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.local.frequency_oracles import MAX_CODE, FrequencyOracle
from dplab.mechanisms.randomized_response import MAX_ANSWERS, RandomizedResponse

MAX_HASH = 2**15  # values of a hash function


@dataclass(frozen=True)
class LocalHashing(FrequencyOracle):
    """The mechanism that sends a random hash function, and a noisy hash of the category.

        answer = a g + y,   P(y | a, truth = i) = e^epsilon / (e^epsilon + g - 1) if y = h_a(i),
                                                  1 / (e^epsilon + g - 1) otherwise

    a is uniform on the g^d hash functions, and independent of the truth. Without `g` it is the best
    prime for epsilon. An answer is one whole number. Raises ValueError unless epsilon > 0, g is a
    prime below 2^15 and k at least 2, with g^(d + 1) up to 2^53.

    Source: Wang, Blocki, Li and Jha (2017).

    >>> oracle = LocalHashing(epsilon=1.0, k=1000)
    >>> oracle.g, oracle.digits
    (3, 7)
    >>> oracle.hash_values([0, 1, 2], categories=[5]).ravel().tolist()
    [0, 2, 1]
    """

    epsilon: float
    k: int
    g: int = None  # type: ignore[assignment]  # the best one

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.whole, "k", least=2, most=MAX_CODE)
        if self.g is None:
            object.__setattr__(self, "g", best_hash_size(self.epsilon))
        arguments.settle(self, arguments.whole, "g", least=2, most=MAX_HASH)
        if not _is_prime(self.g):
            raise ValueError(f"g must be a prime number, not {self.g}")
        if self.size > MAX_CODE:
            raise ValueError(f"k must leave at most 2^53 answers at g = {self.g}, not {self.k}")

    @cached_property
    def response(self) -> RandomizedResponse:
        """The randomized response that hides a hash."""
        return RandomizedResponse(self.epsilon, self.g)

    @cached_property
    def digits(self) -> int:
        """d, the fewest digits in base g for all categories."""
        return next(d for d in range(1, 54) if self.g**d >= self.k)

    @property
    def size(self) -> int:
        """g^(d + 1). A random hash function may also be agreed on beforehand: then it is g."""
        return self.g ** (self.digits + 1)

    @property
    def truth_probability(self) -> float:
        return self.response.truth_probability

    @property
    def lie_probability(self) -> float:
        return 1 / self.g

    @property
    def telling_probability(self) -> float:
        return (1 - 1 / self.g) * self.response.truth_probability

    @cached_property
    def answer_laws(self) -> tuple[Finite, ...]:
        arguments.size("g^(d + 1)", self.size, most=MAX_ANSWERS)
        hashes = self.hash_values(np.arange(self.size // self.g), np.arange(self.k))
        laws = [np.array(law.log_probabilities) for law in self.response.answer_laws]
        answers, seeds = tuple(range(self.size)), np.log(len(hashes))
        return tuple(
            Finite(answers, np.concatenate([laws[h] for h in column]) - seeds)
            for column in hashes.T
        )

    def hash_values(self, seeds: ArrayLike, categories: ArrayLike) -> np.ndarray:
        """Return h_a(v) for each number a of a hash function and each category v.

        The shape is (seeds, categories). Raises ValueError for other numbers.
        """
        seeds = arguments.categories("seeds", seeds, self.size // self.g, ndim=1)
        categories = arguments.categories("categories", categories, self.k, ndim=1)
        return (self._digits_of(seeds) @ self._digits_of(categories).T % self.g).astype(int)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return an answer of each person, ints of the shape of data.

        Raises ValueError for other arguments.
        """
        truths = records.categories("data", data, self.k)
        arguments.generator("rng", rng)
        seeds = np.floor(rng.random(truths.shape) * (self.size // self.g)).astype(np.int64)
        hashes = (self._digits_of(seeds) * self._digits_of(truths)).sum(axis=-1) % self.g
        return seeds * self.g + (self.response(hashes, rng) if truths.size else 0)

    def supports(self, answers: Any, categories: ArrayLike | None = None) -> np.ndarray:
        """Return where a category's hash, by the answer's function, is the answer's.

        Raises ValueError for other answers.
        """
        answers = arguments.categories("answers", answers, self.size, ndim=1)
        answers = answers.astype(np.int64)
        hashes = self.hash_values(answers // self.g, self._to_categories(categories))
        return hashes == (answers % self.g)[:, None]

    def _digits_of(self, numbers: np.ndarray) -> np.ndarray:
        """Return the digits in base g on a last axis; as floats, whose products are faster."""
        powers = np.int64(self.g) ** np.arange(self.digits, dtype=np.int64)
        return (numbers.astype(np.int64)[..., None] // powers % self.g).astype(float)


def best_hash_size(epsilon: float) -> int:
    """Return the prime g, below 2^15, with the least (e^epsilon + g - 1)^2 / (g - 1).

    It is one of the two primes next to e^epsilon + 1. Raises ValueError unless epsilon > 0.

    >>> [best_hash_size(epsilon) for epsilon in (0.1, 1, 2, 4)]
    [2, 3, 7, 53]
    """
    epsilon = arguments.number("epsilon", epsilon, above=0)
    odds = float(np.exp(min(epsilon, 20.0)))
    best = int(min(odds + 1, MAX_HASH - 1))
    primes = [next(g for g in range(best, 1, -1) if _is_prime(g))]
    primes += [g for g in range(best + 1, min(2 * best, MAX_HASH) + 1) if _is_prime(g)][:1]
    return min(primes, key=lambda g: (odds + g - 1) ** 2 / (g - 1))


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, int(number**0.5) + 1))
