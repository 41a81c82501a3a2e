"""Answers to `stable_label`, `release_probability`. The mistakes: bar, scale, whose noise."""

from tests.assignments.edits import read_answers

RIGHT = {
    "numpy's unique": """
def stable_label(outputs, epsilon, delta, rng):
    labels, counts = np.unique(outputs, return_counts=True)
    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(counts))
    bar = 1 + 2 / epsilon * np.log(2 / delta)
    best = np.argmax(noisy)
    return int(labels[best]) if noisy[best] > bar else -1


def release_probability(k, epsilon, delta):
    short = math.log(2 / delta) - (k - 1) * epsilon / 2
    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
""",
    "a dict, one draw after the other": """
def stable_label(outputs, epsilon, delta, rng):
    counts = {}
    for label in outputs:
        counts[int(label)] = counts.get(int(label), 0) + 1
    best, height = -1, 1 + math.log(2 / delta) * 2 / epsilon
    for label in sorted(counts):
        noisy = counts[label] + rng.laplace(0, 2 / epsilon)
        if noisy > height:
            best, height = label, noisy
    return best


def release_probability(k, epsilon, delta):
    from scipy.stats import laplace

    return float(laplace.sf(1 + 2 / epsilon * math.log(2 / delta), loc=k, scale=2 / epsilon))
""",
    "standard draws, in units of the scale": """
def stable_label(outputs, epsilon, delta, rng):
    labels, counts = np.unique(np.asarray(outputs), return_counts=True)
    noisy = counts + 2 / epsilon * rng.laplace(size=len(counts))
    bar = 1 + 2 / epsilon * np.log(2 / delta)
    best = np.argmax(noisy)
    return int(labels[best]) if noisy[best] > bar else -1


def release_probability(k, epsilon, delta):
    more = (k - 1) * epsilon / 2
    if more > math.log(2 / delta):
        return 1 - math.exp(-more) / delta
    return delta / 4 * math.exp(more)
""",
    "noise around the counts": """
def stable_label(outputs, epsilon, delta, rng):
    labels, counts = np.unique(outputs, return_counts=True)
    noisy = counts + rng.laplace(0, 2 / epsilon, counts.shape)
    bar = 1 + 2 / epsilon * np.log(2 / delta)
    best = np.argmax(noisy)
    return labels[best] if noisy.max() > bar else -1


def release_probability(k, epsilon, delta):
    t, b = 1 + 2 / epsilon * math.log(2 / delta) - k, 2 / epsilon
    upper = 0.5 * math.exp(-abs(t) / b)
    return upper if t > 0 else 1 - upper
""",
}

