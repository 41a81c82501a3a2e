import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from dplab.audit import goodness_of_fit
from dplab.distributions import Finite
from dplab.sampling import OPERATING_SYSTEM, bernoulli_exp, discrete_gaussian, discrete_laplace
from dplab.sampling.fixed_point import exp_ratio
from dplab.sampling.gaussian import GaussianSampler, _inner, _uniform
from dplab.sampling.laplace import LaplaceSampler
from tests.dplab.sampling.scripted import Script
from tests.refusals import assert_refused

N = 200_000


def laplace_law(scale, reach):
    """The law of k moved into [-reach, reach], by the formula."""
    k, p = np.arange(-reach, reach + 1), np.exp(-1 / scale)
    mass = (1 - p) / (1 + p) * p ** np.abs(k)
    mass[[0, -1]] = p**reach / (1 + p)
    return Finite.of(dict(zip(k.tolist(), mass, strict=True)))


def gaussian_law(sigma, reach):
    k = np.arange(-40 * max(1, int(sigma)), 40 * max(1, int(sigma)) + 1)
    mass = np.exp(-(k**2) / (2 * sigma**2))
    moved = np.bincount(np.clip(k, -reach, reach) + reach, mass / mass.sum())
    return Finite.of(dict(zip(range(-reach, reach + 1), moved, strict=True)))


@pytest.mark.parametrize("source", [np.random.default_rng(), OPERATING_SYSTEM], ids=["rng", "os"])
@pytest.mark.parametrize(("scale", "reach"), [((1, 3), 4), (1, 12), (2.5, 20), (23, 60)])
def test_discrete_laplace_follows_its_law(source, scale, reach):
    """Eight tests at 5e-11: false-failure probability 4e-10."""
    draws = discrete_laplace(scale, source, N)
    law = laplace_law(scale[0] / scale[1] if isinstance(scale, tuple) else scale, reach)
    assert goodness_of_fit(np.clip(draws, -reach, reach), law, failure=5e-11).passed


@pytest.mark.parametrize("source", [np.random.default_rng(), OPERATING_SYSTEM], ids=["rng", "os"])
@pytest.mark.parametrize(("sigma", "reach"), [(Fraction(1, 2), 3), (1, 5), (7.3, 25), (100, 300)])
def test_discrete_gaussian_follows_its_law(source, sigma, reach):
    """Eight tests at 5e-11: false-failure probability 4e-10."""
    draws = discrete_gaussian(sigma, source, N)
    law = gaussian_law(float(sigma), reach)
    assert goodness_of_fit(np.clip(draws, -reach, reach), law, failure=5e-11).passed


@pytest.mark.parametrize("scale", [1000, 10**6 + 7, Fraction(10**9, 7), 2**34])
def test_wide_laplace_draws_follow_the_continuous_law_and_its_blocks(scale):
    """Counts in 40 intervals, whose probabilities are sums of a geometric series, and parity.

    Eight tests at 5e-11: false-failure probability 4e-10.
    """
    draws = discrete_laplace(scale, np.random.default_rng(), N)
    edges = np.round(np.linspace(-4, 4, 41) * float(scale))
    below = 1 / (1 + np.exp(-1 / float(scale)))
    inside = np.where(  # P(k < edge)
        edges <= 0,
        np.exp((edges - 1) / float(scale)) * below,
        1 - np.exp(-edges / float(scale)) * below,
    )
    law = Finite.of(dict(enumerate(np.diff(inside, prepend=0.0, append=1.0))))
    assert goodness_of_fit(np.searchsorted(edges, draws, "right"), law, failure=5e-11).passed
    parity = Finite.of({0: 0.5, 1: 0.5})  # to within 1 / scale^2
    assert goodness_of_fit(draws & 1, parity, failure=5e-11).passed


@pytest.mark.parametrize("sigma", [1024, 3000, 10**6 + 7, Fraction(10**9, 7), 2**40])
def test_wide_gaussian_draws_follow_their_law(sigma):
    """Counts in 40 intervals (the integral between half-integers errs by less than 1e-7), parity.

    Ten tests at 5e-11: false-failure probability 5e-10.
    """
    draws = discrete_gaussian(sigma, np.random.default_rng(), N)
    edges = np.round(np.linspace(-4, 4, 41) * float(sigma))
    inside = np.diff(ndtr((edges - 0.5) / float(sigma)), prepend=0.0, append=1.0)
    law = Finite.of(dict(enumerate(inside)))
    assert goodness_of_fit(np.searchsorted(edges, draws, "right"), law, failure=5e-11).passed
    assert goodness_of_fit(draws & 1, Finite.of({0: 0.5, 1: 0.5}), failure=5e-11).passed


def exact_mass(inversion, index, precision=200):
    """P(index) of a table, from the bounds of its weights."""
    weights = inversion.weights(precision)
    return Fraction(weights.low[index], sum(weights.low))


