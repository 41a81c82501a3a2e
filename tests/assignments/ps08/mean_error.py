"""Answers to `mean_error`, `error_slope` and `most_dimensions`. The mistakes: powers, and ties."""

from autograder.rehearsal.catalogue import Answers, Mutant

_ERROR = """
def mean_error(d, n, epsilon):
    return d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2
"""
_SLOPE = """
def error_slope(dimensions, n, epsilon):
    logs = np.log([mean_error(d, n, epsilon) for d in dimensions])
    return np.polyfit(np.log(dimensions), logs, 1)[0]
"""
_MOST = """
def most_dimensions(n, epsilon):
    return int(epsilon * np.sqrt(n / 8))
"""


def _all(error: str = _ERROR, slope: str = _SLOPE, most: str = _MOST) -> str:
    return "\n\n\n".join(part.strip() for part in (error, slope, most)) + "\n"


RIGHT = {
    "formulas": _all(),
    "coordinate by coordinate": _all(
        """
def mean_error(d, n, epsilon):
    scale = d / (n * epsilon)
    people, noise = 0.25 / n, 2 * scale**2
    return d * (people + noise)
""",
        """
def error_slope(dimensions, n, epsilon):
    x = [math.log(d) for d in dimensions]
    y = [math.log(mean_error(d, n, epsilon)) for d in dimensions]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return above / sum((a - mean_x) ** 2 for a in x)
""",
        """
def most_dimensions(n, epsilon):
    low, high = 0, 10**7
    while high - low > 1:
        d = (low + high) // 2
        if 8 * d**2 <= n * epsilon**2:
            low = d
        else:
            high = d
    return low
""",
    ),
    "arrays": _all(
        slope="""
def error_slope(dimensions, n, epsilon):
    d = np.array(dimensions, dtype=float)
    design = np.column_stack([np.ones(len(d)), np.log(d)])
    return np.linalg.lstsq(design, np.log(mean_error(d, n, epsilon)), rcond=None)[0][1]
""",
        most="""
def most_dimensions(n, epsilon):
    return math.floor(math.sqrt(n * epsilon**2 / 8))
""",
    ),
    "a quotient of two roots": _all(
        most="""
def most_dimensions(n, epsilon):
    return math.floor(epsilon * math.sqrt(n) / math.sqrt(8))
"""
    ),
    "scipy's line": _all(
        slope="""
def error_slope(dimensions, n, epsilon):
    from scipy.stats import linregress

    errors = np.array([mean_error(int(d), n, epsilon) for d in dimensions])
    return linregress(np.log(dimensions), np.log(errors)).slope
"""
    ),
}

_VALUES, _STEEP, _LARGEST = "mean_error_values", "mean_error_slope", "mean_error_most"
_TERMS, _LOGS, _TIE = (
    "d / (4 n) from having n people",
    "The logarithms of both",
    "that one included",
)

