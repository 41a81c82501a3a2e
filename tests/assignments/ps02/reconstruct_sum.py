"""Answers to `reconstruct_sum`. The mistakes: the common number, the rounding, the solution."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _numbers(body: str) -> str:
    """The text of `reconstruct_sum` with these lines."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def reconstruct_sum(sets, answers):
    sets, answers = np.array(sets, dtype=float), np.array(answers, dtype=float)
{lines}
"""


WIDE = "wide = np.column_stack([sets, np.ones(len(sets))])\n"
SOLVED = f"{WIDE}v = np.linalg.lstsq(wide, answers, rcond=None)[0]\n"

RIGHT = {
    "one column more": _numbers(f"{SOLVED}return np.round(v[:-1])"),
    "centred": _numbers(
        "centred = sets - sets.mean(axis=0)\n"
        "v = np.linalg.lstsq(centred, answers - answers.mean(), rcond=None)[0]\n"
        "return np.rint(v).astype(int)"
    ),
    "normal equations": _numbers(
        f"{WIDE}v = np.linalg.solve(wide.T @ wide, wide.T @ answers)\nreturn np.floor(v[:-1] + 0.5)"
    ),
    "a list": _numbers(f"{SOLVED}return [int(round(number)) for number in v[:-1]]"),
}

EXACT, NOISY = "reconstruct_sum_exact", "reconstruct_sum_noisy"
MUTANTS = {
    "no common number": Mutant(
        _numbers("return np.round(np.linalg.lstsq(sets, answers, rcond=None)[0])"),
        EXACT,
        "the one that all answers share",
    ),
    "cut off": Mutant(_numbers(f"{SOLVED}return (v[:-1] + 1e-6).astype(int)"), NOISY, "nearest"),
    "not rounded": Mutant(_numbers(f"{SOLVED}return v[:-1]"), EXACT, "should be [2, 1]"),
    "rounded up": Mutant(
        _numbers(f"{SOLVED}return np.ceil(v[:-1] - 1e-6)"), EXACT, "should be [2, 1]"
    ),
    "the common number too": Mutant(
        _numbers(f"{SOLVED}return np.round(v)"), EXACT, "should be an array of shape (2,)"
    ),
    "bits": Mutant(
        _numbers(f"{SOLVED}return (v[:-1] > 0.5).astype(int)"), EXACT, "should be [3, 1]"
    ),
    "the first answers only": Mutant(
        _numbers(
            "k = sets.shape[1] + 1\n"
            "wide = np.column_stack([sets, np.ones(len(sets))])[: k + 5]\n"
            "v = np.linalg.lstsq(wide, answers[: k + 5], rcond=None)[0]\n"
            "return np.round(v[:-1])"
        ),
        NOISY,
        "has right",
    ),
    "sums of the answers": Mutant(
        _numbers("return np.round(sets.T @ answers / len(sets))"), EXACT, "should be [3, 1]"
    ),
    "the first column lost": Mutant(
        _numbers(f"{SOLVED}return np.round(v[1:])"), EXACT, "should be [3, 1]"
    ),
    "the least answer taken for the common number": Mutant(
        _numbers(
            "v = np.linalg.lstsq(sets, answers - answers.min(), rcond=None)[0]\nreturn np.round(v)"
        ),
        NOISY,
        "has right",
    ),
    "clipped to a digit": Mutant(
        _numbers(f"{SOLVED}return np.clip(np.round(v[:-1]), 0, 2)"), EXACT, "should be [3, 1]"
    ),
    "the first five hundred answers": Mutant(
        _numbers(
            f"{WIDE}v = np.linalg.lstsq(wide[:500], answers[:500], rcond=None)[0]\n"
            "return np.round(v[:-1])"
        ),
        NOISY,
        "every answer counts",
    ),
    "every answer but the last": Mutant(
        _numbers(
            f"{WIDE}v = np.linalg.lstsq(wide[:-1], answers[:-1], rcond=None)[0]\n"
            "return np.round(v[:-1])"
        ),
        NOISY,
        "every answer counts",
    ),
    "numbers below a thousand": Mutant(
        _numbers(f"{SOLVED}return np.clip(np.round(v[:-1]), -999, 999)"), EXACT, "small or large"
    ),
    "numbers from nought": Mutant(
        _numbers(f"{SOLVED}return np.maximum(np.round(v[:-1]), 0)"), EXACT, "small or large"
    ),
    "fifty people": Mutant(
        _numbers(f"{SOLVED}return np.round(v[:-1]) * (sets.shape[1] <= 50)"),
        NOISY,
        "every answer counts",
    ),
    "two people": Mutant(
        _numbers(f"{SOLVED}return np.round(v[:-1]) * (sets.shape[1] > 1)"),
        EXACT,
        "small or large",
    ),
    "outliers left out": Mutant(
        _numbers(
            f"{SOLVED}off = abs(wide @ v - answers)\n"
            "kept = off <= 2 * off.std()\n"
            "v = np.linalg.lstsq(wide[kept], answers[kept], rcond=None)[0]\n"
            "return np.round(v[:-1])"
        ),
        NOISY,
        "every answer counts",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.diffix.reconstruction import estimates


def reconstruct_sum(sets, answers):
    return np.round(estimates(sets, answers))
""",
        EXACT,
        "is off limits in an answer",
    ),
    "no common number above a thousand": Mutant(
        _numbers(SOLVED + "return np.round(v[:-1]) * (abs(v[-1]) < 1000)"),
        "reconstruct_sum_exact",
        "can be any",
    ),
    "two sets more than people": Mutant(
        _numbers(SOLVED + "return np.round(v[:-1]) * (len(sets) > sets.shape[1] + 1)"),
        "reconstruct_sum_exact",
        "as many sets as unknowns",
    ),
    "the mean taken off the answers themselves": Mutant(
        _numbers(
            "answers -= answers.mean()\n"
            "centred = sets - sets.mean(axis=0)\n"
            "return np.round(np.linalg.lstsq(centred, answers, rcond=None)[0])"
        ).replace("np.array(answers", "np.asarray(answers"),
        EXACT,
        "changes what it was given",
    ),
}

ANSWERS = Answers("reconstruct_sum", RIGHT, MUTANTS)
