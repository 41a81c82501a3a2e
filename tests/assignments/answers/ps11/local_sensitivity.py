"""Answers to `local_sensitivity`. The mistakes: windows, ends, the middle, the last distance."""

from tests.assignments.edits import read_answers

RIGHT = {
    "values beyond both ends": """
def local_sensitivity(values, low, high, distance):
    n, k = len(values), distance
    middle = (n + 1) // 2
    y = [float(value) for value in sorted(values)]

    def place(i):
        return low if i < 1 else high if i > n else y[i - 1]

    spans = [place(middle + t) - place(middle + t - k - 1) for t in range(k + 2)]
    return max(spans)


def smooth_sensitivity(values, low, high, beta):
    best = 0
    for k in range(len(values) + 1):
        best = max(best, math.exp(-beta * k) * local_sensitivity(values, low, high, k))
    return best
""",
    "a padded array": """
def local_sensitivity(values, low, high, distance):
    y = np.sort(np.array(values, dtype=float))
    padded = np.pad(y, distance + 1, constant_values=(low, high))
    start = (len(y) - 1) // 2
    return max(padded[start + distance + 1 :][: distance + 2] - padded[start:][: distance + 2])


def smooth_sensitivity(values, low, high, beta):
    distances = np.arange(len(values) + 1)
    spans = np.array([local_sensitivity(values, low, high, int(k)) for k in distances])
    return np.max(spans * np.exp(-beta * distances))
""",
    "places as an array": """
def local_sensitivity(values, low, high, distance):
    y = np.concatenate([[low], np.sort(values), [high]]).astype(float)
    tops = np.arange(distance + 2) + (len(values) + 1) // 2
    last = len(values) + 1
    return (y[np.minimum(tops, last)] - y[np.maximum(tops - distance - 1, 0)]).max()


def smooth_sensitivity(values, low, high, beta):
    return max(
        local_sensitivity(values, low, high, k) / math.exp(beta * k)
        for k in range(len(values) + 1)
        if beta * k < 700
    )
""",
    "all pairs around the median": """
def local_sensitivity(values, low, high, distance):
    y = [low, *sorted(map(float, values)), high]
    m, best = (len(values) + 1) // 2, 0
    for lower in range(max(0, m - distance - 1), m + 1):
        best = max(best, y[min(lower + distance + 1, len(y) - 1)] - y[lower])
    if m <= distance:  # a window that begins before the first value
        best = max(best, y[min(m + distance - m + 1, len(y) - 1)] - low)
    return best


def smooth_sensitivity(values, low, high, beta):
    y = [low, *sorted(map(float, values)), high]
    m, best = (len(values) + 1) // 2, 0
    for lower in range(m + 1):
        for upper in range(max(m, lower + 1), len(y)):
            best = max(best, (y[upper] - y[lower]) * math.exp(-beta * (upper - lower - 1)))
    return best
""",
}