MUTANTS = {
    "noise for one coordinate": Mutant(
        _all(_ERROR.replace("d**3", "d")), _VALUES, "should be 0.0045"
    ),
    "the L2 norm": Mutant(_all(_ERROR.replace("d**3", "d**2")), _VALUES, "it is 0.0027"),
    "the variance is s^2": Mutant(_all(_ERROR.replace("2 * d**3", "d**3")), _VALUES, _TERMS),
    "noise of 2 / n": Mutant(_all(_ERROR.replace("2 * d**3", "8 * d**3")), _VALUES, _TERMS),
    "n not squared": Mutant(
        _all(_ERROR.replace("(n * epsilon) ** 2", "(n * epsilon**2)")), _VALUES, _TERMS
    ),
    "epsilon not squared": Mutant(
        _all(_ERROR.replace("(n * epsilon) ** 2", "(n**2 * epsilon)")), _VALUES, _TERMS
    ),
    "noise only": Mutant(_all(_ERROR.replace("d / (4 * n) + ", "")), _VALUES, "it is 0.002"),
    "people only": Mutant(
        _all(_ERROR.replace(" + 2 * d**3 / (n * epsilon) ** 2", "")), _VALUES, "it is 0.0025"
    ),
    "coins of variance 1": Mutant(_all(_ERROR.replace("4 * n", "n")), _VALUES, _TERMS),
    "one coordinate's people": Mutant(
        _all(_ERROR.replace("d / (4 * n)", "1 / (4 * n)")), _VALUES, _TERMS
    ),
    "n - 1": Mutant(
        _all(_ERROR.replace("4 * n", "4 * max(n - 1, 1)")), _VALUES, "should be 0.0045, it is"
    ),
    "a root": Mutant(
        _all("""
def mean_error(d, n, epsilon):
    return math.sqrt(d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2)
"""),
        _VALUES,
        _TERMS,
    ),
    "an average over coordinates": Mutant(
        _all("""
def mean_error(d, n, epsilon):
    return 1 / (4 * n) + 2 * d**2 / (n * epsilon) ** 2
"""),
        _VALUES,
        _TERMS,
    ),
    "the larger of both": Mutant(
        _all("""
def mean_error(d, n, epsilon):
    return max(d / (4 * n), 2 * d**3 / (n * epsilon) ** 2)
"""),
        _VALUES,
        "it is 0.0025",
    ),
    "coins' errors of 1 at most": Mutant(
        _all("""
def mean_error(d, n, epsilon):
    return min(d, d / (4 * n) + 2 * d**3 / (n * epsilon) ** 2)
"""),
        _VALUES,
        _TERMS,
    ),
    "three": Mutant(
        _all(
            slope="""
def error_slope(dimensions, n, epsilon):
    return 3.0
"""
        ),
        _STEEP,
        "should be 1, it is 3",
    ),
    "one or three": Mutant(
        _all(
            slope="""
def error_slope(dimensions, n, epsilon):
    return 1.0 if max(dimensions) <= epsilon * math.sqrt(n / 8) else 3.0
"""
        ),
        _STEEP,
        _LOGS,
    ),
    "no logarithms": Mutant(
        _all(
            slope="""
def error_slope(dimensions, n, epsilon):
    return np.polyfit(dimensions, [mean_error(d, n, epsilon) for d in dimensions], 1)[0]
"""
        ),
        _STEEP,
        _LOGS,
    ),
    "the logarithm of the error only": Mutant(
        _all(slope=_SLOPE.replace("np.log(dimensions)", "dimensions")), _STEEP, _LOGS
    ),
    "from the first to the last": Mutant(
        _all(
            slope="""
def error_slope(dimensions, n, epsilon):
    first, last = min(dimensions), max(dimensions)
    rise = math.log(mean_error(last, n, epsilon) / mean_error(first, n, epsilon))
    return rise / math.log(last / first)
"""
        ),
        _STEEP,
        _LOGS,
    ),
    "logarithms of different bases": Mutant(
        _all(slope=_SLOPE.replace("logs = np.log(", "logs = np.log10(")), _STEEP, _LOGS
    ),
    "the intercept": Mutant(_all(slope=_SLOPE.replace("1)[0]", "1)[1]")), _STEEP, _LOGS),
    "each dimension once": Mutant(
        _all(slope=_SLOPE.replace("    logs", "    dimensions = sorted({*dimensions})\n    logs")),
        _STEEP,
        _LOGS,
    ),
    "through the origin": Mutant(
        _all(
            slope="""
def error_slope(dimensions, n, epsilon):
    x = np.log(dimensions)
    return x @ np.log([mean_error(d, n, epsilon) for d in dimensions]) / (x @ x)
"""
        ),
        _STEEP,
        _LOGS,
    ),
    "the least of half or more": Mutant(
        _all(
            most=_MOST.replace(
                "int(epsilon * np.sqrt(n / 8))", "math.ceil(epsilon * np.sqrt(n / 8))"
            )
        ),
        _LARGEST,
        "should be 35, it is 36",
    ),
    "rounded": Mutant(_all(most=_MOST.replace("int(", "round(")), _LARGEST, "that one included"),
    "a tie doesn't count": Mutant(
        _all(
            most="""
def most_dimensions(n, epsilon):
    return math.ceil(epsilon * math.sqrt(n / 8)) - 1
"""
        ),
        _LARGEST,
        "should be 10, it is 9",
    ),
    "at least one": Mutant(
        _all(
            most=_MOST.replace(
                "int(epsilon * np.sqrt(n / 8))", "max(1, int(epsilon * np.sqrt(n / 8)))"
            )
        ),
        _LARGEST,
        "should be 0, it is 1",
    ),
    "not a whole number": Mutant(
        _all(most=_MOST.replace("int(", "(")), _LARGEST, "should be 35, it is 35.36"
    ),
    "the root of n": Mutant(
        _all(most=_MOST.replace("n / 8", "n")), _LARGEST, "should be 10, it is 28"
    ),
    "ten thousand at most": Mutant(
        _all(
            most="""
def most_dimensions(n, epsilon):
    d = 0
    while d < 10_000 and 8 * (d + 1) ** 2 <= n * epsilon**2:
        d += 1
    return d
"""
        ),
        _LARGEST,
        _TIE,
    ),
    "epsilon squared": Mutant(
        _all(most=_MOST.replace("epsilon * np", "epsilon**2 * np")), _LARGEST, _TIE
    ),
    "dplab's": Mutant(
        _all("""
def mean_error(d, n, epsilon):
    from dplab.theorems.private_means import mean_risk

    risk = mean_risk([d], n=n, epsilon=epsilon, delta=1e-6)
    return float(risk.sampling[0] + risk.laplace[0])
"""),
        _VALUES,
        "off limits",
    ),
    "Python's whole numbers alone": Mutant(
        _all(_ERROR.replace("    return", "    assert isinstance(n, int)\n    return")),
        _VALUES,
        "raised AssertionError",
    ),
    "dimensions sorted where they are": Mutant(
        _all(slope=_SLOPE.replace("    logs =", "    dimensions.sort()\n    logs =")),
        "mean_error_slope",
        "changes what it was given",
    ),
}

ANSWERS = Answers("mean_error", RIGHT, MUTANTS)
