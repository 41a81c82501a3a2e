"""Measurements of OpenDP as mechanisms and the other way, with the real package."""

from fractions import Fraction

import numpy as np
import pytest

from dplab import (
    ADD_REMOVE,
    REPLACE_ONE,
    ZCDP,
    ApproxDP,
    BoundedRange,
    DiscreteGaussianMechanism,
    GeometricMechanism,
    PureDP,
    RandomizedResponse,
    StabilityHistogram,
)
from dplab.accounting import Release, epsilon_bounds
from dplab.budget import Budget, BudgetExceeded
from dplab.interaction import Curator, MechanismError
from dplab.interop.opendp import from_opendp, to_opendp
from dplab.mechanism import Mechanism
from tests.refusals import assert_refused

dp = pytest.importorskip("opendp.prelude", reason="OpenDP is in the extra `opendp` alone")
SECRET = "Zaphod"


@pytest.fixture(autouse=True)
def features():
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


def count(noise, metric=None, **domain):
    """Return a noisy count of whole numbers; a scale of 0.01 makes noise of 0, up to 2 e^-100."""
    space = dp.vector_domain(dp.atom_domain(T=int), **domain), metric or dp.symmetric_distance()
    return space >> dp.t.then_count() >> noise


def user_measurement(measure, price, metric=None, domain=None):
    """Return a measurement that answers 7 for any vector."""
    domain = domain or dp.vector_domain(dp.atom_domain(T=int))
    metric = metric or dp.symmetric_distance()
    return dp.m.make_user_measurement(domain, metric, measure, lambda data: 7, price)


def test_the_map_gives_the_guarantee_by_measure_and_neighbours():
    laplace, gaussian = count(dp.m.then_laplace(scale=2.0)), count(dp.m.then_gaussian(scale=2.0))
    curve = dp.c.make_zCDP_to_approxDP(gaussian)
    fixed = dp.c.make_fix_delta(curve, 1e-6)
    assert from_opendp(laplace, ADD_REMOVE).guarantee == PureDP(0.5)
    assert from_opendp(laplace).guarantee == PureDP(1.0)  # a replacement is two steps
    assert from_opendp(gaussian, ADD_REMOVE).guarantee == ZCDP(0.125)
    best = ZCDP(0.125).to_approx(1e-6)
    for mechanism in (from_opendp(curve, ADD_REMOVE, delta=1e-6), from_opendp(fixed, ADD_REMOVE)):
        assert mechanism.guarantee.delta == 1e-6
        assert mechanism.guarantee.epsilon == pytest.approx(best.epsilon, rel=1e-6)
    for metric in (dp.change_one_distance(), dp.hamming_distance()):
        steps = user_measurement(dp.max_divergence(), lambda steps: 0.5 * steps, metric)
        assert from_opendp(steps, REPLACE_ONE).guarantee == PureDP(0.5)


def test_what_does_not_fit_is_refused():
    laplace = dp.m.then_laplace(scale=2.0)
    atom = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    pure, half = dp.max_divergence(), lambda steps: 0.5 * steps
    one, order = dp.change_one_distance(), dp.insert_delete_distance()
    renyi = user_measurement(dp.renyi_divergence(), lambda steps: lambda alpha: alpha * steps)
    curve = dp.c.make_zCDP_to_approxDP(count(dp.m.then_gaussian(scale=2.0)))
    assert_refused(
        [
            (lambda: from_opendp(sum), "must be a Measurement of OpenDP"),
            (lambda: from_opendp(count(laplace), []), "neighbors must be one of"),
            (lambda: from_opendp(atom >> laplace), "must take a vector of records"),
            (lambda: from_opendp(user_measurement(pure, half, order)), "do not fit .*Insert"),
            (lambda: from_opendp(user_measurement(pure, half, one), ADD_REMOVE), "do not fit"),
            (lambda: from_opendp(count(laplace, size=3), ADD_REMOVE), "there are 3 records"),
            (lambda: from_opendp(renyi), "output measure RenyiDivergence"),
            (lambda: from_opendp(curve), "delta must be given"),
            (lambda: from_opendp(curve, ADD_REMOVE, delta=1.0), "delta must be .* below 1"),
            (lambda: from_opendp(count(laplace))([1, SECRET]), "must be a finite number"),
            (lambda: from_opendp(count(laplace))([2**31]), "whole numbers from -2147483648"),
            (lambda: from_opendp(count(laplace, size=3))([1]), "must be a member of Vector"),
        ]
    )


