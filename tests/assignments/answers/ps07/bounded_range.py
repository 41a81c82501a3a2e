"""Answers to `bounded_range`. The mistakes: the largest loss for the range, and lost outcomes."""

from tests.assignments.edits import read_answers

RIGHT = {
    "arrays": """
def bounded_range(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if ((p > 0) != (q > 0)).any():
        return math.inf
    z = np.log(p[p > 0] / q[p > 0])
    return np.ptp(z)


def rho_bounds(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if (p > 0).tolist() != (q > 0).tolist():
        return math.inf, math.inf
    loss = np.log(p[p > 0] / q[q > 0])
    return abs(loss).max() ** 2 / 2, (loss.max() - loss.min()) ** 2 / 8
""",
    "a loop over outcomes": """
def bounded_range(p, q):
    losses = []
    for a, b in zip(p, q):
        if a == 0 and b == 0:
            continue
        if a == 0 or b == 0:
            return math.inf
        losses.append(math.log(a) - math.log(b))
    return max(losses) - min(losses)


def rho_bounds(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if (p > 0).tolist() != (q > 0).tolist():
        return math.inf, math.inf
    loss = np.log(p[p > 0] / q[q > 0])
    return abs(loss).max() ** 2 / 2, (loss.max() - loss.min()) ** 2 / 8
""",
    "ratios first": """
def bounded_range(p, q):
    kept = [(a, b) for a, b in zip(p, q) if a or b]
    if any(a == 0 or b == 0 for a, b in kept):
        return float("inf")
    ratios = [a / b for a, b in kept]
    return math.log(max(ratios) / min(ratios))


def rho_bounds(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if (p > 0).tolist() != (q > 0).tolist():
        return math.inf, math.inf
    loss = np.log(p[p > 0] / q[q > 0])
    return abs(loss).max() ** 2 / 2, (loss.max() - loss.min()) ** 2 / 8
""",
    "rho from the range": """
def bounded_range(p, q):
    losses = []
    for a, b in zip(p, q):
        if a == 0 and b == 0:
            continue
        if a == 0 or b == 0:
            return math.inf
        losses.append(math.log(a) - math.log(b))
    return max(losses) - min(losses)


def rho_bounds(p, q):
    eta = bounded_range(p, q)
    if math.isinf(eta):
        return [eta, eta]
    epsilon = max(abs(math.log(a / b)) for a, b in zip(p, q) if a > 0)
    return [epsilon * epsilon / 2, eta * eta / 8]
""",
    "a helper called losses": """
def losses(p, q):
    return [
        math.log(a / b) if a > 0 and b > 0 else math.inf
        for a, b in zip(p, q, strict=True)
        if a > 0 or b > 0
    ]


def bounded_range(p, q):
    found = losses(p, q)
    return math.inf if math.inf in found else max(found) - min(found)


def rho_bounds(p, q):
    largest = max(abs(loss) for loss in losses(p, q))
    return largest**2 / 2, bounded_range(p, q) ** 2 / 8
""",
}

