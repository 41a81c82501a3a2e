import numpy as np
import pytest

from dplab.attacks.hadamard import hadamard_attack
from dplab.attacks.least_squares import least_squares
from dplab.queries import HadamardQueries
from dplab.queries.families import transform


@pytest.mark.parametrize("share", [0.0, 0.1, 0.2, 0.3])
def test_no_more_bits_are_wrong_than_the_bound_allows(share):
    """Errors of share * sqrt(n), whatever their signs; a quarter of million people."""
    n = 2**18
    rng = np.random.default_rng(18)
    bits = rng.integers(2, size=n)
    errors = share * np.sqrt(n) * rng.choice([-1, 1], size=n)
    wrong = (hadamard_attack(HadamardQueries(n) @ bits + errors).bits != bits).sum()
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
    wrong = (hadamard_attack(HadamardQueries(n) @ bits + errors).bits != bits).mean()
    random = share * np.sqrt(n) * rng.choice([-1, 1], size=n)
    less = (hadamard_attack(HadamardQueries(n) @ bits + random).bits != bits).mean()
    assert less < wrong <= 36 * share**2


def test_it_solves_what_least_squares_iterates_for():
    n, rng = 256, np.random.default_rng(3)
    answers = HadamardQueries(n) @ rng.integers(2, size=n) + rng.normal(0, 5, size=n)
    expected = least_squares(HadamardQueries(n), answers).estimates
    assert hadamard_attack(answers).estimates == pytest.approx(expected, abs=1e-3)


def test_a_number_of_answers_that_is_no_power_of_two_is_named():
    with pytest.raises(ValueError, match=r"answers must be of shape \(n,\), not \(2, 2\)"):
        hadamard_attack([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="the number of answers must be a power of two"):
        hadamard_attack([1.0, 2.0, 3.0])
