"""Answers to `group_epsilon` and `tight_chain`. The mistakes: delta's growth, and loose chains."""

from tests.assignments.edits import read_answers

RIGHT = {
    "an alarm": """
def group_epsilon(epsilon, delta, k):
    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))


def tight_chain(epsilon, k):
    first = math.exp(-k * epsilon) / 2
    alarms = [first * math.exp(j * epsilon) for j in range(k + 1)]
    return [[alarm, 1 - alarm] for alarm in alarms]
""",
    "the chain followed, and k answers to a survey": """
def group_epsilon(epsilon, delta, k):
    total = 0
    for _ in range(k):
        total = total * math.exp(epsilon) + delta
    return [epsilon * k, total]


def tight_chain(epsilon, k):
    truth = 1 / (1 + math.exp(-epsilon))
    table = []
    for j in range(k + 1):
        truths = [1] * j + [0] * (k - j)
        table.append([
            math.prod(truth if x == y else 1 - truth for x, y in zip(truths, answers))
            for answers in product([0, 1], repeat=k)
        ])
    return table
""",
    "a closed form, and a count with noise": """
def group_epsilon(epsilon, delta, k):
    grown = k if epsilon == 0 else math.expm1(k * epsilon) / math.expm1(epsilon)
    return (k * epsilon, delta * grown)


def tight_chain(epsilon, k):
    counts = np.arange(k + 1)
    table = np.exp(-epsilon * np.abs(counts - counts[:, None]))
    table[:, 1:-1] *= (1 - np.exp(-epsilon)) / (1 + np.exp(-epsilon))
    table[:, [0, -1]] /= 1 + np.exp(-epsilon)
    return table
""",
    "arrays": """
def group_epsilon(epsilon, delta, k):
    return np.array([k * epsilon, delta * np.exp(epsilon * np.arange(k)).sum()])


def tight_chain(epsilon, k):
    quiet = 0.5 * np.exp(-epsilon * np.arange(k + 1))
    return np.column_stack([quiet, np.zeros(k + 1), 1 - quiet])
""",
}

