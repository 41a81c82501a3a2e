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


def test_every_order_of_magnitude_comes_as_often():
    """1,000 of 2,998 between 1 and 10, 26 standard deviations from none: misses with 1e-20."""
    found = np.array(checks.parameters(np.random.default_rng(), 0.01, 10.0, 3000))
    assert len(found) == 3000
    assert found.min() == 0.01
    assert found.max() == 10.0
    for low in (0.01, 0.1, 1.0):
        assert 750 < ((found >= low) & (found < 10 * low)).sum() < 1250


@pytest.mark.parametrize("domain", [(0, 1, 3), (2, 1, 3), (1, 1, 3), (1, 2, 1)])
def test_a_domain_without_two_ends_is_refused(domain):
    with pytest.raises(ValueError, match="must be"):
        checks.parameters(np.random.default_rng(), *domain)
