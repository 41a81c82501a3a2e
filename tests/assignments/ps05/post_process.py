"""Answers to `post_process`. The mistakes: ways that are lost, weights forgotten, tuples merged."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _adding(term: str = "p * c", key: str = "z", sums: str = "published.get({key}, 0.0) + ") -> str:
    """The text of two loops, with this term for each way and this key for where it leads."""
    return f"""
def post_process(law, channel):
    published = {{}}
    for y, p in law.items():
        for z, c in channel[y].items():
            published[{key}] = {sums.format(key=key)}{term}
    return published
"""


def _after(change: str) -> str:
    """The right law, `published`, and then this."""
    return _adding().replace("    return published\n", f"    {change}\n    return published\n")


RIGHT = {
    "two loops": _adding(),
    "a defaultdict, zeros left out": """
from collections import defaultdict


def post_process(law, channel):
    published = defaultdict(float)
    for y in law:
        for z in channel[y]:
            if law[y] > 0 and channel[y][z] > 0:
                published[z] += law[y] * channel[y][z]
    return dict(published)
""",
    "sorted ways": """
def post_process(law, channel):
    ways = {}
    for y, p in law.items():
        for z, c in channel[y].items():
            ways.setdefault(z, []).append(p * c)
    return {z: math.fsum(parts) for z, parts in ways.items()}
""",
    "numbered outputs": """
def post_process(law, channel):
    places, where, mass = {}, [], []
    for y, p in law.items():
        for z, c in channel[y].items():
            where.append(places.setdefault(z, len(places)))
            mass.append(p * c)
    sums = np.bincount(where, weights=mass, minlength=len(places))
    return dict(zip(places, sums.tolist()))
""",
}

MUTANTS = {
    "the last way wins": Mutant(
        _adding(sums=""), "post_process_values", "has probabilities that sum to 0.25"
    ),
    "the first way wins": Mutant(
        _adding("p * c", sums="published[z] if z in published else "),
        "post_process_values",
        "has probabilities that sum to",
    ),
    "the channel's coin forgotten": Mutant(
        _adding("p"), "post_process_values", "has probabilities that sum to 1.75"
    ),
    "the mechanism's coin forgotten": Mutant(
        _adding("c / len(law)"), "post_process_values", "in multiples of the right law"
    ),
    "every output as likely as another": Mutant(
        _adding("p / len(channel[y])"), "post_process_values", "in multiples of the right law"
    ),
    "the likeliest output alone": Mutant(
        """
def post_process(law, channel):
    published = {}
    for y, p in law.items():
        z = max(channel[y], key=channel[y].get)
        published[z] = published.get(z, 0.0) + p
    return published
""",
        "post_process_values",
        "in multiples of the right law",
    ),
    "the channel for its own sake": Mutant(
        """
def post_process(law, channel):
    published = {}
    for y in channel:
        for z, c in channel[y].items():
            published[z] = published.get(z, 0.0) + law[y] * c
    return published
""",
        "post_process_values",
        "raised KeyError",
    ),
    "outcomes that the law doesn't name": Mutant(
        """
def post_process(law, channel):
    published = {}
    for y in channel:
        for z, c in channel[y].items():
            published[z] = published.get(z, 0.0) + law.get(y, 1e-3) * c
    total = sum(published.values())
    return {z: p / total for z, p in published.items()}
""",
        "post_process_values",
        "outputs that can't be published",
    ),
    "what came out and what was published": Mutant(
        _adding(key="y + z"), "post_process_values", "outputs that can't be published"
    ),
    "nothing is done": Mutant(
        "def post_process(law, channel):\n    return law\n",
        "post_process_values",
        "outputs that can't be published",
    ),
    "tuples in order": Mutant(
        _adding(key="tuple(sorted(z))"), "post_process_values", "tuples that differ are different"
    ),
    "the first number alone": Mutant(
        _adding(key="z[:1]"), "post_process_values", "tuples that differ are different"
    ),
    "the first two numbers": Mutant(
        _adding(key="z[:2]"), "post_process_values", "tuples that differ are different"
    ),
    "the first number of the mechanism's": Mutant(
        """
