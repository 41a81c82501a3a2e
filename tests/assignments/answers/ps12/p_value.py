"""Answers to `p_value` and `power`. The mistakes: tails by one, the uniform part, the wrong law."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all K at once": """
def p_value(released, n, p0, epsilon):
    a = math.exp(-epsilon)
    k = np.arange(n + 1)
    x = float(released) - k
    j = np.floor(x + 0.5)
    small = np.exp(-epsilon * np.abs(j + 0.5) - epsilon / 2) / (1 + a)
    above = np.where(j >= 0, small, 1 - small)
    equal = (1 - a) / (1 + a) * np.exp(-epsilon * np.abs(j))
    part = 0.5 - (x - j)
    return float(binom.pmf(k, n, p0) @ (above + part * equal))


def power(n, p0, p1, epsilon, alpha):
    low, high = -20_000.0, 20_000.0
    for _ in range(200):
        middle = (low + high) / 2
        if p_value(middle, n, p0, epsilon) > alpha:
            low = middle
        else:
            high = middle
    return p_value(high, n, p1, epsilon)
""",
    "brentq": """
def p_value(released, n, p0, epsilon):
    def tail(j):  # P(Z >= j)
        a = math.exp(-epsilon)
        if j >= 0:
            return math.exp(-epsilon * j) / (1 + a)
        return 1 - math.exp(epsilon * (j - 1)) / (1 + a)

    total = 0.0
    for k, chance in enumerate(binom.pmf(range(n + 1), n, p0).tolist()):
        x = float(released) - k
        j = round(x)
        total += chance * ((0.5 + x - j) * tail(j + 1) + (0.5 - x + j) * tail(j))
    return total


def power(n, p0, p1, epsilon, alpha):
    from scipy.optimize import brentq

    t = brentq(lambda t: p_value(t, n, p0, epsilon) - alpha, -3000, 3000, xtol=1e-12, rtol=1e-14)
    return p_value(t, n, p1, epsilon)
""",
    "the corner below, then a line": """
def p_value(released, n, p0, epsilon):
    k = np.arange(n + 1)
    law = binom.pmf(k, n, p0)

    def corner(j):  # P(K + Z >= j), which is the p-value of j - 1/2
        i = j - k
        size = np.exp(-epsilon * np.where(i > 0, i, 1 - i)) / (1 + np.exp(-epsilon))
        return law @ np.where(i > 0, size, 1 - size)

    first = math.floor(float(released) + 0.5)
    share = float(released) + 0.5 - first
    return float((1 - share) * corner(first) + share * corner(first + 1))


def power(n, p0, p1, epsilon, alpha):
    low, high = -4000, 4000  # corners at which the p-value is above alpha, or not
    while high - low > 1:
        middle = (low + high) // 2
        if p_value(middle + 0.5, n, p0, epsilon) > alpha:
            low = middle
        else:
            high = middle
    left, right = (p_value(c + 0.5, n, p0, epsilon) for c in (low, high))
    share = (left - alpha) / (left - right)
    found = [p_value(c + 0.5, n, p1, epsilon) for c in (low, high)]
    return (1 - share) * found[0] + share * found[1]
""",
}

EDITS = """
== p_value_values
* larger than, in whole numbers | of the nearest one a part
~ part = 0.5 - (x - j) => part = 0
* at least, in whole numbers | of the nearest one a part
~ part = 0.5 - (x - j) => part = 1
* always half of the nearest one | of the nearest one a part
~ part = 0.5 - (x - j) => part = 0.5
* the other part | of the nearest one a part
~ part = 0.5 - (x - j) => part = 0.5 + (x - j)
* a uniform from 0 to 1 | of the nearest one a part
~ j = np.floor(x + 0.5) => j = np.floor(x)
~ part = 0.5 - (x - j) => part = 1 - (x - j)
* the lower tail | of the nearest one a part
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    return 1 - float(binom.pmf(k, n, p0) @ (above + part * equal))
* both sides | of the nearest one a part
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    q = float(binom.pmf(k, n, p0) @ (above + part * equal))
+    return 2 * min(q, 1 - q)
* the tail of negative numbers as of positive ones | of the nearest one a part
~ np.where(j >= 0, small, 1 - small) => small
* a tail of at least j | of the nearest one a part
~ np.abs(j + 0.5) - epsilon / 2 => np.abs(j - 0.5) - epsilon / 2
* a tail without the 1 + a | of the nearest one a part
-    small = np.exp(-epsilon * np.abs(j + 0.5) - epsilon / 2) / (1 + a)
+    small = np.exp(-epsilon * np.abs(j + 0.5) - epsilon / 2) / 2
* Laplace noise | of the nearest one a part
-    above = np.where(j >= 0, small, 1 - small)
+    above = np.where(x >= 0, np.exp(-epsilon * abs(x)) / 2, 1 - np.exp(-epsilon * abs(x)) / 2)
+    equal = 0 * j
+    part = 0
+    return float(binom.pmf(k, n, p0) @ above)
* normal noise | of the nearest one a part
-    small = np.exp(-epsilon * np.abs(j + 0.5) - epsilon / 2) / (1 + a)
+    from scipy.stats import norm
+
+    return float(binom.pmf(k, n, p0) @ norm.sf(x / math.sqrt(2 * a / (1 - a) ** 2 + 1 / 12)))
* the release rounded | of the nearest one a part
~ x = float(released) - k => x = round(float(released)) - k
* a power that overflows | raised OverflowError
~ small = np.exp => math.exp(epsilon * (n + 20 - float(released))); small = np.exp
* no noise without people | of the nearest one a part
~ k = np.arange(n + 1) => k = np.arange(1, n + 1)

