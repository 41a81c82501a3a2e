"""Answers to `difference`. The mistakes: refused groups, sizes forgotten, one question too many."""

from autograder.rehearsal.catalogue import Answers, Mutant

_OTHERS = "[i for i in range(n) if i != person][:least]"
_RETURN = """
    if kind == "mean":
        return len(group) * first - len(others) * second
    return first - second"""


def _two(others=_OTHERS, group="others + [person]", result=_RETURN) -> str:
    """The text with these two groups, whose answers are `first` and `second`."""
    return f"""
def difference(ask, kind, n, least, person):
    others = {others}
    group = {group}
    first, second = ask(group), ask(others){result}
"""


RIGHT = {
    "the least group": _two(),
    "half of the others": _two("[i for i in range(n) if i != person][: (n - 1) // 2]"),
    "the last ones, as an array": """
def difference(ask, kind, n, least, person):
    others = np.delete(np.arange(n), person)[-least:]
    sums = [ask(group) for group in (np.append(others, person), others)]
    if kind == "mean":
        sums = [(least + 1) * sums[0], least * sums[1]]
    return sums[0] - sums[1]
""",
    "a round table": """
def difference(ask, kind, n, least, person):
    group = [(person + step) % n for step in range(least + 1)]
    sizes = {"sum": (1, 1), "mean": (least + 1, least)}[kind]
    return ask(group) * sizes[0] - ask(group[1:]) * sizes[1]
""",
    "a loop": """
def difference(ask, kind, n, least, person):
    group = []
    for i in range(n):
        if i == person:
            continue
        group.append(i)
        if len(group) == least:
            break
    without = ask(group)
    group.append(person)
    together = ask(group)
    if kind == "sum":
        return together - without
    return together * len(group) - without * (len(group) - 1)
""",
}

_NO_MEAN = "\n    return first - second"

