import tracemalloc

import numpy as np
import pytest

from dplab.queries import IntervalQueries, LinearQueries, SubsetQueries, random_queries
from dplab.queries.linear import check_one_answer_set, check_shapes, table_of


class Unwritten(LinearQueries):
    """As large as one likes: it is never check_one_answer_set down."""

    def _matvec(self, x):
        raise AssertionError

    def _to_matrix(self):
        return np.zeros((1, 1))


def test_a_matrix_has_2_to_the_27_entries_at_most():
    assert np.asarray(Unwritten(2**13, 2**14)).shape == (1, 1)
    for m, n in ((2**13, 2**14 + 1), (2**14 + 1, 2**13), (2**28, 1)):
        with pytest.raises(ValueError, match="are too many to store as a matrix"):
            np.asarray(Unwritten(m, n))


def test_there_are_2_to_the_28_queries_and_cells_at_most():
    assert Unwritten(2**28, 2**28).shape == (2**28, 2**28)
    for m, n in ((2**28 + 1, 1), (1, 2**28 + 1)):
        with pytest.raises(ValueError, match="are too many: at most 268,435,456"):
            Unwritten(m, n)


@pytest.mark.parametrize(("m", "n"), [(2, 2000), (2000, 2)])
def test_a_matrix_is_written_by_products_with_its_shorter_side(m, n):
    """The unit vectors of the longer one alone would take 32 MB."""
    queries = SubsetQueries.of(np.tile([[0, 1], [1, 1]], (m // 2, n // 2)))
    tracemalloc.start()
    matrix = np.asarray(queries)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**22
    assert (matrix == np.tile([[0, 1], [1, 1]], (m // 2, n // 2))).all()


def test_a_matrix_may_have_another_type():
    queries = IntervalQueries.thresholds(3)
    assert np.asarray(queries).dtype == int
    assert np.asarray(queries, dtype=np.float32).dtype == np.float32


def test_all_bytes_are_drawn():
    """8,000 of them: one of the two ends is missing with a probability below 1e-13."""
    packed = SubsetQueries.random(8000, 8, np.random.default_rng())._packed
    assert (packed.min(), packed.max()) == (0, 255)


@pytest.mark.parametrize(("n", "groups"), [(1, 1), (8, 1), (9, 2), (64, 8), (100, 13)])
def test_eight_people_are_a_byte(n, groups):
    for queries in (np.ones((3, n)), random_queries(3, n, np.random.default_rng())):
        assert SubsetQueries.of(queries)._packed.shape == (groups, 3)
    assert SubsetQueries.random(3, n, np.random.default_rng())._packed.shape == (groups, 3)


def test_records_are_counted_in_all_cells():
    assert table_of([2, 0, 2], 4).tolist() == [1, 0, 2, 0]
    assert table_of([], 2).tolist() == [0, 0]
    for records in ([4], [-1], [0.5]):
        with pytest.raises(ValueError, match="data must hold whole numbers from 0 to 3"):
            table_of(records, 4)


def test_answers_are_one_set_or_many_of_the_queries():
    queries = np.ones((3, 2))
    for answers in (np.ones(3), np.ones((5, 3)), np.ones((1, 3))):
        for asked in (queries, Unwritten(3, 2)):
            assert check_shapes(asked, answers)[1].shape == answers.shape
    assert check_one_answer_set(Unwritten(1, 1), [2.0])[0].tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("queries", "answers"),
    [
        (np.ones((3, 2)), np.ones(2)),
        (np.ones((3, 2)), np.ones((3, 1))),
        (np.ones((3, 2)), np.ones((1, 1, 3))),
        (np.ones((3, 2)), 1.0),
        (np.ones(3), np.ones(3)),
        (np.ones((3, 2, 2)), np.ones(3)),
    ],
)
def test_answers_that_do_not_fit_are_refused(queries, answers):
    for check in (check_shapes, check_one_answer_set):
        with pytest.raises(ValueError, match=r"must be \(m, n\) and \(m,\) or \(r, m\), not"):
            check(queries, answers)


def test_a_solver_takes_one_set_of_answers():
    for answers in (np.ones((1, 3)), np.ones((5, 3))):
        with pytest.raises(ValueError, match=r"answers must be \(m,\), one set for the solver"):
            check_one_answer_set(np.ones((3, 2)), answers)


@pytest.mark.parametrize(("m", "n", "name"), [(0, 1, "m"), (1, 0, "n")])
def test_no_queries_and_no_people_are_refused(m, n, name):
    for draw in (random_queries, SubsetQueries.random):
        with pytest.raises(ValueError, match=f"{name} must be .* at least 1, not 0"):
            draw(m, n, np.random.default_rng())
