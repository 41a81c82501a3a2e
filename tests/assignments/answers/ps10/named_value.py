"""Answers to `named_value`, `least_crowd`, `most_success`. The mistakes: one side, ties, size."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one candidate, then all heights": """
def named_value(heights):
    heights = np.array(heights, dtype=float)
    if not (heights > 0.5).any():
        return -1
    v = int(np.argmax(heights > 0.5))
    before, after = heights[:v], heights[v:]
    if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all():
        if (after > 0.5).all():
            return v
    return -1


def least_crowd(values, epsilon, success):
    logarithm = math.log(values) + math.log(success)
    return max(0.0, logarithm) / epsilon


def most_success(values, epsilon, people, crowd):
    logarithm = epsilon * crowd - math.log(values)
    return math.exp(logarithm) if logarithm < 0 else 1.0
""",
    "fractions, and digits": """
def named_value(heights):
    from fractions import Fraction

    half, steps = Fraction(1, 2), []
    for height in heights:
        height = Fraction(float(height))
        if -half < height < half:
            steps.append(0)
        elif half < height < 3 * half:
            steps.append(1)
        else:
            return -1
    return len(steps) - sum(steps) if steps == sorted(steps) and steps[-1] else -1


def least_crowd(values, epsilon, success):
    # log10 of a whole number of any size
    digits = math.log10(int(values)) + math.log10(success)
    return digits * math.log(10) / epsilon if digits > 0 else 0


def most_success(values, epsilon, people, crowd):
    if epsilon * crowd >= math.log(values):
        return 1
    return math.exp(epsilon * crowd) / int(values)
""",
    "from the end": """
def named_value(heights):
    heights = [float(height) for height in heights]
    v = len(heights)
    while v > 0 and abs(heights[v - 1] - 1) < 0.5:
        v -= 1
    named = v < len(heights) and all(abs(height) < 0.5 for height in heights[:v])
    return v if named else -1


def least_crowd(values, epsilon, success):
    product = float(values) * success
    return np.log(product) / epsilon if product > 1 else 0.0


def most_success(values, epsilon, people, crowd):
    return np.exp(np.minimum(0.0, epsilon * float(crowd) - np.log(float(values))))
""",
}

EDITS = """
== right
* all distances at once
-    if not (heights > 0.5).any():
-        return -1
-    v = int(np.argmax(heights > 0.5))
-    before, after = heights[:v], heights[v:]
-    if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all():
-        if (after > 0.5).all():
-            return v
-    return -1
+    far = [np.abs(heights - np.r_[np.zeros(v), np.ones(heights.size - v)]).max()
+           for v in range(heights.size)]
+    return int(np.argmin(far)) if min(far) < 1 / 2 else -1

== named_value_near
* the place where it passes one half | on both sides
~ if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all(): => if True:
~ if (after > 0.5).all(): => if True:
* one half is near enough above | on both sides
~ (before < 0.5) => (before <= 0.5)
~2 heights > 0.5 => heights >= 0.5
~ (after > 0.5) => (after >= 0.5)
* one half is near enough below 0 | on both sides
~ before > -0.5 => before >= -0.5
* one half is near enough above 1 | on both sides
~ after < 1.5 => after <= 1.5
* less than 0 is near 0 | on both sides
~ (before > -0.5).all() and => True and
* more than 1 is near 1 | on both sides
~ and (after < 1.5).all(): => :
* an increasing function is expected | on both sides
~ if (after > 0.5).all(): => if True:
* the number of heights below one half | on both sides
~ v = int(np.argmax(heights > 0.5)) => v = int((heights < 0.5).sum())
~ if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all(): => if True:
~ if (after > 0.5).all(): => if True:
* values from 1 | on both sides
~ return v => return v + 1
* the nearest value, however far | on both sides
-    if not (heights > 0.5).any():
-        return -1
-    v = int(np.argmax(heights > 0.5))
-    before, after = heights[:v], heights[v:]
-    if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all():
-        if (after > 0.5).all():
-            return v
-    return -1
+    far = [np.abs(heights - (np.arange(len(heights)) >= v)).max() for v in range(len(heights))]
+    return int(np.argmin(far))
* near on average | on both sides
-    if not (heights > 0.5).any():
-        return -1
-    v = int(np.argmax(heights > 0.5))
-    before, after = heights[:v], heights[v:]
-    if (before > -0.5).all() and (before < 0.5).all() and (after < 1.5).all():
-        if (after > 0.5).all():
-            return v
-    return -1
+    far = [np.abs(heights - (np.arange(len(heights)) >= v)).mean() for v in range(len(heights))]
+    return int(np.argmin(far)) if min(far) < 0.5 else -1
* the last value is never named | on both sides
~ return v => return v if v < len(heights) - 1 else -1
* nothing for a single value | on both sides
~ if not (heights > 0.5).any(): => if len(heights) == 1 or not (heights > 0.5).any():
* no step, no value | on both sides
~ return v => return v if v else -1
* the first thousand heights | on both sides
~ heights = np.array(heights, dtype=float) => heights = np.array(heights, dtype=float)[:1000]
* equal up to rounding | on both sides
~ (before < 0.5) => (before < 0.5 - 1e-12)
* single precision | on both sides
~ dtype=float => dtype=np.float32
* clipped where they are | changes what it was given
+    seen = heights
     heights = np.array(heights, dtype=float)
