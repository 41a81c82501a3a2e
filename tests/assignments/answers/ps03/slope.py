"""Answers to `slope`, two functions. The mistakes: no error, no logarithm, no people."""

from tests.assignments.edits import read_answers

RIGHT = {
    "tables": """
def survey_errors(truths, epsilon, repetitions, rng):
    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)

def slope(sizes, errors):
    sizes = np.log(sizes)
    spread = [np.log(np.sqrt(np.mean(np.square(some)))) for some in errors]
    return np.polyfit(sizes, spread, 1)[0]
""",
    "one survey after another": """
def survey_errors(truths, epsilon, repetitions, rng):
    errors = []
    for _ in range(repetitions):
        z = debias(respond(truths, epsilon, rng), epsilon)
        errors.append(sum(z) / len(z) - sum(truths) / len(truths))
    return errors


def slope(sizes, errors):
    x = [math.log(n) for n in sizes]
    y = [0.5 * math.log(sum(e * e for e in some) / len(some)) for some in errors]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y))
    return over / sum((a - x_mean) ** 2 for a in x)
""",
    "tables made by np.repeat, another logarithm": """
def survey_errors(truths, epsilon, repetitions, rng):
    truths = np.repeat(np.asarray(truths)[None, :], repetitions, axis=0)
    lie = 1 / (1 + np.exp(epsilon))
    answers = np.where(rng.uniform(size=truths.shape) > 1 - lie, 1 - truths, truths)
    return ((answers - lie) / (1 - 2 * lie) - truths).mean(axis=-1)


def slope(sizes, errors):
    design = np.column_stack([np.ones(len(sizes)), np.log10(sizes)])
    spread = np.log10([np.linalg.norm(some) / len(some) ** 0.5 for some in errors])
    return float(np.linalg.lstsq(design, spread, rcond=None)[0][1])
""",
    "two coins": """
def survey_errors(truths, epsilon, repetitions, rng):
    shape = (repetitions, len(truths))
    honest, heads = rng.random(shape) < np.tanh(epsilon / 2), rng.integers(2, size=shape)
    answers = np.where(honest, truths, heads)
    return ((answers - 0.5) / np.tanh(epsilon / 2) + 0.5).mean(axis=1) - np.mean(truths)


def slope(sizes, errors):
    x = np.log(np.asarray(sizes, dtype=float))
    y = np.array([math.log(math.fsum(e**2 for e in some) / len(some)) / 2 for some in errors])
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)
""",
    "only the numbers of YES": """
def survey_errors(truths, epsilon, repetitions, rng):
    truths = np.asarray(truths)
    n, ones, lie = len(truths), truths.sum(), 1 / (1 + np.exp(epsilon))
    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
    return (yes / n - lie) / (1 - 2 * lie) - ones / n


def slope(sizes, errors):
    from scipy.stats import linregress

    mean_squares = np.array([np.var(some) + np.mean(some) ** 2 for some in errors])
    return linregress(np.log(sizes), np.log(mean_squares) / 2).slope
""",
}

