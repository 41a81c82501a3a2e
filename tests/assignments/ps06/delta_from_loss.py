"""Answers to `delta_from_loss`. The mistakes: the tail for delta, signs, overflow, infinity."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _sum(term: str, keep="z > epsilon") -> str:
    """The text of `delta_from_loss` as a sum over losses z with probability m."""
    return f"""
def delta_from_loss(losses, masses, epsilon):
    return float(sum({term} for z, m in zip(losses, masses) if {keep}))
"""


RIGHT = {
    "a sum": _sum("m * (1 - math.exp(epsilon - z))"),
    "arrays": """
def delta_from_loss(losses, masses, epsilon):
    with np.errstate(over="ignore"):
        excess = np.maximum(0, 1 - np.exp(epsilon - np.asarray(losses, dtype=float)))
    return np.dot(masses, excess)
""",
    "clipped before the power": """
def delta_from_loss(losses, masses, epsilon):
    margin = np.maximum(0, np.asarray(losses) - epsilon)
    return float(np.asarray(masses) @ -np.expm1(-margin))
""",
    "two tails": """
def delta_from_loss(losses, masses, epsilon):
    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    above = losses > epsilon
    tail_q = np.sum(masses[above] * np.exp(epsilon - losses[above]))
    return masses[above].sum() - tail_q
""",
    "the area under the tail": """
def delta_from_loss(losses, masses, epsilon):
    z = np.concatenate([[epsilon], [x for x in losses if x > epsilon]])
    m = np.array([m for x, m in zip(losses, masses) if x > epsilon])
    tails = np.append(np.cumsum(m[::-1])[::-1], 0)[: len(m)]
    weights = np.exp(epsilon - z[:-1]) - np.exp(epsilon - z[1:])
    return float(tails @ weights)
""",
}

MUTANTS = {
    "the tail": Mutant(
        _sum("m"), "delta_from_loss_values", "times 1 - e^(epsilon - loss), for losses above"
    ),
    "losses at epsilon counted as tail": Mutant(
        _sum("m", keep="z >= epsilon"), "delta_from_loss_values", "it is 0.731"
    ),
    "no maximum": Mutant(
        _sum("m * (1 - math.exp(min(700, epsilon - z)))", keep="True"),
        "delta_from_loss_values",
        "should be 0.2876, it is -",
    ),
    "the maximum around the sum": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    return max(0, sum(m * (1 - np.exp(epsilon - z)) for z, m in zip(losses, masses)))
""",
        "delta_from_loss_values",
        "should be 0.2876, it is 0",
    ),
    "the excess in the wrong direction": Mutant(
        _sum("m * (math.exp(min(700, z - epsilon)) - 1)"),
        "delta_from_loss_values",
        "should be 0.2876, it is 0.4743",
    ),
    "masses taken for those under q": Mutant(
        _sum("m * (math.exp(min(700, z)) - math.exp(min(700, epsilon)))"),
        "delta_from_loss_values",
        "should be 0.2876, it is 0.7819",
    ),
    "the distance from epsilon": Mutant(
        _sum("m * min(1, z - epsilon)"), "delta_from_loss_values", "should be 0.2876, it is 0.3655"
    ),
    "only the largest loss": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    return masses[-1] * max(0, 1 - np.exp(epsilon - losses[-1]))
""",
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "in both directions": Mutant(
        _sum("m * (1 - math.exp(epsilon - abs(z)))", keep="abs(z) > epsilon"),
        "delta_from_loss_values",
        "should be 0.2876, it is 0.3935",
    ),
    "infinite losses left out": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))", keep="epsilon < z < math.inf"),
        "delta_from_loss_infinite",
        "counts in full",
    ),
    "infinity minus infinity": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    losses = np.asarray(losses)
    under_q = masses * np.exp(-losses)
    tilted = np.where(losses > epsilon, np.exp(losses) * under_q - np.exp(epsilon) * under_q, 0)
    return tilted.sum()
""",
        "delta_from_loss_infinite",
        "it is nan",
    ),
    "infinite losses make it certain": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    if math.inf in list(losses):
        return 1.0
    terms = (m * (1 - math.exp(epsilon - z)) for z, m in zip(losses, masses) if z > epsilon)
    return float(sum(terms))
