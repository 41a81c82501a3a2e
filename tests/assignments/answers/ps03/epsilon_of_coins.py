"""Answers to `epsilon_of_coins`. The mistakes: one answer of the two, one infinity of three."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the worse of two": """
def epsilon_of_coins(theta, yes):
    if theta == 1 or yes == 0 or yes == 1:
        return math.inf
    false_yes, false_no = (1 - theta) * yes, (1 - theta) * (1 - yes)
    of_yes = math.log((theta + false_yes) / false_yes)
    of_no = math.log((theta + false_no) / false_no)
    return max(of_yes, of_no)
""",
    "two laws": """
def epsilon_of_coins(theta, yes):
    worst = 0
    for answer in (0, 1):
        chance = (1 - theta) * (yes if answer == 1 else 1 - yes)
        if chance == 0:
            return float("inf")
        worst = max(worst, abs(math.log(chance / (theta + chance))))
    return worst
""",
    "the rarer false answer": """
def epsilon_of_coins(theta, yes):
    rarer = (1 - theta) * min(yes, 1 - yes)
    return np.log1p(theta / rarer) if rarer > 0 else np.inf
""",
    "an error caught": """
def epsilon_of_coins(theta, yes):
    try:
        ratios = [1 + theta / ((1 - theta) * share) for share in (float(yes), 1.0 - yes)]
    except ZeroDivisionError:
        return math.inf
    return math.log(max(ratios))
""",
    "arrays": """
def epsilon_of_coins(theta, yes):
    forced = (1 - theta) * np.array([1 - yes, yes])
    laws = forced + theta * np.eye(2)
    with np.errstate(divide="ignore"):
        return np.abs(np.log(laws[0]) - np.log(laws[1])).max()
""",
}

EDITS = """
== epsilon_of_coins_worse_answer
* only YES | should be 1.609
~ max(of_yes, of_no) => of_yes
* only NO | log-ratio of both answers
~ max(of_yes, of_no) => of_no
* the better of two | the larger one counts
~ return max => return min
* the average of two | should be 1.609
~ max(of_yes, of_no) => (of_yes + of_no) / 2
* the second coin taken for fair | it is 1.099
~ max(of_yes, of_no) => math.log((1 + theta) / (1 - theta))
* infinite where YES is rare | the larger one counts
~ yes == 0 or yes == 1 => not 0.001 < yes < 0.999
* ten at most | the larger one counts
~ max(of_yes, of_no) => min(max(of_yes, of_no), 10.0)
* no NO where everybody says YES | the larger one counts
+    yes = max(yes, 0.01)
     false_yes, false_no = (1 - theta) * yes, (1 - theta) * (1 - yes)

== epsilon_of_coins_fair
* the sum of two | should be 1.099, it is 2.197
~ max(of_yes, of_no) => of_yes + of_no
* no logarithm | should be 1.099, it is 3
~ max(of_yes, of_no) => math.exp(max(of_yes, of_no))
* another base | it is 1.585
~ (of_yes, of_no) => (of_yes, of_no) / math.log(2)
* a sign | it is -1.099
~ max(of_yes, of_no) => min(-of_yes, -of_no)
* heads and tails swapped | epsilon_of_coins(0.8, 0.5) should be 2.197
~ (1 - theta) * yes, (1 - theta) => theta * yes, theta
~ theta + false_yes => 1 - theta + false_yes
~ theta + false_no => 1 - theta + false_no
* the odds of heads | should be 1.099, it is 0
+def epsilon_of_coins(theta, yes):
+    return math.log(theta / (1 - theta))
* infinite where heads nearly always come | take the logarithm
~ theta == 1 => theta > 0.999
* nothing told where heads hardly ever come | take the logarithm
~ (of_yes, of_no) => (of_yes, of_no) if theta > 0.001 else 0.0
* rounded to six digits | should be 1.09861229
~ max(of_yes, of_no) => round(max(of_yes, of_no), 6)
* rounded to eight digits | take the logarithm
~ max(of_yes, of_no) => round(max(of_yes, of_no), 8)
* the coin that favours YES | should be 1.09861229
~ max(of_yes, of_no) => of_no if yes > 0.5 else of_yes + 1e-7
* dplab's own | off limits
+def epsilon_of_coins(theta, yes):
+    return CoinSurvey(theta, yes).privacy_loss(0, 1).largest_log_ratio

== epsilon_of_coins_infinite
* division by zero | raised ZeroDivisionError
-    if theta == 1 or yes == 0 or yes == 1:
+    if False:
* infinity from one side only | Who can answer YES?
~ if theta == 1 or yes == 0 or => if
* heads that always come | Heads always
~ if theta == 1 or => if
* a large number for infinity | should be inf, it is 2
-    if theta == 1 or yes == 0 or yes == 1:
+    if False:
~ ((theta + false_yes) / false_yes) => ((theta + false_yes) / (false_yes + 1e-12))
~ ((theta + false_no) / false_no) => ((theta + false_no) / (false_no + 1e-12))
* the text inf | should be a number, it is 'inf'
~ math.inf => "inf"
* nothing where there is none | is None
~ math.inf => None
* YES alone, where tails always say YES | Who can answer NO?
~ math.inf => math.log(1 / (1 - theta)) if theta < 1 else math.inf
* finite for whole numbers | Who can answer NO?
~ yes == 0 or yes == 1 => 0.0 in (yes, 1 - yes) and type(yes) is int

== epsilon_of_coins_fair
* a straight line for small theta | take the logarithm
~ return max(of_yes, of_no) => return max(of_yes, of_no) if theta > 0.05 else 2 * theta
* no theta above 0.9998 | take the logarithm
+    theta = theta if theta == 1 else min(theta, 0.9998)
     false_yes, false_no = (1 - theta) * yes, (1 - theta) * (1 - yes)

== epsilon_of_coins_infinite
* heads that always come, with a fair coin | raised ZeroDivisionError
~ theta == 1 or => theta == 1 and yes in (0, 0.5, 1) or

== epsilon_of_coins_worse_answer
* the larger ratio in 32 bits | the larger one counts
~ max(of_yes, of_no) => float(np.float32(max(of_yes, of_no)))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
