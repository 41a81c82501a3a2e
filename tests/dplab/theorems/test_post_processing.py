import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import RandomizedResponse
from dplab.distributions import Finite
from dplab.divergences import hockey_stick, renyi_divergence
from dplab.theorems.post_processing import PostProcessing, StochasticMatrix
from tests.dplab.strategies import epsilons, finite_laws, pairs_of_laws
from tests.refusals import assert_refused


@given(pairs_of_laws(), st.integers(1, 6), st.integers(0, 2**32), epsilons)
@settings(max_examples=60)
def test_no_divergence_rises_through_any_channel(pair, outputs, seed, epsilon):
    """Against sums written out here, besides what the theorem says of itself."""
    p, q = pair
    theorem = PostProcessing(
        p, q, StochasticMatrix.random(range(4), outputs, np.random.default_rng(seed))
    )
    assert theorem.holds()
    a, b = (law.probabilities @ theorem.channel.matrix for law in pair)
    delta = np.maximum(0, a - np.exp(epsilon) * b).sum()
    assert delta <= hockey_stick(p, q, epsilon=epsilon) + 1e-12
    assert theorem.deltas([epsilon])[1][0] == pytest.approx(delta, abs=1e-12)
    power = np.log((a**3 / b**2).sum()) / 2
    assert power <= renyi_divergence(p, q, alpha=3.0) + 1e-9


@given(finite_laws())
def test_a_function_is_a_channel(law):
    image = StochasticMatrix.of(lambda value: value // 2, law.outcomes).push(law)
    expected = law.map(lambda value: value // 2)
    assert image.outcomes == expected.outcomes
    assert image.probabilities == pytest.approx(expected.probabilities)


def test_privacy_is_kept_by_an_invertible_function_and_lost_to_nobody_by_a_constant():
    p, q = (RandomizedResponse(1.0).distribution(bit) for bit in (0, 1))
    renamed = PostProcessing(p, q, StochasticMatrix.of(["no", "yes"].__getitem__, (0, 1)))
    assert renamed.output_loss.largest_log_ratio == pytest.approx(1.0)
    silenced = PostProcessing(p, q, StochasticMatrix.of(lambda bit: "no comment", (0, 1)))
    assert silenced.output_loss.largest_log_ratio == pytest.approx(0.0, abs=1e-12)
    assert renamed.holds()
    assert silenced.holds()


def test_a_second_coin_behaves_like_the_composed_one():
    """Randomized response of a randomized response has tanh(e/2) = tanh(a/2) tanh(b/2)."""
    p, q = (RandomizedResponse(1.0).distribution(bit) for bit in (0, 1))
    coin = np.array([RandomizedResponse(0.5).distribution(bit).probabilities for bit in (0, 1)])
    after = PostProcessing(
        p, q, StochasticMatrix((0, 1), (0, 1), coin)
    ).output_loss.largest_log_ratio
    assert np.tanh(after / 2) == pytest.approx(np.tanh(0.5) * np.tanh(0.25))


class LooksAgain(PostProcessing):
    """What a "post-processing" that reads the data a second time may publish."""

    images = (Finite.of({0: 1.0}), Finite.of({1: 1.0}))


def test_what_looks_at_the_data_again_is_no_post_processing_and_is_caught():
    law = Finite.of({0: 0.5, 1: 0.5})
    assert not LooksAgain(law, law, StochasticMatrix((0, 1), (0, 1), np.eye(2))).holds()


def test_an_impossible_input_needs_no_row():
    law = Finite.of({"a": 1.0, "b": 0.0})
    assert StochasticMatrix(("a",), (0, 1), np.array([[0.25, 0.75]])).push(law).probabilities == (
        pytest.approx([0.25, 0.75])
    )


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: StochasticMatrix((0,), (0, 1), np.ones((2, 1))),
            r"matrix must have shape \(1, 2\)",
        ),
        (
            lambda: StochasticMatrix((0,), (0, 1), np.array([[0.5, 0.4]])),
            "rows of probabilities that sum",
        ),
        (
            lambda: StochasticMatrix((0,), (0, 1), np.array([[1.5, -0.5]])),
            "rows of probabilities that sum",
        ),
        (
            lambda: StochasticMatrix.random((0,), 0, np.random.default_rng()),
            "outputs must be a whole",
        ),
        (
            lambda: StochasticMatrix.of(str, (0, 1)).push(Finite.of({2: 1.0})),
            r"law must have outcomes among \(0, 1\), not 2",
        ),
    ]
    assert_refused(calls)
