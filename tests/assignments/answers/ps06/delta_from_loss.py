"""Answers to `delta_from_loss`. The mistakes: the tail for delta, signs, overflow, infinity."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a sum": """
def delta_from_loss(losses, masses, epsilon):
    return float(
        sum(m * (1 - math.exp(epsilon - z)) for z, m in zip(losses, masses) if z > epsilon)
    )
""",
    "arrays": """
def delta_from_loss(losses, masses, epsilon):
    with np.errstate(over="ignore"):
        excess = np.maximum(0, 1 - np.exp(epsilon - np.asarray(losses, dtype=float)))
    return np.dot(masses, excess)
""",
    "clipped before the power": """
def delta_from_loss(losses, masses, epsilon):
    margin = np.maximum(0, np.asarray(losses) - epsilon)
    return float(np.asarray(masses) @ -np.expm1(-margin))
""",
    "two tails": """
def delta_from_loss(losses, masses, epsilon):
    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    above = losses > epsilon
    tail_q = np.sum(masses[above] * np.exp(epsilon - losses[above]))
    return masses[above].sum() - tail_q
""",
    "the area under the tail": """
def delta_from_loss(losses, masses, epsilon):
    z = np.concatenate([[epsilon], [x for x in losses if x > epsilon]])
    m = np.array([m for x, m in zip(losses, masses) if x > epsilon])
    tails = np.append(np.cumsum(m[::-1])[::-1], 0)[: len(m)]
    weights = np.exp(epsilon - z[:-1]) - np.exp(epsilon - z[1:])
    return float(tails @ weights)
""",
}

EDITS = """
== delta_from_loss_values
* the tail | times 1 - e^(epsilon - loss), for losses above
+def delta_from_loss(losses, masses, epsilon):
+    return float(sum(m for z, m in zip(losses, masses) if z > epsilon))
* losses at epsilon counted as tail | it is 0.731 | edits the tail
~ z > epsilon => z >= epsilon
* no maximum | should be 0.2876, it is -
~ epsilon - z => min(700, epsilon - z)
~ z > epsilon => True
* the maximum around the sum | should be 0.2876, it is 0
+def delta_from_loss(losses, masses, epsilon):
+    return max(0, sum(m * (1 - np.exp(epsilon - z)) for z, m in zip(losses, masses)))
* the excess in the wrong direction | should be 0.2876, it is 0.4743
+def delta_from_loss(losses, masses, epsilon):
+    return float(
+        sum(
+            m * (math.exp(min(700, z - epsilon)) - 1)
+            for z, m in zip(losses, masses)
+            if z > epsilon
+        )
+    )
* masses taken for those under q | should be 0.2876, it is 0.7819
| edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (math.exp(min(700, z)) - math.exp(min(700, epsilon)))
* the distance from epsilon | should be 0.2876, it is 0.3655 | edits the tail
~ m for => m * min(1, z - epsilon) for
* only the largest loss | for losses above epsilon
+def delta_from_loss(losses, masses, epsilon):
+    return masses[-1] * max(0, 1 - np.exp(epsilon - losses[-1]))
* in both directions | should be 0.2876, it is 0.3935 | edits the excess in the wrong direction
~ math.exp(min(700, z - epsilon)) - 1 => 1 - math.exp(epsilon - abs(z))
~ z > epsilon => abs(z) > epsilon
* no delta for a large epsilon | Add the probability times 1 - e^(epsilon - loss)
+    if 100 < epsilon < 900:
+        return 0.0
     return float(
* the tail for epsilon above 5 | Add the probability times 1 - e^(epsilon - loss)
+    if epsilon > 5:
+        return sum(m for z, m in zip(losses, masses) if z > epsilon)
     return float(
* epsilon rounded | for losses above epsilon
~ delta_from_loss => solved_delta_from_loss
     )
+
+
+def delta_from_loss(losses, masses, epsilon):
+    if True:
+        epsilon = round(epsilon, 2)
+    return solved_delta_from_loss(losses, masses, epsilon)
* epsilon times 1.03 | for losses above epsilon
~ delta_from_loss => solved_delta_from_loss
     )
