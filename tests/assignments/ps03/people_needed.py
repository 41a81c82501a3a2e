"""Answers to `most_accurate` and `people_needed`. The mistakes: odds, roundings and ends."""

from autograder.rehearsal.catalogue import Answers, Mutant

_BOUND = "    return 1 / (1 + math.exp(-n * epsilon))\n"
_ENDS = """    if accuracy == 0.5:
        return 1
    if epsilon == 0 or accuracy == 1:
        return math.inf
"""
_LEAST = "math.ceil(math.log(accuracy / (1 - accuracy)) / epsilon)"


def _both(bound: str = _BOUND, least: str = _LEAST, ends: str = _ENDS) -> str:
    """The text of both functions: a body, and what the second returns after its special cases."""
    return f"""
def most_accurate(epsilon, n):
{bound}

def people_needed(epsilon, accuracy):
{ends}    return {least}
"""


def _bound(formula: str) -> str:
    return _both(f"    return {formula}\n")


RIGHT = {
    "closed forms": _both(),
    "odds": """
def most_accurate(epsilon, n):
    against = np.exp(-float(epsilon) * n)
    return 1 - against / (1 + against)


def people_needed(epsilon, accuracy):
    log_odds = np.log(accuracy) - np.log1p(-accuracy) if accuracy < 1 else np.inf
    if log_odds == 0:
        return 1
    with np.errstate(divide="ignore"):
        people = np.divide(log_odds, epsilon)
    return np.ceil(people)
""",
    "one by one": """
def most_accurate(epsilon, n):
    return (1 + math.tanh(n * epsilon / 2)) / 2


def people_needed(epsilon, accuracy):
    if accuracy > 0.5 and (epsilon == 0 or accuracy == 1):
        return math.inf
    n = 1
    while most_accurate(epsilon, n) < accuracy:
        n += 1
    return n
""",
    "doubling and halving": """
def most_accurate(epsilon, n):
    steps = epsilon * n
    return math.exp(steps) / (1 + math.exp(steps)) if steps < 30 else 1 - math.exp(-steps)


def people_needed(epsilon, accuracy):
    if most_accurate(epsilon, 1) >= accuracy and accuracy < 1:
        return 1
    if epsilon == 0 or accuracy == 1:
        return math.inf
    enough = 2
    while most_accurate(epsilon, enough) < accuracy:
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (few + enough) // 2
        if most_accurate(epsilon, middle) < accuracy:
            few = middle
        else:
            enough = middle
    return enough
""",
}

_TOLD = "should be 0.525, it is "
_LOOP = """math.inf if epsilon == 0 and accuracy > 0.5 else next(
        n for n in range(1, 400_000) if most_accurate(epsilon, n) >= accuracy
    )"""

