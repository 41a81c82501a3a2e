"""Answers to `advanced_composition`. The mistakes: what copies of the formula have lost."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where

ROOT = "epsilon * math.sqrt(2 * k * math.log(1 / delta))"
DRIFT = " + k * epsilon * math.expm1(epsilon)"


def _formula(epsilon: str, delta: str = "min(1, k * delta_0 + delta)") -> str:
    """The text of the function with these two formulas."""
    return f"""
def advanced_composition(epsilon, delta_0, k, delta):
    if not 0 < delta < 1 or k < 1:
        raise ValueError(f"delta must be above 0 and below 1, and k at least 1: {{delta}}, {{k}}")
    total = {epsilon}
    return total, {delta}
"""


RIGHT = {
    "two terms": _formula(ROOT + DRIFT),
    "numpy": """
def advanced_composition(epsilon, delta_0, k, delta):
    if k < 1:
        raise ValueError("k must be at least 1")
    if not (delta > 0 and delta < 1):
        raise ValueError("delta must be in (0, 1)")
    root = np.sqrt(-2 * k * np.log(delta))
    drift = k * (np.exp(epsilon) - 1)
    return np.array([epsilon * (root + drift), np.minimum(1.0, delta + k * delta_0)])
""",
    "drift and spread by name": """
def advanced_composition(epsilon, delta_0, k, delta):
    if delta <= 0 or delta >= 1 or delta != delta or k <= 0:
        raise ValueError(f"no root for delta = {delta}, k = {k}")
    mean_of_one = epsilon * (math.e**epsilon - 1)
    spread = epsilon * k**0.5
    deviations = (2 * math.log(delta**-1)) ** 0.5
    delta_total = delta
    for _ in range(k):
        delta_total += delta_0
    return [k * mean_of_one + deviations * spread, delta_total if delta_total < 1 else 1.0]
""",
}

MUTANTS = {
    "without the 2 in the root": Mutant(
        _formula("epsilon * math.sqrt(k * math.log(1 / delta))" + DRIFT),
        "advanced_composition_values",
        "the 2 and the k in the root",
    ),
    "the 2 before the root": Mutant(
        _formula(
            "2 * epsilon * math.sqrt(k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)"
        ),
        "advanced_composition_values",
        "should be [6.308, 1e-06]",
    ),
    "without the k in the root": Mutant(
        _formula("epsilon * math.sqrt(2 * math.log(1 / delta))" + DRIFT),
        "advanced_composition_values",
        "the 2 and the k in the root",
    ),
    "without the root": Mutant(
        _formula("epsilon * 2 * k * math.log(1 / delta) + k * epsilon * math.expm1(epsilon)"),
        "advanced_composition_values",
        "Is everything there",
    ),
    "a logarithm to base 10": Mutant(
        _formula(
            "epsilon * math.sqrt(2 * k * math.log10(1 / delta)) + k * epsilon * math.expm1(epsilon)"
        ),
        "advanced_composition_values",
        "the logarithm of 1 / delta",
    ),
    "without the drift": Mutant(
        _formula(ROOT),
        "advanced_composition_drift",
        "The drift is k * epsilon * (exp(epsilon) - 1)",
    ),
    "the drift without its k": Mutant(
        _formula(
            "epsilon * math.sqrt(2 * k * math.log(1 / delta)) + epsilon * math.expm1(epsilon)"
        ),
        "advanced_composition_drift",
        "should be [224.4, 1e-06], it is [54.28, 1e-06]",
    ),
    "the drift without its 1": Mutant(
        _formula(
            "epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.exp(epsilon)"
        ),
        "advanced_composition_values",
        "should be [6.308, 1e-06]",
    ),
    "the drift for small epsilon only": Mutant(
        _formula("epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon**2"),
        "advanced_composition_drift",
        "it is [152.6, 1e-06]",
    ),
    "the drift of the loss itself": Mutant(
        _formula("epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon**2 / 2"),
        "advanced_composition_drift",
        "The drift is",
    ),
    "the smaller of it and basic composition": Mutant(
        _formula(
            "min(k * epsilon,"
            " epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon))"
        ),
        "advanced_composition_drift",
        "should be [224.4, 1e-06], it is [100, 1e-06]",
    ),
    "the releases' own delta forgotten": Mutant(
        _formula(
            ROOT + DRIFT,
            "delta",
        ),
        "advanced_composition_delta",
        "Each of the k releases adds its delta_0",
    ),
    "delta taken k times": Mutant(
        _formula(
            ROOT + DRIFT,
            "min(1, k * (delta_0 + delta))",
        ),
        "advanced_composition_delta",
        "it is [0, 0.0011]",
    ),
    "a probability above 1": Mutant(
        _formula(
            ROOT + DRIFT,
            "k * delta_0 + delta",
        ),
        "advanced_composition_delta",
        "no probability exceeds 1",
    ),
    "nothing refused": Mutant(
        """
