"""Answers to `multiplicative_weights_update`. The mistakes: the step, the scale, what overflows."""

from autograder.rehearsal.catalogue import Answers, Mutant

_ENTROPY = """

def relative_entropy(data, table):
    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)
    return rel_entr(p, r).sum()
"""


def _step(
    powers: str = "query * (answer - query @ table) / (2 * n)",
    grown: str = "table * np.exp(np.minimum(0, powers - powers[table > 0].max()))",
    result: str = "n * grown / grown.sum()",
    entropy: str = _ENTROPY,
) -> str:
    """The text of both functions with these parts."""
    return f"""
def multiplicative_weights_update(table, query, answer):
    table, query = np.array(table, dtype=float), np.array(query, dtype=float)
    n = table.sum()
    powers = {powers}
    grown = {grown}
    return {result}
{entropy}"""


def _entropy(body: str) -> str:
    """The text of both functions with this body of `relative_entropy`."""
    return _step(entropy=f"\n\ndef relative_entropy(data, table):\n{body}\n")


RIGHT = {
    "the largest exponent subtracted": _step(),
    "logarithms": """
def multiplicative_weights_update(table, query, answer):
    n = np.sum(table)
    error = answer - np.dot(query, table)
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(table, dtype=float)) + np.multiply(query, error / (2 * n))
    return n * np.exp(logs - np.logaddexp.reduce(logs))


def relative_entropy(data, table):
    total, n, m = 0.0, np.sum(data), np.sum(table)
    for x, h in zip(data, table):
        if x > 0 and h == 0:
            return math.inf
        if x > 0:
            total += x * (math.log(x / n) - math.log(h / m))
    return total / n
""",
    "cell by cell": """
def multiplicative_weights_update(table, query, answer):
    n = float(sum(table))
    off = answer - sum(q * h for q, h in zip(query, table))
    powers = [q * off / (2 * n) for q in query]
    most = max(power for power, h in zip(powers, table) if h > 0)
    grown = [h * math.exp(power - most) if h > 0 else 0.0 for power, h in zip(powers, table)]
    scale = n / sum(grown)
    return [scale * h for h in grown]


def relative_entropy(data, table):
    from scipy.stats import entropy

    return entropy(data, table)
""",
}

