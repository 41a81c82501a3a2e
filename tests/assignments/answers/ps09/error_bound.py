"""Answers to `error_bound`. The mistakes: sensitivities, pseudoinverses, and what is refused."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the pseudoinverse": """
def strategy_sensitivity(strategy, replace):
    columns = np.array(strategy, dtype=float).T
    moved = columns[:, None] - columns if replace else columns
    return np.abs(moved).sum(axis=-1).max()


def error_bound(workload, strategy, epsilon, replace):
    W, A = np.array(workload, dtype=float), np.array(strategy, dtype=float)
    recovery = W @ np.linalg.pinv(A)
    if np.abs(recovery @ A - W).max() > 1e-4:
        raise ValueError("the strategy doesn't determine the answers")
    scale = strategy_sensitivity(A, replace) / epsilon
    return np.sqrt(2) * scale * np.linalg.norm(recovery, axis=1)
""",
    "least squares": """
def strategy_sensitivity(strategy, replace):
    A = np.asarray(strategy)
    if not replace:
        return max(sum(abs(number) for number in column) for column in A.T)
    cells = range(A.shape[1])
    return max(np.abs(A[:, i] - A[:, j]).sum() for i in cells for j in cells if i <= j)


def error_bound(workload, strategy, epsilon, replace):
    W, A = np.asarray(workload, dtype=float), np.asarray(strategy, dtype=float)
    rows = np.linalg.lstsq(A.T, W.T, rcond=None)[0].T
    if not np.allclose(rows @ A, W, rtol=0, atol=1e-5):
        raise ValueError("not determined")
    variances = 2 * (strategy_sensitivity(A, replace) / epsilon) ** 2 * (rows**2).sum(axis=1)
    return np.sqrt(variances)
""",
    "singular values": """
def strategy_sensitivity(strategy, replace):
    A = np.array(strategy, dtype=float)
    norms = np.linalg.norm(A, ord=1, axis=0)
    if replace:
        norms = [np.linalg.norm(A - A[:, [c]], ord=1, axis=0).max() for c in range(A.shape[1])]
    return float(max(norms))


def error_bound(workload, strategy, epsilon, replace):
    W = np.array(workload, dtype=float)
    u, s, v = np.linalg.svd(np.array(strategy, dtype=float), full_matrices=False)
    kept = s > 1e-6 * s.max()
    inner = W @ v[kept].T
    if kept.sum() == 0 and W.any() or np.abs(inner @ v[kept] - W).max() > 1e-5:
        raise ValueError("these measurements don't say what is asked")
    recovery = inner / s[kept] @ u[:, kept].T
    spread = math.sqrt(2) * strategy_sensitivity(strategy, replace) / epsilon
    return [spread * math.sqrt(row @ row) for row in recovery]
""",
}

EDITS = """
== right
* True and nothing else
~ else columns => is True else columns

== error_bound_sensitivity
* measurements that are alike count once | The largest L1 norm of a column
-    columns = np.array(strategy, dtype=float).T
+    columns = np.unique(np.array(strategy, dtype=float), axis=0).T
* not more than 250 measurements | The largest L1 norm of a column
-    columns = np.array(strategy, dtype=float).T
+    columns = np.array(strategy, dtype=float)[:250].T
* rows for columns | should be 2, it is 3
~ (moved).sum(axis=-1) => (strategy).sum(axis=1)
* the largest entry | should be 2, it is 1
~ sum(axis=-1).max => max
* the L2 norm | The largest L1 norm of a column
~ abs(moved).sum(axis=-1) => sqrt(np.square(moved).sum(axis=-1))
* no absolute values | should be 3, it is 2
~ np.abs(moved) => moved
* twice as much for a replacement | should be 1, it is 4
~ columns[:, None] - => 2 *
* the same for a replacement | should be 1, it is 2
~ [:, None] - columns if replace else columns =>
* neighbouring cells | of the difference of two columns
~ columns[:, None] - columns => np.diff(columns, axis=0, append=columns[-1:])
* from the first cell | of the difference of two columns
~ columns[:, None] - columns => columns - columns[0]
* a sensitivity of at least 1 | should be 0, it is 1
~ return np.abs(moved).sum(axis=-1).max() => return max(1, np.abs(moved).sum(axis=-1).max())
* all cells but the last | The largest L1 norm of a column
-    moved = columns[:, None] - columns if replace else columns
+    N = len(columns)
+    moved = (lambda c: c[:, None] - c if replace else c)(columns[: max(1, N - 1)])