== p_value_any
* the expected K | For each K
~ k = np.arange(n + 1) => k = np.array([n * p0])
~ binom.pmf(k, n, p0) @ => np.ones(1) @
* K from n to 0 | For each K
~ x = float(released) - k => x = float(released) - (n - k)
* every K equally often | For each K
~ binom.pmf(k, n, p0) => np.full(n + 1, 1 / (n + 1))
* a normal law for K | For each K
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    sd = math.sqrt(n * p0 * (1 - p0))
+    w = np.exp(-(((k - n * p0) / sd) ** 2) / 2) if sd else (k == n * p0) + 0.0
+    return float(w / w.sum() @ (above + part * equal))
* the last K left out | For each K
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    return float(binom.pmf(k, n, p0)[:n] @ (above + part * equal)[:n])
* the first K left out | For each K
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    return float(binom.pmf(k, n, p0)[1:] @ (above + part * equal)[1:])
* the largest noise is a hundred | For each K
-    above = np.where(j >= 0, small, 1 - small)
+    above = np.where(j >= 0, small * (j < 100), 1 - small)
* the release kept from 0 to n | For each K
~ x = float(released) - k => x = min(max(float(released), 0), n) - k
* K at most a hundred | For each K
-    return float(binom.pmf(k, n, p0) @ (above + part * equal))
+    return float(binom.pmf(k, n, p0)[:101] @ (above + part * equal)[:101])

== p_value_power
* the p-value at alpha for the power | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return p_value(alpha, n, p1, epsilon)
* p0 and p1 exchanged | whose p-value under p0 is alpha
~ p_value(middle, n, p0, epsilon) => p_value(middle, n, p1, epsilon)
~ return p_value(high, n, p1, epsilon) => return p_value(high, n, p0, epsilon)
* the chance to miss it | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return 1 - p_value(high, n, p1, epsilon)
* a test on both sides | whose p-value under p0 is alpha
~ > alpha: => > alpha / 2:
* a level of 1 - alpha | whose p-value under p0 is alpha
~ > alpha: => > 1 - alpha:
* whole thresholds | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return p_value(math.ceil(high), n, p1, epsilon)
* thresholds at halves | whose p-value under p0 is alpha
-    return p_value(high, n, p1, epsilon)
+    return p_value(math.ceil(high - 0.5) + 0.5, n, p1, epsilon)
* thresholds from 0 to n | the size of the test
~ low, high = -20_000.0, 20_000.0 => low, high = 0.0, float(n)
* thresholds up to twice n | the size of the test
~ low, high = -20_000.0, 20_000.0 => low, high = -1.0 * n, 2.0 * n
* twelve halvings | whose p-value under p0 is alpha
~ range(200) => range(12)
* thirty halvings | whose p-value under p0 is alpha
~ range(200) => range(30)
* the power is at least alpha | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return max(alpha, p_value(high, n, p1, epsilon))
* a threshold without the noise | whose p-value under p0 is alpha
~ p_value(middle, n, p0, epsilon) > alpha => binom.sf(middle - 1, n, p0) > alpha
* the truth without the noise | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return float(binom.sf(high - 1, n, p1))
* the threshold itself | whose p-value under p0 is alpha
~ return p_value(high, n, p1, epsilon) => return high
* always alpha where p1 is less | whose p-value under p0 is alpha
-    return p_value(high, n, p1, epsilon)
+    return alpha if p1 <= p0 else p_value(high, n, p1, epsilon)
* the search the wrong way | whose p-value under p0 is alpha
~ > alpha: => <= alpha:
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
