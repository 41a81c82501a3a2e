import pytest

from dplab.graphs import EDGE, NODE, project
from dplab.widgets import GraphNeighbors
from dplab.widgets.graph_neighbors import (
    BOUND,
    BOUNDED_COUNT,
    NAMES,
    PEOPLE,
    QUERIES,
    RELATIONS,
    neighbour,
    town,
)


@pytest.mark.parametrize("relation", [EDGE, NODE])
def test_each_number_is_a_neighbour_that_moves_no_count_beyond_its_sensitivity(relation):
    for number in range(1, 25):
        other, person = neighbour(town(), relation, number)
        assert relation.distance(town(), other) <= 1
        assert (person is None) == (relation == EDGE)
        for query in QUERIES.values():
            move = abs(query(town()) - query(other))
            assert move <= query.sensitivity(relation, PEOPLE)


def test_a_person_leaves_or_joins_everybody():
    left, person = neighbour(town(), NODE, 5)
    joined, same = neighbour(town(), NODE, 6)
    assert person == same == 2
    assert left.degrees[2] == 0
    assert joined.degrees[2] == PEOPLE - 1
    assert left.edges <= town().edges <= joined.edges


def test_some_people_have_more_friends_than_the_projection_keeps():
    assert town().degrees.max() > BOUND
    assert BOUNDED_COUNT(town()) == project(town(), BOUND).degrees.sum() / 2 < len(town().edges)


def test_the_picture_draws_what_changes():
    explorer = GraphNeighbors()
    explorer.controls["number"].value = 5
    both, gone, new = (len(line.get_segments()) for line in explorer.lines)
    assert both + gone == len(town().edges)
    assert gone + new == 1
    (pair,) = town().edges ^ explorer.view().neighbour.edges
    a, b = (NAMES[i] for i in sorted(pair))
    said = f"One {'lost' if gone else 'more'} friendship, {a}–{b}, moves the count by 1; "
    assert explorer.picture.tooltip.startswith(said)
    explorer.controls["relation"].value = list(RELATIONS)[1]
    both, gone, new = (len(line.get_segments()) for line in explorer.lines)
    assert (gone, new) == (town().degrees[2], 0)
    assert explorer.picture.tooltip.startswith(f"C as nobody's friend moves the count by {gone}; ")
    assert f"moves the count by {gone}" in explorer.notes[0].get_text()


def test_the_legend_lists_what_is_drawn():
    explorer = GraphNeighbors()
    explorer.controls["relation"].value = list(RELATIONS)[1]
    for number in (5, 6):  # person 3 leaves, and joins everybody
        explorer.controls["number"].value = number
        shown = {
            text.get_text()
            for legend in explorer.legends
            if legend.get_visible()
            for text in legend.get_texts()
        }
        assert shown == {line.get_label() for line in explorer.lines if line.get_segments()}


def test_the_noise_is_sensitivity_over_epsilon():
    explorer = GraphNeighbors()
    explorer.controls["epsilon"].value = 0.5
    assert "noise of scale 2 hides any friendship. A 50% guess" in explorer.picture.tooltip
    explorer.controls["relation"].value = list(RELATIONS)[1]
    assert "noise of scale 22 hides any person. A 50% guess" in explorer.picture.tooltip
    explorer.controls["query"].value = "triangles"
    assert explorer.view().scales == (20, 110)
    explorer.controls["query"].value = BOUNDED_COUNT.name
    assert explorer.view().scales == (2, 2 * BOUND)


def test_bars_are_as_long_as_what_they_show_and_the_noise_that_hide_names_is_bold():
    explorer = GraphNeighbors()
    for setting in ({}, {"relation": list(RELATIONS)[1]}, {"query": "triangles"}, {"epsilon": 0.1}):
        for name, value in setting.items():
            explorer.controls[name].value = value
        view = explorer.view()
        assert [bar.get_width() for bar in explorer.bars] == [view.move, *view.scales]
        assert {bar.get_x() for bar in explorer.bars} == {0}
        start, end = explorer.bars[0].axes.get_xlim()
        assert start == 0
        assert max(view.move, *view.scales) <= end
        faint = [bar.get_alpha() < 1 for bar in explorer.bars]
        assert faint == [False, view.person is not None, view.person is None]
