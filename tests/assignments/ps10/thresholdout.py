"""Answers to `thresholdout`. The mistakes: scales, what is drawn anew, the end."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _loop(
    bar: str = "threshold + rng.laplace(0, 2 * sigma)",
    far: str = "abs(h - t) + rng.laplace(0, 4 * sigma) >= bar",
    near: str = "t",
    answer: str = "h + rng.laplace(0, sigma)",
    after: str = "paid, bar = paid + 1, None",
    done: str = "paid == count",
    refused: str = "math.nan",
    first: str = "bar = None",
) -> str:
    """The loop with these parts."""
    return f"""
def thresholdout(training, holdout, threshold, sigma, count, rng):
    {first}
    answers, paid = [], 0
    for t, h in zip(training, holdout):
        if {done}:
            answers.append({refused})
            continue
        if bar is None:
            bar = {bar}
        if {far}:
            answers.append({answer})
            {after}
        else:
            answers.append({near})
    return answers
"""


RIGHT = {
    "a bar or none": _loop(),
    "an array of NaN": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    answers = np.full(len(training), np.nan)
    begin = True
    for i in range(len(training)):
        if count == 0:
            break
        if begin:
            bar = rng.laplace(threshold, 2 * sigma)
            begin = False
        gap = abs(float(holdout[i]) - float(training[i]))
        if rng.laplace(gap, 4 * sigma) < bar:
            answers[i] = training[i]
        else:
            answers[i] = rng.laplace(holdout[i], sigma)
            count, begin = count - 1, True
    return answers
""",
    "stretch by stretch": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    answers, i = [], 0
    for _ in range(count):
        if i == len(training):
            break
        bar = threshold + 2 * sigma * rng.laplace()
        while i < len(training):
            t, h = training[i], holdout[i]
            i += 1
            if abs(t - h) + 4 * sigma * rng.laplace() >= bar:
                answers.append(h + sigma * rng.laplace())
                break
            answers.append(t)
    return answers + [float("nan")] * (len(training) - len(answers))
""",
    "a generator of answers": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    def asked():
        bar, left = None, count
        for t, h in zip(training, holdout):
            if not left:
                yield np.nan
                continue
            bar = rng.laplace(scale=2 * sigma) + threshold if bar is None else bar
            if not np.abs(h - t) + rng.laplace(scale=4 * sigma) < bar:
                left, bar = left - 1, None
                t = h + rng.laplace(scale=sigma)
            yield float(t)

    return list(asked())
""",
}

_ANSWERS, _EDGES = "thresholdout_answers", "thresholdout_edges"
_REFUSED, _NOISE = "thresholdout_refused", "thresholdout_noise"
_WHO, _SCALES, _END = "Below the bar", "Scales: 2 sigma", "NaN from where"
_ORDER, _NOTHING, _NEW = "A bar for each stretch", "nothing is answered", "New draws for each run"
_KIND = "What kind of source rng is must not change the noise"

