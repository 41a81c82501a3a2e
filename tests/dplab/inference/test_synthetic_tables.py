import numpy as np
import pytest

from dplab.inference import synthetic_error


def test_the_variance_is_that_of_people_noise_and_drawing_one_after_the_other():
    """Two people of two cells, noise of -1, 0, 1 thirds, three drawn: all cases, exactly."""
    n, m, p, chances = 6, 3, 0.4, {-1 / 3: 0.25, 0.0: 0.5, 1 / 3: 0.25}
    from scipy.stats import binom

    first = second = 0.0
    for x in range(n + 1):
        for noise, chance in chances.items():
            q = (x + noise * n / 2) / n  # may leave [0, 1]: moments are polynomials of q
            weight = binom.pmf(x, n, p) * chance
            first += weight * q
            second += weight * (q * (1 - q) / m + q * q)
    variance = (n / 6) ** 2 * 0.5
    found = synthetic_error(p, n=n, cells=1, variance=variance, synthetic_people=m)
    assert first == pytest.approx(p)
    assert found.total == pytest.approx(second - first**2)
    assert found.claimed == pytest.approx(p * (1 - p) / m)
    assert found.sampling == pytest.approx(p * (1 - p) / n)


def test_more_cells_have_more_noise_and_more_synthetic_people_claim_less():
    few, many = (
        synthetic_error(0.3, n=1000, cells=c, variance=8, synthetic_people=1000) for c in (1, 10)
    )
    assert many.noise == pytest.approx(10 * few.noise) == pytest.approx(8e-5)
    crowd = synthetic_error(0.3, n=1000, cells=10, variance=8, synthetic_people=10**8)
    assert crowd.total == pytest.approx(many.sampling + many.noise, rel=1e-3)
    assert crowd.coverage() < 0.01


def test_without_noise_a_copy_of_the_same_size_covers_in_five_of_six():
    """The variance is 2 - 1 / n times the claimed one: 1.96 / sqrt(2) deviations are 83.4%."""
    found = synthetic_error(0.5, n=10_000, cells=1, variance=0, synthetic_people=10_000)
    assert found.total / found.claimed == pytest.approx(2 - 1e-4)
    assert found.coverage() == pytest.approx(0.8342, abs=1e-4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"share": 0}, "share must be"),
        ({"cells": 0}, "cells must be"),
        ({"synthetic_people": 0}, "synthetic_people must be"),
        ({"variance": 1e6}, "variance must be small"),
    ],
)
def test_bad_arguments(changes, message):
    options = {"share": 0.3, "n": 10, "cells": 1, "variance": 1.0, "synthetic_people": 5}
    with pytest.raises(ValueError, match=message):
        synthetic_error(**{**options, **changes})
    assert np.isfinite(synthetic_error(**options).coverage())
