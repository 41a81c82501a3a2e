"""Answers to `last_epsilon` and `under_noised`. The mistakes: a short search, the wrong list."""

from tests.assignments.edits import read_answers

RIGHT = {
    "halving": """
def last_epsilon(c, t, delta):
    low, high = 1e-4, 500.0
    for _ in range(70):
        epsilon = math.sqrt(low * high)
        sigma = math.sqrt(c * math.log(t / delta)) / epsilon
        mu = 1 / sigma
        if ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu) <= delta:
            low = epsilon
        else:
            high = epsilon
    return low


def under_noised(formulas, delta):
    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
""",
    "dplab's delta, and doubling": """
def last_epsilon(c, t, delta):
    a = np.sqrt(c * np.log(t / delta))

    def kept(epsilon):
        return GaussianMechanism(sum, 1, a / epsilon, epsilon).guarantee.delta <= delta

    high = 0.001
    while kept(high):
        high = 2 * high
    low = high / 2 if high > 0.001 else 1e-6
    while high / low > 1 + 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return (low + high) / 2


def under_noised(formulas, delta):
    found = []
    for position in range(len(formulas)):
        if last_epsilon(*formulas[position], delta) < 1:
            found.append(position)
    return found
""",
    "a root, and a look at epsilon 1": """
def broken(c, t, delta, epsilon):
    mu = epsilon / np.sqrt(c * np.log(t / delta))
    true = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    return true - delta


def last_epsilon(c, t, delta):
    from scipy.optimize import brentq

    return brentq(lambda epsilon: broken(c, t, delta, epsilon), 1e-4, 400, xtol=1e-12, rtol=1e-12)


def under_noised(formulas, delta):
    return [i for i in range(len(formulas)) if broken(*formulas[i], delta, 1.0) > 0]
""",
    "against the least sigma, of the exercise before": """
def last_epsilon(c, t, delta):
    low, high = np.log(1e-4), np.log(500)
    while high - low > 1e-9:
        epsilon = np.exp((low + high) / 2)
        sigma = np.sqrt(c * np.log(t / delta)) / epsilon
        enough = sigma >= gaussian_sigma([[1.0]], epsilon, delta)
        low, high = (np.log(epsilon), high) if enough else (low, np.log(epsilon))
    return np.exp(low)


def under_noised(formulas, delta):
    lasts = np.array([last_epsilon(c, t, delta) for c, t in formulas])
    return np.flatnonzero(lasts < 1).tolist()
""",
    "a helper called true_delta": """
def true_delta(sigma, epsilon):
    mu = 1 / sigma
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


def last_epsilon(c, t, delta):
    low, high, root = 1e-4, 500, math.sqrt(c * math.log(t / delta))
    while high / low > 1 + 1e-9:
        middle = math.sqrt(low * high)
        if true_delta(root / middle, middle) <= delta:
            low = middle
        else:
            high = middle
    return low


def under_noised(formulas, delta):
    return [i for i in range(len(formulas)) if last_epsilon(*formulas[i], delta) < 1]
""",
}

