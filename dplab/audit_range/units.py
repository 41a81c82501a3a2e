"""The unit of privacy: contributions, households, samples, shuffled crowds, unknown keys."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, product

import numpy as np

from dplab.audit_range.coins import Choice, CoinSource, flip, keep_or_change, noisy
from dplab.audit_range.releases import ClaimedRelease, Dataset, add_or_remove, replace_one
from dplab.audit_range.scenarios import scenario
from dplab.guarantees import ApproxDP, PureDP


@scenario(1, "contributions are not bounded", epsilon=(0.6, 0.8, 1.0), cap=(1, 2))
def unbounded_contributions(is_broken: bool, epsilon: float, cap: int) -> ClaimedRelease:
    """Make a count of visits. Sound: at most `cap` count for a person. Broken: all do.

    Source: Wilson et al. (2020), who bound contributions in SQL.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        total = sum(visits if is_broken else min(visits, cap) for visits in data)
        return coins.pick(noisy(total, epsilon / cap, -6, 16))

    about = (
        f"it adds up the visits, of which each person has at most {cap} counted, adds geometric "
        f"noise of scale {cap}/epsilon, and moves the result to -6..16."
    )
    records = "a person's number of visits, from 0 to 5"
    return ClaimedRelease(PureDP(epsilon), about, records, add_or_remove(range(6), 3), run)


