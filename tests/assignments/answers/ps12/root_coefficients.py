"""Answers to `root_coefficients` and the stream. The mistakes: indices, columns, scales, memory."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a product and a convolution": """
def root_coefficients(n):
    k = np.arange(1, n)
    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))


def stream_sums(events, rho, rng):
    n = len(events)
    c = np.append(1.0, np.cumprod(1 - 1 / (2 * np.arange(1, max(n, 1)))))[:n]
    delta = np.linalg.norm(c)
    z = delta / np.sqrt(2 * rho) * rng.normal(size=n)
    noise = np.convolve(c, z)[:n] if n else np.zeros(0)
    return np.cumsum(np.asarray(events, dtype=float)) + noise


def stream_deviations(n, rho):
    squares = root_coefficients(n) ** 2
    total = squares.sum()
    sigma = np.sqrt(total / (2 * rho))
    return sigma * np.sqrt(np.cumsum(squares))
""",
    "loops": """
def root_coefficients(n):
    found = [1.0]
    for k in range(1, n):
        found.append(found[-1] * (2 * k - 1) / (2 * k))
    return found


def stream_sums(events, rho, rng):
    n = len(events)
    if n == 0:
        return []
    c = root_coefficients(n)
    sigma = math.sqrt(sum(one * one for one in c)) / math.sqrt(2 * rho)
    z, sums, total = [], [], 0.0
    for event in events:
        total += float(event)
        z.append(rng.normal(0, sigma))
        sums.append(total + sum(a * b for a, b in zip(c, reversed(z))))
    return sums


def stream_deviations(n, rho):
    c = root_coefficients(n)
    whole = sum(one**2 for one in c)
    found, part = [], 0.0
    for one in c:
        part += one**2
        found.append(math.sqrt(whole * part / 2 / rho))
    return found
""",
    "a matrix": """
def root_coefficients(n):
    from scipy.special import betaln

    k = np.arange(1, n)
    return np.concatenate([[1.0], np.cumprod(1 - 0.5 / k)])


def stream_sums(events, rho, rng):
    from scipy.linalg import toeplitz

    x = np.array(events, dtype=float)
    if x.size == 0:
        return x
    A = np.tril(toeplitz(root_coefficients(len(x))))
    sigma = np.linalg.norm(A, axis=0).max() / (2 * rho) ** 0.5
    return np.tri(len(x)) @ x + A @ (sigma * rng.standard_normal(len(x)))


def stream_deviations(n, rho):
    c = root_coefficients(n)
    return np.sqrt(np.add.accumulate(c * c)) * np.linalg.norm(c) / np.sqrt(2 * rho)
""",
}

EDITS = """
== root_coefficients_values
* the index one too large | times (2k - 1) / (2k)
~ (2 * k - 1) / (2 * k) => (2 * k + 1) / (2 * k + 2)
* the fractions turned over | times (2k - 1) / (2k)
~ (2 * k - 1) / (2 * k) => (2 * k) / (2 * k + 1)
* the first one left out | there are n of them
-    k = np.arange(1, n)
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    k = np.arange(1, n + 1)
+    return np.cumprod((2 * k - 1) / (2 * k))
* one too many | there are n of them
~ k = np.arange(1, n) => k = np.arange(1, n + 1)
* fractions, not multiplied up | times (2k - 1) / (2k)
~ np.cumprod((2 * k - 1) / (2 * k)) => (2 * k - 1) / (2 * k)
* the approximation for large k | times (2k - 1) / (2k)
~ np.cumprod((2 * k - 1) / (2 * k)) => 1 / np.sqrt(np.pi * k)
* binomial coefficients that overflow | divided by what is right
-    k = np.arange(1, n)
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    from scipy.special import binom as choose
+    k = np.arange(n)
+    return choose(2 * k, k) / 4.0**k
* factorials that overflow | raised OverflowError
-    k = np.arange(1, n)
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return [float(math.factorial(2 * k)) / math.factorial(k) ** 2 / 4.0**k for k in range(n)]
* exact up to 500, then approximate | divided by what is right
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    exact = np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return np.where(np.arange(n) > 500, 1 / np.sqrt(np.pi * np.maximum(np.arange(n), 1)), exact)
* the approximation beyond 3000 | divided by what is right
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    exact = np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return np.where(np.arange(n) > 3000, 1 / np.sqrt(np.pi * np.maximum(np.arange(n), 1)), exact)
* the newest last | times (2k - 1) / (2k)
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))[::-1]
* rounded to six decimals | divided by what is right
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return np.round(np.append(1.0, np.cumprod((2 * k - 1) / (2 * k))), 6)
* single precision | divided by what is right
-    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
+    return np.append(1.0, np.cumprod((2 * k - 1) / (2 * k))).astype(np.float32)

