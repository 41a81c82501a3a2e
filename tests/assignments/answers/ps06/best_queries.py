"""Answers to `best_queries`. The mistakes: noise misread, theorems that fall short."""

from tests.assignments.edits import read_answers

RIGHT = {
    "addition or zCDP, and the exact normal law": """
def most(within):
    low, high = 0, 1
    while within(high) and high < 2**22:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if within(middle) else (low, middle)
    return low


def normal_delta(mu, epsilon):
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


def zcdp(rho, delta):
    a = 1 + math.sqrt(math.log(1 / delta) / rho) * np.exp(np.linspace(-4, 4, 400))
    return (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min()


def best_queries(epsilon, delta, sd):
    added = int(epsilon * sd / math.sqrt(2))
    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
    )
""",
    "optimal composition, and bisection in mu": """
def normal_delta(mu, epsilon):
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

def best_queries(epsilon, delta, sd):
    from scipy.special import gammaln

    e = math.sqrt(2) / sd
    truth = 1 / (1 + math.exp(-e))

    def coins(k):
        losses = e * (2 * np.arange(k + 1) - k)
        i = np.arange(k + 1)
        logs = gammaln(k + 1) - gammaln(i + 1) - gammaln(k - i + 1)
        law = np.exp(logs + i * math.log(truth) + (k - i) * math.log(1 - truth))
        return law @ np.maximum(0, -np.expm1(np.minimum(0, epsilon - losses)))

    k = max(1, int(epsilon / e))
    step = 2 ** int(math.log2(k) + 6)
    laplace = int(epsilon / e + 1e-12)
    while step >= 1:
        if coins(laplace + step) <= delta:
            laplace += step
        step //= 2
    low, high = 0.0, 10.0
    for _ in range(60):
        mu = (low + high) / 2
        low, high = (mu, high) if normal_delta(mu, epsilon) <= delta else (low, mu)
    return laplace, int((low * sd) ** 2)
""",
    "the best order found by scipy": """
def normal_delta(mu, epsilon):
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

def best_queries(epsilon, delta, sd):
    def rho(a):  # the largest rho whose epsilon is within the budget by this order
        return (epsilon - math.log1p(-1 / a) + math.log(delta * a) / (a - 1)) / a

    best = minimize_scalar(lambda t: -rho(1 + math.exp(t)), bounds=(-3, 9), method="bounded")
    laplace = max(math.floor(epsilon * sd / math.sqrt(2)), math.floor(-best.fun * sd**2), 0)
    normal = 0
    step = 2**17
    while step:
        if normal_delta(math.sqrt(normal + step) / sd, epsilon) <= delta:
            normal += step
        step //= 2
    return np.array([laplace, normal])
""",
}

