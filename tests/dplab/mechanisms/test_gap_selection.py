import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_delta, exact_epsilon, goodness_of_fit
from dplab.divergences import hockey_stick
from dplab.guarantees import ApproxDP
from dplab.mechanisms.gap_selection import GapSelection
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.mechanisms.sparse_vector import AboveThreshold
from dplab.neighbors import ADD_REMOVE, half_range


def itself(data):
    return data


def counts(data):
    return [data.count(value) for value in range(3)]


def choice(k, epsilon=1.0, delta=1e-3, **options):
    """A mechanism whose data are the scores themselves."""
    return GapSelection(range(k), itself, 1, epsilon, delta, **options)


@given(st.integers(1, 4), st.floats(1e-3, 1e3), st.floats(1e-3, 50), st.floats(1e-12, 0.49))
def test_the_bar_is_the_one_of_the_proof(top, sensitivity, epsilon, delta):
    """2 D that the margin moves, the others' weight, and the noise's quantile at delta."""
    mechanism = GapSelection(range(5), itself, sensitivity, epsilon, delta, top=top)
    test, rest = (epsilon, None) if top == 1 else (epsilon / 2, epsilon / 2)
    others = 2 * sensitivity / rest * np.log(top / delta) if rest else 0.0
    passes = 2 * sensitivity / test * np.log(1 / (2 * delta))
    assert mechanism.test_scale == pytest.approx(2 * sensitivity / test)
    assert mechanism.safe_margin == pytest.approx(2 * sensitivity + others)
    assert mechanism.bar == pytest.approx(2 * sensitivity + others + passes)


@pytest.mark.parametrize("delta", [1e-6, 0.01, 0.2])
def test_the_best_alone_uses_up_its_delta_exactly(delta):
    mechanism = GapSelection(range(3), counts, 1, 1.0, delta)
    assert mechanism.guarantee == ApproxDP(1.0, delta)
    assert exact_delta(mechanism, range(3), 5, epsilon=1.0) == pytest.approx(delta)
    assert exact_epsilon(mechanism, range(3), 5).epsilon == np.inf  # no epsilon without a delta


@pytest.mark.parametrize("top", [1, 2])
@pytest.mark.parametrize(("epsilon", "delta"), [(3.0, 0.1), (8.0, 0.3)])
def test_exact_audit_stays_within_the_promise(top, epsilon, delta):
    mechanism = GapSelection(range(3), counts, 1, epsilon, delta, top=top)
    assert 0 < exact_delta(mechanism, range(3), 7, epsilon=epsilon) <= delta + 1e-12


@settings(max_examples=300)
@given(
    st.integers(1, 4),
    st.lists(st.floats(-1.5, 1.5), min_size=5, max_size=5),
    st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=5, max_size=5),
    st.floats(0, 1.3),
    st.sampled_from([(0.5, 0.01), (2.0, 0.2), (6.0, 0.4)]),
)
def test_every_pair_near_the_bar_is_private(top, scores, moves, lead, promise):
    """Scores whose top leads by about what the test asks for, moved by one sensitivity each."""
    epsilon, delta = promise
    mechanism = choice(5, epsilon, delta, top=top)
    x = np.array(scores)
    x[:top] += lead * mechanism.bar
    laws = mechanism.distribution(x), mechanism.distribution(x + moves)
    for p, q in (laws, laws[::-1]):
        assert hockey_stick(p, q, epsilon=epsilon) <= delta + 1e-12


@pytest.mark.parametrize("top", [1, 2])
def test_the_half_range_may_stand_for_the_sensitivity(top):
    def ways(data):
        return [-sum(abs(record - place) for record in data) for place in range(3)]

    half = half_range(ways, ADD_REMOVE, range(3), 4)
    mechanism = GapSelection(range(3), ways, half, 4.0, 0.1, top=top, neighbors=ADD_REMOVE)
    assert half == 1
    assert 0 < exact_delta(mechanism, range(3), 5, epsilon=4.0) <= 0.1 + 1e-12


def test_half_of_the_noise_on_the_margin_would_break_the_promise():
    class Quiet(GapSelection):
        test_scale = 1.0

    mechanism = Quiet(range(3), counts, 1, 1.0, 1e-3)
    assert exact_delta(mechanism, range(3), 5, epsilon=1.0) > 2e-3


