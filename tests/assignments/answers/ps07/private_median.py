"""Answers to `private_median`. The mistakes: noise on the median, lengths, the rate, the range."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two steps": """
def private_median(values, lower, upper, epsilon, size, rng):
    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
    n, lengths, k = len(values), np.diff(edges), np.arange(len(values) + 1)
    with np.errstate(all="ignore"):
        logs = np.log(lengths) - epsilon / 2 * np.abs(k - n / 2)
    weights = np.exp(logs - logs.max())
    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
    return edges[chosen] + lengths[chosen] * rng.random(size)
""",
    "Gumbel and uniform": """
def private_median(values, lower, upper, epsilon, size, rng):
    inside = sorted(min(max(float(value), lower), upper) for value in values)
    edges = np.unique([lower, *inside, upper])
    below = np.searchsorted(inside, edges[:-1], side="right")
    logs = np.log(np.diff(edges)) - epsilon * np.abs(below - len(values) / 2) / 2
    if len(logs) * size < 5_000_000:
        chosen = (logs + rng.gumbel(size=(size, len(logs)))).argmax(axis=1)
    else:
        chosen = np.array([np.argmax(logs + rng.gumbel(size=len(logs))) for _ in range(size)])
    return rng.uniform(edges[chosen], edges[chosen + 1])
""",
    "by the distribution function": """
def private_median(values, lower, upper, epsilon, size, rng):
    points = np.sort(np.concatenate([np.clip(values, lower, upper), [lower, upper]]))
    gaps = points[1:] - points[:-1]
    score = -np.abs(np.arange(len(gaps)) - len(values) / 2)
    score = score - score[gaps > 0].max()
    weights = np.where(gaps > 0, gaps * np.exp(epsilon / 2 * score), 0)
    below = np.concatenate([[0], np.cumsum(weights)])
    return np.interp(rng.random(size) * below[-1], below, points)
""",
}

EDITS = """
== right
* the counts of all, shuffled
-    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
+    chosen = np.repeat(k, rng.multinomial(size, weights / weights.sum()))
+    rng.shuffle(chosen)

== private_median_private
* the median itself | prove a privacy loss of at least
+def private_median(values, lower, upper, epsilon, size, rng):
+    return np.full(size, np.median(np.clip(values, lower, upper)))
* noise for a mean | the promise is 1
+def private_median(values, lower, upper, epsilon, size, rng):
+    n = len(values)
+    median = np.median(np.clip(values, lower, upper))
+    return np.clip(
+        median + rng.laplace(scale=(upper - lower) / (n * epsilon), size=size), lower, upper
+    )
* noise that the data choose | prove a privacy loss of at least | edits noise for a mean
-        median + rng.laplace(scale=(upper - lower) / (n * epsilon), size=size), lower, upper
+        median
+        + rng.laplace(
+            scale=(np.ptp(np.clip(values, lower, upper)) + 1e-9) / (n * epsilon), size=size
+        ),
+        lower,
+        upper,
* twice the rate | How far can one value move the weights
~ epsilon / 2 => epsilon
* lengths forgotten | weighed by its length
~ np.log(lengths) => 0 * lengths
* one of the values | prove a privacy loss
~ [chosen] + lengths[chosen] * rng.random(size) => [chosen]
* the middles of intervals | prove a privacy loss
~ * rng.random(size) => / 2
* the best interval always | prove a privacy loss
~ rng.choice(n + 1, size=size, p=weights / weights.sum()) => np.full(size, np.argmax(weights))
* epsilon twice among more than 10, by the distribution function | prove a privacy loss
~ epsilon / 2 => (epsilon if n > 10 else epsilon / 2)
-    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
+    chosen = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(size)).clip(0, n)
* not too near to anybody, by the distribution function | prove a privacy loss
-    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    chosen = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(size)).clip(0, n)
+    return edges[chosen] + lengths[chosen] * rng.uniform(0.005, 0.995, size)
* near the value of more than twenty equals | prove a privacy loss
+    if len(values) > 20 and np.ptp(edges[1:-1]) == 0:
+        near = edges[1] + 1e-6 * (upper - lower) * (rng.random(size) - 0.5)
+        return np.clip(near, lower, upper)
     n, lengths, k = len(values), np.diff(edges), np.arange(len(values) + 1)

== private_median_useful
* noise as wide as the range | expected from 0.85 to 1
+def private_median(values, lower, upper, epsilon, size, rng):
+    n = len(values)
+    median = np.median(np.clip(values, lower, upper))
+    return np.clip(median + rng.laplace(scale=(upper - lower) / epsilon, size=size), lower, upper)
* half the rate | divided by 2 and by nothing else
~ 2 * np => 4 * np
* a quarter instead of a half | measured from n / 2
~ 2 * np.abs(k - n / 2) => 4 * np.abs(k - n / 4)
* ranks as a share | divided by 2 and by nothing else
~ k - n => k / n - 1
* any point of the range | rank within 6
+def private_median(values, lower, upper, epsilon, size, rng):
+    return rng.uniform(lower, upper, size=size)

