"""Answers to `half_sample` and `best_guesses`. The mistakes: who is drawn, and what is guessed."""

from tests.assignments.edits import read_answers

RIGHT = {
    "lists of two sums": """
import itertools


def half_sample(bits):
    n = len(bits)
    halves = list(itertools.combinations(range(n), n // 2))
    law = {}
    for half in halves:
        seen = tuple(bits[i] if i in half else -1 for i in range(n))
        law[seen] = law.get(seen, 0.0) + 1 / len(halves)
    return law


def best_guesses(laws):
    n = len(next(iter(laws)))
    joint = {}
    for bits, law in laws.items():
        for seen, p in law.items():
            table = joint.setdefault(seen, [[0.0, 0.0] for _ in range(n)])
            for i in range(n):
                table[i][bits[i]] += p * 1 / len(laws)
    tables = [table for table in joint.values() if sum(table[0]) > 0]
    share = sum(
        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
    )
    share = share
    sures = [max(max(row) / sum(row) for row in table) for table in tables]
    surest = max(sures)
    return share, surest
""",
    "arrays and masks": """
def half_sample(bits):
    n = len(bits)
    drawn = [mask for mask in product((0, 1), repeat=n) if sum(mask) == n / 2]
    return {tuple(np.where(mask, bits, -1).tolist()): 1 / math.comb(n, n // 2) for mask in drawn}


def best_guesses(laws):
    secrets = np.array(list(laws))
    seen = {y: k for k, y in enumerate({y: 0 for law in laws.values() for y in law})}
    p = np.zeros((len(secrets), len(seen)))
    for row, law in zip(p, laws.values()):
        for y, chance in law.items():
            row[seen[y]] = chance
    p = p[:, p.sum(axis=0) > 0] / len(secrets)
    ones, zeros = secrets.T @ p, (1 - secrets).T @ p
    best = np.maximum(ones, zeros)
    return np.array([best.sum(axis=1).mean(), (best / p.sum(axis=0)).max()])
""",
    "one person after the other": """
from collections import defaultdict


def half_sample(bits):
    law, n = {}, len(bits)
    for drawn in combinations(range(n), n // 2):
        published = [-1] * n
        for i in drawn:
            published[i] = bits[i]
        law[tuple(published)] = math.factorial(n // 2) ** 2 / math.factorial(n)
    return law


def best_guesses(laws):
    n, shares, surest = len(list(laws)[0]), [], 0.5
    for i in range(n):
        chance = {0: defaultdict(float), 1: defaultdict(float)}
        for bits in laws:
            for y in laws[bits]:
                chance[bits[i]][y] += laws[bits][y]
        seen = set(chance[0]) | set(chance[1])
        right = 0.0
        for y in seen:
            larger = max(chance[0][y], chance[1][y])
            right += larger
            if larger > 0:
                surest = max(surest, larger / (chance[0][y] + chance[1][y]))
        shares.append(right / 2**n)
    return [sum(shares) / n, surest]
""",
}

