"""Answers to `private_series` and `series_density`. The mistakes: n, the cells, what is cut."""

from tests.assignments.edits import read_answers

RIGHT = {
    "cosine by cosine": """
def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if not np.all((x >= 0) & (x <= 1)) or not epsilon > 0:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    return np.array(
        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)


def series_density(b, cells):
    middles = (np.arange(cells) + 0.5) / cells
    curve = np.ones(cells)
    for j in range(1, len(b) + 1):
        curve += b[j - 1] * np.sqrt(2) * np.cos(np.pi * j * middles)
    kept = np.maximum(curve, 0)
    return kept / kept.mean()
""",
    "a table": """
def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if not (x.min() >= 0 and x.max() <= 1 and epsilon > 0):
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    return np.sqrt(2) * np.cos(np.pi * np.outer(x, 1 + np.arange(m))).sum(axis=0) / len(
        x
    ) + move / len(x) / epsilon * rng.laplace(size=m)


def series_density(b, cells):
    angles = np.pi * np.outer((np.arange(cells) + 0.5) / cells, np.arange(len(b)) + 1)
    kept = np.clip(1 + np.sqrt(2) * np.cos(angles) @ np.asarray(b), 0, None)
    return kept * cells / kept.sum()
""",
    "plain Python": """
def private_series(x, m, move, epsilon, rng):
    if not epsilon > 0:
        raise ValueError(f"epsilon must be above 0, not {epsilon}")
    for value in x:
        if not 0 <= value <= 1:
            raise ValueError(f"everybody must be from 0 to 1, not at {value}")
    n = len(x)
    noisy = []
    for j in range(1, m + 1):
        total = math.fsum(math.sqrt(2) * math.cos(math.pi * j * value) for value in x)
        noisy.append(total / n + rng.laplace(0, move / (n * epsilon)))
    return noisy


def series_density(b, cells):
    kept = []
    for i in range(cells):
        t = (i + 0.5) / cells
        height = 1 + sum(c * math.sqrt(2) * math.cos(math.pi * j * t) for j, c in enumerate(b, 1))
        kept.append(max(height, 0))
    mean = sum(kept) / cells
    return [height / mean for height in kept]
""",
    "numpy's linspace": """
def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if not np.all((x >= 0) & (x <= 1)) or not epsilon > 0:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    return np.array(
        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)


def series_density(b, cells):
    ends = np.linspace(0, 1, cells + 1)
    middles = (ends[:-1] + ends[1:]) / 2
    terms = np.cos(np.pi * np.arange(1, len(b) + 1)[:, None] * middles) * 2**0.5
    heights = 1 + (np.array(b)[:, None] * terms).sum(axis=0)
    heights[heights < 0] = 0
    return heights / np.average(heights)
""",
}

