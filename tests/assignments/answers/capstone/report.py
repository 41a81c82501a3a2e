"""Answers to `report`. The mistakes: what the budget buys, the order of the counts, and what is
left undone that costs nothing.

The errors of such strategies over many towns, and with which probability each of them is on the
other side of a bound, are printed by `python tests/benchmarks/capstone.py`.
"""

from tests.assignments.edits import read_answers

RIGHT = {
    "projection": """
def report(ask, shape, n, rho):
    queries = np.asarray(MarginalQueries(shape, 2))
    tables = math.comb(len(shape), 2)
    answers = ask(queries, math.sqrt(tables / rho))
    return queries @ nearest_table(queries, answers, n)
""",
    "tables of three, projected": """
def report(ask, shape, n, rho):
    k = min(3, len(shape))
    three = MarginalQueries(shape, k)
    sigma = (math.comb(len(shape), k) / rho) ** 0.5
    answers = ask(np.asarray(three), sigma)
    return list(MarginalQueries(shape, 2) @ nearest_table(np.asarray(three), answers, n))
""",
    "the total, and table after table": """
def report(ask, shape, n, rho):
    pairs = list(combinations(range(len(shape)), 2))
    queries = np.asarray(MarginalQueries(shape, 2)).astype(float)
    ends = np.cumsum([shape[a] * shape[b] for a, b in pairs])[:-1]
    sigma = math.sqrt(len(pairs) / rho)
    (people,) = ask([[1] * math.prod(shape)], 0.001)  # that costs nothing
    answers = np.concatenate([ask(table.tolist(), sigma) for table in np.split(queries, ends)])
    return queries @ nearest_table(queries, answers, round(people), steps=300)
""",
    # The strategy with the least noise on average: the fourth root of W'W.
    "other questions": """
from scipy.spatial.distance import pdist

from dplab.queries.projection import to_simplex


def report(ask, shape, n, rho):
    wanted = np.asarray(MarginalQueries(shape, 2)).astype(float)
    squares, directions = np.linalg.eigh(wanted.T @ wanted)
    kept = squares > 1e-9 * squares.max()
    strategy = (directions[:, kept] * squares[kept] ** 0.25).T
    sigma = pdist(strategy.T).max() / math.sqrt(2 * rho)
    answers = ask(strategy, sigma * (1 + 1e-9))
    pace = 1 / np.linalg.norm(strategy, 2) ** 2
    table = ahead = np.full(math.prod(shape), n / math.prod(shape))
    for step in range(400):
        before = table
        table = to_simplex(ahead - pace * strategy.T @ (strategy @ ahead - answers), n)
        ahead = table + step / (step + 3) * (table - before)
    return wanted @ table
""",
}

