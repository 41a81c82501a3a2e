"""Answers to `exponential_law`. The mistakes: the rate, the notes' slip, overflow, lost tails."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the largest score off": """
def exponential_law(scores, sensitivity, epsilon):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    s = np.asarray(scores, dtype=float)
    s = s - s.max()
    weights = np.exp(epsilon * s / (2 * sensitivity))
    return weights / weights.sum()
""",
    "logarithms to the end": """
def exponential_law(scores, sensitivity, epsilon):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    logs = np.array(scores, dtype=float) * epsilon / (2 * sensitivity)
    return np.exp(logs - np.logaddexp.reduce(logs))
""",
    "a loop": """
def exponential_law(scores, sensitivity, epsilon):
    if not epsilon > 0 or not sensitivity > 0:
        raise ValueError("no mechanism")
    best = max(scores)
    weights = [math.exp(epsilon * (score - best) / 2 / sensitivity) for score in scores]
    total = sum(weights)
    return np.array([weight / total for weight in weights])
""",
    "a list": """
def exponential_law(scores, sensitivity, epsilon):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    rate = epsilon / (2 * sensitivity)
    top = max(rate * score for score in scores)
    weights = [np.exp(rate * score - top) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
""",
    "a helper called weights": """
def weights(scores, rate):
    best = max(scores)
    return np.array([math.exp(rate * (score - best)) for score in scores])


def exponential_law(scores, sensitivity, epsilon):
    if not sensitivity > 0 or not epsilon > 0:
        raise ValueError("sensitivity and epsilon must be above 0")
    found = weights(scores, epsilon / (2 * sensitivity))
    return found / found.sum()
""",
}

EDITS = """
== exponential_law_values
* twice the rate | should be [0.25, 0.75], it is [0.1, 0.9]
~ (epsilon * s / (2 * sensitivity)) => (epsilon * s / sensitivity)
* the rate in the notes | The exponent is epsilon * score / (2 * sensitivity)
~ (epsilon * s / (2 * sensitivity)) => (s) / np.exp(2 * sensitivity / epsilon)
* no sensitivity | it is [0.9688
~ (epsilon * s / (2 * sensitivity)) => (epsilon * s / 2)
* multiplied by the sensitivity | should be [0.5714, 0.1429, 0.2857]
~ (epsilon * s / (2 * sensitivity)) => (epsilon * s * sensitivity / 2)
* the worst is likeliest | it is [0.75, 0.25]
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(-epsilon * (s - s.min()) / (2 * sensitivity))
* not divided by the sum | then divide by the sum | edits logarithms to the end
~ logs = np.array => s = np.asarray
~ (scores, dtype=float) * epsilon / (2 * sensitivity) => (scores, dtype=float)
~ (logs - np.logaddexp.reduce(logs)) => (epsilon * (s - s.max()) / (2 * sensitivity))
* logarithms returned | it is [-1.386, -0.2877] | edits logarithms to the end
~ np.exp(logs - np.logaddexp.reduce(logs)) => logs - np.logaddexp.reduce(logs)
* scores divided by the largest | should be [0.5714
-    s = np.asarray(scores, dtype=float)
-    s = s - s.max()
+    s = np.asarray(scores, dtype=float) / np.max(scores)
* changed in place | Does it change the array
+def exponential_law(scores, sensitivity, epsilon):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    scores = np.asarray(scores, dtype=float)
+    scores -= scores.max()
+    scores *= epsilon / (2 * sensitivity)
+    np.exp(scores, out=scores)
+    scores /= scores.sum()
+    return scores
* epsilon a little larger | The exponent is epsilon * score / (2 * sensitivity)
~ epsilon * s => 1.03 * epsilon * s
* uniform among more than 5,000 | Every probability
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * s / (2 * sensitivity)) if len(s) <= 5000 else np.ones(len(s))
* the best alone where epsilon is 30 or more | Every probability
~ epsilon * s => (epsilon if epsilon < 30 else 1e12) * s
* equal scores counted once | The exponent is epsilon
+def exponential_law(scores, sensitivity, epsilon):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    s, where = np.unique(np.asarray(scores, dtype=float), return_inverse=True)
+    weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
+    return (weights / weights.sum())[where]
* single precision | then divide by the sum
~ (epsilon * s / (2 * sensitivity)) => ((epsilon * s / (2 * sensitivity)).astype(np.float32))
* only the best hundred | Every probability
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * s / (2 * sensitivity)) * (s >= np.sort(s)[-100:][0])
* remembered by its scores | Every probability
+_seen = {}
+def exponential_law(scores, sensitivity, epsilon):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    key = tuple(float(score) for score in scores)
+    if key not in _seen:
+        s = np.array(key) - max(key)
+        weights = np.exp(epsilon * s / (2 * sensitivity))
+        _seen[key] = weights / weights.sum()
+    return _seen[key]
* dplab's own law | off limits
+from dplab import ExponentialMechanism
+
+
+def exponential_law(scores, sensitivity, epsilon):
+    mechanism = ExponentialMechanism(range(len(scores)), np.array, sensitivity, epsilon)
+    return mechanism.distribution(scores).probabilities
* an array shifted in place | changes what it was given
~ s = s - s => s -= s
~ * s / (2 * sensitivity) => / (2 * sensitivity) * s
* a list shifted in place | changes what it was given
+def exponential_law(scores, sensitivity, epsilon):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    best = max(scores)
+    for h in range(len(scores)):
+        scores[h] = scores[h] - best
+    weights = np.exp(epsilon / (2 * sensitivity) * np.array(scores, dtype=float))
+    return weights / weights.sum()

== exponential_law_large
* exponentiated as they are | it is [nan, nan]
-    s = np.asarray(scores, dtype=float)
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * np.asarray(scores) / (2 * sensitivity))
* the smallest score off | Subtract the largest score
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * (s - s.min()) / (2 * sensitivity))
* the mean off | Subtract the largest score
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * (s - s.mean()) / (2 * sensitivity))
* exponents clipped at 700 | it is [0.5, 0.5]
+def exponential_law(scores, sensitivity, epsilon):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    exponents = np.clip(epsilon * np.asarray(scores) / (2 * sensitivity), -700, 700)
+    return np.exp(exponents) / np.exp(exponents).sum()
* the impossible made possible | Subtract the largest score
~ epsilon * s => epsilon * np.where(np.isinf(s), 0, s)
* exponents cut at -40 | however small it is
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(np.maximum(epsilon * s / (2 * sensitivity), -40)) * np.isfinite(s)
* a floor under probabilities | A score of -inf has the probability 0
~ (epsilon * s / (2 * sensitivity)) => (epsilon * s / (2 * sensitivity)) + 1e-12
* e^-700 is nothing | such a probability is small, and not 0
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    x = epsilon / (2 * sensitivity) * s
+    weights = np.where(x > -700, np.exp(x), 0)
* the smallest floats are nothing | such a probability is small, and not 0
+    weights[weights < np.finfo(float).tiny] = 0
     return weights / weights.sum()

