import numpy as np
import pytest

from dplab import Laplace
from dplab.mechanisms.propose_test_release import OrNothing
from dplab.widgets import StableMedian
from dplab.widgets.stable_median import (
    LEAST_ERROR,
    MEDIAN,
    PEOPLE,
    SHARE,
    error_within,
    make_people,
    median_view,
)


@pytest.mark.parametrize("n", PEOPLE)
def test_people_are_as_many_as_said_in_two_groups(n):
    values = make_people(n, 20)
    assert len(values) == n
    assert ((values > 0) & (values < 100)).all()
    assert np.mean(values > 50) == pytest.approx(0.2, abs=1 / n)
    assert (make_people(n, 0) < 50).all()
    assert (np.diff(values) < 0).any()


def test_errors_are_those_of_nine_of_ten_draws():
    """6,000 draws: a share of 0.9 is off by less than 0.03 but with probability 1e-14."""
    view, rng = median_view(51, 40, 1.0, 20.0), np.random.default_rng(3)
    values, truth = make_people(51, 40), MEDIAN(view.values)
    noises = (rng.laplace(0, 100, 6000), rng.standard_cauchy(6000) * view.smooth / 1.0421906)
    for noise, error in zip(noises, (view.errors[0], view.errors[2]), strict=True):
        distances = np.abs(np.clip(truth + noise, 0, 100) - truth)
        assert np.mean(distances <= error + 0.1) > SHARE - 0.03
        assert np.mean(distances <= error - 0.1) < SHARE + 0.03
    assert MEDIAN.local(values) == view.local
    assert MEDIAN.smooth(values, 0.5) == view.smooth


def test_an_error_is_cut_at_the_ends_of_the_range():
    assert error_within(Laplace(20.0, 1e6), 20.0) == pytest.approx(80, abs=0.06)
    assert error_within(Laplace(50.0, 1.0), 50.0) == pytest.approx(np.log(10), abs=0.06)


def test_a_refusal_is_no_near_release():
    """Of 95 releases in a hundred, 90 must be near: all but 5 / 95 of them."""
    mostly = OrNothing(Laplace(50.0, 1.0), np.log(0.95))
    assert error_within(mostly, 50.0) == pytest.approx(np.log(95 / 5), abs=0.06)
    assert error_within(OrNothing(Laplace(50.0, 1.0), np.log(0.85)), 50.0) == np.inf


def test_stable_people_have_little_noise_and_unstable_ones_the_worst_case():
    stable, unstable = median_view(401, 20, 1.0, 2.0), median_view(401, 50, 1.0, 2.0)
    assert stable.errors[2] < stable.errors[0] / 200
    assert unstable.errors[2] > unstable.errors[0] / 2
    assert np.isfinite(stable.errors[1])
    assert np.isinf(unstable.errors[1])


def test_picture_follows_the_controls():
    explorer = StableMedian()
    for name, value in (("upper_percent", 40), ("n", 101), ("epsilon", 2.0), ("bound", 5.0)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert (len(view.values), view.epsilon, view.bound) == (101, 2.0, 5.0)
    assert explorer.dots.get_ydata() == pytest.approx(view.values)
    assert explorer.median_line.get_ydata() == [MEDIAN(view.values)] * 2
    assert explorer.steps.get_ydata() == pytest.approx(view.sensitivities)
    assert explorer.local_dot.get_ydata() == [view.local]
    assert explorer.smooth_dot.get_ydata() == [view.smooth]
    assert explorer.bound_line.get_ydata() == [5.0, 5.0]
    assert (explorer.envelope.get_ydata() >= view.sensitivities * (1 - 1e-12)).all()
    for bar, error in zip(explorer.bars, view.errors, strict=True):
        end = LEAST_ERROR + bar.get_width()
        assert end == pytest.approx(max(error, LEAST_ERROR) if np.isfinite(error) else LEAST_ERROR)
    assert explorer.refusal.get_visible() == np.isinf(view.errors[1])


def test_caption_says_who_is_near_and_who_refuses():
    explorer = StableMedian()
    assert explorer.picture.tooltip == (
        "Nine of ten releases: worst case within 69, smooth within 0.24, propose-test-release "
        "within 9.2. A 50% guess becomes at most 73%."
    )
    explorer.controls["upper_percent"].value = 50
    assert "propose-test-release refuses, no changes from danger." in explorer.picture.tooltip
    explorer.controls["upper_percent"].value = 40
    assert "refuses, 23 changes from danger." in explorer.picture.tooltip
    assert explorer.view().distance == MEDIAN.distance(make_people(401, 40), 2.0) == 23
    explorer.controls["epsilon"].value = 0.1
    assert explorer.picture.tooltip.endswith("at most 52.5%.")
