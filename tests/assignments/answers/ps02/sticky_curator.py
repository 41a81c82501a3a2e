"""Answers to `StickyCurator`. The mistakes: noise that sticks to words, to sizes, or to all."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a dict of sets": """
class StickyCurator:
    def __init__(self, bits, sigma, rng):
        self.bits, self.sigma, self.rng = bits, sigma, rng
        self.memory = {}

    def count(self, people):
        key, true = frozenset(people), sum(self.bits[i] for i in set(people))
        if key not in self.memory:
            self.memory[key] = self.rng.normal(0, self.sigma)
        return true + self.memory[key]
""",
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

EDITS = """
== right
* sorted tuples
~ frozenset(people) => tuple(sorted(set(people)))
* noise in an array
         self.memory = {}
+        self.one = np.empty(1)
~ rng.normal(0, self.sigma) => sigma * self.rng.standard_normal(out=self.one).item()

== sticky_curator_same
* fresh noise | asked four times
+class StickyCurator:
+    def __init__(self, bits, sigma, rng):
+        self.bits, self.sigma, self.rng = bits, sigma, rng
+
+    def count(self, people):
+        return sum(self.bits[i] for i in set(people)) + self.rng.normal(0, self.sigma)
* sticks to the order | in three orders
~ frozenset => tuple
* sticks to the text | in three orders
~ frozenset => str
* sticks to repetitions | [0, 0, 1, 3, 3]
~ frozenset(people) => tuple(sorted(people))
* only the first is kept | with others between
+            self.memory = {}
             self.memory[key] = self.rng.normal(0, self.sigma)
* three hundred sets are kept | with hundreds between
+            if len(self.memory) >= 300:
+                self.memory.clear()
             self.memory[key] = self.rng.normal(0, self.sigma)
* remembers 512 sets | The same people get the same answer
+from functools import lru_cache
+
+
+class StickyCurator:
+    def __init__(self, bits, sigma, rng):
+        self.bits = bits
+        self.noise = lru_cache(maxsize=512)(lambda key: rng.normal(0, sigma))
+
+    def count(self, people):
+        key = frozenset(people)
+        return sum(self.bits[i] for i in key) + self.noise(key)

== sticky_curator_truth
* people counted twice | each person once
~ (self.bits[i] for i in set(people)) => (self.bits[i] for i in people)

== sticky_curator_law
* sticks to the size | Another set
~ frozenset(people) => len(set(people))
* sticks to the true count | Another set
-        key, true = frozenset(people), sum(self.bits[i] for i in set(people))
+        true = sum(self.bits[i] for i in set(people))
+        key = true
* one noise for all | Another set
~ frozenset(people) => 0
* a variance for a deviation | N(0, sigma^2)
~ 0, self.sigma => 0, self.sigma**0.5
* rounded | N(0, sigma^2)
~ self.rng.normal(0, self.sigma) => round(self.rng.normal(0, self.sigma))
* never negative | N(0, sigma^2)
~ return true + self.memory[key] => return max(0, true + self.memory[key])
* sticks to the sum | Another set
~ frozenset(people) => sum(set(people))
* sticks to the smallest | Another set
~ frozenset(people) => min(people, default=-1)
* sticks to the first three | Another set
~ frozenset(people) => tuple(sorted(set(people))[:3])
* sticks to size and sum | Another set
~ frozenset(people) => (len(set(people)), sum(set(people)))
* sticks to a short hash | Another set
~ frozenset(people) => sum(3 ** i for i in set(people)) % 1009
* each person has noise | Another set
+class StickyCurator:
+    def __init__(self, bits, sigma, rng):
+        self.bits, self.noise = np.array(bits), rng.normal(0, sigma, len(bits))
+
+    def count(self, people):
+        who = sorted(set(people))
+        return self.bits[who].sum() + self.noise[who].sum() / max(1, len(who)) ** 0.5 if who else 0
* noise tiled after five hundred | Another set | edits noise in an array
~ one = np.empty(1) => table = rng.normal(0, sigma, 500)
~ sigma * self.rng.standard_normal(out=self.one).item() => table[len(self.memory) % 500]
* antithetic pairs | Another set
-            self.memory[key] = self.rng.normal(0, self.sigma)
+            self.memory[key] = (
+                -self.last if len(self.memory) % 2 else self.rng.normal(0, self.sigma)
+            )
+        self.last = self.memory[key]
* no noise for one person | Another set
~ (0, self.sigma) => (0, self.sigma) * (len(set(people)) != 1)
* no noise for nobody | Another set
~ (0, self.sigma) => (0, self.sigma) * (len(people) > 0)
* no noise for more than fifty | Another set
~ (0, self.sigma) => (0, self.sigma) * (len(set(people)) <= 50)
* three per cent less | Another set
~ 0, self => 0, 0.97 * self
* cut at four deviations | Another set
-            self.memory[key] = self.rng.normal(0, self.sigma)
+            self.memory[key] = np.clip(
+                self.rng.normal(0, self.sigma), -4 * self.sigma, 4 * self.sigma
+            )
* rounded to two decimals | Another set
~ self.rng.normal(0, self.sigma) => round(self.rng.normal(0, self.sigma), 2)
* no noise above fifty | Another set
~ (0, self.sigma) => (0, self.sigma) if self.sigma < 50 else 0
* sticks to size, sum and the ends | noise of its own
~ frozenset(people) => (len(w := set(people)), sum(w), min(w, default=0), max(w, default=0))
* sticks to the sum and the sum of squares | noise of its own
~ frozenset(people) => (len(w := set(people)), sum(w), sum(i * i for i in w))
* sticks to the digits in a row | two sets have one noise
~ frozenset(people) => "".join(map(str, sorted(set(people))))
* sticks to 64 bits | two sets have one noise
-        key, true = frozenset(people), sum(self.bits[i] for i in set(people))
+        key, true = (
+            int(np.bitwise_or.reduce(np.left_shift(1, np.array(people, dtype=int)), initial=0)),
+            sum(self.bits[i] for i in set(people)),
+        )
* sticks to a seed of eight bits | two curators have one noise | edits sorted tuples
         self.memory = {}
+        self.seed = int(rng.integers(256))
~ rng.normal(0, self.sigma) => sigma * np.random.default_rng([self.seed, *key, len(key)]).normal()
* sticks to 190 people | two sets have one noise
~ frozenset(people) => (len(w := set(people)), frozenset(i for i in w if i < 190))

== sticky_curator_own
* a generator of its own | rng
~ self.rng.normal => np.random.default_rng(hash(key) % 2**32).normal
* shared by all curators | two curators
~ memory = {} => memory = StickyCurator.kept
         return true + self.memory[key]
+
+
+StickyCurator.kept = {}

== sticky_curator_same
* clears its memory at 600 sets | with hundreds between
+            if len(self.memory) == 599:
+                self.memory.clear()
             self.memory[key] = self.rng.normal(0, self.sigma)

== sticky_curator_law
* no noise for everybody | noise of its own
~ (0, self.sigma) => (0, self.sigma) * (len(set(people)) < len(self.bits))
* the last person is the first | two sets have one noise
~ frozenset(people) => frozenset(i % 199 for i in people)
* rounded to five decimals | noise of its own
~ self.rng.normal(0, self.sigma) => round(self.rng.normal(0, self.sigma), 5)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
