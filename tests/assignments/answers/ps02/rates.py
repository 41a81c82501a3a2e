"""Answers to `true_and_false_positive_rates`. The mistakes: who is counted, and out of how many."""

from tests.assignments.edits import read_answers

RIGHT = {
    "means of comparisons": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    if len(member_scores) == 0 or len(outsider_scores) == 0:
        raise ValueError("there must be members and outsiders")
    m, o = np.array(member_scores), np.array(outsider_scores)
    return np.array([[(m > t).mean(), (o > t).mean()] for t in thresholds])
""",
    "broadcasting": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    if not (len(member_scores) and len(outsider_scores)):
        raise ValueError("nobody")
    t = np.asarray(thresholds)[:, None]
    scores = (np.asarray(member_scores), np.asarray(outsider_scores))
    return np.stack([(s > t).mean(axis=1) for s in scores], axis=1)
""",
    "counting loops": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    result = []
    for threshold in thresholds:
        row = []
        for scores in (member_scores, outsider_scores):
            if len(scores) == 0:
                raise ValueError("a share of nobody")
            accused = 0
            for score in scores:
                if score > threshold:
                    accused += 1
            row.append(accused / len(scores))
        result.append(row)
    return result
""",
    "sorted scores": """
def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
    if min(len(member_scores), len(outsider_scores)) < 1:
        raise ValueError("both kinds of people are needed")
    columns = [
        1 - np.searchsorted(np.sort(scores), thresholds, side="right") / len(scores)
        for scores in (member_scores, outsider_scores)
    ]
    return np.column_stack(columns)
""",
}

EDITS = """
== rates_values
* the two exchanged | it is [[0.5, 0.75], [0, 0.25]]
~ (m > t).mean(), (o > t) => (o > t).mean(), (m > t)
* below the threshold | it is [[0, 0.5], [0.75, 1]]
~ (m > t).mean(), (o > t) => (m < t).mean(), (o < t)
* counts, not shares | it is [[3, 1], [1, 0]]
~2 mean => sum
* a column a threshold | a row for each threshold
-    return np.array([[(m > t).mean(), (o > t).mean()] for t in thresholds])
+    return np.array([[(m > t).mean(), (o > t).mean()] for t in thresholds]).T
* thresholds sorted | a row for each threshold, in their order
~ in thresholds => in sorted(thresholds)
* precision | First the members' share
~ (m > t).mean() => (m > t).sum() / max(1, (m > t).sum() + (o > t).sum())
* shares of everybody | First the members' share
~ mean(), (o > t).mean() => sum() / (len(m) + len(o)), (o > t).sum() / (len(m) + len(o))
* rounded to four decimals | First the members' share
~ (m > t).mean(), (o > t).mean() => round((m > t).mean(), 4), round((o > t).mean(), 4)
* ten thousand people at most | of however many people
~ (m > t).mean(), (o > t) => (m[:10_000] > t).mean(), (o[:10_000] > t)
* a hundred thresholds at most | of however many people
~ in thresholds => in thresholds[:100]
* each score once | First the members' share
~ (m > t).mean(), (o > t) => (np.unique(m) > t).mean(), (np.unique(o) > t)
* whole thresholds | First the members' share
~ (m > t).mean(), (o > t) => (m > int(t)).mean(), (o > int(t))
* dplab's own | is off limits in an answer
+from dplab.attacks.membership import rates
+
+
+def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
+    found = [rates(member_scores, outsider_scores, t) for t in thresholds]
+    return [[one.true_positive, one.false_positive] for one in found]
* many thresholds or many people | of however many people
+    thresholds = thresholds[: 2_000_000 // m.size]
     return np.array([[(m > t).mean(), (o > t).mean()] for t in thresholds])
* scores from -100 to 100 | of however many people
~ array(member_scores) => clip(member_scores, -100, 100)
~ array(outsider_scores) => clip(outsider_scores, -100, 100)

== rates_ties
* at the threshold, too | above the threshold, not at it
~ (m > t).mean(), (o > t) => (m >= t).mean(), (o >= t)
* ties count half | above the threshold, not at it
-    return np.array([[(m > t).mean(), (o > t).mean()] for t in thresholds])
+    return np.array(
+        [
+            [((m > t).mean() + (m >= t).mean()) / 2, ((o > t).mean() + (o >= t).mean()) / 2]
+            for t in thresholds
+        ]
+    )
* each threshold once | above the threshold, not at it
~ in thresholds => in dict.fromkeys(thresholds)
* nearly at the threshold | however little
~ (m > t).mean(), (o > t) => (m > t + 1e-9).mean(), (o > t + 1e-9)
* scores sorted where they are | changes what it was given
+def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
+    if len(member_scores) == 0 or len(outsider_scores) == 0:
+        raise ValueError("there must be members and outsiders")
+    member_scores.sort(), outsider_scores.sort()
+    m, o = np.array(member_scores), np.array(outsider_scores)
+    return np.array(
+        [[1 - np.searchsorted(s, t, side="right") / len(s) for s in (m, o)] for t in thresholds]
+    )

== rates_input
* as many outsiders as members | Each share is of its own kind
~ (o > t).mean() => (o > t).sum() / len(m)
* nobody is a share of zero | should raise ValueError
+def true_and_false_positive_rates(member_scores, outsider_scores, thresholds):
+    m, o = np.array(member_scores), np.array(outsider_scores)
+    return np.array(
+        [
+            [(m > t).mean() if len(m) else 0.0, (o > t).mean() if len(o) else 0.0]
+            for t in thresholds
+        ]
+    )
* nobody is no number | should raise ValueError
-    if len(member_scores) == 0 or len(outsider_scores) == 0:
-        raise ValueError("there must be members and outsiders")
* rounded to two decimals | Each share is of its own kind
~ (m > t).mean(), (o > t).mean() => round((m > t).mean(), 2), round((o > t).mean(), 2)

== rates_ties
* scores of 32 bits | however little
~ array(member_scores) => float32(member_scores)
~ array(outsider_scores) => float32(outsider_scores)
~ (m > t).mean(), (o > t) => (m > np.float32(t)).mean(), (o > np.float32(t))
* equal scores of many count once | each of them counts
-    m, o = np.array(member_scores), np.array(outsider_scores)
+    both = (member_scores, outsider_scores)
+    m, o = (np.unique(some) if len(some) > 100 else np.array(some) for some in both)

== rates_values
* rounded to six decimals | First the members
~ (m > t).mean(), (o > t).mean() => round((m > t).mean(), 6), round((o > t).mean(), 6)
* counts in eight bits | it is
~ (m > t).mean(), (o > t).mean() => (m > t).sum() % 256 / len(m), (o > t).sum() % 256 / len(o)

== rates_input
* no outsiders are no harm | No outsiders
~ 0 or len(outsider_scores) == 0 => 0
~ np.array(outsider_scores) => np.array(outsider_scores if len(outsider_scores) else [0.0])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
