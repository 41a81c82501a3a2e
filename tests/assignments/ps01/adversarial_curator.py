"""Answers to `adversarial_curator`. The mistakes: noise, one side only, errors too large."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _midpoint(ones: str, zeros: str, answers: str = "queries @ (secret + decoy) / 2") -> str:
    """The text of the function whose decoy loses some of the ones and gains some of the zeros."""
    return f"""
def adversarial_curator(secret, queries, error):
    secret, queries = np.asarray(secret), np.asarray(queries)
    decoy = secret.copy()
    decoy[np.flatnonzero(secret == 1){ones}] = 0
    decoy[np.flatnonzero(secret == 0){zeros}] = 1
    truth, other = queries @ secret, queries @ decoy
    return {answers}
"""


FIRST = "[: 2 * error]"
RIGHT = {
    "the midpoint": _midpoint(FIRST, FIRST),
    "the last ones and zeros": _midpoint("[-2 * error :]", "[-2 * error :]"),
    "as near to the decoy as may be": _midpoint(
        FIRST, FIRST, "np.clip(other, truth - error, truth + error)"
    ),
    "whole numbers": _midpoint(FIRST, FIRST, "np.round(queries @ (secret + decoy) / 2)"),
    "loops": """
def adversarial_curator(secret, queries, error):
    change, ones, zeros = [0] * len(secret), 2 * error, 2 * error
    for i, bit in enumerate(secret):
        if bit == 1 and ones > 0:
            change[i], ones = -1, ones - 1
        elif bit == 0 and zeros > 0:
            change[i], zeros = 1, zeros - 1
    return [
        sum(q * (b + c / 2) for q, b, c in zip(query, secret, change)) for query in queries
    ]
""",
}

MUTANTS = {
    "the truth": Mutant(
        _midpoint(FIRST, FIRST, "truth * 1.0"),
        "adversarial_curator_doubt",
        "No guess that fits all answers",
    ),
    "random noise": Mutant(
        _midpoint(FIRST, FIRST, "truth + np.random.uniform(-error, error, len(truth))"),
        "adversarial_curator_one_by_one",
        "got another answer when it came with others",
    ),
    "the decoy's counts": Mutant(
        _midpoint(FIRST, FIRST, "other"),
        "adversarial_curator_honest",
        "is off by more than the error",
    ),
    "ones are lost, none are gained": Mutant(
        _midpoint("[: 4 * error]", "[:0]"), "adversarial_curator_honest", "more than"
    ),
    "only the ones": Mutant(
        _midpoint(FIRST, "[:0]"), "adversarial_curator_doubt", "No guess that fits all answers"
    ),
    "half as many": Mutant(
        _midpoint("[:error]", "[:error]"),
        "adversarial_curator_doubt",
        "No guess that fits all answers",
    ),
    "too many": Mutant(
        _midpoint("[: 4 * error]", "[: 4 * error]"), "adversarial_curator_honest", "more than"
    ),
    "the opposite of everybody": Mutant(
        """
def adversarial_curator(secret, queries, error):
    queries, secret = np.asarray(queries), np.asarray(secret)
    return queries.sum(axis=1) / 2
""",
        "adversarial_curator_honest",
        "more than",
    ),
    "always too high": Mutant(
        _midpoint(FIRST, FIRST, "truth + error"),
        "adversarial_curator_doubt",
        "No guess that fits all answers",
    ),
    "always too low": Mutant(
        _midpoint(FIRST, FIRST, "truth - error"),
        "adversarial_curator_doubt",
        "No guess that fits all answers",
    ),
    "above and below in turn": Mutant(
        _midpoint(FIRST, FIRST, "truth + error * (-1.0) ** np.arange(len(truth))"),
        "adversarial_curator_one_by_one",
        "got another answer",
    ),
    "the decoy is drawn at each call": Mutant(
        """
def adversarial_curator(secret, queries, error):
    secret, queries = np.asarray(secret), np.asarray(queries)
    decoy = secret.copy()
    for bit in (0, 1):
        decoy[np.random.permutation(np.flatnonzero(secret == bit))[: 2 * error]] = 1 - bit
    return queries @ (secret + decoy) / 2
