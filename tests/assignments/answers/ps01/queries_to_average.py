"""Answers to `queries_to_average`. The mistakes: variances, tails or halves confused; rounding."""

from tests.assignments.edits import read_answers

RIGHT = {
    "solved for k": """
def queries_to_average(variance, gap, confidence):
    if not 0.5 < confidence < 1:
        raise ValueError("confidence must be above 1/2 and below 1")
    z = norm.ppf(confidence)
    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
""",
    "the survival function": """
def queries_to_average(variance, gap, confidence):
    if not 0.5 < confidence < 1:
        raise ValueError("confidence must be above 1/2 and below 1")
    z = norm.isf(1 - confidence)
    return max(1, int(np.ceil(2 * variance * (z / (gap / 2)) ** 2)))
""",
    "doubling and halving": """
def queries_to_average(variance, gap, confidence):
    if not (confidence > 0.5 and confidence < 1):
        raise ValueError(f"{confidence} is no confidence")
    def chance(k):
        return norm.cdf(gap / 2, scale=math.sqrt(2 * variance / k))
    enough = 1
    while chance(enough) < confidence:
        enough *= 2
    low = enough // 2
    while enough - low > 1:
        middle = (low + enough) // 2
        if chance(middle) < confidence:
            low = middle
        else:
            enough = middle
    return enough
""",
    "the standard deviation": """
def queries_to_average(variance, gap, confidence):
    if confidence <= 0.5 or confidence >= 1 or math.isnan(confidence):
        raise ValueError("a confidence is above 1/2 and below 1")
    deviation = math.sqrt(variance + variance)
    needed = gap / 2 / norm.ppf(confidence)
    return max(1, math.ceil((deviation / needed) ** 2))
""",
}

EDITS = """
== queries_to_average_lesson
* the variance of one answer | should be 433, it is 217
~ 8 * variance => 4 * variance
* the whole gap | should be 433, it is 109
~ 8 * variance => 2 * variance
* variance taken for a deviation | should be 433, it is 4330
~ * (z / gap) => ** 2 * (z / gap)
* both tails | should be 433, it is 531
~ (confidence) => ((1 + confidence) / 2)
* the square forgotten | should be 433, it is 187
~ (1, math.ceil(8 * variance * (z / gap) ** 2)) => (1, math.ceil(8 * variance * z / gap))
* rounded down | should be 433, it is 432
~ math.ceil => math.floor
* rounded | should be 37, it is 36
~ math.ceil => round
* answers counted, not pairs | should be 433, it is 866
~ return max => return 2 * max
* three per cent more | should be 433, it is 446
~ 8 * variance => 1.03 * 8 * variance
* the quantile to two decimals | should be 433, it is 435
~ norm.ppf(confidence) => round(norm.ppf(confidence), 2)
* dplab's own | is off limits in an answer
+from dplab.attacks.averaging import pairs_to_be_right
+
+
+def queries_to_average(variance, gap, confidence):
+    if not 0.5 < confidence < 1:
+        raise ValueError("no confidence")
+    return pairs_to_be_right(confidence, 2 * variance, gap)

== queries_to_average_limits
* a table for one answer | No pair at all is no evidence
~ 8 * variance * (z / gap) => 80 * z
* no pair for hardly any noise | a pair is the least
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return math.ceil(8 * variance * (z / gap) ** 2 - 0.01)
* any confidence | No guess is ever certain
+def queries_to_average(variance, gap, confidence):
+    z = norm.ppf(confidence)
+    return max(1, math.ceil(min(8 * variance * (z / gap) ** 2, 1e9)))
* a coin is a confidence | That takes no question
~ 0.5 < confidence => 0.5 <= confidence
* variances are one or more | No pair at all is no evidence
~ 8 * variance => 8 * max(variance, 1)
* hardly above a half is no confidence | raised ValueError
~ 0.5 => 0.501
* a little below a half is a confidence | That is no confidence
~ not 0.5 => confidence == 0.5 or not 0.499
* no confidence is taken for none given | That is no confidence
~ if not => if confidence and not
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return max(1, math.ceil(8 * variance * (z / gap) ** 2)) if confidence else 1

== queries_to_average_least
* the gap forgotten | with one pair less the guess is right
~ (z / gap) => z
* the gap not squared | Look at how k depends on the variance and on the gap
~ (1, math.ceil(8 * variance * (z / gap) ** 2)) => (1, math.ceil(8 * variance * z ** 2 / gap))
* the gap on the wrong side | with one pair less the guess is right
~ z / gap => z * gap
* not rounded | should be a whole number from 1 on
~ (1, math.ceil(8 * variance * (z / gap) ** 2)) => (1, 8 * variance * (z / gap) ** 2)
* one more, to be safe | with one pair less the guess is right
~ max(1, math.ceil(8 * variance * (z / gap) ** 2)) => 1 + math.ceil(8 * variance * (z / gap) ** 2)
* one in a thousand more | with one pair less
~ 8 * variance => 1.001 * 8 * variance
* the quantile to four decimals | It is the least number
~ norm.ppf(confidence) => round(norm.ppf(confidence), 4)
* no more than ten thousand | It is the least number
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return min(10_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))
* no more than half a million | It is the least number
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return min(500_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))
* no more than 990,000 | It is the least number
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return min(990_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))
* as sure as can be at one in ten thousand | It is the least number
~ (confidence) => (min(confidence, 0.9999))
* as sure as can be at one in 200,000 | It is the least number
~ (confidence) => (min(confidence, 1 - 5e-6))
* gaps are a tenth or more | It is the least number
~ z / gap => z / max(gap, 0.1)
* whole variances | It is the least number
~ 8 * variance => 8 * round(variance)
* hardly sure takes one pair | the least number for every variance
~ return max => return 1 if confidence < 0.505 else max

== queries_to_average_least
* the quantile to six decimals | to the last digit
~ norm.ppf(confidence) => round(norm.ppf(confidence), 6)
* no more than 999,999 | to the last digit
-    return max(1, math.ceil(8 * variance * (z / gap) ** 2))
+    return min(999_999, max(1, math.ceil(8 * variance * (z / gap) ** 2)))
* gaps are 99 or less | to the last digit
~ z / gap => z / min(gap, 99)
* nearly a whole number is rounded down | to the last digit
~ 8 * variance * (z / gap) ** 2)) => 8 * variance * (z / gap) ** 2 - 0.005))
* numbers of 32 bits | to the last digit
~ norm.ppf(confidence) => float(np.float32(norm.ppf(confidence)))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