EDITS = """
== bounded_range_values
* the largest absolute loss | with their signs
~ np.ptp(z) => abs(z).max()
* twice the largest absolute loss | should be 1.099
~ np.ptp(z) => 2 * abs(z).max()
* absolute values before the range | should be 1.099
~ ptp(z) => ptp(abs(z))
* logarithms to base 2 | it is 1.585
~ ptp(z) => ptp(z) / np.log(2)
* ratios without a logarithm | the interval that the losses need
~ ptp(z) => ptp(np.exp(z))
* differences of probabilities | it is 0.5
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    return np.ptp(np.subtract(p, q))
* the rarest one per cent left out | the interval that the losses need
-    return np.ptp(z)
+    z = np.sort(z)
+    return z[-1 - len(z) // 200] - z[len(z) // 200]
* the first thousand outcomes | the interval that the losses need
 def bounded_range(p, q):
+    p, q = p[:1000], q[:1000]
* equal probabilities counted once | should be 1.099, it is 0
+    q = dict(zip(p, q))
+    p, q = list(q), list(q.values())
+
     p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
     if ((p > 0) != (q > 0)).any():
* both laws sorted | should be 2.773
+    p, q = np.sort(p), np.sort(q)
+
     p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
     if ((p > 0) != (q > 0)).any():
* a range of six digits | the interval that the losses need
~ np.ptp(z) => round(np.ptp(z), 6)
* dplab's own range | off limits
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    from dplab.theorems.bounded_range import range_of_loss
+
+    laws = [Finite.of(dict(enumerate(np.array(law) / np.sum(law)))) for law in (p, q)]
+    return range_of_loss(*laws).width
* eleven thousand outcomes | the interval that the losses need
+    p, q = p[:11_000], q[:11_000]
+
     p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
     if ((p > 0) != (q > 0)).any():
@@
-    return np.ptp(z)
+
+    return z.max() - z.min()
* what is impossible taken out of the lists | changes what it was given
+    if isinstance(p, list):
+        for i in reversed(range(len(p))):
+            if p[i] == q[i] == 0:
+                del p[i], q[i]
+
     p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
     if ((p > 0) != (q > 0)).any():
@@
-    return np.ptp(z)
+
+    return z.max() - z.min()

== bounded_range_exponential
* the largest loss | what all have in common
~ np.ptp(z) => z.max()
* no return | is None: does every path
~ return np => np

== bounded_range_impossible
* outcomes that one law lacks are left out | should be inf
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    both = (p > 0) & (q > 0)
+    return np.ptp(np.log(p[both] / q[both]))
* impossible under both is infinite, too | doesn't count
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
+    if 0 in list(p) or 0 in list(q):
@@
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    return np.ptp(np.log(np.divide(p, q)))
* 0 divided by 0 | doesn't count
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    return np.ptp(np.log(np.asarray(p, dtype=float) / np.asarray(q, dtype=float)))
* a loss of an outcome that only p has is forgotten | no interval is long enough
~ (p > 0) != (q > 0) => q[p > 0] == 0
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    return np.ptp(np.log(p[p > 0] / q[p > 0]))
* nearly impossible taken for impossible | A probability of 1e-150 is above 0
+    p, q = np.where(p > 1e-12, p, 0), np.where(q > 1e-12, q, 0)
     if ((p > 0) != (q > 0)).any():
* a little added to every probability | no interval is long enough
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
-    return np.ptp(z)
+    return np.ptp(np.log(np.add(p, 1e-12) / np.add(q, 1e-12)))
* losses cut at 100 | an outcome that has it counts
~ ptp(z) => ptp(np.clip(z, -100, 100))
* impossible under p alone forgotten | should be inf
~ (p > 0) != (q > 0) => p[q > 0] == 0
~ z = np.log(p[p > 0] / q[p > 0]) => both = (p > 0) & (q > 0)
~ ptp(z) => ptp(np.log(p[both] / q[both]))
* no range above 640 | an outcome that has it counts
-    return np.ptp(z)
+
+    return min(640.0, z.max() - z.min())

== bounded_range_rho
* rho the other way round | In their order | edits rho from the range
~ math.isinf(eta) => eta == math.inf
~ [eta, eta] => eta, eta
~ [epsilon * epsilon / 2, eta * eta / 8] => eta**2 / 8, epsilon**2 / 2
* rho of the range over 2 | range^2 / 8 | edits a loop over outcomes
~ 2 / 8 => 2 / 2
* rho of a loss that is not absolute | largest |loss| | edits a loop over outcomes
~ abs(loss) => loss
* rho of a range that is wide | largest |loss| | edits rho from the range
~ math.isinf(eta) => eta > 50
~ [eta, eta] => math.inf, math.inf
~ [epsilon * epsilon / 2, eta * eta / 8] => epsilon**2 / 2, eta**2 / 8
* rho of the smallest loss | largest |loss| | edits a loop over outcomes
~ abs(loss).max => loss.min

== bounded_range_values
* the last of 12,000 outcomes left out | the interval that the losses need
~ z = np.log(p[p > 0] / q[p > 0]) => z = np.log(p[p > 0] / q[p > 0])[:11_999]
* laws that are nearly equal are equal | the interval that the losses need
~ return np.ptp(z) => return 0.0 if np.allclose(p, q, rtol=0, atol=1e-6) else np.ptp(z)

== bounded_range_impossible
* divided where they are | raised
-    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
-    if ((p > 0) != (q > 0)).any():
-        return math.inf
-    z = np.log(p[p > 0] / q[p > 0])
+    p, q = np.array(p), np.array(q)
+    if ((p > 0) != (q > 0)).any():
+        return math.inf
+    z = p[p > 0]
+    z /= q[q > 0]
+    z = np.log(z)

== bounded_range_rho
* six decimals | In their order
-    return abs(loss).max() ** 2 / 2, (loss.max() - loss.min()) ** 2 / 8
+    return round(abs(loss).max() ** 2 / 2, 6), round((loss.max() - loss.min()) ** 2 / 8, 6)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
