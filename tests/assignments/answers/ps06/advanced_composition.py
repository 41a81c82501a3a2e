"""Answers to `advanced_composition`. The mistakes: what copies of the formula have lost."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two terms": """
def advanced_composition(epsilon, delta_0, k, delta):
    if not 0 < delta < 1 or k < 1:
        raise ValueError(f"delta must be above 0 and below 1, and k at least 1: {delta}, {k}")
    total = epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)
    return total, min(1, k * delta_0 + delta)
""",
    "numpy": """
def advanced_composition(epsilon, delta_0, k, delta):
    if k < 1:
        raise ValueError("k must be at least 1")
    if not (delta > 0 and delta < 1):
        raise ValueError("delta must be in (0, 1)")
    root = np.sqrt(-2 * k * np.log(delta))
    drift = k * (np.exp(epsilon) - 1)
    return np.array([epsilon * (root + drift), np.minimum(1.0, delta + k * delta_0)])
""",
    "drift and spread by name": """
def advanced_composition(epsilon, delta_0, k, delta):
    if delta <= 0 or delta >= 1 or delta != delta or k <= 0:
        raise ValueError(f"no root for delta = {delta}, k = {k}")
    mean_of_one = epsilon * (math.e**epsilon - 1)
    spread = epsilon * k**0.5
    deviations = (2 * math.log(delta**-1)) ** 0.5
    delta_total = delta
    for _ in range(k):
        delta_total += delta_0
    return [k * mean_of_one + deviations * spread, delta_total if delta_total < 1 else 1.0]
""",
}

EDITS = """
== advanced_composition_values
* without the 2 in the root | the 2 and the k in the root
~ 2 * k => k
* the 2 before the root | should be [6.308, 1e-06]
~ total = epsilon => total = 2 * epsilon
~ 2 * k => k
* without the k in the root | the 2 and the k in the root
~ 2 * k => 2
* without the root | Is everything there
~ math.sqrt(2 * k * math.log(1 / delta)) => 2 * k * math.log(1 / delta)
* a logarithm to base 10 | the logarithm of 1 / delta
~ math.log => math.log10
* the drift without its 1 | should be [6.308, 1e-06]
~ math.expm1 => math.exp
* one sum of two terms | should be an array of shape (2,), it is one number
+def advanced_composition(epsilon, delta_0, k, delta):
+    if not 0 < delta < 1 or k < 1:
+        raise ValueError("delta or k")
+    root = epsilon * math.sqrt(2 * k * math.log(1 / delta))
+    return root + k * epsilon * math.expm1(epsilon)
* a thousand releases at most | the 2 and the k in the root
~ advanced_composition => solved_advanced_composition
     return total, min(1, k * delta_0 + delta)
+
+
+def advanced_composition(epsilon, delta_0, k, delta):
+    if k > 1000:
+        k = 1000
+    return solved_advanced_composition(epsilon, delta_0, k, delta)
* one release needs no theorem | the 2 and the k in the root
+    if k == 1 and 0 < delta < 1:
+        return epsilon, min(1, delta_0 + delta)
     if not 0 < delta < 1 or k < 1:
* a delta of a billionth at least | the logarithm of 1 / delta
~ advanced_composition => solved_advanced_composition
     return total, min(1, k * delta_0 + delta)
+
+
+def advanced_composition(epsilon, delta_0, k, delta):
+    if 0 < delta < 1e-9:
+        delta = 1e-9
+    return solved_advanced_composition(epsilon, delta_0, k, delta)
* a middling epsilon times 1.03 | the 2 and the k in the root
~ advanced_composition => solved_advanced_composition
     return total, min(1, k * delta_0 + delta)
+
+
+def advanced_composition(epsilon, delta_0, k, delta):
+    if 0.5 < epsilon < 0.9:
+        epsilon *= 1.03
+    return solved_advanced_composition(epsilon, delta_0, k, delta)
* dplab's own | is off limits in an answer
+def advanced_composition(epsilon, delta_0, k, delta):
+    from dplab.accounting import advanced_composition as composed
+
+    if not 0 < delta < 1 or k < 1:
+        raise ValueError("delta or k")
+    promise = composed(ApproxDP(epsilon, delta_0), k, delta=delta)
+    return promise.epsilon, promise.delta
* a delta is at most 0.998 | the logarithm of 1 / delta
~ 1 / delta => 1 / min(delta, 0.998)

