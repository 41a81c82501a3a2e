import numpy as np
import pytest
from scipy.linalg import hadamard

from dplab.attacks.hadamard import (
    hadamard_attack,
    hadamard_counts,
    hadamard_queries,
    transform,
)


@pytest.mark.parametrize("n", [1, 2, 8, 64])
def test_queries_and_transform_are_those_of_the_hadamard_matrix(n):
    assert (2 * hadamard_queries(n) - 1 == hadamard(n)).all()
    values = np.random.default_rng(n).normal(size=n)
    assert transform(values) == pytest.approx(hadamard(n) @ values, abs=1e-5)


@pytest.mark.parametrize("n", [2, 32, 256])
def test_counts_are_those_of_the_queries(n):
    bits = np.random.default_rng(n).integers(2, size=n)
    assert hadamard_counts(bits) == pytest.approx(hadamard_queries(n) @ bits)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.2, 0.3])
def test_no_more_bits_are_wrong_than_the_bound_allows(share):
    """Errors of share * sqrt(n), whatever their signs; a quarter of million people."""
    n = 2**18
    rng = np.random.default_rng(18)
    bits = rng.integers(2, size=n)
    errors = share * np.sqrt(n) * rng.choice([-1, 1], size=n)
    wrong = (hadamard_attack(hadamard_counts(bits) + errors).bits != bits).sum()
    assert wrong <= 36 * share**2 * n
    if share <= 0.1:
        assert wrong <= 0.02 * n


def test_errors_chosen_against_the_attack_do_much_harm_and_no_more_than_the_bound():
    """The signs that hurt most: those of the transform of a pattern."""
    n, share = 2**14, 0.3
    rng = np.random.default_rng(14)
    bits = rng.integers(2, size=n)
    pattern = np.where(rng.random(n) < 0.5, 1 - 2 * bits, 0)
    errors = share * np.sqrt(n) * np.sign(transform(pattern))
    wrong = (hadamard_attack(hadamard_counts(bits) + errors).bits != bits).mean()
    random = share * np.sqrt(n) * rng.choice([-1, 1], size=n)
    less = (hadamard_attack(hadamard_counts(bits) + random).bits != bits).mean()
    assert less < wrong <= 36 * share**2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hadamard_queries(3), "n must be a power of two, not 3"),
        (lambda: hadamard_attack([1.0, 2.0, 3.0]), "the number of answers must be a power of two"),
        (lambda: hadamard_counts([1, 0, 1]), "the number of bits must be a power of two"),
        (lambda: hadamard_counts([1, 2]), "bits must hold whole numbers"),
        (lambda: transform([]), "the number of values must be a whole number"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
