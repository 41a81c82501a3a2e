"""Answers to `debias`. The mistakes: half of the line, the wrong line, or not entry by entry."""

from tests.assignments.edits import read_answers

RIGHT = {
    "through two points": """
def debias(answers, epsilon):
    y = np.asarray(answers)
    p = np.exp(epsilon) / (1 + np.exp(epsilon))
    q = 1 - p
    return (y - q) / (p - q)
""",
    "the formula as it stands": """
def debias(answers, epsilon):
    shifted = np.array(answers) - 1 / (1 + math.exp(epsilon))
    return shifted * (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
""",
    "a loop": """
def debias(answers, epsilon):
    answers = np.asarray(answers)
    result = np.zeros(answers.shape)
    for place, y in np.ndenumerate(answers):
        if y == 1:
            result[place] = np.exp(epsilon) / (np.exp(epsilon) - 1)
        else:
            result[place] = -1 / (np.exp(epsilon) - 1)
    return result
""",
    "two values": """
def debias(answers, epsilon):
    no, yes = np.linalg.solve(
        np.array([[np.exp(epsilon), 1], [1, np.exp(epsilon)]]) / (1 + np.exp(epsilon)), [0, 1]
    )
    return np.where(np.array(answers) > 0.5, yes, no)
""",
    "hyperbolic": """
def debias(answers, epsilon):
    return (np.asarray(answers, dtype=float) - 0.5) / np.tanh(epsilon / 2) + 0.5
""",
}

EDITS = """
== debias_values
* only stretched | should be [1.5, -0.5]
~ (y - q) => y
* only shifted | it is [0.75, -0.25]
~ (y - q) / (p - q) => y - q
* shifted by the probability of the truth | it is [0.5, -1.5]
~ y - q => y - p
* stretched the wrong way | First subtract the probability of a lie
~ (y - q) / (p - q) => (y - q) * (p - q)
* stretched before the shift | it is [1.75, -0.25]
~ (y - q) / (p - q) => y / (p - q) - q
* a sign | it is [-1.5, 0.5]
~ p - q => q - p
* rounded to a truth | should be [1.5, -0.5]
~ (y - q) / (p - q) => np.round((y - q) / (p - q))
* whole numbers | it is [1, 0]
+def debias(answers, epsilon):
+    answers = np.asarray(answers)
+    result = np.zeros_like(answers)
+    lie = 1 / (1 + np.exp(epsilon))
+    result[...] = (answers - lie) / (1 - 2 * lie)
+    return result
* from the mean of all answers | should be [-1, 2, 2]
~ (y - q) / (p - q) => (y - y.mean()) / (p - q) + y.mean()
* one number for all | should be an array of shape (2,), it is one number
~ (y - q) / (p - q) => ((y - q) / (p - q)).mean()
* divided by the number of people | it is [0.75, -0.25]
~ (p - q) => (p - q) / len(y)
* an epsilon 3% too large | should be [1.5, -0.5]
~ (y - q) / (p - q) => (y - 0.5) / np.tanh(0.515 * epsilon) + 0.5
* dplab's own | off limits
+def debias(answers, epsilon):
+    return RandomizedResponse(epsilon).debias(np.asarray(answers, dtype=int))

== debias_unbiased
* divided by the probability of the truth | when the truth is 1
~ (p - q) => p
* clipped | should be 0, it is
~ (y - q) / (p - q) => np.clip((y - q) / (p - q), 0, 1)
* the probability that the truth is 1 | Solve for the line
~ (y - q) / (p - q) => np.where(y == 1, p, q)
* epsilon fixed at log(3) | epsilon = 1.000
~ (y - q) / (p - q) => 2 * y - 0.5
* right for small epsilon only | epsilon = 1.000
~ (y - q) / (p - q) => (y - 0.5) * 2 / epsilon + 0.5
* no epsilon below 0.1 | for every epsilon
~ (p - q) => max(p - q, np.tanh(0.05))
* as they are for large epsilon | for every epsilon
~ return (y - q) / (p - q) => return np.where(epsilon >= 10, y, (y - q) / (p - q))
* as they are for the largest epsilon | for every epsilon
~ return (y - q) / (p - q) => return np.where(epsilon >= 18, y, (y - q) / (p - q))
* rounded to two digits | the expected estimate
~ (y - q) / (p - q) => np.round((y - q) / (p - q), 2)
* rounded to eight digits | round nothing
~ (y - q) / (p - q) => np.round((y - q) / (p - q), 8)
* single precision | the expected estimate
~ (y - q) / (p - q) => ((y - q) / (p - q)).astype(np.float32)
* at most 20 | for every epsilon
~ (y - q) / (p - q) => np.clip((y - q) / (p - q), -20, 20)

== debias_shape
* the shape lost | should be an array of shape (2, 3), it is an array of shape (6,)
+def debias(answers, epsilon):
+    lie = 1 / (1 + np.exp(epsilon))
+    return np.array([(y - lie) / (1 - 2 * lie) for y in np.ravel(answers)])
* changed in place | changes what it was given
+def debias(answers, epsilon):
+    lie = 1 / (1 + np.exp(epsilon))
+    answers = np.asarray(answers, dtype=float)
+    answers -= lie
+    answers /= 1 - 2 * lie
+    return answers
* clipped for more than a thousand | arrays of any shape and size
~ (p - q) => (p - q) if y.size < 1000 else np.clip((y - q) / (p - q), 0, 1)
* as if all the rest were the first ten thousand | arrays of any shape and size
~ (y - q) / (p - q) => np.resize(((y - q) / (p - q)).ravel()[:10000], y.shape)
* tables become rows in four dimensions | arrays of any shape and size
~ (y - q) / (p - q) => ((y - q) / (p - q)).reshape(y.shape if y.ndim < 4 else (len(y), -1))

== debias_unbiased
* no epsilon above 19 | for every epsilon
~ y = np.asarray(answers) => y, epsilon = np.asarray(answers), min(epsilon, 19)
* rounded to ten digits | round nothing
~ (y - q) / (p - q) => np.round((y - q) / (p - q), 10)

== debias_shape
* answers that are alike stay as they are | arrays of any shape and size
~ return (y - q) / (p - q) => return (y - q) / (p - q) if np.ptp(y) or y.size < 3 else 1.0 * y
* whole numbers of eight bits stay so | arrays of any shape and size
-    return (y - q) / (p - q)
+    return ((y - q) / (p - q)).astype(float if y.itemsize > 1 else y.dtype)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
