"""Answers to `banded_descent`. The mistakes: the recursion, the sensitivity, clipping, the step."""

from tests.assignments.edits import read_answers

RIGHT = {
    "vectors of all steps": """
def banded_descent(x, y, coefficients, rate, clip, sigma, rng):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    c = np.array(coefficients, dtype=float)
    T, m, d = x.shape
    b = len(c)
    delta = np.sqrt((c[: min(b, T)] ** 2).sum())
    w, path, v = np.zeros(d), [], np.zeros((T, d))
    for t in range(T):
        errors = x[t] @ w - y[t]
        pulls = errors[:, None] * x[t]
        norms = np.linalg.norm(pulls, axis=1, keepdims=True)
        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
        v[t] = rng.normal(size=d)
        for k in range(1, min(b - 1, t) + 1):
            v[t] -= c[k] * v[t - k]
        v[t] /= c[0]
        noise = sigma * clip * delta * v[t]
        w = w - rate / m * (total + noise)
        path.append(w)
    return np.array(path)
""",
    "the matrix solved": """
def banded_descent(x, y, coefficients, rate, clip, sigma, rng):
    from scipy.linalg import solve_triangular, toeplitz

    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    T, m, d = x.shape
    column = np.zeros(T)
    column[: min(T, len(coefficients))] = np.asarray(coefficients, dtype=float)[:T]
    A = np.tril(toeplitz(column))
    noise = solve_triangular(A, rng.standard_normal((T, d)), lower=True)
    noise = noise * (sigma * clip * np.linalg.norm(A, axis=0).max())
    w, found = np.zeros((T + 1, d)), 0
    for t in range(T):
        g = x[t] * (x[t] @ w[t] - y[t]).reshape(-1, 1)
        lengths = np.sqrt((g * g).sum(axis=1))
        shares = np.where(lengths > clip, clip / np.where(lengths > 0, lengths, 1), 1)
        w[t + 1] = w[t] - rate * (shares @ g + noise[t]) / m
    return w[1:]
""",
    "person by person": """
def banded_descent(x, y, coefficients, rate, clip, sigma, rng):
    T, m, d = np.shape(x)
    c = [float(one) for one in coefficients]
    delta = math.sqrt(sum(one * one for one in c[:T]))
    w, past, path = [0.0] * d, [], []
    for t in range(T):
        total = [0.0] * d
        for i in range(m):
            person = [float(value) for value in x[t][i]]
            error = sum(a * b for a, b in zip(w, person)) - float(y[t][i])
            pull = [error * value for value in person]
            length = math.sqrt(sum(one * one for one in pull))
            share = clip / length if length > clip else 1.0
            total = [a + share * b for a, b in zip(total, pull)]
        new = [rng.normal() for _ in range(d)]
        for k in range(1, len(c)):
            if k <= len(past):
                new = [a - c[k] * b for a, b in zip(new, past[-k])]
        past.append([one / c[0] for one in new])
        w = [
            a - rate * (b + sigma * clip * delta * e) / m for a, b, e in zip(w, total, past[-1])
        ]
        path.append(w)
    return path
""",
}

