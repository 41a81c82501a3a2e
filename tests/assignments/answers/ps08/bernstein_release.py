"""Answers to `bernstein_release` and `bernstein_polynomial`. The mistakes: K, one value's move."""

from tests.assignments.edits import read_answers

RIGHT = {
    "scipy's binomial law": """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
        0, (K + 1) * sensitivity / epsilon, K + 1
    )


def bernstein_polynomial(values, t):
    from scipy.stats import binom

    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
    k = np.arange(len(values))
    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
""",
    "an array of places, and logarithms": """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return np.asarray(function(np.linspace(0, 1, K + 1))) + rng.laplace(
        0, (K + 1) * sensitivity / epsilon, K + 1
    )


def bernstein_polynomial(values, t):
    from scipy.special import gammaln, xlog1py, xlogy

    values, t = np.asarray(values), np.asarray(t)[..., np.newaxis]
    K, k = len(values) - 1, np.arange(len(values))
    logs = gammaln(K + 1) - gammaln(k + 1) - gammaln(K - k + 1) + xlogy(k, t) + xlog1py(K - k, -t)
    return np.exp(logs) @ values
""",
    "de Casteljau": """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("nothing to promise")
    noisy = []
    for k in range(K + 1):
        noisy.append(function(k / K) + rng.laplace(0, sensitivity * (K + 1) / epsilon))
    return noisy


def bernstein_polynomial(values, t):
    t = np.asarray(t, dtype=float)
    row = np.array(values, dtype=float).reshape(-1, *[1] * t.ndim) * np.ones(t.shape)
    while len(row) > 1:
        row = row[:-1] + t * (row[1:] - row[:-1])
    return row[0]
""",
    "one place after the other": """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return np.array([function(k / K) for k in range(K + 1)]) + (
        K + 1
    ) * sensitivity / epsilon * rng.laplace(size=K + 1)


def bernstein_polynomial(values, t):
    if np.ndim(t):
        return np.array([bernstein_polynomial(values, one) for one in t]).reshape(np.shape(t))
    K = len(values) - 1
    if t in (0, 1):
        return float(values[0] if t == 0 else values[K])
    total = 0.0
    for k in range(K + 1):
        log = math.lgamma(K + 1) - math.lgamma(k + 1) - math.lgamma(K - k + 1)
        total += values[k] * math.exp(log + k * math.log(t) + (K - k) * math.log1p(-t))
    return total
""",
}

