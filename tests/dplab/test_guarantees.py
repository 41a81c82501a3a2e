import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from dplab.accounting import RenyiCurve, TradeOff
from dplab.bisection import edge
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP
from dplab.losses import NO_LOSS, GaussianLoss, LaplaceLoss
from dplab.mechanisms.randomized_response import CoinSurvey, RandomizedResponse
from dplab.theorems.bounded_range import extremal_pair
from tests.dplab.strategies import epsilons
from tests.refusals import assert_refused

deltas = st.floats(min_value=1e-12, max_value=0.1)


def test_promises_of_one_kind_add_up():
    assert PureDP(0.5) + PureDP(0.25) == PureDP(0.75)
    assert ApproxDP(1, 1e-6) + ApproxDP(2, 1e-6) == ApproxDP(3, 2e-6)
    assert ZCDP(0.1) + ZCDP(0.2) == ZCDP(0.1 + 0.2)
    assert RenyiDP(2, 0.1) + RenyiDP(2, 0.2) == RenyiDP(2, 0.1 + 0.2)
    assert BoundedRange(1) + BoundedRange(2) == BoundedRange(3)


def test_a_delta_of_a_sum_is_a_probability():
    assert ApproxDP(1, 0.7) + ApproxDP(2, 0.6) == ApproxDP(3, 1.0)


def test_what_no_promise_can_have_is_named():
    cases = [
        (lambda: RenyiDP(2, -0.5), "epsilon"),
        (lambda: RenyiDP(1, 0.5), "alpha"),
        (lambda: ZCDP(0.5).delta(-0.5), "epsilon"),
        (lambda: ZCDP(0.5).to_renyi(1), "alpha"),
        (lambda: PureDP(0.5).to_renyi(1), "alpha"),
        *(
            (lambda delta=delta: RenyiDP(2, 0.5).to_approx(delta), "delta")
            for delta in (0, -0.5, 1)
        ),
        *((lambda delta=delta: ZCDP(0.5).to_approx(delta), "delta") for delta in (0, -0.5, 1)),
        (
            lambda: RenyiDP(3, 0.1).group(2),
            "k must be a power of 2, at most alpha / 2 = 1.5, not 2",
        ),
        *(
            (lambda promise=promise: promise.group(10**400), "k must be a finite number")
            for promise in (PureDP(1), ApproxDP(1, 1e-6), ApproxDP(0, 1e-6), ZCDP(1))
        ),
        (lambda: ZCDP(1).group(10**200), "rho must be a finite number"),
    ]
    assert_refused([(call, f"^{named}") for call, named in cases])


def test_promises_of_two_kinds_must_be_converted_first():
    with pytest.raises(ValueError, match="convert first"):
        PureDP(1) + ZCDP(1)
    with pytest.raises(ValueError, match="orders must agree"):
        RenyiDP(2, 1) + RenyiDP(3, 1)


def test_renyi_promises_of_two_orders_do_not_add_up():
    for first, second in ((2, 3), (3, 2)):
        with pytest.raises(ValueError, match="orders must agree to compose"):
            RenyiDP(first, 0.5) + RenyiDP(second, 0.5)


@pytest.mark.parametrize(("k", "factor"), [(1, 1), (2, 3.71828), (5, 85.791), (10, 12818.3)])
def test_the_delta_of_a_group_grows_with_its_chain(k, factor):
    group = ApproxDP(1.0, 1e-9).group(k)
    assert group.epsilon == k
    assert group.delta == pytest.approx(1e-9 * factor, rel=1e-5)


@given(st.floats(0, 3), st.floats(1e-300, 1), st.integers(1, 60))
def test_the_delta_of_a_group_is_the_sum_along_its_chain(epsilon, delta, k):
    expected = delta * np.exp(epsilon * np.arange(k)).sum()
    assert ApproxDP(epsilon, delta).group(k).delta == pytest.approx(min(1, expected), rel=1e-9)


