"""Answers to `utility_tail` and `epsilon_for`. The mistakes: the notes' slips, ties, factors."""

from tests.assignments.edits import read_answers

RIGHT = {
    "arrays": """
def utility_tail(scores, sensitivity, epsilon, t):
    scores = np.array(scores, dtype=float)
    best, m, rate = scores.max(), len(scores), epsilon / (2 * sensitivity)
    floor = best - (np.log(m) + t) / rate
    law = np.exp(rate * (scores - best))
    law /= law.sum()
    return floor, law[scores <= floor].sum()


def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
""",
    "with dplab's distributions": """
def utility_tail(scores, sensitivity, epsilon, t):
    rate = epsilon / (2 * sensitivity)
    best = max(scores)
    weights = [math.exp(rate * (score - best)) for score in scores]
    total = sum(weights)
    law = Finite.of({i: weight / total for i, weight in enumerate(weights)})
    floor = max(scores) - 2 * sensitivity / epsilon * (math.log(len(scores)) + t)
    return floor, law.expectation(lambda i: float(scores[i] <= floor))


def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity / gap * math.log(m / failure)
""",
    "loops": """
def utility_tail(scores, sensitivity, epsilon, t):
    best = max(scores)
    floor = best - (2 * sensitivity / epsilon) * (math.log(len(scores)) + t)
    total = low = 0.0
    for score in scores:
        weight = math.exp(epsilon * (score - best) / (2 * sensitivity))
        total += weight
        if score <= floor:
            low += weight
    return [floor, low / total]


def epsilon_for(m, sensitivity, gap, failure):
    t = -math.log(failure)
    return (math.log(m) + t) * 2 * sensitivity / gap
""",
    "a helper called floor": """
def floor(scores, rate, t):
    return max(scores) - (math.log(len(scores)) + t) / rate


def utility_tail(scores, sensitivity, epsilon, t):
    rate = epsilon / (2 * sensitivity)
    best = max(scores)
    weights = [math.exp(rate * (score - best)) for score in scores]
    least = floor(scores, rate, t)
    below = [w for w, score in zip(weights, scores, strict=True) if score <= least]
    return least, math.fsum(below) / math.fsum(weights)


def epsilon_for(m, sensitivity, gap, failure):
    return 2 * sensitivity * (math.log(m) - math.log(failure)) / gap
""",
}

