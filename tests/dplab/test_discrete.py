from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import goodness_of_fit
from dplab.continuous import Gaussian, Laplace
from dplab.discrete import DiscreteGaussian, DiscreteLaplace
from dplab.divergences import privacy_loss
from dplab.losses import AtomicLoss
from tests.refusals import assert_refused

scales = st.fractions(min_value=Fraction(1, 20), max_value=200, max_denominator=1000)
laws = st.sampled_from([DiscreteLaplace, DiscreteGaussian])


def reach(scale):
    return int(60 * scale) + 60


@given(laws, scales)
def test_probabilities_sum_to_one(family, scale):
    k = np.arange(-reach(scale), reach(scale) + 1)
    assert np.exp(family(0, scale).log_density(k)).sum() == pytest.approx(1, abs=1e-12)


def test_the_constants_of_scale_one():
    """P(0) = (1 - 1/e) / (1 + 1/e) = .4621172, variance 2/e / (1 - 1/e)^2 = 1.841347."""
    law = DiscreteLaplace(0, 1)
    k = np.arange(-800, 801)
    assert np.exp(law.log_density(0)) == pytest.approx(0.4621172, abs=1e-7)
    assert law.variance == pytest.approx(1.841347, abs=1e-6)
    assert (k**2 * np.exp(law.log_density(k))).sum() == pytest.approx(law.variance)


@pytest.mark.parametrize("s", [0.05, 0.3, 0.99, 1.0, 1.01, 2, 30])
def test_both_forms_of_the_gaussian_constant(s):
    """The sum itself, against whichever form the law uses."""
    k = np.arange(-3000, 3001)
    direct = np.log(np.exp(-((k / s) ** 2) / 2).sum())
    assert DiscreteGaussian(0, s).log_total == pytest.approx(direct, abs=1e-13)


@given(laws, scales, st.integers(-5, 5), st.integers(-9, 3), st.integers(1, 12))
def test_clamping_gathers_the_tails(family, scale, location, lower, width):
    law, upper = family(location, scale), lower + width
    k = np.arange(location - reach(scale), location + reach(scale) + 1)
    moved = np.clip(k, lower, upper) - lower
    expected = np.bincount(moved, np.exp(law.log_density(k)), width + 1)
    finite = law.clamp(lower, upper)
    assert finite.outcomes == tuple(range(lower, upper + 1))
    np.testing.assert_allclose(finite.probabilities, expected, rtol=1e-9, atol=1e-300)


@given(st.floats(0.05, 50), st.integers(1, 30))
def test_the_laplace_loss_is_exact(scale, shift):
    """Against enumeration of a window that leaves out e^-60."""
    p, q = DiscreteLaplace(shift, scale), DiscreteLaplace(0, scale)
    k = np.arange(-reach(scale), reach(scale) + shift)
    by_sum = AtomicLoss.of(p.log_density(k), q.log_density(k))
    loss = privacy_loss(p, q)
    assert loss.largest_log_ratio == pytest.approx(shift / scale)
    for epsilon in (0.0, 0.3 * shift / scale, 0.9 * shift / scale):
        assert loss.delta(epsilon) == pytest.approx(by_sum.delta(epsilon), abs=1e-10)
    assert loss.renyi(3.0) == pytest.approx(by_sum.renyi(3.0), rel=1e-6)
    assert loss.p.sum() == pytest.approx(1)
    assert loss.q.sum() == pytest.approx(1)


@given(st.floats(0.2, 30), st.integers(1, 4), st.integers(2, 6))
def test_the_gaussian_loss_reaches_zcdp_at_whole_orders(sigma, shift, alpha):
    """D_alpha = alpha shift^2 / (2 sigma^2) for whole alpha: the shifted sum is the same sum."""
    loss = privacy_loss(DiscreteGaussian(shift, sigma), DiscreteGaussian(0, sigma))
    if alpha * shift < 15 * sigma:
        assert loss.renyi(alpha) == pytest.approx(alpha * shift**2 / (2 * sigma**2), rel=1e-9)
    assert loss.largest_log_ratio == np.inf
    assert loss.p.sum() == pytest.approx(1)


