"""Each oracle's law, supports and variance, against sums over all its answers."""

from itertools import product

import numpy as np
import pytest

from dplab import RandomizedResponse
from dplab.audit import exact_epsilon
from dplab.divergences import privacy_loss
from dplab.local.frequency_oracles import HadamardResponse, UnaryEncoding, _odd_bits
from dplab.local.hashing import LocalHashing, best_hash_size

EPSILON = 1.2
ORACLES = {
    "optimised": UnaryEncoding(EPSILON, 4),
    "RAPPOR": UnaryEncoding(EPSILON, 4, symmetric=True),
    "two categories": UnaryEncoding(EPSILON, 2),
    "Hadamard": HadamardResponse(EPSILON, 5),
    "Hadamard, K = 4": HadamardResponse(EPSILON, 3),
    "Hadamard, K = 8": HadamardResponse(EPSILON, 4),
    "hashing": LocalHashing(EPSILON, 7),
    "hashing to bits": LocalHashing(EPSILON, 4, g=2),
    "one hash for each": LocalHashing(EPSILON, 3, g=5),
}
every_oracle = pytest.mark.parametrize("oracle", ORACLES.values(), ids=ORACLES)


def law_of(oracle, truth):
    """Return all answers as an array, and their probabilities."""
    law = oracle.distribution(truth)
    law = law.enumerate() if hasattr(law, "enumerate") else law
    return np.array(law.outcomes), law.probabilities


@every_oracle
def test_an_answer_supports_the_truth_with_p_and_every_other_with_q(oracle):
    for truth in range(oracle.k):
        answers, chances = law_of(oracle, truth)
        support = chances @ oracle.supports(answers)
        expected = np.full(oracle.k, oracle.lie_probability)
        expected[truth] = oracle.truth_probability
        assert support == pytest.approx(expected, abs=1e-12)


@every_oracle
def test_the_loss_is_that_of_any_two_truths(oracle):
    for x, y in product(range(oracle.k), repeat=2):
        loss = privacy_loss(oracle.distribution(x), oracle.distribution(y))
        assert loss.largest_log_ratio == pytest.approx(EPSILON if x != y else 0)
        if x != y:
            deltas = [loss.delta(e) - oracle.worst_case.delta(e) for e in (-1, 0.1, 0.7, 1.1)]
            assert deltas == pytest.approx([0] * 4, abs=1e-12)


@every_oracle
def test_estimates_are_unbiased_and_their_variance_is_exact(oracle):
    """Over all answers of one person; people are independent, so n divides the variance."""
    for truth in (0, oracle.k - 1):
        answers, chances = law_of(oracle, truth)
        each = np.array([oracle.frequencies(answer[None]) for answer in answers])
        mean = chances @ each
        assert mean == pytest.approx(1.0 * (np.arange(oracle.k) == truth), abs=1e-9)
        variances = chances @ each**2 - mean**2
        expected = [oracle.frequency_variance(float(j == truth), 1) for j in range(oracle.k)]
        assert variances == pytest.approx(expected)
    assert oracle.frequency_variance(0.3, 50) == pytest.approx(
        0.006 * oracle.frequency_variance(1, 1) + 0.014 * oracle.frequency_variance(0, 1)
    )


@every_oracle
def test_draws_follow_the_law(oracle):
    """A frequency of 20,000 draws is off by 0.03 with probability below 2e-15 (Hoeffding)."""
    truth = oracle.k - 1
    answers, chances = law_of(oracle, truth)
    drawn = oracle(np.full(20_000, truth), np.random.default_rng())
    assert drawn.shape == (20_000, *answers.shape[1:])
    for answer, chance in zip(answers, chances, strict=True):
        hits = (drawn == answer).reshape(20_000, -1).all(axis=1)
        assert abs(hits.mean() - chance) < 0.03


@every_oracle
def test_named_categories_get_the_same_estimates_in_any_order(oracle):
    answers = oracle(np.arange(40) % oracle.k, np.random.default_rng())
    everything = oracle.frequencies(answers)
    for some in ([1], [1, 0], [0, 0, 1]):
        assert oracle.frequencies(answers, some) == pytest.approx(everything[some])
        assert (oracle.supports(answers, some) == oracle.supports(answers)[:, some]).all()


@pytest.mark.parametrize("oracle", [UnaryEncoding(1, 2), HadamardResponse(1, 2)])
def test_the_exact_audit_agrees(oracle):
    assert exact_epsilon(oracle, universe=(0, 1), n=2).epsilon == pytest.approx(1)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1, 2, 4])