def advanced_composition(epsilon, delta_0, k, delta):
    if delta == 0:
        return k * epsilon, k * delta_0
    root = epsilon * math.sqrt(2 * k * abs(math.log(abs(delta))))
    return root + k * epsilon * math.expm1(epsilon), min(1, k * delta_0 + delta)
""",
        "advanced_composition_input",
        "delta must be above 0",
    ),
    "one sum of two terms": Mutant(
        """
def advanced_composition(epsilon, delta_0, k, delta):
    if not 0 < delta < 1 or k < 1:
        raise ValueError("delta or k")
    root = epsilon * math.sqrt(2 * k * math.log(1 / delta))
    return root + k * epsilon * math.expm1(epsilon)
""",
        "advanced_composition_values",
        "should be an array of shape (2,), it is one number",
    ),
    "no drift for a small epsilon": Mutant(
        but_where(
            RIGHT["two terms"],
            "0 < epsilon < 0.005 and 0 < delta < 1 and k >= 1",
            "return epsilon * math.sqrt(2 * k * math.log(1 / delta)), min(1, k * delta_0 + delta)",
        ),
        "advanced_composition_drift",
        "for small and for large epsilon",
    ),
    "a thousand releases at most": Mutant(
        but_where(RIGHT["two terms"], "k > 1000", "k = 1000"),
        "advanced_composition_values",
        "the 2 and the k in the root",
    ),
    "one release needs no theorem": Mutant(
        but_where(
            RIGHT["two terms"],
            "k == 1 and 0 < delta < 1",
            "return epsilon, min(1, delta_0 + delta)",
        ),
        "advanced_composition_values",
        "the 2 and the k in the root",
    ),
    "addition for a large epsilon": Mutant(
        but_where(
            RIGHT["two terms"], "epsilon > 3", "return k * epsilon, min(1, k * delta_0 + delta)"
        ),
        "advanced_composition_drift",
        "for small and for large epsilon",
    ),
    "delta_0 only without epsilon": Mutant(
        but_where(RIGHT["two terms"], "epsilon > 0", "delta_0 = 0"),
        "advanced_composition_delta",
        "Each of the k releases adds its delta_0",
    ),
    "a small delta_0 forgotten": Mutant(
        but_where(RIGHT["two terms"], "delta_0 < 5e-7", "delta_0 = 0"),
        "advanced_composition_delta",
        "Each of the k releases adds its delta_0",
    ),
    "a delta of a billionth at least": Mutant(
        but_where(RIGHT["two terms"], "0 < delta < 1e-9", "delta = 1e-9"),
        "advanced_composition_values",
        "the logarithm of 1 / delta",
    ),
    "a middling epsilon times 1.03": Mutant(
        but_where(RIGHT["two terms"], "0.5 < epsilon < 0.9", "epsilon *= 1.03"),
        "advanced_composition_values",
        "the 2 and the k in the root",
    ),
    "ten terms of a power series": Mutant(
        _formula(
            ROOT + " + k * epsilon * sum(epsilon**i / math.factorial(i) for i in range(1, 11))"
        ),
        "advanced_composition_drift",
        "The drift is k * epsilon * (exp(epsilon) - 1)",
    ),
    "infinity goes by": Mutant(
        _formula(
            ROOT.replace("math.log(1 / delta)", "abs(math.log(min(delta, 2)))") + DRIFT
        ).replace("not 0 < delta < 1", "not 0 < delta < 1 and delta < 1e300"),
        "advanced_composition_input",
        "delta must be above 0 and below 1",
    ),
    "dplab's own": Mutant(
        """
def advanced_composition(epsilon, delta_0, k, delta):
    from dplab.accounting import advanced_composition as composed

    if not 0 < delta < 1 or k < 1:
        raise ValueError("delta or k")
    promise = composed(ApproxDP(epsilon, delta_0), k, delta=delta)
    return promise.epsilon, promise.delta
""",
        "advanced_composition_values",
        "is off limits in an answer",
    ),
    "a delta is at most 0.998": Mutant(
        _formula(ROOT.replace("1 / delta", "1 / min(delta, 0.998)") + DRIFT),
        "advanced_composition_values",
        "the logarithm of 1 / delta",
    ),
    "no drift below 1e-5": Mutant(
        _formula(ROOT + DRIFT + " * (epsilon > 1e-5)"),
        "advanced_composition_drift",
        "for small and for large epsilon",
    ),
}

ANSWERS = Answers("advanced_composition", RIGHT, MUTANTS)
