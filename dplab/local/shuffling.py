"""Shuffling: noisy answers are worth more if nobody knows who sent which.

Let everybody run an epsilon_0-DP mechanism R on their own record, and let a mixer send all answers
on in a random order. Those who see them see a set, and one person's answer hides among the others.

**Exactly, for one bit.** A shuffled set of bits is its number of ones. The person's answer joins
the others' count Z, a sum of two binomials. With p = 1 - q = e^epsilon_0 / (1 + e^epsilon_0),

    P[y ones | bit 1] = p P[Z = y - 1] + q P[Z = y],
    P[y ones | bit 0] = q P[Z = y - 1] + p P[Z = y]

Both are finite laws, and their loss is exact (`shuffled_loss`). At 0 ones the loss is -epsilon_0
still: without a delta, shuffling gains nothing.

**For every mechanism: clones.** Let the person's record be x_0 or x_1. By a theorem on two
hypotheses (Kairouz, Oh and Viswanath 2015) there are laws Q_0, Q_1 with

    R(x_0) = p Q_0 + q Q_1,   R(x_1) = q Q_0 + p Q_1,   so   Q_0 + Q_1 = R(x_0) + R(x_1).

By epsilon_0-DP, R(x) >= e^-epsilon_0 R(x_i) for each other record x and both i. Take the mean of
both: R(x) >= e^-epsilon_0 (Q_0 + Q_1) / 2. So each other person sends, with probability
c = e^-epsilon_0, a *clone*: Q_0 or Q_1 with equal chance. Otherwise the answer has a law that does
not depend on the person. Tell the adversary all answers that are no clones. What is left is the
number A of the person and of clones from Q_1, among C + 1, with C binomial of n - 1 at c:

    P[A = a | C, x_1] = p Bin(C, 1/2)(a - 1) + q Bin(C, 1/2)(a),
    P[A = a | C, x_0] = q Bin(C, 1/2)(a - 1) + p Bin(C, 1/2)(a)

All answers are post-processing of this pair, so its hockey stick bounds delta (`clones_delta`). As
Bin(C, 1/2)(a - 1) / Bin(C, 1/2)(a) = a / (C + 1 - a), the loss rises with a, and each C needs two
binomial tails only. For randomized response with two answers, R(x) is one of R(x_0), R(x_1), and
both are at least q (Q_0 + Q_1): there c = 2 q, which is more than e^-epsilon_0.

Sources: Erlingsson, Feldman, Mironov, Raghunathan, Talwar and Thakurta (2019); Cheu, Smith, Ullman,
Zeber and Zhilyaev (2019); Feldman, McMillan and Talwar, Hiding among the clones (2021), Section 3;
the same, Stronger privacy amplification by shuffling (2023), for two answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc, expit
from scipy.stats import binom

from dplab import arguments, records
from dplab.bisection import between
from dplab.distributions import Finite
from dplab.guarantees import PureDP
from dplab.losses import AtomicLoss
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.neighbors import REPLACE_ONE

MAX_PEOPLE = 10**9
MAX_OTHERS = 10**6  # in an exact loss
MAX_LAW = 10**4  # people whose exact law is enumerated
NEGLIGIBLE = 1e-30  # the mass that is left out of a binomial
TAIL = 1e-16  # of the number of clones, which counts as delta
CELLS = 128  # numbers of clones that are told apart; the others are rounded down


@dataclass(frozen=True)
class ShuffledResponse(ExactMechanism):
    """The mechanism that publishes how many answers of randomized response are 1.

        output = y_1 + ... + y_n,   P(y_i = x_i) = e^epsilon / (1 + e^epsilon)

    Shuffled bits are worth their sum. The guarantee is epsilon-DP, as without shuffling; at a delta
    above 0 it is much better, see `shuffled_loss` and `clones_epsilon`. Data are up to 10,000 bits.
    Raises ValueError unless epsilon > 0.

    Source: Cheu, Smith, Ullman, Zeber and Zhilyaev (2019).

    >>> mechanism = ShuffledResponse(epsilon=1.0)
    >>> loss = mechanism.privacy_loss([1] + 999 * [0], 1000 * [0])
    >>> round(loss.largest_log_ratio, 6), round(loss.epsilon(delta=1e-6), 3)
    (1.0, 0.116)
    """

    epsilon: float

    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the number of ones.

        Raises ValueError for data that are not up to 10,000 bits.
        """
        bits = np.atleast_1d(records.categories("data", data, 2))
        n, ones = arguments.size("the number of records", bits.size, most=MAX_LAW), int(bits.sum())
        q = _probabilities(self.epsilon)[1]
        lies = [binom.logpmf(np.arange(m + 1), m, q) for m in (ones, n - ones)]
        logs = _log_convolve(*sorted([lies[0][::-1], lies[1]], key=len))
        return Finite(tuple(range(n + 1)), logs - np.logaddexp.reduce(logs))

    def __call__(self, data: Any, rng: np.random.Generator) -> int:
        """Return the number of ones among all answers.

        Raises ValueError for other arguments.
        """
        return int(RandomizedResponse(self.epsilon)(data, rng).sum())


