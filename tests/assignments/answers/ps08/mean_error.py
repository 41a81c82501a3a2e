"""Answers to `mean_error`, `error_slope` and `most_dimensions`. The mistakes: powers, and ties."""

from tests.assignments.edits import read_answers

RIGHT = {
    "formulas": """
def mean_error(d, n, epsilon):
    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2


def error_slope(dimensions, n, epsilon):
    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
    return np.polyfit(np.log(dimensions), logs, 1)[0]


def most_dimensions(n, epsilon):
    return int(epsilon * np.sqrt(n / 8) * (1 + 1e-9))
""",
    "coordinate by coordinate": """
def mean_error(d, n, epsilon):
    scale = d / (n * epsilon)
    people, noise = 0.25 / n, 2 * scale**2
    return d * (people + noise)


def error_slope(dimensions, n, epsilon):
    x = [math.log(d) for d in dimensions]
    y = [math.log(mean_error(d, n, epsilon)) for d in dimensions]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return above / sum((a - mean_x) ** 2 for a in x)


def most_dimensions(n, epsilon):
    low, high = 0, 10**7
    while high - low > 1:
        d = (low + high) // 2
        if 8 * d**2 <= n * epsilon**2 * (1 + 1e-9):
            low = d
        else:
            high = d
    return low
""",
    "arrays": """
def mean_error(d, n, epsilon):
    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2


def error_slope(dimensions, n, epsilon):
    d = np.array(dimensions, dtype=float)
    design = np.column_stack([np.ones(len(d)), np.log(d)])
    return np.linalg.lstsq(design, np.log(mean_error(d, n, epsilon)), rcond=None)[0][1]


def most_dimensions(n, epsilon):
    return math.floor(math.sqrt(n * epsilon**2 / 8) + 1e-9)
""",
    "scipy's line": """
def mean_error(d, n, epsilon):
    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2


def error_slope(dimensions, n, epsilon):
    from scipy.stats import linregress

    errors = np.array([mean_error(int(d), n, epsilon) for d in dimensions])
    return linregress(np.log(dimensions), np.log(errors)).slope


def most_dimensions(n, epsilon):
    d = epsilon * np.sqrt(n / 8)
    return round(d) if math.isclose(d, round(d), rel_tol=1e-9) else int(d)
""",
}

