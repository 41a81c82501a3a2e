"""Answers to `shuffled_law`. The mistakes: lies, the crowd that is worst, and the two orders."""

from tests.assignments.edits import read_answers

RIGHT = {
    "person after person": """
def shuffled_law(ones, zeros, local_epsilon):
    truth = math.exp(local_epsilon) / (1 + math.exp(local_epsilon))
    law = np.array([1.0])
    for chance in [truth] * ones + [1 - truth] * zeros:
        law = np.append(law * (1 - chance), 0) + np.append(0, law * chance)
    return law


def shuffled_delta(people, local_epsilon, epsilon):
    largest, others = 0, people - 1
    for m in range(people):
        p = shuffled_law(m + 1, others - m, local_epsilon)
        q = shuffled_law(m, others - m + 1, local_epsilon)
        for one, other in ((p, q), (q, p)):
            delta = np.maximum(0, one - math.exp(epsilon) * other).sum()
            largest = max(largest, delta)
    return largest
""",
    "two binomial laws": """
def shuffled_law(ones, zeros, local_epsilon):
    lie = 1 / (1 + math.exp(local_epsilon))
    told = binom.pmf(np.arange(ones + 1), ones, 1 - lie)
    lied = binom.pmf(np.arange(zeros + 1), zeros, lie)
    return np.convolve(told, lied)


def shuffled_delta(people, local_epsilon, epsilon):
    laws = np.array([shuffled_law(m, people - m, local_epsilon) for m in range(people + 1)])
    up = laws[1:] - np.exp(epsilon) * laws[:-1]
    down = laws[:-1] - np.exp(epsilon) * laws[1:]
    return max(np.sum(part[part > 0]) for row in (up, down) for part in row)
""",
    "sums written out": """
def shuffled_law(ones, zeros, local_epsilon):
    r = 1 / (1 + math.exp(-local_epsilon))
    s, found = 1 - r, []
    for j in range(ones + zeros + 1):
        total = 0
        for i in range(max(0, j - zeros), min(ones, j) + 1):
            ways = math.comb(ones, i) * math.comb(zeros, j - i)
            total += ways * r ** (i + zeros - j + i) * s ** (ones - i + j - i)
        found.append(total)
    return found


def shuffled_delta(people, local_epsilon, epsilon):
    # With zeros and ones exchanged each pair is another one in the other order.
    laws = [shuffled_law(m, people - m, local_epsilon) for m in range(people + 1)]
    e = math.exp(epsilon)
    return max(
        sum(max(0.0, a - e * b) for a, b in zip(laws[m + 1], laws[m])) for m in range(people)
    )
""",
}

