import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import goodness_of_fit
from dplab.continuous import Gaussian, GaussianVector, Laplace, LaplaceVector
from dplab.distributions import Finite, Product, enumerate_law
from tests.dplab.strategies import finite_laws
from tests.refusals import assert_refused

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


def test_what_is_impossible_has_no_part_in_an_expectation():
    law = Finite.of({0: 0.0, 1: 1.0})
    assert law.expectation(lambda v: 1 / v) == 1.0
    assert law.expectation({0: np.inf, 1: 2.0}.get) == 2.0


def test_impossible_laws_are_refused():
    calls = [
        (lambda: Finite.of({0: 0.5, 1: 0.6}), "sum to 1"),
        (lambda: Finite.of({0: 1.5, 1: -0.5}), "at least 0"),
        (lambda: Finite((0, 1), np.zeros(1)), "shape"),
        (lambda: Finite((0, 0), np.log([0.5, 0.5])), "outcomes must be distinct"),
        (lambda: Product(()), "factors must not be empty"),
        (lambda: enumerate_law(Laplace(0, scale=1)), "finitely many outcomes"),
        (lambda: Product((Laplace(0, scale=1),)).enumerate(), "only finite factors"),
    ]
    assert_refused(calls)


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