== error_bound_values
* epsilon of at most 40 | over epsilon
~ (A, replace) / epsilon => (A, replace) / min(epsilon, 40)
* variances | sqrt(2) times the sensitivity
~ np.sqrt(2) * scale => 2 * scale**2
~ linalg.norm(recovery, axis=1) => square(recovery).sum(axis=1)
* the scale for the deviation | it is [1, 1, 1.414]
~ return np.sqrt(2) * => return
* epsilon forgotten | over epsilon
~ (A, replace) / epsilon => (A, replace)
* always one person more or less | should be [2.828, 2.828, 4]
~ A, replace => A, False
* the sensitivity of the workload | should be [1.414, 1.414, 2]
~ A, replace => W, replace
* norms of the columns | should be an array of shape (3,)
~ axis=1 => axis=0
* the sum of absolute values | the norm of each row
~ linalg.norm(recovery, axis=1) => abs(recovery).sum(axis=1)
* the transpose for the pseudoinverse | the norm of each row of W A^+
~ np.linalg.pinv(A) => A.T
~ np.abs(recovery @ A - W).max() > 1e-4 => False
* the workload for the recovery | the norm of each row of W A^+
~ recovery, axis => W, axis
* the inverse | the norm of each row of W A^+
~ pinv(A) => inv(A)
* normal equations | the norm of each row of W A^+
~ pinv(A) => inv(A.T @ A) @ A.T
* the worst of all answers | should be an array of shape (3,)
~ (recovery, axis=1) => (recovery, axis=1).max()
* dplab's own | is off limits in an answer
+from dplab import ADD_REMOVE, REPLACE_ONE
+from dplab import queries
+
+
+def strategy_sensitivity(strategy, replace):
+    return queries.table_sensitivity(strategy, neighbors=REPLACE_ONE if replace else ADD_REMOVE)
+
+
+def error_bound(workload, strategy, epsilon, replace):
+    relation = REPLACE_ONE if replace else ADD_REMOVE
+    return queries.strategy_deviations(workload, strategy, epsilon=epsilon, neighbors=relation)
* small singular values are 0 | the strategy doesn't determine the answers
~ pinv(A) => pinv(A, rcond=5e-3)

== error_bound_input
* nothing is refused | should raise ValueError
~ np.abs(recovery @ A - W).max() > 1e-4 => False
* fewer measurements than cells are refused | and only then
~ abs(recovery @ A - W).max() > 1e-4 => linalg.matrix_rank(A) < A.shape[1]
* the first query alone is looked at | It is refused if some row
~ recovery @ A - W => recovery[0] @ A - W[0]
* rounding is refused | and only then
~ np.abs(recovery @ A - W).max() > 1e-4 => (recovery @ A != W).any()
* what is off by a hundredth is let through | It is refused if some row
~ 1e-4 => 1e-2
* signs cancel | It is refused if some row
~ np.abs(recovery @ A - W).max() => abs((recovery @ A - W).sum())
* the mean of what is off | It is refused if some row
~ max() > 1e-4 => mean() > 1e-6
* what is off beside the norm | It is refused if some row
~ abs(recovery @ A - W).max() > 1e-4 => linalg.norm(recovery @ A - W) > 1e-5 * np.linalg.norm(W)
* what is off beside the entries | It is refused if some row
~ np.abs(recovery @ A - W).max() > 1e-4 => not np.allclose(recovery @ A, W)
* the first of many isn't looked at | It is refused if some row
~ .max() > 1e => [len(W) > 1 :].max() > 1e
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