@pytest.mark.parametrize("scale", [Fraction(20), Fraction(1001, 2), Fraction(70_000)])
def test_signs_blocks_and_digits_multiply_to_the_law(scale):
    """The decomposition, without drawing: P(k) as a product, against (1 - p) / (1 + p) p^|k|."""
    sampler = LaplaceSampler.of(scale)
    p = np.exp(-1 / float(scale))
    for g in (0, 1, 5, 17, 63, 200, 12_345 % (40 * int(scale))):
        digits = 1.0
        for i, digit in enumerate(sampler.digits):
            base = len(digit.weights(100).low)
            digits *= float(exact_mass(digit, (g >> 10 * i) % base))
        for sign, k in ((0, g), (1, -1 - g)):
            block = float(exact_mass(sampler.block, 2 * (g >> sampler.width) + sign))
            expected = (1 - p) / (1 + p) * p ** abs(k)
            assert block * digits == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("block", "inner"), [(1000, 4000), (-1000, 3997), (-1001, 4001), (-1, 1), (0, 0), (9, 36)]
)
def test_acceptance_at_its_very_bounds(block, inner):
    """U one unit of 2^-64 below and above e^{-x}, and in the unit that holds e^{-x}: one more word.

    sigma = 2048, m = 4, offset 3: x = ((inner + 3)^2 - inner^2) / (2 sigma^2), the inner end of
    block q being 4 q, and of its complement 4 q + 1.
    """
    sampler = GaussianSampler.of(Fraction(2048))
    assert sampler.width == 2
    with localcontext() as context:
        context.prec = 60
        x = Decimal((inner + 3) ** 2 - inner**2) / Decimal(2 * 2048**2)
        limit = int((-x).exp() * 2**128)
    number = limit >> 64
    for begin, script, verdict in (
        (number - 8, [], True),
        (number + 8, [], False),
        (number, [(limit & (1 << 64) - 1) - 1000], True),
        (number, [(limit & (1 << 64) - 1) + 1000], False),
    ):
        assert sampler._accept(block, 3, begin, Script(script)) is verdict
    assert sampler._accept(-1001, 0, number, Script([]))


def test_acceptance_is_sure_up_to_the_bounds_themselves():
    """U in [number, number + 1) is below what is at least low for number < low, not for low."""
    sampler = GaussianSampler.of(Fraction(2048))
    low, high = exp_ratio(3 * (2 * 4000 + 3), 2 * 2048**2, 64)
    for number, words, verdict in ((low - 1, 0, True), (low, 1, True), (high, 0, False)):
        source = Script([0])
        assert sampler._accept(1000, 3, number, source) is verdict
        assert source.used == words


@pytest.mark.parametrize("width", [1, 2, 10, 31, 32, 40, 64])
def test_offsets_are_the_first_bits_of_words(width):
    """All of them: the numbers below 2^width are equally many each."""
    for word in (0, 1 << 63, (1 << 64) - 1, 0x0123_4567_89AB_CDEF):
        assert _uniform(Script([word]), 1, width).tolist() == [word >> 64 - width]


@given(st.fractions(1, 2, max_denominator=99), st.integers(10, 45), st.integers(-4000, 4000))
@example(Fraction(1), 30, 3000)
@settings(max_examples=20)
def test_what_is_accepted_at_a_glance_would_be_on_all_bits(sigma, log, block):
    """Where a glance errs first: e^{-x} just below the end 1 - k / 2^16 of a cell, U next to it."""
    sigma *= 2**log
    sampler = GaussianSampler.of(sigma)
    inner, ones = _inner(block, sampler.width), (1 << 48) - 1
    for k in range(60):
        squares = int(-2 * sigma**2 * Fraction(math.log1p(-k / 2**16)))  # at the offset + inner
        offset = math.isqrt(inner**2 + squares) - inner + 1
        if offset >> sampler.width:
            break
        p, q = (offset * (2 * inner + offset) / (2 * sigma**2)).as_integer_ratio()
        cell = exp_ratio(p, q, 64)[0] >> 48
        source, proposal = Script([cell, ones << 16, 0]), (np.int32([block]), np.array([offset]))
        accepted = not sampler._reject(*proposal, source)
        assert accepted is sampler._accept(block, offset, cell << 48 | ones, Script([0]))


def test_doubtful_proposals_are_judged_on_all_their_bits():
    """A proposal whose U begins with sixteen ones and has ones throughout is refused."""
    sampler = GaussianSampler.of(Fraction(2048))
    block, offset = np.array([1000], dtype=np.int32), np.array([3])
    ones = (1 << 64) - 1
    assert sampler._reject(block, offset, Script([ones, ones])) == [0]
    assert sampler._reject(block, offset, Script([65_346, ones])) == []
    assert sampler._reject(block, offset, Script([65_349, 0])) == [0]
    assert sampler._reject(block, offset, Script([0])) == []


def test_all_bits_of_a_doubtful_proposal_count():
    """2^16 e^{-x} = 65348.697: of its cell U is in the lower or in the upper part."""
    sampler = GaussianSampler.of(Fraction(2048))
    block, offset = np.array([1000], dtype=np.int32), np.array([3])
    for part, rejected in ((0.6, []), (0.69, []), (0.7, [0]), (0.8, [0])):
        word = int(part * 2**64)
        assert sampler._reject(block, offset, Script([65_348, word])) == rejected


