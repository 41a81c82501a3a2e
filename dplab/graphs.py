"""Graphs as data: neighbouring graphs of friendships, and the sensitivity of graph queries.

A graph is a dataset whose records are pairs of people, each 0 (strangers) or 1 (friends). Edge
privacy hides one record. Node privacy hides a person, that is, all records with that person in
them. There may be n - 1 of these, and then the same count costs n - 1 times the noise.

Sources: Hay, Li, Miklau and Jensen (2009) for both relations and for degree sequences;
Kasiviswanathan, Nissim, Raskhodnikova and Smith (2013) for node privacy by projection.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from dplab import arguments
from dplab.neighbors import Neighbors

Pair = tuple[int, int]
FRIENDS = (0, 1)  # the states of a pair of people


@dataclass(frozen=True)
class Graph:
    """A simple undirected graph of friendships among the people 0 .. n - 1.

    `edges` holds pairs (i, j) with i < j. Its length is the number of people, which is public.

    >>> path = Graph.of(3, [(0, 1), (2, 1)])
    >>> path.degrees.tolist(), path.has(1, 2), len(path)
    ([1, 2, 1], True, 3)
    """

    n: int
    edges: frozenset[Pair]

    @classmethod
    def of(cls, n: int, edges: Iterable[Pair]) -> Graph:
        """Build a graph from pairs in any order; ValueError for a pair that can't be an edge."""
        n, sorted_edges = arguments.whole("n", n, least=1), set()
        for i, j in edges:
            if i == j or not (0 <= i < n and 0 <= j < n):
                raise ValueError(f"edges must join two of the people 0..{n - 1}")
            sorted_edges.add((min(i, j), max(i, j)))
        return cls(n, frozenset(sorted_edges))

    def __len__(self) -> int:
        return self.n

    def has(self, i: int, j: int) -> bool:
        """Return whether i and j are friends."""
        return (min(i, j), max(i, j)) in self.edges

    def flip(self, pairs: Iterable[Pair]) -> Graph:
        """Return the graph in which these pairs change between friends and strangers."""
        return Graph(self.n, self.edges ^ frozenset(pairs))

    @cached_property
    def degrees(self) -> np.ndarray:
        """Everybody's number of friends, shape (n,); read-only, because graphs do not change."""
        degrees = np.bincount(np.ravel(list(self.edges)).astype(int), minlength=self.n)
        degrees.setflags(write=False)
        return degrees

    def pairs_of(self, person: int) -> list[Pair]:
        """Return the n - 1 pairs with this person in them."""
        others = (other for other in range(self.n) if other != person)
        return [(min(person, other), max(person, other)) for other in others]


@dataclass(frozen=True)
class EdgeNeighbors:
    """One friendship comes or goes.

    >>> sum(1 for _ in EDGE.neighbors_of(Graph.of(4, []), FRIENDS))
    6
    """

    def datasets(self, universe: Sequence[Hashable], n: int) -> Iterator[Graph]:
        pairs = list(combinations(range(n), 2))
        for values in product(universe, repeat=len(pairs)):
            yield Graph(n, frozenset(p for p, value in zip(pairs, values, strict=True) if value))

    def neighbors_of(self, dataset: Graph, universe: Sequence[Hashable]) -> Iterator[Graph]:
        for pair in combinations(range(dataset.n), 2):
            if (pair not in dataset.edges) in universe:
                yield dataset.flip([pair])

    def distance(self, x: Graph, y: Graph) -> float:
        return len(x.edges ^ y.edges) if x.n == y.n else float("inf")


@dataclass(frozen=True)
class NodeNeighbors(EdgeNeighbors):
    """One person's friendships change, any number of them; the number of people is public.

    A person who joins or leaves is one whose friendships all come or go.

    >>> star = Graph.of(4, [(0, 1), (0, 2), (0, 3)])
    >>> EDGE.distance(star, Graph.of(4, [])), NODE.distance(star, Graph.of(4, []))
    (3, 1)
    """

    def neighbors_of(self, dataset: Graph, universe: Sequence[Hashable]) -> Iterator[Graph]:
        for person in range(dataset.n):
            pairs = [p for p in dataset.pairs_of(person) if (p not in dataset.edges) in universe]
            for flips in product((False, True), repeat=len(pairs)):
                flipped_pairs = [pair for pair, change in zip(pairs, flips, strict=True) if change]
                # A single pair has two people in it: count that neighbour once.
                if len(flipped_pairs) > 1 or (flipped_pairs and flipped_pairs[0][0] == person):
                    yield dataset.flip(flipped_pairs)

    def distance(self, x: Graph, y: Graph) -> float:
        """Return the fewest people who are in all pairs that differ, by brute force."""
        if x.n != y.n:
            return float("inf")
        edges = x.edges ^ y.edges
        for k in range(x.n + 1):
            for people in combinations(range(x.n), k):
                if all(i in people or j in people for i, j in edges):
                    return k
        raise AssertionError("everybody together is in every pair")


