"""Answers to `edge_sensitivity`, `node_sensitivity`. The mistakes: who is whose neighbour."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all pairs of graphs": """
def edge_sensitivity(answers, n):
    pairs = list(combinations(range(n), 2))
    graphs = list(answers)
    largest = 0
    for i, g in enumerate(graphs):
        for h in graphs[i + 1 :]:
            changed = [pair for pair, a, b in zip(pairs, g, h) if a != b]
            if len(changed) == 1:
                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
    return largest


def node_sensitivity(answers, n):
    pairs = list(combinations(range(n), 2))
    graphs = list(answers)
    largest = 0
    for i, g in enumerate(graphs):
        for h in graphs[i + 1 :]:
            changed = [pair for pair, a, b in zip(pairs, g, h) if a != b]
            if any(all(person in pair for pair in changed) for person in range(n)):
                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
    return largest
""",
    "neighbours made": """
def distance(s, t):
    return sum(abs(a - b) for a, b in zip(np.ravel(s), np.ravel(t)))


def flipped(graph, places):
    return tuple(1 - there if i in places else there for i, there in enumerate(graph))


def edge_sensitivity(answers, n):
    places = range(n * (n - 1) // 2)
    return max(distance(answers[g], answers[flipped(g, {i})]) for g in answers for i in places)


def node_sensitivity(answers, n):
    largest = 0
    for person in range(n):
        own = [i for i, pair in enumerate(combinations(range(n), 2)) if person in pair]
        for chosen in product([False, True], repeat=len(own)):
            places = {i for i, change in zip(own, chosen) if change}
            for g in answers:
                largest = max(largest, distance(answers[g], answers[flipped(g, places)]))
    return largest
""",
    "what stays the same": """
def edge_sensitivity(answers, n):
    moves = [0.0]
    for g, h in combinations(answers.items(), 2):
        if sum(a != b for a, b in zip(g[0], h[0])) == 1:
            moves.append(np.abs(np.array(g[1]) - np.array(h[1])).sum())
    return max(moves)


def node_sensitivity(answers, n):
    largest = 0.0
    for person in range(n):
        groups = {}
        for graph, answer in answers.items():
            rest = tuple(
                there
                for there, pair in zip(graph, combinations(range(n), 2))
                if person not in pair
            )
            groups.setdefault(rest, []).append(np.ravel(answer))
        for group in groups.values():
            for s, t in combinations(group, 2):
                largest = max(largest, np.abs(s - t).sum())
    return float(largest)
""",
}

EDITS = """
== graph_sensitivity_edge
* any two graphs | should be 1, it is 6
~ len(changed) == 1 => True
* friendships that come, never go | Neighbours differ in one pair
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, np.subtract(answers[h], answers[g]).sum())
~ abs(np.subtract(answers[g], answers[h])) => subtract(answers[h], answers[g])
* the average move | should be 2, it is 0.5
 def edge_sensitivity(answers, n):
     pairs = list(combinations(range(n), 2))
     graphs = list(answers)
-    largest = 0
+    moves = []
@@
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
-    return largest
+                moves.append(np.abs(np.subtract(answers[g], answers[h])).sum())
+    return np.mean(moves)
~ largest = 0 => moves = []
~ largest = max => moves.append
~ largest, np => np
~ return largest => return np.mean(moves)
* the whole range | should be 1, it is 6
+def edge_sensitivity(answers, n):
+    return max(answers.values()) - min(answers.values())
+
+
+def node_sensitivity(answers, n):
+    return max(answers.values()) - min(answers.values())
* always the count of friendships | should be 2, it is 1
+def edge_sensitivity(answers, n):
+    return 1
+
+
+def node_sensitivity(answers, n):
+    return n - 1
* as many friendships | Neighbours differ in
~ len(changed) => abs(sum(g) - sum(h))
* from the empty graph | should be 2, it is 0
~ (changed) == 1 => (changed) == 1 and sum(g) == 0
* graphs in the order of counting | Neighbours differ in one pair
-    pairs = list(combinations(range(n), 2))
-    graphs = list(answers)
-    largest = 0
-    for i, g in enumerate(graphs):
-        for h in graphs[i + 1 :]:
-            changed = [pair for pair, a, b in zip(pairs, g, h) if a != b]
-            if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
-    return largest
+    values = list(answers.values())
+    flips = [1 << place for place in range(math.comb(n, 2))]
+    return max(np.abs(np.subtract(values[g], values[g ^ flip])).sum()
+               for g in range(len(values)) for flip in flips)
+
* the first five pairs | Neighbours differ in one pair
~ (changed) == 1: => (changed) == 1 and g[5:] == h[5:]:
* dplab's own | off limits
+def of(relation, answers, n):
+    from dplab.graphs import FRIENDS
+    from dplab.neighbors import sensitivity
+
+    def query(graph):
+        return answers[tuple(int(pair in graph.edges) for pair in combinations(range(n), 2))]
+
+    return sensitivity(query, relation, FRIENDS, n)
+
+
+def edge_sensitivity(answers, n):
+    from dplab.graphs import EDGE
+
+    return of(EDGE, answers, n)
+
+
+def node_sensitivity(answers, n):
+    from dplab.graphs import NODE
+
+    return of(NODE, answers, n)

