"""Answers to `true_and_false_positive_rates`. The mistakes: who is counted, and out of how many."""

from autograder.rehearsal.catalogue import Answers, Mutant

CHECK = """
    if len(member_scores) == 0 or len(outsider_scores) == 0:
        raise ValueError("there must be members and outsiders")"""


def _rates(pair: str, check: str = CHECK, wrap: str = "np.array({})") -> str:
    """The text of the function with this pair in m, o (arrays) and t, and this check."""
    rows = f"[{pair} for t in thresholds]"
    return f"""
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):{check}
    m, o = np.array(member_scores), np.array(outsider_scores)
    return {wrap.format(rows)}
"""


RIGHT = {
    "means of comparisons": _rates("[(m > t).mean(), (o > t).mean()]"),
    "broadcasting": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    if not (len(member_scores) and len(outsider_scores)):
        raise ValueError("nobody")
    t = np.asarray(thresholds)[:, None]
    scores = (np.asarray(member_scores), np.asarray(outsider_scores))
    return np.stack([(s > t).mean(axis=1) for s in scores], axis=1)
""",
    "counting loops": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    result = []
    for threshold in thresholds:
        row = []
        for scores in (member_scores, outsider_scores):
            if len(scores) == 0:
                raise ValueError("a share of nobody")
            accused = 0
            for score in scores:
                if score > threshold:
                    accused += 1
            row.append(accused / len(scores))
        result.append(row)
    return result
""",
    "sorted scores": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    if min(len(member_scores), len(outsider_scores)) < 1:
        raise ValueError("both kinds of people are needed")
    columns = [
        1 - np.searchsorted(np.sort(scores), thresholds, side="right") / len(scores)
        for scores in (member_scores, outsider_scores)
    ]
    return np.column_stack(columns)
""",
}

MUTANTS = {
    "the two exchanged": Mutant(
        _rates("[(o > t).mean(), (m > t).mean()]"), "rates_values", "it is [[0.5, 0.75], [0, 0.25]]"
    ),
    "below the threshold": Mutant(
        _rates("[(m < t).mean(), (o < t).mean()]"), "rates_values", "it is [[0, 0.5], [0.75, 1]]"
    ),
    "counts, not shares": Mutant(
        _rates("[(m > t).sum(), (o > t).sum()]"), "rates_values", "it is [[3, 1], [1, 0]]"
    ),
    "a column a threshold": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]", wrap="np.array({}).T"),
        "rates_values",
        "a row for each threshold",
    ),
    "thresholds sorted": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]").replace(
            "in thresholds", "in sorted(thresholds)"
        ),
        "rates_values",
        "a row for each threshold, in their order",
    ),
    "at the threshold, too": Mutant(
        _rates("[(m >= t).mean(), (o >= t).mean()]"), "rates_ties", "above the threshold, not at it"
    ),
    "ties count half": Mutant(
        _rates("[((m > t).mean() + (m >= t).mean()) / 2, ((o > t).mean() + (o >= t).mean()) / 2]"),
        "rates_ties",
        "above the threshold, not at it",
    ),
    "precision": Mutant(
        _rates("[(m > t).sum() / max(1, (m > t).sum() + (o > t).sum()), (o > t).mean()]"),
        "rates_values",
        "First the members' share",
    ),
    "shares of everybody": Mutant(
        _rates("[(m > t).sum() / (len(m) + len(o)), (o > t).sum() / (len(m) + len(o))]"),
        "rates_values",
        "First the members' share",
    ),
    "as many outsiders as members": Mutant(
        _rates("[(m > t).mean(), (o > t).sum() / len(m)]"),
        "rates_input",
        "Each share is of its own kind",
    ),
    "nobody is a share of zero": Mutant(
        _rates("[(m > t).mean() if len(m) else 0.0, (o > t).mean() if len(o) else 0.0]", check=""),
        "rates_input",
        "should raise ValueError",
    ),
    "nobody is no number": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]", check=""),
        "rates_input",
        "should raise ValueError",
    ),
    "rounded to two decimals": Mutant(
        _rates("[round((m > t).mean(), 2), round((o > t).mean(), 2)]"),
        "rates_input",
        "Each share is of its own kind",
    ),
    "rounded to four decimals": Mutant(
        _rates("[round((m > t).mean(), 4), round((o > t).mean(), 4)]"),
        "rates_values",
        "First the members' share",
    ),
    "ten thousand people at most": Mutant(
        _rates("[(m[:10_000] > t).mean(), (o[:10_000] > t).mean()]"),
        "rates_values",
        "of however many people",
    ),
    "a hundred thresholds at most": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]").replace("in thresholds", "in thresholds[:100]"),
        "rates_values",
        "of however many people",
    ),
    "each threshold once": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]").replace(
            "in thresholds", "in dict.fromkeys(thresholds)"
        ),
        "rates_ties",
        "above the threshold, not at it",
    ),
    "each score once": Mutant(
        _rates("[(np.unique(m) > t).mean(), (np.unique(o) > t).mean()]"),
        "rates_values",
        "First the members' share",
    ),
    "nearly at the threshold": Mutant(
        _rates("[(m > t + 1e-9).mean(), (o > t + 1e-9).mean()]"),
        "rates_ties",
        "however little",
    ),
    "whole thresholds": Mutant(
        _rates("[(m > int(t)).mean(), (o > int(t)).mean()]"),
        "rates_values",
        "First the members' share",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.membership import rates


def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    found = [rates(member_scores, outsider_scores, t) for t in thresholds]
    return [[one.true_positive, one.false_positive] for one in found]
""",
        "rates_values",
        "is off limits in an answer",
    ),
    "many thresholds or many people": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]").replace(
            "    return", "    thresholds = thresholds[: 2_000_000 // m.size]\n    return"
        ),
        "rates_values",
        "of however many people",
    ),
    "scores from -100 to 100": Mutant(
        _rates("[(m > t).mean(), (o > t).mean()]")
        .replace("np.array(member_scores)", "np.clip(member_scores, -100, 100)")
        .replace("np.array(outsider_scores)", "np.clip(outsider_scores, -100, 100)"),
        "rates_values",
        "of however many people",
    ),
    "scores sorted where they are": Mutant(
        _rates(
            "[1 - np.searchsorted(s, t, side='right') / len(s) for s in (m, o)]",
            check=CHECK + "\n    member_scores.sort(), outsider_scores.sort()",
        ),
        "rates_ties",
        "changes what it was given",
    ),
}

ANSWERS = Answers("rates", RIGHT, MUTANTS)
