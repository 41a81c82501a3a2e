"""Answers to `recover_digits`. The mistakes: places, clipping, a number put together wrong."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _digits(
    places: str = "range(1, 10)",
    wide: str = "np.column_stack([sets, np.ones(len(sets))])",
    kept: str = "v[:n]",
    whole: str = "np.clip(np.round(v), 0, 9).astype(int)",
    joined: str = "digits @ 10 ** np.arange(8, -1, -1)",
) -> str:
    """The text of `recover_digits` with these parts."""
    return f"""
def recover_digits(sets, ask):
    n = sets.shape[1]
    wide = {wide}
    answers = np.column_stack([ask(place) for place in {places}])
    v = np.linalg.lstsq(wide, answers, rcond=None)[0]
    v = {kept}
    digits = {whole}
    return {joined}
"""


RIGHT = {
    "all places at once": _digits(),
    "place by place": """
def recover_digits(sets, ask):
    wide = np.hstack([np.ones((len(sets), 1)), sets])
    numbers = np.zeros(sets.shape[1], dtype=int)
    for place in range(1, 10):
        estimates = np.linalg.lstsq(wide, ask(place), rcond=None)[0][1:]
        digits = np.rint(estimates).astype(int)
        digits[digits > 9] = 9
        digits[digits < 0] = 0
        numbers = 10 * numbers + digits
    return numbers
""",
    "texts": _digits(joined='[int("".join(map(str, row))) for row in digits]'),
    "from the last place": _digits(places="range(9, 0, -1)", joined="digits @ 10 ** np.arange(9)"),
}

EXACT, NOISY = "recover_digits_exact", "recover_digits_noisy"
CLIPPED = "recover_digits_clipped"
MUTANTS = {
    "read backwards": Mutant(_digits(joined="digits @ 10 ** np.arange(9)"), EXACT, "counts most"),
    "places from 0": Mutant(_digits(places="range(9)"), EXACT, "raised ValueError"),
    "one digit only": Mutant(_digits(joined="digits[:, 0]"), EXACT, "has right"),
    "eight digits": Mutant(
        _digits(places="range(1, 9)", joined="digits @ 10 ** np.arange(7, -1, -1)"),
        EXACT,
        "has right",
    ),
    "not clipped": Mutant(_digits(whole="np.round(v).astype(int)"), CLIPPED, "between 0 and 9"),
    "clipped above only": Mutant(
        _digits(whole="np.minimum(np.round(v), 9).astype(int)"), CLIPPED, "between 0 and 9"
    ),
    "modulo ten": Mutant(_digits(whole="np.round(v).astype(int) % 10"), CLIPPED, "between 0 and 9"),
    "cut off": Mutant(
        _digits(whole="np.clip(np.floor(v + 1e-6), 0, 9).astype(int)"), NOISY, "rounded"
    ),
    "no common number": Mutant(_digits(wide="sets.astype(float)"), NOISY, "has right"),
    "the first answers only": Mutant(
        _digits().replace("lstsq(wide, answers,", "lstsq(wide[: n + 9], answers[: n + 9],"),
        NOISY,
        "has right",
    ),
    "texts are returned": Mutant(
        _digits(joined='["".join(map(str, row)) for row in digits]'), EXACT, "in its list is"
    ),
    "digits added up": Mutant(_digits(joined="digits.sum(axis=1)"), EXACT, "has right"),
    "half of the answers": Mutant(
        _digits().replace("lstsq(wide, answers,", "lstsq(wide[::2], answers[::2],"),
        NOISY,
        "out of all the answers",
    ),
    "single precision": Mutant(
        _digits(joined="digits.astype(np.float32) @ (10.0 ** np.arange(8, -1, -1)).astype('f4')"),
        EXACT,
        "Place 1 is the first digit and counts most",
    ),
    "no nine in front": Mutant(
        _digits(joined="np.minimum(digits @ 10 ** np.arange(8, -1, -1), 899_999_999)"),
        EXACT,
        "Place 1 is the first digit and counts most",
    ),
    "the first thirty people": Mutant(
        _digits(joined="digits @ 10 ** np.arange(8, -1, -1) * (np.arange(n) < 30)"),
        NOISY,
        "out of all the answers",
    ),
    "two people at least": Mutant(
        _digits(joined="digits @ 10 ** np.arange(8, -1, -1) * (n > 1)"),
        EXACT,
        "Place 1 is the first digit and counts most",
    ),
    "the number's length kept": Mutant(
        _digits(joined="[int(''.join(map(str, row)).strip('0') or 0) for row in digits]"),
        EXACT,
        "Place 1 is the first digit and counts most",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.diffix.reconstruction import estimates


def recover_digits(sets, ask):
    found = np.array([estimates(sets, ask(place)) for place in range(1, 10)])
    return 10 ** np.arange(8, -1, -1) @ np.clip(np.round(found), 0, 9).astype(int)
""",
        EXACT,
        "is off limits in an answer",
    ),
    "the first thousand answers": Mutant(
        _digits().replace("lstsq(wide, answers", "lstsq(wide[:1000], answers[:1000]"),
        "recover_digits_noisy",
        "out of all the answers",
    ),
    "sets of 1 and -1, where they are": Mutant(
        _digits(kept="2 * v[:n]").replace("    wide =", "    sets *= 2\n    sets -= 1\n    wide ="),
        EXACT,
        "changes what it was given",
    ),
}

ANSWERS = Answers("recover_digits", RIGHT, MUTANTS)
