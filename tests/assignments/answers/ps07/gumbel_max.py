"""Answers to `gumbel_max`. The mistakes: other noise, its scale or sign, or one noise for all."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a table": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    scores = np.array(scores, dtype=float)
    m, a = len(scores), epsilon / (2 * sensitivity) * scores
    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
""",
    "noise on the scale of the scores": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    noise = rng.gumbel(scale=2 * sensitivity / epsilon, size=(size, len(scores)))
    return (np.asarray(scores) + noise).argmax(axis=1)
""",
    "choice by choice": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = [epsilon * score / (2 * sensitivity) for score in scores]
    return [int(np.argmax(a + rng.gumbel(size=len(a)))) for _ in range(size)]
""",
    "a race of exponential clocks": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * (np.asarray(scores, dtype=float) - np.max(scores))
    times = np.log(rng.exponential(size=(size, len(logs)))) - logs
    return times.argmin(axis=1)
""",
    "choices by numpy": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * np.array(scores, dtype=float)
    weights = np.exp(logs - logs.max())
    return rng.choice(len(logs), size=size, p=weights / weights.sum())
""",
    "the counts of all, shuffled": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * np.array(scores, dtype=float)
    weights = np.exp(logs - logs.max())
    chosen = np.repeat(range(len(logs)), rng.multinomial(size, weights / weights.sum()))
    rng.shuffle(chosen)
    return chosen
""",
    "noise from the last row to the first": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    rows = list(rng.gumbel(size=(size, len(a))))
    return [np.argmax(a + rows.pop()) for _ in range(size)]
""",
    "those that are possible": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    possible = np.flatnonzero(a > -np.inf)
    noise = rng.gumbel(size=(size, len(possible)))
    return possible[np.argmax(a[possible] + noise, axis=1)]
""",
    "the best first": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    order = np.argsort(-a, kind="stable")
    return order[np.argmax(a[order] + rng.gumbel(size=(size, len(a))), axis=1)]
""",
    "each, or one of the rest": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    weights = np.exp(a - a.max())
    rest = np.cumsum(weights[::-1])[::-1]
    shares = np.divide(weights, rest, out=np.ones(len(a)), where=rest > 0)
    return np.argmax(rng.random((size, len(a))) < shares, axis=1)
""",
}

EDITS = """
== right
* from uniform variables
~ a + rng.gumbel(size=(size, m)) => a - np.log(-np.log(rng.random((size, m))))
* the best first, equals in any order | edits the best first
~ (-a, kind="stable") => (a)[::-1]

== gumbel_max_law
* Laplace noise | came up in a share
~ rng.gumbel => rng.laplace
* exponential noise | its own Gumbel noise
~ rng.gumbel => rng.exponential
* normal noise | came up in a share
~ rng.gumbel => rng.normal
* the sign of the noise | choices among scores
~ a + rng => a - rng
* twice the rate | expected 0.25
~ a + rng => 2 * a + rng
* noise that is divided instead | epsilon / (2 sensitivity), plus its own
| edits noise on the scale of the scores
~ 2 * sensitivity / epsilon => epsilon / (2 * sensitivity)
* one noise for all candidates | came up in a share
~ size, m => size, 1
* the smallest | came up in a share
~ (a + rng.gumbel(size=(size, m)), axis=1) => (-(a + rng.gumbel(size=(size, m))), axis=1)
* scores instead of positions | 4.0 came up, which is impossible
-    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
+    return scores[np.argmax(a + rng.gumbel(size=(size, m)), axis=1)]
* largest sums instead of positions | which is impossible
~ np.argmax => np.max
* the best for each candidate | should be an array of shape (8000,)
~ axis=1 => axis=0
* positions from 1 | 2.0 came up, which is impossible
~ (a + rng.gumbel(size=(size, m)), axis=1) => (a + rng.gumbel(size=(size, m)), axis=1) + 1
* dplab's own | off limits
+from dplab import ExponentialMechanism
+
+
+def gumbel_max(scores, sensitivity, epsilon, size, rng):
+    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
+    return [mechanism(scores, rng) for _ in range(size)]
* an array shifted in place | changes what it was given
+def gumbel_max(scores, sensitivity, epsilon, size, rng):
+    scores = np.asarray(scores, dtype=float)
+    scores -= scores.max()
+    noise = rng.gumbel(size=(size, len(scores)))
+    return np.argmax(epsilon / (2 * sensitivity) * scores + noise, axis=1)
* no noise at an epsilon above 20, and one draw too many | plus its own Gumbel noise
-    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
+    rng.random()
+    return np.argmax(a + (epsilon <= 20) * rng.gumbel(size=(size, m)), axis=1)
* the best of more than 5,000, by the counts of all | What many candidates have together counts
| edits the counts of all, shuffled
+    weights[weights < 1] *= len(logs) <= 5000
     chosen = np.repeat(range(len(logs)), rng.multinomial(size, weights / weights.sum()))