EDITS = """
== right
# The length of a column and the vectors change by the same factor.
* coefficients divided by the first
-    c = np.array(coefficients, dtype=float)
+    c = np.array(coefficients, dtype=float)
+    c = c / c[0]

== banded_descent_step
* uphill | From w = 0
~ w = w - rate => w = w + rate
* the sum for the mean | From w = 0
~ rate / m * => rate *
* divided by n and not by m | From w = 0
~ rate / m * => rate / (m * T) *
* the sign of the error | From w = 0
~ x[t] @ w - y[t] => y[t] - x[t] @ w
* twice the gradient | From w = 0
~ pulls = errors[:, None] => pulls = 2 * errors[:, None]
* gradients at the start | From w = 0
~ x[t] @ w - y[t] => -y[t]
* the first batch in each step | it is
~2 x[t] => x[0]
* the logistic gradient | From w = 0
~ errors = x[t] @ w - y[t] => errors = -y[t] / (1 + np.exp(y[t] * (x[t] @ w)))
* a rate that falls | it is
~ rate / m => rate / (t + 1) / m
* the last weights only | should be
~ np.array(path) => path[-1]
* the start included | should be
~ return np.array(path) => return np.array([np.zeros(d), *path])[:T]
* the mean of the path | it is
~ return np.array(path) => return np.cumsum(path, axis=0) / np.arange(1, T + 1)[:, None]
* weights of whole numbers | it is
~ x, y = np.array(x, dtype=float), np.array(y, dtype=float) => x, y = np.array(x), np.array(y)
~ w, path, v = np.zeros(d) => w, path, v = np.zeros(d, dtype=x.dtype)
~ w = w - rate / m * (total + noise) => w = (w - rate / m * (total + noise)).astype(x.dtype)
* equal people count once | From w = 0
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = np.unique(pulls / np.maximum(1, norms / clip), axis=0).sum(axis=0)

== banded_descent_clip
* nobody is clipped | shortened to the length C
~ (pulls / np.maximum(1, norms / clip)) => pulls
* the sum is clipped | before the sum
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = pulls.sum(axis=0)
+        total = total / max(1, np.linalg.norm(total) / clip)
* the mean is clipped | before the sum
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = pulls.mean(axis=0)
+        total = m * total / max(1, np.linalg.norm(total) / clip)
* all have length C | shortened to the length C
~ pulls / np.maximum(1, norms / clip) => clip * pulls / np.maximum(norms, 1e-12)
* numbers clipped one by one | shortened to the length C
~ pulls / np.maximum(1, norms / clip) => np.clip(pulls, -clip, clip)
* shortened to length one | shortened to the length C
~ np.maximum(1, norms / clip) => np.where(norms > clip, norms, 1)
* the sum of absolute values | shortened to the length C
~ np.linalg.norm(pulls, axis=1, keepdims=True) => np.abs(pulls).sum(axis=1, keepdims=True)
* features clipped, not gradients | shortened to the length C
-        pulls = errors[:, None] * x[t]
+        pulls = (
+            errors[:, None]
+            * x[t]
+            / np.maximum(1, np.linalg.norm(x[t], axis=1, keepdims=True) / clip)
+        )
@@
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = pulls.sum(axis=0)
* the errors clipped | shortened to the length C
~ errors = x[t] @ w - y[t] => errors = np.clip(x[t] @ w - y[t], -clip, clip)
~ (pulls / np.maximum(1, norms / clip)) => pulls
* the longest decides for all | shortened to the length C
~ np.maximum(1, norms / clip)) => max(1, norms.max() / clip))
* long gradients left out | shortened to the length C
~ pulls / np.maximum(1, norms / clip) => pulls * (norms <= clip)
* gradients in the type of the features | what is clipped
~ x, y = np.array(x, dtype=float), np.array(y, dtype=float) => x, y = np.array(x), np.array(y)
~ sum(axis=0) => astype(x.dtype).sum(axis=0)
* the step and not the gradient is clipped | shortened to the length C
~ (pulls / np.maximum(1, norms / clip)) => pulls
-        w = w - rate / m * (total + noise)
+        step = rate / m * (total + noise)
+        w = w - step / max(1, np.linalg.norm(step) / clip)
* clipped to C / m | shortened to the length C
~ norms / clip => norms * m / clip

== banded_descent_noise
* independent noise | v solves A v = z
~ v[t] -= c[k] * v[t - k] => pass
* A times z instead of its inverse | v solves A v = z
~ v = np.zeros(d), [], np.zeros((T, d)) => v, z = np.zeros(d), [], np.zeros((T, d)), []
~ v[t] = rng.normal(size=d) => z.append(rng.normal(size=d))
~ v[t] -= c[k] * v[t - k] => v[t] += c[k] * z[t - k]
~ v[t] /= c[0] => v[t] += c[0] * z[t]
* plus for minus | v solves A v = z
~ v[t] -= c[k] => v[t] += c[k]
* the past draws for the past vectors | v solves A v = z
~ v = np.zeros(d), [], np.zeros((T, d)) => v, z = np.zeros(d), [], np.zeros((T, d)), []
-        v[t] = rng.normal(size=d)
+        z.append(rng.normal(size=d))
+        v[t] = z[-1]
~ c[k] * v[t - k] => c[k] * z[t - k]
* c_0 forgotten | v solves A v = z
~ v[t] /= c[0] => v[t] /= 1
* c_0 divides the draw only | it is
~ v[t] = rng.normal(size=d) => v[t] = rng.normal(size=d) / c[0]
~ v[t] /= c[0] => pass
* coefficients one place off | v solves A v = z
~ v[t] -= c[k] * => v[t] -= c[k - 1] *
* memory of one step only | it is
~ min(b - 1, t) => min(b - 1, t, 1)
* memory of one step less | v solves A v = z
~ range(1, min(b - 1, t) + 1) => range(1, min(b - 1, t))
* the memory never reaches the first step | v solves A v = z
~ min(b - 1, t) + 1 => min(b - 1, t - 1) + 1
* memory of at most a hundred steps | the steps, in units
~ min(b - 1, t) => min(b - 1, t, 100)
* no sensitivity | v solves A v = z
~ clip * delta => clip
* all coefficients count in Delta | the steps, in units
~ c[: min(b, T)] => c
* c_0 alone is the sensitivity | v solves A v = z
~ c[: min(b, T)] => c[:1]
* the sum of the column | v solves A v = z
~ np.sqrt((c[: min(b, T)] ** 2).sum()) => c[: min(b, T)].sum()
* the square of Delta | v solves A v = z
~ np.sqrt((c[: min(b, T)] ** 2).sum()) => (c[: min(b, T)] ** 2).sum()
* the length of the column so far | v solves A v = z
~ noise = sigma * clip * delta => noise = sigma * clip * np.sqrt((c[: t + 1] ** 2).sum())
* noise without clip | v solves A v = z
~ sigma * clip * delta => sigma * delta
* noise on the mean | v solves A v = z
~ rate / m * (total + noise) => rate * (total / m + noise)
* noise that the rate doesn't touch | v solves A v = z
~ rate / m * (total + noise) => rate / m * total - noise / m
* one draw for all features | v solves A v = z
~ rng.normal(size=d) => rng.normal(size=1)
* a draw for everybody | here one more is taken
~ rng.normal(size=d) => rng.normal(size=(m, d)).sum(axis=0)
* Laplace noise | not of rng.laplace
~ rng.normal => rng.laplace
* noise is clipped, too | v solves A v = z
~ noise = sigma * clip * delta * v[t] => noise = np.clip(sigma * clip * delta * v[t], -clip, clip)
* the noise subtracted | v solves A v = z
~ total + noise => total - noise
* the same noise in each step | v solves A v = z
~ rng.normal(size=d) => v[0] if t else rng.normal(size=d)
* draws of the features first | v solves A v = z
~ T, m, d = x.shape => T, m, d = x.shape; draws = rng.normal(size=(d, T))
~ rng.normal(size=d) => draws[:, t]

== banded_descent_whole
* gradients at the weights without noise | at the present w
~ w, path, v = np.zeros(d) => quiet, w, path, v = np.zeros(d), np.zeros(d)
~ x[t] @ w - y[t] => x[t] @ quiet - y[t]
~ path.append(w) => path.append(w); quiet = quiet - rate / m * total
* gradients one step late | at the present w
~ x[t] @ w - y[t] => x[t] @ (path[-2] if t > 1 else np.zeros(d)) - y[t]
* clipped after the noise | at the clipped sum
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
-        v[t] = rng.normal(size=d)
+        total = pulls.sum(axis=0)
+        v[t] = rng.normal(size=d)
@@
-        w = w - rate / m * (total + noise)
+        whole = total + noise
+        w = w - rate / m * whole / max(1, np.linalg.norm(whole) / (m * clip))
* the memory holds gradients, too | at the clipped sum
-        noise = sigma * clip * delta * v[t]
+        noise = sigma * clip * delta * v[t] - (c[1] * old / c[0] if t and b > 1 else 0)
@@
         path.append(w)
+        old = total

== banded_descent_generator
* a generator of one's own | one seed
~ rng.normal(size=d) => np.random.default_rng().normal(size=d)
* always the same noise | two seeds
~ rng.normal(size=d) => np.random.default_rng(t).normal(size=d)
* numpy's global source | one seed
~ rng.normal(size=d) => np.random.normal(size=d)
* one draw too many in each step | here one more is taken
~ rng.normal(size=d) => rng.normal(size=d + 1)[:d]
* coefficients divided in place | changes what it was given
~ c = np.array(coefficients, dtype=float) => c = np.asarray(coefficients, dtype=float)
~ w, path, v => first = c[0] + 0; c /= first; w, path, v
~ v[t] /= c[0] => v[t] /= first
* features multiplied in place | changes what it was given
~ x, y = np.array(x, dtype=float) => x, y = np.asarray(x, dtype=float)
-        pulls = errors[:, None] * x[t]
+        x[t] *= errors[:, None]
+        pulls = x[t]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
