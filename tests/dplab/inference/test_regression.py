import numpy as np
import pytest

from dplab import ZCDP
from dplab.inference import moments_mechanism, regress

RNG = np.random.default_rng(25)


def make_rows(n, d):
    x = RNG.uniform(-1, 1, (n, d)) / 2
    y = x @ np.linspace(0.5, -0.3, d) + RNG.normal(0, 0.1, n)
    return np.column_stack([x, y])


def test_no_two_records_move_the_sums_by_more_than_the_sensitivity():
    """The largest move is reached by two records that are orthogonal; longer ones are cut."""
    for d in (1, 3):
        mechanism = moments_mechanism(features=d, bound=2.0, rho=0.5)
        assert mechanism.guarantee == ZCDP(0.5) or mechanism.guarantee.rho == pytest.approx(0.5)
        rows = RNG.normal(0, 3, (40, d + 1))
        moves = [
            np.linalg.norm(mechanism.query([a]) - mechanism.query([b])) for a in rows for b in rows
        ]
        assert max(moves) <= mechanism.sensitivity * (1 + 1e-12)
        first, second = np.eye(d + 1)[:2] * 5
        far = np.linalg.norm(mechanism.query([first]) - mechanism.query([second]))
        assert far == pytest.approx(mechanism.sensitivity)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_without_noise_it_is_least_squares(d):
    rows = make_rows(50, d)
    moments = moments_mechanism(features=d, bound=10, rho=0.5).query(rows)
    found = regress(moments, n=50, sigma=0)
    theta, residual, *_ = np.linalg.lstsq(rows[:, :-1], rows[:, -1], rcond=None)
    assert found.coefficients == pytest.approx(theta)
    inverse = np.linalg.inv(rows[:, :-1].T @ rows[:, :-1])
    assert found.sampling == pytest.approx(residual[0] / (50 - d) * inverse)
    assert not found.noise.any()
    assert found.standard_errors == pytest.approx(found.naive_errors)


def test_the_part_of_the_noise_is_that_of_the_first_order():
    """The slope in each entry of the noise, by differences, gives the covariance."""
    rows, sigma = make_rows(40, 3), 0.01
    moments = moments_mechanism(features=3, bound=10, rho=0.5).query(rows)

    def coefficients(m):
        return regress(m, n=40, sigma=0).coefficients

    steps = 1e-6 * np.eye(len(moments))
    slopes = [(coefficients(moments + s) - coefficients(moments - s)) / 2e-6 for s in steps]
    expected = sigma**2 * np.transpose(slopes) @ slopes
    assert regress(moments, n=40, sigma=sigma).noise == pytest.approx(expected, rel=1e-6)


def test_interval_and_errors_add_both_parts():
    found = regress([2.0, 2 * 2**0.5, 4.0], n=5, sigma=0.5)
    # s^2 = 2 / 4; the noise: (sigma^2 / 2) (1 + 1 + 1) / 2^2
    assert found.standard_errors[0] ** 2 == pytest.approx(0.25 + 0.125 * 3 / 4)
    interval = found.interval(0)
    assert (interval.lower + interval.upper) / 2 == pytest.approx(1)
    assert interval.length == pytest.approx(2 * 1.959964 * found.standard_errors[0])
    assert regress([1.0, 2**0.5, 0.5], n=5, sigma=0).sampling == 0  # of a negative variance


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regress([1.0, 2.0], n=5, sigma=0), "moments must have 3, 6, 10"),
        (lambda: regress([1.0], n=5, sigma=0), "moments must have 3, 6, 10"),
        (lambda: regress([-1.0, 2.0, 3.0], n=5, sigma=0), "moments must leave a positive"),
        (lambda: regress([1.0, 2.0, 3.0], n=1, sigma=0), "n must be"),
        (lambda: regress([1.0, 2.0, 3.0], n=5, sigma=-1), "sigma must be"),
        (lambda: regress([1.0, 2.0, 3.0], n=5, sigma=1).interval(1), "i must be"),
        (lambda: moments_mechanism(features=0, bound=1, rho=1), "features must be"),
        (lambda: moments_mechanism(features=1, bound=1, rho=1).query([1.0]), "data must have"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
