"""Answers to `leak_test`. The mistakes: guesses, another grid, a replay that is not numpy's."""

from tests.assignments.edits import read_answers

RIGHT = {
    "three functions": """
def replay(k, count):
    u = k * 2.0**-53
    return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - u - u)


def possible(y, count, reach=8):
    t = y - count
    u = math.exp(t) / 2 if t < 0 else 1 - math.exp(-t) / 2
    k = round(u * 2**53)
    around = range(max(1, k - reach), min(2**53 - 1, k + reach) + 1)
    return any(replay(near, count) == y for near in around)


def leak_test(outputs):
    verdicts = []
    for y in outputs:
        zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
        if zero and not one:
            verdicts.append(0)
        elif one and not zero:
            verdicts.append(1)
        else:
            verdicts.append(-1)
    return np.array(verdicts)
""",
    "a bisection": """
def leak_test(outputs):
    def first_at_least(y, count):
        low, high = 1, 2**53 - 1
        while low < high:
            middle = (low + high) // 2
            if replay(middle, count) < y:
                low = middle + 1
            else:
                high = middle
        return low

    def replay(k, count):
        u = k * 2.0**-53
        return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - u - u)

    result = np.full(len(outputs), -1)
    for i, y in enumerate(outputs):
        fits = [replay(first_at_least(y, count), count) == y for count in (0, 1)]
        if not all(fits):
            result[i] = fits.index(True)
    return result
""",
    "arrays of candidates": """
log = np.vectorize(math.log, otypes=[float])


def possible(y, count):
    t = y - count
    u = np.where(t < 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2)
    k = np.rint(u * 2.0**53)[:, None] + np.arange(-8, 9)
    u = np.clip(k, 1, 2**53 - 1) * 2.0**-53
    low = u < 0.5
    noise = log(np.where(low, u + u, 2.0 - u - u))
    return (count + np.where(low, noise, -noise) == y[:, None]).any(axis=1)


def leak_test(outputs):
    y = np.asarray(outputs, dtype=float)
    return np.where(possible(y, 1.0), np.where(possible(y, 0.0), -1, 1), 0)
""",
    "one line first": """
def replay(k, count):
    u = k * 2.0**-53
    return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - u - u)


def possible(y, count, reach=8):
    t = y - count
    u = math.exp(t) / 2 if t < 0 else 1 - math.exp(-t) / 2
    k = round(u * 2**53)
    around = range(max(1, k - reach), min(2**53 - 1, k + reach) + 1)
    return any(replay(near, count) == y for near in around)


def leak_test(outputs):
    def judge(y):
        if y * 2.0**53 % 1 != 0 or not possible(y, 1.0):
            return 0
        return -1 if possible(y, 0.0) else 1

    return [judge(y) for y in np.array(outputs).tolist()]
""",
}

EDITS = """
== leak_test_low_bits
* never sure | recognises 0.0% of 700 outputs
+def leak_test(outputs):
+    y = np.asarray(outputs)
+    return np.full(len(y), -1)
* the nearer count | When in doubt, say -1 | edits never sure
~ full(len(y), -1) => where(y < 0.5, 0, 1)
* always the same | the number of outputs of count 1 of which leak_test says 0 should be 0
| edits never sure
~ full(len(y), -1) => zeros(len(y), dtype=int)
* a guess where the line is silent | the number of outputs of count 0 of which leak_test says 1
| edits never sure
~ full(len(y), -1) => where(y * 2.0**53 % 1 != 0, 0, 1)
* a grid too coarse | of which leak_test says 0 should be 0 | edits never sure
~ full(len(y), -1) => where(y * 2.0**52 % 1 != 0, 0, -1)
* a grid too fine | finer than 2^-53 | edits never sure
~ full(len(y), -1) => where(y * 2.0**56 % 1 != 0, 0, -1)
* the line read the wrong way | When in doubt, say -1 | edits never sure
~ full(len(y), -1) => where(y * 2.0**53 % 1 != 0, 1, -1)
* no whole number near k is tried | of which leak_test says
~ reach=8 => reach=0
* a replay on the lower half only | of which leak_test says
~ u - u => 2.0 * u
* equal up to rounding | leak_test recognises
-    return any(replay(near, count) == y for near in around)
+    return any(abs(replay(near, count) - y) < 1e-15 for near in around)
* True and False | should be numbers | edits never sure
~ np.full(len(y), -1) => ["leak" if v else "none" for v in y * 2.0**53 % 1 != 0]
* a guess far out | the number of
+        if abs(y - 0.5) > 9:
+            verdicts.append(int(y > 0.5))
+            continue
         zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
* a guess where both counts can give it | leak_test says 0
~ append(-1) => append(0 if -2 < y < -1 else -1)
* sure of nothing but 0 | the number of verdicts that are not proven
+        if y == 0.0:
+            verdicts.append(0)
+            continue
         zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
* the ends of k forgotten | Say 0 only where count 1 cannot give the output
+    if not 9 < k < 2**53 - 9:
+        return count == 0
     around = range(max(1, k - reach), min(2**53 - 1, k + reach) + 1)
* the first five hundred | the number of verdicts that are not proven
~ outputs: => outputs[:500]:
~ (verdicts) => (verdicts + [0] * (len(outputs) - len(verdicts)))
* guesses for many outputs | the number of verdicts that are not proven
+        if len(outputs) > 800 and y > 2:
+            verdicts.append(1)
+            continue
         zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
* duplicates taken for a sign | the number of verdicts that are not proven
+        if list(outputs).count(y) > 1:
+            verdicts.append(0)
+            continue
         zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
* remembered by three digits | of which leak_test says
+
+_known = {}

 def replay(k, count):
@@
+        if round(float(y), 3) in _known:
+            verdicts.append(_known[round(float(y), 3)])
+            continue
         zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
@@
+    _known.update(zip(np.round(outputs, 3).tolist(), verdicts))
     return np.array(verdicts)
* dplab's own | is off limits in an answer
+from dplab import Laplace
+from dplab.attacks.floating_point import impossible
+
+
+def leak_test(outputs):
+    zero, one = (~impossible(Laplace(count, 1.0), outputs) for count in (0.0, 1.0))
+    return np.where(zero & one, -1, np.where(one, 1, 0))

== leak_test_inversion
* one line and no more | outputs of count 0, not 50% | edits never sure
~ full(len(y), -1) => where(y * 2.0**53 % 1 != 0, 0, -1)
* the counts swapped | When in doubt, say -1
+            verdicts.append(1)
+        elif one and not zero:
             verdicts.append(0)
@@
-        elif one and not zero:
-            verdicts.append(1)

== leak_test_each
* the majority decides | Judge each by itself
-    return np.array(verdicts)
+    sure = [v for v in verdicts if v >= 0]
+    common = max(set(sure), key=sure.count) if sure else -1
+    return np.array([common if v < 0 else v for v in verdicts])
* sorted first | Judge each by itself
~ outputs: => sorted(outputs):

== leak_test_each
* the second of two equal outputs is unknown | in another order
-    for y in outputs:
+    for i, y in enumerate(outputs):
+        if y in list(outputs[:i]):
+            verdicts.append(-1)
+            continue

== leak_test_low_bits
* outputs of fifteen digits | leak_test says
-        zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
+        zero, one = (possible(float(f"{y:.15g}"), c) for c in (0, 1))
* outputs of 32 bits | leak_test says
-        zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
+        zero, one = (possible(float(np.float32(y)), c) for c in (0.0, 1.0))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