EDITS = """
== best_queries_useful
* addition alone | more counts with Laplace noise would still be
-
 def normal_delta(mu, epsilon):
@@
     return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
-
@@
-
 def best_queries(epsilon, delta, sd):
@@
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
-    )
+    return added, most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta)
* the tight conversion for normal noise | more counts with normal noise would still be private
~ normal_delta(math.sqrt(k) / sd, epsilon) <= delta => zcdp(k / (2 * sd**2), delta) <= epsilon
* the classic sigma | yours are less than 90% of them
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
+    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), int(
+        (sd * epsilon) ** 2 / (2 * math.log(1.25 / delta))
* the L1 norm for normal noise | more counts with normal noise would still be private
~ math.sqrt(k) => k
* the tail of the loss for delta | more counts with normal noise would still be private
~ normal_delta(math.sqrt(k) / sd, epsilon) => ndtr(k**0.5 / sd / 2 - epsilon * sd / k**0.5)
* the simple conversion of zCDP | more counts with Laplace noise would still be private
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
-    )
+    return max(
+        added,
+        int(
+            sd**2
+            * (math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))) ** 2
+        ),
+    ), most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta)
* addition alone for a small epsilon | more counts with Laplace noise would still be private
~ best_queries => solved_best_queries
     )
+
+
+def best_queries(epsilon, delta, sd):
+    if epsilon < 0.39:
+        return int(epsilon * sd / math.sqrt(2)), solved_best_queries(epsilon, delta, sd)[1]
+    return solved_best_queries(epsilon, delta, sd)

== best_queries_addition
* zCDP alone | than addition allows
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
+    return most(lambda k: zcdp(k / sd**2, delta) <= epsilon), most(
* nothing at all | fewer counts with Laplace noise than addition allows
-
 def normal_delta(mu, epsilon):
@@
     return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
-
@@
-
 def best_queries(epsilon, delta, sd):
@@
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
-    )
+    return 0, 0

== best_queries_private
* sd taken for the scale | too large a delta: counts with Laplace noise
~ added, most => int(epsilon * sd), most
~ sd**2 => (2 * sd**2)
* Laplace noise taken for normal | too large a delta: counts with Laplace noise
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
+    return most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta), most(
* the formula with log(1 / delta) | too large a delta: counts with normal noise
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
+    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), int(
+        (sd * epsilon) ** 2 / math.log(1 / delta)
* delta for every count | too large a delta: counts with normal noise
~ math.sqrt(k) / sd, epsilon => 1 / sd, epsilon / math.sqrt(k)
* one too many | too large a delta
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
+    return 1 + max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), 1 + most(
* no whole numbers | is no whole number
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
-    )
+    return epsilon * sd / math.sqrt(2), (
+        (math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))) * sd
+    ) ** 2
* in the wrong order | too large a delta: counts with Laplace noise
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
+    return most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta), max(
+        added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)
* the better of the two | should be an array of shape (2,), it is one number
+def most(within):
+    low, high = 0, 1
+    while within(high) and high < 2**22:
+        low, high = high, 2 * high
+    while high - low > 1:
+        middle = (low + high) // 2
+        low, high = (middle, high) if within(middle) else (low, middle)
+    return low
+
+def normal_delta(mu, epsilon):
+    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
+
+def best_queries(epsilon, delta, sd):
+    return most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta)
* twice as many for a small epsilon | too large a delta
~ best_queries => solved_best_queries
     )
+
+
+def best_queries(epsilon, delta, sd):
+    if epsilon < 0.29:
+        return [2 * k for k in solved_best_queries(epsilon, delta, sd)]
+    return solved_best_queries(epsilon, delta, sd)
* twice as many for a large sd | too large a delta
~ best_queries => solved_best_queries
     )
+
+
+def best_queries(epsilon, delta, sd):
+    if sd > 160:
+        return [2 * k for k in solved_best_queries(epsilon, delta, sd)]
+    return solved_best_queries(epsilon, delta, sd)
* half a percent too many | too large a delta: counts with normal noise
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
-        lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta
+    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), int(
+        1.005 * most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta)
* Laplace counts a quarter too many | too large a delta: counts with Laplace noise
-    return max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon)), most(
+    return int(1.25 * max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon))), most(
* a whole sd | too large a delta: counts with normal noise
~ best_queries => solved_best_queries
     )
+
+
+def best_queries(epsilon, delta, sd):
+    if sd > 20:
+        sd = math.ceil(sd)
+    return solved_best_queries(epsilon, delta, sd)
* a delta of 1e-8 at least | too large a delta
~ best_queries => solved_best_queries
     )
+
+
+def best_queries(epsilon, delta, sd):
+    if delta < 1e-8:
+        delta = 1e-8
+    return solved_best_queries(epsilon, delta, sd)
* addition rounded up | too large a delta: counts with Laplace noise
~ added = int => added = math.ceil
* dplab's own | is off limits in an answer
+def most(within):
+    low, high = 0, 1
+    while within(high) and high < 2**22:
+        low, high = high, 2 * high
+    while high - low > 1:
+        middle = (low + high) // 2
+        low, high = (middle, high) if within(middle) else (low, middle)
+    return low
+
+def best_queries(epsilon, delta, sd):
+    def within(loss):
+        return lambda k: delta_bounds([Release(loss, k)], epsilon=epsilon).upper <= delta
+
+    added = int(epsilon * sd / math.sqrt(2))
+    laplace = max(added, most(within(LaplaceLoss(math.sqrt(2) / sd))))
+    return laplace, most(within(GaussianLoss(1 / sd)))

== best_queries_useful
* a delta of 1e-5 at most | would still be private
+    delta = min(delta, 1e-5)
     added = int(epsilon * sd / math.sqrt(2))
* an sd of 150 at most | would still be private
+    sd = min(sd, 150)
     added = int(epsilon * sd / math.sqrt(2))

== best_queries_private
* an epsilon of 0.25 at least | too large a delta
+    epsilon = max(epsilon, 0.25)
     added = int(epsilon * sd / math.sqrt(2))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