== graph_sensitivity_node
* one pair of the person | should be 3, it is 1
~ any(all(person in pair for pair in changed) for person in range(n)) => len(changed) == 1
* any two graphs for nodes | should be 3, it is 6
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if True:
* the last person only | any of that person
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if all(n - 1 in pair for pair in changed):
* the person leaves | any of that person
~ person in pair => p in pair
~ for person => and not any(there and p in pair for pair, there in zip(pairs, g)) for p
* pairs that touch | should be 3, it is 4
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if all(set(a) & set(b) for a, b in combinations(changed, 2)):
* n - 1 times as much | should be 3, it is 6
+def edge_sensitivity(answers, n):
+    pairs = list(combinations(range(n), 2))
+    graphs = list(answers)
+    largest = 0
+    for i, g in enumerate(graphs):
+        for h in graphs[i + 1 :]:
+            changed = [pair for pair, a, b in zip(pairs, g, h) if a != b]
+            if len(changed) == 1:
+                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+    return largest
+
+
+
+def node_sensitivity(answers, n):
+    return (n - 1) * edge_sensitivity(answers, n)
* n - 1 pairs or fewer | should be 3, it is 4
~ any(all(person in pair for pair in changed) for person in range(n)) => len(changed) <= n - 1
* friends of the person with the fewest | should be 3, it is
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if len(changed) < 3 and any(all(p in pair for pair in changed) for p in range(n)):
* all pairs of the person or one | any of that person's pairs
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if len(changed) in (1, n - 1) and any(
+                all(p in pair for pair in changed) for p in range(n)
+            ):
* everybody but the last | any of that person's pairs
~ person in pair => p in pair
~ person in range(n) => p in range(n - 1)
* triangles too | no others
-            if any(all(person in pair for pair in changed) for person in range(n)):
+            if all(set(a) & set(b) for a, b in combinations(changed, 2)) and (
+                n < 4 or len(changed) < 3 or any(all(p in q for q in changed) for p in range(n))
+            ):

== graph_sensitivity_lists
* the largest of the numbers | should be 2, it is 1
~2 sum( => max(
* the length of the move | should be 2, it is 1.414
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, np.linalg.norm(np.subtract(answers[g], answers[h])))
@@
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, np.linalg.norm(np.subtract(answers[g], answers[h])))
* the move of the mean | should be 2, it is 0.5
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, abs(np.mean(answers[g]) - np.mean(answers[h])))
@@
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, abs(np.mean(answers[g]) - np.mean(answers[h])))
* numbers only | raised TypeError
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, abs(answers[g] - answers[h]))
@@
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, abs(answers[g] - answers[h]))
* whole numbers | the sum of all |differences|
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, int(np.abs(np.subtract(answers[g], answers[h])).sum()))
@@
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(largest, int(np.abs(np.subtract(answers[g], answers[h])).sum()))
* numbers and short lists | the sum of all |differences|
~2 .sum => .ravel()[:4].sum
* rounded to six digits | the sum of all |differences|
             if len(changed) == 1:
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(
+                    largest, round(float(np.abs(np.subtract(answers[g], answers[h])).sum()), 6)
+                )
@@
-                largest = max(largest, np.abs(np.subtract(answers[g], answers[h])).sum())
+                largest = max(
+                    largest, round(float(np.abs(np.subtract(answers[g], answers[h])).sum()), 6)
+                )

== graph_sensitivity_lists
* nineteen numbers | the sum of all |differences|
~2 graphs = list(answers) => graphs, answers = list(answers), my_copy(answers)
+def my_copy(answers):
+    return {g: np.ravel(answer)[:19] for g, answer in answers.items()}
+
+
 def edge_sensitivity(answers, n):
* numbers of 32 bits | the sum of all |differences|
~2 graphs = list(answers) => graphs, answers = list(answers), my_copy(answers)
+def my_copy(answers):
+    return {g: np.float32(answer) for g, answer in answers.items()}
+
+
 def edge_sensitivity(answers, n):

== graph_sensitivity_node
* each answer once | any of that person's pairs
~2 graphs = list(answers) => graphs = list({str(a): g for g, a in answers.items()}.values())
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
