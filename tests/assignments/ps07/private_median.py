"""Answers to `private_median`. The mistakes: noise on the median, lengths, the rate, the range."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _steps(
    logs: str,
    *,
    values: str = "np.clip(values, lower, upper)",
    last: str = "edges[chosen] + lengths[chosen] * rng.random(size)",
) -> str:
    """The answer with these log weights in lengths, k (values below), n and epsilon."""
    return f"""
def private_median(values, lower, upper, epsilon, size, rng):
    edges = np.concatenate([[lower], np.sort({values}), [upper]])
    n, lengths, k = len(values), np.diff(edges), np.arange(len(values) + 1)
    with np.errstate(all="ignore"):
        logs = {logs}
    weights = np.exp(logs - logs.max())
    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
    return {last}
"""


def _noisy(scale: str) -> str:
    """Laplace noise of this scale on the median, clipped."""
    return f"""
def private_median(values, lower, upper, epsilon, size, rng):
    n = len(values)
    median = np.median(np.clip(values, lower, upper))
    return np.clip(median + rng.laplace(scale={scale}, size=size), lower, upper)
"""


def _inverse(*args: str, **parts: str) -> str:
    """`_steps` with the distribution function in the place of rng.choice, which tests can see."""
    return _steps(*args, **parts).replace(
        "rng.choice(n + 1, size=size, p=weights / weights.sum())",
        "np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(size)).clip(0, n)",
    )


_POINT = "edges[chosen] + lengths[chosen] * rng.random(size)"
_LOGS = "np.log(lengths) - epsilon / 2 * np.abs(k - n / 2)"

RIGHT = {
    "two steps": _steps(_LOGS),
    "the counts of all, shuffled": _steps(_LOGS).replace(
        "chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())",
        "chosen = np.repeat(k, rng.multinomial(size, weights / weights.sum()))\n"
        "    rng.shuffle(chosen)",
    ),
    "Gumbel and uniform": """
def private_median(values, lower, upper, epsilon, size, rng):
    inside = sorted(min(max(float(value), lower), upper) for value in values)
    edges = np.unique([lower, *inside, upper])
    below = np.searchsorted(inside, edges[:-1], side="right")
    logs = np.log(np.diff(edges)) - epsilon * np.abs(below - len(values) / 2) / 2
    if len(logs) * size < 5_000_000:
        chosen = (logs + rng.gumbel(size=(size, len(logs)))).argmax(axis=1)
    else:
        chosen = np.array([np.argmax(logs + rng.gumbel(size=len(logs))) for _ in range(size)])
    return rng.uniform(edges[chosen], edges[chosen + 1])
""",
    "by the distribution function": """
def private_median(values, lower, upper, epsilon, size, rng):
    points = np.sort(np.concatenate([np.clip(values, lower, upper), [lower, upper]]))
    gaps = points[1:] - points[:-1]
    score = -np.abs(np.arange(len(gaps)) - len(values) / 2)
    score = score - score[gaps > 0].max()
    weights = np.where(gaps > 0, gaps * np.exp(epsilon / 2 * score), 0)
    below = np.concatenate([[0], np.cumsum(weights)])
    return np.interp(rng.random(size) * below[-1], below, points)
""",
}

MUTANTS = {
    "the median itself": Mutant(
        """
def private_median(values, lower, upper, epsilon, size, rng):
    return np.full(size, np.median(np.clip(values, lower, upper)))
