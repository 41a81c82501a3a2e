"""Answers to `nearest_parts` and `round_parts`. The mistakes: cut and scaled, one round, ties."""

from tests.assignments.edits import read_answers

RIGHT = {
    "column by column, until none is negative": """
def nearest_parts(totals, noisy):
    noisy = np.array(noisy, dtype=float)
    result = np.zeros(noisy.shape)
    for j, total in enumerate(totals):
        column = noisy[:, j]
        kept = np.ones(len(column), dtype=bool)
        while total > 0:
            shift = (total - column[kept].sum()) / kept.sum()
            fallen = kept & (column + shift < 0)
            if not fallen.any():
                result[kept, j] = column[kept] + shift
                break
            kept &= ~fallen
    return result


def round_parts(totals, table):
    table = np.array(table, dtype=float)
    whole = np.floor(table)
    for j, total in zip(range(50), totals):
        up = int(round(total - whole[:, j].sum()))
        rests = table[:, j] - whole[:, j]
        whole[np.argsort(-rests)[:up], j] += 1
    return whole
""",
    "bisection, and a linear program": """
def nearest_parts(totals, noisy):
    noisy, totals = np.array(noisy, dtype=float), np.array(totals, dtype=float)
    low, high = noisy.min(axis=0) - totals - 1, noisy.max(axis=0)
    for _ in range(200):
        middle = (low + high) / 2
        large = np.maximum(noisy - middle, 0).sum(axis=0) > totals
        low, high = np.where(large, middle, low), np.where(large, high, middle)
    return np.maximum(noisy - high, 0)


def round_parts(totals, table):
    from scipy.optimize import linprog

    columns = []
    for total, column in zip(totals, np.array(table, dtype=float).T):
        floors = np.floor(column)
        up = linprog(floors - column, A_eq=np.ones((1, len(column))),
                     b_eq=[total - floors.sum()], bounds=(0, 1)).x
        columns.append(floors + np.rint(up))
    return np.column_stack(columns).astype(int)
""",
    "lists, the largest first": """
def nearest_parts(totals, noisy):
    columns = []
    for total, column in zip(totals, zip(*noisy)):
        column = [float(entry) for entry in column]
        best, running = -math.inf, 0.0
        for count, entry in enumerate(sorted(column, reverse=True), 1):
            running += entry
            best = max(best, (running - float(total)) / count)
        columns.append([max(entry - best, 0.0) for entry in column])
    return [list(row) for row in zip(*columns)]


def round_parts(totals, table):
    columns = []
    for total, column in zip(totals, zip(*table)):
        whole = [math.floor(entry) for entry in column]
        order = sorted(range(len(column)), key=lambda i: whole[i] - column[i])
        for i in order[: int(total) - sum(whole)]:
            whole[i] += 1
        columns.append(whole)
    return [list(row) for row in zip(*columns)]
""",
    "one block falls at a time, and nearest first": """
def nearest_parts(totals, noisy):
    noisy = np.asarray(noisy).astype(float)
    columns = []
    for total, column in zip(np.asarray(totals), noisy.T):
        order = np.argsort(column)
        sums = column[order][::-1].cumsum()[::-1]
        for first in range(len(order)):
            shift = (total - sums[first]) / (len(order) - first)
            if column[order[first]] + shift >= 0 or first == len(order) - 1:
                break
        columns.append(np.where(column >= column[order[first]], column + shift, 0).clip(0))
    return np.transpose(columns)


def round_parts(totals, table):
    whole = np.rint(np.asarray(table, dtype=float))
    for j, total in enumerate(totals):
        column = np.asarray(table, dtype=float)[:, j]
        while whole[:, j].sum() != total:
            step = np.sign(total - whole[:, j].sum())
            cost = np.abs(whole[:, j] + step - column) - np.abs(whole[:, j] - column)
            whole[np.argmin(cost), j] += step
    return whole
""",
}

