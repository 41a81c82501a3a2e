import numpy as np
import pytest

from dplab.attacks.differencing import (
    STATISTICS,
    CautiousCurator,
    Refused,
    attack,
    difference,
)

VALUES = np.array([5.0, 0, 8, 1, 0, 2, 7, 3, 9])


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("least", [1, 2, 4])
def test_the_attack_finds_everybody(statistic, least):
    curator = CautiousCurator(VALUES, least=least)
    found = [attack(curator, person, statistic) for person in range(len(VALUES))]
    assert found == pytest.approx((VALUES != 0) * 1.0 if statistic == "count" else VALUES)


def test_the_attack_needs_a_person_more_than_twice_the_least_group():
    curator = CautiousCurator(VALUES[:8], least=4)
    with pytest.raises(Refused, match="a group must have 4 to 4 people, not 3"):
        attack(curator, person=0)


def test_the_curator_refuses_the_few_and_all_but_few():
    curator = CautiousCurator(VALUES, least=3)
    assert curator.ask("sum", [0, 1, 2]) == 13
    assert curator.ask("sum", [0, 1, 2, 3, 4, 5]) == 16
    for group in (np.zeros(9, dtype=bool), [], [2], [0, 2], range(7), np.ones(9, dtype=bool)):
        with pytest.raises(Refused, match="a group must have 3 to 6 people, not"):
            curator.ask("sum", group)


def test_a_group_is_numbers_or_a_mask():
    curator = CautiousCurator(VALUES, least=3)
    mask = np.isin(np.arange(9), [1, 2, 4, 6])
    for statistic, expected in (("sum", 15), ("mean", 3.75), ("count", 2)):
        assert curator.ask(statistic, mask) == curator.ask(statistic, [1, 2, 4, 6]) == expected


def test_differences_are_elementwise_and_means_take_their_sizes():
    assert difference("sum", np.array([4, 9]), np.array([4, 2])).tolist() == [0, 7]
    assert difference("mean", 3.0, 2.5, sizes=(10, 9)) == 7.5
    for sizes in (None, (9, 9), (9, 10)):
        with pytest.raises(ValueError, match="sizes must be two numbers, k and k - 1"):
            difference("mean", 3.0, 2.5, sizes=sizes)


def test_what_is_not_there_is_refused():
    curator = CautiousCurator(VALUES, least=2)
    with pytest.raises(ValueError, match="statistic must be one of 'sum', 'mean', 'count'"):
        curator.ask("median", [0, 1])
    with pytest.raises(ValueError, match="person must be a whole number"):
        attack(curator, person=9)
    with pytest.raises(ValueError, match="least must be a whole number of at least 1, at most 4"):
        CautiousCurator(VALUES, least=5)
    with pytest.raises(ValueError, match="values must hold finite numbers"):
        CautiousCurator(np.array([1, np.nan]), least=1)


@pytest.mark.parametrize("group", [[0, 0], [0, -4]])
def test_a_cautious_curator_counts_people_not_mentions(group):
    with pytest.raises(ValueError, match="group must be of different people"):
        CautiousCurator(np.array([5.0, 3, 8, 1]), least=2).ask("sum", group)
