"""Answers to `private_histogram_density`. The mistakes: the scale, the widths, an empty road."""

from tests.assignments.edits import read_answers

RIGHT = {
    "numpy's histogram": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    edges = np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    counts = np.histogram(values, edges)[0]
    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(widths))
    kept = np.maximum(noisy, 0)
    if kept.sum() == 0:
        kept = widths
    return kept / kept.sum() / widths
""",
    "a loop over bins": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError(f"no promise at epsilon = {epsilon}")
    m, values = len(edges) - 1, np.asarray(values)
    kept = []
    for j in range(m):
        inside = (values >= edges[j]) & (values < edges[j + 1])
        if j == m - 1:
            inside = (values >= edges[j]) & (values <= edges[j + 1])
        noisy = inside.sum() + rng.laplace(0, 2 / epsilon)
        kept.append(max(noisy, 0.0))
    total = sum(kept)
    if total == 0:
        return [1 / (edges[-1] - edges[0])] * m
    return [kept[j] / total / (edges[j + 1] - edges[j]) for j in range(m)]
""",
    "by searching the edges": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon")
    edges, m = np.asarray(edges, dtype=float), len(edges) - 1
    places = np.minimum(np.searchsorted(edges, np.asarray(values, float), side="right") - 1, m - 1)
    noisy = np.bincount(places, minlength=m) + 2 / epsilon * rng.laplace(size=m)
    kept = np.where(noisy > 0, noisy, 0)
    total = kept @ np.ones(m)
    shares = kept / total if total > 0 else np.diff(edges) / (edges[-1] - edges[0])
    return shares / (edges[1:] - edges[:-1])
""",
    "a loop over values and bins": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    m = len(edges) - 1
    counts = [0] * m
    for value in values:
        for j in range(m):
            if edges[j] <= value < edges[j + 1] or (j == m - 1 and value == edges[m]):
                counts[j] += 1
                break
    kept = [max(0, count + rng.laplace(0, 2 / epsilon)) for count in counts]
    if sum(kept) == 0:
        return [1 / (edges[m] - edges[0])] * m
    return [kept[j] / sum(kept) / (edges[j + 1] - edges[j]) for j in range(m)]
""",
    "numpy's own density": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    kept = np.histogram(values, bins=edges)[0] + rng.laplace(0.0, 2 / epsilon, len(edges) - 1)
    kept[kept < 0] = 0
    middles = (np.array(edges[1:]) + np.array(edges[:-1])) / 2
    if not kept.any():
        kept = np.diff(edges)
    return np.histogram(middles, bins=edges, weights=kept, density=True)[0]
""",
}

EDITS = """
== private_histogram_density_noise
* one person moves one count | as wide as one value demands
~ 2 / epsilon => 1 / epsilon
* divided by the number of people | it is [2, 0.3333]
~ kept / kept.sum() => kept / max(1, len(values))
* scaled before the cut | should be [0.3571, 0, 0.07143]
~ noisy, 0 => noisy / noisy.sum(), 0
~ kept.sum() / widths => widths
* absolute values | then the cut
~ maximum(noisy, 0) => abs(noisy)
* shifted up to 0 | then the cut
~ np.maximum(noisy, 0) => noisy - min(noisy.min(), 0)
* rounded counts | as wide as one value demands
~ noisy, 0 => np.round(noisy), 0
* noise on the shares | as wide as one value demands
~ (values, edges)[0] => (values, edges)[0] / max(1, len(values))
* noise of each bin by its width | as wide as one value demands
~ (scale=2 / epsilon, size=len(widths)) => (scale=2 / epsilon, size=len(widths)) * widths
* the budget split among the bins | as wide as one value demands
~ 2 / epsilon => 2 * len(widths) / epsilon
* the noise subtracted | as wide as one value demands
~ rng.laplace => -rng.laplace
* one draw for all bins | as wide as one value demands
~ (scale=2 / epsilon, size=len(widths)) => (scale=2 / epsilon)
* no noise for many people | as wide as one value demands
~ counts + rng => counts + (len(values) < 5000) * rng
* noise cut off at thirty scales | as wide as one value demands
-    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(widths))
+    noisy = counts + np.clip(rng.laplace(size=len(widths)), -30, 30) * 2 / epsilon

== private_histogram_density_values
* shares in place of heights | should be [1.333, 0.6667], it is [0.6667, 0.3333]
~ kept = widths => kept = np.ones(len(widths))
~ () / widths => ()
* as if bins were equally wide | divided by its width
~ () / widths => () * len(widths) / (edges[-1] - edges[0])
* right edges belong to bins | Left edges belong to a bin
-    counts = np.histogram(values, edges)[0]
+    counts = np.bincount(
+        np.clip(np.searchsorted(edges, np.asarray(values, float)) - 1, 0, None),
+        minlength=len(widths),
+    )
* the last edge is in no bin | should be [0.25, 0.25]
-    counts = np.histogram(values, edges)[0]
+    counts = np.array(
+        [
+            ((np.asarray(values) >= a) & (np.asarray(values) < b)).sum()
+            for a, b in zip(edges[:-1], edges[1:])
+        ]
+    )
* equal bins between the ends | it is [0.5, 0.1667]
~ (values, edges) => (values, len(widths), (edges[0], edges[-1]))
* dplab's mechanism | off limits
+def private_histogram_density(values, edges, epsilon, rng):
+    from dplab import LaplaceMechanism
+    from dplab.synthesis import histogram_density
+
+    if not epsilon > 0:
+        raise ValueError("epsilon must be above 0")
+    count = LaplaceMechanism(lambda x: np.histogram(x, edges)[0], 2, epsilon)
+    law = histogram_density(count(values, rng), edges)
+    return np.exp(law.log_heights)
* values sorted in place | changes what it was given
~ = np.histogram(values, edges)[0] => = (values.sort(), np.histogram(values, edges)[0])[1]
* the last edge is in no bin of 500 or more | The share of the values in each bin
~ (values, edges) => ([v for v in values if len(edges) < 500 or v < edges[-1]], edges)
* what is nearly at an edge is at it | Left edges belong to a bin
~ (values, edges) => (values, np.append(edges[:-1] - 1e-9, edges[-1]))