def test_groups_of_any_size_and_epsilon():
    assert ApproxDP(0.5, 0).group(1420) == ApproxDP(710.0, 0.0)
    assert ApproxDP(0.5, 1e-300).group(10**9) == ApproxDP(5e8, 1.0)
    assert ApproxDP(1e-12, 1e-15).group(1000).delta == pytest.approx(1e-12, rel=1e-8)
    assert ApproxDP(800.0, 1e-300).group(2).delta == 1.0
    assert ZCDP(1e-300).group(10**200).rho == pytest.approx(1e100)


@pytest.mark.parametrize(
    "promise",
    [PureDP(1), ApproxDP(1, 1e-6), ApproxDP(1, 0), ZCDP(1), RenyiDP(64, 1), BoundedRange(1)],
)
def test_a_group_has_a_whole_number_of_people(promise):
    with np.errstate(all="raise"):
        assert vars(promise.group(1)) == pytest.approx(vars(promise), rel=1e-14)
    for k in (0, -1, 1.5):
        with pytest.raises(ValueError, match="k must be a whole number of at least 1"):
            promise.group(k)


@given(st.floats(1.001, 200), st.integers(1, 7))
def test_a_renyi_promise_of_a_group_needs_an_order_twice_as_large(alpha, doublings):
    k = 2**doublings
    assert RenyiDP(alpha, 0.1).group(1) == RenyiDP(alpha, 0.1)
    if alpha >= 2 * k:
        assert RenyiDP(alpha, 0.1).group(k).alpha == alpha / k
    else:
        with pytest.raises(ValueError, match="k must be a power of 2, at most alpha / 2"):
            RenyiDP(alpha, 0.1).group(k)


def test_without_a_loss_there_is_no_epsilon():
    for delta in (1e-6, 1e-310):
        assert ZCDP(0).to_approx(delta) == ApproxDP(0, delta)
    assert ZCDP(0).delta(0) == 0


@given(st.floats(1e-12, 1), st.floats(1.01, 100))
def test_renyi_of_a_small_epsilon_has_all_its_digits(epsilon, alpha):
    """The closed form, log(cosh t + tanh(epsilon / 2) sinh t) / (alpha - 1), in 60 digits."""
    with mpmath.workdps(60):
        e, a = mpmath.mpf(epsilon), mpmath.mpf(alpha)
        t = (a - 1) * e
        moment = mpmath.cosh(t) + mpmath.tanh(e / 2) * mpmath.sinh(t)
        expected = float(mpmath.log(moment) / (a - 1))
    assert PureDP(epsilon).to_renyi(alpha).epsilon == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize(
    "promise", [PureDP(0), ApproxDP(0, 0), ZCDP(0), RenyiDP(2, 0), BoundedRange(0)]
)
def test_what_says_nothing_keeps_a_promise_of_nothing(promise):
    assert promise.holds_for(NO_LOSS)


def test_a_small_delta_of_zcdp_is_no_trouble():
    """1 / delta overflows."""
    assert ZCDP(0.5).to_approx(1e-320).epsilon == pytest.approx(38.6, abs=0.5)


@given(st.floats(1e-6, 50), st.floats(0, 200))
def test_the_delta_of_zcdp_is_the_least_over_all_orders(rho, epsilon):
    """Off any grid: no order of 40,000 does better, and the best of them hardly worse."""
    orders = 1 + np.geomspace(1e-7, 1e9, 40_001)
    logs = (orders - 1) * (rho * orders - epsilon) + orders * np.log1p(-1 / orders)
    least = np.exp(min(0.0, (logs - np.log(orders - 1)).min()))
    found = ZCDP(rho).delta(epsilon)
    assert found <= least * (1 + 1e-6)
    assert found == pytest.approx(least, rel=2e-2, abs=1e-300)


@given(st.floats(1e-4, 5), st.floats(-30, -0.5))
def test_epsilon_and_delta_of_zcdp_are_inverses(rho, log_delta):
    epsilon = ZCDP(rho).to_approx(np.exp(log_delta)).epsilon
    if epsilon > 0:
        assert ZCDP(rho).delta(epsilon) == pytest.approx(np.exp(log_delta), rel=1e-5)


