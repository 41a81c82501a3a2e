from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_delta, exact_epsilon, goodness_of_fit
from dplab.discrete import DiscreteLaplace
from dplab.distributions import Product
from dplab.guarantees import ZCDP, PureDP
from dplab.mechanisms.discrete import DiscreteGaussianMechanism, GeometricMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE
from dplab.sampling import OPERATING_SYSTEM
from tests.dplab.strategies import epsilons
from tests.refusals import assert_refused


def histogram(data):
    return np.bincount(np.array(data, dtype=int), minlength=3)


def share(data):
    return Fraction(sum(data), len(data))


@given(epsilons)
@settings(max_examples=25)
def test_the_exact_audit_finds_epsilon_and_no_more(epsilon):
    count = GeometricMechanism(sum, sensitivity=1, epsilon=epsilon)
    assert count.guarantee == PureDP(epsilon)
    audit = exact_epsilon(count.clamp(0, 3), (0, 1), n=3)
    assert audit.epsilon == pytest.approx(epsilon)
    assert count.privacy_loss((0, 1), (1, 1)).largest_log_ratio == pytest.approx(epsilon)


def test_the_truncated_geometric_mechanism_of_ten_people():
    """n = 10, epsilon .7: exactly .7, for replaced and for added records."""
    for relation in (REPLACE_ONE, ADD_REMOVE):
        count = GeometricMechanism(sum, 1, Fraction(7, 10), neighbors=relation).clamp(0, 10)
        x, y = (1,) * 4, (1,) * 4 + (1,)
        loss = count.privacy_loss(x, y)
        assert loss.largest_log_ratio == pytest.approx(0.7, abs=1e-12)
        assert exact_epsilon(count, (0, 1), n=4).epsilon == pytest.approx(0.7, abs=1e-12)


@pytest.mark.parametrize(("relation", "l1"), [(REPLACE_ONE, 2), (ADD_REMOVE, 1)])
def test_a_vector_needs_its_l1_sensitivity(relation, l1):
    release = GeometricMechanism(histogram, l1, 0.8, neighbors=relation)
    assert isinstance(release.distribution((0, 1)), Product)
    losses = [release.privacy_loss((0, 1), y) for y in relation.neighbors_of((0, 1), (0, 1, 2))]
    assert max(loss.largest_log_ratio for loss in losses) == pytest.approx(0.8)
    assert exact_epsilon(release.clamp(-2, 3), (0, 1, 2), n=2).epsilon == pytest.approx(0.8)


def test_a_grid_of_a_tenth_has_the_answers_of_round():
    for steps in range(-2000, 2001, 7):
        mean = GeometricMechanism(lambda data: np.round(data, 1), 0.3, 1, grid=0.1)
        assert mean.distribution(steps / 10 + 0.03).location == Fraction(steps, 10)
    assert mean.sensitivity == DiscreteGaussianMechanism(sum, 0.3, 1, 0.1).sensitivity
    assert mean.worst_case.largest == 1.0  # of three steps; the float 0.3 is less
    gaussian = DiscreteGaussianMechanism.for_zcdp(np.sum, sensitivity=0.7, rho=0.5, grid=0.1)
    assert gaussian.sensitivity == Fraction(7, 10)
    assert DiscreteLaplace(0.3, 1, grid=0.1).center == 3
    output = mean([0.12, 0.34], np.random.default_rng())
    assert output.tolist() == np.round(output, 1).tolist()


@pytest.mark.parametrize("grid", [Fraction(1, 4), Fraction(1, 8), Fraction(1, 400)])
def test_a_grid_for_means(grid):
    mean = GeometricMechanism(share, sensitivity=Fraction(1, 4), epsilon=0.5, grid=grid)
    assert exact_epsilon(mean.clamp(0, 1), (0, 1), n=4).epsilon == pytest.approx(0.5)
    output = mean((0, 1, 1, 0), np.random.default_rng())
    assert output == float(round(output / grid) * grid)


def test_a_sensitivity_between_two_steps_wastes_some_privacy():
    """Steps of 1/4, sensitivity .3: the answer moves by .25 at most, so epsilon / 1.2 is spent."""
    mean = GeometricMechanism(share, Fraction(3, 10), epsilon=0.6, grid=Fraction(1, 4))
    assert exact_epsilon(mean.clamp(0, 1), (0, 1), n=4).epsilon == pytest.approx(0.5)


