"""Answers to `chance_of_naming` and `largest_delta`. The mistakes: bounds, and lost digits."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHANCE = "-math.expm1(n * math.log1p(-delta))"
_LARGEST = "-math.expm1(math.log1p(-chance) / n)"


def _both(chance: str = _CHANCE, largest: str = _LARGEST) -> str:
    """The texts of the two functions with these formulas."""
    return f"""
def chance_of_naming(n, delta):
    return {chance}


def largest_delta(n, chance):
    return {largest}
"""


RIGHT = {
    "with numpy": _both("-np.expm1(n * np.log1p(-delta))", "-np.expm1(np.log1p(-chance) / n)"),
    "by a name for the logarithm": """
def chance_of_naming(n, delta):
    log_nobody = n * math.log1p(-delta)
    return float(-np.expm1(log_nobody))


def largest_delta(n, chance):
    log_one_silent = math.log1p(-chance) / n
    return 1 - math.exp(log_one_silent) if log_one_silent < -1 else -math.expm1(log_one_silent)
""",
    "with decimals": """
def chance_of_naming(n, delta):
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        return float(1 - (n * (1 - Decimal(delta)).ln()).exp())


def largest_delta(n, chance):
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        return float(1 - ((1 - Decimal(chance)).ln() / n).exp())
""",
}

MUTANTS = {
    "the bound n delta": Mutant(
        _both("min(1.0, n * delta)"), "small_enough_chance", "should be 0.75, it is 1"
    ),
    "an exponential": Mutant(
        _both("1 - math.exp(-n * delta)"), "small_enough_chance", "should be 0.75, it is 0.6321"
    ),
    "digits lost": Mutant(
        _both("1 - (1 - delta) ** n"), "small_enough_digits", "should be 1, it is 0.9992"
    ),
    "the chance that nobody is named": Mutant(
        _both("math.exp(n * math.log1p(-delta))"), "small_enough_chance", "it is 0.25"
    ),
    "exactly one": Mutant(
        _both("n * delta * (1 - delta) ** (n - 1)"), "small_enough_chance", "it is 0.5"
    ),
    "everybody": Mutant(_both("delta**n"), "small_enough_chance", "it is 0.25"),
    "the next term with the wrong sign": Mutant(
        _both("n * delta * (1 + n * delta / 2) if n * delta < 1e-3 else 1 - (1 - delta) ** n"),
        "small_enough_digits",
        "in multiples of what it should be, should be 1",
    ),
    "chance over n": Mutant(
        _both(largest="chance / n"), "small_enough_largest_delta", "should be 0.5, it is 0.375"
    ),
    "a root with digits lost": Mutant(
        _both(largest="1 - (1 - chance) ** (1 / n)"),
        "small_enough_largest_digits",
        "Digits are lost near 1",
    ),
    "the n-th root of the chance": Mutant(
        _both(largest="chance ** (1 / n)"), "small_enough_largest_delta", "it is 0.866"
    ),
    "two terms of the series, up to a thousandth": Mutant(
        _both("n * delta * (1 - (n - 1) * delta / 2) if n * delta < 1e-3 else " + _CHANCE),
        "small_enough_digits",
        "Digits are lost",
    ),
    "an exponential for many people": Mutant(
        _both(f"-math.expm1(-n * delta) if n > 10**4 else {_CHANCE}"),
        "small_enough_chance",
        "Nobody is named with probability",
    ),
    "an exponential for small delta": Mutant(
        _both(f"-math.expm1(-n * delta) if delta < 1e-6 else {_CHANCE}"),
        "small_enough_digits",
        "Digits are lost",
    ),
    "no delta above 0.7": Mutant(
        _both(_CHANCE.replace("delta", "min(delta, 0.7)")),
        "small_enough_chance",
        "Nobody is named with probability",
    ),
    "eight digits": Mutant(
        _both(f"float('%.7e' % {_CHANCE})", f"float('%.7e' % ({_LARGEST}))"),
        "small_enough_digits",
        "in multiples of what it should be",
    ),
    "24 decimals": Mutant(
        _both(f"round({_CHANCE}, 24)", f"round({_LARGEST}, 24)"),
        "small_enough_largest_digits",
        "Digits are lost near 1",
    ),
    "chance over n where it is small": Mutant(
        _both(largest=f"chance / n if chance < 1e-5 else {_LARGEST}"),
        "small_enough_largest_digits",
        "Digits are lost near 1",
    ),
    "a logarithm for many people": Mutant(
        _both(largest=f"-math.log1p(-chance) / n if n > 1000 else {_LARGEST}"),
        "small_enough_largest_delta",
        "Solve 1 - (1 - delta)^n = chance",
    ),
    "a chance near 1 is none": Mutant(
        _both(largest=_LARGEST.replace("chance", "min(chance, 1 - 1e-9)")),
        "small_enough_largest_delta",
        "Solve 1 - (1 - delta)^n = chance",
    ),
    "dplab's own function": Mutant(
        "from dplab.theorems.catastrophes import chance_of_naming\n\n\n"
        f"def largest_delta(n, chance):\n    return {_LARGEST}\n",
        "small_enough_chance",
        "off limits",
    ),
    "the wrong way round": Mutant(
        _both(largest="-math.expm1(n * math.log1p(-chance))"),
        "small_enough_largest_delta",
        "Solve 1 - (1 - delta)^n = chance",
    ),
    "one over n": Mutant(_both(largest="1 / n"), "small_enough_largest_delta", "it is 1"),
    "by halving, down to 1e-12 only": Mutant(
        _both().split("def largest_delta")[0]
        + """
def largest_delta(n, chance):
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if chance_of_naming(n, middle) <= chance else (low, middle)
    return low
""",
        "small_enough_largest_digits",
        "in multiples of what it should be",
    ),
}

ANSWERS = Answers("small_enough", RIGHT, MUTANTS)
