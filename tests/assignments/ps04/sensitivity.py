"""Answers to `sensitivity`. The mistakes: wrong pairs, the wrong distance, half of the moves."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _functions(at: str = "", replace: str = "", add_remove: str = "", distance: str = "") -> str:
    """The text of the three functions and of the distance they share, right where not given."""
    parts = (distance or _DISTANCE, at or _AT, replace or _REPLACE, add_remove or _ADD_REMOVE)
    return "\n".join(parts)


_DISTANCE = """
def distance(a, b):
    return float(np.sum(np.abs(np.subtract(a, b))))
"""
_AT = """
def sensitivity_at(query, x, universe):
    largest = 0.0
    for i in range(len(x)):
        for value in universe:
            y = (*x[:i], value, *x[i + 1 :])
            largest = max(largest, distance(query(x), query(y)))
    return largest
"""
_REPLACE = """
def sensitivity_replace(query, universe, n):
    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
"""
_ADD_REMOVE = """
def sensitivity_add_remove(query, universe, n):
    largest = 0.0
    for size in range(1, n):
        for x in product(universe, repeat=size):
            for value in universe:
                largest = max(largest, distance(query(x), query((*x, value))))
    return largest
"""

RIGHT = {
    "loops": _functions(),
    "a table of all answers": """
def _answers(query, universe, sizes):
    return {x: np.ravel(query(x)) for size in sizes for x in product(universe, repeat=size)}


def sensitivity_at(query, x, universe):
    x = tuple(x)
    here = np.ravel(query(x))
    moves = [0]
    for y in product(universe, repeat=len(x)):
        if sum(a != b for a, b in zip(x, y)) == 1:
            moves.append(np.abs(np.ravel(query(y)) - here).sum())
    return max(moves)


def sensitivity_replace(query, universe, n):
    answers = _answers(query, universe, [n])
    return max(
        np.abs(a - b).sum()
        for x, a in answers.items()
        for y, b in answers.items()
        if sum(s != t for s, t in zip(x, y)) <= 1
    )


def sensitivity_add_remove(query, universe, n):
    answers = _answers(query, universe, range(1, n + 1))
    return max(np.abs(b - answers[y[:-1]]).sum() for y, b in answers.items() if len(y) > 1)
""",
    "numpy at the end": """
def moves(query, pairs):
    return np.array([np.abs(np.array(query(x)) - np.array(query(y))).sum() for x, y in pairs])


def neighbours_of(x, universe):
    for i, old in enumerate(x):
        for new in universe:
            changed = list(x)
            changed[i] = new
            yield tuple(changed)


def sensitivity_at(query, x, universe):
    return moves(query, [(x, y) for y in neighbours_of(x, universe)]).max()


def sensitivity_replace(query, universe, n):
    everything = product(universe, repeat=n)
    return moves(query, [(x, y) for x in everything for y in neighbours_of(x, universe)]).max()


def sensitivity_add_remove(query, universe, n):
    fewer = [x for size in range(1, n) for x in product(universe, repeat=size)]
    pairs = [(x, (*x, value)) for x in fewer for value in universe]
    return moves(query, pairs).max()
""",
}

MUTANTS = {
    "only moves upward": Mutant(
        _functions(distance="def distance(a, b):\n    return np.sum(np.subtract(b, a))\n"),
        "sensitivity_at",
        "should be 5, it is 0",
    ),
    "only the last record is replaced": Mutant(
        _functions(at=_AT.replace("range(len(x))", "range(len(x) - 1, len(x))")),
        "sensitivity_at",
        "Replace each record in turn",
    ),
    "the largest move at the dataset of zeros": Mutant(
        _functions(
            replace="""
def sensitivity_replace(query, universe, n):
    return sensitivity_at(query, (universe[0],) * n, universe)
"""
        ),
        "sensitivity_replace",
        "should be 5, it is 0",
    ),
    "the range of all answers": Mutant(
        _functions(
            replace="""
def sensitivity_replace(query, universe, n):
    answers = [query(x) for x in product(universe, repeat=n)]
    return float(np.sum(np.max(answers, axis=0) - np.min(answers, axis=0)))
"""
        ),
        "sensitivity_replace",
        "should be 5, it is 10",
    ),
    "the average move": Mutant(
        _functions(
            replace="""
def sensitivity_replace(query, universe, n):
    return np.mean([sensitivity_at(query, x, universe) for x in product(universe, repeat=n)])
"""
        ),
        "sensitivity_replace",
        "Take the largest sensitivity_at",
    ),
    "divided by the number of people": Mutant(
        _functions(
            replace="""
def sensitivity_replace(query, universe, n):
    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n)) / n
"""
        ),
        "sensitivity_replace",
        "should be 5, it is 2.5",
    ),
    "everybody may change": Mutant(
        _functions(
            at="""
def sensitivity_at(query, x, universe):
    return max(distance(query(x), query(y)) for y in product(universe, repeat=len(x)))
