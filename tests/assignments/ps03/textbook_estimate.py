"""Answers to `textbook_estimate`. The mistakes: the coin swapped, another survey, clipping."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _formula(text: str, check: str = "not 0 < theta <= 1") -> str:
    """The text of `textbook_estimate` with this formula in pi and theta."""
    return f"""
def textbook_estimate(answers, theta):
    if {check}:
        raise ValueError("theta must be above 0 and at most 1")
    pi = np.mean(answers)
    return {text}
"""


RIGHT = {
    "solved for p": _formula("(pi - 1 + theta) / theta"),
    "by the share of no": _formula("1 - (1 - pi) / theta"),
    "counting": """
def textbook_estimate(answers, theta):
    if theta <= 0 or theta > 1:
        raise ValueError(f"{theta} is no probability of heads")
    yes = 0
    for answer in answers:
        if answer == 1:
            yes += 1
    return (yes / len(answers) - (1 - theta)) / theta
""",
    "a list made an array": _formula("(pi - 1 + theta) / theta").replace(
        "    pi = np.mean(answers)",
        "    if isinstance(answers, list):\n        answers = np.array(answers)\n"
        "    pi = answers.mean()",
    ),
    "the mean of unbiased answers": """
def textbook_estimate(answers, theta):
    if not (theta > 0 and theta <= 1):
        raise ValueError("theta")
    z = (np.asarray(answers, dtype=float) - (1 - theta)) / theta
    return float(z.mean())