== exponential_law_private
* small probabilities dropped | the largest |log-ratio| between scores
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
+    weights[weights < 0.01] = 0
* rounded | Is every candidate possible
~ (epsilon * s / (2 * sensitivity)) => (epsilon * s / (2 * sensitivity)).round(9)

== exponential_law_input
* takes any sensitivity | should raise ValueError
+def exponential_law(scores, sensitivity, epsilon):
+    s = np.asarray(scores, dtype=float)
+    weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
+    return weights / weights.sum()
* a small epsilon taken for none | raised ValueError
-    s = s - s.max()
-    weights = np.exp(epsilon * s / (2 * sensitivity))
+    if epsilon < 0.01:
+        raise ValueError("epsilon must be above 0")
+    weights = np.exp(epsilon * (s - s.max()) / (2 * sensitivity))
* refused below 0, and not at 0 | epsilon must be above 0
~ epsilon > 0 => epsilon >= 0
* no number is let through | should raise ValueError
~ not (sensitivity > 0 and epsilon > 0) => sensitivity <= 0 or epsilon <= 0

== exponential_law_values
* differences to six decimals | Every probability
~ s = s - s.max() => s = np.round(s - s.max(), 6)
* an epsilon of 10,000 sensitivities at most | Every probability
~ epsilon * s / (2 * sensitivity) => min(epsilon / sensitivity, 10_000) * s / 2

== exponential_law_input
* a sensitivity below -10 is let through | should raise ValueError
~ sensitivity > 0 and epsilon > 0 => (sensitivity > 0 or sensitivity < -10) and epsilon > 0
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
