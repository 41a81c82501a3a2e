"""Answers to `exact_gaussian_delta`. The mistakes: spread, signs, a missing factor, overflow."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two tails": """
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return 0.0
    spread = math.sqrt(2 * rho)
    return ndtr((rho - epsilon) / spread) - np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))
""",
    "in mu": """
def exact_gaussian_delta(epsilon, rho):
    if not rho:
        return 0.0
    mu = (2 * rho) ** 0.5
    a, b = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    return max(0.0, ndtr(a) - math.exp(min(0.0, epsilon + log_ndtr(b))))
""",
    "scipy's normal law": """
def exact_gaussian_delta(epsilon, rho):
    from scipy.stats import norm

    if rho == 0:
        return 0
    p, q = norm(rho, np.sqrt(2 * rho)), norm(-rho, np.sqrt(2 * rho))
    return p.sf(epsilon) - np.exp(epsilon + q.logsf(epsilon))
""",
    "an integral": """
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return 0.0
    spread = math.sqrt(2 * rho)
    low, high = max(epsilon, rho - 9 * spread), rho + 9 * spread
    if low >= high:
        return 0.0
    t, weights = np.polynomial.legendre.leggauss(200)
    z = low + (high - low) * (t + 1) / 2
    density = np.exp(-((z - rho) ** 2) / (4 * rho)) / math.sqrt(4 * math.pi * rho)
    return (high - low) / 2 * np.sum(weights * density * -np.expm1(epsilon - z))
""",
}

EDITS = """
== exact_gaussian_delta_figures
* the tail | it is 0.3085. Two tails
~ np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread)) => 0
* the second tail without its factor | the second times e^epsilon
~ np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread)) => ndtr(-(rho + epsilon) / spread)
* the loss under q like that under p | Two tails, of the loss under p and under q
~ -(rho + epsilon) => (rho - epsilon)
* the lower tail | should be 0.1269, it is 0.5
~ rho - epsilon => epsilon - rho
* variance rho | should be 0.1269
~ 2 * rho => rho
* mu for rho | should be 0.1269
~ math.sqrt(2 * rho) => rho
~ (rho - epsilon) / spread => rho / 2 - epsilon / rho
~ (rho + epsilon) / spread => rho / 2 - epsilon / rho
* the classic bound | Two tails
+def exact_gaussian_delta(epsilon, rho):
+    if rho == 0:
+        return 0.0
+    return min(1.0, 1.25 * math.exp(-(epsilon**2) / (4 * rho)))
* the subgaussian bound | should be 0.1269
+def exact_gaussian_delta(epsilon, rho):
+    if rho == 0:
+        return 0.0
+    return math.exp(-max(0, epsilon - rho) ** 2 / (4 * rho))
* a small rho taken for 0 | Two tails, of the loss under p and under q
+    if rho < 0.01:
+        return 0.0
     if rho == 0:
* dplab's own | is off limits in an answer
+def exact_gaussian_delta(epsilon, rho):
+    return GaussianLoss(math.sqrt(2 * rho)).delta(epsilon) if rho else 0.0

== exact_gaussian_delta_values
* the variance for the spread | The variance of the loss is 2 rho
~ math.sqrt(2 * rho) => 2 * rho
* a spread of 1 | The variance of the loss is 2 rho
~ math.sqrt(2 * rho) => 1.0
* no delta for a large epsilon | at small and at large epsilon
+    if 100 < epsilon < 700:
+        return 0.0
     if rho == 0:
* the tail for epsilon above 5 | at small and at large epsilon
+    if 5 < epsilon < 700 and rho > 0:
+        return ndtr((rho - epsilon) / math.sqrt(2 * rho))
     if rho == 0:
* certain for a large rho | for more and for less noise
+    if 10 < rho < 600:
+        return 1.0
     if rho == 0:
* epsilon rounded | at small and at large epsilon
~ exact_gaussian_delta => solved_exact_gaussian_delta
     return ndtr((rho - epsilon) / spread) - np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))
+
+
+def exact_gaussian_delta(epsilon, rho):
+    if epsilon > 4:
+        epsilon = round(epsilon, 1)
+    return solved_exact_gaussian_delta(epsilon, rho)
* epsilon times 1.03 | at small and at large epsilon
~ exact_gaussian_delta => solved_exact_gaussian_delta
     return ndtr((rho - epsilon) / spread) - np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))
+
+
+def exact_gaussian_delta(epsilon, rho):
+    if 4 < epsilon < 700:
+        epsilon *= 1.03
+    return solved_exact_gaussian_delta(epsilon, rho)
* exponents cut at 30 | at small and at large epsilon
~ epsilon + => min(30, epsilon) +
* five standard deviations are out of reach | at small and at large epsilon
+    if epsilon > rho + 5 * math.sqrt(2 * rho):
+        return 0.0
     if rho == 0:
* five standard deviations are certain | at small and at large epsilon
+    if epsilon < rho - 5 * math.sqrt(2 * rho):
+        return 1.0
     if rho == 0:

== exact_gaussian_delta_extremes
* a product that overflows | it is nan
~ (epsilon + log_ndtr(-(rho + epsilon) / spread)) => (epsilon) * ndtr(-(rho + epsilon) / spread)
* an OverflowError | raised OverflowError
-    return ndtr((rho - epsilon) / spread) - np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))
+    return ndtr((rho - epsilon) / spread) - math.exp(epsilon) * ndtr(-(rho + epsilon) / spread)
* the second tail dropped for large epsilon | Does the product survive
-    return ndtr((rho - epsilon) / spread) - np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))
+    return ndtr((rho - epsilon) / spread) - (
+        np.exp(epsilon) * ndtr(-(rho + epsilon) / spread) if epsilon < 700 else 0
+    )
* division by a rho of 0 | raised ZeroDivisionError
~ rho == 0 => rho < 0
* 1 without noise's trace | the loss is always 0
~ 0.0 => 1.0

== exact_gaussian_delta_extremes
* an epsilon of 1,950 at most | Does the product survive
+    epsilon = min(epsilon, 1950)
     spread = math.sqrt(2 * rho)

== exact_gaussian_delta_figures
* a rho below 2e-9 is none | Two tails
~ if rho == 0: => if rho < 2e-9:

== exact_gaussian_delta_values
* short floats | The variance of the loss is 2 rho
~ return ndtr((rho - epsilon) / spread) - => return ndtr(np.float32((rho - epsilon) / spread)) -
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
