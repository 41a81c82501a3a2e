"""Answers to `accuracy_bound`. The mistakes: delta in the wrong place, and exp of large numbers."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _formula(formula: str) -> str:
    return f"def accuracy_bound(epsilon, delta):\n    return {formula}\n"


RIGHT = {
    "a leak or a coin": _formula("delta + (1 - delta) / (1 + math.exp(-epsilon))"),
    "one minus the wrong guesses": _formula(
        "1 - (1 - delta) * math.exp(-epsilon) / (1 + math.exp(-epsilon))"
    ),
    "hyperbolic": _formula("(1 + np.tanh(epsilon / 2) + delta * (1 - np.tanh(epsilon / 2))) / 2"),
    "two cases": """
def accuracy_bound(epsilon, delta):
    if epsilon > 700:
        return 1.0
    odds = math.exp(epsilon)
    return (odds + delta) / (odds + 1)
""",
}

MUTANTS = {
    "without delta": Mutant(
        _formula("1 / (1 + math.exp(-epsilon))"), "accuracy_bound_values", "should be 0.55"
    ),
    "delta added": Mutant(
        _formula("min(1.0, 1 / (1 + math.exp(-epsilon)) + delta)"),
        "accuracy_bound_values",
        "should be 0.55, it is 0.6",
    ),
    "half of delta added": Mutant(
        _formula("min(1.0, 1 / (1 + math.exp(-epsilon)) + delta / 2)"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "twice delta": Mutant(
        _formula("(1 + 2 * delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))"),
        "accuracy_bound_values",
        "should be 0.55, it is 0.6",
    ),
    "the odds": Mutant(
        _formula("math.exp(min(epsilon, 600)) + delta"), "accuracy_bound_values", "should be 0.75"
    ),
    "the odds, halved": Mutant(
        _formula("min(1.0, (math.exp(min(epsilon, 600)) + delta) / 2)"),
        "accuracy_bound_values",
        "should be 0.75, it is 1",
    ),
    "the probability of a lie": Mutant(
        _formula("1 / (1 + math.exp(min(epsilon, 600)))"), "accuracy_bound_values", "it is 0.25"
    ),
    "the total variation": Mutant(
        _formula("(math.tanh(epsilon / 2) * (1 - delta) + delta)"),
        "accuracy_bound_values",
        "should be 0.75, it is 0.5",
    ),
    "delta scaled by the odds": Mutant(
        _formula("(1 + delta) / (1 + math.exp(-epsilon))"),
        "accuracy_bound_values",
        "should be 1, it is",
    ),
    "exp of a large number": Mutant(
        _formula("(math.exp(epsilon) + delta) / (1 + math.exp(epsilon))"),
        "accuracy_bound_large",
        "raised OverflowError",
    ),
    "infinity over infinity": Mutant(
        _formula("(np.exp(epsilon) + delta) / (1 + np.exp(epsilon))"),
        "accuracy_bound_large",
        "it is nan",
    ),
    "certain from an epsilon of 5 on": Mutant(
        but_where(RIGHT["a leak or a coin"], "epsilon > 5", "return 1.0"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "a small delta taken for 0": Mutant(
        but_where(RIGHT["a leak or a coin"], "delta < 1e-3", "delta = 0"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "a small delta added": Mutant(
        but_where(
            RIGHT["a leak or a coin"],
            "delta < 0.05",
            "return min(1.0, 1 / (1 + math.exp(-epsilon)) + delta)",
        ),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "a small epsilon taken for 0": Mutant(
        but_where(RIGHT["a leak or a coin"], "epsilon < 0.1", "epsilon = 0"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "certain from a delta of 0.9 on": Mutant(
        but_where(RIGHT["a leak or a coin"], "delta > 0.9", "return 1.0"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "a large epsilon times 1.03": Mutant(
        but_where(RIGHT["a leak or a coin"], "epsilon > 3", "epsilon *= 1.03"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "rounded to six digits": Mutant(
        _formula("round(delta + (1 - delta) / (1 + math.exp(-epsilon)), 6)"),
        "accuracy_bound_values",
        "delta + (1 - delta) times the probability of the truth",
    ),
    "dplab's own": Mutant(
        """
def accuracy_bound(epsilon, delta):
    from dplab.theorems.bit_guessing import guess_bound

    return guess_bound(ApproxDP(epsilon, delta))
""",
        "accuracy_bound_values",
        "is off limits in an answer",
    ),
    "an epsilon of 17 is all": Mutant(
        _formula("(1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon) * (epsilon < 17))"),
        "accuracy_bound_values",
        "times the probability of the truth",
    ),
    "a delta below 1e-7 is nothing": Mutant(
        _formula("(1 + delta * (delta > 1e-7) * math.exp(-epsilon)) / (1 + math.exp(-epsilon))"),
        "accuracy_bound_values",
        "times the probability of the truth",
    ),
}

ANSWERS = Answers("accuracy_bound", RIGHT, MUTANTS)
