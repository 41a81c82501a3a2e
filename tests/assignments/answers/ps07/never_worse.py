"""Answers to `never_worse`. The mistakes: another law, orders that don't count alike, no gap."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all orders": """
def flip_law(scores, sensitivity, epsilon):
    from itertools import permutations

    scores = np.asarray(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    law = np.zeros(len(p))
    orders = list(permutations(range(len(p))))
    for order in orders:
        refused = 1.0
        for h in order:
            law[h] += refused * p[h] / len(orders)
            refused *= 1 - p[h]
    return law


def expected_gaps(scores, sensitivity, epsilon):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    weights = np.exp(-epsilon * gaps / (2 * sensitivity))
    return np.dot(flip_law(scores, sensitivity, epsilon), gaps), weights @ gaps / weights.sum()
""",
    "by who is asked first": """
def flip_law(scores, sensitivity, epsilon):
    scores = np.asarray(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))

    def law(left):
        result = np.zeros(len(p))
        for j in left:
            result[j] += p[j] / len(left)
            if len(left) > 1:
                result += (1 - p[j]) / len(left) * law([g for g in left if g != j])
        return result

    return law(list(range(len(p))))


def expected_gaps(scores, sensitivity, epsilon):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    weights = np.exp(-epsilon * gaps / (2 * sensitivity))
    return np.dot(flip_law(scores, sensitivity, epsilon), gaps), weights @ gaps / weights.sum()
""",
    "an integral": """
