"""Answers to `reconstruct`. The mistakes: guesses that are no bits, thresholds, and worse fits.

Where chance decides whether a mutant is found, hundreds of bits do it: a tenth of the answers less
flips one in twelve, and none of 500 with probability 1e-16.
"""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _from(best: str, guess: str = "(best > 0.5).astype(int)") -> str:
    """The text of the function that rounds `best`, a real number for each bit, by `guess`."""
    return f"""
def reconstruct(queries, answers):
    m, n = queries.shape
    best = {best}
    return {guess}
"""


LSTSQ = "np.linalg.lstsq(queries, answers, rcond=None)[0]"

RIGHT = {
    "least squares": _from(LSTSQ),
    "the pseudo-inverse": _from("np.linalg.pinv(queries) @ answers", "np.where(best < 0.5, 0, 1)"),
    "around one half": _from(
        "np.linalg.lstsq(queries - 0.0, answers - queries.sum(axis=1) / 2, rcond=None)[0]",
        "[int(b > 0) for b in best]",
    ),
    "normal equations, with a little ridge": _from(
        "np.linalg.solve(queries.T @ queries + 1e-9 * np.eye(n), queries.T @ answers)",
        "np.clip(np.round(best), 0, 1)",
    ),
    "scipy": """
def reconstruct(queries, answers):
    from scipy.sparse.linalg import lsqr

    best = lsqr(queries.astype(float), answers, atol=1e-12, btol=1e-12)[0]
    return (best >= 0.5) * 1
""",
}

