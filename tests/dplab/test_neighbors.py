import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, half_range, pairs, sensitivity

datasets = st.lists(st.integers(0, 2), min_size=1, max_size=4).map(tuple)
relations = st.sampled_from([REPLACE_ONE, ADD_REMOVE])


@given(datasets, relations)
def test_neighbours_are_one_step_away_and_the_relation_is_symmetric(x, relation):
    for y in relation.neighbors_of(x, universe=(0, 1, 2)):
        assert relation.distance(x, y) == 1
        assert any(
            relation.distance(z, x) == 0 for z in relation.neighbors_of(y, universe=(0, 1, 2))
        )


def test_counts_of_neighbours():
    assert len(list(REPLACE_ONE.neighbors_of((0, 1, 2), universe=(0, 1, 2)))) == 3 * 2
    assert len(list(ADD_REMOVE.neighbors_of((0, 1, 2), universe=(0, 1, 2)))) == 3 + 3
    assert len(list(REPLACE_ONE.datasets((0, 1), 3))) == 8
    assert len(list(ADD_REMOVE.datasets((0, 1), 2))) == 1 + 2 + 4
    assert len(list(pairs(REPLACE_ONE, (0, 1), 3))) == 8 * 3


def test_a_replacement_is_two_steps_of_adding_and_removing():
    assert REPLACE_ONE.distance((0, 1, 1), (2, 1, 1)) == 1
    assert ADD_REMOVE.distance((0, 1, 1), (2, 1, 1)) == 2
    assert REPLACE_ONE.distance((0, 1), (0, 1, 1)) == np.inf
    assert ADD_REMOVE.distance((0, 1), (1, 0)) == 0


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=6),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=6),
    relations,
)
def test_rows_of_arrays_are_records(x, y, relation):
    rows = [np.array(data).reshape(-1, 2) for data in (x, y)]
    assert relation.distance(*rows) == relation.distance(x, y)
    first = [data[:, 0] for data in rows]
    assert relation.distance(*first) == relation.distance(*map(tuple, first))
    words = [np.array([str(record) for record in data], dtype="U9") for data in (x, y)]
    assert relation.distance(*words) == relation.distance(x, y)
    assert relation.distance(*(data.astype(object) for data in first)) == relation.distance(*first)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_records_of_other_shapes_are_refused(relation):
    with pytest.raises(ValueError, match=r"y must have records of shape \(2,\) like x, not \(1,\)"):
        relation.distance(np.zeros((3, 2)), np.zeros((3, 1)))


@pytest.mark.parametrize("shape", [(-1,), (-1, 1), (-1, 2)])
def test_a_missing_value_is_one_value_and_no_dataset_is_far_from_itself(shape):
    x = np.array([np.nan, 1.0, np.nan, 2.0]).reshape(shape)
    y = np.array([np.nan, 1.0, 3.0, 2.0]).reshape(shape)
    assert REPLACE_ONE.distance(x, x.copy()) == ADD_REMOVE.distance(x, x.copy()) == 0
    assert REPLACE_ONE.distance(x, y) == 1
    assert ADD_REMOVE.distance(x, y) == 2
    assert REPLACE_ONE.distance((np.nan, 1.0), (np.nan, 1.0)) == 0


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.array([2**53 + 1]), np.array([2**53], dtype=np.uint64)),
        (np.array([2**53 + 1]), np.array([2.0**53])),
        (np.array([2**63 - 1]), (2**63 - 2,)),
        (np.array(["1"]), np.array([1])),
    ],
)
def test_records_of_two_types_are_compared_as_they_are(x, y, relation):
    steps = 1 if relation == REPLACE_ONE else 2
    assert relation.distance(x, y) == steps
    in_rows = [np.asarray(data)[:, None] for data in (x, y)]
    assert relation.distance(*in_rows) == steps
    assert relation.distance(x, x.astype(object)) == 0


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_rows_of_objects_are_records(relation):
    rows = np.array([[1, None], ["b", 2]], dtype=object)
    assert relation.distance(rows, rows.copy()) == 0
    assert relation.distance(rows, ((1, None), ("b", 2))) == 0
    assert relation.distance(rows, [[1, None], ["b", 3]]) == (1 if relation == REPLACE_ONE else 2)


def test_a_million_rows():
    x = np.arange(3_000_000).reshape(-1, 3)
    y = x.copy()
    y[[5, 7, 7]] = 0
    assert REPLACE_ONE.distance(x, y) == 2
    assert ADD_REMOVE.distance(x[:1000], y[:1000]) == 4


def test_sensitivity_by_brute_force():
    def histogram(data):
        return np.bincount(np.array(data, dtype=int), minlength=3)

    def share(data):
        return np.mean(data)

    assert sensitivity(histogram, REPLACE_ONE, (0, 1, 2), 3) == 2
    assert sensitivity(histogram, ADD_REMOVE, (0, 1, 2), 3) == 1
    assert sensitivity(histogram, REPLACE_ONE, (0, 1, 2), 3, norm=2) == pytest.approx(np.sqrt(2))
    assert sensitivity(share, REPLACE_ONE, (0, 1), 4) == pytest.approx(1 / 4)
    assert sensitivity(share, REPLACE_ONE, (-3, 3), 4) == pytest.approx(2 * 3 / 4)


@given(st.floats(-320, 307), st.sampled_from([1, 2, np.inf]))
def test_a_sensitivity_is_in_the_units_of_the_query(log_unit, norm):
    """Also where the square of the unit is 0, or infinite, among floats."""
    unit = 10.0**log_unit
    assert sensitivity(lambda x: [unit * sum(x), 0], REPLACE_ONE, (0, 1), 2, norm=norm) == unit


def test_a_query_that_has_no_answer_on_some_dataset_is_named():
    """The mean of nobody."""

    def mean(x):
        return sum(x) / len(x) if x else np.nan

    with pytest.raises(ValueError, match=r"query\(\(\)\) must hold finite numbers, not nan"):
        sensitivity(mean, ADD_REMOVE, (0, 1), n=2)
    with pytest.raises(ValueError, match=r"scores\(\(\)\) must hold finite numbers, not nan"):
        half_range(mean, ADD_REMOVE, (0, 1), n=2)


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match="norm must be one of 1, 2, inf, not 3"):
        sensitivity(sum, REPLACE_ONE, (0, 1), 2, norm=3)
    with pytest.raises(ValueError, match=r"universe \(0,\) has no neighbouring datasets"):
        sensitivity(sum, REPLACE_ONE, (0,), 2)
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, not 0"):
        list(pairs(REPLACE_ONE, (0, 1), 0))
