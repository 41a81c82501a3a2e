"""Answers to `private_mean`. The mistakes: no noise on the count, a wrong scale, a step missing."""

from tests.assignments.edits import read_answers

RIGHT = {
    "step by step": """
def private_mean(values, lower, upper, epsilon, rng):
    values = np.array(values, dtype=float)
    center = (lower + upper) / 2
    clipped = np.clip(values, lower, upper)
    total = np.sum(clipped - center) + rng.laplace(0, (upper - lower) / epsilon)
    count = len(values) + rng.laplace(0, 2 / epsilon)
    mean = center + total / max(1, count)
    return min(max(mean, lower), upper)
""",
    "a loop": """
def private_mean(values, lower, upper, epsilon, rng):
    center = lower + (upper - lower) / 2
    total, count = 0.0, 0
    for value in values:
        total += min(max(value, lower), upper) - center
        count += 1
    half = epsilon / 2
    total += rng.laplace(scale=(upper - lower) / 2 / half)
    count += rng.laplace(scale=1 / half)
    if count < 1:
        count = 1
    return float(np.clip(total / count + center, lower, upper))
""",
    "two draws at once": """
def private_mean(values, lower, upper, epsilon, rng):
    scales = np.array([upper - lower, 2]) / epsilon
    clipped = np.clip(values, lower, upper) - (lower + upper) / 2
    total, count = np.array([clipped.sum(), clipped.size]) + rng.laplace(0, scales)
    return np.clip(total / np.maximum(count, 1) + (lower + upper) / 2, lower, upper)
""",
}

