"""Answers to `loss_distribution`. The mistakes: the wrong law, the wrong order, the impossible."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a dict": """
def loss_distribution(p, q):
    pairs = [(math.log(a / b) if b > 0 else math.inf, a) for a, b in zip(p, q) if a > 0]
    law, last = {}, -math.inf
    for loss, mass in sorted(pairs):
        if loss > last + 1e-7:
            last = loss
        law[last] = law.get(last, 0) + mass

    losses = sorted(law)
    return np.array([losses, [law[z] for z in losses]])
""",
    "arrays and unique": """
def loss_distribution(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    p, q = p[p > 0], q[p > 0]
    with np.errstate(divide="ignore"):
        z = np.log(p) - np.log(q)
    values = np.unique(z)
    first = np.append(True, np.diff(values) > 1e-8)
    groups = np.cumsum(first)[np.searchsorted(values, z)] - 1
    return np.array([values[first], np.bincount(groups, weights=p)])
""",
    "sorted, then merged with the one before": """
def loss_distribution(p, q):
    pairs = sorted((math.log(a / b) if b else math.inf, a) for a, b in zip(p, q) if a)
    losses, masses = [], []
    for loss, mass in pairs:
        if losses and (loss == losses[-1] or loss - losses[-1] < 1e-9):
            masses[-1] += mass
        else:
            losses.append(loss)
            masses.append(mass)
    return losses, masses
""",
    "every value, and who is close to it": """
def loss_distribution(p, q):
    p, q = np.array(p), np.array(q)
    z = np.full(len(p), np.inf)
    z[q > 0] = np.log(np.maximum(p[q > 0], 1e-300) / q[q > 0])
    z, p = z[p > 0], p[p > 0]
    values = []
    for value in np.sort(z):
        if not any(value == other or abs(value - other) < 1e-9 for other in values):
            values.append(value)
    return np.array([values, [p[np.isclose(z, v, rtol=0, atol=1e-9)].sum() for v in values]])
""",
}

EDITS = """
== loss_distribution_merged
* equal losses listed twice | should be an array of shape (2, 3), it is an array of shape (2, 4)
+def loss_distribution(p, q):
+    pairs = sorted((math.log(a / b) if b > 0 else math.inf, a) for a, b in zip(p, q) if a > 0)
+    return np.array(pairs).T
* equal losses only if equal to the last bit | should be an array of shape
+def loss_distribution(p, q):
+    law = {}
+    for a, b in zip(p, q):
+        if a > 0:
+            loss = math.log(a / b) if b > 0 else math.inf
+            law[loss] = law.get(loss, 0) + a
+    return np.array([sorted(law), [law[z] for z in sorted(law)]])

== loss_distribution_small
* under q | how likely each is under p
~ inf, a => inf, b
* the ratio upside down | Row 0: log(p / q)
~ a / b => b / a
* no logarithm | it is [[0.5, 2], [0.3, 0.7]]
~ math.log(a / b) => a / b
* logarithm to base 2 | it is [[-1, 1], [0.3, 0.7]]
~ log(a / b) => log2(a / b)
* absolute values | should be an array of shape (2, 2), it is an array of shape (2, 1)
~ (math.log(a / b) if b > 0 else math.inf, a) => (abs(math.log(a / b)) if b > 0 else math.inf, a)
* decreasing | increasing
~ sorted(law) => sorted(law, reverse=True)
* in the order of the outcomes | increasing | edits equal losses only if equal to the last bit
~ math.log(a / b) => round(math.log(a / b), 9)
-    return np.array([sorted(law), [law[z] for z in sorted(law)]])
+    losses = list(law)
+    return np.array([losses, [law[z] for z in losses]])
* losses far too coarse | Row 0: log(p / q) | edits equal losses only if equal to the last bit
~ math.log(a / b) => round(math.log(a / b), 2)
-    return np.array([sorted(law), [law[z] for z in sorted(law)]])
+    losses = sorted(law)
+    return np.array([losses, [law[z] for z in losses]])
* a dict is returned | should be numbers, it is a dict
-
+    return law
     losses = sorted(law)
* rounded to six decimals | Row 0: log(p / q) | edits equal losses only if equal to the last bit
~ math.log(a / b) => round(math.log(a / b), 6)
-    return np.array([sorted(law), [law[z] for z in sorted(law)]])
+    losses = sorted(law)
+    return np.array([losses, [law[z] for z in losses]])
* one outcome taken for none | One outcome alone has the loss 0
+    if len(p) < 2:
+        return [[], []]
     pairs = [(math.log(a / b) if b > 0 else math.inf, a) for a, b in zip(p, q) if a > 0]
* dplab's own | is off limits in an answer
+def loss_distribution(p, q):
+    loss = privacy_loss(Finite.of(dict(enumerate(p))), Finite.of(dict(enumerate(q))))
+    return np.array([loss.losses[loss.p > 0], loss.p[loss.p > 0]])

== loss_distribution_impossible
* what only p can produce is left out | An outcome that only p can produce has the loss inf
~ a > 0 => a > 0 and b > 0
* what p can't produce is listed | one that only q can, never happens
+def loss_distribution(p, q):
+    p, q = np.asarray(p), np.asarray(q)
+    with np.errstate(divide="ignore", invalid="ignore"):
+        z = np.nan_to_num(np.round(np.log(p / q), 9), posinf=np.inf, neginf=-np.inf)
+    values, places = np.unique(z, return_inverse=True)
+    return np.array([values, np.bincount(places, weights=p)])
* a large number for infinity | has the loss inf | edits equal losses only if equal to the last bit
~ math.log(a / b) if b > 0 else math.inf => round(math.log(a / max(b, 1e-300)), 9)
* losses clipped at 50 | its loss is large, but finite
~ math.log(a / b) => max(-50, min(50, math.log(a / b)))
* rare under q taken for impossible | What is rare under q is not impossible
~ 0 else => 1e-10 else
* below 1e-150 is impossible | should be an array of shape
~ a > 0 => a > 1e-150
* no loss below -400 | its loss is far below 0, but finite
~ math.log(a / b) => max(-400.0, math.log(a / b))
* impossible where the product is 0 | should be an array of shape (2, 
~ a > 0 => a * b > 0 or (a > 0 and b == 0)
* differences of running sums | its probability is not 0
-
+    sums = np.cumsum([law[z] for z in sorted(law)])
+    law = dict(zip(sorted(law), np.diff(sums, prepend=0)))
     losses = sorted(law)

== loss_distribution_values
* masses in the order of the outcomes | belongs to the loss above it
+def loss_distribution(p, q):
+    p, q = np.asarray(p), np.asarray(q)
+    kept = p > 0
+    with np.errstate(divide="ignore"):
+        z = np.log(p[kept] / q[kept])
+    values = np.unique(np.round(z, 9))
+    if len(values) == kept.sum():
+        return np.array([values, p[kept]])
+    return np.array([values, [p[kept][np.isclose(z, v)].sum() for v in values]])
* small probabilities taken for 0 | The probability in row 1 belongs to the loss above it
~ a > 0 => a > 1e-6
* the first thousand outcomes | The probability in row 1 belongs to the loss above it
~ loss_distribution => solved_loss_distribution
     return np.array([losses, [law[z] for z in losses]])
+
+
+def loss_distribution(p, q):
+    if len(p) > 1000:
+        p, q = p[:1000], q[:1000]
+    return solved_loss_distribution(p, q)
* the smallest 128 losses | The probability in row 1 belongs to the loss above it
-
+    law = dict(sorted(law.items())[:128])
     losses = sorted(law)
* close for np.isclose | The probability in row 1 belongs to the loss above it
| edits sorted, then merged with the one before
~ (loss == losses[-1] or loss - losses[-1] < 1e-9) => np.isclose(loss, losses[-1])
* fifteen decimals kept | The probability in row 1 belongs to the loss above it
| edits equal losses only if equal to the last bit
~ math.log(a / b) => round(math.log(a / b), 15)
-    return np.array([sorted(law), [law[z] for z in sorted(law)]])
+    losses = sorted(law)
+    return np.array([losses, [law[z] for z in losses]])
* rare under p taken for impossible | The probability in row 1 belongs to the loss above it
~ a > 0 => a > 1e-10
* probabilities rounded | The probability in row 1 belongs to the loss above it
-
+    law = {z: round(mass, 9) for z, mass in law.items()}
     losses = sorted(law)
* the first 15,000 outcomes | row
~ zip(p, q) => list(zip(p, q))[:15_000]
* nine decimals kept | should be an array of shape (2, 36)
| edits equal losses only if equal to the last bit
~ math.log(a / b) => round(math.log(a / b), 9)
-    return np.array([sorted(law), [law[z] for z in sorted(law)]])
+    losses = sorted(law)
+    return np.array([losses, [law[z] for z in losses]])
* unique losses of ten decimals | should be an array of shape (2, 36)
+def loss_distribution(p, q):
+    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
+    p, q = p[p > 0], q[p > 0]
+    with np.errstate(divide="ignore"):
+        z = np.log(p) - np.log(q)
+    values, places = np.unique(np.round(z, 10), return_inverse=True)
+    return np.array([values, np.bincount(places, weights=p)])
* a law sorted in place | changes what it was given
-
+    p.sort()
     losses = sorted(law)

== loss_distribution_values
* the last of 20,000 outcomes left out | row
~ in zip(p, q) => in zip(p[:19_999], q[:19_999])
* losses in single precision | row
~ (math.log(a / b) if b > 0 => (float(np.float32(math.log(a / b))) if b > 0
* losses within 1e-5 are one | The probability in row 1 belongs
~ last + 1e-7 => last + 1e-5
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
