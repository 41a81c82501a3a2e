import numpy as np
import pytest

from dplab.attacks.sparse_vector import (
    VARIANTS,
    QuietAnswers,
    QuietThreshold,
    ShownAnswers,
    Unlimited,
    Unscaled,
    log_between,
    telling_pair,
    transcript_loss,
)
from dplab.audit import goodness_of_fit
from dplab.divergences import largest_log_ratio
from dplab.mechanisms.sparse_vector import AboveThreshold

STREAM = (0.3, -0.2, 1.0, 0.4)


def stream(kind, epsilon=1.0, max_positives=1, **options):
    return kind(
        threshold=0.0, sensitivity=1.0, epsilon=epsilon, max_positives=max_positives, **options
    )


@pytest.mark.parametrize("kind", VARIANTS)
def test_promises_epsilon_and_breaks_it_on_a_pair_of_streams(kind):
    mechanism = stream(kind)
    assert mechanism.guarantee.epsilon == 1
    for epsilon in (0.1, 1.0):
        assert transcript_loss(stream(kind, epsilon), 20, 1) > 1.49 * epsilon


@pytest.mark.parametrize("kind", VARIANTS)
def test_draws_follow_the_law(kind):
    """Wrong with probability 1e-10 each."""
    mechanism, rng = stream(kind, max_positives=2), np.random.default_rng(2017)
    law = mechanism.distribution(STREAM)
    place = {transcript: i for i, transcript in enumerate(law.outcomes)}
    draws = [place[mechanism(STREAM, rng)] for _ in range(3000)]
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert goodness_of_fit(draws, law.map(place.get), failure=1e-10).passed


@pytest.mark.parametrize("kind", [AboveThreshold, *VARIANTS])
def test_what_is_spent_is_the_log_ratio_in_the_whole_law(kind):
    mechanism, (x, y) = stream(kind), telling_pair(3, 1)
    loss = largest_log_ratio(mechanism.distribution(x), mechanism.distribution(y))
    assert 0 < transcript_loss(mechanism, 3, 1) <= loss + 1e-12


@pytest.mark.parametrize("unit", [0.25, 7.0])
@pytest.mark.parametrize("kind", [AboveThreshold, *VARIANTS])
def test_the_unit_of_the_answers_is_no_matter(kind, unit):
    laws = [
        kind(threshold=0.4 * u, sensitivity=u, epsilon=0.7, max_positives=2).distribution(
            u * np.array(STREAM)
        )
        for u in (1.0, unit)
    ]
    assert laws[0].outcomes == laws[1].outcomes
    assert laws[1].probabilities == pytest.approx(laws[0].probabilities, abs=1e-12)


def test_neighbouring_streams_are_one_sensitivity_apart():
    x, y = telling_pair(3, 2, sensitivity=0.5)
    assert x.tolist() == [0, 0, 0, 0.5, 0.5]
    assert abs(x - y).tolist() == [0.5] * 5


def test_quiet_answers_give_two_answers_away():
    mechanism = stream(QuietAnswers)
    assert transcript_loss(mechanism, 1, 1) == np.inf
    # The threshold fell between the two answers: a Laplace variable of scale 2 in (0, 1].
    law = mechanism.distribution([0.0, 1.0])
    assert np.exp(law.log_density((False, True))) == pytest.approx((1 - np.exp(-1 / 2)) / 2)


def test_who_says_nothing_spends_nothing():
    assert transcript_loss(stream(AboveThreshold), 0, 0) == 0


@pytest.mark.parametrize("m", [3, 10, 50])
def test_quiet_threshold_pays_for_each_below(m):
    """Each is e^{1/4} likelier; "above" adds 1/4 less the part below the threshold."""
    each = transcript_loss(stream(QuietThreshold), m + 1, 0) - transcript_loss(
        stream(QuietThreshold), m, 0
    )
    assert each == pytest.approx(1 / 4)


@pytest.mark.parametrize("m", [1, 4, 25])
def test_unlimited_pays_for_each_pair(m):
    assert transcript_loss(stream(Unlimited), m, m) > m / 2


@pytest.mark.parametrize("max_positives", [1, 2, 5])
def test_unscaled_spends_one_plus_six_count_quarters(max_positives):
    mechanism = stream(Unscaled, epsilon=0.5, max_positives=max_positives)
    limit = 0.5 * (1 + 6 * max_positives) / 4
    assert transcript_loss(mechanism, 150, max_positives) == pytest.approx(limit, abs=1e-6)
    assert transcript_loss(mechanism, 20, max_positives) < limit


@pytest.mark.parametrize("m", [1, 2, 10, 50])
def test_shown_answers_pay_for_each_below(m):
    """(m - 1) epsilon / 2: each "below" adds epsilon / 2, the answer shown takes one back."""
    assert transcript_loss(stream(ShownAnswers), m, 1) == pytest.approx((m - 1) / 2, abs=1e-9)


def test_shown_answers_are_intervals_above_the_threshold():
    mechanism = stream(ShownAnswers, epsilon=200, edges=(0.0, 1.0, 2.0))
    assert mechanism([-3.0, 1.5], np.random.default_rng(0)) == (False, (1.0, 2.0))


def test_log_between_keeps_its_digits_in_both_tails():
    low = np.array([-np.inf, -1.0, 700.0, -701.0, 2.0])
    high = np.array([np.inf, 1.0, 701.0, -700.0, 2.0])
    tail = -700 + np.log((1 - np.exp(-1)) / 2)
    expected = [0, np.log(1 - np.exp(-1)), tail, tail, -np.inf]
    assert log_between(low, high, 1.0) == pytest.approx(expected)


@pytest.mark.parametrize("low", [1e-6, 0.01, 0.5, 3.0])
def test_log_between_keeps_its_digits_wherever_the_tail_begins(low):
    """log((1 - e^{-2}) / 2) - 1000 between 1000 and 1002 scales, on either side."""
    scale = low / 1000
    expected = -1000 + np.log(-np.expm1(-2) / 2)
    for ends in ((low, 1.002 * low), (-1.002 * low, -low)):
        assert log_between(*map(np.array, ends), scale) == pytest.approx(expected)


def test_neighbours_of_a_telling_pair_are_one_sensitivity_apart():
    for first, second, apart in (
        (*telling_pair(2, 1), 1.0),
        (*telling_pair(2, 1, sensitivity=3.0), 3.0),
    ):
        assert first.tolist() == [0, 0, apart]
        assert second.tolist() == [apart, apart, 0]


@pytest.mark.parametrize(("lengths", "name"), [((-1, 1), "negatives"), ((1, -1), "positives")])
def test_a_stream_has_no_negative_length(lengths, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        telling_pair(*lengths)
    assert [len(stream) for stream in telling_pair(0, 0)] == [0, 0]
