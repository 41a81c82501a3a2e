import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.attacks.membership_calibrated import (
    LEAST_DEVIATION,
    Calibration,
    Shadows,
    confidences,
    train_shadows,
    true_positive_rate_at,
)
from tests.refusals import assert_refused


@given(st.floats(1e-12, 1 - 1e-9))
def test_confidences_are_log_odds(p):
    assert confidences([-np.log(p)]) == pytest.approx([np.log(p / (1 - p))], abs=1e-5)


def test_confidences_of_the_certain_and_of_the_hopeless_are_finite():
    high, low = confidences([0.0, 1e4])
    assert 300 < high < np.inf
    assert low == -1e4


def test_shadows_have_each_record_in_half_of_them_and_score_all():
    """The models of a pair have opposite coins; a model is the sum of its records."""
    records, rng = np.arange(1.0, 9.0)[:, None], np.random.default_rng()
    found = train_shadows(
        lambda some, _: some.sum(), lambda model, all_: model + all_[:, 0], records, 10, rng
    )
    assert found.members.shape == found.scores.shape == (10, 8)
    assert (found.members.sum(axis=0) == 5).all()
    sums = found.members @ records[:, 0]
    assert found.scores == pytest.approx(sums[:, None] + records[:, 0])
    known, targets = found.split(3)
    assert known.members.tolist() == found.members[:7].tolist()
    assert targets.scores.tolist() == found.scores[7:].tolist()


def test_a_calibration_knows_each_record_in_and_out():
    members = np.array([[True, False], [True, True], [False, True], [False, False]])
    scores = np.array([[5.0, 0.0], [7.0, 2.0], [1.0, 2.0], [3.0, 4.0]])
    found = Calibration.of(Shadows(members, scores))
    assert found.mean_in.tolist() == [6.0, 2.0]
    assert found.mean_out.tolist() == [2.0, 2.0]
    assert found.deviation_in == pytest.approx([np.sqrt(2), LEAST_DEVIATION])
    assert found.deviation_out == pytest.approx([np.sqrt(2), np.sqrt(8)])


@given(st.floats(-5, 5), st.floats(0.1, 3), st.floats(-5, 5), st.floats(0.1, 3), st.floats(-9, 9))
def test_log_ratios_are_those_of_two_normal_laws(mean_in, dev_in, mean_out, dev_out, score):
    from scipy.stats import norm

    one = Calibration(*(np.array([x]) for x in (mean_in, dev_in, mean_out, dev_out)))
    right = norm(mean_in, dev_in).logpdf(score) - norm(mean_out, dev_out).logpdf(score)
    assert one.log_ratios([score]) == pytest.approx([right], abs=1e-9)


def test_the_attack_finds_members_whom_one_threshold_misses():
    """A hundred records with means far apart, and members 4 deviations above the rest: a threshold
    for each finds nearly all of 20 x 50 members, where one for all finds hardly any."""
    rng = np.random.default_rng()
    members = np.stack([half := rng.random((30, 100)) < 0.5, ~half], axis=1).reshape(60, 100)
    scores = rng.normal(size=(60, 100)) + 4 * members + np.linspace(-100, 100, 100)
    known, targets = Shadows(members, scores).split(20)
    ratios = Calibration.of(known).log_ratios(targets.scores)
    own = true_positive_rate_at(0.05, ratios[targets.members], ratios[~targets.members])
    one = true_positive_rate_at(
        0.05, targets.scores[targets.members], targets.scores[~targets.members]
    )
    assert one < 0.3 < 0.8 < own


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.floats(0, 1))
def test_so_few_outsiders_are_accused_and_as_many_members_as_then_can(outsiders, rate):
    members = [0.5, 2, 3, 3, 7, 9.5]
    found = true_positive_rate_at(rate, members, outsiders)
    thresholds = [-1, *range(10)]
    allowed = [t for t in thresholds if np.mean(np.array(outsiders) > t) <= rate + 1e-9]
    assert found == max(np.mean(np.array(members) > t) for t in allowed)


def test_bad_arguments_are_refused():
    records, rng = np.ones((4, 1)), np.random.default_rng()

    def few(count):
        return train_shadows(lambda *_: 0, lambda *_: np.zeros(4), records, count, rng)

    once = Shadows(np.array([[True], [False], [False]]), np.zeros((3, 1)))
    assert_refused(
        [
            (lambda: confidences([-1.0]), "the least of objectives must be"),
            (lambda: few(2), "count must be"),
            (lambda: few(5), "count must be even, not 5"),
            (lambda: Calibration.of(once), "shadows must have each record in twice"),
            (lambda: true_positive_rate_at(1.5, [0.0], [0.0]), "false_positive_rate must be"),
            (lambda: true_positive_rate_at(0.5, [], [0.0]), "member_scores must"),
        ]
    )
