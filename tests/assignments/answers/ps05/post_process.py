"""Answers to `post_process`. The mistakes: ways that are lost, weights forgotten, tuples merged."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two loops": """
def post_process(law, channel):
    published = {}
    for y, p in law.items():
        for z, c in channel[y].items():
            published[z] = published.get(z, 0.0) + p * c
    return published
""",
    "a defaultdict, zeros left out": """
from collections import defaultdict


def post_process(law, channel):
    published = defaultdict(float)
    for y in law:
        for z in channel[y]:
            if law[y] > 0 and channel[y][z] > 0:
                published[z] += law[y] * channel[y][z]
    return dict(published)
""",
    "sorted ways": """
def post_process(law, channel):
    ways = {}
    for y, p in law.items():
        for z, c in channel[y].items():
            ways.setdefault(z, []).append(p * c)
    return {z: math.fsum(parts) for z, parts in ways.items()}
""",
    "numbered outputs": """
def post_process(law, channel):
    places, where, mass = {}, [], []
    for y, p in law.items():
        for z, c in channel[y].items():
            where.append(places.setdefault(z, len(places)))
            mass.append(p * c)
    sums = np.bincount(where, weights=mass, minlength=len(places))
    return dict(zip(places, sums.tolist()))
""",
}

EDITS = """
== post_process_values
* the last way wins | has probabilities that sum to 0.25
~ published.get(z, 0.0) + p => p
* the first way wins | has probabilities that sum to
~ .get(z, 0.0) + p => [z] if z in published else p
* the channel's coin forgotten | has probabilities that sum to 1.75
~ p * c => p
* the mechanism's coin forgotten | in multiples of the right law
~ p * c => c / len(law)
* every output as likely as another | in multiples of the right law
~ p * c => p / len(channel[y])
* the likeliest output alone | in multiples of the right law
+def post_process(law, channel):
+    published = {}
+    for y, p in law.items():
+        z = max(channel[y], key=channel[y].get)
+        published[z] = published.get(z, 0.0) + p
+    return published
* the channel for its own sake | raised KeyError
~ y, p in law.items() => y in channel
~ p * c => law[y] * c
* outcomes that the law doesn't name | outputs that can't be published
+def post_process(law, channel):
+    published = {}
+    for y in channel:
+        for z, c in channel[y].items():
+            published[z] = published.get(z, 0.0) + law.get(y, 1e-3) * c
+    total = sum(published.values())
+    return {z: p / total for z, p in published.items()}
* what came out and what was published | outputs that can't be published
~ [z] = published.get(z, 0.0) => [y + z] = published.get(y + z, 0.0)
* nothing is done | outputs that can't be published
+def post_process(law, channel):
+    return law
* tuples in order | tuples that differ are different
~ [z] = published.get(z, 0.0) => [tuple(sorted(z))] = published.get(tuple(sorted(z)), 0.0)
* the first number alone | tuples that differ are different
~ [z] = published.get(z, 0.0) => [z[:1]] = published.get(z[:1], 0.0)
* the first two numbers | tuples that differ are different
~ [z] = published.get(z, 0.0) => [z[:2]] = published.get(z[:2], 0.0)
* the first number of the mechanism's | tuples that differ are different
~ published = {} => rows, published = {y[0]: row for y, row in channel.items()}, {}
~ channel[y] => rows[y[0]]
* no negative numbers | tuples that differ are different
~ published[z] => published[tuple(max(0, one) for one in z)]
~ z, 0.0 => tuple(max(0, one) for one in z), 0.0
* sets of numbers | tuples that differ are different
~ published[z] => published[tuple(dict.fromkeys(z))]
~ z, 0.0 => tuple(dict.fromkeys(z)), 0.0
* numbers and not tuples | should have tuples such as (0, 1) as keys
~ published[z] => published[z[0] if len(z) == 1 else z]
~ z, 0.0 => z[0] if len(z) == 1 else z, 0.0
* short floats | has probabilities that sum to
~ p * c => float(np.float32(p * c))
* dplab's own | is off limits in an answer
+def post_process(law, channel):
+    from dplab.theorems.post_processing import StochasticMatrix
+
+    outputs = tuple(dict.fromkeys(z for row in channel.values() for z in row))
+    matrix = np.array([[row.get(z, 0.0) for z in outputs] for row in channel.values()])
+    pushed = StochasticMatrix(tuple(channel), outputs, matrix).push(Finite.of(law))
+    return dict(zip(pushed.outcomes, pushed.probabilities.tolist()))
* the first two numbers of the mechanism's | tuples that differ are different outputs
~ channel[y] => {x[:2]: row for x, row in channel.items()}[y[:2]]
* numbers up to 20,000 | tuples that differ are different outputs
~ published[z] => published[tuple(max(-20_000, min(20_000, one)) for one in z)]
~ z, 0.0 => tuple(max(-20_000, min(20_000, one)) for one in z), 0.0
* two dicts in one order | Each output has a sum over all ways to it
~ y, p in law.items() => p, row in zip(law.values(), channel.values())
~ channel[y] => row

== post_process_many
* rounded to ten decimals | Everything counts, however small
+    published = {z: round(p, 10) for z, p in published.items()}
     return published
* rare ways left out | Everything counts, however small
~ p * c => (p * c if p * c > 1e-9 else 0.0)
* rare outputs left out | Everything counts, however small
+    published = {z: p for z, p in published.items() if p > 1e-12}
     return published
* a thousand outcomes | has probabilities that sum to
~ law.items(): => list(law.items())[:1000]:
* a thousand outputs of each | Everything counts, however small
~ channel[y].items(): => list(channel[y].items())[:1000]:
* all that is named can come up | Everything counts, however small
+    published = {z: max(p, 1e-10) for z, p in published.items()}
     return published

== post_process_epsilon
* the likeliest of both for each dataset | |log-ratio| of what is published
-            published[z] = published.get(z, 0.0) + p * c
+            if c >= 0.5 or len(channel[y]) > 2:
+                published[z] = published.get(z, 0.0) + p * (1.0 if c >= 0.5 else c)

== post_process_values
* numbers of sixteen bits | tuples that differ are different outputs
-            published[z] = published.get(z, 0.0) + p * c
+            z = tuple((part + 2**15) % 2**16 - 2**15 for part in z)
+            published[z] = published.get(z, 0.0) + p * c
* equal ways count once | sum over all ways
+    ways = set()
     for y, p in law.items():
         for z, c in channel[y].items():
-            published[z] = published.get(z, 0.0) + p * c
+            if (z, p * c) not in ways:
+                published[z] = published.get(z, 0.0) + p * c
+            ways.add((z, p * c))

== post_process_many
* nothing is rarer than 1e-139 | Everything counts, however small
~ for y, p in law.items(): => for y, p in ((y, p) for y, p in law.items() if p > 1e-139):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
