"""Answers to `ks_exponential_law`. The mistakes: the exponent, the order of lists, lost tails."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _law(
    rate: str = "epsilon * len(x) / 2",
    weights: str = "np.exp(-rate * (distances - distances.min()))",
    lists: str = "np.array([*product(grid, repeat=k)])",
    distances: str = "np.abs(shares - people).max(axis=1)",
    result: str = "weights / weights.sum()",
    shares: str = "(lists[:, :, None] <= grid).mean(axis=1)",
) -> str:
    """The text of `ks_exponential_law` with these parts."""
    return f"""
def ks_exponential_law(x, grid, k, epsilon):
    x, grid = np.asarray(x), np.asarray(grid)
    rate = {rate}
    lists = {lists}
    shares = {shares}
    people = (x[:, None] <= grid).mean(axis=0)
    distances = {distances}
    weights = {weights}
    return {result}
"""


RIGHT = {
    "a table of shares": _law(),
    "logarithms to the end": _law(
        weights="-rate * distances", result="np.exp(weights - np.logaddexp.reduce(weights))"
    ),
    "list by list": """
def ks_exponential_law(x, grid, k, epsilon):
    x = np.asarray(x)
    n = len(x)
    people = [(x <= point).sum() / n for point in grid]
    distances = []
    for z in product(grid, repeat=k):
        gaps = [
            abs(sum(value <= point for value in z) / k - share)
            for point, share in zip(grid, people)
        ]
        distances.append(max(gaps))
    least = min(distances)
    weights = [math.exp(-epsilon * n / 2 * (distance - least)) for distance in distances]
    total = sum(weights)
    return [weight / total for weight in weights]
""",
    "each multiset once": """
def ks_exponential_law(x, grid, k, epsilon):
    grid = [*grid]
    x = np.sort(x)
    at = np.searchsorted(x, grid, side="right") / len(x)
    known = {}
    logs = []
    for z in product(range(len(grid)), repeat=k):
        key = tuple(sorted(z))
        if key not in known:
            counts = np.bincount(key, minlength=len(grid))
            known[key] = -epsilon * len(x) * abs(np.cumsum(counts) / k - at).max() / 2
        logs.append(known[key])
    logs = np.array(logs) - max(logs)
    return np.exp(logs) / np.exp(logs).sum()
