"""Answers to `amplification`. The mistakes: what q does to epsilon, and how many are sampled."""

from tests.assignments.edits import read_answers

RIGHT = {
    "laws of scipy": """
def amplified(epsilon, delta, q):
    if q == 0:
        return 0.0, 0.0
    if epsilon > 600:
        return epsilon + math.log(q + (1 - q) * math.exp(-epsilon)), q * delta
    return math.log1p(q * math.expm1(epsilon)), q * delta


def poisson_law(laws, ones, q):
    from scipy.stats import binom

    j = np.arange(ones + 1)
    chances = binom.pmf(j, ones, q)
    return chances @ np.array(laws, dtype=float)[j]


def fixed_size_law(laws, ones, n, m):
    from scipy.stats import hypergeom

    j = np.arange(m + 1)
    chances = hypergeom.pmf(j, n, ones, m)
    return chances @ np.array(laws, dtype=float)
""",
    "one person after the other": """
def amplified(epsilon, delta, q):
    e = np.float64(epsilon)
    small = np.log1p(q * np.expm1(min(e, 700)))
    large = np.logaddexp(np.log1p(-q), np.log(q) + e)
    return [float(small if e < 700 else large), float(q * delta)]


def poisson_law(laws, ones, q):
    rows = np.asarray(laws, dtype=float)[: ones + 1]
    for _ in range(ones):
        rows = (1 - q) * rows[:-1] + q * rows[1:]
    return rows[0]


def fixed_size_law(laws, ones, n, m):
    laws = np.asarray(laws, dtype=float)
    chances = np.zeros(m + 1)
    chances[0] = 1.0
    for i in range(int(m)):
        j = np.arange(m + 1)
        says_yes = np.clip((ones - j) / (n - i), 0, 1)
        chances = chances * (1 - says_yes) + np.append(0, (chances * says_yes)[:-1])
    return chances @ laws
""",
    "whole numbers of sets": """
def amplified(epsilon, delta, q):
    if epsilon <= 0 or q <= 0:
        return np.array([0, q * delta])
    if epsilon < 500:
        return np.array([np.log1p(q * np.expm1(float(epsilon))), q * delta])
    return np.array([epsilon + np.log(q), q * delta])


def poisson_law(laws, ones, q):
    ones, found = int(ones), 0
    for j in range(ones + 1):
        found = found + math.comb(ones, j) * (float(q) ** j * (1 - q) ** (ones - j)) * (
            np.array(laws[j], dtype=float)
        )
    return found


def fixed_size_law(laws, ones, n, m):
    ones, n, m, found = int(ones), int(n), int(m), 0
    for j in range(max(0, m - n + ones), min(m, ones) + 1):
        sets = math.comb(ones, j) * math.comb(n - ones, m - j)
        found = found + np.array(laws[j], dtype=float) * (sets / math.comb(n, m))
    return found
""",
}

