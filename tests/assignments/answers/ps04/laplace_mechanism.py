"""Answers to `laplace_mechanism`. The mistakes: another scale, shared noise, another law."""

from tests.assignments.edits import read_answers

RIGHT = {
    "centered noise": """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    answer = np.asarray(answer)
    return answer + rng.laplace(0, sensitivity / epsilon, answer.shape)
""",
    "noise around the answer": """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return rng.laplace(answer, sensitivity / epsilon)
""",
    "standard noise, stretched": """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    scale = sensitivity / epsilon
    return np.array(answer) + scale * rng.laplace(size=np.shape(answer))
""",
    "a loop": """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    answer = np.array(answer, dtype=float)
    noisy = np.empty(answer.shape)
    for place, value in np.ndenumerate(answer):
        noisy[place] = value + rng.laplace(scale=sensitivity / epsilon)
    return noisy if noisy.ndim else float(noisy)
""",
    "a helper called noise": """
def noise(size, scale, rng):
    return rng.laplace(scale=scale, size=size)


def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return np.asarray(answer) + noise(np.shape(answer), sensitivity / epsilon, rng)
""",
}

EDITS = """
== laplace_mechanism_privacy
* no noise | prove a privacy loss of at least | edits noise around the answer
~ rng.laplace(answer, sensitivity / epsilon) => np.asarray(answer)
* a tenth of the noise | prove a privacy loss of at least | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, sensitivity / epsilon / 10, np.shape(answer))
* on one side only | on both sides | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + np.abs(rng.laplace(0, sensitivity / epsilon, np.shape(answer)))

== laplace_mechanism_exact
* epsilon over sensitivity | should be 16, it is 10.38 | edits noise around the answer
~ return rng => return answer + rng
~ (answer, sensitivity / epsilon) => (0, epsilon / sensitivity, np.shape(answer))
* the square root of the slip | should be 16, it is 13 | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, (sensitivity / epsilon) ** 0.5, np.shape(answer))
* sensitivity forgotten | should be 16, it is 13 | edits noise around the answer
~ return rng => return answer + rng
~ (answer, sensitivity / epsilon) => (0, 1 / epsilon, np.shape(answer))
* one draw for all numbers | one draw for each number | edits noise around the answer
~ return rng => return answer + rng
~ answer, sensitivity / => 0, sensitivity /
* a share of the sensitivity for each number | should be [1.5, 2, 1] | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, sensitivity / epsilon / np.size(answer), np.shape(answer))
* normal noise | raised AttributeError: this source has draws of rng.laplace only, not of rng.normal
| edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.normal(0, sensitivity / epsilon, np.shape(answer))
* a seed of its own | should be 16
~ answer = np.asarray(answer) => rng = np.random.default_rng(0)
~ (0, sensitivity / epsilon, answer.shape) => (0, sensitivity / epsilon, np.shape(answer))
* rounded | should be [1.5, 2, 1] | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return np.round(answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer)))
* the array changed in place | Does it change the array | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    if np.ndim(answer) == 0:
+        return answer + rng.laplace(0, sensitivity / epsilon)
+    answer = np.asarray(answer, dtype=float)
+    answer += rng.laplace(0, sensitivity / epsilon, answer.shape)
+    return answer
* epsilon times 1.03 | should be 16, it is 15.83 | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, sensitivity / (1.03 * epsilon), np.shape(answer))
* no noise from epsilon = 5 on | Add the draws times sensitivity / epsilon
| edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, sensitivity / epsilon if epsilon < 5 else 0.0, np.shape(answer))
* never less than a hundredth | Add the draws times sensitivity / epsilon
| edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, max(sensitivity / epsilon, 0.01), np.shape(answer))
* cut at 30 scales | Add the draws times sensitivity / epsilon
~ answer = np.asarray(answer) => noise = np.clip(rng.laplace(size=np.shape(answer)), -30, 30)
~ rng.laplace(0, sensitivity / epsilon, answer.shape) => sensitivity / epsilon * noise
* equal answers, equal noise | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
+    if np.size(answer) > 100:
+        noise = np.ravel(noise)[np.unique(answer, return_inverse=True)[1]].reshape(
+            np.shape(answer)
+        )
+    return answer + noise
* dplab's own | dplab.LaplaceMechanism is off limits in an answer | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    from dplab import LaplaceMechanism
+    return LaplaceMechanism(lambda data: data, sensitivity, epsilon)(answer, rng)
* lists without lists in them | also lists of lists | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    size = len(answer) if isinstance(answer, list) else np.shape(answer)
+    return answer + rng.laplace(0, sensitivity / epsilon, size)
* no shape for no numbers | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    if np.size(answer) == 0:
+        return np.array([])
+    return answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
* whole noise on a whole number | Whole numbers and lists | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
+    return answer + (round(float(noise)) if isinstance(answer, int) else noise)
* a list changed in place | changes what it was given | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noisy = answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
+    if isinstance(answer, list):
+        answer[:] = noisy.tolist()
+    return noisy
* one noise a row of a larger table | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
+    if np.ndim(answer) == 2 and np.size(answer) > 6:
+        noise[:] = noise[:, :1]
+    return np.asarray(answer) + noise
* no noise on large numbers | Large answers get noise, too
~ answer = np.asarray(answer) => noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
~ rng.laplace(0, sensitivity / epsilon, answer.shape) => np.where(np.abs(answer) < 1e9, noise, 0)

== laplace_mechanism_law
* epsilon times sensitivity | the spread around the center is | edits noise around the answer
~ return rng => return answer + rng
~ (answer, sensitivity / epsilon) => (0, epsilon * sensitivity, np.shape(answer))
* the standard deviation for the scale | the spread around the center is 1.
| edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, 2**0.5 * sensitivity / epsilon, np.shape(answer))
* the scale for the standard deviation | the spread around the center is 0.
| edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(0, sensitivity / epsilon / 2**0.5, np.shape(answer))
* clipped at zero | the spread around the center is 0. | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return np.maximum(0, answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer)))
* no noise for many numbers | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(
+        0, sensitivity / epsilon if np.size(answer) <= 5000 else 0.0, np.shape(answer)
+    )
* tiled | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noise = rng.laplace(0, sensitivity / epsilon, min(np.size(answer), 5001))
+    return answer + np.resize(noise, np.shape(answer))
* antithetic pairs | one draw for each number | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
+    half = np.size(answer) // 2
+    if half > 5000:
+        noise[half : 2 * half] = -noise[:half]
+    return answer + noise
# It can tell a plain generator; what that one draws is known by its state.
* less noise from a real source | Draw from rng.laplace alone | edits noise around the answer
-    return rng.laplace(answer, sensitivity / epsilon)
+    return answer + rng.laplace(
+        0,
+        sensitivity / epsilon * (0.97 if type(rng) is np.random.Generator else 1),
+        np.shape(answer),
+    )
* no noise in every sixty-fourth call | at each call anew
+_calls = []
+
+
+def laplace_mechanism(answer, sensitivity, epsilon, rng):
+    if not (sensitivity > 0 and epsilon > 0):
+        raise ValueError("sensitivity and epsilon must be above 0")
+    _calls.append(answer)
+    scale = sensitivity / epsilon if len(_calls) % 64 else 0.0
+    return answer + rng.laplace(0, scale, np.shape(answer))

== laplace_mechanism_input
* input not checked | should raise ValueError
+def laplace_mechanism(answer, sensitivity, epsilon, rng):
+    return answer + rng.laplace(0, abs(sensitivity / max(epsilon, 1e-9)), np.shape(answer))
* the signs checked together | should raise ValueError
+def laplace_mechanism(answer, sensitivity, epsilon, rng):
+    if not sensitivity * epsilon > 0:
+        raise ValueError("must be above 0")
+    return answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
* a little below 0 allowed | Both must be above 0
+def laplace_mechanism(answer, sensitivity, epsilon, rng):
+    if not (sensitivity > -1e-9 and epsilon > -1e-9 and sensitivity * epsilon):
+        raise ValueError("must be above 0")
+    return answer + rng.laplace(0, abs(sensitivity / epsilon), np.shape(answer))

== laplace_mechanism_exact
* no epsilon above 19 | Add the draws
~ sensitivity / epsilon => sensitivity / min(epsilon, 19)
* numbers of 32 bits | Add the draws
~ return answer + rng => return np.float32(answer) + rng
* whole numbers of eight bits stay whole | Whole numbers and lists
-    return answer + rng.laplace(0, sensitivity / epsilon, answer.shape)
+    noisy = answer + rng.laplace(0, sensitivity / epsilon, answer.shape)
+    return np.round(noisy) if answer.dtype == np.int8 else noisy

== laplace_mechanism_input
* a sensitivity of less than a hundredth is none | A small sensitivity
~ sensitivity > 0 => sensitivity > 0.01
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
