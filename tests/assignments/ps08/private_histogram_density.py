"""Answers to `private_histogram_density`. The mistakes: the scale, the widths, an empty road."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SCALE = "scale is 2 / epsilon"


def _density(
    counts: str = "np.histogram(values, edges)[0]",
    noise: str = "rng.laplace(scale=2 / epsilon, size=len(widths))",
    kept: str = "np.maximum(noisy, 0)",
    none: str = "kept = widths",
    result: str = "kept / kept.sum() / widths",
    check: str = "not epsilon > 0",
) -> str:
    """The text of `private_histogram_density` with these parts."""
    return f"""
def private_histogram_density(values, edges, epsilon, rng):
    if {check}:
        raise ValueError("epsilon must be above 0")
    edges = np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    counts = {counts}
    noisy = counts + {noise}
    kept = {kept}
    if kept.sum() == 0:
        {none}
    return {result}
"""


RIGHT = {
    "numpy's histogram": _density(),
    "a loop over bins": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError(f"no promise at epsilon = {epsilon}")
    m, values = len(edges) - 1, np.asarray(values)
    kept = []
    for j in range(m):
        inside = (values >= edges[j]) & (values < edges[j + 1])
        if j == m - 1:
            inside = (values >= edges[j]) & (values <= edges[j + 1])
        noisy = inside.sum() + rng.laplace(0, 2 / epsilon)
        kept.append(max(noisy, 0.0))
    total = sum(kept)
    if total == 0:
        return [1 / (edges[-1] - edges[0])] * m
    return [kept[j] / total / (edges[j + 1] - edges[j]) for j in range(m)]
""",
    "by searching the edges": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon")
    edges, m = np.asarray(edges, dtype=float), len(edges) - 1
    places = np.minimum(np.searchsorted(edges, np.asarray(values, float), side="right") - 1, m - 1)
    noisy = np.bincount(places, minlength=m) + 2 / epsilon * rng.laplace(size=m)
    kept = np.where(noisy > 0, noisy, 0)
    total = kept @ np.ones(m)
    shares = kept / total if total > 0 else np.diff(edges) / (edges[-1] - edges[0])
    return shares / (edges[1:] - edges[:-1])
""",
    "a loop over values and bins": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    m = len(edges) - 1
    counts = [0] * m
    for value in values:
        for j in range(m):
            if edges[j] <= value < edges[j + 1] or (j == m - 1 and value == edges[m]):
                counts[j] += 1
                break
    kept = [max(0, count + rng.laplace(0, 2 / epsilon)) for count in counts]
    if sum(kept) == 0:
        return [1 / (edges[m] - edges[0])] * m
    return [kept[j] / sum(kept) / (edges[j + 1] - edges[j]) for j in range(m)]
""",
    "numpy's own density": """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    kept = np.histogram(values, bins=edges)[0] + rng.laplace(0.0, 2 / epsilon, len(edges) - 1)
    kept[kept < 0] = 0
    middles = (np.array(edges[1:]) + np.array(edges[:-1])) / 2
    if not kept.any():
        kept = np.diff(edges)
    return np.histogram(middles, bins=edges, weights=kept, density=True)[0]
""",
}

_VALUES, _NOISE = "private_histogram_density_values", "private_histogram_density_noise"
_EMPTY, _SOURCE = "private_histogram_density_empty", "private_histogram_density_source"
_INPUT = "private_histogram_density_input"

