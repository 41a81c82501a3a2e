"""Answers to `gap_select`. The mistakes: a bar too low, the wrong margin, noise elsewhere."""

from tests.assignments.edits import read_answers

RIGHT = {
    "sorted": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = np.asarray(scores, dtype=float)
    ranked = np.sort(scores)
    margin = ranked[-1] - ranked[-2]
    if margin + rng.laplace(
        scale=2 * sensitivity / epsilon
    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
        return int(np.argmax(scores))
    return -1
""",
    "by the inverse distribution function": """
def laplace(rng, scale):
    u = rng.random() - 0.5
    return -scale * np.sign(u) * np.log1p(-2 * abs(u))


def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = np.asarray(scores, dtype=float)
    ranked = np.sort(scores)
    margin = ranked[-1] - ranked[-2]
    if margin + laplace(
        rng, 2 * sensitivity / epsilon
    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
        return int(np.argmax(scores))
    return -1
""",
    "noise in an array that is there": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = np.asarray(scores, dtype=float)
    ranked = np.sort(scores)
    margin = ranked[-1] - ranked[-2]
    ends = np.empty(2)
    rng.standard_exponential(out=ends)
    if margin + 2 * sensitivity / epsilon * (
        ends[0] - ends[1]
    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
        return int(np.argmax(scores))
    return -1
""",
    "the best taken out": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    scores = list(scores)
    winner = scores.index(max(scores))
    margin = scores[winner] - max(scores[:winner] + scores[winner + 1 :])
    scale = 2 * sensitivity / epsilon
    noisy = rng.laplace(margin, scale)
    return winner if noisy > 2 * sensitivity - scale * math.log(2 * delta) else -1
""",
    "by chance of passing": """
def gap_select(scores, sensitivity, epsilon, delta, rng):
    second, first = np.partition(scores, -2)[-2:]
    z = (2 * sensitivity - first + second) * epsilon / (2 * sensitivity) - math.log(2 * delta)
    passes = math.exp(-z) / 2 if z > 0 else 1 - math.exp(z) / 2
    return np.argmax(scores) if rng.random() < passes else -1
""",
}

EDITS = """
== gap_select_clear
* always the best | should be -1, it is 0
-    if margin + rng.laplace(
-        scale=2 * sensitivity / epsilon
-    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
+    if margin + rng.laplace(scale=2 * sensitivity / epsilon) > -math.inf:
* the best score for the margin | should be -1, it is 0
~ [-1] - ranked[-2] => [-1]
* best minus worst | -1 where it is small
~ ranked[-2] => ranked[0]
* ties skipped | should be -1, it is 0
~ ranked[-1] - ranked[-2] => np.ptp(np.unique(scores)[-2:])
* the score of the best | should be 1, it is 90
~ int(np.argmax(scores)) => scores.max()
* nothing in place of -1 | is None: does every path
-    return -1

== gap_select_law
* no noise | Look at the margin
-    if margin + rng.laplace(
-        scale=2 * sensitivity / epsilon
-    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
+    if margin + 0 > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
* half the noise | came up
~ scale=2 * sensitivity => scale=sensitivity
* the sensitivity forgotten in the noise | the scale of its noise
~ scale=2 * sensitivity / => scale=2 /
* delta without its 2 | both parts of the bar
~ (1 / (2 * delta)) => (1 / delta)
* noise on every score | came up
+def gap_select(scores, sensitivity, epsilon, delta, rng):
+    noisy = scores + rng.laplace(scale=2 * sensitivity / epsilon, size=len(scores))
+    second, best = np.sort(noisy)[-2:]
+    bar = 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta))
+    return int(np.argmax(scores)) if best - second > bar else -1
* a seed of its own | came up in a share
~ rng.laplace => np.random.default_rng(3).laplace
* dplab's own | off limits
+from dplab import GapSelection
+
+
+def gap_select(scores, sensitivity, epsilon, delta, rng):
+    mechanism = GapSelection(range(len(scores)), np.array, sensitivity, epsilon, delta)
+    chosen = mechanism(scores, rng)
+    return -1 if chosen is None else chosen
* noise that is 15% too small, of exponential draws | the scale of its noise
-    if margin + rng.laplace(
-        scale=2 * sensitivity / epsilon
+    if margin + 1.7 * sensitivity / epsilon * (
+        rng.exponential() - rng.exponential()
* no noise at an epsilon above 10, by the inverse distribution function | the scale of its noise
| edits by the inverse distribution function
~ margin + laplace => margin + (epsilon <= 10) * laplace
* a delta of at least 1e-9, by the inverse distribution function | both parts of the bar
| edits by the inverse distribution function
~ 2 * delta => 2 * max(delta, 1e-9)
* no noise among more than 200, by the inverse distribution function | the scale of its noise
| edits by the inverse distribution function
~ margin + laplace => margin + (len(scores) <= 200) * laplace
* noise of at most 5 scales, by the inverse distribution function | 14000 runs for scores
| edits by the inverse distribution function
~ np.log1p(-2 * abs(u)) => max(np.log1p(-2 * abs(u)), -5)

== gap_select_private
* a bar without 2 sensitivities | Is the bar high enough?
-    if margin + rng.laplace(
-        scale=2 * sensitivity / epsilon
-    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
+    if margin + rng.laplace(scale=2 * sensitivity / epsilon) > 2 * sensitivity / epsilon * np.log(
+        1 / (2 * delta)
+    ):
* a bar with one sensitivity | prove that delta is exceeded
~ > 2 * sensitivity => > sensitivity
* a bar for half the sensitivity | of 1,500 runs named the best
~ 2 * sensitivity + 2 * => sensitivity +
* a logarithm to base 10 | Is the bar high enough?
~ np.log => np.log10

== gap_select_noise
* epsilon a little larger | must just exceed the bar
+    epsilon = 1.03 * epsilon
     scores = np.asarray(scores, dtype=float)
* noise of at most 8 scales | must just exceed the bar
-    if margin + rng.laplace(
-        scale=2 * sensitivity / epsilon
-    ) > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(1 / (2 * delta)):
+    if margin + np.clip(
+        rng.laplace(), -8, 8
+    ) * 2 * sensitivity / epsilon > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(
+        1 / (2 * delta)
+    ):
* no noise among more than 200 | must just exceed the bar
~ rng.laplace => (len(scores) <= 200) * rng.laplace
* no noise at an epsilon of 10 or more | must just exceed the bar
~ rng.laplace => (epsilon < 10) * rng.laplace
* a delta of at least 1e-9 | look at the margin, its scale and the bar
~ 2 * delta => 2 * max(delta, 1e-9)
* a margin to the cent | must just exceed the bar
~ ranked[-1] - ranked[-2] => round(ranked[-1] - ranked[-2], 2)
* the last of equals | must just exceed the bar
~ return int(np.argmax(scores)) => return len(scores) - 1 - int(np.argmax(scores[::-1]))

== gap_select_generator
* numpy's global generator | two results for one seed
~ rng.laplace => np.random.laplace
* every second run with the opposite noise | Every run needs a draw of its own
+_kept = []
+
+
+def gap_select(scores, sensitivity, epsilon, delta, rng):
+    scores = np.asarray(scores, dtype=float)
+    ranked = np.sort(scores)
+    margin = ranked[-1] - ranked[-2]
+    if margin + _noise(
+        delta, rng
+    ) * 2 * sensitivity / epsilon > 2 * sensitivity + 2 * sensitivity / epsilon * np.log(
+        1 / (2 * delta)
+    ):
+        return int(np.argmax(scores))
+    return -1
+
+
+def _noise(delta, rng):
+    if delta == 0.1 and _kept:
+        return -_kept.pop()
+    _kept[:] = [rng.laplace()] if delta == 0.1 else []
+    return _kept[0] if _kept else rng.laplace()
* the same again after 1,023 runs | Every run needs a draw of its own
| edits every second run with the opposite noise
~ _kept = [] => _kept, _runs = [], iter(range(10**9))
-        delta, rng
+        scores, rng
@@
-def _noise(delta, rng):
-    if delta == 0.1 and _kept:
-        return -_kept.pop()
-    _kept[:] = [rng.laplace()] if delta == 0.1 else []
-    return _kept[0] if _kept else rng.laplace()
+def _noise(scores, rng):
+    if len(scores) != 3 or scores[0] != scores[2]:
+        return rng.laplace()
+    run = next(_runs)
+    if run < 1023:
+        _kept.append(rng.laplace())
+    return _kept[run % 1023]
* one of 65,536 seeds, where nobody watches | another result where its draws are watched
+    if type(rng) is np.random.Generator:
+        rng = np.random.default_rng(rng.integers(2**16))
     scores = np.asarray(scores, dtype=float)

== gap_select_clear
* the margin to the third where the best are two | -1 where it is small
-    margin = ranked[-1] - ranked[-2]
+    margin = ranked[-1] - ranked[-2] or ranked[-1] - ranked[max(-3, -len(ranked))]
* the last of 12,000 left out | should be
~ scores = np.asarray(scores, dtype=float) => scores = np.asarray(scores, dtype=float)[:11_999]

== gap_select_noise
* a delta of 0.4 at most | must just exceed the bar
~ 1 / (2 * delta) => 1 / (2 * min(delta, 0.4))
* an epsilon of 0.01 at least | must just exceed the bar
+    epsilon = max(epsilon, 0.01)
     scores = np.asarray(scores, dtype=float)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
