"""Answers to `ks_distance` and `ks_sensitivity`. The mistakes: one side, some places, 1 / n."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one record and the rest": """
def ks_distance(x, z):
    x, z = np.asarray(x), np.asarray(z)
    at = np.union1d(x, z)
    f = np.searchsorted(np.sort(x), at, side="right") / len(x)
    g = np.searchsorted(np.sort(z), at, side="right") / len(z)
    return np.abs(f - g).max()


def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max(most, max(found) - min(found))
    return most
""",
    "all pairs": """
def ks_distance(x, z):
    x, z = np.asarray(x), np.asarray(z)
    at = np.union1d(x, z)
    f = np.searchsorted(np.sort(x), at, side="right") / len(x)
    g = np.searchsorted(np.sort(z), at, side="right") / len(z)
    return np.abs(f - g).max()


def ks_sensitivity(values, z, n):
    found = {}
    for x in product(values, repeat=n):
        found[x] = ks_distance(x, z)
    most = 0.0
    for x in found:
        for i in range(n):
            for value in values:
                y = x[:i] + (value,) + x[i + 1 :]
                most = max(most, abs(found[x] - found[y]))
    return float(most)
""",
    "a walk over both, sorted": """
def ks_distance(x, z):
    x, z = sorted(x), sorted(z)
    i = j = 0
    largest = 0.0
    while i < len(x) or j < len(z):
        if j == len(z) or (i < len(x) and x[i] <= z[j]):
            t = x[i]
        else:
            t = z[j]
        while i < len(x) and x[i] == t:
            i += 1
        while j < len(z) and z[j] == t:
            j += 1
        largest = max(largest, abs(i / len(x) - j / len(z)))
    return largest


def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max(most, max(found) - min(found))
    return most
""",
    "a sum for each number": """
def ks_distance(x, z):
    def share(data, t):
        return sum(1 for number in data if number <= t) / len(data)

    return max(abs(share(x, t) - share(z, t)) for t in set(x) | set(z))


def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max(most, max(found) - min(found))
    return most
""",
    "scipy's statistic": """
def ks_distance(x, z):
    from scipy.stats import ks_2samp

    return ks_2samp(x, z, method="asymp").statistic


def ks_sensitivity(values, z, n):
    most = 0.0
    for rest in combinations_with_replacement(values, n - 1):
        found = [ks_distance([*rest, value], z) for value in values]
        most = max(most, max(found) - min(found))
    return most
""",
}

EDITS = """
== right
* the shares below
~2 right => left

== ks_sensitivity_distance
* counts in place of shares | should be 0.5, it is 2
~ (np.sort(x), at, side="right") / len(x) => (np.sort(x), at, side="right")
~ / len(z) => * len(x)/len(z)
* one side only | at all numbers t of x and of z
~ np.abs =>
* only at numbers of x | at all numbers t of x and of z
~ union1d(x, z) => unique(x)
* only at numbers of z | at all numbers t of x and of z
~ union1d(x, z) => unique(z)
* z isn't sorted | at all numbers t of x and of z
~ np.sort(z) => z
* on a grid of 101 places | at all numbers t of x and of z
~ union1d(x, z) => linspace(min(x.min(), z.min()), max(x.max(), z.max()), 101)
* numbers to six decimals | at all numbers t of x and of z
~ asarray(x), np.asarray(z) => round(x, 6), np.round(z, 6)
* the difference of sorted lists | at all numbers t of x and of z | edits scipy's statistic
-    from scipy.stats import ks_2samp
-
-    return ks_2samp(x, z, method="asymp").statistic
+    q = np.linspace(0, 1, 101)
+    return np.abs(np.quantile(x, q) - np.quantile(z, q)).max()
* the mean gap | at all numbers t of x and of z
~ (f - g).max => (f - g).mean
* x moved on the way | changes what it was given
+    x *= 2
     return np.abs(f - g).max()
* repeated numbers once | at all numbers t of x and of z
~2 asarray => unique
* dplab's distance | off limits | edits scipy's statistic
~ scipy.stats import ks_2samp => dplab.synthesis import ks_distance as theirs
~ ks_2samp(x, z, method="asymp").statistic => theirs(x, z)
* both sorted in place | changes what it was given
+    x.sort(), z.sort()
     at = np.union1d(x, z)
* nineteen hundred places at most | at all numbers t of x and of z
~ union1d(x, z) => union1d(x, z)[:1900]

