"""Answers to `output_law`. The mistakes: no product, no law, or the law of something else."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a loop with a product": """
def output_law(truths, epsilon):
    truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
    law = {}
    for answers in product([0, 1], repeat=len(truths)):
        law[answers] = 1
        for x, y in zip(truths, answers):
            law[answers] *= truth if x == y else lie
    return law
""",
    "by the number of lies": """
def output_law(truths, epsilon):
    def probability(answers):
        lies = sum(x != y for x, y in zip(truths, answers))
        return math.exp(epsilon * (len(truths) - lies)) / (1 + math.exp(epsilon)) ** len(truths)

    return {answers: probability(answers) for answers in product((0, 1), repeat=len(truths))}
""",
    "recursion": """
def output_law(truths, epsilon):
    if len(truths) == 0:
        return {(): 1.0}
    lie = 1 / (1 + np.exp(epsilon))
    law = {}
    for answers, probability in output_law(truths[:-1], epsilon).items():
        law[answers + (truths[-1],)] = probability * (1 - lie)
        law[answers + (1 - truths[-1],)] = probability * lie
    return law
""",
    "arrays": """
def output_law(truths, epsilon):
    answers = np.indices([2] * len(truths)).reshape(len(truths), -1).T
    right = answers == np.array(truths)
    logs = np.where(right, -np.log1p(np.exp(-epsilon)), -np.log1p(np.exp(epsilon)))
    return dict(zip(map(tuple, answers), np.exp(logs.sum(axis=1))))
""",
    "outer products": """
def output_law(truths, epsilon):
    from collections import defaultdict

    lie = 1 / (1 + math.exp(epsilon))
    table = np.array(1.0)
    for truth in truths:
        table = np.multiply.outer(table, [1 - lie, lie] if truth == 0 else [lie, 1 - lie])
    law = defaultdict(float)
    law.update(np.ndenumerate(table))
    return law
""",
}

EDITS = """
== output_law_small
* truth and lie swapped | should have the probability 0.25 for (0,)
~ lie = math => lie = 1 / (1 + math.exp(epsilon)), math
~ , 1 / (1 + math.exp(epsilon)) =>
* no denominator | should have probabilities from 0 to 1
~ (epsilon) / (1 + math.exp(epsilon)) => (epsilon)
~ 1 / (1 + math.exp(epsilon)) => 1
* one probability of a lie, another of the truth | sum to
~ 1 / (1 + math.exp(epsilon)) => math.exp(-epsilon)
* logarithms | should have probabilities from 0 to 1 | edits arrays
-    return dict(zip(map(tuple, answers), np.exp(logs.sum(axis=1))))
+    return dict(zip(map(tuple, answers), logs.sum(axis=1)))
* strings as keys | tuples such as (0, 1) as keys, one key is
~ return law => return {"".join(map(str, key)): law[key] for key in law}
* a list of pairs | should be a dict, it is a list
~ return law => return list(law.items())
* an outcome left out | sum to 0.75, not to 1
+    del law[tuple(1 - x for x in truths)]
     return law
* the number of ways to lie counted in | sum to | edits by the number of lies
~ return math => return math.comb(len(truths), lies) * math
* dplab's own | off limits
+def output_law(truths, epsilon):
+    law = RandomizedResponse(epsilon).distribution(truths).enumerate()
+    return dict(zip(law.outcomes, law.probabilities.tolist()))