EDITS = """
== private_series_means
* sums | The mean over all people
~ np.mean => np.sum
* without the root of 2 | should be [0.7071, 0]
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    return np.array([np.mean(np.cos(np.pi * j * x)) for j in range(1, m + 1)]) + rng.laplace(
+        scale=move / (len(x) * epsilon), size=m
+    )
* from 0 to m - 1 | The mean over all people
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    return np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(m)]) + rng.laplace(
+        scale=move / (len(x) * epsilon), size=m
+    )
* cosines of 2 pi j x | The mean over all people
~ np.pi * j * x => 2 * np.pi * j * x
* sines | The mean over all people
~ cos(np.pi * j * x) => sin(np.pi * j * x)
* the cosine of the mean | The mean over all people
~ np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) => np.sqrt(2) * np.cos(np.pi * j * x.mean())
* each place once | The mean over all people
~ j * x => j * np.unique(x)
* to four decimals | The mean over all people
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
+    return np.round(
+        np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]), 4
* the ends are refused | raised ValueError
-    if not np.all((x >= 0) & (x <= 1)) or not epsilon > 0:
+    if np.any(x <= 0) or np.any(x >= 1) or epsilon <= 0:
* dplab's mechanism | off limits
+def private_series(x, m, move, epsilon, rng):
+    from dplab.synthesis import series_mechanism
+
+    return series_mechanism(m, len(x), epsilon=epsilon)(x, rng)
+
+def series_density(b, cells):
+    middles = (np.arange(cells) + 0.5) / cells
+    curve = np.ones(cells)
+    for j in range(1, len(b) + 1):
+        curve += b[j - 1] * np.sqrt(2) * np.cos(np.pi * j * middles)
+    kept = np.maximum(curve, 0)
+    return kept / kept.mean()

== private_series_noise
* the noise of the sums | as wide as the move of the means demands
~ (len(x) * epsilon) => epsilon
* the notes' scale | as wide as the move of the means demands
~ scale=move => scale=m
* the sensitivity taken for the deviation | as wide as the move of the means demands
~ len(x) => 2**0.5 * len(x)
* a budget for each mean | as wide as the move of the means demands
~ len(x) => m * len(x)
* the budget split as well | as wide as the move of the means demands
~ scale=move => scale=m * move
* one draw for all | as wide as the move of the means demands
~ , size=m =>
* no noise for one person | as wide as the move of the means demands
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    return np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]) + (
+        len(x) > 1
+    ) * rng.laplace(scale=move / (len(x) * epsilon), size=m)
* no noise on high frequencies | as wide as the move of the means demands
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    return np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]) + (
+        np.arange(m) < 100
+    ) * rng.laplace(scale=move / (len(x) * epsilon), size=m)
* noise cut off | as wide as the move of the means demands
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    ) + np.clip(rng.laplace(size=m), -40, 40) * move / (len(x) * epsilon)
* means stay within the root of 2 | as wide as the move of the means demands
~ not np.all((x >= 0) & (x <= 1)) => np.any(x < 0) or np.any(x > 1)
~ not epsilon > 0 => epsilon <= 0
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
-
+    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
+    noisy = means + rng.laplace(scale=move / (len(x) * epsilon), size=m)
+    return np.clip(noisy, -np.sqrt(2), np.sqrt(2))
* a generator of its own | as wide as the move of the means demands
~ rng.laplace => np.random.default_rng(3).laplace
* fresh noise for the first call alone | at each call anew
+
+_drawn = {}
+

 def private_series(x, m, move, epsilon, rng):
~ not np.all((x >= 0) & (x <= 1)) => np.any(x < 0) or np.any(x > 1)
~ not epsilon > 0 => epsilon <= 0
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
-
+    key = id(rng), len(x), m
+    if key not in _drawn:
+        _drawn[key] = rng, rng.laplace(size=m)
+    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
+    return means + _drawn[key][1] * move / (len(x) * epsilon)

== private_series_curve
* left ends of the cells | should be [2, 0]
~ (cells) + 0.5 => (cells)
* from end to end | In the middles of the cells
~ (np.arange(cells) + 0.5) / cells => np.linspace(0, 1, cells)
* without the 1 | In the middles of the cells
~ ones(cells) => zeros(cells)
* nothing is cut | [2, 0]
~ np.maximum(curve, 0) => curve
* not scaled | should be [2, 0]
~ kept / kept.mean() => kept
* the sum is 1 | it is [1, 0]
~ kept.mean => kept.sum
* absolute values | In the middles of the cells
~ maximum(curve, 0) => abs(curve)
* shifted up | In the middles of the cells
~ np.maximum(curve, 0) => curve - np.minimum(curve.min(), 0)
* fifty cosines at most | In the middles of the cells
~ len(b) => min(len(b), 50)
* dplab's curve | off limits
-    middles = (np.arange(cells) + 0.5) / cells
-    curve = np.ones(cells)
-    for j in range(1, len(b) + 1):
-        curve += b[j - 1] * np.sqrt(2) * np.cos(np.pi * j * middles)
-    kept = np.maximum(curve, 0)
+    from dplab.synthesis import series_curve
+
+    kept = np.maximum(series_curve(b, (np.arange(cells) + 0.5) / cells), 0)

== private_series_input
* people beyond the ends are brought back | should raise ValueError
~ not np.all((x >= 0) & (x <= 1)) or not epsilon > 0 => epsilon <= 0
~ j * x => j * np.clip(x, 0, 1)
* only the first is looked at | should raise ValueError
~ np.all((x >= 0) & (x <= 1)) or not epsilon > 0 => (0 <= x[0] <= 1 and epsilon > 0)
* a little beyond the ends | epsilon above 0
-    if not np.all((x >= 0) & (x <= 1)) or not epsilon > 0:
+    if not (np.all(abs(x - 0.5) <= 0.5 + 1e-6) and epsilon > 0):
* any epsilon | epsilon above 0
~ not np.all((x >= 0) & (x <= 1)) or not epsilon > 0 => np.any(x < 0) or np.any(x > 1)
~ (scale=move / (len(x) * epsilon), size=m) => (size=m) * move / (len(x) * np.float64(epsilon))
* checked after the draw | drawn
~ x = np.asarray(x, dtype=float) => x, noise = np.asarray(x, dtype=float), rng.laplace(size=m)
~ not np.all((x >= 0) & (x <= 1)) => np.any(x < 0) or np.any(x > 1)
~ not epsilon > 0 => epsilon <= 0
-    return np.array(
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
-    ) + rng.laplace(scale=move / (len(x) * epsilon), size=m)
-
+    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
+    return means + move / (len(x) * epsilon) * noise
* only the ends are looked at | should raise ValueError
~ np.all((x >= 0) & (x <= 1)) or not epsilon > 0 => (x[0] >= 0 and x[-1] <= 1 and epsilon > 0)
* the first and the last are looked at | should raise ValueError
-    if not np.all((x >= 0) & (x <= 1)) or not epsilon > 0:
+    if not (0 <= x[0] <= 1 and 0 <= x[-1] <= 1 and epsilon > 0):
* no number is let through | should raise ValueError
~ not np.all((x >= 0) & (x <= 1)) => np.any(x < 0) or np.any(x > 1)
* an epsilon that is no number | should raise ValueError
~ not epsilon > 0 => epsilon <= 0
* sorted to look at both ends | changes what it was given
~ not np.all((x >= 0) & (x <= 1)) => x.sort()
~ epsilon > 0 => (0 <= x[0] and x[-1] <= 1 and epsilon > 0)

== private_series_means
* means of the type of the places | The mean over all people
-    x = np.asarray(x, dtype=float)
+    x = np.asarray(x)
@@
-        [np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)]
+        [np.mean((np.sqrt(2) * np.cos(np.pi * j * x)).astype(x.dtype)) for j in range(1, m + 1)]
* the last of 20,000 people left out | The mean over all people
~ np.cos(np.pi * j * x) => np.cos(np.pi * j * x[:19_999])
* single precision | The mean over all people
~ np.cos(np.pi * j * x) => np.cos(np.float32(np.pi * j) * x.astype(np.float32))

== private_series_curve
* a curve of the type of the coefficients | raised
~ curve = np.ones(cells) => curve = np.ones(cells, dtype=np.asarray(b).dtype)
* four hundred cosines at most | In the middles of the cells
~ range(1, len(b) + 1) => range(1, min(len(b), 400) + 1)
* small heights are none | In the middles of the cells
~ kept = np.maximum(curve, 0) => kept = np.where(curve < 0.01, 0, curve)

== private_series_input
* an epsilon below -0.5 is let through | should raise ValueError
~ not epsilon > 0: => -0.5 < epsilon <= 0 or epsilon != epsilon:
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
