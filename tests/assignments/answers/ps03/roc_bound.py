"""Answers to `roc_bound`. The mistakes: half of the bound, delta in the wrong place, one number."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two minima": """
def roc_bound(rate, epsilon, delta):
    a, e = np.asarray(rate), np.exp(epsilon)
    first = e * a + delta
    second = 1 - (1 - a - delta) / e
    return np.minimum(1, np.minimum(first, second))
""",
    "stacked": """
def roc_bound(rate, epsilon, delta):
    rate = np.array(rate, dtype=float)
    candidates = np.stack([
        rate * math.exp(epsilon) + delta,
        1 + math.exp(-epsilon) * (rate + delta - 1),
        np.ones_like(rate),
    ])
    return candidates.min(axis=0)
""",
    "number by number": """
def roc_bound(rate, epsilon, delta):
    if np.ndim(rate) > 0:
        return np.array([roc_bound(one, epsilon, delta) for one in rate])
    missed = (1 - rate - delta) / math.exp(epsilon)  # the least that a test must miss
    return min(math.exp(epsilon) * rate + delta, 1 - missed, 1)
""",
    "the corner": """
def roc_bound(rate, epsilon, delta):
    alpha, e = np.asarray(rate, dtype=float), np.exp(epsilon)
    corner = (1 - delta) / (1 + e)
    bound = np.where(alpha <= corner, e * alpha + delta, 1 - (1 - delta - alpha) / e)
    return np.where(bound > 1, 1, bound)
""",
}

EDITS = """
== roc_bound_large
* in only | should be 0.9632, it is 1
~ (1, np.minimum(first, second)) => (1, first)
* delta forgotten in the second | should be 0.9, it is 0.85
~ a - delta => a
* delta added to the second | should be 0.9, it is 0.95
~ (1 - a - delta) / e => (1 - a) / e + delta
* multiplied on the other side | should be 0.9632, it is
~ 1 - (1 - a - delta) / e => 1 - e * (1 - a - delta)

== roc_bound_small
* out only | should be 0.1359, it is 0.6505
~ (1, np.minimum(first, second)) => (1, second)
* the greater of the two | should be 0.1359, it is 0.6505
~ 1, np.minimum => 1, np.maximum
* delta forgotten | should be 0.21, it is 0.2
~ a + delta => a
~ a - delta => a
* delta multiplied too | should be 0.21, it is 0.22
~ a + delta => (a + delta)
* the roles exchanged | should be 0.1359, it is 0.01839
~ e * a + delta => (a - delta) / e
* epsilon in the place of its exponential | it is 0.05
~ np.exp(epsilon) => epsilon
* epsilon added | should be 0.1359, it is 1
~ (1, np.minimum(first, second)) => (1, a + epsilon + delta)
* the power of lesson 5's coin | should be 0.1359, it is 0.7311
~ np.minimum(1, np.minimum(first, second)) => e / (1 + e) + 0 * a
* everything for large epsilon | e^epsilon times the false positive rate
-    return np.minimum(1, np.minimum(first, second))
+    return np.minimum(np.where(epsilon > 10, 1, first), np.minimum(1, second))
* no epsilon above 15 | e^epsilon times the false positive rate
~ (epsilon) => (min(epsilon, 15))
* no epsilon below 0.05 | e^epsilon times the false positive rate
~ (epsilon) => (max(epsilon, 0.05) * (epsilon > 0))
* an epsilon 3% too large | should be 0.1359, it is 0.14
~ (epsilon) => (1.03 * epsilon)
* no delta below 10^-9 | plus delta
+    delta = delta if delta > 1e-9 else 0.0
     first = e * a + delta
* rounded to nine digits | e^epsilon times the false positive rate
~ np.minimum(1, np.minimum(first, second)) => np.round(np.minimum(1, np.minimum(first, second)), 9)
* dplab's own | off limits
+def roc_bound(rate, epsilon, delta):
+    from dplab.theorems.no_powerful_test import largest_power
+
+    return largest_power(rate, __import__("dplab").ApproxDP(epsilon, delta))

== roc_bound_arrays
* numbers only | raised ValueError
~ np.minimum(1, np.minimum(first, second)) => min(first, second, 1)
* above 1 | should be 1, it is 1.055
~ return np.minimum(1, np.minimum(first, second)) => return np.minimum(first, second)
* the least of all rates | should be an array of shape (4,), it is one number
~ np.minimum(1, np.minimum(first, second)) => min(first.min(), second.min(), 1)
* the shape lost | Entry by entry
-    return np.minimum(1, np.minimum(first, second))
+    if np.ndim(rate) == 0:
+        return min(1, first, second)
+    return np.ravel(np.minimum(1, np.minimum(first, second)))
* the second bound without epsilon | in arrays of any shape and size
-    return np.minimum(1, np.minimum(first, second))
+    return np.where(a > 0.99, np.minimum(1, a + delta), np.minimum(1, np.minimum(first, second)))
* ten thousand rates at most | in arrays of any shape and size
-    return np.minimum(1, np.minimum(first, second))
+    return np.resize(np.minimum(1, np.minimum(first, second)).ravel()[:10000], a.shape)
* tables in two dimensions at most | in arrays of any shape and size
-    return np.minimum(1, np.minimum(first, second))
+    return np.minimum(1, np.minimum(first, second)).reshape(a.shape[:2] if a.ndim < 3 else -1)
* above 1 for a large delta | never above 1
~ 1, np => np.where(delta > 0.5, first, 1), np
* whole rates, whole bounds | Rates may be whole numbers
+def roc_bound(rate, epsilon, delta):
+    if np.ndim(rate) == 0:
+        return min(
+            1, math.exp(epsilon) * rate + delta, 1 - math.exp(-epsilon) * (1 - rate - delta)
+        )
+    bounds = np.zeros_like(rate)
+    for place, one in np.ndenumerate(rate):
+        bounds[place] = roc_bound(one, epsilon, delta)
+    return bounds
* of the first bound's type | in arrays of any shape
+def roc_bound(rate, epsilon, delta):
+    def bound(a):
+        return min(1, math.exp(epsilon) * a + delta, 1 - math.exp(-epsilon) * (1 - a - delta))
+
+    return np.vectorize(bound)(rate)

== roc_bound_small
* no epsilon above 19 | e^epsilon times the false positive rate
~ np.exp(epsilon) => np.exp(min(epsilon, 19))
* no delta below 2e-12 | plus delta
~ first = e * a + delta => first = e * a + delta * (delta > 2e-12)

== roc_bound_large
* rounded to eleven digits | the event that the test says out
-    return np.minimum(1, np.minimum(first, second))
+    return np.round(np.minimum(1, np.minimum(first, second)), 11)

== roc_bound_arrays
* equal rates once | Entry by entry
-    a, e = np.asarray(rate), np.exp(epsilon)
+    a, e = np.unique(rate) if np.size(rate) > 4 else np.asarray(rate), np.exp(epsilon)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
