"""Answers to `private_series` and `series_density`. The mistakes: n, the cells, what is cut."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = "not np.all((x >= 0) & (x <= 1)) or not epsilon > 0"
_DENSITY = """
def series_density(b, cells):
    middles = (np.arange(cells) + 0.5) / cells
    curve = np.ones(cells)
    for j in range(1, len(b) + 1):
        curve += b[j - 1] * np.sqrt(2) * np.cos(np.pi * j * middles)
    kept = np.maximum(curve, 0)
    return kept / kept.mean()
"""


def _both(
    means: str = "np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])",
    noise: str = "rng.laplace(scale=move / (len(x) * epsilon), size=m)",
    check: str = _CHECK,
    density: str = _DENSITY,
) -> str:
    """Both functions with these parts."""
    return f"""
def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if {check}:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    return {means} + {noise}


{density.strip()}
"""


RIGHT = {
    "cosine by cosine": _both(),
    "a table": _both(
        "np.sqrt(2) * np.cos(np.pi * np.outer(x, 1 + np.arange(m))).sum(axis=0) / len(x)",
        "move / len(x) / epsilon * rng.laplace(size=m)",
        "not (x.min() >= 0 and x.max() <= 1 and epsilon > 0)",
        """
def series_density(b, cells):
    angles = np.pi * np.outer((np.arange(cells) + 0.5) / cells, np.arange(len(b)) + 1)
    kept = np.clip(1 + np.sqrt(2) * np.cos(angles) @ np.asarray(b), 0, None)
    return kept * cells / kept.sum()
""",
    ),
    "plain Python": """
def private_series(x, m, move, epsilon, rng):
    if not epsilon > 0:
        raise ValueError(f"epsilon must be above 0, not {epsilon}")
    for value in x:
        if not 0 <= value <= 1:
            raise ValueError(f"everybody must be from 0 to 1, not at {value}")
    n = len(x)
    noisy = []
    for j in range(1, m + 1):
        total = math.fsum(math.sqrt(2) * math.cos(math.pi * j * value) for value in x)
        noisy.append(total / n + rng.laplace(0, move / (n * epsilon)))
    return noisy


def series_density(b, cells):
    kept = []
    for i in range(cells):
        t = (i + 0.5) / cells
        height = 1 + sum(c * math.sqrt(2) * math.cos(math.pi * j * t) for j, c in enumerate(b, 1))
        kept.append(max(height, 0))
    mean = sum(kept) / cells
    return [height / mean for height in kept]
""",
    "numpy's linspace": _both(
        density="""
def series_density(b, cells):
    ends = np.linspace(0, 1, cells + 1)
    middles = (ends[:-1] + ends[1:]) / 2
    terms = np.cos(np.pi * np.arange(1, len(b) + 1)[:, None] * middles) * 2**0.5
    heights = 1 + (np.array(b)[:, None] * terms).sum(axis=0)
    heights[heights < 0] = 0
    return heights / np.average(heights)
