"""Answers to `thresholdout`. The mistakes: scales, what is drawn anew, the end."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a bar or none": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    bar = None
    answers, paid = [], 0
    for t, h in zip(training, holdout):
        if paid == count:
            answers.append(math.nan)
            continue
        if bar is None:
            bar = threshold + rng.laplace(0, 2 * sigma)
        if abs(h - t) + rng.laplace(0, 4 * sigma) >= bar:
            answers.append(h + rng.laplace(0, sigma))
            paid, bar = paid + 1, None
        else:
            answers.append(t)
    return answers
""",
    "an array of NaN": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    answers = np.full(len(training), np.nan)
    begin = True
    for i in range(len(training)):
        if count == 0:
            break
        if begin:
            bar = rng.laplace(threshold, 2 * sigma)
            begin = False
        gap = abs(float(holdout[i]) - float(training[i]))
        if rng.laplace(gap, 4 * sigma) < bar:
            answers[i] = training[i]
        else:
            answers[i] = rng.laplace(holdout[i], sigma)
            count, begin = count - 1, True
    return answers
""",
    "stretch by stretch": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    answers, i = [], 0
    for _ in range(count):
        if i == len(training):
            break
        bar = threshold + 2 * sigma * rng.laplace()
        while i < len(training):
            t, h = training[i], holdout[i]
            i += 1
            if abs(t - h) + 4 * sigma * rng.laplace() >= bar:
                answers.append(h + sigma * rng.laplace())
                break
            answers.append(t)
    return answers + [float("nan")] * (len(training) - len(answers))
""",
    "a generator of answers": """
def thresholdout(training, holdout, threshold, sigma, count, rng):
    def asked():
        bar, left = None, count
        for t, h in zip(training, holdout):
            if not left:
                yield np.nan
                continue
            bar = rng.laplace(scale=2 * sigma) + threshold if bar is None else bar
            if not np.abs(h - t) + rng.laplace(scale=4 * sigma) < bar:
                left, bar = left - 1, None
                t = h + rng.laplace(scale=sigma)
            yield float(t)

    return list(asked())
""",
}

