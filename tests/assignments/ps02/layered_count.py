"""Answers to `layered_count`. The mistakes: which layers there are, how often, and for whom."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _count(
    static: str = "(column, tuple(sorted(set(values))))",
    dynamic: str = "(column, value, tuple(people))",
    few: str = "len(people) < 2 or len(people) < 4 + noise(people) / 2",
    answer: str = "len(people) + sigma * sum(noise(*layer) for layer in layers)",
    before: str = "pass",
) -> str:
    """The text of the function with these layers, collected in a set, and this answer."""
    return f"""
def layered_count(rows, conditions, noise, sigma):
    {before}
    people = [i for i, row in enumerate(rows) if all(row[c] in v for c, v in conditions)]
    if {few}:
        return None
    layers = set()
    for column, values in conditions:
        layers.add({static})
        for value in values:
            layers.add({dynamic})
    return {answer}
"""


def _listed(static: str = "(column, sorted(set(values)))", values: str = "sorted(set(values))"):
    """The layers in a list, in which they may be there more than once."""
    return f"""
def layered_count(rows, conditions, noise, sigma):
    people = [i for i, row in enumerate(rows) if all(row[c] in v for c, v in conditions)]
    if len(people) < 2 or len(people) < 4 + noise(people) / 2:
        return None
    layers = []
    for column, values in conditions:
        layers.append({static})
        for value in {values}:
            layers.append((column, value, people))
    return len(people) + sigma * sum(noise(*layer) for layer in layers)
"""


RIGHT = {
    "a set of layers": _count(),
    "masks and arrays": """
def layered_count(rows, conditions, noise, sigma):
    met = np.ones(len(rows), dtype=bool)
    for column, values in conditions:
        met &= np.isin(np.asarray(rows)[:, column], values)
    people = np.flatnonzero(met)
    if met.sum() < max(2, 4 + 0.5 * noise(people)):
        return None
    total, named = 0.0, []
    for column, values in conditions:
        wanted = np.unique(values)
        if (column, wanted.tolist()) not in named:
            named.append((column, wanted.tolist()))
            total += noise(column, wanted)
        for value in wanted:
            if (column, int(value)) not in named:
                named.append((column, int(value)))
                total += noise(column, value, people)
    return met.sum() + sigma * total
""",
    "draws by name": """
def layered_count(rows, conditions, noise, sigma):
    wanted = [(column, frozenset(values)) for column, values in conditions]
    people = frozenset(
        place for place in range(len(rows)) if all(rows[place][c] in v for c, v in wanted)
    )
    if len(people) <= 1 or 2 * (len(people) - 4) < noise(people):
        return
    static = {condition: noise(*condition) for condition in wanted}
    dynamic = {(c, v): noise(c, v, people) for c, values in wanted for v in values}
    return len(people) + sigma * math.fsum([*static.values(), *dynamic.values()])
""",
    "one condition after the other": """
def layered_count(rows, conditions, noise, sigma):
    people = list(range(len(rows)))
    for column, values in conditions:
        people = [i for i in people if rows[i][column] in values]
    n = len(people)
    answer = float(n)
    seen = set()
    for column, values in conditions:
        values = tuple(sorted(set(values)))
        for layer in [(column, values)] + [(column, value, tuple(people)) for value in values]:
            if layer not in seen:
                seen.add(layer)
                answer = answer + sigma * noise(*layer)
    enough = n >= 2 and n >= 4 + noise(people) / 2
    return answer if enough else None
