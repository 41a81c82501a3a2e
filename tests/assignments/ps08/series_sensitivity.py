"""Answers to `series_move` and `series_sensitivity`. The mistakes: adding up, coarse grids."""

from autograder.rehearsal.catalogue import Answers, Mutant

_MOVE = """
def series_move(x, y, m):
    j = np.arange(1, m + 1)
    return np.sqrt(2) * np.abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()
"""


def _most(body: str) -> str:
    """`series_sensitivity` with this body."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    return f"def series_sensitivity(m, n):\n{lines}\n"


def _both(most: str, move: str = _MOVE) -> str:
    return f"{move.strip()}\n\n\n{most.strip()}\n"


_GRID = """
x = np.linspace(0, 1, 200_001)
moved = np.zeros(len(x))
for j in range(1, m + 1):
    moved += 1 - np.cos(np.pi * j * x)
return np.sqrt(2) * moved.max() / n
"""

# The cosines' sum in closed form, on a grid as fine: a hundredth of the time.
_CLOSED = """
x = np.linspace(0, min(1, 6 / (2 * m + 1)), 20_001)[1:]
moved = m + 0.5 - np.sin((m + 0.5) * np.pi * x) / (2 * np.sin(np.pi * x / 2))
return np.sqrt(2) * moved.max() / n
"""

RIGHT = {
    "the sum of cosines": _both(_most(_CLOSED)),
    "a fine grid": _both(_most(_GRID)),
    "the proof's sum of squares": _both(
        _most("""
around = 3 * np.pi / (2 * (2 * m + 1))
s = np.minimum(np.linspace(0.5, 1.5, 20_001) * around, np.pi / 2)
squares = (2 * m + 1 - np.sin((2 * m + 1) * s) / np.sin(s)) / 4
return 2 * math.sqrt(2) * squares.max() / n
"""),
        """
def series_move(x, y, m):
    moved = 0.0
    for j in range(1, m + 1):
        moved += abs(math.cos(math.pi * j * x) - math.cos(math.pi * j * y))
    return math.sqrt(2) * moved
""",
    ),
    "refined around the best": _both(
        _most("""
low, high = 0.0, 1.0
for _ in range(8):
    x = np.linspace(low, high, 4001)
    table = 1 - np.cos(np.pi * np.outer(np.arange(1, m + 1), x))
    moved = table.sum(axis=0)
    best, step = x[np.argmax(moved)], (high - low) / 4000
    low, high = max(0, best - 2 * step), min(1, best + 2 * step)
return math.sqrt(2) * moved.max() / n
"""),
        """
def series_move(x, y, m):
    table = math.sqrt(2) * np.cos(math.pi * np.outer([x, y], np.arange(1, m + 1)))
    return float(np.abs(table[0] - table[1]).sum())
""",
    ),
    "scipy's search": _both(
        _most("""
from scipy.optimize import minimize_scalar

found = minimize_scalar(
    lambda x: -series_move(x, 0.0, m),
    bounds=(0.5 * 3 / (2 * m + 1), min(1, 1.5 * 3 / (2 * m + 1))),
    method="bounded",
    options={"xatol": 1e-12},
)
return max(-found.fun, series_move(1.0, 0.0, m)) / n
""")
    ),
}

_TO, _FEW, _MANY = "series_sensitivity_move", "series_sensitivity_few", "series_sensitivity_many"
_SUM, _ENDS, _FINE = "sqrt(2) times the sum", "not only those at the ends", "Search more finely"
_RIGHT = _most(_CLOSED)

MUTANTS = {
    "without the root of 2": Mutant(
        _both(_RIGHT, _MOVE.replace("np.sqrt(2) * ", "")), _TO, "should be 2.828, it is 2"
    ),
    "the largest cosine": Mutant(_both(_RIGHT, _MOVE.replace(".sum()", ".max()")), _TO, _SUM),
    "absolute value of the sum": Mutant(
        _both(_RIGHT, _MOVE.replace("np.abs(", "abs((").replace(".sum()", ".sum())")),
        _TO,
        _SUM,
    ),
    "the L2 norm": Mutant(
        _both(
            _RIGHT,
            """
def series_move(x, y, m):
    j = np.arange(1, m + 1)
    return np.sqrt(2) * np.linalg.norm(np.cos(np.pi * j * x) - np.cos(np.pi * j * y))
