"""Answers to `littlestone_dimension`. The mistakes: which part counts, which point, equal rows."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the formula": """
def littlestone_dimension(table):
    rows = {tuple(map(bool, row)) for row in table}
    if not rows:
        return -1
    found = 0
    for x in range(len(next(iter(rows)))):
        parts = [[row for row in rows if row[x] == label] for label in (0, 1)]
        if min(map(len, parts)) >= 2**found:
            below = [littlestone_dimension(part) for part in parts]
            step = 1 + min(below)
            found = max(found, step)
    return found
""",
    "the formula as it stands, with masks": """
def littlestone_dimension(table):
    table = np.array(table)
    if len(table) == 0:
        return -1
    found = 0
    for x in range(table.shape[1]):
        zeros, ones = table[table[:, x] == 0], table[table[:, x] == 1]
        if len(zeros) and len(ones):
            found = max(found, 1 + min(littlestone_dimension(zeros), littlestone_dimension(ones)))
    return found
""",
    "with a memory": """
def littlestone_dimension(table):
    @functools.cache
    def depth(rows):
        if len(rows) < 2:
            return len(rows) - 1
        parts = []
        for column in zip(*rows):
            ones = frozenset(row for row, label in zip(rows, column) if label)
            if 0 < len(ones) < len(rows):
                parts.append((ones, rows - ones))
        return max(1 + min(depth(a), depth(b)) for a, b in parts)

    return depth(frozenset(tuple(int(entry) for entry in row) for row in table))
""",
    "is there a tree of depth d?": """
def littlestone_dimension(table):
    if len(table) == 0:
        return -1
    table = np.unique(np.asarray(table, dtype=int), axis=0)

    def shatters(alive, d):
        if len(alive) < 2**d:
            return False
        if d == 0:
            return True
        for x in range(table.shape[1]):
            ones = table[alive, x] == 1
            if shatters(alive[ones], d - 1) and shatters(alive[~ones], d - 1):
                return True
        return False

    d = 0
    while shatters(np.arange(len(table)), d + 1):
        d += 1
    return d
""",
    "a function of rows and points": """
def depth(rows, points):
    if len(set(rows)) < 2:
        return len(set(rows)) - 1
    deepest = 0
    for x in points:
        ones, zeros = [row for row in rows if row[x]], [row for row in rows if not row[x]]
        if ones and zeros:
            others = [y for y in points if y != x]
            deepest = max(deepest, 1 + min(depth(ones, others), depth(zeros, others)))
    return deepest


def littlestone_dimension(table):
    return depth([tuple(row) for row in table], range(len(table[0]) if len(table) else 0))
""",
    "bits": """
def littlestone_dimension(table):
    rows = sorted({tuple(int(entry) for entry in row) for row in table})
    if not rows:
        return -1
    columns = [sum(row[x] << i for i, row in enumerate(rows)) for x in range(len(rows[0]))]
    known = {}

    def depth(alive):
        if alive not in known:
            best = 0
            for column in columns:
                a, b = alive & column, alive & ~column
                if min(a.bit_count(), b.bit_count()) >= 1 << best:
                    best = max(best, 1 + min(depth(a), depth(b)))
            known[alive] = best
        return known[alive]

    return depth((1 << len(rows)) - 1)
""",
}

EDITS = """
== littlestone_dimension_small
* 0 for the empty class | No hypothesis: -1
~ return -1 => return 0
* one too many | No hypothesis: -1
~ found = 0 => found = 1
* equal rows count | No hypothesis: -1
+def littlestone_dimension(table):
+    return len(table).bit_length() - 1
* four at most | No hypothesis: -1
~ = max(found, step) => = min(4, max(found, step))
* the first sixteen rows | No hypothesis: -1
~ in table => in table[:16]
* dplab's function | off limits
+def littlestone_dimension(table):
+    from dplab import learning
+
+    return learning.littlestone_dimension(np.array(table, dtype=bool)) if len(table) else -1
* dplab's game | off limits
+def littlestone_dimension(table):
+    from dplab.learning import MistakeGame
+
+    if not len(table):
+        return -1
+    game = MistakeGame(np.unique(np.array(table, dtype=bool), axis=0))
+    return game.dimension(game.alive)
* rows sorted where they are | changes what it was given
+    table = table if isinstance(table, list) else table.tolist()
+    table.sort()
     rows = {tuple(map(bool, row)) for row in table}

