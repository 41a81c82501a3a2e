"""Answers to `private_mean`. The mistakes: no noise on the count, a wrong scale, a step missing."""

from tests.assignments.catalogue import Answers, Mutant

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
}

ANSWERS = Answers("private_mean", RIGHT, MUTANTS)
