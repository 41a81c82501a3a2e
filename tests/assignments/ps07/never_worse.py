"""Answers to `never_worse`. The mistakes: another law, orders that don't count alike, no gap."""

from autograder.rehearsal.catalogue import Answers, Mutant

_P = """
    scores = np.asarray(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))"""

_ORDERS = f"""
def flip_law(scores, sensitivity, epsilon):
    from itertools import permutations
{_P}
    law = np.zeros(len(p))
    orders = list(permutations(range(len(p))))
    for order in orders:
        refused = 1.0
        for h in order:
            law[h] += refused * p[h] / len(orders)
            refused *= 1 - p[h]
    return law
"""
_GAPS = """

def expected_gaps(scores, sensitivity, epsilon):
    gaps = max(scores) - np.asarray(scores, dtype=float)
    weights = np.exp(-epsilon * gaps / (2 * sensitivity))
    return np.dot(flip_law(scores, sensitivity, epsilon), gaps), weights @ gaps / weights.sum()
"""


def _law(formula: str) -> str:
    """The text of the cell with the law by this formula in p."""
    return f"def flip_law(scores, sensitivity, epsilon):{_P}\n    return {formula}\n{_GAPS}"


def _gaps(formula: str) -> str:
    """The text of the cell with gaps by this formula in scores, flip and em, two laws."""
    return f"""{_ORDERS}

def expected_gaps(scores, sensitivity, epsilon):
    scores = np.asarray(scores, dtype=float)
    flip = flip_law(scores, sensitivity, epsilon)
    em = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    em = em / em.sum()
    best = scores.max()
    return {formula}
"""


RIGHT = {
    "all orders": _ORDERS + _GAPS,
    "by who is asked first": f"""
def flip_law(scores, sensitivity, epsilon):{_P}

    def law(left):
        result = np.zeros(len(p))
        for j in left:
            result[j] += p[j] / len(left)
            if len(left) > 1:
                result += (1 - p[j]) / len(left) * law([g for g in left if g != j])
        return result

    return law(list(range(len(p))))
{_GAPS}""",
    "an integral": f"""
def flip_law(scores, sensitivity, epsilon):{_P}
    t, w = np.polynomial.legendre.leggauss(8)
    t, w = (t + 1) / 2, w / 2
    return [
        p[i] * sum(w * np.prod([1 - t * p[j] for j in range(len(p)) if j != i], axis=0))
        for i in range(len(p))
    ]
{_GAPS}""",
    "gaps from expected scores": _gaps("[best - flip @ scores, best - em @ scores]"),
}

