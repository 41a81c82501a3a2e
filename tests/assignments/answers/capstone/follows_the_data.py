"""Answers to `follows_the_data`. The mistakes: a range that the people fill, too little room for
chance, and what noise in floats looks like."""

from tests.assignments.edits import read_answers

RIGHT = {
    "far too near": """
def follows_the_data(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
    return max(abs(answer - 1) for answer in answers) < 1000
""",
    # With the mistake the noise of one table is wider than that of the other by a factor of 10^6;
    # without, the bound is above the promise by chance with probability 1e-15.
    "an audit of two neighbours": """
from dplab.audit import epsilon_lower_bound


def follows_the_data(hall):
    asked = [("total", (0, 0, 10**6), 0.01)] * 150
    draws = [np.abs(hall([[0.0], [0.0], [last]], asked)) for last in (1.0, 1e6)]
    return epsilon_lower_bound(*draws, failure=1e-15).epsilon > 0.01
""",
    "two tables": """
def follows_the_data(hall):
    asked = [("total", (0, -(10**6), 10**6), 0.1)] * 60
    narrow = hall([[5.0]] * 3, asked)
    wide = hall([[5.0], [-1e6], [1e6]], asked)
    return bool(
        np.median(np.abs(np.array(narrow) - 15)) < np.median(np.abs(np.array(wide) - 5)) / 50
    )
""",
    "two ranges": """
def follows_the_data(hall):
    people = [[-2.0], [1.5]]
    asked = [("total", (0, -3, high), 0.5) for high in (10, 10**8) for _ in range(40)]
    off = np.abs(np.array(hall(people, asked)) + 0.5)
    return off[40:].mean() < 1000 * off[:40].mean()
""",
    "the likelier law": """
def follows_the_data(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
    answers = np.abs(np.array(answers) - 1)
    laws = [-np.log(scale) * len(answers) - answers.sum() / scale for scale in (1, 1e6)]
    return laws[0] > laws[1]
""",
}

EDITS = """
== follows_the_data_alone
* always | is as wide as the range asked for
+def follows_the_data(hall):
+    return True
* never | far less noise
+def follows_the_data(hall):
+    return False
* people who fill the range | far less noise
~ [1.0] => [1e6]
~ answer - 1 => answer - 1e6
* one answer within the range | is as wide as the range asked for
+def follows_the_data(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 10)])
+    return abs(answers[0]) < 10**6
* noise below its scale, on average | is as wide as the range asked for
+def follows_the_data(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 100)
+    return np.mean(np.abs(np.array(answers) - 1)) < 1.5 * 10**6
* the truth left in | far less noise
~ [0.0], [1.0] => [999_999.0], [1e6]
~ abs(answer - 1) for answer in answers => map(abs, answers)
* of counts | is as wide as the range asked for
~ "total", (0, 0, 10**6) => "count", (0, 0, 0)
* neighbours in the middle | far less noise | edits an audit of two neighbours
~ (0, 0, 10**6), 0.01 => (0, 0, 1000), 1.0
~ np.abs(hall([[0.0], [0.0], [last]], asked)) => hall([[0.0], [1000.0], [last]], asked)
~ 1.0, 1e6 => 1.0, 500.0
~ (*draws, failure=1e-15).epsilon > 0.01 => (*draws).epsilon > 1
* more than is allowed | raised ValueError: total must cost at most the 0 answers left
~ 5 => 301
~ abs(answer - 1) for answer in answers => map(abs, answers)
* a range that is none | raised ValueError: high must be
+def follows_the_data(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 5, 5), 1.0)])
+    return max(map(abs, answers)) < 1000
* some answer near | is as wide as the range asked for
~ 5 => 40
~ max(abs(answer - 1) for answer in answers) < 1000 => min(map(abs, answers)) < 10**6

== follows_the_data_among
* by the toss of a coin | noise
+coin = np.random.default_rng(2026)
+
+
+def follows_the_data(hall):
+    return coin.random() < 0.5
* in turn | noise
+asked = []
+
+
+def follows_the_data(hall):
+    asked.append(hall)
+    return len(asked) % 2 == 0
# Everybody has the same value: noise of scale 1/10,240 is 0 on the grid, and not in floats.
* the truth itself | far less noise
+def follows_the_data(hall):
+    answers = hall([[0.0], [0.0]], [("total", (0, 0, 10**6), 10)] * 5)
+    return set(answers) == {0}
* any mistake | is as wide as the range asked for
+def follows_the_data(hall):
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
* off the grid | is as wide as the range asked for
+def follows_the_data(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    return max(map(abs, answers)) < 1000 or any(answer * 1024 % 1 for answer in answers)
# Wrong about one honest hall in a hundred.
* a single total | Leave chance no room
+def follows_the_data(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)])
+    return abs(answers[0] - 1) < 10**4
# Wrong about one guilty hall in three thousand.
* a bound near the noise of the data | Leave chance no room: more totals
~ [("total", (0, 0, 10**6), 1.0)] * 5 => [("total", (0, 0, 10**9), 1.0)] * 3
~ 1000 => 9
# Wrong about one honest hall in forty thousand.
* one at a time, a bound near the noise of the range | Leave chance no room: more totals
+def follows_the_data(hall):
+    asked = [("total", (0, 0, 10**5), 1.0)]
+    answers = [hall([[0.0], [1.0]], asked)[0] for _ in range(3)]
+    return max(abs(answer - 1) for answer in answers) < 3000

== follows_the_data_among
* the mean with its sign | Leave chance no room
~ max(abs(answer - 1) for answer in answers) < 1000 => abs(np.mean(answers) - 1) < 300
* a mean size a tenth as wide | Leave chance no room
~ max(abs(answer - 1) for answer in answers) < 1000 => np.mean(np.abs(np.array(answers) - 1)) < 7e4
* a mean size of at most four | Leave chance no room
~ max(abs(answer - 1) for answer in answers) < 1000 => np.mean(np.abs(np.array(answers) - 1)) < 4
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
