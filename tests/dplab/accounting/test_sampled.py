"""Mechanisms on secret samples, against all neighbours of small datasets, in both directions."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import laplace, norm

from dplab import ADD_REMOVE, REPLACE_ONE, ApproxDP, PureDP, RandomizedResponse
from dplab.accounting import Release, delta_bounds, epsilon_bounds, sampled
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP, BoundedRange, Guarantee
from dplab.losses import (
    AtomicLoss,
    GaussianLoss,
    LaplaceLoss,
    PrivacyLoss,
    fixed_size_sampled_loss,
    poisson_sampled_loss,
    replacement_loss,
    total_loss,
)
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.discrete import DiscreteGaussianMechanism, GeometricMechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import Neighbors, pairs
from tests.dplab.strategies import pairs_of_laws
from tests.refusals import assert_refused

EPSILONS = (-2.0, -0.7, -0.2, -0.01, 0.0, 0.01, 0.05, 0.2, 0.5, 0.9, 1.7)
WITHOUT = "without replacement"


@dataclass(frozen=True)
class Alarm(ExactMechanism):
    """An alarm whose probability `alarms[j]` depends on the number j of ones."""

    alarms: tuple[float, ...]
    guarantee: Guarantee = field(default=None, compare=False)
    neighbors: Neighbors = ADD_REMOVE
    one_way: bool = False

    def distribution(self, data):
        chance = self.alarms[sum(data)]
        return Finite.of({"alarm": chance, "silence": 1 - chance})

    @property
    def worst_case(self):
        if not self.one_way:
            return self.guarantee
        return privacy_loss(self.distribution((1,)), self.distribution((0,)))


def geometric(neighbors, limit=3, query=sum):
    """Return a finite mechanism for records of -1, 0 and 1, of which 0 may be left out."""
    sensitivity = 1 if neighbors == ADD_REMOVE else 2
    return GeometricMechanism(query, sensitivity, 0.9 * sensitivity, neighbors=neighbors).clamp(
        -limit, limit
    )


ONE_WAY = Alarm((0.0, 0.2, 0.2, 0.2, 0.2), ApproxDP(0, 0.2), one_way=True)
PURE = Alarm((0.1, 0.1 * np.exp(0.7), 0.3, 0.25, 0.2), PureDP(0.7))
APPROX = Alarm((0.1, 0.3, 0.05, 0.6, 0.4), ApproxDP(0.2, 0.6))
SIGNS, BITS = (-1, 1), (0, 1)
REPLACED = {"by": WITHOUT, "neighbors": REPLACE_ONE}
CASES = {  # a sampled mechanism, the values of records, the most records
    "Poisson, add or remove": (sampled(geometric(ADD_REMOVE), rate=0.3), SIGNS, 4),
    "Poisson, add or remove, one way": (sampled(ONE_WAY, rate=0.3), BITS, 4),
    "Poisson, add or remove, a promise": (sampled(PURE, rate=0.3), BITS, 4),
    "Poisson, add or remove, with delta": (sampled(APPROX, rate=0.6), BITS, 4),
    "Poisson, replace": (
        sampled(geometric(ADD_REMOVE), rate=0.3, neighbors=REPLACE_ONE),
        (-1, 0, 1),
        3,
    ),
    "Poisson, replace, one way": (sampled(ONE_WAY, rate=0.4, neighbors=REPLACE_ONE), BITS, 3),
    "Poisson, replace, a promise": (sampled(PURE, rate=0.7, neighbors=REPLACE_ONE), BITS, 3),
    "Poisson, replace, with delta": (sampled(APPROX, rate=0.4, neighbors=REPLACE_ONE), BITS, 3),
    "Poisson, replace, all records": (sampled(PURE, rate=1, neighbors=REPLACE_ONE), BITS, 3),
    "fixed, replace": (sampled(RandomizedResponse(1.2), rate=0.5, by=WITHOUT), BITS, 4),
    "fixed, replace, a sum": (sampled(geometric(REPLACE_ONE), rate=0.5, by=WITHOUT), SIGNS, 4),
    "fixed, replace, size": (
        sampled(geometric(REPLACE_ONE), rate=0.7, by=WITHOUT, size=2),
        SIGNS,
        3,
    ),
    "fixed, replace, from removed": (
        sampled(geometric(ADD_REMOVE), rate=0.5, **REPLACED),
        SIGNS,
        4,
    ),
    "fixed, replace, one way": (sampled(ONE_WAY, rate=0.5, **REPLACED), BITS, 4),
    "fixed, add or remove": (
        sampled(geometric(REPLACE_ONE), rate=0.5, by=WITHOUT, neighbors=ADD_REMOVE, size=2),
        SIGNS,
        5,
    ),
    "fixed, add or remove, from removed": (
        sampled(geometric(ADD_REMOVE), rate=0.5, by=WITHOUT, size=2),
        SIGNS,
        5,
    ),
}
ATTAINED = [  # by two releases, too
    "Poisson, add or remove",
    "Poisson, add or remove, one way",
    "Poisson, replace",
    "fixed, add or remove",
    "fixed, add or remove, from removed",
]
ATTAINED_ONCE = [*ATTAINED, "fixed, replace, a sum", "fixed, replace, size"]


def exact_losses(mechanism, universe, n):
    """Yield the exact loss of each pair of neighbours, and the loss that must dominate it."""
    laws = {}

    def law(data):
        if data not in laws:
            laws[data] = mechanism.distribution(data)
        return laws[data]

    for x, y in pairs(mechanism.neighbors, universe, n):
        if min(len(x), len(y)) >= mechanism.least_records:
            bound = mechanism.worst_case
            yield privacy_loss(law(x), law(y)), bound.reverse() if len(x) < len(y) else bound


@pytest.mark.parametrize("name", CASES)
def test_no_neighbours_exceed_the_worst_case_of_one_or_two_releases(name):
    mechanism, universe, n = CASES[name]
    twice = {e: delta_bounds([Release(mechanism, 2)], epsilon=e) for e in EPSILONS if e >= 0}
    largest, largest_of_two = Counter(), Counter()
    for loss, bound in exact_losses(mechanism, universe, n):
        for copies in (1, 2):
            exact, most = total_loss([loss] * copies), total_loss([bound] * copies)
            excess = [exact.delta(e) - most.delta(e) for e in EPSILONS]
            assert max(excess) <= 1e-12
        for e in twice:
            largest[e] = max(largest[e], loss.delta(e))
            largest_of_two[e] = max(largest_of_two[e], exact.delta(e))
    directions = (mechanism.worst_case, mechanism.worst_case.reverse())
    for e, bounds in twice.items():
        assert largest_of_two[e] <= bounds.upper * (1 + 1e-6) + 1e-12
        if name in ATTAINED_ONCE:
            assert largest[e] == pytest.approx(max(loss.delta(e) for loss in directions), abs=1e-12)
        if name in ATTAINED:
            assert largest_of_two[e] >= bounds.lower * (1 - 1e-6) - 1e-12
    assert largest_of_two[0.0] > 0


@pytest.mark.parametrize("name", CASES)
def test_the_guarantee_holds_for_all_neighbours(name):
    mechanism, universe, n = CASES[name]
    promise = mechanism.guarantee.convert_to(ApproxDP)
    for loss, _ in exact_losses(mechanism, universe, n):
        assert loss.delta(promise.epsilon) <= promise.delta + 1e-12


def test_replaced_records_of_two_releases_may_go_in_both_directions():
    """The old record is alone in what the first mechanism counts, the new one in the second."""
    queries = (lambda data: data.count("old"), lambda data: len(data) - data.count("new"))
    noisy = [GeometricMechanism(query, 1, 0.9).clamp(-2, 4) for query in queries]
    first, second = (sampled(one, rate=0.5, by=WITHOUT) for one in noisy)
    x, y = ("old", "other", "other", "other"), ("new", "other", "other", "other")
    exact = first.privacy_loss(x, y) + second.privacy_loss(x, y)
    alone = first.privacy_loss(x, y)
    for e in (0.0, 0.01, 0.2, 0.5):
        upper = delta_bounds([Release(first), Release(second)], epsilon=e).upper
        assert exact.delta(e) <= upper * (1 + 1e-9)
    two = [max((loss + loss).delta(0.01) for loss in (alone, alone.reverse()))]
    assert exact.delta(0.01) != pytest.approx(max(two), rel=1e-3)


@pytest.mark.parametrize("options", [{}, {"neighbors": REPLACE_ONE}, {"by": WITHOUT, "size": 1}])
def test_the_second_mechanism_may_depend_on_the_first_output(options):
    """For all pairs of small datasets; the second query is chosen after the first output."""

    def noisy(query):
        return sampled(geometric(ADD_REMOVE, 2, query), rate=0.5, **options)

    first = noisy(sum)
    chosen = {-1: noisy(lambda data: -sum(data)), 0: noisy(sum), 1: noisy(lambda x: -len(x))}

    @cache
    def second_law(sign, data):
        return chosen[sign].distribution(data)

    @cache
    def law(data):
        one = first.distribution(data)
        return Finite.of(
            {
                (y, z): p * q
                for y, p in zip(one.outcomes, one.probabilities, strict=True)
                for two in [second_law(int(np.sign(y)), data)]
                for z, q in zip(two.outcomes, two.probabilities, strict=True)
            }
        )

    most = {e: delta_bounds([Release(first, 2)], epsilon=e).upper for e in (0.0, 0.3, 1.0)}
    shares = [
        privacy_loss(law(x), law(y)).delta(e) / upper
        for x, y in pairs(first.neighbors, SIGNS, 3)
        if min(len(x), len(y)) >= first.least_records
        for e, upper in most.items()
    ]
    assert 0.8 < max(shares) <= 1 + 1e-9


def test_several_samples_without_replacement_may_cost_less_than_stated():
    mechanism, universe, n = CASES["fixed, replace, a sum"]
    found = max((x + x).delta(0.5) for x, _ in exact_losses(mechanism, universe, n))
    assert found < 0.99 * delta_bounds([Release(mechanism, 2)], epsilon=0.5).lower
    assert not mechanism.is_tight


@dataclass(frozen=True)
class Echo(ExactMechanism):
    """A mechanism that publishes its sample."""

    neighbors: Neighbors = ADD_REMOVE
    guarantee = ApproxDP(0, 1)

    def distribution(self, data):
        return Finite.of({tuple(data): 1.0})

    def __call__(self, data, rng):
        return data


@pytest.mark.parametrize(
    "mechanism",
    [
        sampled(Echo(ADD_REMOVE), rate=0.3),
        sampled(Echo(REPLACE_ONE), rate=0.5, by=WITHOUT),
        sampled(Echo(REPLACE_ONE), rate=0.25, by=WITHOUT, size=1),
    ],
)
def test_samples_are_drawn_from_the_stated_distribution(mechanism):
    """All samples of 4 records; by Hoeffding's inequality it fails by chance below 1e-9."""
    data, rng, draws = (0, 1, 2, 3), np.random.default_rng(4711), 20_000
    counts = Counter(mechanism(data, rng) for _ in range(draws))
    stated = mechanism.distribution(data)
    stated = dict(zip(stated.outcomes, stated.probabilities, strict=True))
    assert set(counts) <= set(stated)
    assert max(abs(counts[x] / draws - p) for x, p in stated.items()) < 0.025
    for kind in (list, np.array):
        samples = [mechanism(kind(data), rng) for _ in range(200)]
        assert {type(sample) for sample in samples} == {type(kind(data))}
        assert any(3 in sample for sample in samples)


