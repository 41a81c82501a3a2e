"""Answers to `compose_laws`. The mistakes: the wrong arithmetic, pairs only, tuples lost."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _over_tuples(probability: str, outputs: str = "outputs") -> str:
    """The text of `compose_laws` with these expressions for each tuple and its probability."""
    return f"""
def compose_laws(laws):
    return {{
        {outputs}: {probability}
        for outputs in product(*laws)
    }}
"""


FACTORS = "[law[y] for law, y in zip(laws, outputs)]"

RIGHT = {
    "all tuples": _over_tuples(f"math.prod({FACTORS})"),
    "one law after another": """
def compose_laws(laws):
    joint = {(): 1.0}
    for law in laws:
        longer = {}
        for outputs, probability in joint.items():
            for y, p in law.items():
                longer[outputs + (y,)] = probability * p
        joint = longer
    return joint
""",
    "recursion": """
def compose_laws(laws):
    if len(laws) == 0:
        return {(): 1}
    rest = compose_laws(laws[1:])
    return {(y, *ys): p * q for y, p in laws[0].items() for ys, q in rest.items()}
""",
    "products of items": """
def compose_laws(laws):
    joint = {}
    for pairs in product(*[law.items() for law in laws]):
        joint[tuple(y for y, _ in pairs)] = np.prod([p for _, p in pairs])
    return joint
""",
}

MUTANTS = {
    "probabilities added": Mutant(
        _over_tuples(f"sum({FACTORS})"), "compose_laws_pairs", "should have probabilities"
    ),
    "the mean of the probabilities": Mutant(
        _over_tuples(f"np.mean({FACTORS})"), "compose_laws_pairs", "sum to 2, not to 1"
    ),
    "the first law for all": Mutant(
        """
def compose_laws(laws):
    return compose([laws[0]] * len(laws))


def compose(laws):
    return {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
""",
        "compose_laws_pairs",
        "should have the probability 0.125 for (0, 0), it has 0.0625",
    ),
    "two laws only": Mutant(
        """
def compose_laws(laws):
    if len(laws) == 1:
        return {(y,): p for y, p in laws[0].items()}
    a, b = laws[:2]
    return {(x, y): a[x] * b[y] for x in a for y in b}
""",
        "compose_laws_many",
        "has no probability for the answers (0, 0, 0)",
    ),
    "pairs of pairs": Mutant(
        """
def compose_laws(laws):
    joint = {(y,): p for y, p in laws[0].items()}
    for i, law in enumerate(laws[1:]):
        joint = {
            ((*x, y) if i == 0 else (x, y)): p * q
            for x, p in joint.items()
            for y, q in law.items()
        }
    return joint
""",
        "compose_laws_many",
        "should have tuples such as (0, 1) as keys",
    ),
    "the sum of the outputs": Mutant(
        _over_tuples(f"math.prod({FACTORS})", "sum(outputs)"),
        "compose_laws_pairs",
        "should have tuples such as (0, 1) as keys, one key is 0",
    ),
    "sorted outputs": Mutant(
        _over_tuples(f"math.prod({FACTORS})", "tuple(sorted(outputs))"),
        "compose_laws_many",
        "not to 1",
    ),
    "outputs from the last to the first": Mutant(
        _over_tuples(f"math.prod({FACTORS})", "outputs[::-1]"),
        "compose_laws_pairs",
        "has no probability for the answers (0, 5)",
    ),
    "outcomes that can't happen left out": Mutant(
        """
def compose_laws(laws):
    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
    return {ys: p for ys, p in joint.items() if p > 0}
""",
        "compose_laws_pairs",
        "has no probability for the answers (3, 0)",
    ),
    "side by side only": Mutant(
        """
def compose_laws(laws):
    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in zip(*laws)}
    return {ys: p / sum(joint.values()) for ys, p in joint.items()}
""",
        "compose_laws_pairs",
        "should have the probability 0.125 for (0, 0)",
    ),
    "one output twice": Mutant(
        """
def compose_laws(laws):
    laws = list(laws)
    if len(laws) > 1:
        laws[-1] = {y: p for y, p in zip(laws[-1], laws[0].values())}
    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
    return {ys: p / sum(joint.values()) for ys, p in joint.items()}
""",
        "compose_laws_epsilon",
        "Is every answer in the tuple, and each once?",
    ),
    "small probabilities taken for 0": Mutant(
        _over_tuples(f"math.prod({FACTORS}) * (math.prod({FACTORS}) >= 1e-10)"),
        "compose_laws_many",
        "as many entries as there are laws",
    ),
    "ten decimals": Mutant(
        _over_tuples(f"round(math.prod({FACTORS}), 10)"),
        "compose_laws_many",
        "as many entries as there are laws",
    ),
    "six laws at most": Mutant(
        """
def compose_laws(laws):
    first = laws[:6]
    return {ys: math.prod(law[y] for law, y in zip(first, ys)) for ys in product(*first)}
""",
        "compose_laws_many",
        "as many entries as there are laws",
    ),
    "many outcomes are all alike": Mutant(
        _over_tuples(
            f"math.prod({FACTORS}) if len(laws[0]) <= 1000 else 1 / math.prod(map(len, laws))"
        ),
        "compose_laws_many",
        "as many entries as there are laws",
    ),
    "negative outcomes without their sign": Mutant(
        _over_tuples(f"math.prod({FACTORS})", "tuple(map(abs, outputs))"),
        "compose_laws_many",
        "as many entries as there are laws",
    ),
    "dplab's product": Mutant(
        """
def compose_laws(laws):
    whole = Product([Finite.of(law) for law in laws]).enumerate()
    return dict(zip(whole.outcomes, whole.probabilities.tolist()))
""",
        "compose_laws_pairs",
        "off limits",
    ),
    "all tuples alike": Mutant(
        _over_tuples("1 / math.prod(len(law) for law in laws)"),
        "compose_laws_epsilon",
        "should be 0.75, it is 0",
    ),
    "ten thousand tuples": Mutant(
        """
def compose_laws(laws):
    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
    return dict(list(joint.items())[:10_000])
""",
        "compose_laws_many",
        "The tuple has as many entries",
    ),
    "five thousand outcomes of a law": Mutant(
        """
def compose_laws(laws):
    laws = [dict(list(law.items())[:5000]) for law in laws]
    return {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
""",
        "compose_laws_many",
        "The tuple has as many entries",
    ),
    "below 1e-40 is nothing": Mutant(
        _over_tuples(f"math.prod({FACTORS}) * (math.prod({FACTORS}) > 1e-40)"),
        "compose_laws_many",
        "the law, in multiples of the right one",
    ),
    "laws taken from the list": Mutant(
        """
def compose_laws(laws):
    joint = {(): 1.0}
    while laws:
        law = laws.pop(0)
        joint = {(*ys, y): p * q for ys, p in joint.items() for y, q in law.items()}
    return joint
""",
        "compose_laws_many",
        "changes what it was given",
    ),
}

ANSWERS = Answers("compose_laws", RIGHT, MUTANTS)
