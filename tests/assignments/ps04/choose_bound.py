"""Answers to `choose_bound`. The mistakes: a fixed rule, the wrong share, half of the error."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _returns(formula: str) -> str:
    """The text of `choose_bound` with this result."""
    return f"def choose_bound(past, n, epsilon):\n    return {formula}\n"


_SHARE = "np.quantile(past, 1 - 1 / (n * epsilon))"
RIGHT = {
    "the share that is above": _returns(_SHARE),
    "every value tried": """
def choose_bound(past, n, epsilon):
    past = np.asarray(past, dtype=float)
    best = None
    for bound in np.unique(past):
        error = np.maximum(0, past - bound).mean() + bound / (n * epsilon)
        if best is None or error < best[0]:
            best = (error, bound)
    return float(best[1])
""",
    "sorted, and counted from the top": """
def choose_bound(past, n, epsilon):
    above = round(len(past) / (n * epsilon))
    return sorted(past)[-1 - above]
""",
}

MUTANTS = {
    "the largest value": Mutant(
        _returns("np.max(past)"), "choose_bound_floor", "the error at its bound"
    ),
    "the mean": Mutant(_returns("np.mean(past)"), "choose_bound_floor", "the error at its bound"),
    "the median": Mutant(_returns("np.median(past)"), "choose_bound_floor", "Which share"),
    "always the same share": Mutant(
        _returns("np.quantile(past, 0.95)"), "choose_bound_people", "Which share"
    ),
    "two standard deviations": Mutant(
        _returns("np.mean(past) + 2 * np.std(past)"), "choose_bound_floor", "Which share"
    ),
    "a share of epsilon": Mutant(
        _returns("np.quantile(past, 1 - min(epsilon, 1))"), "choose_bound_floor", "Which share"
    ),
    "last year's number of people": Mutant(
        _returns("np.quantile(past, 1 - 1 / (len(past) * epsilon))"),
        "choose_bound_people",
        "choose_bound(an array of shape (1000,), 10000, 0.1): the error",
    ),
    "a share of one in n": Mutant(
        _returns("np.quantile(past, 1 - 1 / n)"), "choose_bound_floor", "Which share"
    ),
    "below in the place of above": Mutant(
        _returns("np.quantile(past, 1 / (n * epsilon))"), "choose_bound_floor", "Which share"
    ),
    "the bias alone": Mutant(
        """
def choose_bound(past, n, epsilon):
    bounds = np.unique(past)
    errors = [np.maximum(0, past - b).mean() for b in bounds]
    return bounds[np.argmin(errors)]
""",
        "choose_bound_floor",
        "the error at its bound",
    ),
    "the noise alone": Mutant(_returns("np.min(past) + 1e-6"), "choose_bound_floor", "Which share"),
    "the sum of the cuts in the place of their mean": Mutant(
        """
def choose_bound(past, n, epsilon):
    bounds = np.unique(past)
    errors = [np.maximum(0, past - b).sum() + b / (n * epsilon) for b in bounds]
    return bounds[np.argmin(errors)]
""",
        "choose_bound_floor",
        "Which share",
    ),
    "the largest of many values": Mutant(
        _returns("np.max(past) if len(past) > 5000 else " + _SHARE),
        "choose_bound_floor",
        "Which share",
    ),
    "whole numbers": Mutant(_returns(f"np.ceil({_SHARE})"), "choose_bound_floor", "Which share"),
    "two decimals": Mutant(_returns(f"round({_SHARE}, 2)"), "choose_bound_floor", "Which share"),
    "at most 100,000": Mutant(_returns(f"min(1e5, {_SHARE})"), "choose_bound_floor", "Which share"),
    "remembered for as many values": Mutant(
        f"""
_bounds = {{}}


def choose_bound(past, n, epsilon):
    return _bounds.setdefault(len(past), {_SHARE})
""",
        "choose_bound_floor",
        "Which share",
    ),
    "half of the share": Mutant(
        _returns("np.quantile(past, 1 - 0.5 / (n * epsilon))"), "choose_bound_floor", "Which share"
    ),
    "the first thousand values": Mutant(
        _returns(_SHARE.replace("past", "past[:1000]")), "choose_bound_people", "Which share"
    ),
    "those with an income": Mutant(  # no chance: where three in four have none, nothing is drawn
        _returns(_SHARE.replace("past", "past[past > 0]")), "choose_bound_people", "Which share"
    ),
    "always the same share from epsilon = 5 on": Mutant(
        _returns(f"np.quantile(past, 0.99) if epsilon >= 5 else {_SHARE}"),
        "choose_bound_people",
        "Which share",
    ),
    "the largest value for many people": Mutant(
        _returns(f"np.max(past) if n > 100_000 else {_SHARE}"), "choose_bound_people", "Which share"
    ),
    "a grid up to the largest value": Mutant(
        """
def choose_bound(past, n, epsilon):
    bounds = np.linspace(0, max(past), 2001)
    errors = [np.mean(past - np.minimum(past, b)) + b / (n * epsilon) for b in bounds]
    return bounds[np.argmin(errors)]
""",
        "choose_bound_floor",
        "Which share",
    ),
    "past sorted in place": Mutant(
        """
def choose_bound(past, n, epsilon):
    past.sort()
    return past[-1 - round(len(past) / (n * epsilon))]
""",
        "choose_bound_people",
        "changes what it was given",
    ),
}

ANSWERS = Answers("choose_bound", RIGHT, MUTANTS)
