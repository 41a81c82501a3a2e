from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from scipy.linalg import hadamard

from dplab.attacks.least_squares import least_squares
from dplab.attacks.linear_program import minimum_slack
from dplab.queries import (
    ConjunctionQueries,
    HadamardQueries,
    IntervalQueries,
    LinearQueries,
    MarginalQueries,
    SubsetQueries,
    random_queries,
)
from dplab.queries.families import transform
from tests.refusals import assert_refused


def intervals(rng, n: int) -> IntervalQueries:
    ends = np.sort(rng.integers(n + 1, size=(7, 2)))
    return IntervalQueries(n, ends[:, 0], ends[:, 1])


FAMILIES = {
    "subsets": lambda rng: SubsetQueries.random(*rng.integers(1, 40, size=2), rng),
    "thresholds": lambda rng: IntervalQueries.thresholds(int(rng.integers(1, 20))),
    "every interval": lambda rng: IntervalQueries.every(int(rng.integers(1, 12))),
    "some intervals": lambda rng: intervals(rng, int(rng.integers(1, 20))),
    "tree": lambda rng: IntervalQueries.tree(int(rng.integers(1, 40))),
    "conjunctions": lambda rng: ConjunctionQueries(
        rng.integers(2, size=(9, 5)), rng.integers(1, 6)
    ),
    "marginals": lambda rng: MarginalQueries(rng.integers(1, 4, size=3), rng.integers(4)),
    "Hadamard": lambda rng: HadamardQueries(1 << int(rng.integers(7))),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(5))
def test_products_are_those_of_the_matrix(family, seed):
    """Of both sides, one column and many, whole numbers and others, in a row and in a column."""
    rng = np.random.default_rng(seed)
    queries = FAMILIES[family](rng)
    assert isinstance(queries, LinearQueries)
    m, n = queries.shape
    assert len(queries) == m
    matrix = np.array([queries @ unit for unit in np.eye(n)]).T.round()
    assert set(np.unique(matrix)) <= {0, 1}
    assert (np.asarray(queries) == matrix).all()
    assert np.asarray(queries).dtype == int
    close = {"abs": 1e-5 * max(m, n)}
    for x, y in ((rng.normal(size=n), rng.normal(size=m)), (np.arange(n), np.arange(m))):
        assert queries @ x == pytest.approx(matrix @ x, **close)
        assert queries @ x[:, None] == pytest.approx((matrix @ x)[:, None], **close)
        assert queries.T @ y == pytest.approx(matrix.T @ y, **close)
    x, y = rng.normal(size=(n, 3)), rng.normal(size=(m, 3))
    assert queries @ x == pytest.approx(matrix @ x, **close)
    assert queries.T @ y == pytest.approx(matrix.T @ y, **close)


@pytest.mark.parametrize("n", [1, 2, 8, 64])
def test_hadamard_queries_and_transform_are_those_of_the_hadamard_matrix(n):
    assert (2 * np.asarray(HadamardQueries(n)) - 1 == hadamard(n)).all()
    values = np.random.default_rng(n).normal(size=n)
    assert transform(values) == pytest.approx(hadamard(n) @ values, abs=1e-5)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_a_conjunction_marks_who_has_all_its_attributes(k):
    attributes = np.random.default_rng(4).integers(2, size=(9, 4))
    sets = [chosen for size in range(k + 1) for chosen in combinations(range(4), size)]
    expected = [attributes[:, list(chosen)].all(axis=1) for chosen in sets]
    assert (np.asarray(ConjunctionQueries(attributes, k)) == expected).all()


def test_all_conjunctions_of_three():
    assert ConjunctionQueries(np.ones((2, 5), dtype=int), k=3).shape == (1 + 5 + 10 + 10, 2)


def test_conjunctions_with_exact_answers_reconstruct():
    """300 queries on 60 people with one more in six columns have no full rank with P < 1e-9."""
    rng = np.random.default_rng()
    queries = ConjunctionQueries(rng.integers(2, size=(60, 24)), k=2)
    secret = rng.integers(2, size=60)
    assert (least_squares(np.asarray(queries), queries @ secret).bits == secret).all()


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_marginals_are_the_tables_of_the_kept_columns(k):
    shape, rng = (2, 3, 4), np.random.default_rng(k)
    people = [tuple(rng.integers(shape)) for _ in range(50)]
    table = np.zeros(shape)
    np.add.at(table, tuple(np.transpose(people)), 1)
    expected = [
        sum(tuple(person[axis] for axis in axes) == cell for person in people)
        for axes in combinations(range(3), k)
        for cell in product(*(range(shape[axis]) for axis in axes))
    ]
    assert (MarginalQueries(shape, k) @ table.ravel()).tolist() == expected


def test_thresholds_differ_by_one_person():
    queries = np.asarray(IntervalQueries.thresholds(6))
    assert (np.diff(queries, axis=0, prepend=0) == np.eye(6)).all()


