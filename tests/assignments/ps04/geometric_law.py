"""Answers to `geometric_law`. The mistakes: tails lost or shared out, and other laws."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _law(body: str) -> str:
    """The text of `geometric_law`: p and the unclamped middle are given, `body` does the rest."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)
    law = (1 - p) / (1 + p) * p ** np.abs(np.arange(n + 1) - count)
{lines}
"""


_ENDS = "law[0] = p**count / (1 + p)\nlaw[n] = p ** (n - count) / (1 + p)\nreturn law"


def _but_at(condition: str, formula: str) -> str:
    """The body of a right answer with another formula where the condition holds."""
    far = "far = np.abs(np.arange(n + 1) - count)"
    return _ENDS.replace("return law", f"{far}\nreturn np.where({condition}, {formula}, law)")


RIGHT = {
    "tails in closed form": _law(_ENDS),
    "what is left over": """
def geometric_law(count, epsilon, n):
    p = np.exp(-epsilon)
    law = [(1 - p) / (1 + p) * p ** abs(j - count) for j in range(n + 1)]
    above = 1 / (1 + p) if count < n else 0.0
    law[0] = 1 / (1 + p) * p**count
    if count == n:
        law[n] = 1 / (1 + p)
    else:
        law[n] = p ** (n - count) * above
    return np.array(law)
""",
    "a long sum": """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)
    reach = n + int(60 / epsilon) + 60
    k = np.arange(-reach, reach + 1)
    mass = (1 - p) / (1 + p) * p ** np.abs(k)
    return np.bincount(np.clip(count + k, 0, n), weights=mass, minlength=n + 1)
""",
    "from the distribution function": """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)

    def at_most(m):
        return p ** (-m) / (1 + p) if m < 0 else 1 - p ** (m + 1) / (1 + p)

    inside = [at_most(j - count) for j in range(n)]
    return np.diff([0.0, *inside, 1.0])
""",
}

MUTANTS = {
    "tails forgotten": Mutant(_law("return law"), "geometric_law_small", "should be [0.3333"),
    "shared out by dividing by the sum": Mutant(
        _law("return law / law.sum()"), "geometric_law_epsilon", "the largest |log-ratio|"
    ),
    "left over in equal parts": Mutant(
        _law("law[[0, n]] += (1 - law.sum()) / 2\nreturn law"),
        "geometric_law_values",
        "moved onto them",
    ),
    "all of the rest on the count": Mutant(
        _law("law[count] += 1 - law.sum()\nreturn law"), "geometric_law_small", "the nearer end"
    ),
    "tails beside the ends": Mutant(
        _law("law[0] += p**count / (1 + p)\nlaw[n] += p ** (n - count) / (1 + p)\nreturn law"),
        "geometric_law_epsilon",
        "the sum of each law",
    ),
    "tails without their denominator": Mutant(
        _law("law[0] = p**count\nlaw[n] = p ** (n - count)\nreturn law"),
        "geometric_law_small",
        "should be [0.3333",
    ),
    "half of epsilon": Mutant(
        _law(_ENDS).replace("-epsilon)", "-epsilon / 2)"),
        "geometric_law_epsilon",
        "the largest |log-ratio| should be 1, it is 0.5",
    ),
    "p is epsilon": Mutant(
        _law(_ENDS).replace("math.exp(-epsilon)", "epsilon / (1 + epsilon)"),
        "geometric_law_values",
        "p = exp(-epsilon)",
    ),
    "twice the mass at no noise": Mutant(
        _law(_ENDS).replace("(1 - p) / (1 + p) * p **", "(1 - p) / 2 * p **"),
        "geometric_law_small",
        "should be [0.3333",
    ),
    "the density of Laplace noise": Mutant(
        """
def geometric_law(count, epsilon, n):
    law = epsilon / 2 * np.exp(-epsilon * np.abs(np.arange(n + 1) - count))
    law[0] += np.exp(-epsilon * (count + 0.5)) / 2
    law[n] += np.exp(-epsilon * (n - count + 0.5)) / 2
    return law
""",
        "geometric_law_small",
        "should be [0.3333",
    ),
    "Laplace noise, rounded": Mutant(
        """
def geometric_law(count, epsilon, n):
    def cdf(t):
        return np.exp(epsilon * t) / 2 if t < 0 else 1 - np.exp(-epsilon * t) / 2

    inside = [cdf(j + 0.5 - count) for j in range(n)]
    return np.diff([0.0, *inside, 1.0])
""",
        "geometric_law_small",
        "should be [0.3333",
    ),
    "noise on one side": Mutant(
        """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)
    law = np.zeros(n + 1)
    law[count:] = (1 - p) * p ** np.arange(n - count + 1)
    law[n] = p ** (n - count)
    return law
""",
        "geometric_law_epsilon",
        "the largest |log-ratio|",
    ),
    "from n down to 0": Mutant(
        _law(_ENDS.replace("return law", "return law[::-1]")),
        "geometric_law_small",
        "should be [0.6667",
    ),
    "the end is one short": Mutant(
        _law(_ENDS).replace("return law", "return law[:n]"),
        "geometric_law_small",
        "should be an array of shape (3,)",
    ),
    "dplab's own": Mutant(
        """
def geometric_law(count, epsilon, n):
    mechanism = GeometricMechanism(int, sensitivity=1, epsilon=epsilon)
    return mechanism.clamp(0, n).distribution(int(count)).probabilities
""",
        "geometric_law_small",
        "dplab.GeometricMechanism is off limits in an answer",
    ),
    "dplab's distribution": Mutant(
        """
from dplab import DiscreteLaplace


def geometric_law(count, epsilon, n):
    return DiscreteLaplace(int(count), 1 / Fraction(epsilon)).clamp(0, n).probabilities
""",
        "geometric_law_small",
        "dplab.DiscreteLaplace is off limits in an answer",
    ),
    "shared out where there are many": Mutant(
        _law(f"if n > 50:\n    return law / law.sum()\n{_ENDS}"),
        "geometric_law_values",
        "moved onto them",
    ),
    "cut at 30 steps": Mutant(
        _law(_but_at("far > 30", "0")), "geometric_law_values", "Are the tails there"
    ),
    "cut at 20 scales": Mutant(
        _law(_but_at("far * epsilon > 20", "0")), "geometric_law_values", "Are the tails there"
    ),
    "epsilon at most 3": Mutant(
        _law(_ENDS).replace("-epsilon)", "-min(epsilon, 3))"),
        "geometric_law_values",
        "p = exp(-epsilon)",
    ),
    "epsilon at least 0.02": Mutant(
        _law(_ENDS).replace("-epsilon)", "-max(epsilon, 0.02))"),
        "geometric_law_values",
        "Are the tails there",
    ),
    "no noise from epsilon = 5 on": Mutant(
        _law(_but_at("(epsilon >= 5) & (n > 5)", "far == 0")),
        "geometric_law_values",
        "Are the tails there",
    ),
    "nobody stays nobody": Mutant(
        _law(_but_at("count == 0 and n > 50", "far == 0")),
        "geometric_law_values",
        "Are the tails there",
    ),
    "one person without noise": Mutant(
        _law(_but_at("n == 1 and epsilon > 2", "far == 0")),
        "geometric_law_epsilon",
        "the largest |log-ratio|",
    ),
    "never below 1e-12": Mutant(
        _law(_ENDS.replace("return law", "return np.maximum(law, 1e-12)")),
        "geometric_law_values",
        "the sum of the probabilities",
    ),
}

ANSWERS = Answers("geometric_law", RIGHT, MUTANTS)
