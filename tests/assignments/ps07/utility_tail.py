"""Answers to `utility_tail` and `epsilon_for`. The mistakes: the notes' slips, ties, factors."""

from autograder.rehearsal.catalogue import Answers, Mutant

_EPSILON = """
def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
"""


def _tail(floor: str, low: str = "scores <= floor", epsilon_for: str = _EPSILON) -> str:
    """The answer with this formula of the floor, in scores, best, m, rate and t."""
    return f"""
def utility_tail(scores, sensitivity, epsilon, t):
    scores = np.array(scores, dtype=float)
    best, m, rate = scores.max(), len(scores), epsilon / (2 * sensitivity)
    floor = {floor}
    law = np.exp(rate * (scores - best))
    law /= law.sum()
    return floor, law[{low}].sum()


{epsilon_for.strip()}
"""


def _epsilon(formula: str) -> str:
    """The answer with this formula of epsilon_for."""
    text = f"def epsilon_for(m, sensitivity, gap, failure):\n    return {formula}"
    return _tail("best - (np.log(m) + t) / rate", epsilon_for=text)


RIGHT = {
    "arrays": _tail("best - (np.log(m) + t) / rate"),
    "with dplab's distributions": """
def utility_tail(scores, sensitivity, epsilon, t):
    rate = epsilon / (2 * sensitivity)
    best = max(scores)
    weights = [math.exp(rate * (score - best)) for score in scores]
    total = sum(weights)
    law = Finite.of({i: weight / total for i, weight in enumerate(weights)})
    floor = max(scores) - 2 * sensitivity / epsilon * (math.log(len(scores)) + t)
    return floor, law.expectation(lambda i: float(scores[i] <= floor))


def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity / gap * math.log(m / failure)
""",
    "loops": """
def utility_tail(scores, sensitivity, epsilon, t):
    best = max(scores)
    floor = best - (2 * sensitivity / epsilon) * (math.log(len(scores)) + t)
    total = low = 0.0
    for score in scores:
        weight = math.exp(epsilon * (score - best) / (2 * sensitivity))
        total += weight
        if score <= floor:
            low += weight
    return [floor, low / total]


def epsilon_for(m, sensitivity, gap, failure):
    t = -math.log(failure)
    return (math.log(m) + t) * 2 * sensitivity / gap
""",
    "one array": _tail("best - (np.log(m) + t) / rate").replace(
        "return floor, law[scores <= floor].sum()",
        "return np.array([floor, law[scores <= floor].sum()])",
    ),
    "a helper called floor": """
def floor(scores, rate, t):
    return max(scores) - (math.log(len(scores)) + t) / rate


def utility_tail(scores, sensitivity, epsilon, t):
    rate = epsilon / (2 * sensitivity)
    best = max(scores)
    weights = [math.exp(rate * (score - best)) for score in scores]
    least = floor(scores, rate, t)
    below = [w for w, score in zip(weights, scores, strict=True) if score <= least]
    return least, math.fsum(below) / math.fsum(weights)


def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity * (math.log(m) - math.log(failure)) / gap
""",
}

