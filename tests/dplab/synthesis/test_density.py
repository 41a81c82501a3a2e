import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.synthesis import histogram_density
from tests.refusals import assert_refused

counts = st.lists(st.integers(-5, 9), min_size=1, max_size=8)


@given(counts, st.data())
def test_positive_counts_are_shares_and_others_nothing(noisy, data):
    widths = data.draw(st.lists(st.floats(0.1, 3), min_size=len(noisy), max_size=len(noisy)))
    edges = np.concatenate([[-1.0], -1.0 + np.cumsum(widths)])
    law = histogram_density(noisy, edges)
    kept = np.maximum(noisy, 0)
    expected = kept / kept.sum() if kept.any() else np.diff(edges) / np.ptp(edges)
    assert law.probabilities == pytest.approx(expected)
    assert np.diff(law.cdf(edges)) == pytest.approx(expected)


def test_counts_that_are_nowhere_positive_are_uniform():
    for counts in ([-1.0, -2.0], [0, 0], [0, -1]):
        assert histogram_density(counts, [0, 1, 2]).probabilities.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("noisy", "edges", "expected"),
    [([1e300, 1.0], [0, 1e-300, 1], [1, 0]), ([1e-320] * 2, [0, 1e5, 2e5], [0.5, 0.5])],
)
def test_heights_may_be_too_large_or_small_for_a_float(noisy, edges, expected):
    assert histogram_density(noisy, edges).probabilities == pytest.approx(expected)


def test_nothing_is_drawn_from_empty_bins():
    drawn = histogram_density([4, 0, -2, 1], [0, 1, 2, 3, 4]).sample(np.random.default_rng(), 2000)
    assert not ((drawn >= 1) & (drawn < 3)).any()


def test_bad_arguments_are_named():
    calls = [
        (lambda: histogram_density([1, 2], [0, 1]), "edges must be one more than counts"),
        (lambda: histogram_density([1, 2], [0, 1, 1]), "edges must increase"),
        (lambda: histogram_density([], [0]), "counts must not be empty"),
        (lambda: histogram_density([np.nan], [0, 1]), "counts must hold finite numbers"),
    ]
    assert_refused(calls)
