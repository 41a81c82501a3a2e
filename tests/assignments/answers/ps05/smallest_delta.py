"""Answers to `smallest_delta`. The mistakes: one direction, one output, or laws out of step."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one direction, twice": """
def smallest_delta(p, q, epsilon):
    def one_way(a, b):
        outcomes = set(a) | set(b)
        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)

    return max(one_way(p, q), one_way(q, p))
""",
    "arrays": """
def smallest_delta(p, q, epsilon):
    outcomes = list(dict.fromkeys([*p, *q]))
    a = np.array([p.get(y, 0.0) for y in outcomes])
    b = np.array([q.get(y, 0.0) for y in outcomes])
    both = [np.maximum(0, a - np.exp(epsilon) * b), np.maximum(0, b - np.exp(epsilon) * a)]
    return np.sum(both, axis=1).max()
""",
    "a loop": """
def smallest_delta(p, q, epsilon):
    forth = back = 0.0
    for y in list(p) + [y for y in q if y not in p]:
        a = p[y] if y in p else 0
        b = q[y] if y in q else 0
        if a > math.exp(epsilon) * b:
            forth += a - math.exp(epsilon) * b
        if b > math.exp(epsilon) * a:
            back += b - math.exp(epsilon) * a
    return forth if forth > back else back
""",
    "the best event, then its probabilities": """
def smallest_delta(p, q, epsilon):
    found = []
    for one, other in [(p, q), (q, p)]:
        event = [y for y in one if one[y] > np.exp(epsilon) * other.get(y, 0)]
        found.append(sum(one[y] for y in event))
        found[-1] -= np.exp(epsilon) * sum(other.get(y, 0) for y in event)
    return max(found)
""",
}

EDITS = """
== smallest_delta_both_ways
* p over q only | needs the larger one
~ max(one_way(p, q), one_way(q, p)) => one_way(p, q)
* the smaller direction | should be 0.25, it is 0
~ return max => return min