def test_the_gaussian_loss_answers_by_its_rho_beyond_what_it_enumerates():
    loss = privacy_loss(DiscreteGaussian(3, 2), DiscreteGaussian(0, 2))
    assert loss.rho == pytest.approx(9 / 8, rel=1e-12)
    assert loss.renyi(200.0) == 200 * loss.rho
    assert [loss.renyi(a) <= a * loss.rho * (1 + 1e-12) for a in (1.01, 1.5, 7.3)] == [True] * 3


def test_the_gaussian_delta_is_near_the_continuous_one():
    """sigma = 1, epsilon = 1: .126937 for N(0, 1) against N(1, 1)."""
    fine = privacy_loss(
        DiscreteGaussian(1, 1, Fraction(1, 1000)), DiscreteGaussian(0, 1, Fraction(1, 1000))
    )
    continuous = privacy_loss(Gaussian(1, 1), Gaussian(0, 1))
    for epsilon in (0.0, 1.0, 2.0):
        assert fine.delta(epsilon) == pytest.approx(continuous.delta(epsilon), abs=1e-6)


@given(laws, scales, st.sampled_from([Fraction(1, 10), Fraction(3), Fraction(2, 7), 2**-20]))
@settings(max_examples=30)
def test_outcomes_lie_on_the_grid_and_nowhere_else(family, scale, grid):
    law = family(7 * Fraction(grid), scale * Fraction(grid), grid)
    draws = law.sample(np.random.default_rng(), 50)
    assert (law.log_density(draws) > -np.inf).all()
    assert (law.log_density(draws + float(grid) / 2) == -np.inf).all()
    steps = [round(Fraction(float(draw)) / Fraction(grid)) for draw in draws]
    assert draws.tolist() == [float(Fraction(grid) * k) for k in steps]


def test_draws_with_a_grid_follow_the_law():
    """Two tests at 1e-10: false-failure probability 2e-10."""
    rng = np.random.default_rng()
    for family in (DiscreteLaplace, DiscreteGaussian):
        law = family(Fraction(3, 10), Fraction(1, 4), Fraction(1, 10))
        lower, upper = Fraction(-1, 10), Fraction(9, 10)
        draws = np.clip(law.sample(rng, 50_000), -0.1, 0.9)
        assert goodness_of_fit(draws, law.clamp(lower, upper)).passed


def test_whole_grids_give_ints_of_any_size():
    rng = np.random.default_rng(2)
    assert DiscreteLaplace(5, 2).sample(rng, 9).dtype == np.int64
    assert type(DiscreteLaplace(5, 2).sample(rng)) is int
    assert type(DiscreteLaplace(Fraction(1, 2), 2, Fraction(1, 2)).sample(rng)) is float
    for law in (DiscreteLaplace(10**30, 1), DiscreteLaplace(0, 10**20, 10**20)):
        draws = law.sample(rng, 20)
        assert draws.dtype == object
        assert all(type(y) is int and abs(y - law.location) <= 700 * law.scale for y in draws)
    assert DiscreteLaplace(2**62, 4).sample(rng, 9).tolist() != []


@given(laws, st.integers(-(2**80), 2**80), st.integers(-9, 9))
def test_whole_numbers_that_floats_cannot_tell_apart_have_their_own_probabilities(
    family, location, k
):
    assert family(location, 2).log_density(location + k) == family(0, 2).log_density(k)


@given(laws, st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6), st.integers(0, 2**32))
def test_what_is_drawn_is_possible(family, grid, seed):
    """Also where floats are further apart than the grid."""
    law = family(0, 10**16, grid)
    assert np.isfinite(law.log_density(law.sample(np.random.default_rng(seed), 5))).all()


@given(
    laws,
    st.fractions(Fraction(1, 10**9), 10**9, max_denominator=10**9),
    st.integers(-(10**15), 10**15),
    st.lists(st.integers(-(10**7), 10**7), min_size=1, max_size=5),
)
def test_floats_count_steps_as_fractions_do(family, grid, center, steps):
    """A float is the step that it is nearest to, also far from 0, and in an array of objects."""
    law = family(center * grid, 10**6 * grid, grid)
    values = np.array([float((center + step) * grid) for step in steps])
    expected = family(0, 10**6).log_density(steps)
    for each in (values, values.astype(object), np.tile(values, (2, 1))):
        assert (law.log_density(each) == expected).all()


