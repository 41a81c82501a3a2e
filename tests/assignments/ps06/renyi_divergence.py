"""Answers to `renyi_divergence`. The mistakes: overflow, the two ends, the infinite loss."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _cases(
    rest="top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1)",
    one="z @ m",
    infinity="z.max()",
    kept="m > 0",
    impossible="math.inf",
) -> str:
    """The text of `renyi_divergence` in four cases."""
    return f"""
def renyi_divergence(losses, masses, alpha):
    z, m = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    z, m = z[{kept}], m[{kept}]
    if np.isinf(z).any():
        return {impossible}
    if alpha == 1:
        return {one}
    if alpha == math.inf:
        return {infinity}
    top = z.max()
    return {rest}
"""


RIGHT = {
    "four cases": _cases(),
    "scipy's logsumexp": """
def renyi_divergence(losses, masses, alpha):
    from scipy.special import logsumexp

    z, m = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    z, m = z[m > 0], m[m > 0]
    if alpha == math.inf or z[-1] == math.inf:
        return z[-1]
    if alpha == 1:
        return np.average(z, weights=m)
    return logsumexp((alpha - 1) * z, b=m) / (alpha - 1)
""",
    "a loop and fsum": """
def renyi_divergence(losses, masses, alpha):
    pairs = [(z, m) for z, m in zip(losses, masses) if m > 0]
    top = max(z for z, m in pairs)
    if math.isinf(top) or math.isinf(alpha):
        return float(top)
    if alpha == 1:
        return math.fsum(z * m for z, m in pairs)
    scaled = math.fsum(m * math.exp((alpha - 1) * (z - top)) for z, m in pairs)
    return top + math.log(scaled) / (alpha - 1)
""",
    "logaddexp, term by term": """
def renyi_divergence(losses, masses, alpha):
    possible = [(float(z), float(m)) for z, m in zip(losses, masses) if m]
    if any(z == math.inf for z, _ in possible) or alpha == math.inf:
        return max(z for z, _ in possible)
    if alpha == 1:
        return sum(z * m for z, m in possible)
    total = -math.inf
    for z, m in possible:
        total = np.logaddexp(total, math.log(m) + (alpha - 1) * z)
    return total / (alpha - 1)
