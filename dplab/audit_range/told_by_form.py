"""The form of an answer tells what its numbers hide: cells, ties, errors, several runs, caches."""

from __future__ import annotations

from dplab.audit_range.coins import CoinSource, noisy
from dplab.audit_range.releases import ClaimedRelease, Dataset, add_or_remove, replace_one
from dplab.audit_range.scenarios import scenario
from dplab.guarantees import PureDP


@scenario(1, "cells without records are left out", epsilon=(0.8, 1.0, 1.2), k=(3, 4))
def empty_cells_dropped(is_broken: bool, epsilon: float, k: int) -> ClaimedRelease:
    """Make a histogram. Sound: noise in all cells. Broken: only in those that have records.

    Source: GROUP BY returns no empty groups; Korolova, Kenthapadi, Mishra and Ntoulas (2009).
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        cells = [cell for cell in range(k) if not is_broken or cell in data]
        return tuple((cell, coins.pick(noisy(data.count(cell), epsilon, 0, 5))) for cell in cells)

    about = (
        f"it gives pairs (value, count) for all {k} values. Each count has geometric noise of "
        "scale 1/epsilon, and is moved to 0..5."
    )
    domain = add_or_remove(range(k), 3)
    return ClaimedRelease(PureDP(epsilon), about, f"a whole number from 0 to {k - 1}", domain, run)


@scenario(1, "a tie of the true counts is told", epsilon=(0.7, 0.9, 1.1), most=(3, 4))
def ties_told(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make an election of two. Sound: winner and tie by noisy counts. Broken: tie by true counts.

    A vote is in one of the two counts, so both together cost epsilon.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        counts = [data.count("A"), data.count("B")]
        votes = [coins.pick(noisy(count, epsilon, -3, most + 3)) for count in counts]
        is_tie = counts[0] == counts[1] if is_broken else votes[0] == votes[1]
        return ("A" if votes[0] >= votes[1] else "B", "tie" if is_tie else "clear")

    about = (
        "it adds geometric noise of scale 1/epsilon to both counts of votes, and moves them to "
        f"-3..{most + 3}. It tells the winner by noisy counts, A for equal ones, and whether the "
        "noisy counts are equal: ('A', 'tie')."
    )
    domain = add_or_remove(("A", "B"), most)
    return ClaimedRelease(PureDP(epsilon), about, "a vote, 'A' or 'B'", domain, run)


@scenario(1, "an error tells the true size", epsilon=(0.8, 1.0, 1.3), fewest=(2, 3))
def error_message(is_broken: bool, epsilon: float, fewest: int) -> ClaimedRelease:
    """Make a count for enough people. Sound: noisy size, epsilon / 2. Broken: the true size.

    Source: errors and empty answers as a channel, Haeberlen, Pierce and Narayan (2011).
    """

    def run(data: Dataset, coins: CoinSource) -> int | str:
        size = len(data) if is_broken else coins.pick(noisy(len(data), epsilon / 2, -4, 8))
        if size < fewest:
            return "error: too few people"
        return coins.pick(noisy(sum(data), epsilon / 2, -4, 8))

    about = (
        f"if a noisy number of records is below {fewest}, it answers 'error: too few people'. "
        "Otherwise it gives a noisy count of the ones. The noise of both is geometric with scale "
        "2/epsilon; counts are moved to -4..8."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", add_or_remove((0, 1), 4), run)


@scenario(2, "the run nearest to the truth is chosen", epsilon=(0.6, 0.9, 1.2))
def best_of_runs(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make three runs. Sound: epsilon / 3 each, and their median. Broken: epsilon, and the nearest.

    Source: Liu and Talwar (2019): choosing among private runs costs, even by a private score.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        count, rate = sum(data), epsilon if is_broken else epsilon / 3
        runs = sorted(coins.pick(noisy(count, rate, -5, 8)) for _ in range(3))
        return min(runs, key=lambda answer: abs(answer - count)) if is_broken else runs[1]

    about = (
        "it counts the ones three times, with independent geometric noise of scale 3/epsilon, "
        "moved to -5..8, and gives the median of the three answers."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), 3), run)


@scenario(2, "a cache gives equal answers equal noise", epsilon=(0.8, 1.0, 1.2), most=(3, 4))
def noise_by_content(is_broken: bool, epsilon: float, most: int) -> ClaimedRelease:
    """Make two counts, the second without the first person. Sound: independent noise.

    Broken: equal true answers have the same noise, from a cache. So equal answers tell that the
    first record is 0. Source: Diffix's sticky noise; Gadotti et al. (2019), lesson 3.
    """

    def run(data: Dataset, coins: CoinSource) -> tuple:
        counts = (sum(data), sum(data[1:]))
        first = coins.pick(noisy(counts[0], epsilon / 2, -5, 9))
        is_cached = is_broken and counts[0] == counts[1]
        second = first if is_cached else coins.pick(noisy(counts[1], epsilon / 2, -5, 9))
        return (first, second)

    about = (
        "it counts the ones among all records, and among all but the first one, and adds "
        "independent geometric noise of scale 2/epsilon to each. Counts are moved to -5..9."
    )
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", replace_one((0, 1), most), run)


@scenario(3, "noise is drawn again until the count is not negative", epsilon=(0.4, 0.5, 0.6))
def drawn_again(is_broken: bool, epsilon: float) -> ClaimedRelease:
    """Make a count of at least 0. Sound: negative answers become 0. Broken: they are drawn again.

    Then the law is divided by the probability of no second draw, which depends on the count.
    """

    def run(data: Dataset, coins: CoinSource) -> int:
        choice = noisy(sum(data), epsilon, -1 if is_broken else 0, 12)
        for _ in range(12):  # a thirteenth draw has a probability below e^-12
            answer = coins.pick(choice)
            if answer >= 0:
                return answer
        return 0

    about = "it counts the ones, adds geometric noise of scale 1/epsilon, and moves it to 0..12."
    return ClaimedRelease(PureDP(epsilon), about, "0 or 1", add_or_remove((0, 1), 3), run)
