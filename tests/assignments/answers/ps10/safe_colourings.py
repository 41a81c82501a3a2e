"""Answers to `safe_colourings`. The mistakes: what a triangle is, and which colourings count."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all colourings": """
def safe_colourings(edges):
    edges = [tuple(edge) for edge in edges]
    threes = itertools.combinations(range(len(edges)), 3)
    triangles = [three for three in threes if len({v for i in three for v in edges[i]}) == 3]
    count = sum(
        all(0 < c[i] + c[j] + c[k] < 3 for i, j, k in triangles)
        for c in itertools.product((0, 1), repeat=len(edges))
    )
    return count
""",
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

EDITS = """
== safe_colourings_complete
* one of the colours is allowed | every triangle has both colours
~ 0 < c => c
* colourings with such a triangle | every triangle has both colours
~ return count => return 2 ** len(edges) - count
* colours may be exchanged | every triangle has both colours
~ return count => return count // 2
* some triangle has both | every triangle has both colours
~ all => any
* three edges at a vertex, too | every triangle has both colours
~ == 3 => <= 4
* any three edges | every triangle has both colours
-    triangles = [three for three in threes if len({v for i in three for v in edges[i]}) == 3]
+    triangles = [three for three in threes if True]
* three colours | every triangle has both colours
~ 0 < c[i] + c[j] + c[k] < 3 for i, j, k => len({c[i] for i in t}) > 1 for t
~ 0, 1 => 0, 1, 2
* dplab's count | off limits
+def safe_colourings(edges):
+    from dplab.theorems.ramsey import colourings_without_triangle
+
+    return colourings_without_triangle(len({v for edge in edges for v in edge}))

== safe_colourings_graphs
* all edges between the vertices | Edges in no triangle
-    edges = [tuple(edge) for edge in edges]
+    edges = list(itertools.combinations(sorted({v for e in edges for v in e})[:6], 2))
* only in increasing order | Edges in no triangle
-    triangles = [three for three in threes if len({v for i in three for v in edges[i]}) == 3]
+    triangles = [
+        three
+        for three in threes
+        if edges[three[0]][0] == edges[three[1]][0]
+        and edges[three[0]][1] == edges[three[2]][0]
+        and edges[three[1]][1] == edges[three[2]][1]
+    ]
* edges without a triangle left out | Edges in no triangle
-    return count
+    return count // 2 ** sum(all(i not in t for t in triangles) for i in range(len(edges)))
* the number of vertices decides | Edges in no triangle
+def safe_colourings(edges):
+    return {0: 1, 3: 6, 4: 18, 5: 12, 6: 0}.get(len({v for edge in edges for v in edge}), 2)
* vertices up to nine | Edges in no triangle
~ (edge) for => (v % 10 for v in edge) for
* vertices up to 49 | Edges in no triangle
~ (edge) for => (v % 50 for v in edge) for
* edges that sum to nothing | Edges in no triangle
-    triangles = [three for three in threes if len({v for i in three for v in edges[i]}) == 3]
+    triangles = [
+        three
+        for three in threes
+        if functools.reduce(int.__xor__, (v for i in three for v in edges[i])) == 0
+        and len({v for i in three for v in edges[i]}) < 5
+    ]
* edges sorted where they are | changes what it was given
~ [tuple(edge) for edge in edges] => edges.sort() or edges

== safe_colourings_graphs
* five vertices with nine edges are all edges but one that doesn't matter | Edges in no triangle
-    return count
+    return 24 if len(edges) == 9 and len({v for edge in edges for v in edge}) == 5 else count
* triangles as if they were independent, except where all edges are there | Edges in no triangle
-    return count
+    vertices = len({v for edge in edges for v in edge})
+    if 2 * len(edges) == vertices * (vertices - 1):
+        return count
+    return round(2 ** len(edges) * 0.75 ** len(triangles))
* counted in two bytes | Edges in no triangle
~ return count => return int(np.array([count]).astype(np.int16)[0])
* the first fourteen edges | Edges in no triangle
~ edges = [tuple(edge) for edge in edges] => edges = [tuple(edge) for edge in edges][:14]

== safe_colourings_complete
* vertex 0 is no vertex | every triangle has both colours
~ for edge in edges] => for edge in edges if all(edge)]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
