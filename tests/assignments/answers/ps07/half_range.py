"""Answers to `half_range`. The mistakes: the sensitivity, half of it, one range for all pairs."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one table of differences": """
def half_range(scores, neighbors):
    scores = np.asarray(scores, dtype=float)
    d = np.array([scores[i] - scores[j] for i, j in neighbors])
    return np.ptp(d, axis=1).max() / 2


def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return epsilon / half / 2 if half else math.inf
""",
    "a loop over pairs": """
def half_range(scores, neighbors):
    widest = 0
    for i, j in neighbors:
        moves = [a - b for a, b in zip(scores[i], scores[j])]
        widest = max(widest, max(moves) - min(moves))
    return widest / 2


def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return epsilon / half / 2 if half else math.inf
""",
    "the best shift": """
def half_range(scores, neighbors):
    scores = np.array(scores, dtype=float)
    worst = []
    for i, j in neighbors:
        moves = scores[i] - scores[j]
        middle = (moves.max() + moves.min()) / 2
        worst.append(np.abs(moves - middle).max())
    return max(worst)


def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return epsilon / half / 2 if half else math.inf
""",
    "rate by exception": """
def half_range(scores, neighbors):
    scores = np.asarray(scores, dtype=float)
    return max(np.ptp(scores[i] - scores[j]) for i, j in neighbors) / 2


def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return float('inf') if half == 0 else epsilon / (2 * half)
""",
}

EDITS = """
== right
* pairs of candidates
~ np.ptp(d, axis=1) => (d[:, :, None] - d[:, None, :])

== half_range_values
* the sensitivity | should be 1, it is 2
~ np.ptp(d, axis=1).max() / 2 => abs(d).max()
* not halved | halved
~ max() / 2 => max()
* the range of the scores | For each pair
~ d, axis => scores, axis
* absolute values before the range | should be 1, it is 0
~ d, axis => abs(d), axis
* the first pair only | the largest
~ (d, axis=1).max() => (d[0])
* no return | is None: does every path
~ np.ptp(d, axis=1).max() / 2 => None
* pairs in one order only | the largest of these
~ in neighbors => in neighbors if i < j or len(neighbors) == 1
* the first hundred pairs | For each pair
~ d, axis => d[:100], axis
* rows that follow each other | For each pair
~ in neighbors => in zip(range(len(scores) - 1), range(1, len(scores)))
* the first fifty candidates | For each pair
~ d, axis => d[:, :50], axis
* the first candidate against the others | For each pair
~ np.ptp(d, axis=1) => abs(d - d[:, :1])
* a half range to the cent | halved
~ np.ptp(d, axis=1).max() / 2 => round(np.ptp(d, axis=1).max() / 2, 2)
* whole scores | For each pair
~ dtype=float => dtype=int
* dplab's own search | off limits
+from dplab.neighbors import half_range as search
+
+
+class _Table:
+    def __init__(self, rows, pairs):
+        self.rows, self.linked = range(rows), pairs
+
+    def datasets(self, universe, n):
+        return [(i,) for i in self.rows]
+
+    def of(self, x, universe):
+        return [(j,) for i, j in self.linked if (i,) == x]
+
+
+def half_range(scores, neighbors):
+    return search(lambda x: scores[x[0]], _Table(len(scores), neighbors), (0,), 1)
+
+
+def best_rate(scores, neighbors, epsilon):
+    half = half_range(scores, neighbors)
+    return epsilon / half / 2 if half else math.inf
* a table whose rows begin with 0 | changes what it was given
~ d = np.array([scores[i] - scores[j] for i, j in neighbors]) => scores -= scores[:, :1].copy()
~ np.ptp(d, axis=1).max() => max(np.ptp(scores[i] - scores[j]) for i, j in neighbors)

== half_range_property
* half of the sensitivity | Adding one number
~ np.ptp(d, axis=1) => abs(d)
* one range for all pairs | half_range
~ np.ptp(d, axis=1).max() / 2 => (d.max() - d.min()) / 2
* the range over datasets | Adding one number
~ d, axis=1 => scores, axis=0
* brackets as some print them | half_range
-    d = np.array([scores[i] - scores[j] for i, j in neighbors])
-    return np.ptp(d, axis=1).max() / 2
+    return max(
+        ((scores[i] - scores[j]).max() - scores[i].min() - scores[j].min()) / 2
+        for i, j in neighbors
+    )

== half_range_rate
* the smallest over pairs | range over
~ max() / 2 => min() / 2
* the mean over pairs | range over
~ max() / 2 => mean() / 2
* a rate without its 2 | the losses range over epsilon | edits rate by exception
~ float('inf') if half == 0 else epsilon / (2 * half) => epsilon / half if half else math.inf
* a rate times 2 | range over | edits rate by exception
~ float('inf') if half == 0 else epsilon / (2 * half) => 2 * epsilon / half if half else math.inf
* the scale for the rate | losses range over | edits rate by exception
~ float('inf') if half == 0 else epsilon / (2 * half) => 2 * half / epsilon
* no thought of 0 | raised ZeroDivisionError | edits rate by exception
~ return float('inf') if half == 0 else epsilon / (2 * half) => return epsilon / (2 * float(half))
* next to nothing taken for 0 | the losses range over epsilon | edits rate by exception
~ return float('inf') if half == 0 else => return
~ (2 * half) => (2 * half) if half > 1e-6 else math.inf
* a rate of at most a thousand | the losses range over epsilon | edits rate by exception
-    return float('inf') if half == 0 else epsilon / (2 * half)
+    return min(epsilon / (2 * half), 1000) if half else math.inf
* a rate a little larger | the losses range over epsilon | edits rate by exception
~ float('inf') if half == 0 else => 1.03 *
~ (2 * half) => (2 * half) if half else math.inf
* a rate to the thousandth | the losses range over epsilon | edits rate by exception
-    return float('inf') if half == 0 else epsilon / (2 * half)
+    return round(epsilon / (2 * half), 3) if half else math.inf

== half_range_values
* whole numbers halved to whole numbers | For each pair
-    return np.ptp(d, axis=1).max() / 2
+    return (
+        np.ptp(d, axis=1).max() // 2
+        if np.ptp(d, axis=1).max() % 1 == 0
+        else np.ptp(d, axis=1).max() / 2
+    )
* the last of a thousand pairs left out | For each pair
~ for i, j in neighbors] => for i, j in neighbors[:999]]
* the last of a thousand candidates left out | For each pair
~ scores = np.asarray(scores, dtype=float) => scores = np.asarray(scores, dtype=float)[:, :999]
* short floats | For each pair
~ dtype=float => dtype=np.float32

== half_range_rate
* an epsilon of 40 at most | range over epsilon
~ epsilon / half / 2 => min(epsilon, 40) / half / 2
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
