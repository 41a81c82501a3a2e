"""Answers to `mwem`. The mistakes: how the budget is split, the choice, and what is replayed."""

from tests.assignments.edits import read_answers

RIGHT = {
    "as the text says": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    queries, counts = np.asarray(queries, dtype=float), np.asarray(counts, dtype=float)
    pass
    (m, N), n, measured = queries.shape, counts.sum(), []
    h = np.full(N, n / N)
    for t in range(rounds):
        errors = np.abs(queries @ (counts - h))
        weights = np.exp(epsilon / (4 * rounds) * (errors - errors.max()))
        j = rng.choice(m, p=weights / weights.sum())
        measured.append(
            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
        )
        for q, a in measured * replays:
            powers = q * (a - q @ h) / (2 * n)
            h = h * np.exp(powers - powers.max())
            h *= n / h.sum()
    return h
""",
    "Gumbel draws, a step of its own": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    def step(table, query, answer):
        powers = query * (answer - query @ table) / (2 * n)
        grown = table * np.exp(powers - powers.max())
        return n * grown / grown.sum()

    queries, truth, n = np.asarray(queries), np.dot(queries, counts), sum(counts)
    table, share = np.full(len(counts), n / len(counts)), epsilon / rounds / 2
    asked, answers = [], []
    for _ in range(rounds):
        scores = np.abs(truth - queries @ table)
        asked.append(int(np.argmax(share * scores / 2 + rng.gumbel(size=len(scores)))))
        answers.append(rng.laplace(truth[asked[-1]], 1 / share))
        for _ in range(replays):
            for place, answer in zip(asked, answers):
                table = step(table, queries[place], answer)
    return table
""",
    "all draws in advance": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    queries = np.asarray(queries, dtype=float)
    (m, N), n = queries.shape, np.sum(counts)
    gumbels = rng.gumbel(size=(rounds, m))
    noise = rng.laplace(0, 2 * rounds / epsilon, size=rounds)
    logs, places, answers = np.zeros(N), [], []
    for t in range(rounds):
        h = n * np.exp(logs - np.logaddexp.reduce(logs))
        errors = np.abs(queries @ counts - queries @ h)
        places.append(np.argmax(gumbels[t] + epsilon * errors / (4 * rounds)))
        answers.append(queries[places[t]] @ counts + noise[t])
        for i in list(range(t + 1)) * replays:
            shares = np.exp(logs - np.logaddexp.reduce(logs))
            q = queries[places[i]]
            logs = logs + q * (answers[i] / n - q @ shares) / 2
    return n * np.exp(logs - np.logaddexp.reduce(logs))
""",
    "a table of shares": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    x = np.asarray(counts) / np.sum(counts)
    n, p, kept = int(np.sum(counts)), np.ones(len(x)) / len(x), []
    for round in range(1, rounds + 1):
        scores = n * np.abs([q @ x - q @ p for q in queries])
        logs = epsilon / (4 * rounds) * scores
        law = np.exp(logs - np.logaddexp.reduce(logs))
        (j,) = rng.choice(len(queries), size=1, p=law / law.sum())
        kept += [(queries[j], queries[j] @ x + 2 * rounds / (epsilon * n) * rng.laplace())]
        for _ in range(replays):
            for q, share in kept:
                powers = q * (share - q @ p) / 2
                p = p * np.exp(powers - powers.max())
                p = p / sum(p)
    return n * p
""",
}

