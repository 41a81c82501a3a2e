"""Answers to `error_bound`. The mistakes: sensitivities, pseudoinverses, and what is refused."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _bound(
    moved: str = "columns[:, None] - columns if replace else columns",
    delta: str = "np.abs(moved).sum(axis=-1).max()",
    recovery: str = "W @ np.linalg.pinv(A)",
    undetermined: str = "np.abs(recovery @ A - W).max() > 1e-4",
    scale: str = "strategy_sensitivity(A, replace) / epsilon",
    deviations: str = "np.sqrt(2) * scale * np.linalg.norm(recovery, axis=1)",
) -> str:
    """The text of both functions with these parts."""
    return f"""
def strategy_sensitivity(strategy, replace):
    columns = np.array(strategy, dtype=float).T
    moved = {moved}
    return {delta}


def error_bound(workload, strategy, epsilon, replace):
    W, A = np.array(workload, dtype=float), np.array(strategy, dtype=float)
    recovery = {recovery}
    if {undetermined}:
        raise ValueError("the strategy doesn't determine the answers")
    scale = {scale}
    return {deviations}
"""


RIGHT = {
    "the pseudoinverse": _bound(),
    "True and nothing else": _bound(
        moved="columns[:, None] - columns if replace is True else columns"
    ),
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

MUTANTS = {
    "rows for columns": Mutant(
        _bound(delta="np.abs(strategy).sum(axis=1).max()"),
        "error_bound_sensitivity",
        "should be 2, it is 3",
    ),
    "the largest entry": Mutant(
        _bound(delta="np.abs(moved).max()"), "error_bound_sensitivity", "should be 2, it is 1"
    ),
    "the L2 norm": Mutant(
        _bound(delta="np.sqrt(np.square(moved).sum(axis=-1)).max()"),
        "error_bound_sensitivity",
        "The largest L1 norm of a column",
    ),
    "no absolute values": Mutant(
        _bound(delta="moved.sum(axis=-1).max()"),
        "error_bound_sensitivity",
        "should be 3, it is 2",
    ),
    "twice as much for a replacement": Mutant(
        _bound(moved="2 * columns if replace else columns"),
        "error_bound_sensitivity",
        "should be 1, it is 4",
    ),
    "the same for a replacement": Mutant(
        _bound(moved="columns"), "error_bound_sensitivity", "should be 1, it is 2"
    ),
    "neighbouring cells": Mutant(
        _bound(moved="np.diff(columns, axis=0, append=columns[-1:]) if replace else columns"),
        "error_bound_sensitivity",
        "of the difference of two columns",
    ),
    "from the first cell": Mutant(
        _bound(moved="columns - columns[0] if replace else columns"),
        "error_bound_sensitivity",
        "of the difference of two columns",
    ),
    "a sensitivity of at least 1": Mutant(
        _bound(delta="max(1, np.abs(moved).sum(axis=-1).max())"),
        "error_bound_sensitivity",
        "should be 0, it is 1",
    ),
    "variances": Mutant(
        _bound(deviations="2 * scale**2 * np.square(recovery).sum(axis=1)"),
        "error_bound_values",
        "sqrt(2) times the sensitivity",
    ),
    "the scale for the deviation": Mutant(
        _bound(deviations="scale * np.linalg.norm(recovery, axis=1)"),
        "error_bound_values",
        "it is [1, 1, 1.414]",
    ),
    "epsilon forgotten": Mutant(
        _bound(scale="strategy_sensitivity(A, replace)"), "error_bound_values", "over epsilon"
    ),
    "always one person more or less": Mutant(
        _bound(scale="strategy_sensitivity(A, False) / epsilon"),
        "error_bound_values",
        "should be [2.828, 2.828, 4]",
    ),
    "the sensitivity of the workload": Mutant(
        _bound(scale="strategy_sensitivity(W, replace) / epsilon"),
        "error_bound_values",
        "should be [1.414, 1.414, 2]",
    ),
    "norms of the columns": Mutant(
        _bound(deviations="np.sqrt(2) * scale * np.linalg.norm(recovery, axis=0)"),
        "error_bound_values",
        "should be an array of shape (3,)",
    ),
    "the sum of absolute values": Mutant(
        _bound(deviations="np.sqrt(2) * scale * np.abs(recovery).sum(axis=1)"),
        "error_bound_values",
        "the norm of each row",
    ),
    "the transpose for the pseudoinverse": Mutant(
        _bound(recovery="W @ A.T", undetermined="False"),
        "error_bound_values",
        "the norm of each row of W A^+",
    ),
    "the workload for the recovery": Mutant(
        _bound(deviations="np.sqrt(2) * scale * np.linalg.norm(W, axis=1)"),
        "error_bound_values",
        "the norm of each row of W A^+",
    ),
    "the inverse": Mutant(
        _bound(recovery="W @ np.linalg.inv(A)"),
        "error_bound_values",
        "the norm of each row of W A^+",
    ),
    "normal equations": Mutant(
        _bound(recovery="W @ np.linalg.inv(A.T @ A) @ A.T"),
        "error_bound_values",
        "the norm of each row of W A^+",
    ),
    "the worst of all answers": Mutant(
        _bound(deviations="np.sqrt(2) * scale * np.linalg.norm(recovery, axis=1).max()"),
        "error_bound_values",
        "should be an array of shape (3,)",
    ),
    "nothing is refused": Mutant(
        _bound(undetermined="False"), "error_bound_input", "should raise ValueError"
    ),
    "fewer measurements than cells are refused": Mutant(
        _bound(undetermined="np.linalg.matrix_rank(A) < A.shape[1]"),
        "error_bound_input",
        "and only then",
    ),
    "the first query alone is looked at": Mutant(
        _bound(undetermined="np.abs(recovery[0] @ A - W[0]).max() > 1e-4"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "rounding is refused": Mutant(
        _bound(undetermined="(recovery @ A != W).any()"), "error_bound_input", "and only then"
    ),
    "what is off by a hundredth is let through": Mutant(
        _bound(undetermined="np.abs(recovery @ A - W).max() > 1e-2"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "signs cancel": Mutant(
        _bound(undetermined="abs((recovery @ A - W).sum()) > 1e-4"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "dplab's own": Mutant(
        """
