from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab import Laplace, PureDP
from dplab.learning.objective_perturbation import ObjectivePerturbation
from dplab.learning.risk import LOG_COSH, LOGISTIC, SQUARED, Objective, RegularizedRisk
from tests.dplab.learning.test_risk import records_of

epsilons = st.sampled_from([0.05, 0.3, 1.0, 4.0, 10.0])


def enough(objective, n, epsilon, times):
    """A regularizer that is `times` the least that epsilon allows."""
    return times * objective.smoothness / (n * np.expm1(epsilon))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from((LOGISTIC, LOG_COSH)),
    st.integers(1, 9),
    st.sampled_from([0.05, 0.3, 1.0, 4.0]),
)
def test_between_two_models_is_the_mass_between_their_tilts(seed, objective, n, epsilon):
    """The model falls with the tilt, which follows a Laplace law in one dimension."""
    rng = np.random.default_rng(seed)
    risk = RegularizedRisk(objective, n, enough(objective, n, epsilon, 3.0))
    mechanism = ObjectivePerturbation(risk, epsilon)
    law = mechanism.distribution(records_of(n, 1, rng, objective))
    tilts = mechanism.scale * np.array([3.0, 1.0, 0.2, 0.0, -0.2, -1.0, -3.0])
    models = [risk.minimizer(law.records, [tilt])[0] for tilt in tilts]
    expected = -np.diff(Laplace(0, mechanism.scale).cdf(tilts))
    for ends, mass in zip(pairwise(models), expected, strict=True):
        found = quad(lambda theta: np.exp(law.log_density([theta])), *ends, limit=500)[0]
        assert found == pytest.approx(mass, rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from((LOGISTIC, LOG_COSH)),
    st.integers(1, 12),
    st.integers(1, 4),
    epsilons,
    st.sampled_from([1.01, 2.0, 100.0]),
)
def test_no_model_is_told_apart_by_more_than_epsilon(seed, objective, n, d, epsilon, times):
    rng = np.random.default_rng(seed)
    mechanism = ObjectivePerturbation(
        RegularizedRisk(objective, n, enough(objective, n, epsilon, times)), epsilon
    )
    x = records_of(n, d, rng, objective)
    y = x.copy()
    y[0] = records_of(1, d, rng, objective)[0]
    p, q = mechanism.distribution(x), mechanism.distribution(y)
    for theta in p.sample(rng, 4):
        for place in (theta, 10 * theta, 0 * theta):
            assert abs(p.log_density(place) - q.log_density(place)) <= epsilon * (1 + 1e-9)


def times(steepness, objective):
    """An objective so many times as steep."""

    def steeper(part):
        return lambda z, y: steepness * part(z, y)

    return Objective(
        f"{steepness} {objective}",
        value=steeper(objective.value),
        slope=steeper(objective.slope),
        curvature=steeper(objective.curvature),
        lipschitz=steepness * objective.lipschitz,
        smoothness=steepness * objective.smoothness,
    )


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize(
    "objective", [LOG_COSH, times(3, LOG_COSH), times(0.2, LOG_COSH)], ids=repr
)
def test_the_tilt_leaves_nothing_of_its_share_unused(objective, epsilon):
    """One record whose far label turns around moves the tilt by twice the largest slope, along a
    line far from 0, where the objective is straight and curvature is no help: the ratio is that of
    the noise alone."""
    risk = RegularizedRisk(objective, 5, enough(objective, 5, epsilon, 2.0))
    mechanism = ObjectivePerturbation(risk, epsilon)
    x, y = np.zeros((5, 2)), np.zeros((5, 2))
    x[0], y[0] = (1, 1e6), (1, -1e6)
    p, q = mechanism.distribution(x), mechanism.distribution(y)
    far = [10 * objective.lipschitz / (5 * risk.regularizer)]
    ratio = abs(p.log_density(far) - q.log_density(far))
    assert ratio == pytest.approx(mechanism.noise_epsilon, rel=1e-6)
    assert mechanism.noise_epsilon < epsilon