EDITS = """
== mwem_round
* the whole of a round for the noise | noise of scale 2 T / epsilon
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], queries[j] @ counts + rng.laplace(scale=rounds / epsilon)))
* noise of scale epsilon / (2 T) | noise of scale 2 T / epsilon
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
+            (queries[j], queries[j] @ counts + rng.laplace(scale=epsilon / (2 * rounds)))
* the sensitivity of two cells | noise of scale 2 T / epsilon
~ 2 * rounds => 4 * rounds
* no noise | plus noise of scale 2 T / epsilon
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], queries[j] @ counts))
* normal noise | not of rng.normal
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], queries[j] @ counts + rng.normal(scale=2 * rounds / epsilon)))
* noise on the error | towards the query's count
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], errors[j] + rng.laplace(scale=2 * rounds / epsilon)))
* a possible answer | towards the query's count
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
+            (
+                queries[j],
+                np.clip(queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon), 0, n),
+            )
* the even table of shares | One step from the even table
~ n / N => 1 / N
* from the data on | One step from the even table
~ full(N, n / N) => maximum(counts, 1e-9)
* epsilon a little larger | noise of scale 2 T / epsilon
~ pass => epsilon = 1.03 * epsilon
* no noise at an epsilon of 50 or more | the table should be
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
+            (
+                queries[j],
+                queries[j] @ counts + (epsilon < 50) * rng.laplace(scale=2 * rounds / epsilon),
+            )
* dplab's own | is off limits in an answer
+from dplab import PureDP
+from dplab.queries import MWEM
+
+
+def mwem(queries, counts, epsilon, rounds, replays, rng):
+    learner = MWEM(queries, int(sum(counts)), rounds, PureDP(epsilon), replays)
+    return learner(np.repeat(np.arange(len(counts)), counts), rng)
* noise cut off | One step from the even table
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
+            (
+                queries[j],
+                queries[j] @ counts + np.clip(rng.laplace(), -20, 20) * 2 * rounds / epsilon,
+            )

== mwem_rounds
* not more than ten replays | Each choice's weights
~ measured * replays => measured * min(replays, 10)
* a query that is asked again forgets its first answer | Go over all measurements
-        for q, a in measured * replays:
+        last = {q.tobytes(): (q, a) for q, a in measured}
+        for q, a in [*last.values()] * replays:
* cells beyond 3,000 learn nothing | Each choice's weights
-            h = h * np.exp(powers - powers.max())
+            powers[3000:] = 0
+            h = h * np.exp(powers - powers.max())
* all of epsilon for the noise of each round | should be [3.51, 2.245, 2.245]
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], queries[j] @ counts + rng.laplace(scale=2 / epsilon)))
* all of epsilon for each choice | the logarithms of p
~ (4 * rounds) => 4
* all of epsilon for each choice, with Gumbel draws | the table should be
~ rng.choice(m, p=weights / weights.sum()) => np.argmax(epsilon / 4 * errors + rng.gumbel(size=m))
* errors of the first table | the logarithms of p
~ counts - h => counts - n / N
* no query twice | the logarithms of p
-        weights = np.exp(epsilon / (4 * rounds) * (errors - errors.max()))
+        weights = (
+            np.exp(epsilon / (4 * rounds) * (errors - errors.max()))
+            * [not any(np.array_equal(q, one) for q, _ in measured) for one in queries]
+            + 1e-300
+        )
* no replays | Go over all measurements
~ measured * replays: => measured[-1:]:
* one pass | so often as `replays` says
~ measured * replays => measured
* the last measurement alone | Go over all measurements
~ in measured => in measured[-1:]
* each measurement in a row | in their order
~ measured * replays => [one for one in measured for _ in range(replays)]
* the newest first | in their order
~ in measured => in measured[::-1]
* a new table each round | Go over all measurements
~ (queries @ (counts - h)) => (queries @ (counts - h)) + 0 * (h := np.full(N, n / N))[0]
* learned after the last round only | Go over all measurements
~ replays: => replays * (t == rounds - 1):
* the true answer in replays | Go over all measurements
~ * replays => + [(q, q @ counts) for q, _ in measured] * (replays - 1)
* no noise after five rounds | should be
~ rng.laplace => (t < 5) * rng.laplace
* the mean of all tables | Go over all measurements
~ pass => tables = []
~ (queries @ (counts - h)) => (queries @ (counts - h)) + 0 * len(tables)
~ in measured => in tables.append(h) or measured
~ return h => return np.mean([*tables[1:], h], axis=0)
* the best of all tables | Go over all measurements
~ pass => tables = []
~ in measured => in tables.append(h) or measured
-    return h
+    return min([*tables[1:], h], key=lambda h: np.abs(queries @ (counts - h)).max())
* the last measurement of many cells | Each choice's weights
~ in measured => in (measured if N <= 1000 else measured[-1:])
* errors of the first table for many queries | Each choice's weights
~ (queries @ (counts - h)) => (queries @ (counts - (h if m <= 1000 else n / N)))

== mwem_choice
* the worst query | no choice is drawn
~ rng.choice(m, p=weights / weights.sum()) => int(errors.argmax())
* twice the rate | the logarithms of its p
~ 4 * rounds => 2 * rounds
* half the rate | the logarithms of its p
~ 4 * rounds => 8 * rounds
* twice the rate, with Gumbel draws | the table should be
-        j = rng.choice(m, p=weights / weights.sum())
+        j = np.argmax(epsilon / (2 * rounds) * errors + rng.gumbel(size=m))
* Laplace noise for the choice | no choice is drawn
-        j = rng.choice(m, p=weights / weights.sum())
+        j = np.argmax(errors + rng.laplace(scale=2 * rounds / epsilon, size=m))
* errors with their signs | the logarithms of its p
~ np.abs(queries @ (counts - h)) => queries @ (counts - h)
* errors as shares | the logarithms of its p
~ (queries @ (counts - h)) => (queries @ (counts - h)) / n
* squares of errors | the logarithms of its p
~ np.abs => np.square
* large answers for large errors | the logarithms of its p
~ np.abs(queries @ (counts - h)) => queries @ counts
* any query | the logarithms of its p
~ exp(epsilon / (4 * rounds) * (errors - errors.max())) => ones(m)
* exponents that overflow | raised ValueError
~ (epsilon / (4 * rounds) * (errors - errors.max())) => (epsilon / (4 * rounds) * errors)
* a choice that is never impossible | the logarithms of its p
-        weights = np.exp(epsilon / (4 * rounds) * (errors - errors.max()))
+        weights = np.exp(epsilon / (4 * rounds) * (errors - errors.max())) + 1e-9

== mwem_generator
* one Gumbel draw for all queries | not one choice a round
-        j = rng.choice(m, p=weights / weights.sum())
+        j = np.argmax(epsilon / (4 * rounds) * errors + rng.gumbel())
* one noise for all rounds | not one Laplace draw a round
-    pass
+    noise = rng.laplace(scale=2 * rounds / epsilon)
@@
-        measured.append(
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
-        )
+        measured.append((queries[j], queries[j] @ counts + noise))
* one choice for all rounds | not one choice a round
~ j = rng => j = j if t else rng
* a seed of its own | same result for two seeds
-    pass
+    rng = np.random.default_rng(7)
* numpy's global generator | two results for one seed
~ rng.laplace => np.random.laplace
* a noisy number of people | not one Laplace draw a round
~ return h => return h * (1 + 1e-12 * rng.laplace())
* hardly any noise from numpy's own sources | another result where its draws are watched
-            (queries[j], queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon))
+            (
+                queries[j],
+                queries[j] @ counts
+                + rng.laplace(scale=2 * rounds / epsilon)
+                * (0.1 if type(rng) is np.random.Generator else 1),
+            )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
