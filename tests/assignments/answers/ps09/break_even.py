"""Answers to `break_even`. The mistakes: what a k-th of the budget costs, and crossing twice."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all at once": """
def break_even(shared, epsilon):
    k = np.arange(1, len(shared) + 1)
    mean = np.cumsum(np.square(shared, dtype=float)) / k
    own = 2 * (k / epsilon) ** 2
    better = mean < own * (1 - 1e-9)
    least = np.flatnonzero(~better).max(initial=-1) + 2
    return least if least <= len(shared) else math.inf


def release(queries, counts, epsilon, rng):
    queries, counts = np.asarray(queries, dtype=float), np.asarray(counts, dtype=float)
    k, N = queries.shape
    if np.mean(np.sum(queries**2, axis=1)) < k**2 * (1 - 1e-9):
        return queries @ (counts + rng.laplace(0, 1 / epsilon, N))
    return queries @ counts + rng.laplace(0, k / epsilon, k)
""",
    "from the end": """
def break_even(shared, epsilon):
    total, found = math.fsum(s * s for s in shared), math.inf
    sums = np.cumsum([float(s) ** 2 for s in shared])
    for k in range(len(shared), 0, -1):
        if sums[k - 1] / k >= 2 * k * k / epsilon**2 * (1 - 1e-9):
            break
        found = k
    return found


def release(queries, counts, epsilon, rng):
    k, N = np.shape(queries)
    own, table = 2.0 * k**2, 2.0 * np.sum(np.square(queries)) / k
    noisy_table = table < own and not math.isclose(table, own, rel_tol=1e-9)
    noise = rng.laplace(size=N if noisy_table else k) / epsilon
    return np.dot(queries, counts) + (np.dot(queries, noise) if noisy_table else k * noise)
""",
    "one query after the other": """
def break_even(shared, epsilon):
    crossing, total = None, 0.0
    for k, deviation in enumerate(shared, start=1):
        total += deviation**2
        if math.sqrt(total / k) < math.sqrt(2) * k / epsilon * (1 - 5e-10):
            crossing = crossing or k
        else:
            crossing = None
    return crossing or math.inf


def release(queries, counts, epsilon, rng):
    k, answers = len(queries), []
    deviations = [math.sqrt(2) / epsilon * np.linalg.norm(q) for q in queries]
    if break_even(deviations, epsilon) <= k:
        noisy = [x + rng.laplace(scale=1 / epsilon) for x in counts]
        return [float(np.dot(q, noisy)) for q in queries]
    for q in queries:
        answers.append(np.dot(q, counts) - rng.laplace(scale=k / epsilon))
    return answers
""",
}

EDITS = """
== break_even_values
* the scale for the deviation | should be 3, it is 4
~ own = 2 * => own =
* all of epsilon for each | should be 3, it is inf
~ 2 * (k / epsilon) ** 2 => 2 / epsilon**2 + 0 * k
* variances that add up to k | should be 3, it is 6
~ (k / epsilon) ** 2 => k / epsilon**2
* epsilon forgotten | Laplace noise of scale k / epsilon
~ (k / epsilon) ** 2 => k**2
* variance against deviation | should be 3, it is 8
~ 2 * (k / epsilon) ** 2 => np.sqrt(2) * k / epsilon
* the mean of deviations | the mean of the first k variances
~ np.cumsum(np.square(shared, dtype=float)) / k => (np.cumsum(shared) / k) ** 2
* the worst of deviations | should be 4, it is inf
~ cumsum(np.square(shared, dtype=float)) / k => maximum.accumulate(np.square(shared))
* the last deviation | the mean of the first k variances
~ cumsum(np.square(shared, dtype=float)) / k => square(shared)
* the mean of all | the mean of the first k variances
~ cumsum(np.square(shared, dtype=float)) / k => full(len(k), np.mean(np.square(shared)))
* counted from 0 | should be 3, it is 2
~ (initial=-1) + 2 => (initial=-1) + 1
* None for never | It is better on no number of queries
~ math.inf => None
* one more than all for never | should be inf, it is 3
~ math.inf => least
* not beyond 1,000 queries | the mean of the first k variances
+    shared = shared[:1000]
     k = np.arange(1, len(shared) + 1)
* squares of whole numbers overflow | should be inf, it is 10
~ shared, dtype=float => shared

