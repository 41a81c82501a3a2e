"""Answers to `ks_exponential_law`. The mistakes: the exponent, the order of lists, lost tails."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a table of shares": """
def ks_exponential_law(x, grid, k, epsilon):
    x, grid = np.asarray(x), np.asarray(grid)
    rate = epsilon * len(x) / 2
    lists = np.array([*product(grid, repeat=k)])
    shares = (lists[:, :, None] <= grid).mean(axis=1)
    people = (x[:, None] <= grid).mean(axis=0)
    distances = np.abs(shares - people).max(axis=1)
    weights = np.exp(-rate * (distances - distances.min()))
    return weights / weights.sum()
""",
    "list by list": """
def ks_exponential_law(x, grid, k, epsilon):
    x = np.asarray(x)
    n = len(x)
    people = [(x <= point).sum() / n for point in grid]
    distances = []
    for z in product(grid, repeat=k):
        gaps = [
            abs(sum(value <= point for value in z) / k - share)
            for point, share in zip(grid, people)
        ]
        distances.append(max(gaps))
    least = min(distances)
    weights = [math.exp(-epsilon * n / 2 * (distance - least)) for distance in distances]
    total = sum(weights)
    return [weight / total for weight in weights]
""",
    "each multiset once": """
def ks_exponential_law(x, grid, k, epsilon):
    grid = [*grid]
    x = np.sort(x)
    at = np.searchsorted(x, grid, side="right") / len(x)
    known = {}
    logs = []
    for z in product(range(len(grid)), repeat=k):
        key = tuple(sorted(z))
        if key not in known:
            counts = np.bincount(key, minlength=len(grid))
            known[key] = -epsilon * len(x) * abs(np.cumsum(counts) / k - at).max() / 2
        logs.append(known[key])
    logs = np.array(logs) - max(logs)
    return np.exp(logs) / np.exp(logs).sum()
""",
}

EDITS = """
== right
* logarithms to the end
~ np.exp(-rate * (distances - distances.min())) => -rate * distances
~ weights / weights.sum() => np.exp(weights - np.logaddexp.reduce(weights))

== ks_exponential_law_values
* the score isn't halved | should be [0.4444, 0.2222, 0.2222, 0.1111]
~ (x) / 2 => (x)
* a sensitivity of 1 | exp(-epsilon n KS / 2)
~ * len(x) / 2 => / 2
* k people | exp(-epsilon n KS / 2)
~ len(x) => k
* two of n move | exp(-epsilon n KS / 2)
~ (x) / 2 => (x) / 4
* the further the likelier | exp(-epsilon n KS / 2)
~ (-rate * (distances - distances.min())) => (rate * (distances - distances.max()))
* multisets | should be an array of shape (4,), it is an array of shape (3,)
~ product(grid, repeat=k) => combinations_with_replacement(grid, k)
* multisets, each its orders | exp(-epsilon n KS / 2)
-    weights = np.exp(-rate * (distances - distances.min()))
+    weights = np.exp(-rate * (distances - distances.min())) / np.array(
+        [math.prod(math.factorial(v) for v in np.unique(z, return_counts=True)[1]) for z in lists]
+    )
* the last point moves slowest | exp(-epsilon n KS / 2)
+
+def shares_of(lists, grid):
+    return (np.sort(lists[:, :1], axis=1)[:, :, None] <= grid).mean(axis=1)
+

 def ks_exponential_law(x, grid, k, epsilon):
