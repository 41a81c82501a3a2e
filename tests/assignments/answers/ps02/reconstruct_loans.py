"""Answers to `reconstruct_loans`. The mistakes: too few digits, or one unknown too few."""

from tests.assignments.edits import read_answers

RIGHT = {
    "shuffled": """
def product_of(*parts):
    from itertools import product

    return product(*parts)


def reconstruct_loans(clients, ask, most):
    primes = [q for q in range(2, 100) if all(q % d for d in range(2, q))]
    powers = [0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]
    offsets = [5, 10, 50, 100, 500, 1000, 5000]
    triples = list(product_of(primes, powers, offsets))
    chosen = [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]
    x = np.array(clients, dtype=float)
    answers = np.asarray(ask(chosen))
    y = np.array([o * (x * q) ** p for q, p, o in chosen])
    matrix = np.column_stack([y % 1 < 0.5, np.ones(len(y))])
    solution = np.linalg.lstsq(matrix, answers, rcond=None)[0]
    return (solution[:len(x)] > 0.5).astype(int)
""",
    "centred": """
def product_of(*parts):
    from itertools import product

    return product(*parts)


def reconstruct_loans(clients, ask, most):
    primes = [q for q in range(2, 100) if all(q % d for d in range(2, q))]
    powers = [0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]
    offsets = [5, 10, 50, 100, 500, 1000, 5000]
    triples = list(product_of(primes, powers, offsets))
    chosen = [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]
    x = np.array(clients, dtype=float)
    answers = np.asarray(ask(chosen))
    y = np.array([o * (x * q) ** p for q, p, o in chosen])
    matrix = np.array(y % 1 < 0.5, dtype=float)
    matrix -= matrix.mean(axis=0)
    solution = np.linalg.solve(matrix.T @ matrix, matrix.T @ (answers - answers.mean()))
    return (solution > 0.5).astype(int)
""",
}

EDITS = """
== right
* spread evenly
-    chosen = [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]
+    chosen = [triples[i] for i in np.linspace(0, len(triples) - 1, most).astype(int)]
* in a hundred portions
~ ask(chosen) => np.concatenate([ask(chosen[k : k + 100]) for k in range(0, most, 100)])

== reconstruct_loans_exact
* all zeros | has right
~ (solution[:len(x)] > 0.5).astype(int) => np.zeros(len(x), dtype=int)
* the other half | has right
~ 1 < 0.5 => 1 >= 0.5
* one triple again and again | has right | edits spread evenly
~ [triples[i] for i in np.linspace(0, len(triples) - 1, most).astype(int)] => [triples[0]] * most
* whole powers only | has right
~ (product_of(primes, powers, offsets)) => (product_of(primes, [1, 2], offsets)) * 8
* correlations in place of a solution | has right
~ solution[:len(x)] > 0.5 => (y % 1 < 0.5).T @ (answers - answers.mean()) > 0
* the factor after the power | has right
~ (x * q) ** p => q * x**p
* estimates not rounded | should be 0 or 1
~ (solution[:len(x)] > 0.5).astype(int) => solution[:len(x)] + 0.01
* the common layer is returned too | should be an array of shape (20,)
~ [:len(x)] =>
* the last client has none | Is every client's bit solved for
~ (solution[:len(x)] > 0.5) => np.append(solution[: len(x) - 1] > 0.5, 0)
* the last client has one | Is every client's bit solved for
~ (solution[:len(x)] > 0.5) => np.append(solution[: len(x) - 1] > 0.5, 1)
* half of the clients have a loan | Is every client's bit solved for
~ [:len(x)] > 0.5 => [:len(x)] > np.median(solution[:len(x)])
* sixty clients at most | Is every client's bit solved for
~ (solution[:len(x)] > 0.5) => ((solution[:len(x)] > 0.5) & (len(x) <= 60))
* sorted clients | in the order of the clients
~ clients, dtype => sorted(clients), dtype
* dplab's own | is off limits in an answer
     return product(*parts)
+
+
+from dplab.attacks.least_squares import least_squares
@@
-    return (solution[:len(x)] > 0.5).astype(int)
+    return least_squares(matrix.astype(int), answers).bits[: len(x)]
* upward or downward | in the order of the clients
~ np.array(clients, dtype=float) => np.sort(np.array(clients, dtype=float))
~ astype(int) => astype(int)[:: 1 if clients[0] < clients[-1] else -1]

== reconstruct_loans_limit
* too many digits | digits, 160 are allowed
~ [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]] => triples
* asks everything twice | asks for 320 digits
~ (ask(chosen)) => ((np.array(ask(chosen)) + ask(chosen)) / 2)
* half of the digits | Use all the digits
~ :most => : most // 2
* half of the digits, each twice | not half of them
-    chosen = [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]
+    chosen = [
+        triples[i] for i in np.random.default_rng(1).permutation(len(triples))[: most // 2]
+    ] * 2
~ :len(x) => : len(x)
* a thousand digits at most | however many
~ :most => :most if most < 1600 else 1000
* clients sorted where they are | changes what it was given
+    places = np.argsort(np.argsort(clients))
+    clients.sort()
     x = np.array(clients, dtype=float)
~ astype(int) => astype(int)[places]

== reconstruct_loans_noisy
* no common layer | common layer
~ np.column_stack([y % 1 < 0.5, np.ones(len(y))]) => (y % 1 < 0.5).astype(float)
* an answer for each client | enough digits
-    chosen = [triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]
+    chosen = triples[: len(clients) + 1]
* above zero | has right
~ [:len(x)] > 0.5 => [:len(x)] > 0

== reconstruct_loans_exact
* nobody above 9,998 | in the order of the clients
-    x = np.array(clients, dtype=float)
+    x = np.minimum(np.array(clients, dtype=float), 9998)
* nobody below 2,001 | in the order of the clients
-    x = np.array(clients, dtype=float)
+    x = np.maximum(np.array(clients, dtype=float), 2001)
* products in sixteen bits | has right
-    x = np.array(clients, dtype=float)
+    x = np.array(clients)
~ (x * q) ** p => (np.abs((x * q).astype(np.int16)) + 1.0) ** p

== reconstruct_loans_limit
* powers up to 1.1 | however many
~ 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9] => 1.1]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
