"""Answers to `renyi_divergence`. The mistakes: overflow, the two ends, the infinite loss."""

from tests.assignments.edits import read_answers

RIGHT = {
    "four cases": """
def renyi_divergence(losses, masses, alpha):
    z, m = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    z, m = z[m > 0], m[m > 0]
    if np.isinf(z).any():
        return math.inf
    if alpha == 1:
        return z @ m
    if alpha == math.inf:
        return z.max()
    top = z.max()
    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
""",
    "scipy's logsumexp": """
def renyi_divergence(losses, masses, alpha):
    from scipy.special import logsumexp

    z, m = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    z, m = z[m > 0], m[m > 0]
    if alpha == math.inf or z[-1] == math.inf:
        return z[-1]
    if alpha == 1:
        return np.average(z, weights=m)
    return logsumexp((alpha - 1) * z, b=m) / (alpha - 1)
""",
    "a loop and fsum": """
def renyi_divergence(losses, masses, alpha):
    pairs = [(z, m) for z, m in zip(losses, masses) if m > 0]
    top = max(z for z, m in pairs)
    if math.isinf(top) or math.isinf(alpha):
        return float(top)
    if alpha == 1:
        return math.fsum(z * m for z, m in pairs)
    scaled = math.fsum(m * math.exp((alpha - 1) * (z - top)) for z, m in pairs)
    return top + math.log(scaled) / (alpha - 1)
""",
    "logaddexp, term by term": """
def renyi_divergence(losses, masses, alpha):
    possible = [(float(z), float(m)) for z, m in zip(losses, masses) if m]
    if any(z == math.inf for z, _ in possible) or alpha == math.inf:
        return max(z for z, _ in possible)
    if alpha == 1:
        return sum(z * m for z, m in possible)
    total = -math.inf
    for z, m in possible:
        total = np.logaddexp(total, math.log(m) + (alpha - 1) * z)
    return total / (alpha - 1)
""",
}

