from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab.audit import goodness_of_fit
from dplab.continuous import Laplace
from dplab.mechanisms.noisy_max import ReportNoisyMax, laplace_log_law
from dplab.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from tests.refusals import assert_refused

advantage_lists = st.lists(st.floats(-15, 0), min_size=1, max_size=5)


def by_quadrature(advantages):
    """The integral of the definition, by an adaptive rule between the corners."""
    laws = [Laplace(a, 1) for a in advantages]

    def density(x, i):
        others = np.prod([law.cdf(x) for j, law in enumerate(laws) if j != i])
        return np.exp(laws[i].log_density(x)) * others

    corners = [-60, *sorted(set(advantages)), 60]
    return np.array(
        [
            sum(
                quad(density, low, high, args=(i,), epsabs=1e-13, epsrel=1e-11)[0]
                for low, high in pairwise(corners)
            )
            for i in range(len(laws))
        ]
    )


@given(advantage_lists)
@settings(max_examples=10)
def test_the_law_with_laplace_noise_by_quadrature(advantages):
    a = np.array([0.0, *advantages])
    np.testing.assert_allclose(np.exp(laplace_log_law(a)), by_quadrature(a), atol=1e-9)


@given(st.floats(-700, 0))
def test_two_candidates_in_closed_form(a):
    """P(the worse first) = e^a (2 - a) / 4: the tail of a difference of two Laplace variables."""
    assert laplace_log_law(np.array([0.0, a]))[1] == pytest.approx(a + np.log((2 - a) / 4))


@pytest.mark.parametrize("advantages", [np.array([0.0, -1000.0]), np.zeros(100)])
def test_the_law_is_computed_as_far_as_is_said(advantages):
    assert np.exp(laplace_log_law(advantages)).sum() == pytest.approx(1)


@given(st.lists(st.floats(-300, 0), min_size=1, max_size=40))
@settings(max_examples=20)
def test_probabilities_sum_to_one(advantages):
    assert np.exp(laplace_log_law(np.array([0.0, *advantages]))).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("noise", "twin"), [("exponential", PermuteAndFlip), ("gumbel", ExponentialMechanism)]
)
def test_noise_whose_law_has_another_name(noise, twin):
    """The laws agree by definition here; that draws of the noise follow them is what is tested."""
    scores = (0.0, 1.0, 1.5, 3.0)
    noisy = ReportNoisyMax(range(4), lambda s: s, 1, 1, noise=noise).distribution(scores)
    other = twin(range(4), lambda s: s, 1, 1).distribution(scores)
    np.testing.assert_allclose(noisy.probabilities, other.probabilities, rtol=1e-14)


@pytest.mark.parametrize("noise", ["laplace", "exponential", "gumbel"])
def test_the_winner_is_drawn_by_the_law(noise):
    """Wrong with probability 1e-10. Noise taken off instead of added would show."""
    mechanism, rng = (
        ReportNoisyMax(range(4), lambda s: s, 1, 2, noise=noise),
        np.random.default_rng(),
    )
    scores = (0.0, 1.0, 1.5, 3.0)
    draws = [mechanism(scores, rng) for _ in range(20_000)]
    assert goodness_of_fit(draws, mechanism.distribution(scores), failure=1e-10).passed


def exponential_noise_by_quadrature(advantages):
    """P(i first) = integral of e^{-(x - a_i)} prod_{j != i} (1 - e^{-(x - a_j)}) over x >= 0."""

    def density(x, i):
        others = np.delete(advantages, i)
        return np.exp(advantages[i] - x) * np.prod(1 - np.exp(others - x))

    return [quad(density, 0, 60, args=(i,), epsrel=1e-11)[0] for i in range(len(advantages))]


def test_exponential_noise_is_permute_and_flip():
    a = np.array([-1.5, -1, -0.75, 0])
    flip = PermuteAndFlip(range(4), lambda s: s, 1, 2).distribution(a)
    np.testing.assert_allclose(flip.probabilities, exponential_noise_by_quadrature(a), rtol=1e-9)


@pytest.mark.parametrize(("rise", "worst"), [(0, 0.9977), (1, 1.9968)])
def test_what_three_candidates_spend_at_noise_of_scale_one(rise, worst):
    """Monotone scores just below 1, others just below 2: the notes' .9977 and 1.9968."""
    mechanism = ReportNoisyMax(range(3), lambda s: s, 1, 1, monotone=True)
    losses = [
        mechanism.privacy_loss(np.array([gap, 0, 0]), np.array([gap - 1, rise, rise]))
        for gap in np.linspace(-8, 8, 33)
    ]
    spent = max(loss.largest_log_ratio for loss in losses)
    assert worst - 0.03 < spent <= rise + 1


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: ReportNoisyMax("ab", sum, 1, 1, noise="normal"),
            "noise must be one of 'laplace', 'exponential', 'gumbel', not 'normal'",
        ),
        (lambda: laplace_log_law(np.zeros(101)), "candidates must be at most 100 .* not 101"),
        (
            lambda: laplace_log_law(np.array([0.0, -1001.0])),
            "scores must lie within 1000 noise scales$",
        ),
    ]
    assert_refused(calls)
