"""Answers to `ks_distance` and `ks_sensitivity`. The mistakes: one side, some places, 1 / n."""

from autograder.rehearsal.catalogue import Answers, Mutant

_DISTANCE = """
def ks_distance(x, z):
    x, z = np.asarray(x), np.asarray(z)
    at = np.union1d(x, z)
    f = np.searchsorted(np.sort(x), at, side="right") / len(x)
    g = np.searchsorted(np.sort(z), at, side="right") / len(z)
    return np.abs(f - g).max()
"""
_MOST = """
def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max(most, max(found) - min(found))
    return most
"""


def _both(most: str = _MOST, distance: str = _DISTANCE) -> str:
    return f"{distance.strip()}\n\n\n{most.strip()}\n"


RIGHT = {
    "one record and the rest": _both(),
    "all pairs": _both("""
def ks_sensitivity(values, z, n):
    found = {}
    for x in product(values, repeat=n):
        found[x] = ks_distance(x, z)
    most = 0.0
    for x in found:
        for i in range(n):
            for value in values:
                y = x[:i] + (value,) + x[i + 1 :]
                most = max(most, abs(found[x] - found[y]))
    return float(most)
"""),
    "a walk over both, sorted": _both(
        distance="""
def ks_distance(x, z):
    x, z = sorted(x), sorted(z)
    i = j = 0
    largest = 0.0
    while i < len(x) or j < len(z):
        if j == len(z) or (i < len(x) and x[i] <= z[j]):
            t = x[i]
        else:
            t = z[j]
        while i < len(x) and x[i] == t:
            i += 1
        while j < len(z) and z[j] == t:
            j += 1
        largest = max(largest, abs(i / len(x) - j / len(z)))
    return largest
"""
    ),
    "a sum for each number": _both(
        distance="""
def ks_distance(x, z):
    def share(data, t):
        return sum(1 for number in data if number <= t) / len(data)

    return max(abs(share(x, t) - share(z, t)) for t in set(x) | set(z))
"""
    ),
    "the shares below": _both(distance=_DISTANCE.replace('side="right"', 'side="left"')),
    "scipy's statistic": _both(
        distance="""
def ks_distance(x, z):
    from scipy.stats import ks_2samp

    return ks_2samp(x, z, method="asymp").statistic
"""
    ),
}

_FAR, _ONE, _ALL = "ks_sensitivity_distance", "ks_sensitivity_one", "ks_sensitivity_values"
_PLACES, _EACH = "at all numbers t of x and of z", "each of the n replaced by each value"

MUTANTS = {
    "counts in place of shares": Mutant(
        _both(distance=_DISTANCE.replace(" / len(x)", "").replace(" / len(z)", " * len(x)/len(z)")),
        _FAR,
        "should be 0.5, it is 2",
    ),
    "one side only": Mutant(
        _both(distance=_DISTANCE.replace("np.abs(f - g)", "(f - g)")),
        _FAR,
        _PLACES,
    ),
    "only at numbers of x": Mutant(
        _both(distance=_DISTANCE.replace("np.union1d(x, z)", "np.unique(x)")),
        _FAR,
        _PLACES,
    ),
    "only at numbers of z": Mutant(
        _both(distance=_DISTANCE.replace("np.union1d(x, z)", "np.unique(z)")),
        _FAR,
        _PLACES,
    ),
    "z isn't sorted": Mutant(_both(distance=_DISTANCE.replace("np.sort(z)", "z")), _FAR, _PLACES),
    "on a grid of 101 places": Mutant(
        _both(
            distance=_DISTANCE.replace(
                "np.union1d(x, z)", "np.linspace(min(x.min(), z.min()), max(x.max(), z.max()), 101)"
            )
        ),
        _FAR,
        _PLACES,
    ),
    "numbers to six decimals": Mutant(
        _both(
            distance=_DISTANCE.replace(
                "x, z = np.asarray(x), np.asarray(z)", "x, z = np.round(x, 6), np.round(z, 6)"
            )
        ),
        _FAR,
        _PLACES,
    ),
    "the difference of sorted lists": Mutant(
        _both(
            distance="""
def ks_distance(x, z):
    q = np.linspace(0, 1, 101)
    return np.abs(np.quantile(x, q) - np.quantile(z, q)).max()
"""
        ),
        _FAR,
        _PLACES,
    ),
    "the mean gap": Mutant(_both(distance=_DISTANCE.replace(".max()", ".mean()")), _FAR, _PLACES),
    "x moved on the way": Mutant(
        _both(
            distance="""
def ks_distance(x, z):
    x, z = np.asarray(x), np.asarray(z)
    at = np.union1d(x, z)
    f = np.searchsorted(np.sort(x), at, side="right") / len(x)
    g = np.searchsorted(np.sort(z), at, side="right") / len(z)
    x *= 2
    return np.abs(f - g).max()
"""
        ),
        _FAR,
        "changes what it was given",
    ),
    "repeated numbers once": Mutant(
        _both(
            distance=_DISTANCE.replace(
                "x, z = np.asarray(x), np.asarray(z)", "x, z = np.unique(x), np.unique(z)"
            )
        ),
        _FAR,
        _PLACES,
    ),
    "1 / n": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    return 1 / n
"""),
        _ONE,
        "should be 0, it is 1",
    ),
    "1 / n, but for a single value": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    return 1 / n if len(values) > 1 else 0
"""),
        _ONE,
        "should be 0, it is 1",
    ),
    "1 / n from two on": Mutant(
        _both(
            _MOST.replace("    most = 0.0", "    if n > 1:\n        return 1 / n\n    most = 0.0")
        ),
        _ALL,
        "should be",
    ),
    "the largest distance": Mutant(
        _both(_MOST.replace(" - min(found)", "")), _ONE, "compare their distances to z"
    ),
    "the range over all datasets": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    found = [ks_distance(x, z) for x in combinations_with_replacement(values, n)]
    return max(found) - min(found)
