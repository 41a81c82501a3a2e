"""Answers to `posterior`. The mistakes: half of Bayes' rule, the wrong person."""

from tests.assignments.edits import read_answers

RIGHT = {
    "two sums": """
def posterior(prior, laws, output, person):
    total = with_one = 0
    for x in prior:
        joint = prior[x] * laws[x].get(output, 0)
        total += joint
        if x[person] == 1:
            with_one += joint
    if total == 0:
        raise ValueError("this output can't happen")
    return with_one / total
""",
    "beliefs about datasets first": """
def posterior(prior, laws, output, person):
    joint = {x: p * laws[x].get(output, 0) for x, p in prior.items()}
    if not any(joint.values()):
        raise ValueError(f"{output!r} is impossible")
    beliefs = {x: p / sum(joint.values()) for x, p in joint.items()}
    return sum(belief for x, belief in beliefs.items() if x[person])
""",
    "odds": """
def posterior(prior, laws, output, person):
    weight = [0.0, 0.0]
    for x, law in laws.items():
        weight[x[person]] += prior.get(x, 0) * law.get(output, 0)
    if sum(weight) == 0:
        raise ValueError("impossible")
    return 1 / (1 + weight[0] / weight[1]) if weight[1] else 0.0
""",
    "arrays": """
def posterior(prior, laws, output, person):
    datasets = np.array(list(prior))
    weights = np.array([prior[x] * laws[x].get(output, 0) for x in prior])
    if weights.sum() == 0:
        raise ValueError("impossible")
    return np.average(datasets[:, person], weights=weights)
""",
}

EDITS = """
== posterior_alone
* the likelihood alone | should be 0.25, it is 0.75
~ = prior[x] * laws => = laws
* the prior alone | should be 0.75, it is 0.5
~ [x] * laws[x].get(output, 0) => [x]
* not divided | should be 0.75, it is 0.375
~ with_one / total => with_one
* the probability of 0 | should be 0.75, it is 0.25
~ return with_one => return 1 - with_one
* the odds | should be 0.75, it is 3
~ with_one / total => with_one / (total - with_one)
* the likelihood of the output | should be 0.25, it is 0.75
~ with_one / total => with_one / sum(prior[x] for x in prior if x[person] == 1)
* rounded to a verdict | should be 0.75, it is 1
~ with_one / total => round(with_one / total)
* outputs are answers | together with each dataset
~ [x].get(output, 0) => [x][output == 1]
* rounded to nine digits | However small they are
~ with_one / total => round(with_one / total, 9)
* an output without a name | raised ValueError
+    if not output:
+        raise ValueError("what output?")
     total = with_one = 0
* one more than nothing | However small they are
~ total == 0 => total == 0.0
~ with_one / total => with_one / (total + 1e-12)
* dplab's own | off limits
+def posterior(prior, laws, output, person):
+    from dplab.theorems.posterior import beliefs
+
+    class Stated(__import__("dplab").ExactMechanism):
+        neighbors = __import__("dplab").REPLACE_ONE
+
+        def distribution(self, x):
+            return Finite.of(laws[x])
+
+    found = beliefs(Stated(), Finite.of(prior), person=person, default=0)
+    if output not in found.outputs:
+        raise ValueError("impossible")
+    return found.posterior[found.values.index(1), found.outputs.index(output)]
* outputs by what they look like | A text is no number
~ laws[x].get(output, 0) => sum(p for y, p in laws[x].items() if str(y) == str(output))
* every dataset is written into the prior | changes what it was given
~ in prior => in laws
~ [x] * laws => .setdefault(x, 0) * laws

== posterior_independent
* always the first person | should be 0.619, it is 0.5
~ [person] => [0]
* counted from one | look at the right person
~ [person] => [person - 1]
* everybody has a 1 | should be 0.5, it is 0.2857
~ x[person] == 1 => all(x)
* anybody has a 1 | Sum over what the others' records may be
~ x[person] == 1 => any(x)
* the likeliest dataset | should be 0.5, it is
+def posterior(prior, laws, output, person):
+    joint = {x: prior[x] * laws[x].get(output, 0) for x in prior}
+    if sum(joint.values()) == 0:
+        raise ValueError("impossible")
+    if len(prior) == 2 and len(next(iter(prior))) == 1:
+        return joint.get((1,), 0) / sum(joint.values())
+    return max(joint, key=joint.get)[person]
* an even prior over what it names | should be 0.5, it is 0.6923
~ = prior[x] * laws[x].get(output, 0) => = laws[x].get(output, 0) * (prior[x] if len(x) < 2 else 1)
* four people at most | look at the right person
~ [person] => [min(person, 3)]
* the last for the first | look at the right person
~ [person] => [person - (len(x) > 3)]

== posterior_correlated
* people taken for strangers | should be 0.9, it is 0.75
+def posterior(prior, laws, output, person):
+    n = len(next(iter(laws)))
+    shares = [sum(p for x, p in prior.items() if x[i] == 1) for i in range(n)]
+    weight = [0.0, 0.0]
+    for x in laws:
+        chance = math.prod(s if bit else 1 - s for s, bit in zip(shares, x))
+        weight[x[person]] += chance * laws[x].get(output, 0)
+    if sum(weight) == 0:
+        raise ValueError("impossible")
+    return weight[1] / sum(weight)
* datasets that the prior leaves out | raised KeyError
~ in prior => in laws
* a prior on all datasets | people in it may go together
+    prior = prior if len(prior) < 5 else dict.fromkeys(laws, 1)
     total = with_one = 0

== posterior_impossible
* division by zero | should raise ValueError, it raised ZeroDivisionError
~ total == 0 => False
* zero for what can't happen | should raise ValueError, it is 0.0
-        raise ValueError("this output can't happen")
+        return 0.0
* back to the prior | should raise ValueError
-        raise ValueError("this output can't happen")
+        return sum(p for x, p in prior.items() if x[person] == 1)
* the unlikely refused | raised ValueError
~ total == 0 => total < 0.01
* the very unlikely refused | However unlikely an output is
~ total == 0 => total < 1e-12
* rare datasets left out | However unlikely an output is
~ joint = prior => joint = (prior[x] > 1e-5) * prior
* rare outputs are impossible | However unlikely an output is
+        joint *= joint > 1e-8
         total += joint
* outputs that all laws name | raised ValueError
+    if not all(output in law for law in laws.values()):
+        raise ValueError
     total = with_one = 0
~ [x].get(output, 0) => [x][output]

== posterior_impossible
* what is rarer than 1e-85 can't happen | However unlikely an output is
~ if total == 0: => if total < 1e-85:
* an output that no law names | has probability 0 under this prior
-    if total == 0:
-        raise ValueError("this output can't happen")
-    return with_one / total
+    if not any(output in law for law in laws.values()):
+        raise ValueError("this output can't happen")
+    return with_one / total if total else 0.0

== posterior_alone
* rounded to seven digits | However small they are
~ with_one / total => round(with_one / total, 7)

== posterior_correlated
* sums of 32 bits | people in it may go together
~ with_one / total => float(np.float32(with_one) / np.float32(total))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