EDITS = """
== local_sensitivity_own
* not sorted | Sort
~ sorted(values) => values
* the upper one of two in the middle | Sort
~ (n + 1) // 2 => n // 2 + 1
* places from 0 | Sort
~ (n + 1) // 2 => (n - 1) // 2
* the middle rounded as Python rounds | Sort
~ (n + 1) // 2 => round(n / 2)
* upwards only | should be
~ range(k + 2)] => range(1, k + 2)]
* downwards only | should be
~ range(k + 2)] => range(k + 1)]
* from the extremes of the data | an end if none is there
~ low if i < 1 else high if i > n else y[i - 1] => y[min(max(i, 1), n) - 1]
* the range of all values | should be
~ max(spans) => high - low
* the smaller of the two steps | should be
~ max(spans) => min(spans) if k == 0 else max(spans)
* small whole numbers overflow | Sort
~ [float(value) for value in sorted(values)] => np.sort(values)
* sorts in place | changes what it was given
-    y = [float(value) for value in sorted(values)]
+    values.sort()
+    y = [float(value) for value in values]
* before the first value comes the last one | Sort
~ low if i < 1 => low if i < 0
* both steps together | Sort
~ max(spans) => sum(spans) if k == 0 else max(spans)
* neighbours by adding or removing one | Sort
+def local_sensitivity(values, low, high, distance):
+    y = sorted(values)
+    median = lambda some: sorted(some)[(len(some) - 1) // 2]
+    others = [y + [low], y + [high]] + [y[:i] + y[i + 1 :] for i in range(len(y)) if len(y) > 1]
+    return max(abs(median(y) - median(other)) for other in others)
* dplab's own | off limits
+def local_sensitivity(values, low, high, distance):
+    from dplab.local_sensitivity import Median
+
+    found = Median(low, high).at_distance(values)
+    return found[min(distance, len(found) - 1)]
* whole numbers | should be
~ [float(value) for => [int(value) for
* equal values counted once | Sort
~ sorted(values)] => sorted(set(values))]
~ n, k = len(values), => n, k = len(set(values)),

== local_sensitivity_distance
* nothing but its own sensitivity | Replace values above the median
~ n, k = len(values), distance => n, k = len(values), 0
* windows that end at the median or begin there | Replace values above the median
~ for t in range(k + 2) => for t in (0, k + 1)
* all the replaced values on one side, up | Replace values above
~ range(k + 2)] => range(k, k + 2)]
* all the replaced values on one side, down | Replace values above
~ range(k + 2)] => range(2)]
* the last window is forgotten from distance 1 on | Replace values above
~ range(k + 2)] => range(k + 2 - (k > 0))]
* the first window is forgotten from distance 1 on | Replace values above
~ range(k + 2)] => range(k > 0, k + 2)]
* windows of k steps from distance 1 on | Replace values above
~ middle + t - k - 1 => middle + t - max(k, 1)
* exactly, not at most, and no more than n | Replace values above
~ n, k = len(values), distance => n, k = len(values), min(distance, len(values) - 1)
* one step past the end is still a value | Replace values above
~ high if i > n else y[i - 1] => high if i > n + (k > 0) else y[min(i, n) - 1]

== local_sensitivity_smooth
* the largest k is left out | maximum over k = 0
~ len(values) + 1): => len(values)):
* nothing replaced is left out | maximum over k = 0
~ range(len(values) + 1) => range(1, len(values) + 1)
* half of the values at most | maximum over k = 0
~ range(len(values) + 1) => range(len(values) // 2 + 1)
* until it no longer grows | maximum over k = 0
-        best = max(best, math.exp(-beta * k) * local_sensitivity(values, low, high, k))
+        new = math.exp(-beta * k) * local_sensitivity(values, low, high, k)
+        if new < best:
+            break
+        best = new
* a factor that grows | maximum over k = 0
~ -beta * k => beta * k
* one step of beta too many | maximum over k = 0
~ -beta * k => -beta * (k + 1)
* the sum in place of the maximum | maximum over k = 0
-        best = max(best, math.exp(-beta * k) * local_sensitivity(values, low, high, k))
+        best += math.exp(-beta * k) * local_sensitivity(values, low, high, k)
* beta divides the distance | maximum over k = 0
~ -beta * k => -k / beta
* twenty distances | maximum over k = 0
~ range(len(values) + 1) => range(min(20, len(values) + 1))
* the local sensitivity itself | maximum over k = 0
~ range(len(values) + 1) => range(1)
* distances from 3 on count as 2 | maximum over k = 0
~ (values, low, high, k) => (values, low, high, min(k, 2))
* no distance at which the factor is below a thousandth | maximum over k = 0
~ range(len(values) + 1): => range(min(len(values), int(7 / beta)) + 1):
* until the whole range is reached, and not there | maximum over k = 0
-        best = max(best, math.exp(-beta * k) * local_sensitivity(values, low, high, k))
+        span = local_sensitivity(values, low, high, k)
+        if span >= high - low:
+            break
+        best = max(best, math.exp(-beta * k) * span)
* the smallest | maximum over k = 0
~ best = 0 => best = high - low
~ max(best => min(best
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
