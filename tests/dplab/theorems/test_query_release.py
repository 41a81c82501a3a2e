import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.theorems.query_release import query_release_rates

sizes = st.integers(2, 10**9)


@given(sizes, sizes, st.integers(1, 10**12), st.floats(0.01, 10))
def test_the_table_is_that_of_the_formulas(k, cells, n, epsilon):
    found = query_release_rates(k, cells, n=n, epsilon=epsilon)
    a, b, m = np.log(k), np.log(cells), n * epsilon
    expected = {
        ("root mean", "pure"): ((a**2 * b**1.5 / m) ** (1 / 2), (b / m) ** (1 / 2)),
        ("root mean", "approximate"): ((b**0.5 / m) ** (1 / 2),) * 2,
        ("largest", "pure"): ((a * b / m) ** (1 / 3), (a * b / m) ** (1 / 2)),
        ("largest", "approximate"): ((a * b**0.5 / m) ** (1 / 2),) * 2,
    }
    for cell, (known, wished) in expected.items():
        assert found[cell].known == pytest.approx(min(1, known))
        assert found[cell].conjectured == pytest.approx(min(1, known, wished))
        assert found[cell].open == (found[cell].conjectured < found[cell].known)


@given(sizes, sizes, st.integers(1, 10**12))
def test_the_conjecture_for_the_largest_error_is_better_just_if_people_are_many(k, cells, n):
    """log k log T < epsilon n: where the known rate is below 1."""
    found = query_release_rates(k, cells, n=n, epsilon=1.0)["largest", "pure"]
    product = np.log(k) * np.log(cells)
    if abs(product / n - 1) > 1e-9:
        assert found.open == (product < n)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 1}, "k must be a whole number of at least 2"),
        ({"cells": 1}, "cells must be a whole number of at least 2"),
        ({"n": 0}, "n must be a whole number"),
        ({"epsilon": 0}, "epsilon must be"),
    ],
)
def test_bad_arguments_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        query_release_rates(**({"k": 2, "cells": 2, "n": 1, "epsilon": 1} | change))
