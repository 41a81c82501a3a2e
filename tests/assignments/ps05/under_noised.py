"""Answers to `last_epsilon` and `under_noised`. The mistakes: a short search, the wrong list."""

from autograder.rehearsal.catalogue import Answers, Mutant

_TRUE = "ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)"
_LIST = "[i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]"


def _both(
    ends: str = "1e-4, 500.0",
    sigma: str = "math.sqrt(c * math.log(t / delta)) / epsilon",
    true: str = _TRUE,
    found: str = _LIST,
) -> str:
    """The texts of the two functions, with these ends, this sigma, delta and list."""
    return f"""
def last_epsilon(c, t, delta):
    low, high = {ends}
    for _ in range(70):
        epsilon = math.sqrt(low * high)
        sigma = {sigma}
        mu = 1 / sigma
        if {true} <= delta:
            low = epsilon
        else:
            high = epsilon
    return low


def under_noised(formulas, delta):
    return {found}
"""


def _lists(found: str) -> str:
    return _both(found=found)


RIGHT = {
    "halving": _both(),
    "dplab's delta, and doubling": """
def last_epsilon(c, t, delta):
    a = np.sqrt(c * np.log(t / delta))

    def kept(epsilon):
        return GaussianMechanism(sum, 1, a / epsilon, epsilon).guarantee.delta <= delta

    high = 0.001
    while kept(high):
        high = 2 * high
    low = high / 2 if high > 0.001 else 1e-6
    while high / low > 1 + 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return (low + high) / 2


def under_noised(formulas, delta):
    found = []
    for position in range(len(formulas)):
        if last_epsilon(*formulas[position], delta) < 1:
            found.append(position)
    return found
""",
    "a root, and a look at epsilon 1": """
def broken(c, t, delta, epsilon):
    mu = epsilon / np.sqrt(c * np.log(t / delta))
    true = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    return true - delta


def last_epsilon(c, t, delta):
    from scipy.optimize import brentq

    return brentq(lambda epsilon: broken(c, t, delta, epsilon), 1e-4, 400, xtol=1e-12, rtol=1e-12)


def under_noised(formulas, delta):
    return [i for i in range(len(formulas)) if broken(*formulas[i], delta, 1.0) > 0]
""",
    "against the least sigma, of the exercise before": """
def last_epsilon(c, t, delta):
    low, high = np.log(1e-4), np.log(500)
    while high - low > 1e-9:
        epsilon = np.exp((low + high) / 2)
        sigma = np.sqrt(c * np.log(t / delta)) / epsilon
        enough = sigma >= gaussian_sigma([[1.0]], epsilon, delta)
        low, high = (np.log(epsilon), high) if enough else (low, np.log(epsilon))
    return np.exp(low)


def under_noised(formulas, delta):
    lasts = np.array([last_epsilon(c, t, delta) for c, t in formulas])
    return np.flatnonzero(lasts < 1).tolist()
""",
    "a helper called true_delta": """
def true_delta(sigma, epsilon):
    mu = 1 / sigma
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


def last_epsilon(c, t, delta):
    low, high, root = 1e-4, 500, math.sqrt(c * math.log(t / delta))
    while high / low > 1 + 1e-9:
        middle = math.sqrt(low * high)
        if true_delta(root / middle, middle) <= delta:
            low = middle
        else:
            high = middle
    return low


def under_noised(formulas, delta):
    return [i for i in range(len(formulas)) if last_epsilon(*formulas[i], delta) < 1]
""",
}

_LAST, _WHICH = "under_noised_last_epsilon", "under_noised_formulas"