@scenario(2, "the claim is for households, the noise for persons", epsilon=(0.8, 1.0, 1.3))
def household(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make two answers of each household. Sound: epsilon / 2 for a person. Broken: epsilon.

    Source: group privacy, Dwork and Roth (2014), Theorem 2.2.
    """
    rate = epsilon if is_broken else epsilon / 2

    def run(data: Dataset, coins: CoinSource) -> tuple:
        return tuple(coins.pick(keep_or_change(bit, 2, rate)) for pair in data for bit in pair)

    about = (
        "each of the two people of a household answers by randomized response with epsilon / 2. "
        "It gives all answers, in order."
    )
    universe = tuple(product((0, 1), repeat=2))
    records = "a household of two bits, such as (0, 1)"
    return ClaimedRelease(PureDP(epsilon), about, records, replace_one(universe, 2), run)


@scenario(2, "no sample is drawn", epsilon=(1.2, 1.5, 1.8), rate=(0.3, 0.5))
def no_sample(is_broken: bool, epsilon: float, rate: float) -> ClaimedRelease:
    """Make a count in a sample. Sound: each record is in it with probability `rate`.

    Then the count costs log(1 + rate (e^epsilon - 1)). Broken: all records are in it. Sources:
    Balle, Barthe and Gaboardi (2018); Lebeda et al. (2024) on batches that are only shuffled.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        sample = [value for value in data if is_broken or coins.pick(flip(rate))]
        return coins.pick(noisy(sum(sample), epsilon, -3, 6))

    about = (
        f"each record is in a sample with probability {rate}. It counts the ones in the sample, "
        f"adds geometric noise of scale 1/{epsilon}, and moves the result to -3..6."
    )
    claim = PureDP(round(math.log1p(rate * math.expm1(epsilon)) + 5e-4, 3))
    return ClaimedRelease(claim, about, "0 or 1", add_or_remove((0, 1), 3), run)


@scenario(3, "nothing is shuffled", epsilon=(1.2, 1.5), n=(8, 9))
def no_shuffle(is_broken: bool, epsilon: float, n: int) -> ClaimedRelease:
    """Make answers of a crowd. Sound: only their number counts. Broken: their order is told.

    The claim of the sound form is the exact one for delta = 0.05. Source: amplification by
    shuffling, Erlingsson et al. (2019) and Cheu et al. (2019).
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        answers = [coins.pick(keep_or_change(bit, 2, epsilon)) for bit in data]
        return tuple(answers if is_broken else sorted(answers))

    about = (
        f"each record answers by randomized response with epsilon = {epsilon}. The answers are "
        "shuffled; since only the number of ones is left of them, it gives them sorted."
    )
    claim = ApproxDP(shuffled_epsilon(epsilon, n, 0.05), 0.05)
    return ClaimedRelease(claim, about, "0 or 1", replace_one((0, 1), n), run)


@cache
def shuffled_epsilon(epsilon: float, n: int, delta: float) -> float:
    """Return an epsilon, in thousandths, that shuffled randomized response keeps with delta.

    The number of ones among n answers has an exact law for each true number of ones.
    """
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    laws = []
    for ones in range(n + 1):
        law = np.ones(1)
        for place in range(n):
            p = keep if place < ones else 1 - keep
            law = np.convolve(law, [1 - p, p])
        laws.append(law)
    pairs = list(pairwise(laws))
    pairs += [(q, p) for p, q in pairs]
    for step in range(math.ceil(1000 * epsilon) + 1):
        if all(np.maximum(p - math.exp(step / 1000) * q, 0).sum() <= delta for p, q in pairs):
            return step / 1000
    return epsilon


@scenario(3, "the noise is cut off too early for this delta", epsilon=(0.6, 0.8, 1.0))
def noise_cut_off(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make a count with noise of at most `most`. Sound: P[noise = most] <= delta = 0.001.

    Broken: `most` is 2, and P[noise = 2] is far above it. Source: bounded noise, Geng, Ding, Guo
    and Kumar (2020); delta is not a detail.
    """
    ratio, most = math.exp(-epsilon), 2
    noise = _cut_off(ratio, most)
    while not is_broken and noise.probabilities[0] > 1e-3:
        most += 1
        noise = _cut_off(ratio, most)

    def run(data: Dataset, coins: CoinSource) -> int:
        return sum(data) + coins.pick(noise)

    about = (
        "it counts the ones, and adds geometric noise of scale 1/epsilon. Noise above a bound, or "
        "below its negative, is drawn again. The bound itself has a probability of at most delta."
    )
    return ClaimedRelease(ApproxDP(epsilon, 0.001), about, "0 or 1", replace_one((0, 1), 3), run)


def _cut_off(ratio: float, most: int) -> Choice:
    """Return geometric noise from -most to most: other values are drawn again."""
    return Choice.of(range(-most, most + 1), [ratio ** abs(k) for k in range(-most, most + 1)])


@scenario(3, "the threshold is for one of two keys", epsilon=(0.8, 1.0), delta=(0.01, 0.02))
def keys_of_one_person(is_broken: bool, epsilon: float, delta: float) -> ClaimedRelease:
    """Make counts of unknown keys. Sound: noise and threshold for two keys of a person.

    Only keys that occur can be shown, if their noisy count is above the threshold t. A key of one
    person is shown with probability P[1 + noise >= t]. Broken: noise and threshold for one key.
    Source: Korolova et al. (2009); Desfontaines, Voss, Gipson and Mandayam (2022).
    """
    keys = 1 if is_broken else 2
    rate, threshold = epsilon / keys, 1
    while keys * math.exp(-rate * (threshold - 1)) / (1 + math.exp(-rate)) > delta:
        threshold += 1

    def run(data: Dataset, coins: CoinSource) -> tuple:
        values = []
        for key in range(2):
            count = sum(key in record for record in data)
            value = coins.pick(noisy(count, rate, threshold - 1, threshold + 6)) if count else 0
            values.append(value if value >= threshold else None)
        return tuple(values)

    about = (
        "a person has one or both of the keys 0 and 1. It adds geometric noise of scale 2/epsilon "
        "to the counts of the keys that occur. It shows None for a key that does not occur, or "
        "whose noisy count is below a threshold t; counts above t + 6 become t + 6. With "
        "probability 1 - delta or more, no key is shown that only one person has."
    )
    records = "the keys of a person: (0,), (1,) or (0, 1)"
    domain = add_or_remove(((0,), (1,), (0, 1)), 8)
    return ClaimedRelease(ApproxDP(epsilon, delta), about, records, domain, run)
