import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, minimize

from dplab import REPLACE_ONE, ZCDP
from dplab.neighbors import sensitivity
from dplab.synthesis.top_down import TopDown, settle


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 4))
def test_settled_tables_are_whole_add_up_and_are_the_nearest_rounded(seed, parts, k):
    rng = np.random.default_rng(seed)
    noisy, totals = rng.integers(-9, 30, size=(parts, k)), rng.integers(0, 60, size=k)
    table = settle(noisy, totals)
    assert table.dtype.kind == "i"
    assert (table >= 0).all()
    assert table.sum(axis=0).tolist() == totals.tolist()
    for column, y, total in zip(table.T, noisy.T, totals, strict=True):
        near = minimize(
            lambda z, y=y: ((z - y) ** 2).sum() / 2,
            np.full(parts, total / parts),
            jac=lambda z, y=y: z - y,
            bounds=Bounds(0, np.inf),
            constraints=LinearConstraint(np.ones(parts), total, total),
            method="SLSQP",
            options={"ftol": 1e-12},
        ).x
        away = np.abs(column - near)
        assert away.max() <= 1 + 1e-4
        shares = near - np.floor(near + 1e-6)  # rounding one up in place of down adds 1 - 2 of it
        ups = round(total - np.floor(near + 1e-6).sum())
        assert away.sum() <= shares.sum() + np.sort(1 - 2 * shares)[:ups].sum() + 1e-3


def test_the_largest_parts_of_ones_are_rounded_up():
    """Not the largest numbers; and as many in each column as its sum needs."""
    noisy = np.array([[1.6, 0.9], [10.4, 7.2], [5.3, 2.4], [0.7, 0.5]])
    found = settle(noisy, np.array([18, 11]))
    assert found.tolist() == [[2, 1], [10, 7], [5, 2], [1, 1]]


def test_what_is_possible_already_stays_as_it_is():
    table = np.array([[3, 0], [5, 2], [0, 0]])
    assert (settle(table, table.sum(axis=0)) == table).all()


@pytest.mark.parametrize("shape", [(1, 1, 2), (2, 1, 2), (1, 2, 2), (2, 2, 1)])
def test_a_level_moves_by_the_root_of_two_where_one_person_is_replaced(shape):
    mechanism = TopDown(shape, 2, (0.1, 0.2, 0.3))
    cells = range(math.prod(shape))
    for measured, rho in zip(mechanism.measurements, mechanism.rhos, strict=True):
        moved = sensitivity(measured.query, REPLACE_ONE, cells, n=2, norm=2)
        assert moved <= math.sqrt(2)
        assert float(measured.sensitivity) == math.sqrt(2)
        assert measured.guarantee.rho == pytest.approx(rho)
    assert mechanism.guarantee == ZCDP(sum(mechanism.rhos))
    assert moved == pytest.approx(math.sqrt(2))


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 4)),
    st.integers(1, 200),
    st.sampled_from([1e-3, 0.1, 5.0]),
)
def test_the_output_is_a_possible_table_of_n_people(seed, shape, n, rho):
    rng = np.random.default_rng(seed)
    mechanism = TopDown(shape, n, (rho, 2 * rho, rho / 2))
    table = mechanism(rng.integers(math.prod(shape), size=n), rng)
    assert table.shape == shape
    assert (table >= 0).all()
    assert table.sum() == n


def test_with_hardly_any_noise_it_is_the_table_itself():
    rng = np.random.default_rng()
    mechanism = TopDown((3, 4, 2), 500, (1e4, 1e4, 1e4))
    data = rng.integers(24, size=500)
    assert (mechanism(data, rng) == mechanism.table(data)).all()  # a noise of 1 has e^-5000


def test_the_town_is_as_good_as_its_own_share_allows():
    """Three categories, many blocks. The town's error is that of its own noise, at most doubled by
    the projection; sums of noisy blocks have 600 times its variance. The mean square of 60 values,
    each that of a normal law of variance 10, is above 60 with a chance below 1e-40."""
    rng = np.random.default_rng()
    mechanism = TopDown((6, 100, 3), 60_000, (0.1, 0.1, 0.1))
    data = rng.integers(1800, size=60_000)
    true = mechanism.table(data).sum(axis=(0, 1))
    off = [mechanism(data, rng).sum(axis=(0, 1)) - true for _ in range(20)]
    assert np.mean(np.square(off)) < 60
    assert mechanism.measurements[0].sigma ** 2 == pytest.approx(10)


def test_bad_arguments_are_refused():
    for shape, n, rhos, words in (
        ((2, 2), 5, (1, 1, 1), "shape must be three"),
        ((2, 0, 1), 5, (1, 1, 1), "shape must be"),
        ((2, 1, 1), 0, (1, 1, 1), "n must be"),
        ((2, 1, 1), 5, (1, 1), "rhos must be three"),
        ((2, 1, 1), 5, (1, 0, 1), "rhos must be"),
    ):
        with pytest.raises(ValueError, match=words):
            TopDown(shape, n, rhos)
    mechanism, rng = TopDown((2, 1, 1), 3, (1, 1, 1)), np.random.default_rng()
    for data, words in (([0, 1], "data must be n = 3 records"), ([0, 1, 2], "data must hold")):
        with pytest.raises(ValueError, match=words):
            mechanism(data, rng)


def test_a_table_of_2_to_the_28_cells_is_not_too_large():
    assert TopDown((2**14, 2**13, 2), 1, (1, 1, 1)).shape == (2**14, 2**13, 2)
    with pytest.raises(ValueError, match="has too many cells: at most 268,435,456"):
        TopDown((2**14, 2**14, 2), 1, (1, 1, 1))


def test_topdown_at_the_smallest_rhos():
    for rho in (1e-34, 1e-40):
        made = TopDown((2, 3, 2), 10, (rho,) * 3)(np.arange(10), np.random.default_rng(0))
        assert made.sum() == 10
        assert made.min() >= 0
