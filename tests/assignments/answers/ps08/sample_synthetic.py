"""Answers to `sample_synthetic`. The mistakes: heights for shares, grids, draws that depend."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the bin, then the place": """
def sample_synthetic(heights, edges, size, rng):
    heights, edges = np.asarray(heights, dtype=float), np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    p = heights * widths / (heights @ widths)
    bins = rng.choice(len(widths), size, p=p)
    return edges[bins] + widths[bins] * rng.random(size)
""",
    "by the inverse distribution function": """
def sample_synthetic(heights, edges, size, rng):
    edges = np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    shares = np.asarray(heights) * widths
    shares = shares / shares.sum()
    full = shares > 0
    above = np.append(0, np.cumsum(shares[full]))
    u = above[-1] * rng.random(size)
    bins = np.minimum(np.searchsorted(above, u, side="right") - 1, full.sum() - 1)
    within = (u - above[bins]) / shares[full][bins]
    return edges[:-1][full][bins] + np.minimum(within, 1) * widths[full][bins]
""",
    "one by one": """
def sample_synthetic(heights, edges, size, rng):
    shares = [height * (edges[j + 1] - edges[j]) for j, height in enumerate(heights)]
    total = sum(shares)
    shares = [share / total for share in shares]
    cumulated = np.cumsum(shares)
    cumulated[-1] = 1
    last = max(j for j, share in enumerate(shares) if share > 0)
    drawn = []
    for _ in range(size):
        j = min(int(np.searchsorted(cumulated, rng.random(), side="right")), last)
        drawn.append(rng.uniform(edges[j], edges[j + 1]))
    return np.array(drawn)
""",
    "a multinomial, shuffled": """
def sample_synthetic(heights, edges, size, rng):
    edges = np.asarray(edges, dtype=float)
    shares = np.asarray(heights) * np.diff(edges)
    counts = rng.multinomial(size, shares / shares.sum())
    bins = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    return edges[bins] + np.diff(edges)[bins] * rng.random(size)
""",
    "sorted numbers, shuffled in place": """
def sample_synthetic(heights, edges, size, rng):
    above = np.append(0, np.cumsum(np.asarray(heights) * np.diff(edges)))
    drawn = np.interp(np.sort(rng.random(size)) * above[-1], above, edges)
    rng.shuffle(drawn)
    return drawn
""",
}

EDITS = """
== right
* who trusts that the heights integrate to 1
~ widths / (heights @ widths) => widths
* uniform between the edges
-    return edges[bins] + widths[bins] * rng.random(size)
+    return rng.uniform(edges[bins], edges[bins + 1])
* the likeliest bins first
-    bins = rng.choice(len(widths), size, p=p)
+    bins = np.argsort(-p)[rng.choice(len(p), size, p=np.sort(p)[::-1])]

== sample_synthetic_law
* heights for shares | Is each bin as likely
~ * widths / (heights @ widths) => / heights.sum()
* all bins alike | Is each bin as likely
~ heights * widths / (heights @ widths) => (heights > 0) / (heights > 0).sum()
* the middles of bins | Is each bin as likely
~ * rng.random(size) => / 2
* left edges | Is each bin as likely
~ [bins] + widths[bins] * rng.random(size) => [bins]
* the same place in every bin | Is each bin as likely
~ random(size) => random()
* a tenth of each bin is left free | Is each bin as likely
~ random(size) => uniform(0, 0.9, size)
* a bell in each bin | Is each bin as likely
~ random(size) => beta(2, 2, size)
* one width for all | Is each bin as likely
~ [bins] * rng => [0] * rng
* the left half of narrow bins | Within its bin a draw is uniform
-    return edges[bins] + widths[bins] * rng.random(size)
+    return edges[bins] + widths[bins] * rng.random(size) * np.where(
+        widths[bins] < widths.max() / 20, 0.5, 1
+    ) ** (len(p) > 100)
* a uniform between the ends | Is each bin as likely | edits uniform between the edges
~ [bins], edges[bins + 1] => [0], edges[-1], size
* rare bins left out | Is each bin as likely
-    p = heights * widths / (heights @ widths)
+    p = (
+        np.where(heights * widths > 0.001, heights * widths, 0)
+        / np.where(heights * widths > 0.001, heights * widths, 0).sum()
+    )
* dplab's law | off limits
+def sample_synthetic(heights, edges, size, rng):
+    from dplab import PiecewiseConstant
+
+    return PiecewiseConstant(np.asarray(edges, dtype=float), np.log(heights)).sample(rng, size)
* a fiftieth of each bin is left free | over all of the bin
~ random(size) => uniform(0, 0.98, size)
* bins rarer than 0.0002 left out, by the inverse distribution function
| bins of probability 0.000005 each | edits who trusts that the heights integrate to 1
~ p = heights * widths => p = np.cumsum(np.where(heights * widths < 2e-4, 0, heights * widths))
~ rng.choice(len(widths), size, p=p) => np.searchsorted(p / p[-1], rng.random(size), side="right")

