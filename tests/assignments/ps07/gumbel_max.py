"""Answers to `gumbel_max`. The mistakes: other noise, its scale or sign, or one noise for all."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _max(formula: str, before: str = "") -> str:
    """The text of `gumbel_max`: the position of the largest `formula` in a, m, size and rng."""
    return f"""
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    scores = np.array(scores, dtype=float)
    m, a = len(scores), epsilon / (2 * sensitivity) * scores{before}
    return np.argmax({formula}, axis=1)
"""


_CHOICE = """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * np.array(scores, dtype=float)
    weights = np.exp(logs - logs.max())
    return rng.choice(len(logs), size=size, p=weights / weights.sum())
"""

_COUNTS = _CHOICE.replace(
    "return rng.choice(len(logs), size=size, p=weights / weights.sum())",
    "chosen = np.repeat(range(len(logs)), rng.multinomial(size, weights / weights.sum()))\n"
    "    rng.shuffle(chosen)\n    return chosen",
)

RIGHT = {
    "a table": _max("a + rng.gumbel(size=(size, m))"),
    "from uniform variables": _max("a - np.log(-np.log(rng.random((size, m))))"),
    "noise on the scale of the scores": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    noise = rng.gumbel(scale=2 * sensitivity / epsilon, size=(size, len(scores)))
    return (np.asarray(scores) + noise).argmax(axis=1)
""",
    "choice by choice": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = [epsilon * score / (2 * sensitivity) for score in scores]
    return [int(np.argmax(a + rng.gumbel(size=len(a)))) for _ in range(size)]
""",
    "a race of exponential clocks": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * (np.asarray(scores, dtype=float) - np.max(scores))
    times = np.log(rng.exponential(size=(size, len(logs)))) - logs
    return times.argmin(axis=1)
""",
    "choices by numpy": _CHOICE,
    "the counts of all, shuffled": _COUNTS,
    "noise from the last row to the first": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    rows = list(rng.gumbel(size=(size, len(a))))
    return [np.argmax(a + rows.pop()) for _ in range(size)]
""",
    "those that are possible": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    possible = np.flatnonzero(a > -np.inf)
    noise = rng.gumbel(size=(size, len(possible)))
    return possible[np.argmax(a[possible] + noise, axis=1)]
""",
    "the best first": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    order = np.argsort(-a, kind="stable")
    return order[np.argmax(a[order] + rng.gumbel(size=(size, len(a))), axis=1)]
""",
    "the best first, equals in any order": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    order = np.argsort(a)[::-1]
    return order[np.argmax(a[order] + rng.gumbel(size=(size, len(a))), axis=1)]
""",
    "each, or one of the rest": """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    a = epsilon / (2 * sensitivity) * np.asarray(scores, dtype=float)
    weights = np.exp(a - a.max())
    rest = np.cumsum(weights[::-1])[::-1]
    shares = np.divide(weights, rest, out=np.ones(len(a)), where=rest > 0)
    return np.argmax(rng.random((size, len(a))) < shares, axis=1)
""",
}