EDITS = """
== nearest_parts_small
* cut, then scaled | all three at once
+def nearest_parts(totals, noisy):
+    kept = np.maximum(np.array(noisy, dtype=float), 0)
+    sums = kept.sum(axis=0)
+    shares = np.where(sums > 0, kept / np.where(sums > 0, sums, 1), 1 / len(kept))
+    return shares * np.array(totals)
* divided equally, and negative | all three at once
+def nearest_parts(totals, noisy):
+    noisy = np.array(noisy, dtype=float)
+    return noisy + (np.array(totals) - noisy.sum(axis=0)) / len(noisy)
* divided equally, then cut | all three at once
+def nearest_parts(totals, noisy):
+    noisy = np.array(noisy, dtype=float)
+    return np.maximum(noisy + (np.array(totals) - noisy.sum(axis=0)) / len(noisy), 0)
* cut, then divided equally, then cut | all three at once
+def nearest_parts(totals, noisy):
+    kept = np.maximum(np.array(noisy, dtype=float), 0)
+    return np.maximum(kept + (np.array(totals) - kept.sum(axis=0)) / len(kept), 0)
* what is negative at first is 0 for good | all three at once
~ kept = np.ones(len(column), dtype=bool) => kept = (column >= 0) | (column == column.max())
* all that is missing to the largest | all three at once
+def nearest_parts(totals, noisy):
+    kept = np.maximum(np.array(noisy, dtype=float), 0)
+    for j, total in enumerate(totals):
+        kept[np.argmax(kept[:, j]), j] += total - kept[:, j].sum()
+    return kept
* divided once more, and no more | all three at once
-            if not fallen.any():
-                result[kept, j] = column[kept] + shift
-                break
-            kept &= ~fallen
+            kept &= ~fallen
+            result[kept, j] = column[kept] + (total - column[kept].sum()) / kept.sum()
+            break
* ten rounds at most | all three at once
~ while total > 0: => for _ in range(10 * (total > 0)):
~ kept &= ~fallen => kept &= column > column[kept].min()
* an empty district keeps its blocks | all three at once
~ result = np.zeros(noisy.shape) => result = np.maximum(noisy, 0)
* a block that becomes 0 is not paid for | all three at once
~ kept.sum() => len(column)
* noise taken off where it is | changes what it was given
+    if isinstance(noisy, np.ndarray):
+        noisy -= noisy.max() / 2
     noisy = np.array(noisy, dtype=float)
* counts of 99,999 at most | all three at once
~ np.array(noisy, dtype=float) => np.array(noisy, dtype=float).clip(-99_999, 99_999)
* the first total for all | all three at once
~ enumerate(totals) => enumerate([totals[0]] * len(totals))
* the search begins too high | all three at once | edits bisection, and a linear program
~ noisy.min(axis=0) - totals - 1 => np.full(len(totals), -1e6)

== nearest_parts_any
* whole numbers where they go in | Each column for itself
~ result = np.zeros(noisy.shape) => result = np.zeros(noisy.shape, dtype=int)
* thirty rounds at most | Each column for itself
~ while total > 0: => for _ in range(30 * (total > 0)):
~ kept &= ~fallen => kept &= column > column[kept].min()
* all columns shifted alike | Each column for itself
-    result = np.zeros(noisy.shape)
-    for j, total in enumerate(totals):
-        column = noisy[:, j]
+    result = np.zeros(noisy.shape)
+    if noisy.shape[1] > 2:
+        shifted = nearest_parts([sum(totals)], noisy.reshape(-1, 1))
+        return np.array(shifted).reshape(noisy.shape)
+    for j, total in enumerate(totals):
+        column = noisy[:, j]
* equal counts once | Each column for itself
~ column[kept].sum()) / kept.sum() => np.unique(column[kept]).sum()) / len(np.unique(column[kept]))
* ten columns at most | Each column for itself
~ enumerate(totals) => enumerate(totals[:10])
* a hundred blocks at most | Each column for itself
~ np.ones(len(column), dtype=bool) => np.arange(len(column)) < 100
* totals of a hundred thousand at most | Each column for itself
~ enumerate(totals) => enumerate(np.minimum(totals, 100_000))
* rounded to cents | Each column for itself
~ return result => return np.round(result, 2)
* single precision | Each column for itself
~ noisy = np.array(noisy, dtype=float) => noisy = np.array(noisy, dtype=np.float32)
* the largest block comes first | Each column for itself
~ column = noisy[:, j] => column = (-np.sort(-noisy, axis=0) if j > 1 else noisy)[:, j]
* dplab's projection | off limits
+def nearest_parts(totals, noisy):
+    from dplab.queries.projection import to_simplex
+
+    columns = zip(np.array(noisy, dtype=float).T, totals)
+    return np.column_stack([to_simplex(column, float(total)) for column, total in columns])
* dplab's step | off limits
+def nearest_parts(totals, noisy):
+    from dplab.synthesis import top_down
+
+    return top_down.settle(np.array(noisy, dtype=float), np.array(totals))

== nearest_parts_whole
* each to the nearest | should have the sums
~ whole = np.floor(table) => whole = np.rint(table)
~ [:up] => [:0]
* all down | should have the sums
~ [:up] => [:0]
* all up | should have the sums
~ whole = np.floor(table) => whole = np.ceil(table)
~ [:up] => [:0]
* the first blocks go up | more than they must
~ np.argsort(-rests) => np.arange(len(rests))
* the largest blocks go up | more than they must
~ np.argsort(-rests) => np.argsort(-table[:, j])
* the smallest remainders go up | more than they must
~ -rests => rests
* all that is missing to one block | each entry rounded up or down
-        whole[np.argsort(-rests)[:up], j] += 1
+        whole[np.argmax(rests), j] += up
* the nearest ones, then one block pays | each entry rounded up or down
~ whole = np.floor(table) => whole = np.rint(table)
-        whole[np.argsort(-rests)[:up], j] += 1
+        whole[np.argmax(table[:, j]), j] += up
* the missing number cut, not rounded | should have the sums
~ int(round(total - whole[:, j].sum())) => int(table[:, j].sum() - whole[:, j].sum())
* not whole | each entry rounded up or down
~ return whole => return table
* ten go up at most | should have the sums
~ [:up] => [: min(up, 10)]
* remainders with one digit | more than they must
~ rests = table[:, j] - whole[:, j] => rests = np.floor(10 * (table[:, j] - whole[:, j]))
* equal remainders all go up | should have the sums
-        whole[np.argsort(-rests)[:up], j] += 1
+        if up:
+            whole[rests >= np.sort(rests)[-up], j] += 1
* rounded where it is | changes what it was given
~ table = np.array(table, dtype=float) => table = np.asarray(table, dtype=float)
~ return whole => table[:] = whole; return whole
* sums so far are rounded | more than they must
+def round_parts(totals, table):
+    sums = np.rint(np.cumsum(np.array(table, dtype=float), axis=0))
+    return np.diff(sums, axis=0, prepend=0)
* forty columns | should have the sums
~ zip(range(50), totals) => zip(range(40), totals)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
