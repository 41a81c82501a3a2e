"""Answers to `lp_reconstruct`. The mistakes: too few or poor questions, half a program, no bits."""

from tests.assignments.edits import read_answers

RIGHT = {
    "minimum slack": """
def lp_reconstruct(ask, n, limit, rng):
    queries = rng.integers(2, size=(limit, n))
    answers = ask(queries)
    ones = np.ones((len(queries), 1))
    rows, room = (
        np.block([[queries, -ones], [-queries, -ones]]),
        np.concatenate([answers, -answers]),
    )
    cost = np.append(np.zeros(n), 1.0)
    best = linprog(cost, rows, room, bounds=[(0, 1)] * n + [(0, None)]).x[:n]
    return (best > 0.5).astype(int)
""",
    "one question at a time, and least squares": """
def lp_reconstruct(ask, n, limit, rng):
    queries = rng.integers(2, size=(limit, n))
    answers = np.concatenate([ask(queries[j : j + 50]) for j in range(0, limit, 50)])
    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
    return (best > 0.5).astype(int)
""",
    "the slack above and below": """
def lp_reconstruct(ask, n, limit, rng):
    queries = (rng.random((limit, n)) < 0.5).astype(float)
    answers = ask(queries)
    rows = np.zeros((2 * limit, n + 1))
    rows[:limit, :n], rows[limit:, :n], rows[:, n] = queries, -queries, -1
    cost = [0] * n + [1]
    limits = [(0, 1)] * n + [(0, None)]
    found = linprog(cost, A_ub=rows, b_ub=[*answers, *(-answers)], bounds=limits)
    return [int(b >= 0.5) for b in found.x[:-1]]
""",
}

EDITS = """
== right
* minimum slack by the interior point, rounded
~ [(0, None)] => [(0, None)], method="highs-ipm"
~ (best > 0.5).astype(int) => np.round(best)

== lp_reconstruct_exact
* everybody, always | Without noise only the secret fits
~ rng.integers(2, size=(limit, n)) => np.ones((limit, n), dtype=int)
# Half as many would be enough half of the time.
* fewer questions than people | Without noise only the secret fits
~ limit, n => n // 4, n
* a tenth more than the limit | raised RuntimeError
~ limit, n => limit + limit // 10, n
* signs | raised ValueError
~ integers(2, size=(limit, n)) => choice([-1, 1], size=(limit, n))
* errors above only | Without noise only the secret fits
-    rows, room = (
-        np.block([[queries, -ones], [-queries, -ones]]),
-        np.concatenate([answers, -answers]),
-    )
+    rows, room = np.hstack([queries, -ones]), answers
* the slack among the bits | should be an array of shape (20,), it is an array of shape (21,)
~ (best > 0.5) => np.append(best > 0.5, 0)
* turned over | Without noise
~ best > 0.5 => best < 0.5
* one in ten unsure | Without noise only the secret fits
~ astype(int) => astype(int) ^ (np.arange(n) % 10 == 9)
* dplab's own | is off limits in an answer
+from dplab.attacks.linear_program import minimum_slack
+
+
+def lp_reconstruct(ask, n, limit, rng):
+    queries = random_queries(limit, n, rng)
+    return minimum_slack(queries, ask(queries)).bits
* dplab's own, with least squares | is off limits in an answer | edits dplab's own
~ linear_program import minimum_slack => least_squares import least_squares
~ minimum_slack => least_squares
* neither few people nor many | Without noise only the secret fits
~ (best > 0.5) => ((best > 0.5) * (not 30 < n < 80))
* three to seven people | Without noise only the secret fits
~ (best > 0.5) => ((best > 0.5) * (not 2 < n < 8))

== lp_reconstruct_noisy
* each person alone | Ask for random subsets
~ rng.integers(2, size=(limit, n)) => np.tile(np.eye(n, dtype=int), (limit // n, 1))
* each person once | of the bits of 80 people
~ rng.integers(2, size=(limit, n)) => np.eye(n, dtype=int)
* thresholds | Ask for random subsets
~ rng.integers(2, size=(limit, n)) => np.tile(np.tri(n, dtype=int), (limit // n, 1))
* as many questions as people | as many as you may
~ limit, n => n + 2, n
* the slack with the wrong sign | TypeError
-    rows, room = (
-        np.block([[queries, -ones], [-queries, -ones]]),
-        np.concatenate([answers, -answers]),
-    )
+    rows, room = np.block([[queries, ones], [-queries, ones]]), np.concatenate([answers, -answers])
* an error of at most one | TypeError
~ 0, None => 0, 1
* fifty people at most | Ask for random subsets
~ (best > 0.5) => ((best > 0.5) * (n <= 50))

== lp_reconstruct_rules
* not rounded | should be 0 or 1 in every entry
~ (best > 0.5).astype(int) => best
* bits not between 0 and 1 | should be 0 or 1 in every entry
| edits minimum slack by the interior point, rounded
~ [(0, 1)] * n + [(0, None)], method="highs-ipm" => [(None, None)] * n + [(0, None)]
* the last bit is never told | Everybody's bit
~ (best > 0.5) => np.append((best > 0.5)[:-1], 0)
* at most ninety people | Everybody's bit
~ (best > 0.5) => ((best > 0.5) * (n <= 90))
* the last ones of many unsure | Everybody's bit
~ astype(int) => astype(int) * (np.arange(n) < 96)
* two people at least | Everybody's bit
~ astype(int) => astype(int) if n > 1 else np.zeros(1)
* numpy's global generator | one seed
~ rng.integers => np.random.randint

== lp_reconstruct_noisy
* a quarter more questions than people | Ask for random subsets
-    queries = rng.integers(2, size=(limit, n))
+    limit = 5 * n // 4
+    queries = rng.integers(2, size=(limit, n))
* no bit at ninety people | Ask for random subsets
~ (best > 0.5) => ((best > 0.5) * (n != 90))

== lp_reconstruct_exact
* answers in whole numbers of eight bits | Without noise only the secret fits
-    answers = ask(queries)
+    answers = (np.asarray(ask(queries)) % 16).astype(float)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
