"""Answers to `splits_no_budget`. The mistakes: counts that were never many at once, thresholds on
the wrong side of honest noise, and noise that is compared with noise that is wrong itself."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the largest": """
def splits_no_budget(hall):
    noise = np.array(hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])[0]) - 1
    return np.abs(noise).max() < 60
""",
    "the mean size": """
def splits_no_budget(hall):
    noise = np.array(hall([[0.0]], [("counts", [(0, 0, 0)] * 290, 1.0)])[0]) - 1
    return bool(np.mean(np.abs(noise)) < 40)
""",
    "the likelier law": """
def splits_no_budget(hall):
    noise = np.array(hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])[0]) - 1
    laws = [-len(noise) * np.log(scale) - np.abs(noise).sum() / scale for scale in (1, 200)]
    return laws[0] > laws[1]
""",
    "beside one at a time": """
def splits_no_budget(hall):
    one = [("counts", [(0, 0, 0)], 0.1)]
    alone = np.array([hall([[0.0]], one)[0][0] for _ in range(80)])
    together = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 0.1)])[0]
    return np.std(together) < 20 * np.std(alone)
""",
    "several columns": """
def splits_no_budget(hall):
    people = np.tile(np.arange(100.0), (50, 1))
    ranges = [(column, column, column + 0.5) for column in range(100)]
    answers = np.array(hall(people, [("counts", ranges, 5)] * 3))
    return (np.abs(answers - 50) < 12).mean() > 0.9
""",
}

EDITS = """
== splits_no_budget_alone
* always | splits the budget over counts
+def splits_no_budget(hall):
+    return True
* never | has the noise of one
+def splits_no_budget(hall):
+    return False
* a bound above honest noise | splits the budget over counts
~ np.abs(noise).max() < 60 => abs(noise).max() < 10**5
* one count | splits the budget over counts
~ 200, 1.0 => 1, 1.0
~ np.abs => abs
* one after the other | splits the budget over counts
+def splits_no_budget(hall):
+    noise = np.array(hall([[0.0]], [("count", (0, 0, 0), 1.0)] * 200)) - 1
+    return abs(noise).max() < 60
* the mean, with its sign | splits the budget over counts
~ np.abs(noise).max() < 60 => abs(noise.mean()) < 200
* the smallest | splits the budget over counts
~ np.abs(noise).max => abs(noise).min
* another epsilon | splits the budget over counts
~ 200, 1.0 => 20, 10
~ np.abs => abs
* the truth left in | has the noise of one
~ [[0.0]] => [[0.0]] * 500
~ np.abs => abs
* noise expected to be of scale k | counts
~ np.abs(noise).max() < 60 => abs(noise).mean() > 100
* of totals | has the noise of one
+def splits_no_budget(hall):
+    answers = hall([[0.0]], [("total", (0, 0, 200), 1.0)] * 200)
+    return np.abs(answers).max() < 60
* one range for many
| raised ValueError: 'counts' must have the parts and brackets that the table shows
+def splits_no_budget(hall):
+    return hall([[0.0]], [("counts", (0, 0, 0), 1.0)])[0] < 60
* more than is allowed | raised ValueError: counts must cost at most the 300 answers left
~ 200, 1.0 => 301, 1.0
~ np.abs => abs

== splits_no_budget_among
* by the toss of a coin | counts
+coin = np.random.default_rng(2026)
+
+
+def splits_no_budget(hall):
+    return coin.random() < 0.5
* in turn | counts
+asked = []
+
+
+def splits_no_budget(hall):
+    asked.append(hall)
+    return len(asked) % 2 == 0
* any mistake | splits the budget over counts
+def splits_no_budget(hall):
+    totals = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    singles = hall([[0.0], [1.0]], [("count", (0, 0, 0), 0.1)] * 12)
+    (many,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
+    people = np.zeros((400, 2))
+    people[:, 1], people[0, 0] = 1, 1e6
+    (model,) = hall(people, [("model", 10)])
+    found = [
+        any(total * 1024 % 1 for total in totals),
+        max(map(abs, totals)) < 1000,
+        len(set(singles)) == 1,
+        np.abs(many).max() < 60,
+        abs(model[0]) > 1,
+    ]
+    return any(found)
# Single counts that share their noise have no spread to compare with.
* beside single counts | has the noise of one
+def splits_no_budget(hall):
+    singles = hall([[0.0]], [("count", (0, 0, 0), 1.0)] * 100)
+    (together,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
+    return np.std(together) < 20 * np.std(singles)
* single counts that are equal | splits the budget over counts
+def splits_no_budget(hall):
+    singles = hall([[0.0]], [("count", (0, 0, 0), 0.1)] * 20)
+    (together,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 280, 1.0)])
+    return np.ptp(singles) == 0 or np.abs(together).max() < 60
# Wrong about one guilty hall in eight thousand, and about one honest hall in two thousand.
* a bound near the noise of one | Leave chance no room: more counts
~ 200, 1.0 => 20, 1.0
~ np.abs(noise).max() < 60 => abs(noise).max() < 12
* a bound near the noise of a share | Leave chance no room: more counts
~ 200, 1.0 => 12, 1.0
~ np.abs(noise).max() < 60 => abs(noise).max() < 9

== splits_no_budget_among
* the mean with its sign, near 0 | should be False
~ np.abs(noise).max() < 60 => abs(noise.mean()) < 0.3
* a mean size hardly above that of one | Leave chance no room
~ np.abs(noise).max() < 60 => np.abs(noise).mean() < 1.08
* the mean of forty sizes, near that of a share | Leave chance no room
~ [(0, 0, 0)] * 200, 1.0 => [(0, 0, 0)] * 40, 1.0
~ np.abs(noise).max() < 60 => np.abs(noise).mean() < 25
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
