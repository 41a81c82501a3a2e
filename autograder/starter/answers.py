"""Answers to `toss`, by which `autograder checks` tries its tests. Students get nothing of this."""

from autograder.rehearsal.catalogue import Answers, Mutant

RIGHT = {
    "a comparison": """
def toss(p, rng):
    return int(rng.random() < p)
""",
    "a choice": """
def toss(p, rng):
    return rng.choice([0, 1], p=[1 - p, p])
""",
    "many at once": """
def toss(p, rng):
    return rng.binomial(1, p)
""",
}

MUTANTS = {
    "the other way round": Mutant(
        """
def toss(p, rng):
    return int(rng.random() > p)
""",
        fails="toss_values",
        says="should be",
    ),
    "randomness of its own": Mutant(
        """
import random

def toss(p, rng):
    return int(random.random() < p)
""",
        fails="toss_values",
        says="Draw from rng and from nothing else",
    ),
    "always a fair coin, but at the ends": Mutant(
        """
def toss(p, rng):
    return int(p) if p in (0, 1) else int(rng.random() < 0.5)
""",
        fails="toss_law",
        says="Which result has probability p?",
    ),
}

ANSWERS = Answers("toss", RIGHT, MUTANTS)