""",
        "private_median_private",
        "prove a privacy loss of at least",
    ),
    "noise for a mean": Mutant(
        _noisy("(upper - lower) / (n * epsilon)"), "private_median_private", "the promise is 1"
    ),
    "noise as wide as the range": Mutant(
        _noisy("(upper - lower) / epsilon"), "private_median_useful", "expected from 0.85 to 1"
    ),
    "noise that the data choose": Mutant(
        _noisy("(np.ptp(np.clip(values, lower, upper)) + 1e-9) / (n * epsilon)"),
        "private_median_private",
        "prove a privacy loss of at least",
    ),
    "twice the rate": Mutant(
        _steps(_LOGS.replace("epsilon / 2", "epsilon")),
        "private_median_private",
        "How far can one value move the weights",
    ),
    "half the rate": Mutant(
        _steps(_LOGS.replace("epsilon / 2", "epsilon / 4")),
        "private_median_useful",
        "divided by 2 and by nothing else",
    ),
    "lengths forgotten": Mutant(
        _steps(_LOGS.replace("np.log(lengths)", "0 * lengths")),
        "private_median_private",
        "weighed by its length",
    ),
    "one of the values": Mutant(
        _steps(_LOGS, last="edges[chosen]"), "private_median_private", "prove a privacy loss"
    ),
    "the middles of intervals": Mutant(
        _steps(_LOGS, last="edges[chosen] + lengths[chosen] / 2"),
        "private_median_private",
        "prove a privacy loss",
    ),
    "the best interval always": Mutant(
        _steps(_LOGS).replace(
            "rng.choice(n + 1, size=size, p=weights / weights.sum())",
            "np.full(size, np.argmax(weights))",
        ),
        "private_median_private",
        "prove a privacy loss",
    ),
    "a quarter instead of a half": Mutant(
        _steps(_LOGS.replace("n / 2", "n / 4")), "private_median_useful", "measured from n / 2"
    ),
    "ranks as a share": Mutant(
        _steps(_LOGS.replace("np.abs(k - n / 2)", "np.abs(k / n - 1 / 2)")),
        "private_median_useful",
        "divided by 2 and by nothing else",
    ),
    "any point of the range": Mutant(
        """
def private_median(values, lower, upper, epsilon, size, rng):
    return rng.uniform(lower, upper, size=size)
""",
        "private_median_useful",
        "rank within 6",
    ),
    "values left outside": Mutant(
        _steps("np.log(np.abs(lengths)) - epsilon / 2 * np.abs(k - n / 2)", values="values"),
        "private_median_range",
        "Clip the values first",
    ),
    "no logarithms": Mutant(
        """
def private_median(values, lower, upper, epsilon, size, rng):
    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
    n, lengths = len(values), np.diff(edges)
    weights = lengths * np.exp(-epsilon / 2 * np.abs(np.arange(n + 1) - n / 2))
    chosen = rng.choice(n + 1, size=size, p=weights / weights.sum())
    return edges[chosen] + lengths[chosen] * rng.random(size)
""",
        "private_median_range",
        "raised ValueError",
    ),
    "one release": Mutant(
        _steps(_LOGS, last="float((edges[chosen] + lengths[chosen] * rng.random(size))[0])"),
        "private_median_range",
        "should be an array of shape (50,), it is one number",
    ),
    "a generator of its own": Mutant(
        _steps(_LOGS).replace("    edges =", "    rng = np.random.default_rng()\n    edges =", 1),
        "private_median_generator",
        "gives two results for one seed",
    ),
    "a fixed seed": Mutant(
        _steps(_LOGS).replace("    edges =", "    rng = np.random.default_rng(13)\n    edges =", 1),
        "private_median_generator",
        "gives the same result for two seeds",
    ),
    "one draw, repeated": Mutant(
        _steps(
            _LOGS, last="np.repeat((edges[chosen] + lengths[chosen] * rng.random(size))[:1], size)"
        ),
        "private_median_generator",
        "releases the same number twenty times",
    ),
    "dplab's own law": Mutant(
        """
from dplab import PrivateQuantile


def private_median(values, lower, upper, epsilon, size, rng):
    return PrivateQuantile(lower, upper, epsilon).distribution(values).sample(rng, size)
