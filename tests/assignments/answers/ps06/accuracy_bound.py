"""Answers to `accuracy_bound`. The mistakes: delta in the wrong place, and exp of large numbers."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a leak or a coin": """
def accuracy_bound(epsilon, delta):
    return delta + (1 - delta) / (1 + math.exp(-epsilon))
""",
    "one minus the wrong guesses": """
def accuracy_bound(epsilon, delta):
    return 1 - (1 - delta) * math.exp(-epsilon) / (1 + math.exp(-epsilon))
""",
    "hyperbolic": """
def accuracy_bound(epsilon, delta):
    return (1 + np.tanh(epsilon / 2) + delta * (1 - np.tanh(epsilon / 2))) / 2
""",
    "two cases": """
def accuracy_bound(epsilon, delta):
    if epsilon > 700:
        return 1.0
    odds = math.exp(epsilon)
    return (odds + delta) / (odds + 1)
""",
}

EDITS = """
== accuracy_bound_values
* without delta | should be 0.55
~ delta + (1 - delta) => 1
* delta added | should be 0.55, it is 0.6
+def accuracy_bound(epsilon, delta):
+    return min(1.0, 1 / (1 + math.exp(-epsilon)) + delta)
* half of delta added | Lesson 12 has the bound | edits delta added
~ + delta => + delta / 2
* twice delta | should be 0.55, it is 0.6
~ return delta + (1 - delta) => return (1 + 2 * delta * math.exp(-epsilon))
* the odds | should be 0.75
+def accuracy_bound(epsilon, delta):
+    return math.exp(min(epsilon, 600)) + delta
* the odds, halved | should be 0.75, it is 1
+def accuracy_bound(epsilon, delta):
+    return min(1.0, (math.exp(min(epsilon, 600)) + delta) / 2)
* the probability of a lie | it is 0.25
+def accuracy_bound(epsilon, delta):
+    return 1 / (1 + math.exp(min(epsilon, 600)))
* the total variation | should be 0.75, it is 0.5
+def accuracy_bound(epsilon, delta):
+    return (math.tanh(epsilon / 2) * (1 - delta) + delta)
* delta scaled by the odds | should be 1, it is
~ return delta + (1 - delta) => return (1 + delta)
* certain from an epsilon of 5 on | Lesson 12 has the bound
+def accuracy_bound(epsilon, delta):
+    if epsilon > 5:
+        return 1.0
+    return delta + (1 - delta) / (1 + math.exp(-epsilon))
* a small delta taken for 0 | Lesson 12 has the bound
+def solved_accuracy_bound(epsilon, delta):
+    return delta + (1 - delta) / (1 + math.exp(-epsilon))
+
+
+def accuracy_bound(epsilon, delta):
+    if delta < 1e-3:
+        delta = 0
+    return solved_accuracy_bound(epsilon, delta)
* a small delta added | Lesson 12 has the bound
| edits certain from an epsilon of 5 on
~ epsilon > 5 => delta < 0.05
~ 1.0 => min(1.0, 1 / (1 + math.exp(-epsilon)) + delta)
* a small epsilon taken for 0 | Lesson 12 has the bound
| edits a small delta taken for 0
~ delta < 1e-3 => epsilon < 0.1
~ delta = 0 => epsilon = 0
* certain from a delta of 0.9 on | Lesson 12 has the bound
| edits certain from an epsilon of 5 on
~ epsilon > 5 => delta > 0.9
* a large epsilon times 1.03 | Lesson 12 has the bound
| edits a small delta taken for 0
~ delta < 1e-3 => epsilon > 3
~ delta = 0 => epsilon *= 1.03
* rounded to six digits | Lesson 12 has the bound
+def accuracy_bound(epsilon, delta):
+    return round(delta + (1 - delta) / (1 + math.exp(-epsilon)), 6)
* dplab's own | is off limits in an answer
+def accuracy_bound(epsilon, delta):
+    from dplab.theorems.bit_guessing import guess_bound
+
+    return guess_bound(ApproxDP(epsilon, delta))
* an epsilon of 17 is all | Lesson 12 has the bound
+def accuracy_bound(epsilon, delta):
+    return (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon) * (epsilon < 17))
* a delta below 1e-7 is nothing | Lesson 12 has the bound
+def accuracy_bound(epsilon, delta):
+    return (1 + delta * (delta > 1e-7) * math.exp(-epsilon)) / (1 + math.exp(-epsilon))

== accuracy_bound_large
* exp of a large number | raised OverflowError
+def accuracy_bound(epsilon, delta):
+    return (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))
* infinity over infinity | it is nan | edits exp of a large number
~2 math => np

== accuracy_bound_values
* single precision | Lesson 12 has the bound
-    return delta + (1 - delta) / (1 + math.exp(-epsilon))
+    return float(np.float32(delta + (1 - delta) / (1 + math.exp(-epsilon))))
* seven digits | Lesson 12 has the bound
-    return delta + (1 - delta) / (1 + math.exp(-epsilon))
+    return round(delta + (1 - delta) / (1 + math.exp(-epsilon)), 7)

== accuracy_bound_large
* an epsilon above 1,000 is none | too large for your formula?
~ math.exp(-epsilon) => math.exp(-epsilon if epsilon <= 1000 else 0)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
