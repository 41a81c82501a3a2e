"""Answers to `query_matrix`. The mistakes: any for all, the table turned, missing attributes."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _entry(formula: str, result: str = "np.array(rows)") -> str:
    """The text of `query_matrix` with this formula for one person p and one condition c."""
    return f"""
def query_matrix(people, conditions):
    rows = [[int({formula}) for p in people] for c in conditions]
    return {result}
"""


RIGHT = {
    "all keys": _entry("all(k in p and p[k] == c[k] for k in c)"),
    "items": _entry("c.items() <= p.items()"),
    "loops": """
def query_matrix(people, conditions):
    matrix = np.zeros((len(conditions), len(people)), dtype=int)
    for j, condition in enumerate(conditions):
        for i, person in enumerate(people):
            matrix[j, i] = 1
            for attribute, value in condition.items():
                if attribute not in person or person[attribute] != value:
                    matrix[j, i] = 0
    return matrix
""",
    "a default that nobody has": """
def query_matrix(people, conditions):
    nothing = object()
    def row(condition):
        return [
            float(all(person.get(key, nothing) == value for key, value in condition.items()))
            for person in people
        ]
    return [row(condition) for condition in conditions]
""",
}

MUTANTS = {
    "the table turned": Mutant(
        _entry("c.items() <= p.items()", "np.array(rows).T[::-1]"),
        "query_matrix_example",
        "A row for each condition",
    ),
    "any for all": Mutant(
        _entry("any(k in p and p[k] == c[k] for k in c)"), "query_matrix_town", "must have every"
    ),
    "everybody for the empty condition only if written so": Mutant(
        _entry("len(c) > 0 and c.items() <= p.items()"),
        "query_matrix_example",
        "A row for each condition",
    ),
    "nobody for the empty condition": Mutant(
        _entry("any(k in p and p[k] == v for k, v in c.items())"),
        "query_matrix_example",
        "A row for each condition",
    ),
    "an error for who lacks an attribute": Mutant(
        _entry("all(p[k] == c[k] for k in c)"), "query_matrix_missing", "KeyError"
    ),
    "None for what is missing": Mutant(
        _entry("all(p.get(k) == c[k] for k in c)"),
        "query_matrix_missing",
        "Who lacks an attribute doesn't have its value",
    ),
    "missing is as good as there": Mutant(
        _entry("all(p.get(k, c[k]) == c[k] for k in c)"),
        "query_matrix_missing",
        "should be [[0, 0]]",
    ),
    "false values forgotten": Mutant(
        _entry("all(p.get(k) and p[k] == c[k] for k in c)"),
        "query_matrix_missing",
        "should be [[0, 1]]",
    ),
    "the last attribute decides": Mutant(
        _entry("([True] + [k in p and p[k] == v for k, v in c.items()])[-1]"),
        "query_matrix_town",
        "must have every value",
    ),
    "the same attributes and no more": Mutant(
        _entry("c == p or not c"), "query_matrix_town", "and no other matters"
    ),
    "how many match": Mutant(
        _entry("sum(k in p and p[k] == v for k, v in c.items()) or not c"),
        "query_matrix_example",
        "A row for each condition",
    ),
    "the people, not the matrix": Mutant(
        """
def query_matrix(people, conditions):
    return [sum(c.items() <= p.items() for p in people) for c in conditions]
""",
        "query_matrix_example",
        "it is an array of shape (3,)",
    ),
    "the same object, not an equal value": Mutant(
        _entry("all(k in p and p[k] is c[k] for k in c)"),
        "query_matrix_missing",
        "Values are the same if they are equal",
    ),
    "the same type, too": Mutant(
        _entry("all(k in p and type(p[k]) is type(c[k]) and p[k] == c[k] for k in c)"),
        "query_matrix_missing",
        "Values are the same if they are equal",
    ),
    "written alike": Mutant(
        _entry("all(k in p and str(p[k]) == str(c[k]) for k in c)"),
        "query_matrix_missing",
        "Values are the same if they are equal",
    ),
    "as good as equal": Mutant(
        _entry(
            "all(k in p and (p[k] == c[k] or isinstance(p[k], float) and isinstance(c[k], float)"
            " and math.isclose(p[k], c[k])) for k in c)"
        ),
        "query_matrix_missing",
        "Values are the same if they are equal",
    ),
    "hashes in place of values": Mutant(
        _entry("all(k in p and hash(p[k]) == hash(c[k]) for k in c)"),
        "query_matrix_missing",
        "Values are the same if they are equal",
    ),
    "an empty string for what is missing": Mutant(
        _entry("all(p.get(k, '') == c[k] for k in c)"),
        "query_matrix_missing",
        "Who lacks an attribute doesn't have its value",
    ),
    "minus one for what is missing": Mutant(
        _entry("all(p.get(k, -1) == c[k] for k in c)"),
        "query_matrix_missing",
        "Who lacks an attribute doesn't have its value",
    ),
    "two attributes at most": Mutant(
        _entry("all(k in p and p[k] == c[k] for k in list(c)[:2])"),
        "query_matrix_town",
        "must have every value",
    ),
    "five attributes at most": Mutant(  # some 50 entries are wrong
        _entry("all(k in p and p[k] == c[k] for k in list(c)[:5])"),
        "query_matrix_town",
        "However many people",
    ),
    "the first ten thousand people": Mutant(
        _entry("i < 10_000 and all(k in p and p[k] == c[k] for k in c)").replace(
            "for p in people", "for i, p in enumerate(people)"
        ),
        "query_matrix_town",
        "However many people",
    ),
    "the first hundred conditions": Mutant(
        _entry("j < 100 and all(k in p and p[k] == c[k] for k in c)").replace(
            "for c in conditions", "for j, c in enumerate(conditions)"
        ),
        "query_matrix_town",
        "However many people",
    ),
    "spaces around values": Mutant(
        _entry(
            "all(k in p and (p[k].strip() == v.strip() if type(p[k]) is type(v) is str"
            " else p[k] == v) for k, v in c.items())"
        ),
        "query_matrix_missing",
        "whatever their type",
    ),
    "the first sixteen letters": Mutant(
        _entry(
            "all(k in p and (p[k][:16] == v[:16] if type(p[k]) is type(v) is str else p[k] == v)"
            " for k, v in c.items())"
        ),
        "query_matrix_missing",
        "whatever their type",
    ),
    "not many people in many conditions": Mutant(
        _entry(
            "all(k in p and p[k] == v for k, v in c.items())",
            result="np.array(rows) * (len(people) * len(conditions) <= 400_000)",
        ),
        "query_matrix_town",
        "However many people, conditions and attributes",
    ),
    "what is missing written into the people": Mutant(
        _entry("all(p.setdefault(k, math.nan) == c[k] for k in c)"),
        "query_matrix_example",
        "changes what it was given",
    ),
}

ANSWERS = Answers("query_matrix", RIGHT, MUTANTS)
