"""Answers to `max_log_ratio`. The mistakes: one direction, one dict, what zeros say."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _each(step: str, last: str = "return largest", outcomes: str = "set(p) | set(q)") -> str:
    """The text of `max_log_ratio` that does this for each outcome, with probabilities a and b."""
    indented = step.replace("\n", "\n        ")
    return f"""
def max_log_ratio(p, q):
    largest = 0.0
    for y in {outcomes}:
        a, b = p.get(y, 0), q.get(y, 0)
        {indented}
    {last}
"""


_IMPOSSIBLE = """if a == 0 and b == 0:
    continue
if a == 0 or b == 0:
    return math.inf
"""
_LARGEST = "largest = max(largest, abs(math.log(a / b)))"

RIGHT = {
    "case by case": _each(_IMPOSSIBLE + "largest = max(largest, abs(math.log(a / b)))"),
    "supports first": """
def max_log_ratio(p, q):
    p = {y: probability for y, probability in p.items() if probability > 0}
    q = {y: probability for y, probability in q.items() if probability > 0}
    if p.keys() != q.keys():
        return math.inf
    return max(abs(math.log(p[y]) - math.log(q[y])) for y in p)
""",
    "arrays": """
def max_log_ratio(p, q):
    names = list({**p, **q})
    a = np.array([p.get(y, 0.0) for y in names])
    b = np.array([q.get(y, 0.0) for y in names])
    possible = (a > 0) | (b > 0)
    with np.errstate(divide="ignore"):
        return np.abs(np.log(a[possible]) - np.log(b[possible])).max()
""",
    "the larger ratio": """
def max_log_ratio(p, q):
    worst = 1
    for y in {*p, *q}:
        low, high = sorted([p.get(y, 0), q.get(y, 0)])
        if high > 0:
            worst = max(worst, high / low if low > 0 else float("inf"))
    return math.log(worst)
""",
}

MUTANTS = {
    "one direction only": Mutant(
        _each(_IMPOSSIBLE + "largest = max(largest, math.log(a / b))"),
        "max_log_ratio_values",
        "should be 0.6931, it is 0.1823",
    ),
    "no logarithm": Mutant(
        _each(_IMPOSSIBLE + "largest = max(largest, a / b, b / a)"),
        "max_log_ratio_values",
        "should be 1.099, it is 3",
    ),
    "another base": Mutant(
        _each(_IMPOSSIBLE + "largest = max(largest, abs(math.log2(a / b)))"),
        "max_log_ratio_values",
        "it is 1.585",
    ),
    "the largest difference": Mutant(
        _each("largest = max(largest, abs(a - b))"),
        "max_log_ratio_values",
        "should be 1.099, it is 0.5",
    ),
    "all outcomes together": Mutant(
        _each(_IMPOSSIBLE + "largest += abs(math.log(a / b))"),
        "max_log_ratio_values",
        "it is 2.197",
    ),
    "on average": Mutant(
        _each(_IMPOSSIBLE + "largest += a * math.log(a / b)"),
        "max_log_ratio_values",
        "should be 1.099, it is 0.5493",
    ),
    "in the order of the dicts": Mutant(
        """
def max_log_ratio(p, q):
    return max(abs(math.log(a / b)) for a, b in zip(p.values(), q.values()))
""",
        "max_log_ratio_values",
        "should be 1.099, it is 0",
    ),
    "the smallest": Mutant(
        _each(
            _IMPOSSIBLE + "ratios.append(abs(math.log(a / b)))", last="return min(ratios)"
        ).replace("largest = 0.0", "ratios = []"),
        "max_log_ratio_values",
        "should be 0.6931, it is 0",
    ),
    "what both can give": Mutant(
        _each("largest = max(largest, abs(math.log(a / b)))", outcomes="set(p) & set(q)"),
        "max_log_ratio_impossible",
        "should be inf, it is 0.2877",
    ),
    "zeros skipped": Mutant(
        _each("if a > 0 and b > 0:\n    largest = max(largest, abs(math.log(a / b)))"),
        "max_log_ratio_impossible",
        "should be inf, it is 0.2877",
    ),
    "the outcomes of p": Mutant(
        _each(_IMPOSSIBLE + "largest = max(largest, abs(math.log(a / b)))", outcomes="p"),
        "max_log_ratio_impossible",
        "One look at the outcome",
    ),
    "a missing name": Mutant(
        """
