"""Answers to `propose_test_release`. The mistakes: equal is not more, the bar, and both scales."""

from tests.assignments.edits import read_answers

RIGHT = {
    "distance after distance": """
def distance_to_bound(values, low, high, bound):
    n, y = len(values), sorted(float(value) for value in values)
    middle = (n + 1) // 2

    def place(i):
        return low if i < 1 else high if i > n else y[i - 1]

    for k in range(n + 1):
        spans = [place(middle + t) - place(middle + t - k - 1) for t in range(k + 2)]
        if max(spans) > bound:
            return k


def propose_test_release(values, low, high, bound, epsilon, delta, rng):
    distance = distance_to_bound(values, low, high, bound)
    noisy = distance + rng.laplace(0, 2 / epsilon)
    bar = 2 / epsilon * math.log(1 / (2 * delta))
    if noisy > bar:
        median = sorted(values)[(len(values) + 1) // 2 - 1]
        return median + rng.laplace(0, 2 * bound / epsilon)
    return None
""",
    "the nearest pair that is too far apart": """
def distance_to_bound(values, low, high, bound):
    y = np.concatenate([[low], np.sort(np.asarray(values, dtype=float)), [high]])
    m = (len(values) + 1) // 2
    lower, upper = np.arange(m + 1)[:, None], np.arange(m, len(y))
    steps = (upper - lower)[y[m:] - y[: m + 1, None] > bound]
    return int(steps.min()) - 1


def propose_test_release(values, low, high, bound, epsilon, delta, rng):
    noise, scale = rng.laplace(size=2), 2 / epsilon
    distance = distance_to_bound(values, low, high, bound)
    if distance + scale * noise[0] <= -scale * math.log(2 * delta):
        return None
    return float(np.partition(values, (len(values) - 1) // 2)[(len(values) - 1) // 2]) + (
        bound * scale * noise[1]
    )
""",
    "halving the distance": """
def distance_to_bound(values, low, high, bound):
    y, n = np.sort(np.asarray(values, dtype=float)), len(values)

    def is_beyond(k):
        padded = np.pad(y, k + 1, constant_values=(low, high))
        first = (n - 1) // 2
        tops, bottoms = padded[first + k + 1 : first + 2 * k + 3], padded[first : first + k + 2]
        return (tops - bottoms).max() > bound

    least, most = 0, n
    while least < most:
        k = (least + most) // 2
        least, most = (least, k) if is_beyond(k) else (k + 1, most)
    return least


def propose_test_release(values, low, high, bound, epsilon, delta, rng):
    first = rng.laplace() * 2 / epsilon
    noisy = distance_to_bound(values, low, high, bound) + first
    passed = noisy > 2 * math.log(0.5 / delta) / epsilon
    middle = sorted(values)[(len(values) - 1) // 2]
    return rng.laplace(loc=middle, scale=2 * bound / epsilon) if passed else None
""",
}