from dplab import ADD_REMOVE, REPLACE_ONE
from dplab import queries


def strategy_sensitivity(strategy, replace):
    return queries.table_sensitivity(strategy, neighbors=REPLACE_ONE if replace else ADD_REMOVE)


def error_bound(workload, strategy, epsilon, replace):
    relation = REPLACE_ONE if replace else ADD_REMOVE
    return queries.strategy_deviations(workload, strategy, epsilon=epsilon, neighbors=relation)
""",
        "error_bound_values",
        "is off limits in an answer",
    ),
    "all cells but the last": Mutant(
        _bound(
            moved="(lambda c: c[:, None] - c if replace else c)(columns[: max(1, N - 1)])"
        ).replace("    moved", "    N = len(columns)\n    moved"),
        "error_bound_sensitivity",
        "The largest L1 norm of a column",
    ),
    "the mean of what is off": Mutant(
        _bound(undetermined="np.abs(recovery @ A - W).mean() > 1e-6"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "what is off beside the norm": Mutant(
        _bound(undetermined="np.linalg.norm(recovery @ A - W) > 1e-5 * np.linalg.norm(W)"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "what is off beside the entries": Mutant(
        _bound(undetermined="not np.allclose(recovery @ A, W)"),
        "error_bound_input",
        "It is refused if some row",
    ),
    "small singular values are 0": Mutant(
        _bound(recovery="W @ np.linalg.pinv(A, rcond=5e-3)"),
        "error_bound_values",
        "the strategy doesn't determine the answers",
    ),
    "the first of many isn't looked at": Mutant(
        _bound(undetermined="np.abs(recovery @ A - W)[len(W) > 1 :].max() > 1e-4"),
        "error_bound_input",
        "It is refused if some row",
    ),
}

ANSWERS = Answers("error_bound", RIGHT, MUTANTS)