MUTANTS = {
    "Laplace noise": Mutant(
        _max("a + rng.laplace(size=(size, m))"), "gumbel_max_law", "came up in a share"
    ),
    "exponential noise": Mutant(
        _max("a + rng.exponential(size=(size, m))"), "gumbel_max_law", "its own Gumbel noise"
    ),
    "normal noise": Mutant(
        _max("a + rng.normal(size=(size, m))"), "gumbel_max_law", "came up in a share"
    ),
    "the sign of the noise": Mutant(
        _max("a - rng.gumbel(size=(size, m))"), "gumbel_max_law", "choices among scores"
    ),
    "twice the rate": Mutant(
        _max("2 * a + rng.gumbel(size=(size, m))"), "gumbel_max_law", "expected 0.25"
    ),
    "noise that is divided instead": Mutant(
        """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    noise = rng.gumbel(scale=epsilon / (2 * sensitivity), size=(size, len(scores)))
    return (np.asarray(scores) + noise).argmax(axis=1)
""",
        "gumbel_max_law",
        "epsilon / (2 sensitivity), plus its own",
    ),
    "one noise for all candidates": Mutant(
        _max("a + rng.gumbel(size=(size, 1))"), "gumbel_max_law", "came up in a share"
    ),
    "the smallest": Mutant(
        _max("-(a + rng.gumbel(size=(size, m)))"), "gumbel_max_law", "came up in a share"
    ),
    "scores instead of positions": Mutant(
        _max("a + rng.gumbel(size=(size, m))").replace(
            "return np.argmax(a + rng.gumbel(size=(size, m)), axis=1)",
            "return scores[np.argmax(a + rng.gumbel(size=(size, m)), axis=1)]",
        ),
        "gumbel_max_law",
        "4.0 came up, which is impossible",
    ),
    "largest sums instead of positions": Mutant(
        _max("a + rng.gumbel(size=(size, m))").replace("argmax", "max"),
        "gumbel_max_law",
        "which is impossible",
    ),
    "the best for each candidate": Mutant(
        _max("a + rng.gumbel(size=(size, m))").replace("axis=1", "axis=0"),
        "gumbel_max_law",
        "should be an array of shape (8000,)",
    ),
    "positions from 1": Mutant(
        _max("a + rng.gumbel(size=(size, m))").replace("axis=1)", "axis=1) + 1"),
        "gumbel_max_law",
        "2.0 came up, which is impossible",
    ),
    "a generator of its own": Mutant(
        _max("a + np.random.default_rng().gumbel(size=(size, m))"),
        "gumbel_max_independence",
        "gives two results for one seed",
    ),
    "a fixed seed": Mutant(
        _max("a + np.random.default_rng(13).gumbel(size=(size, m))"),
        "gumbel_max_independence",
        "gives the same result for two seeds",
    ),
    "every noise used twice": Mutant(
        _max("a + np.repeat(rng.gumbel(size=((size + 1) // 2, m)), 2, axis=0)[:size]"),
        "gumbel_max_independence",
        "Has every choice noise of its own?",
    ),
    "the law computed, and too large": Mutant(
        """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    weights = np.exp(epsilon / (2 * sensitivity) * np.array(scores))
    return rng.choice(len(weights), size=size, p=weights / weights.sum())
""",
        "gumbel_max_large",
        "raised ValueError",
    ),
    "products of weights and noise": Mutant(
        _max("np.exp(a) / rng.exponential(size=(size, m))"), "gumbel_max_large", "Stay in log space"
    ),
    "impossible scores replaced": Mutant(
        _max("np.nan_to_num(a, neginf=0.0) + rng.gumbel(size=(size, m))"),
        "gumbel_max_large",
        "came up",
    ),
    "epsilon a little larger": Mutant(
        _max("1.03 * a + rng.gumbel(size=(size, m))"), "gumbel_max_noise", "as drawn"
    ),
    "noise of at most 8": Mutant(
        _max("a + rng.gumbel(size=(size, m)).clip(-8, 8)"), "gumbel_max_noise", "as drawn"
    ),
    "the noise of 1,023 candidates again and again": Mutant(
        _max("a + np.resize(rng.gumbel(size=min(1023, size * m)), (size, m))"),
        "gumbel_max_noise",
        "as drawn",
    ),
    "no noise among more than 5,000": Mutant(
        _max("a + (m <= 5000) * rng.gumbel(size=(size, m))"), "gumbel_max_noise", "as drawn"
    ),
    "only the best hundred": Mutant(
        _max("np.where(a >= np.sort(a)[-100:][0], a, -np.inf) + rng.gumbel(size=(size, m))"),
        "gumbel_max_noise",
        "as drawn",
    ),
    "scores to the tenth": Mutant(
        _max("a.round(1) + rng.gumbel(size=(size, m))"), "gumbel_max_noise", "as drawn"
    ),
    "half of the choices again": Mutant(
        _max("a + np.resize(rng.gumbel(size=((size + 1) // 2, m)), (size, m))"),
        "gumbel_max_independence",
        "noise of its own",
    ),
    "dplab's own": Mutant(
        """
from dplab import ExponentialMechanism


def gumbel_max(scores, sensitivity, epsilon, size, rng):
    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
    return [mechanism(scores, rng) for _ in range(size)]
""",
        "gumbel_max_law",
        "off limits",
    ),
    "choices again after 10,000": Mutant(
        _max("np.resize(a + rng.gumbel(size=(min(size, 10_000), m)), (size, m))"),
        "gumbel_max_noise",
        "are not the best with the noise",
    ),
    "choices by numpy, the last as the first": Mutant(
        """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    logs = epsilon / (2 * sensitivity) * np.array(scores, dtype=float)
    weights = np.exp(logs - logs.max())
    chosen = rng.choice(len(logs), size=size, p=weights / weights.sum())
    chosen[-1] = chosen[0]
    return chosen
""",
        "gumbel_max_independence",
        "choices repeat others",
    ),
    "an array shifted in place": Mutant(
        """
def gumbel_max(scores, sensitivity, epsilon, size, rng):
    scores = np.asarray(scores, dtype=float)
    scores -= scores.max()
    noise = rng.gumbel(size=(size, len(scores)))
    return np.argmax(epsilon / (2 * sensitivity) * scores + noise, axis=1)
""",
        "gumbel_max_law",
        "changes what it was given",
    ),
    "choices by numpy, small weights left out": Mutant(
        _CHOICE.replace("logs.max())", "logs.max())\n    weights[weights < 1e-4] = 0"),
        "gumbel_max_noise",
        "the logarithms of p",
    ),
    "no noise at an epsilon above 20, and one draw too many": Mutant(
        _max("a + (epsilon <= 20) * rng.gumbel(size=(size, m))", before="\n    rng.random()"),
        "gumbel_max_law",
        "plus its own Gumbel noise",
    ),
    "one of 65,536 seeds": Mutant(
        _max(
            "a + rng.gumbel(size=(size, m))",
            before="\n    rng = np.random.default_rng(rng.integers(2**16))",
        ),
        "gumbel_max_independence",
        "those of another call",
    ),
    "a size that must be Python's": Mutant(
        _max(
            "a + rng.gumbel(size=(size, m))",
            before="\n    if not isinstance(size, int):\n        raise TypeError('size')",
        ),
        "gumbel_max_large",
        "raised TypeError",
    ),
    "the best of more than 5,000, by the counts of all": Mutant(
        _COUNTS.replace("    chosen", "    weights[weights < 1] *= len(logs) <= 5000\n    chosen"),
        "gumbel_max_law",
        "What many candidates have together counts",
    ),
    "small weights left out, by the counts of all": Mutant(
        _COUNTS.replace("    chosen", "    weights[weights < 0.01] = 0\n    chosen"),
        "gumbel_max_law",
        "What many candidates have together counts",
    ),
}

ANSWERS = Answers("gumbel_max", RIGHT, MUTANTS)
