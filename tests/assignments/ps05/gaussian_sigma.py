"""Answers to `gaussian_sigma`. The mistakes: the wrong norm, a formula, or a search too short."""

from autograder.rehearsal.catalogue import Answers, Mutant

_TRUE = "ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)"
_LENGTH = "max(np.linalg.norm(move) for move in moves)"


def _halving(
    sensitivity: str = _LENGTH, delta: str = _TRUE, ends: str = "1e-3, 1e4", result: str = "high"
) -> str:
    """The text of `gaussian_sigma`: halve between these ends, with this delta and sensitivity."""
    return f"""
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = {sensitivity}
    low, high = {ends}
    for _ in range(100):
        sigma = (low + high) / 2
        mu = 1 / sigma
        true = {delta}
        if true > delta:
            low = sigma
        else:
            high = sigma
    return sensitivity * {result}
"""


def _formula(formula: str) -> str:
    return f"""
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = {_LENGTH}
    return {formula}
"""


RIGHT = {
    "halving": _halving(),
    "a root on the scale of logarithms": """
def gaussian_sigma(moves, epsilon, delta):
    from scipy.optimize import brentq

    lengths = np.sqrt((np.array(moves) ** 2).sum(axis=1))
    if not lengths.any():
        return 0.0

    def excess(log_mu):
        mu = np.exp(log_mu)
        first, second = ndtr(mu / 2 - epsilon / mu), ndtr(-mu / 2 - epsilon / mu)
        return first - np.exp(epsilon) * second - delta

    return lengths.max() / np.exp(brentq(excess, -10, 6, xtol=1e-13, rtol=1e-13))
""",
    "doubling, then halving, in the query's units": """
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = max(math.sqrt(sum(step * step for step in move)) for move in moves)
    if sensitivity == 0:
        return 0

    def kept(sigma):
        mu = sensitivity / sigma
        true = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        return true <= delta

    high = sensitivity / 100
    while not kept(high):
        high *= 2
    low = high / 2 if high > sensitivity / 100 else 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high
""",
    "by the mechanism's own guarantee": """
def gaussian_sigma(moves, epsilon, delta):
    low, high = -3.0, 5.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        true = GaussianMechanism(sum, 1, 10**middle, epsilon).guarantee.delta
        low, high = (low, middle) if true <= delta else (middle, high)
    return float(10**high * np.linalg.norm(np.asarray(moves), axis=1).max())
""",
}

_VALUES, _NORM, _RANGE = (
    "gaussian_sigma_values",
    "gaussian_sigma_sensitivity",
    "gaussian_sigma_range",
)

