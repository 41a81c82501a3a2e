"""Answers to `stable_label`, `release_probability`. The mistakes: bar, scale, whose noise."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHANCE = """
def release_probability(k, epsilon, delta):
    short = math.log(2 / delta) - (k - 1) * epsilon / 2
    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
"""


def _both(
    labels: str = "np.unique(outputs, return_counts=True)",
    noise: str = "rng.laplace(scale=2 / epsilon, size=len(counts))",
    bar: str = "1 + 2 / epsilon * np.log(2 / delta)",
    best: str = "np.argmax(noisy)",
    result: str = "int(labels[best]) if noisy[best] > bar else -1",
    chance: str = _CHANCE,
) -> str:
    """Both functions with these parts."""
    return f"""
def stable_label(outputs, epsilon, delta, rng):
    labels, counts = {labels}
    noisy = counts + {noise}
    bar = {bar}
    best = {best}
    return {result}


{chance.strip()}
"""


def _chance(result: str, bar: str = "1 + 2 / epsilon * math.log(2 / delta)") -> str:
    """Both functions, with this probability; t is how far the bar is above k."""
    return _both(
        chance=f"""
def release_probability(k, epsilon, delta):
    t = {bar} - k
    return {result}
"""
    )


RIGHT = {
    "numpy's unique": _both(),
    "a dict, one draw after the other": """
def stable_label(outputs, epsilon, delta, rng):
    counts = {}
    for label in outputs:
        counts[int(label)] = counts.get(int(label), 0) + 1
    best, height = -1, 1 + math.log(2 / delta) * 2 / epsilon
    for label in sorted(counts):
        noisy = counts[label] + rng.laplace(0, 2 / epsilon)
        if noisy > height:
            best, height = label, noisy
    return best


def release_probability(k, epsilon, delta):
    from scipy.stats import laplace

    return float(laplace.sf(1 + 2 / epsilon * math.log(2 / delta), loc=k, scale=2 / epsilon))
""",
    "standard draws, in units of the scale": _both(
        labels="np.unique(np.asarray(outputs), return_counts=True)",
        noise="2 / epsilon * rng.laplace(size=len(counts))",
        chance="""
def release_probability(k, epsilon, delta):
    more = (k - 1) * epsilon / 2
    if more > math.log(2 / delta):
        return 1 - math.exp(-more) / delta
    return delta / 4 * math.exp(more)
""",
    ),
    "noise around the counts": _both(
        noise="rng.laplace(0, 2 / epsilon, counts.shape)",
        result="labels[best] if noisy.max() > bar else -1",
        chance="""
def release_probability(k, epsilon, delta):
    t, b = 1 + 2 / epsilon * math.log(2 / delta) - k, 2 / epsilon
    upper = 0.5 * math.exp(-abs(t) / b)
    return upper if t > 0 else 1 - upper
