"""Answers to `noisy_count_law` and `coverage`. The mistakes: tails, ends, what counts as noise."""

from tests.assignments.edits import read_answers

RIGHT = {
    "matrices": """
def noisy_count_law(n, p, epsilon):
    a = math.exp(-epsilon)
    k = np.arange(n + 1)
    apart = np.abs(k[:, None] - k)
    noise = (1 - a) / (1 + a) * a**apart
    noise[:, 0] = a**k / (1 + a)
    noise[:, n] = a ** (n - k) / (1 + a)
    return binom.pmf(k, n, p) @ noise


def coverage(n, p, epsilon, multiple, counts_noise):
    law = noisy_count_law(n, p, epsilon)
    a = math.exp(-epsilon)
    q = np.arange(n + 1) / n
    sampling = q * (1 - q) / n
    noise = 2 * a / (1 - a) ** 2 / n**2
    s = np.sqrt(sampling + noise if counts_noise else sampling)
    inside = abs(p - q) <= multiple * s + 1e-9
    return float(law[inside].sum())
""",
    "loops": """
def noisy_count_law(n, p, epsilon):
    n, a = int(n), math.exp(-epsilon)
    law = [0.0] * (n + 1)
    chances = binom.pmf(range(n + 1), n, p).tolist()
    powers = [a**j for j in range(n + 1)]
    for k, chance in enumerate(chances):
        law[0] += chance * powers[k] / (1 + a)
        law[n] += chance * powers[n - k] / (1 + a)
        for m in range(1, n):
            law[m] += chance * powers[abs(m - k)] * (1 - a) / (1 + a)
    return law


def coverage(n, p, epsilon, multiple, counts_noise):
    n, total = int(n), 0.0
    for m, chance in enumerate(noisy_count_law(n, p, epsilon)):
        q = m / n
        variance = q * (1 - q) / n
        if counts_noise:
            variance += 2 * math.exp(-epsilon) / (1 - math.exp(-epsilon)) ** 2 / n**2
        k = multiple * math.sqrt(variance)
        if q - k - 1e-9 <= p <= q + k + 1e-9:
            total += chance
    return total
""",
    "differences of the tails": """
def noisy_count_law(n, p, epsilon):
    a = np.exp(-epsilon)

    def at_least(j):
        return a**j / (1 + a) if j >= 0 else 1 - a ** (1 - j) / (1 + a)

    above = np.array([[at_least(m - k) for k in range(n + 1)] for m in range(1, n + 1)])
    tails = above @ binom.pmf(np.arange(n + 1), n, p)
    return -np.diff(np.concatenate([[1.0], tails, [0.0]]))


def coverage(n, p, epsilon, multiple, counts_noise):
    law, total = noisy_count_law(n, p, epsilon), []
    for m in range(n + 1):
        s2 = m * (n - m) / float(n) ** 3
        s2 += 0.5 / np.sinh(epsilon / 2) ** 2 / float(n) ** 2 if counts_noise else 0
        if abs(p - m / n) - multiple * np.sqrt(s2) <= 1e-9:
            total.append(law[m])
    return math.fsum(total)
""",
}

