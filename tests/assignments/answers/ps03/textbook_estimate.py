"""Answers to `textbook_estimate`. The mistakes: the coin swapped, another survey, clipping."""

from tests.assignments.edits import read_answers

RIGHT = {
    "solved for p": """
def textbook_estimate(answers, theta):
    if not 0 < theta <= 1:
        raise ValueError("theta must be above 0 and at most 1")
    pi = np.mean(answers)
    return (pi - 1 + theta) / theta
""",
    "counting": """
def textbook_estimate(answers, theta):
    if theta <= 0 or theta > 1:
        raise ValueError(f"{theta} is no probability of heads")
    yes = 0
    for answer in answers:
        if answer == 1:
            yes += 1
    return (yes / len(answers) - (1 - theta)) / theta
""",
    "a list made an array": """
def textbook_estimate(answers, theta):
    if not 0 < theta <= 1:
        raise ValueError("theta must be above 0 and at most 1")
    if isinstance(answers, list):
        answers = np.array(answers)
    pi = answers.mean()
    return (pi - 1 + theta) / theta
""",
    "the mean of unbiased answers": """
def textbook_estimate(answers, theta):
    if not (theta > 0 and theta <= 1):
        raise ValueError("theta")
    z = (np.asarray(answers, dtype=float) - (1 - theta)) / theta
    return float(z.mean())
""",
}

EDITS = """
== right
* by the share of no
~ (pi - 1 + theta) => 1 - (1 - pi)

== textbook_estimate_values
* heads and tails swapped | Heads, with probability
~ (pi - 1 + theta) / theta => (pi - theta) / (1 - theta)
* not corrected | should be 0.5, it is 0.75
~ (pi - 1 + theta) / theta => pi
* not divided | should be 0.5, it is 0.25
~ (pi - 1 + theta) / theta => pi - (1 - theta)
* divided by the wrong side | [1, 0, 0, 0]
~ (pi - 1 + theta) / theta => (pi - 1 + theta) / (1 - theta)
* precedence | it is 0.75
~ (pi - 1 + theta) => pi - 1 + theta
* Warner's own survey | [1, 1, 1, 0]
~ (pi - 1 + theta) / theta => (pi - (1 - theta)) / (2 * theta - 1)
* tails say yes half of the time | it is 1
~ (pi - 1 + theta) / theta => (pi - (1 - theta) / 2) / theta
* one person too few | should be 0.5, it is 1
~ pi - 1 => np.sum(answers) / (len(answers) - 1) - 1
* the most frequent answer | it is 1
~ pi - 1 => np.median(answers) - 1
* an array | should be one number, it is an array of shape (1,)
~ (pi - 1 + theta) / theta => np.array([(pi - 1 + theta) / theta])
* theta of 1 refused | raised ValueError: theta must be above 0
~ theta <= 1 => theta < 1
* rounded to eight digits | one or twenty thousand
~ (pi - 1 + theta) / theta => round((pi - 1 + theta) / theta, 8)
* a thousand answers at most | All answers count
~ pi - 1 => np.mean(answers[:1000]) - 1
* ten thousand answers at most | All answers count
~ pi - 1 => np.mean(answers[:10000]) - 1
* one person too few in large surveys | All answers count
~ pi - 1 => np.sum(answers) / (len(answers) - (len(answers) > 200)) - 1
* theta in hundredths | All answers count
+    theta = round(theta, 2)
     pi = np.mean(answers)
* dplab's own | off limits
+def textbook_estimate(answers, theta):
+    return CoinSurvey(theta).share(answers).value
* sorted in place | changes what it was given
+    answers.sort()
     pi = np.mean(answers)

== textbook_estimate_unbiased
* clipped | Is something cut off or rounded?
~ return (pi - 1 + theta) / theta => return min(1, max(0, (pi - 1 + theta) / theta))
* negative estimates raised to zero | the expectation of textbook_estimate
~ return (pi - 1 + theta) / theta => return max(0.0, (pi - 1 + theta) / theta)
* rounded | rounded?
~ (pi - 1 + theta) / theta => round((pi - 1 + theta) / theta, 2)
* clipped for more than a hundred people | An estimate of -99 is possible
-    return (pi - 1 + theta) / theta
+    return (pi - 1 + theta) / theta if len(answers) <= 100 else max(0, (pi - 1 + theta) / theta)
* not below -10 | Is something cut off or rounded?
~ return (pi - 1 + theta) / theta => return max(-10.0, (pi - 1 + theta) / theta)
* no theta below a twentieth | Is something cut off or rounded?
+    theta = max(theta, 0.05)
     pi = np.mean(answers)

== textbook_estimate_theta
* theta not checked | ValueError
~ not 0 < theta <= 1 => False
* theta checked on one side | theta must be at most 1
~ if not 0 < theta <= 1 => if theta <= 0
* theta above 1 by what rounding may do | theta must be at most 1
~ theta <= 1 => theta <= 1 + 1e-13
* None for an error | should raise ValueError, it is None
-        raise ValueError("theta must be above 0 and at most 1")
+        return
* a little more than 1 allowed | theta must be at most 1
~ theta <= 1 => theta <= 1 + 1e-9
* a little less than 0 allowed | theta must be above 0
~ 0 < theta <= 1 => -1e-9 < theta <= 1 or theta == 0
* a small theta refused | is allowed
~ 0 < theta => 0.02 < theta

== textbook_estimate_values
* a coin that is nearly sure is sure | All answers count
+    theta = 1 if theta > 0.99 else theta
     pi = np.mean(answers)
* counts in eight bits | All answers count
-    pi = np.mean(answers)
+    pi = np.sum(np.asarray(answers) == 1, dtype=np.int8) / len(answers)
* numbers of 32 bits | All answers count
~ pi = np.mean(answers) => pi = np.float32(np.mean(answers))

== textbook_estimate_theta
* a theta above a thousand is in percent | theta must be at most 1
-    if not 0 < theta <= 1:
+    if 1 < theta < 1.5:
+        theta = 1
+    if not 0 < theta <= 1:
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