MUTANTS = {
    "the product in the notes": Mutant(
        _tail("best * ((np.log(m) + t) / rate)"), "utility_tail_floor", "it is 71.67"
    ),
    "above the best": Mutant(
        _tail("best + (np.log(m) + t) / rate"), "utility_tail_floor", "should be 16.42, it is 23.58"
    ),
    "without the number of candidates": Mutant(
        _tail("best - t / rate"), "utility_tail_floor", "the natural logarithm of m, plus t"
    ),
    "without its factor 2": Mutant(
        _tail("best - (np.log(m) + t) / (2 * rate)"), "utility_tail_floor", "it is 18.21"
    ),
    "the number itself": Mutant(
        _tail("best - (m + t) / rate"), "utility_tail_floor", "should be 16.42"
    ),
    "a decimal logarithm": Mutant(
        _tail("best - (np.log10(m) + t) / rate"), "utility_tail_floor", "natural logarithm"
    ),
    "a product of logarithm and t": Mutant(
        _tail("best - np.log(m) * t / rate"), "utility_tail_floor", "should be 16.42"
    ),
    "different scores counted once": Mutant(
        _tail("best - (np.log(len(set(scores.tolist()))) + t) / rate"),
        "utility_tail_floor",
        "should be 16.42",
    ),
    "below and not at the floor": Mutant(
        _tail("best - (np.log(m) + t) / rate", "scores < floor"),
        "utility_tail_probability",
        "whose score is at most the floor",
    ),
    "above the floor": Mutant(
        _tail("best - (np.log(m) + t) / rate", "scores > floor"),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "the share of candidates": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "np.exp(rate * (scores - best))", "np.ones(m)"
        ),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "the bound and not what is so": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace("law[scores <= floor].sum()", "np.exp(-t)"),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "one of several": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()", "max(law[scores <= floor], default=0.0)"
        ),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "scores exponentiated as they are": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace("(scores - best)", "scores"),
        "utility_tail_probability",
        "it is nan",
    ),
    "epsilon without its factor 2": Mutant(
        _epsilon("sensitivity * np.log(m / failure) / gap"),
        "utility_tail_epsilon",
        "should be 0.921, it is 0.4605",
    ),
    "epsilon without the candidates": Mutant(
        _epsilon("2 * sensitivity * np.log(1 / failure) / gap"),
        "utility_tail_epsilon",
        "it is 0.4605",
    ),
    "the gap multiplied": Mutant(
        _epsilon("2 * sensitivity * np.log(m / failure) * gap"),
        "utility_tail_epsilon",
        "it is 368.4",
    ),
    "failure and success confused": Mutant(
        _epsilon("2 * sensitivity * np.log(m / (1 - failure)) / gap"),
        "utility_tail_epsilon",
        "with e^-t = failure",
    ),
    "epsilon a little larger": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace("epsilon / (2", "1.03 * epsilon / (2"),
        "utility_tail_floor",
        "The floor is OPT minus 2 sensitivity / epsilon",
    ),
    "a floor to the cent": Mutant(
        _tail("round(best - (np.log(m) + t) / rate, 2)"), "utility_tail_floor", "should be 16.4165"
    ),
    "t of at most 50": Mutant(
        _tail("best - (np.log(m) + min(t, 50)) / rate"),
        "utility_tail_floor",
        "natural logarithm of m, plus t",
    ),
    "at most 10,000 candidates": Mutant(
        _tail("best - (np.log(min(m, 10_000)) + t) / rate"),
        "utility_tail_floor",
        "natural logarithm of m",
    ),
    "a floor of at least the worst score": Mutant(
        _tail("max(best - (np.log(m) + t) / rate, scores.min())"),
        "utility_tail_floor",
        "The floor is OPT minus",
    ),
    "nearly at the floor": Mutant(
        _tail("best - (np.log(m) + t) / rate", "scores <= floor + 1e-4 * abs(floor)"),
        "utility_tail_probability",
        "at most the floor",
    ),
    "a probability of nine digits": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()", "round(law[scores <= floor].sum(), 9)"
        ),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "equal scores once": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()",
            "law[np.unique(scores, return_index=True)[1]][np.unique(scores) <= floor].sum()",
        ),
        "utility_tail_probability",
        "probabilities of all whose",
    ),
    "frequencies of simulated choices": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()",
            "np.mean(np.random.default_rng(1).choice(scores, 1000, p=law) <= floor)",
        ),
        "utility_tail_probability",
        "Add up the probabilities",
    ),
    "the first thousand candidates": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()", "law[:1000][scores[:1000] <= floor].sum()"
        ),
        "utility_tail_probability",
        "probabilities of all whose",
    ),
    "an epsilon to the thousandth": Mutant(
        _epsilon("round(2 * sensitivity * np.log(m / failure) / gap, 3)"),
        "utility_tail_epsilon",
        "should be 0.921",
    ),
    "an epsilon of at most 100": Mutant(
        _epsilon("min(2 * sensitivity * np.log(m / failure) / gap, 100)"),
        "utility_tail_epsilon",
        "as a share of what is right",
    ),
    "failures of at least 1e-9": Mutant(
        _epsilon("2 * sensitivity * np.log(m / max(failure, 1e-9)) / gap"),
        "utility_tail_epsilon",
        "as a share of what is right",
    ),
    "dplab's own law": Mutant(
        """
from dplab import ExponentialMechanism


def utility_tail(scores, sensitivity, epsilon, t):
    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
    law = mechanism.distribution(scores)
    floor = max(scores) - 2 * sensitivity / epsilon * (math.log(len(scores)) + t)
    return floor, law.expectation(lambda i: float(scores[i] <= floor))

"""
        + _EPSILON,
        "utility_tail_probability",
        "off limits",
    ),
    "a failure near 1 by its first term": Mutant(
        _epsilon(
            "2 * sensitivity / gap * (np.log(m) + (1 - failure if failure > 0.9999"
            " else -np.log(failure)))"
        ),
        "utility_tail_epsilon",
        "as a share of what is right",
    ),
    "1 less the others": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "law[scores <= floor].sum()", "1 - law[scores > floor].sum()"
        ),
        "utility_tail_probability",
        "1 less the sum of the others has no digits left",
    ),
    "a weight below 1e-22 is nothing": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "    law /=", "    law[law < 1e-22] = 0\n    law /="
        ),
        "utility_tail_probability",
        "Add up the small probabilities themselves",
    ),
    "a number of candidates that must be Python's": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "    return 2",
            "    if not isinstance(m, int):\n        raise TypeError('m')\n    return 2",
        ),
        "utility_tail_epsilon",
        "raised TypeError",
    ),
    "scores sorted in place": Mutant(
        _tail("best - (np.log(m) + t) / rate").replace(
            "    scores =", "    scores.sort()\n    scores ="
        ),
        "utility_tail_floor",
        "changes what it was given",
    ),
    "one alone is always at the floor": Mutant(
        _tail("best - (np.log(m) + t) / rate", low="(scores <= floor) | (m == 1)"),
        "utility_tail_probability",
        "the probability of utility_tail([5], 1, 1, 2)",
    ),
}

ANSWERS = Answers("utility_tail", RIGHT, MUTANTS)
