"""Answers to `gap_select`. The mistakes: a bar too low, the wrong margin, noise elsewhere."""

from tests.assignments.catalogue import Answers, Mutant


def _select(
    margin: str = "ranked[-1] - ranked[-2]",
    noise: str = "rng.laplace(scale=2 * sensitivity / epsilon)",
    bar: str = "2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))",
    best: str = "int(np.argmax(scores))",
) -> str:
    """The text of `gap_select` with these parts."""
    return f"""
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = np.asarray(scores, dtype=float)
    ranked = np.sort(scores)
    margin = {margin}
    if margin + {noise} > {bar}:
        return {best}
    return -1
"""


RIGHT = {
    "sorted": _select(),
    "the best taken out": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = list(scores)
    winner = scores.index(max(scores))
    margin = scores[winner] - max(scores[:winner] + scores[winner + 1 :])
    scale = 2 * sensitivity / epsilon
    noisy = rng.laplace(margin, scale)
    return winner if noisy > 2 * sensitivity - scale * math.log(2 * delta) else -1
""",
    "by chance of passing": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    second, first = np.partition(scores, -2)[-2:]
    z = (2 * sensitivity - first + second) * epsilon / (2 * sensitivity) - math.log(2 * delta)
    passes = math.exp(-z) / 2 if z > 0 else 1 - math.exp(z) / 2
    return np.argmax(scores) if rng.random() < passes else -1
""",
}

MUTANTS = {
    "always the best": Mutant(
        _select(bar="-math.inf"), "gap_select_clear", "should be -1, it is 0"
    ),
    "no noise": Mutant(_select(noise="0"), "gap_select_law", "Look at the margin"),
    "half the noise": Mutant(
        _select(noise="rng.laplace(scale=sensitivity / epsilon)"), "gap_select_law", "came up"
    ),
    "the sensitivity forgotten in the noise": Mutant(
        _select(noise="rng.laplace(scale=2 / epsilon)"), "gap_select_law", "sensitivity 5"
    ),
    "a bar without 2 sensitivities": Mutant(
        _select(bar="2 * sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "Is the bar high enough?",
    ),
    "a bar with one sensitivity": Mutant(
        _select(bar="sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "prove that delta is exceeded",
    ),
    "a bar for half the sensitivity": Mutant(
        _select(bar="sensitivity + sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "of 1,500 runs named the best",
    ),
    "delta without its 2": Mutant(
        _select(bar="2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / delta)"),
        "gap_select_law",
        "both parts of the bar",
    ),
    "a logarithm to base 10": Mutant(
        _select(bar="2 * sensitivity + 2 * sensitivity / epsilon * np.log10(1 / (2 * delta))"),
        "gap_select_private",
        "Is the bar high enough?",
    ),
    "the best score for the margin": Mutant(
        _select(margin="ranked[-1]"), "gap_select_clear", "should be -1, it is 0"
    ),
    "best minus worst": Mutant(
        _select(margin="ranked[-1] - ranked[0]"), "gap_select_clear", "-1 where it is small"
    ),
    "ties skipped": Mutant(
        _select(margin="np.ptp(np.unique(scores)[-2:])"),
        "gap_select_clear",
        "should be -1, it is 0",
    ),
    "noise on every score": Mutant(
        """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    noisy = scores + rng.laplace(scale=2 * sensitivity / epsilon, size=len(scores))
    second, best = np.sort(noisy)[-2:]
    bar = 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))
    return int(np.argmax(scores)) if best - second > bar else -1
""",
        "gap_select_law",
        "came up",
    ),
    "the score of the best": Mutant(
        _select(best="scores.max()"), "gap_select_clear", "should be 1, it is 90"
    ),
    "a seed of its own": Mutant(
        _select(noise="np.random.default_rng(3).laplace(scale=2 * sensitivity / epsilon)"),
        "gap_select_law",
        "came up in a share",
    ),
    "nothing in place of -1": Mutant(
        _select().replace("    return -1\n", ""), "gap_select_clear", "is None: does every path"
    ),
}

ANSWERS = Answers("gap_select", RIGHT, MUTANTS)
