"""Answers to `exponential_law`. The mistakes: the rate, the notes' slip, overflow, lost tails."""

from autograder.rehearsal.catalogue import Answers, Mutant

_REFUSED = "not (sensitivity > 0 and epsilon > 0)"
_CHECK = f"""
    if {_REFUSED}:
        raise ValueError("sensitivity and epsilon must be above 0")"""


def _checked(body: str) -> str:
    """The text of `exponential_law` with a right check of its input and this body."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    return f"def exponential_law(scores, sensitivity, epsilon):{_CHECK}\n{lines}\n"


def _weights(formula: str) -> str:
    """`exponential_law` by weights in s, the scores less the largest one."""
    return _checked(f"""
s = np.asarray(scores, dtype=float)
s = s - s.max()
weights = {formula}
return weights / weights.sum()
""")


RIGHT = {
    "the largest score off": _weights("np.exp(epsilon * s / (2 * sensitivity))"),
    "logarithms to the end": _checked("""
logs = np.array(scores, dtype=float) * epsilon / (2 * sensitivity)
return np.exp(logs - np.logaddexp.reduce(logs))
"""),
    "a loop": """
def exponential_law(scores, sensitivity, epsilon):
    if not epsilon > 0 or not sensitivity > 0:
        raise ValueError("no mechanism")
    best = max(scores)
    weights = [math.exp(epsilon * (score - best) / 2 / sensitivity) for score in scores]
    total = sum(weights)
    return np.array([weight / total for weight in weights])
""",
    "a list": _checked("""
rate = epsilon / (2 * sensitivity)
top = max(rate * score for score in scores)
weights = [np.exp(rate * score - top) for score in scores]
total = sum(weights)
return [weight / total for weight in weights]
"""),
    "a helper called weights": """
def weights(scores, rate):
    best = max(scores)
    return np.array([math.exp(rate * (score - best)) for score in scores])


def exponential_law(scores, sensitivity, epsilon):
    if not sensitivity > 0 or not epsilon > 0:
        raise ValueError("sensitivity and epsilon must be above 0")
    found = weights(scores, epsilon / (2 * sensitivity))
    return found / found.sum()
""",
}

MUTANTS = {
    "twice the rate": Mutant(
        _weights("np.exp(epsilon * s / sensitivity)"),
        "exponential_law_values",
        "should be [0.25, 0.75], it is [0.1, 0.9]",
    ),
    "the rate in the notes": Mutant(
        _weights("np.exp(s) / np.exp(2 * sensitivity / epsilon)"),
        "exponential_law_values",
        "The exponent is epsilon * score / (2 * sensitivity)",
    ),
    "no sensitivity": Mutant(
        _weights("np.exp(epsilon * s / 2)"), "exponential_law_values", "it is [0.9688"
    ),
    "multiplied by the sensitivity": Mutant(
        _weights("np.exp(epsilon * s * sensitivity / 2)"),
        "exponential_law_values",
        "should be [0.5714, 0.1429, 0.2857]",
    ),
    "the worst is likeliest": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
weights = np.exp(-epsilon * (s - s.min()) / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_values",
        "it is [0.75, 0.25]",
    ),
    "not divided by the sum": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
return np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
"""),
        "exponential_law_values",
        "then divide by the sum",
    ),
    "logarithms returned": Mutant(
        _checked("""
logs = np.array(scores, dtype=float) * epsilon / (2 * sensitivity)
return logs - np.logaddexp.reduce(logs)
"""),
        "exponential_law_values",
        "it is [-1.386, -0.2877]",
    ),
    "scores divided by the largest": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float) / np.max(scores)
