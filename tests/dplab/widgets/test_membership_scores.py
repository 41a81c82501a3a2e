import numpy as np
import pytest

from dplab.attacks.membership import half_sample_power, tracing_power
from dplab.theorems.no_powerful_test import largest_power
from dplab.widgets import MembershipScores
from dplab.widgets.membership_scores import (
    EXACT,
    FALSE_RATES,
    HALF,
    PRIVATE,
    PROMISE,
    noise_for,
    power_at,
    scores_view,
)
from dplab.widgets.words import percent


def test_curves_are_the_librarys():
    rates = np.array([0.01, 0.2])
    exact = [tracing_power(400, 100, false_positive_rate=rate) for rate in rates]
    half = [half_sample_power(400, 100, false_positive_rate=rate) for rate in rates]
    assert power_at(rates, d=400, n=100, released=EXACT) == pytest.approx(exact)
    assert power_at(rates, d=400, n=100, released=HALF) == pytest.approx(half)


def test_what_keeps_the_promise_stays_below_its_ceiling():
    for d, n in ((10, 10), (2000, 10), (2000, 500)):
        power = power_at(FALSE_RATES, d=d, n=n, released=PRIVATE)
        assert (power <= largest_power(FALSE_RATES, PROMISE)).all()
        assert noise_for(d, n) > 2 * d**0.5 / n


def test_a_measured_test_is_near_its_theory():
    """300 members and 300 outsiders: fails with probability below 1e-9 for a fresh seed."""
    view = scores_view(d=400, n=100, released=EXACT, rng=np.random.default_rng(1))
    assert view.measured.true_positive == pytest.approx(view.expected, abs=0.25)
    assert view.measured.false_positive < 0.07
    assert view.guess == pytest.approx(0.974, abs=1e-3)


def test_moving_the_controls_moves_the_picture():
    explorer = MembershipScores()
    before = explorer.power.get_ydata().copy()
    explorer.controls["d"].value = 2000.0
    assert (explorer.power.get_ydata() >= before).all()
    assert "1% and 98%." in explorer.picture.tooltip
    assert not explorer.ceiling.get_visible()
    assert not explorer.ceiling_name.get_visible()
    explorer.controls["released"].value = PRIVATE
    assert explorer.ceiling.get_visible()
    assert explorer.ceiling_name.get_visible()
    assert explorer.picture.tooltip.endswith("; the promise allows at most 2.7%.")


def test_half_of_the_members_look_like_outsiders():
    explorer = MembershipScores()
    explorer.controls["d"].value = 2000.0
    explorer.controls["released"].value = HALF
    assert "1% and 50%." in explorer.picture.tooltip


def test_caption_says_who_is_accused_in_the_picture():
    explorer = MembershipScores()
    explorer.controls["d"].value, explorer.controls["n"].value = 2000.0, 500.0
    for said in ("0% of these outsiders and 35%", "1.7% of these outsiders and 36%"):
        assert f"The test accuses {said} of these members." in explorer.picture.tooltip
        measured = explorer.view().measured
        assert said.startswith(f"{percent(measured.false_positive)} of these outsiders")
        explorer.controls["again"].click()


def test_another_study_has_other_people_and_the_same_theory():
    explorer = MembershipScores()
    first, power = explorer.view(), explorer.power.get_ydata().copy()
    explorer.controls["again"].click()
    assert (explorer.view().members != first.members).any()
    assert explorer.power.get_ydata() == pytest.approx(power)
    assert "In theory it is 1% and 37%." in explorer.picture.tooltip


def test_axis_of_scores_follows_the_members():
    explorer = MembershipScores()
    for d, n, end in ((400, 100, 6), (2000, 50, 10), (2000, 10, 16)):
        explorer.controls["d"].value, explorer.controls["n"].value = d, n
        assert explorer.scores_axes.get_xlim() == (-4, end)
        assert explorer.view().members.max() <= end or end == 16
