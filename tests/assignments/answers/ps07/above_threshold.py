"""Answers to `above_threshold`. The mistakes: the wrong variants of lesson 14, and no end."""

from tests.assignments.edits import read_answers

RIGHT = {
    "as the text says": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
    replies = [-1] * len(answers)
    for i, answer in enumerate(answers):
        noisy = answer + rng.laplace(scale=4 * count * sensitivity / epsilon)
        replies[i] = int(noisy >= bar)
        if replies[i] == 1 and replies.count(1) == count:
            return replies
    return replies
""",
    "all noise at once": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    answers = np.asarray(answers, dtype=float)
    bar = threshold + 2 * sensitivity / epsilon * rng.laplace()
    noisy = answers + rng.laplace(0, 4 * count * sensitivity / epsilon, size=answers.shape)
    above = noisy >= bar
    before = np.cumsum(above) - above
    return np.where(before < count, above.astype(int), -1)
""",
    "halves of epsilon": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    first, second = epsilon / 2, epsilon / 2
    noise = rng.laplace(0, sensitivity / first)
    hits = np.array([
        a + rng.laplace(0, 2 * count * sensitivity / second) >= threshold + noise for a in answers
    ])
    replies = hits.astype(int)
    ones = 0
    for i, hit in enumerate(hits):
        ones += hit
        if ones == count:
            replies[i + 1 :] = -1
            break
    return replies
""",
    "by the inverse distribution function": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    bar = threshold + laplace(rng, scale=2 * sensitivity / epsilon)
    replies = [-1] * len(answers)
    for i, answer in enumerate(answers):
        noisy = answer + laplace(rng, scale=4 * count * sensitivity / epsilon)
        replies[i] = int(noisy >= bar)
        if replies[i] == 1 and replies.count(1) == count:
            return replies
    return replies


def laplace(rng, scale):
    u = rng.random() - 0.5
    return -scale * np.sign(u) * np.log1p(-2 * abs(u))
""",
    "differences of exponentials": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    def laplace(scale):
        return scale * (rng.exponential() - rng.exponential())

    bar, replies, left = threshold + laplace(2 * sensitivity / epsilon), [], count
    for answer in answers:
        if left == 0:
            replies.append(-1)
        elif answer + laplace(4 * count * sensitivity / epsilon) > bar:
            replies.append(1)
            left -= 1
        else:
            replies.append(0)
    return np.array(replies)
""",
    "a table of noise": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    noise = sensitivity / epsilon * rng.laplace(size=(2, len(answers)))
    hits = np.asarray(answers) + 4 * count * noise[1] >= threshold + 2 * noise[0, 0]
    replies = hits.astype(int)
    ones = 0
    for i, hit in enumerate(hits):
        ones += hit
        if ones == count:
            replies[i + 1 :] = -1
            break
    return replies
""",
    "the threshold's two exponentials, then two rows of them": """
def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
    unit = sensitivity / epsilon
    bar = threshold + rng.exponential(2 * unit) - rng.exponential(2 * unit)
    more, less = (rng.exponential(4 * count * unit, len(answers)) for _ in range(2))
    hits = np.array(answers) + more - less >= bar
    replies = hits.astype(int)
    ones = 0
    for i, hit in enumerate(hits):
        ones += hit
        if ones == count:
            replies[i + 1 :] = -1
            break
    return replies
""",
}

