"""Answers to `private_pac` and `people_needed`. The mistakes: the 2, small numbers, rounding."""

from tests.assignments.edits import read_answers

RIGHT = {
    "least errors taken off": """
def private_pac(table, points, labels, epsilon):
    said = np.array(table)[:, np.array(points, dtype=int)]
    errors = (said != np.array(labels)).sum(axis=1)
    logs = -epsilon / 2 * (errors - errors.min())
    weights = np.exp(logs)
    return weights / weights.sum()


def people_needed(others, epsilon, success):
    n = 4 / epsilon * math.log(others * success / (1 - success))
    return 2 * max(1, math.ceil(n / 2))
""",
    "hypothesis by hypothesis": """
def private_pac(table, points, labels, epsilon):
    errors = []
    for row in table:
        errors.append(sum(int(row[x] != y) for x, y in zip(points, labels)))
    weights = [math.exp(-epsilon * (one - min(errors)) / 2) for one in errors]
    return [weight / math.fsum(weights) for weight in weights]


def people_needed(others, epsilon, success):
    def chance(half):
        return 1 / (1 + others * math.exp(-epsilon * half / 2))

    low, high = 0, 1
    while chance(high) < success:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= success else (middle, high)
    return 2 * high
""",
    "correct answers counted": """
def private_pac(table, points, labels, epsilon):
    said = np.array(table)[:, np.array(points, dtype=int)]
    errors = -(said == np.array(labels)).sum(axis=1)
    logs = -epsilon / 2 * (errors - errors.min())
    weights = np.exp(logs)
    return weights / weights.sum()


def people_needed(others, epsilon, success):
    odds = math.log(others) + math.log(success) - math.log1p(-success)
    return max(2, 2 * math.ceil(2 * odds / epsilon))
""",
}

EDITS = """
== right
* logarithms
~ (errors - errors.min()) => errors.astype(float)
~ np.exp => logs - np.logaddexp.reduce
~ weights / weights.sum() => np.exp(weights)

== private_pac_law
* without the 2 | Count each hypothesis' errors
~ epsilon / 2 => epsilon
* the share of errors | Count each hypothesis' errors
~ (errors - errors.min()) => (errors - errors.min()) / max(1, len(labels))
* the worst one | Count each hypothesis' errors
~ -epsilon / 2 * (errors - errors.min()) => epsilon / 2 * (errors - errors.max())
* not divided | Count each hypothesis' errors
~ weights / weights.sum() => weights
* people at a point count once | Count each hypothesis' errors
~ array(points, dtype=int) => unique(np.array(points, dtype=int))
~ (labels) => ([dict(zip(points, labels))[x] for x in np.unique(np.array(points, dtype=int))])
* columns are people | Count each hypothesis' errors
~ array(points, dtype=int) => arange(len(points)) % len(table[0])
* a small number everywhere | the small ones too
~ exp(logs) => exp(logs) + 1e-12
* rounded | the small ones too
~ weights / weights.sum() => np.round(weights / weights.sum(), 10)
* nothing below 1e-100 | the small ones too
~ exp(logs) => where(logs > -230, np.exp(logs), 0)
* lists alone | raised ValueError
+    if not points:
+        points = []
     said = np.array(table)[:, np.array(points, dtype=int)]
* ten errors at most | the small ones too
~ (said != np.array(labels)).sum(axis=1) => np.minimum((said != np.array(labels)).sum(axis=1), 10)
* dplab's learner | off limits
+def private_pac(table, points, labels, epsilon):
+    from dplab.learning import private_learner
+
+    learner = private_learner(np.array(table, dtype=bool), epsilon)
+    return learner.distribution(list(zip(points, labels))).probabilities
+
+def people_needed(others, epsilon, success):
+    n = 4 / epsilon * math.log(others * success / (1 - success))
+    return 2 * max(1, math.ceil(n / 2))

== private_pac_private
* without the 2, privately | the largest |log-ratio|
~ epsilon / 2 => epsilon
* twice the noise | the largest |log-ratio|
~ epsilon / 2 => epsilon / 4
* the best one, for sure | Is every hypothesis
~ np.exp(logs) => (errors == errors.min()).astype(float)
* too small for a float | Many people, few errors
~ (errors - errors.min()) => errors
* too large for a float | Is all finite?
~ -epsilon / 2 * (errors - errors.min()) => epsilon / 2 * (errors.max() - errors)
* all people but the ten-thousandth | Everybody counts
~ .sum(axis=1) => [:, :9999].sum(axis=1)
* epsilon of ten at most | log-ratio
~ epsilon / 2 => min(epsilon, 10) / 2

== private_pac_people
* one half too few | must reach `success`
~ 4 / epsilon => 2 / epsilon
* a chance of 0.02 at least | must reach `success`
+    success = max(success, 0.02)
     n = 4 / epsilon * math.log(others * success / (1 - success))
* an epsilon of 49 at most | must reach `success`
~ 4 / epsilon => 4 / min(epsilon, 49)
* odd numbers | must reach `success`
~ 2 * max(1, math.ceil(n / 2)) => max(2, math.ceil(n))
* rounded down | must reach `success`
~ ceil(n / 2) => floor(n / 2)
* a union bound | must reach `success`
~ * success / => /
* nobody | at least 2
~ 1, math => 0, math
* ten thousand at most | must reach `success`
~ return 2 * max(1, math.ceil(n / 2)) => return min(10**4, 2 * max(1, math.ceil(n / 2)))

== private_pac_private
* errors in two bytes | Is all finite?
~ sum(axis=1) => sum(axis=1, dtype=np.int16)
~ -epsilon / 2 * (errors - errors.min()) => -epsilon * (errors - errors.min()) / 2
* a whole epsilon halved to a whole number | Is half of epsilon exact?
~ -epsilon / 2 => -(epsilon / 2 if isinstance(epsilon, float) else epsilon // 2)

== private_pac_law
* equal rows share a probability | Nobody errs
-    return weights / weights.sum()
+    _, same, many = np.unique(np.array(table), axis=0, return_inverse=True, return_counts=True)
+    weights = weights / many[same.ravel()]
+    return weights / weights.sum()
* the last of fifty columns is the first | the small ones too
~ np.array(points, dtype=int)] => np.array(points, dtype=int) % 49]
* single precision | the small ones too
~ weights = np.exp(logs) => weights = np.exp(logs.astype(np.float32)).astype(float)

== private_pac_people
* 150,000 at most | must reach `success`
~ return 2 * max(1, math.ceil(n / 2)) => return min(150_000, 2 * max(1, math.ceil(n / 2)))
* a success of 0.9999 at most | must reach `success`
-    n = 4 / epsilon * math.log(others * success / (1 - success))
+    success = min(success, 0.9999)
+    n = 4 / epsilon * math.log(others * success / (1 - success))
* an epsilon of 0.002 at least | must reach `success`
~ 4 / epsilon => 4 / max(epsilon, 0.002)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
