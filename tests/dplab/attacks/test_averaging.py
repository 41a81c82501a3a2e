from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dplab.attacks.averaging import FreshNoise, guess_bits, pairs_to_be_right, right_with
from dplab.audit import goodness_of_fit
from dplab.distributions import Finite

CONFIDENCES = (0.75, 0.9, 0.95, 0.99, 0.999)


@pytest.mark.parametrize(
    ("variance", "published"),
    [(20, (37, 132, 217, 433, 764)), (200, (364, 1314, 2165, 4330, 7640))],
)
def test_pairs_are_the_reference_figures_and_the_least_that_do(variance, published):
    pairs = [pairs_to_be_right(c, variance=variance) for c in CONFIDENCES]
    assert tuple(pairs) == published
    for k, confidence in zip(pairs, CONFIDENCES, strict=True):
        assert right_with(k, variance) >= confidence > right_with(k - 1, variance)


@pytest.mark.parametrize("variance", [1e-3, 0.3, 1.0, 7.0, 1e4])
@pytest.mark.parametrize("gap", [0.2, 1.0, 3.0])
def test_any_variance_has_its_least_number_of_pairs(variance, gap):
    for confidence in CONFIDENCES:
        k = pairs_to_be_right(confidence, variance, gap)
        assert right_with(k, variance, gap) >= confidence > right_with(k - 1, variance, gap)


@pytest.mark.parametrize(("k", "variance", "gap"), [(1, 20, 1), (37, 20, 1), (50, 8, 0.5)])
def test_the_chance_is_the_integral_of_the_larger_density(k, variance, gap):
    """An independent way: the best guess is right with half the integral of max(p, q)."""
    p, q = norm(0, np.sqrt(variance / k)), norm(gap, np.sqrt(variance / k))
    ends = (-10 * p.std(), gap / 2, gap + 10 * p.std())
    halves = [quad(lambda y: max(p.pdf(y), q.pdf(y)), *pair)[0] for pair in pairwise(ends)]
    assert right_with(k, variance, gap) == pytest.approx(sum(halves) / 2, abs=1e-8)


def test_a_gap_twice_as_wide_needs_a_quarter_of_the_pairs():
    assert right_with(100, 20, gap=2) == pytest.approx(right_with(400, 20))
    assert pairs_to_be_right(0.99, variance=20, gap=0.5) == pairs_to_be_right(0.99, variance=80)


def test_no_pairs_are_a_coin_and_arrays_keep_their_shape():
    assert right_with(0, variance=20) == 0.5
    assert right_with(np.array([[0, 1], [10, 1000]]), variance=20).shape == (2, 2)


@pytest.mark.parametrize("bit", [0, 1])
def test_guesses_are_right_as_often_as_the_formula_says(bit):
    """20,000 people with this bit, after 1, 10 and 100 pairs: three fits at 1e-10."""
    rng = np.random.default_rng()
    guesses = guess_bits(rng.normal(bit, np.sqrt(20), (20_000, 100)))
    for k in (1, 10, 100):
        right = right_with(k, variance=20)
        law = Finite.of({bit: right, 1 - bit: 1 - right})
        assert goodness_of_fit(guesses[:, k - 1], law).passed


def test_the_curators_noise_is_fresh_and_has_its_variance():
    """One fit of 5,000 draws to ten cells of equal chance: 1e-10."""
    curator = FreshNoise(np.array([1, 0, 1, 1]), variance=10)
    answers = curator.ask([0, 1, 2], np.random.default_rng(), times=5000)
    assert len(np.unique(answers)) == 5000
    assert curator.ask([0], np.random.default_rng()).shape == (1,)
    cells = np.floor(10 * norm.cdf((answers - 2) / np.sqrt(10))).astype(int)
    assert goodness_of_fit(cells, Finite.of(dict.fromkeys(range(10), 0.1))).passed


def test_means_of_differences_decide_from_one_half_on():
    assert guess_bits([[0.2, 1.4, -0.4, 0.9], [0.5, 0.6, 0, 0]]).tolist() == [
        [0, 1, 0, 1],
        [0, 1, 0, 0],
    ]


def test_what_makes_no_sense_is_refused():
    for confidence in (0.5, 1, 0.2, np.nan):
        with pytest.raises(ValueError, match="confidence must be a finite number above"):
            pairs_to_be_right(confidence, variance=20)
    for variance in (0, -0.5, -1, np.inf):
        with pytest.raises(ValueError, match="variance must be a finite number above 0"):
            right_with(5, variance=variance)
        with pytest.raises(ValueError, match="variance must be a finite number above 0"):
            pairs_to_be_right(0.9, variance=variance)
    with pytest.raises(ValueError, match="pairs must be at least 0, not"):
        right_with([1, -1], variance=20)
    with pytest.raises(ValueError, match=r"the number of pairs for .* must be a finite number"):
        pairs_to_be_right(0.9, variance=1e300, gap=1e-300)
    with pytest.raises(ValueError, match="gap must be"):
        right_with(5, variance=20, gap=0)
    with pytest.raises(ValueError, match="differences must not be empty"):
        guess_bits([])


def test_curators_of_bits_compare():
    assert isinstance(hash(FreshNoise(np.array([1, 0]), 1.0)), int)