""",
        "delta_from_loss_infinite",
        "should be 0.01, it is 1",
    ),
    "overflow": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    return sum(m * max(0, 1 - math.exp(epsilon - z)) for z, m in zip(losses, masses))
""",
        "delta_from_loss_curve",
        "raised OverflowError",
    ),
    "a product with e to the epsilon": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    losses, masses = np.asarray(losses), np.asarray(masses)
    above = losses > epsilon
    tail_q = (masses[above] * np.exp(-losses[above])).sum()
    return masses[above].sum() - np.exp(epsilon) * tail_q
""",
        "delta_from_loss_curve",
        "it is nan",
    ),
    "epsilon 0 means no delta": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    if not epsilon:
        return 0.0
    terms = (m * (1 - math.exp(epsilon - z)) for z, m in zip(losses, masses) if z > epsilon)
    return float(sum(terms))
""",
        "delta_from_loss_curve",
        "at 0 it is the distance of the two laws",
    ),
    "no delta for a large epsilon": Mutant(
        but_where(RIGHT["a sum"], "100 < epsilon < 900", "return 0.0"),
        "delta_from_loss_values",
        "Add the probability times 1 - e^(epsilon - loss)",
    ),
    "the tail for epsilon above 5": Mutant(
        but_where(
            RIGHT["a sum"],
            "epsilon > 5",
            "return sum(m for z, m in zip(losses, masses) if z > epsilon)",
        ),
        "delta_from_loss_values",
        "Add the probability times 1 - e^(epsilon - loss)",
    ),
    "epsilon rounded": Mutant(
        but_where(RIGHT["a sum"], "True", "epsilon = round(epsilon, 2)"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "epsilon times 1.03": Mutant(
        but_where(RIGHT["a sum"], "epsilon > 1.5", "epsilon *= 1.03"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "the hundred largest losses": Mutant(
        but_where(RIGHT["a sum"], "True", "losses, masses = losses[-100:], masses[-100:]"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "one loss alone is none": Mutant(
        but_where(RIGHT["a sum"], "len(losses) == 1 and losses[0] < math.inf", "return 0.0"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "small masses left out": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))", keep="z > epsilon and m > 1e-4"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "far above epsilon is certain": Mutant(
        _sum("m * (1 if z > epsilon + 5 else 1 - math.exp(epsilon - z))"),
        "delta_from_loss_values",
        "times 1 - e^(epsilon - loss)",
    ),
    "just above epsilon left out": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))", keep="z > epsilon + 1e-4"),
        "delta_from_loss_values",
        "for losses above epsilon",
    ),
    "dplab's own": Mutant(
        """
def delta_from_loss(losses, masses, epsilon):
    from dplab.losses import AtomicLoss

    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    return AtomicLoss(losses, masses, masses * np.exp(-losses)).delta(epsilon)
""",
        "delta_from_loss_values",
        "is off limits in an answer",
    ),
    "the first 15,000 losses": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))").replace(
            "zip(losses, masses)", "list(zip(losses, masses))[:15_000]"
        ),
        "delta_from_loss_values",
        "Add the probability",
    ),
    "the last 15,000 losses": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))").replace(
            "zip(losses, masses)", "list(zip(losses, masses))[-15_000:]"
        ),
        "delta_from_loss_values",
        "Add the probability",
    ),
    "a probability below 1e-7 is nothing": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))", keep="z > epsilon and m > 1e-7"),
        "delta_from_loss_values",
        "Add the probability",
    ),
    "an infinite loss of a probability below 1e-7 is nothing": Mutant(
        _sum("m * (1 - math.exp(epsilon - z))", keep="z > epsilon and (z < math.inf or m > 1e-7)"),
        "delta_from_loss_infinite",
        "counts in full",
    ),
}

ANSWERS = Answers("delta_from_loss", RIGHT, MUTANTS)
