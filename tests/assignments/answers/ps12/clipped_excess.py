"""Answers to `clipped_excess` and `clipped_error`. The mistakes: exponents, tails, types, sides."""

from tests.assignments.edits import read_answers

RIGHT = {
    "closed forms": """
def clipped_excess(counts, epsilon):
    c = np.array(counts, dtype=float)
    a = math.exp(-epsilon)
    return np.exp(-epsilon * (c + 1)) / (1 - a**2)


def clipped_error(counts, epsilon):
    c = np.array(counts, dtype=float)
    a = math.exp(-epsilon)
    variance = 2 * a / (1 - a) ** 2
    first = np.exp(-epsilon * c) * a / (1 - a) ** 2
    second = 2 * c * np.exp(-epsilon * c) * a / (1 - a**2)
    return variance - first - second
""",
    "count by count": """
def clipped_excess(counts, epsilon):
    found = []
    for count in counts:
        first = math.exp(-epsilon * (int(count) + 1)) / (1 + math.exp(-epsilon))
        found.append(first / -math.expm1(-epsilon))
    return found


def clipped_error(counts, epsilon):
    a = math.exp(-epsilon)
    found = []
    for count in counts:
        c = int(count)
        rest = math.exp(-epsilon * c) * (1 - a) / (1 + a)
        sums = a * (1 + a) / (1 - a) ** 3 + 2 * c * a / (1 - a) ** 2
        found.append(2 * a / (1 - a) ** 2 - rest * sums)
    return np.array(found)
""",
    "sums over the noise": """
def clipped_excess(counts, epsilon):
    a = math.exp(-epsilon)
    j = np.arange(1, 10 + int(50 / epsilon))
    series = float((j * a**j).sum()) * (1 - a) / (1 + a)
    return np.array([series * math.exp(-epsilon * int(count)) for count in counts])


def clipped_error(counts, epsilon):
    a = math.exp(-epsilon)
    j = np.arange(1, 10 + int(50 / epsilon)).astype(float)
    weights = a**j * (1 - a) / (1 + a)
    up, cross = float((j * j * weights).sum()), float((2 * j * weights).sum())
    far = [math.exp(-epsilon * int(c)) for c in counts]
    return [2 * up - f * (up + int(c) * cross) for c, f in zip(counts, far)]
""",
    "recursions": """
def clipped_excess(counts, epsilon):
    counts = np.asarray(counts).astype(float)
    empty = 1 / (2 * np.sinh(epsilon))
    return empty * np.exp(-epsilon * counts)


def clipped_error(counts, epsilon):
    counts = np.asarray(counts).astype(float)
    half = 1 / (2 * np.sinh(epsilon / 2)) ** 2
    excess = np.exp(-epsilon * counts) / (2 * np.sinh(epsilon))
    return 2 * half - half * np.exp(-epsilon * counts) - 2 * counts * excess
""",
}

