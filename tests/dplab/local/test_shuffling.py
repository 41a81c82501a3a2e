"""The exact laws against all answers one by one, and the clones against exact laws."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dplab import RandomizedResponse
from dplab.divergences import privacy_loss
from dplab.local.shuffling import (
    ShuffledResponse,
    clones_delta,
    clones_epsilon,
    shuffled_laws,
    shuffled_loss,
)


def histogram_law(laws):
    """Return the law of the shuffled answers of people with these laws, by all their answers."""
    found = Counter()
    for answers in product(*(range(len(law)) for law in laws)):
        key = tuple(sorted(answers))
        found[key] += np.prod([law[a] for law, a in zip(laws, answers, strict=True)])
    return found


def hockey_stick(p, q, epsilon):
    return sum(max(p[y] - np.exp(epsilon) * q[y], 0) for y in p)


@pytest.mark.parametrize("bits", [[1], [0, 1], [1, 1, 0, 0, 0], [0] * 6])
def test_the_sum_has_the_law_of_all_answers(bits):
    mechanism, response = ShuffledResponse(0.8), RandomizedResponse(0.8)
    brute = histogram_law([response.distribution(bit).probabilities for bit in bits])
    law = mechanism.distribution(bits)
    expected = [sum(p for y, p in brute.items() if sum(y) == ones) for ones in law.outcomes]
    assert law.probabilities == pytest.approx(expected)


@pytest.mark.parametrize(("ones", "zeros"), [(0, 0), (0, 5), (3, 0), (20, 30)])
def test_the_loss_is_that_of_the_two_laws(ones, zeros):
    mechanism, others = ShuffledResponse(1.3), [1] * ones + [0] * zeros
    p, q = mechanism.distribution([1, *others]), mechanism.distribution([0, *others])
    counts, with_one, with_zero = shuffled_laws(1.3, ones=ones, zeros=zeros)
    assert counts.tolist() == list(p.outcomes)
    assert with_one == pytest.approx(p.probabilities)
    assert with_zero == pytest.approx(q.probabilities)
    loss, exact = shuffled_loss(1.3, ones=ones, zeros=zeros), privacy_loss(p, q)
    assert loss.largest_log_ratio == pytest.approx(1.3)
    for epsilon in (-0.5, 0.0, 0.1, 0.7, 1.29):
        assert loss.delta(epsilon) == pytest.approx(exact.delta(epsilon), abs=1e-14)


def test_the_law_of_many_people_has_no_infinite_loss():
    mechanism = ShuffledResponse(3.0)
    x, y = np.arange(4000) < 1000, np.arange(4000) < 1001
    assert mechanism.privacy_loss(x, y).largest_log_ratio == pytest.approx(3)
    sure = ShuffledResponse(300.0)  # whose truth has probability 1 as a float
    assert sure.privacy_loss([1, 0], [0, 0]).largest_log_ratio == pytest.approx(300)
    assert shuffled_loss(100.0, ones=30, zeros=40).largest == pytest.approx(100)
    counts, with_one, _ = shuffled_laws(1.0, ones=10**5, zeros=10**5)
    assert counts @ with_one == pytest.approx(1e5 + RandomizedResponse(1.0).truth_probability)
    assert with_one.sum() == pytest.approx(1)


@pytest.mark.parametrize(("local", "n"), [(0.3, 40), (1.0, 60), (3.0, 60)])
def test_at_a_small_delta_others_who_all_agree_are_nearly_the_worst(local, n):
    """Within 1% of the worst among all numbers of ones, in both directions."""
    losses = [shuffled_loss(local, ones=m, zeros=n - 1 - m) for m in range(n)]
    epsilons = [max(a.epsilon(1e-6), a.reverse().epsilon(1e-6)) for a in losses]
    assert max(epsilons) == pytest.approx(losses[-1].epsilon(1e-6), rel=0.01)
    mixed = [max(a.delta(0.05), a.reverse().delta(0.05)) for a in losses[:5]]
    assert max(mixed) < clones_delta(local, n, epsilon=0.05, is_binary=True)


def clones_by_sum(local, n, epsilon, share):
    p = 1 / (1 + np.exp(-local))
    total = 0.0
    for clones in range(n):
        a = np.arange(clones + 2)
        same, more = binom.pmf(a, clones, 0.5), binom.pmf(a - 1, clones, 0.5)
        one, zero = p * more + (1 - p) * same, (1 - p) * more + p * same
        excess = np.maximum(one - np.exp(epsilon) * zero, 0).sum()
        total += binom.pmf(clones, n - 1, share) * excess
    return total


@pytest.mark.parametrize("n", [1, 2, 9, 60])
@pytest.mark.parametrize("local", [0.2, 1.0, 2.5])
def test_the_hockey_stick_of_clones_is_the_sum_over_all_of_them(n, local):
    for epsilon in (0.01, 0.3 * local, 0.8 * local, local * 1.1):
        for is_binary in (False, True):
            share = 2 / (1 + np.exp(local)) if is_binary else np.exp(-local)
            expected = clones_by_sum(local, n, epsilon, share)
            found = clones_delta(local, n, epsilon=epsilon, is_binary=is_binary)
            assert found == pytest.approx(expected, rel=1e-9, abs=2e-16)


@pytest.mark.parametrize("local", [0.5, 1.0, 2.0])
def test_clones_bound_exact_laws(local):
    """Of bits, and of k answers shuffled: whatever the others have, for n = 4 and k = 3."""
    for n in (2, 10, 300):
        for epsilon in (0.02, 0.1, 0.4):
            exact = shuffled_loss(local, ones=n - 1, zeros=0).delta(epsilon)
            binary = clones_delta(local, n, epsilon=epsilon, is_binary=True)
            assert exact <= binary + 1e-15
            assert binary <= clones_delta(local, n, epsilon=epsilon) + 1e-15
    laws = [law.probabilities for law in RandomizedResponse(local, k=3).answer_laws]
    for others in product(range(3), repeat=3):
        p, q = (histogram_law([laws[x], *(laws[y] for y in others)]) for x in (0, 1))
        for epsilon in (0.1, 0.4):
            assert hockey_stick(p, q, epsilon) <= clones_delta(local, 4, epsilon=epsilon) + 1e-15


def test_cells_of_clones_cost_less_than_two_thousandths():
    """600 people: numbers of clones are rounded down to every second."""
    found, exact = clones_delta(1.0, 600, epsilon=0.2), clones_by_sum(1.0, 600, 0.2, np.exp(-1))
    assert exact < found
    assert 0.2 < clones_epsilon(1.0, 600, delta=exact) < 0.2 * 1.002


def test_epsilon_is_the_least_at_delta():
    for n in (1, 20, 5000):
        for delta in (1e-9, 1e-4):
            epsilon = clones_epsilon(1.5, n, delta=delta)
            assert clones_delta(1.5, n, epsilon=epsilon) <= delta
            assert clones_delta(1.5, n, epsilon=epsilon * (1 - 1e-4)) > delta
    assert clones_epsilon(1.0, 100, delta=0) == pytest.approx(1)
    assert clones_epsilon(1.0, 100, delta=1) == 0
    assert clones_delta(700.0, 10**6, epsilon=3) == pytest.approx(1)  # nobody sends a clone
    assert 1e-16 <= clones_delta(1.0, 10**5, epsilon=0.9) < 2e-16  # numbers that are left out
    few, many = (clones_epsilon(1.0, n, delta=1e-6) for n in (10**4, 10**7))
    assert 1000**0.5 < few / many < 50  # like the root of n, and a root of a logarithm more


def test_a_draw_is_a_count():
    """1,000 draws of 3 bits: a frequency is off by 0.12 with probability below 1e-12."""
    mechanism, rng = ShuffledResponse(1.0), np.random.default_rng()
    drawn = np.array([mechanism([1, 1, 0], rng) for _ in range(1000)])
    for ones, chance in zip(range(4), mechanism.distribution([1, 1, 0]).probabilities, strict=True):
        assert abs((drawn == ones).mean() - chance) < 0.12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ShuffledResponse(0), "epsilon must be"),
        (lambda: ShuffledResponse(1).distribution([2]), "data must hold whole numbers from 0 to 1"),
        (lambda: ShuffledResponse(1).distribution([0] * 10_001), "the number of records must be"),
        (lambda: shuffled_loss(1, ones=-1, zeros=0), "ones must be a whole number of at least 0"),
        (lambda: shuffled_loss(1, ones=0, zeros=10**7), "zeros must be"),
        (lambda: clones_delta(1, 0, epsilon=1), "n must be a whole number of at least 1"),
        (lambda: clones_delta(1, 9, epsilon=0), "epsilon must be"),
        (lambda: clones_epsilon(1, 9, delta=2), "delta must be"),
        (lambda: clones_epsilon(1, 9, delta=0.1, is_binary=1), "is_binary must be"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