@pytest.mark.parametrize("n", [1, 4, 50])
def test_what_curvature_may_change_is_set_aside_and_reached(n):
    """A record at 0, where LOG_COSH bends most, against one that bends nowhere: 1 + c / (n lambda),
    the others having no features at all."""
    risk = RegularizedRisk(LOG_COSH, n, 0.3)
    mechanism = ObjectivePerturbation(risk, 20.0)
    x, y = np.zeros((n, 2)), np.zeros((n, 2))
    x[0], y[0] = (1, 0), (0, 0)
    p, q = mechanism.distribution(x), mechanism.distribution(y)
    ratio = p.log_density([0.0]) - q.log_density([0.0])
    assert ratio == pytest.approx(np.log1p(1 / (n * 0.3)))
    assert mechanism.noise_epsilon == pytest.approx(20 - ratio)


def test_models_are_drawn_from_the_density():
    """In one dimension the share below the untilted minimiser is 1/2, as the tilt is symmetric and
    the model falls with it; 2,000 draws, by Hoeffding wrong once in 1e10 at 0.077."""
    rng = np.random.default_rng()
    x = records_of(6, 1, rng, LOGISTIC)
    risk = RegularizedRisk(LOGISTIC, 6, 0.2)
    law = ObjectivePerturbation(risk, 1.0).distribution(x)
    draws = law.sample(rng, 2000)[:, 0]
    center, off = risk.minimizer(x)[0], np.sqrt(np.log(2e10) / 4000)
    for place in (center - 2, center, center + 0.5, center + 2):
        below = quad(lambda t: np.exp(law.log_density([t])), -200, place, points=[center - 20])[0]
        assert abs((draws < place).mean() - below) < off


def test_promise_and_refusals():
    mechanism = ObjectivePerturbation(RegularizedRisk(LOGISTIC, 100, 0.1), 0.5)
    assert mechanism.guarantee == PureDP(0.5)
    x = records_of(100, 3, np.random.default_rng(), LOGISTIC)
    assert mechanism(x, np.random.default_rng()).shape == (3,)
    with pytest.raises(ValueError, match="bounded slope"):
        ObjectivePerturbation(RegularizedRisk(SQUARED, 100, 0.1), 0.5)
    with pytest.raises(ValueError, match=r"regularizer must be above 0.0237708 for epsilon 0.1,"):
        ObjectivePerturbation(RegularizedRisk(LOGISTIC, 100, 0.0237), 0.1)
    assert ObjectivePerturbation(RegularizedRisk(LOGISTIC, 100, 0.0238), 0.1).noise_epsilon > 0


def test_objective_perturbation_at_a_small_epsilon():
    m = ObjectivePerturbation(RegularizedRisk(LOGISTIC, 3, 1e7), 1e-7)
    data = [[1, 0, 1], [0, 1, -1], [0.6, 0, 1]]
    assert all(np.isfinite(m(data, np.random.default_rng(seed))).all() for seed in range(40))


def test_an_epsilon_that_leaves_nothing_for_the_tilt_is_refused():
    risk = RegularizedRisk(LOGISTIC, 100, 0.1)
    spent = float(np.log1p(LOGISTIC.smoothness / (100 * 0.1)))
    with pytest.raises(ValueError, match="regularizer must be above"):
        ObjectivePerturbation(risk, spent)


def test_models_come_in_the_shape_that_is_asked_for():
    law = ObjectivePerturbation(RegularizedRisk(LOGISTIC, 6, 0.2), 1.0).distribution(
        records_of(6, 2, np.random.default_rng(), LOGISTIC)
    )
    assert law.sample(np.random.default_rng(), (3, 4)).shape == (3, 4, 2)
    one, few = (law.sample(np.random.default_rng(5), size) for size in (None, (1, 1)))
    assert one == pytest.approx(few[0, 0])
