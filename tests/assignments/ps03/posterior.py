"""Answers to `posterior`. The mistakes: half of Bayes' rule, the wrong person."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _bayes(result: str, seen: str = "prior[x] * laws[x].get(output, 0)") -> str:
    """The text of `posterior` that returns this of the sums `total` and `with_one`."""
    return f"""
def posterior(prior, laws, output, person):
    total = with_one = 0
    for x in prior:
        joint = {seen}
        total += joint
        if x[person] == 1:
            with_one += joint
    if total == 0:
        raise ValueError("this output can't happen")
    return {result}
"""


RIGHT = {
    "two sums": _bayes("with_one / total"),
    "beliefs about datasets first": """
def posterior(prior, laws, output, person):
    joint = {x: p * laws[x].get(output, 0) for x, p in prior.items()}
    if not any(joint.values()):
        raise ValueError(f"{output!r} is impossible")
    beliefs = {x: p / sum(joint.values()) for x, p in joint.items()}
    return sum(belief for x, belief in beliefs.items() if x[person])
""",
    "odds": """
def posterior(prior, laws, output, person):
    weight = [0.0, 0.0]
    for x, law in laws.items():
        weight[x[person]] += prior.get(x, 0) * law.get(output, 0)
    if sum(weight) == 0:
        raise ValueError("impossible")
    return 1 / (1 + weight[0] / weight[1]) if weight[1] else 0.0
""",
    "arrays": """
def posterior(prior, laws, output, person):
    datasets = np.array(list(prior))
    weights = np.array([prior[x] * laws[x].get(output, 0) for x in prior])
    if weights.sum() == 0:
        raise ValueError("impossible")
    return np.average(datasets[:, person], weights=weights)
""",
}

MUTANTS = {
    "the likelihood alone": Mutant(
        _bayes("with_one / total", seen="laws[x].get(output, 0)"),
        "posterior_alone",
        "should be 0.25, it is 0.75",
    ),
    "the prior alone": Mutant(
        _bayes("with_one / total", seen="prior[x]"), "posterior_alone", "should be 0.75, it is 0.5"
    ),
    "not divided": Mutant(_bayes("with_one"), "posterior_alone", "should be 0.75, it is 0.375"),
    "the probability of 0": Mutant(
        _bayes("1 - with_one / total"), "posterior_alone", "should be 0.75, it is 0.25"
    ),
    "the odds": Mutant(
        _bayes("with_one / (total - with_one)"), "posterior_alone", "should be 0.75, it is 3"
    ),
    "the likelihood of the output": Mutant(
        _bayes("with_one / sum(prior[x] for x in prior if x[person] == 1)"),
        "posterior_alone",
        "should be 0.25, it is 0.75",
    ),
    "rounded to a verdict": Mutant(
        _bayes("round(with_one / total)"), "posterior_alone", "should be 0.75, it is 1"
    ),
    "outputs are answers": Mutant(
        _bayes("with_one / total", seen="prior[x] * laws[x][output == 1]"),
        "posterior_alone",
        "Prior times likelihood",
    ),
    "always the first person": Mutant(
        _bayes("with_one / total").replace("x[person]", "x[0]"),
        "posterior_independent",
        "should be 0.619, it is 0.5",
    ),
    "counted from one": Mutant(
        _bayes("with_one / total").replace("x[person]", "x[person - 1]"),
        "posterior_independent",
        "look at the right person",
    ),
    "everybody has a 1": Mutant(
        _bayes("with_one / total").replace("x[person] == 1", "all(x)"),
        "posterior_independent",
        "should be 0.5, it is 0.2857",
    ),
    "anybody has a 1": Mutant(
        _bayes("with_one / total").replace("x[person] == 1", "any(x)"),
        "posterior_independent",
        "Sum over what the others' records may be",
    ),
    "the likeliest dataset": Mutant(
        """
def posterior(prior, laws, output, person):
    joint = {x: prior[x] * laws[x].get(output, 0) for x in prior}
    if sum(joint.values()) == 0:
        raise ValueError("impossible")
    if len(prior) == 2 and len(next(iter(prior))) == 1:
        return joint.get((1,), 0) / sum(joint.values())
    return max(joint, key=joint.get)[person]
""",
        "posterior_independent",
        "should be 0.5, it is",
    ),
    "people taken for strangers": Mutant(
        """
def posterior(prior, laws, output, person):
    n = len(next(iter(laws)))
    shares = [sum(p for x, p in prior.items() if x[i] == 1) for i in range(n)]
    weight = [0.0, 0.0]
    for x in laws:
        chance = math.prod(s if bit else 1 - s for s, bit in zip(shares, x))
        weight[x[person]] += chance * laws[x].get(output, 0)
    if sum(weight) == 0:
        raise ValueError("impossible")
    return weight[1] / sum(weight)
