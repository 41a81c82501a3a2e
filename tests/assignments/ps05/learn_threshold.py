"""Answers to `learn_threshold`. The mistakes: too many questions, bad prices, the wrong half."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _search(
    price: str = "epsilon / math.ceil(math.log2(size))",
    seems_small: str = "count(middle, price) < tolerance",
    middle: str = "(low + high) // 2",
    start: str = "0, size",
    result: str = "low",
) -> str:
    """The text of `learn_threshold` by halves with these parts."""
    return f"""
def learn_threshold(count, size, epsilon, tolerance):
    price = {price}
    low, high = {start}
    while high - low > 1:
        middle = {middle}
        if {seems_small}:
            low = middle
        else:
            high = middle
    return {result}
"""


_ERROR, _ALONE = "learn_threshold_error", "Is the threshold what the answers say"

RIGHT = {
    "by halves": _search(),
    "the other middle": _search(middle="low + (high - low + 1) // 2"),
    "from the largest power of two": """
def learn_threshold(count, size, epsilon, tolerance):
    steps = math.ceil(math.log2(size))
    threshold = 0
    for i in reversed(range(steps)):
        candidate = threshold + 2**i
        if candidate < size and count(candidate, epsilon / steps) < tolerance:
            threshold = candidate
    return threshold
""",
    "recursion": """
def learn_threshold(count, size, epsilon, tolerance):
    share = epsilon / (size - 1).bit_length()

    def between(low, high):
        if low == high:
            return low
        middle = (low + high + 1) // 2
        if count(middle, share) < tolerance:
            return between(middle, high)
        return between(low, middle - 1)

    return between(0, size - 1)
""",
    "a list of candidates": """
def learn_threshold(count, size, epsilon, tolerance):
    candidates = list(range(size))
    price = epsilon / np.ceil(np.log2(size))
    while len(candidates) > 1:
        half = len(candidates) // 2
        small = count(candidates[half], price) < tolerance
        candidates = candidates[half:] if small else candidates[:half]
    return candidates[0]
""",
    "up to a power of two": _search(
        start="0, 2 ** math.ceil(math.log2(size))", result="min(low, size - 1)"
    ),
}

MUTANTS = {
    "the whole budget for each answer": Mutant(
        _search("epsilon"), "learn_threshold_budget", "offers 1 for an answer when 0 is left"
    ),
    "a share for each value": Mutant(
        _search("epsilon / size"), "learn_threshold_budget", "it can pay 0.3333 for each"
    ),
    "half of what is left, each time": Mutant(
        """
def learn_threshold(count, size, epsilon, tolerance):
    low, high, left = 0, size, epsilon
    while high - low > 1:
        middle = (low + high) // 2
        left = left / 2
        if count(middle, left) < tolerance:
            low = middle
        else:
            high = middle
    return low
""",
        "learn_threshold_budget",
        "it can pay 0.3333 for each",
    ),
    "one value after the other": Mutant(
        """
def learn_threshold(count, size, epsilon, tolerance):
    t = 0
    while t < size - 1 and count(t + 1, epsilon / (size - 1)) < tolerance:
        t += 1
    return t
""",
        "learn_threshold_budget",
        "questions, 3 should do",
    ),
    "all counts at once": Mutant(
        """
def learn_threshold(count, size, epsilon, tolerance):
    counts = [count(t, epsilon / size) for t in range(size)]
    return max([t for t in range(size) if counts[t] < tolerance], default=0)
