import numpy as np

from dplab.data import household_incomes


def test_households_are_those_of_the_publication():
    """Koenker and Bassett's 235 households; the mean income is 982.47 francs."""
    incomes = household_incomes()
    assert incomes.shape == (235,)
    assert incomes.mean().round(2) == 982.47
    assert (incomes.min().round(), incomes.max().round()) == (377, 4958)


def test_every_call_returns_fresh_numbers():
    first = household_incomes()
    first[:] = 0
    assert np.median(household_incomes()) > 800


def test_nearly_all_are_different():
    assert len(np.unique(household_incomes())) == 231
