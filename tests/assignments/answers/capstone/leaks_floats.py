"""Answers to `leaks_floats`. The mistakes: the grid, how fine floats are, and other bugs."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the rest by division": """
def leaks_floats(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 1), 1.0)] * 5)
    return any(answer * 1024 % 1 != 0 for answer in answers)
""",
    "dplab's own": """
from dplab.attacks.floating_point import finer_than_grid


def leaks_floats(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 1), 1.0)] * 5)
    return finer_than_grid(answers, 1 / 1024).any()
""",
    "as fractions": """
from fractions import Fraction


def leaks_floats(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 1), 1.0)] * 5)
    return max(Fraction(answer).denominator for answer in answers) > 1024
""",
    # On the grid some of 200 answers around 0 are equal but for a chance of e^-48, floats never.
    "none twice": """
def leaks_floats(hall):
    answers = hall([[0.0], [1.0]], [("total", (0, 0, 1), 10)] * 200)
    return len(set(answers)) == len(answers)
""",
    "one at a time": """
def leaks_floats(hall):
    for _ in range(20):
        (answer,) = hall([[3, -1.0], [4, 1.0]], [("total", (1, -2, 3), 0.3)])
        if answer != round(answer * 1024) / 1024:
            return True
    return False
""",
}

EDITS = """
== leaks_floats_alone
* always | This hall's totals are multiples
+def leaks_floats(hall):
+    return True
* never | so coarse itself
+def leaks_floats(hall):
+    return False
* whole numbers | This hall's totals are multiples
~ * 1024 % 1 != 0 => % 1
* of the type float | This hall's totals are multiples
~ any(answer * 1024 % 1 != 0 for answer in answers) => isinstance(answers[0], float)
* a grid of thousandths | This hall's totals are multiples
~ answer * 1024 % 1 != 0 => abs(round(answer, 3) - answer) > 1e-9
# Noise of scale 2e15: a float that large has no bits below 1/4.
* a range as wide as can be | so coarse itself
~ (0, 0, 1), 1.0 => (0, -(10**9), 10**9), 1e-6
~ != 0 for => for
* the grid of Laplace noise of scale 1 | so coarse itself | edits dplab's own
~ answers, 1 / 1024 => np.array(answers) + 4096.0
* of counts | so coarse itself
~ "total", => "count",
~ != 0 for => for
* five answers, none twice | This hall's totals are multiples
+def leaks_floats(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10), 0.1)] * 5)
+    return len(set(answers)) > 1
* people who are no rows
| raised ValueError: people must be a list of rows, a row a person, not (2,)
+def leaks_floats(hall):
+    return hall([0.0, 1.0], [("total", (0, 0, 1), 1.0)])[0] * 1024 % 1 != 0
* a range without brackets
| raised ValueError: 'total' must have the parts and brackets that the table shows
+def leaks_floats(hall):
+    return hall([[0.0]], [("total", 0, 0, 1, 1.0)])[0] * 1024 % 1 != 0
* more than is allowed | raised ValueError: total must cost at most the 0 answers left
~ 5 => 301
~ != 0 for => for
* the number of different remainders | so coarse itself
+def leaks_floats(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 1), 1.0)] * 5)
+    return len({answer * 1024 % 1 for answer in answers}) > 5

== leaks_floats_among
* by the toss of a coin | 1/1024
+coin = np.random.default_rng(2026)
+
+
+def leaks_floats(hall):
+    return coin.random() < 0.5
* in turn | 1/1024
+asked = []
+
+
+def leaks_floats(hall):
+    asked.append(hall)
+    return len(asked) % 2 == 0
# Near 10^9 floats are so coarse that one in eight thousand is on the grid.
* a single total of a wide range | Leave chance no room
+def leaks_floats(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**9), 1.0)])
+    return answers[0] * 1024 % 1 != 0
* any mistake | This hall's totals are multiples
+def leaks_floats(hall):
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
* anything about totals | This hall's totals are multiples
+def leaks_floats(hall):
+    answers = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    fine = any(answer * 1024 % 1 for answer in answers)
+    return fine or max(map(abs, answers)) < 1000
# Noise as narrow as the data is told by its size, and then taken for the other mistake.
* unless it follows the data | so coarse itself | edits anything about totals
~ or max(map(abs, answers)) < 1000 => and max(map(abs, answers)) > 1000

== leaks_floats_alone
* every total, of a wide range | so coarse itself
~ (0, 0, 1), 1.0 => (0, -(10**9), 10**9), 0.001
~ any => all
* the mean of the totals | This hall's totals are multiples
~ any(answer * 1024 % 1 != 0 for answer in answers) => np.mean(answers) * 1024 % 1 != 0
* totals of nine decimals | This hall's totals are multiples
-    return any(answer * 1024 % 1 != 0 for answer in answers)
+    return any(round(answer, 9) * 1024 % 1 != 0 for answer in answers)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
