"""The tables are compared with decimal arithmetic, cell by cell: no sampling, no error rate."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.sampling import Inversion, Weights
from dplab.sampling.bernoulli import _coin
from dplab.sampling.gaussian import GaussianSampler
from dplab.sampling.inversion import OPEN, identity, zigzag
from dplab.sampling.laplace import LaplaceSampler
from tests.dplab.sampling.scripted import Script, cumulative, exp_minus

SCALES = [Fraction(1, 3), Fraction(1), Fraction(22, 7), Fraction(0.1), Fraction(15)]


def laplace_distribution(scale, count):
    """P(0), P({0, -1}), P({0, -1, 1}), ... of the discrete Laplace law."""
    p = exp_minus(1 / scale)
    with localcontext() as context:
        context.prec = 80
        weights = [p ** ((j + 1) // 2) for j in range(count)]
        return cumulative(weights, (1 + p) / (1 - p))


def gaussian_distribution(sigma, count):
    weights = [exp_minus(((j + 1) // 2) ** 2 / (2 * sigma**2)) for j in range(4 * count + 400)]
    with localcontext() as context:
        context.prec = 80
        return cumulative(weights[:count], sum(weights))


def known(block):
    return len(block._distribution(64)[0])


def laws():
    for scale in SCALES:
        block = LaplaceSampler.of(scale).block
        yield pytest.param(block, laplace_distribution(scale, known(block)), id=f"Laplace {scale}")
    for sigma in (Fraction(1, 5), Fraction(1), Fraction(7, 2), Fraction(20)):
        block = GaussianSampler.of(sigma).block
        yield pytest.param(block, gaussian_distribution(sigma, known(block)), id=f"Gauss {sigma}")


LAWS = list(laws())


@pytest.mark.parametrize(("sampler", "exact"), LAWS)
def test_the_bounds_hold_the_distribution_function(sampler, exact):
    low, high = sampler._distribution(64)
    for a, b, c in zip(low, high, exact, strict=True):
        assert a <= c * 2**64 < b + 1
        assert b - a <= 3


@given(
    st.fractions(Fraction(1, 9), 10**5, max_denominator=99),
    st.sampled_from([LaplaceSampler, GaussianSampler]),
    st.sampled_from([112, 176]),
)
@settings(max_examples=40)
def test_what_is_beyond_the_table_weighs_no_more_than_is_said(scale, kind, precision):
    """The exact weights of all further outcomes, until they are nothing, on both sides."""
    sampler = kind.of(scale)
    weights, step = sampler.block.weights(precision), 1 << sampler.width
    inner = [step * (j // 2) + j % 2 for j in range(len(weights.low), len(weights.low) + 4000)]
    with localcontext() as context:
        context.prec = 80
        rest = Decimal(0)
        for b in inner:
            weight = exp_minus(b / scale if kind is LaplaceSampler else b**2 / (2 * scale**2))
            rest += weight
            if weight < Decimal(2) ** -(precision + 60):
                break
        assert rest * 2**precision <= weights.tail


@pytest.mark.parametrize(("sampler", "exact"), LAWS)
def test_every_cell_that_decides_lies_within_its_outcome(sampler, exact):
    """All 65,536 beginnings of U; those left open have an end of an outcome in them."""
    ends = [c * 2**16 for c in exact]
    table = sampler._table
    floors = np.array([int(end) for end in ends])
    decided = np.flatnonzero(table != OPEN)
    assert len(decided) > 60_000
    assert not np.isin(decided, floors[floors < 65_535]).any()
    outcome = np.searchsorted(floors, decided, "right")
    np.testing.assert_array_equal(table[decided], zigzag(outcome))
    assert np.isin(np.flatnonzero(table == OPEN), [*floors, 65_535]).all()


@pytest.mark.parametrize(("sampler", "exact"), LAWS)
def test_64_bits_next_to_an_end_fall_on_its_right_side(sampler, exact):
    low, high = sampler._distribution(64)
    tried = 0
    for j in range(min(8, len(low) - 1)):
        for number, outcome in ((low[j] - 1, j), (high[j] + 1, j + 1)):
            if number >> 48 == high[j] >> 48 == low[j] >> 48 and high[j] + 1 < low[j + 1]:
                cells = np.array([number >> 48], dtype=np.uint16)
                source = Script([(number & (1 << 48) - 1) << 16])
                assert sampler._by_words(cells, source).tolist() == [zigzag(outcome)]
                tried += 1
    assert tried >= 2


@pytest.mark.parametrize(("sampler", "exact"), LAWS)
@pytest.mark.parametrize("side", [-1, 1])
def test_a_tie_of_64_bits_is_settled_by_further_bits(sampler, exact, side):
    """U agrees with the end of outcome 0 in 64 bits and passes or misses it in the next 64."""
    with localcontext() as context:
        context.prec = 80
        number = int(exact[0] * 2**128) + side * 1000
    script = [number >> 112, (number >> 64 & (1 << 48) - 1) << 16, number & (1 << 64) - 1]
    source = Script(script)
    assert sampler.sample(source, 1).tolist() == [0 if side < 0 else -1]
    assert source.used in (2, 3)


def test_a_tie_of_128_bits_asks_for_more():
    """U agrees with 1/3 in 128 bits: 0101...; the next 64 bits decide."""

    def weights(precision):
        third = (1 << precision) // 3
        return Weights([third, 2 * third], [third + 1, 2 * third + 2])

    third = int("01" * 32, 2)
    for last, outcome in ((third - 1, 0), (third + 1, 1)):
        source = Script([third >> 48, (third & (1 << 48) - 1) << 16, third, last])
        assert Inversion(weights, identity).sample(source, 1).tolist() == [outcome]
        assert source.used == 4


def test_a_tail_beyond_the_table_is_reached():
    """U is about 1 - 2^-108: the table of scale 1 ends near 1 - 2^-67, so a longer one is made."""
    ones = (1 << 64) - 1
    source = Script([ones, ones, ones - (1 << 20)])
    k = int(LaplaceSampler.of(Fraction(1)).sample(source, 1)[0])
    with localcontext() as context:
        context.prec = 80
        u = 1 - (Decimal((1 << 20) + 1) / 2**128)
        ends = laplace_distribution(Fraction(1), 400)
        index = sum(end <= u for end in ends)
    assert k == zigzag(index)
    assert abs(k) > 40


def test_no_outcome_stands_for_all_beyond_a_table():
    """P(j) = 2^-(j + 1), in a table of four outcomes, and 16 more for each further word."""

    def weights(precision):
        known = precision // 4 - 24
        masses = [1 << precision - j - 1 for j in range(known)]
        return Weights(masses, masses, 1 << precision - known)

    for j in range(90):
        u = 2**320 - 3 * 2 ** (318 - j)  # in the middle of outcome j
        words = [u >> 304, (u >> 256 & (1 << 48) - 1) << 16]
        words += [u >> 64 * i & (1 << 64) - 1 for i in reversed(range(4))]
        script = Script([*words, 0, 0])
        assert Inversion(weights, identity).sample(script, 1).tolist() == [j]


def test_64_ones_do_not_decide_against_what_is_rarer():
    """The coin shows 1 with probability 2^-144: 64 ones say nothing yet, and 192 do."""
    ones = (1 << 64) - 1
    assert _coin(Fraction(100)).sample(Script([ones, ones, 0]), 1).tolist() == [0]
    assert _coin(Fraction(100)).sample(Script([ones] * 4), 1).tolist() == [1]


def test_a_finite_law_needs_no_bits_beyond_one():
    def weights(precision):
        return Weights([1, 1, 2], [1, 1, 2])

    source = np.random.default_rng(5)
    draws = Inversion(weights, identity).sample(source, 10_000)
    assert set(draws.tolist()) == {0, 1, 2}


def test_a_finite_law_is_decided_up_to_its_very_end():
    """U = 0.1111...: the last outcome has no end to be compared with."""
    for law in (Weights([1, 2], [1, 2]), Weights.of([(1, 1), (2, 2)])):
        source = Script([(1 << 64) - 1])
        assert Inversion(lambda _, law=law: law, identity).sample(source, 1).tolist() == [1]


def test_zigzag_is_one_to_one_onto_the_integers():
    assert sorted(zigzag(np.arange(101)).tolist()) == list(range(-50, 51))
    assert [zigzag(j) for j in range(5)] == [0, -1, 1, -2, 2]
