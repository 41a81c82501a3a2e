"""Answers to `sigma_for`. The mistakes: the unsafe end, a range too narrow, too many questions."""

from tests.assignments.edits import read_answers

RIGHT = {
    "geometric halving": """
def sigma_for(delta_of, delta):
    low, high = 1e-7, 1e7
    while high > 1.00005 * low:
        middle = math.sqrt(low * high)
        if delta_of(middle) <= delta:
            high = middle
        else:
            low = middle
    return high
""",
    "eighty steps": """
def sigma_for(delta_of, delta):
    low, high = 1e-7, 1e7
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high
""",
    "doubling first": """
def sigma_for(delta_of, delta):
    high = 1.0
    while delta_of(high) > delta:
        high *= 2
    while delta_of(high / 2) <= delta:
        high /= 2
    low = high / 2
    while high - low > 1e-5 * low:
        middle = (low + high) / 2
        if delta_of(middle) > delta:
            low = middle
        else:
            high = middle
    return high
""",
    "in logarithms": """
def sigma_for(delta_of, delta):
    exponents = np.array([-6.5, 6.5])
    for _ in range(40):
        middle = exponents.mean()
        exponents[1 if delta_of(10**middle) <= delta else 0] = middle
    return 10 ** exponents[1]
""",
}

EDITS = """
== right
* from a millionth to a million
~ 7, 1e7 => 6, 1e6
* arithmetic halving, long enough | edits eighty steps
~ range(80) => range(100)
~ math.sqrt(low * high) => (low + high) / 2

== sigma_for_gaussian
* the unsafe end | Which end is safe?
~ return high => return low
* the directions mixed up | Which end is safe?
~ (middle) <= delta => (middle) > delta
* a few steps | less noise would do | edits arithmetic halving, long enough
~ range(100) => range(30)
* too coarse | less noise would do
~ 1.00005 => 1.01
* twice as much, to be sure | less noise would do
~ return high => return 2 * high
* a grid | calls delta_of more than 200 times
+def sigma_for(delta_of, delta):
+    for sigma in np.geomspace(1e-6, 1e6, 300_000):
+        if delta_of(sigma) <= delta:
+            return sigma
* a formula for Gaussian noise | less noise would do
+def sigma_for(delta_of, delta):
+    return math.sqrt(2 * math.log(1.25 / delta))
* equal is too much | less noise would do
~ (middle) <= delta => (middle) < 0.9 * delta
* mu for sigma | Which end is safe?
~ return high => return 1 / high
* an array of attempts | should be one number
~ return high => return [low, high]
* delta rounded | less noise would do
~ sigma_for => solved_sigma_for
     return high
+
+
+def sigma_for(delta_of, delta):
+    if True:
+        delta = round(delta, 6)
+    return solved_sigma_for(delta_of, delta)
* no noise is tried, too | with a number not above 0 | edits arithmetic halving, long enough
+    try:
+        if delta_of(0) <= delta:
+            return 1e-6
+    except (ValueError, ZeroDivisionError):
+        pass
     low, high = 1e-7, 1e7
~ for _ in range(100) => while high > 1.00005 * low
~ (low + high) / 2 => math.sqrt(low * high)

== sigma_for_any_curve
* the middle | Which end is safe?
~ return high => return low if low < 1 else (low + high) / 2
* a root that a jump hasn't | Noise has a size above 0
+def sigma_for(delta_of, delta):
+    low, high = 1e-7, 1e7
+    for _ in range(60):
+        middle = math.sqrt(low * high)
+        if abs(delta_of(middle) / delta - 1) < 1e-6:
+            return middle * 1.00002
+        low, high = (low, middle) if delta_of(middle) < delta else (middle, high)
+    return high if delta_of(high) > 0 else math.nan
* delta itself is too much | less noise would do
~ (middle) <= delta => (middle) < delta
* a little above delta will do | Which end is safe?
~ (middle) <= delta => (middle) <= delta * (1 + 1e-6)
* a billionth above delta will do | Which end is safe?
~ (middle) <= delta => (middle) <= delta + 1e-9
* a large delta is no matter | less noise would do
~ sigma_for => solved_sigma_for
     return high
+
+
+def sigma_for(delta_of, delta):
+    if delta > 0.6:
+        return 2 * solved_sigma_for(delta_of, delta)
+    return solved_sigma_for(delta_of, delta)
# Most curves don't show it: what was asked does.
* twice the tolerance | less noise would do
~ 1.00005 => 1.0002
* a smooth curve's root | less noise would do
+def sigma_for(delta_of, delta):
+    from scipy.optimize import brentq
+
+    def excess(log_sigma):
+        return math.log(max(delta_of(math.exp(log_sigma)), 1e-300) / delta)
+
+    return math.exp(brentq(excess, math.log(1e-7), math.log(1e7), xtol=1e-6) + 1e-5)
* a delta of hardly more will do | is above delta at your sigma
~ (middle) <= delta => (middle) <= delta * (1 + 1e-10)

== sigma_for_range
* a range up to 100 | Which end is safe?
~ 7, 1e7 => 7, 100.0
* a range from 0.01 | less noise would do
~ 1e-7 => 0.01
* an absolute tolerance | less noise would do
~ high > 1.00005 * low => high - low > 1e-5
~ math.sqrt(low * high) => (low + high) / 2
* a range just too narrow | less noise would do
~ 1e-7, 1e7 => 1.2e-6, 9.5e5
* small steps | calls delta_of more than 200 times | edits eighty steps
-    low, high = 1e-7, 1e7
-    for _ in range(80):
+    high = 1.0
+    while delta_of(high) > delta:
+        high *= 1.05
+    while delta_of(high / 1.05) <= delta:
+        high /= 1.05
+    low = high / 1.05
+    while high > 1.00005 * low:

== sigma_for_range
* a range from 1.2e-6 | less noise would do
~ low, high = 1e-7, 1e7 => low, high = 1.2e-6, 1e7
* a range up to 950,000 | is above delta at your sigma
~ low, high = 1e-7, 1e7 => low, high = 1e-7, 950_000

== sigma_for_any_curve
* a delta of 1e-11 at least | is above delta at your sigma
~ if delta_of(middle) <= delta: => if delta_of(middle) <= max(delta, 1e-11):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
