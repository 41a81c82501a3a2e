from fractions import Fraction

import numpy as np
import pytest

from autograder import checks


def test_both_ends_are_always_among_them_in_any_order():
    """Each end is first in a quarter of the draws: both are, and neither is, in 200 with 1e-24."""
    rng = np.random.default_rng()
    firsts = set()
    for _ in range(200):
        found = checks.sizes(rng, 1, 20_000, 4)
        assert min(found) == 1
        assert max(found) == 20_000
        assert all(type(size) is int for size in found)
        firsts.add(found[0])
    assert {1, 20_000} < firsts


def test_two_numbers_are_the_ends():
    assert sorted(checks.sizes(np.random.default_rng(), 3, 9, 2)) == [3, 9]


def test_every_order_of_magnitude_comes_as_often():
    found = np.array(checks.parameters(np.random.default_rng(), 0.01, 10.0, 302))
    assert found.min() == 0.01
    assert found.max() == 10.0
    inside = np.sort(found)[1:-1]
    for low in (0.01, 0.1, 1.0):
        assert ((inside >= low) & (inside < 10 * low)).sum() == 100


def test_numbers_between_the_ends_are_log_uniform():
    """Each tenth has 800 of 8,000; 400 is 15 standard deviations fewer, of probability 1e-40."""
    rng = np.random.default_rng()
    found = [checks.parameters(rng, 1.0, 10.0, 3) for _ in range(8000)]
    inside = np.log10([sorted(three)[1] for three in found])
    assert (np.histogram(inside, 10, (0, 1))[0] > 400).all()


@pytest.mark.parametrize("domain", [(0, 1, 3), (2, 1, 3), (1, 1, 3), (1, 2, 1)])
def test_a_domain_without_two_ends_is_refused(domain):
    with pytest.raises(ValueError, match="must be"):
        checks.parameters(np.random.default_rng(), *domain)


def rng():
    return np.random.default_rng()


@pytest.mark.parametrize(
    ("domain", "fixed"),
    [
        (checks.Real(0.01, 20), {0.01, 20}),
        (checks.Real(-3, 8, also=(0, 1)), {-3, 8, 0, 1}),
        (checks.Whole(0, 12_000), {0, 12_000}),
        (checks.Whole(2**53 + 1, 2**60 + 1), {2**53 + 1, 2**60 + 1}),
        (checks.Whole(4, 4), {4}),
    ],
)
def test_ends_and_fixed_values_are_always_drawn(domain, fixed):
    for _ in range(20):
        values = domain.draw(rng(), 9)
        assert len(values) == 9
        assert fixed <= set(values)
        assert all(domain.low <= value <= domain.high for value in values)


def test_several_values_lie_between_the_ends():
    """Two of ten uniform or log-uniform numbers are the same with probability below 1e-13."""
    for _ in range(50):
        assert len(set(checks.Real(-1, 2).draw(rng(), 10))) == 10
    assert len(set(checks.Real(0.5, 2).draw(rng(), 10))) == 10


def test_more_fixed_values_than_draws_are_refused():
    with pytest.raises(ValueError, match="3 fixed values"):
        checks.Real(0, 2, also=(1,)).draw(rng(), 2)
    with pytest.raises(ValueError, match="in order"):
        checks.Whole(3, 2).draw(rng(), 5)


def test_numbers_come_in_each_type_that_holds_them():
    kinds = {type(x) for x in checks.Whole(0, 300, forms=("int", "int8", "int64")).draw(rng(), 12)}
    assert kinds == {int, np.int8, np.int64}
    huge = checks.Whole(1, 10**300, forms=("int", "int64")).draw(rng(), 12)
    assert 10**300 in huge
    assert all(type(x) is int for x in huge if x >= 2**63)
    with pytest.raises(ValueError, match=r"\d+ fits into none of the types int8, bool"):
        checks.Whole(0, 300, forms=("int8", "bool")).draw(rng(), 5)


def test_arrays_have_every_shape_and_type():
    domain = checks.Array(
        checks.Whole(-5, 100),
        checks.Whole(0, 40),
        3,
        forms=("list", "tuple", "int8", "float32"),
    )
    for _ in range(20):
        drawn = domain.draw(rng(), 8)
        assert {type(x).__name__ for x in drawn} == {"list", "tuple", "ndarray"}
        assert {x.dtype.name for x in drawn if isinstance(x, np.ndarray)} == {"int8", "float32"}
        assert {0, 40} <= {len(x) for x in drawn}
        assert {np.shape(x)[1:] for x in drawn} == {(3,)}
    drawn = checks.Array(checks.Whole(0, 1), 3, forms=("int", "float", "bool")).draw(rng(), 9)
    assert {x.dtype.kind for x in drawn} == {"i", "f", "b"}


def test_arrays_have_equal_entries_equal_rows_and_ends():
    """Of four, one has another content; it has 100 different entries but for 1e-80."""
    for _ in range(20):
        drawn = checks.Array(checks.Real(-2, 3, also=(0,)), 40, 3).draw(rng(), 4)
        assert sum(len(np.unique(x)) == 1 for x in drawn) == 1
        assert sum(1 < len(np.unique(x, axis=0)) < 14 and x.max() < 3 for x in drawn) == 1
        assert sum(np.isin(x, (-2, 0, 3)).all() for x in drawn) == 1
        assert sum(len(np.unique(x)) == 120 for x in drawn) == 1


def test_an_array_without_dimensions_is_one_number():
    assert np.shape(checks.Array(checks.Real(0, 1)).draw(rng(), 1)[0]) == ()


def test_each_listed_value_is_drawn_as_often():
    assert sorted(checks.Among((3, 5, 7)).draw(rng(), 9)) == [3, 3, 3, 5, 5, 5, 7, 7, 7]
    found = checks.Array(checks.Among(("a", "b")), 200).draw(rng(), 4)
    assert set(np.concatenate(found)) == {"a", "b"}


def test_cases_have_a_value_of_each_domain():
    cases = checks.draw_cases(rng(), checks.Whole(1, 9), checks.Real(0, 1), count=5)
    assert [len(case) for case in cases] == [2] * 5
    assert {1, 9} <= {n for n, _ in cases}
    assert {0, 1} <= {x for _, x in cases}


def test_floats_miss_whole_numbers_at_ties():
    domains = checks.Whole(1, 1000), checks.Real(0.01, 1)
    ties = checks.draw_ties(rng(), lambda n, x: n * x, *domains, count=6)
    assert len(set(ties)) == 6
    for n, x in ties:
        assert Fraction(str(x)) * n == round(n * x) != n * x
    with pytest.raises(ValueError, match="only 0 ties"):
        checks.draw_ties(rng(), lambda n: n / 3, checks.Whole(1, 20), count=1)


def test_edges_have_floats_on_both_sides():
    assert checks.surround([0.5, 2]).tolist() == [
        *(np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1)),
        *(np.nextafter(2, 0), 2, np.nextafter(2, 3)),
    ]


def test_the_same_generator_draws_the_same_cases():
    domains = checks.Array(checks.Whole(0, 9), checks.Whole(1, 30)), checks.Real(0, 1)
    first, again = (checks.draw_cases(np.random.default_rng(7), *domains, count=6) for _ in "ab")
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one[0], other[0])
        assert one[1] == other[1]