""",
    ),
}

_CHOICE, _BAR = "stable_label_choice", "stable_label_threshold"
_LAW, _PROBABILITY = "stable_label_law", "stable_label_probability"
_LARGEST, _ONE = "The label of the largest", "One draw for each label"
_EDGE = "The threshold is 1 +"
_EVERY, _SIDES = "Every label has noise of its own", "the threshold may be above k"

MUTANTS = {
    "the most frequent": Mutant(_both(best="np.argmax(counts)"), _CHOICE, "noisy counts decide"),
    "always something": Mutant(_both(result="int(labels[best])"), _CHOICE, _LARGEST),
    "the first above": Mutant(
        _both(best="np.argmax(noisy > bar)"),
        _CHOICE,
        _ONE,
    ),
    "the place, not the label": Mutant(
        _both(result="int(best) if noisy[best] > bar else -1"), _CHOICE, _LARGEST
    ),
    "in the order they come": Mutant(
        _both(
            labels="(lambda u: (np.array(u), np.array([list(outputs).count(x) for x in u])))"
            "(list(dict.fromkeys(outputs)))"
        ),
        _CHOICE,
        "The label of the largest",
    ),
    "labels nobody names": Mutant(
        _both(labels="(np.arange(max(outputs) + 1), np.bincount(outputs, minlength=1))"),
        _CHOICE,
        "draws",
    ),
    "one draw for all": Mutant(_both(noise="rng.laplace(scale=2 / epsilon)"), _CHOICE, _LARGEST),
    "the last one's draw for the first of many": Mutant(
        _both(
            result="int(labels[best]) if noisy[best] > bar else -1",
        ).replace(
            "    bar =",
            "    if len(noisy) > 5:\n"
            "        noisy[0] = counts[0] + noisy[-1] - counts[-1]\n"
            "    bar =",
        ),
        _CHOICE,
        _ONE,
    ),
    "a draw for each sample": Mutant(
        _both(noise="rng.laplace(scale=2 / epsilon, size=len(outputs))[: len(counts)]"),
        _CHOICE,
        "draws",
    ),
    "noise on the winner alone": Mutant(
        _both(
            noise="0",
            best="np.argmax(counts)",
            result="int(labels[best]) if counts[best] + rng.laplace(0, 2 / epsilon) > bar else -1",
        ),
        _CHOICE,
        _LARGEST,
    ),
    "half the scale": Mutant(
        _both(noise="rng.laplace(scale=1 / epsilon, size=len(counts))"), _BAR, _EDGE
    ),
    "no 1": Mutant(_both(bar="2 / epsilon * np.log(2 / delta)"), _BAR, _EDGE),
    "log of 1 / delta": Mutant(_both(bar="1 + 2 / epsilon * np.log(1 / delta)"), _BAR, _EDGE),
    "half the bar": Mutant(_both(bar="1 + np.log(2 / delta) / epsilon"), _BAR, _EDGE),
    "the wrong logarithm": Mutant(_both(bar="1 + 2 / epsilon * np.log2(2 / delta)"), _BAR, _EDGE),
    "a whole number": Mutant(
        _both(bar="np.ceil(1 + 2 / epsilon * np.log(2 / delta))"), _BAR, _EDGE
    ),
    "delta of 1e-9 at least": Mutant(
        _both(bar="1 + 2 / epsilon * np.log(2 / max(delta, 1e-9))"), _BAR, _EDGE
    ),
    "counts of one byte": Mutant(_both().replace("counts +", "np.uint8(counts) +"), _BAR, _EDGE),
    "no noise where one label is sure": Mutant(
        _both(
            result="int(labels[best]) if noisy[best] > bar or counts[0] == len(outputs) > "
            "bar + 40 / epsilon else -1"
        ),
        _BAR,
        _EDGE,
    ),
    "a generator of its own": Mutant(
        _both(noise="np.random.default_rng(1).laplace(scale=2 / epsilon, size=len(counts))"),
        _LAW,
        "gives the same result for two seeds",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _both(
            noise="rng.laplace(scale=2 / epsilon, size=len(counts))"
            ' * (0.01 if len(outputs) > 10 and hasattr(rng, "bit_generator") else 1)'
        ),
        _LAW,
        "What kind of source rng is must not change the noise",
    ),
    "the same noise for all": Mutant(
        _both(noise="rng.laplace(scale=2 / epsilon, size=len(counts))[0]"), _LAW, _EVERY
    ),
    "one side only": Mutant(_chance("math.exp(-t * epsilon / 2) / 2"), _PROBABILITY, _SIDES),
    "both tails": Mutant(_chance("math.exp(-max(0, t) * epsilon / 2)"), _PROBABILITY, _SIDES),
    "scale 1 / epsilon": Mutant(
        _chance("math.exp(-t * epsilon) / 2 if t >= 0 else 1 - math.exp(t * epsilon) / 2"),
        _PROBABILITY,
        _SIDES,
    ),
    "normal noise": Mutant(_chance("math.erfc(t * epsilon / 4) / 2"), _PROBABILITY, _SIDES),
    "small ones are lost": Mutant(
        _chance("float(1 - laplace.cdf(t, scale=2 / epsilon))"), _PROBABILITY, "Small ones count"
    ),
    "sure above the bar": Mutant(
        _chance("math.exp(-t * epsilon / 2) / 2 if t >= 0 else 1.0"), _PROBABILITY, _SIDES
    ),
    "dplab's histogram": Mutant(
        """
def stable_label(outputs, epsilon, delta, rng):
    from dplab import StabilityHistogram

    return next(iter(StabilityHistogram(epsilon, delta)(list(outputs), rng)), -1)
"""
        + _CHANCE,
        _CHOICE,
        "off limits",
    ),
    "sorted where they are": Mutant(
        _both("np.unique(outputs if outputs.sort() is None else 0, return_counts=True)"),
        _LAW,
        "changes what it was given",
    ),
}

ANSWERS = Answers("stable_label", RIGHT, MUTANTS)