EDITS = """
== clipped_excess_values
* one power of a too few | what is added where
~ np.exp(-epsilon * (c + 1)) / => np.exp(-epsilon * c) /
* one power of a too many | what is added where
~ np.exp(-epsilon * (c + 1)) / => np.exp(-epsilon * (c + 2)) /
* the probability to be below zero | what is added where
~ (c + 1)) / (1 - a**2) => (c + 1)) / (1 + a)
* the tail with a wrong sum | what is added where
~ (c + 1)) / (1 - a**2) => (c + 1)) / (1 - a)
* the square of 1 - a | what is added where
~ (c + 1)) / (1 - a**2) => (c + 1)) / (1 - a) ** 2
* the sign | what is added where
~ return np.exp(-epsilon * (c + 1)) => return -np.exp(-epsilon * (c + 1))
* the mean, and not the excess | what is added where
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return c + np.exp(-epsilon * (c + 1)) / (1 - a**2)
* half of it | what is added where
~ return np.exp(-epsilon * (c + 1)) => return 0.5 * np.exp(-epsilon * (c + 1))
* the total of all cells | should be
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return float((np.exp(-epsilon * (c + 1)) / (1 - a**2)).sum())
* Laplace noise | what is added where
~ return np.exp(-epsilon * (c + 1)) / (1 - a**2) => return np.exp(-epsilon * c) / (2 * epsilon)
* every cell as if it were empty | what is added where
~ (c + 1)) / => (0 * c + 1)) /
* empty cells only | what is added where
~ return np.exp(-epsilon * (c + 1)) / (1 - a**2) => return np.where(c == 0, a / (1 - a**2), 0.0)
* ten terms of the series | what is added where
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return sum(np.exp(-epsilon * (c + j)) for j in range(1, 11)) / (1 + a)
* a thousand terms of the series | divided by what is right
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return sum(np.exp(-epsilon * (c + j)) for j in range(1, 1001)) / (1 + a)
* counts in place | changes what it was given
-    c = np.array(counts, dtype=float)
-    a = math.exp(-epsilon)
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    for i in range(len(counts)):
+        counts[i] += 1
+    a = math.exp(-epsilon)
+    return np.exp(-epsilon * np.array(counts, dtype=float)) / (1 - a**2)
* one number for one count | should be
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return np.squeeze(np.exp(-epsilon * (c + 1)) / (1 - a**2))
* each count once | should be
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return np.exp(-epsilon * (np.unique(c) + 1)) / (1 - a**2)
* sorted | divided by what is right
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return np.exp(-epsilon * (np.sort(c) + 1)) / (1 - a**2)

== clipped_excess_any
* counts of their own type | too small for what you compute
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return (
+        np.exp(-epsilon * (np.asarray(counts) + np.asarray(counts).dtype.type(1))) / (1 - a**2)
+        if len(counts)
+        else c
+    )
* the minus sign in their own type | too small for what you compute
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return (
+        np.exp(epsilon * (-np.asarray(counts).astype(np.asarray(counts).dtype) - 1.0))
+        / (1 - a**2)
+        if np.asarray(counts).dtype != bool
+        else c
+    )
* nothing beyond a hundred | small excess of its own
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return np.where(c > 100, 0, np.exp(-epsilon * (c + 1)) / (1 - a**2))
* a loss of digits | divided by what is right
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return (c + np.exp(-epsilon * (c + 1)) / (1 - a**2)) - c
* twelve decimals | divided by what is right
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return np.round(np.exp(-epsilon * (c + 1)) / (1 - a**2), 12)
* the first thousand cells | should be
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return (np.exp(-epsilon * (c + 1)) / (1 - a**2))[:1000]
* a power that overflows | raised OverflowError
-    return np.exp(-epsilon * (c + 1)) / (1 - a**2)
+    return [1 / (math.exp(epsilon * (one + 1)) * (1 - a**2)) for one in c]

== clipped_excess_error
* the variance | Z where c + Z is 0 or more
~ return variance - first - second => return variance + 0 * c
* half of the variance everywhere | Z where c + Z is 0 or more
~ return variance - first - second => return variance / 2 + 0 * c
* the cross term left out | Z where c + Z is 0 or more
~ variance - first - second => variance - first
* the cross term twice too small | Z where c + Z is 0 or more
~ second = 2 * c => second = c
* the cross term over (1 - a)^2 | Z where c + Z is 0 or more
~ a / (1 - a**2) => a / (1 - a) ** 2
* the square of the excess subtracted | Z where c + Z is 0 or more
~ return variance - first - second => return variance - clipped_excess(counts, epsilon) ** 2
* the root | Z where c + Z is 0 or more
~ return variance - first - second => return np.sqrt(variance - first - second)
* where it is negative there is no error | Z where c + Z is 0 or more
-    return variance - first - second
+    return variance - first - second - c**2 * np.exp(-epsilon * (c + 1)) / (1 + a)
* half of the variance of Z | Z where c + Z is 0 or more
~ variance = 2 * a => variance = a
* a Laplace variance | Z where c + Z is 0 or more
~ variance = 2 * a / (1 - a) ** 2 => variance = 2 / epsilon**2
* the error around the mean | Z where c + Z is 0 or more
-    return variance - first - second
+    return variance - first - second - (np.exp(-epsilon * (c + 1)) / (1 - a**2)) ** 2
* one power of a too many in the first part | Z where c + Z is 0 or more
~ first = np.exp(-epsilon * c) => first = np.exp(-epsilon * (c + 1))
* counts of their own type in the cross term | too small for what you compute
-    second = 2 * c * np.exp(-epsilon * c) * a / (1 - a**2)
+    second = (
+        2
+        * np.asarray(counts, dtype=np.asarray(counts).dtype if len(counts) else float)
+        * np.exp(-epsilon * c)
+        * a
+        / (1 - a**2)
+    )
* an error of four decimals, not of whole numbers | Z where c + Z
~ return variance - first - second => return np.round(variance - first - second, 4)
* counts in place in the error | too small for what you compute
-    second = 2 * c * np.exp(-epsilon * c) * a / (1 - a**2)
+    for i in range(len(counts)):
+        counts[i] = 2 * counts[i]
+    second = np.array(counts, dtype=float) * np.exp(-epsilon * c) * a / (1 - a**2)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
