"""Answers to `reconstruct`. The mistakes: guesses that are no bits, thresholds, and worse fits.

Where chance decides whether a mutant is found, hundreds of bits do it: a tenth of the answers less
flips one in twelve, and none of 500 with probability 1e-16.
"""

from tests.assignments.edits import read_answers

RIGHT = {
    "least squares": """
def reconstruct(queries, answers):
    m, n = queries.shape
    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
    return (best > 0.5).astype(int)
""",
    "the pseudo-inverse": """
def reconstruct(queries, answers):
    m, n = queries.shape
    best = np.linalg.pinv(queries) @ answers
    return np.where(best < 0.5, 0, 1)
""",
    "around one half": """
def reconstruct(queries, answers):
    m, n = queries.shape
    best = np.linalg.lstsq(queries - 0.0, answers - queries.sum(axis=1) / 2, rcond=None)[0]
    return [int(b > 0) for b in best]
""",
    "normal equations, with a little ridge": """
def reconstruct(queries, answers):
    m, n = queries.shape
    best = np.linalg.solve(queries.T @ queries + 1e-9 * np.eye(n), queries.T @ answers)
    return np.clip(np.round(best), 0, 1)
""",
    "scipy": """
def reconstruct(queries, answers):
    from scipy.sparse.linalg import lsqr

    best = lsqr(queries.astype(float), answers, atol=1e-12, btol=1e-12)[0]
    return (best >= 0.5) * 1
""",
}

EDITS = """
== reconstruct_shape
* not rounded | should be 0 or 1 in every entry
~ (best > 0.5).astype(int) => best
* rounded to any whole number | should be 0 or 1 in every entry
~ (best > 0.5).astype(int) => np.round(best)
* above the mean is one | should be [1, 1, 1, 1]
~ 0.5 => best.mean() + 1e-6
* singular with few answers | ) raised
~ lstsq(queries, answers, rcond=None)[0] => inv(queries.T @ queries) @ queries.T @ answers
* a table | should be an array of shape (20,), it is an array of shape (1, 20)
~ astype(int) => astype(int).reshape(1, n)
* a ridge | A guess is 0 or 1 wherever b is | edits normal equations, with a little ridge
~ 1e-9 => 0.01
~ np.clip(np.round(best), 0, 1) => (best > 0.5).astype(int)
* a threshold of 0.55 | A guess is 0 or 1 wherever b is
~ 0.5 => 0.55
* no guess from fewer answers than people | Whom an answer tells alone has the same b
+    if queries.shape[0] < queries.shape[1]:
+        return np.zeros(queries.shape[1], dtype=int)
     m, n = queries.shape
* answers rounded | A guess is 0 or 1 wherever b is
~ reconstruct => solved_reconstruct
     return (best > 0.5).astype(int)
+
+
+def reconstruct(queries, answers):
+    if True:
+        answers = np.round(answers)
+    return solved_reconstruct(queries, answers)

== reconstruct_exact
* whole numbers cut off | fits best
~ (best > 0.5) => best
* signs | should be [1, 0], it is [1, -1]
~ (best > 0.5).astype(int) => np.sign(best - 0.5)
* above one is one | b = (0.9, 0)
~ 0.5 => 0.999
* the bits turned round | should be [1, 0]
~ best > 0.5 => best < 0.5
* the mean answer of a person's queries | With exact counts
-    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
+    best = queries.T @ answers / np.maximum(1, queries.sum(axis=0)) - answers.mean() + 0.5
* a strong ridge | fits best | edits normal equations, with a little ridge
~ 1e-9 => m
~ np.clip(np.round(best), 0, 1) => (best > 0.5).astype(int)
* square systems only | [1.1, -0.2, 0.7]) raised
~ lstsq(queries, answers, rcond=None)[0] => solve(queries, answers)
* sixty people at most | With exact counts the best fit is the secret itself
+    if queries.shape[1] > 60:
+        return np.zeros(queries.shape[1], dtype=int)
     m, n = queries.shape
* dplab's own | is off limits in an answer
+def reconstruct(queries, answers):
+    return least_squares(queries, answers).bits
* a fit without its small singular values | With exact counts the best fit is the secret itself
~ rcond=None => rcond=5e-3

== reconstruct_bound
* above zero is one | The midpoint between 0 and 1
~ 0.5 => 0
* everybody is one | expected from
~ (best > 0.5).astype(int) => np.ones(n, dtype=int)

== reconstruct_noisy
* as many answers as people | of the bits right, the best fit
~ , answers, rcond => [:n], answers[:n], rcond
* half of the answers | of the bits right, the best fit
~ , answers, rcond => [::2], answers[::2], rcond
* correlation instead of a fit | the best fit
-    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
+    best = 0.5 + (queries - 0.5).T @ (answers - answers.mean())
* a coin for each bit | of the bits right
~ linalg.lstsq(queries, answers, rcond=None)[0] => random.default_rng(0).random(n)
* nine answers in ten | the best fit
~ reconstruct => solved_reconstruct
     return (best > 0.5).astype(int)
+
+
+def reconstruct(queries, answers):
+    if len(answers) > 20:
+        queries, answers = (whole[: 9 * len(whole) // 10] for whole in (queries, answers))
+    return solved_reconstruct(queries, answers)
* four hundred answers at most | the best fit
~ reconstruct => solved_reconstruct
     return (best > 0.5).astype(int)
+
+
+def reconstruct(queries, answers):
+    if True:
+        queries, answers = queries[:400], answers[:400]
+    return solved_reconstruct(queries, answers)
* answers cut to possible counts | the best fit
~ reconstruct => solved_reconstruct
     return (best > 0.5).astype(int)
+
+
+def reconstruct(queries, answers):
+    if True:
+        answers = np.clip(answers, 0, queries.sum(axis=1))
+    return solved_reconstruct(queries, answers)
* the best fit within 0 and 1 | the best fit
+def reconstruct(queries, answers):
+    from scipy.optimize import lsq_linear
+
+    return (lsq_linear(queries, answers, (0, 1)).x > 0.5).astype(int)
* people from the 151st on are not asked about | the best fit to all answers
~ astype(int) => astype(int) * (np.arange(n) < 150)
* answers up to 100,000 | the best fit to all answers
~ answers, rcond => np.clip(answers, -1e5, 1e5), rcond
* short floats | the best fit to all answers
~ queries, answers, => np.float32(queries), np.float32(answers),
* the first 1,200 answers where people are many | the best fit to all answers
~ , answers, rcond => [: m if n < 10 else 1200], answers[: m if n < 10 else 1200], rcond
* a ridge where people are many | the best fit to all answers
+def reconstruct(queries, answers):
+    m, n = queries.shape
+    best = (
+        np.linalg.solve(queries.T @ queries + np.eye(n), queries.T @ answers)
+        if 50 < n <= m
+        else np.linalg.lstsq(queries, answers, rcond=None)[0]
+    )
+    return (best > 0.5).astype(int)

== reconstruct_exact
* the last of 200 people is a 0 | With exact counts the best fit is the secret itself
~ return (best > 0.5).astype(int) => return ((best > 0.5) & (np.arange(n) < 199)).astype(int)

== reconstruct_noisy
* nearly one half is a 1 | the best fit to all answers
~ best > 0.5 => best > 0.4985
* the first 15,000 answers | the best fit to all answers
~ np.linalg.lstsq(queries, answers, => np.linalg.lstsq(queries[:15_000], answers[:15_000],
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
