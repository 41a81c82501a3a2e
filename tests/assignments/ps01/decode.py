"""Answers to `decode`. The mistakes: squares, the largest error, half a program, lies that hide."""

from autograder.rehearsal.catalogue import Answers, Mutant

_BOTH = "np.block([[queries, -own], [-queries, -own]]), np.concatenate([answers, -answers])"
_BOUNDS = "[(0, 1)] * n + [(0, None)] * m"
_ROUND = "(best[:n] > 0.5).astype(int)"


def _program(first="", rows=_BOTH, cost="[0] * n + [1] * m", bounds=_BOUNDS, guess=_ROUND):
    """The text of the function with some of its parts exchanged; it begins with `first`."""
    return f"""
def decode(queries, answers):
    queries, answers = np.asarray(queries), np.asarray(answers)
    {first}
    m, n = queries.shape
    own = np.eye(m)
    rows, room = {rows}
    best = linprog({cost}, rows, room, bounds={bounds}).x
    return {guess}
"""


def _largest(first=""):
    """The text of exercise 7's program, which minimises the largest error."""
    return f"""
def decode(queries, answers):
    queries, answers = np.asarray(queries), np.asarray(answers)
    {first}
    m, n = queries.shape
    ones = np.ones((m, 1))
    rows = np.block([[queries, -ones], [-queries, -ones]])
    cost, bounds = np.append(np.zeros(n), 1.0), [(0, 1)] * n + [(0, None)]
    best = linprog(cost, rows, np.concatenate([answers, -answers]), bounds=bounds)
    return (best.x[:n] > 0.5).astype(int)
"""


def _squares(first="", then=""):
    """The text of least squares, with something before it and something after the first fit."""
    return f"""
def decode(queries, answers):
    queries, answers = np.asarray(queries), np.asarray(answers)
    {first}
    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
    {then}
    return (best > 0.5).astype(int)
"""


_CLIPPED = "answers = np.clip(answers, 0, queries.sum(axis=1))"
_POSSIBLE = """kept = (answers > -1) & (answers < queries.sum(axis=1) + 1)
    queries, answers = queries[kept], answers[kept]"""


def _again(kept: str) -> str:
    """The lines that fit once more to the answers whose errors, `off`, are `kept`."""
    return f"""off = np.abs(queries @ best - answers)
    kept = {kept}
    best = np.linalg.lstsq(queries[kept], answers[kept], rcond=None)[0]"""


RIGHT = {
    "a bound for each error": _program(),
    "errors as differences, sparse": """
def decode(queries, answers):
    from scipy.sparse import eye_array, hstack

    m, n = queries.shape
    own = eye_array(m)
    equal = hstack([queries, own, -own], format="csc")
    cost = np.concatenate([np.zeros(n), np.ones(2 * m)])
    found = linprog(cost, A_eq=equal, b_eq=answers, method="highs-ipm")
    return np.rint(found.x[:n]).astype(int)
""",
    "bits without bounds": _program(
        bounds="[(None, None)] * (n + m)", guess="[1 if b >= 0.5 else 0 for b in best[:n]]"
    ),
    "the dual program": """
def decode(queries, answers):
    queries = np.asarray(queries)
    nothing = np.zeros(queries.shape[1])
    found = linprog(np.negative(answers), A_eq=queries.T, b_eq=nothing, bounds=(-1, 1))
    return (found.eqlin.marginals < -0.5).astype(int)
""",
    "answers are whole numbers": _program(first="answers = np.round(answers)"),
    "least squares, reweighted until it stays": """
def decode(queries, answers):
    queries, answers = np.asarray(queries, dtype=float), np.asarray(answers, dtype=float)
    weights = np.ones(len(answers))
    for _ in range(60):
        roots = np.sqrt(weights)
        best = np.linalg.lstsq(queries * roots[:, None], answers * roots, rcond=None)[0]
        weights = 1 / np.maximum(np.abs(queries @ best - answers), 1e-3)
    return (best > 0.5).astype(int)
""",
}

