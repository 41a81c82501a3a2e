"""Answers to `chance_of_naming` and `largest_delta`. The mistakes: bounds, and lost digits."""

from tests.assignments.catalogue import Answers, Mutant


def _both(
    chance: str = "-math.expm1(n * math.log1p(-delta))",
    largest: str = "-math.expm1(math.log1p(-chance) / n)",
) -> str:
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