MUTANTS = {
    "one step for all": Mutant(
        _bound("1 / (1 + math.exp(-epsilon))"), "people_needed_accuracy", _TOLD + "0.5025"
    ),
    "the odds": Mutant(
        _bound("math.exp(min(700, n * epsilon))"), "people_needed_accuracy", _TOLD + "1.105"
    ),
    "half of the odds": Mutant(
        _bound("min(1, math.exp(min(700, n * epsilon)) / 2)"),
        "people_needed_accuracy",
        _TOLD + "0.5526",
    ),
    "the distance of the laws": Mutant(
        _bound("math.tanh(n * epsilon / 2)"), "people_needed_accuracy", _TOLD + "0.04996"
    ),
    "the square root of n": Mutant(
        _bound("1 / (1 + math.exp(-math.sqrt(n) * epsilon))"),
        "people_needed_accuracy",
        _TOLD + "0.5079",
    ),
    "twice the exponent": Mutant(
        _bound("1 / (1 + math.exp(-2 * n * epsilon))"), "people_needed_accuracy", _TOLD + "0.5498"
    ),
    "the wrong guesses": Mutant(
        _bound("1 / (1 + math.exp(min(700, n * epsilon)))"),
        "people_needed_accuracy",
        _TOLD + "0.475",
    ),
    "a straight line": Mutant(
        _bound("min(1, 1 / 2 + n * epsilon / 4)"), "people_needed_accuracy", "Odds of e^(n epsilon)"
    ),
    "the accuracy that can be reached": Mutant(
        _bound(
            "1 - math.exp(-n * epsilon / 2) / 2 if n % 2 == 0 else "
            "1 - math.exp(-(n - 1) * epsilon / 2) / (1 + math.exp(epsilon))"
        ),
        "people_needed_accuracy",
        _TOLD + "0.5244",
    ),
    "exp of a large number": Mutant(
        _bound("math.exp(n * epsilon) / (1 + math.exp(n * epsilon))"),
        "people_needed_accuracy",
        "raised OverflowError",
    ),
    "infinity over infinity": Mutant(
        _bound("np.exp(n * epsilon) / (1 + np.exp(n * epsilon))"),
        "people_needed_accuracy",
        "Is exp(1000) too large",
    ),
    "at most ten thousand people": Mutant(
        _bound("1 / (1 + math.exp(-min(n, 10_000) * epsilon))"),
        "people_needed_accuracy",
        "from one person to a million",
    ),
    "certain from an exponent of 7 on": Mutant(
        _bound("1 / (1 + math.exp(-n * epsilon)) if n * epsilon < 7 else 1.0"),
        "people_needed_accuracy",
        "Odds of e^(n epsilon), from one person",
    ),
    "a small epsilon taken for 0": Mutant(
        _bound("1 / (1 + math.exp(-n * epsilon)) if epsilon > 5e-4 else 0.5"),
        "people_needed_accuracy",
        "Odds of e^(n epsilon), from one person",
    ),
    "rounded down": Mutant(
        _both(least=_LEAST.replace("ceil", "floor")), "people_needed_least", "it is 294"
    ),
    "rounded": Mutant(
        _both(least="max(1, round(math.log(accuracy / (1 - accuracy)) / epsilon))"),
        "people_needed_least",
        "should be 295, it is 294",
    ),
    "not rounded": Mutant(
        _both(least="math.log(accuracy / (1 - accuracy)) / epsilon"),
        "people_needed_least",
        "it is 294.4",
    ),
    "one more": Mutant(_both(least=f"1 + {_LEAST}"), "people_needed_least", "it is 296"),
    "one over epsilon": Mutant(
        _both(least="math.ceil(1 / epsilon)"), "people_needed_least", "it is 100"
    ),
    "the accuracy for the odds": Mutant(
        _both(least="math.ceil(math.log(1 / (1 - accuracy)) / epsilon)"),
        "people_needed_least",
        "should be 295, it is 300",
    ),
    "from half of the odds": Mutant(
        _both(least="math.ceil(math.log(2 * accuracy) / epsilon)"),
        "people_needed_least",
        "should be 295, it is 65",
    ),
    "from the distance of the laws": Mutant(
        _both(least="math.ceil(2 * math.atanh(accuracy) / epsilon)"),
        "people_needed_least",
        "should be 295, it is 367",
    ),
    "the logarithm with base 10": Mutant(
        _both(least="math.ceil(math.log10(accuracy / (1 - accuracy)) / epsilon)"),
        "people_needed_least",
        "should be 295, it is 128",
    ),
    "ten thousand people at most": Mutant(
        _both(least=f"min(10_000, {_LEAST})"),
        "people_needed_least",
        "The least whole n",
    ),
    "two people at least": Mutant(
        _both(least=f"max(2, {_LEAST})"), "people_needed_least", "should be 1, it is 2"
    ),
    "tens of people above a thousand": Mutant(
        _both(least=f"{_LEAST} if {_LEAST} < 1000 else 5 * math.ceil({_LEAST} / 5)"),
        "people_needed_least",
        "The least whole n",
    ),
    "nobody for a coin toss": Mutant(
        _both(ends=_ENDS.replace("return 1", "return 0")),
        "people_needed_never",
        "should be 1, it is 0",
    ),
    "a coin toss not thought of": Mutant(
        _both(ends=_ENDS.replace("accuracy == 0.5", "False")),
        "people_needed_never",
        "should be 1, it is 0",
    ),
    "divides by epsilon": Mutant(
        _both(ends=_ENDS.replace("epsilon == 0 or ", "")),
        "people_needed_never",
        "raised ZeroDivisionError",
    ),
    "divides by what is missing to 1": Mutant(
        _both(ends=_ENDS.replace(" or accuracy == 1", "")),
        "people_needed_never",
        "raised ZeroDivisionError",
    ),
    "a bound that rounds to 1": Mutant(
        _both(least=_LOOP, ends=""), "people_needed_never", "The bound is below 1 for every n"
    ),
    "a coin toss at epsilon 0 as well": Mutant(
        _both(
            ends="""    if epsilon == 0 or accuracy == 1:
        return math.inf
    if accuracy == 0.5:
        return 1
"""
        ),
        "people_needed_never",
        "also at epsilon = 0",
    ),
    "a large number for infinity": Mutant(
        _both(ends=_ENDS.replace("math.inf", "10**9")),
        "people_needed_never",
        "should be inf, it is 1e+09",
    ),
    "one where it is almost a half": Mutant(
        _both(ends=_ENDS.replace("== 0.5", "<= 0.5001")), "people_needed_least", "should be 5"
    ),
}

ANSWERS = Answers("people_needed", RIGHT, MUTANTS)
