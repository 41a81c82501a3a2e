import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dplab.audit import goodness_of_fit
from dplab.distributions import Finite, Gaussian, Laplace, Product, enumerate_law
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


def test_bins_of_a_real_law_carry_its_mass():
    law = Laplace(0.0, scale=1.0).bin([-1.0, 0.0, 2.0])
    expected = [np.exp(-1) / 2, 0.5 - np.exp(-1) / 2, 0.5 - np.exp(-2) / 2, np.exp(-2) / 2]
    np.testing.assert_allclose(law.probabilities, expected, rtol=1e-12)
    with pytest.raises(ValueError, match="edges must be increasing"):
        Laplace(0.0, scale=1.0).bin([1.0, 1.0])


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


def test_expectations_are_sums():
    assert Finite.of({1: 0.25, 5: 0.75}).expectation(lambda v: v**2) == pytest.approx(19.0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Finite.of({0: 0.5, 1: 0.6}), "sum to 1"),
        (lambda: Finite.of({0: 1.5, 1: -0.5}), "at least 0"),
        (lambda: Finite((0, 1), np.zeros(1)), "shape"),
        (lambda: Finite((0, 0), np.log([0.5, 0.5])).log_density(0), "distinct"),
        (lambda: Laplace(0.0, scale=-1.0), "scale must be a finite number above 0, not -1.0"),
        (lambda: Gaussian(np.nan, sigma=1.0), "mean must be a finite number, not nan"),
        (lambda: Product(()), "factors must not be empty"),
        (lambda: enumerate_law(Laplace(0, scale=1)), "finitely many outcomes"),
        (lambda: Product((Laplace(0, scale=1),)).enumerate(), "only finite factors"),
    ],
)
def test_impossible_laws_are_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()