EDITS = """
== shuffled_law_values
* everybody tells the truth | Add one person
~ [truth] * ones + [1 - truth] * zeros => [1.0] * ones + [0.0] * zeros
* nobody has a 0 | Add one person
~ [1 - truth] * zeros => [truth] * zeros
* zeros and ones exchanged | Add one person
~ [truth] * ones + [1 - truth] * zeros => [truth] * zeros + [1 - truth] * ones
* dplab's own | off limits
+def shuffled_law(ones, zeros, local_epsilon):
+    from dplab.local.shuffling import ShuffledResponse
+
+    return ShuffledResponse(local_epsilon).distribution([1] * ones + [0] * zeros).probabilities
* upside down | Add one person
~ return law => return law[::-1]
* half of epsilon | Add one person
-    truth = math.exp(local_epsilon) / (1 + math.exp(local_epsilon))
+    truth = 1 / (1 + math.exp(-local_epsilon / 2))
* a binomial law with an average chance | Add one person
-    return law
+    n = ones + zeros
+    return binom.pmf(range(n + 1), n, (truth * ones + (1 - truth) * zeros) / n)
* a normal law | Add one person
-    return law
+    n = ones + zeros
+    middle, scale = truth * ones + (1 - truth) * zeros, math.sqrt(n * truth * (1 - truth))
+    law = norm.pdf(range(n + 1), middle, scale)
+    return law / law.sum()
* the number of ones is kept out | should
~ return law => return law[1:]
* the truth is told with a half plus | Add one person
~ math.exp(local_epsilon) / (1 + math.exp(local_epsilon)) => 0.5 + local_epsilon / 4
* people without an answer 1 | Add one person
~ np.append(law * (1 - chance), 0) + np.append(0, law * chance) => np.append(law, 0) * (1 - chance)
* a coin decides whether it is noise | Add one person
-    truth = math.exp(local_epsilon) / (1 + math.exp(local_epsilon))
+    truth = math.exp(local_epsilon) / (1 + math.exp(local_epsilon))
+    truth = truth + (1 - truth) / 2
* at most thirty people | should
~ [truth] * ones + [1 - truth] * zeros: => ([truth] * ones + [1 - truth] * zeros)[:30]:
* nobody, if there are no ones | should
~ for chance in => for chance in [] if not ones else

== shuffled_law_delta
* dplab's own loss | off limits
+def shuffled_law(ones, zeros, local_epsilon):
+    truth = 1 / (1 + math.exp(-local_epsilon))
+    law = np.ones(1)
+    for chance in [truth] * ones + [1 - truth] * zeros:
+        law = np.convolve(law, [1 - chance, chance])
+    return law
+
+
+def shuffled_delta(people, local_epsilon, epsilon):
+    from dplab.local.shuffling import shuffled_loss
+
+    losses = [
+        shuffled_loss(local_epsilon, ones=m, zeros=people - 1 - m) for m in range(people)
+    ]
+    return max(way.delta(epsilon) for loss in losses for way in (loss, loss.reverse()))
* the others all have a 0 | The largest over all numbers
~ for m in range(people) => for m in range(1)
* the others all have a 0, or all a 1 | The largest over all numbers
~ for m in range(people) => for m in {0, people - 1}
* half of the others have a 1 | The largest over all numbers
~ for m in range(people) => for m in [others // 2]
* not all others | The largest over all numbers
~ for m in range(people) => for m in range(1, people)
* one order at half of the crowds | The largest over all numbers
~ for m in range(people) => for m in range(people // 2 + 1)
~ ((p, q), (q, p)) => ((p, q),)
* one order at the others | The largest over all numbers
~ for m in range(people) => for m in range(people // 2 + 1)
~ ((p, q), (q, p)) => ((q, p),)
* the mean over all crowds | The largest over all numbers
~ largest = max(largest, delta) => largest += delta / (2 * people)
* the smallest | The largest over all numbers
~ largest, others = 0, => largest, others = 1,
~ max(largest, delta) => min(largest, delta)
* the largest single outcome | The largest over all numbers
~ .sum() => .max()
* the whole difference | The largest over all numbers
~ np.maximum(0, one - math.exp(epsilon) * other).sum() => (one - math.exp(epsilon) * other).sum()
* the absolute difference | The largest over all numbers
~ np.maximum(0, one - math.exp(epsilon) * other) => np.abs(one - math.exp(epsilon) * other)
* epsilon for its exponential | The largest over all numbers
~ math.exp(epsilon) * other => (1 + epsilon) * other
* the other dataset has one person less | The largest over all numbers
-        q = shuffled_law(m, others - m + 1, local_epsilon)
+        q = np.append(shuffled_law(m, others - m, local_epsilon), 0)
* two people change | The largest over all numbers
-        q = shuffled_law(m, others - m + 1, local_epsilon)
+        q = shuffled_law(max(0, m - 1), people - max(0, m - 1), local_epsilon)
* nobody but the person | The largest over all numbers
~ largest, others = 0, people - 1 => people, largest, others = 1, 0, 0
* one person more | The largest over all numbers
~ largest, others = 0, people - 1 => largest, others = 0, people
* less noise by the root of n | The largest over all numbers
-    largest, others = 0, people - 1
+    lead = math.exp(local_epsilon) - math.exp(epsilon)
+    return max(0, lead / (1 + math.exp(local_epsilon))) / math.sqrt(people)
+    largest, others = 0, people - 1
* one person's answer is a fair coin | The largest over all numbers
~ shuffled_law(m, others - m + 1, local_epsilon) => shuffled_law(m, others - m + 1, 0)
* total variation, then scaled | The largest over all numbers
~ one - math.exp(epsilon) * other).sum() => one - other).sum() / math.exp(epsilon)
* the probability of a large loss | The largest over all numbers
~ np.maximum(0, one - math.exp(epsilon) * other).sum() => one[one > math.exp(epsilon) * other].sum()
* privacy by shuffling holds for one, too | should be
~ return largest => return largest if people > 1 else 0
* twenty people at most | The largest over all numbers
-    largest, others = 0, people - 1
+    people = min(people, 20)
+    largest, others = 0, people - 1
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
