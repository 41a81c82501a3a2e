"""Answers to `threshold_dimension`. The mistakes: the definition's edge, order, what is free."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all points in all orders": """
def threshold_dimension(table):
    rows = {tuple(map(int, row)) for row in table}
    points = len(next(iter(rows), ()))
    for k in range(min(points, len(rows)), 0, -1):
        wanted = {tuple(int(i <= j) for j in range(k)) for i in range(k)}
        for chosen in itertools.permutations(range(points), k):
            if wanted <= {tuple(row[x] for x in chosen) for row in rows}:
                return k
    return 0
""",
    "built up": """
def threshold_dimension(table):
    rows = {tuple(map(bool, row)) for row in table}

    def longer(common, candidates):
        best = 0
        for row in candidates:
            for x in common:
                if row[x]:
                    left = [y for y in common if row[y] and y != x]
                    best = max(best, 1 + longer(left, [r for r in candidates if not r[x]]))
        return best

    return longer(range(len(next(iter(rows), ()))), rows)
""",
    "point by point": """
def threshold_dimension(table):
    if len(table) == 0:
        return 0
    table = np.unique(np.asarray(table, dtype=int), axis=0)
    points = table.shape[1]

    def extend(chosen):
        # h_1 is 1 on all of them, and h_i is the first one that is 1 on the i-th.
        part, k = table[:, chosen], len(chosen)
        found = k if all((part == (np.arange(k) >= i)).all(axis=1).any() for i in range(k)) else 0
        if found < k:
            return 0
        return max([found] + [extend([*chosen, x]) for x in range(points) if x not in chosen])

    return extend([])
""",
    "bits": """
def threshold_dimension(table):
    rows = sorted({sum(int(bool(e)) << x for x, e in enumerate(row)) for row in table})

    @functools.cache
    def most(common, zero):
        best = 0
        for row in rows:
            new = row & common
            if not row & zero:
                for x in range(7):
                    if new >> x & 1:
                        best = max(best, 1 + most(new & ~(1 << x), zero | 1 << x))
        return best

    return most(127, 0)
""",
}

EDITS = """
== threshold_dimension_small
* i below j | h_i(x_j) is 1 exactly if
~ min(points, len(rows)) => points
~ i <= j => i < j
* points in their order | h_i(x_j) is 1 exactly if
~ min(points, len(rows)) => points
~ permutations => combinations
* all pairs of labels | h_i(x_j) is 1 exactly if
+def threshold_dimension(table):
+    rows = {tuple(map(int, row)) for row in table}
+    points = len(next(iter(rows), ()))
+    for k in range(points, 0, -1):
+        for chosen in itertools.combinations(range(points), k):
+            if len({tuple(row[x] for x in chosen) for row in rows}) == 2**k:
+                return k
+    return 0
* k + 1 different rows | h_i(x_j) is 1 exactly if | edits all pairs of labels
~ combinations => permutations
~ == 2**k => > k
* the greedy way | h_i(x_j) is 1 exactly if
+def threshold_dimension(table):
+    rows = sorted({tuple(map(int, row)) for row in table}, key=sum, reverse=True)
+    common, zero, k = list(range(len(rows[0]) if rows else 0)), [], 0
+    for row in rows:
+        left = [x for x in common if row[x]]
+        if left and not any(row[x] for x in zero):
+            zero.append(left[0])
+            common, k = left[1:], k + 1
+    return k
* the logarithm | h_i(x_j) is 1 exactly if
+def threshold_dimension(table):
+    rows = {tuple(map(int, row)) for row in table}
+    return len(rows).bit_length() - 1
* the mirror image counts, too | h_i(x_j) is 1 exactly if
~ min(points, len(rows)) => points
+        mirrored = {tuple(1 - e for e in one) for one in wanted}
         for chosen in itertools.permutations(range(points), k):
@@
-            if wanted <= {tuple(row[x] for x in chosen) for row in rows}:
+            seen = {tuple(row[x] for x in chosen) for row in rows}
+            if wanted <= seen or mirrored <= seen:
* dplab's function | off limits
+def threshold_dimension(table):
+    from dplab import learning
+
+    return learning.threshold_dimension(np.array(table, dtype=bool)) if len(table) else 0
* rows sorted where they are | changes what it was given
+    table = table if isinstance(table, list) else table.tolist()
+    table.sort()
     rows = {tuple(map(int, row)) for row in table}
~ min(points, len(rows)) => points

== threshold_dimension_any
* adjacent points only | Any rows and any columns
~ min(points, len(rows)) => points
~ itertools.permutations(range(points), k) => [range(a, a + k) for a in range(points - k + 1)]
* a chain of the whole rows | Any rows and any columns
+def threshold_dimension(table):
+    rows = sorted({tuple(map(int, row)) for row in table}, key=sum)
+    longest = {}
+    for row in rows:
+        below = [longest[r] for r in longest if all(a <= b for a, b in zip(r, row))]
+        longest[row] = (sum(row) > 0) + max(below, default=0)
+    return max(longest.values(), default=0)
* one of the three rows with the most ones | Any rows and any columns | edits built up
~ candidates: => sorted(candidates, key=lambda r: -sum(r[x] for x in common))[:3]:
* five at most | Any rows and any columns
~ len(rows) => 5
* the first sixteen rows | Any rows and any columns | edits built up
~ in table => in table[:16]

== threshold_dimension_any
* fewer ones from row to row | Any rows and any columns
+def threshold_dimension(table):
+    rows = {tuple(map(int, row)) for row in table}
+
+    def longer(common, last):
+        found = 0
+        for row in rows:
+            if sum(row) < last[1] and not any(row[x] for x in last[0]):
+                for x in common:
+                    if row[x]:
+                        left = [y for y in common if row[y] and y != x]
+                        found = max(found, 1 + longer(left, ([*last[0], x], sum(row))))
+        return found
+
+    return longer(range(len(next(iter(rows), ()))), ([], 99))
* by the numbers of ones | Any rows and any columns
+def threshold_dimension(table):
+    found = 0
+    for ones in sorted({sum(map(int, row)) for row in table}):
+        found += ones > found
+    return found
* the seventh column left out | Any rows and any columns
~ points = len(next(iter(rows), ())) => points = min(6, len(next(iter(rows), ())))

== threshold_dimension_small
* the last of 32 rows alone | h_i(x_j) is 1 exactly if
~ for row in table} => for row in (table if len(table) < 32 else table[31:])}
* a minus before truth values | raised TypeError
~ tuple(map(int, row)) for row in table => tuple(map(int, -(-np.array(row)))) for row in table
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