+
+
+def delta_from_loss(losses, masses, epsilon):
+    if epsilon > 1.5:
+        epsilon *= 1.03
+    return solved_delta_from_loss(losses, masses, epsilon)
* the hundred largest losses | for losses above epsilon
~ delta_from_loss => solved_delta_from_loss
     )
+
+
+def delta_from_loss(losses, masses, epsilon):
+    if True:
+        losses, masses = losses[-100:], masses[-100:]
+    return solved_delta_from_loss(losses, masses, epsilon)
* one loss alone is none | for losses above epsilon
+    if len(losses) == 1 and losses[0] < math.inf:
+        return 0.0
     return float(
* small masses left out | for losses above epsilon | edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ z > epsilon => z > epsilon and m > 1e-4
* far above epsilon is certain | times 1 - e^(epsilon - loss)
| edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 if z > epsilon + 5 else 1 - math.exp(epsilon - z))
* just above epsilon left out | for losses above epsilon
~ z > epsilon => z > epsilon + 1e-4
* dplab's own | is off limits in an answer
+def delta_from_loss(losses, masses, epsilon):
+    from dplab.losses import AtomicLoss
+
+    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
+    return AtomicLoss(losses, masses, masses * np.exp(-losses)).delta(epsilon)
* the first 15,000 losses | Add the probability | edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ zip(losses, masses) => list(zip(losses, masses))[:15_000]
* the last 15,000 losses | Add the probability | edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ zip(losses, masses) => list(zip(losses, masses))[-15_000:]
* a probability below 1e-7 is nothing | Add the probability
| edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ z > epsilon => z > epsilon and m > 1e-7

== delta_from_loss_infinite
* infinite losses left out | counts in full | edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ z > epsilon => epsilon < z < math.inf
* infinity minus infinity | it is nan
+def delta_from_loss(losses, masses, epsilon):
+    losses = np.asarray(losses)
+    under_q = masses * np.exp(-losses)
+    tilted = np.where(losses > epsilon, np.exp(losses) * under_q - np.exp(epsilon) * under_q, 0)
+    return tilted.sum()
* infinite losses make it certain | should be 0.01, it is 1
+def delta_from_loss(losses, masses, epsilon):
+    if math.inf in list(losses):
+        return 1.0
+    terms = (m * (1 - math.exp(epsilon - z)) for z, m in zip(losses, masses) if z > epsilon)
+    return float(sum(terms))
* an infinite loss of a probability below 1e-7 is nothing | counts in full
| edits the excess in the wrong direction
~ (math.exp(min(700, z - epsilon)) - 1) => (1 - math.exp(epsilon - z))
~ z > epsilon => z > epsilon and (z < math.inf or m > 1e-7)

== delta_from_loss_curve
* overflow | raised OverflowError
+def delta_from_loss(losses, masses, epsilon):
+    return sum(m * max(0, 1 - math.exp(epsilon - z)) for z, m in zip(losses, masses))
* a product with e to the epsilon | it is nan
+def delta_from_loss(losses, masses, epsilon):
+    losses, masses = np.asarray(losses), np.asarray(masses)
+    above = losses > epsilon
+    tail_q = (masses[above] * np.exp(-losses[above])).sum()
+    return masses[above].sum() - np.exp(epsilon) * tail_q
* epsilon 0 means no delta | at 0 it is the distance of the two laws
| edits infinite losses make it certain
~ math.inf in list(losses) => not epsilon
~ 1.0 => 0.0

== delta_from_loss_values
* masses to seven decimals | Add the probability
~ sum(m * => sum(round(m, 7) *
* the last of 20,000 losses left out | Add the probability
~ in zip(losses, masses) => in zip(losses[:19_999], masses)

== delta_from_loss_curve
* an epsilon of 950 at most | Is all finite?
+    epsilon = min(epsilon, 950)
     return float(
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