"""
    ),
}

_MEANS, _NOISE = "private_series_means", "private_series_noise"
_CURVE, _INPUT = "private_series_curve", "private_series_input"
_MEAN, _SCALE = "The mean over all people", "The scale is move / (n epsilon)"
_CELLS, _FIRST = "In the middles of the cells", "epsilon above 0"
_COSINES = "np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])"

MUTANTS = {
    "sums": Mutant(_both(_COSINES.replace("np.mean", "np.sum")), _MEANS, _MEAN),
    "without the root of 2": Mutant(
        _both(_COSINES.replace("np.sqrt(2) * ", "")), _MEANS, "should be [0.7071, 0]"
    ),
    "from 0 to m - 1": Mutant(
        _both(_COSINES.replace("range(1, m + 1)", "range(m)")), _MEANS, _MEAN
    ),
    "cosines of 2 pi j x": Mutant(_both(_COSINES.replace("np.pi", "2 * np.pi")), _MEANS, _MEAN),
    "sines": Mutant(_both(_COSINES.replace("np.cos", "np.sin")), _MEANS, _MEAN),
    "the cosine of the mean": Mutant(
        _both("np.array([np.sqrt(2) * np.cos(np.pi * j * x.mean()) for j in range(1, m + 1)])"),
        _MEANS,
        _MEAN,
    ),
    "each place once": Mutant(_both(_COSINES.replace("* x)", "* np.unique(x))")), _MEANS, _MEAN),
    "to four decimals": Mutant(_both(f"np.round({_COSINES}, 4)"), _MEANS, _MEAN),
    "the noise of the sums": Mutant(
        _both(noise="rng.laplace(scale=move / epsilon, size=m)"), _NOISE, _SCALE
    ),
    "the notes' scale": Mutant(
        _both(noise="rng.laplace(scale=m / (len(x) * epsilon), size=m)"), _NOISE, _SCALE
    ),
    "the sensitivity taken for the deviation": Mutant(
        _both(noise="rng.laplace(scale=move / (2**0.5 * len(x) * epsilon), size=m)"), _NOISE, _SCALE
    ),
    "a budget for each mean": Mutant(
        _both(noise="rng.laplace(scale=move / (m * len(x) * epsilon), size=m)"), _NOISE, _SCALE
    ),
    "the budget split as well": Mutant(
        _both(noise="rng.laplace(scale=m * move / (len(x) * epsilon), size=m)"), _NOISE, _SCALE
    ),
    "one draw for all": Mutant(
        _both(noise="rng.laplace(scale=move / (len(x) * epsilon))"), _NOISE, _SCALE
    ),
    "no noise for one person": Mutant(
        _both(noise="(len(x) > 1) * rng.laplace(scale=move / (len(x) * epsilon), size=m)"),
        _NOISE,
        _SCALE,
    ),
    "no noise on high frequencies": Mutant(
        _both(noise="(np.arange(m) < 100) * rng.laplace(scale=move / (len(x) * epsilon), size=m)"),
        _NOISE,
        _SCALE,
    ),
    "noise cut off": Mutant(
        _both(noise="np.clip(rng.laplace(size=m), -40, 40) * move / (len(x) * epsilon)"),
        _NOISE,
        _SCALE,
    ),
    "means stay within the root of 2": Mutant(
        """
def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if np.any(x < 0) or np.any(x > 1) or epsilon <= 0:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
    noisy = means + rng.laplace(scale=move / (len(x) * epsilon), size=m)
    return np.clip(noisy, -np.sqrt(2), np.sqrt(2))
"""
        + _DENSITY,
        _NOISE,
        _SCALE,
    ),
    "a generator of its own": Mutant(
        _both(noise="np.random.default_rng(3).laplace(scale=move / (len(x) * epsilon), size=m)"),
        _NOISE,
        _SCALE,
    ),
    "fresh noise for the first call alone": Mutant(
        """
_drawn = {}


def private_series(x, m, move, epsilon, rng):
    x = np.asarray(x, dtype=float)
    if np.any(x < 0) or np.any(x > 1) or epsilon <= 0:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    key = id(rng), len(x), m
    if key not in _drawn:
        _drawn[key] = rng, rng.laplace(size=m)
    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
    return means + _drawn[key][1] * move / (len(x) * epsilon)
