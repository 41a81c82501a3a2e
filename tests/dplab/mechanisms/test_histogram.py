from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_delta, exact_epsilon, goodness_of_fit
from dplab.distributions import Finite, Product
from dplab.guarantees import ApproxDP, PureDP
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.histogram import StabilityHistogram, histogram, touched_bins
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, sensitivity
from tests.refusals import assert_refused

BINS = ("a", "b", "c")
relations = st.sampled_from([REPLACE_ONE, ADD_REMOVE])


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_the_sensitivity_by_brute_force(relation):
    counts = histogram(BINS, epsilon=1, neighbors=relation).query
    assert sensitivity(counts, relation, BINS, 3) == touched_bins(relation)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_all_bins_together_spend_exactly_epsilon(relation):
    release = histogram(BINS, epsilon=0.9, neighbors=relation)
    assert release.guarantee == PureDP(0.9)
    audit = exact_epsilon(release.clamp(-2, 4), BINS, n=2)
    assert audit.epsilon == pytest.approx(0.9)


def test_counts_of_records_in_the_bins():
    counts = histogram(BINS, epsilon=1).query
    assert counts("abacz").tolist() == [2, 1, 1]
    assert counts("").tolist() == [0, 0, 0]


def test_half_of_the_empty_bins_fill_in():
    """P(noise > 0) = p / (1 + p); one test at 1e-10."""
    release = histogram(range(50_000), epsilon=1, neighbors=ADD_REMOVE)
    filled = release([], np.random.default_rng()) > 0
    chance = 1 / (1 + np.e)
    assert goodness_of_fit(filled.astype(int), Finite.of({0: 1 - chance, 1: chance})).passed


@dataclass(frozen=True)
class Cut(ExactMechanism):
    """A stability histogram over three possible bins, counts above `most` as `most`."""

    stability: StabilityHistogram
    most: int

    @property
    def guarantee(self):
        return self.stability.guarantee

    @property
    def neighbors(self) -> Any:
        return self.stability.neighbors

    def distribution(self, data):
        values = (None, *range(self.stability.threshold, self.most + 1))
        laws = (self.stability.bin_law(data.count(value), self.most) for value in BINS[:2])
        return Product(
            tuple(Finite.of({v: float(np.exp(law.log_density(v))) for v in values}) for law in laws)
        )


@given(st.floats(0.2, 3), st.floats(0.001, 0.3), relations)
@settings(max_examples=15)
def test_the_exact_delta_is_within_the_promise(epsilon, delta, relation):
    stability = StabilityHistogram(epsilon, delta, relation)
    assert stability.guarantee == ApproxDP(epsilon, delta)
    cut = Cut(stability, stability.threshold + 3)
    assert exact_delta(cut, BINS[:2], n=3, epsilon=epsilon) <= delta * (1 + 1e-9)


def test_the_threshold_is_the_least():
    """Adding the only record of a bin spends just P(1 + noise >= T), and T - 1 would spend more."""
    stability = StabilityHistogram(epsilon=1, delta=1e-2, neighbors=ADD_REMOVE)
    cut = Cut(stability, stability.threshold + 3)
    p, k = np.exp(-1), stability.threshold - 1
    spent = exact_delta(cut, BINS[:2], n=2, epsilon=1)
    assert spent == pytest.approx(p**k / (1 + p))
    assert spent <= 1e-2 < p ** (k - 1) / (1 + p)
    assert StabilityHistogram(1, 1e-6, ADD_REMOVE).threshold == 15
    assert StabilityHistogram(8, 0.5, ADD_REMOVE).threshold == 2


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_what_is_published_follows_the_law(relation):
    """Two tests at 1e-10: false-failure probability 2e-10."""
    stability = StabilityHistogram(epsilon=1, delta=0.01, neighbors=relation)
    t, rng = stability.threshold, np.random.default_rng()
    data = ["a"] * t + ["b"]
    draws = [stability(data, rng).get("a", 0) for _ in range(3000)]
    law = stability.bin_law(t, t + 8).map(lambda value: 0 if value is None else value)
    assert goodness_of_fit(np.minimum(draws, t + 8), law).passed


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0, 9.0])
@pytest.mark.parametrize("delta", [0.3, 1e-6, 1e-12])
def test_a_replacement_splits_delta_between_its_two_steps(epsilon, delta):
    """(epsilon / 2, d) twice is (epsilon, d + e^{epsilon / 2} d); no lower threshold would do."""
    replaced = StabilityHistogram(epsilon, delta)
    assert replaced.step_delta * (1 + np.exp(epsilon / 2)) == pytest.approx(delta, rel=1e-12)
    p = np.exp(-epsilon / 2)
    above = [p ** (t - 1) / (1 + p) for t in (replaced.threshold, replaced.threshold - 1)]
    assert above[0] <= replaced.step_delta
    assert above[1] > replaced.step_delta or replaced.threshold == 2


def test_the_threshold_at_an_epsilon_whose_power_overflows():
    """P(1 + noise >= 2) = e^-1000 is too much for a delta of 1e-6 e^-1000; e^-2000 isn't."""
    assert StabilityHistogram(2000, 1e-6).threshold == 3


def test_published_bins_are_in_an_order_that_tells_nothing():
    data = ["rare"] * 200 + ["common"] * 900 + ["once"]
    for records in (data, data[::-1]):
        found = StabilityHistogram(1, 1e-9)(records, np.random.default_rng(3))
        assert list(found) == ["common", "rare"]
    assert StabilityHistogram(1, 1e-9)([], np.random.default_rng(3)) == {}


def test_bins_with_equal_noisy_counts_are_not_in_the_order_of_the_data():
    """Noise of scale 1/100: with probability 1 - 6 e^-100 there is none."""
    published = StabilityHistogram(200, 0.1)("cab" * 9, np.random.default_rng())
    assert list(published.items()) == [("a", 9), ("b", 9), ("c", 9)]


def test_bad_arguments_are_named():
    calls = [
        (lambda: histogram((), epsilon=1), r"bins must be distinct, and at least one, not \(\)"),
        (lambda: histogram("aa", epsilon=1), "bins must be distinct"),
        (lambda: histogram("ab", epsilon=0), "epsilon must be .*above 0, not 0"),
        (lambda: histogram("ab", epsilon=1, neighbors="edge"), "neighbors must be one of"),
        (lambda: StabilityHistogram(0, 0.1), "epsilon must be .*above 0, not 0"),
        (lambda: StabilityHistogram(1, 0), "delta must be .*above 0 and below 1, not 0"),
        (lambda: StabilityHistogram(1, 0.1).bin_law(-1, 50), "count must be a whole number"),
        (lambda: StabilityHistogram(1, 0.1).bin_law(1, 1), "most must be a whole number"),
    ]
    assert_refused(calls)