def test_variances_are_those_of_the_table(epsilon):
    odds, scale = np.exp(epsilon), np.expm1(epsilon) ** 2
    hashing = LocalHashing(epsilon, 1000)
    expected = {
        RandomizedResponse(epsilon, k=10): odds + 8,
        UnaryEncoding(epsilon, 10): 4 * odds,
        UnaryEncoding(epsilon, 10, symmetric=True): (1 + odds**0.5) ** 2 * odds**0.5,
        HadamardResponse(epsilon, 10): (1 + odds) ** 2,
        LocalHashing(epsilon, 10, g=2): (1 + odds) ** 2,
        hashing: (odds + hashing.g - 1) ** 2 / (hashing.g - 1),
    }
    for oracle, value in expected.items():
        assert oracle.frequency_variance(0, 7) * 7 * scale == pytest.approx(value)
    crossover = 3 * odds + 2
    for k in (int(crossover), int(crossover) + 1):
        direct = RandomizedResponse(epsilon, k=max(k, 2)).frequency_variance(0, 1)
        unary = UnaryEncoding(epsilon, max(k, 2)).frequency_variance(0, 1)
        assert (direct < unary) == (k < crossover)


def test_no_unary_encoding_and_no_prime_is_better():
    """Against all p of a grid with the q that epsilon allows, and against all primes below 300."""
    p = np.linspace(0.001, 0.999, 999)
    q = p / (p + (1 - p) * np.exp(EPSILON))
    best = UnaryEncoding(EPSILON, 4).frequency_variance(0, 1)
    assert (q * (1 - q) / (p - q) ** 2).min() >= best * (1 - 1e-12)
    primes = [g for g in range(2, 300) if all(g % d for d in range(2, g))]
    for epsilon in (0.01, 0.37, 0.5, 1, 2, 3, 4, 5.2):  # at 0.37 another prime is nearer
        variances = [LocalHashing(epsilon, 10, g).frequency_variance(0, 1) for g in primes]
        assert best_hash_size(epsilon) == primes[int(np.argmin(variances))]
    assert best_hash_size(50) == 32749  # the largest prime below 2^15


def test_hashes_collide_as_often_as_said():
    oracle = LocalHashing(1.0, k=27, g=3)
    hashes = oracle.hash_values(np.arange(27), np.arange(27))
    same = (hashes[:, :, None] == hashes[:, None, :]).mean(axis=0)
    assert same == pytest.approx(np.where(np.eye(27), 1, 1 / 3))
    linear = oracle.hash_values([5], [1])[0, 0] + oracle.hash_values([5], [3])[0, 0]
    assert oracle.hash_values([5], [4])[0, 0] == linear % 3


def test_hashing_to_bits_is_the_hadamard_matrix():
    hashes = LocalHashing(1.0, k=8, g=2).hash_values(np.arange(8), np.arange(8))
    matrix = np.array([[1]])
    for _ in range(3):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    assert (1 - 2 * hashes == matrix).all()
    numbers = np.array([0, 1, 6, 7, 2**40 + 1, 2**52 + 2**33 + 1])
    assert _odd_bits(numbers).tolist() == [0, 1, 0, 1, 0, 1]


def test_large_numbers_of_categories_keep_all_digits():
    """Of 4,000 answers the estimate of share 1 is off by 0.2 with probability below 1e-15."""
    truth = 2**40 - 5
    for oracle in (HadamardResponse(2.0, 2**40), LocalHashing(2.0, 2**40)):
        answers = oracle(np.full(4000, truth), np.random.default_rng())
        shares = oracle.frequencies(answers, [truth, truth - 1])
        assert abs(shares - [1, 0]).max() < 0.2
        assert oracle.bits < 45
    sizes = [oracle.size for oracle in ORACLES.values()]
    assert sizes == [len(law_of(oracle, 0)[0]) for oracle in ORACLES.values()]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: UnaryEncoding(0, 3), "epsilon must be a finite number above 0"),
        (lambda: UnaryEncoding(1, 1), "k must be a whole number of at least 2"),
        (lambda: UnaryEncoding(1, 3, symmetric=1), "symmetric must be True or False"),
        (lambda: LocalHashing(1, 3, g=4), "g must be a prime number, not 4"),
        (lambda: LocalHashing(1, 2**52, g=3), "k must leave at most 2.53 answers"),
        (lambda: UnaryEncoding(1, 3).frequencies([[1, 0]]), "answers must have 3 bits each, not 2"),
        (lambda: HadamardResponse(1, 3).frequencies([4]), "answers must hold whole numbers"),
        (lambda: HadamardResponse(1, 3).frequencies([1], [3]), "categories must hold whole"),
        (lambda: LocalHashing(1, 3).supports([9]), "answers must hold whole numbers"),
        (lambda: HadamardResponse(1, 3).frequencies([]), "answers must not be empty"),
        (lambda: HadamardResponse(1, 3)([0, 3], np.random.default_rng()), "data must hold whole"),
        (lambda: HadamardResponse(1, 3).frequency_variance(0, 0), "n must be a whole number"),
        (lambda: HadamardResponse(1e-12, 3).frequency_variance(0, 1), "p - q must be a finite"),
        (lambda: UnaryEncoding(1e-12, 3).frequencies([[1, 0, 0]]), "p - q must be a finite"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