"""
        + _DENSITY,
        _NOISE,
        "at each call anew",
    ),
    "left ends of the cells": Mutant(
        _both(density=_DENSITY.replace("np.arange(cells) + 0.5", "np.arange(cells)")),
        _CURVE,
        "should be [2, 0]",
    ),
    "from end to end": Mutant(
        _both(
            density=_DENSITY.replace("(np.arange(cells) + 0.5) / cells", "np.linspace(0, 1, cells)")
        ),
        _CURVE,
        _CELLS,
    ),
    "without the 1": Mutant(_both(density=_DENSITY.replace("np.ones", "np.zeros")), _CURVE, _CELLS),
    "nothing is cut": Mutant(
        _both(density=_DENSITY.replace("np.maximum(curve, 0)", "curve")), _CURVE, "[2, 0]"
    ),
    "not scaled": Mutant(
        _both(density=_DENSITY.replace("kept / kept.mean()", "kept")), _CURVE, "should be [2, 0]"
    ),
    "the sum is 1": Mutant(
        _both(density=_DENSITY.replace("kept.mean()", "kept.sum()")), _CURVE, "it is [1, 0]"
    ),
    "absolute values": Mutant(
        _both(density=_DENSITY.replace("np.maximum(curve, 0)", "np.abs(curve)")), _CURVE, _CELLS
    ),
    "shifted up": Mutant(
        _both(
            density=_DENSITY.replace("np.maximum(curve, 0)", "curve - np.minimum(curve.min(), 0)")
        ),
        _CURVE,
        _CELLS,
    ),
    "fifty cosines at most": Mutant(
        _both(density=_DENSITY.replace("len(b) + 1", "min(len(b), 50) + 1")), _CURVE, _CELLS
    ),
    "people beyond the ends are brought back": Mutant(
        _both(_COSINES.replace("* x)", "* np.clip(x, 0, 1))"), check="epsilon <= 0"),
        _INPUT,
        "should raise ValueError",
    ),
    "only the first is looked at": Mutant(
        _both(check="not (0 <= x[0] <= 1 and epsilon > 0)"), _INPUT, "should raise ValueError"
    ),
    "a little beyond the ends": Mutant(
        _both(check="not (np.all(abs(x - 0.5) <= 0.5 + 1e-6) and epsilon > 0)"), _INPUT, _FIRST
    ),
    "the ends are refused": Mutant(
        _both(check="np.any(x <= 0) or np.any(x >= 1) or epsilon <= 0"), _MEANS, "raised ValueError"
    ),
    "any epsilon": Mutant(
        _both(
            check="np.any(x < 0) or np.any(x > 1)",
            noise="rng.laplace(size=m) * move / (len(x) * np.float64(epsilon))",
        ),
        _INPUT,
        _FIRST,
    ),
    "checked after the draw": Mutant(
        """
def private_series(x, m, move, epsilon, rng):
    x, noise = np.asarray(x, dtype=float), rng.laplace(size=m)
    if np.any(x < 0) or np.any(x > 1) or epsilon <= 0:
        raise ValueError("x must be from 0 to 1, and epsilon above 0")
    means = np.array([np.mean(np.sqrt(2) * np.cos(np.pi * j * x)) for j in range(1, m + 1)])
    return means + move / (len(x) * epsilon) * noise
"""
        + _DENSITY,
        _INPUT,
        "drawn",
    ),
    "dplab's mechanism": Mutant(
        """
def private_series(x, m, move, epsilon, rng):
    from dplab.synthesis import series_mechanism

    return series_mechanism(m, len(x), epsilon=epsilon)(x, rng)
"""
        + _DENSITY,
        _MEANS,
        "off limits",
    ),
    "dplab's curve": Mutant(
        _both(
            density="""
def series_density(b, cells):
    from dplab.synthesis import series_curve

    kept = np.maximum(series_curve(b, (np.arange(cells) + 0.5) / cells), 0)
    return kept / kept.mean()
"""
        ),
        _CURVE,
        "off limits",
    ),
    "only the ends are looked at": Mutant(
        _both(check="not (x[0] >= 0 and x[-1] <= 1 and epsilon > 0)"),
        _INPUT,
        "should raise ValueError",
    ),
    "the first and the last are looked at": Mutant(
        _both(check="not (0 <= x[0] <= 1 and 0 <= x[-1] <= 1 and epsilon > 0)"),
        _INPUT,
        "should raise ValueError",
    ),
    "no number is let through": Mutant(
        _both(check="np.any(x < 0) or np.any(x > 1) or not epsilon > 0"),
        _INPUT,
        "should raise ValueError",
    ),
    "an epsilon that is no number": Mutant(
        _both(check=_CHECK.replace("not epsilon > 0", "epsilon <= 0")),
        _INPUT,
        "should raise ValueError",
    ),
    "sorted to look at both ends": Mutant(
        _both(check="x.sort() or not (0 <= x[0] and x[-1] <= 1 and epsilon > 0)"),
        _INPUT,
        "changes what it was given",
    ),
}

ANSWERS = Answers("private_series", RIGHT, MUTANTS)
