"""Answers to `voting_accuracy` and `questions_until`. The mistakes: gamma, ties, large n."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all k in an array": """
def voting_accuracy(n, k):
    n = int(n)
    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)


def questions_until(n, accuracy):
    n = int(n)
    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
    ks = np.arange(1, 10_000)
    shares = binom.sf(ks / 2, ks, p) + binom.pmf(ks / 2, ks, p) / 2
    enough = shares >= accuracy
    return int(ks[np.argmax(enough)])
""",
    "logarithms, and a search": """
def voting_accuracy(n, k):
    from scipy.special import gammaln

    half = (n - 1) // 2
    log = gammaln(n) - gammaln(half + 1) - gammaln(n - half) - n * np.log(2)
    p = 0.5 + np.exp(log)
    return (binom.sf(k // 2, k, p) + binom.sf((k - 1) // 2, k, p)) / 2


def questions_until(n, accuracy):
    high = 1
    while voting_accuracy(n, high) < accuracy:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if voting_accuracy(n, middle) < accuracy:
            low = middle
        else:
            high = middle
    return high
""",
    "by the incomplete beta function": """
def voting_accuracy(n, k):
    from scipy.special import betainc

    half = (k + 1) // 2  # an even number of votes is as good as one less
    return float(betainc(half, half, 0.5 + math.comb(n - 1, (n - 1) // 2) / (1 << int(n))))


def questions_until(n, accuracy):
    from scipy.special import betaincinv

    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / (1 << int(n))
    halves = np.arange(1, 10_000)
    return 2 * int(halves[np.argmax(betaincinv(halves, halves, accuracy) <= p)]) - 1
""",
    "gamma as a product, odd numbers only": """
def coin(n):
    ones = np.arange(1, n // 2 + 1)
    p = 0.5 * np.prod(1 - 0.5 / ones)
    return 0.5 + float(p)


def voting_accuracy(n, k):
    k -= k % 2 == 0
    return 1 - binom.cdf(k // 2, k, coin(n))


def questions_until(n, accuracy):
    low, high = -1, 1
    while voting_accuracy(n, high) < accuracy:
        low, high = high, 2 * high + 1
    while high - low > 2:
        middle = low + 2 * ((high - low) // 4)
        if voting_accuracy(n, middle) < accuracy:
            low = middle
        else:
            high = middle
    return high
""",
    "one k after the other": """
def share(p, k):
    return binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2


def chance(n):
    return 0.5 + math.comb(int(n) - 1, (int(n) - 1) // 2) / 2 ** int(n)


def voting_accuracy(n, k):
    return share(chance(n), k)


def questions_until(n, accuracy):
    p, k = chance(n), 1
    while share(p, k) < accuracy:
        k += 2
    return k
""",
}

EDITS = """
== voting_accuracy_small
* ties are wrong | The vote is right where
~ (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2) => (binom.sf(k / 2, k, p))
* ties are right | The vote is right where
~ (k / 2, k, p) / 2 => (k / 2, k, p)
* half of them is enough | The vote is right where
~ (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2) => (binom.sf((k - 1) // 2, k, p))
* gamma of n | The vote is right where
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + math.comb(n, n // 2) / 2**n
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* gamma twice | The vote is right where
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + min(0.5, 2 * math.comb(n - 1, (n - 1) // 2) / 2**n)
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* a third of n | The vote is right where
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + math.comb(n - 1, (n - 1) // 3) / 2**n
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* the gain | The vote is right where
~ (k / 2, k, p) / 2 => (k / 2, k, p) / 2 - 0.5
* wrong votes | The vote is right where
~ (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2) => (binom.cdf(k / 2, k, p))
* Stirling's gamma | The vote is right where
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + min(0.5, 1 / math.sqrt(2 * math.pi * n))
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* one vote | The vote is right where
~ (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2) => (p)
* dplab's | off limits
+    from dplab.theorems.adaptive_gain import adaptive_gain
+
+    return 0.5 + float(adaptive_gain(k, n).voting)
     p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)

== voting_accuracy_large
* Stirling's gamma for large n | Exactly, not by
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + (
+        math.comb(n - 1, (n - 1) // 2) / 2**n if n < 100 else 1 / math.sqrt(2 * math.pi * n)
+    )
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* the normal law | Exactly, not by
-    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+    return float(
+        (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+        if k < 50
+        else 0.5 + math.erf(2 * (p - 0.5) * math.sqrt(k / 2)) / 2
+    )
* the root | Exactly, not by
-    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+    return float(
+        (binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+        if n * k < 500
+        else 0.5 + math.sqrt(k / n) / math.pi
+    )
* a float too large | raised OverflowError
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2.0**n
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* a float too small | Exactly, not by
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + 0.5**n * float(min(math.comb(n - 1, (n - 1) // 2), 10**300))
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
* numpy's power of two | whose 2**64 is 0
 def voting_accuracy(n, k):
-    n = int(n)
* a thousand votes | Exactly, not by
~ sf(k / 2, k, p) => sf(min(k, 1001) / 2, min(k, 1001), p)
~ k / 2, k => min(k, 1001) / 2, min(k, 1001)

== voting_accuracy_until
* one before | The least k
~ return int(ks[np.argmax(enough)]) => return max(1, int(ks[np.argmax(enough)]) - 1)
* one after | The least k
~ (ks[np.argmax(enough)]) => (ks[np.argmax(enough)]) + 1
* how many are not enough | The least k
~ ks[np.argmax(enough)] => np.argmax(enough)
* a thousand at most | The least k
~ 1, 10_000 => 1, 1000
* the gain for the accuracy | The least k
~ >= accuracy => - 0.5 >= accuracy
* numpy's power of two until | whose 2**64 is 0
-    n = int(n)
-    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2**n
+    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / 2 ** int(n)
     return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
@@
-    n = int(n)
* a millionth more | The least k
~ >= accuracy => >= accuracy + 1e-6
* nearly enough | The least k
~ >= accuracy => >= accuracy - 1e-6
* by the root | The least k
~ int(ks[np.argmax(enough)]) => max(1, math.ceil(n * (math.pi * (accuracy - 0.5)) ** 2))
* by the normal law | The least k
-    return int(ks[np.argmax(enough)])
+    return max(
+        1,
+        math.ceil(
+            (
+                float(np.sqrt(2))
+                * __import__("scipy.special").special.erfinv(2 * accuracy - 1)
+                / (2 * (p - 0.5))
+            )
+            ** 2
+        ),
+    )
* doubled, and no more | The least k
~ int(ks[np.argmax(enough)]) => next(2**i for i in range(15) if enough[2**i - 1])

== voting_accuracy_large
* single precision | Exactly, not by
-    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+    return float(np.float32(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2))
* seven digits | Exactly, not by
-    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+    return round(float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2), 7)
* n of 19,000 at most | Exactly, not by
~2 n = int(n) => n = min(19_000, int(n))
* 9,900 votes at most | Exactly, not by
-    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)
+    k = min(k, 9900)
+    return float(binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2)

== voting_accuracy_small
* a tie counts from twenty votes on | The vote is right where
~ binom.pmf(k / 2, k, p) / 2) => binom.pmf(k / 2, k, p) / (2 if k < 20 else 1))

== voting_accuracy_until
* at most 5,000 questions | The least k
~ ks = np.arange(1, 10_000) => ks = np.arange(1, 5000)
* an accuracy of 0.985 at most | The least k
~ shares >= accuracy => shares >= min(0.985, accuracy)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
