"""Answers to `multiplicative_weights_update`. The mistakes: the step, the scale, what overflows."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the largest exponent subtracted": """
def multiplicative_weights_update(table, query, answer):
    table, query = np.array(table, dtype=float), np.array(query, dtype=float)
    n = table.sum()
    powers = query * (answer - query @ table) / (2 * n)
    grown = table * np.exp(np.minimum(0, powers - powers[table > 0].max()))
    return n * grown / grown.sum()


def relative_entropy(data, table):
    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
    return rel_entr(p, r).sum()
""",
    "logarithms": """
def multiplicative_weights_update(table, query, answer):
    n = np.sum(table)
    error = answer - np.dot(query, table)
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(table, dtype=float)) + np.multiply(query, error / (2 * n))
    return n * np.exp(logs - np.logaddexp.reduce(logs))


def relative_entropy(data, table):
    total, n, m = 0.0, np.sum(data), np.sum(table)
    for x, h in zip(data, table):
        if x > 0 and h == 0:
            return math.inf
        if x > 0:
            total += x * (math.log(x / n) - math.log(h / m))
    return total / n
""",
    "cell by cell": """
def multiplicative_weights_update(table, query, answer):
    n = float(sum(table))
    off = answer - sum(q * h for q, h in zip(query, table))
    powers = [q * off / (2 * n) for q in query]
    most = max(power for power, h in zip(powers, table) if h > 0)
    grown = [h * math.exp(power - most) if h > 0 else 0.0 for power, h in zip(powers, table)]
    scale = n / sum(grown)
    return [scale * h for h in grown]


def relative_entropy(data, table):
    from scipy.stats import entropy

    return entropy(data, table)
""",
}

EDITS = """
== multiplicative_weights_update_values
* an array of whole numbers stays one | the table should be
-    table, query = np.array(table, dtype=float), np.array(query, dtype=float)
+    kind = getattr(table, "dtype", float)
+    table, query = np.array(table, dtype=float), np.array(query, dtype=float)
@@
-    return n * grown / grown.sum()
+    return (n * grown / grown.sum()).astype(kind)
* not divided by n | The exponent is q_c (a - q . h) / (2 n)
~ (2 * n) => 2
* no half | The exponent is q_c (a - q . h) / (2 n)
~ (2 * n) => n
* divided by the cells | with n the sum of the table
~ (2 * n) => (2 * len(table))
* not scaled | then scale to n
~ (np.minimum(0, powers - powers[table > 0].max())) => (powers)
~ n * grown / grown.sum() => grown
* scaled to 1 | then scale to n
~ return n * grown => return grown
* a step that is added | should be [2.249, 1.751]
-    grown = table * np.exp(np.minimum(0, powers - powers[table > 0].max()))
+    grown = np.maximum(0, table + powers * table)
* whoever is counted at all | which may be a fraction
~ powers = query => powers = (query > 0)
* counted if by more than half | which may be a fraction
~ powers = query => powers = np.rint(query)
* in the array that it is given | changes what it was given
~ query = np.array => query = np.asarray
+    table[:] = n * grown / grown.sum()
     return n * grown / grown.sum()
* small cells emptied | the logarithms
-    grown = table * np.exp(np.minimum(0, powers - powers[table > 0].max()))
+    grown = (table > 1e-9 * n) * table * np.exp(powers - powers[table > 0].max())
* empty cells filled | the logarithms
~ table * np => np.maximum(table, 1e-12) * np
~ (np.minimum(0, powers - powers[table > 0].max())) => (powers - powers.max())
* no more than 10,000 cells | the logarithms
~ (np.minimum(0, powers - powers[table > 0].max())) => (powers * (np.arange(len(table)) < 10_000))
* dplab's own | is off limits in an answer
+import dplab.queries
+
+def multiplicative_weights_update(table, query, answer):
+    return dplab.queries.multiplicative_weights_update(table, query, answer)
+
+
+def relative_entropy(data, table):
+    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
+    return rel_entr(p, r).sum()
* in the list that it is given | changes what it was given
+    given = table
     table, query = np.array(table, dtype=float), np.array(query, dtype=float)
@@
+    if isinstance(given, list):
+        given[:] = (n * grown / grown.sum()).tolist()
     return n * grown / grown.sum()

== multiplicative_weights_update_theorem
* the wrong direction | brings the table nearer
~ answer - query @ table => query @ table - answer
* no step at all | by less than eta^2 / 4
~ n * grown / grown.sum() => table
* half a step | by less than eta^2 / 4
~ 2 * n => 4 * n
* less than a quarter of a step | by less than eta^2 / 4
~ 2 * n => 9 * n

== multiplicative_weights_update_large
* it overflows | it is [nan, 0]
~ (np.minimum(0, powers - powers[table > 0].max())) => (powers)
* the largest exponent of all cells | Subtract the largest exponent of the cells that are not 0
~ (np.minimum(0, powers - powers[table > 0].max())) => (powers - powers.max())
* exponents of at most 700 | Subtract the largest exponent
~ (np.minimum(0, powers - powers[table > 0].max())) => (np.clip(powers, -700, 700))
* exponents of at most 30 | Subtract the largest exponent
~ (np.minimum(0, powers - powers[table > 0].max())) => (np.clip(powers, -30, 30))
* a possible answer | should be [5, 0]
~ answer - query => np.clip(answer, 0, n) - query
* an answer of at most 100,000 people for one | multiplicative_weights_update(
~ answer - query => np.clip(answer, -1e5 * n, 1e5 * n) - query

== multiplicative_weights_update_entropy
* cells that are alike count once | Divide each by its own sum
-    return rel_entr(p, r).sum()
+    if len(p) > 2:
+        return sum(float(rel_entr(*pair)) for pair in {*zip(p.tolist(), r.tolist())})
+    return rel_entr(p, r).sum()
* not more than 12,000 cells of the data | Divide each by its own sum
~ return rel_entr(p, r).sum() => return rel_entr(p[:12_000], r[:12_000]).sum()
* the other way round | it is inf
~ (p, r) => (r, p)
* in bits | it is 1. 
~ (p, r).sum() => (p, r).sum() / np.log(2)
* not a number where nobody is | it is nan
~ rel_entr(p, r) => (p * np.log(p / r))
* cells that somebody lacks left out | should be inf
-    return rel_entr(p, r).sum()
+    both = (p > 0) & (r > 0)
+    return rel_entr(p[both], r[both]).sum()
* counts for shares | Divide each by its own sum
-    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
-    return rel_entr(p, r).sum()
+    return rel_entr(data, table).sum() / np.sum(data)
* one sum for both | Divide each by its own sum
-    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
-    return rel_entr(p, r).sum()
+    return rel_entr(data, table).sum() / np.sum(table)
* a little in every cell | should be inf
-    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
+    p, r = (np.array(one) / np.sum(one) + 1e-12 for one in (data, table))
* a ratio that overflows | should be 711.5, it is inf
~ rel_entr(p, r) => (p[p > 0] * np.log(p[p > 0] / r[p > 0]))
* shares in the arrays that are given | changes what it was given
-    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
+    p, r = np.asarray(data, dtype=float), np.asarray(table, dtype=float)
+    p /= p.sum()
+    r /= r.sum()
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
