from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from dplab.attacks.linkage import expected_unique_share, group_sizes, link, unique_share
from dplab.data import fair_survey, make_town

TABLE = pd.DataFrame(
    {"a": ["x", "x", "xy", "xy"], "b": ["yz", "yz", "z", "z"], "c": [1, 2, 1, 1], "d": [0.5] * 4}
)


def test_groups_by_hand():
    assert group_sizes(TABLE, ["a"]).tolist() == [2, 2, 2, 2]
    assert group_sizes(TABLE, ["a", "c"]).tolist() == [1, 1, 2, 2]
    assert group_sizes(TABLE, ["d"]).tolist() == [4] * 4
    assert group_sizes(TABLE, []).tolist() == [4] * 4
    assert unique_share(TABLE, ["a", "b", "c"]) == 0.5


def test_groups_are_those_of_pandas():
    people = make_town(3000, np.random.default_rng(2))
    for columns in (["age"], ["sex", "age", "birthday"], list(people)):
        expected = people.groupby(columns)["ill"].transform("size")
        assert group_sizes(people, columns).tolist() == expected.tolist()


def test_values_may_be_of_any_type_and_missing():
    table = pd.DataFrame({"a": [None, 1, "x", None, np.nan, 1.0], "b": [1, 1, 1, 1, 1, 2]})
    assert group_sizes(table, ["a"]).tolist() == [3, 2, 1, 3, 3, 2]
    assert group_sizes(table, ["a", "b"]).tolist() == [3, 1, 1, 3, 3, 1]
    mixed = pd.DataFrame({"a": ["x", "y"], "b": [1.0, np.nan]})
    assert group_sizes(mixed, ["a", "b"]).tolist() == [1, 1]


def test_another_column_never_makes_anybody_less_unique():
    people = fair_survey()
    sizes = [group_sizes(people, list(people)[:k]) for k in range(len(people.columns) + 1)]
    assert all((more <= fewer).all() for fewer, more in pairwise(sizes))
    assert sizes[0].min() == len(people)


def test_columns_with_many_values_do_not_overflow():
    table = pd.DataFrame({str(i): np.arange(3000) % 2999 for i in range(12)})
    assert unique_share(table, list(table)) == pytest.approx(2998 / 3000)


def test_the_formula_is_the_mean_over_all_ways_to_fall_into_cells():
    for n, cells in ((2, 3), (4, 3), (5, 2)):
        ways = np.stack(np.meshgrid(*[range(cells)] * n), axis=-1).reshape(-1, n)
        shares = [unique_share(pd.DataFrame({"cell": way}), ["cell"]) for way in ways]
        assert expected_unique_share(n, cells) == pytest.approx(np.mean(shares))


def test_the_formula_has_its_limits():
    assert expected_unique_share(1, 1) == 1
    with np.errstate(all="raise"):
        assert expected_unique_share(2, 1) == 0
        assert expected_unique_share(1, 7) == 1
    assert expected_unique_share(8500, 365 * 77 * 2) == pytest.approx(np.exp(-8500 / 56_210), 1e-4)


def test_linking_finds_who_is_alone_in_both_tables():
    released = pd.DataFrame({"sex": list("FFMM"), "age": [20, 30, 40, 40], "ill": [1, 0, 1, 0]})
    named = pd.DataFrame({"sex": list("FMFF"), "age": [20, 40, 30, 30], "name": list("abcd")})
    found = link(released, named, ["sex", "age"])
    assert found.to_dict("records") == [{"sex": "F", "age": 20, "ill": 1, "name": "a"}]


def test_linking_whole_tables_finds_all_unique_people_and_nobody_else():
    people = make_town(2000, np.random.default_rng(4))
    known = ["sex", "age", "birthday", "block"]
    found = link(people.drop(columns="name"), people[["name", *known]], known)
    alone = people[group_sizes(people, known) == 1]
    assert len(found) == len(alone) > 1900
    together = found.merge(alone, on=[*known, "name"], suffixes=("", "_true"))
    assert (together.ill == together.ill_true).all()
    assert len(together) == len(found)


def test_a_column_of_both_that_is_not_shared_keeps_both_values():
    table = pd.DataFrame({"age": [1], "income": [5]})
    found = link(table, table.assign(income=7), ["age"])
    assert (found.income.item(), found.income_named.item()) == (5, 7)


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="columns must be one of 'a', 'b', 'c', 'd', not 'e'"):
        unique_share(TABLE, ["a", "e"])
    with pytest.raises(ValueError, match="table must have rows"):
        group_sizes(TABLE[:0], ["a"])
    with pytest.raises(ValueError, match="each of columns must be one of"):
        link(TABLE, TABLE.drop(columns="a"), ["a"])
    with pytest.raises(ValueError, match="the number of columns must be"):
        link(TABLE[:1], TABLE[:1], [])
    with pytest.raises(ValueError, match="cells must be"):
        expected_unique_share(5, 0)
    with pytest.raises(ValueError, match="n must be"):
        expected_unique_share(0, 5)
