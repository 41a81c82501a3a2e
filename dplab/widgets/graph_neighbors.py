"""Explorer: who is a neighbour in a graph of friendships, and how much noise hides one.

Twelve people in a circle. An edge neighbour has one friendship more or less. In a node neighbour
one person has lost all friends, or has become everybody's friend.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import ipywidgets
import numpy as np
from matplotlib.collections import LineCollection

from dplab.graphs import (
    EDGE,
    EDGE_COUNT,
    NODE,
    TRIANGLES,
    EdgeNeighbors,
    Graph,
    GraphQuery,
    project,
)
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most

PEOPLE = 12
NAMES = "ABCDEFGHIJKL"
ANGLES = np.pi / 2 - 2 * np.pi * np.arange(PEOPLE) / PEOPLE
PLACES = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
RELATIONS = {"one friendship (edge)": EDGE, "one person (node)": NODE}
BOUND = 4  # the degree that the projected count allows
AXIS_ENDS = (12, 60, 120, 600)  # in units of the count; the first that all bars fit is used
FAINT = 0.3  # the opacity of the noise that hides the control Hide does not name


def count_projected(graph: Graph) -> int:
    """Count the friendships that are left if nobody may have more than BOUND."""
    return len(project(graph, BOUND).edges)


# The sensitivity of the projected count is BOUND for people, whatever their number; see `project`.
BOUNDED_COUNT = GraphQuery(
    f"friendships, {BOUND} a person", count_projected, lambda n: 1, lambda n: BOUND
)
QUERIES = {query.name: query for query in (EDGE_COUNT, TRIANGLES, BOUNDED_COUNT)}


@cache
def town(seed: int = 11) -> Graph:
    """Return the friendships: about a quarter of all pairs, drawn once."""
    pairs = list(combinations(range(PEOPLE), 2))
    return Graph.of(PEOPLE, [pair for pair, u in zip(pairs, draw(seed), strict=True) if u < 0.27])


def draw(seed: int) -> np.ndarray:
    """Draw a number in [0, 1) for each pair."""
    return np.random.default_rng(seed).random(PEOPLE * (PEOPLE - 1) // 2)


def neighbour(graph: Graph, relation: EdgeNeighbors, number: int) -> tuple[Graph, int | None]:
    """Return the neighbour of this number, from 1 to 24, and its person, None for an edge.

    For edges the numbers follow a fixed mixed order of the pairs. For nodes each person loses all
    friends, and in the next number gains all.
    """
    if relation == EDGE:
        pairs = list(combinations(range(graph.n), 2))
        return graph.flip([pairs[(17 * number) % len(pairs)]]), None
    person, joins = (number - 1) // 2, number % 2 == 0
    pairs = graph.pairs_of(person)
    return graph.flip(p for p in pairs if (p in graph.edges) != joins), person


@dataclass(frozen=True, eq=False)
class GraphView:
    """A graph, its neighbour, the person that differs, and the noise scales of both guarantees."""

    graph: Graph
    neighbour: Graph
    person: int | None
    query: GraphQuery
    epsilon: float

    @property
    def move(self) -> int:
        """The difference of the query's answers on the two graphs."""
        return abs(self.query(self.graph) - self.query(self.neighbour))

    @property
    def scales(self) -> tuple[float, float]:
        """Sensitivity / epsilon for edge and for node privacy."""
        edge, node = (self.query.sensitivity(r, PEOPLE) / self.epsilon for r in (EDGE, NODE))
        return edge, node


def graph_view(*, relation: str, number: int, query: str, epsilon: float) -> GraphView:
    """Return the town and a neighbour of it; `relation` and `query` are names."""
    neighbor, person = neighbour(town(), RELATIONS[relation], number)
    return GraphView(town(), neighbor, person, QUERIES[query], epsilon)


