import numpy as np
import pytest
from matplotlib.colors import to_rgba

from dplab.attacks.diffix import CEDAR, DOGWOOD, FRESH, LAYERED, NONE, STICKY
from dplab.widgets import ArmsRace, style
from dplab.widgets.diffix_race import ATTACKS, PEOPLE, outcome


@pytest.fixture(scope="module")
def explorer():
    return ArmsRace()


def choose(explorer, **values):
    for name, value in values.items():
        explorer.controls[name].value = value


def colours(explorer, colour):
    return int((explorer.people.get_facecolor() == to_rgba(colour)).all(axis=1).sum())


@pytest.mark.parametrize(
    ("generation", "attack"),
    [(NONE, "same pair"), (FRESH, "same pair"), (STICKY, "reworded"), (CEDAR, "latitude")],
)
def test_squares_show_who_is_guessed_right(explorer, generation, attack):
    choose(explorer, generation=generation, attack=attack, questions=16)
    right = int(outcome(generation, attack).right[3].sum())
    assert colours(explorer, style.BLUE) == right
    assert colours(explorer, "white") == PEOPLE - right
    edges = explorer.people.get_edgecolor()
    assert (edges == to_rgba(style.RED)).all(axis=1).sum() == PEOPLE - right
    said = f"16 questions per person: {right} of 48 loans are guessed right."
    assert explorer.picture.tooltip.startswith(f"The {generation.name} curator against the ")
    assert explorer.picture.tooltip.endswith(said)


def test_what_is_refused_is_grey_and_has_no_curve(explorer):
    choose(explorer, generation=DOGWOOD, attack="latitude", questions=64)
    assert colours(explorer, style.GREY) == PEOPLE
    assert [explorer.curves[attack].get_visible() for attack in ATTACKS] == [
        True,
        True,
        False,
        False,
    ]
    said = "The Dogwood curator against the latitude's digits, 64 questions per person: refused."
    assert explorer.picture.tooltip == said


def test_curves_are_those_of_the_curator_and_the_ring_is_on_the_chosen_one(explorer):
    choose(explorer, generation=LAYERED, attack="number", questions=8)
    for attack in ATTACKS:
        shares = outcome(LAYERED, attack).shares
        np.testing.assert_array_equal(explorer.curves[attack].get_ydata(), shares)
    (x,), (y,) = explorer.here.get_data()
    assert (x, y) == (8, outcome(LAYERED, "number").shares[2])
    widths = [curve.get_linewidth() for curve in explorer.curves.values()]
    assert widths == [1.2, 1.2, 3, 1.2]