@pytest.mark.parametrize(("rate", "n", "m"), [(0.1, 30, 3), (0.29, 100, 29), (0.3, 11, 3)])
def test_a_sample_without_replacement_has_its_share_of_the_records(rate, n, m):
    mechanism = sampled(Echo(REPLACE_ONE), rate=rate, by=WITHOUT)
    assert len(mechanism(tuple(range(n)), np.random.default_rng(0))) == m


def numeric_delta(log_p, log_q, k, epsilon):
    """Return delta of k releases with these densities on a line, by rounding losses to a grid."""
    y = np.linspace(-14, 14, 200_001)
    step, size = 5e-5, 2**20
    losses, masses = log_p(y) - log_q(y), np.exp(log_p(y)) * (y[1] - y[0])
    places = np.rint(losses / step).astype(int)
    law = np.bincount(places % size, masses, size)
    total = np.fft.irfft(np.fft.rfft(law) ** k, size)
    grid = step * np.where(np.arange(size) < size // 2, np.arange(size), np.arange(size) - size)
    return total[grid > epsilon] @ -np.expm1(epsilon - grid[grid > epsilon])


def mixture(rate, shift):
    return lambda y: logsumexp(
        [np.log1p(-rate) + norm.logpdf(y), np.log(rate) + norm.logpdf(y - shift)], axis=0
    )


NORMAL = GaussianMechanism(sum, 1, 1, neighbors=ADD_REMOVE)


@pytest.mark.parametrize(
    ("options", "p", "q", "epsilon"),
    [
        ({}, mixture(0.01, 1), norm.logpdf, 1.83),
        ({"neighbors": REPLACE_ONE}, mixture(0.01, 1), mixture(0.01, -1), 2.84),
        ({"by": WITHOUT, "size": 100}, mixture(100 / 10_001, 2), norm.logpdf, 13.36),
    ],
)
def test_epsilon_of_a_thousand_samples_is_that_of_their_densities(options, p, q, epsilon):
    mechanism = sampled(NORMAL, rate=0.01, **options)
    bounds = epsilon_bounds([Release(mechanism, 1000)], delta=1e-5)
    assert bounds.gap < 1e-3
    assert bounds.upper == pytest.approx(epsilon, abs=0.005)
    found = max(numeric_delta(*pair, 1000, bounds.upper) for pair in ((p, q), (q, p)))
    assert found == pytest.approx(1e-5, rel=1e-2)


@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.2), (0.3, 0.01), (3.0, 0.9)])
def test_of_normal_noise_a_replaced_record_has_the_loss_of_its_densities(mu, rate):
    """Each measure of one release, by the rule of trapezoids."""
    loss = replacement_loss(GaussianLoss(mu), rate=rate)
    p, q = mixture(rate, mu), mixture(rate, -mu)
    y, width = np.linspace(-45, 45, 90_001, retstep=True)
    log_p, log_q = p(y), q(y)
    for epsilon in (-0.7, 0.0, 0.02, 0.3, 1.0):
        exact = width * np.maximum(0, np.exp(log_p) - np.exp(epsilon + log_q)).sum()
        assert loss.delta(epsilon) == pytest.approx(exact, rel=1e-4, abs=1e-12)
        above_p, above_q = loss.tails(epsilon)
        assert above_p - np.exp(epsilon) * above_q == pytest.approx(loss.delta(epsilon), abs=1e-12)
        assert loss.true_positive_rate(above_q) == pytest.approx(float(above_p), rel=1e-9)
    for alpha in (1.5, 8.0):
        exact = np.log(width * np.exp(alpha * log_p - (alpha - 1) * log_q).sum()) / (alpha - 1)
        assert loss.renyi(alpha) == pytest.approx(exact, rel=1e-9)
    edges = np.linspace(-0.6, 0.6, 30)
    for masses, tail in zip(loss.masses(edges), loss.tails(edges), strict=True):
        assert masses == pytest.approx(-np.diff(tail), abs=1e-14)
    assert loss.reverse() is loss
    assert replacement_loss(GaussianLoss(mu), rate=1) == GaussianLoss(2 * mu)