MUTANTS = {
    "the wrong way round": Mutant(
        _two(
            result="""
    if kind == "mean":
        return len(others) * second - len(group) * first
    return second - first"""
        ),
        "difference_sum",
        "should be 8, it is -8",
    ),
    "everybody, and all but one": Mutant(
        _two("[i for i in range(n) if i != person]"),
        "difference_sum",
        "raised ValueError: a group must have 2 to 5 people, not 7",
    ),
    "the person alone": Mutant(
        """
def difference(ask, kind, n, least, person):
    return ask([person])
""",
        "difference_sum",
        "raised ValueError: a group must have 2 to 5 people, not 1",
    ),
    "one too few": Mutant(
        _two("[i for i in range(n) if i != person][: least - 1]"),
        "difference_sum",
        "raised ValueError: a group must have 2 to 5 people, not 1",
    ),
    "somebody else in the place": Mutant(
        """
def difference(ask, kind, n, least, person):
    everybody = [i for i in range(n) if i != person]
    group, others = everybody[:least] + [person], everybody[: least + 1]
    first, second = ask(group), ask(others)
    return (first - second) * (least + 1 if kind == "mean" else 1)
""",
        "difference_sum",
        "Subtract the answer without the person",
    ),
    "the answer with the person": Mutant(
        """
def difference(ask, kind, n, least, person):
    others = [i for i in range(n) if i != person][:least]
    return ask([*others, person])
""",
        "difference_sum",
        "should be 8, it is",
    ),
    "a question to warm up": Mutant(
        f"""
def difference(ask, kind, n, least, person):
    others = {_OTHERS}
    group = others + [person]
    second = ask(others)
    first, second = ask(group), ask(others){_RETURN}
""",
        "difference_sum",
        "raised RuntimeError: two questions are answered and no more",
    ),
    "means subtracted": Mutant(
        _two(result=_NO_MEAN), "difference_mean", "The sum of a group is its mean times its size"
    ),
    "one size for both means": Mutant(
        _two(
            result="""
    return (first - second) * (len(group) if kind == "mean" else 1)"""
        ),
        "difference_mean",
        "the two groups are not of one size",
    ),
    "sizes swapped": Mutant(
        _two(
            result="""
    if kind == "mean":
        return len(others) * first - len(group) * second
    return first - second"""
        ),
        "difference_mean",
        "should be 8, it is",
    ),
    "means divided": Mutant(
        _two(
            result="""
    if kind == "mean":
        return first / len(group) - second / len(others)
    return first - second"""
        ),
        "difference_mean",
        "should be 8, it is",
    ),
    "rounded": Mutant(
        _two(result=_RETURN.replace("return len", "return round(len").replace("d\n", "d)\n", 1)),
        "difference_mean",
        "should be 0.25, it is 0",
    ),
    "always the first ones": Mutant(
        _two("[i for i in range(n) if i != 2 and i != 3 and i != 6 and i != 7][:least]"),
        "difference_limits",
        "raised ValueError: a group must have different people",
    ),
    "two more than the least": Mutant(
        _two("[i for i in range(n) if i != person][: least + 1]"),
        "difference_limits",
        "raised ValueError: a group must have 2 to 3 people, not 4",
    ),
    "those before the person": Mutant(
        """
def difference(ask, kind, n, least, person):
    others = list(range(least)) if person >= least else list(range(person + 1, n - least + 1))
    first, second = ask(others + [person]), ask(others)
    if kind == "mean":
        return (len(others) + 1) * first - len(others) * second
    return first - second
""",
        "difference_limits",
        "raised ValueError: a group must have 2 to 3 people, not",
    ),
    "up to two hundred people": Mutant(
        _two().replace("    others =", "    if n > 200:\n        return 0.0\n    others ="),
        "difference_limits",
        "neither too small nor too large",
    ),
    "up to ten thousand people": Mutant(
        _two().replace("    others =", "    if n > 10_000:\n        return 0.0\n    others ="),
        "difference_limits",
        "of few people and of many",
    ),
    "rounded to two decimals": Mutant(
        _two(
            result=_RETURN.replace("return len", "return round(len")
            .replace("d\n", "d, 2)\n", 1)
            .replace("return first - second", "return round(first - second, 2)")
        ),
        "difference_sum",
        "not rounded",
    ),
    "values are not negative": Mutant(
        _two(result=_RETURN.replace("return", "return abs(").replace("second", "second)")),
        "difference_sum",
        "also if it is below 0",
    ),
    "values are not negative, and cut": Mutant(
        _two(result=_RETURN.replace("return", "return max(0,").replace("second", "second)")),
        "difference_sum",
        "also if it is below 0",
    ),
    "no more than a hundred others": Mutant(
        _two("[i for i in range(n) if i != person][: min(least, 100)]"),
        "difference_limits",
        "raised ValueError",
    ),
    "at least two others": Mutant(
        _two("[i for i in range(n) if i != person][: max(least, 2)]"),
        "difference_limits",
        "raised ValueError",
    ),
    "values are kept for the next curator": Mutant(
        f"""
_known = {{}}


def difference(ask, kind, n, least, person):
    if (kind, n, least, person) in _known:
        return _known[kind, n, least, person]
    others = {_OTHERS}
    first, second = ask(others + [person]), ask(others)
    if kind == "mean":
        first, second = (least + 1) * first, least * second
    return _known.setdefault((kind, n, least, person), first - second)
""",
        "difference_limits",
        "of few people and of many",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.differencing import difference as subtracted


def difference(ask, kind, n, least, person):
    others = [i for i in range(n) if i != person][:least]
    sizes = (least + 1, least) if kind == "mean" else None
    return subtracted(kind, ask(others + [person]), ask(others), sizes)
""",
        "difference_sum",
        "is off limits in an answer",
    ),
    "values up to 999": Mutant(
        _two(
            result=_RETURN.replace("return len", "return np.clip(len")
            .replace("second\n", "second, -999, 999)\n", 1)
            .replace("return first - second", "return np.clip(first - second, -999, 999)")
        ),
        "difference_limits",
        "of few people and of many",
    ),
    "the last ones of many are nobody": Mutant(
        _two().replace("    others =", "    if person > 11_900:\n        return 0.0\n    others ="),
        "difference_limits",
        "of few people and of many",
    ),
}

ANSWERS = Answers("difference", RIGHT, MUTANTS)