MUTANTS = {
    "not divided by n": Mutant(
        _step("query * (answer - query @ table) / 2"),
        "multiplicative_weights_update_values",
        "The exponent is q_c (a - q . h) / (2 n)",
    ),
    "no half": Mutant(
        _step("query * (answer - query @ table) / n"),
        "multiplicative_weights_update_values",
        "The exponent is q_c (a - q . h) / (2 n)",
    ),
    "divided by the cells": Mutant(
        _step("query * (answer - query @ table) / (2 * len(table))"),
        "multiplicative_weights_update_values",
        "with n the sum of the table",
    ),
    "not scaled": Mutant(
        _step(grown="table * np.exp(powers)", result="grown"),
        "multiplicative_weights_update_values",
        "then scale to n",
    ),
    "scaled to 1": Mutant(
        _step(result="grown / grown.sum()"),
        "multiplicative_weights_update_values",
        "then scale to n",
    ),
    "a step that is added": Mutant(
        _step(grown="np.maximum(0, table + powers * table)"),
        "multiplicative_weights_update_values",
        "should be [2.249, 1.751]",
    ),
    "whoever is counted at all": Mutant(
        _step("(query > 0) * (answer - query @ table) / (2 * n)"),
        "multiplicative_weights_update_values",
        "which may be a fraction",
    ),
    "counted if by more than half": Mutant(
        _step("np.rint(query) * (answer - query @ table) / (2 * n)"),
        "multiplicative_weights_update_values",
        "which may be a fraction",
    ),
    "in the array that it is given": Mutant(
        _step()
        .replace("table, query = np.array(table", "table, query = np.asarray(table")
        .replace(
            "    return n * grown", "    table[:] = n * grown / grown.sum()\n    return n * grown"
        ),
        "multiplicative_weights_update_values",
        "changes what it was given",
    ),
    "small cells emptied": Mutant(
        _step(grown="(table > 1e-9 * n) * table * np.exp(powers - powers[table > 0].max())"),
        "multiplicative_weights_update_values",
        "the logarithms",
    ),
    "empty cells filled": Mutant(
        _step(grown="np.maximum(table, 1e-12) * np.exp(powers - powers.max())"),
        "multiplicative_weights_update_values",
        "the logarithms",
    ),
    "no more than 10,000 cells": Mutant(
        _step(grown="table * np.exp(powers * (np.arange(len(table)) < 10_000))"),
        "multiplicative_weights_update_values",
        "the logarithms",
    ),
    "the wrong direction": Mutant(
        _step("query * (query @ table - answer) / (2 * n)"),
        "multiplicative_weights_update_theorem",
        "brings the table nearer",
    ),
    "no step at all": Mutant(
        _step(result="table"), "multiplicative_weights_update_theorem", "by less than eta^2 / 4"
    ),
    "half a step": Mutant(
        _step("query * (answer - query @ table) / (9 * n)"),
        "multiplicative_weights_update_theorem",
        "by less than eta^2 / 4",
    ),
    "it overflows": Mutant(
        _step(grown="table * np.exp(powers)"),
        "multiplicative_weights_update_large",
        "it is [nan, 0]",
    ),
    "the largest exponent of all cells": Mutant(
        _step(grown="table * np.exp(powers - powers.max())"),
        "multiplicative_weights_update_large",
        "Subtract the largest exponent of the cells that are not 0",
    ),
    "exponents of at most 700": Mutant(
        _step(grown="table * np.exp(np.clip(powers, -700, 700))"),
        "multiplicative_weights_update_large",
        "Subtract the largest exponent",
    ),
    "exponents of at most 30": Mutant(
        _step(grown="table * np.exp(np.clip(powers, -30, 30))"),
        "multiplicative_weights_update_large",
        "Subtract the largest exponent",
    ),
    "a possible answer": Mutant(
        _step("query * (np.clip(answer, 0, n) - query @ table) / (2 * n)"),
        "multiplicative_weights_update_large",
        "should be [5, 0]",
    ),
    "the other way round": Mutant(
        _entropy(
            "    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)\n"
            "    return rel_entr(r, p).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "it is inf",
    ),
    "in bits": Mutant(
        _entropy(
            "    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)\n"
            "    return rel_entr(p, r).sum() / np.log(2)"
        ),
        "multiplicative_weights_update_entropy",
        "it is 1. ",
    ),
    "not a number where nobody is": Mutant(
        _entropy(
            "    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)\n"
            "    return (p * np.log(p / r)).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "it is nan",
    ),
    "cells that somebody lacks left out": Mutant(
        _entropy(
            "    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)\n"
            "    both = (p > 0) & (r > 0)\n"
            "    return rel_entr(p[both], r[both]).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "should be inf",
    ),
    "counts for shares": Mutant(
        _entropy("    return rel_entr(data, table).sum() / np.sum(data)"),
        "multiplicative_weights_update_entropy",
        "Divide each by its own sum",
    ),
    "one sum for both": Mutant(
        _entropy("    return rel_entr(data, table).sum() / np.sum(table)"),
        "multiplicative_weights_update_entropy",
        "Divide each by its own sum",
    ),
    "a little in every cell": Mutant(
        _entropy(
            "    p, r = (np.array(one) / np.sum(one) + 1e-12 for one in (data, table))\n"
            "    return rel_entr(p, r).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "should be inf",
    ),
    "dplab's own": Mutant(
        "import dplab.queries\n\n"
        "def multiplicative_weights_update(table, query, answer):\n"
        "    return dplab.queries.multiplicative_weights_update(table, query, answer)\n" + _ENTROPY,
        "multiplicative_weights_update_values",
        "is off limits in an answer",
    ),
    "an answer of at most 100,000 people for one": Mutant(
        _step("query * (np.clip(answer, -1e5 * n, 1e5 * n) - query @ table) / (2 * n)"),
        "multiplicative_weights_update_large",
        "multiplicative_weights_update(",
    ),
    "in the list that it is given": Mutant(
        _step()
        .replace("    table, query", "    given = table\n    table, query")
        .replace(
            "    return n * grown",
            "    if isinstance(given, list):\n"
            "        given[:] = (n * grown / grown.sum()).tolist()\n"
            "    return n * grown",
        ),
        "multiplicative_weights_update_values",
        "changes what it was given",
    ),
    "a ratio that overflows": Mutant(
        _entropy(
            "    p, r = np.array(data) / np.sum(data), np.array(table) / np.sum(table)\n"
            "    return (p[p > 0] * np.log(p[p > 0] / r[p > 0])).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "should be 711.5, it is inf",
    ),
    "shares in the arrays that are given": Mutant(
        _entropy(
            "    p, r = np.asarray(data, dtype=float), np.asarray(table, dtype=float)\n"
            "    p /= p.sum()\n"
            "    r /= r.sum()\n"
            "    return rel_entr(p, r).sum()"
        ),
        "multiplicative_weights_update_entropy",
        "changes what it was given",
    ),
}

ANSWERS = Answers("multiplicative_weights_update", RIGHT, MUTANTS)
