"""The numbers of lesson 25; what is random among them is so by the lesson's generator."""

import numpy as np


def after_outcome(survey):
    """What the text says of 500 and of 10,000 people; at 10,000 both intervals are nearly right."""
    coverage = [type(survey)(n, survey.noise).coverage(0.3) for n in (500, 950, 10_000)]
    assert np.allclose(coverage, [0.779, 0.844, 0.939], atol=0.002)
    assert abs(survey.coverage(0.3, method="normal") - 0.95) < 0.002


def after_by_hand(ends, exact):
    """A simulated tail of 2.5% has a deviation of 0.25 points: ten of them move the end by 0.02."""
    assert np.allclose(ends, [exact.lower, exact.upper], atol=0.03)


def after_tulap_check(law, t, fastest):
    """The distribution function rises as fast as privacy allows."""
    assert np.allclose(law.cdf(t + 1), fastest)


def after_length_code(least, ours):
    """Both at epsilon = 1; at 0.1 the text says 4.2 and 6 over epsilon."""
    from dplab.theorems.interval_length import geometric_counts, least_counts

    assert least < ours
    assert (round(least, 2), ours) == (4.09, 7)
    assert abs(least_counts(epsilon=0.01, alpha=0.05, n=10_000, count=5000) - 419) < 2
    assert abs(geometric_counts(epsilon=0.01, alpha=0.05) - 600) < 3


def after_p_values(survey, noisy, test):
    """The p-value falls with the share, and the test's threshold is above half."""
    p_values = [survey.p_value(noisy, share, "less") for share in (0.25, 0.35, 0.5)]
    assert p_values == sorted(p_values, reverse=True)
    assert 275 < test.threshold < 285


def after_power(people, power):
    """The last curve has nearly no noise: 80% from some 155 people on, as the text says."""
    assert 150 <= people[np.argmax(np.array(power) > 0.8)] <= 185


def after_bootstrap_run(naive, bootstrap):
    """80% and 94% of 400: by Chernoff's bound both fail with probability below 1e-11."""
    assert abs(naive - 0.8) < 0.19
    assert bootstrap > 0.83


def after_patients(sums):
    """The epsilon that the text names as 50% to 61%."""
    assert abs(sums.guarantee.to_approx(1e-6).epsilon - 0.43) < 0.005
    assert np.linalg.norm([0.5, 0.5, 0.5]) < 0.9  # nobody is shortened, but for the farthest sleep


def after_regression_coverage(lines):
    """21% and 95% of 200: by Chernoff's bound both fail with probability below 1e-12."""
    errors = np.array([abs(line.coefficients[1] + 0.3) for line in lines])
    naive, counted = (
        1.96 * np.array([getattr(line, kind)[1] for line in lines])
        for kind in ("naive_errors", "standard_errors")
    )
    assert np.mean(errors <= naive) < 0.5
    assert np.mean(errors <= counted) > 0.75


def after_bias(empty, least_bias):
    """Lesson 15's town; the mechanism's bias is within a factor of two of the least."""
    assert round(1220 * empty[0]) == 1171
    assert least_bias(1 / 2) < empty[0] < 2 * least_bias(1 / 2)


def after_synthetic_code(error, DiscreteLaplace):
    """A million synthetic people: the claim is thirty times too small."""
    assert abs(DiscreteLaplace(0, 2).variance - 7.84) < 0.005
    assert error.coverage() < 0.06
    assert 25 < (error.total / error.claimed) ** 0.5 < 35


def after_sign_code(far_below, mine, c, synthetic_error):
    """Claim 3: 0.897 of 20,000 surveys, a deviation of 0.2 points. Claim 2: 1.4 points."""
    assert (far_below.lower, far_below.upper) == (0, 0)
    assert abs((abs(c - 0.3) <= mine).mean() - 0.897) < 0.015
    ten = synthetic_error(0.3, n=2000, cells=40, variance=7.84, synthetic_people=20_000)
    assert abs(ten.total**0.5 - 0.014) < 0.0005


def after_covariance_code(measured, draws):
    """Variances of 500 draws have a deviation of 6.3%: eight of them, and the second order."""
    assert np.allclose(np.diag(measured), np.diag(draws[0].noise), rtol=0.55)


def after_tracing_code(share_found):
    """The longest intervals, +-0.5, hide the members: 18% of 100, below 1e-11."""
    assert share_found < 0.5
