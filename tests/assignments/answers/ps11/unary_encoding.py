"""Answers to `unary_encoding`. The mistakes: the own bit, the order of draws, and both chances."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one array": """
def unary_reports(values, k, epsilon, rng):
    n, q = len(values), 1 / (math.exp(epsilon) + 1)
    values = np.array(values, dtype=int)
    own = np.arange(k) == values[:, None]
    drawn = rng.random((n, k))
    return (drawn < np.where(own, 0.5, q)).astype(int)


def unary_estimate(reports, epsilon):
    p, q = 0.5, 1 / (math.exp(epsilon) + 1)
    ones = np.asarray(reports, dtype=float).sum(axis=0)
    return (ones - len(reports) * q) / (p - q)
""",
    "bit after bit": """
def unary_reports(values, k, epsilon, rng):
    q = 1 / (math.exp(epsilon) + 1)
    return [
        [int(rng.random() < (0.5 if bit == value else q)) for bit in range(k)] for value in values
    ]


def unary_estimate(reports, epsilon):
    e, n = math.exp(epsilon), len(reports)
    ones = [sum(int(row[bit]) for row in reports) for bit in range(len(reports[0]))]
    return [2 * ((e + 1) * c - n) / (e - 1) for c in ones]
""",
    "person after person": """
def unary_reports(values, k, epsilon, rng):
    rows = []
    for value in values:
        drawn = rng.random(k)
        row = drawn < 1 / (1 + math.exp(epsilon))
        row[value] = drawn[value] < 0.5
        rows.append(row)
    return np.array(rows)


def unary_estimate(reports, epsilon):
    q = 1 / (1 + np.exp(epsilon))
    return (np.mean(np.array(reports, dtype=float), axis=0) - q) / (0.5 - q) * len(reports)
""",
}

EDITS = """
== unary_encoding_reports
* the symmetric form | for the bit of the person's value
-    n, q = len(values), 1 / (math.exp(epsilon) + 1)
+    n, q = len(values), 1 / (math.exp(epsilon / 2) + 1)
~ np.where(own, 0.5, q) => np.where(own, 1 - q, q)
* own and others exchanged | for the bit of the person's value
~ (own, 0.5, q) => (own, q, 0.5)
* above, not below | for the bit of the person's value
~ drawn < np => drawn > np
* at 1/2, too | is not below 1/2
~ drawn < np => drawn <= np
* half of epsilon | for the bit of the person's value
-    n, q = len(values), 1 / (math.exp(epsilon) + 1)
+    n, q = len(values), 1 / (math.exp(epsilon / 2) + 1)
* bit after bit, person after person | in the text's order
~ rng.random((n, k)) => rng.random((k, n)).T
* one draw for a person | in the text's order
~ rng.random((n, k)) => rng.random((n, 1))
* one draw for a bit of all people | in the text's order
~ rng.random((n, k)) => rng.random(k)
* values count from 1 | for the bit of the person's value
~ np.arange(k) => np.arange(1, k + 1)
* the own bit without noise | for the bit of the person's value
~ np.where(own, 0.5, q) => np.where(own, 1, q)
* the own draws first | in the text's order
-    drawn = rng.random((n, k))
-    return (drawn < np.where(own, 0.5, q)).astype(int)
+    mine = rng.random(n) < 0.5
+    others = rng.random((n, k)) < q
+    return np.where(own, mine[:, None], others).astype(int)
* the reports summed | should be
~ .astype(int) => .sum(axis=0)
* everybody has all the values of all | for the bit of the person's value
~ own = np.arange(k) == values[:, None] => own = np.isin(np.arange(k), values)
* a generator of its own | in the text's order
~ rng.random((n, k)) => np.random.default_rng(5).random((n, k))
* numpy's global generator | in the text's order
~ rng.random((n, k)) => np.random.random((n, k))
* people shuffled | in the text's order
~ drawn = rng.random((n, k)) => drawn = rng.random((n, k))[::-1]
* bits for people | should be
~ .astype(int) => .astype(int).T
* another q | for the bit of the person's value
~ len(values), 1 / (math.exp(epsilon) + 1) => len(values), 1 / (math.exp(epsilon) + k - 1)
* a thousand people at most | should be
~ np.array(values, dtype=int) => np.array(values[:1000], dtype=int)
~ n, q = len(values), => n, q = min(1000, len(values)),

== unary_encoding_estimate
* dplab's own | off limits
+def unary_estimate(reports, epsilon):
+    from dplab.local.frequency_oracles import UnaryEncoding
+
+    bits = np.array(reports, dtype=int)
+    return len(bits) * UnaryEncoding(epsilon, k=bits.shape[1]).frequencies(bits)
* not taken off | Take off the ones
~ ones - len(reports) * q => ones
* not divided | Take off the ones
~ / (p - q) => 
* divided by p | Take off the ones
~ / (p - q) => / p
* shares of people | Take off the ones
~ (ones - len(reports) * q) / (p - q) => (ones / len(reports) - q) / (p - q)
* people for bits | should be
~ sum(axis=0) => sum(axis=1)
* clipped at 0 | Take off the ones
~ (ones - len(reports) * q) / (p - q) => np.maximum((ones - len(reports) * q) / (p - q), 0)
* one person less | Take off the ones
~ len(reports) * q => (len(reports) - 1) * q
* equal reports once | Take off the ones
~ np.asarray(reports, dtype=float) => np.unique(np.asarray(reports, dtype=float), axis=0)
* rounded | Take off the ones
~ (ones - len(reports) * q) / (p - q) => np.round((ones - len(reports) * q) / (p - q))
* p and q add up to 1 | Take off the ones
~ p, q = 0.5, 1 / (math.exp(epsilon) + 1) => p, q = np.exp([epsilon, 0]) / (math.exp(epsilon) + 1)
* divided by their sum | Take off the ones
~ (p - q) => (p + q)
* as many people as bits | Take off the ones
~ len(reports) => len(reports[0])
* scaled to the number of people | Take off the ones
-    return (ones - len(reports) * q) / (p - q)
+    found = (ones - len(reports) * q) / (p - q)
+    return found * len(reports) / found.sum() if found.sum() else found
* ones in one byte | Take off the ones
~ np.asarray(reports, dtype=float).sum(axis=0) => np.sum(reports, axis=0, dtype=np.uint8)
* only the first thousand | Take off the ones
~ np.asarray(reports, dtype=float) => np.asarray(reports[:1000], dtype=float)
* in the arguments | changes what it was given
-    ones = np.asarray(reports, dtype=float).sum(axis=0)
+    for row in reports[1:]:
+        for bit in range(len(row)):
+            reports[0][bit] += row[bit]
+    ones = np.array(reports[0], dtype=float)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
