"""The account of dplab and dp_accounting's accountants: events and releases cost the same."""

import numpy as np
import pytest
from dp_accounting import NeighboringRelation
from dp_accounting import dp_event as dp
from dp_accounting.pld import PLDAccountant
from scipy.special import expit

from dplab import (
    ADD_REMOVE,
    REPLACE_ONE,
    ZCDP,
    ApproxDP,
    ExponentialMechanism,
    GaussianMechanism,
    GeometricMechanism,
    LaplaceMechanism,
    PureDP,
    RandomizedResponse,
    StabilityHistogram,
)
from dplab.accounting import Release, epsilon_bounds, sampled
from dplab.interop.dp_accounting import to_event, to_privacy_loss_distribution, to_releases
from dplab.learning import LOGISTIC, LinearModel, NoisyGradientDescent, PoissonTraining
from dplab.losses import (
    NO_LOSS,
    AtomicLoss,
    BinomialLoss,
    GaussianLoss,
    LaplaceLoss,
    fixed_size_sampled_loss,
)
from tests.refusals import assert_refused

REPLACED = NeighboringRelation.REPLACE_ONE
DELTA = 1e-5
STEP = 1e-4  # of the accountants' grid, in nats: their epsilon may be above the truth by so much

GAUSS, LAPLACE = dp.GaussianDpEvent, dp.LaplaceDpEvent
EXACT = [  # events with a loss in dplab that leads back to the event
    dp.SelfComposedDpEvent(GAUSS(20.0), 9),
    dp.SelfComposedDpEvent(LAPLACE(10.0), 50),
    dp.ComposedDpEvent([GAUSS(8.0), dp.SelfComposedDpEvent(LAPLACE(5.0), 3)]),
    dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.1, LAPLACE(2.0)), 30),
    dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.25, GAUSS(8.0)), 9),
    dp.SelfComposedDpEvent(dp.DiscreteLaplaceDpEvent(0.5, 1), 10),
]
WAYS = [  # mechanisms with an event
    GeometricMechanism(sum, 3, 0.5).clamp(0, 8),
    GeometricMechanism(sum, 3, 0.5, 2),
    RandomizedResponse(0.5),
    GaussianMechanism(sum, 1, 9, neighbors=ADD_REMOVE),
    GaussianMechanism(sum, 1, 9).compose(LaplaceMechanism(sum, 1, 0.5)),
    ExponentialMechanism("ab", lambda data: [0, 1], 1, 0.5),
    PureDP(0.7),
    BinomialLoss(3, *[(-0.5, 0.5), *[tuple(expit([x, -x])) for x in (-0.5, 0.5)]]),
]
WITHOUT_EVENT = [  # and what has a worst loss, but no event
    RandomizedResponse(0.5, k=3),
    StabilityHistogram(0.5, 1e-6),
    ApproxDP(0.5, 1e-6),
    AtomicLoss.of(np.log([0.7, 0.3]), np.log([0.4, 0.6])),
]


def ask(event, relation=NeighboringRelation.ADD_OR_REMOVE_ONE):
    return PLDAccountant(relation).compose(event).get_epsilon(DELTA)


def assert_within(epsilon, bounds):
    """An accountant's epsilon is not below the truth, and above it by two of its steps at most."""
    assert bounds.lower * (1 - 1e-9) <= epsilon <= bounds.upper * (1 + 1e-9) + 2 * STEP


@pytest.mark.parametrize("event", EXACT, ids=str)
def test_an_event_costs_the_same_in_both_accounts(event):
    releases = to_releases(event)
    bounds = epsilon_bounds(releases, delta=DELTA)
    assert bounds.gap < 1e-3
    assert_within(ask(event), bounds)
    assert to_event(releases) == event


@pytest.mark.parametrize(
    "event",
    [
        dp.RandomizedResponseDpEvent(0.2, 5),
        dp.RandomizedResponseDpEvent(0.2, 2),
        dp.RandomizedResponseDpEvent(0.5, 1),
        dp.SelfComposedDpEvent(GAUSS(20.0), 3),
        dp.PoissonSampledDpEvent(0.25, GAUSS(9.0)),
    ],
    ids=str,
)
def test_a_replaced_record_costs_the_same_in_both_accounts(event):
    releases = to_releases(event, neighbors=REPLACE_ONE)
    assert_within(ask(event, REPLACED), epsilon_bounds(releases, delta=DELTA))


