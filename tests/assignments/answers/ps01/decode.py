"""Answers to `decode`. The mistakes: squares, the largest error, half a program, lies that hide."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a bound for each error": """
def decode(queries, answers):
    queries, answers = np.asarray(queries), np.asarray(answers)

    m, n = queries.shape
    own = np.eye(m)
    rows, room = np.block([[queries, -own], [-queries, -own]]), np.concatenate([answers, -answers])
    best = linprog([0] * n + [1] * m, rows, room, bounds=[(0, 1)] * n + [(0, None)] * m).x
    return (best[:n] > 0.5).astype(int)
""",
    "errors as differences, sparse": """
def decode(queries, answers):
    from scipy.sparse import eye_array, hstack

    m, n = queries.shape
    own = eye_array(m)
    equal = hstack([queries, own, -own], format="csc")
    cost = np.concatenate([np.zeros(n), np.ones(2 * m)])
    found = linprog(cost, A_eq=equal, b_eq=answers, method="highs-ipm")
    return np.rint(found.x[:n]).astype(int)
""",
    "the dual program": """
def decode(queries, answers):
    queries = np.asarray(queries)
    nothing = np.zeros(queries.shape[1])
    found = linprog(np.negative(answers), A_eq=queries.T, b_eq=nothing, bounds=(-1, 1))
    return (found.eqlin.marginals < -0.5).astype(int)
""",
    "least squares, reweighted until it stays": """
def decode(queries, answers):
    queries, answers = np.asarray(queries, dtype=float), np.asarray(answers, dtype=float)
    weights = np.ones(len(answers))
    for _ in range(60):
        roots = np.sqrt(weights)
        best = np.linalg.lstsq(queries * roots[:, None], answers * roots, rcond=None)[0]
        weights = 1 / np.maximum(np.abs(queries @ best - answers), 1e-3)
    return (best > 0.5).astype(int)
""",
}

EDITS = """
== right
* bits without bounds
~ [(0, 1)] * n + [(0, None)] * m => [(None, None)] * (n + m)
~ (best[:n] > 0.5).astype(int) => [1 if b >= 0.5 else 0 for b in best[:n]]
* answers are whole numbers
-
+    answers = np.round(answers)
     m, n = queries.shape

== decode_huge
* least squares | An answer costs as much as it is off
+def decode(queries, answers):
+    queries, answers = np.asarray(queries), np.asarray(answers)
+
+    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
+
+    return (best > 0.5).astype(int)
* least squares within the box | An answer costs as much as it is off
+def decode(queries, answers):
+    from scipy.optimize import lsq_linear
+
+    return (lsq_linear(queries, answers, bounds=(0, 1)).x > 0.5).astype(int)
* the largest error | An answer costs as much as it is off
+def decode(queries, answers):
+    queries, answers = np.asarray(queries), np.asarray(answers)
+
+    m, n = queries.shape
+    ones = np.ones((m, 1))
+    rows = np.block([[queries, -ones], [-queries, -ones]])
+    cost, bounds = np.append(np.zeros(n), 1.0), [(0, 1)] * n + [(0, None)]
+    best = linprog(cost, rows, np.concatenate([answers, -answers]), bounds=bounds)
+    return (best.x[:n] > 0.5).astype(int)
* reweighted once | An answer costs as much as it is off | edits least squares
-
+    roots = np.maximum(np.abs(queries @ best - answers), 1e-3) ** -0.5
+    best = np.linalg.lstsq(queries * roots[:, None], answers * roots, rcond=None)[0]
     return (best > 0.5).astype(int)
* means with and without each person | An answer costs as much as it is off
+def decode(queries, answers):
+    return [
+        int(answers[with_one == 1].mean() - answers[with_one == 0].mean() > 0.5)
+        for with_one in queries.T
+    ]
* errors above only | and no other guess
-    rows, room = np.block([[queries, -own], [-queries, -own]]), np.concatenate([answers, -answers])
+    rows, room = np.hstack([queries, -own]), answers
* errors below only | and no other guess
-    rows, room = np.block([[queries, -own], [-queries, -own]]), np.concatenate([answers, -answers])
+    rows, room = np.hstack([-queries, -own]), -answers
* the bounds with the wrong sign | raised TypeError
~2 -own => own
* answers with one sign | and no other guess
~ answers, -answers => answers, answers
* errors that have signs | and no other guess
+def decode(queries, answers):
+    cost, n = np.sum(queries, axis=0), len(queries[0])
+    return (linprog(cost, bounds=[(0, 1)] * n).x > 0.5).astype(int)
* nothing is paid for | and no other guess
~ n + [1] * m => (n + m)
* the costs of the bits | and no other guess
~ [0] * n + [1] => [1] * n + [0]
* no error above one | raised TypeError
~ n + [(0, None)] * m => (n + m)
* cut to whole numbers | An answer costs as much as it is off
~ (best[:n] > 0.5) => np.clip(best[:n], 0, 1)
* above nothing | An answer costs as much as it is off
~ 0.5 => 0
* turned over | and no other guess
~ [:n] > 0.5 => [:n] < 0.5
* the errors among the bits | should be an array of shape (20,), it is an array of shape (220,)
~ best[:n] => best
* dplab's own | is off limits in an answer
+from dplab.attacks.linear_program import least_absolute
+
+
+def decode(queries, answers):
+    return least_absolute(queries, answers).bits
* whole numbers as places | raised IndexError | edits answers are whole numbers
~ answers = np.round(answers) => np.eye(2)[queries]

