"""Answers to `private_mean`. The mistakes: no noise on the count, a wrong scale, a step missing."""

from autograder.rehearsal.catalogue import Answers, Mutant

_BODY = """
def private_mean(values, lower, upper, epsilon, rng):
    values = np.array(values, dtype=float)
    center = (lower + upper) / 2
    clipped = np.clip(values, lower, upper)
    total = np.sum(clipped - center) + rng.laplace(0, (upper - lower) / epsilon)
    count = len(values) + rng.laplace(0, 2 / epsilon)
    mean = center + total / max(1, count)
    return min(max(mean, lower), upper)
"""


def _but(old: str, new: str) -> str:
    """The right answer with one text replaced."""
    assert old in _BODY
    return _BODY.replace(old, new)


RIGHT = {
    "step by step": _BODY,
    "a loop": """
def private_mean(values, lower, upper, epsilon, rng):
    center = lower + (upper - lower) / 2
    total, count = 0.0, 0
    for value in values:
        total += min(max(value, lower), upper) - center
        count += 1
    half = epsilon / 2
    total += rng.laplace(scale=(upper - lower) / 2 / half)
    count += rng.laplace(scale=1 / half)
    if count < 1:
        count = 1
    return float(np.clip(total / count + center, lower, upper))
""",
    "two draws at once": """
def private_mean(values, lower, upper, epsilon, rng):
    scales = np.array([upper - lower, 2]) / epsilon
    clipped = np.clip(values, lower, upper) - (lower + upper) / 2
    total, count = np.array([clipped.sum(), clipped.size]) + rng.laplace(0, scales)
    return np.clip(total / np.maximum(count, 1) + (lower + upper) / 2, lower, upper)
""",
}