def test_noise_counts_twice_if_a_record_is_replaced():
    twice = [to_releases(event, neighbors=REPLACE_ONE) for event in (GAUSS(4.0), LAPLACE(4.0))]
    assert twice == [[Release(GaussianLoss(0.5))], [Release(LaplaceLoss(0.5))]]
    [steps] = to_releases(dp.DiscreteLaplaceDpEvent(0.25, 3), neighbors=REPLACE_ONE)
    assert steps.mechanism.largest == 1.5
    sample = dp.SampledWithoutReplacementDpEvent(50, 10, LAPLACE(4.0))
    assert to_releases(sample, neighbors=REPLACE_ONE) == [
        Release(fixed_size_sampled_loss(LaplaceLoss(0.5), rate=0.2))
    ]


def test_events_without_a_loss_of_their_own():
    assert to_releases(dp.NoOpDpEvent()) == []
    often = dp.SelfComposedDpEvent(dp.SelfComposedDpEvent(LAPLACE(4.0), 3), 5)
    assert to_releases(often) == [Release(LaplaceLoss(0.25), 15)]
    assert to_releases(dp.ZCDpEvent(0.1)) == [Release(ZCDP(0.1))]
    [curve] = to_releases(dp.ZCDpEvent(0.1, 0.3))
    assert curve.mechanism.epsilons[0] == 0.3 + 0.1 * curve.mechanism.orders[0]
    for nothing in (dp.NonPrivateDpEvent(), GAUSS(0), LAPLACE(0), dp.DiscreteLaplaceDpEvent(0, 1)):
        assert epsilon_bounds(to_releases(nothing), delta=DELTA).lower == np.inf
    [open_answer] = to_releases(dp.RandomizedResponseDpEvent(0, 2), neighbors=REPLACE_ONE)
    assert open_answer == Release(ApproxDP(0.0, 1.0))
    [answer] = to_releases(dp.RandomizedResponseDpEvent(0.2, 5), neighbors=REPLACE_ONE)
    assert (answer.mechanism.p.sum(), answer.mechanism.q.sum()) == pytest.approx((1, 1))


def test_an_unknown_event_is_what_an_accountant_says():
    batch = dp.TruncatedSubsampledGaussianDpEvent(10, 0.5, 5, 30.0)
    [release] = to_releases(dp.SelfComposedDpEvent(batch, 3), delta=DELTA)
    assert release == Release(ApproxDP(ask(batch), DELTA), 3)
    [replaced] = to_releases(batch, neighbors=REPLACE_ONE, delta=DELTA)
    assert replaced.mechanism.epsilon > release.mechanism.epsilon > 0
    best_of_ten = dp.RepeatAndSelectDpEvent(GAUSS(4.0), 10.0, 1.0)  # for the Renyi accountant
    [release] = to_releases(best_of_ten, delta=DELTA)
    assert GaussianLoss(0.25).epsilon(DELTA) < release.mechanism.epsilon < 10
    open_part = dp.PoissonSampledDpEvent(0.5, GAUSS(0.0))
    assert to_releases(open_part, delta=DELTA) == [Release(ApproxDP(0.0, 1.0))]
    answer = dp.RandomizedResponseDpEvent(0.2, 5)
    assert_refused(
        [
            (lambda: to_releases(batch), "delta must be given, because dplab knows no loss"),
            (lambda: to_releases(batch, delta=0), "delta must be a finite number above 0"),
            (lambda: to_releases(answer, delta=DELTA), "no accountant .* AddRemoveOne"),
            (lambda: to_releases(dp.UnsupportedDpEvent(), delta=DELTA), "no accountant of dp_acc"),
            (lambda: to_releases("GaussianDpEvent"), "event must be a DpEvent, not 'Gaussian"),
            (lambda: to_releases(batch, neighbors="all"), "neighbors must be one of"),
        ]
    )


