"""Answers to `StickyCurator`. The mistakes: noise that sticks to words, to sizes, or to all."""

from tests.assignments.catalogue import Answers, Mutant


def _curator(
    key: str = "frozenset(people)",
    count: str = "sum(self.bits[i] for i in set(people))",
    noise: str = "self.rng.normal(0, self.sigma)",
    memory: str = "{}",
) -> str:
    """The text of `StickyCurator` with these parts."""
    return f"""
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits, self.sigma, self.rng = bits, sigma, rng
        self.memory = {memory}

    def count(self, people):
        key, true = {key}, {count}
        if key not in self.memory:
            self.memory[key] = {noise}
        return true + self.memory[key]
"""


RIGHT = {
    "a dict of sets": _curator(),
    "sorted tuples": _curator(key="tuple(sorted(set(people)))"),
    "the answer is kept": """
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits = np.array(bits)
        self.sigma = sigma
        self.rng = rng
        self.asked, self.answers = [], []

    def count(self, people):
        chosen = np.zeros(len(self.bits), dtype=bool)
        for i in people:
            chosen[i] = True
        for before, answer in zip(self.asked, self.answers):
            if (before == chosen).all():
                return answer
        self.asked.append(chosen)
        self.answers.append(self.bits[chosen].sum() + self.sigma * self.rng.standard_normal())
        return self.answers[-1]
""",
    "setdefault": """
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.ones = {i for i, bit in enumerate(bits) if bit}
        self.draw = lambda: rng.normal(scale=sigma)
        self.noise = {}

    def count(self, people):
        who = frozenset(people)
        return len(who & self.ones) + self.noise.setdefault(who, self.draw())
""",
}

SAME, LAW = "sticky_curator_same", "sticky_curator_law"
TRUTH, OWN = "sticky_curator_truth", "sticky_curator_own"
MUTANTS = {
    "fresh noise": Mutant(
        """
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits, self.sigma, self.rng = bits, sigma, rng

    def count(self, people):
        return sum(self.bits[i] for i in set(people)) + self.rng.normal(0, self.sigma)
""",
        SAME,
        "asked four times",
    ),
    "sticks to the order": Mutant(_curator(key="tuple(people)"), SAME, "in three orders"),
    "sticks to the text": Mutant(_curator(key="str(people)"), SAME, "in three orders"),
    "sticks to repetitions": Mutant(_curator(key="tuple(sorted(people))"), SAME, "[0, 0, 1, 3, 3]"),
    "people counted twice": Mutant(
        _curator(count="sum(self.bits[i] for i in people)"), TRUTH, "each person once"
    ),
    "sticks to the size": Mutant(_curator(key="len(set(people))"), LAW, "Another set"),
    "sticks to the true count": Mutant(
        _curator(key="true")
        .replace("key, true = true,", "true =")
        .replace("if key not", "key = true\n        if key not"),
        LAW,
        "Another set",
    ),
    "one noise for all": Mutant(_curator(key="0"), LAW, "Another set"),
    "a variance for a deviation": Mutant(
        _curator(noise="self.rng.normal(0, self.sigma**0.5)"), LAW, "N(0, sigma^2)"
    ),
    "rounded": Mutant(
        _curator(noise="round(self.rng.normal(0, self.sigma))"), LAW, "N(0, sigma^2)"
    ),
    "a generator of its own": Mutant(
        _curator(noise="np.random.default_rng(hash(key) % 2**32).normal(0, self.sigma)"),
        OWN,
        "rng",
    ),
    "never negative": Mutant(
        _curator().replace(
            "return true + self.memory[key]", "return max(0, true + self.memory[key])"
        ),
        LAW,
        "N(0, sigma^2)",
    ),
    "only the first is kept": Mutant(
        _curator().replace(
            "            self.memory[key] =",
            "            self.memory = {}\n            self.memory[key] =",
        ),
        SAME,
        "with others between",
    ),
}

ANSWERS = Answers("sticky_curator", RIGHT, MUTANTS)