""",
        "posterior_correlated",
        "should be 0.9, it is 0.75",
    ),
    "datasets that the prior leaves out": Mutant(
        _bayes("with_one / total").replace("for x in prior", "for x in laws"),
        "posterior_correlated",
        "raised KeyError",
    ),
    "an even prior over what it names": Mutant(
        _bayes("with_one / total", seen="laws[x].get(output, 0) * (prior[x] if len(x) < 2 else 1)"),
        "posterior_independent",
        "should be 0.5, it is 0.6923",
    ),
    "division by zero": Mutant(
        _bayes("with_one / total").replace("if total == 0", "if False"),
        "posterior_impossible",
        "should raise ValueError, it raised ZeroDivisionError",
    ),
    "zero for what can't happen": Mutant(
        _bayes("with_one / total").replace(
            'raise ValueError("this output can\'t happen")', "return 0.0"
        ),
        "posterior_impossible",
        "should raise ValueError, it is 0.0",
    ),
    "back to the prior": Mutant(
        _bayes("with_one / total").replace(
            'raise ValueError("this output can\'t happen")',
            "return sum(p for x, p in prior.items() if x[person] == 1)",
        ),
        "posterior_impossible",
        "should raise ValueError",
    ),
    "the unlikely refused": Mutant(
        _bayes("with_one / total").replace("total == 0", "total < 0.01"),
        "posterior_impossible",
        "raised ValueError",
    ),
    # Right where a test usually looks.
    "the very unlikely refused": Mutant(
        _bayes("with_one / total").replace("total == 0", "total < 1e-12"),
        "posterior_impossible",
        "However unlikely an output is",
    ),
    "rare datasets left out": Mutant(
        _bayes("with_one / total", seen="(prior[x] > 1e-5) * prior[x] * laws[x].get(output, 0)"),
        "posterior_impossible",
        "However unlikely an output is",
    ),
    "rare outputs are impossible": Mutant(
        _bayes("with_one / total").replace(
            "        total +=", "        joint *= joint > 1e-8\n        total +="
        ),
        "posterior_impossible",
        "However unlikely an output is",
    ),
    "rounded to nine digits": Mutant(
        _bayes("round(with_one / total, 9)"), "posterior_alone", "However small they are"
    ),
    "an output without a name": Mutant(
        _bayes("with_one / total").replace(
            "    total = with_one",
            '    if not output:\n        raise ValueError("what output?")\n    total = with_one',
        ),
        "posterior_alone",
        "raised ValueError",
    ),
    "one more than nothing": Mutant(
        _bayes("with_one / (total + 1e-12)").replace("total == 0", "total == 0.0"),
        "posterior_alone",
        "However small they are",
    ),
    "four people at most": Mutant(
        _bayes("with_one / total").replace("x[person] == 1", "x[min(person, 3)] == 1"),
        "posterior_independent",
        "look at the right person",
    ),
    "the last for the first": Mutant(
        _bayes("with_one / total").replace("x[person] == 1", "x[person - (len(x) > 3)] == 1"),
        "posterior_independent",
        "look at the right person",
    ),
    "a prior on all datasets": Mutant(
        _bayes("with_one / total").replace(
            "    total = with_one",
            "    prior = prior if len(prior) < 5 else dict.fromkeys(laws, 1)\n    total = with_one",
        ),
        "posterior_correlated",
        "people in it may go together",
    ),
    "outputs that all laws name": Mutant(
        _bayes("with_one / total", seen="prior[x] * laws[x][output]").replace(
            "    total =",
            "    if not all(output in law for law in laws.values()):\n"
            "        raise ValueError\n    total =",
        ),
        "posterior_impossible",
        "raised ValueError",
    ),
    "dplab's own": Mutant(
        """
def posterior(prior, laws, output, person):
    from dplab.theorems.posterior import beliefs

    class Stated:
        def distribution(self, x):
            return Finite.of(laws[x])

    found = beliefs(Stated(), Finite.of(prior), person=person, default=0)
    if output not in found.outputs:
        raise ValueError("impossible")
    return found.included[found.values.index(1), found.outputs.index(output)]
""",
        "posterior_alone",
        "off limits",
    ),
    "outputs by what they look like": Mutant(
        _bayes(
            "with_one / total",
            seen="prior[x] * sum(p for y, p in laws[x].items() if str(y) == str(output))",
        ),
        "posterior_alone",
        "A text is no number",
    ),
    "every dataset is written into the prior": Mutant(
        _bayes("with_one / total", seen="prior.setdefault(x, 0) * laws[x].get(output, 0)").replace(
            "for x in prior", "for x in laws"
        ),
        "posterior_alone",
        "changes what it was given",
    ),
}

ANSWERS = Answers("posterior", RIGHT, MUTANTS)