""",
}

LAYERS, ONCE = "layered_count_layers", "layered_count_once"
SUPPRESSED = "layered_count_suppressed"
MUTANTS = {
    "static layers alone": Mutant(_count().replace("in values:", "in []:"), LAYERS, "one for each"),
    "dynamic layers alone": Mutant(
        _count().replace(
            "        layers.add((column, tuple(sorted(set(values)))))\n",
            "",
        ),
        LAYERS,
        "a layer for its words",
    ),
    "the values together with the people": Mutant(
        _count(dynamic="(column, tuple(sorted(set(values))), tuple(people))"),
        LAYERS,
        "one for each value",
    ),
    "a static layer for each value": Mutant(
        _count().replace(
            "            layers.add(",
            "            layers.add((column, value))\n            layers.add(",
        ),
        LAYERS,
        "a layer for its words",
    ),
    "a dynamic layer for the first value": Mutant(
        _count().replace("in values:", "in values[:1]:"), LAYERS, "one for each value"
    ),
    "the people of this condition alone": Mutant(
        _count(
            dynamic="(column, value, tuple(i for i, r in enumerate(rows) if r[column] in values))"
        ),
        LAYERS,
        "with all the people",
    ),
    "the people with this value": Mutant(
        _count(dynamic="(column, value, tuple(i for i in people if rows[i][column] == value))"),
        LAYERS,
        "with all the people",
    ),
    "how many people": Mutant(
        _count(dynamic="(column, value, len(people))"), LAYERS, "with all the people"
    ),
    "one layer for the set": Mutant(
        _count(dynamic="(tuple(people),)"), LAYERS, "one for each value"
    ),
    "no layer where nobody has the value": Mutant(
        _count().replace(
            "for value in values:", "for value in {rows[i][column] for i in people} & set(values):"
        ),
        LAYERS,
        "one for each value",
    ),
    "any condition will do": Mutant(
        _count().replace("if all(", "if any("), LAYERS, "Each condition"
    ),
    "a variance for a deviation": Mutant(
        _count(answer="len(people) + sigma**0.5 * sum(noise(*layer) for layer in layers)"),
        LAYERS,
        "Each condition adds",
    ),
    "the mean of the layers": Mutant(
        _count(answer="len(people) + sigma * np.mean([noise(*layer) for layer in layers])"),
        LAYERS,
        "Each condition adds",
    ),
    "one deviation for all layers": Mutant(
        _count(answer="len(people) + sigma * sum(noise(*x) for x in layers) / len(layers) ** 0.5"),
        LAYERS,
        "Each condition adds",
    ),
    "sigma forgotten": Mutant(
        _count(answer="len(people) + sum(noise(*layer) for layer in layers)"), LAYERS, "should be 4"
    ),
    "rounded": Mutant(
        _count(answer="round(len(people) + sigma * sum(noise(*layer) for layer in layers))"),
        LAYERS,
        "Each condition adds",
    ),
    "never below zero": Mutant(
        _count(answer="max(0, len(people) + sigma * sum(noise(*layer) for layer in layers))"),
        LAYERS,
        "sigma times their sum",
    ),
    "the last condition on a column": Mutant(
        _count(before="conditions = list(dict(conditions).items())"), ONCE, "add each layer once"
    ),
    "values in their order": Mutant(
        _count(static="(column, tuple(dict.fromkeys(values)))"), ONCE, "in increasing order"
    ),
    "values twice": Mutant(
        _count(static="(column, tuple(sorted(values)))"), ONCE, "in increasing order, each once"
    ),
    "a layer each time it is named": Mutant(_listed(), ONCE, "add each layer once"),
    "a layer for each repeated value": Mutant(
        _listed(values="values"), ONCE, "add each layer once"
    ),
    "conditions once, values not": Mutant(
        _listed().replace(
            "    layers = []\n",
            "    conditions = dict.fromkeys((c, tuple(sorted(set(v)))) for c, v in conditions)\n"
            "    layers = []\n",
        ),
        ONCE,
        "add each layer once",
    ),
    "four conditions at most": Mutant(
        _count(before="conditions = conditions[:4]"), ONCE, "add each layer once"
    ),
    "a hundred people at most": Mutant(
        _count(before="rows = rows[:100]"), LAYERS, "sigma times their sum"
    ),
    "never suppressed": Mutant(_count(few="False"), SUPPRESSED, "is not None"),
    "only one person suppressed": Mutant(_count(few="len(people) < 2"), SUPPRESSED, "is not None"),
    "four people always enough": Mutant(_count(few="len(people) < 4"), SUPPRESSED, "is not None"),
    "one person may be enough": Mutant(
        _count(few="len(people) < 4 + noise(people) / 2"), SUPPRESSED, "fewer than 2 people"
    ),
    "three people at least": Mutant(
        _count(few="len(people) < 3 or len(people) < 4 + noise(people) / 2"),
        SUPPRESSED,
        "else there is",
    ),
    "suppressed at the threshold": Mutant(
        _count(few="len(people) < 2 or len(people) <= 4 + noise(people) / 2"),
        SUPPRESSED,
        "else there is",
    ),
    "a threshold of deviation one": Mutant(
        _count(few="len(people) < 2 or len(people) < 4 + noise(people)"), SUPPRESSED, "None"
    ),
    "a quarter of the deviation": Mutant(
        _count(few="len(people) < 2 or len(people) < 4 + noise(people) / 4"), SUPPRESSED, "None"
    ),
    "the noise the other way round": Mutant(
        _count(few="len(people) < 2 or len(people) < 4 - noise(people) / 2"), SUPPRESSED, "None"
    ),
    "a whole threshold": Mutant(
        _count(few="len(people) < 2 or len(people) < round(4 + noise(people) / 2)"),
        SUPPRESSED,
        "else there is",
    ),
    "zero in place of None": Mutant(
        _count().replace("return None", "return 0.0"), SUPPRESSED, "is not None"
    ),
    "the noisy count decides": Mutant(
        _count(few="len(people) < 2", answer="answer if answer >= least else None").replace(
            "    return answer",
            "    answer = len(people) + sigma * sum(noise(*layer) for layer in layers)\n"
            "    least = 4 + noise(people) / 2\n"
            "    return answer",
        ),
        SUPPRESSED,
        "else there is",
    ),
    "the threshold of the words": Mutant(
        _count(few="len(people) < 2 or len(people) < 4 + noise(conditions[0][0], people) / 2"),
        SUPPRESSED,
        "None",
    ),
    "all rows are counted": Mutant(
        _count(few="len(rows) < 2 or len(rows) < 4 + noise(people) / 2"), SUPPRESSED, "is not None"
    ),
    "a layer is known by its values": Mutant(
        _count(
            answer="len(people) + sigma * (\n        sum(noise(*one) for one in first.values())"
            "\n        + sum(noise(*one) for one in layers if len(one) == 3)\n    )",
            before="first = {tuple(sorted(set(v))): (c, v) for c, v in reversed(conditions)}",
        ),
        "layered_count_once",
        "should be",
    ),
    "compared with the condition before alone": Mutant(
        """
def layered_count(rows, conditions, noise, sigma):
    people = [i for i, row in enumerate(rows) if all(row[c] in v for c, v in conditions)]
    if len(people) < 2 or len(people) < 4 + noise(people) / 2:
        return None
    kept = []
    for column, values in conditions:
        if not kept or kept[-1] != (column, sorted(set(values))):
            kept.append((column, sorted(set(values))))
    layers = {(column, value) for column, values in kept for value in values}
    total = sum(noise(*one) for one in kept) + sum(noise(*one, people) for one in layers)
    return len(people) + sigma * total
""",
        "layered_count_once",
        "should be",
    ),
    "values sorted where they are": Mutant(
        _count(before="for _, values in conditions: values.sort()"),
        ONCE,
        "changes what it was given",
    ),
}

ANSWERS = Answers("layered_count", RIGHT, MUTANTS)