def test_every_interval_is_there_once():
    rows = {tuple(row) for row in np.asarray(IntervalQueries.every(7)).tolist()}
    assert len(rows) == len(IntervalQueries.every(7)) == comb(8, 2)
    assert all(np.diff(np.flatnonzero(row)).max(initial=1) == 1 for row in rows)
    assert np.asarray(IntervalQueries.every(1)).tolist() == [[1]]


def test_a_table_of_2_to_the_28_cells_is_not_too_large():
    assert MarginalQueries((2**14, 2**14), 0).shape == (1, 2**28)
    with pytest.raises(ValueError, match="268,451,840 cells and 1 tables: too many"):
        MarginalQueries((2**14, 2**14 + 1), 0)


@pytest.mark.parametrize("n", range(1, 40))
def test_a_place_is_in_one_node_of_each_length_at_most(n):
    queries = np.asarray(IntervalQueries.tree(n))
    lengths = queries.sum(axis=1)
    assert set(lengths) == {1 << level for level in range(n.bit_length())}
    for length in set(lengths):
        of_length = queries[lengths == length].sum(axis=0)
        assert of_length.tolist() == [1] * (n // length * length) + [0] * (n % length)


def test_subsets_are_packed_and_unpacked():
    queries = random_queries(13, 21, np.random.default_rng(1))
    packed = SubsetQueries.of(queries)
    assert (np.asarray(packed) == queries).all()
    drawn = SubsetQueries.random(13, 21, np.random.default_rng(1))
    assert packed._packed.nbytes == drawn._packed.nbytes == 3 * 13


def test_random_subsets_are_fair_coins_from_the_generator():
    """An entry is 1 as often as not, two of a row are equal as often as not: 64,000 tosses each,
    off by 1% with probability below 1e-10."""
    draw = [np.asarray(SubsetQueries.random(320, 200, np.random.default_rng(5))) for _ in range(2)]
    assert (draw[0] == draw[1]).all()
    fresh = np.asarray(SubsetQueries.random(320, 200, np.random.default_rng()))
    assert abs(fresh.mean() - 0.5) < 0.02
    assert abs((fresh == np.roll(fresh, 1, axis=1)).mean() - 0.5) < 0.02
    assert abs((fresh == np.roll(fresh, 1, axis=0)).mean() - 0.5) < 0.02


def test_what_is_too_large_to_be_written_down_is_said():
    for call in (np.asarray, lambda queries: minimum_slack(queries, np.zeros(2**20))):
        with pytest.raises(ValueError, match=r"of shape \(1048576, 1048576\) are too many"):
            call(HadamardQueries(2**20))


def test_bad_arguments_are_named():
    calls = [
        (lambda: ConjunctionQueries([[0, 2]], 1), "attributes must hold whole numbers"),
        (lambda: ConjunctionQueries([0, 1], 1), r"attributes must be of shape \(n, d\)"),
        (lambda: ConjunctionQueries([[0, 1]], 3), "k must be a whole number"),
        (lambda: ConjunctionQueries([[0, 1]], 0), "k must be a whole number"),
        (lambda: IntervalQueries(0, [0], [0]), "n must be .* at least 1, at most 268435456, not 0"),
        (lambda: IntervalQueries.thresholds(0), "n must be .* at least 1, at most 268435456"),
        (lambda: IntervalQueries.every(0), "n must be .* at least 1, at most 23170, not 0"),
        (lambda: IntervalQueries.tree(0), "n must be .* at least 1, at most 268435456"),
        (lambda: IntervalQueries(3, [0], [4]), "stops must hold whole numbers from 0 to 3"),
        (lambda: IntervalQueries(3, [-1], [2]), "starts must hold whole numbers from 0 to 3"),
        (lambda: IntervalQueries(3, [2], [1]), "starts must be at most stops"),
        (lambda: IntervalQueries(3, [0, 1], [1]), "starts and stops must be rows of one length"),
        (lambda: IntervalQueries(3, [[0]], [[1]]), "starts and stops must be rows of one length"),
        (lambda: MarginalQueries((2, 0), 1), "shape must be a whole number of at least 1"),
        (lambda: MarginalQueries((2, 2), 3), "k must be a whole number of at least 0, at most 2"),
        (lambda: HadamardQueries(3), "n must be a power of two, not 3"),
        (lambda: transform([]), "the number of values must be a whole number"),
        (lambda: SubsetQueries.of([[0, 2]]), "queries must hold whole numbers from 0 to 1"),
        (lambda: SubsetQueries.of([0, 1]), r"queries must be of shape \(m, n\)"),
        (lambda: SubsetQueries.random(0, 1, np.random.default_rng()), "m must be a whole number"),
        (lambda: SubsetQueries.random(1, 0, np.random.default_rng()), "n must be a whole number"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 1), (1, 9)])
def test_one_question_or_one_person_is_enough(m, n):
    assert np.shape(SubsetQueries.random(m, n, np.random.default_rng()) @ np.ones(n)) == (m,)
    assert random_queries(m, n, np.random.default_rng()).shape == (m, n)
