from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace

from dplab.attacks.sparse_vector import VARIANTS
from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.budget import Budget, BudgetExceeded
from dplab.distributions import Finite
from dplab.divergences import largest_log_ratio
from dplab.guarantees import PureDP
from dplab.interaction import Curator, MechanismError, Refused
from dplab.mechanisms import sparse_vector
from dplab.mechanisms.laplace_quadrature import noise_nodes
from dplab.mechanisms.sparse_vector import AboveThreshold, best_share
from dplab.neighbors import ADD_REMOVE
from tests.refusals import assert_refused

STREAM = (0.3, -0.2, 1.0, 0.4)


def stream(epsilon=1.0, threshold=0.0, sensitivity=1.0, **options):
    """A mechanism whose data are the answers themselves."""
    return AboveThreshold(threshold=threshold, sensitivity=sensitivity, epsilon=epsilon, **options)


def by_quadrature(mechanism, answers, transcript):
    """P[transcript] by an adaptive rule that knows nothing of panels."""
    bar, noise = laplace(scale=mechanism.threshold_scale), laplace(scale=mechanism.query_scale)

    def density(r):
        above = noise.sf(mechanism.threshold + r - np.array(answers)[: len(transcript)])
        return bar.pdf(r) * np.where(transcript, above, 1 - above).prod()

    kinks = sorted({0.0, *(np.array(answers) - mechanism.threshold)})
    ends = [-np.inf, *kinks, np.inf]
    pieces = pairwise(ends)
    return sum(quad(density, a, b, epsabs=1e-13, epsrel=1e-11)[0] for a, b in pieces)


@pytest.mark.parametrize(
    "options", [{}, {"max_positives": 2}, {"monotone": True, "threshold_share": 0.2}]
)
def test_law_sums_to_one_and_agrees_with_quadrature(options):
    mechanism = stream(threshold=0.5, **options)
    law = mechanism.distribution(STREAM)
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-13)
    for transcript, probability in zip(law.outcomes, law.probabilities, strict=True):
        assert probability == pytest.approx(by_quadrature(mechanism, STREAM, transcript), rel=1e-8)
        assert mechanism.log_probability(STREAM, transcript) == pytest.approx(np.log(probability))


def test_transcripts_end_with_the_last_above_that_is_paid_for():
    one = set(stream().distribution(STREAM).outcomes)
    assert one == {(False,) * i + (True,) for i in range(4)} | {(False,) * 4}
    two = stream(max_positives=2).distribution(STREAM).outcomes
    assert all(sum(t) == 2 and t[-1] if len(t) < 4 else sum(t) <= 2 for t in two)
    assert len(two) == len(set(two)) == 11


@pytest.mark.parametrize("options", [{}, {"max_positives": 2, "monotone": True}])
def test_draws_follow_the_law(options):
    """Wrong with probability 1e-10 each."""
    mechanism, rng = stream(**options), np.random.default_rng(14)
    law = mechanism.distribution(STREAM)
    place = {transcript: i for i, transcript in enumerate(law.outcomes)}
    draws = [place[mechanism(STREAM, rng)] for _ in range(4000)]
    assert goodness_of_fit(draws, law.map(place.get), failure=1e-10).passed


@pytest.mark.parametrize("kind", [AboveThreshold, *VARIANTS])
@given(
    st.lists(st.floats(-5, 5), min_size=1, max_size=12),
    st.integers(1, 4),
    st.floats(0.1, 0.9),
    st.integers(0, 2**32),
)
def test_replies_one_by_one_are_those_to_the_whole_stream(
    kind, answers, max_positives, share, seed
):
    """With the same generator, for the flawed variants, too."""
    mechanism = kind(
        threshold=0.5,
        sensitivity=1.5,
        epsilon=2.0,
        max_positives=max_positives,
        threshold_share=share,
    )
    comparisons = mechanism.stream()(answers, np.random.default_rng(seed))
    for i in range(len(answers)):
        if mechanism.is_over(comparisons.transcript):
            with pytest.raises(Refused, match=f"all {max_positives} answers above"):
                comparisons.ask(lambda data, i=i: data[i])
            break
        comparisons.ask(lambda data, i=i: data[i])
    assert comparisons.transcript == mechanism(answers, np.random.default_rng(seed))


def test_an_analyst_who_chooses_after_each_reply_meets_the_law():
    """Wrong with probability 1e-10. After "above" she asks about the others."""
    mechanism, rng, data = stream(max_positives=2), np.random.default_rng(), (0.4, -0.3)

    def place(transcript):
        return sum(transcript) % 2

    def said():
        comparisons = mechanism.stream()(data, rng)
        while len(comparisons.transcript) < 3 and not mechanism.is_over(comparisons.transcript):
            comparisons.ask(lambda values: values[place(comparisons.transcript)])
        return comparisons.transcript

    def log_probability(transcript):
        asked = [data[place(transcript[:i])] for i in range(len(transcript))]
        return mechanism.log_probability(asked, transcript)

    ends = [t for k in (2, 3) for t in product((False, True), repeat=k) if sum(t[:-1]) < 2]
    ends = [t for t in ends if len(t) == 3 or sum(t) == 2]
    law = Finite(tuple(range(len(ends))), np.array([log_probability(t) for t in ends]))
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-9)
    assert goodness_of_fit([ends.index(said()) for _ in range(4000)], law, failure=1e-10).passed