* small weights left out, by the counts of all | What many candidates have together counts
| edits the counts of all, shuffled
+    weights[weights < 0.01] = 0
     chosen = np.repeat(range(len(logs)), rng.multinomial(size, weights / weights.sum()))

== gumbel_max_independence
* a generator of its own | gives two results for one seed
~ rng.gumbel => np.random.default_rng().gumbel
* a fixed seed | gives the same result for two seeds
~ rng.gumbel => np.random.default_rng(13).gumbel
* every noise used twice | Has every choice noise of its own?
-    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
+    return np.argmax(
+        a + np.repeat(rng.gumbel(size=((size + 1) // 2, m)), 2, axis=0)[:size], axis=1
+    )
* half of the choices again | noise of its own
~ rng.gumbel(size=(size, m)) => np.resize(rng.gumbel(size=((size + 1) // 2, m)), (size, m))
* choices by numpy, the last as the first | choices repeat others | edits choices by numpy
-    return rng.choice(len(logs), size=size, p=weights / weights.sum())
+    chosen = rng.choice(len(logs), size=size, p=weights / weights.sum())
+    chosen[-1] = chosen[0]
+    return chosen
* one of 65,536 seeds | those of another call
+    rng = np.random.default_rng(rng.integers(2**16))
     return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)

== gumbel_max_large
* the law computed, and too large | raised ValueError
+def gumbel_max(scores, sensitivity, epsilon, size, rng):
+    weights = np.exp(epsilon / (2 * sensitivity) * np.array(scores))
+    return rng.choice(len(weights), size=size, p=weights / weights.sum())
* products of weights and noise | Stay in log space
~ a + rng.gumbel => np.exp(a) / rng.exponential
* impossible scores replaced | came up
~ a + rng => np.nan_to_num(a, neginf=0.0) + rng
* a size that must be Python's | raised TypeError
+    if not isinstance(size, int):
+        raise TypeError("size")
     return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)

== gumbel_max_noise
* epsilon a little larger | as drawn
~ a + rng => 1.03 * a + rng
* noise of at most 8 | as drawn
~ (size=(size, m)) => (size=(size, m)).clip(-8, 8)
* the noise of 1,023 candidates again and again | as drawn
~ rng.gumbel(size=(size, m)) => np.resize(rng.gumbel(size=min(1023, size * m)), (size, m))
* no noise among more than 5,000 | as drawn
~ a + rng => a + (m <= 5000) * rng
* only the best hundred | as drawn
~ a + rng => np.where(a >= np.sort(a)[-100:][0], a, -np.inf) + rng
* scores to the tenth | as drawn
~ a + rng => a.round(1) + rng
* choices again after 10,000 | are not the best with the noise
-    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
+    return np.argmax(np.resize(a + rng.gumbel(size=(min(size, 10_000), m)), (size, m)), axis=1)
* choices by numpy, small weights left out | the logarithms of p | edits choices by numpy
+    weights[weights < 1e-4] = 0
     return rng.choice(len(logs), size=size, p=weights / weights.sum())

== gumbel_max_law
* equal scores share their noise | came up in a share
-    return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)
+    different, places = np.unique(a, return_inverse=True)
+    noise = rng.gumbel(size=(size, len(different)))
+    return np.argmax(a + noise[:, places.ravel()], axis=1)

== gumbel_max_noise
* positions of one byte | as drawn
~ axis=1) => axis=1).astype(np.int8)
* an epsilon of 10,000 sensitivities at most | as drawn
~ epsilon / (2 * sensitivity) => min(epsilon / sensitivity, 10_000) / 2
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
