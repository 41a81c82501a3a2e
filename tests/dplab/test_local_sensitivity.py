import numpy as np
import pytest

from dplab import REPLACE_ONE
from dplab.graphs import EDGE, FRIENDS, Graph
from dplab.local_sensitivity import Median, TriangleCount

MEDIANS = [((0, 1, 3), n) for n in (1, 2, 3, 4)]


def brute_force(query, universe, n, steps):
    """Return for each dataset A_0, ..., A_steps, by a walk from neighbour to neighbour."""
    relation = query.neighbors
    datasets = list(relation.datasets(universe, n))
    near = {x: [x, *relation.neighbors_of(x, universe)] for x in datasets}
    largest = {x: max(abs(query(x) - query(y)) for y in near[x]) for x in datasets}
    rows = {x: [largest[x]] for x in datasets}
    for _ in range(steps):
        largest = {x: max(largest[y] for y in near[x]) for x in datasets}
        for x in datasets:
            rows[x].append(largest[x])
    return rows


def continued(values, length):
    return [*values, *[values[-1]] * length][:length]


@pytest.mark.parametrize(("universe", "n"), MEDIANS)
def test_medians_are_as_sensitive_as_brute_force_finds(universe, n):
    """Odd and even sizes, ties, one value; also a range whose ends are no records' values."""
    median = Median(0, 3)
    for x, row in brute_force(median, universe, n, 6).items():
        assert continued(median.at_distance(x).tolist(), 7) == row
        assert median.local(x) == row[0]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_triangle_counts_are_as_sensitive_as_brute_force_finds(n):
    for graph, row in brute_force(TriangleCount(), FRIENDS, n, 7).items():
        assert continued(TriangleCount().at_distance(graph).tolist(), 8) == row


@pytest.mark.parametrize("beta", [0, 0.3, 2])
def test_the_smooth_sensitivity_is_the_least_smooth_bound(beta):
    """By the theorem it is the largest e^{-beta d} LS(y) over all datasets y at distance d."""
    for query, universe, n in ((Median(0, 3), (0, 1, 3), 3), (TriangleCount(), FRIENDS, 4)):
        local = {x: query.local(x) for x in query.neighbors.datasets(universe, n)}
        apart = {
            x: [local[y] * np.exp(-beta * query.neighbors.distance(x, y)) for y in local]
            for x in list(local)[:: 1 if n == 3 else 5]
        }
        for x, bounds in apart.items():
            assert query.smooth(x, beta) == pytest.approx(max(bounds))


def test_a_distance_is_that_to_the_next_data_above_the_bound():
    for query, universe, n in ((Median(0, 3), (0, 1, 3), 4), (TriangleCount(), FRIENDS, 4)):
        for x, row in brute_force(query, universe, n, 6).items():
            for bound in (0, 1, 1.5, 2, 3):
                first = next((k for k, a in enumerate(row) if a > bound), np.inf)
                assert query.distance(x, bound) == first


def test_values_beyond_the_range_count_as_its_ends_and_even_sizes_take_the_lower():
    assert Median(0, 10)([-5, 3, 99, 4]) == 3
    assert Median(0, 10)([99, 99, -1]) == 10
    assert Median(0, 10)([7]) == 7
    assert Median(0, 10).at_distance([7]).tolist() == [7, 10]
    assert Median(0, 10)(np.array([[4], [2], [3]])) == 3


def test_what_has_no_median_and_no_graph_is_refused():
    with pytest.raises(ValueError, match="data must not be empty"):
        Median(0, 1)([])
    with pytest.raises(ValueError, match="upper must be"):
        Median(1, 1)
    with pytest.raises(ValueError, match=r"upper - lower must be"):
        Median(-1e308, 1e308)
    with pytest.raises(ValueError, match="graph must be a Graph"):
        TriangleCount()([0, 1])
    with pytest.raises(ValueError, match="beta must be"):
        Median(0, 1).smooth([0], -1)


def test_a_graph_of_two_has_no_triangles_to_lose():
    assert TriangleCount().at_distance(Graph.of(2, [(0, 1)])).tolist() == [0]
    assert TriangleCount().neighbors == EDGE
    assert Median(0, 1).neighbors == REPLACE_ONE