MUTANTS = {
    "one person moves one count": Mutant(
        _density(noise="rng.laplace(scale=1 / epsilon, size=len(widths))"),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "shares in place of heights": Mutant(
        _density(none="kept = np.ones(len(widths))", result="kept / kept.sum()"),
        _VALUES,
        "should be [1.333, 0.6667], it is [0.6667, 0.3333]",
    ),
    "as if bins were equally wide": Mutant(
        _density(result="kept / kept.sum() * len(widths) / (edges[-1] - edges[0])"),
        _VALUES,
        "divided by its width",
    ),
    "divided by the number of people": Mutant(
        _density(result="kept / max(1, len(values)) / widths"),
        _NOISE,
        "it is [2, 0.3333]",
    ),
    "scaled before the cut": Mutant(
        _density(kept="np.maximum(noisy / noisy.sum(), 0)", result="kept / widths"),
        _NOISE,
        "should be [0.3571, 0, 0.07143]",
    ),
    "absolute values": Mutant(_density(kept="np.abs(noisy)"), _NOISE, "drop what is below 0"),
    "shifted up to 0": Mutant(
        _density(kept="noisy - min(noisy.min(), 0)"), _NOISE, "drop what is below 0"
    ),
    "rounded counts": Mutant(
        _density(kept="np.maximum(np.round(noisy), 0)"), _NOISE, "Add 2 / epsilon times the draw"
    ),
    "noise on the shares": Mutant(
        _density(
            counts="np.histogram(values, edges)[0] / max(1, len(values))",
            noise="rng.laplace(scale=2 / epsilon, size=len(widths))",
        ),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "noise of each bin by its width": Mutant(
        _density(noise="rng.laplace(scale=2 / epsilon, size=len(widths)) * widths"),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "the budget split among the bins": Mutant(
        _density(noise="rng.laplace(scale=2 * len(widths) / epsilon, size=len(widths))"),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "the noise subtracted": Mutant(
        _density(noise="-rng.laplace(scale=2 / epsilon, size=len(widths))"),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "one draw for all bins": Mutant(
        _density(noise="rng.laplace(scale=2 / epsilon)"), _NOISE, "Add 2 / epsilon"
    ),
    "no noise where nobody is": Mutant(
        _density(kept="np.where(counts > 0, np.maximum(noisy, 0), 0)"),
        _EMPTY,
        "should be [0, 0.3333]",
    ),
    "no noise for many people": Mutant(
        _density(noise="(len(values) < 5000) * rng.laplace(scale=2 / epsilon, size=len(widths))"),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "noise cut off at thirty scales": Mutant(
        _density(
            noise="np.clip(rng.laplace(size=len(widths)), -30, 30) * 2 / epsilon",
        ),
        _NOISE,
        "Add 2 / epsilon times the draw",
    ),
    "right edges belong to bins": Mutant(
        _density(
            counts="np.bincount(np.clip(np.searchsorted(edges, np.asarray(values, float)) - 1,"
            " 0, None), minlength=len(widths))"
        ),
        _VALUES,
        "Left edges belong to a bin",
    ),
    "the last edge is in no bin": Mutant(
        _density(
            counts="np.array([((np.asarray(values) >= a) & (np.asarray(values) < b)).sum()"
            " for a, b in zip(edges[:-1], edges[1:])])"
        ),
        _VALUES,
        "should be [0.25, 0.25]",
    ),
    "equal bins between the ends": Mutant(
        _density(counts="np.histogram(values, len(widths), (edges[0], edges[-1]))[0]"),
        _VALUES,
        "it is [0.5, 0.1667]",
    ),
    "the same share where nothing is left": Mutant(
        _density(none="kept = np.ones(len(widths))"), _EMPTY, "it is [0.5, 0.1667]"
    ),
    "zeros where nothing is left": Mutant(
        _density(none="return kept"), _EMPTY, "should be [0.25, 0.25], it is [0, 0]"
    ),
    "not a number where nothing is left": Mutant(
        _density(none="pass"), _EMPTY, "should be [0.25, 0.25], it is [nan, nan]"
    ),
    "the counts themselves where nothing is left": Mutant(
        _density(none="kept = counts + (counts.sum() == 0) * widths"),
        _EMPTY,
        "1 over the whole length",
    ),
    "drawn again until something is left": Mutant(
        """
def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    counts, kept = np.histogram(values, edges)[0], np.zeros(1)
    while not kept.any():
        kept = np.maximum(counts + rng.laplace(scale=2 / epsilon, size=len(counts)), 0)
    return kept / kept.sum() / np.diff(edges)
""",
        _EMPTY,
        "one more is taken",
    ),
    "what is below one half is nobody": Mutant(
        _density(kept="np.where(noisy > 0.5, noisy, 0)"), _EMPTY, "should be [0, 0.3333]"
    ),
    "nobody, so flat": Mutant(
        _density(kept="np.maximum(noisy, 0) if len(values) else np.zeros(len(widths))"),
        _EMPTY,
        "should be [0, 0.3333]",
    ),
    "a generator of its own": Mutant(
        _density(noise="np.random.default_rng(8).laplace(scale=2 / epsilon, size=len(widths))"),
        _SOURCE,
        "gives the same result for two seeds",
    ),
    "the global generator": Mutant(
        _density(noise="np.random.laplace(scale=2 / epsilon, size=len(widths))"),
        _SOURCE,
        "gives two results for one seed",
    ),
    "noise again after 1,000 bins": Mutant(
        _density(
            noise="np.resize(rng.laplace(scale=2 / epsilon, size=min(len(widths), 1000)),"
            " len(widths))"
        ),
        _SOURCE,
        "at each call anew, once a bin",
    ),
    "the first draw kept for later calls": Mutant(
        """
_noise = {}


def private_histogram_density(values, edges, epsilon, rng):
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    widths = np.diff(edges)
    key = id(rng), len(widths)
    if key not in _noise:
        _noise[key] = rng, rng.laplace(size=len(widths))
    counts = np.histogram(values, edges)[0]
    kept = np.maximum(counts + _noise[key][1] * 2 / epsilon, 0)
    if not kept.any():
        kept = widths
    return kept / kept.sum() / widths
""",
        _SOURCE,
        "at each call anew",
    ),
    "any epsilon": Mutant(
        _density(check="False", noise="rng.laplace(size=len(widths)) * 2 / np.float64(epsilon)"),
        _INPUT,
        "epsilon must be above 0, and that is checked first",
    ),
    "an epsilon of 0": Mutant(
        _density(
            check="epsilon < 0", noise="rng.laplace(size=len(widths)) * 2 / (epsilon + 1e-99)"
        ),
        _INPUT,
        "should raise ValueError",
    ),
    "checked after the draw": Mutant(
        """
def private_histogram_density(values, edges, epsilon, rng):
    widths = np.diff(edges)
    draws = rng.laplace(size=len(widths))
    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    kept = np.maximum(np.histogram(values, edges)[0] + draws * 2 / epsilon, 0)
    if not kept.any():
        kept = widths
    return kept / kept.sum() / widths
""",
        _INPUT,
        "the number of draws at epsilon = 0 should be 0",
    ),
    "an assertion": Mutant(
        _density(check="not epsilon > 0 and not print() and exec('assert False')"),
        _INPUT,
        "it raised AssertionError",
    ),
    "dplab's mechanism": Mutant(
        """
def private_histogram_density(values, edges, epsilon, rng):
    from dplab import LaplaceMechanism
    from dplab.synthesis import histogram_density

    if not epsilon > 0:
        raise ValueError("epsilon must be above 0")
    count = LaplaceMechanism(lambda x: np.histogram(x, edges)[0], 2, epsilon)
    law = histogram_density(count(values, rng), edges)
    return np.exp(law.log_heights)
""",
        _VALUES,
        "off limits",
    ),
    "values sorted in place": Mutant(
        _density(counts="(values.sort(), np.histogram(values, edges)[0])[1]"),
        _VALUES,
        "changes what it was given",
    ),
    "the last edge is in no bin of 500 or more": Mutant(
        _density(
            counts="np.histogram([v for v in values if len(edges) < 500 or v < edges[-1]],"
            " edges)[0]"
        ),
        _VALUES,
        "The share of the values in each bin",
    ),
    "no number is let through": Mutant(
        _density(check="epsilon <= 0"), _INPUT, "should raise ValueError"
    ),
    "what is nearly at an edge is at it": Mutant(
        _density("np.histogram(values, np.append(edges[:-1] - 1e-9, edges[-1]))[0]"),
        "private_histogram_density_values",
        "Left edges belong to a bin",
    ),
    "flat where hardly anything is left": Mutant(
        _density().replace("kept.sum() == 0", "kept.sum() < 1e-9"),
        _EMPTY,
        "however small it is",
    ),
}

ANSWERS = Answers("private_histogram_density", RIGHT, MUTANTS)