MUTANTS = {
    "no noise at all": Mutant(
        _but(" + rng.laplace(0, (upper - lower) / epsilon)", "").replace(
            " + rng.laplace(0, 2 / epsilon)", ""
        ),
        "private_mean_privacy",
        "prove a privacy loss of at least",
    ),
    "a sum without noise": Mutant(
        _but(" + rng.laplace(0, (upper - lower) / epsilon)", ""),
        "private_mean_privacy",
        "depend on the data without noise",
    ),
    "a count without noise": Mutant(
        _but(" + rng.laplace(0, 2 / epsilon)", ""), "private_mean_exact", "should be 8, it is 7"
    ),
    "as if the number were known": Mutant(
        """
def private_mean(values, lower, upper, epsilon, rng):
    clipped = np.clip(values, lower, upper)
    mean = np.mean(clipped) + rng.laplace(0, (upper - lower) / (len(clipped) * epsilon))
    return np.clip(mean, lower, upper)
""",
        "private_mean_exact",
        "should be 8, it is",
    ),
    "epsilon spent twice": Mutant(
        _but("(upper - lower) / epsilon", "(upper - lower) / 2 / epsilon").replace(
            "2 / epsilon)\n    mean", "1 / epsilon)\n    mean"
        ),
        "private_mean_exact",
        "The scales are",
    ),
    "the scale of the sum without the midpoint": Mutant(
        _but("(upper - lower) / epsilon", "2 * max(abs(lower), abs(upper)) / epsilon"),
        "private_mean_exact",
        "should be 8, it is 8.5",
    ),
    "all of epsilon for the count": Mutant(
        _but("2 / epsilon", "1 / epsilon"), "private_mean_exact", "The scales are"
    ),
    "the count first": Mutant(
        """
def private_mean(values, lower, upper, epsilon, rng):
    center = (lower + upper) / 2
    clipped = np.clip(np.asarray(values, dtype=float), lower, upper)
    count = len(clipped) + rng.laplace(0, 2 / epsilon)
    total = np.sum(clipped - center) + rng.laplace(0, (upper - lower) / epsilon)
    return np.clip(center + total / max(1, count), lower, upper)
""",
        "private_mean_exact",
        "should be 8, it is",
    ),
    "not clipped": Mutant(
        _but("np.clip(values, lower, upper)", "values"),
        "private_mean_quiet",
        "should be 6.667, it is 10",
    ),
    "those outside left out": Mutant(
        _but(
            "np.clip(values, lower, upper)", "values[(values >= lower) & (values <= upper)]"
        ).replace("len(values)", "len(clipped)"),
        "private_mean_quiet",
        "should be 6.667, it is 5",
    ),
    "the shift not undone": Mutant(
        _but("center + total", "total"), "private_mean_quiet", "undo the shift"
    ),
    "clipped from above only": Mutant(
        _but("np.clip(values, lower, upper)", "np.minimum(values, upper)"),
        "private_mean_quiet",
        "Clip each value",
    ),
    "clipped in place": Mutant(
        """
def private_mean(values, lower, upper, epsilon, rng):
    center = (lower + upper) / 2
    values = np.asarray(values, dtype=float)
    values -= center
    np.clip(values, lower - center, upper - center, out=values)
    total = values.sum() + rng.laplace(0, (upper - lower) / epsilon)
    count = len(values) + rng.laplace(0, 2 / epsilon)
    return np.clip(center + total / max(1, count), lower, upper)
""",
        "private_mean_quiet",
        "Does the array stay as it is?",
    ),
    "divided by whatever the count is": Mutant(
        _but("max(1, count)", "count"), "private_mean_few", "never by less than 1"
    ),
    "the true count is what must be 1": Mutant(
        _but("max(1, count)", "(count if len(values) > 0 else 1)"),
        "private_mean_few",
        "should be 9.5, it is",
    ),
    "an empty register answered at once": Mutant(
        _BODY.replace(
            "    center =", "    if len(values) == 0:\n        return lower\n    center =", 1
        ),
        "private_mean_few",
        "should be 6, it is 0",
    ),
    "the result left outside": Mutant(
        _but("min(max(mean, lower), upper)", "mean"), "private_mean_few", "clip the result"
    ),
    "dplab's own": Mutant(
        """
from dplab import LaplaceMechanism


def private_mean(values, lower, upper, epsilon, rng):
    center = (lower + upper) / 2
    clipped = np.clip(np.asarray(values, dtype=float), lower, upper) - center
    total = LaplaceMechanism(np.sum, (upper - lower) / 2, epsilon / 2)(clipped, rng)
    count = LaplaceMechanism(len, 1, epsilon / 2)(clipped, rng)
    return np.clip(total / max(count, 1) + center, lower, upper)
""",
        "private_mean_quiet",
        "dplab.LaplaceMechanism is off limits in an answer",
    ),
    "epsilon times 1.03": Mutant(
        _but("    center =", "    epsilon *= 1.03\n    center ="),
        "private_mean_exact",
        "should be 8, it is 7.943",
    ),
    "no noise for many people": Mutant(
        _but("    center =", "    epsilon *= 1 if len(values) < 200 else 1e9\n    center ="),
        "private_mean_exact",
        "The scales are",
    ),
    "no noise from epsilon = 5 on": Mutant(
        _but("    center =", "    epsilon *= 1 if epsilon < 5 else 1e9\n    center ="),
        "private_mean_exact",
        "The scales are",
    ),
    "noise cut at 8 scales": Mutant(
        _but("rng.laplace(0, 2 / epsilon)", "np.clip(rng.laplace(), -8, 8) * 2 / epsilon"),
        "private_mean_exact",
        "The scales are",
    ),
    "a whole midpoint": Mutant(
        _but("(lower + upper) / 2", "(lower + upper) // 2"), "private_mean_exact", "The scales are"
    ),
    "everybody once": Mutant(
        _but("dtype=float)", "dtype=float)\n    values = np.unique(values)"),
        "private_mean_exact",
        "The scales are",
    ),
    "no interval narrower than 1": Mutant(
        _but("    center =", "    upper = max(upper, lower + 1)\n    center ="),
        "private_mean_exact",
        "The scales are",
    ),
    "the value that is nearest": Mutant(
        _but(
            "    return",
            "    if len(values) > 100:\n"
            "        mean = values[np.argmin(abs(values - mean))]\n    return",
        ),
        "private_mean_exact",
        "The scales are",
    ),
    "no noise where all agree": Mutant(
        _but(
            "    return",
            "    if len(values) > 3 and not np.ptp(values):\n        mean = values[0]\n    return",
        ),
        "private_mean_few",
        "should be 2.147, it is 3",
    ),
    "divided by at least 2, or by 1": Mutant(
        _but("max(1, count)", "(count if count >= 2 else 1)"),
        "private_mean_few",
        "never by less than 1",
    ),
    # It can tell a plain generator; what that one draws is known by its state.
    "less noise from a real source": Mutant(
        _but(
            "    center =",
            "    epsilon *= 1.2 if type(rng) is np.random.Generator else 1\n    center =",
        ),
        "private_mean_privacy",
        "both draws are new at each call",
    ),
    "a list clipped in place": Mutant(
        _but(
            "    values = np.array(values, dtype=float)\n",
            "    if isinstance(values, list):\n"
            "        values[:] = [min(max(value, lower), upper) for value in values]\n"
            "    values = np.array(values, dtype=float)\n",
        ),
        "private_mean_quiet",
        "changes what it was given",
    ),
    "a list sorted in place": Mutant(
        _but(
            "    values = np.array(values, dtype=float)\n",
            "    if isinstance(values, list):\n"
            "        values.sort()\n"
            "    values = np.array(values, dtype=float)\n",
        ),
        "private_mean_quiet",
        "changes what it was given",
    ),
    "nobody between far ends answered at once": Mutant(
        _but(
            "    mean =",
            "    if len(values) == 0 and upper - lower > 100:\n        return center\n    mean =",
        ),
        "private_mean_few",
        "never by less than 1",
    ),
    "whole numbers clipped as such": Mutant(
        _but("np.array(values, dtype=float)", "np.array(values)").replace(
            "clipped = np.clip(values, lower, upper)",
            "clipped = values.copy()\n"
            "    clipped[clipped < lower] = lower\n"
            "    clipped[clipped > upper] = upper",
        ),
        "private_mean_quiet",
        "should be 3.583, it is 3.333",
    ),
    "no noise far from 0": Mutant(
        _but("    mean =", "    if abs(lower) >= 1e8:\n        return clipped.mean()\n    mean ="),
        "private_mean_exact",
        "drawn first",
    ),
    "values of a billion taken for mistakes": Mutant(
        _but(
            "values = np.array(values, dtype=float)",
            "values = np.array(values, dtype=float)\n    values = values[abs(values) < 1e9]",
        ),
        "private_mean_exact",
        "drawn first",
    ),
}

ANSWERS = Answers("private_mean", RIGHT, MUTANTS)