== advanced_composition_drift
* without the drift | The drift is k * epsilon * (exp(epsilon) - 1)
-    total = epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)
+    total = epsilon * math.sqrt(2 * k * math.log(1 / delta))
* the drift without its k | should be [224.4, 1e-06], it is [54.28, 1e-06]
~ k * epsilon => epsilon
* the drift for small epsilon only | it is [152.6, 1e-06]
~ epsilon * math.expm1(epsilon) => epsilon**2
* the drift of the loss itself | The drift is
~ epsilon * math.expm1(epsilon) => epsilon**2 / 2
* the smaller of it and basic composition | should be [224.4, 1e-06], it is [100, 1e-06]
-    total = epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)
+    total = min(
+        k * epsilon,
+        epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon),
+    )
* no drift for a small epsilon | for small and for large epsilon
+    if 0 < epsilon < 0.005 and 0 < delta < 1 and k >= 1:
+        return epsilon * math.sqrt(2 * k * math.log(1 / delta)), min(1, k * delta_0 + delta)
     if not 0 < delta < 1 or k < 1:
* addition for a large epsilon | for small and for large epsilon
+    if epsilon > 3:
+        return k * epsilon, min(1, k * delta_0 + delta)
     if not 0 < delta < 1 or k < 1:
* ten terms of a power series | The drift is k * epsilon * (exp(epsilon) - 1)
~ math.expm1(epsilon) => sum(epsilon**i / math.factorial(i) for i in range(1, 11))
* no drift below 1e-5 | for small and for large epsilon
~ (epsilon) => (epsilon) * (epsilon > 1e-5)

== advanced_composition_delta
* the releases' own delta forgotten | Each of the k releases adds its delta_0
~ min(1, k * delta_0 + delta) => delta
* delta taken k times | it is [0, 0.0011]
~ (1, k * delta_0 + delta) => (1, k * (delta_0 + delta))
* a probability above 1 | no probability exceeds 1
~ total, min(1, k * delta_0 + delta) => total, k * delta_0 + delta
* delta_0 only without epsilon | Each of the k releases adds its delta_0
~ advanced_composition => solved_advanced_composition
     return total, min(1, k * delta_0 + delta)
+
+
+def advanced_composition(epsilon, delta_0, k, delta):
+    if epsilon > 0:
+        delta_0 = 0
+    return solved_advanced_composition(epsilon, delta_0, k, delta)
* a small delta_0 forgotten | Each of the k releases adds its delta_0
~ advanced_composition => solved_advanced_composition
     return total, min(1, k * delta_0 + delta)
+
+
+def advanced_composition(epsilon, delta_0, k, delta):
+    if delta_0 < 5e-7:
+        delta_0 = 0
+    return solved_advanced_composition(epsilon, delta_0, k, delta)

== advanced_composition_input
* nothing refused | delta must be above 0
+def advanced_composition(epsilon, delta_0, k, delta):
+    if delta == 0:
+        return k * epsilon, k * delta_0
+    root = epsilon * math.sqrt(2 * k * abs(math.log(abs(delta))))
+    return root + k * epsilon * math.expm1(epsilon), min(1, k * delta_0 + delta)
* infinity goes by | delta must be above 0 and below 1
~ or k => and delta < 1e300 or k
~ math.log(1 / delta) => abs(math.log(min(delta, 2)))

== advanced_composition_values
* six digits | the logarithm of 1 / delta
~ return total, => return float(f"{total:.6g}"),
* a delta of 1e-14 at least | the logarithm of 1 / delta
~ math.log(1 / delta) => math.log(1 / max(delta, 1e-14))
* 999,990 releases at most | the logarithm of 1 / delta
+    k = min(k, 999_990)
     total = epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)

== advanced_composition_input
* a k below -50 goes by | k must be at least 1
~ or k < 1 => or -50 < k < 1
~ 2 * k * => 2 * abs(k) *
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