== root_coefficients_sums
* independent noise on each sum | all draws so far
~ np.convolve(c, z)[:n] if n => z if n
* the noise added up | all draws so far
~ np.convolve(c, z)[:n] if n => np.cumsum(z) if n
* coefficients in the wrong order | all draws so far
~ np.convolve(c, z)[:n] if n => np.convolve(c[::-1], z)[:n] if n
* the draws in the wrong order | all draws so far
~ np.convolve(c, z)[:n] if n => np.convolve(c, z[::-1])[:n] if n
* the end of the convolution | all draws so far
~ np.convolve(c, z)[:n] if n => np.convolve(c, z)[n - 1 :] if n
* the middle of the convolution | all draws so far
~ np.convolve(c, z)[:n] if n => np.convolve(c, z, "same") if n
* only the last two draws | all draws so far
~ np.convolve(c, z)[:n] if n => np.convolve(c[:2], z)[:n] if n
* the last 100 draws only | in units of z
~ np.convolve(c, z)[:n] if n => np.convolve(c[:100], z)[:n] if n
* a sensitivity of one | all draws so far
~ delta = np.linalg.norm(c) => delta = 1
* the sum of the column for its length | all draws so far
~ delta = np.linalg.norm(c) => delta = c.sum()
* the square of the length | all draws so far
~ delta = np.linalg.norm(c) => delta = c @ c
* the last column | all draws so far
~ delta = np.linalg.norm(c) => delta = 1 if n else 0
* the length of what has come so far | all draws so far
~ delta = np.linalg.norm(c) => delta = np.sqrt(np.cumsum(c**2))
* one over rho | all draws so far
~ np.sqrt(2 * rho) * rng => rho * rng
* the two of 2 rho forgotten | all draws so far
~ np.sqrt(2 * rho) * rng => np.sqrt(rho) * rng
* the variance for the deviation | all draws so far
~ delta / np.sqrt(2 * rho) * rng => delta**2 / (2 * rho) * rng
* the events, not the sums | Without noise it is the sum
~ np.cumsum(np.asarray(events, dtype=float)) => np.asarray(events, dtype=float)
* the sum before the event | Without noise it is the sum
-    return np.cumsum(np.asarray(events, dtype=float)) + noise
+    return np.cumsum(np.asarray(events, dtype=float)) - np.asarray(events) + noise
* the events through the root, not the sums | Without noise it is the sum
~ np.cumsum(np.asarray(events, dtype=float)) => np.convolve(c, np.asarray(events, dtype=float))[:n]
* the noise subtracted | all draws so far
~ events, dtype=float)) + noise => events, dtype=float)) - noise
* one draw for all steps | all draws so far
~ rng.normal(size=n) => np.full(n, rng.normal() if n else 0)
* Laplace noise | not of rng.laplace
~ rng.normal(size=n) => rng.laplace(size=n)
* an empty stream is an error | raised ValueError
~ np.convolve(c, z)[:n] if n else np.zeros(0) => np.convolve(c, z)[:n]
* whole sums | all draws so far
-    noise = np.convolve(c, z)[:n] if n else np.zeros(0)
-    return np.cumsum(np.asarray(events, dtype=float)) + noise
+    noise = np.floor(np.convolve(c, z)[:n]) if n else np.zeros(0)
+    return np.cumsum(np.asarray(events, dtype=int)) + noise
* events added up in their own type | Events may be of any type
-    return np.cumsum(np.asarray(events, dtype=float)) + noise
+    return np.cumsum(np.asarray(events), dtype=np.asarray(events).dtype) + noise
* bits only | less the sums
~ np.asarray(events, dtype=float) => (np.asarray(events) > 0)
* the sum is never negative | all draws so far
-    return np.cumsum(np.asarray(events, dtype=float)) + noise
+    return np.maximum(np.cumsum(np.asarray(events, dtype=float)) + noise, 0)
* draws beyond eight are cut | in units of z
~ rng.normal(size=n) => np.clip(rng.normal(size=n), -8, 8)
* the list is added up in place | Events may be of any type
-    return np.cumsum(np.asarray(events, dtype=float)) + noise
+    for t in range(1, n):
+        events[t] = events[t] + events[t - 1]
+    return np.asarray(events) + noise

== root_coefficients_deviations
* the same for all steps | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return np.full(n, sigma * np.sqrt(total))
* the deviation of one draw | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return np.full(n, sigma)
* deviations added up | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return sigma * np.cumsum(np.sqrt(squares))
* the variance | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return sigma**2 * np.cumsum(squares)
* without the sensitivity | add up variances
~ np.sqrt(total / (2 * rho)) => np.sqrt(1 / (2 * rho))
* the sensitivity of a single column so far | add up variances
~ total = squares.sum() => total = np.cumsum(squares)
* one over rho in the deviations | add up variances
~ np.sqrt(total / (2 * rho)) => np.sqrt(total) / rho
* rho without its two in the deviations | add up variances
~ np.sqrt(total / (2 * rho)) => np.sqrt(total / rho)
* from the last step to the first | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return sigma * np.sqrt(np.cumsum(squares))[::-1]
* one step early | add up variances
~ return sigma * np.sqrt(np.cumsum(squares)) => return sigma * np.sqrt(np.cumsum(squares) - squares)
* by the logarithm | add up variances
-    return sigma * np.sqrt(np.cumsum(squares))
+    return sigma * np.sqrt(1 + np.log(np.arange(1, n + 1)) / np.pi)

== root_coefficients_generator
* a generator of one's own | one seed
~ rng.normal(size=n) => np.random.default_rng().normal(size=n)
* always the same noise | two seeds
~ rng.normal(size=n) => np.random.default_rng(0).normal(size=n)
* numpy's global source | one seed
~ rng.normal(size=n) => np.random.normal(size=n)
* draws thrown away | where its draws are watched
-    z = delta / np.sqrt(2 * rho) * rng.normal(size=n)
+    z = (
+        delta
+        / np.sqrt(2 * rho)
+        * (rng if type(rng) is np.random.Generator else np.random.default_rng(99)).normal(size=n)
+    )
* noise that the length decides | two seeds
-    delta = np.linalg.norm(c)
+    delta, rng = (
+        np.linalg.norm(c),
+        rng if type(rng).__name__ == "Scripted" else np.random.default_rng(n),
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
