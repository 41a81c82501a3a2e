"""Answers to `is_private`. The mistakes: who is a neighbour, which outputs count, and equality."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all ordered pairs": """
def is_private(laws, epsilon):
    e = math.exp(epsilon)
    for x in laws:
        for z in laws:
            changed = sum(one != other for one, other in zip(x, z))
            if not (changed == 1):
                continue
            for y in set(laws[x]) | set(laws[z]):
                a, b = laws[x].get(y, 0), laws[z].get(y, 0)
                if not (a <= e * b * (1 + 1e-9)):
                    return False
    return True
""",
    "neighbours made": """
def is_private(laws, epsilon):
    records = {record for x in laws for record in x}
    for x, law in laws.items():
        for i in range(len(x)):
            for record in records - {x[i]}:
                neighbour = laws[x[:i] + (record,) + x[i + 1 :]]
                outcomes = set(law) | set(neighbour)
                if any(
                    law.get(y, 0) > math.exp(epsilon) * neighbour.get(y, 0) * (1 + 1e-9)
                    for y in outcomes
                ):
                    return False
    return True
""",
    "the largest log-ratio": """
def is_private(laws, epsilon):
    def loss(a, b):
        if a == b:
            return 0.0
        return abs(math.log(a / b)) if a > 0 and b > 0 else math.inf

    def adjacent(x, z):
        return [one == other for one, other in zip(x, z)].count(False) == 1

    worst = 0.0
    for x, z in product(laws, laws):
        if adjacent(x, z):
            for y in {*laws[x], *laws[z]}:
                worst = max(worst, loss(laws[x].get(y, 0), laws[z].get(y, 0)))
    return worst <= epsilon + 1e-9
""",
    "a table": """
def is_private(laws, epsilon):
    datasets = list(laws)
    outcomes = list({y for law in laws.values() for y in law})
    table = np.array([[laws[x].get(y, 0.0) for y in outcomes] for x in datasets])
    distance = np.array(
        [[sum(map(lambda a, b: a != b, x, z)) for z in datasets] for x in datasets]
    )
    kept = table[:, None] <= math.exp(epsilon) * table[None, :] * (1 + 1e-9)
    return bool(kept[distance == 1].all())
""",
}

EDITS = """
== is_private_survey
* all datasets compared | should be True, it is False
~ changed == 1 => True
* neighbours two apart | differ in one record
~ changed == 1 => changed in (1, 2)
* equality refused | should be True, it is False
~ a <= e * b * (1 + 1e-9) => a < e * b * (1 - 1e-12)
* no slack for rounding | should be True, it is False
~ 1 + 1e-9 => 1 - 1e-15
* the difference | should be False, it is True
~ a <= e * b * (1 + 1e-9) => abs(a - b) <= epsilon
* epsilon in the place of its exponential | should be True, it is False
~ e * b => epsilon * b
* always | should be False, it is True
+def is_private(laws, epsilon):
+    return True
* the answer as text | should be True or False, it is 'True'
~ return True => return "True"
* a slack of a part of epsilon | a millionth below it
~ (epsilon) => (epsilon * 1.0001)
* dplab's own | off limits
+def is_private(laws, epsilon):
+    from dplab.audit import exact_epsilon
+
+    class Stated(__import__("dplab").ExactMechanism):
+        neighbors = __import__("dplab").REPLACE_ONE
+
+        def distribution(self, x):
+            return Finite.of(laws[x])
+
+    universe = {record for x in laws for record in x}
+    return exact_epsilon(Stated(), universe, len(next(iter(laws)))).epsilon <= epsilon + 1e-9

