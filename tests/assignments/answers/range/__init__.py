"""Answers to the range, under the key of the published set.

`WRITTEN` of each module has a line for each release. The right answers are these in several styles,
and the wrong ones are what is made of them.
"""

from __future__ import annotations

from textwrap import indent

from autograder.rehearsal.catalogue import Answers, Mutant

SHARES = ("quarter", "half", "most", "all")
LESS = "the answers get less than"
CHANGES = {  # what happens to each answer that is a witness, and the first share that is missed
    "x and y exchanged": ("(y, x, event, epsilon)", "quarter"),
    "one dataset twice": ("(x, x, event, epsilon)", "quarter"),
    "an event that always holds": ('(x, y, ("not", ("among", ["?"])), epsilon)', "quarter"),
    "a function as event": ("(x, y, lambda output: True, epsilon)", "quarter"),
    "the claim itself": ("(x, y, event, RANGE.releases[number].epsilon)", "quarter"),
    "more than is so": ("(x, y, event, 49)", "all"),
    "two steps apart": ("(x, (*y, *y), event, epsilon)", "quarter"),
    "keeps it everywhere": ('"keeps it"', "quarter"),
    "no event": ("(x, y, None, epsilon)", "quarter"),
}
RESULTS = {  # what is returned instead of `found`, what is missed, and what is said
    "one proof": ("dict(proofs[:1])", "quarter", LESS),
    "three proofs": ("dict(proofs[:3])", "half", LESS),
    "five proofs": ("dict(proofs[:5])", "most", LESS),
    "all proofs": ("dict(proofs)", "all", LESS),
    "one is overlooked": ('found | {proofs[0][0]: "keeps it"}', "all", LESS),
    "an accusation too many": ("dict.fromkeys(found, proofs[0][1])", "quarter", LESS),
    "under another key": ("dict(zip(found, [*found.values()][1:] + ['keeps it']))", "half", LESS),
    "nothing": ("None", "quarter", "it is None"),
    "a list": ("list(found.values())", "quarter", "it is list"),
    "an empty dict": ("{}", "quarter", LESS),
    "another level": ("{31: 'keeps it'}", "quarter", "has the releases"),
    "another word": (
        "dict.fromkeys(found, 'broken')",
        "quarter",
        "must be 'keeps it' or a Witness",
    ),
}


def make_answers(level: int, written: str) -> Answers:
    """Return the answers to a level, made of those that are written down."""
    cell = f"findings_{level}"
    start = f"def {cell}():\n    found = {{\n{indent(written.strip(), ' ' * 8)}\n    }}\n"
    right = {
        "written down": start + "    return found\n",
        "lists instead of tuples": start + _EACH.format("[list(x), list(y), event, epsilon]"),
        "one by one": start + _ONE_BY_ONE,
        "arrays and numbers of numpy": start + _ARRAYS,
    }
    wrong = {
        name: Mutant(start + _EACH.format(new), f"{cell}_{share}", LESS)
        for name, (new, share) in CHANGES.items()
    }
    for name, (result, share, words) in RESULTS.items():
        source = f"{start}{_PROOFS}    return {result}\n"
        wrong[name] = Mutant(source, f"{cell}_{share}", words)
    wrong["the first pair"] = Mutant(_FIRST_PAIR.format(level=level), f"{cell}_quarter", LESS)
    return Answers(cell, right, wrong)


_EACH = """\
    for number, answer in found.items():
        if answer != "keeps it":
            x, y, event, epsilon = answer
            found[number] = {}
    return found
"""
_ONE_BY_ONE = """\
    answers = {}
    for number in sorted(found, reverse=True):
        answers[number] = found[number]
    return answers
"""
_ARRAYS = """\
    import numpy as np

    for number, answer in found.items():
        if answer != "keeps it":
            x, y, event, epsilon = answer
            found[number] = Witness(x, y, event, np.float64(epsilon))
    return {np.int64(number): answer for number, answer in found.items()}
"""
_PROOFS = """\
    proofs = [(n, answer) for n, answer in found.items() if answer != "keeps it"]
"""
_FIRST_PAIR = """\
def findings_{level}():
    found = {{}}
    for number, release in RANGE.level({level}).items():
        x = next(release.domain.datasets())
        y = next(release.domain.neighbors_of(x))
        found[number] = Witness(x, y, ("between", 0, 1), release.epsilon + 1)
    return found
"""