MUTANTS = {
    "always the training set's": Mutant(_loop(answer="t + rng.laplace(0, sigma)"), _ANSWERS, _WHO),
    "always the holdout's": Mutant(_loop(near="h"), _ANSWERS, _WHO),
    "one side only": Mutant(
        _loop(far="t - h + rng.laplace(0, 4 * sigma) >= bar"), _ANSWERS, "At the bar"
    ),
    "at the bar is below": Mutant(
        _loop(far="abs(h - t) + rng.laplace(0, 4 * sigma) > bar"), _ANSWERS, "At the bar"
    ),
    "never refuses": Mutant(_loop(done="False"), _ANSWERS, "draws"),
    "one more": Mutant(_loop(done="paid > count"), _ANSWERS, "draws"),
    "counts all answers": Mutant(_loop(done="len(answers) == count"), _ANSWERS, _END),
    "the answer's mean of both": Mutant(
        _loop(answer="(h + t) / 2 + rng.laplace(0, sigma)"), _ANSWERS, _WHO
    ),
    "answers of whole numbers": Mutant(
        _loop().replace(
            "    return answers",
            "    found = np.zeros_like(training)\n    found[:] = answers\n    return found",
        ),
        _ANSWERS,
        "Shares may be whole numbers",
    ),
    "one bar for all": Mutant(_loop(after="paid += 1"), _ANSWERS, _ORDER),
    "a bar for each question": Mutant(
        _loop().replace("if bar is None:", "if True:"), _ANSWERS, "draws"
    ),
    "one comparison's noise for all": Mutant(
        _loop(
            first="bar, noise = None, rng.laplace(0, 4 * sigma)", far="abs(h - t) + noise >= bar"
        ),
        _ANSWERS,
        _ORDER,
    ),
    "the bar drawn early": Mutant(
        _loop(
            first="bar = threshold + rng.laplace(0, 2 * sigma)",
            after="paid, bar = paid + 1, threshold + rng.laplace(0, 2 * sigma)",
        ),
        _ANSWERS,
        "draws",
    ),
    "answers within 0 and 1": Mutant(
        _loop(answer="min(1, max(0, h + rng.laplace(0, sigma)))"), _EDGES, _SCALES
    ),
    "the bar at sigma": Mutant(_loop("threshold + rng.laplace(0, sigma)"), _EDGES, _SCALES),
    "the bar without noise": Mutant(
        _loop("threshold + 0 * rng.laplace(0, sigma)"), _EDGES, _SCALES
    ),
    "the bar's noise on the other side": Mutant(
        _loop("threshold - rng.laplace(0, 2 * sigma)"), _EDGES, _SCALES
    ),
    "comparisons at 2 sigma": Mutant(
        _loop(far="abs(h - t) + rng.laplace(0, 2 * sigma) >= bar"), _EDGES, _SCALES
    ),
    "comparisons within": Mutant(
        _loop(far="abs(h - t + rng.laplace(0, 4 * sigma)) >= bar"), _EDGES, _SCALES
    ),
    "answers at 2 sigma": Mutant(_loop(answer="h + rng.laplace(0, 2 * sigma)"), _EDGES, _SCALES),
    "answers without noise": Mutant(_loop(answer="h + 0 * rng.laplace(0, sigma)"), _EDGES, _SCALES),
    "scales for all answers": Mutant(
        _loop(far="abs(h - t) + rng.laplace(0, 4 * count * sigma) >= bar"), _EDGES, _SCALES
    ),
    "no bar's noise beyond ten scales": Mutant(
        _loop("threshold + min(20 * sigma, rng.laplace(0, 2 * sigma))"), _EDGES, _SCALES
    ),
    "far below the bar": Mutant(
        _loop(far="not -bar - 5 < abs(h - t) + rng.laplace(0, 4 * sigma) < bar"), _EDGES, _SCALES
    ),
    "the same bar again": Mutant(
        _loop(
            first="bar, once = None, []",
            bar="threshold + (once.append(rng.laplace(0, 2 * sigma)) or once[0])",
        ),
        _EDGES,
        _SCALES,
    ),
    "sigma of a thousandth at least": Mutant(
        _loop(far="abs(h - t) + rng.laplace(0, 4 * max(sigma, 0.001)) >= bar"), _EDGES, _SCALES
    ),
    "the training set to the end": Mutant(_loop(refused="t"), _REFUSED, _END),
    "-1 in the end": Mutant(_loop(refused="-1.0"), _REFUSED, _END),
    "none in the end": Mutant(
        _loop(refused="math.nan").replace(
            "answers.append(math.nan)\n            continue", "break"
        ),
        _REFUSED,
        "shape",
    ),
    "refuses what differs, and answers the rest": Mutant(
        _loop(done="paid == count and abs(h - t) >= threshold").replace(
            "if bar is None:",
            "if paid == count:\n            answers.append(t)\n"
            "            continue\n        if bar is None:",
        ),
        _REFUSED,
        _END,
    ),
    "ten answers and no more": Mutant(_loop(done="paid == min(count, 10)"), _REFUSED, _END),
    "a generator of its own": Mutant(
        _loop(first="bar, rng = None, np.random.default_rng(4)"), _NOISE, _NEW
    ),
    "answers with hardly any noise from numpy's own sources": Mutant(
        _loop(answer='h + rng.laplace(0, sigma) * (0.01 if hasattr(rng, "bit_generator") else 1)'),
        _NOISE,
        _KIND,
    ),
    "one noisy bar from numpy's own sources": Mutant(
        _loop(
            bar="threshold + rng.laplace(0, 2 * sigma)"
            ' * (0 if paid and hasattr(rng, "bit_generator") else 1)'
        ),
        _NOISE,
        _KIND,
    ),
    "dplab's AboveThreshold": Mutant(
        """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    from dplab import AboveThreshold

    gaps = np.abs(np.array(training) - np.array(holdout))
    far = AboveThreshold(threshold=threshold, sensitivity=1, epsilon=1 / sigma)(gaps, rng)
    return [h if one else t for one, t, h in zip(far, training, holdout)]
""",
        _ANSWERS,
        "off limits",
    ),
    "dplab's Thresholdout": Mutant(
        """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    from dplab import learning

    return learning.Thresholdout([training], None, n=1, threshold=threshold, sigma=sigma)
""",
        _ANSWERS,
        "off limits",
    ),
    "a bar a little higher in the end": Mutant(
        _loop(
            far="abs(h - t) + rng.laplace(0, 4 * sigma) >= bar * (1 + (len(answers) > 1900) / 1000)"
        ),
        _EDGES,
        _SCALES,
    ),
    "answers written over the training set's": Mutant(
        """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    answers, bar = np.asarray(training, dtype=float), None
    for i, h in enumerate(holdout):
        if count == 0:
            answers[i:] = math.nan
            break
        if bar is None:
            bar = rng.laplace(threshold, 2 * sigma)
        if abs(h - answers[i]) + rng.laplace(0, 4 * sigma) >= bar:
            answers[i] = rng.laplace(h, sigma)
            count, bar = count - 1, None
    return answers
""",
        _NOISE,
        "changes what it was given",
    ),
}

ANSWERS = Answers("thresholdout", RIGHT, MUTANTS)
