"""What problem set 7 states of useful medians: over 92.5% of the mechanism's releases are so."""

import numpy as np
import pytest
from scipy.stats import binom

from dplab import PrivateQuantile

SIZES = (61, 100, 201, 400)  # of the data in `private_median_useful`


def within_six(n, gaps):
    """P[a release has from n/2 - 6 to n/2 + 6 of the n values below it], from the exact law."""
    edges = np.concatenate([[0], np.cumsum(gaps)])
    law = PrivateQuantile(0, edges[-1], epsilon=1).distribution(edges[1:-1])
    return law.probabilities[np.abs(np.arange(n + 1) - n / 2) <= 6].sum()


@pytest.mark.parametrize("n", SIZES)
def test_a_right_solution_falls_short_with_probability_below_1e_15(n):
    """Gaps lie from 0.8 to 1.2: at worst the useful ones are the narrow ones."""
    ranks = np.abs(np.arange(n + 1) - n / 2)
    worst = within_six(n, np.where(ranks <= 6, 0.8, 1.2))
    assert 0.925 < worst < within_six(n, np.ones(n + 1))
    assert within_six(n, np.ones(n + 1)) == pytest.approx(0.95, abs=0.015)
    assert binom.cdf(849, 1000, worst) < 1e-15


@pytest.mark.parametrize("n", SIZES)
def test_half_of_epsilon_does_not_suffice(n):
    ranks = np.abs(np.arange(n + 1) - n / 2)
    weights = np.exp(-ranks / 4)
    useful = weights[ranks <= 6].sum() / weights.sum()
    assert binom.sf(849, 1000, useful) < 1e-3