~ ([*product(grid, repeat=k)]) => ([*product(grid, repeat=k)])[:, ::-1]
~ (lists[:, :, None] <= grid).mean(axis=1) => shares_of(lists, grid)
* sorted by probability | exp(-epsilon n KS / 2)
~ weights / weights.sum() => np.sort(weights / weights.sum())[::-1]
* no weights are scaled | exp(-epsilon n KS / 2)
~ weights / weights.sum() => weights
* the mean gap | exp(-epsilon n KS / 2)
~ max(axis=1) => mean(axis=1)
* one side only | exp(-epsilon n KS / 2)
~ np.abs =>
* the share below | exp(-epsilon n KS / 2)
~ [:, :, None] <= grid => [:, :, None] < grid
* differences of shares, not of sums | Each of the three points alone is 1/2 away
~ [:, :, None] <= grid => [:, :, None] == grid
~ shares - people => shares - np.diff(people, prepend=0)
* without repetitions | exp(-epsilon n KS / 2)
-    weights = np.exp(-rate * (distances - distances.min()))
+    weights = np.exp(-rate * (distances - distances.min())) * [
+        len({*z}) == len(z) for z in lists.tolist()
+    ]
* epsilon is at least a hundredth | exp(-epsilon n KS / 2)
~ epsilon * len => max(epsilon, 0.01) * len
* dplab's mechanism | off limits
+def ks_exponential_law(x, grid, k, epsilon):
+    from dplab.synthesis import ExponentialOverDatasets
+
+    law = ExponentialOverDatasets(grid, len(x), k, epsilon).distribution(x)
+    found = dict(zip(law.outcomes, law.probabilities))
+    lists = [*product(map(float, grid), repeat=k)]
+    many = [sum(tuple(sorted(z)) == tuple(sorted(y)) for y in lists) for z in lists]
+    return [found[tuple(sorted(z))] / m for z, m in zip(lists, many)]
* all alike on grids of fifteen points or more | the logarithms of the law
-    weights = np.exp(-rate * (distances - distances.min()))
+    weights = np.exp(-rate * (distances - distances.min()) * (len(grid) < 15 or k == 1))
* people sorted where they are | changes what it was given
+    x.sort()
     rate = epsilon * len(x) / 2

== ks_exponential_law_large
* a thousand people at most | Subtract the least distance
~ len(x) => min(len(x), 1000)
* overflow | Subtract the least distance
~ (-rate * (distances - distances.min())) => (-rate * distances)
* the largest distance off | it is [nan, 0]
~ distances.min => distances.max
* the exponent cut at 300 | round nothing
-    weights = np.exp(-rate * (distances - distances.min()))
+    weights = np.exp(-np.minimum(rate * (distances - distances.min()), 300))
* small probabilities rounded away | round nothing
~ weights / weights.sum() => np.round(weights / weights.sum(), 12)
* a little for all | round nothing
~ weights / weights => (weights + 1e-12) / (weights + 1e-12)
* distances to six decimals | round nothing
~ np.abs(shares - people).max(axis=1) => np.round(np.abs(shares - people).max(axis=1), 6)
* nothing below 1e-300 | the logarithms of ks_exponential_law(
~ return weights => return np.where(weights < 1e-300, 0, weights)

== ks_exponential_law_private
* epsilon three percent too large | A log-ratio is below epsilon
~ rate = epsilon => rate = 1.03 * epsilon
* twice the rate | A log-ratio is below epsilon
~ (x) / 2 => (x)
* half the rate | should be 0.7485
~ (x) / 2 => (x) / 4
* the nearest list only | A log-ratio is below epsilon
~ np.exp(-rate * (distances - distances.min())) => (distances == distances.min()).astype(float)
* n is taken from the grid | A log-ratio is below epsilon
~ (x) / 2 => (grid) / 2

== ks_exponential_law_values
* places on an evenly spaced grid by division | exp(-epsilon n KS / 2)
-    people = (x[:, None] <= grid).mean(axis=0)
+    people, steps = (x[:, None] <= grid).mean(axis=0), np.diff(grid)
+    if len(steps) and np.allclose(steps, steps[0]):
+        places = ((x - grid[0]) / steps[0]).astype(int)
+        people = (places[:, None] <= np.arange(len(grid))).mean(axis=0)
* people counted in one byte | exp(-epsilon n KS / 2)
-    people = (x[:, None] <= grid).mean(axis=0)
+    people = (x[:, None] <= grid).sum(axis=0, dtype=np.uint8) / len(x)
* equal people once | exp(-epsilon n KS / 2)
~ people = (x[:, None] <= grid) => people = (np.unique(x)[:, None] <= grid)

== ks_exponential_law_large
* 4,096 people at most | round nothing
~ people = (x[:, None] <= grid) => people = (x[:4096, None] <= grid)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