class GraphNeighbors(Explorer):
    """A graph beside its edge and node neighbours, and the noise that hides the difference."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        wide = {"width": "420px"}
        return {
            "relation": ipywidgets.RadioButtons(
                options=list(RELATIONS), description="Hide", layout=wide
            ),
            "query": ipywidgets.RadioButtons(
                options=list(QUERIES), description="Count", layout=wide
            ),
            "number": slider("Neighbour", 6, 1, 24, 1),
            "epsilon": slider("Privacy loss ε", 1.0, 0.1, 2.0, 0.1),
        }

    compute = staticmethod(graph_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.15))
        self.figure.subplots_adjust(left=0.01, right=0.97, bottom=0.14, top=0.91, wspace=0.05)
        left_ax.set(title="The graph, and what changes", xlim=(-1.85, 1.15), ylim=(-1.12, 1.12))
        left_ax.set_aspect("equal")
        left_ax.axis("off")
        left_ax.title.set_visible(True)
        looks = ((style.GREY, 1.4, "-"), (style.RED, 2.6, "--"), (style.GREEN, 2.6, "-"))
        names = ("friends in both", "no longer friends", "new friends")
        self.lines = [
            left_ax.add_collection(
                LineCollection([], color=c, linewidth=w, linestyle=s, label=name)
            )
            for (c, w, s), name in zip(looks, names, strict=True)
        ]
        self.people = left_ax.scatter(*PLACES.T, s=150, color=style.BLUE, zorder=3)
        self.names = [
            left_ax.text(*place, name, ha="center", va="center_baseline", size=8, zorder=4)
            for place, name in zip(PLACES, NAMES, strict=True)
        ]
        place = {"loc": "lower left", "bbox_to_anchor": (-0.02, -0.1), "handlelength": 1.4}
        self.legends = [  # a neighbour has lost friendships or gained some, never both
            left_ax.add_artist(left_ax.legend(handles=[self.lines[0], line], **place))
            for line in self.lines[1:]
        ]
        right_ax.set(title="The move, and the noise that hides any move", yticks=[])
        right_ax.set(ylim=(-0.6, 2.8), xlabel="in units of the count")
        right_ax.grid(axis="y", visible=False)
        self.bars = [
            right_ax.barh([height], [1], height=0.42, color=colour)[0]
            for height, colour in ((2, style.INK), (1, style.BLUE), (0, style.ORANGE))
        ]
        place = {"transform": right_ax.get_yaxis_transform(), "color": style.INK}
        self.notes = [right_ax.text(0.01, y + 0.3, "", **place) for y in (2, 1, 0)]
        moving = [*self.lines, *self.legends, self.people, *self.names]
        return [*moving, *self.bars, *self.notes]

    def move(self, view: GraphView) -> None:
        common, old, new = view.graph.edges & view.neighbour.edges, view.graph, view.neighbour
        kinds = (common, old.edges - common, new.edges - common)
        for line, edges in zip(self.lines, kinds, strict=True):
            line.set_segments([PLACES[list(edge)] for edge in sorted(edges)])
        for legend, edges in zip(self.legends, kinds[1:], strict=True):
            legend.set_visible(bool(edges))
        colours = [style.ORANGE if i == view.person else style.BLUE for i in range(PEOPLE)]
        self.people.set_color(colours)
        for i, name in enumerate(self.names):
            name.set_color(style.INK if i == view.person else "white")
        lengths = (view.move, *view.scales)
        end = next(end for end in AXIS_ENDS if max(lengths) <= end)
        self.bars[0].axes.set_xlim(0, end)
        opacities = (1, 1, FAINT) if view.person is None else (1, FAINT, 1)
        for bar, length, opacity in zip(self.bars, lengths, opacities, strict=True):
            bar.set_width(length)
            bar.set_alpha(opacity)
        edge, node = view.scales
        texts = (
            f"this neighbour moves the count by {view.move}",
            f"noise to hide any friendship: scale {edge:,.4g}",
            f"noise to hide any person: scale {node:,.4g}",
        )
        for note, text in zip(self.notes, texts, strict=True):
            note.set_text(text)

    def describe(self, view: GraphView) -> str:
        edge, node = view.scales
        hidden, scale = ("friendship", edge) if view.person is None else ("person", node)
        return (
            f"{_say_difference(view)} moves the count by {view.move}; noise of scale {scale:,.4g} "
            f"hides any {hidden}. A 50% guess becomes {at_most(view.epsilon)}."
        )


def _say_difference(view: GraphView) -> str:
    gains = view.neighbour.edges > view.graph.edges
    if view.person is not None:
        return f"{NAMES[view.person]} as {'everybody' if gains else 'nobody'}'s friend"
    (pair,) = view.graph.edges ^ view.neighbour.edges
    a, b = sorted(pair)
    return f"{'One more' if gains else 'One lost'} friendship, {NAMES[a]}–{NAMES[b]},"