== is_private_one_pair
* only the first record changes | All neighbours count
~ changed == 1 => changed == 1 and x[0] != z[0]
* from smaller to larger | in both directions
~ changed == 1 => changed == 1 and x < z
* from larger to smaller | in both directions
~ changed == 1 => changed == 1 and x > z
* judged by the first pair | should be False, it is True
+def is_private(laws, epsilon):
+    for x, z in product(laws, laws):
+        if sum(a != b for a, b in zip(x, z)) == 1:
+            return all(p <= math.exp(epsilon) * laws[z].get(y, 0) * (1 + 1e-9)
+                       for y, p in laws[x].items())
+    return True
* records are bits | records and outputs
+def is_private(laws, epsilon):
+    for x in laws:
+        for i in range(len(x)):
+            z = (*x[:i], 1 - x[i], *x[i + 1 :])
+            for y in laws[x]:
+                if laws[x][y] > math.exp(epsilon) * laws.get(z, laws[x]).get(y, 0) * (1 + 1e-9):
+                    return False
+    return True
* the event of the likeliest output | all outputs
+def is_private(laws, epsilon):
+    for x, z in product(laws, laws):
+        if sum(a != b for a, b in zip(x, z)) == 1:
+            y = max(laws[x], key=laws[x].get)
+            if laws[x][y] > math.exp(epsilon) * laws[z].get(y, 0) * (1 + 1e-9):
+                return False
+    return True
* a slack of a millionth | All neighbours count
~ 1e-9 => 1e-6
* nearly the same probability | All neighbours count
~ (1 + 1e-9) => (1 + 1e-9) or math.isclose(a, b, abs_tol=1e-8)
* no epsilon below 0.05 | All neighbours count
~ (epsilon) => (max(epsilon, 0.05))
* the first three records | of all people
~ changed == 1 => changed == 1 and x[3:] == z[3:]
* the five likeliest outputs | all people, records and outputs
~ set(laws[x]) | set(laws[z]): => sorted(laws[x], key=laws[x].get)[-5:]:
* against the first record alone | All neighbours count
-            if not (changed == 1):
+            if not (
+                changed == 1
+                and any(a != b and next(iter(laws))[0] in (a, b) for a, b in zip(x, z))
+            ):
* a slack of 5e-8 | All neighbours count
~ 1e-9 => 5e-8
* records by what they look like | should be False, it is True
~ changed == 1 => sum(str(a) != str(b) for a, b in zip(x, z)) == 1
* records that are not one object | should be False, it is True
~ changed == 1 => sum(a is not b for a, b in zip(x, z)) == 1

== is_private_impossible
* outputs that both can give | should be False, it is True
~ a <= e => a == 0 or b == 0 or a <= e
* a missing name | raised KeyError
~ [z].get(y, 0) => [z][y]
* division by zero | raised ZeroDivisionError
~ a <= e * b => a / b <= e
* a slack that is absolute | 10^-9 of nothing is nothing
~ (a <= e * b * (1 + 1e-9)) => (a <= e * b + 1e-9)
* together no more than 10^-9 too much | 10^-9 of nothing is nothing
+def is_private(laws, epsilon):
+    return all(
+        sum(max(0, p - math.exp(epsilon) * laws[z].get(y, 0)) for y, p in laws[x].items()) <= 1e-9
+        for x, z in product(laws, repeat=2)
+        if sum(a != b for a, b in zip(x, z)) == 1
+    )
* always for large epsilon | should be False, it is True
+    if epsilon >= 10:
+        return True
     e = math.exp(epsilon)
* the outputs of the first dataset | should be False, it is True
~ set(laws[x]) | set(laws[z]) => next(iter(laws.values()))
* what one law names is written into the other | changes what it was given
~2 get( => setdefault(

== is_private_one_pair
* a slack of 2e-9 | All neighbours count
~ 1e-9 => 2.5e-9
* at most three different records | All neighbours count
-    e = math.exp(epsilon)
+    e, kinds = math.exp(epsilon), sorted({record for x in laws for record in x}, key=str)[:3]
+    laws = {x: law for x, law in laws.items() if all(r in kinds for r in x) or len(x) < 4}
* the first person of four counts for all | All neighbours count
~ if not (changed == 1): => if not (changed == 1) or len(x) == 4 and x[3] != z[3]:

== is_private_impossible
* what is rarer than 1e-90 never happens | 10^-9 of nothing is nothing
~ laws[x].get(y, 0), laws[z].get(y, 0) => (laws[w].get(y, 0) for w in (x, z))
~ if not (a <= e * b * (1 + 1e-9)): => if a > 1.5e-90 and not (a <= e * b * (1 + 1e-9)):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
