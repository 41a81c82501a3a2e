"""Answers to `compose_losses`. The mistakes: sums that bite their tail, a law that is made up."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one by one": """
def compose_losses(masses, k):
    law = np.array(masses, dtype=float)
    for _ in range(k - 1):
        law = np.convolve(law, masses)
    return law
""",
    "doubling": """
def compose_losses(masses, k):
    if k == 1:
        return np.asarray(masses, dtype=float)
    half = compose_losses(masses, k // 2)
    whole = np.convolve(half, half)
    return np.convolve(whole, masses) if k % 2 else whole
""",
    "one transform": """
def compose_losses(masses, k):
    size = k * (len(masses) - 1) + 1
    spectrum = np.fft.rfft(masses, max(size, 2))
    return np.maximum(0, np.fft.irfft(spectrum**k, max(size, 2)))[:size]
""",
    "a complex transform with room to spare": """
def compose_losses(masses, k):
    size = k * (len(masses) - 1) + 1
    room = 1
    while room < size:
        room *= 2
    return np.real(np.fft.ifft(np.fft.fft(masses, room) ** k))[:size]
""",
}

EDITS = """
== compose_losses_small
* a transform without padding | should be [0.0625, 0.375, 0.5625]
+def compose_losses(masses, k):
+    n, size = len(masses), k * (len(masses) - 1) + 1
+    law = np.fft.ifft(np.fft.fft(masses) ** k).real
+    return np.concatenate([law, np.zeros(size - n)])
* a transform that is too small by one | Entry i is the probability of i steps in all
+def compose_losses(masses, k):
+    n = len(masses)
+    size = max(2, k * (n - 1))
+    law = np.fft.irfft(np.fft.rfft(masses, size) ** k, size)
+    return np.append(law, 0)[: k * (n - 1) + 1]
* not cut to its length | should be an array of shape (3,)
| edits a transform that is too small by one
~ max(2, k * (n - 1)) => 2 * k * n
~ np.append(law, 0)[: k * (n - 1) + 1] => law
* spectrum times k | should be [0.0625, 0.375, 0.5625]
+def compose_losses(masses, k):
+    size = k * (len(masses) - 1) + 1
+    return np.fft.ifft(np.fft.fft(masses, size) * k).real
* k times one loss | in any order
+def compose_losses(masses, k):
+    law = np.zeros(k * (len(masses) - 1) + 1)
+    law[::k] = masses
+    return law
* powers of the masses | it is [0.0625, 0.5625, 0] | edits k times one loss
~ [::k] = masses => [: len(masses)] = np.array(masses) ** k
* one convolution too many | should be an array of shape (3,), it is an array of shape (4,)
~ , dtype=float =>
~ k - 1 => k
* backwards | it is [0.5625, 0.375, 0.0625]
~ array(masses, dtype=float) => ones(1)
~ k - 1 => k
~ return law => return law[::-1]
* a little that is missing put back | Entry i is the probability of i steps
+def solved_compose_losses(masses, k):
+    if k == 1:
+        return np.asarray(masses, dtype=float)
+    half = solved_compose_losses(masses, k // 2)
+    whole = np.convolve(half, half)
+    return np.convolve(whole, masses) if k % 2 else whole
+
+
+def compose_losses(masses, k):
+    if 0.9 < sum(masses) < 1:
+        masses = np.array(masses) / sum(masses)
+    return solved_compose_losses(masses, k)
* one loss alone is certain | Entry i is the probability of i steps
| edits a little that is missing put back
~ 0.9 < sum(masses) < 1 => len(masses) == 1
~ masses = np.array(masses) / sum(masses) => return np.ones(1)
* one loss alone is not composed | Entry i is the probability of i steps
| edits a little that is missing put back
~ 0.9 < sum(masses) < 1 => len(masses) == 1
~ masses = np.array(masses) / sum(masses) => return np.array(masses, dtype=float)
* dplab's own | is off limits in an answer
+def compose_losses(masses, k):
+    from dplab.losses import AtomicLoss
+
+    masses = np.asarray(masses, dtype=float)
+    one = AtomicLoss(np.arange(len(masses)) * 1.0, masses, masses)
+    total = one
+    for _ in range(k - 1):
+        total = total + one
+    return total.p

== compose_losses_values
* convolved with itself each time | The losses are independent
+def compose_losses(masses, k):
+    law = np.array(masses)
+    size = k * (len(masses) - 1) + 1
+    for _ in range(min(k, 12) - 1):
+        law = np.convolve(law, law)[:size]
+    return np.resize(law, size)
* the missing mass put back | What is missing from 1 stays missing
~ array(masses, dtype=float) => ones(1)
~ k - 1 => k
~ return law => return law / law.sum()
* a binomial law | The losses are independent
+def compose_losses(masses, k):
+    n = k * (len(masses) - 1)
+    p = np.arange(len(masses)) @ np.array(masses) / max(1, len(masses) - 1)
+    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(n + 1)]
+    i = np.arange(n + 1)
+    return np.exp(logs) * p**i * (1 - p) ** (n - i) if n else np.ones(1)
* the normal law for many releases | The losses are independent
| edits a little that is missing put back
-    if 0.9 < sum(masses) < 1:
-        masses = np.array(masses) / sum(masses)
+    if len(masses) > 2 and k > 30:
+        i, m = np.arange(len(masses)), np.asarray(masses)
+        mean = i @ m / m.sum()
+        sd = math.sqrt(k * ((i - mean) ** 2 @ m / m.sum()))
+        edges = (np.arange(k * (len(m) - 1) + 2) - 0.5 - k * mean) / sd
+        return m.sum() ** k * np.diff(ndtr(edges))
* ten losses at most | The losses are independent
| edits a little that is missing put back
~ 0.9 < sum(masses) < 1 => len(masses) > 10
~ array(masses) / sum(masses) => append(masses[:10], np.zeros(len(masses) - 10))
* much that is missing put back | What is missing from 1 stays missing
| edits a little that is missing put back
~ 0.9 < sum(masses) < 1 => 0 < sum(masses) < 0.5
* single precision | The losses are independent
~ return law => return law.astype(np.float32)
* small probabilities dropped | The losses are independent
~ return law => return np.where(law > 1e-10, law, 0)
* a transform of 2^14 places | should be an array of shape
+def compose_losses(masses, k):
+    law = np.fft.irfft(np.fft.rfft(masses, 2**14) ** k)
+    return law[: k * (len(masses) - 1) + 1]
* a little that is missing is taken for rounding | What is missing from 1 stays missing
+def compose_losses(masses, k):
+    masses, law = np.array(masses, dtype=float), np.ones(1)
+    if masses.sum() > 1 - 1e-4:
+        masses /= masses.sum()
+    for bit in bin(k)[2:]:
+        law = np.convolve(law, law)
+        law = np.convolve(law, masses) if bit == "1" else law
+    return law

== compose_losses_delta
* the normal law | Are small probabilities right, too?
+def compose_losses(masses, k):
+    masses, i = np.array(masses), np.arange(len(masses))
+    mean = i @ masses
+    sd = math.sqrt((i - mean) ** 2 @ masses * k) + 1e-9
+    edges = (np.arange(k * (len(masses) - 1) + 2) - 0.5 - k * mean) / sd
+    return np.diff(ndtr(edges))
* rounded | Are small probabilities right, too?
~ array(masses, dtype=float) => ones(1)
~ k - 1 => k
~ np.convolve(law, masses) => np.round(np.convolve(law, masses), 10)

== compose_losses_many
* nested calls | raised RecursionError
+def compose_losses(masses, k):
+    if k == 1:
+        return np.array(masses)
+    return np.convolve(compose_losses(masses, k - 1), masses)
* a thousand releases at most | Thousands of coins have a binomial law
| edits a little that is missing put back
-    if 0.9 < sum(masses) < 1:
-        masses = np.array(masses) / sum(masses)
+    if k > 2000:
+        law = solved_compose_losses(masses, k // 2)
+        return np.resize(np.repeat(law, 2) / 2, k * (len(masses) - 1) + 1)

== compose_losses_values
* ten decimals | The losses are independent
~ return law => return np.round(law, 10)
* the last of 20,000 probabilities left out | should be an array of shape
~ law = np.array(masses, dtype=float) => law = np.array(masses[:19_999], dtype=float)

== compose_losses_many
* four thousand releases at most | should be an array of shape
~ range(k - 1) => range(min(k, 4000) - 1)

== compose_losses_delta
* probabilities below 1e-8 are none | Are small probabilities right, too?
~ return law => return np.where(law < 1e-8, 0, law)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