def shuffled_laws(
    epsilon: float, *, ones: int, zeros: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return numbers of ones among all answers, and their probabilities with a bit 1 and a bit 0.

    The bit is one person's; of the others, `ones` have bit 1 and `zeros` bit 0. `epsilon` is that
    of each answer. Tails of 1e-30 are left out. Raises ValueError for other arguments, and for
    more than 10^6 people of either kind.

    >>> [law.round(3).tolist() for law in shuffled_laws(np.log(3), ones=0, zeros=1)]
    [[0, 1, 2], [0.188, 0.625, 0.188], [0.562, 0.375, 0.062]]
    """
    p, q = _probabilities(arguments.number("epsilon", epsilon, above=0))
    ones = arguments.whole("ones", ones, least=0, most=MAX_OTHERS)
    zeros = arguments.whole("zeros", zeros, least=0, most=MAX_OTHERS)
    first, second = _likely(ones, p, NEGLIGIBLE), _likely(zeros, q, NEGLIGIBLE)
    others = np.convolve(binom.pmf(ones - first, ones, q), binom.pmf(second, zeros, q))
    others[others < 1e-250] = 0  # times q, it would be no float
    same: np.ndarray = np.append(others, 0.0)  # the person's answer is 0
    more = np.roll(same, 1)  # it is 1
    counts = (first[0] + second[0] + np.arange(len(more))).astype(int)
    return counts, p * more + q * same, q * more + p * same


def shuffled_loss(epsilon: float, *, ones: int, zeros: int) -> AtomicLoss:
    """Return the exact loss of a person's bit 1 against 0 among shuffled answers.

    Arguments and errors as for `shuffled_laws`.

    >>> round(shuffled_loss(1.0, ones=0, zeros=999).epsilon(1e-6), 3)
    0.116
    """
    _, with_one, with_zero = shuffled_laws(epsilon, ones=ones, zeros=zeros)
    with np.errstate(divide="ignore"):
        return AtomicLoss.of(np.log(with_one), np.log(with_zero))


def clones_delta(local_epsilon: float, n: int, *, epsilon: float, is_binary: bool = False) -> float:
    """Return an upper bound of delta at `epsilon` for n shuffled local_epsilon-DP answers.

    It holds for every local mechanism, and for different ones. A smaller bound holds if all use
    randomized response with two answers (`is_binary`). Raises ValueError unless both epsilons are
    above 0 and n is from 1 to 10^9.

    >>> clones_delta(1.0, 1000, epsilon=0.2) < 1e-6 < clones_delta(1.0, 1000, epsilon=0.15)
    True
    """
    clones = _Clones.of(local_epsilon, n, is_binary)
    return clones.delta(arguments.number("epsilon", epsilon, above=0))


def clones_epsilon(local_epsilon: float, n: int, *, delta: float, is_binary: bool = False) -> float:
    """Return an upper bound of epsilon at `delta` for n shuffled local_epsilon-DP answers.

    It is at most local_epsilon, and `clones_delta` there is at most delta. Raises ValueError unless
    local_epsilon is above 0, n from 1 to 10^9 and delta from 0 to 1.

    >>> round(clones_epsilon(1.0, 10_000, delta=1e-6), 3)
    0.053
    """
    clones = _Clones.of(local_epsilon, n, is_binary)
    delta = arguments.number("delta", delta, least=0, most=1)

    def exceeds(epsilon: float) -> bool:
        return clones.delta(epsilon) > delta

    return between(exceeds, 0.0, clones.local_epsilon, 1e-5)[1] if exceeds(0.0) else 0.0


@dataclass(frozen=True, eq=False)
class _Clones:
    """The numbers of clones, with their probabilities, among which a person hides.

    A person who hides among fewer is seen more easily: with C clones an adversary can add one.
    """

    local_epsilon: float
    clones: np.ndarray
    masses: np.ndarray
    rest: float  # of the numbers that are left out

    @classmethod
    def of(cls, local_epsilon: float, n: int, is_binary: bool) -> _Clones:
        local_epsilon = arguments.number("local_epsilon", local_epsilon, above=0)
        n = arguments.size("n", n, most=MAX_PEOPLE)
        share = float(np.exp(-local_epsilon))
        if arguments.flag("is_binary", is_binary):
            share = 2 * _probabilities(local_epsilon)[1]
        share *= share > 1e-100  # fewer clones; a smaller share overflows
        clones = _likely(n - 1, share, TAIL)
        cells = np.arange(0, len(clones), 1 + len(clones) // CELLS)  # fewer clones: a larger delta
        masses = np.add.reduceat(binom.pmf(clones, n - 1, share), cells)
        return cls(local_epsilon, clones[cells], masses, TAIL * (n > 1))

    def delta(self, epsilon: float) -> float:
        p, q = _probabilities(self.local_epsilon)
        if epsilon >= self.local_epsilon:
            return 0.0
        # (p a + q (T - a)) / (q a + p (T - a)) > e^epsilon  for a above this share of T = C + 1
        odds = np.exp(epsilon)
        first = np.floor((self.clones + 1) * (p * odds - q) / ((p - q) * (1 + odds))) + 1
        same = betainc(first, self.clones + 1 - np.minimum(first, self.clones), 0.5)
        same = np.where(first > self.clones, 0.0, same)  # P[Bin(C, 1/2) >= first]
        more = same + binom.pmf(first - 1, self.clones, 0.5)
        excess = (p - odds * q) * more + (q - odds * p) * same
        return float(self.masses @ np.maximum(excess, 0) + self.rest)


def _probabilities(epsilon: float) -> tuple[float, float]:
    return float(expit(epsilon)), float(expit(-epsilon))


def _likely(n: int, p: float, tail: float) -> np.ndarray:
    """Return numbers of successes outside of which the binomial's tails sum to at most `tail`.

    By Bernstein's inequality P[|X - n p| >= w] <= 2 exp(-w^2 / (2 n p (1 - p) + 2 w / 3)).
    """
    logs = np.log(2 / tail)
    width = logs / 3 + np.sqrt(logs**2 / 9 + 2 * logs * n * p * (1 - p))
    return np.arange(max(0, np.floor(n * p - width)), min(n, np.ceil(n * p + width)) + 1)


def _log_convolve(short: np.ndarray, long: np.ndarray) -> np.ndarray:
    """Return the logarithms of a sum's probabilities from those of its two parts."""
    sums = np.full(len(short) + len(long) - 1, -np.inf)
    for i, log in enumerate(short):
        window = sums[i : i + len(long)]
        np.logaddexp(window, log + long, out=window)
    return sums
