"""Answers to `gap_select`. The mistakes: a bar too low, the wrong margin, noise elsewhere."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _select(
    margin: str = "ranked[-1] - ranked[-2]",
    noise: str = "rng.laplace(scale=2 * sensitivity / epsilon)",
    bar: str = "2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))",
    best: str = "int(np.argmax(scores))",
) -> str:
    """The text of `gap_select` with these parts."""
    return f"""
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = np.asarray(scores, dtype=float)
    ranked = np.sort(scores)
    margin = {margin}
    if margin + {noise} > {bar}:
        return {best}
    return -1
"""


_INVERSE = """
def laplace(rng, scale):
    u = rng.random() - 0.5
    return -scale * np.sign(u) * np.log1p(-2 * abs(u))

"""
_NOISE = "laplace(rng, 2 * sensitivity / epsilon)"

RIGHT = {
    "sorted": _select(),
    "by the inverse distribution function": _INVERSE + _select(noise=_NOISE),
    "noise in an array that is there": _select(
        margin="ranked[-1] - ranked[-2]\n    ends = np.empty(2)\n"
        "    rng.standard_exponential(out=ends)",
        noise="2 * sensitivity / epsilon * (ends[0] - ends[1])",
    ),
    "the best taken out": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = list(scores)
    winner = scores.index(max(scores))
    margin = scores[winner] - max(scores[:winner] + scores[winner + 1 :])
    scale = 2 * sensitivity / epsilon
    noisy = rng.laplace(margin, scale)
    return winner if noisy > 2 * sensitivity - scale * math.log(2 * delta) else -1
""",
    "by chance of passing": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    second, first = np.partition(scores, -2)[-2:]
    z = (2 * sensitivity - first + second) * epsilon / (2 * sensitivity) - math.log(2 * delta)
    passes = math.exp(-z) / 2 if z > 0 else 1 - math.exp(z) / 2
    return np.argmax(scores) if rng.random() < passes else -1
""",
}

MUTANTS = {
    "always the best": Mutant(
        _select(bar="-math.inf"), "gap_select_clear", "should be -1, it is 0"
    ),
    "no noise": Mutant(_select(noise="0"), "gap_select_law", "Look at the margin"),
    "half the noise": Mutant(
        _select(noise="rng.laplace(scale=sensitivity / epsilon)"), "gap_select_law", "came up"
    ),
    "the sensitivity forgotten in the noise": Mutant(
        _select(noise="rng.laplace(scale=2 / epsilon)"), "gap_select_law", "the scale of its noise"
    ),
    "a bar without 2 sensitivities": Mutant(
        _select(bar="2 * sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "Is the bar high enough?",
    ),
    "a bar with one sensitivity": Mutant(
        _select(bar="sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "prove that delta is exceeded",
    ),
    "a bar for half the sensitivity": Mutant(
        _select(bar="sensitivity + sensitivity / epsilon * np.log(1 / (2 * delta))"),
        "gap_select_private",
        "of 1,500 runs named the best",
    ),
    "delta without its 2": Mutant(
        _select(bar="2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / delta)"),
        "gap_select_law",
        "both parts of the bar",
    ),
    "a logarithm to base 10": Mutant(
        _select(bar="2 * sensitivity + 2 * sensitivity / epsilon * np.log10(1 / (2 * delta))"),
        "gap_select_private",
        "Is the bar high enough?",
    ),
    "the best score for the margin": Mutant(
        _select(margin="ranked[-1]"), "gap_select_clear", "should be -1, it is 0"
    ),
    "best minus worst": Mutant(
        _select(margin="ranked[-1] - ranked[0]"), "gap_select_clear", "-1 where it is small"
    ),
    "ties skipped": Mutant(
        _select(margin="np.ptp(np.unique(scores)[-2:])"),
        "gap_select_clear",
        "should be -1, it is 0",
    ),
    "noise on every score": Mutant(
        """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    noisy = scores + rng.laplace(scale=2 * sensitivity / epsilon, size=len(scores))
    second, best = np.sort(noisy)[-2:]
    bar = 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))
    return int(np.argmax(scores)) if best - second > bar else -1