""",
        "private_median_range",
        "off limits",
    ),
    "epsilon a little larger": Mutant(
        _steps(_LOGS.replace("epsilon / 2", "1.03 * epsilon / 2")),
        "private_median_exact",
        "by more than epsilon",
    ),
    "only the middle 41 ranks": Mutant(
        _steps(
            _LOGS.replace(
                "np.abs(k - n / 2)", "np.where(np.abs(k - n / 2) > 20, np.inf, np.abs(k - n / 2))"
            )
        ),
        "private_median_exact",
        "by more than epsilon",
    ),
    "short intervals taken for longer": Mutant(
        _steps(_LOGS.replace("np.log(lengths)", "np.log(np.maximum(lengths, 0.01))")),
        "private_median_exact",
        "by more than epsilon",
    ),
    "no noise among more than 1,000": Mutant(
        _steps(
            _LOGS,
            last=f"np.full(size, np.median(values)) if n > 1000 else {_POINT}",
        ),
        "private_median_range",
        "somebody's value",
    ),
    "no noise at an epsilon of 10 or more": Mutant(
        _steps(
            _LOGS,
            last=f"np.full(size, np.median(values)) if epsilon >= 10 else {_POINT}",
        ),
        "private_median_range",
        "somebody's value",
    ),
    "no noise for one": Mutant(
        _steps(
            _LOGS,
            last=f"np.full(size, edges[1]) if n == 1 else {_POINT}",
        ),
        "private_median_range",
        "somebody's value",
    ),
    "1,023 releases again and again": Mutant(
        _steps(
            _LOGS,
            last=f"np.resize(({_POINT})[:1023], size)",
        ),
        "private_median_generator",
        "draws of its own",
    ),
    "10,000 releases again": Mutant(
        _steps(_LOGS, last=f"np.resize(({_POINT})[:10_000], size)"),
        "private_median_generator",
        "draws of its own",
    ),
    "two releases share the place in their intervals": Mutant(
        _steps(
            _LOGS, last=_POINT.replace("rng.random(size)", "np.repeat(rng.random(size), 2)[:size]")
        ),
        "private_median_generator",
        "draws of its own",
    ),
    "the last release is the first": Mutant(
        _steps(_LOGS, last=f"np.resize(({_POINT})[: max(1, size - 1)], size)"),
        "private_median_generator",
        "draws of its own",
    ),
    "not too near to anybody": Mutant(
        _steps(_LOGS, last=_POINT.replace("random(size)", "uniform(0.01, 0.99, size)")),
        "private_median_exact",
        "releases keep away from the values",
    ),
    "no noise among more than 5,000": Mutant(
        _steps(_LOGS, last=f"np.full(size, np.median(values)) if n > 5000 else {_POINT}"),
        "private_median_range",
        "somebody's value",
    ),
    "whole numbers clipped to whole numbers": Mutant(
        _steps(_LOGS, values="np.clip(values, lower, upper).astype(np.asarray(values).dtype)"),
        "private_median_range",
        "raised ValueError",
    ),
    "epsilon twice among more than 10, by the distribution function": Mutant(
        _inverse(_LOGS.replace("epsilon / 2", "(epsilon if n > 10 else epsilon / 2)")),
        "private_median_private",
        "prove a privacy loss",
    ),
    "not too near to anybody, by the distribution function": Mutant(
        _inverse(_LOGS, last=_POINT.replace("random(size)", "uniform(0.005, 0.995, size)")),
        "private_median_private",
        "prove a privacy loss",
    ),
    "no interval too short, by the distribution function": Mutant(
        _inverse(
            _LOGS.replace("np.log(lengths)", "np.log(np.maximum(lengths, (upper - lower) / 1000))")
        ),
        "private_median_range",
        "somebody's value",
    ),
    "one of 65,536 seeds": Mutant(
        _steps(_LOGS).replace(
            "    edges =", "    rng = np.random.default_rng(rng.integers(2**16))\n    edges =", 1
        ),
        "private_median_generator",
        "those of another call",
    ),
    "the law of as many other values, remembered": Mutant(
        "_known = {}\n\n"
        + _steps(_LOGS).replace(
            "    chosen =",
            "    key = n, float(lower), float(upper), float(epsilon)\n"
            "    edges, lengths, weights = _known.setdefault(key, (edges, lengths, weights))\n"
            "    chosen =",
        ),
        "private_median_exact",
        "Is another call's law remembered?",
    ),
    "values sorted in place": Mutant(
        _steps(_LOGS).replace("    edges =", "    values.sort()\n    edges ="),
        "private_median_range",
        "changes what it was given",
    ),
    "epsilon three times for more than 3,000 values": Mutant(
        _steps(_LOGS).replace(
            "    n, lengths", "    epsilon *= 1 + 2 * (len(values) > 3000)\n    n, lengths"
        ),
        "private_median_exact",
        "by more than epsilon",
    ),
    "near the value of more than twenty equals": Mutant(
        _steps(_LOGS).replace(
            "    n, lengths",
            "    if len(values) > 20 and np.ptp(edges[1:-1]) == 0:\n"
            "        near = edges[1] + 1e-6 * (upper - lower) * (rng.random(size) - 0.5)\n"
            "        return np.clip(near, lower, upper)\n    n, lengths",
        ),
        "private_median_private",
        "prove a privacy loss",
    ),
}

ANSWERS = Answers("private_median", RIGHT, MUTANTS)
