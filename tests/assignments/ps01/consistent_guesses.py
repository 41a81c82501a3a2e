"""Answers to `consistent_guesses`. The mistakes: any for all, strict bounds, order, shapes."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _kept(condition: str, result: str = "guesses[kept]", order: str = "[0, 1]") -> str:
    """The text of the function that keeps what meets `condition` on `off`, (guesses, queries)."""
    return f"""
def consistent_guesses(queries, answers, error):
    queries, answers = np.asarray(queries), np.asarray(answers)
    m, n = queries.shape
    guesses = np.array(list(product({order}, repeat=n)))
    off = np.abs(guesses @ queries.T - answers)
    kept = {condition}
    return {result}
"""


RIGHT = {
    "a table of errors": _kept("(off <= error).all(axis=1)"),
    "the largest error": _kept("off.max(axis=1) <= error", "guesses[np.flatnonzero(kept)]"),
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

MUTANTS = {
    "any for all": Mutant(
        _kept("(off <= error).any(axis=1)"), "consistent_guesses_small", "The first count must be 1"
    ),
    "below the error": Mutant(
        _kept("(off < error).all(axis=1)"), "consistent_guesses_small", "(1, 3), it is an array"
    ),
    "below, or equal to nothing": Mutant(
        _kept("((off < error) | (off == 0)).all(axis=1)"),
        "consistent_guesses_small",
        "An error of exactly 1 is allowed",
    ),
    "too high only": Mutant(
        _kept("(guesses @ queries.T - answers <= error).all(axis=1)"),
        "consistent_guesses_small",
        "The first count must be 1",
    ),
    "errors averaged": Mutant(
        _kept("off.mean(axis=1) <= error"), "consistent_guesses_none", "should be an array"
    ),
    "the root of the mean square": Mutant(
        _kept("(off**2).mean(axis=1) <= error**2"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "ones first": Mutant(
        _kept("(off <= error).all(axis=1)", order="[1, 0]"),
        "consistent_guesses_small",
        "count in binary",
    ),
    "the first person counts fastest": Mutant(
        _kept("(off <= error).all(axis=1)", "guesses[kept][:, ::-1]"),
        "consistent_guesses_small",
        "should be [[0, 1, 1]], it is [[1, 1, 0]]",
    ),
    "numbers of guesses": Mutant(
        _kept("(off <= error).all(axis=1)", "np.flatnonzero(kept)"),
        "consistent_guesses_small",
        "should be an array of shape (1, 3)",
    ),
    "the best one": Mutant(
        _kept("off.max(axis=1).argmin()", "guesses[[kept]]"),
        "consistent_guesses_small",
        "should be an array of shape (6, 3)",
    ),
    "an empty list": Mutant(
        _kept("(off <= error).all(axis=1)", "[list(guess) for guess in guesses[kept]]"),
        "consistent_guesses_none",
        "should be an array of shape (0, 3)",
    ),
    "the best one if there is none": Mutant(
        _kept("(off <= max(error, off.max(axis=1).min())).all(axis=1)"),
        "consistent_guesses_none",
        "No guess gives 0 and 2",
    ),
    "the first ten queries": Mutant(
        _kept("(off[:, :10] <= error).all(axis=1)"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "the first fifty queries": Mutant(
        _kept("(off[:, :50] <= error).all(axis=1)"),
        "consistent_guesses_all",
        "here one alone rules out guesses",
    ),
    "all queries but the last": Mutant(
        _kept("(off[:, : max(1, m - 1)] <= error).all(axis=1)"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "an error of a whole number": Mutant(
        _kept("(off <= np.floor(error)).all(axis=1)"),
        "consistent_guesses_small",
        "An error of exactly 1 is allowed",
    ),
    "answers are rounded": Mutant(
        _kept("(np.abs(guesses @ queries.T - np.round(answers)) <= error).all(axis=1)"),
        "consistent_guesses_small",
        "An error of exactly 1 is allowed",
    ),
    "nearly within the error": Mutant(
        _kept("(off <= error + 0.2).all(axis=1) if error else (off <= 0.3).all(axis=1)"),
        "consistent_guesses_none",
        "An error of 0 allows for no quarter",
    ),
    "a hundred at most": Mutant(
        _kept("(off <= error).all(axis=1)", "guesses[kept][:100]"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "the error never above three": Mutant(
        _kept("(off <= min(error, 3)).all(axis=1)"),
        "consistent_guesses_all",
        "here one alone rules out guesses",
    ),
    "nine people at most": Mutant(
        _kept("(off <= error).all(axis=1)", "guesses[kept] if n < 10 else guesses[:0]"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "somebody has the bit": Mutant(
        _kept("(off <= error).all(axis=1) & guesses.any(axis=1)"),
        "consistent_guesses_all",
        "Every guess that is within the error",
    ),
    "not everybody has the bit": Mutant(
        _kept("(off <= error).all(axis=1) & ~guesses.all(axis=1)"),
        "consistent_guesses_small",
        "An error of exactly 1 is allowed",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.exhaustive import consistent_datasets


def consistent_guesses(queries, answers, error):
    return consistent_datasets(queries, answers, error)
""",
        "consistent_guesses_small",
        "is off limits in an answer",
    ),
    "arrays alone": Mutant(
        _kept("(off <= error).all(axis=1)").replace(
            "    queries, answers = np.asarray(queries), np.asarray(answers)\n", ""
        ),
        "consistent_guesses_small",
        "raised AttributeError",
    ),
    "the error never above ten": Mutant(
        _kept("(off <= min(error, 10)).all(axis=1)"),
        "consistent_guesses_all",
        "where the error is large enough",
    ),
    "two per cent more than the error": Mutant(
        _kept("(off <= 1.02 * error).all(axis=1)"),
        "consistent_guesses_all",
        "where the error is large enough",
    ),
    "the error taken off the answers themselves": Mutant(
        """
def consistent_guesses(queries, answers, error):
    queries, answers = np.asarray(queries), np.asarray(answers, dtype=float)
    answers -= error
    guesses = np.array(list(product([0, 1], repeat=queries.shape[1])))
    above = guesses @ queries.T - answers
    return guesses[((above >= 0) & (above <= 2 * error)).all(axis=1)]
""",
        "consistent_guesses_small",
        "changes what it was given",
    ),
}

ANSWERS = Answers("consistent_guesses", RIGHT, MUTANTS)