@given(st.fractions(1, 2, max_denominator=99), st.integers(10, 45), st.integers(500, 2000))
@settings(max_examples=20)
def test_hardly_a_proposal_is_doubtful_that_need_not_be(sigma, log, block):
    """A glance accepts U < 1 - x by its first 16 bits, up to two cells before the last."""
    sigma *= 2**log
    sampler = GaussianSampler.of(sigma)
    offset = (1 << sampler.width) - 1
    for signed in (block, -1 - block):
        inner = _inner(signed, sampler.width)
        x = offset * (2 * inner + offset) / (2 * sigma**2)
        cell = int(2**16 * (1 - x)) - 3
        proposal = np.int32([signed]), np.array([offset])
        assert sampler._reject(*proposal, Script([cell])) == []


@pytest.mark.parametrize(
    ("log", "block", "offset", "cells"), [(13, 2046, 1, 32), (14, 1022, 1, 8), (14, 3070, 3, 72)]
)
def test_a_glance_accepts_up_to_its_bound_itself(log, block, offset, cells):
    """Where the bound of 2^16 x is a whole number; U in the next cell is judged on all its bits."""
    sampler = GaussianSampler.of(Fraction(2**log))
    for signed in (block, -1 - block):
        proposal = np.int32([signed]), np.array([offset])
        assert sampler._reject(*proposal, Script([65_535 - cells])) == []
        source = Script([65_536 - cells, 0])
        sampler._reject(*proposal, source)
        assert source.used == 2


@pytest.mark.parametrize("log", [10, 11, 20, 30, 41, 60])
def test_sixteen_ones_never_accept_at_a_glance(log):
    """Not even where e^{-x} is nearest to 1: at the offset 1 from the innermost integer."""
    sampler = GaussianSampler.of(Fraction(2**log))
    for block in (0, -1, 1, -2):
        source = Script([(1 << 16) - 1, 0])
        assert sampler._reject(np.int32([block]), np.array([1]), source) == []
        assert source.used == 2


@given(st.integers(1, 10**6), st.integers(1, 10**6))
@settings(max_examples=20)
def test_a_bernoulli_of_e_to_minus_x(p, q):
    """Each example at 1e-12: all 20 fail with probability below 1e-10."""
    draws = bernoulli_exp((p, q), np.random.default_rng(), 20_000)
    law = Finite.of({0: -np.expm1(-p / q), 1: np.exp(-p / q)})
    assert goodness_of_fit(draws, law, failure=1e-12).passed


def test_sizes_shapes_and_seeds():
    for draw in (discrete_laplace, discrete_gaussian, bernoulli_exp):
        first, again = (draw(3, np.random.default_rng(7), (4, 5)) for _ in range(2))
        assert first.shape == (4, 5)
        assert first.dtype == np.int64
        assert (first == again).all()
        assert type(draw(3, np.random.default_rng(7))) is int
        assert draw(3, np.random.default_rng(7), 0).shape == (0,)
        assert draw(3, np.random.default_rng(7), 100_000).shape == (100_000,)


@pytest.mark.parametrize("draw", [discrete_laplace, discrete_gaussian])
def test_no_scale_overflows(draw):
    """|k| is above 700 scales with probability e^-700; 50 are all small with (1/500)^50."""
    for scale in (2**35, 10**30, Fraction(10**40, 3), 1e300):
        draws = draw(scale, np.random.default_rng(), 50)
        assert all(type(k) is int and abs(k) < 700 * Fraction(scale) for k in draws.tolist())
        assert max(abs(k) for k in draws.tolist()) > Fraction(scale) / 1000
    assert not draw(Fraction(1, 10**12), np.random.default_rng(), 1000).any()


def test_a_bernoulli_of_extremes():
    assert bernoulli_exp(0, np.random.default_rng(), 1000).all()
    assert not bernoulli_exp(10**20, np.random.default_rng(), 1000).any()


def test_bad_arguments_are_named():
    cases = [
        (lambda rng: discrete_laplace(0, rng), "scale must be a rational number above 0, not 0"),
        (lambda rng: discrete_laplace(np.nan, rng), "scale must be a rational number above 0"),
        (lambda rng: discrete_laplace((1, 0), rng), r"scale must be .*, not \(1, 0\)"),
        (lambda rng: discrete_gaussian(-1.5, rng), "sigma must be .* above 0, not -1.5"),
        (lambda rng: discrete_gaussian("wide", rng), "sigma must be .*, not 'wide'"),
        (lambda rng: bernoulli_exp(-1, rng), "x must be a rational number of at least 0, not -1"),
        (lambda rng: discrete_laplace(1, rng, -1), "size must be .* at least 0, .* not -1"),
        (lambda rng: discrete_gaussian(1, rng, (2, -1)), r"size must be .* not \(2, -1\)"),
        (lambda rng: bernoulli_exp(1, "seed"), "rng must be a numpy Generator"),
    ]
    assert_refused([(partial(call, np.random.default_rng()), message) for call, message in cases])
