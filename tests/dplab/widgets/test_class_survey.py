import numpy as np
import pytest

from dplab import CoinSurvey
from dplab.widgets.class_survey import (
    CEILINGS,
    SAY_YES,
    TOSS_AGAIN,
    ClassSurvey,
    Coins,
    binomial_law,
    class_view,
    epsilon_of,
    theta_of,
)


@pytest.fixture
def coins():
    return Coins.toss(np.random.default_rng(3))


@pytest.fixture
def fair():
    """The explorer, on the rule that has an epsilon."""
    explorer = ClassSurvey()
    explorer.controls["design"].value = TOSS_AGAIN
    return explorer


def hill(explorer, which):
    """Mean and deviation of a hill as it is drawn: 0 the share of YES, 1 the estimate."""
    values, heights = explorer.curves[which].get_xy()[:-3].T
    mean = heights @ values / heights.sum()
    return mean, np.sqrt(heights @ (values - mean) ** 2 / heights.sum())


@pytest.mark.parametrize(("theta", "yes"), [(0.5, 1.0), (0.5, 0.5), (0.9, 0.3)])
def test_law_of_the_count_is_the_mechanisms_own(coins, theta, yes):
    view = class_view(coins, n=8, share=0.4, theta=theta, yes=yes)
    exact = CoinSurvey(theta, yes).distribution(view.truths).enumerate().map(sum)
    expected = [np.exp(exact.log_density(count)) for count in range(9)]
    assert view.count_law == pytest.approx(expected, abs=1e-12)


def test_estimate_is_unbiased_with_the_variance_of_randomized_response(coins):
    view = class_view(coins, n=100, share=0.3, theta=0.5, yes=0.5)  # epsilon = log 3
    bias, deviation = view.bias_and_deviation(view.estimates)
    assert bias == pytest.approx(0, abs=1e-12)
    assert deviation == pytest.approx(np.sqrt(0.75 / 100), rel=1e-9)


def test_guilt_has_nothing_to_do_with_the_coins():
    rng = np.random.default_rng(4)
    classes = [
        class_view(Coins.toss(rng), n=100, share=0.3, theta=0.5, yes=0.5) for _ in range(400)
    ]
    # Hoeffding: 40,000 answers, each moving the estimate by 1 / theta; false failure 1e-9.
    allowed = 2 * np.sqrt(np.log(2 / 1e-9) / (2 * 40_000))
    assert np.mean([view.estimate.value for view in classes]) == pytest.approx(0.3, abs=allowed)


def test_share_of_yes_is_biased_towards_the_coin(coins):
    view = class_view(coins, n=100, share=0.3, theta=0.5, yes=0.5)
    bias, _ = view.bias_and_deviation(view.raw_values)
    assert bias == pytest.approx(0.5 * (0.5 - 0.3), rel=1e-9)


def test_estimate_of_the_class_is_the_estimate_of_its_count(coins):
    view = class_view(coins, n=60, share=0.3, theta=0.4, yes=1.0)
    assert view.estimates[view.answers.sum()] == pytest.approx(view.estimate.value)


def test_more_heads_only_make_more_answers_true(coins):
    few, more = (class_view(coins, n=100, share=0.3, theta=t, yes=0.5) for t in (0.3, 0.6))
    assert (few.truths == more.truths).all()
    assert ((more.answers != more.truths) <= (few.answers != few.truths)).all()
    assert (few.answers != more.answers).any()


def test_a_larger_share_keeps_those_who_were_guilty(coins):
    low, high = (class_view(coins, n=100, share=s, theta=0.5, yes=0.5) for s in (0.2, 0.5))
    assert (low.truths <= high.truths).all()
    assert (low.truths.sum(), high.truths.sum()) == (20, 50)


def test_say_yes_never_makes_a_guilty_no(coins):
    view = class_view(coins, n=100, share=0.5, theta=0.2, yes=1.0)
    assert view.answers[view.truths == 1].all()
    assert view.answers[view.truths == 0].any()


def test_binomial_law_at_certainty_and_in_between():
    assert binomial_law(3, 0.0).tolist() == [1, 0, 0, 0]
    assert binomial_law(3, 1.0).tolist() == [0, 0, 0, 1]
    assert binomial_law(3, 0.5) == pytest.approx(np.array([1, 3, 3, 1]) / 8)


@pytest.mark.parametrize("theta", [0.05, 0.5, 0.95])
def test_theta_and_epsilon_are_one_dial(theta):
    assert epsilon_of(theta) == pytest.approx(CoinSurvey(theta, 0.5).guarantee.epsilon)
    assert theta_of(epsilon_of(theta)) == pytest.approx(theta)


def test_both_sliders_end_at_the_same_survey(fair):
    fair.controls["theta"].value = fair.controls["theta"].max
    epsilon = fair.view().survey.privacy_loss(0, 1).largest_log_ratio
    assert fair.value("epsilon") == pytest.approx(epsilon, abs=0.005)