@settings(max_examples=40)
@given(
    st.floats(-12, 6),
    st.floats(-300, -1e-9).map(lambda x: 10**x) | st.floats(-15, -1).map(lambda x: 1 - 10**x),
)
def test_no_order_is_better_than_the_one_that_zcdp_is_converted_at(log_rho, delta):
    """However close to 1 it is: orders from 1 + 10^-25 to 10^160, in 50 digits."""
    rho = 10**log_rho
    found = ZCDP(rho).to_approx(delta).epsilon
    with mpmath.workdps(50):

        def epsilon(t):
            rest = (mpmath.log(delta) + mpmath.log1p(t)) / t
            return rho * (1 + t) - mpmath.log1p(1 / t) - rest

        best = min(epsilon(mpmath.mpf(10) ** x) for x in np.arange(-25, 160, 0.5))
    assert found <= max(0, float(best)) * (1 + 1e-12) + 1e-12
    assert found == 0 or ZCDP(rho).delta(found * (1 + 1e-9)) <= delta


def test_groups_of_the_other_promises():
    assert PureDP(0.5).group(3) == PureDP(1.5)
    assert ZCDP(0.5).group(3) == ZCDP(4.5)
    assert BoundedRange(0.5).group(3) == BoundedRange(1.5)
    assert RenyiDP(16, 0.1).group(4) == RenyiDP(4, 9 * 0.1)
    with pytest.raises(ValueError, match="power of 2"):
        RenyiDP(16, 0.1).group(3)


@given(epsilons, st.floats(min_value=1.01, max_value=30))
def test_renyi_of_pure_dp_is_that_of_randomized_response(epsilon, alpha):
    loss = RandomizedResponse(epsilon).privacy_loss(0, 1)
    assert PureDP(epsilon).to_renyi(alpha).epsilon == pytest.approx(loss.renyi(alpha), abs=1e-9)


@pytest.mark.parametrize(("epsilon", "rho"), [(1, 0.462117), (4, 3.85611)])
def test_zcdp_of_pure_dp_is_tight(epsilon, rho):
    """epsilon tanh(epsilon / 2): the supremum over orders of the Renyi divergence over alpha."""
    assert PureDP(epsilon).to_zcdp().rho == pytest.approx(rho, rel=1e-5)
    alphas = 1 + np.logspace(-6, 3, 2000)
    slopes = [PureDP(epsilon).to_renyi(alpha).epsilon / alpha for alpha in alphas]
    assert max(slopes) == pytest.approx(rho, rel=1e-3)


@given(st.floats(min_value=0.01, max_value=4), deltas)
def test_zcdp_converts_between_the_truth_and_the_simple_bound(rho, delta):
    """The truth is the delta of the normal mechanism with sigma^2 = 1/(2 rho): it has this rho."""
    epsilon = ZCDP(rho).to_approx(delta).epsilon
    assert epsilon <= rho + 2 * np.sqrt(rho * np.log(1 / delta)) + 1e-9
    mu = np.sqrt(2 * rho)
    true_delta = norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(
        -mu / 2 - epsilon / mu
    )
    assert true_delta <= delta * (1 + 1e-9)


def test_renyi_conversion_bounds_the_delta_of_its_worst_loss():
    """At order alpha the bound on delta is max_z (1 - e^{eps - z}) / e^{(alpha - 1)(z - tau)}."""
    alpha, tau, delta = 5.0, 0.7, 1e-3
    epsilon = RenyiDP(alpha, tau).to_approx(delta).epsilon
    z = np.linspace(epsilon, epsilon + 20, 200_001)
    worst = (-np.expm1(epsilon - z) * np.exp(-(alpha - 1) * (z - tau))).max()
    assert worst == pytest.approx(delta, rel=1e-6)


def test_bounded_range_promises():
    assert BoundedRange(0.5).to_pure() == PureDP(0.5)
    assert BoundedRange(2).to_zcdp() == ZCDP(0.5)
    assert PureDP(0.5).to_bounded_range() == BoundedRange(1.0)


