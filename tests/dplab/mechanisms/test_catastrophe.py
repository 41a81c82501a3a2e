import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ADD_REMOVE
from dplab.audit import exact_delta, exact_epsilon, goodness_of_fit
from dplab.distributions import Finite, Product
from dplab.guarantees import ApproxDP
from dplab.mechanisms.catastrophe import Everything, NameAndShame, OrEverything, RandomRows
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from tests.dplab.draws import Always
from tests.refusals import assert_refused

deltas = st.floats(0.01, 0.99)


@given(deltas, st.integers(1, 3))
def test_name_and_shame_is_zero_delta_private_and_no_less(delta, n):
    audit = exact_delta(NameAndShame(delta), universe=(0, 1), n=n, epsilon=0)
    assert audit == pytest.approx(delta)
    assert exact_delta(NameAndShame(delta), (0, 1), n, epsilon=5) == pytest.approx(delta)
    assert exact_epsilon(NameAndShame(delta), (0, 1), n).epsilon == np.inf


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (4, 3), (5, 2)])
def test_random_rows_have_total_variation_k_over_n(n, k):
    release = RandomRows(n, k)
    everybody = tuple(range(n))
    with_another = (*everybody[:-1], n)
    assert release.privacy_loss(everybody, with_another).delta(0) == pytest.approx(k / n)
    assert release.guarantee == ApproxDP(0, k / n)


def test_random_rows_keep_their_promise_for_all_data():
    """Where two people have the same record, less shows than k / n."""
    assert exact_delta(RandomRows(3, 2), universe=(0, 1, 2), n=3, epsilon=0) == pytest.approx(2 / 3)
    same = RandomRows(2).privacy_loss(("a", "a"), ("a", "b"))
    assert same.delta(0) == pytest.approx(1 / 2)


@given(deltas, st.floats(0.1, 3))
def test_or_everything_keeps_epsilon_and_adds_delta(delta, epsilon):
    both = OrEverything(RandomizedResponse(epsilon), delta)
    assert both.guarantee == ApproxDP(epsilon, delta)
    assert exact_delta(both, (0, 1), n=2, epsilon=epsilon) == pytest.approx(delta)
    below = exact_delta(both, (0, 1), n=2, epsilon=epsilon / 2)
    alone = exact_delta(RandomizedResponse(epsilon), (0, 1), n=2, epsilon=epsilon / 2)
    assert below == pytest.approx(delta + (1 - delta) * alone)


def test_or_everything_adds_to_the_delta_that_was_there():
    both = OrEverything(NameAndShame(0.1), 0.2)
    assert both.guarantee == ApproxDP(0, 0.28)
    assert exact_delta(both, ("a", "b"), n=2, epsilon=0) == pytest.approx(0.28)


def test_or_everything_answers_on_no_records_too():
    count = GeometricMechanism(len, 1, 1, neighbors=ADD_REMOVE).clamp(0, 2)
    risky = OrEverything(count, delta=0.25)
    assert risky.distribution(()).log_density(Everything(())) == pytest.approx(np.log(0.25))
    draws = [risky((), np.random.default_rng(seed)) for seed in range(100)]
    assert Everything(()) in draws  # but for 0.75^100 < 1e-12
    assert exact_delta(risky, universe=(0,), n=1, epsilon=1.0) == pytest.approx(0.25)


def test_draws_follow_the_laws():
    """Three tests at 1e-10: false-failure probability 3e-10."""
    rng, people = np.random.default_rng(), (3, 5, 8)
    silent = {None: 0}
    draws = [NameAndShame(0.3)(people, rng) for _ in range(4000)]
    numbers = np.array([[silent.get(part, part) for part in draw] for draw in draws])
    assert goodness_of_fit(numbers, Product([Finite.of({x: 0.3, 0: 0.7}) for x in people])).passed
    rows = [10 * a + b for a, b in (RandomRows(3, 2)(people, rng) for _ in range(4000))]
    assert goodness_of_fit(rows, Finite.of({35: 1 / 3, 38: 1 / 3, 58: 1 / 3})).passed
    both = OrEverything(RandomizedResponse(1.0), 0.25)
    exposed = [isinstance(both([1], rng), Everything) for _ in range(4000)]
    assert goodness_of_fit(np.array(exposed, dtype=int), Finite.of({1: 0.25, 0: 0.75})).passed


def test_laws_by_hand():
    named = NameAndShame(0.25).distribution(("a", "b")).enumerate()
    by_hand = {("a", "b"): 1 / 16, ("a", None): 3 / 16, (None, "b"): 3 / 16, (None, None): 9 / 16}
    assert dict(zip(named.outcomes, named.probabilities, strict=True)) == pytest.approx(by_hand)
    blank = NameAndShame(0.25).distribution((None,)).enumerate()
    assert blank.support == ((None,),)  # a record that says nothing looks like silence
    rows = RandomRows(3, 2).distribution("aab")
    by_hand = {("a", "a"): 1 / 3, ("a", "b"): 2 / 3}
    assert dict(zip(rows.outcomes, rows.probabilities, strict=True)) == pytest.approx(by_hand)


def test_outputs_hold_the_records_themselves_in_their_order():
    rng = np.random.default_rng(1)
    assert set(NameAndShame(0.5)(("a", "b"), rng)) <= {"a", "b", None}
    assert RandomRows(4, 4)(("d", "a", "c", "b"), rng) == ("d", "a", "c", "b")
    certain = OrEverything(RandomizedResponse(1.0), delta=1 - 1e-12)
    assert certain((0, 1, 1), rng) == Everything((0, 1, 1))


@pytest.mark.parametrize("delta", [0.25, 0.7])
def test_a_record_is_named_by_a_draw_below_delta(delta):
    for number, said in ((0.0, "ab"), (np.nextafter(delta, 0), "ab"), (delta, (None, None))):
        assert NameAndShame(delta)("ab", Always(number)) == tuple(said)


def test_composition_and_groups_carry_over_exactly():
    """Two releases: delta1 + delta2 promised, 1 - (1 - delta)^2 in truth; groups at epsilon 0."""
    twice = NameAndShame(0.1).compose(NameAndShame(0.1))
    assert twice.guarantee == ApproxDP(0, 0.2)
    assert twice.privacy_loss((0,), (1,)).delta(0) == pytest.approx(0.19)
    assert NameAndShame(0.1).guarantee.group(3).delta == pytest.approx(0.3)
    assert NameAndShame(0.1).privacy_loss((0,) * 3, (1,) * 3).delta(0) == pytest.approx(1 - 0.9**3)


def test_bad_arguments_are_named():
    calls = [
        (lambda: NameAndShame(0), "delta must be .*above 0 and below 1, not 0"),
        (lambda: NameAndShame(float("nan")), "delta must be .*not nan"),
        (lambda: RandomRows(0), "n must be a whole number of at least 1, not 0"),
        (lambda: RandomRows(3, 4), "k must be .*at most 3, not 4"),
        (lambda: RandomRows(3).distribution((1, 2)), "data must hold n = 3 records$"),
        (lambda: OrEverything(RandomizedResponse(1.0), 1), "delta must be .*not 1"),
        (lambda: OrEverything(RandomizedResponse(1.0), 0), "delta must be .*above 0 and .*not 0"),
        (
            lambda: OrEverything(GaussianMechanism(sum, 1, 1), 0.1),
            r"ZCDP\(rho=0.5\) implies no ApproxDP by itself",
        ),
    ]
    assert_refused(calls)
