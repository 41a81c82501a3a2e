"""Answers to `slope`, two functions. The mistakes: no error, no logarithm, no people."""

from autograder.rehearsal.catalogue import Answers, Mutant

_ERRORS = """
def survey_errors(truths, epsilon, repetitions, rng):
    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
"""
_SLOPE = """
def slope(sizes, errors):
    sizes = np.log(sizes)
    spread = [np.log(np.sqrt(np.mean(np.square(some)))) for some in errors]
    return np.polyfit(sizes, spread, 1)[0]
"""


def _errors(old: str, new: str) -> str:
    assert old in _ERRORS
    return _ERRORS.replace(old, new) + _SLOPE


def _slope(old: str, new: str) -> str:
    assert old in _SLOPE
    return _ERRORS + _SLOPE.replace(old, new)


RIGHT = {
    "tables": _ERRORS + _SLOPE,
    "one survey after another": """
def survey_errors(truths, epsilon, repetitions, rng):
    errors = []
    for _ in range(repetitions):
        z = debias(respond(truths, epsilon, rng), epsilon)
        errors.append(sum(z) / len(z) - sum(truths) / len(truths))
    return errors


def slope(sizes, errors):
    x = [math.log(n) for n in sizes]
    y = [0.5 * math.log(sum(e * e for e in some) / len(some)) for some in errors]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y))
    return over / sum((a - x_mean) ** 2 for a in x)
""",
    "tables made by np.repeat, another logarithm": """
def survey_errors(truths, epsilon, repetitions, rng):
    truths = np.repeat(np.asarray(truths)[None, :], repetitions, axis=0)
    lie = 1 / (1 + np.exp(epsilon))
    answers = np.where(rng.uniform(size=truths.shape) > 1 - lie, 1 - truths, truths)
    return ((answers - lie) / (1 - 2 * lie) - truths).mean(axis=-1)


def slope(sizes, errors):
    design = np.column_stack([np.ones(len(sizes)), np.log10(sizes)])
    spread = np.log10([np.linalg.norm(some) / len(some) ** 0.5 for some in errors])
    return float(np.linalg.lstsq(design, spread, rcond=None)[0][1])
""",
    "two coins": """
def survey_errors(truths, epsilon, repetitions, rng):
    shape = (repetitions, len(truths))
    honest, heads = rng.random(shape) < np.tanh(epsilon / 2), rng.integers(2, size=shape)
    answers = np.where(honest, truths, heads)
    return ((answers - 0.5) / np.tanh(epsilon / 2) + 0.5).mean(axis=1) - np.mean(truths)


def slope(sizes, errors):
    x = np.log(np.asarray(sizes, dtype=float))
    y = np.array([math.log(math.fsum(e**2 for e in some) / len(some)) / 2 for some in errors])
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)
""",
    "only the numbers of YES": """
def survey_errors(truths, epsilon, repetitions, rng):
    truths = np.asarray(truths)
    n, ones, lie = len(truths), truths.sum(), 1 / (1 + np.exp(epsilon))
    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
    return (yes / n - lie) / (1 - 2 * lie) - ones / n


def slope(sizes, errors):
    from scipy.stats import linregress

    mean_squares = np.array([np.var(some) + np.mean(some) ** 2 for some in errors])
    return linregress(np.log(sizes), np.log(mean_squares) / 2).slope
""",
}


def _counts(lie: str) -> str:
    """The text that draws the numbers of YES, of people who lie with this probability."""
    text = RIGHT["only the numbers of YES"].replace("    yes =", f"    p = {lie}\n    yes =")
    return text.replace("1 - lie, rep", "1 - p, rep").replace("n - ones, lie", "n - ones, p")