== ks_sensitivity_one
* 1 / n | should be 0, it is 1
-    most = 0.0
-    for rest in combinations_with_replacement(values, n - 1):
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
-    return most
+    return 1 / n
* 1 / n, but for a single value | should be 0, it is 1
-    most = 0.0
-    for rest in combinations_with_replacement(values, n - 1):
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
-    return most
+    return 1 / n if len(values) > 1 else 0
* the largest distance | compare their distances to z
~ (most, max(found) - min(found)) => (most, max(found))
* replaced by the next value only | compare their distances to z
~ most = 0.0 => most, values = 0.0, sorted(values)
~ (most, max(found) - min(found)) => ([most, *np.abs(np.diff(found))])
* replaced by the least or the largest only | compare their distances to z
~ in values => in (min(values), max(values))
* the first sixty values | compare their distances to z
-        found = [ks_distance([*rest, value], z) for value in values]
+        found = [ks_distance([*rest, value], z) for value in values[:60]]
* one record more | compare their distances to z
-    for rest in combinations_with_replacement(values, n - 1):
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
+    for x in combinations_with_replacement(values, n):
+        for value in values:
+            most = max(most, abs(ks_distance(x, z) - ks_distance([*x, value], z)))
* a record of z is replaced | compare their distances to z | edits all pairs
-    found = {}
-    for x in product(values, repeat=n):
-        found[x] = ks_distance(x, z)
~ in found => in combinations_with_replacement(values, n)
~ range(n) => range(len(z))
~ y = x[:i] + (value,) + x[i + 1 :] => other = [*z[:i], value, *z[i + 1 :]]
~ (most, abs(found[x] - found[y])) => (most, abs(ks_distance(x, z) - ks_distance(x, other)))
~ float(most) => most
* any z | should be 0, it is 1
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
+        for at in values:
+            found = [ks_distance([*rest, value], [at]) for value in values]
+            most = max(most, max(found) - min(found))
* dplab's search | off limits
-    most = 0.0
-    for rest in combinations_with_replacement(values, n - 1):
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
-    return most
+    return largest_move(lambda x: ks_distance(x, z), REPLACE_ONE, values, n=n)
* values sorted where they are | changes what it was given
+    values.sort()
     most = 0.0

== ks_sensitivity_values
* 1 / n from two on | should be
+    if n > 1:
+        return 1 / n
     most = 0.0
* the range over all datasets | each of the n replaced by each value
-    most = 0.0
-    for rest in combinations_with_replacement(values, n - 1):
-        found = [ks_distance([*rest, value], z) for value in values]
-        most = max(most, max(found) - min(found))
-    return most
+    found = [ks_distance(x, z) for x in combinations_with_replacement(values, n)]
+    return max(found) - min(found)
* no more than four records | each of the n replaced by each value
+    n = min(n, 4)
     most = 0.0
* each value once at most | each of the n replaced by each value
+        if len({*rest}) < n - 1:
+            continue
         found = [ks_distance([*rest, value], z) for value in values]
* not more than nineteen published | All datasets of n records
~ most = 0.0 => z, most = z[:19], 0.0

== ks_sensitivity_distance
* products in two bytes | at all numbers t of x and of z
-    f = np.searchsorted(np.sort(x), at, side="right") / len(x)
-    g = np.searchsorted(np.sort(z), at, side="right") / len(z)
-    return np.abs(f - g).max()
+    f = np.searchsorted(np.sort(x), at, side="right").astype(np.int16) * np.int16(len(z))
+    g = np.searchsorted(np.sort(z), at, side="right").astype(np.int16) * np.int16(len(x))
+    return np.abs(f.astype(float) - g).max() / (len(x) * len(z))
* short floats | at all numbers t of x and of z
-    x, z = np.asarray(x), np.asarray(z)
+    x, z = np.asarray(x, dtype=np.float32), np.asarray(z, dtype=np.float32)
* numbers to ten decimals | at all numbers t of x and of z
~ x, z = np.asarray(x), np.asarray(z) => x, z = np.round(x, 10), np.round(z, 10)

== ks_sensitivity_one
* the last of a hundred values left out | compare their distances to z
~ for value in values] => for value in values[:99]]

== ks_sensitivity_values
* equal published numbers once | All datasets of n records
-        found = [ks_distance([*rest, value], z) for value in values]
+        found = [ks_distance([*rest, value], sorted(set(z))) for value in values]
* no more than six records | All datasets of n records
-    for rest in combinations_with_replacement(values, n - 1):
+    for rest in combinations_with_replacement(values, min(n, 6) - 1):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
