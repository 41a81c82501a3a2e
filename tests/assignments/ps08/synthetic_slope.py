"""Answers to `synthetic_slope` and `private_slope`. The mistakes: weights forgotten, noise cut."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SLOPE = """
    w = w / w.sum()
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
    return x @ w @ y / (w.sum(axis=1) @ x**2)
"""


def _both(
    kept: str = "np.maximum(noisy, 0)",
    slope: str = _SLOPE,
    private: str = "noisy",
    best: str = _SLOPE,
) -> str:
    """Both functions: what is kept for each, and how the slope is found."""
    return f"""
def synthetic_slope(noisy, x, y):
    w = {kept}
{slope.strip(chr(10))}


def private_slope(noisy, x, y):
    w = {private}
{best.strip(chr(10))}
"""


RIGHT = {
    "the formula, with and without the cut": _both(),
    "moments": """
def _slope(w, x, y):
    total = w.sum()
    mean_x = (w.sum(axis=1) * x).sum() / total
    mean_y = (w.sum(axis=0) * y).sum() / total
    products = (w * np.outer(x, y)).sum() / total
    squares = (w.sum(axis=1) * np.square(x)).sum() / total
    return (products - mean_x * mean_y) / (squares - mean_x**2)


def synthetic_slope(noisy, x, y):
    return _slope(np.where(noisy > 0, noisy, 0), np.array(x, float), np.array(y, float))


def private_slope(noisy, x, y):
    return _slope(np.array(noisy, dtype=float), np.array(x, float), np.array(y, float))
""",
    "least squares with weights": """
def synthetic_slope(noisy, x, y):
    kept = np.maximum(noisy, 0)
    roots = np.sqrt(kept / kept.max()).ravel()
    design = np.column_stack([np.ones(kept.size), np.repeat(x, kept.shape[1])])
    target = np.tile(np.asarray(y, dtype=float), kept.shape[0])
    return np.linalg.lstsq(design * roots[:, None], target * roots, rcond=None)[0][1]


def private_slope(noisy, x, y):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    design = np.column_stack([np.ones(len(x)), x])
    people = noisy.sum(axis=1)
    return np.linalg.solve(design.T @ (people[:, None] * design), design.T @ (noisy @ y))[1]
""",
    "loops, and one slope for both": """
def slope(counts, x, y):
    cells = [(w, a, b) for row, a in zip(counts, x) for w, b in zip(row, y)]
    people = sum(w for w, _, _ in cells)
    middle = sum(w * a for w, a, _ in cells) / people
    both = sum(w * (a - middle) * b for w, a, b in cells)
    return both / sum(w * (a - middle) ** 2 for w, a, _ in cells)


def synthetic_slope(noisy, x, y):
    return slope([[max(0, count) for count in row] for row in noisy], x, y)


def private_slope(noisy, x, y):
    return slope(noisy, x, y)
""",
    "what is subtracted cancels": _both(
        private="noisy - noisy.mean() / 4",
        best="""
    w = noisy / noisy.sum()
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
    return x @ w @ y / (w.sum(axis=1) @ x**2)
