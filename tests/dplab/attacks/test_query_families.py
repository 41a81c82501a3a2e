import numpy as np
import pytest

from dplab.attacks.least_squares import least_squares
from dplab.attacks.query_families import conjunction_queries, prefix_queries


def test_a_conjunction_marks_who_has_all_its_attributes():
    attributes = np.random.default_rng(4).integers(2, size=(9, 4))
    queries = conjunction_queries(attributes, k=2)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    expected = [[1] * 9, *attributes.T, *(attributes[:, i] * attributes[:, j] for i, j in pairs)]
    assert (queries == expected).all()


def test_all_conjunctions_of_three():
    assert conjunction_queries(np.ones((2, 5), dtype=int), k=3).shape == (1 + 5 + 10 + 10, 2)


def test_conjunctions_with_exact_answers_reconstruct():
    """300 queries on 100 people with one more in six columns have no full rank with P < 1e-9."""
    rng = np.random.default_rng()
    queries = conjunction_queries(rng.integers(2, size=(60, 24)), k=2)
    secret = rng.integers(2, size=60)
    assert (least_squares(queries, queries @ secret).bits == secret).all()


def test_prefixes_differ_by_one_person():
    queries = prefix_queries(6)
    assert (np.diff(queries, axis=0, prepend=0) == np.eye(6)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conjunction_queries([[0, 2]], 1), "attributes must hold whole numbers"),
        (lambda: conjunction_queries([0, 1], 1), r"attributes must be of shape \(n, d\)"),
        (lambda: conjunction_queries([[0, 1]], 3), "k must be a whole number"),
        (lambda: prefix_queries(0), "n must be a whole number"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