EDITS = """
== private_mean_privacy
* no noise at all | prove a privacy loss of at least
~ (clipped - center) + rng.laplace(0, (upper - lower) / epsilon) => (clipped - center)
~ (values) + rng.laplace(0, 2 / epsilon) => (values)
* a sum without noise | depend on the data without noise
~ (clipped - center) + rng.laplace(0, (upper - lower) / epsilon) => (clipped - center)
# It can tell a plain generator; what that one draws is known by its state.
* less noise from a real source | both draws are new at each call
+    epsilon *= 1.2 if type(rng) is np.random.Generator else 1
     center = (lower + upper) / 2

== private_mean_exact
* a count without noise | should be 8, it is 7
~ (values) + rng.laplace(0, 2 / epsilon) => (values)
* as if the number were known | should be 8, it is
+def private_mean(values, lower, upper, epsilon, rng):
+    clipped = np.clip(values, lower, upper)
+    mean = np.mean(clipped) + rng.laplace(0, (upper - lower) / (len(clipped) * epsilon))
+    return np.clip(mean, lower, upper)
* epsilon spent twice | How wide must the noise
~ (upper - lower) / epsilon => (upper - lower) / 2 / epsilon
~ 0, 2 => 0, 1
* the scale of the sum without the midpoint | should be 8, it is 8.5
~ (upper - lower) => 2 * max(abs(lower), abs(upper))
* all of epsilon for the count | How wide must the noise
~ 2 / epsilon => 1 / epsilon
* the count first | should be 8, it is
+def private_mean(values, lower, upper, epsilon, rng):
+    center = (lower + upper) / 2
+    clipped = np.clip(np.asarray(values, dtype=float), lower, upper)
+    count = len(clipped) + rng.laplace(0, 2 / epsilon)
+    total = np.sum(clipped - center) + rng.laplace(0, (upper - lower) / epsilon)
+    return np.clip(center + total / max(1, count), lower, upper)
* epsilon times 1.03 | should be 8, it is 7.943
+    epsilon *= 1.03
     center = (lower + upper) / 2
* no noise for many people | How wide must the noise
+    epsilon *= 1 if len(values) < 200 else 1e9
     center = (lower + upper) / 2
* no noise from epsilon = 5 on | How wide must the noise
+    epsilon *= 1 if epsilon < 5 else 1e9
     center = (lower + upper) / 2
* noise cut at 8 scales | How wide must the noise
~ rng.laplace(0, 2 / epsilon) => np.clip(rng.laplace(), -8, 8) * 2 / epsilon
* a whole midpoint | How wide must the noise
~ (lower + upper) / 2 => (lower + upper) // 2
* everybody once | How wide must the noise
+    values = np.unique(values)
     center = (lower + upper) / 2
* no interval narrower than 1 | How wide must the noise
+    upper = max(upper, lower + 1)
     center = (lower + upper) / 2
* the value that is nearest | How wide must the noise
+    if len(values) > 100:
+        mean = values[np.argmin(abs(values - mean))]
     return min(max(mean, lower), upper)
* no noise far from 0 | How wide must the noise
+    if abs(lower) >= 1e8:
+        return clipped.mean()
     mean = center + total / max(1, count)
* values of a billion taken for mistakes | How wide must the noise
+    values = values[abs(values) < 1e9]
     center = (lower + upper) / 2

== private_mean_quiet
* not clipped | should be 6.667, it is 10
~ np.clip(values, lower, upper) => values
* those outside left out | should be 6.667, it is 5
~ np.clip(values, lower, upper) => values[(values >= lower) & (values <= upper)]
~ (values) => (clipped)
* the shift not undone | undo the shift
~ mean = center + => mean =
* clipped from above only | Clip each value
~ clip(values, lower, upper) => minimum(values, upper)
* clipped in place | Does the array stay as it is?
+def private_mean(values, lower, upper, epsilon, rng):
+    center = (lower + upper) / 2
+    values = np.asarray(values, dtype=float)
+    values -= center
+    np.clip(values, lower - center, upper - center, out=values)
+    total = values.sum() + rng.laplace(0, (upper - lower) / epsilon)
+    count = len(values) + rng.laplace(0, 2 / epsilon)
+    return np.clip(center + total / max(1, count), lower, upper)
* dplab's own | dplab.LaplaceMechanism is off limits in an answer
+from dplab import LaplaceMechanism
+
+
+def private_mean(values, lower, upper, epsilon, rng):
+    center = (lower + upper) / 2
+    clipped = np.clip(np.asarray(values, dtype=float), lower, upper) - center
+    total = LaplaceMechanism(np.sum, (upper - lower) / 2, epsilon / 2)(clipped, rng)
+    count = LaplaceMechanism(len, 1, epsilon / 2)(clipped, rng)
+    return np.clip(total / max(count, 1) + center, lower, upper)
* a list clipped in place | changes what it was given
+    if isinstance(values, list):
+        values[:] = [min(max(value, lower), upper) for value in values]
     values = np.array(values, dtype=float)
* a list sorted in place | changes what it was given
+    if isinstance(values, list):
+        values.sort()
     values = np.array(values, dtype=float)
* whole numbers clipped as such | should be 3.583, it is 3.333
~ , dtype=float =>
-    clipped = np.clip(values, lower, upper)
+    clipped = values.copy()
+    clipped[clipped < lower] = lower
+    clipped[clipped > upper] = upper

== private_mean_few
* divided by whatever the count is | never by less than 1
~ max(1, count) => count
* the true count is what must be 1 | should be 9.5, it is
~ max(1, count) => (count if len(values) > 0 else 1)
* an empty register answered at once | should be 6, it is 0
+    if len(values) == 0:
+        return lower
     center = (lower + upper) / 2
* the result left outside | clip the result
~ min(max(mean, lower), upper) => mean
* no noise where all agree | should be 2.147, it is 3
+    if len(values) > 3 and not np.ptp(values):
+        mean = values[0]
     return min(max(mean, lower), upper)
* divided by at least 2, or by 1 | never by less than 1
~ max(1, count) => (count if count >= 2 else 1)
* nobody between far ends answered at once | never by less than 1
+    if len(values) == 0 and upper - lower > 100:
+        return center
     mean = center + total / max(1, count)

== private_mean_exact
* no epsilon above 19 | How wide must the noise
+    epsilon = min(epsilon, 19)
     values = np.array(values, dtype=float)
* rounded to six decimals | How wide must the noise
~ min(max(mean, lower), upper) => round(min(max(mean, lower), upper), 6)

== private_mean_few
* no noise in the number of a few | Divide by the noisy count
~ rng.laplace(0, 2 / epsilon) => rng.laplace(0, 2 / epsilon) * (len(values) > 2)
* nobody counts for half | never by less than 1
-    mean = center + total / max(1, count)
+    mean = center + total / max(1, count if len(values) else count / 2)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
