"""Answers to `roc_bound`. The mistakes: half of the bound, delta in the wrong place, one number."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _of(result: str, first: str = "e * a + delta", second: str = "1 - (1 - a - delta) / e") -> str:
    """The text of `roc_bound` that returns this of the two bounds."""
    return f"""
def roc_bound(rate, epsilon, delta):
    a, e = np.asarray(rate), np.exp(epsilon)
    first = {first}
    second = {second}
    return {result}
"""


_LEAST = "np.minimum(1, np.minimum(first, second))"

RIGHT = {
    "two minima": _of(_LEAST),
    "stacked": """
def roc_bound(rate, epsilon, delta):
    rate = np.array(rate, dtype=float)
    candidates = np.stack([
        rate * math.exp(epsilon) + delta,
        1 + math.exp(-epsilon) * (rate + delta - 1),
        np.ones_like(rate),
    ])
    return candidates.min(axis=0)
""",
    "number by number": """
def roc_bound(rate, epsilon, delta):
    if np.ndim(rate) > 0:
        return np.array([roc_bound(one, epsilon, delta) for one in rate])
    missed = (1 - rate - delta) / math.exp(epsilon)  # the least that a test must miss
    return min(math.exp(epsilon) * rate + delta, 1 - missed, 1)
""",
    "the corner": """
def roc_bound(rate, epsilon, delta):
    alpha, e = np.asarray(rate, dtype=float), np.exp(epsilon)
    corner = (1 - delta) / (1 + e)
    bound = np.where(alpha <= corner, e * alpha + delta, 1 - (1 - delta - alpha) / e)
    return np.where(bound > 1, 1, bound)