def flip_law(scores, sensitivity, epsilon):
    scores = np.asarray(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    t, w = np.polynomial.legendre.leggauss(8)
    t, w = (t + 1) / 2, w / 2
    return [
        p[i] * sum(w * np.prod([1 - t * p[j] for j in range(len(p)) if j != i], axis=0))
        for i in range(len(p))
    ]


def expected_gaps(scores, sensitivity, epsilon):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    weights = np.exp(-epsilon * gaps / (2 * sensitivity))
    return np.dot(flip_law(scores, sensitivity, epsilon), gaps), weights @ gaps / weights.sum()
""",
    "gaps from expected scores": """
def flip_law(scores, sensitivity, epsilon):
    from itertools import permutations

    scores = np.asarray(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    law = np.zeros(len(p))
    orders = list(permutations(range(len(p))))
    for order in orders:
        refused = 1.0
        for h in order:
            law[h] += refused * p[h] / len(orders)
            refused *= 1 - p[h]
    return law


def expected_gaps(scores, sensitivity, epsilon):
    scores = np.asarray(scores, dtype=float)
    flip = flip_law(scores, sensitivity, epsilon)
    em = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    em = em / em.sum()
    best = scores.max()
    return [best - flip @ scores, best - em @ scores]
""",
}

EDITS = """
== never_worse_law
* the exponential mechanism | over all orders | edits an integral
-    t, w = np.polynomial.legendre.leggauss(8)
-    t, w = (t + 1) / 2, w / 2
-    return [
-        p[i] * sum(w * np.prod([1 - t * p[j] for j in range(len(p)) if j != i], axis=0))
-        for i in range(len(p))
-    ]
+    return p / p.sum()
* the probabilities of acceptance | it is [0.5, 1] | edits an integral
-    t, w = np.polynomial.legendre.leggauss(8)
-    t, w = (t + 1) / 2, w / 2
-    return [
-        p[i] * sum(w * np.prod([1 - t * p[j] for j in range(len(p)) if j != i], axis=0))
-        for i in range(len(p))
-    ]
+    return p
* the same for all orders | over all orders
~ list(permutations(range(len(p)))) => [range(len(p))]
* the best first | it is [0, 1]
~ list(permutations(range(len(p)))) => [np.argsort(-p)]
* orders that are not averaged | it is [0.5, 1.5]
~ [h] / len(orders) => [h]
* who refuses does not leave | over all orders
~ refused *= 1 => refused = 1
* a rate without its 2 | should be [0.25, 0.75]
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / sensitivity)
* half of it to each, for two only | it is [ | edits an integral
-    t, w = np.polynomial.legendre.leggauss(8)
-    t, w = (t + 1) / 2, w / 2
-    return [
-        p[i] * sum(w * np.prod([1 - t * p[j] for j in range(len(p)) if j != i], axis=0))
-        for i in range(len(p))
-    ]
+    return np.where(p < 1, p / 2, 1 - p[p < 1].sum() / 2)
* a thousand orders of six | over all orders
~ (permutations(range(len(p)))) => (permutations(range(len(p))))[:700]
* orders drawn at random | over all orders
-    orders = list(permutations(range(len(p))))
+    orders = [np.random.default_rng(i).permutation(len(p)) for i in range(200)]
* epsilon a little larger | should be [0.25, 0.75]
~ epsilon * (scores - scores.max()) => 1.03 * epsilon * (scores - scores.max())
* small probabilities left out | Small probabilities count
+    p = np.where(p > 1e-9, p, 0)
     law = np.zeros(len(p))
* scores exponentiated as they are | equal scores are different candidates
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * scores / (2 * sensitivity))
+    p = p / p.max()
* equal scores are one candidate | equal scores are different candidates
~ def flip_law => def _distinct
+def flip_law(scores, sensitivity, epsilon):
+    kept, where = np.unique(scores, return_inverse=True)
+    law = _distinct(kept, sensitivity, epsilon)[where]
+    return law / law.sum()
+
+
 def expected_gaps(scores, sensitivity, epsilon):
* the best alone where epsilon is 20 or more | equal scores are different candidates
+    if epsilon >= 20:
+        p = p // 1
     law = np.zeros(len(p))
* twelve digits | Small probabilities count
~ return law => return law.round(12)
* dplab's own law | off limits
+from dplab import PermuteAndFlip
+
+
+def flip_law(scores, sensitivity, epsilon):
+    mechanism = PermuteAndFlip(range(len(scores)), np.array, sensitivity, epsilon)
+    return mechanism.distribution(scores).probabilities
+
+
+def expected_gaps(scores, sensitivity, epsilon):
+    gaps = max(scores) - np.asarray(scores, dtype=float)
+    weights = np.exp(-epsilon * gaps / (2 * sensitivity))
+    return np.dot(flip_law(scores, sensitivity, epsilon), gaps), weights @ gaps / weights.sum()
* scores as gaps in place | changes what it was given
+    scores[:] = [score - max(scores) for score in scores]
     from itertools import permutations

== never_worse_theorem
* the other way round | gives up less | edits gaps from expected scores
~ [best - flip @ scores, best - em @ scores] => ((best - scores) @ em, (best - scores) @ flip)
* the gap of the likeliest | is [0, 0] | edits gaps from expected scores
-    return [best - flip @ scores, best - em @ scores]
+    return (best - scores[flip.argmax()], best - scores[em.argmax()])

== never_worse_gaps
* expected scores | best score - score | edits gaps from expected scores
~ [best - flip @ scores, best - em @ scores] => (flip @ scores, em @ scores)
* the chance of not choosing the best | Sum of probability | edits gaps from expected scores
~ [best - flip @ scores, best - em @ scores] => (1 - flip.max(), 1 - em.max())
* one of the two | should be an array of shape (2,) | edits gaps from expected scores
~ [best - flip @ scores, best - em @ scores] => (best - scores) @ flip
* a mean over candidates | it is [0.125, 0.1667] | edits gaps from expected scores
-    return [best - flip @ scores, best - em @ scores]
+    return (((best - scores) * flip).mean(), ((best - scores) * em).mean())
* gaps to the cent | Sum of probability | edits gaps from expected scores
-    return [best - flip @ scores, best - em @ scores]
+    return (round(best - flip @ scores, 2), round(best - em @ scores, 2))
* gaps in units of epsilon | the two gaps | edits gaps from expected scores
-    return [best - flip @ scores, best - em @ scores]
+    return ((best - scores) @ flip * epsilon / epsilon // 1e-9 * 1e-9, (best - scores) @ em)

== never_worse_law
* scores of their own type | raised
~ scores = np.asarray(scores, dtype=float) => scores = np.array(scores)
@@
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    scores -= scores.max()
+    scores *= epsilon / (2 * sensitivity)
+    p = np.exp(scores)
* an epsilon of 10,000 sensitivities at most | over all orders
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(min(epsilon / sensitivity, 1e4) * (scores - scores.max()) / 2)
* a probability below 1e-15 is none | Small probabilities count
~ refused * p[h] => refused * p[h] * (p[h] > 1e-15)

== never_worse_gaps
* gaps in single precision | the two gaps
-    gaps = max(scores) - np.asarray(scores, dtype=float)
+    gaps = (max(scores) - np.asarray(scores, dtype=float)).astype(np.float32)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