+    seen[0] = 0
* arrays alone | raised AttributeError
~ np.array(heights, dtype=float) => heights.astype(float)

== named_value_crowd
* without the probability | at least and at most
~ math.log(values) + math.log(success) => math.log(values)
* the probability of failure | at least and at most
~ math.log(success) => math.log(1 - success + 1e-300)
* divided by the probability | at least and at most
~ math.log(values) + math.log(success) => math.log(values) - math.log(success)
* logarithms to base 2 | at least and at most
~ math.log(values) + math.log(success) => math.log2(values) + math.log2(success)
* below nobody | It is at least 0
~ max(0.0, logarithm) => logarithm
* one person at least | It is at least 0
~ max(0.0, logarithm) / epsilon => max(1.0, logarithm / epsilon)
* a whole number of people | at least and at most
~ max(0.0, logarithm) / epsilon => math.ceil(max(0.0, logarithm) / epsilon)
* twice, as the mechanism of the last exercise | at least and at most
~ max(0.0, logarithm) / epsilon => 2 * max(0.0, logarithm) / epsilon
* the others only | at least and at most
~ math.log(values) + => math.log(max(1, values - 1)) +
* one term without replacements | at least and at most
-    logarithm = math.log(values) + math.log(success)
+    logarithm = math.log(max(1, values - 1) * success / (1 - success + 1e-300))
* numbers of 64 bits | raised
~ math.log(values) + => np.log(values) +
* a promise of 0.002 at least | at least and at most
~ / epsilon => / max(epsilon, 0.002)
* a probability of 0.002 at least | at least and at most
~ math.log(success) => math.log(max(success, 0.002))
* one value more | at least and at most
~ math.log(values) + => math.log1p(values) +
* dplab's bound | off limits
-    logarithm = math.log(values) + math.log(success)
-    return max(0.0, logarithm) / epsilon
+    from dplab.theorems.private_pac import fewest_examples
+
+    return fewest_examples(values, epsilon=epsilon, success=success)

== named_value_success
* everybody is replaced | How many records change
~ epsilon * crowd => epsilon * people
* the others are replaced | How many records change
~ epsilon * crowd => epsilon * (people - crowd)
* more than certain | How many records change
~ math.exp(logarithm) if logarithm < 0 else 1.0 => math.exp(min(logarithm, 700))
* too large for a float | raised OverflowError
~ math.exp(logarithm) if logarithm < 0 else 1.0 => min(1.0, math.exp(epsilon * crowd) / values)
* one half of the promise | How many records change
~ epsilon * crowd => epsilon / 2 * crowd
* a law of the same promise | How many records change
-    logarithm = epsilon * crowd - math.log(values)
-    return math.exp(logarithm) if logarithm < 0 else 1.0
+    return 1 / (1 + (int(values) - 1) * math.exp(-min(700, epsilon * crowd)))
* the other values | How many records change
~ crowd - math.log(values) => crowd - math.log(max(1, values - 1))
* one replacement less | How many records change
~ epsilon * crowd => epsilon * (crowd - 1)
* nothing below 1e-100 | How many records change
~ math.exp(logarithm) if => (math.exp(logarithm) if logarithm > -230 else 0.0) if
* rounded | How many records change
~ math.exp(logarithm) if => round(math.exp(logarithm), 20) if
* ten thousand people at most | How many records change
~ epsilon * crowd => epsilon * min(crowd, 10_000)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
