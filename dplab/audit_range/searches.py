"""Searches and floats: sparse vector, bisection, a mode that is tested first, Laplace noise."""

from __future__ import annotations

import math

from dplab.audit_range.coins import CoinSource, at_least, geometric
from dplab.audit_range.releases import ClaimedRelease, Dataset, add_or_remove, replace_one
from dplab.audit_range.scenarios import scenario
from dplab.guarantees import ApproxDP, PureDP


@scenario(3, "sparse vector without noise on the queries", epsilon=(1.0, 1.3, 1.6), bound=(1, 2))
def sparse_vector_without_noise(is_broken: bool, epsilon: float, bound: int) -> ClaimedRelease:
    """Make the first count above a threshold. Sound: AboveThreshold, noise on both.

    The threshold has noise of epsilon / 2, each query epsilon / 4. Broken: queries have none.
    Source: Lyu, Su and Li (2017), Algorithm 5, as published by Stoddard, Chen and Machanavajjhala.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        threshold, answers = bound + coins.pick(geometric(epsilon / 2)), []
        for value in range(4):
            missing = threshold - data.count(value)
            is_above = missing <= 0 if is_broken else coins.pick(at_least(missing, epsilon / 4))
            answers.append("above" if is_above else "below")
            if is_above:
                break
        return tuple(answers)

    about = (
        "it counts the values 0, 1, 2 and 3 in turn, says 'below' or 'above' of each, and stops "
        f"after the first 'above'. The threshold is {bound} with geometric noise of scale "
        "2/epsilon; each count has fresh noise of scale 4/epsilon."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0, 1, 2 or 3", replace_one(range(4), 3), run)


@scenario(3, "each step of a bisection spends the whole budget", epsilon=(0.8, 1.0, 1.2))
def bisection(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make a median by bisection. Sound: epsilon / 3 for each of three steps. Broken: epsilon.

    The intervals are nested, not disjoint: parallel composition (McSherry 2009) does not apply.
    """
    rate = epsilon if is_broken else epsilon / 3

    def run(data: Dataset, coins: CoinSource) -> int:
        low = 0
        for width in (4, 2, 1):
            upper_count = sum(value >= low + width for value in data)
            if coins.pick(at_least(2 - upper_count, rate)):
                low += width
        return low

    about = (
        "it finds a median by three questions: how many of the three values are at least the "
        "middle, first 4, of the values that are left? The answers have independent geometric "
        "noise of scale 3/epsilon. If the noisy count is at least 2, the upper half is left, "
        "otherwise the lower one."
    )
    domain = replace_one(range(8), 3)
    return ClaimedRelease(PureDP(epsilon), about, "a whole number from 0 to 7", domain, run)


@scenario(3, "the test of the lead ignores delta", epsilon=(0.8, 1.0), delta=(0.01, 0.02))
def lead_without_delta(is_broken: bool, epsilon: float, delta: float) -> ClaimedRelease:
    """Make a mode after a test of the noisy lead. Sound: the test is lead + noise >= t.

    P[1 + noise >= t] is at most delta. Where the lead is at least 2, neighbours have the same
    mode. Broken: t is 2, without regard to delta. Source: propose-test-release, Dwork and Lei
    (2009).
    """
    threshold = 2
    while not is_broken and _upper_tail(epsilon, threshold - 1) > delta:
        threshold += 1

    def run(data: Dataset, coins: CoinSource) -> str:
        zeros = data.count(0)
        lead = abs(2 * zeros - len(data))
        mode = "0" if 2 * zeros >= len(data) else "1"
        return mode if coins.pick(at_least(threshold - lead, epsilon)) else "unstable"

    about = (
        "it gives the more frequent value, '0' for a tie, if the noisy lead reaches a threshold, "
        "otherwise 'unstable'. The lead is the difference of the two counts. Its noise is "
        "geometric with scale 1/epsilon. A lead of 1 reaches the threshold with probability delta "
        "or less."
    )
    domain = add_or_remove((0, 1), 5)
    return ClaimedRelease(ApproxDP(epsilon, delta), about, "0 or 1", domain, run)


def _upper_tail(epsilon: float, k: int) -> float:
    """Return P[noise >= k] of geometric noise, for k >= 1."""
    return math.exp(-epsilon * k) / (1 + math.exp(-epsilon))


GRID = 16


@scenario(3, "Laplace noise in floats, whose last bits tell the data", epsilon=(0.5, 0.8, 1.0))
def laplace_in_floats(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make a count of ones. Sound: geometric noise on multiples of 1/16. Broken: Laplace in floats.

    1 + noise has only multiples of 2^-53 near 0, noise alone has finer ones. Source: Mironov
    (2012), lesson 8; Jin, McMurtry, Rubinstein and Ohrimenko (2022) found more such leaks.
    """

    def run(data: Dataset, coins: CoinSource) -> float:
        if is_broken:
            return sum(data) + coins.laplace(1 / epsilon)
        return sum(data) + coins.pick(geometric(epsilon / GRID)) / GRID

    about = "it counts the ones, and adds noise of scale 1/epsilon: the sum is a float."
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), 2), run)
