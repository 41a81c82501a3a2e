"""Answers to `series_move` and `series_sensitivity`. The mistakes: adding up, coarse grids."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the sum of cosines": """
def series_move(x, y, m):
    j = np.arange(1, m + 1)
    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()


def series_sensitivity(m, n):
    # the cosines added up in closed form: a hundredth of the time
    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
    return np.sqrt(2) * moved.max() / n
""",
    "a fine grid": """
def series_move(x, y, m):
    j = np.arange(1, m + 1)
    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()


def series_sensitivity(m, n):
    x = np.linspace(0, 1, 200_001)
    moved = np.zeros(len(x))
    for j in range(1, m + 1):
        moved += 1 - np.cos(np.pi * j * x)
    return np.sqrt(2) * moved.max() / n
""",
    "the proof's sum of squares": """
def series_move(x, y, m):
    moved = 0.0
    for j in range(1, m + 1):
        moved += abs(math.cos(math.pi * j * x) - math.cos(math.pi * j * y))
    return math.sqrt(2) * moved


def series_sensitivity(m, n):
    around = 3 * np.pi / (2 * (2 * m + 1))
    s = np.minimum(np.linspace(0.5, 1.5, 20_001) * around, np.pi / 2)
    squares = (2 * m + 1 - np.sin((2 * m + 1) * s) / np.sin(s)) / 4
    return 2 * math.sqrt(2) * squares.max() / n
""",
    "refined around the best": """
def series_move(x, y, m):
    table = math.sqrt(2) * np.cos(math.pi * np.outer([x, y], np.arange(1, m + 1)))
    return float(np.abs(table[0] - table[1]).sum())


def series_sensitivity(m, n):
    low, high = 0.0, 1.0
    for _ in range(8):
        x = np.linspace(low, high, 4001)
        table = 1 - np.cos(np.pi * np.outer(np.arange(1, m + 1), x))
        moved = table.sum(axis=0)
        best, step = x[np.argmax(moved)], (high - low) / 4000
        low, high = max(0, best - 2 * step), min(1, best + 2 * step)
    return math.sqrt(2) * moved.max() / n
""",
    "scipy's search": """
def series_move(x, y, m):
    j = np.arange(1, m + 1)
    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()


def series_sensitivity(m, n):
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        lambda x: -series_move(x, 0.0, m),
        bounds=(0.5 * 3 / (2 * m + 1), min(1, 1.5 * 3 / (2 * m + 1))),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return max(-found.fun, series_move(1.0, 0.0, m)) / n
""",
}

EDITS = """
== series_sensitivity_move
* without the root of 2 | should be 2.828, it is 2
~ return np.sqrt(2) * np => return np
* the largest cosine | sqrt(2) times the sum
~ sum => max
* absolute value of the sum | sqrt(2) times the sum
-    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()
+    return np.sqrt(2) * abs((np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum())
* the L2 norm | sqrt(2) times the sum
~ np.abs => np.linalg.norm
~ .sum() =>
* cosines of 2 pi j x | sqrt(2) times the sum
~2 cos(np => cos(2 * np
* from 0 to m - 1 | sqrt(2) times the sum
~ 1, m + 1 => m
* one cosine too few | sqrt(2) times the sum
~ (1, m + 1) => (1, max(2, m))
* as if y were 0 | sqrt(2) times the sum
~ np.cos(np.pi * j * y) => 1
* a thousand cosines at most | sqrt(2) times the sum
~ 1, m => 1, min(m, 1000)
* the mean of the cosines' moves | sqrt(2) times the sum
~ sum => mean

== series_sensitivity_few
* the notes | should be 2.828, it is 1
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return m / n
* the notes' standard deviation | should be 2.828, it is 1.414
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return math.sqrt(2) * m / n
* adding up | not only those at the ends
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return 2 * math.sqrt(2) * m / n
* the two ends | not only those at the ends
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return series_move(0, 1, m) / n
* 1.72 m / n | not only those at the ends
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return 2 * math.sqrt(2) / n if m == 1 else 1.72 * m / n
* sums in place of means | not only those at the ends
~ max() / n => max()
* add or remove | not only those at the ends
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return math.sqrt(2) * m / n if m > 1 else 2 * math.sqrt(2) / n
* from one half | not only those at the ends
+def series_move(x, y, m):
+    j = np.arange(1, m + 1)
+    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()
+
+
+def series_sensitivity(m, n):
+    x = np.linspace(0, 1, 20_001)
+    angles = np.pi * np.arange(1, m + 1)[:, None]
+    moved = np.abs(np.cos(angles * x) - np.cos(angles / 2)).sum(axis=0).max()
+    return max(math.sqrt(2) * moved, 2 * math.sqrt(2)) / n
* the square root of n | not only those at the ends
~ max() / n => max() / math.sqrt(n)
* n at most a thousand | not only those at the ends
~ max() / n => max() / min(n, 1000)
* all pairs of 101 places | not only those at the ends | edits a fine grid
~ 1, 200_001 => 1, 101
~ len(x) => (101, 101)
-        moved += 1 - np.cos(np.pi * j * x)
-    return np.sqrt(2) * moved.max() / n
+        c = np.cos(np.pi * j * x)
+        moved += np.abs(c[:, None] - c)
+    return math.sqrt(2) * moved.max() / n
* dplab's | off limits
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return dplab_sensitivity(m, n)

== series_sensitivity_many
* 1,001 places | Search more finely | edits a fine grid
~ 1, 200_001 => 1, 1001
* 2,001 places | Search more finely | edits a fine grid
~ 1, 200_001 => 1, 2001
* a random search | Search more finely | edits a fine grid
~ linspace(0, 1, 200_001) => append(np.random.default_rng(1).random(2000), 1)
* the limit from ten on | Search more finely
+    if m > 10:
+        return 1.7209 * m / n
     x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
* twenty cosines at most | Search more finely
+    m = min(m, 20)
     x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
* at the place of the hint | Search more finely
-    x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
-    moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
-    return np.sqrt(2) * moved.max() / n
+    return max(series_move(3 / (2 * m + 1), 0, m), 2 * math.sqrt(2)) / n

== series_sensitivity_move
* cosines in single precision | sqrt(2) times the sum
-    j = np.arange(1, m + 1)
-    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()
+    j = np.arange(1, m + 1).astype(np.float32)
+    return (
+        np.sqrt(2)
+        * np.abs(np.cos(np.float32(np.pi * x) * j) - np.cos(np.float32(np.pi * y) * j)).sum()
+    )
* places to four decimals | sqrt(2) times the sum
~ j = np.arange(1, m + 1) => j, x, y = np.arange(1, m + 1), round(x, 4), round(y, 4)

== series_sensitivity_few
* a sum to four decimals | not only those at the ends
~ return np.sqrt(2) * moved.max() / n => return round(np.sqrt(2) * moved.max(), 4) / n
* 900,000 people at most | not only those at the ends
~ moved.max() / n => moved.max() / min(n, 900_000)

== series_sensitivity_many
* 199 cosines at most | Search more finely
~ # the cosines added up in closed form: a hundredth of the time => m = min(m, 199)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
