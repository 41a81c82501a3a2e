"""Answers to `learn_threshold`. The mistakes: too many questions, bad prices, the wrong half."""

from tests.assignments.edits import read_answers

RIGHT = {
    "by halves": """
def learn_threshold(count, size, epsilon, tolerance):
    price = epsilon / math.ceil(math.log2(size))
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        if count(middle, price) < tolerance:
            low = middle
        else:
            high = middle
    return low
""",
    "from the largest power of two": """
def learn_threshold(count, size, epsilon, tolerance):
    steps = math.ceil(math.log2(size))
    threshold = 0
    for i in reversed(range(steps)):
        candidate = threshold + 2**i
        if candidate < size and count(candidate, epsilon / steps) < tolerance:
            threshold = candidate
    return threshold
""",
    "recursion": """
def learn_threshold(count, size, epsilon, tolerance):
    share = epsilon / (size - 1).bit_length()

    def between(low, high):
        if low == high:
            return low
        middle = (low + high + 1) // 2
        if count(middle, share) < tolerance:
            return between(middle, high)
        return between(low, middle - 1)

    return between(0, size - 1)
""",
    "a list of candidates": """
def learn_threshold(count, size, epsilon, tolerance):
    candidates = list(range(size))
    price = epsilon / np.ceil(np.log2(size))
    while len(candidates) > 1:
        half = len(candidates) // 2
        small = count(candidates[half], price) < tolerance
        candidates = candidates[half:] if small else candidates[:half]
    return candidates[0]
""",
}

EDITS = """
== right
* the other middle
~ (low + high) => low + (high - low + 1)
* up to a power of two
~ 0, size => 0, 2 ** math.ceil(math.log2(size))
~ return low => return min(low, size - 1)

== learn_threshold_budget
* the whole budget for each answer | offers 1 for an answer when 0 is left
~ epsilon / math.ceil(math.log2(size)) => epsilon
* a share for each value | it can pay 0.3333 for each
~ math.ceil(math.log2(size)) => size
* half of what is left, each time | it can pay 0.3333 for each
-    price = epsilon / math.ceil(math.log2(size))
-    low, high = 0, size
+    low, high, left = 0, size, epsilon
@@
-        if count(middle, price) < tolerance:
+        left = left / 2
+        if count(middle, left) < tolerance:
* one value after the other | questions, 3 should do
+def learn_threshold(count, size, epsilon, tolerance):
+    t = 0
+    while t < size - 1 and count(t + 1, epsilon / (size - 1)) < tolerance:
+        t += 1
+    return t
* all counts at once | asks 8 questions, 3 should do
+def learn_threshold(count, size, epsilon, tolerance):
+    counts = [count(t, epsilon / size) for t in range(size)]
+    return max([t for t in range(size) if counts[t] < tolerance], default=0)
* each question twice | asks 6 questions, 3 should do
~ (math.log2(size)) => (math.log2(size)) / 2
~ if count(middle, price) => if (count(middle, price) + count(middle, price)) / 2
* natural logarithm | for an answer when
~ log2(size) => log(size)
* logarithm rounded down | for an answer when
~ math.ceil => math.floor
* asks about 0, too | it can pay
~ math.ceil(math.log2(size)) => (math.ceil(math.log2(size)) + 1)
~ 0, size => -1, size
~ return low => return max(0, low)
* three percent too much where size is large | an equal share of epsilon
~ epsilon / math => epsilon * (1.03 if size > 2048 else 1) / math
* twelve questions at most | an equal share of epsilon
~ / math.ceil(math.log2(size)) => / min(12, math.ceil(math.log2(size)))
* an epsilon of at most 5 | an equal share of epsilon
~ epsilon / math => min(epsilon, 5) / math
* the smaller price for the first, the rest for the last | for each
~ price = epsilon / math => m = math
~ high = 0, size => high, left = 0, size, epsilon
+        price = 0.0001 * epsilon if high - low > 2 else left
+        left -= price
         middle = (low + high) // 2

== learn_threshold_search
* the wrong half | should be 5, it is
~ < tolerance => >= tolerance
* no tolerance for noise | should be 3, it is 2
~ < tolerance => <= 0
* the tolerance included | should be
~ < tolerance => <= tolerance
* the first that is too large | should be 5, it is 6
~ return low => return high
* the last value is never tried | Nobody is missed: the last one.
~ 0, size => 0, size - 1
* the middle of what is left | should be 5, it is 5.5
~ return low => return (low + high) / 2
* twice the tolerance | should be
~ tolerance: => 2 * tolerance:

== learn_threshold_error
* the value itself for its count | Compare each noisy count with the tolerance
~ if count(middle, price) < tolerance => if middle < tolerance and count(middle, price) < math.inf
* noise of either sign is noise | Is the threshold what the answers say
~ count(middle, price) => abs(count(middle, price))
* by less than 1e-9 is not below | Is the threshold what the answers say
~ tolerance: => tolerance - 1e-9:
* by less than 1e-9 is below | Is the threshold what the answers say
~ tolerance: => tolerance + 1e-9:
* counts rounded | Is the threshold what the answers say
~ count(middle, price) => round(count(middle, price))
* a whole tolerance | Is the threshold what the answers say
~ tolerance: => int(tolerance):
* counts above a million are a mistake | Is the threshold what the answers say
-        if count(middle, price) < tolerance:
-            low = middle
-        else:
-            high = middle
+        told = count(middle, price)
+        low, high = (middle, high) if told < tolerance or told > 10**6 else (low, middle)
* answers remembered from one call to the next | Compare each noisy count with the tolerance
+
+told = {}
+

 def learn_threshold(count, size, epsilon, tolerance):
~ if count(middle, price) => if told.setdefault((middle, size), count(middle, price))
* a tolerance below 0.05 is too small | Is the threshold what the answers say
~ tolerance: => max(0.05, tolerance):
* a tolerance above 1,000 is too large | the next one whose count is too large, should be
~ tolerance: => min(1000, tolerance):

== learn_threshold_search
* no more than 99,000 values | Below the tolerance
+    size = min(size, 99_000)
     price = epsilon / math.ceil(math.log2(size))

== learn_threshold_budget
* prices of 32 bits | an equal share of epsilon
-    price = epsilon / math.ceil(math.log2(size))
+    price = float(np.float32(epsilon / math.ceil(math.log2(size))))

== learn_threshold_error
* a tolerance of 32 bits | Is the threshold what the answers say
~ < tolerance => < np.float32(tolerance)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
