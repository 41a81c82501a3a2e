import numpy as np
import pytest
from scipy.stats import binom

from dplab import RandomizedResponse
from dplab.theorems.local_error import local_error


def answer_divergence(low, high, t):
    """Return chi^2 of an answer's two laws, at the shares (1 + t) / 2 and (1 - t) / 2.

    `low` and `high` are its probabilities from the bits 0 and 1.
    """
    one, other = ((1 + s * t) / 2 * high + (1 - s * t) / 2 * low for s in (1, -1))
    return float(((one - other) ** 2 / other).sum())


def test_no_mechanism_has_more_divergence_than_the_proof_says():
    """Among 500 mechanisms with up to five answers. Randomized response is near to the bound."""
    rng = np.random.default_rng(23)
    for _ in range(500):
        epsilon, t, k = rng.uniform(0.05, 2), rng.uniform(0, 0.9), rng.integers(2, 6)
        ratios = np.exp(rng.uniform(-epsilon, epsilon, size=k))
        low = rng.dirichlet(np.ones(k))
        high = low * ratios / (low @ ratios)
        width = np.abs(np.log(high / low)).max()  # its own epsilon
        assert answer_divergence(low, high, t) <= (t * np.expm1(width)) ** 2 * (1 + 1e-9)
    laws = [law.probabilities for law in RandomizedResponse(0.1).answer_laws]
    share = answer_divergence(*laws, t=0.01) / (0.01 * np.expm1(0.1)) ** 2
    assert 0.8 < share < 1


@pytest.mark.parametrize("n", [20, 200, 5000])
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_the_best_test_on_randomized_response_errs_as_often_as_said(n, epsilon):
    """The number of answers 1 is binomial at either share, and the errors add to 1 - TV."""
    t = 2 * local_error(epsilon, n).bound
    response = RandomizedResponse(epsilon)
    means = [response.lie_probability + (1 + s * t) / 2 * response.gap for s in (-1, 1)]
    low, high = (binom.pmf(np.arange(n + 1), n, mean) for mean in means)
    assert np.minimum(low, high).sum() >= 0.5
    assert (
        n * answer_divergence(*(law.probabilities for law in response.answer_laws), t=min(t, 0.99))
        <= 0.5
    )


def test_errors_are_the_formulas():
    error = local_error(0.2, 5000)
    assert error.bound == pytest.approx(1 / (2 * np.sqrt(10_000) * np.expm1(0.2)))
    assert error.response == pytest.approx(np.exp(0.1) / np.expm1(0.2) / 5000**0.5)
    assert error.curator == pytest.approx(2**0.5 / 1000)
    assert error.bound < error.response < 4 * error.bound
    assert local_error(0.001, 1).bound == 0.5
    assert local_error(800, 1).bound == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: local_error(0, 5), "epsilon must be"),
        (lambda: local_error(1, 0), "n must be"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
