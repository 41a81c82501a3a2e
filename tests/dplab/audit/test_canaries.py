import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dplab import RandomizedResponse
from dplab.audit.canaries import (
    audit_by_canaries,
    epsilon_from_guesses,
    probability_of_guesses,
)
from dplab.learning.gradient_descent import NoisyGradientDescent
from dplab.learning.risk import LOGISTIC, split
from dplab.mechanism import Mechanism


def by_the_formula(right, guesses, epsilon, canaries, delta):
    q = 1 / (1 + math.exp(-epsilon))
    law = [math.comb(guesses, w) * q**w * (1 - q) ** (guesses - w) for w in range(guesses + 1)]
    worst = max(
        (sum(law[max(0, right - i) : right]) / i for i in range(1, canaries + 1)), default=0
    )
    return min(1.0, sum(law[right:]) + 2 * canaries * delta * worst)


@given(st.integers(1, 40), st.floats(0, 1), st.floats(0, 5), st.integers(0, 30), st.floats(0, 0.01))
@example(10, 1.0, 0.0, 30, 0.9)  # more than 1 before it is cut
def test_the_bound_is_the_theorems(guesses, share, epsilon, more, delta):
    right = round(share * guesses)
    expected = by_the_formula(right, guesses, epsilon, guesses + more, delta)
    found = probability_of_guesses(right, guesses, epsilon, guesses + more, delta)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("delta", [0.0, 1e-9])
@pytest.mark.parametrize("failure", [1e-9, 0.05])
def test_epsilon_is_where_the_bound_is_failure(delta, failure):
    for right in (0, 50, 75, 95, 100):
        epsilon = epsilon_from_guesses(right, 100, canaries=300, delta=delta, failure=failure)
        at_0 = probability_of_guesses(right, 100, 0.0, 300, delta)
        if at_0 > failure:
            assert epsilon == 0
        else:
            for shift, side in ((-1e-6, -1), (1e-6, 1)):
                found = probability_of_guesses(right, 100, epsilon + shift, 300, delta)
                assert side * (found - failure) > 0


@pytest.mark.parametrize("delta", [0.0, 1e-9])
@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_epsilon_is_the_largest_at_which_the_bound_is_failure_at_most(epsilon, delta):
    for right in (90, 99, 100):
        failure = probability_of_guesses(right, 100, epsilon, 300, delta)
        found = epsilon_from_guesses(right, 100, canaries=300, delta=delta, failure=failure)
        assert epsilon <= found
        assert probability_of_guesses(right, 100, found, 300, delta) <= failure


def test_unless_something_else_is_said_failure_is_1e_9_and_delta_0():
    stated = epsilon_from_guesses(100, 100, canaries=100, delta=0.0, failure=1e-9)
    assert epsilon_from_guesses(100, 100, canaries=100) == stated > 1


class Coins(Mechanism):
    """Randomized response on each record: every coin is told with its full chance."""

    def __init__(self, epsilon):
        self.one = RandomizedResponse(epsilon)
        self.chance = 1 / (1 + math.exp(-epsilon))

    guarantee = property(lambda self: self.one.guarantee)
    neighbors = property(lambda self: self.one.neighbors)

    def __call__(self, data, rng):
        return np.where(rng.random(len(data)) < self.chance, data, 1 - data)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_worst_mechanism_is_bounded_below_its_epsilon_and_near(epsilon):
    """3,000 of 4,000 coins are guessed, so that each side has its 1,500 but for 1e-56 and no guess
    is against the output. Wrong with probability 1e-9 above, and by the exact law of what is right
    with 1e-10 below 16 deviations."""
    m, guesses, rng = 4000, 3000, np.random.default_rng()
    found = audit_by_canaries(
        Coins(epsilon), np.ones(m), np.zeros(m), lambda output: output, rng, guesses=guesses
    )
    q = 1 / (1 + math.exp(-epsilon))
    least = q - 16 * math.sqrt(q * (1 - q) / guesses)
    assert math.log(least / (1 - least)) < found.epsilon <= epsilon
    assert (found.guesses, found.failure) == (guesses, 1e-9)


M = 1000
FIRST = np.column_stack([20 * np.eye(M), np.ones(M)])
SECOND = np.column_stack([20 * np.eye(M), -np.ones(M)])


class ByBatch(NoisyGradientDescent):
    """The sum is clipped, and no record by itself."""

    def __call__(self, data, rng):
        x, y = split(data)
        theta = np.zeros(x.shape[1])
        for _ in range(self.steps):
            total = x.T @ self.objective.slope(x @ theta, y)
            total *= min(1, self.clip * self.n / np.linalg.norm(total))
            noisy = total + self.clip * self.noise_multiplier * rng.normal(size=len(theta))
            theta = theta - self.learning_rate / self.n * noisy
        return theta


