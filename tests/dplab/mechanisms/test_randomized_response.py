import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.audit import exact_delta, exact_epsilon, goodness_of_fit
from dplab.guarantees import ApproxDP, PureDP
from dplab.mechanisms.randomized_response import (
    CoinSurvey,
    LocalMechanism,
    RandomizedResponse,
)
from tests.dplab.draws import Always
from tests.dplab.strategies import epsilons
from tests.refusals import assert_refused

ks = st.integers(min_value=2, max_value=6)


def test_the_truth_is_told_with_the_right_probability():
    assert RandomizedResponse(np.log(3)).truth_probability == pytest.approx(3 / 4)
    assert RandomizedResponse(1.0).truth_probability == pytest.approx(0.7310586, abs=1e-7)
    assert RandomizedResponse(np.log(3), k=4).truth_probability == pytest.approx(3 / 6)
    warner = RandomizedResponse.from_truth_probability(0.75)
    assert warner.epsilon == pytest.approx(np.log(3))


@given(epsilons, ks)
@settings(max_examples=25)
def test_the_exact_audit_finds_epsilon_and_no_more(epsilon, k):
    mechanism = RandomizedResponse(epsilon, k)
    audit = exact_epsilon(mechanism, range(k), n=2)
    assert audit.epsilon == pytest.approx(epsilon)
    assert mechanism.guarantee == PureDP(epsilon)


def test_answers_follow_their_law_for_every_truth():
    """Six tests at 1e-10 each: false-failure probability 6e-10."""
    for mechanism in (RandomizedResponse(1.0), RandomizedResponse(0.3, k=4)):
        truths = np.repeat(np.arange(mechanism.k), 200_000)
        answers = mechanism(truths, np.random.default_rng())
        assert answers.shape == truths.shape
        for truth in range(mechanism.k):
            assert goodness_of_fit(answers[truths == truth], mechanism.answer_laws[truth]).passed


@pytest.mark.parametrize("epsilon", [1e-9, 0.7, 3.0, 800.0])
@pytest.mark.parametrize("k", [2, 3, 7, 1000])
def test_answers_are_drawn_by_inverting_their_law(epsilon, k):
    """The same draws as from the list of its probabilities, which is as long as k."""
    mechanism, truths = RandomizedResponse(epsilon, k), np.arange(5000) % k
    found = mechanism(truths, np.random.default_rng(3))
    listed = LocalMechanism.__call__(mechanism, truths, np.random.default_rng(3))
    assert (found == listed).all()


@given(st.floats(0.01, 5), st.integers(2, 2000))
def test_the_largest_draw_is_the_last_category_whatever_was_rounded(epsilon, k):
    told = RandomizedResponse(epsilon, k)(np.arange(k), Always(1 - 2**-53))
    assert (told == k - 1).all()


def test_a_thousand_million_categories_are_no_trouble():
    """9,000 of 10,000 tell the truth on average: beyond eight deviations of 30 with 1e-14."""
    k = 10**9
    mechanism = RandomizedResponse(float(np.log(9 * (k - 1))), k)
    told = mechanism(np.full(10_000, 123_456_789), np.random.default_rng())
    assert abs((told == 123_456_789).sum() - 9000) < 240
    assert told.min() >= 0
    assert told.max() < k
    assert len(set(told.tolist())) > 500


def test_answers_keep_their_shape_and_the_seed_reproduces_them():
    truths = np.zeros((3, 5), dtype=int)
    first, again = (RandomizedResponse(1.0)(truths, np.random.default_rng(9)) for _ in range(2))
    assert first.shape == (3, 5)
    assert (first == again).all()
    assert RandomizedResponse(1.0)(1, np.random.default_rng(9)).shape == ()


@given(epsilons, ks)
def test_debiasing_is_unbiased_for_every_truth_exactly(epsilon, k):
    mechanism = RandomizedResponse(epsilon, k)
    for truth in range(k):
        for category in range(k):
            mean = mechanism.answer_laws[truth].expectation(
                lambda answer, c=category: float(mechanism.debias(answer, c))
            )
            assert mean == pytest.approx(float(truth == category), abs=1e-9)


@given(epsilons)
def test_for_bits_debiasing_is_the_textbook_formula(epsilon):
    e = np.exp(epsilon)
    y = np.array([0, 1, 1])
    expected = (y - 1 / (1 + e)) * (e + 1) / (e - 1)
    np.testing.assert_allclose(RandomizedResponse(epsilon).debias(y), expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("epsilon", "variance"), [(1.0, 0.9206736), (np.log(3), 0.75), (0.1, 99.9167)]
)
def test_the_variance_of_one_debiased_answer(epsilon, variance):
    mechanism = RandomizedResponse(epsilon)
    law = mechanism.answer_laws[1]
    enumerated = law.expectation(lambda y: (float(mechanism.debias(y)) - 1) ** 2)
    assert enumerated == pytest.approx(variance, rel=1e-5)
    assert mechanism.frequency_variance(0.3, n=1) == pytest.approx(variance, rel=1e-5)