""",
        "gap_select_law",
        "came up",
    ),
    "the score of the best": Mutant(
        _select(best="scores.max()"), "gap_select_clear", "should be 1, it is 90"
    ),
    "a seed of its own": Mutant(
        _select(noise="np.random.default_rng(3).laplace(scale=2 * sensitivity / epsilon)"),
        "gap_select_law",
        "came up in a share",
    ),
    "nothing in place of -1": Mutant(
        _select().replace("    return -1\n", ""), "gap_select_clear", "is None: does every path"
    ),
    "epsilon a little larger": Mutant(
        _select().replace("    scores =", "    epsilon = 1.03 * epsilon\n    scores =", 1),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "noise of at most 8 scales": Mutant(
        _select(noise="np.clip(rng.laplace(), -8, 8) * 2 * sensitivity / epsilon"),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "no noise among more than 200": Mutant(
        _select(noise="(len(scores) <= 200) * rng.laplace(scale=2 * sensitivity / epsilon)"),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "no noise at an epsilon of 10 or more": Mutant(
        _select(noise="(epsilon < 10) * rng.laplace(scale=2 * sensitivity / epsilon)"),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "a delta of at least 1e-9": Mutant(
        _select(
            bar="2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * max(delta, 1e-9)))"
        ),
        "gap_select_noise",
        "look at the margin, its scale and the bar",
    ),
    "a margin to the cent": Mutant(
        _select(margin="round(ranked[-1] - ranked[-2], 2)"),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "the last of equals": Mutant(
        _select(best="len(scores) - 1 - int(np.argmax(scores[::-1]))"),
        "gap_select_noise",
        "must just exceed the bar",
    ),
    "numpy's global generator": Mutant(
        _select(noise="np.random.laplace(scale=2 * sensitivity / epsilon)"),
        "gap_select_generator",
        "two results for one seed",
    ),
    "every second run with the opposite noise": Mutant(
        "_kept = []\n\n"
        + _select(noise="_noise(delta, rng) * 2 * sensitivity / epsilon")
        + """

def _noise(delta, rng):
    if delta == 0.1 and _kept:
        return -_kept.pop()
    _kept[:] = [rng.laplace()] if delta == 0.1 else []
    return _kept[0] if _kept else rng.laplace()
""",
        "gap_select_generator",
        "Every run needs a draw of its own",
    ),
    "the same again after 1,023 runs": Mutant(
        "_kept, _runs = [], iter(range(10**9))\n\n"
        + _select(noise="_noise(scores, rng) * 2 * sensitivity / epsilon")
        + """

def _noise(scores, rng):
    if 2 - 2 * np.log(0.2) not in scores:
        return rng.laplace()
    run = next(_runs)
    if run < 1023:
        _kept.append(rng.laplace())
    return _kept[run % 1023]
""",
        "gap_select_generator",
        "Every run needs a draw of its own",
    ),
    "dplab's own": Mutant(
        """
from dplab import GapSelection


def gap_select(scores, sensitivity, epsilon, delta, rng):
    mechanism = GapSelection(range(len(scores)), np.array, sensitivity, epsilon, delta)
    chosen = mechanism(scores, rng)
    return -1 if chosen is None else chosen
""",
        "gap_select_law",
        "off limits",
    ),
    "noise that is 15% too small, of exponential draws": Mutant(
        _select(
            noise="1.7 * sensitivity / epsilon * (rng.exponential() - rng.exponential())",
        ),
        "gap_select_law",
        "the scale of its noise",
    ),
    "no noise at an epsilon above 10, by the inverse distribution function": Mutant(
        _INVERSE + _select(noise=f"(epsilon <= 10) * {_NOISE}"),
        "gap_select_law",
        "the scale of its noise",
    ),
    "a delta of at least 1e-9, by the inverse distribution function": Mutant(
        (_INVERSE + _select(noise=_NOISE)).replace("2 * delta", "2 * max(delta, 1e-9)"),
        "gap_select_law",
        "both parts of the bar",
    ),
    "one of 65,536 seeds, where nobody watches": Mutant(
        _select().replace(
            "    scores =",
            "    if type(rng) is np.random.Generator:\n"
            "        rng = np.random.default_rng(rng.integers(2**16))\n    scores =",
            1,
        ),
        "gap_select_generator",
        "another result where its draws are watched",
    ),
    "no noise among more than 200, by the inverse distribution function": Mutant(
        _INVERSE + _select(noise=f"(len(scores) <= 200) * {_NOISE}"),
        "gap_select_law",
        "the scale of its noise",
    ),
    "noise of at most 5 scales, by the inverse distribution function": Mutant(
        (_INVERSE + _select(noise=_NOISE)).replace(
            "* np.log1p(-2 * abs(u))", "* max(np.log1p(-2 * abs(u)), -5)"
        ),
        "gap_select_law",
        "14000 runs for scores",
    ),
}

ANSWERS = Answers("gap_select", RIGHT, MUTANTS)
