"""Answers to `compose_laws`. The mistakes: the wrong arithmetic, pairs only, tuples lost."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all tuples": """
def compose_laws(laws):
    return {
        outputs: math.prod([law[y] for law, y in zip(laws, outputs)])
        for outputs in product(*laws)
    }
""",
    "one law after another": """
def compose_laws(laws):
    joint = {(): 1.0}
    for law in laws:
        longer = {}
        for outputs, probability in joint.items():
            for y, p in law.items():
                longer[outputs + (y,)] = probability * p
        joint = longer
    return joint
""",
    "recursion": """
def compose_laws(laws):
    if len(laws) == 0:
        return {(): 1}
    rest = compose_laws(laws[1:])
    return {(y, *ys): p * q for y, p in laws[0].items() for ys, q in rest.items()}
""",
    "products of items": """
def compose_laws(laws):
    joint = {}
    for pairs in product(*[law.items() for law in laws]):
        joint[tuple(y for y, _ in pairs)] = np.prod([p for _, p in pairs])
    return joint
""",
}

EDITS = """
== compose_laws_pairs
* probabilities added | should have probabilities
~ math.prod => sum
* the mean of the probabilities | sum to 2, not to 1
~ math.prod => np.mean
* the first law for all | should have the probability 0.125 for (0, 0), it has 0.0625
+def compose_laws(laws):
+    return compose([laws[0]] * len(laws))
+
+
+def compose(laws):
+    return {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
* the sum of the outputs | should have tuples such as (0, 1) as keys, one key is 0
~ outputs: => sum(outputs):
* outputs from the last to the first | has no probability for the answers (0, 5)
~ : math.prod => [::-1]: math.prod
* outcomes that can't happen left out | has no probability for the answers (3, 0)
+def compose_laws(laws):
+    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
+    return {ys: p for ys, p in joint.items() if p > 0}
* side by side only | should have the probability 0.125 for (0, 0)
+def compose_laws(laws):
+    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in zip(*laws)}
+    return {ys: p / sum(joint.values()) for ys, p in joint.items()}
* dplab's product | off limits
+def compose_laws(laws):
+    whole = Product([Finite.of(law) for law in laws]).enumerate()
+    return dict(zip(whole.outcomes, whole.probabilities.tolist()))

== compose_laws_many
* two laws only | has no probability for the answers (0, 0, 0)
+def compose_laws(laws):
+    if len(laws) == 1:
+        return {(y,): p for y, p in laws[0].items()}
+    a, b = laws[:2]
+    return {(x, y): a[x] * b[y] for x in a for y in b}
* pairs of pairs | should have tuples such as (0, 1) as keys
+def compose_laws(laws):
+    joint = {(y,): p for y, p in laws[0].items()}
+    for i, law in enumerate(laws[1:]):
+        joint = {
+            ((*x, y) if i == 0 else (x, y)): p * q
+            for x, p in joint.items()
+            for y, q in law.items()
+        }
+    return joint
* sorted outputs | not to 1
~ outputs: => tuple(sorted(outputs)):
* small probabilities taken for 0 | as many entries as there are laws
+        * (math.prod([law[y] for law, y in zip(laws, outputs)]) >= 1e-10)
         for outputs in product(*laws)
* ten decimals | as many entries as there are laws
-        outputs: math.prod([law[y] for law, y in zip(laws, outputs)])
+        outputs: round(math.prod([law[y] for law, y in zip(laws, outputs)]), 10)
* six laws at most | as many entries as there are laws
+def compose_laws(laws):
+    first = laws[:6]
+    return {ys: math.prod(law[y] for law, y in zip(first, ys)) for ys in product(*first)}
* many outcomes are all alike | as many entries as there are laws
+        if len(laws[0]) <= 1000
+        else 1 / math.prod(map(len, laws))
         for outputs in product(*laws)
* negative outcomes without their sign | as many entries as there are laws
~ outputs: => tuple(map(abs, outputs)):
* ten thousand tuples | The tuple has as many entries | edits outcomes that can't happen left out
~ {ys: p for ys, p in joint.items() if p > 0} => dict(list(joint.items())[:10_000])
* five thousand outcomes of a law | The tuple has as many entries
+def compose_laws(laws):
+    laws = [dict(list(law.items())[:5000]) for law in laws]
+    return {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
* below 1e-40 is nothing | the law, in multiples of the right one
+        * (math.prod([law[y] for law, y in zip(laws, outputs)]) > 1e-40)
         for outputs in product(*laws)
* laws taken from the list | changes what it was given
+def compose_laws(laws):
+    joint = {(): 1.0}
+    while laws:
+        law = laws.pop(0)
+        joint = {(*ys, y): p * q for ys, p in joint.items() for y, q in law.items()}
+    return joint

== compose_laws_epsilon
* one output twice | Is every answer in the tuple, and each once?
+def compose_laws(laws):
+    laws = list(laws)
+    if len(laws) > 1:
+        laws[-1] = {y: p for y, p in zip(laws[-1], laws[0].values())}
+    joint = {ys: math.prod(law[y] for law, y in zip(laws, ys)) for ys in product(*laws)}
+    return {ys: p / sum(joint.values()) for ys, p in joint.items()}
* all tuples alike | should be 0.75, it is 0
~ : math.prod => : 1 / math.prod
~ ([law[y] for law, y in zip(laws, outputs)]) => (len(law) for law in laws)

== compose_laws_many
* eleven laws at most | as many entries as there are laws
~ zip(laws, outputs) => list(zip(laws, outputs))[:11]
* equal laws count once | as many entries as there are laws
-        outputs: math.prod([law[y] for law, y in zip(laws, outputs)])
+        outputs: math.prod(
+            [law[y] for i, (law, y) in enumerate(zip(laws, outputs)) if law not in laws[:i]]
+        )
* outcomes of sixteen bits | as many entries as there are laws
-        outputs: math.prod([law[y] for law, y in zip(laws, outputs)])
+        tuple(int(np.int32(y).astype(np.int16)) for y in outputs): math.prod(
+            [law[y] for law, y in zip(laws, outputs)]
+        )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