@given(st.floats(-300, 2.8), st.integers(2, 9))
def test_the_worst_case_spends_epsilon_to_its_last_digit(log_epsilon, k):
    epsilon = 10.0**log_epsilon
    mechanism = RandomizedResponse(epsilon, k)
    loss = mechanism.worst_case
    assert (-loss.smallest, loss.largest) == (epsilon, epsilon)
    assert loss.delta(0) == pytest.approx(mechanism.gap, rel=1e-12)
    assert loss.p.sum() == pytest.approx(1)
    assert len(loss.p) == (2 if k == 2 else 3)


def test_a_survey_that_tells_nothing_has_no_finite_variance():
    useless = RandomizedResponse(1e-200)
    assert useless.frequency_variance(0.5, n=4) == np.inf
    assert useless.frequency([0, 1]).standard_error == np.inf


@given(epsilons, ks, st.integers(0, 3))
@settings(max_examples=25)
def test_the_variance_of_the_frequency_by_enumeration(epsilon, k, zeros):
    """All answers of four people, `zeros` of whom have category 0."""
    mechanism = RandomizedResponse(epsilon, k)
    truths = [0] * zeros + [1] * (4 - zeros)
    law = mechanism.distribution(truths).enumerate()
    second = law.expectation(
        lambda answers: (mechanism.frequency(answers, 0).value - zeros / 4) ** 2
    )
    assert second == pytest.approx(mechanism.frequency_variance(zeros / 4, n=4))


