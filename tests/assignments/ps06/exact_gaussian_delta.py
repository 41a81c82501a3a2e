"""Answers to `exact_gaussian_delta`. The mistakes: spread, signs, a missing factor, overflow."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _tails(
    spread="math.sqrt(2 * rho)",
    p="ndtr((rho - epsilon) / spread)",
    q="np.exp(epsilon + log_ndtr(-(rho + epsilon) / spread))",
    zero="0.0",
) -> str:
    """The text of `exact_gaussian_delta` as a difference of two tails."""
    return f"""
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return {zero}
    spread = {spread}
    return {p} - {q}
"""


RIGHT = {
    "two tails": _tails(),
    "in mu": """
def exact_gaussian_delta(epsilon, rho):
    if not rho:
        return 0.0
    mu = (2 * rho) ** 0.5
    a, b = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    return max(0.0, ndtr(a) - math.exp(min(0.0, epsilon + log_ndtr(b))))
""",
    "scipy's normal law": """
def exact_gaussian_delta(epsilon, rho):
    from scipy.stats import norm

    if rho == 0:
        return 0
    p, q = norm(rho, np.sqrt(2 * rho)), norm(-rho, np.sqrt(2 * rho))
    return p.sf(epsilon) - np.exp(epsilon + q.logsf(epsilon))
""",
    "an integral": """
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return 0.0
    spread = math.sqrt(2 * rho)
    low, high = max(epsilon, rho - 9 * spread), rho + 9 * spread
    if low >= high:
        return 0.0
    t, weights = np.polynomial.legendre.leggauss(200)
    z = low + (high - low) * (t + 1) / 2
    density = np.exp(-((z - rho) ** 2) / (4 * rho)) / math.sqrt(4 * math.pi * rho)
    return (high - low) / 2 * np.sum(weights * density * -np.expm1(epsilon - z))
""",
}

MUTANTS = {
    "the tail": Mutant(_tails(q="0"), "exact_gaussian_delta_figures", "it is 0.3085. Two tails"),
    "the second tail without its factor": Mutant(
        _tails(q="ndtr(-(rho + epsilon) / spread)"),
        "exact_gaussian_delta_figures",
        "the second times e^epsilon",
    ),
    "the loss under q like that under p": Mutant(
        _tails(q="np.exp(epsilon + log_ndtr((rho - epsilon) / spread))"),
        "exact_gaussian_delta_figures",
        "Two tails, of the loss under p and under q",
    ),
    "the lower tail": Mutant(
        _tails(p="ndtr((epsilon - rho) / spread)"),
        "exact_gaussian_delta_figures",
        "should be 0.1269, it is 0.5",
    ),
    "variance rho": Mutant(
        _tails(spread="math.sqrt(rho)"), "exact_gaussian_delta_figures", "should be 0.1269"
    ),
    "the variance for the spread": Mutant(
        _tails(spread="2 * rho"), "exact_gaussian_delta_values", "The variance of the loss is 2 rho"
    ),
    "a spread of 1": Mutant(
        _tails(spread="1.0"), "exact_gaussian_delta_values", "The variance of the loss is 2 rho"
    ),
    "mu for rho": Mutant(
        _tails(
            spread="rho",
            p="ndtr(rho / 2 - epsilon / rho)",
            q="np.exp(epsilon + log_ndtr(-rho / 2 - epsilon / rho))",
        ),
        "exact_gaussian_delta_figures",
        "should be 0.1269",
    ),
    "a product that overflows": Mutant(
        _tails(q="np.exp(epsilon) * ndtr(-(rho + epsilon) / spread)"),
        "exact_gaussian_delta_extremes",
        "it is nan",
    ),
    "an OverflowError": Mutant(
        _tails(q="math.exp(epsilon) * ndtr(-(rho + epsilon) / spread)"),
        "exact_gaussian_delta_extremes",
        "raised OverflowError",
    ),
    "the second tail dropped for large epsilon": Mutant(
        _tails(q="(np.exp(epsilon) * ndtr(-(rho + epsilon) / spread) if epsilon < 700 else 0)"),
        "exact_gaussian_delta_extremes",
        "Does the product survive",
    ),
    "division by a rho of 0": Mutant(
        _tails().replace("if rho == 0", "if rho < 0"),
        "exact_gaussian_delta_extremes",
        "raised ZeroDivisionError",
    ),
    "1 without noise's trace": Mutant(
        _tails(zero="1.0"), "exact_gaussian_delta_extremes", "the loss is always 0"
    ),
    "the classic bound": Mutant(
        """
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return 0.0
    return min(1.0, 1.25 * math.exp(-(epsilon**2) / (4 * rho)))
""",
        "exact_gaussian_delta_figures",
        "Two tails",
    ),
    "the subgaussian bound": Mutant(
        """
def exact_gaussian_delta(epsilon, rho):
    if rho == 0:
        return 0.0
    return math.exp(-max(0, epsilon - rho) ** 2 / (4 * rho))
""",
        "exact_gaussian_delta_figures",
        "should be 0.1269",
    ),
    "a small rho taken for 0": Mutant(
        but_where(RIGHT["two tails"], "rho < 0.01", "return 0.0"),
        "exact_gaussian_delta_figures",
        "Two tails, of the loss under p and under q",
    ),
    "no delta for a large epsilon": Mutant(
        but_where(RIGHT["two tails"], "100 < epsilon < 700", "return 0.0"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "the tail for epsilon above 5": Mutant(
        but_where(
            RIGHT["two tails"],
            "5 < epsilon < 700 and rho > 0",
            "return ndtr((rho - epsilon) / math.sqrt(2 * rho))",
        ),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "certain for a large rho": Mutant(
        but_where(RIGHT["two tails"], "10 < rho < 600", "return 1.0"),
        "exact_gaussian_delta_values",
        "for more and for less noise",
    ),
    "epsilon rounded": Mutant(
        but_where(RIGHT["two tails"], "epsilon > 4", "epsilon = round(epsilon, 1)"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "epsilon times 1.03": Mutant(
        but_where(RIGHT["two tails"], "4 < epsilon < 700", "epsilon *= 1.03"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "exponents cut at 30": Mutant(
        _tails(q="np.exp(min(30, epsilon) + log_ndtr(-(rho + epsilon) / spread))"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "dplab's own": Mutant(
        """
def exact_gaussian_delta(epsilon, rho):
    return GaussianLoss(math.sqrt(2 * rho)).delta(epsilon) if rho else 0.0
""",
        "exact_gaussian_delta_figures",
        "is off limits in an answer",
    ),
    "five standard deviations are out of reach": Mutant(
        but_where(_tails(), "epsilon > rho + 5 * math.sqrt(2 * rho)", "return 0.0"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
    "five standard deviations are certain": Mutant(
        but_where(_tails(), "epsilon < rho - 5 * math.sqrt(2 * rho)", "return 1.0"),
        "exact_gaussian_delta_values",
        "at small and at large epsilon",
    ),
}

ANSWERS = Answers("exact_gaussian_delta", RIGHT, MUTANTS)
