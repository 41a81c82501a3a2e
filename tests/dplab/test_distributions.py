from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import multivariate_normal

from dplab.audit import goodness_of_fit
from dplab.distributions import (
    Finite,
    Gaussian,
    GaussianVector,
    Laplace,
    LaplaceVector,
    Product,
    enumerate_law,
)
from dplab.piecewise_constant import PiecewiseConstant
from tests.dplab.strategies import finite_laws

# Every sampler goes through `fit` with this false-failure probability.
FAILURE = 1e-10


@pytest.mark.parametrize(
    "law",
    [
        Finite.of({0: 0.5, 3: 0.125, 7: 0.375}),
        Finite.of({"a": 0.9, "b": 0.1, "never": 0.0}),
        Laplace(-1.0, scale=0.3),
        Gaussian(2.0, sigma=5.0),
    ],
    ids=["numbers", "words", "Laplace", "Gaussian"],
)
def test_samples_follow_their_law(law):
    sample = law.sample(np.random.default_rng(), size=(100, 200))
    assert sample.shape == (100, 200)
    assert goodness_of_fit(sample, law, failure=FAILURE).passed


def test_one_draw_is_one_outcome_and_a_seed_reproduces_it():
    law = Finite.of({"a": 0.5, "b": 0.5})
    draws = {law.sample(np.random.default_rng(4)) for _ in range(5)}
    assert len(draws) == 1
    assert draws <= {"a", "b"}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Laplace(0.5, scale=2), stats.laplace(0.5, 2)),
        (Gaussian(0.5, sigma=2), stats.norm(0.5, 2)),
    ],
)
def test_real_laws_agree_with_scipy(ours, theirs):
    values = np.linspace(-30, 30, 101)
    np.testing.assert_allclose(ours.log_density(values), theirs.logpdf(values), rtol=1e-12)
    np.testing.assert_allclose(ours.cdf(values), theirs.cdf(values), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(ours.survival(values), theirs.sf(values), rtol=1e-9, atol=1e-300)


def test_bins_of_a_real_law_carry_its_mass():
    law = Laplace(0.0, scale=1.0).bin([-1.0, 0.0, 2.0])
    expected = [np.exp(-1) / 2, 0.5 - np.exp(-1) / 2, 0.5 - np.exp(-2) / 2, np.exp(-2) / 2]
    np.testing.assert_allclose(law.probabilities, expected, rtol=1e-12)
    with pytest.raises(ValueError, match="edges must be increasing"):
        Laplace(0.0, scale=1.0).bin([1.0, 1.0])


@pytest.mark.parametrize("law", [Laplace(0.0, scale=1.0), Gaussian(0.0, sigma=3.0)])
@given(st.sets(st.integers(-60, 60), min_size=1, max_size=9).map(sorted))
def test_bins_on_one_side_are_those_of_the_other(law, edges):
    """A symmetric law, and its mirror image: far above the center, too, a bin keeps its digits."""
    ours, mirrored = law.bin(edges), law.bin([-edge for edge in reversed(edges)])
    np.testing.assert_allclose(ours.probabilities, mirrored.probabilities[::-1], rtol=1e-12)


@given(st.floats(-1, 1), st.sets(st.integers(-300, 300), min_size=1, max_size=9).map(sorted))
def test_which_bin_it_is_tells_no_more_than_the_output(shift, edges):
    """Post-processing: locations `shift` apart, at scale 1, are |shift|-DP, in every bin."""
    first, second = Laplace(0.0, scale=1.0).bin(edges), Laplace(shift, scale=1.0).bin(edges)
    ratios = np.abs(first.log_probabilities - second.log_probabilities)
    assert ratios.max() <= abs(shift) + 1e-11


def test_the_smallest_bin_of_a_law_made_of_steps_has_all_its_digits():
    law = PiecewiseConstant([0, 1, 2], [0.0, -200.0])
    np.testing.assert_allclose(law.bin([1.0, 1.5]).probabilities[1:], np.exp(-200) / 2, rtol=1e-12)


@given(finite_laws(), st.integers(min_value=1, max_value=4))
def test_a_push_forward_keeps_the_mass_of_every_fibre(law, modulus):
    image = law.map(lambda outcome: outcome % modulus)
    for value in image.outcomes:
        fibre = [
            p for o, p in zip(law.outcomes, law.probabilities, strict=True) if o % modulus == value
        ]
        assert np.exp(image.log_density(value)) == pytest.approx(sum(fibre))


@given(finite_laws(3), finite_laws(2))
def test_a_product_is_the_law_of_independent_parts(a, b):
    law = Product((a, Product((b, a))))
    table = law.enumerate()
    assert len(table.outcomes) == 18
    outcome = (2, (1, 0))
    expected = a.log_density(2) + b.log_density(1) + a.log_density(0)
    assert table.log_density(outcome) == pytest.approx(expected)
    assert law.log_density(outcome) == pytest.approx(expected)


def test_samples_of_a_product_carry_the_parts_last():
    law = Product((Laplace(0, scale=1), Laplace(100, scale=1)))
    sample = law.sample(np.random.default_rng(), size=1000)
    assert sample.shape == (1000, 2)
    assert goodness_of_fit(sample[:, 1], Laplace(100, scale=1), failure=FAILURE).passed


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
        white = law.whitened(law.sample(rng, 20_000) - self.mean)
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


def test_expectations_are_sums():
    assert Finite.of({1: 0.25, 5: 0.75}).expectation(lambda v: v**2) == pytest.approx(19.0)


def test_what_is_impossible_has_no_part_in_an_expectation():
    law = Finite.of({0: 0.0, 1: 1.0})
    assert law.expectation(lambda v: 1 / v) == 1.0
    assert law.expectation({0: np.inf, 1: 2.0}.get) == 2.0


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Finite.of({0: 0.5, 1: 0.6}), "sum to 1"),
        (lambda: Finite.of({0: 1.5, 1: -0.5}), "at least 0"),
        (lambda: Finite((0, 1), np.zeros(1)), "shape"),
        (lambda: Finite((0, 0), np.log([0.5, 0.5])), "outcomes must be distinct"),
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
        (lambda: Product(()), "factors must not be empty"),
        (lambda: enumerate_law(Laplace(0, scale=1)), "finitely many outcomes"),
        (lambda: Product((Laplace(0, scale=1),)).enumerate(), "only finite factors"),
    ],
)
def test_impossible_laws_are_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize("form", [tuple, list, np.array])
def test_log_densities_take_outcomes_in_any_form(form):
    law = Finite((0, 1, 2), np.log([0.5, 0.25, 0.25]))
    assert np.exp(law.log_densities(form([0, 1, 2]))) == pytest.approx([0.5, 0.25, 0.25])
    assert np.exp(law.log_densities(form([2, 7]))) == pytest.approx([0.25, 0])


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda values: Finite((0, 1), values), "log_probabilities"),
        (lambda values: LaplaceVector(values, 1), "locations"),
        (lambda values: GaussianVector(values, 1), "mean"),
        (lambda values: GaussianVector([0, 0], np.diag(-values)), "covariance"),
    ],
)
def test_a_law_stays_what_it_is(make, field):
    """Whatever becomes of the array that it was made with; and its own can't be written to."""
    values = np.log([0.5, 0.5])
    kept = getattr(make(values), field)
    before = kept.copy()
    values[:] = 7
    np.testing.assert_array_equal(kept, before)
    with pytest.raises(ValueError, match="read-only"):
        kept[...] = 0