""",
    ),
}

_VALUES, _AVERAGE = "synthetic_slope_values", "synthetic_slope_average"
_SINGLE = "synthetic_slope_single"
_FIRST, _HALF = "Set negative counts to 0 first", "Cutting off one half of the noise"
_ALL = "Use all cells, and cut nothing"

MUTANTS = {
    "negative counts stay": Mutant(_both("np.asarray(noisy)"), _VALUES, _FIRST),
    "absolute values": Mutant(_both("np.abs(noisy)"), _VALUES, _FIRST),
    "each cell once": Mutant(_both("(noisy > 0).astype(float)"), _VALUES, "should be 0.125"),
    "x on y": Mutant(
        _both(slope=_SLOPE.replace("(w.sum(axis=1) @ x**2)", "(w.sum(axis=0) @ y**2)")),
        _VALUES,
        "should be 10, it is 0.1",
    ),
    "a correlation": Mutant(
        _both(
            slope=_SLOPE.replace(
                "(w.sum(axis=1) @ x**2)", "np.sqrt(w.sum(axis=1) @ x**2 * (w.sum(axis=0) @ y**2))"
            )
        ),
        _VALUES,
        "should be 10, it is 1",
    ),
    "means that aren't weighted": Mutant(
        _both(
            slope=_SLOPE.replace(
                "x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y", "x - x.mean(), y - y.mean()"
            )
        ),
        _VALUES,
        _FIRST,
    ),
    "through the origin": Mutant(
        _both(slope=_SLOPE.replace("x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y", "x, y")),
        _VALUES,
        _FIRST,
    ),
    "covariance alone": Mutant(
        _both(slope=_SLOPE.replace(" / (w.sum(axis=1) @ x**2)", "")), _VALUES, "should be 10"
    ),
    "rows that aren't weighted in the variance": Mutant(
        _both(slope=_SLOPE.replace("(w.sum(axis=1) @ x**2)", "(x @ x / len(x))")), _VALUES, _FIRST
    ),
    "the sign lost": Mutant(
        _both(slope=_SLOPE.replace("x @ w @ y", "np.abs(x @ w @ y)")), _VALUES, _FIRST
    ),
    "x by its place": Mutant(
        _both(slope=_SLOPE.replace("np.asarray(x, dtype=float)", "np.arange(len(x)) * 1.0")),
        _VALUES,
        _FIRST,
    ),
    "whole counts": Mutant(_both("np.round(np.maximum(noisy, 0))"), _VALUES, "should be 0.125"),
    "cut at 1 as well": Mutant(
        _both("np.where(noisy > 0.5, noisy, 0)"), _VALUES, "should be 0.125"
    ),
    "people drawn": Mutant(
        _both(
            "np.random.default_rng(0).multinomial(100_000, (np.maximum(noisy, 0)"
            " / np.maximum(noisy, 0).sum()).ravel()).reshape(noisy.shape)"
        ),
        _VALUES,
        _FIRST,
    ),
    "the table changed": Mutant(
        _both("np.maximum(noisy, 0)\n    noisy[0, 0] = 0"),
        _VALUES,
        "changes what it was given",
    ),
    "cut all the same": Mutant(_both(private="np.maximum(noisy, 0)"), _AVERAGE, _HALF),
    "a cut at one scale": Mutant(
        _both(private="np.where(noisy > np.median(np.abs(noisy)), noisy, 0)"), _AVERAGE, _HALF
    ),
    "all made smaller by the mean": Mutant(
        _both(private="np.maximum(noisy - noisy.mean(), 0)"), _AVERAGE, _HALF
    ),
    "absolute values for the private one": Mutant(_both(private="np.abs(noisy)"), _AVERAGE, _HALF),
    "the people by row are cut": Mutant(
        _both(
            best=_SLOPE.replace(
                "(w.sum(axis=1) @ x**2)",
                "(np.maximum(w, 0).sum(axis=1) @ x**2 / np.maximum(w, 0).sum() + 0.2 * x.var())",
            )
        ),
        _AVERAGE,
        _HALF,
    ),
    "twice the cut slope": Mutant(
        _both(private="np.maximum(noisy, 0)", best=_SLOPE.replace("return x", "return 2 * x")),
        _AVERAGE,
        _HALF,
    ),
    "a slope of means": Mutant(
        _both(
            private="np.maximum(noisy, 0)",
            best="""
    means = w @ np.asarray(y) / w.sum(axis=1)
    return np.polyfit(x, means, 1)[0]
""",
        ),
        _AVERAGE,
        _HALF,
    ),
    "one cell in forty": Mutant(
        _both(private="np.where(np.indices(np.shape(noisy)).sum(axis=0) % 40 == 0, noisy, 0)"),
        _SINGLE,
        _ALL,
    ),
    "ten rows": Mutant(
        _both(
            private="noisy[:10]",
            best=_SLOPE.replace("np.asarray(x, dtype=float)", "np.asarray(x, float)[:10]"),
        ),
        _SINGLE,
        _ALL,
    ),
    # Where hardly anybody is at the ends fewer than one in four of its slopes are near: 90 of 100
    # with a probability below 1e-40.
    "the ends only": Mutant(
        _both(
            private="noisy",
            best="""
    y = np.asarray(y, dtype=float)
    ends = [noisy[i] @ y / noisy[i].sum() for i in (0, -1)]
    return (ends[1] - ends[0]) / (x[-1] - x[0])
""",
        ),
        _SINGLE,
        _ALL,
    ),
    "cut in the table itself": Mutant(
        _both("np.asarray(noisy)\n    w[w < 0] = 0"), _VALUES, "changes what it was given"
    ),
    "places for x and y": Mutant(
        _both(
            best="""
    w = w / w.sum()
    x, y = np.linspace(x[0], x[-1], len(x)), np.linspace(y[0], y[-1], len(y))
    x, y = x - w.sum(axis=1) @ x, y - w.sum(axis=0) @ y
    return x @ w @ y / (w.sum(axis=1) @ x**2)
"""
        ),
        _AVERAGE,
        _HALF,
    ),
    "one and a half times the cut slope": Mutant(
        _both(private="np.maximum(noisy, 0)", best=_SLOPE.replace("return x", "return 1.5 * x")),
        _AVERAGE,
        _HALF,
    ),
    "arrays alone": Mutant(
        _both(
            best="""
    w = w / w.sum()
    people = w.sum(axis=1)
    return (x @ w @ y - people @ x * (w.sum(axis=0) @ y)) / (people @ x**2 - (people @ x) ** 2)
"""
        ),
        _AVERAGE,
        "raised TypeError",
    ),
    "places taken for evenly spaced": Mutant(
        _both(
            best="""
    x, y = (
        min(z) + np.argsort(np.argsort(z)) * (max(z) - min(z)) / (len(z) - 1) for z in (x, y)
    )
"""
            + _SLOPE.lstrip("\n")
        ),
        _AVERAGE,
        _HALF,
    ),
    "centred where they are": Mutant(
        _both(
            slope="""
    w = w / w.sum()
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x -= w.sum(axis=1) @ x
    return x @ w @ y / (w.sum(axis=1) @ x**2)
"""
        ),
        _VALUES,
        "changes what it was given",
    ),
}

ANSWERS = Answers("synthetic_slope", RIGHT, MUTANTS)