MUTANTS = {
    "the estimate in place of its error": Mutant(
        _errors(" - np.mean(truths)", ""), "slope_errors", "Subtract the true share"
    ),
    "the size of the error": Mutant(
        _errors(
            "debias(answers, epsilon).mean(axis=1) - np.mean(truths)",
            "abs(debias(answers, epsilon).mean(axis=1) - np.mean(truths))",
        ),
        "slope_errors",
        "Is every survey a new one",
    ),
    "not debiased": Mutant(
        _errors("debias(answers, epsilon)", "answers"), "slope_errors", "debiased, and compared"
    ),
    "compared with the answers": Mutant(
        _errors("np.mean(truths)", "answers.mean(axis=1)"),
        "slope_errors",
        "Is every survey a new one",
    ),
    "one survey, many times": Mutant(
        _errors(
            "respond(np.tile(truths, (repetitions, 1)), epsilon, rng)",
            "np.tile(respond(truths, epsilon, rng), (repetitions, 1))",
        ),
        "slope_errors",
        "Is every survey a new one",
    ),
    "a seed of its own": Mutant(
        _errors("epsilon, rng)\n", "epsilon, np.random.default_rng(0))\n"),
        "slope_errors",
        "a generator made inside starts over",
    ),
    "a new generator each time": Mutant(
        _errors("epsilon, rng)\n", "epsilon, np.random.default_rng())\n"),
        "slope_errors",
        "from nothing else",
    ),
    "an error for each person": Mutant(
        _errors("axis=1", "axis=0"), "slope_errors", "should be an array of shape (25,)"
    ),
    "sums in place of means": Mutant(
        _errors("mean(axis=1) - np.mean(truths)", "sum(axis=1) - np.sum(truths)"),
        "slope_measured",
        "is 0.",
    ),
    "the first ten people only": Mutant(
        _errors("np.tile(truths,", "np.tile(truths := truths[:10],"),
        "slope_measured",
        "should leave a tenth of the error",
    ),
    "divided by the people once more": Mutant(
        _errors("- np.mean(truths)", "/ len(truths) - np.mean(truths) / len(truths)"),
        "slope_measured",
        "expected from -0.62 to -0.38",
    ),
    "no logarithm of the sizes": Mutant(
        _slope("np.log(sizes)", "np.array(sizes)"), "slope_fit", "then logarithms of both"
    ),
    "no logarithm of the errors": Mutant(
        _slope("np.log(np.sqrt(np.mean(np.square(some))))", "np.sqrt(np.mean(np.square(some)))"),
        "slope_fit",
        "should be -0.5",
    ),
    "the mean square without its root": Mutant(
        _slope("np.sqrt(np.mean(np.square(some)))", "np.mean(np.square(some))"),
        "slope_fit",
        "should be -0.5, it is -1",
    ),
    "the standard deviation": Mutant(
        _slope("np.sqrt(np.mean(np.square(some)))", "np.std(some)"), "slope_fit", "Root mean square"
    ),
    "the mean size": Mutant(
        _slope("np.sqrt(np.mean(np.square(some)))", "np.mean(np.abs(some))"),
        "slope_fit",
        "Root mean square",
    ),
    "axes swapped": Mutant(
        _slope("polyfit(sizes, spread, 1)", "polyfit(spread, sizes, 1)"), "slope_fit", "it is -2"
    ),
    "the intercept": Mutant(_slope("1)[0]", "1)[1]"), "slope_fit", "should be -0.5, it is"),
    "two bases": Mutant(
        _slope("np.log(sizes)", "np.log10(sizes)"), "slope_fit", "should be -0.5, it is -1.151"
    ),
    "first and last point only": Mutant(
        _slope(
            "np.polyfit(sizes, spread, 1)[0]",
            "(spread[-1] - spread[0]) / (sizes[-1] - sizes[0])",
        ),
        "slope_fit",
        "the slope of the line",
    ),
    "what theory says": Mutant(
        _slope("np.polyfit(sizes, spread, 1)[0]", "-0.5"), "slope_fit", "should be -1, it is -0.5"
    ),
    # Right where a test usually looks.
    "an epsilon 3% too large in the survey": Mutant(
        _errors("(repetitions, 1)), epsilon", "(repetitions, 1)), 1.03 * epsilon"),
        "slope_exact",
        "take this epsilon",
    ),
    "an epsilon 3% too large to debias": Mutant(
        _errors("debias(answers, epsilon)", "debias(answers, 1.03 * epsilon)"),
        "slope_exact",
        "Debias first",
    ),
    "no epsilon above 5": Mutant(
        _errors("    answers", "    epsilon = min(epsilon, 5)\n    answers"),
        "slope_errors",
        "Subtract the true share",
    ),
    "no epsilon below 0.1": Mutant(
        _errors("    answers", "    epsilon = max(epsilon, 0.1)\n    answers"),
        "slope_exact",
        "take this epsilon",
    ),
    "a thousand people at most": Mutant(
        _errors("    answers", "    truths = truths[:1000]\n    answers"),
        "slope_exact",
        "all n people count",
    ),
    "a quarter of the people of a large survey": Mutant(
        _errors(
            "    answers", "    truths = truths[:: 4 if len(truths) > 500 else 1]\n    answers"
        ),
        "slope_exact",
        "all n people count",
    ),
    "surveys used again after 100": Mutant(
        _errors(
            "debias(answers, epsilon).mean(axis=1)",
            "np.resize(debias(answers, epsilon).mean(axis=1)[:100], repetitions)",
        ),
        "slope_errors",
        "Is every survey a new one",
    ),
    # At these epsilons the correlation of the halves is -0.82 and less.
    "surveys in opposite pairs": Mutant(
        """
def survey_errors(truths, epsilon, repetitions, rng):
    u = rng.random((repetitions, len(truths)))
    u[repetitions // 2 :] = 1 - u[: repetitions - repetitions // 2]
    answers = np.where(u < 1 / (1 + np.exp(epsilon)), 1 - np.asarray(truths), truths)
    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)

"""
        + _SLOPE,
        "slope_errors",
        "Is every survey a new one",
    ),
    "the coins of a population": Mutant(
        """
def survey_errors(truths, epsilon, repetitions, rng):
    n, share, lie = len(truths), np.mean(truths), 1 / (1 + np.exp(epsilon))
    yes = rng.binomial(n, share * (1 - lie) + (1 - share) * lie, repetitions)
    return (yes / n - lie) / (1 - 2 * lie) - share

"""
        + _SLOPE,
        "slope_errors",
        "Subtract the true share",
    ),
    "rounded to six digits": Mutant(
        _errors("np.mean(truths)\n", "np.mean(truths)\n").replace(
            "    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)",
            "    return np.round(debias(answers, epsilon).mean(axis=1) - np.mean(truths), 6)",
        ),
        "slope_exact",
        "take this epsilon",
    ),
    "the same error when it is asked again": Mutant(
        "seen = {}\n"
        + _errors(
            "return debias(answers, epsilon).mean(axis=1)",
            "return seen.setdefault(repetitions, debias(answers, epsilon).mean(axis=1))",
        ),
        "slope_errors",
        "What is drawn from rng must decide",
    ),
    "dplab's own survey": Mutant(
        """
def survey_errors(truths, epsilon, repetitions, rng):
    mechanism = RandomizedResponse(epsilon)
    rows = np.broadcast_to(truths, (repetitions, len(truths)))
    return mechanism.debias(mechanism(rows, rng)).mean(axis=-1) - np.mean(truths)

"""
        + _SLOPE,
        "slope_errors",
        "off limits",
    ),
    "sizes with more errors weigh more": Mutant(
        _slope("spread, 1)", "spread, 1, w=[len(some) for some in errors])"),
        "slope_fit",
        "Every size counts the same",
    ),
    "thirty errors of each size": Mutant(
        _slope("np.square(some)", "np.square(some[:30])"), "slope_fit", "every error of a size"
    ),
    "the smallest and the largest size": Mutant(
        _slope(
            "np.polyfit(sizes, spread, 1)[0]",
            "(spread[np.argmax(sizes)] - spread[np.argmin(sizes)]) / np.ptp(sizes)",
        ),
        "slope_fit",
        "Every size counts the same",
    ),
    "the mean of the slopes between neighbours": Mutant(
        _slope("np.polyfit(sizes, spread, 1)[0]", "np.mean(np.diff(spread) / np.diff(sizes))"),
        "slope_fit",
        "Every size counts the same",
    ),
    "ten sizes at most": Mutant(
        _slope("np.polyfit(sizes, spread, 1)", "np.polyfit(sizes[:10], spread[:10], 1)"),
        "slope_fit",
        "Every size counts the same",
    ),
    "rounded to two digits": Mutant(
        _slope("np.polyfit(sizes, spread, 1)[0]", "round(np.polyfit(sizes, spread, 1)[0], 2)"),
        "slope_fit",
        "Root mean square",
    ),
    "the numbers of YES with an epsilon 3% too large": Mutant(
        _counts("1 / (1 + np.exp(1.03 * epsilon))"),
        "slope_exact",
        "the number of lies is not that of its law",
    ),
    "the numbers of YES, and no lies from 5 on": Mutant(
        _counts("lie if epsilon < 5 else 0.0"),
        "slope_exact",
        "the number of lies is not that of its law",
    ),
    "each survey twice": Mutant(
        _counts("lie").replace(
            "    return (yes",
            "    yes[1::2] = yes[::2][: len(yes) // 2] if n > 4 else yes[1::2]\n    return (yes",
        ),
        "slope_exact",
        "one survey goes together with another",
    ),
    "a normal number of many people": Mutant(
        _counts("lie").replace(
            "    return (yes",
            "    if n > 1000:\n"
            "        mean, variance = ones + (n - 2 * ones) * lie, n * lie * (1 - lie)\n"
            "        yes = np.round(rng.normal(mean, variance**0.5, repetitions))\n"
            "    return (yes",
        ),
        "slope_exact",
        "numbers of lies of",
    ),
    "one of 256 seeds, where nobody watches": Mutant(
        _counts("lie").replace(
            "    yes =",
            "    if type(rng) is np.random.Generator:\n"
            "        rng = np.random.default_rng(rng.integers(256))\n    yes =",
        ),
        "slope_errors",
        "another result where its draws are watched",
    ),
    "truths sorted in place": Mutant(
        _errors("    answers =", "    truths.sort()\n    answers ="),
        "slope_fit",
        "changes what it was given",
    ),
    "its lists sorted in place": Mutant(
        _slope(
            "    sizes = np.log(sizes)\n",
            "    order = np.argsort(sizes)\n    errors[:] = [errors[i] for i in order]\n"
            "    sizes.sort()\n    sizes = np.log(sizes)\n",
        ),
        "slope_fit",
        "changes what it was given",
    ),
    "errors of 0 left out": Mutant(
        _slope("np.square(some)", "[error**2 for error in some if error != 0]"),
        "slope_fit",
        "every error of a size",
    ),
}

ANSWERS = Answers("slope", RIGHT, MUTANTS)
