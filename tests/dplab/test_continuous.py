from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.stats import multivariate_normal

from dplab.audit import goodness_of_fit
from dplab.continuous import (
    Gaussian,
    GaussianVector,
    Laplace,
    LaplaceLogNormal,
    LaplaceVector,
    SphericalLaplace,
    StudentT,
)
from dplab.distributions import Product
from dplab.divergences import privacy_loss
from tests.refusals import assert_refused

FAILURE = 1e-10  # of each sampler's fit


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Laplace(0.5, scale=2), stats.laplace(0.5, 2)),
        (Gaussian(0.5, sigma=2), stats.norm(0.5, 2)),
        (StudentT(0.5, 2), stats.cauchy(0.5, 2)),
        (StudentT(0.5, 2, 3.5), stats.t(3.5, 0.5, 2)),
    ],
)
def test_real_laws_agree_with_scipy(ours, theirs):
    values = np.linspace(-30, 30, 101)
    np.testing.assert_allclose(ours.log_density(values), theirs.logpdf(values), rtol=1e-12)
    np.testing.assert_allclose(ours.cdf(values), theirs.cdf(values), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("sigma", [0.2, 1.0])
def test_the_log_normal_law_is_the_integral_over_its_scales(sigma):
    law = LaplaceLogNormal(0.5, 2, sigma)
    for z in (0.0, 0.3, 4.0, 12.0):

        def density(y, z=z):
            scale = 2 * np.exp(sigma * y)
            return np.exp(-z / scale - y**2 / 2) / (2 * scale) / np.sqrt(2 * np.pi)

        expected = quad(density, -12, 12, points=[0], epsabs=1e-13)[0]
        assert np.exp(law.log_density(0.5 + z)) == pytest.approx(expected, rel=1e-6)
        assert law.log_density(0.5 - z) == law.log_density(0.5 + z)
        half = quad(lambda t: np.exp(law.log_density(0.5 + t)), 0, z, epsabs=1e-12)[0]
        assert law.cdf(0.5 + z) == pytest.approx(0.5 + half)


@pytest.mark.parametrize(
    "law", [StudentT(1, 2), StudentT(-3, 0.5, 4), LaplaceLogNormal(1, 2, 0.7)], ids=str
)
def test_samples_of_heavy_tails_follow_the_law(law):
    draws = law.sample(np.random.default_rng(3), 40_000)
    assert goodness_of_fit(draws, law, failure=FAILURE).passed


class TestVectors:
    rng = np.random.default_rng(8)
    mean = rng.normal(size=4)
    root = rng.normal(size=(4, 4))
    covariance = root @ root.T

    @pytest.mark.parametrize("shape", [(4,), (1, 4), (5, 4), (2, 3, 4)])
    def test_densities_are_those_of_independent_parts(self, shape):
        y = self.rng.normal(size=shape)
        parts = [y[..., i] for i in range(4)]
        laplace = Product([Laplace(m, scale=0.7) for m in self.mean])
        assert LaplaceVector(self.mean, 0.7).log_density(y) == pytest.approx(
            laplace.log_density(parts)
        )
        normal = Product([Gaussian(m, sigma=0.7) for m in self.mean])
        assert GaussianVector(self.mean, 0.49).log_density(y) == pytest.approx(
            normal.log_density(parts)
        )
        joint = multivariate_normal(self.mean, self.covariance).logpdf(y)
        assert GaussianVector(self.mean, self.covariance).log_density(y) == pytest.approx(joint)
        one = GaussianVector(self.mean[:1], [[2.0]]).log_density(y[..., :1])
        assert one == pytest.approx(Gaussian(self.mean[0], 2**0.5).log_density(y[..., 0]))

    @pytest.mark.parametrize("size", [None, 3, (2, 3), ()])
    def test_samples_carry_the_coordinates_last(self, size):
        expected = (*np.empty(size if size is not None else ()).shape, 4)
        for law in (LaplaceVector(self.mean, 1), GaussianVector(self.mean, self.covariance)):
            assert law.sample(np.random.default_rng(), size).shape == expected

    def test_samples_follow_the_law(self):
        """Each coordinate of independent laws; of correlated ones, the sum and the difference of
        any two whitened coordinates, which have variance 2 only if they are uncorrelated."""
        rng = np.random.default_rng()
        draws = LaplaceVector(self.mean, 0.7).sample(rng, 20_000)
        for i, m in enumerate(self.mean):
            assert goodness_of_fit(draws[:, i], Laplace(m, scale=0.7), failure=FAILURE).passed
        assert abs(np.corrcoef(draws[:, 0], draws[:, 1])[0, 1]) < 0.06  # 8 standard deviations
        law = GaussianVector(self.mean, self.covariance)
        white = law.whiten(law.sample(rng, 20_000) - self.mean)
        for i, j in combinations(range(4), 2):
            for sign in (-1, 1):
                both = (white[:, i] + sign * white[:, j]) / 2**0.5
                assert goodness_of_fit(both, Gaussian(0, sigma=1), failure=FAILURE).passed
        plain = GaussianVector(self.mean, 0.49).sample(rng, 20_000)
        assert goodness_of_fit(plain[:, 2], Gaussian(self.mean[2], 0.7), failure=FAILURE).passed

    def test_an_outcome_of_another_length_is_refused(self):
        for law in (LaplaceVector([0, 0], 1), GaussianVector([0, 0], 1)):
            with pytest.raises(ValueError, match=r"outcome must be of shape \(\.\.\., 2\)"):
                law.log_density([1.0])


def test_impossible_laws_are_refused():
    calls = [
        (lambda: Laplace(0.0, scale=-1.0), "scale must be a finite number above 0, not -1.0"),
        (lambda: Gaussian(np.nan, sigma=1.0), "mean must be a finite number, not nan"),
        (lambda: LaplaceVector([[0.0]], scale=1), r"locations must be of shape \(d,\)"),
        (lambda: LaplaceVector([], scale=1), "locations must not be empty"),
        (lambda: LaplaceVector([0.0], scale=0), "scale must be a finite number above 0"),
        (lambda: GaussianVector(1.0, 1), r"mean must be of shape \(d,\)"),
        (lambda: GaussianVector([0, 0], [1, 1]), r"covariance must be a number or \(2, 2\)"),
        (lambda: GaussianVector([0, 0], [[1, 0.5], [0, 1]]), "symmetric and positive definite"),
        (lambda: GaussianVector([0, 0], [[1, 2], [2, 1]]), "symmetric and positive definite"),
        (lambda: GaussianVector([0, 0], 0), "symmetric and positive definite"),
        (lambda: GaussianVector([0, 0], -1), "symmetric and positive definite"),
        (lambda: GaussianVector([0, 0], np.nan), "covariance must hold finite numbers"),
    ]
    assert_refused(calls)


@pytest.mark.filterwarnings("error")
def test_densities_at_the_ends_of_floats():
    huge, tiny = 1.7e308, 5e-324
    for law in (Laplace, Gaussian):
        middle = law(0, 1).log_density(0)
        for scale in (tiny, 1e-300, 1e155, huge):
            wide = law(0, scale)
            assert wide.log_density(0) == pytest.approx(middle - np.log(scale), rel=1e-14)
            assert wide.cdf(0) == 0.5
        assert law(0, tiny).log_density(1e300) == -np.inf
        assert law(0, tiny).cdf(1e300) == 1
    vector = LaplaceVector([0.0, 0.0], huge).log_density([0.0, 0.0])
    assert vector == pytest.approx(-2 * np.log(2) - 2 * np.log(huge), rel=1e-14)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", [1e-200, 1.0, 1e200])
def test_lengths_whose_squares_are_no_floats(far):
    near, there = np.zeros(2), np.array([3 * far, -4 * far])
    sphere = SphericalLaplace(near, far)
    assert sphere.log_density(there) == pytest.approx(sphere.log_density(near) - 5, rel=1e-12)
    assert privacy_loss(GaussianVector(there, 1.0), GaussianVector(near, 1.0)).mu == 5 * far