weights = np.exp(epsilon * s / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_values",
        "should be [0.5714",
    ),
    "changed in place": Mutant(
        _checked("""
scores = np.asarray(scores, dtype=float)
scores -= scores.max()
scores *= epsilon / (2 * sensitivity)
np.exp(scores, out=scores)
scores /= scores.sum()
return scores
"""),
        "exponential_law_values",
        "Does it change the array",
    ),
    "exponentiated as they are": Mutant(
        _checked("""
weights = np.exp(epsilon * np.asarray(scores) / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_large",
        "it is [nan, nan]",
    ),
    "the smallest score off": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
weights = np.exp(epsilon * (s - s.min()) / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_large",
        "Subtract the largest score",
    ),
    "the mean off": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
weights = np.exp(epsilon * (s - s.mean()) / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_large",
        "Subtract the largest score",
    ),
    "exponents clipped at 700": Mutant(
        _checked("""
exponents = np.clip(epsilon * np.asarray(scores) / (2 * sensitivity), -700, 700)
return np.exp(exponents) / np.exp(exponents).sum()
"""),
        "exponential_law_large",
        "it is [0.5, 0.5]",
    ),
    "the impossible made possible": Mutant(
        _weights("np.exp(epsilon * np.where(np.isinf(s), 0, s) / (2 * sensitivity))"),
        "exponential_law_large",
        "Subtract the largest score",
    ),
    "small probabilities dropped": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
weights[weights < 0.01] = 0
return weights / weights.sum()
"""),
        "exponential_law_private",
        "the largest |log-ratio| between scores",
    ),
    "rounded": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity)).round(9)"),
        "exponential_law_private",
        "Is every candidate possible",
    ),
    "takes any sensitivity": Mutant(
        """
def exponential_law(scores, sensitivity, epsilon):
    s = np.asarray(scores, dtype=float)
    weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
    return weights / weights.sum()
""",
        "exponential_law_input",
        "should raise ValueError",
    ),
    "epsilon a little larger": Mutant(
        _weights("np.exp(1.03 * epsilon * s / (2 * sensitivity))"),
        "exponential_law_values",
        "The exponent is epsilon * score / (2 * sensitivity)",
    ),
    "uniform among more than 5,000": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity)) if len(s) <= 5000 else np.ones(len(s))"),
        "exponential_law_values",
        "Every probability",
    ),
    "the best alone where epsilon is 30 or more": Mutant(
        _weights("np.exp((epsilon if epsilon < 30 else 1e12) * s / (2 * sensitivity))"),
        "exponential_law_values",
        "Every probability",
    ),
    "equal scores counted once": Mutant(
        _checked("""
s, where = np.unique(np.asarray(scores, dtype=float), return_inverse=True)
weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
return (weights / weights.sum())[where]
"""),
        "exponential_law_values",
        "The exponent is epsilon",
    ),
    "single precision": Mutant(
        _weights("np.exp((epsilon * s / (2 * sensitivity)).astype(np.float32))"),
        "exponential_law_values",
        "then divide by the sum",
    ),
    "only the best hundred": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity)) * (s >= np.sort(s)[-100:][0])"),
        "exponential_law_values",
        "Every probability",
    ),
    "remembered by its scores": Mutant(
        """
_seen = {}
"""
        + _checked("""
key = tuple(float(score) for score in scores)
if key not in _seen:
    s = np.array(key) - max(key)
    weights = np.exp(epsilon * s / (2 * sensitivity))
    _seen[key] = weights / weights.sum()
return _seen[key]
"""),
        "exponential_law_values",
        "Every probability",
    ),
    "exponents cut at -40": Mutant(
        _weights("np.exp(np.maximum(epsilon * s / (2 * sensitivity), -40)) * np.isfinite(s)"),
        "exponential_law_large",
        "however small it is",
    ),
    "a floor under probabilities": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity)) + 1e-12"),
        "exponential_law_large",
        "A score of -inf has the probability 0",
    ),
    "a small epsilon taken for none": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
if epsilon < 0.01:
    raise ValueError("epsilon must be above 0")
weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
return weights / weights.sum()
"""),
        "exponential_law_input",
        "raised ValueError",
    ),
    "refused below 0, and not at 0": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity))").replace(
            _REFUSED, "not (sensitivity > 0 and epsilon >= 0)"
        ),
        "exponential_law_input",
        "epsilon must be above 0",
    ),
    "dplab's own law": Mutant(
        """
from dplab import ExponentialMechanism


def exponential_law(scores, sensitivity, epsilon):
    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
    return mechanism.distribution(scores).probabilities
""",
        "exponential_law_values",
        "off limits",
    ),
    "an array shifted in place": Mutant(
        _checked("""
s = np.asarray(scores, dtype=float)
s -= s.max()
weights = np.exp(epsilon / (2 * sensitivity) * s)
return weights / weights.sum()
"""),
        "exponential_law_values",
        "changes what it was given",
    ),
    "a list shifted in place": Mutant(
        _checked("""
best = max(scores)
for h in range(len(scores)):
    scores[h] = scores[h] - best
weights = np.exp(epsilon / (2 * sensitivity) * np.array(scores, dtype=float))
return weights / weights.sum()
"""),
        "exponential_law_values",
        "changes what it was given",
    ),
    "e^-700 is nothing": Mutant(
        _weights("np.where(x > -700, np.exp(x), 0)").replace(
            "    weights", "    x = epsilon / (2 * sensitivity) * s\n    weights", 1
        ),
        "exponential_law_large",
        "such a probability is small, and not 0",
    ),
    "no number is let through": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity))").replace(
            _REFUSED, "sensitivity <= 0 or epsilon <= 0"
        ),
        "exponential_law_input",
        "should raise ValueError",
    ),
    "the smallest floats are nothing": Mutant(
        _weights("np.exp(epsilon * s / (2 * sensitivity))").replace(
            "    return weights",
            "    weights[weights < np.finfo(float).tiny] = 0\n    return weights",
        ),
        "exponential_law_large",
        "such a probability is small, and not 0",
    ),
}

ANSWERS = Answers("exponential_law", RIGHT, MUTANTS)
