"""Answers to `epsilon_of_coins`. The mistakes: one answer of the two, one infinity of three."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _of_two(combined: str) -> str:
    """The text of `epsilon_of_coins` that combines the two log-ratios so; right where finite."""
    return f"""
def epsilon_of_coins(theta, yes):
    if theta == 1 or yes == 0 or yes == 1:
        return math.inf
    false_yes, false_no = (1 - theta) * yes, (1 - theta) * (1 - yes)
    of_yes = math.log((theta + false_yes) / false_yes)
    of_no = math.log((theta + false_no) / false_no)
    return {combined}
"""


RIGHT = {
    "the worse of two": _of_two("max(of_yes, of_no)"),
    "two laws": """
def epsilon_of_coins(theta, yes):
    worst = 0
    for answer in (0, 1):
        chance = (1 - theta) * (yes if answer == 1 else 1 - yes)
        if chance == 0:
            return float("inf")
        worst = max(worst, abs(math.log(chance / (theta + chance))))
    return worst
""",
    "the rarer false answer": """
def epsilon_of_coins(theta, yes):
    rarer = (1 - theta) * min(yes, 1 - yes)
    return np.log1p(theta / rarer) if rarer > 0 else np.inf
""",
    "an error caught": """
def epsilon_of_coins(theta, yes):
    try:
        ratios = [1 + theta / ((1 - theta) * share) for share in (float(yes), 1.0 - yes)]
    except ZeroDivisionError:
        return math.inf
    return math.log(max(ratios))
""",
    "arrays": """
def epsilon_of_coins(theta, yes):
    forced = (1 - theta) * np.array([1 - yes, yes])
    laws = forced + theta * np.eye(2)
    with np.errstate(divide="ignore"):
        return np.abs(np.log(laws[0]) - np.log(laws[1])).max()