MUTANTS = {
    "least squares": Mutant(_squares(), "decode_huge", "An answer costs as much as it is off"),
    "least squares within the box": Mutant(
        """
def decode(queries, answers):
    from scipy.optimize import lsq_linear

    return (lsq_linear(queries, answers, bounds=(0, 1)).x > 0.5).astype(int)
""",
        "decode_huge",
        "An answer costs as much as it is off",
    ),
    "the largest error": Mutant(_largest(), "decode_huge", "An answer costs as much as it is off"),
    "the largest error, of answers that are possible": Mutant(
        _largest(_POSSIBLE), "decode_planned", "A lie need not look like one"
    ),
    "least squares, of answers cut off": Mutant(
        _squares(_CLIPPED), "decode_planned", "A lie need not look like one"
    ),
    "least squares, of answers that are possible": Mutant(
        _squares(_POSSIBLE), "decode_planned", "A lie need not look like one"
    ),
    "a tenth left out once": Mutant(
        _squares(then=_again("np.argsort(off)[: len(off) * 9 // 10]")),
        "decode_planned",
        "Behind large lies there may be small ones",
    ),
    "a fifth left out once": Mutant(
        _squares(then=_again("np.argsort(off)[: len(off) * 8 // 10]")),
        "decode_planned",
        "Behind large lies there may be small ones",
    ),
    "outliers left out once": Mutant(
        _squares(then=_again("off <= 3 * np.median(off)")),
        "decode_planned",
        "Behind large lies there may be small ones",
    ),
    "reweighted once": Mutant(
        _squares(
            then="""roots = np.maximum(np.abs(queries @ best - answers), 1e-3) ** -0.5
    best = np.linalg.lstsq(queries * roots[:, None], answers * roots, rcond=None)[0]"""
        ),
        "decode_huge",
        "An answer costs as much as it is off",
    ),
    "medians with and without each person": Mutant(
        """
def decode(queries, answers):
    return [
        int(np.median(answers[with_one == 1]) - np.median(answers[with_one == 0]) > 0.5)
        for with_one in queries.T
    ]
""",
        "decode_planned",
        "A lie need not look like one",
    ),
    "means with and without each person": Mutant(
        """
def decode(queries, answers):
    return [
        int(answers[with_one == 1].mean() - answers[with_one == 0].mean() > 0.5)
        for with_one in queries.T
    ]
""",
        "decode_huge",
        "An answer costs as much as it is off",
    ),
    "the first answers alone": Mutant(
        _program(first="k = 2 * queries.shape[1]; queries, answers = queries[:k], answers[:k]"),
        "decode_planned",
        "A lie need not look like one",
    ),
    "the last answers alone": Mutant(
        _program(first="k = 2 * queries.shape[1]; queries, answers = queries[-k:], answers[-k:]"),
        "decode_planned",
        "A lie need not look like one",
    ),
    "errors above only": Mutant(
        _program(rows="np.hstack([queries, -own]), answers"), "decode_huge", "and no other guess"
    ),
    "errors below only": Mutant(
        _program(rows="np.hstack([-queries, -own]), -answers"), "decode_huge", "and no other guess"
    ),
    "the bounds with the wrong sign": Mutant(
        _program(
            rows="np.block([[queries, own], [-queries, own]]), np.concatenate([answers, -answers])"
        ),
        "decode_huge",
        "raised TypeError",
    ),
    "answers with one sign": Mutant(
        _program(
            rows="np.block([[queries, -own], [-queries, -own]]), np.concatenate([answers, answers])"
        ),
        "decode_huge",
        "and no other guess",
    ),
    "errors that have signs": Mutant(
        """
def decode(queries, answers):
    cost, n = np.sum(queries, axis=0), len(queries[0])
    return (linprog(cost, bounds=[(0, 1)] * n).x > 0.5).astype(int)
""",
        "decode_huge",
        "and no other guess",
    ),
    "nothing is paid for": Mutant(
        _program(cost="[0] * (n + m)"), "decode_huge", "and no other guess"
    ),
    "the costs of the bits": Mutant(
        _program(cost="[1] * n + [0] * m"), "decode_huge", "and no other guess"
    ),
    "no error above one": Mutant(
        _program(bounds="[(0, 1)] * (n + m)"), "decode_huge", "raised TypeError"
    ),
    "cut to whole numbers": Mutant(
        _program(guess="np.clip(best[:n], 0, 1).astype(int)"),
        "decode_huge",
        "An answer costs as much as it is off",
    ),
    "above nothing": Mutant(
        _program(guess="(best[:n] > 0).astype(int)"),
        "decode_huge",
        "An answer costs as much as it is off",
    ),
    "turned over": Mutant(
        _program(guess="(best[:n] < 0.5).astype(int)"), "decode_huge", "and no other guess"
    ),
    "not rounded": Mutant(
        _program(guess="best[:n]"), "decode_planned", "should be 0 or 1 in every entry"
    ),
    "the errors among the bits": Mutant(
        _program(guess="(best > 0.5).astype(int)"),
        "decode_huge",
        "should be an array of shape (20,), it is an array of shape (220,)",
    ),
    "the last bit is never told": Mutant(
        _program(guess="np.append((best[: n - 1] > 0.5).astype(int), 0)"),
        "decode_sizes",
        "One person or forty",
    ),
    "two people at least": Mutant(
        _program(guess="(best[:n] > 0.5).astype(int) if n > 1 else np.zeros(1)"),
        "decode_sizes",
        "One person or forty",
    ),
    "fewer than forty people": Mutant(
        _program(guess="(best[:n] > 0.5).astype(int) * (n < 40)"),
        "decode_sizes",
        "One person or forty",
    ),
    "half of the people have a 1": Mutant(
        _program(guess="(best[:n].argsort().argsort() >= (n + 1) // 2).astype(int)"),
        "decode_sizes",
        "One person or forty",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.linear_program import least_absolute


def decode(queries, answers):
    return least_absolute(queries, answers).bits
""",
        "decode_huge",
        "is off limits in an answer",
    ),
    "Huber's loss": Mutant(
        """
def decode(queries, answers):
    answers = np.clip(answers, 0, queries.sum(axis=1))
    b = np.full(queries.shape[1], 0.5)
    for _ in range(60):
        fit = queries @ b
        b = np.linalg.lstsq(queries, fit + np.clip(answers - fit, -1, 1), rcond=None)[0]
    return (b > 0.5).astype(int)
""",
        "decode_planned",
        "only the sum of absolute errors",
    ),
    "whole numbers as places": Mutant(
        _program(first="np.eye(2)[queries]"), "decode_huge", "raised IndexError"
    ),
    "wild answers cut off where they are": Mutant(
        _program(first="np.clip(answers, 0, queries.shape[1], out=answers)"),
        "decode_sizes",
        "changes what it was given",
    ),
}

ANSWERS = Answers("decode", RIGHT, MUTANTS)