EDITS = """
== right
* noise taken from its end
+    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))
     replies = [-1] * len(answers)
~ rng.laplace(scale=4 * count * sensitivity / epsilon) => noise.pop()
* noise shuffled
+    noise = rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers))
+    rng.shuffle(noise)
     replies = [-1] * len(answers)
~ rng.laplace(scale=4 * count * sensitivity / epsilon) => noise[i]
* two columns of noise | edits a table of noise
~ 2, len(answers) => len(answers), 2
~ noise[1] => noise[:, 1]
* noise with a sign of its own | edits by the inverse distribution function
~ scale=2 => 2
~ scale=4 => 4
-    u = rng.random() - 0.5
-    return -scale * np.sign(u) * np.log1p(-2 * abs(u))
+    return scale * rng.choice([-1, 1]) * rng.exponential()

== above_threshold_private
* no noise at all | prove a privacy loss
~ threshold + rng.laplace(scale=2 * sensitivity / epsilon) => threshold
~ answer + rng.laplace(scale=4 * count * sensitivity / epsilon) => answer

== above_threshold_law
* no noise on the answers | Look at both scales of noise
~ answer + rng.laplace(scale=4 * count * sensitivity / epsilon) => answer
* no noise on the threshold | is drawn once
~ threshold + rng.laplace(scale=2 * sensitivity / epsilon) => threshold
* a new threshold for every answer | is drawn once
~ threshold + rng.laplace(scale=2 * sensitivity / epsilon) => threshold
~ (noisy >= bar) => (noisy >= bar + rng.laplace(scale=2 * sensitivity / epsilon))
* noise not scaled by count | count 2
~ count * sensitivity => sensitivity
* half the noise on the answers | Look at both scales of noise
~ 4 * count => 2 * count
* the sensitivity forgotten | sensitivity 3
~ count * sensitivity / => count /
* one noise for all answers | the others each time
-    bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
+    bar = (
+        threshold
+        + rng.laplace(scale=2 * sensitivity / epsilon)
+        + rng.laplace(scale=4 * count * sensitivity / epsilon)
+    )
~ answer + rng.laplace(scale=4 * count * sensitivity / epsilon) => answer
* dplab's own | off limits
+
+from dplab import AboveThreshold
+
 
 def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
-    bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
-    replies = [-1] * len(answers)
-    for i, answer in enumerate(answers):
-        noisy = answer + rng.laplace(scale=4 * count * sensitivity / epsilon)
-        replies[i] = int(noisy >= bar)
-        if replies[i] == 1 and replies.count(1) == count:
-            return replies
-    return replies
+    options = dict(
+        threshold=threshold, sensitivity=sensitivity, epsilon=epsilon, max_positives=count
+    )
+    said = AboveThreshold(**options)(answers, rng)
+    return [int(reply) for reply in said] + [-1] * (len(answers) - len(said))
* noise that is 20% too small, of exponential draws | Look at both scales of noise
| edits noise taken from its end
-    bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
-    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))
+    bar = threshold + 1.6 * sensitivity / epsilon * (rng.exponential() - rng.exponential())
~ noise.pop() => 3.2 * count * sensitivity / epsilon * (rng.exponential() - rng.exponential())
* a count of at most 10, by the inverse distribution function | Look at both scales of noise
| edits by the inverse distribution function
~ 4 * count => 4 * min(count, 10)

== above_threshold_noise
* Gaussian noise | The noise is Laplace noise
~ answer + rng.laplace => answer + rng.normal
* epsilon a little larger | the noise that was drawn
+    epsilon = 1.03 * epsilon
     bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
* 3.4 in place of 4 | 2 count times as wide
~ 4 * count => 3.4 * count
* a new threshold after each 1 | the noise that was drawn
+        if replies[i] == 1:
+            bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
         if replies[i] == 1 and replies.count(1) == count:
* a new threshold every eight answers | the noise that was drawn
+        if i % 8 == 7:
+            bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
         noisy = answer + rng.laplace(scale=4 * count * sensitivity / epsilon)
* noise of at most 8 scales | the noise that was drawn
-        noisy = answer + rng.laplace(scale=4 * count * sensitivity / epsilon)
+        noisy = answer + np.clip(rng.laplace(), -8, 8) * 4 * count * sensitivity / epsilon
* no noise after 5,000 answers | the noise that was drawn
~ answer + rng => answer + (i < 5000) * rng
* the noise of 1,023 answers again and again | the noise that was drawn
| edits noise taken from its end
-    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))
+    noise = rng.laplace(size=min(len(answers), 1023))
~ noise.pop() => noise[i % 1023] * 4 * count * sensitivity / epsilon
* opposite noise for every second answer | the noise that was drawn | edits noise taken from its end
-    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))
+    noise = np.repeat(rng.laplace(size=len(answers)), 2)
+    noise[1::2] *= -1 if len(answers) > 100 else 1
~ noise.pop() => noise[i] * 4 * count * sensitivity / epsilon
* a count of at most 10 | 2 count times as wide
~ 4 * count => 4 * min(count, 10)
* no noise at an epsilon of 5 or more | the noise that was drawn
~ answer + rng => answer + (epsilon < 5) * rng
* the same noise again after 11,000 answers | are not those of the noise that was drawn
| edits noise taken from its end
-    noise = list(rng.laplace(scale=4 * count * sensitivity / epsilon, size=len(answers)))
+    each = rng.laplace(size=min(11_000, len(answers)))
~ noise.pop() => 4 * count * sensitivity / epsilon * each[i % 11_000]
* no noise after 5,000 answers, in two columns | are not those of the noise that was drawn
| edits two columns of noise
+    noise[5000:, 1] = 0
     hits = np.asarray(answers) + 4 * count * noise[:, 1] >= threshold + 2 * noise[0, 0]
* a new threshold after each 1, by the inverse distribution function
| are not those of the noise that was drawn | edits by the inverse distribution function
~ scale=2 => 2
~ scale=4 => 4
+        if replies[i] == 1:
+            bar = threshold + laplace(rng, 2 * sensitivity / epsilon)
         if replies[i] == 1 and replies.count(1) == count:
* noise of at most 8 scales, by the inverse distribution function
| are not those of the noise that was drawn | edits by the inverse distribution function
~ scale=2 => 2
~ scale=4 => 4
~ np.log1p(-2 * abs(u)) => max(np.log1p(-2 * abs(u)), -8)
* noise of at most 6 scales, with a sign of its own | no noise is beyond 6.5 scales
| edits noise with a sign of its own
~ rng.exponential() => min(6, rng.exponential())
* no noise after 1,000 answers, with a sign of its own | eighty answers in a row have no noise
| edits noise with a sign of its own
~ answer + laplace => answer + (i < 1000) * laplace
* the noise of twenty answers again and again, with a sign of its own
| noise of answers goes together | edits noise with a sign of its own
+    kept = [laplace(rng, 1) for _ in range(20)]
     replies = [-1] * len(answers)
@@
-        noisy = answer + laplace(rng, 4 * count * sensitivity / epsilon)
+        noisy = answer + kept[i % 20] * (4 * count * sensitivity / epsilon)
* a new threshold every eight answers, with a sign of its own | stays for the whole stream
| edits noise with a sign of its own
+        if i % 8 == 7:
+            bar = threshold + laplace(rng, 2 * sensitivity / epsilon)
         if replies[i] == 1 and replies.count(1) == count:

== above_threshold_stops
* it never stops | should be [0, 1, 0, 1, -1]
~ (1) == count => (1) > len(answers)
* it stops at the first | it is [0, 1, -1, -1, -1]
~ (1) == count => (1) == 1
* it stops one too late | after the count-th 1
~ (1) == count => (1) > count
* a list that ends | should be an array of shape (5,)
-            return replies
+            return replies[: i + 1]
* below for above | 1 at or above the threshold
~ noisy >= bar => noisy < bar
* the answers themselves | should be [0, 1, 0, 1, -1]
~ int(noisy >= bar) => noisy if noisy >= bar else 0
* a count that must be Python's | raised TypeError
+    if type(count) is not int:
+        raise TypeError("count")
     bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)

== above_threshold_generator
* a seed of its own | same result for two seeds
+    rng = np.random.default_rng(1)
     bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
* numpy's global generator | two results for one seed
~ threshold + rng => threshold + np.random
* the same again after 1,023 runs | Every run needs draws of its own
+
+_kept, _runs = [], iter(range(10**9))
+

 def above_threshold(answers, threshold, sensitivity, epsilon, count, rng):
@@
+    rng = _source(answers, rng)
     bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
@@
     return replies
+
+
+def _source(answers, rng):
+    if len(answers) != 1:
+        return rng
+    run = next(_runs)
+    if run < 1023:
+        _kept.append(rng.integers(2**62))
+    return np.random.default_rng(_kept[run % 1023])
* one of 1,000 seeds | those of another run
+    rng = np.random.default_rng(rng.integers(1000))
     bar = threshold + rng.laplace(scale=2 * sensitivity / epsilon)

== above_threshold_stops
* one short of a count above 20 | after the count-th 1
~ replies.count(1) == count => replies.count(1) == count - (count > 20)
* the last of 12,000 answers left out | after the count-th 1
~ enumerate(answers) => enumerate(answers[:11_999])
* ninety-nine at most | after the count-th 1
~ replies.count(1) == count => replies.count(1) == min(count, 99)

== above_threshold_law
* equal answers get equal replies | Look at both scales of noise
-    for i, answer in enumerate(answers):
-        noisy = answer + rng.laplace(scale=4 * count * sensitivity / epsilon)
+    known = {}
+    for i, answer in enumerate(answers):
+        noise = rng.laplace(scale=4 * count * sensitivity / epsilon)
+        noisy = known.setdefault(answer, answer + noise)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
