import numpy as np
import pytest

from autograder import checks


def test_both_ends_are_always_among_them_in_any_order():
    """Each end is first in a quarter of the draws: both are, and neither is, in 200 with 1e-24."""
    rng = np.random.default_rng()
    firsts = set()
    for _ in range(200):
        found = checks.sizes(rng, 1, 20_000, 4)
        assert min(found) == 1
        assert max(found) == 20_000
        assert all(type(size) is int for size in found)
        firsts.add(found[0])
    assert {1, 20_000} < firsts


def test_two_numbers_are_the_ends():
    assert sorted(checks.sizes(np.random.default_rng(), 3, 9, 2)) == [3, 9]


def test_every_order_of_magnitude_comes_as_often():
    found = np.array(checks.parameters(np.random.default_rng(), 0.01, 10.0, 302))
    assert found.min() == 0.01
    assert found.max() == 10.0
    inside = np.sort(found)[1:-1]
    for low in (0.01, 0.1, 1.0):
        assert ((inside >= low) & (inside < 10 * low)).sum() == 100


def test_numbers_between_the_ends_are_log_uniform():
    """Each tenth has 800 of 8,000; 400 is 15 standard deviations fewer, of probability 1e-40."""
    rng = np.random.default_rng()
    found = [checks.parameters(rng, 1.0, 10.0, 3) for _ in range(8000)]
    inside = np.log10([sorted(three)[1] for three in found])
    assert (np.histogram(inside, 10, (0, 1))[0] > 400).all()


@pytest.mark.parametrize("domain", [(0, 1, 3), (2, 1, 3), (1, 1, 3), (1, 2, 1)])
def test_a_domain_without_two_ends_is_refused(domain):
    with pytest.raises(ValueError, match="must be"):
        checks.parameters(np.random.default_rng(), *domain)
