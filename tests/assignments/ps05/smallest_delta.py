"""Answers to `smallest_delta`. The mistakes: one direction, one output, or laws out of step."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _direction(excess: str, combine: str = "max(one_way(p, q), one_way(q, p))") -> str:
    """The text of `smallest_delta` with this excess of a over b, law to law."""
    return f"""
def smallest_delta(p, q, epsilon):
    def one_way(a, b):
        outcomes = set(a) | set(b)
        return {excess}

    return {combine}
"""


_SUM = "sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)"

RIGHT = {
    "one direction, twice": _direction(_SUM),
    "arrays": """
def smallest_delta(p, q, epsilon):
    outcomes = list(dict.fromkeys([*p, *q]))
    a = np.array([p.get(y, 0.0) for y in outcomes])
    b = np.array([q.get(y, 0.0) for y in outcomes])
    both = [np.maximum(0, a - np.exp(epsilon) * b), np.maximum(0, b - np.exp(epsilon) * a)]
    return np.sum(both, axis=1).max()
""",
    "a loop": """
def smallest_delta(p, q, epsilon):
    forth = back = 0.0
    for y in list(p) + [y for y in q if y not in p]:
        a = p[y] if y in p else 0
        b = q[y] if y in q else 0
        if a > math.exp(epsilon) * b:
            forth += a - math.exp(epsilon) * b
        if b > math.exp(epsilon) * a:
            back += b - math.exp(epsilon) * a
    return forth if forth > back else back
""",
    "the best event, then its probabilities": """
def smallest_delta(p, q, epsilon):
    found = []
    for one, other in [(p, q), (q, p)]:
        event = [y for y in one if one[y] > np.exp(epsilon) * other.get(y, 0)]
        found.append(sum(one[y] for y in event))
        found[-1] -= np.exp(epsilon) * sum(other.get(y, 0) for y in event)
    return max(found)
""",
}

MUTANTS = {
    "p over q only": Mutant(
        _direction(_SUM, "one_way(p, q)"), "smallest_delta_both_ways", "needs the larger one"
    ),
    "q over p only": Mutant(
        _direction(_SUM, "one_way(q, p)"), "smallest_delta_values", "should be 0.125"
    ),
    "the smaller direction": Mutant(
        _direction(_SUM, "min(one_way(p, q), one_way(q, p))"),
        "smallest_delta_both_ways",
        "should be 0.25, it is 0",
    ),
    "both directions added": Mutant(
        _direction(_SUM, "one_way(p, q) + one_way(q, p)"),
        "smallest_delta_values",
        "should be 0.25, it is 0.5",
    ),
    "the largest single outcome": Mutant(
        _direction(_SUM.replace("sum(max(0, ", "max(max(0, ")),
        "smallest_delta_events",
        "may have more excess than any single one",
    ),
    "the negative parts counted, too": Mutant(
        _direction(_SUM.replace("max(0, ", "(")),
        "smallest_delta_values",
        "over the outcomes where it is above 0",
    ),
    "the absolute difference": Mutant(
        _direction(_SUM.replace("max(0, ", "abs(")), "smallest_delta_values", "it is 0.5"
    ),
    "epsilon forgotten": Mutant(
        _direction(_SUM.replace("np.exp(epsilon) * ", "")),
        "smallest_delta_values",
        "should be 0.125, it is 0.25",
    ),
    "epsilon in the place of its exponential": Mutant(
        _direction(_SUM.replace("np.exp(epsilon)", "epsilon")),
        "smallest_delta_values",
        "should be 0.25, it is 1",
    ),
    "one plus epsilon": Mutant(
        _direction(_SUM.replace("np.exp(epsilon)", "(1 + epsilon)")),
        "smallest_delta_values",
        "should be 0.125",
    ),
    "the exponential on the wrong law": Mutant(
        _direction("sum(max(0, np.exp(epsilon) * a.get(y, 0) - b.get(y, 0)) for y in outcomes)"),
        "smallest_delta_values",
        "should be 0.125",
    ),
    "missing outcomes are an error": Mutant(
        _direction(_SUM.replace("a.get(y, 0)", "a[y]").replace("b.get(y, 0)", "b[y]")),
        "smallest_delta_missing",
        "raised KeyError",
    ),
    "common outcomes only": Mutant(
        _direction(_SUM.replace("in outcomes", "in set(a) & set(b)")),
        "smallest_delta_missing",
        "counts in full",
    ),
    "outcomes of p only": Mutant(
        """
def smallest_delta(p, q, epsilon):
    gaps = [(p[y], q.get(y, 0)) for y in p]
    forth = sum(max(0, a - np.exp(epsilon) * b) for a, b in gaps)
    return max(forth, sum(max(0, b - np.exp(epsilon) * a) for a, b in gaps))
""",
        "smallest_delta_missing",
        "should be 0.01, it is 0",
    ),
    "side by side, whatever the order": Mutant(
        """
def smallest_delta(p, q, epsilon):
    a, b = np.array(list(p.values())), np.array(list(q.values()))
    if len(a) < len(b):
        a = np.append(a, np.zeros(len(b) - len(a)))
    b = np.append(b, np.zeros(len(a) - len(b)))
    forth = np.maximum(0, a - np.exp(epsilon) * b).sum()
    return max(forth, np.maximum(0, b - np.exp(epsilon) * a).sum())