EDITS = """
== renyi_divergence_large
* overflow | Take the largest term out of the sum
~ return top + np => return np
~ (z - top) => z
* large orders taken for infinity | Even an order of 1000 is no infinity
~ alpha == math.inf => alpha > 100
* clipped exponents | Take the largest term out
~ return top + np => return np
~ (alpha - 1) * (z - top) => np.clip((alpha - 1) * z, -700, 700)
* never below 0 | Take the largest term out of the sum
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return max(0, top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1))

== renyi_divergence_values
* alpha for alpha minus 1 | The logarithm of the mean of e^((alpha - 1) Z)
~ (m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1) => (m @ np.exp(alpha * (z - top))) / alpha
* not divided | divided by alpha - 1
~ return top => return (alpha - 1) * top
~ (m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1) => (m @ np.exp((alpha - 1) * (z - top)))
* divided by alpha | divided by alpha - 1
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return ((alpha - 1) * top + np.log(m @ np.exp((alpha - 1) * (z - top)))) / alpha
* masses taken for those under q | the mean of e^((alpha - 1) Z)
~ np.log(m @ np.exp((alpha - 1) * (z - top))) / => (np.log(m @ np.exp(alpha * (z - top))) + top) /
* no logarithm | The logarithm
~ top + np.log(m @ np.exp((alpha - 1) * (z - top))) => m @ np.exp(np.minimum((alpha - 1) * z, 700))
* the mean of the exponents | The logarithm of the mean
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return np.log(np.exp(np.minimum((alpha - 1) * z, 700)).mean()) / (alpha - 1)
* the mean for every order | it is 0.5
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return z @ m
* the largest loss for every order | it is 1
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return top
* the mean for orders near 1 | The logarithm of the mean of e^((alpha - 1) Z)
~ renyi_divergence => solved_renyi_divergence
     return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+
+
+def renyi_divergence(losses, masses, alpha):
+    if alpha < 1.1:
+        alpha = 1
+    return solved_renyi_divergence(losses, masses, alpha)
* thousands taken for infinity | The logarithm of the mean of e^((alpha - 1) Z)
~ renyi_divergence => solved_renyi_divergence
     return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+
+
+def renyi_divergence(losses, masses, alpha):
+    if alpha > 2000:
+        alpha = math.inf
+    return solved_renyi_divergence(losses, masses, alpha)
* whole orders | The logarithm of the mean of e^((alpha - 1) Z)
~ renyi_divergence => solved_renyi_divergence
     return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+
+
+def renyi_divergence(losses, masses, alpha):
+    if 10 < alpha < math.inf:
+        alpha = int(alpha)
+    return solved_renyi_divergence(losses, masses, alpha)
* orders times 1.03 | The logarithm of the mean of e^((alpha - 1) Z)
~ renyi_divergence => solved_renyi_divergence
     return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+
+
+def renyi_divergence(losses, masses, alpha):
+    if 9 < alpha < 900:
+        alpha *= 1.03
+    return solved_renyi_divergence(losses, masses, alpha)
* the hundred largest losses | The logarithm of the mean of e^((alpha - 1) Z)
~ renyi_divergence => solved_renyi_divergence
     return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+
+
+def renyi_divergence(losses, masses, alpha):
+    if True:
+        losses, masses = losses[-100:], masses[-100:]
+    return solved_renyi_divergence(losses, masses, alpha)
* one loss alone is none | The logarithm of the mean of e^((alpha - 1) Z)
+    if len(losses) == 1 and losses[0] < math.inf:
+        return 0.0
     z, m = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
* terms far below the top left out | The logarithm of the mean of e^((alpha - 1) Z)
-    return top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)
+    return top + np.log(m @ np.where(z > top - 0.5, np.exp((alpha - 1) * (z - top)), 0)) / (
+        alpha - 1
+    )
* dplab's own | is off limits in an answer
+def renyi_divergence(losses, masses, alpha):
+    from dplab.losses import AtomicLoss
+
+    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
+    if alpha == 1 or alpha == math.inf:
+        return losses[masses > 0] @ masses[masses > 0] if alpha == 1 else losses[masses > 0][-1]
+    return AtomicLoss(losses, masses, masses).renyi(alpha)
* the first 15,000 losses | The logarithm of the mean
+    z, m = z[:15_000], m[:15_000]
     z, m = z[m > 0], m[m > 0]
* the last 15,000 losses | The logarithm of the mean
+    z, m = z[-15_000:], m[-15_000:]
     z, m = z[m > 0], m[m > 0]
* an order near 1 is 1 | The logarithm of the mean
~ alpha == 1 => alpha < 1.0011

== renyi_divergence_ends
* no case for order 1 | it is nan
~ z @ m => np.log(m @ np.exp((alpha - 1) * z)) / (alpha - 1)
* 0 at order 1 | should be 0.5, it is 0
~ z @ m => 0.0
* no case for infinity | At infinity it is the largest loss
~ return z.max() => return np.log(m @ np.exp((alpha - 1) * z)) / (alpha - 1)
* the largest |loss| at infinity | At infinity it is the largest loss
~ return z.max => return abs(z).max
* infinity by identity | At infinity it is the largest loss
~ alpha == math => alpha is math
* what is rarer than 1e-15 is not the largest | however rarely
~ return z.max => return z[m > 1e-15].max

== renyi_divergence_infinite
* impossible losses kept | it never happens
~2 m > 0 => m >= 0
* infinite losses left out | An infinite loss can happen here
~ [m > 0], m[m > 0] => [(m > 0) & np.isfinite(losses)], m[(m > 0) & np.isfinite(losses)]
* nan for an infinite loss | it is nan
~ return math.inf => return np.log(m @ np.exp((alpha - 1) * (z - z.max()))) / (alpha - 1)

== renyi_divergence_large
* an order of 500,000 at most | Take the largest term out of the sum
~ top = z.max() => alpha, top = min(alpha, 500_000), z.max()

== renyi_divergence_values
* masses in single precision | The logarithm of the mean
~ z[m > 0], m[m > 0] => z[m > 0], m[m > 0].astype(np.float32).astype(float)

== renyi_divergence_infinite
* masses below 1e-250 are none | An infinite loss can happen here
~ z, m = z[m > 0], m[m > 0] => z, m = z[m > 1e-250], m[m > 1e-250]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