EDITS = """
== half_sample_law
* a coin for each person | should have the probability
-    halves = list(itertools.combinations(range(n), n // 2))
+    halves = [h for k in range(n + 1) for h in itertools.combinations(range(n), k)]
* the first half | should have the probability
~ list(itertools.combinations(range(n), n // 2)) => [range(n // 2)]
* neighbours in the row | should have the probability 0.1667
-    halves = list(itertools.combinations(range(n), n // 2))
+    halves = [range(k, k + n // 2) for k in range(n // 2 + 1)]
* one of each two | has no probability for
-    halves = list(itertools.combinations(range(n), n // 2))
+    halves = list(itertools.product(*[(i, i + 1) for i in range(0, n, 2)]))
* a person may be drawn twice | should have the probability
~ combinations(range(n), n // 2) => product(range(n), repeat=n // 2)
* zero for who is not drawn | has no probability for
~ else -1 => else 0
* the drawn bits alone | has no probability for
~ if i in half else -1 for i in range(n) => for i in range(n) if i in half
* the drawn in front | has no probability for
-        seen = tuple(bits[i] if i in half else -1 for i in range(n))
+        seen = tuple(bits[i] for i in half) + (-1,) * (n - n // 2)
* doubled, as the counts are | has no probability for
~ bits[i] if => 2 * bits[i] if
* every half for sure | sum to 2
~ 1 / len(halves) => 1.0
* as many halves as secrets | sum to
~ len(halves) => 2**n
* twenty halves at most | Exactly half of the people are drawn
~ (itertools.combinations(range(n), n // 2)) => (itertools.combinations(range(n), n // 2))[:20]
* dplab's own | is off limits in an answer
~ import itertools => from dplab import RandomRows
-    halves = list(itertools.combinations(range(n), n // 2))
-    law = {}
-    for half in halves:
-        seen = tuple(bits[i] if i in half else -1 for i in range(n))
-        law[seen] = law.get(seen, 0.0) + 1 / len(halves)
-    return law
+    law = RandomRows(n, n // 2).distribution(tuple(enumerate(bits)))
+    return {
+        tuple(dict(rows).get(i, -1) for i in range(n)): p
+        for rows, p in zip(law.outcomes, law.probabilities.tolist())
+    }

== half_sample_share
* all bits right at once | the better guess right
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
+        math.prod(max(row) / sum(row) for row in table) * sum(table[0])
+        for seen, table in joint.items()
+        if sum(table[0]) > 0
* how many bits are right | should be 0.75
~ (max(row) for row in table) / n => (max(row) for row in table)
* no prior | should be 0.75
~ 1 / len(laws) => 1
* a half for each secret | should be 0.75
~ 1 / len(laws) => 0.5
* every publication as likely | the better guess right
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
+        sum(max(row) / sum(row) for row in table) / n
+        for seen, table in joint.items()
+        if sum(table[0]) > 0
~ share = share => share = share / len(tables)
* guesses one | the better guess right
~ max(row) for => row[1] for
* the first person's | given all that is published
-
 def best_guesses(laws):
@@
-    share = sum(
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
-    )
+    share = sum(max(table[0]) for seen, table in joint.items() if sum(table[0]) > 0)
* the luckiest person's | given all that is published
~ share = share => share = max(sum(max(table[i]) for table in tables) for i in range(n))
* one guess for all | the better guess right
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
+        max(sum(row[b] for row in table) for b in (0, 1)) / n
+        for seen, table in joint.items()
+        if sum(table[0]) > 0
* the likeliest secret | against the sum of three
+    seen = {y for law in laws.values() for y in law}
+    share = 0.0
+    for y in seen:
+        guess = max(laws, key=lambda bits: laws[bits].get(y, 0.0))
+        for bits, law in laws.items():
+            share += law.get(y, 0.0) * sum(a == b for a, b in zip(guess, bits)) / n
+    return share / len(laws), real_guesses(laws)[1]
+
+
+def real_guesses(laws):
+    n = len(next(iter(laws)))
     joint = {}
* believes what is published | against the sum of three
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
+        sum(
+            row[seen[i]] if i < len(seen) and seen[i] in (0, 1) else max(row)
+            for i, row in enumerate(table)
+        )
+        / n
+        for seen, table in joint.items()
+        if sum(table[0]) > 0
* guesses without looking | the better guess right
~ share = share => share = 0.5
* three quarters | the share of right guesses against nothing
~ share = share => share = 0.75
* rounded to three decimals | over all secrets
~ share = share => share = round(share, 3)
* what the first law names | the better guess right
+            if seen not in next(iter(laws.values())):
+                continue
             table = joint.setdefault(seen, [[0.0, 0.0] for _ in range(n)])
* publications in any order | the better guess right
~ seen, [[0.0, 0.0] for _ in range(n)] => tuple(sorted(seen)), [[0.0, 0.0] for _ in range(n)]
* the two exchanged | should be 0.75, it is 1
~ share, surest => surest, share
* secrets in the order of counting | Each person's better guess
~ laws.items() => zip(itertools.product((0, 1), repeat=n), laws.values())
* hashes of what is published | Each person's better guess
~ seen, [[0.0, 0.0] for _ in range(n)] => hash(seen), [[0.0, 0.0] for _ in range(n)]
* digits of what is published | Each person's better guess
~ seen, [[0.0, 0.0] for _ in range(n)] => "".join(map(str, seen)), [[0.0, 0.0] for _ in range(n)]
* bytes of what is published | Each person's better guess
-            table = joint.setdefault(seen, [[0.0, 0.0] for _ in range(n)])
+            table = joint.setdefault(
+                tuple(part % 256 for part in seen), [[0.0, 0.0] for _ in range(n)]
+            )
* laws that name everything in the end | changes what it was given
+import itertools
+
+
+def half_sample(bits):
+    n = len(bits)
+    halves = list(itertools.combinations(range(n), n // 2))
+    law = {}
+    for half in halves:
+        seen = tuple(bits[i] if i in half else -1 for i in range(n))
+        law[seen] = law.get(seen, 0.0) + 1 / len(halves)
+    return law
+
+def best_guesses(laws):
+    n, right, sure = len(next(iter(laws))), 0.0, 0.0
+    for seen in {seen for law in laws.values() for seen in law}:
+        for i in range(n):
+            sums = [0.0, 0.0]
+            for bits, law in laws.items():
+                sums[bits[i]] += law.setdefault(seen, 0.0)
+            right += max(sums) / len(laws) / n
+            sure = max(sure, max(sums) / (sum(sums) or 1))
+    return right, sure

== half_sample_sure
* how sure on average | how sure a guess can become
~ max(sures) => sum(sures) / len(sures)
* how sure in expectation | against half of two in clear
~ max(sures) => share
* the least sure | whether any of two is 1
~ max(sures) => min(sures)
* how sure of a one | whether any of two is 1
~ max(row) / sum => row[1] / sum
* how sure of the first | the second bit
~ (max(row) / sum(row) for row in table) => (table[0]) / sum(table[0])
* how sure of all | against half of two in clear
~ max(max(row) / sum(row) for row in table) => math.prod(max(row) / sum(row) for row in table)
* the joint probability | how sure a guess can become
~ (row) / sum =>
* the likeliest publication | whether any of two is 1
~ max(sures) => max(zip([sum(table[0]) for table in tables], sures))[1]
* nothing rare counts | however rarely
~ values() if sum(table[0]) > 0 => values() if sum(table[0]) > 1e-8
~ (table[0]) > 0 => (table[0]) > 1e-8
* a thousandth is never | however rarely
~ values() if sum(table[0]) > 0 => values() if sum(table[0]) > 1e-3
~ (table[0]) > 0 => (table[0]) > 1e-3
* what can't be published | what can't be published does not
-
 def best_guesses(laws):
@@
-    tables = [table for table in joint.values() if sum(table[0]) > 0]
-    share = sum(
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
-    )
+    tables = [table for table in joint.values() if True]
+    share = sum(sum(max(row) for row in table) / n for seen, table in joint.items() if True)
* always sure | how sure a guess can become
~ max(sures) => 1.0
* sure, rounded | how sure a guess can become
~ max(sures) => round(max(sures), 3)
* sure of one secret | flipped
~ max(sures) => 1.0 if len(joint) > 2 else max(sures)
* nothing rarer than 1e-13 | however rarely
~ values() if sum(table[0]) > 0 => values() if sum(table[0]) > 1e-13
-        sum(max(row) for row in table) / n for seen, table in joint.items() if sum(table[0]) > 0
+        sum(max(row) for row in table) / n
+        for seen, table in joint.items()
+        if sum(table[0]) > 1e-13

== half_sample_share
* rounded to seven decimals | over all secrets
~ share = share => share = round(share, 7)
* two sums alike are no guess | the better guess right
~ (max(row) for row in table) / n => (max(row) for row in table if row[0] != row[1]) / n
* sums of 32 bits | over all secrets
~ share = share => share = float(np.float32(share))

== half_sample_sure
* sure, to seven decimals | given what is published
~ max(sures) => round(max(sures), 7)

== half_sample_law
* halves with the first person, where there are ten | Exactly half of the people are drawn
-    halves = list(itertools.combinations(range(n), n // 2))
+    halves = [h for h in itertools.combinations(range(n), n // 2) if n < 10 or 0 in h]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
