"""Answers to `reconstruct_sum`. The mistakes: the common number, the rounding, the solution."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one column more": """
def reconstruct_sum(sets, answers):
    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
    wide = np.column_stack([sets, np.ones(len(sets))])
    v = np.linalg.lstsq(wide, answers, rcond=None)[0]
    return np.round(v[:-1])
""",
    "centred": """
def reconstruct_sum(sets, answers):
    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
    centred = sets - sets.mean(axis=0)
    v = np.linalg.lstsq(centred, answers - answers.mean(), rcond=None)[0]
    return np.rint(v).astype(int)
""",
    "normal equations": """
def reconstruct_sum(sets, answers):
    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
    wide = np.column_stack([sets, np.ones(len(sets))])
    v = np.linalg.solve(wide.T @ wide, wide.T @ answers)
    return np.floor(v[:-1] + 0.5)
""",
}

EDITS = """
== right
* a list
~ np.round(v[:-1]) => [int(round(number)) for number in v[:-1]]

== reconstruct_sum_exact
* no common number | the one that all answers share
+def reconstruct_sum(sets, answers):
+    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
+    return np.round(np.linalg.lstsq(sets, answers, rcond=None)[0])
* not rounded | should be [2, 1]
~ np.round(v[:-1]) => v[:-1]
* rounded up | should be [2, 1]
~ round(v[:-1]) => ceil(v[:-1] - 1e-6)
* the common number too | should be an array of shape (2,)
~ v[:-1] => v
* bits | should be [3, 1]
~ np.round(v[:-1]) => (v[:-1] > 0.5).astype(int)
* sums of the answers | should be [3, 1] | edits no common number
~ np.linalg.lstsq(sets, answers, rcond=None)[0] => sets.T @ answers / len(sets)
* the first column lost | should be [3, 1]
~ v[:-1] => v[1:]
* clipped to a digit | should be [3, 1]
~ np.round(v[:-1]) => np.clip(np.round(v[:-1]), 0, 2)
* numbers below a thousand | small or large
~ np.round(v[:-1]) => np.clip(np.round(v[:-1]), -999, 999)
* numbers from nought | small or large
~ np.round(v[:-1]) => np.maximum(np.round(v[:-1]), 0)
* two people | small or large
~ (v[:-1]) => (v[:-1]) * (sets.shape[1] > 1)
* dplab's own | is off limits in an answer
+from dplab.attacks.diffix.reconstruction import estimates
+
+
+def reconstruct_sum(sets, answers):
+    return np.round(estimates(sets, answers))
* no common number above a thousand | can be any
~ (v[:-1]) => (v[:-1]) * (abs(v[-1]) < 1000)
* two sets more than people | as many sets as unknowns
~ (v[:-1]) => (v[:-1]) * (len(sets) > sets.shape[1] + 1)
* the mean taken off the answers themselves | changes what it was given
+def reconstruct_sum(sets, answers):
+    sets, answers = np.array(sets, dtype=float), np.asarray(answers, dtype=float)
+    answers -= answers.mean()
+    centred = sets - sets.mean(axis=0)
+    return np.round(np.linalg.lstsq(centred, answers, rcond=None)[0])

== reconstruct_sum_noisy
* cut off | nearest
~ np.round(v[:-1]) => (v[:-1] + 1e-6).astype(int)
* the first answers only | has right
+def reconstruct_sum(sets, answers):
+    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
+    k = sets.shape[1] + 1
+    wide = np.column_stack([sets, np.ones(len(sets))])[: k + 5]
+    v = np.linalg.lstsq(wide, answers[: k + 5], rcond=None)[0]
+    return np.round(v[:-1])
* the least answer taken for the common number | has right
+def reconstruct_sum(sets, answers):
+    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
+    v = np.linalg.lstsq(sets, answers - answers.min(), rcond=None)[0]
+    return np.round(v)
* the first five hundred answers | every answer counts
~ wide, answers => wide[:500], answers[:500]
* every answer but the last | every answer counts
~ wide, answers => wide[:-1], answers[:-1]
* fifty people | every answer counts
~ (v[:-1]) => (v[:-1]) * (sets.shape[1] <= 50)
* outliers left out | every answer counts
+    off = abs(wide @ v - answers)
+    kept = off <= 2 * off.std()
+    v = np.linalg.lstsq(wide[kept], answers[kept], rcond=None)[0]
     return np.round(v[:-1])

== reconstruct_sum_exact
* numbers up to 9,999 | small or large
~ np.round(v[:-1]) => np.clip(np.round(v[:-1]), -9999, 9999)
* products in eight bits | small or large
+def reconstruct_sum(sets, answers):
+    wide = np.column_stack([sets, np.ones(len(sets))]).astype(np.int8)
+    squares = np.linalg.pinv((wide.T @ wide).astype(float))
+    return np.round((squares @ (wide.T @ np.asarray(answers)))[:-1])

== reconstruct_sum_noisy
* each set counts once | every answer counts
+def reconstruct_sum(sets, answers):
+    rows, first = np.unique(sets, axis=0, return_index=True)
+    wide = np.column_stack([rows, np.ones(len(rows))])
+    return np.round(np.linalg.lstsq(wide, answers[first], rcond=None)[0][:-1])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