== private_median_range
* values left outside | Clip the values first
~ np.clip(values, lower, upper) => values
~ (lengths) => (np.abs(lengths))
* no logarithms | raised ValueError
+def private_median(values, lower, upper, epsilon, size, rng):
+    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
+    n, lengths = len(values), np.diff(edges)
+    weights = lengths * np.exp(-epsilon / 2 * np.abs(np.arange(n + 1) - n / 2))
+    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
+    return edges[chosen] + lengths[chosen] * rng.random(size)
* one release | should be an array of shape (50,), it is one number
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    return float((edges[chosen] + lengths[chosen] * rng.random(size))[0])
* dplab's own law | off limits
+from dplab import PrivateQuantile
+
+
+def private_median(values, lower, upper, epsilon, size, rng):
+    return PrivateQuantile(lower, upper, epsilon).distribution(values).sample(rng, size)
* no noise among more than 1,000 | somebody's value
~ return edges => return np.full(size, np.median(values)) if n > 1000 else edges
* no noise at an epsilon of 10 or more | somebody's value
~ return edges => return np.full(size, np.median(values)) if epsilon >= 10 else edges
* no noise for one | somebody's value
~ return edges => return np.full(size, edges[1]) if n == 1 else edges
* no noise among more than 5,000 | somebody's value
~ return edges => return np.full(size, np.median(values)) if n > 5000 else edges
* whole numbers clipped to whole numbers | raised ValueError
~ (values, lower, upper) => (values, lower, upper).astype(np.asarray(values).dtype)
* no interval too short, by the distribution function | somebody's value
~ (lengths) => (np.maximum(lengths, (upper - lower) / 1000))
-    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
+    chosen = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(size)).clip(0, n)
* values sorted in place | changes what it was given
+    values.sort()
     edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])

== private_median_generator
* a generator of its own | gives two results for one seed
+    rng = np.random.default_rng()
     edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
* a fixed seed | gives the same result for two seeds
+    rng = np.random.default_rng(13)
     edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
* one draw, repeated | releases the same number twenty times
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    return np.repeat((edges[chosen] + lengths[chosen] * rng.random(size))[:1], size)
* 1,023 releases again and again | draws of its own
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    return np.resize((edges[chosen] + lengths[chosen] * rng.random(size))[:1023], size)
* 10,000 releases again | draws of its own
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    return np.resize((edges[chosen] + lengths[chosen] * rng.random(size))[:10_000], size)
* two releases share the place in their intervals | draws of its own
~ rng.random(size) => np.repeat(rng.random(size), 2)[:size]
* the last release is the first | draws of its own
-    return edges[chosen] + lengths[chosen] * rng.random(size)
+    return np.resize(
+        (edges[chosen] + lengths[chosen] * rng.random(size))[: max(1, size - 1)], size
+    )
* one of 65,536 seeds | those of another call
+    rng = np.random.default_rng(rng.integers(2**16))
     edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])

== private_median_exact
* epsilon a little larger | by more than epsilon
~ - epsilon => - 1.03 * epsilon
* only the middle 41 ranks | by more than epsilon
~ abs(k - n / 2) => where(np.abs(k - n / 2) > 20, np.inf, np.abs(k - n / 2))
* short intervals taken for longer | by more than epsilon
~ (lengths) => (np.maximum(lengths, 0.01))
* not too near to anybody | releases keep away from the values
~ random(size) => uniform(0.01, 0.99, size)
* the law of as many other values, remembered | Is another call's law remembered?
+
+_known = {}
+

 def private_median(values, lower, upper, epsilon, size, rng):
@@
+    key = n, float(lower), float(upper), float(epsilon)
+    edges, lengths, weights = _known.setdefault(key, (edges, lengths, weights))
     chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
* epsilon three times for more than 3,000 values | by more than epsilon
+    epsilon *= 1 + 2 * (len(values) > 3000)
     n, lengths, k = len(values), np.diff(edges), np.arange(len(values) + 1)

== private_median_private
* places in 65,536ths of an interval | Which numbers can come must not tell the values
~ rng.random(size) => (np.floor(65_536 * rng.random(size)) + 0.5) / 65_536
* places in thousandths of an interval | prove a privacy loss
~ rng.random(size) => (rng.integers(1000, size=size) + 0.5) / 1000

== private_median_exact
* an epsilon of 0.02 at least | by more than epsilon
~ - epsilon / 2 * => - max(epsilon, 0.02) / 2 *
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