== littlestone_dimension_any
* the logarithm of the rows | The adversary needs both
+def littlestone_dimension(table):
+    return len({tuple(map(bool, row)) for row in table}).bit_length() - 1
* the last point | The adversary needs both
~ 2**found => 1
~ max(found, step) => step
* the most even division | The adversary needs both
+def littlestone_dimension(table):
+    rows = {tuple(map(bool, row)) for row in table}
+    if len(rows) < 2:
+        return len(rows) - 1
+    columns = range(len(next(iter(rows))))
+    x = min(columns, key=lambda x: abs(2 * sum(row[x] for row in rows) - len(rows)))
+    parts = [[row for row in rows if row[x] == label] for label in (0, 1)]
+    return 1 + min(map(littlestone_dimension, parts))
* one of the three most even divisions | The adversary needs both
+def littlestone_dimension(table):
+    rows = set(map(tuple, table))
+    if len(rows) < 2:
+        return len(rows) - 1
+    columns = range(len(next(iter(rows))))
+    order = sorted(columns, key=lambda x: abs(2 * sum(row[x] for row in rows) - len(rows)))
+    found = 0
+    for x in order[:3]:
+        parts = [[row for row in rows if row[x] == label] for label in (0, 1)]
+        if all(parts):
+            found = max(found, 1 + min(map(littlestone_dimension, parts)))
+    return found
* one of the five most even divisions | The adversary needs both
| edits one of the three most even divisions
~ order[:3] => order[:5]
* the most even divisions below the first | The adversary needs both
+def evenly(rows):
+    if len(rows) < 2:
+        return len(rows) - 1
+    columns = range(len(rows[0]))
+    x = min(columns, key=lambda x: abs(2 * sum(row[x] for row in rows) - len(rows)))
+    return 1 + min(evenly([row for row in rows if row[x] == label]) for label in (0, 1))
+
+
+def littlestone_dimension(table):
+    rows = list({tuple(map(bool, row)) for row in table})
+    if len(rows) < 2:
+        return len(rows) - 1
+    return max(
+        1 + min(evenly([row for row in rows if row[x] == label]) for label in (0, 1))
+        for x in range(len(rows[0]))
+    )
* remembered by the numbers of ones | The adversary needs both
+known = {}
+
+
+def littlestone_dimension(table):
+    rows = {tuple(map(bool, row)) for row in table}
+    key = len(rows), tuple(map(sum, zip(*rows)))
+    if key not in known:
+        found = 0 if rows else -1
+        for x in range(len(next(iter(rows), ()))):
+            parts = [[row for row in rows if row[x] == label] for label in (0, 1)]
+            if min(map(len, parts)) >= 2**found:
+                found = max(found, 1 + min(map(littlestone_dimension, parts)))
+        known[key] = found
+    return known[key]

== littlestone_dimension_thresholds
* the VC dimension | Below each answer
+def littlestone_dimension(table):
+    rows = {tuple(map(bool, row)) for row in table}
+    if not rows:
+        return -1
+    points, found = len(next(iter(rows))), 0
+    for k in range(1, points + 1):
+        for chosen in itertools.combinations(range(points), k):
+            if len({tuple(row[x] for x in chosen) for row in rows}) == 2**k:
+                found = k
+    return found
* the deeper of the two | Below each answer
~ min(below) => max(below)
* the first point that divides | Below each answer
+            break
     return found
* both trees ask about the same points, in a fixed order | Below each answer
+def littlestone_dimension(table):
+    rows = {tuple(map(bool, row)) for row in table}
+    if not rows:
+        return -1
+
+    def depth(some, order):
+        if not order:
+            return 0
+        parts = [{row for row in some if row[order[0]] == label} for label in (0, 1)]
+        if not parts[0] or not parts[1]:
+            return depth(some, order[1:])
+        return 1 + min(depth(part, order[1:]) for part in parts)
+
+    points = range(len(next(iter(rows))))
+    return max(depth(rows, order) for order in itertools.permutations(points, min(4, len(points))))
* the first six points | Below each answer
~ (map(bool, row)) => (map(bool, row))[:6]

== littlestone_dimension_any
* the eighth column left out | The adversary needs both
~ for x in range(len(next(iter(rows)))) => for x in range(min(7, len(next(iter(rows)))))
* by the numbers of rows and columns that differ | The adversary needs both
+def littlestone_dimension(table):
+    if len(table) == 0:
+        return -1
+    rows = np.unique(np.array(table, dtype=int), axis=0)
+    columns = np.unique(rows ^ rows[:1], axis=1)
+    columns = columns[:, columns.any(axis=0)].shape[1]
+    return min(int(math.log2(len(rows))), columns)

== littlestone_dimension_small
* the last of 32 rows left out | No hypothesis: -1
~ for row in table} => for row in list(table)[:31]}
* a minus before truth values | raised TypeError
+def littlestone_dimension(table):
+    def deepest(rows):
+        found = min(len(rows), 1) - 1
+        for x in range(rows.shape[1]):
+            ones, zeros = rows[-rows[:, x] != 0], rows[-rows[:, x] == 0]
+            if len(ones) and len(zeros):
+                found = max(found, 1 + min(deepest(ones), deepest(zeros)))
+        return found
+
+    return deepest(np.unique(np.array(table), axis=0)) if len(table) else -1
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