def test_a_curator_is_paid_once_for_a_stream():
    curator = Curator([3, 8, 2], Budget(PureDP(1.0)), np.random.default_rng())
    comparisons = curator.ask(stream(epsilon=0.75, threshold=100).stream())
    assert curator.budget.remaining == PureDP(0.25)
    assert curator.transcript == (comparisons,)
    for _ in range(50):
        comparisons.ask(lambda data: -1000 * max(data))
    assert curator.budget.remaining == PureDP(0.25)


@pytest.mark.parametrize("share", [0.0, 0.5, 1 - 1e-9])
def test_a_stream_that_is_not_paid_for_draws_nothing(share):
    rng = np.random.default_rng()
    curator, before = Curator([1.0], Budget(PureDP(0.75 * share)), rng), rng.bit_generator.state
    with pytest.raises(BudgetExceeded, match="price must be at most"):
        curator.ask(stream(epsilon=0.75).stream())
    assert rng.bit_generator.state == before
    assert curator.budget.spent == PureDP(0.0)


def test_a_stream_promises_for_the_neighbors_of_its_mechanism():
    watched = stream(neighbors=ADD_REMOVE).stream()
    assert watched.neighbors == ADD_REMOVE
    curator = Curator((1, 0), Budget(PureDP(5.0)), np.random.default_rng())
    curator.ask(watched)
    with pytest.raises(ValueError, match="the same neighbors as before"):
        curator.ask(stream().stream())


def test_an_answer_that_is_no_number_counts_as_0():
    for answer in (np.nan, np.inf, "many"):
        for threshold in (-1000, 1000):
            comparisons = stream(threshold=threshold).stream()([1.0], np.random.default_rng(3))
            assert comparisons.ask(lambda data, answer=answer: answer) == (threshold < 0)


def test_a_query_that_fails_draws_nothing_and_is_no_reply():
    drawn = np.random.default_rng(3)
    comparisons = stream().stream()([1.0], drawn)
    before = drawn.bit_generator.state
    with pytest.raises(MechanismError, match="AboveThreshold failed"):
        comparisons.ask(lambda data: data[1])
    assert drawn.bit_generator.state == before
    assert comparisons.transcript == ()


@pytest.mark.parametrize("max_positives", [1, 2])
@pytest.mark.parametrize("monotone", [False, True])
def test_no_pair_of_short_streams_spends_more_than_epsilon(max_positives, monotone):
    """All streams of three answers of -1, 0, 1, all neighbours on that grid."""
    mechanism = stream(max_positives=max_positives, monotone=monotone)
    laws = {x: mechanism.distribution(x) for x in product((-1.0, 0.0, 1.0), repeat=3)}
    spent = [
        largest_log_ratio(laws[x], laws[y])
        for x, y in product(laws, repeat=2)
        if x < y and neighbouring(np.subtract(x, y), monotone)
    ]
    assert 0.3 < max(spent) <= 1 + 1e-10


def neighbouring(moves, monotone):
    one_way = (moves >= 0).all() or (moves <= 0).all()
    return abs(moves).max() <= 1 and (one_way or not monotone)


def test_half_the_noise_is_for_monotone_answers_only():
    """With answers that move both ways it spends up to 3/2 epsilon."""
    mechanism = stream(monotone=True)
    assert mechanism.query_scale == stream().query_scale / 2
    x, y = (0.0,) * 30 + (1.0,), (1.0,) * 30 + (0.0,)
    assert largest_log_ratio(mechanism.distribution(x), mechanism.distribution(y)) > 1.499
    x, y = (0.0,) * 31, (1.0,) * 31
    assert largest_log_ratio(mechanism.distribution(x), mechanism.distribution(y)) <= 1 + 1e-10


def test_many_answers_below_cost_no_more():
    """Two counts, asked twice, on all data sets of four records; then a stream of 200 answers."""
    counts = AboveThreshold(
        lambda data: [data.count(v) for v in (0, 1)] * 2, threshold=1.5, sensitivity=1, epsilon=0.8
    )
    audit = exact_epsilon(counts, universe=(0, 1), n=4)
    assert 0.2 < audit.epsilon <= 0.8 + 1e-10
    long, mechanism = np.zeros(200), stream()
    loss = largest_log_ratio(mechanism.distribution(long), mechanism.distribution(long + 1))
    assert 0.49 < loss <= 1 + 1e-10


def test_epsilon_is_reached_in_the_limit_of_long_streams():
    mechanism = stream(max_positives=2)
    x, y = (0.0,) * 60 + (1.0,) * 2, (1.0,) * 60 + (0.0,) * 2
    transcript = (False,) * 60 + (True,) * 2
    spent = mechanism.log_probability(x, transcript) - mechanism.log_probability(y, transcript)
    assert spent == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("max_positives", [1, 5])