""",
        "smallest_delta_values",
        "should be 0.4",
    ),
    "nine decimals": Mutant(
        _direction(_SUM, "round(max(one_way(p, q), one_way(q, p)), 9)"),
        "smallest_delta_missing",
        "counts in full",
    ),
    "an excess below 1e-9 is none": Mutant(
        _direction(
            "sum(x for x in (a.get(y, 0) - np.exp(epsilon) * b.get(y, 0) for y in outcomes)"
            " if x > 1e-9)"
        ),
        "smallest_delta_missing",
        "counts in full",
    ),
    "nothing happens from an epsilon of 5.5 on": Mutant(
        _direction(_SUM, "max(one_way(p, q), one_way(q, p)) * (epsilon < 5.5)"),
        "smallest_delta_missing",
        "counts in full",
    ),
    "an epsilon of 3 at most": Mutant(
        _direction(_SUM.replace("np.exp(epsilon)", "np.exp(min(epsilon, 2.9))")),
        "smallest_delta_missing",
        "counts in full",
    ),
    "the 64 outcomes of largest excess": Mutant(
        _direction(
            "sum(sorted(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)"
            "[-64:])"
        ),
        "smallest_delta_events",
        "Sum over outcomes",
    ),
    "a thousand outcomes at most": Mutant(
        _direction(_SUM.replace("in outcomes", "in sorted(outcomes)[-1000:]")),
        "smallest_delta_events",
        "Sum over outcomes",
    ),
    "outcomes by what they look like": Mutant(
        """
def smallest_delta(p, q, epsilon):
    p, q = ({str(y): x for y, x in law.items()} for law in (p, q))
    gaps = [(p.get(y, 0), q.get(y, 0)) for y in set(p) | set(q)]
    grown = math.exp(epsilon)
    forth = sum(max(0, a - grown * b) for a, b in gaps)
    return max(forth, sum(max(0, b - grown * a) for a, b in gaps))
""",
        "smallest_delta_missing",
        "counts in full",
    ),
    "remembered by the outcomes": Mutant(
        "known = {}\n"
        + _direction(
            _SUM,
            "known.setdefault((*p, *q, epsilon), max(one_way(p, q), one_way(q, p)))",
        ),
        "smallest_delta_missing",
        "counts in full",
    ),
    "dplab's hockey stick": Mutant(
        """
def smallest_delta(p, q, epsilon):
    from dplab import hockey_stick

    a, b = Finite.of(p), Finite.of(q)
    return max(hockey_stick(a, b, epsilon=epsilon), hockey_stick(b, a, epsilon=epsilon))
""",
        "smallest_delta_values",
        "off limits",
    ),
    "dplab's privacy loss": Mutant(
        """
def smallest_delta(p, q, epsilon):
    from dplab import privacy_loss

    a, b = Finite.of(p), Finite.of(q)
    return max(privacy_loss(a, b).delta(epsilon), privacy_loss(b, a).delta(epsilon))
""",
        "smallest_delta_values",
        "off limits",
    ),
    "the largest log ratio": Mutant(
        _direction("max(abs(np.log(a.get(y, 1e-300) / b.get(y, 1e-300))) for y in outcomes)"),
        "smallest_delta_values",
        "should be 0.25",
    ),
    "fifteen thousand outcomes": Mutant(
        _direction(_SUM.replace("in outcomes", "in list(a)[:15_000]")),
        "smallest_delta_events",
        "smallest_delta of two laws",
    ),
    "the outcomes of the longer law": Mutant(
        _direction(_SUM.replace("in outcomes", "in max(a, b, key=len)")),
        "smallest_delta_missing",
        "counts in full",
    ),
    "texts of whole numbers": Mutant(
        """
def smallest_delta(p, q, epsilon):
    p, q = (
        {y if isinstance(y, str) else str(int(y)): x for y, x in law.items()} for law in (p, q)
    )
    gaps = [(p.get(y, 0), q.get(y, 0)) for y in set(p) | set(q)]
    grown = math.exp(epsilon)
    forth = sum(max(0, a - grown * b) for a, b in gaps)
    return max(forth, sum(max(0, b - grown * a) for a, b in gaps))
""",
        "smallest_delta_missing",
        "A string is another outcome",
    ),
    "outcomes in order": Mutant(
        _direction(_SUM.replace("in outcomes", "in sorted(outcomes)")),
        "smallest_delta_missing",
        "raised TypeError",
    ),
    "excesses below 1e-12 are rounding": Mutant(
        _direction(
            "sum(x for y in outcomes if (x := a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) > 1e-12)"
        ),
        "smallest_delta_events",
        "However small",
    ),
    "zeros put into the laws": Mutant(
        """
def smallest_delta(p, q, epsilon):
    for one, other in ((p, q), (q, p)):
        for y in one:
            other.setdefault(y, 0)
    grown = math.exp(epsilon)
    forth = sum(max(0, p[y] - grown * q[y]) for y in p)
    return max(forth, sum(max(0, q[y] - grown * p[y]) for y in p))
""",
        "smallest_delta_missing",
        "changes what it was given",
    ),
}

ANSWERS = Answers("smallest_delta", RIGHT, MUTANTS)
