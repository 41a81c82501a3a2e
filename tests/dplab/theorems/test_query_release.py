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
        ("root mean", "pure"): ((b / m) ** (1 / 2),) * 2,
        ("root mean", "approximate"): ((b**0.5 / m) ** (1 / 2),) * 2,
        ("largest", "pure"): ((a * b / m) ** (1 / 3), (a * b / m) ** (1 / 2)),
        ("largest", "approximate"): ((a * b**0.5 / m) ** (1 / 2),) * 2,
    }
    assert found.keys() == expected.keys()
    for cell, (known, least) in expected.items():
        assert found[cell].known == pytest.approx(min(1, known))
        assert found[cell].least == pytest.approx(min(1, known, least))
        assert found[cell].open == (found[cell].least < found[cell].known)


def test_one_of_four_is_open_and_the_mean_error_under_pure_privacy_is_settled():
    """Claim 004-10 of the sources, corrected: Nikolov (2022, SODA 2023) reaches .00288."""
    rates = query_release_rates(1760, 4096, n=10**6, epsilon=1.0)
    assert {cell for cell, rate in rates.items() if rate.open} == {("largest", "pure")}
    settled = rates["root mean", "pure"]
    assert settled.known == pytest.approx(0.00288, abs=5e-6)
    assert settled.source == "Nikolov 2022"
    of_2013 = (np.log(1760) ** 2 * np.log(4096) ** 1.5 / 10**6) ** 0.5
    assert of_2013 == pytest.approx(0.0366, abs=5e-5)
    assert settled.known < rates["largest", "pure"].least


@given(sizes, sizes, sizes, st.integers(1, 10**12))
def test_mean_errors_do_not_depend_on_the_number_of_queries(k, other, cells, n):
    rates, others = (query_release_rates(each, cells, n=n, epsilon=1) for each in (k, other))
    for promise in ("pure", "approximate"):
        assert rates["root mean", promise] == others["root mean", promise]


@given(sizes, sizes, st.integers(1, 10**12))
def test_the_largest_error_is_open_if_and_only_if_people_are_many(k, cells, n):
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