EDITS = """
== bernstein_release_lattice
* K values | should be an array of shape (3,), it is an array of shape (2,)
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
-    )
+    return np.array([function(k / K) for k in range(K)]) + rng.laplace(size=K)
* steps of 1 / (K + 1) | that is K + 1 places
~ k / K => k / (K + 1)
* the middles of cells | that is K + 1 places
~ k / K => (k + 0.5) / (K + 1)
* the function at k | that is K + 1 places
~ k / K => k
* backwards | that is K + 1 places
~ k / K => 1 - k / K
* a straight line through the ends | that is K + 1 places
~ array([function(k / K) for k in range(K + 1)]) => linspace(function(0.0), function(1.0), K + 1)
* a little off the lattice | that is K + 1 places
~ k / K => min(1, k / K + 1e-4)
* asked for in between | that is K + 1 places
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    return (
+        np.array([function(k / K) for k in range(K + 1)])
+        + 0 * function(0.123)
+        + rng.laplace(0, (K + 1) * sensitivity / epsilon, K + 1)
* a thousand times on the way | that is K + 1 places
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    return (
+        np.array([function(k / K) for k in range(K + 1)])
+        + 0 * np.sum(function(np.linspace(0, 1, 1001)))
+        + rng.laplace(0, (K + 1) * sensitivity / epsilon, K + 1)
* dplab's mechanism | off limits
-    if not (sensitivity > 0 and epsilon > 0):
-        raise ValueError("sensitivity and epsilon must be above 0")
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    from dplab.synthesis import bernstein_mechanism
+
+    return bernstein_mechanism(lambda data, t: function(t), sensitivity, K, epsilon=epsilon)(
+        0, rng

== bernstein_release_noise
* noise for one value | as wide as all values together demand
~ 0, (K + 1) * => 0,
* K values move | as wide as all values together demand
~ 0, (K + 1) => 0, K
* the L2 norm | as wide as all values together demand
~ 0, (K + 1) => 0, math.sqrt(K + 1)
* each value twice | as wide as all values together demand
~ 0, (K + 1) => 0, 2 * (K + 1)
* epsilon above | as wide as all values together demand
~ / epsilon => * epsilon
* one draw for all | as wide as all values together demand
~ epsilon, K + 1 => epsilon
* the ends without noise | as wide as all values together demand
-    )
+    ) * ((np.arange(K + 1) > 0) | (K < 3))
* noise cut off | as wide as all values together demand
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    return (
+        np.array([function(k / K) for k in range(K + 1)])
+        + np.clip(rng.laplace(size=K + 1), -40, 40) * (K + 1) * sensitivity / epsilon
* epsilon at least a hundredth | as wide as all values together demand
~ epsilon, K => max(epsilon, 0.01), K
* a generator of its own | as wide as all values together demand
~ rng.laplace => np.random.default_rng(K).laplace
* the same noise at each call | at each call anew
+
+_drawn = {}
+

 def bernstein_release(function, sensitivity, K, epsilon, rng):
~ not (sensitivity > 0 and epsilon > 0) => sensitivity <= 0 or epsilon <= 0
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
-    )
-
+    if (id(rng), K) not in _drawn:
+        _drawn[id(rng), K] = rng, rng.laplace(size=K + 1)
+    values = np.array([function(k / K) for k in range(K + 1)])
+    return values + (K + 1) * sensitivity / epsilon * _drawn[id(rng), K][1]
* whole values get whole noise | as wide as all values together demand
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
-    )
+    values = np.array([function(k / K) for k in range(K + 1)])
+    for k in range(K + 1):
+        values[k] += rng.laplace(scale=(K + 1) * sensitivity / epsilon)
+    return values

== bernstein_release_input
* any epsilon | should raise ValueError
~ not (sensitivity > 0 and epsilon > 0) => sensitivity <= 0
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
-    )
+    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(size=K + 1) * (
+        K + 1
+    ) * sensitivity / np.float64(epsilon)
* any sensitivity | should raise ValueError
~ not (sensitivity > 0 and epsilon > 0) => epsilon <= 0
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    return (
+        np.array([function(k / K) for k in range(K + 1)])
+        + rng.laplace(size=K + 1) * (K + 1) * sensitivity / epsilon
* both below 0 | Both must be above 0
~ (sensitivity > 0 and epsilon > 0) => sensitivity / (epsilon or -1) > 0
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
+    return (
+        np.array([function(k / K) for k in range(K + 1)])
+        + rng.laplace(size=K + 1) * (K + 1) * sensitivity / epsilon
* checked after the draw | the number of draws should be 0, it is
-    if not (sensitivity > 0 and epsilon > 0):
+    values = np.array([function(k / K) for k in range(K + 1)])
+    noise = rng.laplace(size=K + 1)
+    if sensitivity <= 0 or epsilon <= 0:
@@
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
-        0, (K + 1) * sensitivity / epsilon, K + 1
-    )
-
+    return values + (K + 1) * sensitivity / epsilon * noise
* no number is let through | should raise ValueError
~ not (sensitivity > 0 and epsilon > 0) => sensitivity <= 0 or epsilon <= 0

== bernstein_release_polynomial
* without binomials | The sum over k
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K, t = len(values) - 1, np.asarray(t, dtype=float)
+    return sum(values[k] * t**k * (1 - t) ** (K - k) for k in range(K + 1))
* the powers exchanged | The sum over k
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K, t = len(values) - 1, np.asarray(t, dtype=float)
+    return sum(values[k] * math.comb(K, k) * t ** (K - k) * (1 - t) ** k for k in range(K + 1))
* lines from value to value | should be 4.625, it is 3.5
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    return np.interp(t, np.linspace(0, 1, len(values)), values)
* through all values | should be 4.625, it is 3.5
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K = len(values) - 1
+    return np.polyval(np.polyfit(np.linspace(0, 1, K + 1), values, K), t)
* a degree too high | The sum over k
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K, t = len(values), np.asarray(t, dtype=float)
+    return sum(values[k] * math.comb(K, k) * t**k * (1 - t) ** (K - k) for k in range(K))
* the ends are not a number | it is [nan, 0.3, 2.25, nan]
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K, k = len(values) - 1, np.arange(len(values))
+    t = np.asarray(t, dtype=float)[..., None]
+    ways = np.array([math.lgamma(K + 1) - math.lgamma(i + 1) - math.lgamma(K - i + 1) for i in k])
+    return np.exp(ways + k * np.log(t) + (K - k) * np.log(1 - t)) @ np.asarray(values)
* one place only | it is one number
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    return float(
+        np.dot(binom.pmf(np.arange(len(values)), len(values) - 1, np.ravel(t)[0]), values)
+    )
* always flat | should be one number
~ asarray(t, dtype=float) => ravel(t)
* the values rounded | The sum over k
~ asarray(values, dtype=float) => round(values, 3)
* dplab's polynomial | off limits
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    return dplab_polynomial(values, t)
* three axes made one | should be an array of shape (2, 1, 4)
+    t = np.ravel(t) if t.ndim > 2 else t
     k = np.arange(len(values))
* whole values at whole places | The sum over k
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    t, k = np.asarray(t), np.arange(len(values))
+    curve = np.zeros_like(t)
+    for place in np.ndindex(t.shape):
+        curve[place] = binom.pmf(k, len(k) - 1, t[place]) @ np.asarray(values)
+    return curve

== bernstein_release_large
* binomials by hand | raised OverflowError
-    from scipy.stats import binom
-
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
-    k = np.arange(len(values))
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    K, t = len(values) - 1, np.asarray(t, dtype=float)
+    return sum(values[k] * math.comb(K, k) * t**k * (1 - t) ** (K - k) for k in range(K + 1))
* Gauss in place of the binomial | C(2000, 1000) is no float
+    if len(values) > 31:
+        K, t = len(k) - 1, t[..., None]
+        w = np.exp(-((k - K * t) ** 2) / (2 * K * t * (1 - t) + 1e-9))
+        return (w / w.sum(axis=-1, keepdims=True) * values).sum(axis=-1)
     return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
* floats' factorials | C(2000, 1000) is no float
~ stats import binom => special import comb
~ (t, dtype=float) => (t, dtype=float)[..., None]
~ k = np => K, k = len(values) - 1, np
~ binom.pmf(k, len(values) - 1, t[..., None]) => comb(K, k)
~ (comb(K, k) * values).sum(axis=-1) => (comb(K, k) * t**k * (1 - t) ** (K - k)) @ values
* no more than a thousand values | C(2000, 1000) is no float
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
+    values, t = (
+        np.asarray(values, dtype=float)[:: -(-len(values) // 1001)],
+        np.asarray(t, dtype=float),
+    )
* weights from 1e-6 on | C(2000, 1000) is no float
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    w = binom.pmf(k, len(values) - 1, t[..., None])
+    return (np.where(w > 1e-6, w, 0) * values).sum(axis=-1)

== bernstein_release_lattice
* multiples of 1 / K | The last place is 1
~ function(k / K) for => function(k * (1 / K)) for
* values to six decimals | that is K + 1 places
-    return np.array([function(k / K) for k in range(K + 1)]) + rng.laplace(
+    return np.round([function(k / K) for k in range(K + 1)], 6) + rng.laplace(

== bernstein_release_noise
* a sensitivity of 1e-5 at least | as wide as all values together demand
~ (K + 1) * sensitivity => (K + 1) * max(sensitivity, 1e-5)
* whole arguments divided to a whole number | as wide as all values together demand
~ (K + 1) * sensitivity / epsilon => (K + 1) * (sensitivity // epsilon or sensitivity / epsilon)

== bernstein_release_polynomial
* places in single precision | The sum over k
~ np.asarray(t, dtype=float) => np.asarray(t, dtype=np.float32)
* values of their own type | The sum over k
-    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
+    values, t = np.asarray(values), np.asarray(t, dtype=float)
@@
-    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
+    return (
+        (binom.pmf(k, len(values) - 1, t[..., None]) * values).astype(values.dtype).sum(axis=-1)
+    )

== bernstein_release_large
* 1,900 values at most | C(2000, 1000) is no float
~ values, t = np.asarray(values, dtype=float) => values, t = np.asarray(values, dtype=float)[:1900]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
