"""Answers to `is_private`. The mistakes: who is a neighbour, which outputs count, and equality."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _all_pairs(neighbours: str, kept: str) -> str:
    """The text of `is_private` with these conditions on two datasets, and on a = p(y), b = q(y)."""
    return f"""
def is_private(laws, epsilon):
    e = math.exp(epsilon)
    for x in laws:
        for z in laws:
            changed = sum(one != other for one, other in zip(x, z))
            if not ({neighbours}):
                continue
            for y in set(laws[x]) | set(laws[z]):
                a, b = laws[x].get(y, 0), laws[z].get(y, 0)
                if not ({kept}):
                    return False
    return True
"""


_KEPT = "a <= e * b * (1 + 1e-9)"

RIGHT = {
    "all ordered pairs": _all_pairs("changed == 1", _KEPT),
    "neighbours made": """
def is_private(laws, epsilon):
    records = {record for x in laws for record in x}
    for x, law in laws.items():
        for i in range(len(x)):
            for record in records - {x[i]}:
                neighbour = laws[x[:i] + (record,) + x[i + 1 :]]
                outcomes = set(law) | set(neighbour)
                if any(
                    law.get(y, 0) > math.exp(epsilon) * neighbour.get(y, 0) * (1 + 1e-9)
                    for y in outcomes
                ):
                    return False
    return True
""",
    "the largest log-ratio": """
def is_private(laws, epsilon):
    def loss(a, b):
        if a == b:
            return 0.0
        return abs(math.log(a / b)) if a > 0 and b > 0 else math.inf

    def adjacent(x, z):
        return [one == other for one, other in zip(x, z)].count(False) == 1

    worst = 0.0
    for x, z in product(laws, laws):
        if adjacent(x, z):
            for y in {*laws[x], *laws[z]}:
                worst = max(worst, loss(laws[x].get(y, 0), laws[z].get(y, 0)))
    return worst <= epsilon + 1e-9
""",
    "a table": """
def is_private(laws, epsilon):
    datasets = list(laws)
    outcomes = list({y for law in laws.values() for y in law})
    table = np.array([[laws[x].get(y, 0.0) for y in outcomes] for x in datasets])
    distance = np.array([[sum(map(lambda a, b: a != b, x, z)) for z in datasets] for x in datasets])
    kept = table[:, None] <= math.exp(epsilon) * table[None, :] * (1 + 1e-9)
    return bool(kept[distance == 1].all())
""",
}

MUTANTS = {
    "all datasets compared": Mutant(
        _all_pairs("True", _KEPT), "is_private_survey", "should be True, it is False"
    ),
    "neighbours two apart": Mutant(
        _all_pairs("changed in (1, 2)", _KEPT), "is_private_survey", "differ in one record"
    ),
    "equality refused": Mutant(
        _all_pairs("changed == 1", "a < e * b * (1 - 1e-12)"),
        "is_private_survey",
        "should be True, it is False",
    ),
    "no slack for rounding": Mutant(
        _all_pairs("changed == 1", "a <= e * b * (1 - 1e-15)"),
        "is_private_survey",
        "should be True, it is False",
    ),
    "the difference": Mutant(
        _all_pairs("changed == 1", "abs(a - b) <= epsilon"),
        "is_private_survey",
        "should be False, it is True",
    ),
    "epsilon in the place of its exponential": Mutant(
        _all_pairs("changed == 1", "a <= epsilon * b * (1 + 1e-9)"),
        "is_private_survey",
        "should be True, it is False",
    ),
    "always": Mutant(
        "def is_private(laws, epsilon):\n    return True",
        "is_private_survey",
        "should be False, it is True",
    ),
    "the answer as text": Mutant(
        _all_pairs("changed == 1", _KEPT).replace("return True", 'return "True"'),
        "is_private_survey",
        "should be True or False, it is 'True'",
    ),
    "only the first record changes": Mutant(
        _all_pairs("changed == 1 and x[0] != z[0]", _KEPT),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "from smaller to larger": Mutant(
        _all_pairs("changed == 1 and x < z", _KEPT),
        "is_private_one_pair",
        "in both directions",
    ),
    "from larger to smaller": Mutant(
        _all_pairs("changed == 1 and x > z", _KEPT),
        "is_private_one_pair",
        "in both directions",
    ),
    "judged by the first pair": Mutant(
        """
def is_private(laws, epsilon):
    for x, z in product(laws, laws):
        if sum(a != b for a, b in zip(x, z)) == 1:
            return all(p <= math.exp(epsilon) * laws[z].get(y, 0) * (1 + 1e-9)
                       for y, p in laws[x].items())
    return True
""",
        "is_private_one_pair",
        "should be False, it is True",
    ),
    "records are bits": Mutant(
        """
def is_private(laws, epsilon):
    for x in laws:
        for i in range(len(x)):
            z = (*x[:i], 1 - x[i], *x[i + 1 :])
            for y in laws[x]:
                if laws[x][y] > math.exp(epsilon) * laws.get(z, laws[x]).get(y, 0) * (1 + 1e-9):
                    return False
    return True