@given(st.floats(min_value=1e-3, max_value=40))
def test_what_a_promise_implies_by_itself(epsilon):
    """The best of each kind; what needs a delta or an order to be chosen is refused."""
    pure, rho = PureDP(epsilon), epsilon * np.tanh(epsilon / 2)
    for same in (pure, ApproxDP(epsilon, 0)):
        assert same.convert_to(PureDP) == pure
        assert same.convert_to(ApproxDP) == ApproxDP(epsilon, 0)
        assert same.convert_to(ZCDP).rho == pytest.approx(rho)
        assert same.convert_to(BoundedRange) == BoundedRange(2 * epsilon)
    ranged = BoundedRange(epsilon)
    assert ranged.convert_to(BoundedRange) is ranged
    assert ranged.convert_to(PureDP) == pure
    assert ranged.convert_to(ApproxDP) == ApproxDP(epsilon, 0)
    assert ranged.convert_to(ZCDP).rho == pytest.approx(min(epsilon**2 / 8, rho))
    for promise in (ApproxDP(epsilon, 1e-300), ZCDP(epsilon), RenyiDP(2, epsilon)):
        assert promise.convert_to(type(promise)) is promise
        for kind in {PureDP, ApproxDP, ZCDP, RenyiDP, BoundedRange} - {type(promise)}:
            with pytest.raises(ValueError, match=f"implies no {kind.__name__} by itself"):
                promise.convert_to(kind)


@given(st.floats(min_value=1e-3, max_value=15), st.floats(min_value=0.01, max_value=0.99))
def test_what_keeps_a_promise_keeps_what_it_implies(eta, share):
    """Two atoms whose loss has range eta, at any place; and the coin, the worst of epsilon-DP."""
    loss = privacy_loss(*extremal_pair(eta=eta, largest=share * eta))
    for kind in (PureDP, ApproxDP, ZCDP, BoundedRange):
        assert BoundedRange(eta).convert_to(kind).holds_for(loss)
        assert PureDP(eta).convert_to(kind).holds_for(RandomizedResponse(eta).worst_case)