""",
}

_UNCHECKED = _of_two("max(of_yes, of_no)").replace(
    "if theta == 1 or yes == 0 or yes == 1", "if False"
)

MUTANTS = {
    "only YES": Mutant(_of_two("of_yes"), "epsilon_of_coins_worse_answer", "should be 1.609"),
    "only NO": Mutant(
        _of_two("of_no"), "epsilon_of_coins_worse_answer", "log-ratio of both answers"
    ),
    "the better of two": Mutant(
        _of_two("min(of_yes, of_no)"), "epsilon_of_coins_worse_answer", "the larger one counts"
    ),
    "the sum of two": Mutant(
        _of_two("of_yes + of_no"), "epsilon_of_coins_fair", "should be 1.099, it is 2.197"
    ),
    "the average of two": Mutant(
        _of_two("(of_yes + of_no) / 2"), "epsilon_of_coins_worse_answer", "should be 1.609"
    ),
    "no logarithm": Mutant(
        _of_two("math.exp(max(of_yes, of_no))"),
        "epsilon_of_coins_fair",
        "should be 1.099, it is 3",
    ),
    "another base": Mutant(
        _of_two("max(of_yes, of_no) / math.log(2)"), "epsilon_of_coins_fair", "it is 1.585"
    ),
    "a sign": Mutant(_of_two("min(-of_yes, -of_no)"), "epsilon_of_coins_fair", "it is -1.099"),
    "heads and tails swapped": Mutant(
        _of_two("max(of_yes, of_no)")
        .replace("(1 - theta) * yes, (1 - theta) * (1 - yes)", "theta * yes, theta * (1 - yes)")
        .replace("theta + false", "1 - theta + false"),
        "epsilon_of_coins_fair",
        "epsilon_of_coins(0.8, 0.5) should be 2.197",
    ),
    "the odds of heads": Mutant(
        "def epsilon_of_coins(theta, yes):\n    return math.log(theta / (1 - theta))",
        "epsilon_of_coins_fair",
        "should be 1.099, it is 0",
    ),
    "the second coin taken for fair": Mutant(
        _of_two("math.log((1 + theta) / (1 - theta))"),
        "epsilon_of_coins_worse_answer",
        "it is 1.099",
    ),
    "division by zero": Mutant(_UNCHECKED, "epsilon_of_coins_infinite", "raised ZeroDivisionError"),
    "infinity from one side only": Mutant(
        _of_two("max(of_yes, of_no)").replace("theta == 1 or yes == 0 or yes == 1", "yes == 1"),
        "epsilon_of_coins_infinite",
        "Who can answer YES?",
    ),
    "heads that always come": Mutant(
        _of_two("max(of_yes, of_no)").replace("theta == 1 or yes", "yes"),
        "epsilon_of_coins_infinite",
        "Heads always",
    ),
    "a large number for infinity": Mutant(
        _UNCHECKED.replace("/ false_yes", "/ (false_yes + 1e-12)").replace(
            "/ false_no", "/ (false_no + 1e-12)"
        ),
        "epsilon_of_coins_infinite",
        "should be inf, it is 2",
    ),
    "the text inf": Mutant(
        _of_two("max(of_yes, of_no)").replace("math.inf", "'inf'"),
        "epsilon_of_coins_infinite",
        "should be a number, it is 'inf'",
    ),
    "nothing where there is none": Mutant(
        _of_two("max(of_yes, of_no)").replace("return math.inf", "return None"),
        "epsilon_of_coins_infinite",
        "is None",
    ),
    "YES alone, where tails always say YES": Mutant(
        _of_two("max(of_yes, of_no)").replace(
            "return math.inf", "return math.log(1 / (1 - theta)) if theta < 1 else math.inf"
        ),
        "epsilon_of_coins_infinite",
        "Who can answer NO?",
    ),
    # Right where a test usually looks.
    "infinite where YES is rare": Mutant(
        _of_two("max(of_yes, of_no)").replace("yes == 0 or yes == 1", "not 0.001 < yes < 0.999"),
        "epsilon_of_coins_worse_answer",
        "the larger one counts",
    ),
    "infinite where heads nearly always come": Mutant(
        _of_two("max(of_yes, of_no)").replace("theta == 1", "theta > 0.999"),
        "epsilon_of_coins_fair",
        "take the logarithm",
    ),
    "nothing told where heads hardly ever come": Mutant(
        _of_two("max(of_yes, of_no) if theta > 0.001 else 0.0"),
        "epsilon_of_coins_fair",
        "take the logarithm",
    ),
    "ten at most": Mutant(
        _of_two("min(max(of_yes, of_no), 10.0)"),
        "epsilon_of_coins_worse_answer",
        "the larger one counts",
    ),
    "rounded to six digits": Mutant(
        _of_two("round(max(of_yes, of_no), 6)"), "epsilon_of_coins_fair", "should be 1.09861229"
    ),
    "rounded to eight digits": Mutant(
        _of_two("round(max(of_yes, of_no), 8)"), "epsilon_of_coins_fair", "take the logarithm"
    ),
    "the coin that favours YES": Mutant(
        _of_two("of_no if yes > 0.5 else of_yes + 1e-7"),
        "epsilon_of_coins_fair",
        "should be 1.09861229",
    ),
    "finite for whole numbers": Mutant(
        _of_two("max(of_yes, of_no)").replace(
            "if theta == 1 or yes == 0 or yes == 1:",
            "if theta == 1 or 0.0 in (yes, 1 - yes) and type(yes) is int:",
        ),
        "epsilon_of_coins_infinite",
        "Who can answer NO?",
    ),
    "no NO where everybody says YES": Mutant(
        _of_two("max(of_yes, of_no)").replace(
            "    false_yes", "    yes = max(yes, 0.01)\n    false_yes"
        ),
        "epsilon_of_coins_worse_answer",
        "the larger one counts",
    ),
    "dplab's own": Mutant(
        """
def epsilon_of_coins(theta, yes):
    return CoinSurvey(theta, yes).privacy_loss(0, 1).largest_log_ratio
""",
        "epsilon_of_coins_fair",
        "off limits",
    ),
}

ANSWERS = Answers("epsilon_of_coins", RIGHT, MUTANTS)