@pytest.mark.parametrize(
    "wrap",
    [
        lambda event: dp.SampledWithoutReplacementDpEvent(100, 100, dp.ComposedDpEvent([event])),
        lambda event: dp.SampledWithoutReplacementDpEvent(
            100, 100, dp.SelfComposedDpEvent(event, 1)
        ),
        lambda event: dp.RepeatAndSelectDpEvent(event, 1.0, 1.0),
    ],
)
def test_an_accountant_lets_a_replaced_record_move_a_sum_twice_as_far(wrap):
    [release] = to_releases(wrap(GAUSS(1.0)), neighbors=REPLACE_ONE, delta=DELTA)
    assert release.mechanism.epsilon >= GaussianLoss(2.0).epsilon(DELTA)


@pytest.mark.parametrize("source", WAYS, ids=lambda source: type(source).__name__)
def test_a_mechanism_costs_the_same_as_its_event(source):
    pure = source.guarantee if isinstance(source, ExponentialMechanism) else source
    bounds = epsilon_bounds([Release(pure, 2)], delta=DELTA)
    assert_within(ask(to_event([Release(source, 2)])), bounds)


def test_the_sample_of_a_mechanism_is_its_event():
    mechanism = sampled(LaplaceMechanism(sum, 1, 0.5, neighbors=ADD_REMOVE), rate=0.1)
    event = dp.PoissonSampledDpEvent(0.1, LAPLACE(2.0))
    assert to_releases(event) == [Release(mechanism.worst_case)]
    for source in (mechanism, mechanism.worst_case, mechanism.worst_case.reverse()):
        assert to_event(source) == event
    assert to_event(Release(mechanism)) == event


def test_a_training_is_an_event_of_all_its_steps():
    how = {"clip": 1.0, "noise_multiplier": 30.0, "steps": 20, "learning_rate": 1.0}
    descent = NoisyGradientDescent(LOGISTIC, 500, **how)
    assert to_event(descent) == dp.GaussianDpEvent(30 / 2 / np.sqrt(20))
    training = PoissonTraining(LinearModel(LOGISTIC, 2), rate=0.25, batch_size=50, **how)
    step = dp.PoissonSampledDpEvent(0.25, GAUSS(30.0))
    assert to_event(training) == dp.SelfComposedDpEvent(step, 20)


@pytest.mark.parametrize("source", WITHOUT_EVENT, ids=lambda source: type(source).__name__)
def test_a_loss_without_an_event_is_put_on_the_grid(source):
    with pytest.raises(ValueError, match="no event with the loss"):
        to_event(source)
    releases = [Release(source, 3), Release(LaplaceLoss(0.25))]
    total = to_privacy_loss_distribution(releases)
    bounds = epsilon_bounds(releases, delta=DELTA)
    assert_within(total.get_epsilon_for_delta(DELTA), bounds)


def test_both_directions_of_a_loss_are_on_the_grid():
    """A sample costs more if the record is removed than if it is added."""
    [sample] = to_releases(dp.PoissonSampledDpEvent(0.1, LAPLACE(1.0)))
    both = [
        to_privacy_loss_distribution(loss).get_epsilon_for_delta(DELTA)
        for loss in (sample.mechanism, sample.mechanism.reverse())
    ]
    assert both[0] == pytest.approx(both[1], rel=1e-9)
    assert both[0] == pytest.approx(sample.mechanism.epsilon(DELTA), abs=STEP)


def test_releases_that_no_account_adds_up_are_refused():
    noise = GaussianMechanism(sum, 1, 2), GaussianMechanism(sum, 1, 2, neighbors=ADD_REMOVE)
    assert to_event([Release(NO_LOSS), Release(PureDP(0))]) == dp.ComposedDpEvent(
        [dp.NoOpDpEvent(), dp.NoOpDpEvent()]
    )
    assert to_event(ZCDP(0.125)) == dp.ZCDpEvent(0.125)
    assert_refused(
        [
            (lambda: to_event([Release(each) for each in noise]), "same neighbors"),
            (lambda: to_event([]), "releases must not be empty"),
            (lambda: to_privacy_loss_distribution(ZCDP(0.1)), "must have worst losses, and ZCDP"),
            (lambda: to_privacy_loss_distribution(PureDP(0.1), step=0), "step must be .* above 0"),
        ]
    )