@given(pairs_of_laws(), st.floats(0, 1), st.floats(-2, 2))
def test_a_replaced_record_of_finite_laws_has_the_largest_excess_of_all_events(pair, rate, e):
    """Over all probabilities u of an event without the record: the formula, at every corner."""
    loss = privacy_loss(*pair)
    corners = np.cumsum(loss.q)
    u = np.clip([0, *corners, *(corners[-1] - corners), 1], 0, 1)
    old, new = loss.true_positive_rate(u), 1 - loss.true_positive_rate(1 - u)
    excess = (1 - rate) * u + rate * old - np.exp(e) * ((1 - rate) * u + rate * new)
    found = replacement_loss(loss, rate=rate).delta(e)
    assert found == pytest.approx(max(0, *excess, 1 - np.exp(e)), abs=1e-9)


@pytest.mark.filterwarnings("error")
def test_a_loud_mechanism_shows_a_replaced_record_as_often_as_it_is_sampled():
    loss = replacement_loss(GaussianLoss(40.0), rate=0.3)
    assert loss.delta(1.0) == pytest.approx(0.3)
    assert loss.tails(1.0) == pytest.approx((0.3, 0.0))
    assert loss.tails(-1.0) == pytest.approx((1.0, 0.7))


@pytest.mark.parametrize("epsilon", [20.0, 35.0, 38.0, 300.0])
def test_a_loud_mechanism_keeps_all_digits_of_its_loss_at_rates_near_1(epsilon):
    count = GeometricMechanism(sum, 1, epsilon, neighbors=ADD_REMOVE)
    everybody = sampled(count, rate=1, by="without replacement", neighbors=REPLACE_ONE)
    assert everybody.guarantee.epsilon == pytest.approx(2 * epsilon, rel=1e-14)
    missing = 2.0**-52  # 1 - rate, exactly
    nearly = sampled(count, rate=1 - missing).worst_case.reverse()
    least = np.logaddexp(np.log(missing), np.log1p(-missing) - epsilon)
    assert nearly.largest == pytest.approx(-least, rel=1e-14)
    place = 0.8 * min(epsilon, 36.0)  # of the loss without a sample
    loss = LaplaceLoss(epsilon)
    tails = (
        poisson_sampled_loss(loss, rate=1 - missing)
        .reverse()
        .tails(-np.logaddexp(np.log(missing), np.log1p(-missing) - place))
    )
    assert tails[0] == pytest.approx(loss.tails(place)[0], rel=1e-9)


