"""Noise of the wrong scale: a formula misread, a sensitivity too small, a budget spent twice."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplab.audit_range.coins import CoinSource, DrawnCoins, geometric, noisy
from dplab.audit_range.releases import ClaimedRelease, Dataset, replace_one
from dplab.audit_range.scenarios import scenario
from dplab.guarantees import PureDP


@scenario(1, "1/epsilon is the variance of the noise, not its scale", epsilon=(0.3, 0.4, 0.5))
def variance_for_scale(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make a count. Sound: replacing a record moves it by 1, and the noise has ratio e^-epsilon.

    Broken: noise of variance 1/epsilon has the scale sqrt(1 / (2 epsilon)). Libraries differ in
    what the argument of their normal noise is, the variance or its root.
    """
    rate = math.sqrt(2 * epsilon) if is_broken else epsilon

    def run(data: Dataset, coins: CoinSource) -> int:
        return coins.pick(noisy(sum(data), rate, -6, 10))

    about = "it counts the ones, adds geometric noise of scale 1/epsilon, and moves it to -6..10."
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), 4), run)


@scenario(1, "the noise of a sum fits values up to 1", epsilon=(0.6, 0.9, 1.2), most=(2, 3, 4))
def noise_of_a_count(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make a sum of values up to `most`. Sound: the sensitivity is `most`. Broken: it is 1."""
    rate = epsilon if is_broken else epsilon / most

    def run(data: Dataset, coins: CoinSource) -> int:
        return coins.pick(noisy(sum(data), rate, -8, 3 * most + 8))

    about = (
        f"it adds up the values, adds geometric noise of scale {most}/epsilon, and moves the "
        f"result to -8..{3 * most + 8}."
    )
    domain = replace_one(range(most + 1), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {most}", domain, run)


@scenario(1, "a replaced record changes two cells, not one", epsilon=(0.8, 1.0, 1.2), k=(3, 4))
def two_cells_change(is_broken: bool, epsilon: float, k: int) -> ClaimedRelease:
    """Make a histogram for replace-one. Sound: its sensitivity is 2, so each cell has epsilon / 2.

    Broken: epsilon in each cell, which is enough if records come and go. A frequent slip: Dwork
    and Roth (2014) have both neighbouring relations, and histograms of sensitivity 1 and 2.
    """
    rate = epsilon if is_broken else epsilon / 2

    def run(data: Dataset, coins: CoinSource) -> tuple:
        return tuple(coins.pick(noisy(data.count(cell), rate, -2, 5)) for cell in range(k))

    about = (
        f"it counts the records of each of the {k} values, and adds independent geometric noise "
        "of scale 2/epsilon to each count. Counts are moved to -2..5."
    )
    return ClaimedRelease(
        PureDP(epsilon), about, f"a whole number from 0 to {k - 1}", replace_one(range(k), 3), run
    )


@scenario(1, "each of several counts spends the whole budget", epsilon=(0.8, 1.0, 1.2), k=(2, 3))
def unsplit_budget(is_broken: bool, epsilon: float, k: int) -> ClaimedRelease:
    """Make k counts, in which a record may be in all. Sound: epsilon / k each. Broken: epsilon.

    Source: basic composition, Dwork, McSherry, Nissim and Smith (2006). Tang et al. (2017) found
    that a deployed system's total was far above the epsilon of a single part.
    """
    rate = epsilon if is_broken else epsilon / k
    universe = [tuple((code >> bit) & 1 for bit in range(k)) for code in range(2**k)]

    def run(data: Dataset, coins: CoinSource) -> tuple:
        counts = [sum(record[place] for record in data) for place in range(k)]
        return tuple(coins.pick(noisy(count, rate, -4, 6)) for count in counts)

    about = (
        f"it counts the ones in each of the {k} columns, and adds independent geometric noise of "
        f"scale {k}/epsilon to each count. Counts are moved to -4..6."
    )
    records = f"a tuple of {k} bits, such as {universe[1]}"
    return ClaimedRelease(PureDP(epsilon), about, records, replace_one(universe, 2), run)


@scenario(1, "two counts have the same noise", epsilon=(0.8, 1.0, 1.4))
def reused_noise(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make two counts. Sound: independent noise of epsilon / 2 each. Broken: one draw for both.

    Then the difference of the answers is exact. A release may cache its noise, or restore the
    state of its generator.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        counts = [sum(value >= bound for value in data) for bound in (1, 2)]
        if is_broken:
            noise = coins.pick(geometric(epsilon / 2))
            return tuple(min(max(count + noise, -8), 11) for count in counts)
        return tuple(coins.pick(noisy(count, epsilon / 2, -8, 11)) for count in counts)

    about = (
        "it counts the records of at least 1, and those of at least 2, and adds independent "
        "geometric noise of scale 2/epsilon to each count. Counts are moved to -8..11."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0, 1 or 2", replace_one(range(3), 3), run)


@scenario(1, "the seed of the noise is fixed", epsilon=(0.5, 1.0), seed=tuple(range(20)))
def fixed_seed(is_broken: bool, epsilon: float, seed: int) -> ClaimedRelease:
    """Make a count. Sound: fresh noise. Broken: noise of a fixed seed, always the same.

    Source: Garfinkel and Leclerc (2020) on randomness in the census's disclosure avoidance.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        source: Any = DrawnCoins(np.random.default_rng(seed)) if is_broken else coins
        return sum(data) + source.pick(geometric(epsilon))

    about = "it counts the ones, and adds geometric noise of scale 1/epsilon."
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), 4), run)


@scenario(2, "the sum of a batch is clipped, not each record", epsilon=(0.6, 0.9), large=(5, 6, 7))
def clipped_by_batch(is_broken: bool, epsilon: float, large: int) -> ClaimedRelease:
    """Make a sum of clipped gradients. Sound: each is moved to -1..1, so the sensitivity is 2.

    Broken: their sum is moved to -n..n. Source: the clipping of Abadi et al. (2016), applied to
    the gradient of a batch; `dplab.release_service` makes the same mistake.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        if is_broken:
            total = min(max(sum(data), -len(data)), len(data))
        else:
            total = sum(min(max(value, -1), 1) for value in data)
        return coins.pick(noisy(total, epsilon / 2, -8, 8))

    about = (
        "it moves each gradient to -1..1, adds them up, adds geometric noise of scale 2/epsilon, "
        "and moves the result to -8..8."
    )
    universe = (-large, -1, 0, 1, large)
    records = f"a gradient, one of {', '.join(map(str, universe))}"
    return ClaimedRelease(PureDP(epsilon), about, records, replace_one(universe, 3), run)


@scenario(2, "rounding comes before the noise", epsilon=(0.5, 0.7, 0.9))
def rounded_before_noise(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make the number of full pairs. Sound: noise on the count, halved and rounded afterwards.

    Broken: the count is halved and rounded, then gets noise for a sensitivity of 1/2. Rounding
    makes jumps of 1 of it. Source: Casacuberta, Shoemate, Vadhan and Wagaman (2022), who show that
    rounded sums have a larger sensitivity than libraries assume.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        if is_broken:
            return coins.pick(noisy(sum(data) // 2, 2 * epsilon, -4, 6))
        return coins.pick(noisy(sum(data), epsilon, -8, 13)) // 2

    about = (
        "half the number of ones has sensitivity 1/2. It adds noise of scale 1/(2 epsilon) to it, "
        "and rounds down to a whole number, which is in -4..6."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), 4), run)
