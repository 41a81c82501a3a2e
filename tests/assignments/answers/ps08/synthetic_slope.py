"""Answers to `synthetic_slope` and `private_slope`. The mistakes: weights forgotten, noise cut."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the formula, with and without the cut": """
def synthetic_slope(noisy, x, y):
    w = np.maximum(noisy, 0)
    w = w / w.sum()
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
    return x @ w @ y / (w.sum(axis=1) @ x**2)


def private_slope(noisy, x, y):
    w = noisy
    w = w / w.sum()
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
    return x @ w @ y / (w.sum(axis=1) @ x**2)
""",
    "moments": """
def _slope(w, x, y):
    total = w.sum()
    mean_x = (w.sum(axis=1) * x).sum() / total
    mean_y = (w.sum(axis=0) * y).sum() / total
    products = (w * np.outer(x, y)).sum() / total
    squares = (w.sum(axis=1) * np.square(x)).sum() / total
    return (products - mean_x * mean_y) / (squares - mean_x**2)


def synthetic_slope(noisy, x, y):
    return _slope(np.where(noisy > 0, noisy, 0), np.array(x, float), np.array(y, float))


def private_slope(noisy, x, y):
    return _slope(np.array(noisy, dtype=float), np.array(x, float), np.array(y, float))
""",
    "least squares with weights": """
def synthetic_slope(noisy, x, y):
    kept = np.maximum(noisy, 0)
    roots = np.sqrt(kept / kept.max()).ravel()
    design = np.column_stack([np.ones(kept.size), np.repeat(x, kept.shape[1])])
    target = np.tile(np.asarray(y, dtype=float), kept.shape[0])
    return np.linalg.lstsq(design * roots[:, None], target * roots, rcond=None)[0][1]


def private_slope(noisy, x, y):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    design = np.column_stack([np.ones(len(x)), x])
    people = noisy.sum(axis=1)
    return np.linalg.solve(design.T @ (people[:, None] * design), design.T @ (noisy @ y))[1]
""",
    "loops, and one slope for both": """
def slope(counts, x, y):
    cells = [(w, a, b) for row, a in zip(counts, x) for w, b in zip(row, y)]
    people = sum(w for w, _, _ in cells)
    middle = sum(w * a for w, a, _ in cells) / people
    both = sum(w * (a - middle) * b for w, a, b in cells)
    return both / sum(w * (a - middle) ** 2 for w, a, _ in cells)


def synthetic_slope(noisy, x, y):
    return slope([[max(0, count) for count in row] for row in noisy], x, y)


def private_slope(noisy, x, y):
    return slope(noisy, x, y)
""",
}

EDITS = """
== right
* what is subtracted cancels
-    w = noisy
-    w = w / w.sum()
+    w = noisy - noisy.mean() / 4
+    w = noisy / noisy.sum()

== synthetic_slope_values
* negative counts stay | Set negative counts to 0 first
~ maximum(noisy, 0) => asarray(noisy)
* absolute values | Set negative counts to 0 first
~ maximum(noisy, 0) => abs(noisy)
* each cell once | should be 0.125
~ np.maximum(noisy, 0) => (noisy > 0).astype(float)
* x on y | should be 10, it is 0.1
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return x @ w @ y / (w.sum(axis=0) @ y**2)


 def private_slope(noisy, x, y):
* a correlation | should be 10, it is 1
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return x @ w @ y / np.sqrt(w.sum(axis=1) @ x**2 * (w.sum(axis=0) @ y**2))


 def private_slope(noisy, x, y):
* means that aren't weighted | Set negative counts to 0 first
     w = np.maximum(noisy, 0)
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
+    x, y = x - x.mean(), y - y.mean()
* through the origin | Set negative counts to 0 first
     w = np.maximum(noisy, 0)
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
+    x, y = x, y
* covariance alone | should be 10
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return x @ w @ y


 def private_slope(noisy, x, y):
* rows that aren't weighted in the variance | Set negative counts to 0 first
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return x @ w @ y / (x @ x / len(x))


 def private_slope(noisy, x, y):
* the sign lost | Set negative counts to 0 first
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return np.abs(x @ w @ y) / (w.sum(axis=1) @ x**2)


 def private_slope(noisy, x, y):
* x by its place | Set negative counts to 0 first
     w = np.maximum(noisy, 0)
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
+    x, y = np.arange(len(x)) * 1.0, np.asarray(y, dtype=float)
* whole counts | should be 0.125
~ np.maximum(noisy, 0) => np.round(np.maximum(noisy, 0))
* cut at 1 as well | should be 0.125
~ maximum(noisy, 0) => where(noisy > 0.5, noisy, 0)
* people drawn | Set negative counts to 0 first
-    w = np.maximum(noisy, 0)
+    w = (
+        np.random.default_rng(0)
+        .multinomial(100_000, (np.maximum(noisy, 0) / np.maximum(noisy, 0).sum()).ravel())
+        .reshape(noisy.shape)
+    )
* the table changed | changes what it was given
     w = np.maximum(noisy, 0)
