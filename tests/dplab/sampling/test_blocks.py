from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.sampling import discrete_gaussian, discrete_laplace
from dplab.sampling.blocks import geometric_tail, join, remembered, shaped
from dplab.sampling.gaussian import GaussianSampler, _gaussian_side
from dplab.sampling.laplace import LaplaceSampler
from tests.dplab.sampling.scripted import exp_minus


@given(st.integers(0, 40), st.integers(-2, 2) | st.integers(-(2**20), 2**20), st.data())
def test_a_block_and_an_offset_are_one_integer(width, block, data):
    """k = 2^width q + r for a block q, and -1 - k for its complement."""
    offset = data.draw(st.integers(0, 2**width - 1))
    inner = 2**width * max(block, -1 - block) + offset
    for kind in (np.int64, object):
        found = join(np.array([block], np.int32), np.array([offset], kind), width)
        assert found.tolist() == [inner if block >= 0 else -1 - inner]


@given(st.integers(1, 255), st.integers(0, 9), st.integers(0, 246), st.integers(0, 9))
def test_a_geometric_tail_is_rounded_up(first, wide, ratio, more):
    """first / (1 - ratio) of the upper bounds, in units of 2^-8."""
    exact = Fraction(first + wide) / (1 - Fraction(ratio + more, 256))
    assert 0 <= geometric_tail((first, first + wide), (ratio, ratio + more), 8) - exact < 1


@pytest.mark.parametrize(("size", "pieces"), [(None, [1]), (0, [0]), (7, [7]), ((3, 0), [0])])
def test_no_more_is_drawn_than_is_asked_for(size, pieces):
    asked = []
    shaped(lambda n: asked.append(n) or np.zeros(n, int), size)
    assert asked == pieces


@pytest.mark.parametrize("size", [2**15 - 1, 2**15, 2**15 + 1, (3, 2**15), 10**5])
def test_many_draws_are_made_32_768_at_once(size):
    asked = []

    def draw(n):
        asked.append(n)
        return np.arange(sum(asked) - n, sum(asked))

    assert np.array_equal(shaped(draw, size), np.arange(np.prod(size)).reshape(size))
    assert max(asked) <= 2**15
    assert len(asked) == -(-np.prod(size) // 2**15)


@pytest.mark.parametrize("size", [(), [2], np.int64(2), (np.int64(2), 0)])
def test_sizes_are_those_of_numpy(size):
    assert np.shape(shaped(np.zeros, size)) == np.zeros(size).shape


@pytest.mark.parametrize(("draw", "wide"), [(discrete_laplace, 2**35), (discrete_gaussian, 2**41)])
def test_python_takes_over_where_64_bits_might_not_hold_a_draw(draw, wide):
    rng = np.random.default_rng()
    assert draw(wide - 1, rng, 1).dtype == np.int64
    assert draw(wide, rng, 1).dtype == object


def test_the_last_64_samplers_are_remembered():
    """And no more: each has tables of a quarter of a megabyte."""
    made = []
    sampler = remembered(made.append)
    for scale in [*range(65), *range(64, 0, -1)]:
        sampler(scale)
    assert made == list(range(65))
    sampler(0)
    assert made == [*range(65), 0]


@pytest.mark.parametrize(("kind", "fewest"), [(LaplaceSampler, 8), (GaussianSampler, 512)])
def test_a_scale_is_many_blocks_but_not_too_many(kind, fewest):
    for width in (1, 2, 5, 20):
        assert kind.of(Fraction(fewest * 2**width)).width == width
        assert kind.of(Fraction(2 * fewest * 2**width) - 1).width == width
    assert kind.of(Fraction(2 * fewest - 1)).width == kind.of(Fraction(1, 3)).width == 0


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(5), Fraction(70), Fraction(5000, 3)])
def test_a_table_ends_where_weights_fall_to_2_to_the_minus_72(scale):
    """And what is left out weighs twice a geometric series at most, which begins there."""
    for kind in (LaplaceSampler, GaussianSampler):
        sampler = kind.of(scale)
        step, known = 1 << sampler.width, len(sampler.block.weights(112).low) // 2

        def weight(q, kind=kind, step=step):
            b = step * q
            return exp_minus(b / scale if kind is LaplaceSampler else b**2 / (2 * scale**2))

        assert weight(known) <= Decimal(2) ** -72 < weight(known - 1)
        series = weight(known) / (1 - weight(known + 1) / weight(known))
        tail = sampler.block.weights(112).tail
        assert tail == pytest.approx(float(2 * series * 2**112), rel=0.02)  # whole, and rounded up


@given(st.fractions(Fraction(1, 10**4), 2), st.integers(0, 3), st.integers(1, 9))
def test_a_side_holds_the_weights_of_its_blocks(x, start, step):
    """Bounds of e^{-x b^2} for b = start, start + step, ..., in units of 2^-112."""
    bounds, _ = _gaussian_side(x, start, step, 112, count=5)
    assert len(bounds) == 5
    for i, (low, high) in enumerate(bounds):
        exact = Fraction(exp_minus(x * (start + i * step) ** 2)) * 2**112
        assert low <= exact <= high <= low + 100
