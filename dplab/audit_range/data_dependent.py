"""Something that should be public follows the data: bounds, bins, the size, a sensitivity."""

from __future__ import annotations

from dplab.audit_range.coins import CoinSource, noisy
from dplab.audit_range.releases import ClaimedRelease, Dataset, add_or_remove, replace_one
from dplab.audit_range.scenarios import scenario
from dplab.guarantees import PureDP


@scenario(2, "the noise fits the range of the data", epsilon=(0.8, 1.0, 1.3), most=(4, 5, 6))
def range_from_data(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make a sum. Sound: noise for the public range. Broken: for the range that occurs.

    Source: libraries that take bounds from the data when none are given warn of it: Holohan et al.
    (2019), diffprivlib's PrivacyLeakWarning.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        width = max(1, max(data) - min(data)) if is_broken else most
        return coins.pick(noisy(sum(data), epsilon / width, -10, 3 * most + 10))

    about = (
        f"it adds up the values, adds geometric noise of scale {most}/epsilon, and moves the "
        f"result to -10..{3 * most + 10}."
    )
    domain = replace_one(range(most + 1), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {most}", domain, run)


@scenario(2, "the answer is moved below the secret size", epsilon=(0.6, 0.8, 1.0), most=(3, 4, 5))
def clamped_to_truth(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make a count of ones. Sound: it is moved to 0..most. Broken: to 0..n, and n is secret."""

    def run(data: Dataset, coins: CoinSource) -> int:
        high = max(1, len(data)) if is_broken else most
        return coins.pick(noisy(sum(data), epsilon, 0, high))

    about = (
        f"it counts the ones, adds geometric noise of scale 1/epsilon, and moves it to 0..{most}."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", add_or_remove((0, 1), most), run)


@scenario(2, "the bins of a histogram follow the data", epsilon=(0.8, 1.0, 1.2), most=(5, 6, 7))
def bins_from_data(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make two bins. Sound: they meet at a public value, and have epsilon / 2 each for replace-one.

    Broken: they meet halfway from the least to the largest value, so that one record moves many.
    Source: the default of numpy.histogram, which diffprivlib warns of.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        middle = (min(data) + max(data)) / 2 if is_broken else most / 2
        upper = sum(value > middle for value in data)
        counts = (len(data) - upper, upper)
        return tuple(coins.pick(noisy(count, epsilon / 2, -4, 8)) for count in counts)

    about = (
        f"it counts the values up to {most / 2:g}, and those above, and adds independent geometric "
        "noise of scale 2/epsilon to each count. Counts are moved to -4..8."
    )
    domain = replace_one(range(most + 1), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {most}", domain, run)


@scenario(2, "the threshold is the true average", epsilon=(0.7, 0.9, 1.1), k=(3, 4))
def adaptive_threshold(is_broken: bool, epsilon: float, k: int) -> ClaimedRelease:
    """Make counts above a threshold. Sound: those whose noisy count is at least 1.

    Others become None. Records come and go, each in one cell, so all cells together cost epsilon.
    Broken: those whose true count is at least the average of the true counts. Source: small cells,
    which statistical offices suppress by their true counts.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        counts = [data.count(cell) for cell in range(k)]
        answers = [coins.pick(noisy(count, epsilon, -3, 5)) for count in counts]
        if is_broken:
            are_shown = [count >= sum(counts) / k for count in counts]
        else:
            are_shown = [answer >= 1 for answer in answers]
        return tuple(
            answer if is_shown else None
            for answer, is_shown in zip(answers, are_shown, strict=True)
        )

    about = (
        f"it counts each of the {k} values, adds geometric noise of scale 1/epsilon to each "
        "count, moves it to -3..5, and shows None instead of noisy counts below 1."
    )
    domain = add_or_remove(range(k), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {k - 1}", domain, run)


@scenario(3, "a noisy sum is divided by the true size", epsilon=(0.8, 1.0, 1.2), most=(3, 4))
def divided_by_secret_size(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make a mean. Sound: noisy sum and noisy size, epsilon / 2 each. Broken: the true size."""

    def run(data: Dataset, coins: CoinSource) -> float:
        total = coins.pick(noisy(sum(data), epsilon / 2, -5, most + 6))
        if is_broken:
            return total / max(1, len(data))
        return total / coins.pick(noisy(len(data), epsilon / 2, 1, most))

    about = (
        "it adds geometric noise of scale 2/epsilon to the sum and to the number of records, and "
        f"divides them. The noisy sum is moved to -5..{most + 6}, the number to 1..{most}."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", add_or_remove((0, 1), most), run)


@scenario(3, "the noise fits the local sensitivity", epsilon=(0.9, 1.2, 1.5), most=(4, 5, 6))
def local_sensitivity(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make a median of three. Sound: noise for the global sensitivity. Broken: for the local one.

    Source: Nissim, Raskhodnikova and Smith (2007), Section 2: the noise itself tells the data.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        low, median, high = sorted(data)
        width = max(1, median - low, high - median) if is_broken else most
        return coins.pick(noisy(median, epsilon / width, -6, most + 6))

    about = (
        f"it takes the median, adds geometric noise of scale {most}/epsilon, and moves the result "
        f"to -6..{most + 6}."
    )
    domain = replace_one(range(most + 1), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {most}", domain, run)