"""),
        _ALL,
        _EACH,
    ),
    "replaced by the next value only": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    most, values = 0.0, sorted(values)
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max([most, *np.abs(np.diff(found))])
    return most
"""),
        _ONE,
        "compare their distances to z",
    ),
    "replaced by the least or the largest only": Mutant(
        _both(_MOST.replace("for value in values]", "for value in (min(values), max(values))]")),
        _ONE,
        "compare their distances to z",
    ),
    "the first sixty values": Mutant(
        _both(_MOST.replace("for value in values]", "for value in values[:60]]")),
        _ONE,
        "compare their distances to z",
    ),
    "one record more": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    most = 0.0
    for x in combinations_with_replacement(values, n):
        for value in values:
            most = max(most, abs(ks_distance(x, z) - ks_distance([*x, value], z)))
    return most
"""),
        _ONE,
        "compare their distances to z",
    ),
    "a record of z is replaced": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    most = 0.0
    for x in combinations_with_replacement(values, n):
        for i in range(len(z)):
            for value in values:
                other = [*z[:i], value, *z[i + 1 :]]
                most = max(most, abs(ks_distance(x, z) - ks_distance(x, other)))
    return most
"""),
        _ONE,
        "compare their distances to z",
    ),
    "any z": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        for at in values:
            found = [ks_distance([*rest, value], [at]) for value in values]
            most = max(most, max(found) - min(found))
    return most
"""),
        _ONE,
        "should be 0, it is 1",
    ),
    "no more than four records": Mutant(
        _both(_MOST.replace("    most = 0.0", "    n = min(n, 4)\n    most = 0.0")), _ALL, _EACH
    ),
    "each value once at most": Mutant(
        _both(
            _MOST.replace(
                "        found =",
                "        if len({*rest}) < n - 1:\n            continue\n        found =",
            )
        ),
        _ALL,
        _EACH,
    ),
    "dplab's distance": Mutant(
        _both(
            distance="""
def ks_distance(x, z):
    from dplab.synthesis import ks_distance as theirs

    return theirs(x, z)
"""
        ),
        _FAR,
        "off limits",
    ),
    "dplab's search": Mutant(
        _both("""
def ks_sensitivity(values, z, n):
    return largest_move(lambda x: ks_distance(x, z), REPLACE_ONE, values, n=n)
"""),
        _ONE,
        "off limits",
    ),
    "both sorted in place": Mutant(
        _both(distance=_DISTANCE.replace("    at =", "    x.sort(), z.sort()\n    at =")),
        _FAR,
        "changes what it was given",
    ),
    "nineteen hundred places at most": Mutant(
        _both(distance=_DISTANCE.replace("np.union1d(x, z)", "np.union1d(x, z)[:1900]")),
        _FAR,
        _PLACES,
    ),
    "not more than nineteen published": Mutant(
        _both(_MOST.replace("    most = 0.0", "    z, most = z[:19], 0.0")),
        "ks_sensitivity_values",
        "All datasets of n records",
    ),
    "values sorted where they are": Mutant(
        _both(_MOST.replace("    most = 0.0", "    values.sort()\n    most = 0.0")),
        _ONE,
        "changes what it was given",
    ),
}

ANSWERS = Answers("ks_sensitivity", RIGHT, MUTANTS)