EDGE = EdgeNeighbors()
NODE = NodeNeighbors()


@dataclass(frozen=True)
class GraphQuery:
    """A query with its L1 sensitivities in closed form: `edge(n)` and `node(n)`, for n people.

    Raises ValueError for other arguments.
    """

    name: str
    answer: Callable[[Graph], Any]
    edge: Callable[[int], int]
    node: Callable[[int], int]

    def __post_init__(self):
        arguments.settle(self, arguments.text, "name")
        arguments.settle(self, arguments.function, "answer", "edge", "node")

    def __call__(self, graph: Graph) -> Any:
        return self.answer(graph)

    def sensitivity(self, relation: Neighbors, n: int) -> int:
        """Return the L1 sensitivity for EDGE or NODE on graphs of n >= 2 people, or ValueError.

        >>> TRIANGLES.sensitivity(EDGE, 10), TRIANGLES.sensitivity(NODE, 10)
        (8, 36)
        """
        arguments.one_of("relation", relation, (EDGE, NODE))
        arguments.whole("n", n, least=2)
        return self.edge(n) if relation == EDGE else self.node(n)


def _triangles(graph: Graph) -> int:
    return sum(
        {(i, j), (i, k), (j, k)} <= graph.edges for i, j, k in combinations(range(graph.n), 3)
    )


# One person has n - 1 friends at most, and any two of these close a triangle with them.
EDGE_COUNT = GraphQuery("friendships", lambda g: len(g.edges), lambda n: 1, lambda n: n - 1)
TRIANGLES = GraphQuery("triangles", _triangles, lambda n: n - 2, lambda n: comb(n - 1, 2))
# Sorting two vectors does not increase their distance. A person who gains a friends and loses b
# moves a + b other degrees by one, and their own by |a - b|: 2 max(a, b) in total.
DEGREE_SEQUENCE = GraphQuery(
    "sorted degrees", lambda g: np.sort(g.degrees), lambda n: 2, lambda n: 2 * (n - 1)
)
# Each person whose degree changes leaves one bar and enters another.
DEGREE_HISTOGRAM = GraphQuery(
    "histogram of degrees",
    lambda g: np.bincount(g.degrees, minlength=g.n),
    lambda n: 4,
    lambda n: 2 * n,
)
QUERIES = (EDGE_COUNT, TRIANGLES, DEGREE_SEQUENCE, DEGREE_HISTOGRAM)


def project(graph: Graph, degree: int) -> Graph:
    """Keep each edge, in the order of pairs, unless one of its ends already has `degree` edges.

    Nobody in the result has more than `degree` friends. A graph in which nobody has more is
    unchanged.

    Stability. Between node neighbours on any number of people, the degrees of the result move by at
    most 2 degree in L1. So the number of edges moves by at most `degree`. Between edge neighbours
    these bounds are 2 and 1. Proof: compare with the graph in which the person v is isolated. Let
    e_u be the difference of u's degree in the two runs so far, and d_v that of v. Then sum_{u != v}
    |e_u| <= d_v at all times: an edge of v adds 1 to d_v and to one e_u. Another edge {a, b} makes
    a difference only if one run takes it and the other finds a or b full; that one's e shrinks by
    1, and the other end's grows by 1 at most. So the degrees other than v's differ by
    d_v + d_v' <= 2 degree between two neighbours, with v's by 2 max(d_v, d_v'), and the number of
    edges is by 0 to `degree` larger than with v isolated, in both. The set of kept edges may change
    in many places, so triangles of the result are not stable.

    Raises ValueError unless `degree` is a whole number of at least 0.

    Source: Day, Li and Lyu (2016), "edge addition".

    >>> star = Graph.of(4, [(0, 1), (0, 2), (0, 3)])
    >>> sorted(project(star, 2).edges)
    [(0, 1), (0, 2)]
    """
    arguments.instance("graph", graph, Graph)
    arguments.whole("degree", degree, least=0)
    friends: np.ndarray = np.zeros(graph.n, dtype=int)
    edges = []
    for i, j in sorted(graph.edges):
        if friends[i] < degree and friends[j] < degree:
            edges.append((i, j))
            friends[[i, j]] += 1
    return Graph(graph.n, frozenset(edges))