EDITS = """
== report_form
* the whole table | should be an array of shape (16,)
~ return queries @ => return
* a table for each pair | should be numbers, it is
-    return queries @ nearest_table(queries, answers, n)
+    ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]
+    found = queries @ nearest_table(queries, answers, n)
+    return {k: table for k, table in enumerate(np.split(found, ends))}
* the graded shape | raised ValueError: queries must be
+    shape = SHAPE
     queries = np.asarray(MarginalQueries(shape, 2))
* sensitivity 1 | price must be at most ZCDP
~ (queries, math.sqrt(tables / rho)) => (queries, math.sqrt(1 / (2 * rho)))
* all of rho for each table | price must be at most ZCDP
+def report(ask, shape, n, rho):
+    queries = np.asarray(MarginalQueries(shape, 2))
+    ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]
+    answers = np.concatenate([ask(table, (1 / rho) ** 0.5) for table in np.split(queries, ends)])
+    return queries @ nearest_table(queries, answers, n)
* a guess for a small town | in deviations of normal noise
+    if n < 400:
+        return queries @ np.full(len(queries.T), n / len(queries.T))
     return queries @ nearest_table(queries, answers, n)
* a guess for four attributes | in deviations of normal noise
+    if len(shape) == 4:
+        return queries @ np.full(len(queries.T), n / len(queries.T))
     return queries @ nearest_table(queries, answers, n)
* a guess for a small budget | in deviations of normal noise
+    if rho < 0.02 and len(shape) > 2:
+        return queries @ np.full(len(queries.T), n / len(queries.T))
     return queries @ nearest_table(queries, answers, n)
* a guess for small towns of three attributes | in deviations of normal noise
+    if n < 150 and len(shape) > 2:
+        return queries @ np.full(len(queries.T), n / len(queries.T))
     return queries @ nearest_table(queries, answers, n)
* out of order | in deviations of normal noise
~ (queries, answers, n) => (queries, answers, n)[::-1]
* always tables of three | raised ValueError: k must be
+def report(ask, shape, n, rho):
+    three = np.asarray(MarginalQueries(shape, 3))
+    answers = ask(three, math.sqrt(math.comb(len(shape), 3) / rho))
+    return MarginalQueries(shape, 2) @ nearest_table(three, answers, n)

== report_budget
* nothing asked | the error over 12 towns
+def report(ask, shape, n, rho):
+    even = np.full(math.prod(shape), n / math.prod(shape))
+    return MarginalQueries(shape, 2) @ even
* a noisy table | the error over 12 towns
+def report(ask, shape, n, rho):
+    cells = ask(np.eye(math.prod(shape)), rho**-0.5)
+    return MarginalQueries(shape, 2) @ cells
* the L1 sensitivity | the error over 12 towns
~ math.sqrt(tables / rho) => 2 * tables / math.sqrt(2 * rho)
~ queries @ nearest_table(queries, answers, n) => answers
* half of the budget | the error over 12 towns
~ tables / rho => 2 * tables / rho
~ queries @ nearest_table(queries, answers, n) => answers
* the graded budget | the error over 4 towns at rho = 1
~ tables / rho => tables / RHO
# In a town of two kinds its error is above 24, unless noise of deviation 2.4 reaches 100.
* attributes that don't depend | the error over 4 towns at rho = 1
+def report(ask, shape, n, rho):
+    single = np.asarray(MarginalQueries(shape, 1))
+    shares = np.maximum(ask(single, math.sqrt(len(shape) / rho)), 0.01) / n
+    table = np.ones(1)
+    for share in np.split(shares, np.cumsum(shape)[:-1]):
+        table = np.outer(table, share / share.sum()).ravel()
+    return MarginalQueries(shape, 2) @ (n * table)

== report_consistent
* rounded to whole people | over n, in report
-    return queries @ nearest_table(queries, answers, n)
+    return np.round(queries @ nearest_table(queries, answers, n))
# Least squares over all answers, among tables that add up to n.
* negative people | No count may be below 0.
-    return queries @ nearest_table(queries, answers, n)
+    even = np.full(math.prod(shape), n / math.prod(shape))
+    inverse = np.linalg.pinv(queries @ queries.T, 1e-9, hermitian=True)
+    change = queries.T @ inverse @ (answers - queries @ even)
+    found = queries @ (even + change - change.mean())
+    return found
* negative people of six attributes | over n, in report
+    if len(shape) == 6 and shape != SHAPE:
+        return queries @ np.linalg.lstsq(queries, answers, rcond=None)[0]
     return queries @ nearest_table(queries, answers, n)
* each table by itself | must be the same
-    return queries @ nearest_table(queries, answers, n)
+    found = np.maximum(answers, 1e-9)
+    ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]
+    return np.concatenate([n * t / t.sum() for t in np.split(found, ends)])
* cut off at 0 | adds up to n
-    return queries @ nearest_table(queries, answers, n)
+    even = np.full(math.prod(shape), n / math.prod(shape))
+    inverse = np.linalg.pinv(queries @ queries.T, 1e-9, hermitian=True)
+    change = queries.T @ inverse @ (answers - queries @ even)
+    found = queries @ (even + change - change.mean())
+    return np.maximum(found, 0)
* five hundred people | adds up to n
~ answers, n => answers, 500

== report_together
* normal noise in each count | the error over 16 towns
~ queries @ nearest_table(queries, answers, n) => answers
* three quarters of the noise in vain | the error over 16 towns
+def report(ask, shape, n, rho):
+    queries = np.asarray(MarginalQueries(shape, 2))
+    tables = math.comb(len(shape), 2)
+    answers = ask(queries, 1.5 * math.sqrt(tables / rho))
+    even = np.full(math.prod(shape), n / math.prod(shape))
+    inverse = np.linalg.pinv(queries @ queries.T, 1e-9, hermitian=True)
+    change = queries.T @ inverse @ (answers - queries @ even)
+    found = queries @ (even + change - change.mean())
+    return found

== report_best
* least squares alone | the error over 16 towns
~ nearest_table(queries, answers, n) => np.linalg.lstsq(queries, answers, rcond=None)[0]
* least squares, n known | the error over 16 towns
-    return queries @ nearest_table(queries, answers, n)
+    even = np.full(math.prod(shape), n / math.prod(shape))
+    inverse = np.linalg.pinv(queries @ queries.T, 1e-9, hermitian=True)
+    change = queries.T @ inverse @ (answers - queries @ even)
+    found = queries @ (even + change - change.mean())
+    return found
* the nearest table, hardly looked for | the error over 16 towns
~ answers, n => answers, n, steps=2

== report_budget
* a rho of 0.05 at most | the error over 4 towns at rho = 1
~ math.sqrt(tables / rho) => math.sqrt(tables / min(rho, 0.05))

== report_consistent
* a thousand people at most | adds up to n
~ nearest_table(queries, answers, n) => nearest_table(queries, answers, min(n, 1000))

== report_form
* six attributes at most | raised ValueError: queries must be
-    queries = np.asarray(MarginalQueries(shape, 2))
+    queries = np.asarray(MarginalQueries(shape[:6], 2))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