MUTANTS = {
    "not rounded": Mutant(
        _from(LSTSQ, "best"), "reconstruct_shape", "should be 0 or 1 in every entry"
    ),
    "rounded to any whole number": Mutant(
        _from(LSTSQ, "np.round(best)"), "reconstruct_shape", "should be 0 or 1 in every entry"
    ),
    "whole numbers cut off": Mutant(
        _from(LSTSQ, "best.astype(int)"), "reconstruct_exact", "fits best"
    ),
    "signs": Mutant(
        _from(LSTSQ, "np.sign(best - 0.5)"), "reconstruct_exact", "should be [1, 0], it is [1, -1]"
    ),
    "above zero is one": Mutant(
        _from(LSTSQ, "(best > 0).astype(int)"), "reconstruct_bound", "The midpoint between 0 and 1"
    ),
    "above the mean is one": Mutant(
        _from(LSTSQ, "(best > best.mean() + 1e-6).astype(int)"),
        "reconstruct_shape",
        "should be [1, 1, 1, 1]",
    ),
    "above one is one": Mutant(
        _from(LSTSQ, "(best > 0.999).astype(int)"), "reconstruct_exact", "b = (0.9, 0)"
    ),
    "the bits turned round": Mutant(
        _from(LSTSQ, "(best < 0.5).astype(int)"), "reconstruct_exact", "should be [1, 0]"
    ),
    "as many answers as people": Mutant(
        _from("np.linalg.lstsq(queries[:n], answers[:n], rcond=None)[0]"),
        "reconstruct_noisy",
        "of the bits right, the best fit",
    ),
    "half of the answers": Mutant(
        _from("np.linalg.lstsq(queries[::2], answers[::2], rcond=None)[0]"),
        "reconstruct_noisy",
        "of the bits right, the best fit",
    ),
    "the mean answer of a person's queries": Mutant(
        _from("queries.T @ answers / np.maximum(1, queries.sum(axis=0)) - answers.mean() + 0.5"),
        "reconstruct_exact",
        "With exact counts",
    ),
    "correlation instead of a fit": Mutant(
        _from("0.5 + (queries - 0.5).T @ (answers - answers.mean())"),
        "reconstruct_noisy",
        "the best fit",
    ),
    "a strong ridge": Mutant(
        _from("np.linalg.solve(queries.T @ queries + m * np.eye(n), queries.T @ answers)"),
        "reconstruct_exact",
        "fits best",
    ),
    "square systems only": Mutant(
        _from("np.linalg.solve(queries, answers)"), "reconstruct_exact", "[1.1, -0.2, 0.7]) raised"
    ),
    "singular with few answers": Mutant(
        _from("np.linalg.inv(queries.T @ queries) @ queries.T @ answers"),
        "reconstruct_shape",
        ") raised",
    ),
    "a coin for each bit": Mutant(
        _from("np.random.default_rng(0).random(n)"), "reconstruct_noisy", "of the bits right"
    ),
    "everybody is one": Mutant(
        _from(LSTSQ, "np.ones(n, dtype=int)"), "reconstruct_bound", "expected from"
    ),
    "a table": Mutant(
        _from(LSTSQ, "(best > 0.5).astype(int).reshape(1, n)"),
        "reconstruct_shape",
        "should be an array of shape (20,), it is an array of shape (1, 20)",
    ),
    "nine answers in ten": Mutant(
        but_where(
            RIGHT["least squares"],
            "len(answers) > 20",
            "queries, answers = (whole[: 9 * len(whole) // 10] for whole in (queries, answers))",
        ),
        "reconstruct_noisy",
        "the best fit",
    ),
    "four hundred answers at most": Mutant(
        but_where(
            RIGHT["least squares"], "True", "queries, answers = queries[:400], answers[:400]"
        ),
        "reconstruct_noisy",
        "the best fit",
    ),
    "sixty people at most": Mutant(
        but_where(
            RIGHT["least squares"],
            "queries.shape[1] > 60",
            "return np.zeros(queries.shape[1], dtype=int)",
        ),
        "reconstruct_exact",
        "With exact counts the best fit is the secret itself",
    ),
    "a ridge": Mutant(
        _from("np.linalg.solve(queries.T @ queries + 0.01 * np.eye(n), queries.T @ answers)"),
        "reconstruct_shape",
        "A guess is 0 or 1 wherever b is",
    ),
    "a threshold of 0.55": Mutant(
        _from(LSTSQ, "(best > 0.55).astype(int)"),
        "reconstruct_shape",
        "A guess is 0 or 1 wherever b is",
    ),
    "no guess from fewer answers than people": Mutant(
        but_where(
            RIGHT["least squares"],
            "queries.shape[0] < queries.shape[1]",
            "return np.zeros(queries.shape[1], dtype=int)",
        ),
        "reconstruct_shape",
        "Whom an answer tells alone has the same b",
    ),
    "answers rounded": Mutant(
        but_where(RIGHT["least squares"], "True", "answers = np.round(answers)"),
        "reconstruct_shape",
        "A guess is 0 or 1 wherever b is",
    ),
    "answers cut to possible counts": Mutant(
        but_where(
            RIGHT["least squares"],
            "True",
            "answers = np.clip(answers, 0, queries.sum(axis=1))",
        ),
        "reconstruct_noisy",
        "the best fit",
    ),
    "the best fit within 0 and 1": Mutant(
        """
def reconstruct(queries, answers):
    from scipy.optimize import lsq_linear

    return (lsq_linear(queries, answers, (0, 1)).x > 0.5).astype(int)
""",
        "reconstruct_noisy",
        "the best fit",
    ),
    "dplab's own": Mutant(
        """
def reconstruct(queries, answers):
    return least_squares(queries, answers).bits
""",
        "reconstruct_exact",
        "is off limits in an answer",
    ),
    "people from the 151st on are not asked about": Mutant(
        _from(LSTSQ, "(best > 0.5).astype(int) * (np.arange(n) < 150)"),
        "reconstruct_noisy",
        "the best fit to all answers",
    ),
    "answers up to 100,000": Mutant(
        _from("np.linalg.lstsq(queries, np.clip(answers, -1e5, 1e5), rcond=None)[0]"),
        "reconstruct_noisy",
        "the best fit to all answers",
    ),
    "short floats": Mutant(
        _from("np.linalg.lstsq(np.float32(queries), np.float32(answers), rcond=None)[0]"),
        "reconstruct_noisy",
        "the best fit to all answers",
    ),
    "the first 1,200 answers where people are many": Mutant(
        _from(
            "np.linalg.lstsq(queries[: m if n < 10 else 1200], answers[: m if n < 10 else 1200],"
            " rcond=None)[0]"
        ),
        "reconstruct_noisy",
        "the best fit to all answers",
    ),
    "a ridge where people are many": Mutant(
        _from(
            "np.linalg.solve(queries.T @ queries + np.eye(n), queries.T @ answers)"
            " if 50 < n <= m else np.linalg.lstsq(queries, answers, rcond=None)[0]"
        ),
        "reconstruct_noisy",
        "the best fit to all answers",
    ),
    "a fit without its small singular values": Mutant(
        _from(LSTSQ.replace("rcond=None", "rcond=5e-3")),
        "reconstruct_exact",
        "With exact counts the best fit is the secret itself",
    ),
}

ANSWERS = Answers("reconstruct", RIGHT, MUTANTS)