def test_best_share_gives_a_comparison_the_least_variance(max_positives, monotone):
    def variance(share):
        mechanism = stream(max_positives=max_positives, monotone=monotone, threshold_share=share)
        return mechanism.threshold_scale**2 + mechanism.query_scale**2

    best = best_share(max_positives, monotone=monotone)
    assert variance(best) < min(variance(best - 0.01), variance(best + 0.01))
    with pytest.raises(
        ValueError, match="max_positives must be a whole number of at least 1, not 0"
    ):
        best_share(0, monotone=monotone)


@given(st.floats(0.01, 100), st.floats(0.01, 5), st.floats(0.1, 0.9), st.integers(1, 5))
def test_noise_is_as_wide_as_stated(sensitivity, epsilon, share, max_positives):
    mechanism = stream(
        epsilon,
        sensitivity=sensitivity,
        threshold_share=share,
        max_positives=max_positives,
        monotone=False,
    )
    assert mechanism.threshold_scale == pytest.approx(sensitivity / (share * epsilon))
    scale = 2 * max_positives * sensitivity / ((1 - share) * epsilon)
    assert mechanism.query_scale == pytest.approx(scale)


def test_an_answer_at_the_noisy_threshold_is_above():
    assert stream(max_positives=2).publish(np.array([0.5, 1.0, 2.0, 3.0]), 1.0) == (
        False,
        True,
        True,
    )


@pytest.mark.parametrize("share", [1 - 1e-6, 1 + 1e-6])
def test_a_law_takes_100_000_panels(share):
    """As wide as the narrower noise, from 41 scales of the wider below all answers to 41 above."""
    corners, narrow = (-3.0, 0.0, 15.0), (41 + 18 + 41) / 100_000 / share
    if share > 1:
        with pytest.raises(ValueError, match="more than 100000 panels to integrate"):
            noise_nodes(corners, 1.0, narrow, 1)
    else:
        assert np.logaddexp.reduce(noise_nodes(corners, 1.0, narrow, 1)[1]) == pytest.approx(0)


def test_far_apart_answers_keep_their_digits():
    mechanism = stream(epsilon=2.0)
    law = mechanism.distribution((-300.0, 300.0))
    expected = by_quadrature(mechanism, (-300.0,), (True,))
    assert 0 < expected < 1e-65
    assert law.log_density((True,)) == pytest.approx(np.log(expected), rel=1e-8)


def test_bad_arguments_are_named():
    cases = [
        ("epsilon", 0),
        ("sensitivity", -1),
        ("sensitivity", 0),
        ("threshold", np.inf),
        ("max_positives", 0),
        ("max_positives", 1.5),
        ("threshold_share", 0),
        ("threshold_share", 1),
    ]
    calls = [(partial(stream, **{name: value}), f"^{name} must be") for name, value in cases]
    assert_refused(calls)


@pytest.mark.parametrize(("share", "answers"), [(1e-9, [3, 8]), (0.5, [0, 1e9])])
def test_a_law_of_too_many_panels_is_refused(share, answers):
    few = stream(threshold=5, threshold_share=share)
    with pytest.raises(ValueError, match="threshold_share must be larger, or answers closer"):
        few.distribution(answers)


def test_the_limit_is_on_the_transcripts_of_the_whole_law(monkeypatch):
    """Four answers, two of them above at most: eleven."""
    monkeypatch.setattr(sparse_vector, "MAX_TRANSCRIPTS", 11)
    assert len(stream(max_positives=2).distribution(STREAM).outcomes) == 11
    monkeypatch.setattr(sparse_vector, "MAX_TRANSCRIPTS", 10)
    with pytest.raises(ValueError, match="at most 10 transcripts"):
        stream(max_positives=2).distribution(STREAM)


def test_too_many_transcripts_are_refused():
    with pytest.raises(ValueError, match="at most 10000 transcripts"):
        stream(max_positives=20).distribution(np.zeros(40))


def test_noise_that_no_float_holds_is_refused():
    for sensitivity, epsilon in ((1e12, 1e-300), (1e-300, 1e300)):
        with pytest.raises(
            ValueError, match="sensitivity / epsilon must be a finite number above 0"
        ):
            AboveThreshold(threshold=0, sensitivity=sensitivity, epsilon=epsilon)
    with pytest.raises(ValueError, match="sensitivity / epsilon must be a finite number, not inf"):
        AboveThreshold(threshold=0, sensitivity=1e200, epsilon=1, threshold_share=1e-200)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"epsilon": 0.1, "threshold_share": 5e-324}, "the smaller part of epsilon"),
        ({"epsilon": 1e-200, "threshold_share": 1e-200}, "the smaller part of epsilon"),
        ({"epsilon": 1e-310, "threshold_share": 1 - 2**-53}, "the smaller part of epsilon"),
        ({"max_positives": 10**400}, "max_positives"),
        ({"max_positives": 10**308}, "sensitivity / epsilon"),
    ],
)
def test_a_part_of_epsilon_or_a_limit_that_is_no_float_is_named(options, name):
    with pytest.raises(ValueError, match=f"{name} must be a finite number"):
        AboveThreshold(**({"threshold": 0, "sensitivity": 1e-300, "epsilon": 1e-300} | options))
