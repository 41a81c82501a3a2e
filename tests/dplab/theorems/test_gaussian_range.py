import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab.mechanisms.gaussian import analytic_sigma, classic_sigma
from dplab.theorems.gaussian_range import DWORK_ROTH, UNDER_NOISED, WITH_TWO, SigmaFormula

FORMULAS = (DWORK_ROTH, WITH_TWO, UNDER_NOISED)
every_formula = pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)


def delta_by_quadrature(sigma, epsilon):
    """The area where the density at 1 exceeds e^epsilon times the density at 0, sigma wide."""

    def over(y):
        return np.exp(-((y - 1) ** 2) / (2 * sigma**2)) - np.exp(epsilon - y**2 / (2 * sigma**2))

    start = epsilon * sigma**2 + 1 / 2
    end = max(start, 1) + 12 * sigma
    return quad(over, start, end, epsabs=0, limit=200)[0] / (sigma * np.sqrt(2 * np.pi))


@given(st.floats(0.5, 4), st.floats(1, 4), st.floats(-9, -1), st.floats(0.02, 20))
def test_the_true_delta_rises_with_epsilon(factor, top, log_delta, epsilon):
    formula, delta = SigmaFormula("", factor, top), 10**log_delta
    here, beyond = (formula.true_delta(epsilon=e, delta=delta) for e in (epsilon, 1.2 * epsilon))
    assert here < beyond


@every_formula
@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-9])
def test_the_promise_is_kept_up_to_the_last_epsilon_and_broken_beyond(formula, delta):
    last = formula.last_epsilon(delta)
    for epsilon, kept in ((0.999 * last, True), (1.001 * last, False)):
        sigma = formula.sigma(epsilon=epsilon, delta=delta)
        assert (delta_by_quadrature(sigma, epsilon) <= delta) == kept
        assert (analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta) <= sigma) == kept


@pytest.mark.parametrize(
    ("formula", "delta", "last"),
    [
        (DWORK_ROTH, 1e-5, 8.420),
        (WITH_TWO, 1e-5, 9.391),
        (WITH_TWO, 1e-2, 7.906),
        (WITH_TWO, 1e-9, 10.54),
        (UNDER_NOISED, 1e-5, 0.324),
        (UNDER_NOISED, 1e-6, 0.143),
    ],
)
def test_figures(formula, delta, last):
    assert formula.last_epsilon(delta) == pytest.approx(last, abs=max(5e-4, 5e-4 * last))


def test_the_under_noised_formula_is_of_no_use_at_a_small_delta():
    assert UNDER_NOISED.last_epsilon(1e-9) < 0.01


@given(st.floats(0.01, 0.99), st.floats(-12, -0.5), st.floats(0.1, 9))
def test_dwork_and_roths_is_the_classic_sigma(epsilon, log_delta, sensitivity):
    bounds = {"sensitivity": sensitivity, "epsilon": epsilon, "delta": 10**log_delta}
    assert DWORK_ROTH.sigma(**bounds) == pytest.approx(classic_sigma(**bounds))
    assert DWORK_ROTH.last_epsilon(10**log_delta) > 1


def test_sigma_is_elementwise_and_names_bad_arguments():
    assert DWORK_ROTH.sigma(epsilon=np.array([1, 2]), delta=1e-5) == pytest.approx(
        [4.844805, 2.422403], abs=1e-6
    )
    with pytest.raises(ValueError, match=r"delta must be .*below 1, not 1"):
        DWORK_ROTH.sigma(epsilon=1, delta=1)
    with pytest.raises(ValueError, match=r"epsilon must be .*above 0, not 0"):
        DWORK_ROTH.true_delta(epsilon=0, delta=0.1)