""",
        "learn_threshold_budget",
        "asks 8 questions, 3 should do",
    ),
    "each question twice": Mutant(
        _search(
            "epsilon / math.ceil(math.log2(size)) / 2",
            seems_small="(count(middle, price) + count(middle, price)) / 2 < tolerance",
        ),
        "learn_threshold_budget",
        "asks 6 questions, 3 should do",
    ),
    "natural logarithm": Mutant(
        _search("epsilon / math.ceil(math.log(size))"),
        "learn_threshold_budget",
        "for an answer when",
    ),
    "logarithm rounded down": Mutant(
        _search("epsilon / math.floor(math.log2(size))"),
        "learn_threshold_budget",
        "for an answer when",
    ),
    "asks about 0, too": Mutant(
        _search(
            "epsilon / (math.ceil(math.log2(size)) + 1)", start="-1, size", result="max(0, low)"
        ),
        "learn_threshold_budget",
        "it can pay",
    ),
    "the wrong half": Mutant(
        _search(seems_small="count(middle, price) >= tolerance"),
        "learn_threshold_search",
        "should be 5, it is",
    ),
    "no tolerance for noise": Mutant(
        _search(seems_small="count(middle, price) <= 0"),
        "learn_threshold_search",
        "should be 3, it is 2",
    ),
    "the tolerance included": Mutant(
        _search(seems_small="count(middle, price) <= tolerance"),
        "learn_threshold_search",
        "should be",
    ),
    "the first that is too large": Mutant(
        _search(result="high"), "learn_threshold_search", "should be 5, it is 6"
    ),
    "the last value is never tried": Mutant(
        _search(start="0, size - 1"), "learn_threshold_search", "Nobody is missed: the last one."
    ),
    "the middle of what is left": Mutant(
        _search(result="(low + high) / 2"), "learn_threshold_search", "should be 5, it is 5.5"
    ),
    "twice the tolerance": Mutant(
        _search(seems_small="count(middle, price) < 2 * tolerance"),
        "learn_threshold_search",
        "should be",
    ),
    "the value itself for its count": Mutant(
        _search(seems_small="middle < tolerance and count(middle, price) < math.inf"),
        "learn_threshold_error",
        "Compare each noisy count with the tolerance",
    ),
    "noise of either sign is noise": Mutant(
        _search(seems_small="abs(count(middle, price)) < tolerance"), _ERROR, _ALONE
    ),
    "by less than 1e-9 is not below": Mutant(
        _search(seems_small="count(middle, price) < tolerance - 1e-9"), _ERROR, _ALONE
    ),
    "by less than 1e-9 is below": Mutant(
        _search(seems_small="count(middle, price) < tolerance + 1e-9"), _ERROR, _ALONE
    ),
    "counts rounded": Mutant(
        _search(seems_small="round(count(middle, price)) < tolerance"), _ERROR, _ALONE
    ),
    "a whole tolerance": Mutant(
        _search(seems_small="count(middle, price) < int(tolerance)"), _ERROR, _ALONE
    ),
    "counts above a million are a mistake": Mutant(
        """
def learn_threshold(count, size, epsilon, tolerance):
    price = epsilon / math.ceil(math.log2(size))
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        told = count(middle, price)
        low, high = (middle, high) if told < tolerance or told > 10**6 else (low, middle)
    return low
""",
        _ERROR,
        _ALONE,
    ),
    "answers remembered from one call to the next": Mutant(
        "told = {}\n\n"
        + _search(seems_small="told.setdefault((middle, size), count(middle, price)) < tolerance"),
        _ERROR,
        "Compare each noisy count with the tolerance",
    ),
    "three percent too much where size is large": Mutant(
        _search("epsilon * (1.03 if size > 2048 else 1) / math.ceil(math.log2(size))"),
        "learn_threshold_budget",
        "an equal share of epsilon",
    ),
    "twelve questions at most": Mutant(
        _search("epsilon / min(12, math.ceil(math.log2(size)))"),
        "learn_threshold_budget",
        "an equal share of epsilon",
    ),
    "an epsilon of at most 5": Mutant(
        _search("min(epsilon, 5) / math.ceil(math.log2(size))"),
        "learn_threshold_budget",
        "an equal share of epsilon",
    ),
    "the smaller price for the first, the rest for the last": Mutant(
        """
def learn_threshold(count, size, epsilon, tolerance):
    m = math.ceil(math.log2(size))
    low, high, left = 0, size, epsilon
    while high - low > 1:
        price = 0.0001 * epsilon if high - low > 2 else left
        left -= price
        middle = (low + high) // 2
        if count(middle, price) < tolerance:
            low = middle
        else:
            high = middle
    return low
""",
        "learn_threshold_budget",
        "for each",
    ),
    "a tolerance below 0.05 is too small": Mutant(
        _search(seems_small="count(middle, price) < max(0.05, tolerance)"), _ERROR, _ALONE
    ),
    "a tolerance above 1,000 is too large": Mutant(
        _search(seems_small="count(middle, price) < min(1000, tolerance)"),
        _ERROR,
        "the next one whose count is too large, should be",
    ),
}

ANSWERS = Answers("learn_threshold", RIGHT, MUTANTS)
