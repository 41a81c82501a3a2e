"""Answers to `above_threshold`. The mistakes: the wrong variants of lesson 14, and no end."""

from tests.assignments.catalogue import Answers, Mutant


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
        "above_threshold_law",
        "came up",
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
}

ANSWERS = Answers("above_threshold", RIGHT, MUTANTS)
