"""Each mechanism's numbers follow from what it states: guarantee, prices, account, exact losses.

Mechanisms are those of `test_secret_data`, where a new one fails until it has an example.
"""

import pytest

from dplab import ADD_REMOVE, ZCDP, ApproxDP, BoundedRange, ExactMechanism, PureDP
from dplab.accounting import Release, delta_bounds
from dplab.accounting.releases import worst_loss
from tests.dplab.test_secret_data import MECHANISMS

WRONG = {"QuietAnswers", "QuietThreshold", "ShownAnswers", "Unlimited", "Unscaled"}  # on purpose
EXACT = [name for name, (m, _) in MECHANISMS.items() if isinstance(m, ExactMechanism)]
WITHOUT_EXACT_LOSS = {  # the distributions are known, but not their loss
    "CauchyMechanism",
    "LogNormalMechanism",
    "SmoothLaplaceMechanism",
    "StudentMechanism",
    "ProposeTestRelease of a median",
    "ObjectivePerturbation",
    "SphericalLaplaceMechanism",
    "SphericalLaplaceMechanism of a risk",
}
ATTAINED = {
    "ClippedMean",
    "GaussianMechanism",
    "GeometricMechanism",
    "LaplaceMechanism",
    "RandomizedResponse",
}
NOT_ATTAINED = {
    "AboveThreshold",
    "ClampedMechanism",
    "DiscreteGaussianMechanism",
    "ExponentialMechanism",
    "KernelDensity",
    "PostProcessed",
}
EPSILONS = [-1.0, -0.2, 0.0, 0.1, 0.3, 0.45, 1.0, 2.0]


def prices_of(mechanism):
    """Yield the price in each kind of guarantee that has one."""
    for kind in (PureDP, ApproxDP, ZCDP, BoundedRange):
        try:
            yield mechanism.price_in(kind)
        except ValueError:
            continue


@pytest.mark.parametrize("k", [1, 8])
@pytest.mark.parametrize("name", MECHANISMS)
def test_an_account_costs_no_more_than_any_price(name, k):
    mechanism = MECHANISMS[name][0]
    prices = list(prices_of(mechanism))
    assert mechanism.guarantee in prices
    for price in prices:
        total = k * price
        if isinstance(total, BoundedRange):
            total = total.to_zcdp()
        if isinstance(total, ZCDP):
            total = total.to_approx(1e-4)
        approx = total.convert_to(ApproxDP)
        delta = delta_bounds([Release(mechanism, k)], epsilon=approx.epsilon * (1 + 1e-8)).upper
        assert delta <= approx.delta * 1.01  # curves have some orders only


def neighbors_of(mechanism, data):
    """Yield datasets with the record in question and without it, or with another one."""
    for i in range(len(data)):
        if mechanism.neighbors == ADD_REMOVE:
            yield data, [*data[:i], *data[i + 1 :]]
        else:
            yield from ((data, [*data[:i], other, *data[i + 1 :]]) for other in data)


@pytest.mark.parametrize("name", sorted(set(EXACT) - WRONG))
def test_the_worst_case_dominates_exact_losses_in_both_directions(name):
    """And the loss of a tight one is that of some neighbours, if one number moves by all it may."""
    mechanism, data = MECHANISMS[name]
    data = data[:2] if name == "Interaction" else data  # it enumerates all transcripts
    cost, shares = mechanism.worst_case, []
    worst = worst_loss(cost.to_pure() if isinstance(cost, BoundedRange) else cost)
    for x, y in neighbors_of(mechanism, data):
        try:
            losses = mechanism.privacy_loss(x, y), mechanism.privacy_loss(y, x)
        except ValueError:
            continue  # no exact loss of these distributions is known
        for loss, limit in zip(losses, (worst, worst.reverse()), strict=True):
            pairs = [(loss.delta(e), limit.delta(e)) for e in EPSILONS]
            assert max(a - b for a, b in pairs) <= 1e-9
            shares.append(min(a / b for a, b in pairs if b))
    assert shares or name in WITHOUT_EXACT_LOSS
    assert name not in ATTAINED or max(shares) == pytest.approx(1)
    assert mechanism.is_tight or name not in ATTAINED
    assert not (mechanism.is_tight and name in NOT_ATTAINED)