""",
        "adversarial_curator_one_by_one",
        "got another answer",
    ),
    "the truth from thirteen people on": Mutant(
        _midpoint(FIRST, FIRST, "truth if len(secret) > 12 else (truth + other) / 2"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "the truth from two hundred people on": Mutant(
        _midpoint(FIRST, FIRST, "truth if len(secret) > 200 else (truth + other) / 2"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "errors of three at most": Mutant(
        _midpoint("[: min(2 * error, 6)]", "[: min(2 * error, 6)]"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "errors of two at most": Mutant(
        _midpoint("[: min(2 * error, 4)]", "[: min(2 * error, 4)]"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "a little more than the error": Mutant(
        _midpoint(FIRST, FIRST, "(truth + other) / 2 + 0.001"),
        "adversarial_curator_honest",
        "more than",
    ),
    "the truth for more than a thousand questions": Mutant(
        _midpoint(FIRST, FIRST, "truth if len(truth) > 1000 else (truth + other) / 2"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "the truth after five thousand questions": Mutant(
        _midpoint(
            FIRST, FIRST, "np.where(np.arange(len(truth)) < 5000, (truth + other) / 2, truth)"
        ),
        "adversarial_curator_one_by_one",
        "comes again among many others",
    ),
    "the truth about everybody in a large table": Mutant(
        _midpoint(FIRST, FIRST, "np.where(queries.sum(axis=1) > 12, truth, (truth + other) / 2)"),
        "adversarial_curator_doubt",
        "From few people and from many",
    ),
    "another decoy for every question": Mutant(
        """
def adversarial_curator(secret, queries, error):
    secret, queries, answers = np.asarray(secret), np.asarray(queries), []
    for query in queries:
        decoy, turn = secret.copy(), int(query.sum())
        for bit in (0, 1):
            decoy[np.roll(np.flatnonzero(secret == bit), turn)[: 2 * error]] = 1 - bit
        answers.append(query @ (secret + decoy) / 2)
    return answers
""",
        "adversarial_curator_doubt",
        "No guess that fits all answers",
    ),
    "the truth from the thirtieth call on": Mutant(
        """
_calls = []


def adversarial_curator(secret, queries, error):
    secret, queries = np.asarray(secret), np.asarray(queries)
    _calls.append(1)
    decoy = secret.copy()
    for bit in (0, 1):
        decoy[np.flatnonzero(secret == bit)[: 2 * error]] = 1 - bit
    return queries @ (secret + (secret if len(_calls) > 30 else decoy)) / 2
""",
        "adversarial_curator_one_by_one",
        "another answer",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.exhaustive import MidpointCurator


def adversarial_curator(secret, queries, error):
    return MidpointCurator(secret, error).ask(queries)
""",
        "adversarial_curator_honest",
        "is off limits in an answer",
    ),
    "the truth where errors are neither few nor many": Mutant(
        _midpoint(FIRST, FIRST, "(truth + (truth if 3 < error < 100 else other)) / 2"),
        "adversarial_curator_doubt",
        "wrong in 4 E bits must fit all answers, for any error",
    ),
    "a little of everybody is flipped": Mutant(
        _midpoint(FIRST, FIRST).replace(
            "    truth,",
            "    if len(secret) > 12:\n"
            "        ones, zeros = secret.sum(), (1 - secret).sum()\n"
            "        decoy = secret - 2 * error * (secret / ones - (1 - secret) / zeros)\n"
            "    truth,",
        ),
        "adversarial_curator_doubt",
        "wrong in 4 E bits must fit all answers, for any error",
    ),
    "the truth in the largest tables": Mutant(
        _midpoint(FIRST, FIRST, "(truth + (truth if queries.size > 300_000 else other)) / 2"),
        "adversarial_curator_doubt",
        "However many are asked about",
    ),
    "the truth for one of many": Mutant(
        _midpoint(
            FIRST,
            FIRST,
            "(truth + np.where(np.arange(len(queries)) == 717, truth, other)) / 2",
        ),
        "adversarial_curator_doubt",
        "However many are asked about",
    ),
    "whole numbers, bit by bit": Mutant(
        _midpoint(FIRST, FIRST, "((queries & secret) + (queries & decoy)).sum(axis=1) / 2"),
        "adversarial_curator_doubt",
        "raised TypeError",
    ),
}

ANSWERS = Answers("adversarial_curator", RIGHT, MUTANTS)
