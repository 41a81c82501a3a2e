import numpy as np
import pytest

from dplab import ApproxDP, analytic_sigma
from dplab.accounting import Release, delta_bounds, most_queries
from dplab.accounting.loss_distribution import certainly_within
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.theorems.noise_curves import _largest_shift
from tests.refusals import assert_refused


@pytest.mark.parametrize("shift", [0.5, 0.1, 2**0.5 / 8])
def test_one_query_more_would_break_the_promise(shift):
    target = ApproxDP(1.0, 1e-6)
    for loss in (LaplaceLoss(shift), GaussianLoss(shift)):
        k = most_queries(target, loss)
        if k > 0:
            assert delta_bounds([Release(loss, k)], epsilon=1.0).upper <= 1e-6
        assert delta_bounds([Release(loss, k + 1)], epsilon=1.0).lower > 0.999e-6


@pytest.mark.parametrize("loss", [LaplaceLoss(0.1), GaussianLoss(0.1)])
def test_what_is_certainly_within_a_target_is_so_by_its_upper_bound(loss):
    releases = [Release(loss, 11)]
    upper = delta_bounds(releases, epsilon=1.0).upper
    for share in (0.1, 0.999, 1 - 1e-9, 1, 1.001, 10):
        assert certainly_within(releases, ApproxDP(1.0, share * upper)) == (share >= 1)


def test_no_normal_noise_is_pure():
    """Although the delta of one release is below all floats."""
    assert most_queries(ApproxDP(50, 0), GaussianLoss(1.0)) == 0
    assert most_queries(ApproxDP(49, 0), LaplaceLoss(5.0)) == 9
    assert most_queries(ApproxDP(900, 0), LaplaceLoss(1.5)) == 599  # not so 600, by rounding


def test_up_to_2_to_the_24_queries_are_counted():
    target = ApproxDP(1.0, 1e-6)
    mu = _largest_shift(target)
    for k in (2**23 + 5, 2**24 - 5):
        assert most_queries(target, GaussianLoss(mu / k**0.5)) in (k - 1, k)
    with pytest.raises(ValueError, match="fewer than 16777216 releases"):
        most_queries(target, GaussianLoss(mu / 2**12.1))


def test_laplace_takes_few_queries_and_normal_noise_many():
    """With the same standard deviation; the normal laws' count is known in closed form."""
    target, mu = ApproxDP(1.0, 1e-6), 1 / analytic_sigma(epsilon=1.0, delta=1e-6, sensitivity=1)
    few, many = ({sd: most_queries(target, kind(scale / sd)) for sd in (4, 20, 100)} for kind, scale
                 in ((LaplaceLoss, 2**0.5), (GaussianLoss, 1)))  # fmt: skip
    assert many == {sd: int(sd**2 * mu**2) for sd in (4, 20, 100)}
    assert few[4] == 2 > many[4] == 0
    assert few[20] == 14 < many[20] == 22
    assert many[100] / few[100] == pytest.approx(2, abs=0.1)


def test_a_stronger_promise_allows_fewer_queries():
    loss = LaplaceLoss(0.05)
    allowed = [most_queries(ApproxDP(1.0, delta), loss) for delta in (1e-12, 1e-6, 1e-2)]
    assert (np.diff(allowed) > 0).all()


def test_more_queries_than_can_be_counted_are_refused():
    calls = [
        (lambda: most_queries(ApproxDP(1, 0.5), GaussianLoss(1e-5)), "target must allow fewer"),
    ]
    assert_refused(calls)