""",
}

MUTANTS = {
    "in only": Mutant(_of("np.minimum(1, first)"), "roc_bound_large", "should be 0.9632, it is 1"),
    "out only": Mutant(
        _of("np.minimum(1, second)"), "roc_bound_small", "should be 0.1359, it is 0.6505"
    ),
    "the greater of the two": Mutant(
        _of("np.minimum(1, np.maximum(first, second))"),
        "roc_bound_small",
        "should be 0.1359, it is 0.6505",
    ),
    "delta forgotten": Mutant(
        _of(_LEAST, "e * a", "1 - (1 - a) / e"), "roc_bound_small", "should be 0.21, it is 0.2"
    ),
    "delta forgotten in the second": Mutant(
        _of(_LEAST, second="1 - (1 - a) / e"), "roc_bound_large", "should be 0.9, it is 0.85"
    ),
    "delta added to the second": Mutant(
        _of(_LEAST, second="1 - (1 - a) / e + delta"),
        "roc_bound_large",
        "should be 0.9, it is 0.95",
    ),
    "delta multiplied too": Mutant(
        _of(_LEAST, "e * (a + delta)"), "roc_bound_small", "should be 0.21, it is 0.22"
    ),
    "the roles exchanged": Mutant(
        _of(_LEAST, "(a - delta) / e"), "roc_bound_small", "should be 0.1359, it is 0.01839"
    ),
    "epsilon in the place of its exponential": Mutant(
        _of(_LEAST).replace("np.exp(epsilon)", "epsilon"), "roc_bound_small", "it is 0.05"
    ),
    "epsilon added": Mutant(
        _of("np.minimum(1, a + epsilon + delta)"), "roc_bound_small", "should be 0.1359, it is 1"
    ),
    "multiplied on the other side": Mutant(
        _of(_LEAST, second="1 - e * (1 - a - delta)"), "roc_bound_large", "should be 0.9632, it is"
    ),
    "the power of lesson 5's coin": Mutant(
        _of("e / (1 + e) + 0 * a"), "roc_bound_small", "should be 0.1359, it is 0.7311"
    ),
    "numbers only": Mutant(_of("min(first, second, 1)"), "roc_bound_arrays", "raised ValueError"),
    "above 1": Mutant(
        _of("np.minimum(first, second)"), "roc_bound_arrays", "should be 1, it is 1.055"
    ),
    "the least of all rates": Mutant(
        _of("min(first.min(), second.min(), 1)"),
        "roc_bound_arrays",
        "should be an array of shape (4,), it is one number",
    ),
    "the shape lost": Mutant(
        _of("np.ravel(np.minimum(1, np.minimum(first, second)))").replace(
            "return ", "if np.ndim(rate) == 0:\n        return min(1, first, second)\n    return "
        ),
        "roc_bound_arrays",
        "Entry by entry",
    ),
    # Right where a test usually looks.
    "everything for large epsilon": Mutant(
        _of("np.minimum(np.where(epsilon > 10, 1, first), np.minimum(1, second))"),
        "roc_bound_small",
        "e^epsilon times the false positive rate",
    ),
    "no epsilon above 15": Mutant(
        _of(_LEAST).replace("np.exp(epsilon)", "np.exp(min(epsilon, 15))"),
        "roc_bound_small",
        "e^epsilon times the false positive rate",
    ),
    "no epsilon below 0.05": Mutant(
        _of(_LEAST).replace("np.exp(epsilon)", "np.exp(max(epsilon, 0.05) * (epsilon > 0))"),
        "roc_bound_small",
        "e^epsilon times the false positive rate",
    ),
    "an epsilon 3% too large": Mutant(
        _of(_LEAST).replace("np.exp(epsilon)", "np.exp(1.03 * epsilon)"),
        "roc_bound_small",
        "should be 0.1359, it is 0.14",
    ),
    "no delta below 10^-9": Mutant(
        _of(_LEAST).replace("    first", "    delta = delta if delta > 1e-9 else 0.0\n    first"),
        "roc_bound_small",
        "plus delta",
    ),
    "rounded to nine digits": Mutant(
        _of("np.round(np.minimum(1, np.minimum(first, second)), 9)"),
        "roc_bound_small",
        "e^epsilon times the false positive rate",
    ),
    "the second bound without epsilon": Mutant(
        _of(
            "np.where(a > 0.99, np.minimum(1, a + delta), np.minimum(1, np.minimum(first, second)))"
        ),
        "roc_bound_arrays",
        "in arrays of any shape and size",
    ),
    "ten thousand rates at most": Mutant(
        _of("np.resize(np.minimum(1, np.minimum(first, second)).ravel()[:10000], a.shape)"),
        "roc_bound_arrays",
        "in arrays of any shape and size",
    ),
    "tables in two dimensions at most": Mutant(
        _of("np.minimum(1, np.minimum(first, second)).reshape(a.shape[:2] if a.ndim < 3 else -1)"),
        "roc_bound_arrays",
        "in arrays of any shape and size",
    ),
    "above 1 for a large delta": Mutant(
        _of("np.minimum(np.where(delta > 0.5, first, 1), np.minimum(first, second))"),
        "roc_bound_arrays",
        "never above 1",
    ),
    "dplab's own": Mutant(
        """
def roc_bound(rate, epsilon, delta):
    from dplab.theorems.no_powerful_test import largest_power

    return largest_power(rate, __import__("dplab").ApproxDP(epsilon, delta))
""",
        "roc_bound_small",
        "off limits",
    ),
    "whole rates, whole bounds": Mutant(
        """
def roc_bound(rate, epsilon, delta):
    if np.ndim(rate) == 0:
        return min(1, math.exp(epsilon) * rate + delta, 1 - math.exp(-epsilon) * (1 - rate - delta))
    bounds = np.zeros_like(rate)
    for place, one in np.ndenumerate(rate):
        bounds[place] = roc_bound(one, epsilon, delta)
    return bounds
""",
        "roc_bound_arrays",
        "Rates may be whole numbers",
    ),
    "of the first bound's type": Mutant(
        """
def roc_bound(rate, epsilon, delta):
    def bound(a):
        return min(1, math.exp(epsilon) * a + delta, 1 - math.exp(-epsilon) * (1 - a - delta))

    return np.vectorize(bound)(rate)
""",
        "roc_bound_arrays",
        "in arrays of any shape",
    ),
}

ANSWERS = Answers("roc_bound", RIGHT, MUTANTS)
