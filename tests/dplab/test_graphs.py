from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.graphs import (
    DEGREE_HISTOGRAM,
    DEGREE_SEQUENCE,
    EDGE,
    EDGE_COUNT,
    FRIENDS,
    NODE,
    QUERIES,
    TRIANGLES,
    Graph,
    project,
)
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import pairs, sensitivity

graphs = st.integers(1, 8).flatmap(
    lambda n: st.builds(
        lambda edges: Graph.of(n, [(i, j) for i, j in edges if i != j]),
        st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))),
    )
)


def star(n: int) -> Graph:
    return Graph.of(n, [(0, other) for other in range(1, n)])


def complete(n: int) -> Graph:
    return Graph.of(n, [(i, j) for i in range(n) for j in range(i)])


def test_a_graph_answers_who_is_friends_with_whom():
    graph = Graph.of(4, [(2, 0), (0, 2), (3, 2)])
    assert graph.edges == {(0, 2), (2, 3)}
    assert graph.has(2, 0)
    assert not graph.has(0, 1)
    assert graph.degrees.tolist() == [1, 0, 2, 1]
    assert graph.pairs_of(2) == [(0, 2), (1, 2), (2, 3)]
    assert Graph.of(3, []).degrees.tolist() == [0, 0, 0]


def test_queries_on_graphs_that_one_can_count():
    assert [query(complete(5)) for query in (EDGE_COUNT, TRIANGLES)] == [10, 10]
    assert [query(star(5)) for query in (EDGE_COUNT, TRIANGLES)] == [4, 0]
    assert DEGREE_SEQUENCE(star(4)).tolist() == [1, 1, 1, 3]
    assert DEGREE_HISTOGRAM(star(4)).tolist() == [0, 3, 0, 1]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_counts_of_neighbours(n):
    assert len(list(EDGE.datasets(FRIENDS, n))) == 2 ** (n * (n - 1) // 2)
    graph, both = star(n), n * (n - 1) // 2
    assert (
        len(set(EDGE.neighbors_of(graph, FRIENDS)))
        == len(list(EDGE.neighbors_of(graph, FRIENDS)))
        == both
    )
    nodes = list(NODE.neighbors_of(graph, FRIENDS))
    # Each of n people has 2^(n - 1) - 1 changes; a change of one pair belongs to two people.
    assert len(set(nodes)) == len(nodes) == n * (2 ** (n - 1) - 1) - both


@pytest.mark.parametrize("relation", [EDGE, NODE])
def test_neighbours_are_one_step_away_and_nobody_else_is(relation):
    everything = list(relation.datasets(FRIENDS, 4))
    for graph in everything[::7]:
        neighbours = set(relation.neighbors_of(graph, FRIENDS))
        assert neighbours == {other for other in everything if relation.distance(graph, other) == 1}
        assert all(graph in set(relation.neighbors_of(other, FRIENDS)) for other in neighbours)


def test_distances():
    assert EDGE.distance(complete(5), Graph.of(5, [])) == 10
    assert NODE.distance(complete(5), Graph.of(5, [])) == 4  # all but one must change
    assert NODE.distance(star(5), star(5)) == 0
    assert EDGE.distance(star(4), star(5)) == NODE.distance(star(4), star(5)) == np.inf


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("relation", [EDGE, NODE])
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_closed_forms_are_what_brute_force_finds(query, relation, n):
    assert query.sensitivity(relation, n) == sensitivity(query, relation, FRIENDS, n)


@given(graphs, st.integers(0, 4))
def test_a_projection_bounds_degrees_and_takes_nothing_without_need(graph, degree):
    kept = project(graph, degree)
    assert kept.edges <= graph.edges
    assert kept.degrees.max() <= degree
    full = np.flatnonzero(kept.degrees == degree)
    assert all(i in full or j in full for i, j in graph.edges - kept.edges)


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_stability_of_the_projection_is_as_stated_and_reached(degree):
    def edges(graph):
        return EDGE_COUNT(project(graph, degree))

    def degrees(graph):
        return project(graph, degree).degrees

    assert sensitivity(edges, NODE, FRIENDS, 4) == degree
    assert sensitivity(degrees, NODE, FRIENDS, 4) == 2 * degree
    assert sensitivity(edges, EDGE, FRIENDS, 4) == min(1, degree)
    assert sensitivity(degrees, EDGE, FRIENDS, 4) == min(2, 2 * degree)


def test_leaving_out_people_of_high_degree_is_not_stable():
    """The projection that suggests itself: one person tips all others over the bound."""

    def truncated(graph, degree=2):
        return sum(max(graph.degrees[i], graph.degrees[j]) <= degree for i, j in graph.edges)

    ring = Graph.of(7, [*pairwise(range(6)), (0, 5)])
    joined = ring.flip(ring.pairs_of(6))
    assert NODE.distance(ring, joined) == 1
    assert truncated(ring) - truncated(joined) == 6 > 2
    assert abs(EDGE_COUNT(project(ring, 2)) - EDGE_COUNT(project(joined, 2))) <= 2


def test_a_projected_count_with_noise_is_private_for_people():
    release = LaplaceMechanism(
        lambda graph: EDGE_COUNT(project(graph, 2)), sensitivity=2, epsilon=0.5, neighbors=NODE
    )
    losses = [
        release.privacy_loss(x, y).largest_log_ratio
        for x, y in pairs(release.neighbors, FRIENDS, 4)
    ]
    assert max(losses) == pytest.approx(0.5)


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match=r"edges must join two of the people 0..2$"):
        Graph.of(3, [(1, 3)])
    with pytest.raises(ValueError, match=r"edges must join two of the people 0..2$"):
        Graph.of(3, [(1, 1)])
    with pytest.raises(ValueError, match="relation must be one of"):
        EDGE_COUNT.sensitivity("edge", 3)
    with pytest.raises(ValueError, match="n must be a whole number of at least 2, not 1"):
        EDGE_COUNT.sensitivity(EDGE, 1)
    with pytest.raises(ValueError, match="degree must be a whole number of at least 0, not -1"):
        project(star(3), -1)


def test_nobody_rewrites_the_degrees_of_a_graph():
    graph = Graph.of(3, [(0, 1)])
    with pytest.raises(ValueError, match="read-only"):
        graph.degrees[0] = 9
    assert graph.degrees.tolist() == [1, 1, 0]