EDITS = """
== noisy_count_law_values
* no tails at the ends | Sum over all K
-    noise[:, 0] = a**k / (1 + a)
-    noise[:, n] = a ** (n - k) / (1 + a)
* no tails, but divided by the sum | Sum over all K
-    noise[:, 0] = a**k / (1 + a)
-    noise[:, n] = a ** (n - k) / (1 + a)
+    noise = noise / noise.sum(axis=1, keepdims=True)
* a tail at 0 only | Sum over all K
-    noise[:, n] = a ** (n - k) / (1 + a)
* tails without their first term | Sum over all K
~ noise[:, 0] = a**k / (1 + a) => noise[:, 0] = a ** (k + 1) / (1 + a)
* the tails exchanged | Sum over all K
~ noise[:, 0] = a**k / (1 + a) => noise[:, 0] = a ** (n - k) / (1 + a)
~ noise[:, n] = a ** (n - k) / (1 + a) => noise[:, n] = a**k / (1 + a)
* the tails on top of the values | Sum over all K
~ noise[:, 0] = a**k => noise[:, 0] += a**k
* the noise on the mean of K | Sum over all K
~ return binom.pmf(k, n, p) @ noise => return noise[round(n * p)]
* K alone | Sum over all K
~ return binom.pmf(k, n, p) @ noise => return binom.pmf(k, n, p)
* K uniform | Sum over all K
~ binom.pmf(k, n, p) => np.full(n + 1, 1 / (n + 1))
* p for the no | Sum over all K
~ binom.pmf(k, n, p) => binom.pmf(k, n, 1 - p)
* half of epsilon | Sum over all K
     apart = np.abs(k[:, None] - k)
+    noise = (1 - a) / (1 + a) * a**apart
+    a = math.exp(-epsilon / 2)
* one-sided noise | Sum over all K
~ noise = (1 - a) / (1 + a) * a**apart => noise = np.triu((1 - a) * a**apart)
* a law of n | should be
~ return binom.pmf(k, n, p) @ noise => return (binom.pmf(k, n, p) @ noise)[:n]
* the wrong normalisation | Sum over all K
~ (1 - a) / (1 + a) * a**apart => (1 - a) / 2 * a**apart
* p of 0 is an error | raised
~ k = np.arange(n + 1) => k = np.arange(n + 1); math.log(p)
* noise beyond a hundred left out | Sum over all K
~ a**apart => a**apart * (apart <= 100)

== noisy_count_law_naive
* the noise counted all the same | an interval of its own
~ if counts_noise else sampling => if True else sampling
* the width by the true p | an interval of its own
~ sampling = q * (1 - q) / n => sampling = p * (1 - p) / n + 0 * q
* the standard deviation of one person | an interval of its own
~ sampling = q * (1 - q) / n => sampling = q * (1 - q)
* n - 1 for n | an interval of its own
~ sampling = q * (1 - q) / n => sampling = q * (1 - q) / max(n - 1, 1)
* ends don't belong to it | an interval of its own
~ <= multiple * s + 1e-9 => < multiple * s - 1e-9
* ends by the float | an interval of its own
~ multiple * s + 1e-9 => multiple * s
* one side only | an interval of its own
~ abs(p - q) <= => p - q <=
* half of the width | an interval of its own
~ multiple * s => multiple * s / 2
* the variance for s | an interval of its own
-    s = np.sqrt(sampling + noise if counts_noise else sampling)
+    s = sampling + noise if counts_noise else sampling
* the chance of what is outside | an interval of its own
~ law[inside] => law[~inside]
* the share of intervals, each M the same | an interval of its own
~ float(law[inside].sum()) => float(inside.mean())
* the law without noise | an interval of its own
~ law = noisy_count_law(n, p, epsilon) => law = binom.pmf(np.arange(n + 1), n, p)
* without the empty and the full | an interval of its own
~ law[inside].sum() => (law * inside)[1:n].sum()
* the nominal coverage | an interval of its own
~ float(law[inside].sum()) => math.erf(multiple / math.sqrt(2))
* at least one person more | an interval of its own
~ multiple * s + 1e-9 => np.maximum(multiple * s, 1 / n) + 1e-9
* the slack on one side only | an interval of its own
-    inside = abs(p - q) <= multiple * s + 1e-9
+    inside = (q - multiple * s <= p) & (p <= q + multiple * s + 1e-9)
* a slack that depends on the width | an interval of its own
~ multiple * s + 1e-9 => multiple * s * (1 + 1e-9)
* a slack of a millionth | an interval of its own
~ multiple * s + 1e-9 => multiple * s + 1e-6

== noisy_count_law_both
* the noise forgotten | divided by n^2
~ if counts_noise else sampling => if not True else sampling
* the noise divided by n | divided by n^2
~ ** 2 / n**2 => ** 2 / n
* the noise not divided | divided by n^2
~ ** 2 / n**2 => ** 2
* half of the noise | divided by n^2
~ noise = 2 * a => noise = a
* deviations added up | divided by n^2
-    s = np.sqrt(sampling + noise if counts_noise else sampling)
+    s = np.sqrt(sampling) + (np.sqrt(noise) if counts_noise else 0)
* the noise alone | divided by n^2
~ sampling + noise if => noise if
* a Laplace variance | divided by n^2
~ noise = 2 * a / (1 - a) ** 2 / n**2 => noise = 2 / epsilon**2 / n**2
* the larger of the two | divided by n^2
~ sampling + noise if => np.maximum(sampling, noise) if
* 1 - a without its square | divided by n^2
~ (1 - a) ** 2 / n**2 => (1 - a) / n**2
* the interval kept between 0 and 1, without its ends | divided by n^2
-    inside = abs(p - q) <= multiple * s + 1e-9
+    inside = (np.maximum(q - multiple * s, 0) - 1e-9 < p) & (
+        p < np.minimum(q + multiple * s, 1) - 1e-9
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
