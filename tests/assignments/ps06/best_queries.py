"""Answers to `best_queries`. The mistakes: noise misread, theorems that fall short."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where

SEARCH = """
def most(within):
    low, high = 0, 1
    while within(high) and high < 2**22:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if within(middle) else (low, middle)
    return low
"""

NORMAL = """
def normal_delta(mu, epsilon):
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
"""


def _counts(laplace: str, normal: str, helpers: str = "") -> str:
    """The text of the function with these two numbers, given `most`, `normal_delta`, `zcdp`."""
    return f"""{SEARCH}{NORMAL}
def zcdp(rho, delta):
    a = 1 + math.sqrt(math.log(1 / delta) / rho) * np.exp(np.linspace(-4, 4, 400))
    return (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min()
{helpers}
def best_queries(epsilon, delta, sd):
    added = int(epsilon * sd / math.sqrt(2))
    return {laplace}, {normal}
"""


ZCDP = "max(added, most(lambda k: zcdp(k / sd**2, delta) <= epsilon))"
EXACT = "most(lambda k: normal_delta(math.sqrt(k) / sd, epsilon) <= delta)"

RIGHT = {
    "addition or zCDP, and the exact normal law": _counts(ZCDP, EXACT),
    "optimal composition, and bisection in mu": f"""{NORMAL}
def best_queries(epsilon, delta, sd):
    from scipy.special import gammaln

    e = math.sqrt(2) / sd
    truth = 1 / (1 + math.exp(-e))

    def coins(k):
        losses = e * (2 * np.arange(k + 1) - k)
        i = np.arange(k + 1)
        logs = gammaln(k + 1) - gammaln(i + 1) - gammaln(k - i + 1)
        law = np.exp(logs + i * math.log(truth) + (k - i) * math.log(1 - truth))
        return law @ np.maximum(0, -np.expm1(np.minimum(0, epsilon - losses)))

    k = max(1, int(epsilon / e))
    step = 2 ** int(math.log2(k) + 6)
    laplace = int(epsilon / e + 1e-12)
    while step >= 1:
        if coins(laplace + step) <= delta:
            laplace += step
        step //= 2
    low, high = 0.0, 10.0
    for _ in range(60):
        mu = (low + high) / 2
        low, high = (mu, high) if normal_delta(mu, epsilon) <= delta else (low, mu)
    return laplace, int((low * sd) ** 2)
""",
    "the best order found by scipy": f"""{NORMAL}
def best_queries(epsilon, delta, sd):
    def rho(a):  # the largest rho whose epsilon is within the budget by this order
        return (epsilon - math.log1p(-1 / a) + math.log(delta * a) / (a - 1)) / a

    best = minimize_scalar(lambda t: -rho(1 + math.exp(t)), bounds=(-3, 9), method="bounded")
    laplace = max(math.floor(epsilon * sd / math.sqrt(2)), math.floor(-best.fun * sd**2), 0)
    normal = 0
    step = 2**17
    while step:
        if normal_delta(math.sqrt(normal + step) / sd, epsilon) <= delta:
            normal += step
        step //= 2
    return np.array([laplace, normal])
""",
}

MUTANTS = {
    "addition alone": Mutant(
        _counts("added", EXACT),
        "best_queries_useful",
        "more counts with Laplace noise would still be",
    ),
    "zCDP alone": Mutant(
        _counts("most(lambda k: zcdp(k / sd**2, delta) <= epsilon)", EXACT),
        "best_queries_addition",
        "than addition allows",
    ),
    "the tight conversion for normal noise": Mutant(
        _counts(ZCDP, "most(lambda k: zcdp(k / (2 * sd**2), delta) <= epsilon)"),
        "best_queries_useful",
        "more counts with normal noise would still be private",
    ),
    "the classic sigma": Mutant(
        _counts(ZCDP, "int((sd * epsilon) ** 2 / (2 * math.log(1.25 / delta)))"),
        "best_queries_useful",
        "yours are less than 90% of them",
    ),
    "sd taken for the scale": Mutant(
        _counts(
            "max(int(epsilon * sd), most(lambda k: zcdp(k / (2 * sd**2), delta) <= epsilon))", EXACT
        ),
        "best_queries_private",
        "too large a delta: counts with Laplace noise",
    ),
    "Laplace noise taken for normal": Mutant(
        _counts(EXACT, EXACT),
        "best_queries_private",
        "too large a delta: counts with Laplace noise",
    ),
    "the formula with log(1 / delta)": Mutant(
        _counts(ZCDP, "int((sd * epsilon) ** 2 / math.log(1 / delta))"),
        "best_queries_private",
        "too large a delta: counts with normal noise",
    ),
    "the L1 norm for normal noise": Mutant(
        _counts(ZCDP, "most(lambda k: normal_delta(k / sd, epsilon) <= delta)"),
        "best_queries_useful",
        "more counts with normal noise would still be private",
    ),
    "the tail of the loss for delta": Mutant(
        _counts(
            ZCDP,
            "most(lambda k: ndtr(k**0.5 / sd / 2 - epsilon * sd / k**0.5) <= delta)",
        ),
        "best_queries_useful",
        "more counts with normal noise would still be private",
    ),
    "delta for every count": Mutant(
        _counts(ZCDP, "most(lambda k: normal_delta(1 / sd, epsilon / math.sqrt(k)) <= delta)"),
        "best_queries_private",
        "too large a delta: counts with normal noise",
    ),
    "one too many": Mutant(
        _counts("1 + " + ZCDP, "1 + " + EXACT),
        "best_queries_private",
        "too large a delta",
    ),
    "no whole numbers": Mutant(
        _counts(
            "epsilon * sd / math.sqrt(2)",
            "((math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))) * sd)**2",
        ),
        "best_queries_private",
        "is no whole number",
    ),
    "in the wrong order": Mutant(
        _counts(EXACT, ZCDP), "best_queries_private", "too large a delta: counts with Laplace noise"
    ),
    "nothing at all": Mutant(
        _counts("0", "0"),
        "best_queries_addition",
        "fewer counts with Laplace noise than addition allows",
    ),
    "the better of the two": Mutant(
        f"{SEARCH}{NORMAL}\ndef best_queries(epsilon, delta, sd):\n    return {EXACT}\n",
        "best_queries_private",
        "should be an array of shape (2,), it is one number",
    ),
    "the simple conversion of zCDP": Mutant(
        _counts(
            "max(added, int(sd**2 * (math.sqrt(math.log(1 / delta) + epsilon)"
            " - math.sqrt(math.log(1 / delta))) ** 2))",
            EXACT,
        ),
        "best_queries_useful",
        "more counts with Laplace noise would still be private",
    ),
    "twice as many for a small epsilon": Mutant(
        but_where(
            RIGHT["addition or zCDP, and the exact normal law"],
            "epsilon < 0.29",
            "return [2 * k for k in solved_best_queries(epsilon, delta, sd)]",
        ),
        "best_queries_private",
        "too large a delta",
    ),
    "twice as many for a large sd": Mutant(
        but_where(
            RIGHT["addition or zCDP, and the exact normal law"],
            "sd > 160",
            "return [2 * k for k in solved_best_queries(epsilon, delta, sd)]",
        ),
        "best_queries_private",
        "too large a delta",
    ),
    "half a percent too many": Mutant(
        _counts(ZCDP, "int(1.005 * " + EXACT + ")"),
        "best_queries_private",
        "too large a delta: counts with normal noise",
    ),
    "Laplace counts a quarter too many": Mutant(
        _counts("int(1.25 * " + ZCDP + ")", EXACT),
        "best_queries_private",
        "too large a delta: counts with Laplace noise",
    ),
    "a whole sd": Mutant(
        but_where(
            RIGHT["addition or zCDP, and the exact normal law"], "sd > 20", "sd = math.ceil(sd)"
        ),
        "best_queries_private",
        "too large a delta: counts with normal noise",
    ),
    "a delta of 1e-8 at least": Mutant(
        but_where(
            RIGHT["addition or zCDP, and the exact normal law"], "delta < 1e-8", "delta = 1e-8"
        ),
        "best_queries_private",
        "too large a delta",
    ),
    "addition rounded up": Mutant(
        _counts(ZCDP, EXACT).replace("added = int(", "added = math.ceil("),
        "best_queries_private",
        "too large a delta: counts with Laplace noise",
    ),
    "addition alone for a small epsilon": Mutant(
        but_where(
            RIGHT["addition or zCDP, and the exact normal law"],
            "epsilon < 0.39",
            "return int(epsilon * sd / math.sqrt(2)), solved_best_queries(epsilon, delta, sd)[1]",
        ),
        "best_queries_useful",
        "more counts with Laplace noise would still be private",
    ),
    "dplab's own": Mutant(
        f"""{SEARCH}
def best_queries(epsilon, delta, sd):
    def within(loss):
        return lambda k: delta_bounds([Repeated(loss, k)], epsilon=epsilon).upper <= delta

    added = int(epsilon * sd / math.sqrt(2))
    laplace = max(added, most(within(LaplaceLoss(math.sqrt(2) / sd))))
    return laplace, most(within(GaussianLoss(1 / sd)))
""",
        "best_queries_private",
        "is off limits in an answer",
    ),
}

ANSWERS = Answers("best_queries", RIGHT, MUTANTS)