def test_losses_of_replaced_records_that_are_not_exact_are_upper_bounds():
    """Laplace noise attains the pair of shifted mixtures, which is a little less."""
    mechanism = LaplaceMechanism(sum, 1, 0.8, neighbors=ADD_REMOVE)
    loss = sampled(mechanism, rate=0.2, neighbors=REPLACE_ONE)
    y, width = np.linspace(-60, 60, 120_001, retstep=True)
    p, q = (0.8 * laplace.pdf(y) + 0.2 * laplace.pdf(y, shift) for shift in (0.8, -0.8))
    for epsilon in (0.0, 0.1, 0.2):
        exact = width * np.maximum(0, p - np.exp(epsilon) * q).sum()
        assert exact * (1 - 1e-6) <= loss.worst_case.delta(epsilon) < 1.4 * exact + 0.02
    assert not loss.is_tight
    everybody = sampled(mechanism, rate=1, neighbors=REPLACE_ONE)
    assert everybody.worst_case.delta(0.4) == pytest.approx(LaplaceLoss(1.6).delta(0.4))
    assert everybody.is_tight


@pytest.mark.parametrize(("options", "old", "new"), [({}, 1, -1), ({"by": WITHOUT}, 2, 0)])
def test_of_discrete_normal_noise_a_replaced_record_has_the_loss_of_its_masses(options, old, new):
    noisy = DiscreteGaussianMechanism(sum, 1, 2, neighbors=ADD_REMOVE)
    loss = sampled(noisy, rate=0.3, neighbors=REPLACE_ONE, **options).worst_case

    def masses(place):
        weights = np.exp(-((np.arange(-60, 61) - place) ** 2) / 8)
        return weights / weights.sum()

    p, q = (0.3 * masses(place) + 0.7 * masses(0) for place in (old, new))
    for epsilon in (-0.4, 0.0, 0.1, 1.0):
        exact = [np.maximum(0, a - np.exp(epsilon) * b).sum() for a, b in ((p, q), (q, p))]
        assert loss.delta(epsilon) == pytest.approx(max(exact), rel=1e-9)
    assert loss.largest == np.inf