""",
        "is_private_one_pair",
        "records and outputs",
    ),
    "the event of the likeliest output": Mutant(
        """
def is_private(laws, epsilon):
    for x, z in product(laws, laws):
        if sum(a != b for a, b in zip(x, z)) == 1:
            y = max(laws[x], key=laws[x].get)
            if laws[x][y] > math.exp(epsilon) * laws[z].get(y, 0) * (1 + 1e-9):
                return False
    return True
""",
        "is_private_one_pair",
        "all outputs",
    ),
    "outputs that both can give": Mutant(
        _all_pairs("changed == 1", "a == 0 or b == 0 or " + _KEPT),
        "is_private_impossible",
        "should be False, it is True",
    ),
    "a missing name": Mutant(
        _all_pairs("changed == 1", _KEPT).replace("laws[z].get(y, 0)", "laws[z][y]"),
        "is_private_impossible",
        "raised KeyError",
    ),
    "division by zero": Mutant(
        _all_pairs("changed == 1", "a / b <= e * (1 + 1e-9)"),
        "is_private_impossible",
        "raised ZeroDivisionError",
    ),
    # Right where a test usually looks.
    "a slack that is absolute": Mutant(
        _all_pairs("changed == 1", "a <= e * b + 1e-9"),
        "is_private_impossible",
        "10^-9 of nothing is nothing",
    ),
    "a slack of a millionth": Mutant(
        _all_pairs("changed == 1", "a <= e * b * (1 + 1e-6)"),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "a slack of a part of epsilon": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "math.exp(epsilon)", "math.exp(epsilon * 1.0001)"
        ),
        "is_private_survey",
        "a millionth below it",
    ),
    "nearly the same probability": Mutant(
        _all_pairs("changed == 1", _KEPT + " or math.isclose(a, b, abs_tol=1e-8)"),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "together no more than 10^-9 too much": Mutant(
        """
def is_private(laws, epsilon):
    return all(
        sum(max(0, p - math.exp(epsilon) * laws[z].get(y, 0)) for y, p in laws[x].items()) <= 1e-9
        for x, z in product(laws, repeat=2)
        if sum(a != b for a, b in zip(x, z)) == 1
    )
""",
        "is_private_impossible",
        "10^-9 of nothing is nothing",
    ),
    "always for large epsilon": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "    e =", "    if epsilon >= 10:\n        return True\n    e ="
        ),
        "is_private_impossible",
        "should be False, it is True",
    ),
    "no epsilon below 0.05": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "math.exp(epsilon)", "math.exp(max(epsilon, 0.05))"
        ),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "the first three records": Mutant(
        _all_pairs("changed == 1 and x[3:] == z[3:]", _KEPT),
        "is_private_one_pair",
        "of all people",
    ),
    "the five likeliest outputs": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "set(laws[x]) | set(laws[z])", "sorted(laws[x], key=laws[x].get)[-5:]"
        ),
        "is_private_one_pair",
        "all people, records and outputs",
    ),
    "the outputs of the first dataset": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "set(laws[x]) | set(laws[z])", "next(iter(laws.values()))"
        ),
        "is_private_impossible",
        "should be False, it is True",
    ),
    "dplab's own": Mutant(
        """
def is_private(laws, epsilon):
    from dplab.audit import exact_epsilon

    class Stated:
        neighbors = __import__("dplab").REPLACE_ONE

        def distribution(self, x):
            return Finite.of(laws[x])

    universe = {record for x in laws for record in x}
    return exact_epsilon(Stated(), universe, len(next(iter(laws)))).epsilon <= epsilon + 1e-9
""",
        "is_private_survey",
        "off limits",
    ),
    "against the first record alone": Mutant(
        _all_pairs(
            "changed == 1 and any(a != b and next(iter(laws))[0] in (a, b) for a, b in zip(x, z))",
            _KEPT,
        ),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "a slack of 5e-8": Mutant(
        _all_pairs("changed == 1", "a <= e * b * (1 + 5e-8)"),
        "is_private_one_pair",
        "All neighbours count",
    ),
    "records by what they look like": Mutant(
        _all_pairs("sum(str(a) != str(b) for a, b in zip(x, z)) == 1", _KEPT),
        "is_private_one_pair",
        "should be False, it is True",
    ),
    "records that are not one object": Mutant(
        _all_pairs("sum(a is not b for a, b in zip(x, z)) == 1", _KEPT),
        "is_private_one_pair",
        "should be False, it is True",
    ),
    "what one law names is written into the other": Mutant(
        _all_pairs("changed == 1", _KEPT).replace(
            "laws[x].get(y, 0), laws[z].get(y, 0)",
            "laws[x].setdefault(y, 0), laws[z].setdefault(y, 0)",
        ),
        "is_private_impossible",
        "changes what it was given",
    ),
}

ANSWERS = Answers("is_private", RIGHT, MUTANTS)
