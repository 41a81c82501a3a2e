"""Answers to `most_accurate` and `people_needed`. The mistakes: odds, roundings and ends."""

from tests.assignments.edits import read_answers

RIGHT = {
    "closed forms": """
def most_accurate(epsilon, n):
    return 1 / (1 + math.exp(-n * epsilon))


def people_needed(epsilon, accuracy):
    if accuracy == 0.5:
        return 1
    if epsilon == 0 or accuracy == 1:
        return math.inf
    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
""",
    "odds": """
def most_accurate(epsilon, n):
    against = np.exp(-float(epsilon) * n)
    return 1 - against / (1 + against)


def people_needed(epsilon, accuracy):
    log_odds = np.log(accuracy) - np.log1p(-accuracy) if accuracy < 1 else np.inf
    if log_odds == 0:
        return 1
    with np.errstate(divide="ignore"):
        people = np.divide(log_odds, epsilon)
    return np.ceil(people)
""",
    "one by one": """
def most_accurate(epsilon, n):
    return (1 + math.tanh(n * epsilon / 2)) / 2


def people_needed(epsilon, accuracy):
    if accuracy > 0.5 and (epsilon == 0 or accuracy == 1):
        return math.inf
    n = 1
    while most_accurate(epsilon, n) < accuracy:
        n += 1
    return n
""",
    "doubling and halving": """
def most_accurate(epsilon, n):
    steps = epsilon * n
    return math.exp(steps) / (1 + math.exp(steps)) if steps < 30 else 1 - math.exp(-steps)


def people_needed(epsilon, accuracy):
    if most_accurate(epsilon, 1) >= accuracy and accuracy < 1:
        return 1
    if epsilon == 0 or accuracy == 1:
        return math.inf
    enough = 2
    while most_accurate(epsilon, enough) < accuracy:
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (few + enough) // 2
        if most_accurate(epsilon, middle) < accuracy:
            few = middle
        else:
            enough = middle
    return enough
""",
}

EDITS = """
== people_needed_accuracy
* one step for all | should be 0.525, it is 0.5025
~ n * epsilon => epsilon
* the odds | should be 0.525, it is 1.105
~ return 1 / (1 + math.exp(-n * epsilon)) => return math.exp(min(700, n * epsilon))
* half of the odds | should be 0.525, it is 0.5526
~ 1 / (1 + math.exp(-n * epsilon)) => min(1, math.exp(min(700, n * epsilon)) / 2)
* the distance of the laws | should be 0.525, it is 0.04996
~ 1 / (1 + math.exp(-n * epsilon)) => math.tanh(n * epsilon / 2)
* the square root of n | should be 0.525, it is 0.5079
~ n * epsilon => math.sqrt(n) * epsilon
* twice the exponent | should be 0.525, it is 0.5498
~ n * epsilon => 2 * n * epsilon
* the wrong guesses | should be 0.525, it is 0.475
~ (1 + math.exp(-n * epsilon)) => (1 + math.exp(min(700, n * epsilon)))
* a straight line | Odds of e^(n epsilon)
~ return 1 / (1 + math.exp(-n * epsilon)) => return min(1, 1 / 2 + n * epsilon / 4)
* the accuracy that can be reached | should be 0.525, it is 0.5244
-    return 1 / (1 + math.exp(-n * epsilon))
+    return (
+        1 - math.exp(-n * epsilon / 2) / 2
+        if n % 2 == 0
+        else 1 - math.exp(-(n - 1) * epsilon / 2) / (1 + math.exp(epsilon))
+    )
* exp of a large number | raised OverflowError
~ 1 / (1 + math.exp(-n * epsilon)) => math.exp(n * epsilon) / (1 + math.exp(n * epsilon))
* infinity over infinity | Is exp(1000) too large
~ 1 / (1 + math.exp(-n * epsilon)) => np.exp(n * epsilon) / (1 + np.exp(n * epsilon))
* at most ten thousand people | from one person to a million
~ n * epsilon => min(n, 10_000) * epsilon
* certain from an exponent of 7 on | Odds of e^(n epsilon), from one person
~ (1 + math.exp(-n * epsilon)) => (1 + math.exp(-n * epsilon)) if n * epsilon < 7 else 1.0
* a small epsilon taken for 0 | Odds of e^(n epsilon), from one person
~ (1 + math.exp(-n * epsilon)) => (1 + math.exp(-n * epsilon)) if epsilon > 5e-4 else 0.5

== people_needed_least
* rounded down | it is 294
~ math.ceil => math.floor
* rounded | should be 295, it is 294
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return max(1, round(math.log(accuracy / (1 - accuracy)) / epsilon))
* not rounded | it is 294.4
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return math.log(accuracy / (1 - accuracy)) / epsilon
* one more | it is 296
~ return math.ceil => return 1 + math.ceil
* one over epsilon | it is 100
~ math.log(accuracy / (1 - accuracy)) => 1
* the accuracy for the odds | should be 295, it is 300
~ accuracy / => 1 /
* from half of the odds | should be 295, it is 65
~ accuracy / (1 - accuracy) => 2 * accuracy
* from the distance of the laws | should be 295, it is 367
~ math.log(accuracy / (1 - accuracy)) => 2 * math.atanh(accuracy)
* the logarithm with base 10 | should be 295, it is 128
~ math.log => math.log10
* ten thousand people at most | The least whole n
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return min(10_000, math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon))
* two people at least | should be 1, it is 2
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return max(2, math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon))
* tens of people above a thousand | The least whole n
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return (
+        math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+        if math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon) < 1000
+        else 5 * math.ceil(math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon) / 5)
+    )
* one where it is almost a half | should be 5
~ accuracy == 0.5 => accuracy <= 0.5001

== people_needed_never
* nobody for a coin toss | should be 1, it is 0
-        return 1
+        return 0
* a coin toss not thought of | should be 1, it is 0
~ accuracy == 0.5 => False
* divides by epsilon | raised ZeroDivisionError
~ if epsilon == 0 or => if
* divides by what is missing to 1 | raised ZeroDivisionError
~ 0 or accuracy == 1 => 0
* a bound that rounds to 1 | The bound is below 1 for every n
+def most_accurate(epsilon, n):
+    return 1 / (1 + math.exp(-n * epsilon))
+
+
+def people_needed(epsilon, accuracy):
+    return math.inf if epsilon == 0 and accuracy > 0.5 else next(
+        n for n in range(1, 400_000) if most_accurate(epsilon, n) >= accuracy
+    )
* a coin toss at epsilon 0 as well | also at epsilon = 0
+    if epsilon == 0 or accuracy == 1:
+        return math.inf
     if accuracy == 0.5:
@@
-    if epsilon == 0 or accuracy == 1:
-        return math.inf
     return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
* a large number for infinity | should be inf, it is 1e+09
~ math.inf => 10**9

== people_needed_accuracy
* certain from an exponent of 14 on | Odds of e^(n epsilon)
-    return 1 / (1 + math.exp(-n * epsilon))
+    return 1 / (1 + math.exp(-n * epsilon)) if n * epsilon < 14 else 1.0
* a straight line near a coin toss | Odds of e^(n epsilon)
-    return 1 / (1 + math.exp(-n * epsilon))
+    return 1 / (1 + math.exp(-n * epsilon)) if n * epsilon > 0.02 else 0.5 + n * epsilon / 4

== people_needed_least
* no more than 138,000 people | The least whole n
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return min(138_000, math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon))
* the logarithm to six digits | The least whole n
-    return math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)
+    return math.ceil(round(math.log(accuracy / (1 - accuracy)), 6) / epsilon)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