@pytest.mark.parametrize("family", [DiscreteLaplace, DiscreteGaussian])
@pytest.mark.parametrize("spread", [1e-300, 1e-12, 1e12, 1e300])
def test_laws_of_any_spread(family, spread):
    """All mass on the center, or probabilities next to equal; and what is nowhere is impossible."""
    law = family(0, spread)
    here, near, beyond, off = law.log_density(np.array([0, 1, np.inf, 0.5]))
    assert (beyond, off) == (-np.inf, -np.inf)
    constant = 2 if family is DiscreteLaplace else np.sqrt(2 * np.pi)
    expected = [0.0, -np.inf] if spread < 1 else 2 * [-np.log(spread) - np.log(constant)]
    assert here == pytest.approx(expected[0])
    assert near < -1e11 if spread < 1 else near == pytest.approx(expected[1])
    if family is DiscreteLaplace:
        assert law.variance == pytest.approx(0 if spread < 1 else 2 * spread * spread)


def test_a_fine_grid_approaches_the_laplace_law():
    fine, law = DiscreteLaplace(0, 1, Fraction(1, 10_000)), Laplace(0, 1)
    for y in (0.0, 0.5, -2.0):
        assert fine.log_density(y) + np.log(10_000) == pytest.approx(law.log_density(y), abs=1e-6)


def test_bad_arguments_are_named():
    calls = [
        (lambda: DiscreteLaplace(0, 0), "scale must be a rational number above 0, not 0"),
        (lambda: DiscreteGaussian(0, np.inf), "sigma must be a rational number above 0, not inf"),
        (lambda: DiscreteGaussian(0, 10**400), "sigma / grid must be a finite number above 0"),
        (lambda: DiscreteLaplace(0, 1, 10**400), "scale / grid must be a finite number above 0"),
        (lambda: DiscreteLaplace(0, 1, -1), "grid must be a rational number above 0, not -1"),
        (
            lambda: DiscreteLaplace(0.5, 1),
            "location must be a multiple of grid 1, not 0.5",
        ),
        (lambda: DiscreteLaplace(0, 1).clamp(2, 2), "upper must be above lower 2, not 2"),
        (lambda: DiscreteLaplace(0, 1).clamp(0, 10**8), "upper must be at most 8388608 steps"),
        (lambda: DiscreteLaplace(0, 1).clamp(0.5, 2), "lower must be a multiple of grid 1"),
        (
            lambda: privacy_loss(DiscreteLaplace(0, 1), DiscreteLaplace(0, 2)),
            "q must have p's kind, scale and grid",
        ),
        (
            lambda: privacy_loss(DiscreteGaussian(0, 10**7), DiscreteGaussian(1, 10**7)),
            "sigma must be at most 155344 steps of the grid, not 10000000.0",
        ),
    ]
    assert_refused(calls)


@pytest.mark.filterwarnings("error")
def test_an_outcome_too_far_for_its_log_to_be_a_float_is_impossible():
    for law in (DiscreteLaplace(0, scale=1e-160), DiscreteGaussian(0, sigma=1e-160)):
        assert law.log_density([0, 1e300]).tolist() == [0, -np.inf]


@pytest.mark.filterwarnings("error")
def test_spreads_that_no_float_holds_are_named():
    with pytest.raises(ValueError, match="grid / scale must be a finite number"):
        DiscreteLaplace(0, scale=5e-324)
    wide = DiscreteGaussian(0, sigma=1.7e308)
    with pytest.raises(ValueError, match=r"sigma must be below \d+ steps"):
        wide.clamp(-3, 4)
    with pytest.raises(ValueError, match=r"sigma must be at most \d+ steps"):
        privacy_loss(wide, DiscreteGaussian(1, sigma=1.7e308))