@dataclass(frozen=True)
class Stated(Mechanism):
    """A mechanism of which only the worst case is known."""

    worst_case: PrivacyLoss | Guarantee = None
    neighbors: Neighbors = ADD_REMOVE
    guarantee = ApproxDP(0, 1)

    def __call__(self, data, rng):
        return None


def test_promises_are_amplified_as_the_theorem_says():
    found = sampled(Stated(PureDP(0.7)), rate=0.3).guarantee
    assert isinstance(found, PureDP)
    assert found.epsilon == pytest.approx(np.log1p(0.3 * np.expm1(0.7)))
    both = sampled(APPROX, rate=0.6).guarantee
    assert (both.epsilon, both.delta) == pytest.approx((np.log1p(0.6 * np.expm1(0.2)), 0.36))
    ranged = sampled(Stated(BoundedRange(0.7)), rate=0.3)
    assert ranged.worst_case.largest == pytest.approx(found.epsilon)
    normal = sampled(GaussianMechanism(sum, 1, 1, neighbors=ADD_REMOVE), rate=0.01, delta=1e-6)
    assert normal.guarantee.delta == 1e-6
    assert normal.worst_case.delta(normal.guarantee.epsilon) == pytest.approx(1e-6)


def test_only_what_neighbours_attain_is_called_tight():
    steps = GeometricMechanism(sum, 1, 0.9, neighbors=ADD_REMOVE)
    for by in ({}, {"neighbors": REPLACE_ONE}, {"by": WITHOUT, "size": 3}):
        assert sampled(steps, rate=0.5, **by).is_tight
        assert not sampled(steps.post_process(abs), rate=0.5, **by).is_tight
        assert not sampled(PURE, rate=0.5, **by).is_tight
    assert not sampled(steps, rate=0.5, **REPLACED).is_tight
    bounds = delta_bounds([Release(sampled(steps, rate=0.5, **REPLACED))], epsilon=0.1)
    assert bounds.lower_of == "guarantee"