== sample_synthetic_independent
* places to two decimals | a place of its own
~ rng.random(size) => np.round(rng.random(size), 2)
* sorted | neither spread out nor repeated
-    return edges[bins] + widths[bins] * rng.random(size)
+    return np.sort(edges[bins] + widths[bins] * rng.random(size))
* bin after bin | neither spread out nor repeated
~ rng.choice(len(widths), size, p=p) => np.repeat(np.arange(len(p)), rng.multinomial(size, p))
* evenly spread | neither spread out nor repeated
+def sample_synthetic(heights, edges, size, rng):
+    shares = np.asarray(heights) * np.diff(edges)
+    above = np.append(0, np.cumsum(shares / shares.sum()))
+    u = rng.permutation((np.arange(size) + rng.random(size)) / size)
+    return np.interp(u, above, edges)
* evenly spread, from ten on | Every draw needs a bin and a place of its own | edits evenly spread
-    u = rng.permutation((np.arange(size) + rng.random(size)) / size)
+    u = rng.random(size)
+    if size >= 10:
+        u = rng.permutation((np.arange(size) + u) / size)
* numbers of people rounded | neither spread out nor repeated
-    bins = rng.choice(len(widths), size, p=p)
+    bins = rng.permutation(
+        np.resize(
+            np.repeat(np.arange(len(p)), np.round(p * size).astype(int) + (p == p.max())), size
+        )
+    )
* a thousand draws again and again | Every draw needs a bin and a place of its own
-    return edges[bins] + widths[bins] * rng.random(size)
+    return np.resize((edges[bins] + widths[bins] * rng.random(size))[:1000], size)
* each draw and its mirror image | neither spread out nor repeated | edits evenly spread
~ permutation((np.arange(size) + rng.random(size)) / size) => random(-(-size // 2))
~ u, above => np.concatenate([u, 1 - u])[:size], above
* the first again at the end | Every draw needs a bin and a place of its own
-    return edges[bins] + widths[bins] * rng.random(size)
+    return (edges[bins] + widths[bins] * rng.random(size))[np.arange(size) % max(2, size - 1)]
* the bin of the first again at the end | neither spread out nor repeated
~ (len(widths), size, p=p) => (len(p), size, p=p)[np.arange(size) % max(2, size - 1)]
* eight thousand draws, and then again | Every draw needs a bin and a place of its own
-    return edges[bins] + widths[bins] * rng.random(size)
+    return np.resize((edges[bins] + widths[bins] * rng.random(size))[:8000], size)
* places again after eight thousand draws | Every draw needs a bin and a place of its own
~ rng.random(size) => np.resize(rng.random(min(size, 8000)), size)
* evenly spread, from a hundred on | Chance doesn't fill bins evenly
+def sample_synthetic(heights, edges, size, rng):
+    shares = np.asarray(heights) * np.diff(edges)
+    above = np.append(0, np.cumsum(shares / shares.sum()))
+    u = rng.random(size)
+    if size >= 100:
+        u = rng.permutation((np.arange(size) + u) / size)
+    bins = np.clip(np.searchsorted(above, u, side="right") - 1, 0, np.flatnonzero(shares)[-1])
+    within = np.clip((u - above[bins]) / np.diff(above)[bins], 0, 1)
+    return np.asarray(edges)[bins] + within * np.diff(edges)[bins]
* numbers of people rounded, from a hundred on | Chance doesn't fill bins evenly
-    bins = rng.choice(len(widths), size, p=p)
+    bins = np.repeat(np.arange(len(p)), np.floor(p * size * (size >= 100)).astype(int))
+    bins = np.append(bins, rng.choice(len(p), size - len(bins), p=p))
+    bins = rng.permutation(bins)
* one seed of 65,536 for each call | calls repeat what others gave
+    rng = np.random.default_rng(rng.integers(2**16))
     widths = np.diff(edges)

== sample_synthetic_range
* every bin a little | where the density is 0 | edits who trusts that the heights integrate to 1
~ heights * widths => (heights * widths + 0.001) / (heights * widths + 0.001).sum()
* no draws, no array | should be an array of shape (1,)
-    return edges[bins] + widths[bins] * rng.random(size)
+    return (edges[bins] + widths[bins] * rng.random(size)) if size > 1 else edges[0]
* beyond the edges | No draw may lie where the density is 0
~ random(size) => uniform(-0.01, 1.01, size)
* beyond the right edge | No draw may lie where the density is 0
~ random(size) => uniform(0, 1.1, size)

== sample_synthetic_exact
* shares to three decimals | Is each bin as likely
-    p = heights * widths / (heights @ widths)
-    bins = rng.choice(len(widths), size, p=p)
+    p = np.round(heights * widths + 1e-9, 3) / max(np.round(heights * widths, 3).sum(), 1e-9)
+    bins = rng.choice(len(widths), size, p=p / p.sum())
* a smoothed law | Is each bin as likely | edits who trusts that the heights integrate to 1
~ heights * widths => (heights * widths) ** 0.95 / ((heights * widths) ** 0.95).sum()
* the likeliest bins first, a smoothed law | Is each bin as likely | edits the likeliest bins first
-    p = heights * widths / (heights @ widths)
+    p = (heights * widths) ** 0.95 / ((heights * widths) ** 0.95).sum()
* a generator of its own | gives the same result for two seeds
+    rng = np.random.default_rng(1)
     widths = np.diff(edges)
* the global generator for the places | gives two results for one seed
~ rng.random => np.random.random

== sample_synthetic_independent
* places in 65,536ths of a bin | and not rounded
~ rng.random(size) => np.floor(65_536 * rng.random(size)) / 65_536
* short floats | draws are repeated
-    return edges[bins] + widths[bins] * rng.random(size)
+    return (edges[bins] + widths[bins] * rng.random(size)).astype(np.float32)
* draws of the type of the edges | calls repeat what others gave
-    heights, edges = np.asarray(heights, dtype=float), np.asarray(edges, dtype=float)
+    heights, edges = np.asarray(heights, dtype=float), np.asarray(edges)
@@
-    return edges[bins] + widths[bins] * rng.random(size)
+    return (edges[bins] + widths[bins] * rng.random(size)).astype(edges.dtype)

== sample_synthetic_exact
* probabilities in single precision | Is each bin as likely
-    p = heights * widths / (heights @ widths)
+    p = (heights * widths / (heights @ widths)).astype(np.float32).astype(float)
+    p = p / p.sum()
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