def test_the_worst_case_is_the_sensitivity_in_whole_steps():
    exact = GeometricMechanism(share, Fraction(1, 2), epsilon=0.6, grid=Fraction(1, 4))
    assert exact.worst_case.largest == pytest.approx(0.6)
    wasteful = GeometricMechanism(share, Fraction(3, 10), epsilon=0.6, grid=Fraction(1, 4))
    assert wasteful.worst_case.largest == pytest.approx(0.5)


def test_every_output_is_possible_for_the_neighbour():
    """The attack on low bits finds nothing: of 2,000 outputs none is impossible elsewhere."""
    count = GeometricMechanism(sum, 1, 1.0, grid=Fraction(1, 2**20))
    outputs = [count((0, 1), np.random.default_rng(seed)) for seed in range(2000)]
    assert (count.distribution((1, 1)).log_density(outputs) > -np.inf).all()


@given(st.floats(0.3, 5.0), st.sampled_from([1, 2]))
@settings(max_examples=25)
def test_the_discrete_gaussian_keeps_its_zcdp_and_reaches_it(sigma, sensitivity):
    mechanism = DiscreteGaussianMechanism(lambda d: sensitivity * sum(d), sensitivity, sigma)
    rho = sensitivity**2 / (2 * sigma**2)
    assert mechanism.guarantee.rho == pytest.approx(rho)
    loss = mechanism.privacy_loss((0, 1), (1, 1))
    for alpha in (1.5, 2.0, 2.5, 3.0):
        renyi = loss.renyi(alpha)
        assert renyi <= rho * alpha * (1 + 1e-9)
        if alpha == int(alpha):
            assert renyi == pytest.approx(rho * alpha, rel=1e-9)


def test_the_delta_of_the_discrete_gaussian_is_below_its_conversion_from_zcdp():
    mechanism = DiscreteGaussianMechanism(sum, sensitivity=1, sigma=3)
    converted = mechanism.guarantee.to_approx(1e-5)
    exact = mechanism.privacy_loss((0, 1), (1, 1)).delta(converted.epsilon)
    assert 0 < exact <= 1e-5
    clamped = exact_delta(mechanism.clamp(-60, 60), (0, 1), n=2, epsilon=converted.epsilon)
    assert clamped == pytest.approx(exact, rel=1e-6)


@given(st.floats(0.001, 3), st.fractions(Fraction(1, 9), 9))
def test_sigma_for_zcdp_inverts_and_is_the_least(rho, sensitivity):
    grid = min(1, sensitivity)
    mechanism = DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=sensitivity, rho=rho, grid=grid)
    promised = sensitivity**2 / (2 * mechanism.sigma**2)
    assert promised <= Fraction(rho)
    assert promised * Fraction(10**12 + 1, 10**12) > Fraction(rho)
    assert isinstance(mechanism.guarantee, ZCDP)


@pytest.mark.parametrize("rng", [np.random.default_rng(), OPERATING_SYSTEM], ids=["rng", "os"])
def test_outputs_follow_their_law(rng):
    """Eight tests at 1e-10 in both runs: false-failure probability 8e-10."""
    for mechanism in (
        GeometricMechanism(sum, sensitivity=1, epsilon=0.5),
        DiscreteGaussianMechanism(sum, sensitivity=1, sigma=2),
    ):
        law = mechanism.distribution((1, 1, 0)).clamp(-10, 14)
        draws = [mechanism((1, 1, 0), rng) for _ in range(2000)]
        assert all(type(draw) is int for draw in draws)
        assert goodness_of_fit(np.clip(draws, -10, 14), law).passed
        bars = type(mechanism)(lambda data: np.full(20_000, 2), 1, *_spread(mechanism))
        assert goodness_of_fit(np.clip(bars((0,), rng), -10, 14), law).passed


def _spread(mechanism):
    return [mechanism.epsilon if hasattr(mechanism, "epsilon") else mechanism.sigma]


def test_vectors_keep_their_shape_and_the_seed_repeats_them():
    release = GeometricMechanism(lambda data: np.zeros((3, 5), dtype=int), 1, 1)
    first, again = (release((), np.random.default_rng(4)) for _ in range(2))
    assert first.shape == (3, 5)
    assert first.dtype == np.int64
    assert (first == again).all()
    clamped = release.clamp(0, 1)((), np.random.default_rng(4))
    assert (clamped == np.clip(first, 0, 1)).all()