""",
}

MUTANTS = {
    "overflow": Mutant(
        _cases(rest="np.log(m @ np.exp((alpha - 1) * z)) / (alpha - 1)"),
        "renyi_divergence_large",
        "Take the largest term out of the sum",
    ),
    "alpha for alpha minus 1": Mutant(
        _cases(rest="top + np.log(m @ np.exp(alpha * (z - top))) / alpha"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "not divided": Mutant(
        _cases(rest="(alpha - 1) * top + np.log(m @ np.exp((alpha - 1) * (z - top)))"),
        "renyi_divergence_values",
        "divided by alpha - 1",
    ),
    "divided by alpha": Mutant(
        _cases(rest="((alpha - 1) * top + np.log(m @ np.exp((alpha - 1) * (z - top)))) / alpha"),
        "renyi_divergence_values",
        "divided by alpha - 1",
    ),
    "masses taken for those under q": Mutant(
        _cases(rest="top + (np.log(m @ np.exp(alpha * (z - top))) + top) / (alpha - 1)"),
        "renyi_divergence_values",
        "the mean of e^((alpha - 1) Z)",
    ),
    "no logarithm": Mutant(
        _cases(rest="m @ np.exp(np.minimum((alpha - 1) * z, 700)) / (alpha - 1)"),
        "renyi_divergence_values",
        "The logarithm",
    ),
    "the mean of the exponents": Mutant(
        _cases(rest="np.log(np.exp(np.minimum((alpha - 1) * z, 700)).mean()) / (alpha - 1)"),
        "renyi_divergence_values",
        "The logarithm of the mean",
    ),
    "the mean for every order": Mutant(
        _cases(rest="z @ m"), "renyi_divergence_values", "it is 0.5"
    ),
    "the largest loss for every order": Mutant(
        _cases(rest="top"), "renyi_divergence_values", "it is 1"
    ),
    "no case for order 1": Mutant(
        _cases(one="np.log(m @ np.exp((alpha - 1) * z)) / (alpha - 1)"),
        "renyi_divergence_ends",
        "it is nan",
    ),
    "0 at order 1": Mutant(_cases(one="0.0"), "renyi_divergence_ends", "should be 0.5, it is 0"),
    "no case for infinity": Mutant(
        _cases(infinity="np.log(m @ np.exp((alpha - 1) * z)) / (alpha - 1)"),
        "renyi_divergence_ends",
        "At infinity it is the largest loss",
    ),
    "the largest |loss| at infinity": Mutant(
        _cases(infinity="abs(z).max()"),
        "renyi_divergence_ends",
        "At infinity it is the largest loss",
    ),
    "impossible losses kept": Mutant(
        _cases(kept="m >= 0"), "renyi_divergence_infinite", "it never happens"
    ),
    "infinite losses left out": Mutant(
        _cases(kept="(m > 0) & np.isfinite(losses)"),
        "renyi_divergence_infinite",
        "An infinite loss can happen here",
    ),
    "nan for an infinite loss": Mutant(
        _cases(impossible="np.log(m @ np.exp((alpha - 1) * (z - z.max()))) / (alpha - 1)"),
        "renyi_divergence_infinite",
        "it is nan",
    ),
    "large orders taken for infinity": Mutant(
        _cases().replace("alpha == math.inf", "alpha > 100"),
        "renyi_divergence_large",
        "Even an order of 1000 is no infinity",
    ),
    "clipped exponents": Mutant(
        _cases(rest="np.log(m @ np.exp(np.clip((alpha - 1) * z, -700, 700))) / (alpha - 1)"),
        "renyi_divergence_large",
        "Take the largest term out",
    ),
    "the mean for orders near 1": Mutant(
        but_where(RIGHT["four cases"], "alpha < 1.1", "alpha = 1"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "thousands taken for infinity": Mutant(
        but_where(RIGHT["four cases"], "alpha > 2000", "alpha = math.inf"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "whole orders": Mutant(
        but_where(RIGHT["four cases"], "10 < alpha < math.inf", "alpha = int(alpha)"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "orders times 1.03": Mutant(
        but_where(RIGHT["four cases"], "9 < alpha < 900", "alpha *= 1.03"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "the hundred largest losses": Mutant(
        but_where(RIGHT["four cases"], "True", "losses, masses = losses[-100:], masses[-100:]"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "one loss alone is none": Mutant(
        but_where(RIGHT["four cases"], "len(losses) == 1 and losses[0] < math.inf", "return 0.0"),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "terms far below the top left out": Mutant(
        _cases(
            rest="top + np.log(m @ np.where(z > top - 0.5, np.exp((alpha - 1) * (z - top)), 0))"
            " / (alpha - 1)"
        ),
        "renyi_divergence_values",
        "The logarithm of the mean of e^((alpha - 1) Z)",
    ),
    "infinity by identity": Mutant(
        RIGHT["four cases"].replace("alpha == math.inf", "alpha is math.inf"),
        "renyi_divergence_ends",
        "At infinity it is the largest loss",
    ),
    "never below 0": Mutant(
        _cases(rest="max(0, top + np.log(m @ np.exp((alpha - 1) * (z - top))) / (alpha - 1))"),
        "renyi_divergence_large",
        "Take the largest term out of the sum",
    ),
    "dplab's own": Mutant(
        """
def renyi_divergence(losses, masses, alpha):
    from dplab.losses import AtomicLoss

    losses, masses = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    if alpha == 1 or alpha == math.inf:
        return losses[masses > 0] @ masses[masses > 0] if alpha == 1 else losses[masses > 0][-1]
    return AtomicLoss(losses, masses, masses).renyi(alpha)
""",
        "renyi_divergence_values",
        "is off limits in an answer",
    ),
    "the first 15,000 losses": Mutant(
        _cases().replace("z, m = z[", "z, m = z[:15_000], m[:15_000]\n    z, m = z["),
        "renyi_divergence_values",
        "The logarithm of the mean",
    ),
    "the last 15,000 losses": Mutant(
        _cases().replace("z, m = z[", "z, m = z[-15_000:], m[-15_000:]\n    z, m = z["),
        "renyi_divergence_values",
        "The logarithm of the mean",
    ),
    "an order near 1 is 1": Mutant(
        _cases().replace("alpha == 1:", "alpha < 1.0011:"),
        "renyi_divergence_values",
        "The logarithm of the mean",
    ),
    "what is rarer than 1e-15 is not the largest": Mutant(
        _cases(infinity="z[m > 1e-15].max()"), "renyi_divergence_ends", "however rarely"
    ),
}

ANSWERS = Answers("renyi_divergence", RIGHT, MUTANTS)
