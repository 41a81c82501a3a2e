"""Answers to `output_law`. The mistakes: no product, no law, or the law of something else."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _product_of(truth: str, lie: str) -> str:
    """The text of `output_law` with these probabilities of the truth and of a lie."""
    return f"""
def output_law(truths, epsilon):
    truth, lie = {truth}, {lie}
    law = {{}}
    for answers in product([0, 1], repeat=len(truths)):
        law[answers] = 1
        for x, y in zip(truths, answers):
            law[answers] *= truth if x == y else lie
    return law
"""


TRUTH, LIE = "math.exp(epsilon) / (1 + math.exp(epsilon))", "1 / (1 + math.exp(epsilon))"

RIGHT = {
    "a loop with a product": _product_of(TRUTH, LIE),
    "by the number of lies": """
def output_law(truths, epsilon):
    def probability(answers):
        lies = sum(x != y for x, y in zip(truths, answers))
        return math.exp(epsilon * (len(truths) - lies)) / (1 + math.exp(epsilon)) ** len(truths)

    return {answers: probability(answers) for answers in product((0, 1), repeat=len(truths))}
""",
    "recursion": """
def output_law(truths, epsilon):
    if len(truths) == 0:
        return {(): 1.0}
    lie = 1 / (1 + np.exp(epsilon))
    law = {}
    for answers, probability in output_law(truths[:-1], epsilon).items():
        law[answers + (truths[-1],)] = probability * (1 - lie)
        law[answers + (1 - truths[-1],)] = probability * lie
    return law
""",
    "arrays": """
def output_law(truths, epsilon):
    answers = np.indices([2] * len(truths)).reshape(len(truths), -1).T
    right = answers == np.array(truths)
    logs = np.where(right, -np.log1p(np.exp(-epsilon)), -np.log1p(np.exp(epsilon)))
    return dict(zip(map(tuple, answers), np.exp(logs.sum(axis=1))))
""",
    "outer products": """
def output_law(truths, epsilon):
    from collections import defaultdict

    lie = 1 / (1 + math.exp(epsilon))
    table = np.array(1.0)
    for truth in truths:
        table = np.multiply.outer(table, [1 - lie, lie] if truth == 0 else [lie, 1 - lie])
    law = defaultdict(float)
    law.update(np.ndenumerate(table))
    return law
""",
}

MUTANTS = {
    "truth and lie swapped": Mutant(
        _product_of(LIE, TRUTH), "output_law_small", "should have the probability 0.25 for (0,)"
    ),
    "no denominator": Mutant(
        _product_of("math.exp(epsilon)", "1"),
        "output_law_small",
        "should have probabilities from 0 to 1",
    ),
    "one probability of a lie, another of the truth": Mutant(
        _product_of("math.exp(epsilon) / (1 + math.exp(epsilon))", "math.exp(-epsilon)"),
        "output_law_small",
        "sum to",
    ),
    "epsilon spent twice": Mutant(
        _product_of(
            "math.exp(2 * epsilon) / (1 + math.exp(2 * epsilon))", "1 / (1 + math.exp(2 * epsilon))"
        ),
        "output_law_epsilon",
        "is 2 (truths",
    ),
    "epsilon divided among the people": Mutant(
        _product_of(
            "1 / (1 + math.exp(-epsilon / len(truths)))",
            "1 / (1 + math.exp(epsilon / len(truths)))",
        ),
        "output_law_epsilon",
        "is 0.5 (truths",
    ),
    "epsilon fixed at log(3)": Mutant(
        _product_of("3 / 4", "1 / 4"), "output_law_values", "for (0, 0, 0)"
    ),
    "every outcome alike": Mutant(
        _product_of("1 / 2", "1 / 2"), "output_law_epsilon", "is 0 (truths"
    ),
    "logarithms": Mutant(
        RIGHT["arrays"].replace("np.exp(logs.sum(axis=1))", "logs.sum(axis=1)"),
        "output_law_small",
        "should have probabilities from 0 to 1",
    ),
    "strings as keys": Mutant(
        RIGHT["a loop with a product"].replace(
            "return law", 'return {"".join(map(str, key)): law[key] for key in law}'
        ),
        "output_law_small",
        "tuples such as (0, 1) as keys, one key is",
    ),
    "a list of pairs": Mutant(
        RIGHT["a loop with a product"].replace("return law", "return list(law.items())"),
        "output_law_small",
        "should be a dict, it is a list",
    ),
    "the people in reverse": Mutant(
        RIGHT["a loop with a product"].replace("(truths, answers)", "(reversed(truths), answers)"),
        "output_law_values",
        "Compare answer i with truth i",
    ),
    "one coin for everybody": Mutant(
        f"""