""",
}

MUTANTS = {
    "heads and tails swapped": Mutant(
        _formula("(pi - theta) / (1 - theta)"),
        "textbook_estimate_values",
        "Heads, with probability",
    ),
    "not corrected": Mutant(
        _formula("pi"), "textbook_estimate_values", "should be 0.5, it is 0.75"
    ),
    "not divided": Mutant(
        _formula("pi - (1 - theta)"), "textbook_estimate_values", "should be 0.5, it is 0.25"
    ),
    "divided by the wrong side": Mutant(
        _formula("(pi - 1 + theta) / (1 - theta)"), "textbook_estimate_values", "[1, 0, 0, 0]"
    ),
    "precedence": Mutant(
        _formula("pi - 1 + theta / theta"), "textbook_estimate_values", "it is 0.75"
    ),
    "Warner's own survey": Mutant(
        _formula("(pi - (1 - theta)) / (2 * theta - 1)"), "textbook_estimate_values", "[1, 1, 1, 0]"
    ),
    "tails say yes half of the time": Mutant(
        _formula("(pi - (1 - theta) / 2) / theta"), "textbook_estimate_values", "it is 1"
    ),
    "clipped": Mutant(
        _formula("min(1, max(0, (pi - 1 + theta) / theta))"),
        "textbook_estimate_unbiased",
        "Is something cut off or rounded?",
    ),
    "negative estimates raised to zero": Mutant(
        _formula("max(0.0, (pi - 1 + theta) / theta)"),
        "textbook_estimate_unbiased",
        "the expectation of textbook_estimate",
    ),
    "rounded": Mutant(
        _formula("round((pi - 1 + theta) / theta, 2)"), "textbook_estimate_unbiased", "rounded?"
    ),
    "one person too few": Mutant(
        _formula("(np.sum(answers) / (len(answers) - 1) - 1 + theta) / theta"),
        "textbook_estimate_values",
        "should be 0.5, it is 1",
    ),
    "the most frequent answer": Mutant(
        _formula("(np.median(answers) - 1 + theta) / theta"), "textbook_estimate_values", "it is 1"
    ),
    "an array": Mutant(
        _formula("np.array([(pi - 1 + theta) / theta])"),
        "textbook_estimate_values",
        "should be one number, it is an array of shape (1,)",
    ),
    "theta not checked": Mutant(
        _formula("(pi - 1 + theta) / theta", "False"), "textbook_estimate_theta", "ValueError"
    ),
    "theta checked on one side": Mutant(
        _formula("(pi - 1 + theta) / theta", "theta <= 0"),
        "textbook_estimate_theta",
        "theta must be at most 1",
    ),
    "theta above 1 by what rounding may do": Mutant(
        _formula("(pi - 1 + theta) / theta", "not 0 < theta <= 1 + 1e-13"),
        "textbook_estimate_theta",
        "theta must be at most 1",
    ),
    "theta of 1 refused": Mutant(
        _formula("(pi - 1 + theta) / theta", "not 0 < theta < 1"),
        "textbook_estimate_values",
        "raised ValueError: theta must be above 0",
    ),
    "None for an error": Mutant(
        RIGHT["solved for p"].replace(
            'raise ValueError("theta must be above 0 and at most 1")', "return"
        ),
        "textbook_estimate_theta",
        "should raise ValueError, it is None",
    ),
    # Right where a test usually looks.
    "clipped for more than a hundred people": Mutant(
        _formula(
            "(pi - 1 + theta) / theta if len(answers) <= 100 else max(0, (pi - 1 + theta) / theta)"
        ),
        "textbook_estimate_unbiased",
        "An estimate of -99 is possible",
    ),
    "not below -10": Mutant(
        _formula("max(-10.0, (pi - 1 + theta) / theta)"),
        "textbook_estimate_unbiased",
        "Is something cut off or rounded?",
    ),
    "rounded to eight digits": Mutant(
        _formula("round((pi - 1 + theta) / theta, 8)"),
        "textbook_estimate_values",
        "one or twenty thousand",
    ),
    "a thousand answers at most": Mutant(
        _formula("(np.mean(answers[:1000]) - 1 + theta) / theta"),
        "textbook_estimate_values",
        "All answers count",
    ),
    "ten thousand answers at most": Mutant(
        _formula("(np.mean(answers[:10000]) - 1 + theta) / theta"),
        "textbook_estimate_values",
        "All answers count",
    ),
    "one person too few in large surveys": Mutant(
        _formula("(np.sum(answers) / (len(answers) - (len(answers) > 200)) - 1 + theta) / theta"),
        "textbook_estimate_values",
        "All answers count",
    ),
    "no theta below a twentieth": Mutant(
        _formula("(pi - 1 + theta) / theta").replace(
            "    pi =", "    theta = max(theta, 0.05)\n    pi ="
        ),
        "textbook_estimate_unbiased",
        "Is something cut off or rounded?",
    ),
    "theta in hundredths": Mutant(
        _formula("(pi - 1 + theta) / theta").replace(
            "    pi =", "    theta = round(theta, 2)\n    pi ="
        ),
        "textbook_estimate_values",
        "All answers count",
    ),
    "a little more than 1 allowed": Mutant(
        _formula("(pi - 1 + theta) / theta", "not 0 < theta <= 1 + 1e-9"),
        "textbook_estimate_theta",
        "theta must be at most 1",
    ),
    "a little less than 0 allowed": Mutant(
        _formula("(pi - 1 + theta) / theta", "not -1e-9 < theta <= 1 or theta == 0"),
        "textbook_estimate_theta",
        "theta must be above 0",
    ),
    "a small theta refused": Mutant(
        _formula("(pi - 1 + theta) / theta", "not 0.02 < theta <= 1"),
        "textbook_estimate_theta",
        "is none to be refused",
    ),
    "dplab's own": Mutant(
        "def textbook_estimate(answers, theta):\n    return CoinSurvey(theta).share(answers).value",
        "textbook_estimate_values",
        "off limits",
    ),
    "sorted in place": Mutant(
        _formula("(pi - 1 + theta) / theta").replace("    pi =", "    answers.sort()\n    pi ="),
        "textbook_estimate_values",
        "changes what it was given",
    ),
}

ANSWERS = Answers("textbook_estimate", RIGHT, MUTANTS)