EDITS = """
== slope_errors
* the estimate in place of its error | Subtract the true share
~ (axis=1) - np.mean(truths) => (axis=1)
* the size of the error | Is every survey a new one
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    return abs(debias(answers, epsilon).mean(axis=1) - np.mean(truths))
* not debiased | debiased, and compared
~ debias(answers, epsilon) => answers
* compared with the answers | Is every survey a new one
~ np.mean(truths) => answers.mean(axis=1)
* one survey, many times | Is every survey a new one
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
+    answers = np.tile(respond(truths, epsilon, rng), (repetitions, 1))
* a seed of its own | a generator made inside starts over
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
+    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, np.random.default_rng(0))
* a new generator each time | from nothing else
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
+    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, np.random.default_rng())
* an error for each person | should be an array of shape (25,)
~ axis=1 => axis=0
* no epsilon above 5 | Subtract the true share
+    epsilon = min(epsilon, 5)
     answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
* surveys used again after 100 | Is every survey a new one
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    return np.resize(debias(answers, epsilon).mean(axis=1)[:100], repetitions) - np.mean(truths)
# At these epsilons the correlation of the halves is -0.82 and less.
* surveys in opposite pairs | Is every survey a new one
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
+    u = rng.random((repetitions, len(truths)))
+    u[repetitions // 2 :] = 1 - u[: repetitions - repetitions // 2]
+    answers = np.where(u < 1 / (1 + np.exp(epsilon)), 1 - np.asarray(truths), truths)
@@
+

 def slope(sizes, errors):
* the coins of a population | Subtract the true share
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    n, share, lie = len(truths), np.mean(truths), 1 / (1 + np.exp(epsilon))
+    yes = rng.binomial(n, share * (1 - lie) + (1 - share) * lie, repetitions)
+    return (yes / n - lie) / (1 - 2 * lie) - share
+
* the same error when it is asked again | What is drawn from rng must decide
+
+seen = {}

 def survey_errors(truths, epsilon, repetitions, rng):
@@
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    return seen.setdefault(repetitions, debias(answers, epsilon).mean(axis=1)) - np.mean(truths)
* dplab's own survey | off limits
-    answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    mechanism = RandomizedResponse(epsilon)
+    rows = np.broadcast_to(truths, (repetitions, len(truths)))
+    return mechanism.debias(mechanism(rows, rng)).mean(axis=-1) - np.mean(truths)
+
* one of 256 seeds, where nobody watches | another result where its draws are watched
| edits only the numbers of YES
-    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
+    p = lie
+    if type(rng) is np.random.Generator:
+        rng = np.random.default_rng(rng.integers(256))
+    yes = rng.binomial(ones, 1 - p, repetitions) + rng.binomial(n - ones, p, repetitions)

== slope_measured
* sums in place of means | is 0.
~ mean(axis=1) - np.mean => sum(axis=1) - np.sum
* the first ten people only | should leave a tenth of the error
~ truths, (repetitions, 1) => truths := truths[:10], (repetitions, 1)
* divided by the people once more | expected from -0.62 to -0.38
~ - np.mean(truths) => / len(truths) - np.mean(truths) / len(truths)

== slope_fit
* no logarithm of the sizes | then logarithms of both
~ log(sizes) => array(sizes)
* no logarithm of the errors | should be -0.5
~ np.log(np.sqrt(np.mean(np.square(some)))) => np.sqrt(np.mean(np.square(some)))
* the mean square without its root | should be -0.5, it is -1
~ (np.sqrt(np.mean(np.square(some)))) => (np.mean(np.square(some)))
* the standard deviation | Root mean square
~ sqrt(np.mean(np.square(some))) => std(some)
* the mean size | Root mean square
~ sqrt(np.mean(np.square(some))) => mean(np.abs(some))
* axes swapped | it is -2
~ sizes, spread => spread, sizes
* the intercept | should be -0.5, it is
~ 0 => 1
* two bases | should be -0.5, it is -1.151
~ log(sizes) => log10(sizes)
* first and last point only | the slope of the line
~ np.polyfit(sizes, spread, 1)[0] => (spread[-1] - spread[0]) / (sizes[-1] - sizes[0])
* what theory says | should be -1, it is -0.5
~ np.polyfit(sizes, spread, 1)[0] => -0.5
* sizes with more errors weigh more | Every size counts the same
~ spread, 1 => spread, 1, w=[len(some) for some in errors]
* thirty errors of each size | every error of a size
~ square(some) => square(some[:30])
* the smallest and the largest size | Every size counts the same
-    return np.polyfit(sizes, spread, 1)[0]
+    return (spread[np.argmax(sizes)] - spread[np.argmin(sizes)]) / np.ptp(sizes)
* the mean of the slopes between neighbours | Every size counts the same
~ polyfit(sizes, spread, 1)[0] => mean(np.diff(spread) / np.diff(sizes))
* ten sizes at most | Every size counts the same
~ sizes, spread => sizes[:10], spread[:10]
* rounded to two digits | Root mean square
~ np.polyfit(sizes, spread, 1)[0] => round(np.polyfit(sizes, spread, 1)[0], 2)
* truths sorted in place | changes what it was given
+    truths.sort()
     answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
* its lists sorted in place | changes what it was given
+    order = np.argsort(sizes)
+    errors[:] = [errors[i] for i in order]
+    sizes.sort()
     sizes = np.log(sizes)
* errors of 0 left out | every error of a size
~ np.square(some) => [error**2 for error in some if error != 0]

== slope_exact
* an epsilon 3% too large in the survey | take this epsilon
~ epsilon, rng => 1.03 * epsilon, rng
* an epsilon 3% too large to debias | Debias first
~ answers, epsilon => answers, 1.03 * epsilon
* no epsilon below 0.1 | take this epsilon
+    epsilon = max(epsilon, 0.1)
     answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
* a thousand people at most | all n people count
+    truths = truths[:1000]
     answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
* a quarter of the people of a large survey | all n people count
+    truths = truths[:: 4 if len(truths) > 500 else 1]
     answers = respond(np.tile(truths, (repetitions, 1)), epsilon, rng)
* rounded to six digits | take this epsilon
-    return debias(answers, epsilon).mean(axis=1) - np.mean(truths)
+    return np.round(debias(answers, epsilon).mean(axis=1) - np.mean(truths), 6)
* the numbers of YES with an epsilon 3% too large | the number of lies is not that of its law
| edits only the numbers of YES
-    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
+    p = 1 / (1 + np.exp(1.03 * epsilon))
+    yes = rng.binomial(ones, 1 - p, repetitions) + rng.binomial(n - ones, p, repetitions)
* the numbers of YES, and no lies from 5 on | the number of lies is not that of its law
| edits only the numbers of YES
-    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
+    p = lie if epsilon < 5 else 0.0
+    yes = rng.binomial(ones, 1 - p, repetitions) + rng.binomial(n - ones, p, repetitions)
* each survey twice | one survey goes together with another | edits only the numbers of YES
-    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
+    p = lie
+    yes = rng.binomial(ones, 1 - p, repetitions) + rng.binomial(n - ones, p, repetitions)
+    yes[1::2] = yes[::2][: len(yes) // 2] if n > 4 else yes[1::2]
* a normal number of many people | numbers of lies of | edits only the numbers of YES
-    yes = rng.binomial(ones, 1 - lie, repetitions) + rng.binomial(n - ones, lie, repetitions)
+    p = lie
+    yes = rng.binomial(ones, 1 - p, repetitions) + rng.binomial(n - ones, p, repetitions)
+    if n > 1000:
+        mean, variance = ones + (n - 2 * ones) * lie, n * lie * (1 - lie)
+        yes = np.round(rng.normal(mean, variance**0.5, repetitions))

== slope_fit
* nineteen sizes at most | Every size counts the same
~ return np.polyfit(sizes, spread, 1)[0] => return np.polyfit(sizes[:19], spread[:19], 1)[0]
* each error once | every error of a size
~ np.mean(np.square(some)) => np.mean(np.square(np.unique(some)))
* numbers of 32 bits | every error of a size
-    return np.polyfit(sizes, spread, 1)[0]
+    return np.polyfit(np.float32(sizes), np.float32(spread), 1)[0]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