def test_a_curator_pays_and_answers_whatever_the_entries_are():
    exact = from_opendp(count(dp.m.then_laplace(scale=0.01)), ADD_REMOVE)
    rows = [1, 2.5, SECRET, None, 10**30, np.nan]
    curator = Curator(rows, Budget(PureDP(150.0)), np.random.default_rng())
    assert curator.ask(exact) == len(rows)  # other noise than 0 has the probability 2 e^-100
    assert curator.budget.remaining == PureDP(50.0)
    with pytest.raises(BudgetExceeded):
        curator.ask(exact)
    bounds = dp.atom_domain(T=float, bounds=(0.0, 10.0))
    space = dp.vector_domain(bounds, size=4), dp.symmetric_distance()
    total = from_opendp(space >> dp.t.then_sum() >> dp.m.then_laplace(scale=0.01))
    curator = Curator([99.0, -3.0, SECRET, 4.0], Budget(PureDP(2e3)), np.random.default_rng())
    assert abs(curator.ask(total) - 14.0) < 1  # a wider error has the probability e^-100
    bounds = dp.atom_domain(T=int, bounds=(-1, 10))
    space = dp.vector_domain(bounds, size=4), dp.symmetric_distance()
    whole = from_opendp(space >> dp.t.then_sum() >> dp.m.then_laplace(scale=0.01))
    curator = Curator([99, -3.0, SECRET, 1.5], Budget(PureDP(2e3)), np.random.default_rng())
    assert curator.ask(whole) == 10 - 1 + 0 + 2  # other noise than 0 has the probability 2 e^-100
    with pytest.raises(MechanismError) as failure:
        Curator([SECRET], Budget(PureDP(2e3)), np.random.default_rng()).ask(total)
    assert SECRET not in str(failure.value)


def test_members_are_passed_on_and_others_refused_without_a_quotation(recwarn):
    words = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    length = dp.m.make_user_measurement(*words, dp.max_divergence(), len, lambda steps: 0.0)
    for rows in (("a", "b", SECRET), np.array(["a", "b", SECRET])):
        assert from_opendp(length)(rows) == 3
    with pytest.raises(ValueError, match="must be a member of VectorDomain") as refusal:
        from_opendp(length)([SECRET, 7])
    assert SECRET not in str(refusal.value)
    assert not recwarn.list


def test_a_measurement_is_a_release_of_the_account():
    laplace = from_opendp(count(dp.m.then_laplace(scale=10.0)), ADD_REMOVE)
    bounds = epsilon_bounds([Release(laplace, 100)], delta=1e-6)
    assert bounds.upper == epsilon_bounds([Release(PureDP(0.1), 100)], delta=1e-6).upper
    with pytest.raises(ValueError, match="same neighbors"):
        epsilon_bounds([Release(laplace), Release(RandomizedResponse(0.1))], delta=1e-6)


def test_a_mechanism_becomes_a_measurement_and_comes_back():
    rng, integers = np.random.default_rng(1), dp.vector_domain(dp.atom_domain(T=int))
    for mechanism, metric in (
        (GeometricMechanism(sum, 1, 100), dp.hamming_distance()),
        (GeometricMechanism(sum, 1, 100, neighbors=ADD_REMOVE), dp.symmetric_distance()),
        (DiscreteGaussianMechanism(sum, 1, 0.05), dp.hamming_distance()),
        (StabilityHistogram(1, 1e-6), dp.hamming_distance()),
    ):
        measurement = to_opendp(mechanism, integers, rng)
        assert measurement.input_metric == metric
        back = from_opendp(measurement, mechanism.neighbors)
        assert back.guarantee == mechanism.guarantee
        released = back([1, 2, 4])
        assert released == (7 if isinstance(released, int) else {})  # noise of 0, up to 2 e^-100


def test_the_map_of_a_group_is_rounded_up():
    domain = dp.vector_domain(dp.atom_domain(T=int))
    pure = to_opendp(RandomizedResponse(0.1), domain, None)
    assert pure.map(0) == 0
    for steps in (3, 7, 1000):
        assert 0 <= Fraction(pure.map(steps)) - steps * Fraction(0.1) < 1e-12
    approx = to_opendp(StabilityHistogram(1, 1e-6), domain, None)
    group = ApproxDP(1.0, 1e-6).group(3)
    assert approx.map(3) == pytest.approx((group.epsilon, group.delta), rel=1e-12)
    assert approx.map(3) > (group.epsilon, group.delta)
    assert approx.map(0) == (0.0, 0.0)


class Ranged(Mechanism):
    guarantee, neighbors = BoundedRange(0.5), REPLACE_ONE

    def __call__(self, data, rng):
        return float(data[0])


class ThreeSteps:
    pass


class ForPairs(Ranged):
    guarantee, neighbors = PureDP(0.5), ThreeSteps()


def test_a_measurement_of_ours_needs_features_and_a_measure_and_quotes_nothing():
    words = dp.vector_domain(dp.atom_domain(T=str))
    failing = to_opendp(GeometricMechanism(lambda data: float(data[0]), 1, 1), words, None)
    with pytest.raises(dp.OpenDPException) as failure:
        failing([SECRET])
    assert "GeometricMechanism failed on the data" in str(failure.value)
    assert SECRET not in str(failure.value)
    coin = RandomizedResponse(0.1)
    assert_refused(
        [
            (lambda: to_opendp(Ranged(), words, None), "no measure for BoundedRange"),
            (lambda: to_opendp(sum, words, None), "mechanism must be a Mechanism"),
            (lambda: to_opendp(coin, dp.atom_domain(T=int), None), "must be a vector domain"),
            (lambda: to_opendp(ForPairs(), words, None), "not for .*ThreeSteps"),
        ]
    )
    dp.disable_features("honest-but-curious")
    try:
        with pytest.raises(ValueError, match=r"call .*enable_features\('honest-but-curious'\)"):
            to_opendp(RandomizedResponse(0.1), words, None)
    finally:
        dp.enable_features("honest-but-curious")
