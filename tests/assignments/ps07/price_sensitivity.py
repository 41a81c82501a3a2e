"""Answers to `revenue` and `price_sensitivity`. The mistakes: ties, and prices that cannot move."""

from tests.assignments.catalogue import Answers, Mutant

_REVENUE = """
def revenue(bids, prices):
    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
"""


def _with(sensitivity: str, revenue: str = _REVENUE) -> str:
    return f"{revenue}\n\n{sensitivity.strip()}\n"


_RIGHT = """
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(max([p for p in prices if least < p <= max(values)], default=0))
"""

RIGHT = {
    "which prices can move": _with(_RIGHT),
    "brute force over one bid": _with("""
def price_sensitivity(prices, values, replace):
    datasets = [[value] for value in values]
    if not replace:
        datasets.append([])
    largest = 0.0
    for x in datasets:
        for y in datasets:
            if replace or (x == [] or y == []):
                moved = np.abs(revenue(x, prices) - revenue(y, prices))
                largest = max(largest, float(moved.max()))
    return largest
"""),
    "sorted bids, and arrays": _with(
        """
def price_sensitivity(prices, values, replace):
    prices, values = np.array(prices, dtype=float), np.array(values)
    buys = values[:, None] >= prices
    moves = buys.any(axis=0) & ~buys.all(axis=0) if replace else buys.any(axis=0)
    return (prices * moves).max()
""",
        """
def revenue(bids, prices):
    bids = np.sort(np.asarray(bids))
    return [float(p * (len(bids) - np.searchsorted(bids, p))) for p in prices]
""",
    ),
    "a loop": _with("""
def price_sensitivity(prices, values, replace):
    largest = 0.0
    for p in prices:
        somebody_buys = any(v >= p for v in values)
        somebody_does_not = any(v < p for v in values) or not replace
        if somebody_buys and somebody_does_not and p > largest:
            largest = p
    return largest
"""),
}

MUTANTS = {
    "whoever bids the price goes away": Mutant(
        _with(_RIGHT, _REVENUE.replace(">=", ">")),
        "price_sensitivity_revenue",
        "should be [30, 10.01, 500], it is [10, 10.01, 0]",
    ),
    "buyers pay their bids": Mutant(
        _with(
            _RIGHT,
            """
def revenue(bids, prices):
    return np.array([sum(bid for bid in bids if bid >= p) for p in prices], dtype=float)
""",
        ),
        "price_sensitivity_revenue",
        "it is [520, 500, 500]",
    ),
    "buyers who bid less": Mutant(
        _with(_RIGHT, _REVENUE.replace(">=", "<=")),
        "price_sensitivity_revenue",
        "A buyer whose bid is exactly the price buys",
    ),
    "numbers of buyers": Mutant(
        _with(_RIGHT, _REVENUE.replace("p * sum", "sum")),
        "price_sensitivity_revenue",
        "it is [3, 1, 1]",
    ),
    "the largest revenue only": Mutant(
        _with(
            _RIGHT,
            """
def revenue(bids, prices):
    return max(p * sum(bid >= p for bid in bids) for p in prices)
""",
        ),
        "price_sensitivity_revenue",
        "should be an array of shape (3,), it is one number",
    ),
    "no bids, no answer": Mutant(
        _with(
            _RIGHT,
            """
def revenue(bids, prices):
    if len(bids) == 0:
        return np.array([])
    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
""",
        ),
        "price_sensitivity_revenue",
        "should be an array of shape (2,)",
    ),
    "the highest price": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    return float(max(prices))
"""),
        "price_sensitivity_replace",
        "should be 10, it is 500",
    ),
    "the highest bid": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    return float(max(values))
"""),
        "price_sensitivity_replace",
        "should be 10, it is 20",
    ),
    "replacing is adding": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    return float(max([p for p in prices if p <= max(values)], default=0))
"""),
        "price_sensitivity_replace",
        "should be 0, it is 10",
    ),
    "adding is replacing": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    return float(max([p for p in prices if min(values) < p <= max(values)], default=0))
"""),
        "price_sensitivity_add",
        "should be 10, it is 0",
    ),
    "replacing counts twice": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    largest = max([p for p in prices if least < p <= max(values)], default=0)
    return 2.0 * largest if replace else float(largest)
"""),
        "price_sensitivity_replace",
        "should be 10, it is 20",
    ),
    "all prices together": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(sum(p for p in prices if least < p <= max(values)))
"""),
        "price_sensitivity_replace",
        "should be 10, it is 15",
    ),
    "the spread of the bids": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    return float(max(values) - min(values)) if replace else float(max(values))
"""),
        "price_sensitivity_add",
        "should be 10, it is 20",
    ),
    "the best revenue, not one price's": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    best = [max(revenue([value], prices)) for value in values]
    return float(max(best) - min(best)) if replace else float(max(best))
"""),
        "price_sensitivity_replace",
        "Which price can change at all?",
    ),
    "a price that is just the highest bid": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(max([p for p in prices if least < p < max(values)], default=0))
"""),
        "price_sensitivity_replace",
        "Which price can change at all?",
    ),
    "an error where nothing moves": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(max(p for p in prices if least < p <= max(values)))
"""),
        "price_sensitivity_replace",
        "raised ValueError",
    ),
}

ANSWERS = Answers("price_sensitivity", RIGHT, MUTANTS)