class NoNoise(NoisyGradientDescent):
    """The noise is drawn and forgotten in all steps but the first."""

    def __call__(self, data, rng):
        theta = super().__call__(data, rng)
        once = NoisyGradientDescent(
            self.objective, self.n, self.clip, 1e-9, self.steps, self.learning_rate
        )
        return once(data, rng) + 0 * theta


SETTINGS = (LOGISTIC, M, 0.2, 60.0, 20, 30.0, 1e-13)


def audited(kind):
    descent = kind(*SETTINGS)
    return descent.guarantee.epsilon, audit_by_canaries(
        descent,
        FIRST,
        SECOND,
        lambda theta: theta,
        np.random.default_rng(),
        guesses=600,
        delta=1e-13,
    )


def test_noisy_descent_keeps_its_promise():
    promised, found = audited(NoisyGradientDescent)
    assert found.epsilon <= promised


@pytest.mark.parametrize("broken", [ByBatch, NoNoise])
def test_clipping_by_batch_and_forgotten_noise_are_found_in_one_run(broken):
    promised, found = audited(broken)
    assert found.epsilon > 1.2 * promised


def test_scores_decide_whom_to_guess():
    """Only the ten largest and ten smallest scores are coins; the rest are noise."""

    class TellsTwenty(Coins):
        def __call__(self, data, rng):
            return np.concatenate([2.0 * data[:20] - 1, rng.uniform(-0.1, 0.1, len(data) - 20)])

    def few(seed):
        rng = np.random.default_rng(seed)
        first, second = np.ones(500), np.zeros(500)
        return audit_by_canaries(TellsTwenty(1.0), first, second, np.array, rng, guesses=8)

    assert few(1).right == 8


class TopAndBottom:
    """Draws the ends of [0, 1) and what lies on either side of its middle."""

    def random(self, m):
        return np.tile([0.0, np.nextafter(0.5, 0), 0.5, 1 - 2.0**-53], m // 4)


def test_half_of_all_draws_are_the_first_version_of_a_record():
    seen = []

    class Tells(Coins):
        def __call__(self, data, rng):
            seen.append(data)
            return data

    first, second = np.ones((8, 3, 2)), np.zeros((8, 3, 2))
    audit_by_canaries(
        Tells(1.0), first, second, lambda data: data[:, 0, 0], TopAndBottom(), guesses=2
    )
    assert np.array_equal(seen[0], np.repeat([1.0, 1.0, 0.0, 0.0] * 2, 6).reshape(8, 3, 2))


def test_bad_input_is_refused():
    rng, ones = np.random.default_rng(), np.ones(4)
    for guesses, allowed in (
        (3, "even"),
        (1, ".* at least 2"),
        (0, ".* at least 2"),
        (6, ".* at most 4"),
    ):
        with pytest.raises(ValueError, match=f"guesses must be {allowed}"):
            audit_by_canaries(Coins(1.0), ones, 0 * ones, np.array, rng, guesses=guesses)
    with pytest.raises(ValueError, match="first and second must match"):
        audit_by_canaries(Coins(1.0), ones, np.zeros(5), np.array, rng, guesses=2)
    with pytest.raises(ValueError, match="must be of shape"):
        audit_by_canaries(Coins(1.0), ones, 0 * ones, lambda out: out[:2], rng, guesses=2)
    for right in (-1, 5):
        with pytest.raises(ValueError, match="right must be"):
            epsilon_from_guesses(right, 4, canaries=10)
    for guesses in (0, 40):
        with pytest.raises(ValueError, match=r"guesses must be .* at least 1, at most 10"):
            epsilon_from_guesses(0, guesses, canaries=10)
    with pytest.raises(ValueError, match=r"canaries must be .* at least 1, not 0"):
        epsilon_from_guesses(0, 1, canaries=0)
    for failure in (0, 1):
        with pytest.raises(ValueError, match=r"failure must be .*above 0 and below 1"):
            epsilon_from_guesses(4, 5, canaries=10, failure=failure)
    for delta in (1.0, -0.1):
        with pytest.raises(ValueError, match="delta must be"):
            epsilon_from_guesses(4, 5, canaries=10, delta=delta)


def test_one_coin_is_enough_to_guess():
    """A right guess of one coin has the probability e^epsilon / (1 + e^epsilon) at most."""
    proven = epsilon_from_guesses(1, 1, canaries=1, failure=0.6)
    assert proven == pytest.approx(np.log(0.6 / 0.4), abs=1e-6)