KEPT = [  # a promise, a loss that just keeps it, and promises that it just breaks
    (PureDP(0.7), LaplaceLoss(0.7), [PureDP(0.6999)]),
    (
        ApproxDP(0.5, GaussianLoss(1.0).delta(0.5)),
        GaussianLoss(1.0),
        [ApproxDP(0.4999, GaussianLoss(1.0).delta(0.5)), PureDP(50.0)],
    ),
    (ZCDP(0.5), GaussianLoss(1.0), [ZCDP(0.4999)]),
    (
        PureDP(3.0).to_zcdp(), RandomizedResponse(3.0).worst_case,
        [ZCDP(PureDP(3.0).to_zcdp().rho * 0.99)],
    ),
    (RenyiDP(3.0, 1.5), GaussianLoss(1.0), [RenyiDP(3.0, 1.4999), RenyiDP(3.001, 1.5)]),
    (BoundedRange(1.4), LaplaceLoss(0.7), [BoundedRange(1.3999)]),
    (
        RenyiCurve((2.0, 3.0), (1.0, 1.5)),
        GaussianLoss(1.0),
        [RenyiCurve((2.0, 3.0), (1.0, 1.4999)), RenyiCurve((2.0, 3.0), (0.9999, 1.5))],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("promise", "loss", "stronger"), KEPT)
def test_a_promise_knows_what_keeps_it(promise, loss, stronger):
    assert promise.holds_for(loss)
    assert promise.holds_for(NO_LOSS)
    assert not any(other.holds_for(loss) for other in stronger)


class Asked:
    """A loss that notes at which orders somebody looks at its divergence."""

    def __init__(self):
        self.orders = []

    def renyi(self, alpha):
        self.orders.append(alpha)
        return 0.0


def test_zcdp_is_looked_at_from_order_1_01_to_30():
    """At 25 orders, whose distances to 1 grow by the same factor each."""
    loss = Asked()
    assert ZCDP(0.5).holds_for(loss)
    assert np.log(np.array(loss.orders) - 1) == pytest.approx(np.linspace(*np.log([0.01, 29]), 25))


def test_nothing_infinite_keeps_a_promise_but_with_a_delta():
    loss = CoinSurvey(0.4).privacy_loss(0, 1)
    assert loss.infinite == pytest.approx(0.4)
    for promise in (PureDP(9), ZCDP(9), RenyiDP(2, 9), BoundedRange(9), ApproxDP(9, 0.39)):
        assert not promise.holds_for(loss)
    assert ApproxDP(0, 0.4).holds_for(loss)


def test_a_curve_goes_to_groups_at_the_orders_that_are_large_enough():
    curve = RenyiCurve((1.5, 4.0, 9.0), (0.1, 0.2, 0.3))
    assert curve.group(1) == curve
    assert curve.group(2) == RenyiCurve((2.0, 4.5), (3 * 0.2, 3 * 0.3))
    with pytest.raises(ValueError, match="k must be at most half of the largest order, not 8"):
        curve.group(8)
    with pytest.raises(ValueError, match="k must be a power of 2"):
        curve.group(3)


def test_orders_of_the_normal_law_have_equal_slope():
    """KL of two unit normals one apart is 1/2, and every order alpha has alpha / 2 (rho = 1/2)."""
    kl = quad(lambda y: norm.pdf(y, 1) * (norm.logpdf(y, 1) - norm.logpdf(y)), -12, 12)[0]
    assert ZCDP(0.5).to_renyi(1 + 1e-9).epsilon == pytest.approx(kl, rel=1e-6)


def test_impossible_promises_are_refused():
    calls = [
        (lambda: PureDP(-1), "epsilon must be a finite number at least 0, not -1"),
        (lambda: PureDP(float("inf")), "epsilon must be a finite number"),
        (
            lambda: ApproxDP(1, 1.5),
            "delta must be a finite number at least 0 and at most 1, not 1.5",
        ),
        (lambda: RenyiDP(1, 1), "alpha must be a finite number above 1, not 1"),
        (lambda: ZCDP(1).to_approx(0), "delta must be a finite number above 0 and below 1, not 0"),
        (lambda: PureDP(1).group(0), "k must be a whole number of at least 1, not 0"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize("first", [0.05, 0.5, 0.95])
def test_ranges_of_choices_that_adapt_add_up_to_more(first):
    """Two coins of range 1, the second chosen by the first: losses from near -2 to near 2. That is
    more than the sum of ranges says, and no more than what they are converted to.
    """

    def coin(low):  # losses low and low + 1: shape (answers, laws)
        heads = np.expm1(-low) / (np.exp(-low) - np.exp(-low - 1))  # of the larger one
        here: np.ndarray = np.array([1 - heads, heads])
        return np.column_stack([here, here * np.exp([-low, -low - 1])])

    def loss_of(laws):
        return privacy_loss(*(Finite(range(len(law)), np.log(law)) for law in laws.T))

    one, after_low, after_high = coin(-first), coin(-0.999), coin(-0.001)
    for coins in (one, after_low, after_high):
        assert loss_of(coins).largest - loss_of(coins).smallest == pytest.approx(1)
    loss = loss_of(np.concatenate([one[0] * after_low, one[1] * after_high]))
    assert loss.largest - loss.smallest == pytest.approx(2.998)
    assert not (BoundedRange(1) + BoundedRange(1)).holds_for(loss)
    assert (BoundedRange(1).to_zcdp() + BoundedRange(1).to_zcdp()).holds_for(loss)
    assert (BoundedRange(1).to_pure() + BoundedRange(1).to_pure()).holds_for(loss)


@pytest.mark.parametrize("delta", [1e-300, 1e-50, 1e-20, 1e-17, 1e-6])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 30.0])
def test_a_tiny_delta_is_kept_by_no_larger_one(epsilon, delta):
    mu = edge(lambda mu: GaussianLoss(mu).delta(epsilon) <= delta)[0]
    assert ApproxDP(epsilon, delta).holds_for(GaussianLoss(mu))
    assert not ApproxDP(epsilon, delta).holds_for(GaussianLoss(1.01 * mu))
    assert not ApproxDP(epsilon, 0).holds_for(GaussianLoss(mu))


def test_laws_next_to_each_other_are_kept_apart_by_a_trade_off():
    promise = TradeOff(GaussianLoss(1e-10))
    assert promise.holds_for(promise.loss)
    assert not promise.holds_for(GaussianLoss(1e-9))
