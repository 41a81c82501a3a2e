import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dplab import Finite, RandomizedResponse
from dplab.divergences import privacy_loss
from dplab.theorems.loss_walk import loss_walk
from tests.dplab.strategies import pairs_of_laws


@given(pairs_of_laws(3), st.integers(1, 12), st.floats(1e-6, 0.5))
def test_mean_and_tail_stay_within_the_theorem(pair, k, delta):
    assert loss_walk(privacy_loss(*pair), k, delta=delta).holds


@pytest.mark.parametrize("k", [1, 2, 7, 100])
def test_randomized_response_walks_like_a_biased_coin(k):
    walk = loss_walk(RandomizedResponse(0.3).privacy_loss(1, 0), k, delta=1e-3)
    truth = 1 / (1 + np.exp(-0.3))
    assert walk.mean == pytest.approx(0.3 * (2 * truth - 1) * k)
    assert walk.mean == pytest.approx(walk.drift)  # it attains the largest mean
    assert walk.sd == pytest.approx(0.6 * np.sqrt(k * truth * (1 - truth)))
    assert walk.total.p == pytest.approx(binom.pmf(np.arange(k + 1), k, truth))
    steps = np.ceil((walk.epsilon / 0.3 + k) / 2)
    assert walk.tail == pytest.approx(binom.sf(steps - 1, k, truth), abs=1e-12)


def test_four_times_the_releases_spread_twice_as_wide():
    loss = RandomizedResponse(0.1).privacy_loss(1, 0)
    few, many = (loss_walk(loss, k, delta=1e-6) for k in (100, 400))
    assert many.sd / few.sd == pytest.approx(2)
    assert many.mean / few.mean == pytest.approx(4)


def test_a_loss_without_bound_is_refused():
    loss = privacy_loss(Finite.of({0: 1.0}), Finite.of({0: 0.5, 1: 0.5}))
    with pytest.raises(ValueError, match=r"loss\.largest_log_ratio must be a finite number"):
        loss_walk(loss, 2, delta=0.1)
    with pytest.raises(ValueError, match=r"delta must be .* not 1"):
        loss_walk(RandomizedResponse(1).privacy_loss(1, 0), 2, delta=1)
