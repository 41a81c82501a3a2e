"""Answers to `StickyCurator`. The mistakes: noise that sticks to words, to sizes, or to all."""

from autograder.rehearsal.catalogue import Answers, Mutant


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
    "noise in an array": _curator(
        memory="{}\n        self.one = np.empty(1)",
        noise="self.sigma * self.rng.standard_normal(out=self.one).item()",
    ),
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
    "sticks to the sum": Mutant(_curator(key="sum(set(people))"), LAW, "Another set"),
    "sticks to the smallest": Mutant(_curator(key="min(people, default=-1)"), LAW, "Another set"),
    "sticks to the first three": Mutant(
        _curator(key="tuple(sorted(set(people))[:3])"), LAW, "Another set"
    ),
    "sticks to size and sum": Mutant(
        _curator(key="(len(set(people)), sum(set(people)))"), LAW, "Another set"
    ),
    "sticks to a short hash": Mutant(
        _curator(key="sum(3 ** i for i in set(people)) % 1009"), LAW, "Another set"
    ),
    "each person has noise": Mutant(
        """
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits, self.noise = np.array(bits), rng.normal(0, sigma, len(bits))

    def count(self, people):
        who = sorted(set(people))
        return self.bits[who].sum() + self.noise[who].sum() / max(1, len(who)) ** 0.5 if who else 0
""",
        LAW,
        "Another set",
    ),
    "noise tiled after five hundred": Mutant(
        _curator(
            noise="self.table[len(self.memory) % 500]",
            memory="{}\n        self.table = rng.normal(0, sigma, 500)",
        ),
        LAW,
        "Another set",
    ),
    "antithetic pairs": Mutant(
        _curator(
            noise="-self.last if len(self.memory) % 2 else self.rng.normal(0, self.sigma)"
        ).replace(
            "        return true", "        self.last = self.memory[key]\n        return true"
        ),
        LAW,
        "Another set",
    ),
    "no noise for one person": Mutant(
        _curator(noise="self.rng.normal(0, self.sigma) * (len(set(people)) != 1)"),
        LAW,
        "Another set",
    ),
    "no noise for nobody": Mutant(
        _curator(noise="self.rng.normal(0, self.sigma) * (len(people) > 0)"), LAW, "Another set"
    ),
    "no noise for more than fifty": Mutant(
        _curator(noise="self.rng.normal(0, self.sigma) * (len(set(people)) <= 50)"),
        LAW,
        "Another set",
    ),
    "three per cent less": Mutant(
        _curator(noise="self.rng.normal(0, 0.97 * self.sigma)"), LAW, "Another set"
    ),
    "cut at four deviations": Mutant(
        _curator(noise="np.clip(self.rng.normal(0, self.sigma), -4 * self.sigma, 4 * self.sigma)"),
        LAW,
        "Another set",
    ),
    "rounded to two decimals": Mutant(
        _curator(noise="round(self.rng.normal(0, self.sigma), 2)"), LAW, "Another set"
    ),
    "no noise above fifty": Mutant(
        _curator(noise="self.rng.normal(0, self.sigma) if self.sigma < 50 else 0"),
        LAW,
        "Another set",
    ),
    "three hundred sets are kept": Mutant(
        _curator().replace(
            "            self.memory[key] =",
            "            if len(self.memory) >= 300:\n                self.memory.clear()\n"
            "            self.memory[key] =",
        ),
        SAME,
        "with hundreds between",
    ),
    "shared by all curators": Mutant(
        _curator(memory="StickyCurator.kept") + "\n\nStickyCurator.kept = {}\n", OWN, "two curators"
    ),
    "sticks to size, sum and the ends": Mutant(
        _curator("(len(w := set(people)), sum(w), min(w, default=0), max(w, default=0))"),
        "sticky_curator_law",
        "noise of its own",
    ),
    "sticks to the sum and the sum of squares": Mutant(
        _curator("(len(w := set(people)), sum(w), sum(i * i for i in w))"),
        "sticky_curator_law",
        "noise of its own",
    ),
    "sticks to the digits in a row": Mutant(
        _curator('"".join(map(str, sorted(set(people))))'), LAW, "two sets have one noise"
    ),
    "sticks to 64 bits": Mutant(
        _curator(
            "int(np.bitwise_or.reduce(np.left_shift(1, np.array(people, dtype=int)), initial=0))"
        ),
        LAW,
        "two sets have one noise",
    ),
    "sticks to a seed of eight bits": Mutant(
        _curator(
            "tuple(sorted(set(people)))",
            noise="self.sigma * np.random.default_rng([self.seed, *key, len(key)]).normal()",
            memory="{}\n        self.seed = int(rng.integers(256))",
        ),
        LAW,
        "two curators have one noise",
    ),
    "sticks to 190 people": Mutant(
        _curator("(len(w := set(people)), frozenset(i for i in w if i < 190))"),
        LAW,
        "two sets have one noise",
    ),
    "remembers 512 sets": Mutant(
        """
from functools import lru_cache


class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits = bits
        self.noise = lru_cache(maxsize=512)(lambda key: rng.normal(0, sigma))

    def count(self, people):
        key = frozenset(people)
        return sum(self.bits[i] for i in key) + self.noise(key)
""",
        SAME,
        "The same people get the same answer",
    ),
}

ANSWERS = Answers("sticky_curator", RIGHT, MUTANTS)
