"""Answers to `max_log_ratio`. The mistakes: one direction, one dict, what zeros say."""

from tests.assignments.edits import read_answers

RIGHT = {
    "case by case": """
def max_log_ratio(p, q):
    largest = 0.0
    for y in set(p) | set(q):
        a, b = p.get(y, 0), q.get(y, 0)
        if a == 0 and b == 0:
            continue
        if a == 0 or b == 0:
            return math.inf
        largest = max(largest, abs(math.log(a / b)))
    return largest
""",
    "supports first": """
def max_log_ratio(p, q):
    p = {y: probability for y, probability in p.items() if probability > 0}
    q = {y: probability for y, probability in q.items() if probability > 0}
    if p.keys() != q.keys():
        return math.inf
    return max(abs(math.log(p[y]) - math.log(q[y])) for y in p)
""",
    "arrays": """
def max_log_ratio(p, q):
    names = list({**p, **q})
    a = np.array([p.get(y, 0.0) for y in names])
    b = np.array([q.get(y, 0.0) for y in names])
    possible = (a > 0) | (b > 0)
    with np.errstate(divide="ignore"):
        return np.abs(np.log(a[possible]) - np.log(b[possible])).max()
""",
    "the larger ratio": """
def max_log_ratio(p, q):
    worst = 1
    for y in {*p, *q}:
        low, high = sorted([p.get(y, 0), q.get(y, 0)])
        if high > 0:
            worst = max(worst, high / low if low > 0 else float("inf"))
    return math.log(worst)
""",
}

EDITS = """
== max_log_ratio_values
* one direction only | should be 0.6931, it is 0.1823
~ (largest, abs(math.log(a / b))) => (largest, math.log(a / b))
* no logarithm | should be 1.099, it is 3
~ (largest, abs(math.log(a / b))) => (largest, a / b, b / a)
* another base | it is 1.585
~ log(a / b) => log2(a / b)
* the largest difference | should be 1.099, it is 0.5
+def max_log_ratio(p, q):
+    largest = 0.0
+    for y in set(p) | set(q):
+        a, b = p.get(y, 0), q.get(y, 0)
+        largest = max(largest, abs(a - b))
+    return largest
* all outcomes together | it is 2.197
~ = max(largest, abs(math.log(a / b))) => += abs(math.log(a / b))
* on average | should be 1.099, it is 0.5493
~ = max(largest, abs(math.log(a / b))) => += a * math.log(a / b)
* in the order of the dicts | should be 1.099, it is 0
+def max_log_ratio(p, q):
+    return max(abs(math.log(a / b)) for a, b in zip(p.values(), q.values()))
* the smallest | should be 0.6931, it is 0
~ largest = 0.0 => ratios = []
~ largest = max(largest, abs(math.log(a / b))) => ratios.append(abs(math.log(a / b)))
~ return largest => return min(ratios)
* what is rare taken for impossible | however rare it is
+        a, b = (c if c > 1e-9 else 0 for c in (a, b))
         if a == 0 and b == 0:
* nearly equal taken for equal | however rare it is
+        if math.isclose(a, b, abs_tol=1e-6):
+            continue
         if a == 0 and b == 0:
* ten at most | however rare it is
~ return largest => return min(largest, 10.0)
* the first hundred outcomes | Every outcome counts
~ set(p) | set(q): => list({**p, **q})[:100]:
* in alphabetical order | whatever its name
~ set(p) | set(q) => sorted(set(p) | set(q))
* rounded to six digits | should be 1.09861229
~ return largest => return round(largest, 6)
* dplab's own | off limits
+def max_log_ratio(p, q):
+    import dplab
+
+    return dplab.largest_log_ratio(Finite.of(p), Finite.of(q))
* what one law names is written into the other | changes what it was given
~ set(p) | set => list(p) + list
~ get(y, 0), q.get => setdefault(y, 0), q.setdefault

== max_log_ratio_impossible
* what both can give | should be inf, it is 0.2877 | edits the largest difference
~ | set(q) => & set(q)
~ (largest, abs(a - b)) => (largest, abs(math.log(a / b)))
* zeros skipped | should be inf, it is 0.2877 | edits the largest difference
-        largest = max(largest, abs(a - b))
+        if a > 0 and b > 0:
+            largest = max(largest, abs(math.log(a / b)))
* the outcomes of p | One look at the outcome
~ set(p) | set(q) => p
* a missing name | raised KeyError
+def max_log_ratio(p, q):
+    return max(abs(math.log(p[y] / q[y])) for y in p)
* a large number for infinity | should be inf, it is 26. | edits the largest difference
~ (largest, abs(a - b)) => (largest, abs(math.log((a + 1e-12) / (b + 1e-12))))
* nothing where there is none | is None
~ math.inf => None
* division by zero | raised ZeroDivisionError
-        if a == 0 and b == 0:
-            continue
-        if a == 0 or b == 0:
-            return math.inf
* impossible and rare alike | However rare it is
+        if abs(a - b) < 1e-12:
+            continue
         if a == 0 and b == 0:

== max_log_ratio_silent
* zero against zero is infinite | should be 0.6931, it is inf
-        if a == 0 and b == 0:
-            continue
* names compared | What has probability 0 under both laws never happens
+def max_log_ratio(p, q):
+    if set(p) != set(q) or 0 in [*p.values(), *q.values()]:
+        return math.inf
+    return max(abs(math.log(p[y] / q[y])) for y in p)
* outcomes by their text | Names that are equal
+    p, q = ({str(y): chance for y, chance in law.items()} for law in (p, q))
     largest = 0.0
* outcomes by their type too | Names that are equal
+    p, q = ({(type(y), y): chance for y, chance in law.items()} for law in (p, q))
     largest = 0.0
* nothing is no outcome | should be 0.6931, it is 0.4055
~ in set(p) | set(q) => in filter(None, set(p) | set(q))

== max_log_ratio_values
* 299 outcomes | Every outcome counts
~ in set(p) | set(q): => in list(dict.fromkeys([*p, *q]))[:299]:
* what is rarer than 1e-95 is impossible | however rare it is
~ p.get(y, 0), q.get(y, 0) => (law.get(y, 0) * (law.get(y, 0) > 1e-95) for law in (p, q))
* rounded to seven digits | should be 0.693147181
~ return largest => return round(largest, 7)

== max_log_ratio_silent
* laws with as many outcomes as there are names | never happens
-    for y in set(p) | set(q):
+    if len(p) != len(q):
+        return math.inf
+    for y in set(p) | set(q):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