""",
}

_VALUES, _LARGE = "ks_exponential_law_values", "ks_exponential_law_large"
_PRIVATE = "ks_exponential_law_private"
_FORMULA, _BELOW = "exp(-epsilon n KS / 2)", "A log-ratio is below epsilon"

MUTANTS = {
    "the score isn't halved": Mutant(
        _law("epsilon * len(x)"), _VALUES, "should be [0.4444, 0.2222, 0.2222, 0.1111]"
    ),
    "a sensitivity of 1": Mutant(_law("epsilon / 2"), _VALUES, _FORMULA),
    "k people": Mutant(_law("epsilon * k / 2"), _VALUES, _FORMULA),
    "two of n move": Mutant(_law("epsilon * len(x) / 4"), _VALUES, _FORMULA),
    "the further the likelier": Mutant(
        _law(weights="np.exp(rate * (distances - distances.max()))"), _VALUES, _FORMULA
    ),
    "multisets": Mutant(
        _law(lists="np.array([*combinations_with_replacement(grid, k)])"),
        _VALUES,
        "should be an array of shape (4,), it is an array of shape (3,)",
    ),
    "multisets, each its orders": Mutant(
        _law(
            weights="np.exp(-rate * (distances - distances.min())) / np.array("
            "[math.prod(math.factorial(v) for v in np.unique(z, return_counts=True)[1])"
            " for z in lists])"
        ),
        _VALUES,
        _FORMULA,
    ),
    "the last point moves slowest": Mutant(
        _law(
            lists="np.array([*product(grid, repeat=k)])[:, ::-1]", shares="shares_of(lists, grid)"
        ).replace(
            "def ks",
            "def shares_of(lists, grid):\n    return (np.sort(lists[:, :1], axis=1)"
            "[:, :, None] <= grid).mean(axis=1)\n\n\ndef ks",
        ),
        _VALUES,
        _FORMULA,
    ),
    "sorted by probability": Mutant(
        _law(result="np.sort(weights / weights.sum())[::-1]"), _VALUES, _FORMULA
    ),
    "no weights are scaled": Mutant(_law(result="weights"), _VALUES, _FORMULA),
    "the mean gap": Mutant(
        _law(distances="np.abs(shares - people).mean(axis=1)"), _VALUES, _FORMULA
    ),
    "one side only": Mutant(_law(distances="(shares - people).max(axis=1)"), _VALUES, _FORMULA),
    "the share below": Mutant(
        _law(shares="(lists[:, :, None] < grid).mean(axis=1)"), _VALUES, _FORMULA
    ),
    "differences of shares, not of sums": Mutant(
        _law(
            shares="(lists[:, :, None] == grid).mean(axis=1)",
            distances="np.abs(shares - np.diff(people, prepend=0)).max(axis=1)",
        ),
        _VALUES,
        "Each of the three points alone is 1/2 away",
    ),
    "without repetitions": Mutant(
        _law(
            weights="np.exp(-rate * (distances - distances.min()))"
            " * [len({*z}) == len(z) for z in lists.tolist()]"
        ),
        _VALUES,
        _FORMULA,
    ),
    "epsilon is at least a hundredth": Mutant(
        _law("max(epsilon, 0.01) * len(x) / 2"), _VALUES, _FORMULA
    ),
    "a thousand people at most": Mutant(
        _law("epsilon * min(len(x), 1000) / 2"), _LARGE, "Subtract the least distance"
    ),
    "overflow": Mutant(
        _law(weights="np.exp(-rate * distances)"), _LARGE, "Subtract the least distance"
    ),
    "the largest distance off": Mutant(
        _law(weights="np.exp(-rate * (distances - distances.max()))"),
        _LARGE,
        "it is [nan, 0]",
    ),
    "the exponent cut at 300": Mutant(
        _law(weights="np.exp(-np.minimum(rate * (distances - distances.min()), 300))"),
        _LARGE,
        "round nothing",
    ),
    "small probabilities rounded away": Mutant(
        _law(result="np.round(weights / weights.sum(), 12)"), _LARGE, "round nothing"
    ),
    "a little for all": Mutant(
        _law(result="(weights + 1e-12) / (weights + 1e-12).sum()"), _LARGE, "round nothing"
    ),
    "distances to six decimals": Mutant(
        _law(distances="np.round(np.abs(shares - people).max(axis=1), 6)"),
        _LARGE,
        "round nothing",
    ),
    "epsilon three percent too large": Mutant(
        _law("1.03 * epsilon * len(x) / 2"), _PRIVATE, _BELOW
    ),
    "twice the rate": Mutant(_law("epsilon * len(x)"), _PRIVATE, _BELOW),
    "half the rate": Mutant(_law("epsilon * len(x) / 4"), _PRIVATE, "should be 0.7485"),
    "the nearest list only": Mutant(
        _law(weights="(distances == distances.min()).astype(float)"), _PRIVATE, _BELOW
    ),
    "n is taken from the grid": Mutant(_law("epsilon * len(grid) / 2"), _PRIVATE, _BELOW),
    "dplab's mechanism": Mutant(
        """
def ks_exponential_law(x, grid, k, epsilon):
    from dplab.synthesis import ExponentialOverDatasets

    law = ExponentialOverDatasets(grid, len(x), k, epsilon).distribution(x)
    found = dict(zip(law.outcomes, law.probabilities))
    lists = [*product(map(float, grid), repeat=k)]
    many = [sum(tuple(sorted(z)) == tuple(sorted(y)) for y in lists) for z in lists]
    return [found[tuple(sorted(z))] / m for z, m in zip(lists, many)]
""",
        _VALUES,
        "off limits",
    ),
    "all alike on grids of fifteen points or more": Mutant(
        _law(weights="np.exp(-rate * (distances - distances.min()) * (len(grid) < 15 or k == 1))"),
        _VALUES,
        "the logarithms of the law",
    ),
    "nothing below 1e-300": Mutant(
        _law(result="np.where(weights < 1e-300, 0, weights) / weights.sum()"),
        _LARGE,
        "the logarithms of ks_exponential_law(",
    ),
    "people sorted where they are": Mutant(
        _law().replace("    rate =", "    x.sort()\n    rate ="),
        _VALUES,
        "changes what it was given",
    ),
}

ANSWERS = Answers("ks_exponential_law", RIGHT, MUTANTS)