@pytest.mark.parametrize(("answer", "kind"), [(2**62, np.int64), (2**64, object)])
def test_answers_are_numpys_integers_where_these_hold_them(answer, kind):
    release = GeometricMechanism(lambda data: [answer, 0], 2, 1, grid=2)
    assert release((), np.random.default_rng()).dtype == kind


@pytest.mark.parametrize("answer", [2**63 - 1, -(2**63), 2**63 + 5, 10**30, True])
def test_no_answer_overflows(answer):
    """|noise| > 70,000 at scale 100 has probability e^-700."""
    release = GeometricMechanism(lambda data: np.array([answer, answer]), 1, Fraction(1, 100))
    count = GeometricMechanism(lambda data: answer, 1, Fraction(1, 100))
    for output in (*release((), np.random.default_rng()), count((), np.random.default_rng())):
        assert abs(int(output) - answer) < 70_000
    assert release.distribution(()).factors[1].location == answer


def test_bad_arguments_are_named():
    calls = [
        (lambda: GeometricMechanism(sum, 0, 1), "sensitivity must be .*above 0, not 0"),
        (lambda: GeometricMechanism(sum, 1, np.nan), "epsilon must be .*above 0, not nan"),
        (lambda: GeometricMechanism(sum, 1, 1, grid="fine"), "grid must be .*, not 'fine'"),
        (lambda: DiscreteGaussianMechanism(sum, 0, 1), "sensitivity must be .*above 0, not 0"),
        (
            lambda: DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=0, rho=1),
            "sensitivity must be .*above 0, not 0",
        ),
        (lambda: DiscreteGaussianMechanism(sum, 1, -2), "sigma must be .*above 0, not -2"),
        (
            lambda: DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=1, rho=0),
            "rho must be .*above 0, not 0",
        ),
        (
            lambda: GeometricMechanism(np.mean, 1, 1)([0, 1], np.random.default_rng()),
            r"query\(data\) must be a multiple of grid 1$",
        ),
        (
            lambda: GeometricMechanism(sum, 1, 1)([np.inf], np.random.default_rng()),
            r"query\(data\) must be a multiple of grid 1$",
        ),
        (lambda: GeometricMechanism(sum, 1, 1).clamp(3, 2), "upper must be above lower 3, not 2"),
        (lambda: GeometricMechanism(sum, 1, 1).clamp(3, 3), "upper must be above lower 3, not 3"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64])
def test_exact_mechanisms_take_numpys_integers_for_what_they_are(kind):
    v = kind(200)
    assert DiscreteGaussianMechanism(sum, v, 1000).guarantee == ZCDP(0.02)
    for epsilon in (0.5, 0.1):
        count = GeometricMechanism(sum, v, epsilon)
        assert count.noise.scale == GeometricMechanism(sum, 200, epsilon).noise.scale
        count([1, 0], np.random.default_rng(0))


def test_for_zcdp_finds_the_least_sigma():
    assert DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=1, rho=0.5).grid == 1
    for i in range(1, 300):
        m = DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=1, rho=i / 100)
        assert 2 * Fraction(i / 100) * m.sigma**2 >= 1
        less = Fraction(float(np.nextafter(float(m.sigma), 0)))
        assert 2 * Fraction(i / 100) * less**2 < 1


@pytest.mark.parametrize("answer", [2, 10**30, -(10**30), [10**30, 1]])
@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (Fraction(1, 2), Fraction(5, 2))])
def test_clamped_draws_are_outcomes_of_the_clamped_law(answer, lower, upper):
    """Answers that 64 bits do not hold, and bounds that are fractions."""
    clamped = GeometricMechanism(lambda _: answer, 1, 1, Fraction(1, 2)).clamp(lower, upper)
    rng, law = np.random.default_rng(0), clamped.distribution(None)
    for _ in range(20):
        draw = clamped(None, rng)
        assert np.isfinite(law.log_density(tuple(draw) if np.ndim(draw) else draw))


@pytest.mark.parametrize(
    ("sensitivity", "rho"), [(1e155, 1e-310), (1e300, 5e-324), (1e-300, 1e300)]
)
def test_the_sigma_of_a_rho_is_found_where_no_float_holds_it(sensitivity, rho):
    grid = min(1, sensitivity)
    found = DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=sensitivity, rho=rho, grid=grid)
    spent = found.sensitivity**2 / (2 * found.sigma**2)
    assert Fraction(rho) * (1 - Fraction(1, 10**15)) <= spent <= Fraction(rho)
