"""Answers to `largest_gain` and `sigma_needed`. The mistakes: weights, signs, one of two bounds."""

from tests.assignments.edits import read_answers

RIGHT = {
    "matrices": """
def largest_gain(laws, population):
    laws, population = np.array(laws, dtype=float), np.array(population, dtype=float)
    at_large = population @ laws
    more = np.maximum(laws - at_large, 0)
    return float((population @ more).sum())


def sigma_needed(n, answers, gain):
    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
""",
    "half of what differs": """
def largest_gain(laws, population):
    laws, population = np.array(laws, dtype=float), np.array(population, dtype=float)
    at_large = population @ laws
    more = np.abs(laws - at_large)
    return 0.5 * float(np.sum(population[:, None] * more))


def sigma_needed(n, answers, gain):
    epsilon, rho = 4 * np.arctanh(gain), 2 * gain**2
    return min(2 * answers / (n * epsilon), np.sqrt(answers / rho) / n)
""",
    "output by output": """
def largest_gain(laws, population):
    gain = 0.0
    for y in range(len(laws[0])):
        known = [(population[x], laws[x][y]) for x in range(len(population))]
        mean = sum(p * q for p, q in known)
        gain += sum(p * (q - mean) for p, q in known if q > mean)
    return gain


def sigma_needed(n, answers, gain):
    epsilon = 2 * math.log((1 + gain) / (1 - gain)) if gain > 1e-3 else 4 * math.atanh(gain)
    pure = 2 * answers / epsilon / n
    return sorted([pure, (answers / 2) ** 0.5 / gain / n])[0]
""",
    "the joint law": """
def largest_gain(laws, population):
    laws, population = np.array(laws, dtype=float), np.array(population, dtype=float)
    at_large = population[:, None] * laws
    more = np.clip(at_large - np.outer(population, at_large.sum(axis=0)), 0, None)
    return more.sum()


def sigma_needed(n, answers, gain):
    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
""",
}

EDITS = """
== largest_gain_values
* all differences | For each person, how much
~ maximum(laws - at_large, 0) => abs(laws - at_large)
* nothing cut off | For each person, how much
~ np.maximum(laws - at_large, 0) => laws - at_large
* the best person | For each person, how much
~ (population @ more).sum() => more.sum(axis=1).max()
* people equally many | For each person, how much
~ population @ laws => laws.mean(axis=0)
* all people count the same | For each person, how much
~ (population @ more).sum() => more.sum(axis=1).mean()
* the sum over people | For each person, how much
~ (population @ more) => more
* the best output | For each person, how much
~ sum => max
* against the others only | For each person, how much
~ at_large, 0 => laws.min(axis=0), 0
* from the mean of the outputs | For each person, how much
~ population @ laws => laws.mean(axis=1, keepdims=True)
* a hundred people | For each person, how much
~ population @ more => population[:100] @ more[:100]
* equal outputs count once | For each person, how much
~ population @ more => population @ np.unique(more, axis=1)
* the bound | For each person, how much
-    return float((population @ more).sum())
+    return float(
+        np.tanh(
+            np.log(
+                max(laws[:, y].max() / max(laws[:, y].min(), 1e-300) for y in range(laws.shape[1]))
+            )
+            / 4
+        )
+    )
* what is at large taken off the laws themselves | changes what it was given
~ = np.array => = np.asarray
-    more = np.maximum(laws - at_large, 0)
+    laws -= at_large
+    more = np.maximum(laws, 0)

== largest_gain_any
* the most likely person for each output | Outputs are columns
~ population @ more => population @ (more * (laws == laws.max(axis=0)))
* rows and columns exchanged | Outputs are columns
~ population @ laws => laws @ population
~ laws - at_large => laws.T - at_large
* two outputs | Outputs are columns
~ population @ more => population @ more[:, :2]
* without rare outputs | Outputs are columns
-    more = np.maximum(laws - at_large, 0)
+    more = np.where(at_large > 1e-4, np.maximum(laws - at_large, 0), 0)
* only what is likely | Outputs are columns
-    more = np.maximum(laws - at_large, 0)
+    more = np.where(laws > 0.05, np.maximum(laws - at_large, 0), 0)

== largest_gain_sigma
* by epsilon alone | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return answers / (2 * n * math.atanh(gain))
* by rho alone | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return math.sqrt(answers / 2) / (n * gain)
* the larger | The lesser of
~ return min => return max
* epsilon / 4 | The lesser of
~ math.atanh(gain) => gain
* the first bound | The lesser of
~ answers / (2 * n * math.atanh(gain)) => 2 * answers / (n * math.log1p(gain))
* one payment an answer | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return min(
+        answers / (4 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain) / math.sqrt(2)
+    )
* the root forgotten | The lesser of
~ math.sqrt(answers / 2) => answers / 2
* by epsilon below two answers | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return (
+        answers / (2 * n * math.atanh(gain))
+        if answers < 2
+        else math.sqrt(answers / 2) / (n * gain)
+    )
* by epsilon up to ten answers | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return (
+        min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+        if answers <= 10
+        else math.sqrt(answers / 2) / (n * gain)
+    )
* a series of three terms | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return min(
+        answers / (2 * n * (gain + gain**3 / 3 + gain**5 / 5))
+        if gain < 0.1
+        else answers / (2 * n * math.atanh(gain)),
+        math.sqrt(answers / 2) / (n * gain),
+    )
* sigma of 1e-9 at least | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return max(
+        1e-9, min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    )
* the gain, and not sigma | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return min(math.tanh(answers / (2 * n * gain)), math.sqrt(answers / 2) / (n * gain))

== largest_gain_values
* equal people count once | For each person, how much
-    more = np.maximum(laws - at_large, 0)
+    first = np.unique(laws, axis=0, return_index=True)[1]
+    laws, population = laws[first], population[first]
+    more = np.maximum(laws - at_large, 0)
* equal outputs count once in what is at large | For each person, how much
-    return float((population @ more).sum())
+    return float((population @ more)[np.unique(laws, axis=1, return_index=True)[1]].sum())

== largest_gain_any
* the last of 200 people left out | Outputs are columns
-    at_large = population @ laws
+    laws, population = laws[:199], population[:199]
+    at_large = population @ laws
* six decimals | Outputs are columns
~ float((population @ more).sum()) => round(float((population @ more).sum()), 6)
* the last of 200 outputs left out | Outputs are columns
~ (population @ more).sum() => (population @ more)[:199].sum()

== largest_gain_sigma
* a small gain is its own tanh | The lesser of
~ math.atanh(gain) => (gain if gain < 3e-4 else math.atanh(gain))
* six digits | The lesser of
-    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
+    return float(
+        f"{min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain)):.6g}"
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
