import numpy as np
import pytest

from dplab.audit import goodness_of_fit
from dplab.distributions import Finite
from dplab.mechanisms.catastrophe import NameAndShame, OrEverything
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.widgets import ShameButton
from dplab.widgets.class_survey import binomial_law
from dplab.widgets.shame_button import ALL_OR_NONE, COLUMNS, PRESSES, ROWS, SHADES, press


def test_a_press_exposes_a_binomial_number_of_people():
    """Two tests at 1e-10: false-failure probability 2e-10."""
    rng = np.random.default_rng()
    by_chance = press(20, 0.25, False, rng).exposed
    assert by_chance.shape == (PRESSES,)
    assert goodness_of_fit(by_chance, Finite.of(dict(enumerate(binomial_law(20, 0.25))))).passed
    all_or_none = press(20, 0.25, True, rng).exposed
    assert goodness_of_fit(all_or_none, Finite.of({0: 0.75, 20: 0.25})).passed


def test_the_chances_are_those_of_the_mechanisms():
    by_chance, all_or_none = (press(3, 0.125, kind, np.random.default_rng(0)) for kind in (0, 1))
    people = ("a", "b", "c")
    silent = NameAndShame(0.125).distribution(people).enumerate().log_density((None,) * 3)
    assert by_chance.chance(0.125) == pytest.approx(1 - np.exp(silent))
    law = OrEverything(RandomizedResponse(1.0), 0.125).distribution((0, 1, 1))
    assert all_or_none.chance(0.125) == pytest.approx(law.probabilities[-1])


def test_squares_are_coloured_by_how_many_were_exposed():
    explorer = ShameButton()
    exposed = explorer.view().exposed.reshape(ROWS, COLUMNS)
    colours = explorer.squares.get_array()
    for shade, some in zip(SHADES, (exposed == 0, exposed == 1, exposed >= 2), strict=False):
        assert some.any()
        assert np.allclose(colours[some], shade)
    explorer.controls["n"].value = 1_000_000.0
    assert np.allclose(explorer.squares.get_array(), SHADES[3])


def test_the_same_delta_exposes_as_many_in_other_company():
    explorer = ShameButton()
    by_chance = explorer.marks[0].get_ydata()[0]
    explorer.controls["design"].value = ALL_OR_NONE
    assert by_chance == pytest.approx(1 - (1 - 2**-10) ** 1000)
    assert explorer.marks[0].get_ydata()[0] == 2**-10
    assert explorer.curve.get_ydata()[-1] == pytest.approx(2**-50)


def test_the_limit_stands_at_one_over_n_and_the_share_is_the_one_seen():
    explorer = ShameButton()
    explorer.controls["n"].value = 100.0
    assert explorer.limit.get_xdata() == [0.01, 0.01]
    share = (explorer.view().exposed > 0).mean()
    assert explorer.marks[1].get_ydata()[0] == share
    assert f"{share * 1000:.0f} of 1,000 presses exposed somebody" in explorer.picture.tooltip


def test_a_cryptographically_small_delta_exposes_nobody():
    explorer = ShameButton()
    explorer.controls["exponent"].value = 50
    assert "0 of 1,000 presses exposed somebody, 0 people" in explorer.picture.tooltip
    assert "Each single person is exposed with probability 8.9·10⁻¹⁶." in explorer.picture.tooltip
    assert explorer.marks[0].get_ydata()[0] == pytest.approx(1000 * 2.0**-50)


def test_a_person_is_exposed_as_often_in_any_company():
    explorer = ShameButton()
    for n in (1.0, 1000.0, 1_000_000.0):
        explorer.controls["n"].value = n
        assert "Each single person is exposed by one press in 1,000." in explorer.picture.tooltip
    explorer.controls["exponent"].value = 1
    assert "Each single person is exposed by 50% of presses." in explorer.picture.tooltip


def test_pressing_again_presses_anew_and_a_slider_keeps_the_luck():
    explorer = ShameButton()
    before = explorer.view().exposed
    assert (explorer.view().exposed == before).all()
    explorer.controls["again"].click()
    assert (explorer.view().exposed != before).any()