def output_law(truths, epsilon):
    lies = tuple(1 - x for x in truths)
    return {{tuple(truths): {TRUTH}, lies: {LIE}}}
""",
        "output_law_values",
        "has no probability for the answers",
    ),
    "an outcome left out": Mutant(
        RIGHT["a loop with a product"].replace(
            "return law", "del law[tuple(1 - x for x in truths)]\n    return law"
        ),
        "output_law_small",
        "sum to 0.75, not to 1",
    ),
    "two people only": Mutant(
        RIGHT["a loop with a product"].replace("repeat=len(truths)", "repeat=min(2, len(truths))"),
        "output_law_values",
        "(0, 0, 0)",
    ),
    "an average for the product": Mutant(
        f"""
def output_law(truths, epsilon):
    truth, lie = {TRUTH}, {LIE}
    law = {{}}
    for answers in product([0, 1], repeat=len(truths)):
        factors = [truth if x == y else lie for x, y in zip(truths, answers)]
        law[answers] = np.mean(factors) / 2 ** (len(truths) - 1)
    return law
""",
        "output_law_epsilon",
        "largest |log-ratio|",
    ),
    "the number of ways to lie counted in": Mutant(
        RIGHT["by the number of lies"].replace(
            "return math.exp(", "return math.comb(len(truths), lies) * math.exp("
        ),
        "output_law_small",
        "sum to",
    ),
    "rounded": Mutant(
        RIGHT["by the number of lies"].replace(
            "probability(answers) for", "round(probability(answers), 4) for"
        ),
        "output_law_values",
        "[1, 0, 0]",
    ),
    "estimated from draws": Mutant(
        """
def output_law(truths, epsilon):
    draws = np.random.default_rng().random((20_000, len(truths))) < 1 / (1 + np.exp(epsilon))
    answers, counts = np.unique(np.array(truths) ^ draws, axis=0, return_counts=True)
    return {tuple(row): count / 20_000 for row, count in zip(answers.tolist(), counts)}
""",
        "output_law_values",
        "should have the probability",
    ),
    # Right where a test usually looks.
    "independent for up to six people": Mutant(
        _product_of(TRUTH, LIE)
        .replace("\n    law = {}", "\n    law = {}\n    few = truths[:6]")
        .replace("zip(truths, answers)", "zip(few, answers)")
        .replace("law[answers] = 1\n", "law[answers] = 0.5 ** (len(truths) - len(few))\n"),
        "output_law_values",
        "one factor, however small",
    ),
    "rare outcomes left out": Mutant(
        _product_of(TRUTH, LIE).replace(
            "return law", "return {y: chance for y, chance in law.items() if chance > 1e-9}"
        ),
        "output_law_values",
        "one factor, however small",
    ),
    "rounded to ten digits": Mutant(
        _product_of(TRUTH, LIE).replace(
            "return law", "return {y: round(chance, 10) for y, chance in law.items()}"
        ),
        "output_law_values",
        "one factor, however small",
    ),
    "no lies for large epsilon": Mutant(
        _product_of(f"({TRUTH} if epsilon < 9 else 1.0)", f"({LIE} if epsilon < 9 else 0.0)"),
        "output_law_epsilon",
        "that one's are the truth and the lie",
    ),
    "no epsilon above 5": Mutant(
        _product_of(TRUTH, LIE).replace("    truth,", "    epsilon = min(epsilon, 5)\n    truth,"),
        "output_law_values",
        "one factor, however small",
    ),
    "no epsilon below 0.1": Mutant(
        _product_of(TRUTH, LIE).replace(
            "    truth,", "    epsilon = max(epsilon, 0.1)\n    truth,"
        ),
        "output_law_values",
        "one factor, however small",
    ),
    "one millionth too much": Mutant(
        _product_of(
            "(1 / (1 + math.exp(-epsilon)) + 1e-9)", "(1 / (1 + math.exp(epsilon)) - 1e-9)"
        ),
        "output_law_epsilon",
        "that one's are the truth and the lie",
    ),
    "single precision": Mutant(
        RIGHT["by the number of lies"].replace(
            "probability(answers) for", "float(np.float32(probability(answers))) for"
        ),
        "output_law_values",
        "not to 1",
    ),
    "lists only": Mutant(
        RIGHT["recursion"].replace("truths[:-1]", "truths.copy()[:-1]"),
        "output_law_values",
        "each of the n people",
    ),
    "dplab's own": Mutant(
        """
def output_law(truths, epsilon):
    law = RandomizedResponse(epsilon).distribution(truths).enumerate()
    return dict(zip(law.outcomes, law.probabilities.tolist()))
""",
        "output_law_small",
        "off limits",
    ),
}

ANSWERS = Answers("output_law", RIGHT, MUTANTS)