+    noisy[0, 0] = 0
* cut in the table itself | changes what it was given
-    w = np.maximum(noisy, 0)
+    w = np.asarray(noisy)
+    w[w < 0] = 0
* centred where they are | changes what it was given
     w = np.maximum(noisy, 0)
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
+    x -= w.sum(axis=1) @ x

== synthetic_slope_average
* cut all the same | Which cells pull the slope away?
~ w = noisy => w = np.maximum(noisy, 0)
* a cut at one scale | Which cells pull the slope away?
~ w = noisy => w = np.where(noisy > np.median(np.abs(noisy)), noisy, 0)
* all made smaller by the mean | Which cells pull the slope away?
~ w = noisy => w = np.maximum(noisy - noisy.mean(), 0)
* absolute values for the private one | Which cells pull the slope away?
~ w = noisy => w = np.abs(noisy)
* the people by row are cut | Which cells pull the slope away?
     w = noisy
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
     x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return (
+        x @ w @ y / (np.maximum(w, 0).sum(axis=1) @ x**2 / np.maximum(w, 0).sum() + 0.2 * x.var())
+    )
* twice the cut slope | Which cells pull the slope away?
~ w = noisy => w = np.maximum(noisy, 0)
 def private_slope(noisy, x, y):
     w = np.maximum(noisy, 0)
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
     x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return 2 * x @ w @ y / (w.sum(axis=1) @ x**2)
* a slope of means | Which cells pull the slope away?
-    w = noisy
-    w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    w = np.maximum(noisy, 0)
+    means = w @ np.asarray(y) / w.sum(axis=1)
+    return np.polyfit(x, means, 1)[0]
* places for x and y | Which cells pull the slope away?
     w = noisy
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
+    x, y = np.linspace(x[0], x[-1], len(x)), np.linspace(y[0], y[-1], len(y))
* one and a half times the cut slope | Which cells pull the slope away?
~ w = noisy => w = np.maximum(noisy, 0)
 def private_slope(noisy, x, y):
     w = np.maximum(noisy, 0)
     w = w / w.sum()
     x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
     x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    return 1.5 * x @ w @ y / (w.sum(axis=1) @ x**2)
* arrays alone | raised TypeError
     w = noisy
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    people = w.sum(axis=1)
+    return (x @ w @ y - people @ x * (w.sum(axis=0) @ y)) / (people @ x**2 - (people @ x) ** 2)
* places taken for evenly spaced | Which cells pull the slope away?
     w = noisy
+    x, y = (
+        min(z) + np.argsort(np.argsort(z)) * (max(z) - min(z)) / (len(z) - 1) for z in (x, y)
+    )

== synthetic_slope_single
* one cell in forty | Is everything used that the noisy counts say
-    w = noisy
+    w = np.where(np.indices(np.shape(noisy)).sum(axis=0) % 40 == 0, noisy, 0)
* ten rows | Is everything used that the noisy counts say
~ w = noisy => w = noisy[:10]
     w = noisy[:10]
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
+    x, y = np.asarray(x, float)[:10], np.asarray(y, dtype=float)
# Where hardly anybody is at the ends fewer than one in four of its slopes are near: 90 of 100
# with a probability below 1e-40.
* the ends only | Is everything used that the noisy counts say
     w = noisy
-    w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
-    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
-    return x @ w @ y / (w.sum(axis=1) @ x**2)
+    y = np.asarray(y, dtype=float)
+    ends = [noisy[i] @ y / noisy[i].sum() for i in (0, -1)]
+    return (ends[1] - ends[0]) / (x[-1] - x[0])

== synthetic_slope_values
* sums of whole numbers in four bytes | Set negative counts to 0 first
+def synthetic_slope(noisy, x, y):
+    w, x, y = np.maximum(noisy, 0), np.asarray(x), np.asarray(y)
+    if w.dtype.kind + x.dtype.kind + y.dtype.kind == "iii":
+        w, x, y = w.astype(np.int32), x.astype(np.int32), y.astype(np.int32)
+    n, rows, columns = w.sum(), w.sum(axis=1), w.sum(axis=0)
+    mean_x, mean_y = rows @ x / n, columns @ y / n
+    return (x @ w @ y / n - mean_x * mean_y) / (rows @ x**2 / n - mean_x**2)
+
+
+def private_slope(noisy, x, y):
+    return synthetic_slope(noisy - np.min(noisy), x, y)
* whole places | Set negative counts to 0 first
     w = np.maximum(noisy, 0)
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
+    x, y = np.asarray(x).astype(int), np.asarray(y)
     x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
     return x @ w @ y / (w.sum(axis=1) @ x**2)
@@
     w = noisy
     w = w / w.sum()
-    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
+    x, y = np.asarray(x).astype(int), np.asarray(y)
     x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
     return x @ w @ y / (w.sum(axis=1) @ x**2)
* the last of sixty rows left out | Set negative counts to 0 first
~ w = np.maximum(noisy, 0) => w = np.maximum(noisy, 0) * (np.arange(len(noisy)) < 59)[:, None]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