== output_law_epsilon
* epsilon spent twice | is 2 (truths
~3 (epsilon => (2 * epsilon
* epsilon divided among the people | is 0.5 (truths
~ math.exp(epsilon) / (1 + math.exp(epsilon)) => 1 / (1 + math.exp(-epsilon / len(truths)))
~ (1 + math.exp(epsilon)) => (1 + math.exp(epsilon / len(truths)))
* every outcome alike | is 0 (truths
~ math.exp(epsilon) / (1 + math.exp(epsilon)) => 1 / 2
~ (1 + math.exp(epsilon)) => 2
* an average for the product | largest |log-ratio|
-        law[answers] = 1
-        for x, y in zip(truths, answers):
-            law[answers] *= truth if x == y else lie
+        factors = [truth if x == y else lie for x, y in zip(truths, answers)]
+        law[answers] = np.mean(factors) / 2 ** (len(truths) - 1)
* no lies for large epsilon | that one's are the truth and the lie
-    truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
+    truth, lie = (
+        (math.exp(epsilon) / (1 + math.exp(epsilon)) if epsilon < 9 else 1.0),
+        (1 / (1 + math.exp(epsilon)) if epsilon < 9 else 0.0),
+    )
* one millionth too much | that one's are the truth and the lie
-    truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
+    truth, lie = (1 / (1 + math.exp(-epsilon)) + 1e-9), (1 / (1 + math.exp(epsilon)) - 1e-9)

== output_law_values
* epsilon fixed at log(3) | for (0, 0, 0)
~ math.exp(epsilon) / (1 + math.exp(epsilon)) => 3 / 4
~ (1 + math.exp(epsilon)) => 4
* the people in reverse | Compare answer i with truth i
~ truths, answers => reversed(truths), answers
* one coin for everybody | has no probability for the answers
+def output_law(truths, epsilon):
+    lies = tuple(1 - x for x in truths)
+    return {
+        tuple(truths): math.exp(epsilon) / (1 + math.exp(epsilon)),
+        lies: 1 / (1 + math.exp(epsilon)),
+    }
* two people only | (0, 0, 0)
~ ([0, 1], repeat=len(truths)) => ([0, 1], repeat=min(2, len(truths)))
* rounded | [1, 0, 0] | edits by the number of lies
~ : probability(answers) => : round(probability(answers), 4)
* estimated from draws | should have the probability
+def output_law(truths, epsilon):
+    draws = np.random.default_rng().random((20_000, len(truths))) < 1 / (1 + np.exp(epsilon))
+    answers, counts = np.unique(np.array(truths) ^ draws, axis=0, return_counts=True)
+    return {tuple(row): count / 20_000 for row, count in zip(answers.tolist(), counts)}
* independent for up to six people | one factor, however small
+    few = truths[:6]
     for answers in product([0, 1], repeat=len(truths)):
~ [answers] = 1 => [answers] = 0.5 ** (len(truths) - len(few))
~ truths, answers => few, answers
* rare outcomes left out | one factor, however small
-    return law
+    return {y: chance for y, chance in law.items() if chance > 1e-9}
* rounded to ten digits | one factor, however small
~ return law => return {y: round(chance, 10) for y, chance in law.items()}
* no epsilon above 5 | one factor, however small
+    epsilon = min(epsilon, 5)
     truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
* no epsilon below 0.1 | one factor, however small
+    epsilon = max(epsilon, 0.1)
     truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
* single precision | not to 1 | edits by the number of lies
~ : probability(answers) => : float(np.float32(probability(answers)))
* lists only | each of the n people | edits recursion
~ truths[:-1] => truths.copy()[:-1]

== output_law_values
* no epsilon above 9.9 | one factor, however small
+    epsilon = min(epsilon, 9.9)
     truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
* rounded to fifteen digits | one factor, however small
-    return law
+    return {answers: round(chance, 15) for answers, chance in law.items()}
* the tenth person never lies | one factor, however small
-        for x, y in zip(truths, answers):
-            law[answers] *= truth if x == y else lie
+        for i, (x, y) in enumerate(zip(truths, answers)):
+            law[answers] *= (truth if x == y else lie) if i < 9 else float(x == y)

== output_law_epsilon
* who are alike have one coin | largest |log-ratio|
-            law[answers] *= truth if x == y else lie
+            law[answers] *= truth if x == y else lie
+        if len(truths) > 1 and len(set(truths)) == 1:
+            law[answers] = 0.5 ** len(truths)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
