"""Answers to `safe_colourings`. The mistakes: what a triangle is, and which colourings count."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _count(
    triangle: str = "len({v for i in three for v in edges[i]}) == 3",
    safe: str = "all(0 < c[i] + c[j] + c[k] < 3 for i, j, k in triangles)",
    result: str = "count",
    edges: str = "[tuple(edge) for edge in edges]",
    colours: str = "(0, 1)",
) -> str:
    """All colourings, with these parts."""
    return f"""
def safe_colourings(edges):
    edges = {edges}
    threes = itertools.combinations(range(len(edges)), 3)
    triangles = [three for three in threes if {triangle}]
    count = sum({safe} for c in itertools.product({colours}, repeat=len(edges)))
    return {result}
"""


RIGHT = {
    "all colourings": _count(),
    "edge by edge": """
def safe_colourings(edges):
    def extend(colours, rest):
        if not rest:
            return 1
        (u, v), *others = rest
        count = 0
        for colour in (0, 1):
            mine = [edge for edge, c in colours.items() if c == colour]
            if not any(
                frozenset((u, w)) in mine and frozenset((v, w)) in mine for w in range(100)
            ):
                count += extend({**colours, frozenset((u, v)): colour}, others)
        return count

    return extend({}, list(edges))
""",
    "bits of an array": """
def safe_colourings(edges):
    edges = [set(edge) for edge in edges]
    codes = np.arange(2 ** len(edges))
    safe = np.ones(len(codes), dtype=bool)
    for i, j, k in itertools.combinations(range(len(edges)), 3):
        if len(edges[i] | edges[j] | edges[k]) == 3:
            ones = (codes >> i & 1) + (codes >> j & 1) + (codes >> k & 1)
            safe &= (ones > 0) & (ones < 3)
    return int(safe.sum())
""",
    "one edge after the other, counted": """
def count(colours, triangles, edges):
    if any(len({colours[i] for i in three}) == 1 for three in triangles[len(colours)]):
        return 0
    if len(colours) == edges:
        return 1
    return sum(count([*colours, colour], triangles, edges) for colour in "rb")


def safe_colourings(edges):
    triangles = [[] for _ in range(len(edges) + 1)]
    for three in itertools.combinations(range(len(edges)), 3):
        if len({vertex for i in three for vertex in edges[i]}) == 3:
            triangles[max(three) + 1].append(three)
    return count([], triangles, len(edges))
""",
    "by vertices": """
def safe_colourings(edges):
    place = {frozenset(edge): i for i, edge in enumerate(edges)}
    vertices = sorted({vertex for edge in edges for vertex in edge})
    triangles = []
    for three in itertools.combinations(vertices, 3):
        sides = [frozenset(pair) for pair in itertools.combinations(three, 2)]
        if all(side in place for side in sides):
            triangles.append([place[side] for side in sides])
    count = 0
    for colouring in itertools.product("rb", repeat=len(edges)):
        if all(len({colouring[side] for side in sides}) == 2 for sides in triangles):
            count += 1
    return count
""",
}

_COMPLETE, _GRAPHS = "safe_colourings_complete", "safe_colourings_graphs"
_BOTH, _ANY = "every triangle has both colours", "Edges in no triangle"

MUTANTS = {
    "one of the colours is allowed": Mutant(
        _count(safe="all(c[i] + c[j] + c[k] < 3 for i, j, k in triangles)"), _COMPLETE, _BOTH
    ),
    "colourings with such a triangle": Mutant(
        _count(result="2 ** len(edges) - count"), _COMPLETE, _BOTH
    ),
    "colours may be exchanged": Mutant(_count(result="count // 2"), _COMPLETE, _BOTH),
    "some triangle has both": Mutant(
        _count(safe="any(0 < c[i] + c[j] + c[k] < 3 for i, j, k in triangles)"), _COMPLETE, _BOTH
    ),
    "three edges at a vertex, too": Mutant(
        _count("len({v for i in three for v in edges[i]}) <= 4"), _COMPLETE, _BOTH
    ),
    "any three edges": Mutant(_count("True"), _COMPLETE, _BOTH),
    "three colours": Mutant(
        _count(safe="all(len({c[i] for i in t}) > 1 for t in triangles)", colours="(0, 1, 2)"),
        _COMPLETE,
        _BOTH,
    ),
    "all edges between the vertices": Mutant(
        _count(edges="list(itertools.combinations(sorted({v for e in edges for v in e})[:6], 2))"),
        _GRAPHS,
        _ANY,
    ),
    "only in increasing order": Mutant(
        _count(
            "edges[three[0]][0] == edges[three[1]][0] and edges[three[0]][1] =="
            " edges[three[2]][0] and edges[three[1]][1] == edges[three[2]][1]"
        ),
        _GRAPHS,
        _ANY,
    ),
    "edges without a triangle left out": Mutant(
        _count(
            result="count // 2 ** sum(all(i not in t for t in triangles)"
            " for i in range(len(edges)))"
        ),
        _GRAPHS,
        _ANY,
    ),
    "the number of vertices decides": Mutant(
        """
def safe_colourings(edges):
    return {0: 1, 3: 6, 4: 18, 5: 12, 6: 0}.get(len({v for edge in edges for v in edge}), 2)
""",
        _GRAPHS,
        _ANY,
    ),
    "vertices up to nine": Mutant(
        _count(edges="[tuple(v % 10 for v in edge) for edge in edges]"), _GRAPHS, _ANY
    ),
    "vertices up to 49": Mutant(
        _count(edges="[tuple(v % 50 for v in edge) for edge in edges]"), _GRAPHS, _ANY
    ),
    "edges that sum to nothing": Mutant(
        _count(
            "functools.reduce(int.__xor__, (v for i in three for v in edges[i])) == 0"
            " and len({v for i in three for v in edges[i]}) < 5"
        ),
        _GRAPHS,
        _ANY,
    ),
    "dplab's count": Mutant(
        """
def safe_colourings(edges):
    from dplab.theorems.ramsey import colourings_without_triangle

    return colourings_without_triangle(len({v for edge in edges for v in edge}))
""",
        _COMPLETE,
        "off limits",
    ),
    "edges sorted where they are": Mutant(
        _count(edges="edges.sort() or edges"), _GRAPHS, "changes what it was given"
    ),
}

ANSWERS = Answers("safe_colourings", RIGHT, MUTANTS)
