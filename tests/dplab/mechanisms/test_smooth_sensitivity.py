from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from dplab import ZCDP, ApproxDP, PureDP
from dplab.continuous import StudentT
from dplab.graphs import FRIENDS, Graph
from dplab.local_sensitivity import Median, TriangleCount
from dplab.mechanisms.smooth_sensitivity import (
    LEAST_SENSITIVITY,
    CauchyMechanism,
    LogNormalMechanism,
    SmoothLaplaceMechanism,
    StudentMechanism,
    cauchy_epsilon,
)

MEDIAN = Median(0, 10)
STEPS = np.concatenate([-np.geomspace(1e8, 1e-8, 4001), np.geomspace(1e-8, 1e8, 4001)])


def largest_ratio(p, q):
    """Return the largest |log ratio| of two laws, on points near both locations and far away."""
    points = np.concatenate([law.location + law.scale * STEPS for law in (p, q)])
    return np.abs(p.log_density(points) - q.log_density(points)).max()


def farthest(mechanism, stretch, shift=1.0):
    """Return the laws of neighbours whose scales differ by e^stretch, and locations all they may.

    They differ by `shift` of that, since the answers of neighbours differ by at most the smaller of
    both sensitivities.
    """
    scale = 0.3
    move = shift * mechanism.width * scale * np.exp(min(stretch, 0))
    return mechanism.noise(1.0, scale), mechanism.noise(1.0 + move, scale * np.exp(stretch))


def hockey_stick(p, q, epsilon):
    """Return the integral of the positive part of p - e^epsilon q."""

    def excess(y):
        return max(0, np.exp(p.log_density(y)) - np.exp(epsilon + q.log_density(y)))

    ends = sorted({p.location, q.location})
    parts = [(-np.inf, ends[0]), *pairwise(ends), (ends[-1], np.inf)]
    return sum(quad(excess, a, b, limit=200, epsabs=1e-13)[0] for a, b in parts)


@pytest.mark.parametrize(
    "laws", [(0, 1, 0, 3), (0, 1, 2, 1), (0, 1, -5, 0.1), (3, 2, 3.5, 2.5), (0, 1e-6, 1, 1e3)]
)
def test_the_loss_of_two_cauchy_laws_is_the_hyperbolic_distance(laws):
    p, q = StudentT(*laws[:2]), StudentT(*laws[2:])
    assert cauchy_epsilon(*laws) == pytest.approx(largest_ratio(p, q), rel=1e-4)
    assert cauchy_epsilon(*laws) == cauchy_epsilon(*laws[2:], *laws[:2])


@pytest.mark.parametrize(("epsilon", "beta"), [(1, None), (0.1, None), (1, 0.9), (3, 0.01), (4, 2)])
def test_cauchy_noise_spends_epsilon_and_no_more(epsilon, beta):
    mechanism = CauchyMechanism(MEDIAN, epsilon, beta)
    stretches = np.linspace(-mechanism.beta, mechanism.beta, 21)
    spent = [largest_ratio(*farthest(mechanism, stretch)) for stretch in stretches]
    assert max(spent) == pytest.approx(epsilon, rel=1e-4)
    assert max(spent) <= epsilon + 1e-9


@pytest.mark.parametrize("degrees", [1, 2.5, 7])
@pytest.mark.parametrize("epsilon", [0.2, 2])
def test_student_noise_spends_at_most_epsilon(epsilon, degrees):
    mechanism = StudentMechanism(MEDIAN, epsilon, degrees=degrees)
    for stretch in (-mechanism.beta, 0, mechanism.beta):
        assert largest_ratio(*farthest(mechanism, stretch)) <= epsilon + 1e-9
    rest = epsilon - degrees * mechanism.beta
    shift_alone = largest_ratio(*farthest(mechanism, 0))
    stretch_alone = largest_ratio(*farthest(mechanism, mechanism.beta, shift=0))
    assert shift_alone == pytest.approx(rest, rel=1e-4)
    assert stretch_alone == pytest.approx(degrees * mechanism.beta, rel=1e-4)


@pytest.mark.parametrize(("epsilon", "beta"), [(1, None), (1, 0.1), (2, 0.15)])
def test_laplace_noise_spends_epsilon_and_delta(epsilon, beta):
    delta = 1e-3
    mechanism = SmoothLaplaceMechanism(MEDIAN, epsilon, beta, delta=delta)
    for stretch in np.linspace(-mechanism.beta, mechanism.beta, 5):
        assert hockey_stick(*farthest(mechanism, stretch), epsilon) <= delta * (1 + 1e-6)
    wide_first = farthest(mechanism, -mechanism.beta, shift=0)
    spent = hockey_stick(*wide_first, epsilon - mechanism.width)
    assert spent == pytest.approx(delta, rel=1e-5)


def test_laplace_noise_of_little_smoothness_has_a_ratio_of_at_most_e_beta():
    """With a large delta only the narrower law's peak counts."""
    mechanism = SmoothLaplaceMechanism(MEDIAN, 1, 0.1, delta=0.5)
    assert mechanism.width == pytest.approx(0.9)