== decode_planned
* the largest error, of answers that are possible | A lie need not look like one
| edits the largest error
-
+    kept = (answers > -1) & (answers < queries.sum(axis=1) + 1)
+    queries, answers = queries[kept], answers[kept]
     m, n = queries.shape
* least squares, of answers cut off | A lie need not look like one | edits least squares
-
+    answers = np.clip(answers, 0, queries.sum(axis=1))
     best = np.linalg.lstsq(queries, answers, rcond=None)[0]
* least squares, of answers that are possible | A lie need not look like one | edits least squares
-
+    kept = (answers > -1) & (answers < queries.sum(axis=1) + 1)
+    queries, answers = queries[kept], answers[kept]
     best = np.linalg.lstsq(queries, answers, rcond=None)[0]
* a tenth left out once | Behind large lies there may be small ones | edits least squares
-
+    off = np.abs(queries @ best - answers)
+    kept = np.argsort(off)[: len(off) * 9 // 10]
+    best = np.linalg.lstsq(queries[kept], answers[kept], rcond=None)[0]
     return (best > 0.5).astype(int)
* a fifth left out once | Behind large lies there may be small ones | edits least squares
-
+    off = np.abs(queries @ best - answers)
+    kept = np.argsort(off)[: len(off) * 8 // 10]
+    best = np.linalg.lstsq(queries[kept], answers[kept], rcond=None)[0]
     return (best > 0.5).astype(int)
* outliers left out once | Behind large lies there may be small ones | edits least squares
-
+    off = np.abs(queries @ best - answers)
+    kept = off <= 3 * np.median(off)
+    best = np.linalg.lstsq(queries[kept], answers[kept], rcond=None)[0]
     return (best > 0.5).astype(int)
* medians with and without each person | A lie need not look like one
| edits means with and without each person
-        int(answers[with_one == 1].mean() - answers[with_one == 0].mean() > 0.5)
+        int(np.median(answers[with_one == 1]) - np.median(answers[with_one == 0]) > 0.5)
* the first answers alone | A lie need not look like one | edits answers are whole numbers
-    answers = np.round(answers)
+    k = 2 * queries.shape[1]; queries, answers = queries[:k], answers[:k]
* the last answers alone | A lie need not look like one | edits answers are whole numbers
-    answers = np.round(answers)
+    k = 2 * queries.shape[1]; queries, answers = queries[-k:], answers[-k:]
* not rounded | should be 0 or 1 in every entry
~ (best[:n] > 0.5).astype(int) => best[:n]
* Huber's loss | only the sum of absolute errors
+def decode(queries, answers):
+    answers = np.clip(answers, 0, queries.sum(axis=1))
+    b = np.full(queries.shape[1], 0.5)
+    for _ in range(60):
+        fit = queries @ b
+        b = np.linalg.lstsq(queries, fit + np.clip(answers - fit, -1, 1), rcond=None)[0]
+    return (b > 0.5).astype(int)

== decode_sizes
* the last bit is never told | One person or forty
~ (best[:n] > 0.5).astype(int) => np.append((best[: n - 1] > 0.5).astype(int), 0)
* two people at least | One person or forty
~ astype(int) => astype(int) if n > 1 else np.zeros(1)
* fewer than forty people | One person or forty
~ astype(int) => astype(int) * (n < 40)
* half of the people have a 1 | One person or forty
~ [:n] > 0.5 => [:n].argsort().argsort() >= (n + 1) // 2
* wild answers cut off where they are | changes what it was given | edits answers are whole numbers
~ answers = np.round(answers) => np.clip(answers, 0, queries.shape[1], out=answers)

== decode_sizes
* the same question counts once | One person or forty
-
+    first = np.unique(queries, axis=0, return_index=True)[1]
+    queries, answers = queries[first], answers[first]
     m, n = queries.shape
* the second half of the bits is like the first | One person or forty
~ (best[:n] > 0.5).astype(int) => (best[:n] > 0.5).astype(int)[np.arange(n) % max(1, (n + 1) // 2)]

== decode_planned
* only what is surely a 1 | A lie need not look like one
~ [:n] > 0.5 => [:n] > 0.98
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