EDITS = """
== right
* a quotient of two roots
~ int(epsilon * np.sqrt(n / 8) => math.floor(epsilon * math.sqrt(n) / math.sqrt(8)

== mean_error_values
* noise for one coordinate | should be 0.0045
~ d**3 => d
* the L2 norm | it is 0.0027
~ d**3 => d**2
* the variance is s^2 | Lesson 16 has both
~ (4 * n) + 2 * d => (4 * n) + d
* noise of 2 / n | Lesson 16 has both
~ 2 * d => 8 * d
* n not squared | Lesson 16 has both
~ (n * epsilon) ** 2 => (n * epsilon**2)
* epsilon not squared | Lesson 16 has both
~ (n * epsilon) ** 2 => (n**2 * epsilon)
* noise only | it is 0.002
~ return d / (4 * n) + 2 => return 2
* people only | it is 0.0025
~ (4 * n) + 2 * d**3 / (n * epsilon) ** 2 => (4 * n)
* coins of variance 1 | Lesson 16 has both
~ 4 * n => n
* one coordinate's people | Lesson 16 has both
~ d / (4 * n) => 1 / (4 * n)
* n - 1 | should be 0.0045, it is
~ 4 * n => 4 * max(n - 1, 1)
* a root | Lesson 16 has both
-    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2
+    return math.sqrt(d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2)
* an average over coordinates | Lesson 16 has both
~ d / (4 * n) + 2 * d**3 => 1 / (4 * n) + 2 * d**2
* the larger of both | it is 0.0025
~ d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2 => max(d / (4 * n), 2 * d**3 / (n * epsilon) ** 2)
* coins' errors of 1 at most | Lesson 16 has both
-    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2
+    return min(d, d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2)
* dplab's | off limits
-    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2
+    from dplab.theorems.private_means import mean_risk
+
+    risk = mean_risk([d], n=n, epsilon=epsilon, delta=1e-6)
+    return float(risk.sampling[0] + risk.laplace[0])
* Python's whole numbers alone | raised AssertionError
+    assert isinstance(n, int)
     return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2

== mean_error_slope
* three | should be 1, it is 3
-    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
-    return np.polyfit(np.log(dimensions), logs, 1)[0]
+    return 3.0
* one or three | The logarithms of both
-    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
-    return np.polyfit(np.log(dimensions), logs, 1)[0]
+    return 1.0 if max(dimensions) <= epsilon * math.sqrt(n / 8) else 3.0
* no logarithms | The logarithms of both
-    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
-    return np.polyfit(np.log(dimensions), logs, 1)[0]
+    return np.polyfit(dimensions, [mean_error(d, n, epsilon) for d in dimensions], 1)[0]
* the logarithm of the error only | The logarithms of both
~ np.log(dimensions) => dimensions
* from the first to the last | The logarithms of both
-    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
-    return np.polyfit(np.log(dimensions), logs, 1)[0]
+    first, last = min(dimensions), max(dimensions)
+    rise = math.log(mean_error(last, n, epsilon) / mean_error(first, n, epsilon))
+    return rise / math.log(last / first)
* logarithms of different bases | The logarithms of both
~ logs = np.log => logs = np.log10
* the intercept | The logarithms of both
~ 0 => 1
* each dimension once | The logarithms of both
+    dimensions = sorted({*dimensions})
     logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
* through the origin | The logarithms of both
-    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
-    return np.polyfit(np.log(dimensions), logs, 1)[0]
+    x = np.log(dimensions)
+    return x @ np.log([mean_error(d, n, epsilon) for d in dimensions]) / (x @ x)
* dimensions sorted where they are | changes what it was given
+    dimensions.sort()
     logs = np.log([mean_error(d, n, epsilon) for d in dimensions])

== mean_error_most
* the least of half or more | should be 35, it is 36
~ return int => return math.ceil
~ 1 + 1e-9 => 1 - 1e-9
* rounded | Half is allowed: floats may miss it
~ return int => return round
* a tie doesn't count | should be 10, it is 9
-    return int(epsilon * np.sqrt(n / 8) * (1 + 1e-9))
+    return math.ceil(epsilon * math.sqrt(n / 8) * (1 - 1e-9)) - 1
* at least one | should be 0, it is 1
-    return int(epsilon * np.sqrt(n / 8) * (1 + 1e-9))
+    return max(1, int(epsilon * np.sqrt(n / 8) * (1 + 1e-9)))
* not a whole number | should be 35, it is 35.36
~ int =>
* the root of n | should be 10, it is 28
~ n / 8 => n
* ten thousand at most | Half is allowed: floats may miss it
-    return int(epsilon * np.sqrt(n / 8) * (1 + 1e-9))
+    d = 0
+    while d < 10_000 and 8 * (d + 1) ** 2 <= n * epsilon**2:
+        d += 1
+    return d
* epsilon squared | Half is allowed: floats may miss it
~ epsilon * np => epsilon**2 * np

== mean_error_most
* a plain floor | should be 29, it is 28
~  * (1 + 1e-9)) => )
* a ten-thousandth too generous | Half is allowed: floats may miss it
~ 1e-9 => 1e-4
* epsilon to two decimals | Half is allowed: floats may miss it
~ int(epsilon => int(round(epsilon, 2)

== mean_error_values
* whole numbers of four bytes | Lesson 16 has both
~ 2 * d**3 => 2 * np.int32(d) ** 3
* eight digits of the noise | Lesson 16 has both
~ 2 * d**3 / (n * epsilon) ** 2 => round(2 * d**3 / (n * epsilon) ** 2, 8)

== mean_error_slope
* dimensions of two bytes | The logarithms of both
~ mean_error(d, n, epsilon) for => mean_error(np.int16(d), n, epsilon) for
* the logarithm to six decimals | The logarithms of both
~ np.polyfit(np.log(dimensions), => np.polyfit(np.log(dimensions).round(6),
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