MUTANTS = {
    "no epsilon above 1 is tried": Mutant(
        _both(ends="1e-4, 1.0"), _LAST, "below, the promise is kept with room to spare"
    ),
    "no epsilon above 10 is tried": Mutant(
        _both(ends="1e-4, 10.0"), _LAST, "below, the promise is kept with room to spare"
    ),
    "no epsilon below 0.1 is tried": Mutant(_both(ends="0.1, 500.0"), _LAST, "above, it is broken"),
    "c is not under the root": Mutant(
        _both(sigma="c * math.sqrt(math.log(t / delta)) / epsilon"), _LAST, "It should be 1"
    ),
    "the root forgotten": Mutant(
        _both(sigma="c * math.log(t / delta) / epsilon"), _LAST, "multiples of the promised one"
    ),
    "t forgotten": Mutant(
        _both(sigma="math.sqrt(c * math.log(1 / delta)) / epsilon"),
        _LAST,
        "last_epsilon(2, 1.25, 1e-05)",
    ),
    "the chance of a loss above epsilon": Mutant(
        _both(true="ndtr(mu / 2 - epsilon / mu)"), _LAST, "kept with room to spare"
    ),
    "no end to it": Mutant(
        _both().replace("return low", "return math.inf"), _LAST, "It should be from 0.001 to 100."
    ),
    "sigma fixed at epsilon 1": Mutant(
        _both(sigma="math.sqrt(c * math.log(t / delta))"), _LAST, "It should be 1"
    ),
    "two digits": Mutant(
        _both().replace("return low", "return round(low, 2)"), _LAST, "It should be 1"
    ),
    "five digits": Mutant(
        _both().replace("return low", "return float('%.4e' % low)"), _LAST, "It should be 1"
    ),
    "six decimals": Mutant(
        _both().replace("return low", "return round(low, 6)"), _LAST, "It should be 1"
    ),
    "a little less, to be safe": Mutant(
        _both().replace("return low", "return low * (1 - 1e-5)"), _LAST, "It should be 1"
    ),
    "no epsilon above 60 is tried": Mutant(
        _both(ends="1e-4, 60.0"), _LAST, "below, the promise is kept with room to spare"
    ),
    "t is at least a tenth": Mutant(
        _both(sigma="math.sqrt(c * math.log(max(t, 0.1) / delta)) / epsilon"),
        _LAST,
        "It should be 1",
    ),
    "delta is at least 1e-8": Mutant(
        _both(sigma="math.sqrt(c * math.log(t / max(delta, 1e-8))) / epsilon"),
        _LAST,
        "It should be 1",
    ),
    "dplab's own formula": Mutant(
        """
def last_epsilon(c, t, delta):
    from dplab.theorems.gaussian_range import SigmaFormula

    return SigmaFormula("of the slides", c, t).last_epsilon(delta)


def under_noised(formulas, delta):
"""
        f"    return {_LIST}\n",
        _LAST,
        "off limits",
    ),
    "dplab's least sigma": Mutant(
        """
def last_epsilon(c, t, delta):
    from dplab import analytic_sigma

    low, high = 1e-4, 500.0
    for _ in range(70):
        epsilon = math.sqrt(low * high)
        sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
        kept = sigma <= math.sqrt(c * math.log(t / delta)) / epsilon
        low, high = (epsilon, high) if kept else (low, epsilon)
    return low


def under_noised(formulas, delta):
"""
        f"    return {_LIST}\n",
        _LAST,
        "off limits",
    ),
    "a formula listed twice is found once": Mutant(
        _lists("[formulas.index(f) for f in formulas if last_epsilon(*f, delta) < 1]"),
        _WHICH,
        "if its last epsilon is below 1",
    ),
    "up to 0.995": Mutant(
        _lists(_LIST.replace("< 1]", "< 0.995]")), _WHICH, "if its last epsilon is below 1"
    ),
    "up to 1.005": Mutant(
        _lists(_LIST.replace("< 1]", "< 1.005]")), _WHICH, "if its last epsilon is below 1"
    ),
    "ten formulas at most": Mutant(
        _lists(_LIST.replace("enumerate(formulas)", "enumerate(formulas[:10])")),
        _WHICH,
        "if its last epsilon is below 1",
    ),
    "those that hold": Mutant(
        _lists(_LIST.replace("< 1]", ">= 1]")), _WHICH, "should be [1], it is [0, 2]"
    ),
    "the formulas, not their positions": Mutant(
        _lists(_LIST.replace("[i for", "[(c, t) for")), _WHICH, "should be [1], it is [[1, 1]]"
    ),
    "positions from 1 on": Mutant(
        _lists(_LIST.replace("[i for", "[i + 1 for")), _WHICH, "should be [1], it is [2]"
    ),
    "the one with least noise": Mutant(
        _lists("[int(np.argmin([c * math.log(t / delta) for c, t in formulas]))]"),
        _WHICH,
        "should be [], it is [0]",
    ),
    "whatever has less than the book": Mutant(
        _lists(
            "[i for i, (c, t) in enumerate(formulas)"
            " if c * math.log(t / delta) < 2 * math.log(1.25 / delta)]"
        ),
        _WHICH,
        "if its last epsilon is below 1",
    ),
    "whatever has a small c": Mutant(
        _lists("[i for i, (c, t) in enumerate(formulas) if c < 2]"),
        _WHICH,
        "if its last epsilon is below 1",
    ),
    "checked at epsilon 0.1 only": Mutant(
        _lists(_LIST.replace("< 1]", "< 0.1]")), _WHICH, "should be [1], it is []"
    ),
    "the first only": Mutant(_lists(f"{_LIST}[:1]"), _WHICH, "if its last epsilon is below 1"),
    "yes or no": Mutant(
        _lists("[last_epsilon(c, t, delta) < 1 for c, t in formulas]"),
        _WHICH,
        "should be [1], it is [0, 1, 0]",
    ),
    "ninety formulas": Mutant(
        _lists(_LIST.replace("(formulas)", "(formulas[:90])")), _WHICH, "last epsilon is below 1"
    ),
    "a list has something in it": Mutant(
        _lists(f"{_LIST} if formulas[0] else []"), _WHICH, "raised IndexError"
    ),
    "a delta up to a hundredth": Mutant(
        _lists(_LIST.replace("t, delta)", "t, min(delta, 0.0101))")),
        _WHICH,
        "last epsilon is below 1",
    ),
    "formulas taken from the list": Mutant(
        _lists("[i for i in range(len(formulas)) if last_epsilon(*formulas.pop(0), delta) < 1]"),
        _WHICH,
        "changes what it was given",
    ),
}

ANSWERS = Answers("under_noised", RIGHT, MUTANTS)
