"""Answers to `private_pac` and `people_needed`. The mistakes: the 2, small numbers, rounding."""

from autograder.rehearsal.catalogue import Answers, Mutant

_PEOPLE = """
def people_needed(others, epsilon, success):
    n = 4 / epsilon * math.log(others * success / (1 - success))
    return 2 * max(1, math.ceil(n / 2))
"""


def _both(
    said: str = "np.array(table)[:, np.array(points, dtype=int)]",
    errors: str = "(said != np.array(labels)).sum(axis=1)",
    logs: str = "-epsilon / 2 * (errors - errors.min())",
    weights: str = "np.exp(logs)",
    result: str = "weights / weights.sum()",
    people: str = _PEOPLE,
) -> str:
    """Both functions with these parts."""
    return f"""
def private_pac(table, points, labels, epsilon):
    said = {said}
    errors = {errors}
    logs = {logs}
    weights = {weights}
    return {result}


{people.strip()}
"""


def _needed(n: str, result: str = "2 * max(1, math.ceil(n / 2))") -> str:
    """Both functions, with this number of people."""
    return _both(
        people=f"""
def people_needed(others, epsilon, success):
    n = {n}
    return {result}
"""
    )


RIGHT = {
    "least errors taken off": _both(),
    "logarithms": _both(
        logs="-epsilon / 2 * errors.astype(float)",
        weights="logs - np.logaddexp.reduce(logs)",
        result="np.exp(weights)",
    ),
    "hypothesis by hypothesis": """
def private_pac(table, points, labels, epsilon):
    errors = []
    for row in table:
        errors.append(sum(int(row[x] != y) for x, y in zip(points, labels)))
    weights = [math.exp(-epsilon * (one - min(errors)) / 2) for one in errors]
    return [weight / math.fsum(weights) for weight in weights]


def people_needed(others, epsilon, success):
    def chance(half):
        return 1 / (1 + others * math.exp(-epsilon * half / 2))

    low, high = 0, 1
    while chance(high) < success:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= success else (middle, high)
    return 2 * high
""",
    "correct answers counted": _both(
        errors="-(said == np.array(labels)).sum(axis=1)",
        people="""
def people_needed(others, epsilon, success):
    odds = math.log(others) + math.log(success) - math.log1p(-success)
    return max(2, 2 * math.ceil(2 * odds / epsilon))
""",
    ),
}

_LAW, _PRIVATE, _HOW_MANY = (f"private_pac_{part}" for part in ("law", "private", "people"))
_COUNT, _LEAST = "Count each hypothesis' errors", "must reach `success`"
_ODDS = "math.log(others * success / (1 - success))"

MUTANTS = {
    "without the 2": Mutant(_both(logs="-epsilon * (errors - errors.min())"), _LAW, _COUNT),
    "without the 2, privately": Mutant(
        _both(logs="-epsilon * (errors - errors.min())"), _PRIVATE, "the largest |log-ratio|"
    ),
    "twice the noise": Mutant(
        _both(logs="-epsilon / 4 * (errors - errors.min())"), _PRIVATE, "the largest |log-ratio|"
    ),
    "the best one, for sure": Mutant(
        _both(weights="(errors == errors.min()).astype(float)"), _PRIVATE, "Is every hypothesis"
    ),
    "the share of errors": Mutant(
        _both(logs="-epsilon / 2 * (errors - errors.min()) / max(1, len(labels))"), _LAW, _COUNT
    ),
    "the worst one": Mutant(_both(logs="epsilon / 2 * (errors - errors.max())"), _LAW, _COUNT),
    "not divided": Mutant(_both(result="weights"), _LAW, _COUNT),
    "too small for a float": Mutant(
        _both(logs="-epsilon / 2 * errors"), _PRIVATE, "Many people, few errors"
    ),
    "too large for a float": Mutant(
        _both(logs="epsilon / 2 * (errors.max() - errors)"), _PRIVATE, "Is all finite?"
    ),
    "people at a point count once": Mutant(
        _both(
            said="np.array(table)[:, np.unique(np.array(points, dtype=int))]",
            errors="(said != np.array([dict(zip(points, labels))[x] for x in"
            " np.unique(np.array(points, dtype=int))])).sum(axis=1)",
        ),
        _LAW,
        _COUNT,
    ),
    "columns are people": Mutant(
        _both(said="np.array(table)[:, np.arange(len(points)) % len(table[0])]"), _LAW, _COUNT
    ),
    "a small number everywhere": Mutant(
        _both(weights="np.exp(logs) + 1e-12"), _LAW, "the small ones too"
    ),
    "rounded": Mutant(
        _both(result="np.round(weights / weights.sum(), 10)"), _LAW, "the small ones too"
    ),
    "nothing below 1e-100": Mutant(
        _both(weights="np.where(logs > -230, np.exp(logs), 0)"), _LAW, "the small ones too"
    ),
    "lists alone": Mutant(
        _both().replace("    said =", "    if not points:\n        points = []\n    said ="),
        _LAW,
        "raised ValueError",
    ),
    "ten errors at most": Mutant(
        _both(errors="np.minimum((said != np.array(labels)).sum(axis=1), 10)"),
        _LAW,
        "the small ones too",
    ),
    "all people but the ten-thousandth": Mutant(
        _both(errors="(said != np.array(labels))[:, :9999].sum(axis=1)"),
        _PRIVATE,
        "Everybody counts",
    ),
    "epsilon of ten at most": Mutant(
        _both(logs="-min(epsilon, 10) / 2 * (errors - errors.min())"), _PRIVATE, "log-ratio"
    ),
    "one half too few": Mutant(_needed(f"2 / epsilon * {_ODDS}"), _HOW_MANY, _LEAST),
    "a chance of 0.02 at least": Mutant(
        _needed(f"4 / epsilon * {_ODDS}").replace(
            "    n = 4", "    success = max(success, 0.02)\n    n = 4"
        ),
        _HOW_MANY,
        _LEAST,
    ),
    "an epsilon of 49 at most": Mutant(
        _needed(f"4 / min(epsilon, 49) * {_ODDS}"), _HOW_MANY, _LEAST
    ),
    "odd numbers": Mutant(
        _needed(f"4 / epsilon * {_ODDS}", "max(2, math.ceil(n))"), _HOW_MANY, _LEAST
    ),
    "rounded down": Mutant(
        _needed(f"4 / epsilon * {_ODDS}", "2 * max(1, math.floor(n / 2))"), _HOW_MANY, _LEAST
    ),
    "a union bound": Mutant(
        _needed("4 / epsilon * math.log(others / (1 - success))"), _HOW_MANY, _LEAST
    ),
    "nobody": Mutant(
        _needed(f"4 / epsilon * {_ODDS}", "2 * max(0, math.ceil(n / 2))"), _HOW_MANY, "at least 2"
    ),
    "ten thousand at most": Mutant(
        _needed(f"4 / epsilon * {_ODDS}", "min(10**4, 2 * max(1, math.ceil(n / 2)))"),
        _HOW_MANY,
        _LEAST,
    ),
    "dplab's learner": Mutant(
        """
def private_pac(table, points, labels, epsilon):
    from dplab.learning import private_learner

    learner = private_learner(np.array(table, dtype=bool), epsilon)
    return learner.distribution(list(zip(points, labels))).probabilities
"""
        + _PEOPLE,
        _LAW,
        "off limits",
    ),
}

ANSWERS = Answers("private_pac", RIGHT, MUTANTS)