""",
        ),
        _TO,
        _SUM,
    ),
    "cosines of 2 pi j x": Mutant(
        _both(_RIGHT, _MOVE.replace("np.pi * j", "2 * np.pi * j")), _TO, _SUM
    ),
    "from 0 to m - 1": Mutant(
        _both(_RIGHT, _MOVE.replace("np.arange(1, m + 1)", "np.arange(m)")), _TO, _SUM
    ),
    "one cosine too few": Mutant(
        _both(_RIGHT, _MOVE.replace("np.arange(1, m + 1)", "np.arange(1, max(2, m))")), _TO, _SUM
    ),
    "as if y were 0": Mutant(_both(_RIGHT, _MOVE.replace("np.cos(np.pi * j * y)", "1")), _TO, _SUM),
    "a thousand cosines at most": Mutant(
        _both(_RIGHT, _MOVE.replace("np.arange(1, m + 1)", "np.arange(1, min(m, 1000) + 1)")),
        _TO,
        _SUM,
    ),
    "the mean of the cosines' moves": Mutant(
        _both(_RIGHT, _MOVE.replace(".sum()", ".mean()")), _TO, _SUM
    ),
    "the notes": Mutant(_both(_most("return m / n")), _FEW, "should be 2.828, it is 1"),
    "the notes' standard deviation": Mutant(
        _both(_most("return math.sqrt(2) * m / n")), _FEW, "should be 2.828, it is 1.414"
    ),
    "adding up": Mutant(_both(_most("return 2 * math.sqrt(2) * m / n")), _FEW, _ENDS),
    "the two ends": Mutant(_both(_most("return series_move(0, 1, m) / n")), _FEW, _ENDS),
    "1.72 m / n": Mutant(
        _both(_most("return 2 * math.sqrt(2) / n if m == 1 else 1.72 * m / n")), _FEW, _ENDS
    ),
    "sums in place of means": Mutant(_both(_most(_CLOSED.replace(" / n", ""))), _FEW, _ENDS),
    "add or remove": Mutant(
        _both(_most("return math.sqrt(2) * m / n if m > 1 else 2 * math.sqrt(2) / n")), _FEW, _ENDS
    ),
    "from one half": Mutant(
        _both(
            _most("""
x = np.linspace(0, 1, 20_001)
angles = np.pi * np.arange(1, m + 1)[:, None]
moved = np.abs(np.cos(angles * x) - np.cos(angles / 2)).sum(axis=0).max()
return max(math.sqrt(2) * moved, 2 * math.sqrt(2)) / n
""")
        ),
        _FEW,
        _ENDS,
    ),
    "the square root of n": Mutant(
        _both(_most(_CLOSED.replace("/ n", "/ math.sqrt(n)"))), _FEW, _ENDS
    ),
    "n at most a thousand": Mutant(
        _both(_most(_CLOSED.replace("/ n", "/ min(n, 1000)"))), _FEW, _ENDS
    ),
    "all pairs of 101 places": Mutant(
        _both(
            _most("""
x = np.linspace(0, 1, 101)
moved = np.zeros((101, 101))
for j in range(1, m + 1):
    c = np.cos(np.pi * j * x)
    moved += np.abs(c[:, None] - c)
return math.sqrt(2) * moved.max() / n
""")
        ),
        _FEW,
        _ENDS,
    ),
    "1,001 places": Mutant(_both(_most(_GRID.replace("200_001", "1001"))), _MANY, _FINE),
    "2,001 places": Mutant(_both(_most(_GRID.replace("200_001", "2001"))), _MANY, _FINE),
    "a random search": Mutant(
        _both(
            _most(
                _GRID.replace(
                    "np.linspace(0, 1, 200_001)",
                    "np.append(np.random.default_rng(1).random(2000), 1)",
                )
            )
        ),
        _MANY,
        _FINE,
    ),
    "the limit from ten on": Mutant(
        _both(_most("if m > 10:\n    return 1.7209 * m / n\n" + _CLOSED.strip())), _MANY, _FINE
    ),
    "twenty cosines at most": Mutant(
        _both(_most("m = min(m, 20)\n" + _CLOSED.strip())), _MANY, _FINE
    ),
    "at the place of the hint": Mutant(
        _both(_most("return max(series_move(3 / (2 * m + 1), 0, m), 2 * math.sqrt(2)) / n")),
        _MANY,
        _FINE,
    ),
    "dplab's": Mutant(_both(_most("return dplab_sensitivity(m, n)")), _FEW, "off limits"),
}

ANSWERS = Answers("series_sensitivity", RIGHT, MUTANTS)