EDITS = """
== under_noised_last_epsilon
* no epsilon above 1 is tried | below, the promise is kept with room to spare
~ 500.0 => 1.0
* no epsilon above 10 is tried | below, the promise is kept with room to spare
~ 500.0 => 10.0
* no epsilon below 0.1 is tried | above, it is broken
~ 1e-4 => 0.1
* c is not under the root | It should be 1
~ math.sqrt(c * math.log(t / delta)) => c * math.sqrt(math.log(t / delta))
* the root forgotten | multiples of the promised one
~ math.sqrt(c * math.log(t / delta)) => c * math.log(t / delta)
* t forgotten | last_epsilon(2, 1.25, 1e-05)
~ t / delta => 1 / delta
* the chance of a loss above epsilon | kept with room to spare
~ - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu) <= => <=
* no end to it | It should be from 0.001 to 100.
~ return low => return math.inf
* sigma fixed at epsilon 1 | It should be 1
~ (c * math.log(t / delta)) / epsilon => (c * math.log(t / delta))
* two digits | It should be 1
~ return low => return round(low, 2)
* five digits | It should be 1
~ return low => return float('%.4e' % low)
* six decimals | It should be 1
~ return low => return round(low, 6)
* a little less, to be safe | It should be 1
~ return low => return low * (1 - 1e-5)
* no epsilon above 60 is tried | below, the promise is kept with room to spare
~ 500.0 => 60.0
* t is at least a tenth | It should be 1
~ t / delta => max(t, 0.1) / delta
* delta is at least 1e-8 | It should be 1
~ t / delta => t / max(delta, 1e-8)
* dplab's own formula | off limits
+def last_epsilon(c, t, delta):
+    from dplab.theorems.gaussian_range import SigmaFormula
+
+    return SigmaFormula("of the slides", c, t).last_epsilon(delta)
+
+
+def under_noised(formulas, delta):
+    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
* dplab's least sigma | off limits | edits dplab's own formula
~ dplab.theorems.gaussian_range import SigmaFormula => dplab import analytic_sigma
-    return SigmaFormula("of the slides", c, t).last_epsilon(delta)
+    low, high = 1e-4, 500.0
+    for _ in range(70):
+        epsilon = math.sqrt(low * high)
+        sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
+        kept = sigma <= math.sqrt(c * math.log(t / delta)) / epsilon
+        low, high = (epsilon, high) if kept else (low, epsilon)
+    return low

== under_noised_formulas
* a formula listed twice is found once | if its last epsilon is below 1
~ i for i, (c, t) in enumerate(formulas) => formulas.index(f) for f in formulas
~ (c, t, delta) < 1 => (*f, delta) < 1
* up to 0.995 | if its last epsilon is below 1
~ (c, t, delta) < 1 => (c, t, delta) < 0.995
* up to 1.005 | if its last epsilon is below 1
~ (c, t, delta) < 1 => (c, t, delta) < 1.005
* ten formulas at most | if its last epsilon is below 1
~ (formulas) => (formulas[:10])
* those that hold | should be [1], it is [0, 2]
~ (c, t, delta) < 1 => (c, t, delta) >= 1
* the formulas, not their positions | should be [1], it is [[1, 1]]
~ i for => (c, t) for
* positions from 1 on | should be [1], it is [2]
~ i for => i + 1 for
* the one with least noise | should be [], it is [0]
-    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
+    return [int(np.argmin([c * math.log(t / delta) for c, t in formulas]))]
* whatever has less than the book | if its last epsilon is below 1
~ last_epsilon(c, t, delta) < 1 => c * math.log(t / delta) < 2 * math.log(1.25 / delta)
* whatever has a small c | if its last epsilon is below 1
~ last_epsilon(c, t, delta) < 1 => c < 2
* checked at epsilon 0.1 only | should be [1], it is []
~ (c, t, delta) < 1 => (c, t, delta) < 0.1
* the first only | if its last epsilon is below 1
-    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
+    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1][:1]
* yes or no | should be [1], it is [0, 1, 0]
~ i for i, (c, t) in enumerate(formulas) if last_epsilon => last_epsilon
~ (c, t, delta) < 1 => (c, t, delta) < 1 for c, t in formulas
* ninety formulas | last epsilon is below 1
~ (formulas) => (formulas[:90])
* a list has something in it | raised IndexError
-    return [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
+    return (
+        [i for i, (c, t) in enumerate(formulas) if last_epsilon(c, t, delta) < 1]
+        if formulas[0]
+        else []
+    )
* a delta up to a hundredth | last epsilon is below 1
~ (c, t, delta) < 1 => (c, t, min(delta, 0.0101)) < 1
* formulas taken from the list | changes what it was given
~ i, (c, t) in enumerate(formulas) => i in range(len(formulas))
~ (c, t, delta) < 1 => (*formulas.pop(0), delta) < 1

== under_noised_last_epsilon
* t is at most 19 | It should be 1
-        sigma = math.sqrt(c * math.log(t / delta)) / epsilon
+        sigma = math.sqrt(c * math.log(min(t, 19) / delta)) / epsilon
* delta is at most 0.099 | It should be 1
~ <= delta: => <= min(delta, 0.099):

== under_noised_formulas
* ninety-nine formulas | last epsilon is below 1
~ enumerate(formulas) => enumerate(formulas[:99])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