EDITS = """
== thresholdout_answers
* always the training set's | Below the bar
~ h + rng => t + rng
* always the holdout's | Below the bar
~ append(t) => append(h)
* one side only | At the bar
~ abs(h - t) => t - h
* at the bar is below | At the bar
~ (0, 4 * sigma) >= bar => (0, 4 * sigma) > bar
* never refuses | draws
~ paid == count => False
* one more | draws
~ paid == count => paid > count
* counts all answers | NaN from where
~ if paid => if len(answers)
* the answer's mean of both | Below the bar
~ h + rng => (h + t) / 2 + rng
* answers of whole numbers | Shares may be whole numbers
-    return answers
+    found = np.zeros_like(training)
+    found[:] = answers
+    return found
* one bar for all | A bar for each stretch
~ paid, bar = paid + 1, None => paid += 1
* a bar for each question | draws
~ bar is None => True
* one comparison's noise for all | A bar for each stretch
~ bar = None => bar, noise = None, rng.laplace(0, 4 * sigma)
~ rng.laplace(0, 4 * sigma) >= bar => noise >= bar
* the bar drawn early | draws
~ bar = None => bar = threshold + rng.laplace(0, 2 * sigma)
~ 1, None => 1, threshold + rng.laplace(0, 2 * sigma)
* dplab's AboveThreshold | off limits
+def thresholdout(training, holdout, threshold, sigma, count, rng):
+    from dplab import AboveThreshold
+
+    gaps = np.abs(np.array(training) - np.array(holdout))
+    far = AboveThreshold(threshold=threshold, sensitivity=1, epsilon=1 / sigma)(gaps, rng)
+    return [h if one else t for one, t, h in zip(far, training, holdout)]
* dplab's Thresholdout | off limits
+def thresholdout(training, holdout, threshold, sigma, count, rng):
+    from dplab import learning
+
+    return learning.Thresholdout([training], None, n=1, threshold=threshold, sigma=sigma)

== thresholdout_edges
* answers within 0 and 1 | Scales: 2 sigma
~ (h + rng.laplace(0, sigma)) => (min(1, max(0, h + rng.laplace(0, sigma))))
* the bar at sigma | Scales: 2 sigma
~ 2 * sigma => sigma
* the bar without noise | Scales: 2 sigma
~ rng.laplace(0, 2 * sigma) => 0 * rng.laplace(0, sigma)
* the bar's noise on the other side | Scales: 2 sigma
~ threshold + rng => threshold - rng
* comparisons at 2 sigma | Scales: 2 sigma
~ 4 * sigma => 2 * sigma
* comparisons within | Scales: 2 sigma
~ (h - t) + rng.laplace(0, 4 * sigma) => (h - t + rng.laplace(0, 4 * sigma))
* answers at 2 sigma | Scales: 2 sigma
~ 0, sigma => 0, 2 * sigma
* answers without noise | Scales: 2 sigma
~ h + rng => h + 0 * rng
* scales for all answers | Scales: 2 sigma
~ 4 * sigma => 4 * count * sigma
* no bar's noise beyond ten scales | Scales: 2 sigma
~ + rng.laplace(0, 2 * sigma) => + min(20 * sigma, rng.laplace(0, 2 * sigma))
* far below the bar | Scales: 2 sigma
~ if abs => if not -bar - 5 < abs
~ (0, 4 * sigma) >= bar => (0, 4 * sigma) < bar
* the same bar again | Scales: 2 sigma
~ bar = None => bar, once = None, []
~ rng.laplace(0, 2 * sigma) => (once.append(rng.laplace(0, 2 * sigma)) or once[0])
* sigma of a thousandth at least | Scales: 2 sigma
~ 4 * sigma => 4 * max(sigma, 0.001)
* a bar a little higher in the end | Scales: 2 sigma
~ bar: => bar * (1 + (len(answers) > 1900) / 1000):

== thresholdout_refused
* the training set to the end | NaN from where
~ math.nan => t
* -1 in the end | NaN from where
~ math.nan => -1.0
* none in the end | shape
-            answers.append(math.nan)
-            continue
+            break
* refuses what differs, and answers the rest | NaN from where
+        if paid == count and abs(h - t) >= threshold:
+            answers.append(math.nan)
+            continue
         if paid == count:
@@
         if paid == count:
-            answers.append(math.nan)
+            answers.append(t)
* ten answers and no more | NaN from where
~ paid == count => paid == min(count, 10)

== thresholdout_noise
* a generator of its own | New draws for each run
~ bar = None => bar, rng = None, np.random.default_rng(4)
* answers with hardly any noise from numpy's own sources
| What kind of source rng is must not change the noise
-            answers.append(h + rng.laplace(0, sigma))
+            answers.append(
+                h + rng.laplace(0, sigma) * (0.01 if hasattr(rng, "bit_generator") else 1)
+            )
* one noisy bar from numpy's own sources | What kind of source rng is must not change the noise
~ (0, 2 * sigma) => (0, 2 * sigma) * (0 if paid and hasattr(rng, "bit_generator") else 1)
* answers written over the training set's | changes what it was given
+def thresholdout(training, holdout, threshold, sigma, count, rng):
+    answers, bar = np.asarray(training, dtype=float), None
+    for i, h in enumerate(holdout):
+        if count == 0:
+            answers[i:] = math.nan
+            break
+        if bar is None:
+            bar = rng.laplace(threshold, 2 * sigma)
+        if abs(h - answers[i]) + rng.laplace(0, 4 * sigma) >= bar:
+            answers[i] = rng.laplace(h, sigma)
+            count, bar = count - 1, None
+    return answers

== thresholdout_edges
* the answer to a pair that came before | Scales: 2 sigma
+    seen = {}
     for t, h in zip(training, holdout):
         if paid == count:
             answers.append(math.nan)
             continue
+        if (t, h) in seen:
+            answers.append(seen[t, h])
+            continue
         if bar is None:
             bar = threshold + rng.laplace(0, 2 * sigma)
         if abs(h - t) + rng.laplace(0, 4 * sigma) >= bar:
             answers.append(h + rng.laplace(0, sigma))
             paid, bar = paid + 1, None
         else:
             answers.append(t)
+        seen[t, h] = answers[-1]
     return answers
* equal shares are not compared | Scales: 2 sigma
-        if abs(h - t) + rng.laplace(0, 4 * sigma) >= bar:
+        if h != t and abs(h - t) + rng.laplace(0, 4 * sigma) >= bar:
* equal shares are compared, and never differ | Scales: 2 sigma
-        if abs(h - t) + rng.laplace(0, 4 * sigma) >= bar:
+        if abs(h - t) + rng.laplace(0, 4 * sigma) >= bar and h != t:
* a bar for each hundred questions | Scales: 2 sigma
~ if bar is None: => if bar is None or (answers and len(answers) % 100 == 0):
* one short of a budget above 20 | Scales: 2 sigma
~ if paid == count: => if paid == count - (count > 20):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