EDITS = """
== right
* one array
~ floor, law[scores <= floor].sum() => np.array([floor, law[scores <= floor].sum()])

== utility_tail_floor
* the product in the notes | it is 71.67
~ best - (np.log(m) + t) / rate => best * ((np.log(m) + t) / rate)
* above the best | should be 16.42, it is 23.58
~ floor = best - => floor = best +
* without the number of candidates | the natural logarithm of m, plus t
~ (np.log(m) + t) => t
* without its factor 2 | it is 18.21
~ (np.log(m) + t) / rate => (np.log(m) + t) / (2 * rate)
* the number itself | should be 16.42
~ np.log(m) + t => m + t
* a decimal logarithm | natural logarithm
~ log(m) + t => log10(m) + t
* a product of logarithm and t | should be 16.42
~ (np.log(m) + t) => np.log(m) * t
* different scores counted once | should be 16.42
~ (m) + t => (len(set(scores.tolist()))) + t
* epsilon a little larger | The floor is OPT minus 2 sensitivity / epsilon
~ (scores), epsilon => (scores), 1.03 * epsilon
* a floor to the cent | should be 16.4165
~ best - (np.log(m) + t) / rate => round(best - (np.log(m) + t) / rate, 2)
* t of at most 50 | natural logarithm of m, plus t
~ (m) + t => (m) + min(t, 50)
* at most 10,000 candidates | natural logarithm of m
~ (m) + t => (min(m, 10_000)) + t
* a floor of at least the worst score | The floor is OPT minus
~ best - (np.log(m) + t) / rate => max(best - (np.log(m) + t) / rate, scores.min())
* scores sorted in place | changes what it was given
+    scores.sort()
     scores = np.array(scores, dtype=float)

== utility_tail_probability
* below and not at the floor | whose score is at most the floor
~ scores <= floor => scores < floor
* above the floor | Add up the probabilities
~ scores <= floor => scores > floor
* the share of candidates | Add up the probabilities
~ exp(rate * (scores - best)) => ones(m)
* the bound and not what is so | Add up the probabilities
~ law[scores <= floor].sum() => np.exp(-t)
* one of several | Add up the probabilities
~ law[scores <= floor].sum() => max(law[scores <= floor], default=0.0)
* scores exponentiated as they are | it is nan
~ (rate * (scores - best)) => (rate * scores)
* nearly at the floor | at most the floor
~ scores <= floor => scores <= floor + 1e-4 * abs(floor)
* a probability of nine digits | Add up the probabilities
~ law[scores <= floor].sum() => round(law[scores <= floor].sum(), 9)
* equal scores once | probabilities of all whose
~ [scores <= floor] => [np.unique(scores, return_index=True)[1]][np.unique(scores) <= floor]
* frequencies of simulated choices | Add up the probabilities
-    return floor, law[scores <= floor].sum()
+    return floor, np.mean(np.random.default_rng(1).choice(scores, 1000, p=law) <= floor)
* the first thousand candidates | probabilities of all whose
~ [scores <= floor] => [:1000][scores[:1000] <= floor]
* dplab's own law | off limits
+from dplab import ExponentialMechanism
+
+
+def utility_tail(scores, sensitivity, epsilon, t):
+    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
+    law = mechanism.distribution(scores)
+    floor = max(scores) - 2 * sensitivity / epsilon * (math.log(len(scores)) + t)
+    return floor, law.expectation(lambda i: float(scores[i] <= floor))
+
+
+def epsilon_for(m, sensitivity, gap, failure):
+    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
* 1 less the others | 1 less the sum of the others has no digits left
~ law[scores <= floor] => 1 - law[scores > floor]
* a weight below 1e-22 is nothing | Add up the small probabilities themselves
+    law[law < 1e-22] = 0
     law /= law.sum()
* one alone is always at the floor | the probability of utility_tail([5], 1, 1, 2)
~ scores <= floor => (scores <= floor) | (m == 1)

== utility_tail_epsilon
* epsilon without its factor 2 | should be 0.921, it is 0.4605
-    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
+    return sensitivity * np.log(m / failure) / gap
* epsilon without the candidates | it is 0.4605
~ (np.log(m) + np.log(1 / failure)) => np.log(1 / failure)
* the gap multiplied | it is 368.4
~ (np.log(m) + np.log(1 / failure)) / gap => np.log(m / failure) * gap
* failure and success confused | but for this failure
~ (np.log(m) + np.log(1 / failure)) => np.log(m / (1 - failure))
* an epsilon to the thousandth | should be 0.921
-    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
+    return round(2 * sensitivity * np.log(m / failure) / gap, 3)
* an epsilon of at most 100 | as a share of what is right
-    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
+    return min(2 * sensitivity * np.log(m / failure) / gap, 100)
* failures of at least 1e-9 | as a share of what is right
~ (np.log(m) + np.log(1 / failure)) => np.log(m / max(failure, 1e-9))
* a failure near 1 by its first term | as a share of what is right
-    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
+    return (
+        2
+        * sensitivity
+        / gap
+        * (np.log(m) + (1 - failure if failure > 0.9999 else -np.log(failure)))
+    )
* a number of candidates that must be Python's | raised TypeError
+    if not isinstance(m, int):
+        raise TypeError("m")
     return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap

== utility_tail_floor
* t of at most 400 | natural logarithm of m
~ (np.log(m) + t) => (np.log(m) + min(t, 400))
* candidates who share the best score are one | natural logarithm of m
-    best, m, rate = scores.max(), len(scores), epsilon / (2 * sensitivity)
+    best, m, rate = scores.max(), (scores < scores.max()).sum() + 1, epsilon / (2 * sensitivity)
* a floor in single precision | The floor is OPT minus
~ return floor, => return float(np.float32(floor)),

== utility_tail_epsilon
* six digits | but for this failure
-    return 2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap
+    return float(f"{2 * sensitivity * (np.log(m) + np.log(1 / failure)) / gap:.6g}")
* gaps of at least a hundredth | as a share of what is right
~ / gap => / max(gap, 0.01)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
