"""Answers to `sigma_for`. The mistakes: the unsafe end, a range too narrow, too many questions."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _halving(
    low="1e-7",
    high="1e7",
    middle="math.sqrt(low * high)",
    enough="delta_of(middle) <= delta",
    until="high > 1.00005 * low",
    result="high",
) -> str:
    """The text of `sigma_for` that halves an interval."""
    return f"""
def sigma_for(delta_of, delta):
    low, high = {low}, {high}
    while {until}:
        middle = {middle}
        if {enough}:
            high = middle
        else:
            low = middle
    return {result}
"""


def _steps(steps: int, middle: str, result: str = "high") -> str:
    """The text of `sigma_for` that halves a number of times."""
    return f"""
def sigma_for(delta_of, delta):
    low, high = 1e-7, 1e7
    for _ in range({steps}):
        middle = {middle}
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return {result}
"""


RIGHT = {
    "geometric halving": _halving(),
    "from a millionth to a million": _halving(low="1e-6", high="1e6"),
    "eighty steps": _steps(80, "math.sqrt(low * high)"),
    "arithmetic halving, long enough": _steps(100, "(low + high) / 2"),
    "doubling first": """
def sigma_for(delta_of, delta):
    high = 1.0
    while delta_of(high) > delta:
        high *= 2
    while delta_of(high / 2) <= delta:
        high /= 2
    low = high / 2
    while high - low > 1e-5 * low:
        middle = (low + high) / 2
        if delta_of(middle) > delta:
            low = middle
        else:
            high = middle
    return high
""",
    "in logarithms": """
def sigma_for(delta_of, delta):
    exponents = np.array([-6.5, 6.5])
    for _ in range(40):
        middle = exponents.mean()
        exponents[1 if delta_of(10**middle) <= delta else 0] = middle
    return 10 ** exponents[1]
""",
}

MUTANTS = {
    "the unsafe end": Mutant(_halving(result="low"), "sigma_for_gaussian", "Which end is safe?"),
    "the middle": Mutant(
        _halving(result="low if low < 1 else (low + high) / 2"),
        "sigma_for_any_curve",
        "Which end is safe?",
    ),
    "the directions mixed up": Mutant(
        _halving(enough="delta_of(middle) > delta"), "sigma_for_gaussian", "Which end is safe?"
    ),
    "a range up to 100": Mutant(
        _halving(low="1e-7", high="100.0"), "sigma_for_range", "Which end is safe?"
    ),
    "a range from 0.01": Mutant(
        _halving(low="0.01", high="1e7"), "sigma_for_range", "less noise would do"
    ),
    "an absolute tolerance": Mutant(
        _halving(middle="(low + high) / 2", until="high - low > 1e-5"),
        "sigma_for_range",
        "less noise would do",
    ),
    "a few steps": Mutant(
        _steps(30, "(low + high) / 2"), "sigma_for_gaussian", "less noise would do"
    ),
    "too coarse": Mutant(
        _halving(until="high > 1.01 * low"), "sigma_for_gaussian", "less noise would do"
    ),
    "twice as much, to be sure": Mutant(
        _halving(result="2 * high"), "sigma_for_gaussian", "less noise would do"
    ),
    "a grid": Mutant(
        """
def sigma_for(delta_of, delta):
    for sigma in np.geomspace(1e-6, 1e6, 300_000):
        if delta_of(sigma) <= delta:
            return sigma
""",
        "sigma_for_gaussian",
        "calls delta_of more than 200 times",
    ),
    "a root that a jump hasn't": Mutant(
        """
def sigma_for(delta_of, delta):
    low, high = 1e-7, 1e7
    for _ in range(60):
        middle = math.sqrt(low * high)
        if abs(delta_of(middle) / delta - 1) < 1e-6:
            return middle * 1.00002
        low, high = (low, middle) if delta_of(middle) < delta else (middle, high)
    return high if delta_of(high) > 0 else math.nan
""",
        "sigma_for_any_curve",
        "Noise has a size above 0",
    ),
    "a formula for Gaussian noise": Mutant(
        """
def sigma_for(delta_of, delta):
    return math.sqrt(2 * math.log(1.25 / delta))
""",
        "sigma_for_gaussian",
        "less noise would do",
    ),
    "equal is too much": Mutant(
        _halving(enough="delta_of(middle) < 0.9 * delta"),
        "sigma_for_gaussian",
        "less noise would do",
    ),
    "mu for sigma": Mutant(_halving(result="1 / high"), "sigma_for_gaussian", "Which end is safe?"),
    "an array of attempts": Mutant(
        _halving(result="[low, high]"), "sigma_for_gaussian", "should be one number"
    ),
    "delta itself is too much": Mutant(
        _halving(enough="delta_of(middle) < delta"),
        "sigma_for_any_curve",
        "less noise would do",
    ),
    "a little above delta will do": Mutant(
        _halving(enough="delta_of(middle) <= delta * (1 + 1e-6)"),
        "sigma_for_any_curve",
        "Which end is safe?",
    ),
    "a billionth above delta will do": Mutant(
        _halving(enough="delta_of(middle) <= delta + 1e-9"),
        "sigma_for_any_curve",
        "Which end is safe?",
    ),
    "delta rounded": Mutant(
        but_where(RIGHT["geometric halving"], "True", "delta = round(delta, 6)"),
        "sigma_for_gaussian",
        "less noise would do",
    ),
    "a large delta is no matter": Mutant(
        but_where(
            RIGHT["geometric halving"],
            "delta > 0.6",
            "return 2 * solved_sigma_for(delta_of, delta)",
        ),
        "sigma_for_any_curve",
        "less noise would do",
    ),
    "twice the tolerance": Mutant(  # most curves don't show it: what was asked does
        _halving(until="high > 1.0002 * low"),
        "sigma_for_any_curve",
        "less noise would do",
    ),
    "a range just too narrow": Mutant(
        _halving(low="1.2e-6", high="9.5e5"), "sigma_for_range", "less noise would do"
    ),
    "no noise is tried, too": Mutant(
        """
def sigma_for(delta_of, delta):
    try:
        if delta_of(0) <= delta:
            return 1e-6
    except (ValueError, ZeroDivisionError):
        pass
    low, high = 1e-7, 1e7
    while high > 1.00005 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high
""",
        "sigma_for_gaussian",
        "with a number not above 0",
    ),
    "small steps": Mutant(
        """
def sigma_for(delta_of, delta):
    high = 1.0
    while delta_of(high) > delta:
        high *= 1.05
    while delta_of(high / 1.05) <= delta:
        high /= 1.05
    low = high / 1.05
    while high > 1.00005 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high
""",
        "sigma_for_range",
        "calls delta_of more than 200 times",
    ),
    "a smooth curve's root": Mutant(
        """
def sigma_for(delta_of, delta):
    from scipy.optimize import brentq

    def excess(log_sigma):
        return math.log(max(delta_of(math.exp(log_sigma)), 1e-300) / delta)

    return math.exp(brentq(excess, math.log(1e-7), math.log(1e7), xtol=1e-6) + 1e-5)
""",
        "sigma_for_any_curve",
        "less noise would do",
    ),
    "a delta of hardly more will do": Mutant(
        _halving(enough="delta_of(middle) <= delta * (1 + 1e-10)"),
        "sigma_for_any_curve",
        "is above delta at your sigma",
    ),
}

ANSWERS = Answers("sigma_for", RIGHT, MUTANTS)