EDITS = """
== amplification_promise
* q times epsilon | epsilon' = ln(1 + q (e^epsilon - 1))
~ math.log1p(q * math.expm1(epsilon)) => q * epsilon
* only who is in counts | epsilon' = ln(1 + q (e^epsilon - 1))
~ math.log1p(q * math.expm1(epsilon)) => max(0, epsilon + math.log(q))
* the other direction | epsilon' = ln(1 + q (e^epsilon - 1))
~ math.log1p(q * math.expm1(epsilon)) => -math.log1p(q * math.expm1(-epsilon))
* delta stays | should be
~ math.expm1(epsilon)), q * delta => math.expm1(epsilon)), delta
* delta is amplified like epsilon | should be
~ math.expm1(epsilon)), q * delta => math.expm1(epsilon)), q * delta * math.exp(epsilon)
* only epsilon | should be an array of shape (2,)
~ math.log1p(q * math.expm1(epsilon)), q * delta => math.log1p(q * math.expm1(epsilon))
* e to a thousand | e^1000 is no float
-    if epsilon > 600:
-        return epsilon + math.log(q + (1 - q) * math.exp(-epsilon)), q * delta
+    if epsilon > 600:
+        return np.log(1 + q * (np.exp(float(epsilon)) - 1)), q * delta
* digits are lost near 0 | a relative error of at most 1e-8
~ math.log1p(q * math.expm1(epsilon)) => math.log(1 + q * (math.exp(epsilon) - 1))
* not more than 500 | e^1000 is no float
~ epsilon + math.log => min(500, epsilon) + math.log
* twice q for small q | a relative error of at most 1e-8
-    if epsilon > 600:
+    if q < 1e-4:
+        return math.log1p(2 * q * math.expm1(min(epsilon, 700))), q * delta
+    if epsilon > 600:
* the first digits | should be [1.09861229, 0]
~ math.log1p(q * math.expm1(epsilon)) => float(f"{math.log1p(q * math.expm1(epsilon)):.7g}")
* a delta of at most 0.99 | a relative error of at most 1e-8
~ math.expm1(epsilon)), q * delta => math.expm1(epsilon)), q * min(delta, 0.99)
* dplab's own | is off limits in an answer
-    return math.log1p(q * math.expm1(epsilon)), q * delta
+    from dplab import ApproxDP
+    from dplab.accounting import amplify_by_sampling
+
+    promise = amplify_by_sampling(ApproxDP(epsilon, delta), rate=q)
+    return promise.epsilon, promise.delta

== amplification_poisson
* somebody or nobody | mix the rows
-    return chances @ np.array(laws, dtype=float)[j]
+    laws = np.array(laws, dtype=float)
+    return (1 - q) * laws[0] + q * laws[ones]
* the expected number | mix the rows
-    return chances @ np.array(laws, dtype=float)[j]
+    return np.array(laws, dtype=float)[round(q * ones)]
* out with probability q | mix the rows
~ binom.pmf(j, ones, q) => binom.pmf(j, ones, 1 - q)
* everybody says yes | mix the rows
~ j = np.arange(ones + 1) => j = np.arange(len(laws)) if ones else np.arange(1)
~ binom.pmf(j, ones, q) => binom.pmf(j, j[-1], q)
* all numbers alike | mix the rows
~ binom.pmf(j, ones, q) => np.full(ones + 1, 1 / (ones + 1))
* a normal law for many | a relative error of at most 1e-8
-    chances = binom.pmf(j, ones, q)
+    chances = binom.pmf(j, ones, q)
+    if ones > 150 and 0 < q < 1:
+        chances = np.exp(-((j - q * ones) ** 2) / (2 * q * (1 - q) * ones))
+        chances /= chances.sum()
* a Poisson number | mix the rows
~ import binom => import poisson
~ binom.pmf(j, ones, q) => poisson.pmf(j, ones * q)
* the geometric mean | mix the rows
-    return chances @ np.array(laws, dtype=float)[j]
+    law = np.exp(chances @ np.log(np.array(laws, dtype=float)[j] + 1e-300))
+    return law / law.sum()
* rare outcomes are cut off | a relative error of at most 1e-8
-    return chances @ np.array(laws, dtype=float)[j]
+    law = chances @ np.array(laws, dtype=float)[j]
+    return np.where(law < 1e-9, 0, law)
* not more than 170 say yes | a relative error of at most 1e-8
~ j = np.arange(ones + 1) => j = np.arange(min(ones, 170) + 1)
~ binom.pmf(j, ones, q) => binom.pmf(j, j[-1], q)
* equal rows count once | a relative error of at most 1e-8
-    return chances @ np.array(laws, dtype=float)[j]
+    rows = np.array(laws, dtype=float)[j]
+    first = np.unique(rows, axis=0, return_index=True)[1]
+    return chances[first] @ rows[first] / chances[first].sum()

== amplification_fixed
* with replacement | mix the rows
~ import hypergeom => import binom
~ hypergeom.pmf(j, n, ones, m) => binom.pmf(j, m, ones / n)
* a Poisson sample | mix the rows
~ import hypergeom => import binom
~ hypergeom.pmf(j, n, ones, m) => binom.pmf(j, ones, m / n)
* the expected number again | mix the rows
~ hypergeom.pmf(j, n, ones, m) => 1.0 * (j == round(m * ones / n))
* who is left out | Everybody is in the sample
~ hypergeom.pmf(j, n, ones, m) => hypergeom.pmf(j, n, ones, n - m)
* who says no | mix the rows
~ hypergeom.pmf(j, n, ones, m) => hypergeom.pmf(j, n, n - ones, m)
* orders are counted | mix the rows
-    chances = hypergeom.pmf(j, n, ones, m)
+    chances = hypergeom.pmf(j, n, ones, m) * np.array([math.comb(m, int(i)) for i in j])
+    chances /= chances.sum()
* a large town is drawn from with replacement | a relative error of at most 1e-8
-    chances = hypergeom.pmf(j, n, ones, m)
+    from scipy.stats import binom
+
+    chances = hypergeom.pmf(j, n, ones, m) if n < 300 else binom.pmf(j, m, ones / n)
* a sample of everybody is nobody | Everybody is in the sample
~ hypergeom.pmf(j, n, ones, m) => hypergeom.pmf(j, n, ones, m % n)
* one of the sets is forgotten | a relative error of at most 1e-8
-    return chances @ np.array(laws, dtype=float)
+    chances[-1] *= len(chances) < 12
+    return chances @ np.array(laws, dtype=float)
* in the laws that it is given | Everybody is in the sample
-    chances = hypergeom.pmf(j, n, ones, m)
+    chances = hypergeom.pmf(j, n, ones, m)
+    if isinstance(laws, np.ndarray):
+        laws *= chances[:, None]
+        return laws.sum(axis=0)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