@pytest.mark.parametrize("sigma", [0.3, 0.8])
def test_log_normal_noise_keeps_its_renyi_divergence(sigma):
    mechanism = LogNormalMechanism(MEDIAN, 1.0, sigma=sigma)
    for stretch in (-mechanism.beta, 0, mechanism.beta):
        p, q = farthest(mechanism, stretch)
        for alpha in (1.5, 2, 4):

            def term(y, p=p, q=q, alpha=alpha):
                return np.exp(alpha * p.log_density(y) + (1 - alpha) * q.log_density(y))

            ends = [p.location - 60, min(p.location, q.location), max(p.location, q.location)]
            ends.append(ends[-1] + 60)
            total = sum(quad(term, a, b, limit=200)[0] for a, b in pairwise(ends))
            assert np.log(total) / (alpha - 1) <= alpha * mechanism.guarantee.rho + 1e-9


def test_log_normal_noise_loses_at_most_its_share_by_a_shift():
    """The slope of the log density is e^{3 sigma^2 / 2} next to 0, and smaller elsewhere."""
    law = LogNormalMechanism(MEDIAN, 1.0, sigma=0.7).noise(0, 1)
    z = np.linspace(0, 5, 2001)
    slopes = -np.diff(law.log_density(z)) / np.diff(z)
    assert slopes[0] == pytest.approx(np.exp(1.5 * 0.7**2), rel=0.01)
    assert (np.diff(slopes) < 0).all()
    small = LogNormalMechanism(MEDIAN, 0.01, sigma=0.7)
    spent = largest_ratio(*farthest(small, 0))
    assert spent == pytest.approx(0.01 - small.beta / 0.7, rel=0.01)
    assert spent <= 0.01 - small.beta / 0.7


def test_medians_of_all_small_neighbours_are_private():
    """All datasets of four values, all neighbours: the exact loss of each pair."""
    mechanism, universe = CauchyMechanism(Median(0, 3), 1.0), (0, 1, 3)
    relation, worst = mechanism.neighbors, 0.0
    for x in relation.datasets(universe, 4):
        p = mechanism.distribution(x)
        for y in relation.neighbors_of(x, universe):
            q = mechanism.distribution(y)
            worst = max(worst, cauchy_epsilon(p.location, p.scale, q.location, q.scale))
    assert 0.5 < worst <= 1 + 1e-12


def test_triangles_of_all_small_neighbours_are_private():
    mechanism, worst = CauchyMechanism(TriangleCount(), 0.5), 0.0
    relation = mechanism.neighbors
    for x in relation.datasets(FRIENDS, 4):
        p = mechanism.distribution(x)
        for y in relation.neighbors_of(x, FRIENDS):
            q = mechanism.distribution(y)
            worst = max(worst, cauchy_epsilon(p.location, p.scale, q.location, q.scale))
    assert 0.2 < worst <= 0.5 + 1e-12


def test_noise_scaled_to_the_local_sensitivity_is_not_private():
    """The scales of these neighbours are 0 and 10: nothing bounds their ratio."""
    x, y = [0, 0, 0, 0, 10], [0, 0, 0, 10, 10]
    assert (MEDIAN.local(x), MEDIAN.local(y)) == (0, 10)
    losses = [cauchy_epsilon(0, floor, 0, 10) for floor in (1, 1e-3, 1e-6)]
    assert losses == pytest.approx(np.log([10, 1e4, 1e7]))


def test_guarantees_are_stated_and_draws_follow_the_law():
    data = [4, 4, 4, 4, 5]
    assert CauchyMechanism(MEDIAN, 1).guarantee == PureDP(1.0)
    assert StudentMechanism(MEDIAN, 1).guarantee == PureDP(1.0)
    assert SmoothLaplaceMechanism(MEDIAN, 1, delta=1e-6).guarantee == ApproxDP(1.0, 1e-6)
    assert LogNormalMechanism(MEDIAN, 1).guarantee == ZCDP(0.5)
    mechanism = CauchyMechanism(MEDIAN, 1)
    assert mechanism(data, np.random.default_rng(1)) == mechanism.distribution(data).sample(
        np.random.default_rng(1)
    )
    smooth = MEDIAN.smooth(data, mechanism.beta)
    assert mechanism.scale(data) == pytest.approx(smooth / mechanism.width)
    graph = Graph.of(3, [(0, 1), (1, 2)])
    assert CauchyMechanism(TriangleCount(), 1).distribution(graph).location == 0


def test_a_scale_never_underflows():
    """With 2,000 equal values and beta = 3 the smooth sensitivity is near e^-3000."""
    equal = CauchyMechanism(MEDIAN, 6.0, 3.0)
    assert equal.scale([5] * 2000) == LEAST_SENSITIVITY / equal.width > 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: CauchyMechanism(MEDIAN, 1, 1),
        lambda: StudentMechanism(MEDIAN, 1, 0.5, degrees=2),
        lambda: SmoothLaplaceMechanism(MEDIAN, 1, 0.5, delta=1e-6),
        lambda: LogNormalMechanism(MEDIAN, 1, 0.5, sigma=0.5),
    ],
)
def test_a_beta_that_leaves_no_width_is_refused(make):
    with pytest.raises(ValueError, match="the width that beta leaves must be"):
        make()
