import numpy as np
import pytest

from dplab import (
    REPLACE_ONE,
    ApproxDP,
    ExactMechanism,
    Finite,
    GeometricMechanism,
    LaplaceMechanism,
    PureDP,
)
from dplab.audit import exact_delta
from dplab.graphs import FRIENDS, Graph
from dplab.local_sensitivity import Median, TriangleCount
from dplab.mechanisms.propose_test_release import (
    OrNothing,
    ProposeTestRelease,
    propose_test_release,
)


class ExactAnswer(ExactMechanism):
    """The median without noise: private where no neighbour has another."""

    guarantee, neighbors = PureDP(1e-9), REPLACE_ONE

    def distribution(self, data):
        return Finite.of({Median(0, 3)(data): 1.0})


def exact_median(bound):
    """Release the median with discrete noise for a local sensitivity of `bound`, in [0, 3]."""
    median = Median(0, 3)
    release = GeometricMechanism(lambda data: int(median(data)), bound, 0.5).clamp(0, 3)
    return ProposeTestRelease(release, lambda data: median.distance(data, bound), 0.5, 0.01)


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_it_is_private_on_all_small_data(bound):
    """The exact audit of all datasets of five values: never more than delta, at epsilon."""
    mechanism = exact_median(bound)
    delta = exact_delta(mechanism, (0, 1, 3), n=5, epsilon=1.0)
    assert mechanism.guarantee == ApproxDP(1.0, 0.01)
    assert delta <= 0.01 + 1e-12
    assert delta > 0.002 if bound == 1 else delta < 1e-12


@pytest.mark.parametrize("delta", [0.2, 1e-4])
def test_an_exact_answer_uses_up_all_of_delta(delta):
    median = Median(0, 3)
    mechanism = ProposeTestRelease(ExactAnswer(), lambda x: median.distance(x, 0), 0.5, delta)
    assert exact_delta(mechanism, (0, 1, 3), n=5, epsilon=0.5) == pytest.approx(delta)
    steps = np.diff([mechanism.log_chance(x) for x in ([0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0] * 5)])
    assert steps[0] == pytest.approx(0.5)


def test_without_the_test_the_release_is_not_private():
    release = exact_median(1).release
    assert exact_delta(release, (0, 1, 3), n=5, epsilon=1.0) > 0.02


def test_data_at_distance_0_pass_with_probability_delta():
    careful = propose_test_release(Median(0, 10), 3, epsilon=1, delta=0.01)
    unstable, stable = [0, 0, 0, 10, 10], [5] * 40
    assert careful.distance(unstable) == 0
    assert np.exp(careful.log_chance(unstable)) == pytest.approx(0.01)
    assert np.exp(careful.log_chance(stable)) == pytest.approx(
        1 - np.exp(-(19 - careful.bar) * 0.5) / 2
    )


def test_a_bound_that_no_data_exceed_is_always_released():
    careful = propose_test_release(Median(0, 10), 10, epsilon=1, delta=0.01)
    law = careful.distribution([0, 10])
    assert law.log_density(None) == -np.inf
    assert law.law.scale == 20
    assert careful([0, 10], np.random.default_rng(1)) is not None


def test_graphs_are_proposed_and_tested_too():
    careful = propose_test_release(TriangleCount(), 1, epsilon=1, delta=0.1)
    assert careful.distance(Graph.of(4, [])) == 4
    assert careful.neighbors == TriangleCount().neighbors
    assert set(FRIENDS) == {0, 1}


def test_one_or_nothing_is_a_distribution():
    inner = LaplaceMechanism(sum, 1, 1).distribution([3])
    law = OrNothing(inner, np.log(0.25))
    draws = law.sample(np.random.default_rng(1), 40_000)
    share = np.mean([draw is not None for draw in draws])
    assert abs(share - 0.25) < 6.1 * np.sqrt(0.25 * 0.75 / 40_000)  # false with probability 1e-9
    assert law.log_density(3.0) == pytest.approx(np.log(0.25 / 2))
    assert law.log_density(None) == pytest.approx(np.log(0.75))
    assert {type(law.sample(np.random.default_rng(seed))) for seed in range(40)} == {
        float,
        type(None),
    }


def test_prices_of_release_and_test_add_up():
    release = LaplaceMechanism(sum, 1, 0.25)
    careful = ProposeTestRelease(release, len, 0.5, 1e-6)
    assert careful.guarantee == PureDP(0.75).to_approx() + ApproxDP(0.0, 1e-6)
    assert careful.bar == pytest.approx(2 * np.log(1 / 2e-6))


def test_a_negative_distance_counts_as_0():
    careful = ProposeTestRelease(LaplaceMechanism(sum, 1, 1), lambda _: -5.0, 0.5, 0.125)
    assert np.exp(careful.log_chance([1])) == pytest.approx(0.125)