"""
        ),
        "sensitivity_at",
        "should be 4, it is 8",
    ),
    "Euclidean distance": Mutant(
        _functions(
            distance="def distance(a, b):\n    return np.linalg.norm(np.ravel(np.subtract(a, b)))\n"
        ),
        "sensitivity_vector",
        "should be 2, it is 1.414",
    ),
    "the largest entry that moves": Mutant(
        _functions(distance="def distance(a, b):\n    return np.max(np.abs(np.subtract(a, b)))\n"),
        "sensitivity_vector",
        "the sum of the absolute differences",
    ),
    "moves that cancel": Mutant(
        _functions(distance="def distance(a, b):\n    return abs(np.sum(np.subtract(a, b)))\n"),
        "sensitivity_vector",
        "should be 2, it is 0",
    ),
    "a replacement counted as coming and going": Mutant(
        _functions(
            add_remove="""
def sensitivity_add_remove(query, universe, n):
    return sensitivity_replace(query, universe, n)
"""
        ),
        "sensitivity_add_remove",
        "should be 1, it is 0",
    ),
    "only the largest datasets lose a record": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("range(1, n)", "range(n - 1, n)")),
        "sensitivity_add_remove",
        "should be 2.5, it is 1.667",
    ),
    "one size too many": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("range(1, n)", "range(n)")),
        "sensitivity_add_remove",
        "raised ValueError",
    ),
    "only copies of a record come": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("(*x, value)", "(*x, x[-1])")),
        "sensitivity_add_remove",
        "should be 2.5, it is",
    ),
    "the first three records alone": Mutant(
        _functions(at=_AT.replace("range(len(x))", "range(min(len(x), 3))")),
        "sensitivity_at",
        "Replace each record in turn",
    ),
    "the first and the last value of the universe": Mutant(
        _functions(at=_AT.replace("in universe", "in (universe[0], universe[-1])")),
        "sensitivity_at",
        "by each value",
    ),
    "values that are there already left out": Mutant(
        _functions(at=_AT.replace("in universe:", "in set(universe) - set(x):")),
        "sensitivity_at",
        "by each value",
    ),
    "small moves taken for none": Mutant(
        _functions(
            distance="""
def distance(a, b):
    moved = float(np.sum(np.abs(np.subtract(a, b))))
    return moved if moved > 1e-6 else 0.0
"""
        ),
        "sensitivity_at",
        "e-09, it is 0",
    ),
    "records made numbers": Mutant(
        _functions(at=_AT.replace("for i in", "x = tuple(map(float, x))\n    for i in")),
        "sensitivity_at",
        "raised ValueError",
    ),
    "datasets in order alone": Mutant(
        "from itertools import combinations_with_replacement as ordered\n"
        + _functions(
            replace=_REPLACE.replace("product(universe, repeat=n)", "ordered(universe, n)")
        ),
        "sensitivity_replace",
        "Take the largest sensitivity_at",
    ),
    "dplab's own": Mutant(
        "from dplab import REPLACE_ONE, neighbors\n"
        + _functions(
            replace="""
def sensitivity_replace(query, universe, n):
    return neighbors.sensitivity(query, REPLACE_ONE, universe, n)
"""
        ),
        "sensitivity_replace",
        "dplab.neighbors.sensitivity is off limits in an answer",
    ),
    "the norm of a matrix": Mutant(
        _functions(
            distance="""
def distance(a, b):
    gap = np.subtract(a, b)
    return float(np.linalg.norm(gap, 1) if 1 <= gap.ndim <= 2 else np.abs(gap).sum())
"""
        ),
        "sensitivity_vector",
        "should be 6, it is 2",
    ),
    "the first ten entries": Mutant(
        _functions(
            distance="""
def distance(a, b):
    return float(np.sum(np.abs(np.ravel(np.subtract(a, b))[:10])))
"""
        ),
        "sensitivity_vector",
        "should be 780, it is 45",
    ),
    "one record more than n": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("range(1, n)", "range(1, n + 1)")),
        "sensitivity_add_remove",
        "should be 9, it is 11",
    ),
    "up to three records": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("range(1, n)", "range(1, min(n, 3))")),
        "sensitivity_add_remove",
        "n at most",
    ),
    "only new values come": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("in universe:", "in set(universe) - set(x):")),
        "sensitivity_add_remove",
        "one more comes",
    ),
    "only three values come": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("in universe:", "in universe[:3]:")),
        "sensitivity_add_remove",
        "Add one record",
    ),
    "only ten decimals": Mutant(
        _functions(at=_AT.replace("return largest", "return round(largest, 10)")),
        "sensitivity_at",
        "Replace each record in turn",
    ),
    "small moves taken for none where one comes": Mutant(
        _functions(add_remove=_ADD_REMOVE.replace("return largest", "return round(largest, 7)")),
        "sensitivity_add_remove",
        "However little moves",
    ),
    "four people at most where one comes": Mutant(
        _functions(
            add_remove=_ADD_REMOVE.replace(
                "range(1, n)", "range(1, n if len(universe) == 1 else min(n, 4))"
            )
        ),
        "sensitivity_add_remove",
        "Add one record",
    ),
    "records out of an array": Mutant(
        _functions(at=_AT.replace("in universe", "in np.array(universe)")),
        "sensitivity_at",
        "Records are handed to the query as they are",
    ),
}

ANSWERS = Answers("sensitivity", RIGHT, MUTANTS)