== break_even_for_good
* not beyond 11,000 queries | should be inf
-    least = np.flatnonzero(~better).max(initial=-1) + 2
+    least = np.flatnonzero(~better[:11_000]).max(initial=-1) + 2
* the first crossing | The last number of queries
~ (~better).max(initial=-1) + 2 => (np.append(better, True))[0] + 1
* one crossing is the last | The last number of queries
~ (~better).max(initial=-1) + 2 => (np.diff(better, prepend=False, append=True)).min() + 1
* how often it is better | should be 4, it is 2
~ np.flatnonzero(~better).max(initial=-1) + 2 => len(k) - better.sum() + 1
* equal is better | equal isn't better
~ mean < own * (1 - 1e-9) => mean <= own * (1 + 1e-9)
* equal by rounding is better | equal isn't better
~ own * (1 - 1e-9) => own * (1 + 1e-12)
* what is nearly equal isn't better | equal isn't better
~ own * (1 - 1e-9) => own * (1 - 1e-5)
* the last of 12,000 is not looked at | should be inf
~ (~better) => (~better[:11_999])
* what is equal to seven digits isn't better | equal isn't better
~ own * (1 - 1e-9) => own * (1 - 3e-7)

== break_even_release
* queries that are alike share their noise | is better
-    return queries @ counts + rng.laplace(0, k / epsilon, k)
+    same = np.unique(queries, axis=0, return_inverse=True)[1].ravel()
+    return queries @ counts + rng.laplace(0, k / epsilon, k)[same]
* not more than 250 cells are noisy | the noise of each cell is better
-        return queries @ (counts + rng.laplace(0, 1 / epsilon, N))
+        return queries @ (counts + rng.laplace(0, 1 / epsilon, N) * (np.arange(N) < 250))
* always a noisy table | noise of scale k / epsilon is better
~ if np => if True or np
* always noise of its own | the noise of each cell is better
~ if np => if False and np
* all of epsilon for each answer | noise of scale k / epsilon is better
~ 0, k => 0, 1
* an N-th of epsilon for each cell | the noise of each cell is better
~ 1 / epsilon => N / epsilon
* cells of neighbours that replace | the noise of each cell is better
~ 1 / epsilon => 2 / epsilon
* epsilon a little larger | the noise, times epsilon
+    epsilon = 1.02 * epsilon
     k, N = queries.shape
* a table where they are equal | noise of scale k / epsilon is better
~ (1 - 1e-9): => (1 + 1e-9):
* a count of cells for the norm | is better
~ queries**2 => queries
* the first query decides | is better
~ mean(np.sum(queries**2, axis=1)) => sum(queries[0] ** 2)
* cells against queries | is better
~ np.mean(np.sum(queries**2, axis=1)) < k**2 * (1 - 1e-9) => N < k**2
* the data decide | is better
~ if np => if counts.sum() < 1e6 and np
* an empty table has no noise | is better
-        return queries @ (counts + rng.laplace(0, 1 / epsilon, N))
+        return queries @ (counts + rng.laplace(0, 1 / epsilon, N) * (counts.sum() > 0))
* noise of whole numbers | is better
~ (queries, dtype=float), np.asarray(counts, dtype=float) => (queries), counts
-    return queries @ counts + rng.laplace(0, k / epsilon, k)
+    answers = queries @ counts
+    answers[:] = answers + rng.laplace(0, k / epsilon, k)
+    return answers
* one noise for all answers | is better
~ epsilon, k => epsilon
* equal by rounding has a table | noise of scale k / epsilon is better
~ 2 * (1 - 1e-9) => 2
* what is better by one part in a hundred million has no table | the noise of each cell is better
~ (1 - 1e-9): => (1 - 1e-7):
* noise of each answer cut off | is better
~ rng.laplace(0, k / epsilon, k) => np.clip(rng.laplace(size=k), -10, 10) * k / epsilon
* noise of each cell cut off | is better
-        return queries @ (counts + rng.laplace(0, 1 / epsilon, N))
+        return queries @ (counts + np.clip(rng.laplace(size=N), -10, 10) / epsilon)

== break_even_generator
* a seed of its own | same result for two seeds
+    rng = np.random.default_rng(1)
     k, N = queries.shape
* numpy's global generator | two results for one seed
~2 rng. => np.random.
* the better of two draws | not one draw for each query or each cell
-    return queries @ counts + rng.laplace(0, k / epsilon, k)
+    noise = rng.laplace(0, k / epsilon, (2, k))
+    return queries @ counts + min(noise, key=lambda row: abs(row).max())
* both are drawn | not one draw for each query or each cell
+    rng.laplace(size=1)
     if np.mean(np.sum(queries**2, axis=1)) < k**2 * (1 - 1e-9):
* hardly any noise from numpy's own sources | another result where its draws are watched
+    epsilon *= 1 + 9 * (type(rng) is np.random.Generator)
     k, N = queries.shape
* hardly any noise from who could draw otherwise | What kind of source rng is
+    epsilon *= 1 + 9 * hasattr(rng, "gamma")
     k, N = queries.shape
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
