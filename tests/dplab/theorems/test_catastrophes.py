from decimal import Decimal, getcontext

import numpy as np
import pytest

from dplab.mechanisms.catastrophe import NameAndShame, OrEverything, RandomRows
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.catastrophes import chance_of_naming, exposure

PEOPLE = ("Ann", "Bob", "Cem", "Dot")


@pytest.mark.parametrize("delta", [0.01, 0.25, 0.6])
def test_name_and_shame_exposes_each_with_delta_and_somebody_by_chance(delta):
    found = exposure(NameAndShame(delta), PEOPLE, other="Eve")
    assert found.persons == pytest.approx([delta] * 4)
    assert found.anybody == pytest.approx(1 - (1 - delta) ** 4)
    assert found.anybody == pytest.approx(chance_of_naming(4, delta))


@pytest.mark.parametrize("k", [1, 2, 4])
def test_random_rows_expose_somebody_always(k):
    found = exposure(RandomRows(4, k), PEOPLE, other="Eve")
    assert found.persons == pytest.approx([k / 4] * 4)
    assert found.anybody == pytest.approx(1)


def test_everybody_at_once_or_nobody():
    both = OrEverything(RandomizedResponse(1.0), delta=0.1)
    found = exposure(both, (0, 1, 1), other=0)
    assert found.persons == pytest.approx([0, 0.1, 0.1])  # the first record is 0 already
    assert found.anybody == pytest.approx(0.1)


def test_the_bound_holds_with_an_epsilon_and_without_exposure_at_all():
    for mechanism in (NameAndShame(0.2), OrEverything(RandomizedResponse(2.0), delta=0.05)):
        found = exposure(mechanism, (1, 1, 1), other=0)
        assert max(found.persons) <= mechanism.guarantee.delta + 1e-12
        assert found.anybody <= 3 * mechanism.guarantee.delta + 1e-12
    assert exposure(RandomizedResponse(1.0), (0, 1), other=1).anybody == 0


@pytest.mark.parametrize("n", [1, 1000, 10**9])
@pytest.mark.parametrize("delta", [0.5, 1e-6, 2.0**-50])
def test_the_chance_of_naming_is_accurate_in_every_digit(n, delta):
    """Against 60 decimal digits."""
    getcontext().prec = 60
    exact = 1 - (1 - Decimal(delta)) ** n
    assert chance_of_naming(n, delta) == pytest.approx(float(exact), rel=1e-12)
    assert 1 - np.exp(-n * delta) <= chance_of_naming(n, delta) * (1 + 1e-12)
    assert chance_of_naming(n, delta) <= n * delta * (1 + 1e-12)


def test_the_chance_of_naming_is_elementwise_and_names_bad_arguments():
    assert chance_of_naming(np.array([1, 2]), 0.5) == pytest.approx([0.5, 0.75])
    assert chance_of_naming(3, 1.0) == 1
    with pytest.raises(ValueError, match="n must be at least 1, not 0"):
        chance_of_naming(0, 0.5)
    with pytest.raises(ValueError, match=r"delta must lie in \[0, 1\], not 1.5"):
        chance_of_naming(1, 1.5)