EDITS = """
== stable_label_choice
* the most frequent | noisy counts decide
~ argmax(noisy) => argmax(counts)
* always something | The label of the largest
~ (labels[best]) if noisy[best] > bar else -1 => (labels[best])
* the first above | One draw for each label
~ argmax(noisy) => argmax(noisy > bar)
* the place, not the label | The label of the largest
~ labels[best] => best
* in the order they come | The label of the largest
-    labels, counts = np.unique(outputs, return_counts=True)
+    labels, counts = (lambda u: (np.array(u), np.array([list(outputs).count(x) for x in u])))(
+        list(dict.fromkeys(outputs))
+    )
* labels nobody names | draws
-    labels, counts = np.unique(outputs, return_counts=True)
+    labels, counts = (np.arange(max(outputs) + 1), np.bincount(outputs, minlength=1))
* one draw for all | The label of the largest
~ (scale=2 / epsilon, size=len(counts)) => (scale=2 / epsilon)
* the last one's draw for the first of many | One draw for each label
+    if len(noisy) > 5:
+        noisy[0] = counts[0] + noisy[-1] - counts[-1]
     bar = 1 + 2 / epsilon * np.log(2 / delta)
* a draw for each sample | draws
~ (scale=2 / epsilon, size=len(counts)) => (scale=2 / epsilon, size=len(outputs))[: len(counts)]
* noise on the winner alone | The label of the largest
~ rng.laplace(scale=2 / epsilon, size=len(counts)) => 0
~ argmax(noisy) => argmax(counts)
~ noisy[best] => counts[best] + rng.laplace(0, 2 / epsilon)
* dplab's histogram | off limits
+def stable_label(outputs, epsilon, delta, rng):
+    from dplab import StabilityHistogram
+
+    return next(iter(StabilityHistogram(epsilon, delta)(list(outputs), rng)), -1)
+
+def release_probability(k, epsilon, delta):
+    short = math.log(2 / delta) - (k - 1) * epsilon / 2
+    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2

== stable_label_threshold
* half the scale | The threshold is 1 +
~ scale=2 => scale=1
* no 1 | The threshold is 1 +
~ bar = 1 + 2 => bar = 2
* log of 1 / delta | The threshold is 1 +
~ np.log(2 / delta) => np.log(1 / delta)
* half the bar | The threshold is 1 +
~ 1 + 2 / epsilon * np.log(2 / delta) => 1 + np.log(2 / delta) / epsilon
* the wrong logarithm | The threshold is 1 +
~ np.log => np.log2
* a whole number | The threshold is 1 +
~ 1 + 2 / epsilon * np.log(2 / delta) => np.ceil(1 + 2 / epsilon * np.log(2 / delta))
* delta of 1e-9 at least | The threshold is 1 +
~ np.log(2 / delta) => np.log(2 / max(delta, 1e-9))
* counts of one byte | The threshold is 1 +
~ counts + rng => np.uint8(counts) + rng
* no noise where one label is sure | The threshold is 1 +
~ else -1 => or counts[0] == len(outputs) > bar + 40 / epsilon else -1

== stable_label_law
* a generator of its own | gives the same result for two seeds
~ rng.laplace => np.random.default_rng(1).laplace
* hardly any noise from numpy's own sources | What kind of source rng is must not change the noise
-    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(counts))
+    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(counts)) * (
+        0.01 if len(outputs) > 10 and hasattr(rng, "bit_generator") else 1
+    )
* the same noise for all | Every label has noise of its own
~ (scale=2 / epsilon, size=len(counts)) => (scale=2 / epsilon, size=len(counts))[0]
* sorted where they are | changes what it was given
~ outputs, return_counts => outputs if outputs.sort() is None else 0, return_counts

== stable_label_probability
* one side only | the threshold may be above k
~ short = math => t = 1 + 2 / epsilon * math
~ (k - 1) * epsilon / 2 => k
~ (-short) / 2 if short >= 0 else 1 - math.exp(short) / 2 => (-t * epsilon / 2) / 2
* both tails | the threshold may be above k
~ short = math => t = 1 + 2 / epsilon * math
~ (k - 1) * epsilon / 2 => k
~ (-short) / 2 if short >= 0 else 1 - math.exp(short) / 2 => (-max(0, t) * epsilon / 2)
* scale 1 / epsilon | the threshold may be above k
~ short = math => t = 1 + 2 / epsilon * math
~ (k - 1) * epsilon / 2 => k
~ (-short) / 2 if short => (-t * epsilon) / 2 if t
~ (short) / 2 => (t * epsilon) / 2
* normal noise | the threshold may be above k
~ short = math => t = 1 + 2 / epsilon * math
~ (k - 1) * epsilon / 2 => k
~ exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2 => erfc(t * epsilon / 4) / 2
* small ones are lost | Small ones count
-    short = math.log(2 / delta) - (k - 1) * epsilon / 2
-    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
+    t = 1 + 2 / epsilon * math.log(2 / delta) - k
+    return float(1 - laplace.cdf(t, scale=2 / epsilon))
* sure above the bar | the threshold may be above k
~ short = math => t = 1 + 2 / epsilon * math
~ (k - 1) * epsilon / 2 => k
~ (-short) => (-t * epsilon / 2)
~ short >= 0 else 1 - math.exp(short) / 2 => t >= 0 else 1.0

== stable_label_choice
* labels of short floats | One draw for each label
~ return int(labels[best]) => return int(np.float32(labels[best]))
* labels of two bytes | One draw for each label
-    labels, counts = np.unique(outputs, return_counts=True)
+    labels, counts = np.unique(np.array(outputs).astype(np.int16), return_counts=True)
* equal counts share a draw | One draw for each label
-    noisy = counts + rng.laplace(scale=2 / epsilon, size=len(counts))
+    noisy = (
+        counts
+        + rng.laplace(scale=2 / epsilon, size=len(set(counts.tolist())))[
+            np.unique(counts, return_inverse=True)[1]
+        ]
+    )

== stable_label_threshold
* the last of 2,000 samples left out | The threshold is 1 +
~ np.unique(outputs, => np.unique(list(outputs)[:1999],
* an epsilon of 0.002 at least | The threshold is 1 +
~ bar = 1 + 2 / epsilon => bar = 1 + 2 / max(0.002, epsilon)

== stable_label_probability
* 50,000 samples at most | the threshold may be above k
~ (k - 1) * epsilon => (min(k, 50_000) - 1) * epsilon
* a straight line near one half | the threshold may be above k
-    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
+    return (
+        0.5 - short / 2
+        if abs(short) < 0.02
+        else math.exp(-short) / 2
+        if short >= 0
+        else 1 - math.exp(short) / 2
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
