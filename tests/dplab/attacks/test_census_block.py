from itertools import combinations_with_replacement

import numpy as np
import pytest

from dplab.attacks.census_block import Statistic, consistent_blocks, publish
from dplab.attacks.linear_program import Infeasible, StoppedEarly

KINDS = [(age, sex) for age in range(6) for sex in "FM"]
GROUPS = [{}, {1: "F"}, {1: "M"}]


def agrees(block, table):
    """Whether the block has this statistic: by the definition, not by constraints."""
    ages = [person[0] for person in block if all(person[i] == v for i, v in table.group.items())]
    return (
        len(ages) == table.count
        and (table.mean is None or abs(np.mean(ages) - table.mean) <= 0.05 + 1e-9)
        and (table.median is None or np.median(ages) == table.median)
    )


def by_enumeration(tables, n):
    blocks = combinations_with_replacement(sorted(KINDS), n)
    return tuple(block for block in blocks if all(agrees(block, table) for table in tables))


@pytest.mark.parametrize("seed", range(4))
def test_finds_exactly_the_blocks_that_enumeration_finds(seed):
    rng = np.random.default_rng(seed)
    block = [KINDS[i] for i in rng.integers(len(KINDS), size=5)]
    tables = publish(block, GROUPS)
    found = consistent_blocks(tables, KINDS, limit=1000)
    assert found.complete
    assert found.blocks == by_enumeration(tables, 5)
    assert tuple(sorted(block)) in found.blocks


def test_twins_are_two_people():
    found = consistent_blocks([Statistic({}, 3, mean=2.0), Statistic({0: 2}, 3)], KINDS)
    assert len(found.blocks) == 4  # zero to three of them women
    assert ((2, "F"), (2, "F"), (2, "M")) in found.blocks


def test_a_kind_that_is_given_twice_is_one():
    found = consistent_blocks([Statistic({}, 2)], [(30, "F"), (40, "F"), (30, "F")])
    assert found.blocks == consistent_blocks([Statistic({}, 2)], [(30, "F"), (40, "F")]).blocks
    assert len(found.blocks) == 3


def test_contradictory_tables_are_infeasible():
    with pytest.raises(Infeasible, match="contradict each other"):
        consistent_blocks([Statistic({}, 3), Statistic({1: "F"}, 2), Statistic({1: "M"}, 2)], KINDS)
    with pytest.raises(Infeasible):
        consistent_blocks([Statistic({}, 3, mean=2.0, median=50.0)], KINDS)
    with pytest.raises(Infeasible):
        consistent_blocks([Statistic({}, 1), Statistic({1: "F"}, 0), Statistic({1: "M"}, 0)], KINDS)


def test_a_limit_that_is_reached_is_said():
    tables = [Statistic({}, 2)]
    some = consistent_blocks(tables, KINDS, limit=5)
    assert (len(some.blocks), some.complete) == (5, False)
    assert some.certain == ()
    exactly = consistent_blocks([Statistic({}, 1)], KINDS, limit=len(KINDS))
    assert (len(exactly.blocks), exactly.complete) == (len(KINDS), True)


def test_certain_people_are_in_every_solution():
    tables = [Statistic({}, 3), Statistic({0: 5, 1: "F"}, 2), Statistic({1: "M"}, 1)]
    found = consistent_blocks(tables, KINDS)
    assert len(found.blocks) == 6
    assert found.certain == ((5, "F"), (5, "F"))


def test_in_the_only_solution_everybody_is_certain():
    block = ((1, "F"), (4, "M"))
    alone = [{0: 1}, {0: 4}, {1: "F"}, {0: 1, 1: "F"}]
    tables = [Statistic({}, 2), *(Statistic(group, 1) for group in alone)]
    found = consistent_blocks(tables, KINDS)
    assert found.blocks == (block,)
    assert found.certain == block


def test_a_search_that_stops_early_says_so():
    kinds = [(age, sex, z) for age in range(90) for sex in "FM" for z in range(4)]
    with pytest.raises(StoppedEarly, match=r"after 0\.001 seconds"):
        consistent_blocks([Statistic({}, 9, mean=31.4, median=30)], kinds, seconds=0.001)


def test_small_groups_are_suppressed():
    tables = publish([(30, "F"), (40, "F"), (50, "M")], GROUPS)
    assert [(t.count, t.mean, t.median) for t in tables] == [
        (3, 40.0, 40.0),
        (2, None, None),
        (1, None, None),
    ]


@pytest.mark.parametrize("tables", [[], [Statistic({1: "F"}, 2)], [Statistic({}, 0)]])
def test_everybody_must_be_counted(tables):
    with pytest.raises(ValueError, match="tables must count everybody"):
        consistent_blocks(tables, KINDS)


def test_a_median_of_evenly_many_is_refused():
    with pytest.raises(ValueError, match="median must be of an odd count, not of 4 people"):
        Statistic({}, 4, median=30)


def test_a_mean_that_was_rounded_by_half_of_its_last_digit_agrees():
    block = ((1, "F"), (1, "F"), (1, "F"), (2, "F"))  # a mean of 1.25, published as 1.2 or 1.3
    for mean in (1.2, 1.3):
        assert block in consistent_blocks([Statistic({}, 4, mean=mean)], KINDS, limit=1000).blocks
    assert publish(block, [{}])[0].mean in (1.2, 1.3)


def test_everybody_counted_twice_and_differently_is_a_contradiction():
    with pytest.raises(Infeasible):
        consistent_blocks([Statistic({}, 2), Statistic({}, 0)], KINDS)


def test_a_limit_is_a_whole_number_from_one_on():
    assert len(consistent_blocks([Statistic({}, 2)], KINDS, limit=1).blocks) == 1
    with pytest.raises(ValueError, match="limit must be a whole number"):
        consistent_blocks([Statistic({}, 2)], KINDS, limit=0)