def test_draws_follow_the_law():
    """Wrong with probability 1e-10."""
    mechanism, rng = choice(4, top=2, delta=0.1), np.random.default_rng(3)
    scores = [2.0, 30.0, 27.0, 1.0]
    law = mechanism.distribution(scores)
    place = {outcome: i for i, outcome in enumerate(law.outcomes)}
    draws = [place[mechanism(scores, rng)] for _ in range(4000)]
    assert goodness_of_fit(draws, law.map(place.get), failure=1e-10).passed
    assert law.support == (1, 2, None)


def test_a_wide_margin_beats_the_exponential_mechanism_among_many():
    scores = np.zeros(100_000)
    scores[7] = 40
    gap, exponential = (
        choice(100_000, delta=1e-6),
        ExponentialMechanism(range(100_000), itself, 1, 1),
    )
    assert np.exp(gap.distribution(scores).log_density(7)) > 0.998
    scores[7] = 20
    assert np.exp(exponential.distribution(scores).log_density(7)) < 0.2


@given(st.floats(-1e4, 1e4), st.floats(0.1, 30), st.floats(0.2, 5), st.integers(1, 3))
def test_the_choice_among_the_top_is_that_of_the_exponential_mechanism(base, gap, epsilon, top):
    """At epsilon / 2, wherever the scores begin."""
    scores = base + gap * np.array([-900.0, 0.3, 1.0, 0.5])
    law = choice(4, epsilon, top=top).distribution(scores)
    chosen = law.probabilities[:-1] / law.probabilities[:-1].sum()
    weights = np.exp(epsilon / 4 * (scores - scores.max()))
    weights[np.argsort(scores)[:-top]] = 0
    assert chosen == pytest.approx(weights / weights.sum(), rel=1e-6)


def test_a_tie_releases_nothing_but_with_probability_below_delta():
    law = choice(3).distribution([5.0, 5.0, 0.0])
    assert np.exp(law.log_density(None)) > 1 - 1e-3
    assert law.log_density(1) == -np.inf  # ties go to the first


def test_a_huge_margin_keeps_both_probabilities():
    law = choice(2).distribution([1000.0, 0.0])
    assert law.log_density(0) == pytest.approx(0)
    assert -500 < law.log_density(None) < -480


@pytest.mark.parametrize(
    ("name", "value"), [("epsilon", 0), ("delta", 0), ("delta", 1), ("top", 0), ("top", 3)]
)
def test_bad_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        choice(3, **{name: value})


def test_candidates_and_scores_must_fit():
    with pytest.raises(ValueError, match="candidates"):
        GapSelection((1, 1, 2), itself, 1, 1, 0.1)
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        choice(3).distribution([1.0, 2.0])


def test_comparisons_and_margins_take_numpys_integers_for_what_they_are():
    a = AboveThreshold(threshold=0, sensitivity=np.uint8(200), epsilon=1)
    assert a.query_scale == 800
    assert (
        AboveThreshold(
            threshold=0, sensitivity=1, epsilon=1, max_positives=np.uint8(200)
        ).query_scale
        == 800
    )
    g = GapSelection("abc", lambda d: [3, 2, 1], np.uint8(200), 1, delta=1e-6, top=2)
    assert g.test_scale == 800
    # the same as a loss: a stream on which the promise of 1 is broken
    x, y, said = [0.0] * 20 + [200.0], [200.0] * 20 + [0.0], (False,) * 20 + (True,)
    assert a.log_probability(x, said) - a.log_probability(y, said) <= 1 + 1e-9


def test_noise_that_no_float_holds_is_refused():
    with pytest.raises(ValueError, match="sensitivity / epsilon must be a finite number"):
        GapSelection("ab", lambda data: data, 1e12, 1e-300, delta=0.1)
    for sensitivity, epsilon in ((1, 5e-324), (1e-310, 5e-324), (1e-10, 1e300)):
        with pytest.raises(ValueError, match=r"epsilon.* must be a finite number above 0"):
            GapSelection("abc", lambda data: data, sensitivity, epsilon, delta=0.1, top=2)


def test_the_bar_of_the_least_delta_is_finite():
    bar = GapSelection("abc", lambda data: data, 1, 1, delta=5e-324, top=2).bar
    least = 1074 * np.log(2)  # -log delta
    assert bar == pytest.approx(2 + 4 * (np.log(2) + least) + 4 * (least - np.log(2)), rel=1e-12)
