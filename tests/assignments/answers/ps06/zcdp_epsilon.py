"""Answers to `zcdp_epsilon`. The mistakes: a wrong formula, or a search that ends too soon."""

from tests.assignments.edits import read_answers

RIGHT = {
    "an array of orders": """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0.0
    center = np.sqrt(np.log(1 / delta) / rho)
    a = 1 + center * np.exp(np.linspace(-6, 6, 50_001))
    return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
""",
    "minimised around the simple formula's order": """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0

    def of_order(log_excess):
        excess = math.exp(log_excess)
        a = 1 + excess
        return rho * a + math.log(excess / a) - math.log(delta * a) / excess

    middle = 0.5 * math.log(math.log(1 / delta) / rho)
    best = minimize_scalar(of_order, bounds=(middle - 7, middle + 7), method="bounded")
    return max(0, best.fun)
""",
    "golden section": """
def zcdp_epsilon(rho, delta):
    if rho <= 0:
        return 0.0

    def value(t):
        a = 1 + math.exp(t)
        return rho * a + math.log1p(-1 / a) - (math.log(delta) + math.log(a)) / (a - 1)

    low, high = -8.0, 16.0
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-7:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if value(left) < value(right):
            high = right
        else:
            low = left
    return max(0.0, value((low + high) / 2))
""",
    "Newton on the derivative": """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0.0
    # the derivative is rho + log(delta a) / (a - 1)^2: find its zero by bisection
    low, high = 1 + 1e-9, 1 / delta
    for _ in range(200):
        a = (low + high) / 2
        if rho * (a - 1) ** 2 + math.log(delta * a) < 0:
            low = a
        else:
            high = a
    return max(0.0, rho * a + math.log((a - 1) / a) - math.log(delta * a) / (a - 1))
""",
}

EDITS = """
== zcdp_epsilon_values
* the simple formula | should be 5.222, it is 5.757
+def zcdp_epsilon(rho, delta):
+    return rho + 2 * math.sqrt(-rho * math.log(delta))
* at the simple formula's order | Take the minimum
~ exp(np.linspace(-6, 6, 50_001)) => ones(1)
* Mironov's conversion | all three terms
~ a + np.log1p(-1 / a) - np.log(delta * a) => a - np.log(delta)
* without the middle term | all three terms
~ a + np.log1p(-1 / a) => a
* the logarithm of delta / alpha | should be 5.222
~ delta * a => delta / a
* the middle term the wrong way up | all three terms
~ a + np => a - np
* the divergence without its order | should be 5.222, it is
~ rho * a => rho
* whole orders | should be 5.22153
~ 1 + center * np.exp(np.linspace(-6, 6, 50_001)) => np.arange(2, 5000)
* few orders | Take the minimum over alpha
~ 6, 6, 50_001 => 5, 5, 41
* the best order and not its epsilon | Take the minimum over alpha
+def zcdp_epsilon(rho, delta):
+    if rho == 0:
+        return 0.0
+    a = 1 + np.sqrt(np.log(1 / delta) / rho) * np.exp(np.linspace(-6, 6, 50_001))
+    return a[np.argmin(rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1))]
* dplab's own | is off limits in an answer
+def zcdp_epsilon(rho, delta):
+    return ZCDP(rho).to_approx(delta).epsilon

== zcdp_epsilon_range
* orders up to a hundred | Does your search reach the best order
~ 1 + center * np.exp(np.linspace(-6, 6, 50_001)) => np.linspace(1.001, 100, 500_001)
* the same orders for every rho | Does your search reach the best order
~ center * np.exp(np.linspace(-6, 6, 50_001)) => np.geomspace(0.5, 1e3, 40_000)
* the simple formula for a middling rho | Does your search reach the best order
+    if 0.021 < rho < 0.1:
+        return rho + 2 * math.sqrt(rho * math.log(1 / delta))
     if rho == 0:
* the simple formula for a large rho | Does your search reach the best order
+    if 10 < rho < 100:
+        return rho + 2 * math.sqrt(rho * math.log(1 / delta))
     if rho == 0:
* the simple formula for a large delta | Does your search reach the best order
+    if rho > 0 and 1e-3 < delta < 0.09:
+        return rho + 2 * math.sqrt(rho * math.log(1 / delta))
     if rho == 0:
* orders up to 3,000 | Does your search reach the best order
-    a = 1 + center * np.exp(np.linspace(-6, 6, 50_001))
+    a = np.minimum(3000, 1 + center * np.exp(np.linspace(-6, 6, 50_001)))
* orders from 1.05 | Does your search reach the best order
-    a = 1 + center * np.exp(np.linspace(-6, 6, 50_001))
+    a = np.maximum(1.05, 1 + center * np.exp(np.linspace(-6, 6, 50_001)))
* orders near the simple formula's | Does your search reach the best order
~ 6, 6 => 0.2, 0.2
* rounded to five digits | is it fine enough there
~ zcdp_epsilon => solved_zcdp_epsilon
     return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
+
+
+def zcdp_epsilon(rho, delta):
+    if rho > 0:
+        return round(solved_zcdp_epsilon(rho, delta), 5)
+    return solved_zcdp_epsilon(rho, delta)
* a tiny rho taken for 0 | Does your search reach the best order
+    if rho < 2e-6:
+        return 0.0
     if rho == 0:
* below 0.002 is nothing | is it fine enough there
~ zcdp_epsilon => least_epsilon
     return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
+
+
+def zcdp_epsilon(rho, delta):
+    epsilon = least_epsilon(rho, delta)
+    return epsilon if epsilon > 0.002 else 0.0

== zcdp_epsilon_zero
* negative | Where the formula is negative, epsilon is 0
-    return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
+    return (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min()
* divides by rho | raised ZeroDivisionError
+def zcdp_epsilon(rho, delta):
+    center = math.sqrt(math.log(1 / delta) / rho)
+    a = 1 + center * np.exp(np.linspace(-6, 6, 50_001))
+    return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())

== zcdp_epsilon_range
* a rho of 900 at most | Does your search reach the best order
+    rho = min(rho, 900)
     center = np.sqrt(np.log(1 / delta) / rho)
* a delta of 1e-11 at least | Does your search reach the best order
+    delta = max(delta, 1e-11)
     center = np.sqrt(np.log(1 / delta) / rho)

== zcdp_epsilon_values
* five digits | Take the minimum
-    return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
+    return float(
+        f"{max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min()):.5g}"
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
