"""Answers to `inverse_sensitivity`. The mistakes: one too many, one side, ties, half epsilon."""

from tests.assignments.edits import read_answers

RIGHT = {
    "below and up to": """
def changes_needed(values, size):
    middle, found = (len(values) + 1) // 2, []
    values = [int(value) for value in values]
    for t in range(size):
        below = sum(value < t for value in values)
        up_to = sum(value <= t for value in values)
        found.append(max(0, middle - up_to, below - (middle - 1)))
    return found


def median_law(values, size, epsilon):
    scores = np.array(changes_needed(values, size))
    weights = np.exp(-epsilon * scores / 2)
    return weights / weights.sum()
""",
    "by bisection in the sorted values": """
def changes_needed(values, size):
    y, grid = np.sort(np.asarray(values).astype(int)), np.arange(size)
    n = len(y)
    too_few = (n + 1) // 2 - np.searchsorted(y, grid, side="right")
    too_many = np.searchsorted(y, grid, side="left") - (n + 1) // 2 + 1
    return np.clip(np.maximum(too_few, too_many), 0, None).tolist()


def median_law(values, size, epsilon):
    logs = -epsilon / 2 * np.array(changes_needed(values, size), dtype=float)
    return np.exp(logs - np.log(np.sum(np.exp(logs))))
""",
    "walking away from the median": """
def changes_needed(values, size):
    counts = [0] * size
    for value in values:
        counts[int(value)] += 1
    middle, below, t = (len(values) + 1) // 2, 0, 0
    while below + counts[t] < middle:
        below += counts[t]
        t += 1
    found, median = [0] * size, t
    needed = middle - below
    for t in range(median - 1, -1, -1):
        found[t] = needed
        needed += counts[t]
    needed = below + counts[median] - middle + 1
    for t in range(median + 1, size):
        found[t] = needed
        needed += counts[t]
    return found


def median_law(values, size, epsilon):
    weights = [math.exp(-epsilon * score / 2) for score in changes_needed(values, size)]
    return [weight / math.fsum(weights) for weight in weights]
""",
}

EDITS = """
== inverse_sensitivity_changes
* dplab's own | off limits
+def changes_needed(values, size):
+    from dplab.mechanisms.inverse_sensitivity import median_changes
+
+    return median_changes(values, range(size))
* the upper median | How many must become t
~ middle, found = (len(values) + 1) // 2, [] => middle, found = len(values) // 2 + 1, []
* one too many upwards | How many must become t
~ below - (middle - 1) => below - (middle - 1) + (below > middle)
* one too few upwards | How many must become t
~ below - (middle - 1) => below - middle
* one too many downwards | How many must become t
~ middle - up_to => middle - up_to + (up_to < middle)
* one too few downwards | How many must become t
~ middle - up_to => middle - 1 - up_to
* places between, without their own | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        median = sorted(values)[middle - 1]
+        between = sum(min(t, median) < value < max(t, median) for value in values)
+        found.append(between + 1 if t != median else 0)
* only values that occur | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        occurs = t in values
+        found.append(max(0, middle - up_to, below - middle + 1) if occurs else len(values))
* the steps on the grid | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        found.append(abs(t - sorted(values)[middle - 1]))
* the exponential mechanism's other score | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        found.append(abs(below - middle))
* not sorted | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        at = values[middle - 1]
+        between = sum(min(t, at) < value <= max(t, at) for value in values)
+        found.append(between)
* the nearest value's place | How many must become t
-        found.append(max(0, middle - up_to, below - (middle - 1)))
+        y = sorted(values)
+        nearest = min(range(len(y)), key=lambda i: abs(y[i] - t))
+        found.append(abs(nearest - middle + 1) + (y[nearest] != t))
* equal values count once | How many must become t
~ [int(value) for value in values] => sorted({int(value) for value in values})
* the sum of both sides, not cut at 0 | How many must become t
~ max(0, middle - up_to, below - (middle - 1)) => max(middle - up_to, below - (middle - 1))
* a grid that begins at 1 | How many must become t
~ range(size) => range(1, size + 1)
* a grid up to the largest value | How many must become t
~ range(size) => range(max(values) + 1)
* values in one byte | How many must become t
~ [int(value) for value in values] => np.asarray(values).astype(np.int8)
* one value has nobody to move | How many must become t
~ max(0, middle - up_to, below - (middle - 1)) => max(0, middle - up_to, below - max(1, middle - 1))

== inverse_sensitivity_law
* dplab's own law | off limits
+def median_law(values, size, epsilon):
+    from dplab.mechanisms.inverse_sensitivity import inverse_median
+
+    return inverse_median(range(size), epsilon=epsilon).distribution(values).probabilities
* not divided by the sum | Divide by the sum
~ weights / weights.sum() => weights
* divided by the largest | Divide by the sum
~ weights.sum() => weights.max()
* the grid weighted by the values | The weight of t
~ weights = np.exp(-epsilon * scores / 2) => weights = (1 + scores) * np.exp(-epsilon * scores / 2)
* a softmax that grows | The weight of t
~ -epsilon => epsilon
* weights of at least a billionth | the small ones too
~ np.exp(-epsilon * scores / 2) => np.maximum(np.exp(-epsilon * scores / 2), 1e-9)
* the lower half of a whole exponent | The weight of t
~ -epsilon * scores / 2 => -epsilon * scores // 2
* exponents of at least -50 | the small ones too
~ np.exp(-epsilon * scores / 2) => np.exp(np.maximum(-epsilon * scores / 2, -50))
* ten decimals | the small ones too
~ weights / weights.sum() => np.round(weights / weights.sum(), 10)
* scores in one byte | should
~ np.array(changes_needed(values, size)) => np.array(changes_needed(values, size)).astype(np.int8)
* small floats | The weight of t
~ np.array(changes_needed(values, size)) => np.array(changes_needed(values, size), dtype=np.float32)
~ -epsilon * => np.float32(-epsilon) *

== inverse_sensitivity_private
* all of epsilon | is the exponent half of epsilon
~ scores / 2 => scores
* a quarter of epsilon | is the exponent half of epsilon
~ scores / 2 => scores / 4
* the median itself, surely | Is no probability 0
~ np.exp(-epsilon * scores / 2) => (scores == 0) * 1.0
* nothing that does not occur | Is no probability 0
~ weights = np.exp(-epsilon * scores / 2) => weights = np.exp(-epsilon * scores / 2)
-    weights = np.exp(-epsilon * scores / 2)
+    weights = np.exp(-epsilon * scores / 2) * np.isin(np.arange(size), values)
* divided by the number of values | is the exponent half of epsilon
~ scores / 2 => scores / len(values)
* the score of a mean | is the exponent half of epsilon
~ np.array(changes_needed(values, size)) => np.abs(np.arange(size) - np.mean(values))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
