import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gamma

from dplab import Laplace, PureDP
from dplab.continuous import SphericalLaplace
from dplab.mechanisms.laplace import SphericalLaplaceMechanism

FAR = np.sqrt(np.log(2e10) / 2)  # of an empirical distribution function, times 1 / sqrt(draws)


def furthest(sample, cdf):
    """The largest distance of the sample's distribution function from `cdf`."""
    sample = np.sort(sample)
    heights = np.arange(len(sample) + 1) / len(sample)
    return max(abs(heights[1:] - cdf(sample)).max(), abs(heights[:-1] - cdf(sample)).max())


@pytest.mark.parametrize("d", [1, 2, 3, 30])
@pytest.mark.parametrize("scale", [0.02, 5.0])
def test_length_and_direction_of_the_noise(d, scale):
    """5,000 draws: their lengths follow the Gamma law, and every coordinate is as often negative;
    a draw's direction is independent of its length. Each is wrong with a chance of 1e-10."""
    rng, center = np.random.default_rng(), np.arange(d) / 2
    noise = SphericalLaplace(center, scale).sample(rng, 5000) - center
    lengths = np.linalg.norm(noise, axis=1)
    assert furthest(lengths, gamma(d, scale=scale).cdf) < FAR / 5000**0.5
    long = lengths > gamma(d, scale=scale).median()
    for column in noise.T:
        for part in (column, column[long], column[~long]):
            assert abs((part > 0).mean() - 0.5) < FAR / len(part) ** 0.5


def test_direction_in_the_plane_is_uniform():
    noise = SphericalLaplace([0.0, 0.0], 2.0).sample(np.random.default_rng(), (50, 100))
    angles = np.arctan2(noise[..., 1], noise[..., 0]).ravel()
    assert furthest(angles, lambda a: (a + np.pi) / (2 * np.pi)) < FAR / 5000**0.5


@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_the_density_is_one_of_a_probability(d):
    law = SphericalLaplace(np.zeros(d), 1.5)
    sphere = 2 if d == 1 else d * ball(d)

    def shell(r):
        return sphere * r ** (d - 1) * np.exp(law.log_density([r, *[0.0] * (d - 1)]))

    assert quad(shell, 0, 200)[0] == pytest.approx(1)
    if d == 1:
        assert law.log_density([0.7]) == pytest.approx(Laplace(0, 1.5).log_density(0.7))


def ball(d):
    """The volume of the unit ball, by its recursion V_d = V_{d-2} 2 pi / d."""
    return {0: 1.0, 1: 2.0}.get(d) or ball(d - 2) * 2 * np.pi / d


@settings(max_examples=80)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 6),
    st.floats(0.01, 10),
    st.floats(0.01, 100),
)
def test_neighbours_are_epsilon_apart_and_no_more(seed, d, epsilon, sensitivity):
    rng = np.random.default_rng(seed)
    mechanism = SphericalLaplaceMechanism(np.asarray, sensitivity, epsilon)
    x = rng.normal(size=d) * sensitivity
    step = rng.normal(size=d)
    y = x + step / np.linalg.norm(step) * sensitivity
    p, q = mechanism.distribution(x), mechanism.distribution(y)
    places = np.vstack([x, y, x + 3 * (x - y), p.sample(rng, 10)])
    ratios = p.log_density(places) - q.log_density(places)
    assert np.abs(ratios).max() == pytest.approx(epsilon)
    assert mechanism.guarantee == PureDP(epsilon)


def test_bad_numbers_are_refused():
    with pytest.raises(ValueError, match="scale must be"):
        SphericalLaplace([0.0], -1)
    with pytest.raises(ValueError, match="center must be of shape"):
        SphericalLaplace(0.0, 1)