def test_sliders_are_linked_both_ways(fair):
    explorer = fair
    explorer.controls["epsilon"].value = 2.0
    assert explorer.value("theta") == pytest.approx(np.tanh(1), abs=0.005)
    assert explorer.picture.tooltip.endswith("A 50% guess becomes at most 88%.")
    explorer.controls["theta"].value = 0.5
    assert explorer.value("epsilon") == pytest.approx(np.log(3), abs=0.005)


def test_hill_of_the_estimate_stays_on_the_truth_while_the_other_leaves(fair):
    explorer = fair
    for theta in (0.9, 0.5, 0.3):
        explorer.controls["theta"].value = theta
        assert hill(explorer, 1)[0] == pytest.approx(0.3, abs=1e-9)
        assert hill(explorer, 0)[0] == pytest.approx(0.3 + (1 - theta) * 0.2, abs=1e-9)


def test_hill_of_the_estimate_widens_as_privacy_grows(fair):
    explorer = fair
    for epsilon in (3.0, 1.0, 0.5):
        explorer.controls["epsilon"].value = epsilon
        expected = np.exp(epsilon / 2) / ((np.exp(epsilon) - 1) * 10)
        assert hill(explorer, 1)[1] == pytest.approx(expected, rel=1e-6)


def test_a_class_of_a_quarter_doubles_the_width(fair):
    explorer = fair
    explorer.controls["n"].value = 80
    wide = hill(explorer, 1)[1]
    explorer.controls["n"].value = 20
    assert hill(explorer, 1)[1] == pytest.approx(2 * wide, rel=1e-9)


def test_dots_are_coloured_by_truth_and_by_answer_and_ringed_where_they_differ(fair):
    explorer = fair
    view = explorer.view()
    truth, answer = (dots.get_facecolors()[:, 0] > 0.5 for dots in explorer.dots)
    assert truth.tolist() == view.truths.astype(bool).tolist()
    assert answer.tolist() == view.answers.astype(bool).tolist()
    ringed = explorer.dots[1].get_edgecolors()[:, 3] > 0
    assert ringed.tolist() == (view.truths != view.answers).tolist()
    corners = [len(path.vertices) for path in explorer.dots[1].get_paths()]
    assert [count < 10 for count in corners] == view.answers.astype(bool).tolist()


def test_hills_have_an_area_of_one_below_one_axis(fair):
    for theta in (0.05, 0.5, 0.95):
        fair.controls["theta"].value = theta
        view, (_, top) = fair.view(), fair.hills.get_ylim()
        assert top in CEILINGS
        for curve, values in zip(fair.curves, (view.raw_values, view.estimates), strict=True):
            heights = curve.get_xy()[:-3, 1]
            assert heights.sum() * (values[1] - values[0]) == pytest.approx(1)
            assert heights.max() < top


def test_a_class_without_chance_fits_its_axis():
    explorer = ClassSurvey()
    explorer.controls["n"].value, explorer.controls["share"].value = 120, 1.0
    assert explorer.curves[0].get_xy()[:, 1].max() < explorer.hills.get_ylim()[1]


def test_caption_says_how_far_the_estimate_is_and_strays(fair):
    estimate = fair.view().estimate.value
    told = f"The estimate is {estimate:.0%}, the truth 30%. Over all tosses the estimate strays by "
    assert fair.picture.tooltip == told + "8.7 points. A 50% guess becomes at most 75%."
    fair.controls["n"].value, fair.controls["theta"].value = 80, 0.2
    assert "strays by 27 points" in fair.picture.tooltip  # sqrt((1 - 0.2²) / 4 / 80) / 0.2


def test_say_yes_has_no_epsilon_and_its_no_proves_innocence():
    explorer = ClassSurvey()
    assert explorer.value("design") == SAY_YES
    assert explorer.picture.tooltip.endswith("A NO proves innocence.")
    answers, truths = (dots.get_facecolors()[:, 0] > 0.5 for dots in explorer.dots[::-1])
    assert answers[truths].all()
    explorer.controls["theta"].value = 0.4
    assert explorer.value("design") == SAY_YES
    explorer.controls["epsilon"].value = 2.0
    assert explorer.value("design") == TOSS_AGAIN
    assert explorer.picture.tooltip.endswith("A 50% guess becomes at most 88%.")


def test_new_class_moves_the_estimate_and_not_the_hill():
    explorer = ClassSurvey()
    before, today = explorer.curves[1].get_xy().copy(), set()
    for _ in range(20):  # all the same with probability below 0.2^19 < 1e-9
        explorer.controls["again"].click()
        today.add(float(explorer.today.get_xdata()[0]))
    assert len(today) > 1
    assert (explorer.curves[1].get_xy() == before).all()
