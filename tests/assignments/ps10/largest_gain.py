"""Answers to `largest_gain` and `sigma_needed`. The mistakes: weights, signs, one of two bounds."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SIGMA = """
def sigma_needed(n, answers, gain):
    return min(answers / (2 * n * math.atanh(gain)), math.sqrt(answers / 2) / (n * gain))
"""


def _both(
    at_large: str = "population @ laws",
    more: str = "np.maximum(laws - at_large, 0)",
    result: str = "float((population @ more).sum())",
    sigma: str = _SIGMA,
) -> str:
    """Both functions with these parts."""
    return f"""
def largest_gain(laws, population):
    laws, population = np.array(laws, dtype=float), np.array(population, dtype=float)
    at_large = {at_large}
    more = {more}
    return {result}


{sigma.strip()}
"""


def _sigma(result: str) -> str:
    """Both functions, with this sigma."""
    return _both(sigma=f"\ndef sigma_needed(n, answers, gain):\n    return {result}\n")


RIGHT = {
    "matrices": _both(),
    "half of what differs": _both(
        more="np.abs(laws - at_large)",
        result="0.5 * float(np.sum(population[:, None] * more))",
        sigma="""
def sigma_needed(n, answers, gain):
    epsilon, rho = 4 * np.arctanh(gain), 2 * gain**2
    return min(2 * answers / (n * epsilon), np.sqrt(answers / rho) / n)
""",
    ),
    "output by output": """
def largest_gain(laws, population):
    gain = 0.0
    for y in range(len(laws[0])):
        known = [(population[x], laws[x][y]) for x in range(len(population))]
        mean = sum(p * q for p, q in known)
        gain += sum(p * (q - mean) for p, q in known if q > mean)
    return gain


def sigma_needed(n, answers, gain):
    epsilon = 2 * math.log((1 + gain) / (1 - gain)) if gain > 1e-3 else 4 * math.atanh(gain)
    pure = 2 * answers / epsilon / n
    return sorted([pure, (answers / 2) ** 0.5 / gain / n])[0]
""",
    "the joint law": _both(
        at_large="population[:, None] * laws",
        more="np.clip(at_large - np.outer(population, at_large.sum(axis=0)), 0, None)",
        result="more.sum()",
    ),
}

_VALUES, _ANY, _NOISE = (f"largest_gain_{part}" for part in ("values", "any", "sigma"))
_LIKELIER, _COLUMNS, _LESSER = "For each person, how much", "Outputs are columns", "The lesser of"
_PURE = "answers / (2 * n * math.atanh(gain))"
_RHO = "math.sqrt(answers / 2) / (n * gain)"

MUTANTS = {
    "all differences": Mutant(_both(more="np.abs(laws - at_large)"), _VALUES, _LIKELIER),
    "nothing cut off": Mutant(_both(more="laws - at_large"), _VALUES, _LIKELIER),
    "the best person": Mutant(_both(result="float(more.sum(axis=1).max())"), _VALUES, _LIKELIER),
    "people equally many": Mutant(_both("laws.mean(axis=0)"), _VALUES, _LIKELIER),
    "all people count the same": Mutant(
        _both(result="float(more.sum(axis=1).mean())"), _VALUES, _LIKELIER
    ),
    "the sum over people": Mutant(_both(result="float(more.sum())"), _VALUES, _LIKELIER),
    "the best output": Mutant(_both(result="float((population @ more).max())"), _VALUES, _LIKELIER),
    "the most likely person for each output": Mutant(
        _both(result="float((population @ (more * (laws == laws.max(axis=0)))).sum())"),
        _ANY,
        _COLUMNS,
    ),
    "against the others only": Mutant(
        _both(more="np.maximum(laws - laws.min(axis=0), 0)"), _VALUES, _LIKELIER
    ),
    "rows and columns exchanged": Mutant(
        _both("laws @ population", "np.maximum(laws.T - at_large, 0)"), _ANY, _COLUMNS
    ),
    "from the mean of the outputs": Mutant(
        _both("laws.mean(axis=1, keepdims=True)"), _VALUES, _LIKELIER
    ),
    "two outputs": Mutant(_both(result="float((population @ more[:, :2]).sum())"), _ANY, _COLUMNS),
    "a hundred people": Mutant(
        _both(result="float((population[:100] @ more[:100]).sum())"), _VALUES, _LIKELIER
    ),
    "equal outputs count once": Mutant(
        _both(result="float((population @ np.unique(more, axis=1)).sum())"), _VALUES, _LIKELIER
    ),
    "without rare outputs": Mutant(
        _both(more="np.where(at_large > 1e-4, np.maximum(laws - at_large, 0), 0)"), _ANY, _COLUMNS
    ),
    "only what is likely": Mutant(
        _both(more="np.where(laws > 0.05, np.maximum(laws - at_large, 0), 0)"), _ANY, _COLUMNS
    ),
    "the bound": Mutant(
        _both(
            result="float(np.tanh(np.log(max(laws[:, y].max() / max(laws[:, y].min(), 1e-300)"
            " for y in range(laws.shape[1]))) / 4))"
        ),
        _VALUES,
        _LIKELIER,
    ),
    "by epsilon alone": Mutant(_sigma(_PURE), _NOISE, _LESSER),
    "by rho alone": Mutant(_sigma(_RHO), _NOISE, _LESSER),
    "the larger": Mutant(_sigma(f"max({_PURE}, {_RHO})"), _NOISE, _LESSER),
    "epsilon / 4": Mutant(_sigma(f"min(answers / (2 * n * gain), {_RHO})"), _NOISE, _LESSER),
    "the first bound": Mutant(
        _sigma(f"min(2 * answers / (n * math.log1p(gain)), {_RHO})"), _NOISE, _LESSER
    ),
    "one payment an answer": Mutant(
        _sigma(f"min(answers / (4 * n * math.atanh(gain)), {_RHO} / math.sqrt(2))"),
        _NOISE,
        _LESSER,
    ),
    "the root forgotten": Mutant(
        _sigma(f"min({_PURE}, answers / 2 / (n * gain))"), _NOISE, _LESSER
    ),
    "by epsilon below two answers": Mutant(
        _sigma(f"{_PURE} if answers < 2 else {_RHO}"), _NOISE, _LESSER
    ),
    "by epsilon up to ten answers": Mutant(
        _sigma(f"min({_PURE}, {_RHO}) if answers <= 10 else {_RHO}"), _NOISE, _LESSER
    ),
    "a series of three terms": Mutant(
        _sigma(
            f"min(answers / (2 * n * (gain + gain**3 / 3 + gain**5 / 5)) if gain < 0.1"
            f" else {_PURE}, {_RHO})"
        ),
        _NOISE,
        _LESSER,
    ),
    "sigma of 1e-9 at least": Mutant(_sigma(f"max(1e-9, min({_PURE}, {_RHO}))"), _NOISE, _LESSER),
    "the gain, and not sigma": Mutant(
        _sigma("min(math.tanh(answers / (2 * n * gain)), math.sqrt(answers / 2) / (n * gain))"),
        _NOISE,
        _LESSER,
    ),
    "what is at large taken off the laws themselves": Mutant(
        _both(more="np.maximum(laws, 0)")
        .replace("np.array(laws", "np.asarray(laws")
        .replace("    more = ", "    laws -= at_large\n    more = "),
        _VALUES,
        "changes what it was given",
    ),
}

ANSWERS = Answers("largest_gain", RIGHT, MUTANTS)