class TestCoinSurvey:
    def test_yes_if_tails_is_not_private_for_any_epsilon(self):
        survey = CoinSurvey(theta=0.5)
        assert survey.privacy_loss(1, 0).largest_log_ratio == np.inf
        assert survey.guarantee == ApproxDP(0.0, 0.5)
        for epsilon in (0.0, 1.0, 20.0):  # a NO proves innocence, whatever epsilon is granted
            assert exact_delta(survey, (0, 1), n=1, epsilon=epsilon) == pytest.approx(0.5)
            mirrored = CoinSurvey(theta=0.5, yes=0.0)  # here a YES proves guilt
            assert exact_delta(mirrored, (0, 1), n=1, epsilon=epsilon) == pytest.approx(0.5)

    def test_a_yes_is_likelier_by_one_over_one_minus_theta(self):
        assert CoinSurvey(theta=0.75).privacy_loss(1, 0).largest == pytest.approx(np.log(4))

    @given(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
    def test_a_second_coin_makes_it_private(self, theta, yes):
        survey = CoinSurvey(theta, yes)
        audit = exact_epsilon(survey, (0, 1), n=2)
        assert audit.epsilon == pytest.approx(survey.guarantee.epsilon)
        fair = CoinSurvey(theta, yes=0.5).guarantee.epsilon
        assert fair == pytest.approx(np.log((1 + theta) / (1 - theta)))
        assert fair <= survey.guarantee.epsilon + 1e-12

    @given(st.floats(0.05, 1.0), st.floats(0.0, 1.0), st.integers(0, 3))
    def test_the_share_is_unbiased_exactly(self, theta, yes, ones):
        survey = CoinSurvey(theta, yes)
        law = survey.distribution([1] * ones + [0] * (3 - ones)).enumerate()
        mean = law.expectation(lambda answers: survey.share(answers).value)
        assert mean == pytest.approx(ones / 3, abs=1e-9)

    def test_the_standard_error_of_the_classic_survey(self):
        """theta = 1/2, p = 0.2, n = 1000: pi = 0.6 and sd .03098."""
        answers = np.repeat([1, 0], [600, 400])
        estimate = CoinSurvey(theta=0.5).share(answers)
        assert estimate.value == pytest.approx(0.2)
        assert estimate.standard_error == pytest.approx(0.03098, abs=1e-5)

    @given(st.floats(0.05, 1.0), st.sampled_from([0.0, 1.0]), st.integers(0, 1))
    def test_no_draw_is_an_answer_without_probability(self, theta, yes, truth):
        survey = CoinSurvey(theta, yes)
        for number in (0.0, 1 - 2**-53):
            assert int(survey(truth, Always(number))) in survey.answer_laws[truth].support

    def test_answers_follow_their_law(self):
        """Two tests at 1e-10: false-failure probability 2e-10."""
        survey = CoinSurvey(theta=0.3)
        for truth in (0, 1):
            answers = survey(np.full(20_000, truth), np.random.default_rng())
            assert goodness_of_fit(answers, survey.answer_laws[truth]).passed


def test_a_next_to_useless_survey_is_estimated_all_the_same():
    """p - q is epsilon / 2, which a difference of two floats near 1/2 would not show."""
    mechanism = RandomizedResponse(1e-17)
    assert mechanism.gap == pytest.approx(5e-18, rel=1e-12)
    assert mechanism.debias([1, 0]).tolist() == pytest.approx([1e17, -1e17])
    assert RandomizedResponse(0.7, k=5).gap == pytest.approx(np.expm1(0.7) / (np.exp(0.7) + 4))
    assert RandomizedResponse(800.0).gap == 1


@pytest.mark.parametrize("yes", [0.5, 0.1, 1e-12, 1 - 1e-9])
@pytest.mark.parametrize("theta", [1e-300, 1e-9, 0.3, 0.999])
def test_a_survey_promises_no_less_than_it_spends(theta, yes):
    promised = CoinSurvey(theta, yes).guarantee.epsilon
    assert promised > 0
    spent = CoinSurvey(theta, yes).privacy_loss(0, 1).largest_log_ratio
    assert promised == pytest.approx(spent, rel=1e-6, abs=1e-15)


def test_bad_arguments_are_named():
    calls = [
        (lambda: RandomizedResponse(0), "epsilon must be a finite number above 0, not 0"),
        (lambda: RandomizedResponse(1.0, k=1), "k must be a whole number of at least 2, .*not 1"),
        (lambda: RandomizedResponse(1.0, k=10**30), "k must be .* at most 9007199254740992"),
        (
            lambda: RandomizedResponse.from_truth_probability(0.5),
            "p must be .*above 0.5 and below 1",
        ),
        (
            lambda: RandomizedResponse(1.0)([0, 2], np.random.default_rng()),
            "from 0 to 1, but entry 1",
        ),
        (lambda: RandomizedResponse(1, 10**9).distribution(0), "k must be .* at most 4096"),
        (
            lambda: RandomizedResponse(1.0).debias([0, 1], category=2),
            "category must be .* at most 1",
        ),
        (lambda: RandomizedResponse(1.0).frequency([]), "answers must not be empty"),
        (lambda: RandomizedResponse(1.0).frequency_variance(1.5, 9), "share must be .* at most 1"),
        (lambda: RandomizedResponse(1.0).frequency_variance(-0.1, 9), "share must be .* -0.1"),
        (lambda: RandomizedResponse(1.0).frequency_variance(0.5, 0), "n must be .* not 0"),
        (lambda: CoinSurvey(theta=0), "theta must be .*above 0 and at most 1, not 0"),
        (lambda: CoinSurvey(theta=0.5, yes=2), "yes must be .*at least 0 and at most 1, not 2"),
        (lambda: CoinSurvey(theta=0.5).share([0, 1, 2]), "answers must .* from 0 to 1, not 2"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize("epsilon", [20, 30, 36, 50, 700])
def test_the_probability_of_a_lie_keeps_its_digits(epsilon):
    m = RandomizedResponse(epsilon)
    assert m.lie_probability == pytest.approx(
        float(np.exp(-epsilon) / (1 + np.exp(-epsilon))), rel=1e-12, abs=0
    )
    assert m.frequency_variance(0.5, n=1) == pytest.approx(
        np.exp(-epsilon) / (1 - np.exp(-epsilon)) ** 2, rel=1e-9, abs=0
    )


@pytest.mark.parametrize("answers", [[0, 1, 1, 2, 4], [1, 1, 1], [0, 4, 3]])
def test_the_standard_error_is_that_of_the_estimated_share(answers):
    """Of 0 or 1 where the estimate is beyond them."""
    found = RandomizedResponse(1.0, k=5).frequency(answers)
    share = min(max(found.value, 0.0), 1.0)
    variance = RandomizedResponse(1.0, k=5).frequency_variance(share, n=len(answers))
    assert found.standard_error == pytest.approx(variance**0.5)


def test_what_is_estimated_is_the_share_of_ones_unless_said():
    mechanism, answers = RandomizedResponse(1.0, k=3), [0, 1, 1, 2, 1, 1, 0]
    assert mechanism.frequency(answers) == mechanism.frequency(answers, 1)
    for other in (0, 2):
        assert mechanism.frequency(answers).value != mechanism.frequency(answers, other).value


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("epsilon", "k"), [(1e-310, 2), (1e-300, 2**53), (5e-324, 2**53)])
def test_answers_that_tell_nothing_in_floats_are_not_inverted(epsilon, k):
    response = RandomizedResponse(epsilon, k)
    for known in (lambda: response.debias([0, 1]), lambda: response.frequency_variance(0.5, n=9)):
        with pytest.raises(ValueError, match=r"p - q must be a finite number at least 2.2"):
            known()
