"""Answers to `revenue` and `price_sensitivity`. The mistakes: ties, and prices that cannot move."""

from autograder.rehearsal.catalogue import Answers, Mutant

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
        "A price moves if",
    ),
    "a price that is just the highest bid": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(max([p for p in prices if least < p < max(values)], default=0))
"""),
        "price_sensitivity_replace",
        "A price moves if",
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
    "revenue to the cent": Mutant(
        _with(_RIGHT, _REVENUE.replace("p * sum(", "round(p, 2) * sum(")),
        "price_sensitivity_revenue",
        "Each price times the number of bids",
    ),
    "whole prices": Mutant(
        _with(_RIGHT, _REVENUE.replace("p * sum(", "int(p) * sum(")),
        "price_sensitivity_revenue",
        "it is [30, 10, 500]",
    ),
    "a bid of nearly the price": Mutant(
        _with(_RIGHT, _REVENUE.replace("bid >= p", "bid > p or np.isclose(bid, p)")),
        "price_sensitivity_revenue",
        "bids just below left out",
    ),
    "the first five thousand bids": Mutant(
        _with(_RIGHT, _REVENUE.replace("in bids)", "in bids[:5000])")),
        "price_sensitivity_revenue",
        "Each price times the number of bids",
    ),
    "prices that are sorted and different": Mutant(
        _with(_RIGHT, _REVENUE.replace("for p in prices", "for p in sorted(set(prices))")),
        "price_sensitivity_revenue",
        "should be an array of shape",
    ),
    "the price that everybody pays moves, too": Mutant(
        _with(_RIGHT.replace("least < p", "least <= p")),
        "price_sensitivity_replace",
        "should be 0, it is 10",
    ),
    "prices and values in order": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = values[0] if replace else -math.inf
    return float(max([p for p in prices if least < p <= values[-1]], default=0))
"""),
        "price_sensitivity_replace",
        "somebody may not",
    ),
    "a price nobody quite pays": Mutant(
        _with(_RIGHT.replace("p <= max(values)", "p <= max(values) + 1e-6")),
        "price_sensitivity_replace",
        "somebody may buy",
    ),
    "whole numbers returned": Mutant(
        _with(_RIGHT.replace("float(max(", "int(max(")),
        "price_sensitivity_replace",
        "by all of itself",
    ),
    "the largest price and the smallest": Mutant(
        _with("""
def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    ends = [p for p in (max(prices), min(prices)) if least < p <= max(values)]
    return float(max(ends, default=0))
"""),
        "price_sensitivity_replace",
        "should be 10, it is 5",
    ),
    "a sensitivity to the cent": Mutant(
        _with(
            _RIGHT.replace("return float(", "return round(").replace(
                "default=0))", "default=0), 2)"
            )
        ),
        "price_sensitivity_add",
        "adds p to the revenue",
    ),
    "the first fifty values": Mutant(
        _with(_RIGHT.replace("    least", "    values = values[:50]\n    least", 1)),
        "price_sensitivity_add",
        "adds p to the revenue",
    ),
    "dplab's own search": Mutant(
        _with("""
from dplab import ADD_REMOVE, REPLACE_ONE
from dplab.neighbors import sensitivity


def price_sensitivity(prices, values, replace):
    relation = REPLACE_ONE if replace else ADD_REMOVE
    return sensitivity(lambda bids: revenue(bids, prices), relation, values, n=1, norm=np.inf)
"""),
        "price_sensitivity_replace",
        "off limits",
    ),
    "eleven thousand buyers": Mutant(
        _with(
            _RIGHT, _REVENUE.replace("sum(bid", "min(11_000, sum(bid").replace("bids)", "bids))")
        ),
        "price_sensitivity_revenue",
        "Each price times the number of bids",
    ),
    "bids sorted in place": Mutant(
        _with(_RIGHT, _REVENUE.replace("    return", "    bids.sort()\n    return")),
        "price_sensitivity_revenue",
        "changes what it was given",
    ),
    "prices sorted in place": Mutant(
        _with(_RIGHT.replace("    least", "    prices.sort()\n    least")),
        "price_sensitivity_replace",
        "changes what it was given",
    ),
}

ANSWERS = Answers("price_sensitivity", RIGHT, MUTANTS)