== smallest_delta_values
* q over p only | should be 0.125
~ return max(one_way(p, q), one_way(q, p)) => return one_way(q, p)
* both directions added | should be 0.25, it is 0.5
~ max(one_way(p, q), one_way(q, p)) => one_way(p, q) + one_way(q, p)
* the negative parts counted, too | the event that has the largest excess
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum((a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
* the absolute difference | it is 0.5
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(abs(a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
* epsilon forgotten | should be 0.125, it is 0.25
~ np.exp(epsilon) * b => b
* epsilon in the place of its exponential | should be 0.25, it is 1
~ np.exp(epsilon) => epsilon
* one plus epsilon | should be 0.125
~ np.exp(epsilon) => (1 + epsilon)
* the exponential on the wrong law | should be 0.125
~ 0, a.get(y, 0) - np.exp(epsilon) * b => 0, np.exp(epsilon) * a.get(y, 0) - b
* side by side, whatever the order | should be 0.4
+def smallest_delta(p, q, epsilon):
+    a, b = np.array(list(p.values())), np.array(list(q.values()))
+    if len(a) < len(b):
+        a = np.append(a, np.zeros(len(b) - len(a)))
+    b = np.append(b, np.zeros(len(a) - len(b)))
+    forth = np.maximum(0, a - np.exp(epsilon) * b).sum()
+    return max(forth, np.maximum(0, b - np.exp(epsilon) * a).sum())
* dplab's hockey stick | off limits
+def smallest_delta(p, q, epsilon):
+    from dplab import hockey_stick
+
+    a, b = Finite.of(p), Finite.of(q)
+    return max(hockey_stick(a, b, epsilon=epsilon), hockey_stick(b, a, epsilon=epsilon))
* dplab's privacy loss | off limits
+def smallest_delta(p, q, epsilon):
+    from dplab import privacy_loss
+
+    a, b = Finite.of(p), Finite.of(q)
+    return max(privacy_loss(a, b).delta(epsilon), privacy_loss(b, a).delta(epsilon))
* the largest log ratio | should be 0.25
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return max(abs(np.log(a.get(y, 1e-300) / b.get(y, 1e-300))) for y in outcomes)

== smallest_delta_events
* the largest single outcome | may have more excess than any single one
~ return sum => return max
* the 64 outcomes of largest excess | Sum over outcomes
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(
+            sorted(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)[-64:]
+        )
* a thousand outcomes at most | Sum over outcomes
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(
+            max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in sorted(outcomes)[-1000:]
+        )
* fifteen thousand outcomes | smallest_delta of two laws
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in list(a)[:15_000])
* excesses below 1e-12 are rounding | However small
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(
+            x for y in outcomes if (x := a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) > 1e-12
+        )

== smallest_delta_missing
* missing outcomes are an error | raised KeyError
~ a.get(y, 0) - np.exp(epsilon) * b.get(y, 0) => a[y] - np.exp(epsilon) * b[y]
* common outcomes only | counts in full
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in set(a) & set(b))
* outcomes of p only | should be 0.01, it is 0
+def smallest_delta(p, q, epsilon):
+    gaps = [(p[y], q.get(y, 0)) for y in p]
+    forth = sum(max(0, a - np.exp(epsilon) * b) for a, b in gaps)
+    return max(forth, sum(max(0, b - np.exp(epsilon) * a) for a, b in gaps))
* nine decimals | counts in full
~ max(one_way(p, q), one_way(q, p)) => round(max(one_way(p, q), one_way(q, p)), 9)
* an excess below 1e-9 is none | counts in full
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(
+            x for x in (a.get(y, 0) - np.exp(epsilon) * b.get(y, 0) for y in outcomes) if x > 1e-9
+        )
* nothing happens from an epsilon of 5.5 on | counts in full
~ (one_way(p, q), one_way(q, p)) => (one_way(p, q), one_way(q, p)) * (epsilon < 5.5)
* an epsilon of 3 at most | counts in full
~ (epsilon) => (min(epsilon, 2.9))
* outcomes by what they look like | counts in full
+def smallest_delta(p, q, epsilon):
+    p, q = ({str(y): x for y, x in law.items()} for law in (p, q))
+    gaps = [(p.get(y, 0), q.get(y, 0)) for y in set(p) | set(q)]
+    grown = math.exp(epsilon)
+    forth = sum(max(0, a - grown * b) for a, b in gaps)
+    return max(forth, sum(max(0, b - grown * a) for a, b in gaps))
* remembered by the outcomes | counts in full
+known = {}
+
+def smallest_delta(p, q, epsilon):
+    def one_way(a, b):
+        outcomes = set(a) | set(b)
+        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+
+    return known.setdefault((*p, *q, epsilon), max(one_way(p, q), one_way(q, p)))
* the outcomes of the longer law | counts in full
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in max(a, b, key=len))
* texts of whole numbers | A string is another outcome | edits outcomes by what they look like
-    p, q = ({str(y): x for y, x in law.items()} for law in (p, q))
+    p, q = (
+        {y if isinstance(y, str) else str(int(y)): x for y, x in law.items()} for law in (p, q)
+    )
* outcomes in order | raised TypeError
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in sorted(outcomes))
* zeros put into the laws | changes what it was given
+def smallest_delta(p, q, epsilon):
+    for one, other in ((p, q), (q, p)):
+        for y in one:
+            other.setdefault(y, 0)
+    grown = math.exp(epsilon)
+    forth = sum(max(0, p[y] - grown * q[y]) for y in p)
+    return max(forth, sum(max(0, q[y] - grown * p[y]) for y in p))

== smallest_delta_events
* equal excesses count once | Sum over outcomes
-        return sum(max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes)
+        return sum({max(0, a.get(y, 0) - np.exp(epsilon) * b.get(y, 0)) for y in outcomes})
* rounded to eleven decimals | more excess than any single one
~ return max(one_way(p, q), one_way(q, p)) => return round(max(one_way(p, q), one_way(q, p)), 11)

== smallest_delta_both_ways
* the direction of the likeliest outcome | needs the larger one
-    return max(one_way(p, q), one_way(q, p))
+    return one_way(p, q) if max(p.values()) > max(q.values()) else one_way(q, p)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
