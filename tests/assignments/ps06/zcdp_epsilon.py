"""Answers to `zcdp_epsilon`. The mistakes: a wrong formula, or a search that ends too soon."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _on_a_grid(orders: str, formula: str = "", floor: bool = True) -> str:
    """The text of the function that takes the minimum over an array `a` of orders."""
    formula = formula or "rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)"
    least = f"({formula}).min()"
    return f"""
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0.0
    center = np.sqrt(np.log(1 / delta) / rho)
    a = {orders}
    return {f"max(0.0, {least})" if floor else least}
"""


WIDE = "1 + center * np.exp(np.linspace(-6, 6, 50_001))"

RIGHT = {
    "an array of orders": _on_a_grid(WIDE),
    "minimised around the simple formula's order": """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0

    def of_order(log_excess):
        excess = math.exp(log_excess)
        a = 1 + excess
        return rho * a + math.log(excess / a) - math.log(delta * a) / excess

    middle = 0.5 * math.log(math.log(1 / delta) / rho)
    best = minimize_scalar(of_order, bounds=(middle - 7, middle + 7), method="bounded")
    return max(0, best.fun)
""",
    "golden section": """
def zcdp_epsilon(rho, delta):
    if rho <= 0:
        return 0.0

    def value(t):
        a = 1 + math.exp(t)
        return rho * a + math.log1p(-1 / a) - (math.log(delta) + math.log(a)) / (a - 1)

    low, high = -8.0, 16.0
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-7:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if value(left) < value(right):
            high = right
        else:
            low = left
    return max(0.0, value((low + high) / 2))
""",
    "Newton on the derivative": """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0.0
    # the derivative is rho + log(delta a) / (a - 1)^2: find its zero by bisection
    low, high = 1 + 1e-9, 1 / delta
    for _ in range(200):
        a = (low + high) / 2
        if rho * (a - 1) ** 2 + math.log(delta * a) < 0:
            low = a
        else:
            high = a
    return max(0.0, rho * a + math.log((a - 1) / a) - math.log(delta * a) / (a - 1))
""",
}

MUTANTS = {
    "the simple formula": Mutant(
        "def zcdp_epsilon(rho, delta):\n    return rho + 2 * math.sqrt(-rho * math.log(delta))\n",
        "zcdp_epsilon_values",
        "should be 5.222, it is 5.757",
    ),
    "at the simple formula's order": Mutant(
        _on_a_grid("1 + center * np.ones(1)"), "zcdp_epsilon_values", "Take the minimum"
    ),
    "Mironov's conversion": Mutant(
        _on_a_grid(WIDE, "rho * a - np.log(delta) / (a - 1)"),
        "zcdp_epsilon_values",
        "all three terms",
    ),
    "without the middle term": Mutant(
        _on_a_grid(WIDE, "rho * a - np.log(delta * a) / (a - 1)"),
        "zcdp_epsilon_values",
        "all three terms",
    ),
    "the logarithm of delta / alpha": Mutant(
        _on_a_grid(WIDE, "rho * a + np.log1p(-1 / a) - np.log(delta / a) / (a - 1)"),
        "zcdp_epsilon_values",
        "should be 5.222",
    ),
    "the middle term the wrong way up": Mutant(
        _on_a_grid(WIDE, "rho * a - np.log1p(-1 / a) - np.log(delta * a) / (a - 1)"),
        "zcdp_epsilon_values",
        "all three terms",
    ),
    "the divergence without its order": Mutant(
        _on_a_grid(WIDE, "rho + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)"),
        "zcdp_epsilon_values",
        "should be 5.222, it is",
    ),
    "whole orders": Mutant(
        _on_a_grid("np.arange(2, 5000)"), "zcdp_epsilon_values", "should be 5.22153"
    ),
    "orders up to a hundred": Mutant(
        _on_a_grid("np.linspace(1.001, 100, 500_001)"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "few orders": Mutant(
        _on_a_grid("1 + center * np.exp(np.linspace(-5, 5, 41))"),
        "zcdp_epsilon_values",
        "Take the minimum over alpha",
    ),
    "the same orders for every rho": Mutant(
        _on_a_grid("1 + np.geomspace(0.5, 1e3, 40_000)"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "the best order and not its epsilon": Mutant(
        """
def zcdp_epsilon(rho, delta):
    if rho == 0:
        return 0.0
    a = 1 + np.sqrt(np.log(1 / delta) / rho) * np.exp(np.linspace(-6, 6, 50_001))
    return a[np.argmin(rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1))]
""",
        "zcdp_epsilon_values",
        "Take the minimum over alpha",
    ),
    "negative": Mutant(
        _on_a_grid(WIDE, floor=False),
        "zcdp_epsilon_zero",
        "Where the formula is negative, epsilon is 0",
    ),
    "divides by rho": Mutant(
        """
def zcdp_epsilon(rho, delta):
    center = math.sqrt(math.log(1 / delta) / rho)
    a = 1 + center * np.exp(np.linspace(-6, 6, 50_001))
    return max(0.0, (rho * a + np.log1p(-1 / a) - np.log(delta * a) / (a - 1)).min())
""",
        "zcdp_epsilon_zero",
        "raised ZeroDivisionError",
    ),
    "the simple formula for a middling rho": Mutant(
        but_where(
            RIGHT["an array of orders"],
            "0.021 < rho < 0.1",
            "return rho + 2 * math.sqrt(rho * math.log(1 / delta))",
        ),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "the simple formula for a large rho": Mutant(
        but_where(
            RIGHT["an array of orders"],
            "10 < rho < 100",
            "return rho + 2 * math.sqrt(rho * math.log(1 / delta))",
        ),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "the simple formula for a large delta": Mutant(
        but_where(
            RIGHT["an array of orders"],
            "rho > 0 and 1e-3 < delta < 0.09",
            "return rho + 2 * math.sqrt(rho * math.log(1 / delta))",
        ),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "orders up to 3,000": Mutant(
        _on_a_grid("np.minimum(3000, " + WIDE + ")"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "orders from 1.05": Mutant(
        _on_a_grid("np.maximum(1.05, " + WIDE + ")"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "orders near the simple formula's": Mutant(
        _on_a_grid("1 + center * np.exp(np.linspace(-0.2, 0.2, 50_001))"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "rounded to five digits": Mutant(
        but_where(
            RIGHT["an array of orders"],
            "rho > 0",
            "return round(solved_zcdp_epsilon(rho, delta), 5)",
        ),
        "zcdp_epsilon_range",
        "is it fine enough there",
    ),
    "a tiny rho taken for 0": Mutant(
        but_where(RIGHT["an array of orders"], "rho < 2e-6", "return 0.0"),
        "zcdp_epsilon_range",
        "Does your search reach the best order",
    ),
    "dplab's own": Mutant(
        """
def zcdp_epsilon(rho, delta):
    return ZCDP(rho).to_approx(delta).epsilon
""",
        "zcdp_epsilon_values",
        "is off limits in an answer",
    ),
    "below 0.002 is nothing": Mutant(
        f"""{_on_a_grid(WIDE).replace("zcdp_epsilon", "least_epsilon")}

def zcdp_epsilon(rho, delta):
    epsilon = least_epsilon(rho, delta)
    return epsilon if epsilon > 0.002 else 0.0
""",
        "zcdp_epsilon_range",
        "is it fine enough there",
    ),
}

ANSWERS = Answers("zcdp_epsilon", RIGHT, MUTANTS)