EDITS = """
== group_epsilon_pure
* one epsilon for all | should be [1.5, 0], it is [0.5, 0]
~ return k * => return
* epsilon to the power k | it is [0.125, 0]
~ k * epsilon, => epsilon ** k,
* the factor in the place of epsilon | should be [1.5, 0], it is [4.482, 0]
~ k * epsilon, => math.exp(k * epsilon),
* the square root of k | Each of the k steps multiplies
~ return k => return math.sqrt(k)
* epsilon alone | should be an array of shape (2,)
~ , delta * sum(math.exp(epsilon) ** j for j in range(k)) =>
* an epsilon of 3 at most | Each of the k steps multiplies
~ k * epsilon, => k * min(epsilon, 3),
* fifty people at most | Each of the k steps multiplies
~ return k => return min(k, 50)
* an epsilon in hundredths | Each of the k steps multiplies
~ k * epsilon, => k * round(epsilon, 2),
* dplab's own | off limits
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    return (lambda group: (group.epsilon, group.delta))(
+        __import__("dplab").ApproxDP(epsilon, delta).group(k)
+    )

== group_epsilon_delta
* delta unchanged | should be [2, 0.003718], it is [2, 0.001]
~ delta * sum(math.exp(epsilon) ** j for j in range(k)) => delta
* k deltas | should be [2, 0.003718], it is [2, 0.002]
~ delta * sum(math.exp(epsilon) ** j for j in range(k)) => k * delta
* the simpler formula | should be [2, 0.003718], it is [2, 0.005437]
~ delta * sum(math.exp(epsilon) ** j for j in range(k)) => k * math.exp((k - 1) * epsilon) * delta
* the last step alone | should be [2, 0.003718], it is [2, 0.002718]
~ delta * sum(math.exp(epsilon) ** j for j in range(k)) => math.exp((k - 1) * epsilon) * delta
* one step too many | the delta of an early step
~ range(k) => range(k + 1)
* steps from one | the delta of an early step
~ range(k) => range(1, k + 1)
* cut off at 1 | the delta of an early step
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    return k * epsilon, min(1, delta * sum(math.exp(j * epsilon) for j in range(k)))
* the closed form at epsilon 0 | Follow the chain
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    return k * epsilon, delta * math.expm1(k * epsilon) / math.expm1(epsilon) if delta else 0.0
* the simpler formula for large groups | the delta of an early step
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    return k * epsilon, delta * (
+        k * math.exp((k - 1) * epsilon) if k > 20 else sum(math.exp(j * epsilon) for j in range(k))
+    )
* tiny deltas forgotten | the delta of an early step
~ k * epsilon, => k * epsilon, (delta > 1e-12) *
* the group's delta in twelve digits | the delta of an early step
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    return k * epsilon, round(delta * sum(math.exp(epsilon) ** j for j in range(k)), 12)
* small epsilons forgotten | the delta of an early step
~ (epsilon) => (epsilon * (epsilon > 0.005))

== group_epsilon_tight
* k rows | the number of rows of tight_chain(1.000, 2) should be 3, it is 2
~ k + 1 => k
* one row | the number of dimensions
+def group_epsilon(epsilon, delta, k):
+    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+
+
+def tight_chain(epsilon, k):
+    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]
* rows that don't sum to one | the sum of each row | edits one row
-    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]
+    return [[math.exp(j * epsilon), 1] for j in range(k + 1)]
* a negative probability | has no negative entry | edits one row
-    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]
+    p = [0.9 * math.exp(j * epsilon) for j in range(k + 1)]
+    return [[one, 1 - one] for one in p]
* too sure at the end | of two neighbours in tight_chain(1.000, 2)
~ (-k * epsilon) / 2 => (-k * epsilon) * 0.99
* back and forth | between the ends of tight_chain(1.000, 2) should be 2, it is 0 | edits one row
-    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]
+    p = 1 / (1 + math.exp(epsilon))
+    return [[p, 1 - p] if j % 2 else [1 - p, p] for j in range(k + 1)]
* a normalised count | of two neighbours in tight_chain(1.000, 2) should be 1, it is | edits one row
-    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]
+    counts = np.arange(k + 1)
+    table = np.exp(-epsilon * np.abs(counts - counts[:, None]))
+    return table / table.sum(axis=1, keepdims=True)
* epsilon for all of them | between the ends of tight_chain(1.000, 2) should be 2, it is 1
~ j * epsilon => j * epsilon / k
* an alarm that is too sure for small epsilon | a factor of e^epsilon at most
~ (-k * epsilon) / 2 => (-k * epsilon) * 0.6
* loose for four and more | all steps the same way
~ j * epsilon => min(j, 3) * epsilon
* loose for large epsilon | all steps the same way
+    epsilon = min(epsilon, 2)
     first = math.exp(-k * epsilon) / 2
* loose for small epsilon | all steps the same way
+    epsilon = epsilon * (epsilon > 0.02)
     first = math.exp(-k * epsilon) / 2
* rounded to six digits | between the ends of tight_chain(1.000, 2)
~ alarm, 1 - alarm => round(alarm, 6), 1 - round(alarm, 6)

== group_epsilon_delta
* ninety-nine people at most | the delta of an early step
~ for j in range(k)) => for j in range(min(k, 99)))
* no delta below 2e-15 | the delta of an early step
~ delta * sum( => (delta if delta > 2e-15 else 0.0) * sum(
* powers of 32 bits | the delta of an early step
-    return k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))
+    powers = [np.float32(math.exp(min(j * epsilon, 80))) for j in range(k)]
+    return k * epsilon, delta * float(sum(powers))

== group_epsilon_tight
* rows of 32 bits | the sum of each row
-    return [[alarm, 1 - alarm] for alarm in alarms]
+    return np.float32([[alarm, 1 - alarm] for alarm in alarms])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
