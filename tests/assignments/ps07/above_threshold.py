"""Answers to `above_threshold`. The mistakes: the wrong variants of lesson 14, and no end."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _stream(
    bar: str = "threshold + rng.laplace(scale=2 * sensitivity / epsilon)",
    noisy: str = "answer + rng.laplace(scale=4 * count * sensitivity / epsilon)",
    reply: str = "int(noisy >= bar)",
) -> str:
    """The text of `above_threshold` with these parts."""
    return f"""
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    bar = {bar}
    replies = [-1] * len(answers)
    for i, answer in enumerate(answers):
        noisy = {noisy}
        replies[i] = {reply}
        if replies[i] == 1 and replies.count(1) == count:
            return replies
    return replies
"""


_TAIL = """
    ones = 0
    for i, hit in enumerate(hits):
        ones += hit
        if ones == count:
            replies[i + 1 :] = -1
            break
    return replies
"""

_INVERSE = """

def laplace(rng, scale):
    u = rng.random() - 0.5
    return -scale * np.sign(u) * np.log1p(-2 * abs(u))
"""

_SIGNED = """

def laplace(rng, scale):
    return scale * rng.choice([-1, 1]) * rng.exponential()
"""


def _drawn(noise: str, after: str = "") -> str:
    """The text of `above_threshold` with this in the place of rng.laplace(scale=."""
    text = _stream().replace("rng.laplace(scale=", noise)
    return text.replace("        if replies[i]", after + "        if replies[i]", 1)


RIGHT = {
    "as the text says": _stream(),
    "all noise at once": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    answers = np.asarray(answers, dtype=float)
    bar = threshold + 2 * sensitivity / epsilon * rng.laplace()
    noisy = answers + rng.laplace(0, 4 * count * sensitivity / epsilon, size=answers.shape)
    above = noisy >= bar
    before = np.cumsum(above) - above
    return np.where(before < count, above.astype(int), -1)
""",
    "noise taken from its end": _stream(
        bar="threshold + rng.laplace(scale=2 * sensitivity / epsilon)\n"
        "    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))",
        noisy="answer + noise.pop()",
    ),
    "noise shuffled": _stream(
        bar="threshold + rng.laplace(scale=2 * sensitivity / epsilon)\n"
        "    noise = rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers))\n"
        "    rng.shuffle(noise)",
        noisy="answer + noise[i]",
    ),
    "halves of epsilon": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    first, second = epsilon / 2, epsilon / 2
    noise = rng.laplace(0, sensitivity / first)
    hits = np.array([
        a + rng.laplace(0, 2 * count * sensitivity / second) >= threshold + noise for a in answers
    ])
    replies = hits.astype(int)
"""
    + _TAIL.lstrip("\n"),
    "by the inverse distribution function": _stream().replace("rng.laplace(", "laplace(rng, ")
    + _INVERSE,
    "differences of exponentials": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    def laplace(scale):
        return scale * (rng.exponential() - rng.exponential())

    bar, replies, left = threshold + laplace(2 * sensitivity / epsilon), [], count
    for answer in answers:
        if left == 0:
            replies.append(-1)
        elif answer + laplace(4 * count * sensitivity / epsilon) > bar:
            replies.append(1)
            left -= 1
        else:
            replies.append(0)
    return np.array(replies)
""",
    "a table of noise": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    noise = sensitivity / epsilon * rng.laplace(size=(2, len(answers)))
    hits = np.asarray(answers) + 4 * count * noise[1] >= threshold + 2 * noise[0, 0]
    replies = hits.astype(int)
"""
    + _TAIL.lstrip("\n"),
    "two columns of noise": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    noise = sensitivity / epsilon * rng.laplace(size=(len(answers), 2))
    hits = np.asarray(answers) + 4 * count * noise[:, 1] >= threshold + 2 * noise[0, 0]
    replies = hits.astype(int)
"""
    + _TAIL.lstrip("\n"),
    "noise with a sign of its own": _drawn("laplace(rng, ") + _SIGNED,
    "the threshold's two exponentials, then two rows of them": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    unit = sensitivity / epsilon
    bar = threshold + rng.exponential(2 * unit) - rng.exponential(2 * unit)
    more, less = (rng.exponential(4 * count * unit, len(answers)) for _ in range(2))
    hits = np.array(answers) + more - less >= bar
    replies = hits.astype(int)
"""
    + _TAIL.lstrip("\n"),
}

MUTANTS = {
    "no noise at all": Mutant(
        _stream("threshold", "answer"), "above_threshold_private", "prove a privacy loss"
    ),
    "no noise on the answers": Mutant(
        _stream(noisy="answer"), "above_threshold_law", "Look at both scales of noise"
    ),
    "no noise on the threshold": Mutant(
        _stream(bar="threshold"), "above_threshold_law", "is drawn once"
    ),
    "a new threshold for every answer": Mutant(
        _stream(
            bar="threshold",
            reply="int(noisy >= bar + rng.laplace(scale=2 * sensitivity / epsilon))",
        ),
        "above_threshold_law",
        "is drawn once",
    ),
    "noise not scaled by count": Mutant(
        _stream(noisy="answer + rng.laplace(scale=4 * sensitivity / epsilon)"),
        "above_threshold_law",
        "count 2",
    ),
    "half the noise on the answers": Mutant(
        _stream(noisy="answer + rng.laplace(scale=2 * count * sensitivity / epsilon)"),
        "above_threshold_law",
        "Look at both scales of noise",
    ),
    "the sensitivity forgotten": Mutant(
        _stream(noisy="answer + rng.laplace(scale=4 * count / epsilon)"),
        "above_threshold_law",
        "sensitivity 3",
    ),
    "one noise for all answers": Mutant(
        _stream(
            bar="threshold + rng.laplace(scale=2 * sensitivity / epsilon)"
            " + rng.laplace(scale=4 * count * sensitivity / epsilon)",
            noisy="answer",
        ),
        "above_threshold_law",
        "the others each time",
    ),
    "Gaussian noise": Mutant(
        _stream(noisy="answer + rng.normal(scale=4 * count * sensitivity / epsilon)"),
        "above_threshold_noise",
        "The noise is Laplace noise",
    ),
    "it never stops": Mutant(
        _stream().replace("== count", "> len(answers)"),
        "above_threshold_stops",
        "should be [0, 1, 0, 1, -1]",
    ),
    "it stops at the first": Mutant(
        _stream().replace("== count", "== 1"), "above_threshold_stops", "it is [0, 1, -1, -1, -1]"
    ),
    "it stops one too late": Mutant(
        _stream().replace("== count", "> count"), "above_threshold_stops", "after the count-th 1"
    ),
    "a list that ends": Mutant(
        _stream().replace("return replies\n    return", "return replies[: i + 1]\n    return"),
        "above_threshold_stops",
        "should be an array of shape (5,)",
    ),
    "below for above": Mutant(
        _stream(reply="int(noisy < bar)"), "above_threshold_stops", "1 at or above the threshold"
    ),
    "the answers themselves": Mutant(
        _stream(reply="noisy if noisy >= bar else 0"),
        "above_threshold_stops",
        "should be [0, 1, 0, 1, -1]",
    ),
    "a seed of its own": Mutant(
        _stream().replace("    bar =", "    rng = np.random.default_rng(1)\n    bar ="),
        "above_threshold_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _stream(bar="threshold + np.random.laplace(scale=2 * sensitivity / epsilon)"),
        "above_threshold_generator",
        "two results for one seed",
    ),
    "epsilon a little larger": Mutant(
        _stream().replace("    bar =", "    epsilon = 1.03 * epsilon\n    bar ="),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "3.4 in place of 4": Mutant(
        _stream(noisy="answer + rng.laplace(scale=3.4 * count * sensitivity / epsilon)"),
        "above_threshold_noise",
        "2 count times as wide",
    ),
    "a new threshold after each 1": Mutant(
        _stream().replace(
            "        if replies[i]",
            "        if replies[i] == 1:\n"
            "            bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)\n"
            "        if replies[i]",
        ),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "a new threshold every eight answers": Mutant(
        _stream().replace(
            "        noisy =",
            "        if i % 8 == 7:\n"
            "            bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)\n"
            "        noisy =",
        ),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "noise of at most 8 scales": Mutant(
        _stream(noisy="answer + np.clip(rng.laplace(), -8, 8) * 4 * count * sensitivity / epsilon"),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "no noise after 5,000 answers": Mutant(
        _stream(noisy="answer + (i < 5000) * rng.laplace(scale=4 * count * sensitivity / epsilon)"),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "the noise of 1,023 answers again and again": Mutant(
        _stream(noisy="answer + noise[i % 1023] * 4 * count * sensitivity / epsilon").replace(
            "    replies =", "    noise = rng.laplace(size=min(len(answers), 1023))\n    replies ="
        ),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "opposite noise for every second answer": Mutant(
        _stream(noisy="answer + noise[i] * 4 * count * sensitivity / epsilon").replace(
            "    replies =",
            "    noise = np.repeat(rng.laplace(size=len(answers)), 2)\n"
            "    noise[1::2] *= -1 if len(answers) > 100 else 1\n    replies =",
        ),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "a count of at most 10": Mutant(
        _stream().replace("4 * count", "4 * min(count, 10)"),
        "above_threshold_noise",
        "2 count times as wide",
    ),
    "no noise at an epsilon of 5 or more": Mutant(
        _stream(
            noisy="answer + (epsilon < 5) * rng.laplace(scale=4 * count * sensitivity / epsilon)"
        ),
        "above_threshold_noise",
        "the noise that was drawn",
    ),
    "the same again after 1,023 runs": Mutant(
        "_kept, _runs = [], iter(range(10**9))\n\n"
        + _stream().replace("    bar =", "    rng = _source(answers, rng)\n    bar =")
        + """

def _source(answers, rng):
    if list(answers) != [5]:
        return rng
    run = next(_runs)
    if run < 1023:
        _kept.append(rng.integers(2**62))
    return np.random.default_rng(_kept[run % 1023])
""",
        "above_threshold_generator",
        "Every run needs draws of its own",
    ),
    "dplab's own": Mutant(
        """
from dplab import AboveThreshold


def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    options = dict(threshold=threshold, sensitivity=sensitivity, epsilon=epsilon, count=count)
    said = AboveThreshold(**options)(answers, rng)
    return [int(reply) for reply in said] + [-1] * (len(answers) - len(said))
""",
        "above_threshold_law",
        "off limits",
    ),
    "the same noise again after 11,000 answers": Mutant(
        _stream(noisy="answer + 4 * count * sensitivity / epsilon * each[i % 11_000]").replace(
            "    replies =", "    each = rng.laplace(size=min(11_000, len(answers)))\n    replies ="
        ),
        "above_threshold_noise",
        "are not those of the noise that was drawn",
    ),
    "noise that is 20% too small, of exponential draws": Mutant(
        _stream(
            "threshold + 1.6 * sensitivity / epsilon * (rng.exponential() - rng.exponential())",
            "answer + 3.2 * count * sensitivity / epsilon * "
            "(rng.exponential() - rng.exponential())",
        ),
        "above_threshold_law",
        "Look at both scales of noise",
    ),
    "a count of at most 10, by the inverse distribution function": Mutant(
        _stream().replace("rng.laplace(", "laplace(rng, ").replace("* count", "* min(count, 10)")
        + _INVERSE,
        "above_threshold_law",
        "Look at both scales of noise",
    ),
    "one of 1,000 seeds": Mutant(
        _stream().replace(
            "    bar =", "    rng = np.random.default_rng(rng.integers(1000))\n    bar ="
        ),
        "above_threshold_generator",
        "those of another run",
    ),
    "a count that must be Python's": Mutant(
        _stream().replace(
            "    bar =",
            "    if type(count) is not int:\n        raise TypeError('count')\n    bar =",
        ),
        "above_threshold_stops",
        "raised TypeError",
    ),
    "no noise after 5,000 answers, in two columns": Mutant(
        """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    noise = sensitivity / epsilon * rng.laplace(size=(len(answers), 2))
    noise[5000:, 1] = 0
    hits = np.asarray(answers) + 4 * count * noise[:, 1] >= threshold + 2 * noise[0, 0]
    replies = hits.astype(int)
"""
        + _TAIL.lstrip("\n"),
        "above_threshold_noise",
        "are not those of the noise that was drawn",
    ),
    "a new threshold after each 1, by the inverse distribution function": Mutant(
        _drawn(
            "laplace(rng, ",
            "        if replies[i] == 1:\n"
            "            bar = threshold + laplace(rng, 2 * sensitivity / epsilon)\n",
        )
        + _INVERSE,
        "above_threshold_noise",
        "are not those of the noise that was drawn",
    ),
    "noise of at most 8 scales, by the inverse distribution function": Mutant(
        _drawn("laplace(rng, ")
        + _INVERSE.replace("* np.log1p(-2 * abs(u))", "* max(np.log1p(-2 * abs(u)), -8)"),
        "above_threshold_noise",
        "are not those of the noise that was drawn",
    ),
    "noise of at most 6 scales, with a sign of its own": Mutant(
        _drawn("laplace(rng, ") + _SIGNED.replace("rng.exponential()", "min(6, rng.exponential())"),
        "above_threshold_noise",
        "no noise is beyond 6.5 scales",
    ),
    "no noise after 1,000 answers, with a sign of its own": Mutant(
        _drawn("(i < 1000) * laplace(rng, ").replace("(i < 1000) * ", "", 1) + _SIGNED,
        "above_threshold_noise",
        "eighty answers in a row have no noise",
    ),
    "the noise of twenty answers again and again, with a sign of its own": Mutant(
        _drawn("laplace(rng, ")
        .replace("laplace(rng, 4 *", "kept[i % 20] * (4 *")
        .replace("    replies =", "    kept = [laplace(rng, 1) for _ in range(20)]\n    replies =")
        + _SIGNED,
        "above_threshold_noise",
        "noise of answers goes together",
    ),
    "a new threshold every eight answers, with a sign of its own": Mutant(
        _drawn(
            "laplace(rng, ",
            "        if i % 8 == 7:\n"
            "            bar = threshold + laplace(rng, 2 * sensitivity / epsilon)\n",
        )
        + _SIGNED,
        "above_threshold_noise",
        "stays for the whole stream",
    ),
}

ANSWERS = Answers("above_threshold", RIGHT, MUTANTS)