def max_log_ratio(p, q):
    return max(abs(math.log(p[y] / q[y])) for y in p)
""",
        "max_log_ratio_impossible",
        "raised KeyError",
    ),
    "a large number for infinity": Mutant(
        _each("largest = max(largest, abs(math.log((a + 1e-12) / (b + 1e-12))))"),
        "max_log_ratio_impossible",
        "should be inf, it is 26.",
    ),
    "nothing where there is none": Mutant(
        _each(
            _IMPOSSIBLE.replace("math.inf", "None") + "largest = max(largest, abs(math.log(a / b)))"
        ),
        "max_log_ratio_impossible",
        "is None",
    ),
    "division by zero": Mutant(
        _each("largest = max(largest, abs(math.log(a / b)))"),
        "max_log_ratio_impossible",
        "raised ZeroDivisionError",
    ),
    "zero against zero is infinite": Mutant(
        _each(
            "if a == 0 or b == 0:\n    return math.inf\n"
            "largest = max(largest, abs(math.log(a / b)))"
        ),
        "max_log_ratio_silent",
        "should be 0.6931, it is inf",
    ),
    "names compared": Mutant(
        """
def max_log_ratio(p, q):
    if set(p) != set(q) or 0 in [*p.values(), *q.values()]:
        return math.inf
    return max(abs(math.log(p[y] / q[y])) for y in p)
""",
        "max_log_ratio_silent",
        "What has probability 0 under both laws never happens",
    ),
    # Right where a test usually looks.
    "what is rare taken for impossible": Mutant(
        _each("a, b = (c if c > 1e-9 else 0 for c in (a, b))\n" + _IMPOSSIBLE + _LARGEST),
        "max_log_ratio_values",
        "however rare it is",
    ),
    "impossible and rare alike": Mutant(
        _each("if abs(a - b) < 1e-12:\n    continue\n" + _IMPOSSIBLE + _LARGEST),
        "max_log_ratio_impossible",
        "However rare it is",
    ),
    "nearly equal taken for equal": Mutant(
        _each("if math.isclose(a, b, abs_tol=1e-6):\n    continue\n" + _IMPOSSIBLE + _LARGEST),
        "max_log_ratio_values",
        "however rare it is",
    ),
    "ten at most": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, last="return min(largest, 10.0)"),
        "max_log_ratio_values",
        "however rare it is",
    ),
    "the first hundred outcomes": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, outcomes="list({**p, **q})[:100]"),
        "max_log_ratio_values",
        "Every outcome counts",
    ),
    "in alphabetical order": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, outcomes="sorted(set(p) | set(q))"),
        "max_log_ratio_values",
        "whatever its name",
    ),
    "outcomes by their text": Mutant(
        """
def max_log_ratio(p, q):
    p, q = ({str(y): chance for y, chance in law.items()} for law in (p, q))
"""
        + _each(_IMPOSSIBLE + _LARGEST).partition("(p, q):\n")[2],
        "max_log_ratio_silent",
        "Names that are equal",
    ),
    "outcomes by their type too": Mutant(
        """
def max_log_ratio(p, q):
    p, q = ({(type(y), y): chance for y, chance in law.items()} for law in (p, q))
"""
        + _each(_IMPOSSIBLE + _LARGEST).partition("(p, q):\n")[2],
        "max_log_ratio_silent",
        "Names that are equal",
    ),
    "nothing is no outcome": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, outcomes="filter(None, set(p) | set(q))"),
        "max_log_ratio_silent",
        "should be 0.6931, it is 0.4055",
    ),
    "rounded to six digits": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, last="return round(largest, 6)"),
        "max_log_ratio_values",
        "should be 1.09861229",
    ),
    "dplab's own": Mutant(
        """
def max_log_ratio(p, q):
    import dplab

    return dplab.largest_log_ratio(Finite.of(p), Finite.of(q))
""",
        "max_log_ratio_values",
        "off limits",
    ),
    "what one law names is written into the other": Mutant(
        _each(_IMPOSSIBLE + _LARGEST, outcomes="list(p) + list(q)").replace(
            "p.get(y, 0), q.get(y, 0)", "p.setdefault(y, 0), q.setdefault(y, 0)"
        ),
        "max_log_ratio_values",
        "changes what it was given",
    ),
}

ANSWERS = Answers("max_log_ratio", RIGHT, MUTANTS)