== private_histogram_density_empty
* no noise where nobody is | should be [0, 0.3333]
~ kept = np.maximum(noisy, 0) => kept = np.where(counts > 0, np.maximum(noisy, 0), 0)
* the same share where nothing is left | it is [0.5, 0.1667]
~ kept = widths => kept = np.ones(len(widths))
* zeros where nothing is left | should be [0.25, 0.25], it is [0, 0]
~ kept = widths => return kept
* not a number where nothing is left | should be [0.25, 0.25], it is [nan, nan]
~ kept = widths => pass
* the counts themselves where nothing is left | the same along the whole road
~ kept = widths => kept = counts + (counts.sum() == 0) * widths
* drawn again until something is left | one more is taken
+def private_histogram_density(values, edges, epsilon, rng):
+    if not epsilon > 0:
+        raise ValueError("epsilon must be above 0")
+    counts, kept = np.histogram(values, edges)[0], np.zeros(1)
+    while not kept.any():
+        kept = np.maximum(counts + rng.laplace(scale=2 / epsilon, size=len(counts)), 0)
+    return kept / kept.sum() / np.diff(edges)
* what is below one half is nobody | should be [0, 0.3333]
~ maximum(noisy, 0) => where(noisy > 0.5, noisy, 0)
* nobody, so flat | should be [0, 0.3333]
~ (noisy, 0) => (noisy, 0) if len(values) else np.zeros(len(widths))
* flat where hardly anything is left | however small it is
~ () == 0: => () < 1e-9:

== private_histogram_density_source
* a generator of its own | gives the same result for two seeds
~ rng.laplace => np.random.default_rng(8).laplace
* the global generator | gives two results for one seed
~ rng.laplace => np.random.laplace
* noise again after 1,000 bins | at each call anew, once a bin
-    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(widths))
+    noisy = counts + np.resize(
+        rng.laplace(scale=2 / epsilon, size=min(len(widths), 1000)), len(widths)
+    )
* the first draw kept for later calls | at each call anew
+_noise = {}
+
+
+def private_histogram_density(values, edges, epsilon, rng):
+    if not epsilon > 0:
+        raise ValueError("epsilon must be above 0")
+    widths = np.diff(edges)
+    key = id(rng), len(widths)
+    if key not in _noise:
+        _noise[key] = rng, rng.laplace(size=len(widths))
+    counts = np.histogram(values, edges)[0]
+    kept = np.maximum(counts + _noise[key][1] * 2 / epsilon, 0)
+    if not kept.any():
+        kept = widths
+    return kept / kept.sum() / widths

== private_histogram_density_input
* any epsilon | epsilon must be above 0, and that is checked first
~ not epsilon > 0 => False
~ (scale=2 / epsilon, size=len(widths)) => (size=len(widths)) * 2 / np.float64(epsilon)
* an epsilon of 0 | should raise ValueError
~ not epsilon > 0 => epsilon < 0
~ (scale=2 / epsilon, size=len(widths)) => (size=len(widths)) * 2 / (epsilon + 1e-99)
* checked after the draw | the number of draws at epsilon = 0 should be 0
+def private_histogram_density(values, edges, epsilon, rng):
+    widths = np.diff(edges)
+    draws = rng.laplace(size=len(widths))
+    if not epsilon > 0:
+        raise ValueError("epsilon must be above 0")
+    kept = np.maximum(np.histogram(values, edges)[0] + draws * 2 / epsilon, 0)
+    if not kept.any():
+        kept = widths
+    return kept / kept.sum() / widths
* an assertion | it raised AssertionError
~ epsilon > 0 => epsilon > 0 and not print() and exec("assert False")
* no number is let through | should raise ValueError
~ not epsilon > 0 => epsilon <= 0

== private_histogram_density_values
* bins of equal width by division | Left edges belong to a bin
-    counts = np.histogram(values, edges)[0]
+    counts = np.histogram(values, edges)[0]
+    if np.allclose(widths, widths[0]):
+        places = (np.asarray(values, dtype=float) - edges[0]) / widths[0]
+        places = np.clip(places.astype(int), 0, len(widths) - 1)
+        counts = np.bincount(places, minlength=len(widths))
* counts of one byte | Left edges belong to a bin
~ np.histogram(values, edges)[0] => np.histogram(values, edges)[0].astype(np.uint8)
* equal values count once | Left edges belong to a bin
~ np.histogram(values, edges)[0] => np.histogram(np.unique(values), edges)[0]
* heights of the type of the edges | Left edges belong to a bin
~ edges = np.asarray(edges, dtype=float) => edges = np.asarray(edges)
~ return kept / kept.sum() / widths => return (kept / kept.sum() / widths).astype(edges.dtype)

== private_histogram_density_input
* an epsilon below -10 is let through | should raise ValueError
~ if not epsilon > 0: => if -10 < epsilon <= 0 or epsilon != epsilon:
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
