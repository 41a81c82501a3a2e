"""Answers to `tail_bounds`. The mistakes: another moment, another side, another constant."""

from tests.assignments.edits import read_answers

RIGHT = {
    "four formulas": """
def tail_bounds(losses, masses, k, rho, t):
    losses, masses = np.array(losses, dtype=float), np.array(masses, dtype=float)
    m = (masses * losses).sum()
    v = (masses * ((losses - m) ** 2)).sum()
    tail = masses[losses > t].sum()
    moment = min(1, (masses * abs(losses) ** k).sum() / t**k)
    variance = v / (v + (t - m) ** 2) if t > m else 1
    zcdp = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1
    return tail, moment, variance, zcdp
""",
    "sums over pairs": """
def tail_bounds(losses, masses, k, rho, t):
    pairs = list(zip(losses, masses))
    m = sum(p * z for z, p in pairs)
    v = sum(p * z * z for z, p in pairs) - m * m
    bounds = [sum(p for z, p in pairs if z > t), sum(p * abs(z / t) ** k for z, p in pairs), 1, 1]
    if t > m:
        bounds[2] = v / (v + (t - m) ** 2)
    if t > rho:
        bounds[3] = math.exp(-((t - rho) ** 2) / (4 * rho))
    return [min(1.0, bound) for bound in bounds]
""",
    "averages": """
def tail_bounds(losses, masses, k, rho, t):
    def mean(values):
        return np.average(values, weights=masses)

    z = np.asarray(losses, dtype=float)
    m, v = mean(z), mean((z - mean(z)) ** 2)
    above_mean, above_rho = max(0.0, t - m), max(0.0, t - rho)
    chebyshev = 1 / (1 + above_mean**2 / v)
    return np.array(
        [mean(z > t), np.clip(mean((abs(z) / t) ** k), 0, 1), chebyshev]
        + [np.exp(-((above_rho / 2) ** 2) / rho)]
    )
""",
    "the best order": """
def tail_bounds(losses, masses, k, rho, t):
    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    place = np.searchsorted(z, t, side="right")
    m = np.dot(p, z)
    v = np.dot(p, z**2) - m**2
    alpha = max(1.0, (t + rho) / (2 * rho))  # of the Renyi bound, for a line through the origin
    renyi = math.exp((alpha - 1) * (rho * alpha - t))
    moment = math.exp(min(0.0, math.log(np.dot(p, abs(z) ** k)) - k * math.log(t)))
    return [p[place:].sum(), moment, v / (v + (t - m) ** 2) if t >= m else 1.0, renyi]
""",
    "helpers called mean, moment and variance": """
def mean(values, masses):
    return np.dot(masses, values)


def moment(losses, masses, k):
    return mean(abs(losses) ** k, masses)


def variance(losses, masses):
    return mean((losses - mean(losses, masses)) ** 2, masses)


def tail_bounds(losses, masses, k, rho, t):
    z, v = np.array(losses, dtype=float), variance(np.array(losses, dtype=float), masses)
    far = max(0, t - mean(z, masses))
    by_moment = min(1, moment(z, masses, k) / t**k)
    by_rho = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1
    return [mean(z > t, masses), by_moment, v / (v + far**2), by_rho]
""",
}