MUTANTS = {
    "the exponential mechanism": Mutant(_law("p / p.sum()"), "never_worse_law", "over all orders"),
    "the probabilities of acceptance": Mutant(_law("p"), "never_worse_law", "it is [0.5, 1]"),
    "the same for all orders": Mutant(
        _ORDERS.replace("list(permutations(range(len(p))))", "[range(len(p))]") + _GAPS,
        "never_worse_law",
        "Average over all orders",
    ),
    "the best first": Mutant(
        _ORDERS.replace("list(permutations(range(len(p))))", "[np.argsort(-p)]") + _GAPS,
        "never_worse_law",
        "it is [0, 1]",
    ),
    "orders that are not averaged": Mutant(
        _ORDERS.replace(" / len(orders)", "") + _GAPS, "never_worse_law", "it is [0.5, 1.5]"
    ),
    "who refuses does not leave": Mutant(
        _ORDERS.replace("refused *= 1 - p[h]", "refused = 1 - p[h]") + _GAPS,
        "never_worse_law",
        "all who were asked before refused",
    ),
    "a rate without its 2": Mutant(
        _ORDERS.replace("/ (2 * sensitivity)", "/ sensitivity") + _GAPS,
        "never_worse_law",
        "should be [0.25, 0.75]",
    ),
    "half of it to each, for two only": Mutant(
        _law("np.where(p < 1, p / 2, 1 - p[p < 1].sum() / 2)"), "never_worse_law", "it is ["
    ),
    "the other way round": Mutant(
        _gaps("((best - scores) @ em, (best - scores) @ flip)"),
        "never_worse_theorem",
        "gives up less",
    ),
    "expected scores": Mutant(
        _gaps("(flip @ scores, em @ scores)"), "never_worse_gaps", "best score - score"
    ),
    "the chance of not choosing the best": Mutant(
        _gaps("(1 - flip.max(), 1 - em.max())"), "never_worse_gaps", "Sum of probability"
    ),
    "the gap of the likeliest": Mutant(
        _gaps("(best - scores[flip.argmax()], best - scores[em.argmax()])"),
        "never_worse_theorem",
        "is [0, 0]",
    ),
    "one of the two": Mutant(
        _gaps("(best - scores) @ flip"), "never_worse_gaps", "should be an array of shape (2,)"
    ),
    "a mean over candidates": Mutant(
        _gaps("(((best - scores) * flip).mean(), ((best - scores) * em).mean())"),
        "never_worse_gaps",
        "it is [0.125, 0.1667]",
    ),
    "a thousand orders of six": Mutant(
        _ORDERS.replace(
            "list(permutations(range(len(p))))", "list(permutations(range(len(p))))[:700]"
        )
        + _GAPS,
        "never_worse_law",
        "Average over all orders",
    ),
    "orders drawn at random": Mutant(
        _ORDERS.replace(
            "list(permutations(range(len(p))))",
            "[np.random.default_rng(i).permutation(len(p)) for i in range(200)]",
        )
        + _GAPS,
        "never_worse_law",
        "Average over all orders",
    ),
    "epsilon a little larger": Mutant(
        _ORDERS.replace("np.exp(epsilon", "np.exp(1.03 * epsilon") + _GAPS,
        "never_worse_law",
        "should be [0.25, 0.75]",
    ),
    "small probabilities left out": Mutant(
        _ORDERS.replace("    law = np", "    p = np.where(p > 1e-9, p, 0)\n    law = np") + _GAPS,
        "never_worse_law",
        "Small probabilities count",
    ),
    "scores exponentiated as they are": Mutant(
        _ORDERS.replace(
            "np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))",
            "np.exp(epsilon * scores / (2 * sensitivity))\n    p = p / p.max()",
        )
        + _GAPS,
        "never_worse_law",
        "equal scores are different candidates",
    ),
    "equal scores are one candidate": Mutant(
        _ORDERS.replace("def flip_law", "def _distinct")
        + """

def flip_law(scores, sensitivity, epsilon):
    kept, where = np.unique(scores, return_inverse=True)
    law = _distinct(kept, sensitivity, epsilon)[where]
    return law / law.sum()
"""
        + _GAPS,
        "never_worse_law",
        "equal scores are different candidates",
    ),
    "the best alone where epsilon is 20 or more": Mutant(
        _ORDERS.replace("    law = np", "    if epsilon >= 20:\n        p = p // 1\n    law = np")
        + _GAPS,
        "never_worse_law",
        "equal scores are different candidates",
    ),
    "twelve digits": Mutant(
        _ORDERS.replace("return law", "return law.round(12)") + _GAPS,
        "never_worse_law",
        "Small probabilities count",
    ),
    "gaps to the cent": Mutant(
        _gaps("(round(best - flip @ scores, 2), round(best - em @ scores, 2))"),
        "never_worse_gaps",
        "Sum of probability",
    ),
    "gaps in units of epsilon": Mutant(
        _gaps("((best - scores) @ flip * epsilon / epsilon // 1e-9 * 1e-9, (best - scores) @ em)"),
        "never_worse_gaps",
        "the two gaps",
    ),
    "dplab's own law": Mutant(
        f"""
from dplab import PermuteAndFlip


def flip_law(scores, sensitivity, epsilon):
    mechanism = PermuteAndFlip(range(len(scores)), np.array, sensitivity, epsilon)
    return mechanism.distribution(scores).probabilities
{_GAPS}""",
        "never_worse_law",
        "off limits",
    ),
    "scores as gaps in place": Mutant(
        _ORDERS.replace(
            "    from",
            "    scores[:] = [score - max(scores) for score in scores]\n    from",
        )
        + _GAPS,
        "never_worse_law",
        "changes what it was given",
    ),
}

ANSWERS = Answers("never_worse", RIGHT, MUTANTS)