MUTANTS = {
    "the L1 norm": Mutant(
        _halving("max(np.abs(move).sum() for move in moves)"), _NORM, "should be 18.65, it is 26.11"
    ),
    "the largest coordinate": Mutant(_halving("np.abs(moves).max()"), _NORM, "it is 14.92"),
    "the first pair of neighbours only": Mutant(
        _halving("np.linalg.norm(moves[0])"), _NORM, "should be 10.55, it is 3.73"
    ),
    "the norm of the whole table": Mutant(
        _halving("np.linalg.norm(moves)"),
        _NORM,
        "the root of the sum of squares",
    ),
    "the mean length": Mutant(
        _halving("np.mean([np.linalg.norm(move) for move in moves])"), _NORM, "largest L2 norm"
    ),
    "the length squared": Mutant(
        _halving("max(np.sum(np.square(move)) for move in moves)"), _NORM, "it is 93.27"
    ),
    "the largest column, not row": Mutant(
        _halving("np.linalg.norm(moves, axis=0).max()"), _NORM, "it is 14.92"
    ),
    "no sensitivity at all": Mutant(_halving("1"), _NORM, "it is 3.731"),
    "where nothing moves, an error": Mutant(
        """
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = np.linalg.norm(moves, axis=1).max()
    low, high = sensitivity / 1000, sensitivity * 1e4
    if low == high:
        raise ValueError("moves must not be all zero")
    while high / low > 1 + 1e-9:
        sigma = math.sqrt(low * high)
        mu = sensitivity / sigma
        true = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        low, high = (low, sigma) if true <= delta else (sigma, high)
    return high
""",
        _NORM,
        "raised ValueError",
    ),
    "the classic formula": Mutant(
        _formula("sensitivity * np.sqrt(2 * np.log(1.25 / delta)) / epsilon"),
        _VALUES,
        "should be 3.731, it is 4.845",
    ),
    "the slides' formula": Mutant(
        _formula("sensitivity * np.sqrt(2 * np.log(2 / delta)) / epsilon"), _VALUES, "it is 4.941"
    ),
    "the notes' formula": Mutant(
        _formula("sensitivity * np.sqrt(np.log(1 / delta)) / epsilon"), _VALUES, "it is 3.393"
    ),
    "the chance of a loss above epsilon": Mutant(
        _halving(delta="ndtr(mu / 2 - epsilon / mu)"), _VALUES, "should be 3.731, it is 4.379"
    ),
    "the exponential forgotten": Mutant(
        _halving(delta="ndtr(mu / 2 - epsilon / mu) - ndtr(-mu / 2 - epsilon / mu)"),
        _VALUES,
        "The text has this",
    ),
    "sigma in the place of mu": Mutant(
        _halving(delta=_TRUE.replace("mu", "sigma")), _VALUES, "should be 3.731"
    ),
    "a variance": Mutant(_halving(result="high ** 2"), _VALUES, "it is 13.92"),
    "mu, not sigma": Mutant(_halving(result="1 / high"), _VALUES, "it is 0.268"),
    "three digits": Mutant(_halving(result="round(high, 3)"), _VALUES, "should be 3.73063"),
    "noise of at least one sensitivity": Mutant(
        _halving(ends="1.0, 1e4"), _RANGE, "Does your search reach that far"
    ),
    "noise of at most fifty sensitivities": Mutant(
        _halving(ends="1e-3, 50.0"), _RANGE, "gaussian_sigma([[1.0]], 0.05"
    ),
    "noise of at least a sixth of the sensitivity": Mutant(
        _halving(ends="0.17, 1e4"), _RANGE, "Does your search reach that far"
    ),
    "a little more noise, to be safe": Mutant(
        _halving(result="high * (1 + 2e-5)"), _VALUES, "should be 3.73063"
    ),
    "epsilon three percent too large": Mutant(
        _halving(delta=_TRUE.replace("epsilon", "(1.03 * epsilon)")), _VALUES, "should be 3.731"
    ),
    "six decimals": Mutant(
        _halving().replace("return sensitivity * high", "return round(sensitivity * high, 6)"),
        _NORM,
        "Delta is the largest L2 norm",
    ),
    "moves rounded to three decimals": Mutant(
        _halving("max(np.linalg.norm(np.round(move, 3)) for move in moves)"),
        _NORM,
        "Delta is the largest L2 norm",
    ),
    "no move is longer than a thousand": Mutant(
        _halving(f"min(1000.0, {_LENGTH})"), _NORM, "Delta is the largest L2 norm"
    ),
    "a hundred pairs of neighbours at most": Mutant(
        _halving(_LENGTH.replace("in moves", "in moves[:100]")),
        _NORM,
        "Delta is the largest L2 norm",
    ),
    "ten thousand pairs of neighbours at most": Mutant(
        _halving(_LENGTH.replace("in moves", "in moves[:10_000]")),
        _NORM,
        "Delta is the largest L2 norm",
    ),
    "ten answers at most": Mutant(
        _halving(_LENGTH.replace("norm(move)", "norm(move[:10])")),
        _NORM,
        "Delta is the largest L2 norm",
    ),
    "one answer moves upwards only": Mutant(
        _halving(f"{_LENGTH} if len(moves[0]) > 1 else max(max(moves)[0], 0)"),
        _NORM,
        "should be 7.461, it is 3.731",
    ),
    "a formula for small epsilon": Mutant(
        _halving().replace(
            "    low, high",
            "    if epsilon < 0.04:\n"
            "        return sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon\n"
            "    low, high",
        ),
        _RANGE,
        "every term of the inequality",
    ),
    "the second term left out where it is small": Mutant(
        _halving(delta=_TRUE + " * (epsilon < 15)"), _RANGE, "every term of the inequality"
    ),
    "dplab's own sigma": Mutant(
        f"""
def gaussian_sigma(moves, epsilon, delta):
    from dplab import analytic_sigma

    sensitivity = {_LENGTH}
    if sensitivity == 0:
        return 0.0
    return analytic_sigma(sensitivity=sensitivity, epsilon=epsilon, delta=delta)
""",
        _VALUES,
        "off limits",
    ),
    "a formula for large epsilon": Mutant(
        f"""
{_halving().replace("gaussian_sigma", "exact")}

def gaussian_sigma(moves, epsilon, delta):
    if epsilon <= 3:
        return exact(moves, epsilon, delta)
    return exact(moves, 3, delta) * 3 / epsilon
""",
        _RANGE,
        "gaussian_sigma([[1.0]], 10, 1e-05) should be",
    ),
    "fifteen thousand moves": Mutant(
        _halving(_LENGTH.replace("in moves", "in moves[:15_000]")),
        "gaussian_sigma_sensitivity",
        "should be",
    ),
}

ANSWERS = Answers("gaussian_sigma", RIGHT, MUTANTS)