EDITS = """
== tail_bounds_tail
* t is above t | should be 0, it is 0.75
~ losses > t => losses >= t
* the tail on both sides | should be 0.75, it is 1
~ losses > t => abs(losses) > t
* the other side | should be 0, it is 1
~ losses > t => losses <= t
* how many are above, not how likely | should be 0.75, it is 0.5
~ masses[losses > t].sum => (losses > t).mean
* the delta at t | Entry 0 is the probability of the losses above t
~ masses[losses > t].sum() => sum(masses * np.maximum(0, 1 - np.exp(t - losses)))
* the tail of a thousand losses | Entry 0 is the probability of the losses above t
~ tail_bounds => solved_tail_bounds
     return tail, moment, variance, zcdp
+
+
+def tail_bounds(losses, masses, k, rho, t):
+    if len(losses) > 1000:
+        losses, masses = losses[-1000:], masses[-1000:]
+    return solved_tail_bounds(losses, masses, k, rho, t)
* a little above t left out | Entry 0 is the probability of the losses above t
~ losses > t => losses > t + 2e-4
* zero where the bounds are small | Entry 0 is the probability of the losses above t
~ tail = masses => tail = 0.0 if t > rho + 3 * math.sqrt(rho) else masses
* rare losses left out | Entry 0 is the probability of the losses above t
~ losses > t => (losses > t) & (masses > 1e-5)
* dplab's own | is off limits in an answer
+def tail_bounds(losses, masses, k, rho, t):
+    from dplab.theorems.loss_tails import MomentBound, SubgaussianBound, VarianceBound
+
+    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
+    m = p @ z
+    rungs = MomentBound(k, p @ abs(z) ** k), VarianceBound(m, p @ (z - m) ** 2)
+    return p @ (z > t), *(float(one.tail(t)) for one in (*rungs, SubgaussianBound(rho)))
* the first 15,000 losses | the losses above t
+    losses, masses = losses[:15_000], masses[:15_000]
     m = (masses * losses).sum()
* a loss near t is t | the losses above t
~ losses > t => (losses > t) & ~np.isclose(losses, t)

== tail_bounds_moment
* the moment of Z | should be 0.5, it is 0.25
~ abs(losses) ** k => losses**k
* the moment of what is above 0 | should be 0.5, it is 0.375
~ abs(losses) => np.maximum(0, losses)
* the power of the mean | Entry 1: the mean of |Z|^k
~ (masses * abs(losses) ** k).sum() / t**k => ((masses * abs(losses)).sum() / t) ** k
* the k-th root | should be 0.25, it is 0.5
~ () / t**k => () ** (1 / k) / t
* always Markov's own | should be 0.25, it is 0.5
~ (masses * abs(losses) ** k).sum() / t**k => (masses * abs(losses)).sum() / t
* the moment over t | should be 0.25, it is 0.5
~ t**k => t
* the moment about the mean | should be 0.5, it is 0.375
~ (losses) => (losses - m)
* a bound above 1 | should be 1, it is 8
~ = min(1, (masses * abs(losses) ** k).sum() / t**k) => = (masses * abs(losses) ** k).sum() / t**k
* the best of all orders up to k | Entry 1: the mean of |Z|^k, divided by t^k
-    moment = min(1, (masses * abs(losses) ** k).sum() / t**k)
+    moment = min(1, *((masses * abs(losses) ** j).sum() / t**j for j in range(1, k + 1)))
* orders up to 12 | Entry 1: the mean of |Z|^k
~ tail_bounds => solved_tail_bounds
     return tail, moment, variance, zcdp
+
+
+def tail_bounds(losses, masses, k, rho, t):
+    if k > 12:
+        k = 12
+    return solved_tail_bounds(losses, masses, k, rho, t)
* odd orders rounded up | Entry 1: the mean of |Z|^k
~ tail_bounds => solved_tail_bounds
     return tail, moment, variance, zcdp
+
+
+def tail_bounds(losses, masses, k, rho, t):
+    if k % 2 and k > 1:
+        k += 1
+    return solved_tail_bounds(losses, masses, k, rho, t)
* powers of whole numbers | Entry 1: the mean of |Z|^k
~ losses, dtype=float => losses

== tail_bounds_variance
* two-sided Chebyshev | should be 0.25, it is 0.3333
~ v / (v + (t - m) ** 2) => min(1, v / (t - m) ** 2)
* the square on both sides | should be 1, it is 0.9231
~ (v + (t - m) ** 2) if t > m else 1 => (v + (t - m) ** 2)
* the second moment for the variance | should be 0.25, it is 0.3077
~ (losses - m) ** 2 => losses**2
* the mean left out | should be 0.25, it is 0.1579
~ (v + (t - m) ** 2) if t > m else 1 => (v + t**2)
* the deviation for the variance | should be 0.25, it is 0.2779
~ v / (v + (t - m) ** 2) => v**0.5 / (v**0.5 + (t - m) ** 2)
* no square of the distance | should be 0.25, it is 0.3333
~ (t - m) ** 2 => (t - m)
* masses forgotten | should be 0.25, it is 0.3077
~ v / (v + (t - m) ** 2) => np.var(losses) / (np.var(losses) + (t - m) ** 2)
* one above 0 instead of above the mean | v / (v + (t - m)^2)
~ m else => abs(m) else
* a mean below 0 taken for 0 | v / (v + (t - m)^2)
~ t - m => t - max(0, m)
* a normal loss's variance | v / (v + (t - m)^2)
~ v / (v + (t - m) ** 2) => 2 * m / (2 * m + (t - m) ** 2)

== tail_bounds_zcdp
* half the exponent forgotten | one of your bounds is below the tail
~ 4 * rho => 2 * rho
* no drift | Entry 3: e^(-(t - rho)^2 / (4 rho))
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho else 1 => (-(t**2) / (4 * rho))
* the drift twice | Entry 3: e^(-(t - rho)^2 / (4 rho))
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho => (-((t - 2 * rho) ** 2) / (4 * rho)) if t > 2 * rho
* falls on both sides of rho | should be 1, it is
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho else 1 => (-((t - rho) ** 2) / (4 * rho))
* the mean for rho | 1 where t is not above rho
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho => (-((t - m) ** 2) / (4 * m)) if t > m > 0
* half the variance for rho | Entry 3: e^(-(t - rho)^2 / (4 rho))
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho => (-((t - v / 2) ** 2) / (2 * v)) if t > v / 2
* the moment generating function at t | Entry 3: e^(-(t - rho)^2 / (4 rho))
~ (-((t - rho) ** 2) / (4 * rho)) if t > rho else 1 => (min(0, rho * (rho + 1) - t))
* a best order that is whole | Entry 3: e^(-(t - rho)^2 / (4 rho))
+def tail_bounds(losses, masses, k, rho, t):
+    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
+    m = p @ z
+    v = p @ (z - m) ** 2
+    orders = np.arange(1, 2 + int(t / rho))
+    renyi = np.exp((orders - 1) * (rho * orders - t)).min()
+    return p @ (z > t), min(1, p @ abs(z) ** k / t**k), v / (v + max(0, t - m) ** 2), renyi
* a small rho taken for 0 | Entry 3: e^(-(t - rho)^2 / (4 rho))
~ zcdp = math => zcdp = 0.0 if rho < 1e-5 else math
* the least of the bounds | Entry 3: e^(-(t - rho)^2 / (4 rho))
-    zcdp = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1
+    zcdp = min(moment, variance, math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1)

== tail_bounds_moment
* orders up to 19 | Entry 1: the mean of |Z|^k
~ ** k).sum() / t**k => ** min(k, 19)).sum() / t ** min(k, 19)
* a t of 900 at most | Entry 1: the mean of |Z|^k
~ / t**k => / min(t, 900) ** k

== tail_bounds_tail
* losses in single precision | the losses above t
-    losses, masses = np.array(losses, dtype=float), np.array(masses, dtype=float)
+    losses, masses = (
+        np.array(losses, dtype=np.float32).astype(float),
+        np.array(masses, dtype=float),
+    )

== tail_bounds_zcdp
* a rho of 90 at most | Entry 3: e^(-(t - rho)^2 / (4 rho))
+    rho = min(rho, 90)
     zcdp = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1

== tail_bounds_variance
* six digits | v / (v + (t - m)^2)
~ return tail, moment, variance, => return tail, moment, round(variance, 6),
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