def test_several_mechanisms_on_one_sample_are_sampled_together():
    both = [NORMAL, GeometricMechanism(sum, 1, 0.9, neighbors=ADD_REMOVE)]
    loss = sampled(both[0].compose(both[1]), rate=0.3).worst_case
    alone = sampled(both[1].compose(both[1]), rate=0.3).worst_case
    twice = both[1].worst_case + both[1].worst_case
    assert alone.delta(0.2) == pytest.approx(poisson_sampled_loss(twice, rate=0.3).delta(0.2))
    assert not sampled(both[0].compose(both[1]), rate=0.3).is_tight
    normal = sampled(NORMAL.compose(NORMAL), rate=0.3).worst_case
    assert normal.delta(0.2) == pytest.approx(
        poisson_sampled_loss(GaussianLoss(2**0.5), rate=0.3).delta(0.2)
    )
    inner = np.log1p(np.expm1(0.2) / 0.3)
    exact = delta_bounds([Release(one) for one in both], epsilon=inner)
    assert 0.3 * exact.lower <= loss.delta(0.2) <= 0.3 * exact.upper * 1.01


def test_many_samples_of_several_unbounded_losses_are_refused_with_another_way():
    """Their sum is on a grid, which counts lost mass as infinite: a moment would be infinite."""
    normal = GaussianMechanism(sum, 1, 1, neighbors=ADD_REMOVE)
    both = sampled(normal.compose(LaplaceMechanism(sum, 1, 1e-3, neighbors=ADD_REMOVE)), rate=0.1)
    assert epsilon_bounds([Release(both, 1)], delta=1e-5).upper < 3
    with pytest.raises(ValueError, match="give each mechanism a sample of its own"):
        epsilon_bounds([Release(both, 20)], delta=1e-5)


