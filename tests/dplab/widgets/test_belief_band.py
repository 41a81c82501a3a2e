import numpy as np
import pytest

from dplab.distributions import Finite
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.posterior import beliefs
from dplab.widgets import BeliefBand
from dplab.widgets.belief_band import FAMILY, PRIORS, STRANGERS, after, belief_view


@pytest.mark.parametrize("people", [1, 2, 4])
@pytest.mark.parametrize("prior", [0.1, 0.5])
def test_a_familys_beliefs_are_those_of_bayes_rule(people, prior):
    view = belief_view(epsilon=0.8, people=people, others=FAMILY, prior=prior)
    family = Finite.of({(0,) * people: 1 - prior, (1,) * people: prior})
    found = beliefs(RandomizedResponse(0.8), family, person=0, default=0)
    column = found.outputs.index((1,) * people)
    row = found.values.index(1)
    assert view.posterior == pytest.approx(found.posterior[row, column])
    assert view.posterior_without == pytest.approx(found.posterior_without[row, column])
    assert view.breaks_naive_reading == (people > 1)


def test_strangers_say_nothing():
    view = belief_view(epsilon=1.0, people=5, others=STRANGERS, prior=0.5)
    assert (view.posterior_without, view.from_others) == (0.5, 0.0)
    assert view.posterior == pytest.approx(np.e / (1 + np.e))
    assert not view.breaks_naive_reading


def test_the_switch_takes_the_curve_out_of_the_band():
    explorer = BeliefBand()
    edge = after(PRIORS, 1.0)
    assert explorer.curve.get_ydata() == pytest.approx(edge)
    assert explorer.beyond.get_text() == ""
    explorer.controls["others"].value = FAMILY
    assert (explorer.curve.get_ydata()[1:-1] > edge[1:-1] + 1e-3).all()
    assert explorer.beyond.get_text() == "beyond the band"
    assert explorer.without.get_ydata() == pytest.approx(after(PRIORS, 2.0))
    said = "After 3 YES the belief is 95%, outside the band; without yours, 88%. "
    assert explorer.picture.tooltip.startswith(said)


def test_your_part_is_epsilon_wide_wherever_it_starts():
    explorer = BeliefBand()
    explorer.controls["epsilon"].value = 2.5
    for others in (STRANGERS, FAMILY):
        explorer.controls["others"].value = others
        for people in (5, 1):
            explorer.controls["people"].value = people
            assert explorer.bars[1].get_width() == 2.5
            end = explorer.bars[1].get_x() + explorer.bars[1].get_width()
            assert end <= explorer.bars[1].axes.get_xlim()[1]


def test_the_switch_keeps_the_axis_of_evidence():
    explorer = BeliefBand()
    end = explorer.limit.axes.get_xlim()[1]
    explorer.controls["others"].value = FAMILY
    assert explorer.limit.axes.get_xlim()[1] == end < 2 * 3  # three answers of one nat each


def test_the_note_on_your_part_stays_in_its_picture_wherever_that_starts():
    explorer = BeliefBand()
    explorer.controls["others"].value = FAMILY
    for people in range(1, 6):
        explorer.controls["people"].value = people
        for epsilon in np.arange(1, 26) / 10:
            explorer.controls["epsilon"].value = epsilon
            note = explorer.limit_note.get_window_extent(explorer.canvas.get_renderer())
            assert explorer.limit_note.axes.bbox.x0 < note.x0
            assert note.x1 < explorer.figure.bbox.x1 - 5  # pixels


def test_others_are_counted():
    explorer = BeliefBand()
    for people, said in ((1, "no other answers:"), (2, "1 other answer:"), (3, "2 other answers:")):
        explorer.controls["people"].value = people
        assert explorer.notes[0].get_text().startswith(said)


def test_the_band_is_closed_and_inside_the_square():
    explorer = BeliefBand()
    vertices = explorer.band.get_paths()[0].vertices
    assert vertices.min() >= 0
    assert vertices.max() <= 1