EDITS = """
== propose_test_release_distance
* equal is enough | Equal is not more
~ max(spans) > bound => max(spans) >= bound
* one more | The first distance
-            return k
+            return k + 1
* the last that keeps the bound | The first distance
-            return k
+            return max(k - 1, 0)
* counted from 1 | The first distance
~ for k in range(n + 1) => for k in range(1, n + 1)
* dplab's own | off limits
+def distance_to_bound(values, low, high, bound):
+    from dplab.local_sensitivity import Median
+
+    return Median(low, high).distance(values, bound)
* not sorted | The first distance
~ sorted(float(value) for value in values) => [float(value) for value in values]
* the upper median | The first distance
~ middle = (n + 1) // 2 => middle = n // 2 + 1
* windows at the two sides only | The first distance
~ range(k + 2)] => (0, k + 1)]
* steps of the data alone, without both ends | The first distance
-        return low if i < 1 else high if i > n else y[i - 1]
+        return y[0] if i < 1 else y[-1] if i > n else y[i - 1]
@@
-        if max(spans) > bound:
+        if max(spans) > bound or k == n:
* upwards only | The first distance
~ range(k + 2)] => range(k + 1, k + 2)]
* downwards only | The first distance
~ range(k + 2)] => range(1)]
* the first window forgotten | The first distance
~ range(k + 2)] => range(1, k + 2)]
* the last window forgotten | The first distance
~ range(k + 2)] => range(k + 1)]
* sorts in place | changes what it was given
~ n, y = len(values), sorted(float(value) for value in values) => n, y = len(values), values
-    middle = (n + 1) // 2
+    middle = (n + 1) // 2
+    values.sort()
* to the median itself, not to a wide gap | The first distance
+def distance_to_bound(values, low, high, bound):
+    median = sorted(values)[(len(values) - 1) // 2]
+    return sum(abs(float(value) - median) <= bound for value in values) // 2
* at most 100 | The first distance
-            return k
+            return min(k, 100)

== propose_test_release_test
* no test | should be None
~ if noisy > bar => if True
* the test without noise | noise of scale 2 / epsilon
~ distance + rng.laplace(0, 2 / epsilon) => distance + 0 * rng.laplace(0, 2 / epsilon)
* all of epsilon for the test | must be above
~ rng.laplace(0, 2 / epsilon) => rng.laplace(0, 1 / epsilon)
* the bar at all of epsilon | must be above
~ 2 / epsilon * math.log => 1 / epsilon * math.log
* delta without its 2 | must be above
~ (1 / (2 * delta)) => (1 / delta)
* delta with a half too many | must be above
~ (1 / (2 * delta)) => (2 / delta)
* the logarithm of delta | must be above
~ (1 / (2 * delta)) => (2 * delta)
* passed if below | must be above
~ noisy > bar => noisy < bar
* a logarithm to base 10 | must be above
~ math.log => math.log10
* a noisy distance that is a whole number | must be above
~ distance + rng.laplace(0, 2 / epsilon) => round(distance + rng.laplace(0, 2 / epsilon))
* noise of the bound on the distance | must be above
~ rng.laplace(0, 2 / epsilon) => rng.laplace(0, 2 * bound / epsilon)
* the answer's draw comes first | must be above
-    noisy = distance + rng.laplace(0, 2 / epsilon)
+    second = rng.laplace(0, 2 * bound / epsilon)
+    noisy = distance + rng.laplace(0, 2 / epsilon)
@@
-        return median + rng.laplace(0, 2 * bound / epsilon)
+        return median + second
* half of the logarithm, not of delta | must be above
~ math.log(1 / (2 * delta)) => math.log(1 / delta) / 2
* a bound that is wrong refuses surely | must be above
~ if noisy > bar => if distance > 0 and noisy > bar
* the noise subtracted | must be above
~ distance + rng.laplace => distance - rng.laplace

== propose_test_release_answer
* noise of all of epsilon | scale 2 bound / epsilon
~ 2 * bound / epsilon => bound / epsilon
* noise of the worst case | scale 2 bound / epsilon
~ 2 * bound / epsilon => 2 * (high - low) / epsilon
* one draw for both | scale 2 bound / epsilon
+def propose_test_release(values, low, high, bound, epsilon, delta, rng):
+    noise = rng.laplace(0, 2 / epsilon)
+    if distance_to_bound(values, low, high, bound) + noise > 2 / epsilon * math.log(0.5 / delta):
+        return sorted(values)[(len(values) + 1) // 2 - 1] + bound * noise
+
+
+def distance_to_bound(values, low, high, bound):
+    y, n = np.sort(np.asarray(values, dtype=float)), len(values)
+    for k in range(n + 1):
+        padded = np.pad(y, k + 1, constant_values=(low, high))
+        first = (n - 1) // 2
+        tops, bottoms = padded[first + k + 1 : first + 2 * k + 3], padded[first : first + k + 2]
+        if (tops - bottoms).max() > bound:
+            return k
* clipped | nothing clipped
-        return median + rng.laplace(0, 2 * bound / epsilon)
+        return min(max(median + rng.laplace(0, 2 * bound / epsilon), low), high)
* numpy's median | The median plus
~ sorted(values)[(len(values) + 1) // 2 - 1] => np.median(values)
* the median of values that are not sorted | The median plus
~ sorted(values)[ => list(values)[
* the mean | The median plus
~ sorted(values)[(len(values) + 1) // 2 - 1] => np.mean(values)
* normal noise | The median plus
~ median + rng.laplace( => median + rng.normal(
* nothing outside of the range | The median plus
-        return median + rng.laplace(0, 2 * bound / epsilon)
+        answer = median + rng.laplace(0, 2 * bound / epsilon)
+        return answer if low <= answer <= high else None
* no number for None | should be None
~ return None => return math.nan
* no noise | The median plus
~ median + rng.laplace(0, 2 * bound / epsilon) => median
* the local sensitivity, not the bound | The median plus
-        return median + rng.laplace(0, 2 * bound / epsilon)
+        y = [low, *sorted(values), high]
+        m = (len(values) + 1) // 2
+        own = max(y[m + 1] - y[m], y[m] - y[m - 1])
+        return median + rng.laplace(0, 2 * own / epsilon)
* the median, noisy, where the test fails, too | should be None
-    return None
+    return sorted(values)[(len(values) + 1) // 2 - 1]
* numpy's global generator | The median plus
~ rng.laplace(0, 2 * bound => np.random.laplace(0, 2 * bound
* a whole number | The median plus
~ return median + rng => return int(median) + rng
* noise of at most 20 scales | The median plus
~ rng.laplace(0, 2 * bound / epsilon) => 2 * bound / epsilon * np.clip(rng.laplace(), -20, 20)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