@pytest.mark.parametrize("alpha", [1.01, 2, 30])
@pytest.mark.parametrize("loss", [GaussianLoss(0.7), LaplaceLoss(2.0)])
def test_the_rho_of_a_sample_bounds_its_divergences(loss, alpha):
    fixed = fixed_size_sampled_loss(loss, rate=0.4)
    away = poisson_sampled_loss(loss, rate=0.4)
    for one in (fixed, away, away.reverse(), replacement_loss(loss, rate=0.4)):
        assert one.renyi(alpha) <= one.rho * alpha < np.inf
    assert away.rho <= loss.rho


def test_what_does_not_fit_is_refused_at_once():
    replaced = RandomizedResponse(1.0)
    one_way = AtomicLoss(np.array([0, np.inf]), np.array([0.9, 0.1]), np.array([1.0, 0]))
    assert_refused(
        [
            (lambda: sampled(GaussianLoss(1.0), rate=0.1), "mechanism must be a Mechanism, not Ga"),
            (lambda: poisson_sampled_loss(NORMAL, rate=0.1), "accounting.sampled takes mechanisms"),
            (lambda: fixed_size_sampled_loss(replaced, rate=0.1), "loss must be a PrivacyLoss"),
            (lambda: replacement_loss(NORMAL, rate=0.1), "loss must be a PrivacyLoss"),
            (
                lambda: replacement_loss(poisson_sampled_loss(GaussianLoss(1), rate=0.5)),
                "loss must be normal, Laplace or have",
            ),
            (lambda: sampled(replaced, rate=0.1), "mechanism must have a guarantee for ADD_REM"),
            (
                lambda: sampled(replaced, rate=0.1, neighbors=ADD_REMOVE),
                "mechanism must have a guarantee for ADD_REMOVE",
            ),
            (lambda: sampled(NORMAL, rate=0.1, by=WITHOUT), "size must be given where"),
            (lambda: sampled(NORMAL, rate=0.1, size=3), "size must be None for Poisson samples"),
            (lambda: sampled(NORMAL, rate=0, by=WITHOUT), "rate must be"),
            (lambda: sampled(NORMAL, rate=1.1), "rate must be"),
            (lambda: sampled(NORMAL, rate=0.1, by="bootstrap"), "by must be one of 'poisson'"),
            (lambda: sampled(NORMAL, rate=0.1, neighbors="add"), "neighbors must be one of"),
            (lambda: sampled(NORMAL, rate=0.1, delta=0), "delta must be"),
            (lambda: sampled(replaced, rate=0.1, by=WITHOUT, size=0), "size must be"),
            (lambda: sampled(Stated(ZCDP(0.5)), rate=0.1), "must state a loss, epsilon or"),
            (
                lambda: sampled(Stated(one_way, REPLACE_ONE), rate=0.1, by=WITHOUT),
                "loss must be as large as its reverse",
            ),
            (
                lambda: sampled(replaced, rate=0.5, by=WITHOUT, size=2).distribution((0, 1, 1)),
                "data must have at least 4 records",
            ),
            (
                lambda: sampled(PURE, rate=0.5).distribution((0,) * 17),
                "data must have fewer records",
            ),
        ]
    )


def test_samples_of_a_sample_are_samples():
    twice = sampled(sampled(geometric(ADD_REMOVE), rate=0.5), rate=0.4)
    once = sampled(geometric(ADD_REMOVE), rate=0.2)
    data = (1, -1, 1)
    for e in (-0.1, 0.0, 0.1):
        assert twice.worst_case.delta(e) == pytest.approx(once.worst_case.delta(e))
    found, exact = (one.distribution(data) for one in (twice, once))
    for outcome in exact.outcomes:
        assert found.log_density(outcome) == pytest.approx(exact.log_density(outcome))
