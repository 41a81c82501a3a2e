"""Answers to `consistent_guesses`. The mistakes: any for all, strict bounds, order, shapes."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a table of errors": """
def consistent_guesses(queries, answers, error):
    queries, answers = np.asarray(queries), np.asarray(answers)
    m, n = queries.shape
    guesses = np.array(list(product([0, 1], repeat=n)))
    off = np.abs(guesses @ queries.T - answers)
    kept = (off <= error).all(axis=1)
    return guesses[kept]
""",
    "one by one": """
def consistent_guesses(queries, answers, error):
    n = len(queries[0])
    found = []
    for guess in product([0, 1], repeat=n):
        if all(
            abs(sum(q * b for q, b in zip(row, guess)) - answer) <= error
            for row, answer in zip(queries, answers)
        ):
            found.append(guess)
    return np.array(found).reshape(len(found), n)
""",
    "bits of numbers": """
def consistent_guesses(queries, answers, error):
    queries = np.array(queries)
    n = queries.shape[1]
    guesses = np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1
    for query, answer in zip(queries, answers):
        counts = guesses @ query
        guesses = guesses[(counts >= answer - error) & (counts <= answer + error)]
    return guesses
""",
}

EDITS = """
== right
* the largest error
~ (off <= error).all(axis=1) => off.max(axis=1) <= error
~ guesses[kept] => guesses[np.flatnonzero(kept)]

== consistent_guesses_small
* any for all | The first count must be 1
~ all(axis=1) => any(axis=1)
* below the error | (1, 3), it is an array
~ off <= error => off < error
* below, or equal to nothing | An error of exactly 1 is allowed
~ off <= error => (off < error) | (off == 0)
* too high only | The first count must be 1
~ off <= error => guesses @ queries.T - answers <= error
* ones first | count in binary
~ 0, 1 => 1, 0
* the first person counts fastest | should be [[0, 1, 1]], it is [[1, 1, 0]]
~ guesses[kept] => guesses[kept][:, ::-1]
* numbers of guesses | should be an array of shape (1, 3)
~ guesses[kept] => np.flatnonzero(kept)
* the best one | should be an array of shape (6, 3)
~ (off <= error).all(axis=1) => off.max(axis=1).argmin()
~ guesses[kept] => guesses[[kept]]
* an error of a whole number | An error of exactly 1 is allowed
~ off <= error => off <= np.floor(error)
* answers are rounded | An error of exactly 1 is allowed
~ off <= error => np.abs(guesses @ queries.T - np.round(answers)) <= error
* not everybody has the bit | An error of exactly 1 is allowed
~ (axis=1) => (axis=1) & ~guesses.all(axis=1)
* dplab's own | is off limits in an answer
+from dplab.attacks.exhaustive import consistent_datasets
+
+
+def consistent_guesses(queries, answers, error):
+    return consistent_datasets(queries, answers, error)
* arrays alone | raised AttributeError
-    queries, answers = np.asarray(queries), np.asarray(answers)
* the error taken off the answers themselves | changes what it was given
+def consistent_guesses(queries, answers, error):
+    queries, answers = np.asarray(queries), np.asarray(answers, dtype=float)
+    answers -= error
+    guesses = np.array(list(product([0, 1], repeat=queries.shape[1])))
+    above = guesses @ queries.T - answers
+    return guesses[((above >= 0) & (above <= 2 * error)).all(axis=1)]

== consistent_guesses_none
* errors averaged | should be an array
~ (off <= error).all(axis=1) => off.mean(axis=1) <= error
* an empty list | should be an array of shape (0, 3)
~ return guesses[kept] => return [list(guess) for guess in guesses[kept]]
* the best one if there is none | No guess gives 0 and 2
~ off <= error => off <= max(error, off.max(axis=1).min())
* nearly within the error | An error of 0 allows for no quarter
~ off <= error => off <= error + 0.2
~ (axis=1) => (axis=1) if error else (off <= 0.3).all(axis=1)

== consistent_guesses_all
* the root of the mean square | Every guess that is within the error
~ (off <= error).all(axis=1) => (off**2).mean(axis=1) <= error**2
* the first ten queries | Every guess that is within the error
~ off <= error => off[:, :10] <= error
* the first fifty queries | here one alone rules out guesses
~ off <= error => off[:, :50] <= error
* all queries but the last | Every guess that is within the error
~ off <= error => off[:, : max(1, m - 1)] <= error
* a hundred at most | Every guess that is within the error
~ guesses[kept] => guesses[kept][:100]
* the error never above three | here one alone rules out guesses
~ off <= error => off <= min(error, 3)
* nine people at most | Every guess that is within the error
~ guesses[kept] => guesses[kept] if n < 10 else guesses[:0]
* somebody has the bit | Every guess that is within the error
~ (axis=1) => (axis=1) & guesses.any(axis=1)
* the error never above ten | where the error is large enough
~ off <= error => off <= min(error, 10)
* two per cent more than the error | where the error is large enough
~ off <= error => off <= 1.02 * error

== consistent_guesses_all
* answers are counts of people | Every guess that is within the error
~ guesses @ queries.T - answers => guesses @ queries.T - np.clip(answers, 0, n)
* no error is larger than the number of people | where the error is large enough
~ off <= error => off <= min(error, n)
* the error in whole numbers from five on | where the error is large enough
~ off <= error => off <= (error if error < 5 else np.ceil(error))

== consistent_guesses_small
* counts in halves | An error of exactly 1 is allowed
~ off <= error => np.floor(2 * off) <= np.floor(2 * error)

== consistent_guesses_none
* a question counts once | No guess gives 0 and 2
-    off = np.abs(guesses @ queries.T - answers)
+    first = np.unique(queries, axis=0, return_index=True)[1]
+    off = np.abs(guesses @ queries[first].T - answers[first])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
