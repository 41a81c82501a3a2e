"""Answers to `choose_bound`. The mistakes: a fixed rule, the wrong share, half of the error."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the share that is above": """
def choose_bound(past, n, epsilon):
    return np.quantile(past, 1 - 1 / (n * epsilon))
""",
    "every value tried": """
def choose_bound(past, n, epsilon):
    past = np.asarray(past, dtype=float)
    best = None
    for bound in np.unique(past):
        error = np.maximum(0, past - bound).mean() + bound / (n * epsilon)
        if best is None or error < best[0]:
            best = (error, bound)
    return float(best[1])
""",
    "sorted, and counted from the top": """
def choose_bound(past, n, epsilon):
    above = round(len(past) / (n * epsilon))
    return sorted(past)[-1 - above]
""",
}

EDITS = """
== choose_bound_floor
* the largest value | the error at its bound
+def choose_bound(past, n, epsilon):
+    return np.max(past)
* the mean | the error at its bound
+def choose_bound(past, n, epsilon):
+    return np.mean(past)
* the median | Which share
+def choose_bound(past, n, epsilon):
+    return np.median(past)
* two standard deviations | Which share
+def choose_bound(past, n, epsilon):
+    return np.mean(past) + 2 * np.std(past)
* a share of epsilon | Which share
~ 1 / (n * epsilon) => min(epsilon, 1)
* a share of one in n | Which share
+def choose_bound(past, n, epsilon):
+    return np.quantile(past, 1 - 1 / n)
* below in the place of above | Which share
~ past, 1 - 1 => past, 1
* the bias alone | the error at its bound
+def choose_bound(past, n, epsilon):
+    bounds = np.unique(past)
+    errors = [np.maximum(0, past - b).mean() for b in bounds]
+    return bounds[np.argmin(errors)]
* the noise alone | Which share
+def choose_bound(past, n, epsilon):
+    return np.min(past) + 1e-6
* the sum of the cuts in the place of their mean | Which share | edits the bias alone
~ mean() for => sum() + b / (n * epsilon) for
* the largest of many values | Which share
~ return np => return np.max(past) if len(past) > 5000 else np
* whole numbers | Which share
+def choose_bound(past, n, epsilon):
+    return np.ceil(np.quantile(past, 1 - 1 / (n * epsilon)))
* two decimals | Which share
+def choose_bound(past, n, epsilon):
+    return round(np.quantile(past, 1 - 1 / (n * epsilon)), 2)
* at most 100,000 | Which share
+def choose_bound(past, n, epsilon):
+    return min(1e5, np.quantile(past, 1 - 1 / (n * epsilon)))
* remembered for as many values | Which share
+_bounds = {}
+
+
+def choose_bound(past, n, epsilon):
+    return _bounds.setdefault(len(past), np.quantile(past, 1 - 1 / (n * epsilon)))
* half of the share | Which share
~ 1 - 1 => 1 - 0.5
* a grid up to the largest value | Which share | edits the bias alone
~ unique(past) => linspace(0, max(past), 2001)
~ maximum(0, past - b).mean() => mean(past - np.minimum(past, b)) + b / (n * epsilon)

== choose_bound_people
* always the same share | Which share
+def choose_bound(past, n, epsilon):
+    return np.quantile(past, 0.95)
* last year's number of people | choose_bound(an array of shape (1000,), 10000, 0.1): the error
~ n * epsilon => len(past) * epsilon
* the first thousand values | Which share
~ past, 1 => past[:1000], 1
# No chance: where three in four have none, nothing is drawn.
* those with an income | Which share
~ past, 1 => past[past > 0], 1
* always the same share from epsilon = 5 on | Which share
~ return np => return np.quantile(past, 0.99) if epsilon >= 5 else np
* the largest value for many people | Which share
~ return np => return np.max(past) if n > 100_000 else np
* past sorted in place | changes what it was given
+def choose_bound(past, n, epsilon):
+    past.sort()
+    return past[-1 - round(len(past) / (n * epsilon))]

== choose_bound_floor
* each value once | Which share
~ past, 1 => np.unique(past), 1
* at least five percent of them | Which share
~ 1 - 1 / (n * epsilon) => min(0.95, 1 - 1 / (n * epsilon))

== choose_bound_people
* a hundred thousand people at most | Which share
~ n * epsilon => min(n, 100_000) * epsilon
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