def post_process(law, channel):
    rows, published = {y[0]: row for y, row in channel.items()}, {}
    for y, p in law.items():
        for z, c in rows[y[0]].items():
            published[z] = published.get(z, 0.0) + p * c
    return published
""",
        "post_process_values",
        "tuples that differ are different",
    ),
    "no negative numbers": Mutant(
        _adding(key="tuple(max(0, one) for one in z)"),
        "post_process_values",
        "tuples that differ are different",
    ),
    "sets of numbers": Mutant(
        _adding(key="tuple(dict.fromkeys(z))"),
        "post_process_values",
        "tuples that differ are different",
    ),
    "numbers and not tuples": Mutant(
        _adding(key="z[0] if len(z) == 1 else z"),
        "post_process_values",
        "should have tuples such as (0, 1) as keys",
    ),
    "rounded to ten decimals": Mutant(
        _after("published = {z: round(p, 10) for z, p in published.items()}"),
        "post_process_many",
        "Everything counts, however small",
    ),
    "rare ways left out": Mutant(
        _adding("(p * c if p * c > 1e-9 else 0.0)"),
        "post_process_many",
        "Everything counts, however small",
    ),
    "rare outputs left out": Mutant(
        _after("published = {z: p for z, p in published.items() if p > 1e-12}"),
        "post_process_many",
        "Everything counts, however small",
    ),
    "short floats": Mutant(
        _adding("float(np.float32(p * c))"), "post_process_values", "has probabilities that sum to"
    ),
    "a thousand outcomes": Mutant(
        _adding().replace("law.items()", "list(law.items())[:1000]"),
        "post_process_many",
        "has probabilities that sum to",
    ),
    "a thousand outputs of each": Mutant(
        _adding().replace("channel[y].items()", "list(channel[y].items())[:1000]"),
        "post_process_many",
        "Everything counts, however small",
    ),
    "all that is named can come up": Mutant(
        _after(
            "published = {z: max(p, 1e-10) for z, p in published.items()}",
        ),
        "post_process_many",
        "Everything counts, however small",
    ),
    "the likeliest of both for each dataset": Mutant(
        """
def post_process(law, channel):
    published = {}
    for y, p in law.items():
        for z, c in channel[y].items():
            if c >= 0.5 or len(channel[y]) > 2:
                published[z] = published.get(z, 0.0) + p * (1.0 if c >= 0.5 else c)
    return published
""",
        "post_process_epsilon",
        "|log-ratio| of what is published",
    ),
    "dplab's own": Mutant(
        """
def post_process(law, channel):
    from dplab.theorems.post_processing import Channel

    outputs = tuple(dict.fromkeys(z for row in channel.values() for z in row))
    matrix = np.array([[row.get(z, 0.0) for z in outputs] for row in channel.values()])
    pushed = Channel(tuple(channel), outputs, matrix).push(Finite.of(law))
    return dict(zip(pushed.outcomes, pushed.probabilities.tolist()))
""",
        "post_process_values",
        "is off limits in an answer",
    ),
    "the first two numbers of the mechanism's": Mutant(
        _adding().replace("channel[y]", "{x[:2]: row for x, row in channel.items()}[y[:2]]"),
        "post_process_values",
        "tuples that differ are different outputs",
    ),
    "numbers up to 20,000": Mutant(
        _adding(key="tuple(max(-20_000, min(20_000, one)) for one in z)"),
        "post_process_values",
        "tuples that differ are different outputs",
    ),
    "two dicts in one order": Mutant(
        _adding()
        .replace("channel[y]", "row")
        .replace("for y, p in law.items()", "for p, row in zip(law.values(), channel.values())"),
        "post_process_values",
        "Each output has a sum over all ways to it",
    ),
}

ANSWERS = Answers("post_process", RIGHT, MUTANTS)
