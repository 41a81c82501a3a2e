"""Answers to `half_range`. The mistakes: the sensitivity, half of it, one range for all pairs."""

from autograder.rehearsal.catalogue import Answers, Mutant

_RATE = """

def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return epsilon / half / 2 if half else math.inf
"""
_RIGHT = """
def half_range(scores, neighbors):
    scores = np.asarray(scores, dtype=float)
    return max(np.ptp(scores[i] - scores[j]) for i, j in neighbors) / 2
"""


def _half(formula: str) -> str:
    """The text of the cell with `half_range` by this formula in the rows of differences d."""
    return f"""
def half_range(scores, neighbors):
    scores = np.asarray(scores, dtype=float)
    d = np.array([scores[i] - scores[j] for i, j in neighbors])
    return {formula}
{_RATE}"""


def _rate(formula: str) -> str:
    """The text of the cell with `best_rate` by this formula in epsilon and half."""
    return f"""{_RIGHT}

def best_rate(scores, neighbors, epsilon):
    half = half_range(scores, neighbors)
    return {formula}
"""


RIGHT = {
    "one table of differences": _half("np.ptp(d, axis=1).max() / 2"),
    "a loop over pairs": f"""
def half_range(scores, neighbors):
    widest = 0
    for i, j in neighbors:
        moves = [a - b for a, b in zip(scores[i], scores[j])]
        widest = max(widest, max(moves) - min(moves))
    return widest / 2
{_RATE}""",
    "the best shift": f"""
def half_range(scores, neighbors):
    scores = np.array(scores, dtype=float)
    worst = []
    for i, j in neighbors:
        moves = scores[i] - scores[j]
        middle = (moves.max() + moves.min()) / 2
        worst.append(np.abs(moves - middle).max())
    return max(worst)
{_RATE}""",
    "pairs of candidates": _half("(d[:, :, None] - d[:, None, :]).max() / 2"),
    "rate by exception": _rate("float('inf') if half == 0 else epsilon / (2 * half)"),
}

MUTANTS = {
    "the sensitivity": Mutant(_half("abs(d).max()"), "half_range_values", "should be 1, it is 2"),
    "half of the sensitivity": Mutant(
        _half("abs(d).max() / 2"), "half_range_property", "Adding one number"
    ),
    "not halved": Mutant(_half("np.ptp(d, axis=1).max()"), "half_range_values", "halved"),
    "one range for all pairs": Mutant(
        _half("(d.max() - d.min()) / 2"), "half_range_property", "half_range"
    ),
    "the range of the scores": Mutant(
        _half("np.ptp(scores, axis=1).max() / 2"), "half_range_values", "For each pair"
    ),
    "absolute values before the range": Mutant(
        _half("np.ptp(abs(d), axis=1).max() / 2"), "half_range_values", "should be 1, it is 0"
    ),
    "the smallest over pairs": Mutant(
        _half("np.ptp(d, axis=1).min() / 2"), "half_range_rate", "range over"
    ),
    "the mean over pairs": Mutant(
        _half("np.ptp(d, axis=1).mean() / 2"), "half_range_rate", "range over"
    ),
    "the first pair only": Mutant(_half("np.ptp(d[0]) / 2"), "half_range_values", "the largest"),
    "the range over datasets": Mutant(
        _half("np.ptp(scores, axis=0).max() / 2"), "half_range_property", "Adding one number"
    ),
    "brackets as some print them": Mutant(
        f"""
def half_range(scores, neighbors):
    scores = np.asarray(scores, dtype=float)
    return max(
        ((scores[i] - scores[j]).max() - scores[i].min() - scores[j].min()) / 2
        for i, j in neighbors
    )
{_RATE}""",
        "half_range_property",
        "half_range",
    ),
    "a rate without its 2": Mutant(
        _rate("epsilon / half if half else math.inf"), "half_range_rate", "epsilon / (2 half range)"
    ),
    "a rate times 2": Mutant(
        _rate("2 * epsilon / half if half else math.inf"), "half_range_rate", "range over"
    ),
    "the scale for the rate": Mutant(
        _rate("2 * half / epsilon"), "half_range_rate", "losses range over"
    ),
    "no thought of 0": Mutant(
        _rate("epsilon / (2 * float(half))"), "half_range_rate", "raised ZeroDivisionError"
    ),
    "no return": Mutant(_half("None"), "half_range_values", "is None: does every path"),
    "pairs in one order only": Mutant(
        _half("np.ptp(d, axis=1).max() / 2").replace(
            "for i, j in neighbors", "for i, j in neighbors if i < j or len(neighbors) == 1"
        ),
        "half_range_values",
        "the largest of these",
    ),
    "the first hundred pairs": Mutant(
        _half("np.ptp(d[:100], axis=1).max() / 2"), "half_range_values", "For each pair"
    ),
    "rows that follow each other": Mutant(
        _half("np.ptp(d, axis=1).max() / 2").replace(
            "for i, j in neighbors",
            "for i, j in zip(range(len(scores) - 1), range(1, len(scores)))",
        ),
        "half_range_values",
        "For each pair",
    ),
    "the first fifty candidates": Mutant(
        _half("np.ptp(d[:, :50], axis=1).max() / 2"), "half_range_values", "For each pair"
    ),
    "the first candidate against the others": Mutant(
        _half("abs(d - d[:, :1]).max() / 2"), "half_range_values", "For each pair"
    ),
    "a half range to the cent": Mutant(
        _half("round(np.ptp(d, axis=1).max() / 2, 2)"), "half_range_values", "halved"
    ),
    "whole scores": Mutant(
        _half("np.ptp(d, axis=1).max() / 2").replace("dtype=float", "dtype=int"),
        "half_range_values",
        "For each pair",
    ),
    "next to nothing taken for 0": Mutant(
        _rate("epsilon / (2 * half) if half > 1e-6 else math.inf"),
        "half_range_rate",
        "then the losses range over epsilon",
    ),
    "a rate of at most a thousand": Mutant(
        _rate("min(epsilon / (2 * half), 1000) if half else math.inf"),
        "half_range_rate",
        "then the losses range over epsilon",
    ),
    "a rate a little larger": Mutant(
        _rate("1.03 * epsilon / (2 * half) if half else math.inf"),
        "half_range_rate",
        "epsilon / (2 half range)",
    ),
    "a rate to the thousandth": Mutant(
        _rate("round(epsilon / (2 * half), 3) if half else math.inf"),
        "half_range_rate",
        "then the losses range over epsilon",
    ),
    "dplab's own search": Mutant(
        f"""
from dplab.neighbors import half_range as search


class _Table:
    def __init__(self, rows, pairs):
        self.rows, self.linked = range(rows), pairs

    def datasets(self, universe, n):
        return [(i,) for i in self.rows]

    def of(self, x, universe):
        return [(j,) for i, j in self.linked if (i,) == x]


def half_range(scores, neighbors):
    return search(lambda x: scores[x[0]], _Table(len(scores), neighbors), (0,), 1)
{_RATE}""",
        "half_range_values",
        "off limits",
    ),
    "a table whose rows begin with 0": Mutant(
        _RIGHT.replace("    return", "    scores -= scores[:, :1].copy()\n    return") + _RATE,
        "half_range_values",
        "changes what it was given",
    ),
}

ANSWERS = Answers("half_range", RIGHT, MUTANTS)
