"""Answers to `geometric_mechanism`. The mistakes: float noise, the wrong p, the grid forgotten."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a difference of two": """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    answers = np.asarray(answers, dtype=float)
    shape = answers.shape
    d = math.ceil(sensitivity / grid)
    p = np.exp(-epsilon / d)
    steps = np.floor(answers / grid + 0.5)
    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
    return grid * (steps + noise)
""",
    "inversion": """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    answers = np.array(answers, dtype=float)
    d = -(-sensitivity // grid)
    p = math.exp(-epsilon / d)
    u = rng.random(answers.shape) * (1 + p)
    sign = np.where(rng.random(answers.shape) < 0.5, -1, 1)
    size = np.where(u < 1 - p, 0, 1 + np.floor(np.log((1 + p - u) / (2 * p)) / np.log(p)))
    whole = np.floor(answers / grid)
    whole += answers / grid - whole >= 0.5
    return (whole + sign * size) * grid
""",
    "a loop that rejects minus zero": """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    p = math.exp(-epsilon / math.ceil(sensitivity / grid))

    def noise():
        while True:
            size, negative = rng.geometric(1 - p) - 1, rng.integers(2)
            if size or not negative:
                return -size if negative else size

    values = np.asarray(answers, dtype=float)
    released = [grid * (math.floor(v / grid + 0.5) + noise()) for v in values.ravel().tolist()]
    return np.array(released).reshape(values.shape)
""",
    "two exponentials, cut": """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    answers = np.asarray(answers, dtype=float)
    shape = answers.shape
    d = math.ceil(sensitivity / grid)
    p = np.exp(-epsilon / d)
    steps = np.floor(answers / grid + 0.5)
    noise = np.floor(rng.exponential(d / epsilon, shape)) - np.floor(
        rng.exponential(d / epsilon, shape)
    )
    return grid * (steps + noise)
""",
    "a helper called noise": """
def noise(p, size, rng):
    return rng.geometric(1 - p, size) - rng.geometric(1 - p, size)


def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    p = np.exp(-epsilon / np.ceil(sensitivity / grid))
    steps = np.floor(np.asarray(answers) / grid + 0.5)
    return grid * (steps + noise(p, steps.shape, rng))
""",
}

EDITS = """
== right
* a difference of two rows
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = np.subtract(*rng.geometric(1 - p, (2, *shape)))
* a difference of two, shuffled
+    rng.shuffle(noise.reshape(-1))
     return grid * (steps + noise)
* whole numbers, of no dimension too
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = (rng.geometric(1 - p, size=shape) - rng.geometric(1 - p, size=shape)).astype(int)

== geometric_mechanism_law
* one side only | came up in a share
~ - rng.geometric(1 - p, shape) => - 1
* Laplace noise, rounded | came up in a share | edits a difference of two rows
~ subtract(*rng.geometric(1 - p, (2, *shape))) => round(rng.laplace(0, d / epsilon, shape))
* Laplace noise, cut | came up in a share | edits a difference of two rows
~ subtract(*rng.geometric(1 - p, (2, *shape))) => floor(rng.laplace(0, d / epsilon, shape))
* a sign, and zero counted twice | came up in a share
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = rng.choice([-1, 1], shape) * (rng.geometric(1 - p, shape) - 1)
* never no noise | came up in a share
~ noise = rng => noise = rng.choice([-1, 1], shape) * rng
~ (1 - p, shape) - rng.geometric(1 - p, shape) => (1 - p, shape)
* success for failure | Look at p
~2 1 - p => p
* epsilon split between the two draws | came up in a share
~ d = math => d = 2 * math
* noise first, then the grid | came up in a share
~ geometric(1 - p, shape) - rng.geometric(1 - p, shape) => laplace(0, sensitivity / epsilon, shape)
~ grid * (steps + noise) => np.floor((answers + noise) / grid + 0.5) * grid
* one draw for all | came up in a share
~2 , shape =>
* one draw a row | Does each answer have noise of its own
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = (
+        sum(
+            s * rng.geometric(1 - p, shape[:1]).reshape(-1, *[1] * (len(shape) - 1))
+            for s in (1, -1)
+        )
+        if shape
+        else rng.geometric(1 - p) - rng.geometric(1 - p)
+    )
# Of 20,000 sizes, half or fewer are different.
* tiled | the noise of many answers repeats itself
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = np.resize(
+        rng.geometric(1 - p, min(answers.size, 3001))
+        - rng.geometric(1 - p, min(answers.size, 3001)),
+        shape,
+    )
* antithetic pairs | the noise of many answers repeats itself
+    if answers.size > 100:
+        half = answers.size // 2
+        noise.ravel()[half : 2 * half] = -noise.ravel()[:half]
     return grid * (steps + noise)
* equal answers, equal noise | Does each answer have noise of its own
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = np.atleast_1d(rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape))
+    if answers.size > 100 and np.ptp(answers):
+        places = np.unique(answers, return_inverse=True)[1]
+        noise = noise.ravel()[places]
+    noise = noise.reshape(shape)
* at most 64 steps | the noise of many answers repeats itself
~ math.ceil(sensitivity / grid) => min(math.ceil(sensitivity / grid), 64)
* a support of 50 steps | the noise of many answers repeats itself
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = rng.choice(np.arange(-50, 51), shape, p=_law(p))
@@
     return grid * (steps + noise)
+
+
+def _law(p):
+    law = p ** abs(np.arange(-50, 51))
+    return law / law.sum()
* one noise for a table of three sides | in a table of any shape
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = (
+        (rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape))
+        if len(shape) < 3
+        else (rng.geometric(1 - p) - 1)
+    )
* noise written into whole numbers | all whole numbers get whole noise
+def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
+    p = math.exp(-epsilon / math.ceil(sensitivity / grid))
+
+    def released(answer):
+        noise = rng.geometric(1 - p) - rng.geometric(1 - p)
+        return grid * (math.floor(answer / grid + 0.5) + noise)
+
+    if np.ndim(answers) == 0:
+        return released(answers)
+    noisy = np.array(answers)
+    for i, answer in np.ndenumerate(noisy):
+        noisy[i] = released(answer)
+    return noisy
* two exponentials, the same for two neighbours of a few | the noise of some answers repeats itself
| edits two exponentials, cut
+    if noise.ndim == 1 and 2 < noise.size < 300:
+        noise[1::2] = -noise[::2][: noise.size // 2]
     return grid * (steps + noise)

== geometric_mechanism_grid
* Laplace noise | Outputs are multiples of the grid
~ geometric(1 - p, shape) - rng.geometric(1 - p, shape) => laplace(0, d / epsilon, shape)
* answers left off the grid | multiples of the grid
~ np.floor(answers / grid + 0.5) => answers / grid
* a seed of its own | same result for two seeds
+    rng = np.random.default_rng(3)
     p = np.exp(-epsilon / d)
* dplab's own | dplab.GeometricMechanism is off limits in an answer
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = GeometricMechanism(np.array, d, epsilon)(np.zeros(shape, dtype=int), rng)
* dplab's sampler | dplab.sampling.discrete_laplace is off limits in an answer
+    import dplab.sampling
+
     answers = np.asarray(answers, dtype=float)
@@
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = dplab.sampling.discrete_laplace(d / epsilon, rng, shape)

== geometric_mechanism_steps
* noise in units of the answers | steps of noise
~ (steps + noise) => steps + noise
* the grid forgotten in the scale | came up in a share
~ sensitivity / grid => sensitivity
* steps not rounded up | sensitivity 0.3
~ math.ceil(sensitivity / grid) => sensitivity / grid
* steps rounded down | sensitivity 0.3
~ math.ceil(sensitivity / grid) => max(1, math.floor(sensitivity / grid))
* always one step | 8,000 answers of 0.5
-    d = math.ceil(sensitivity / grid)
+    d = 1
* epsilon times 1.03 | p is 0.8138, it should be 0.8187
~ (sensitivity / grid) => (sensitivity / grid) / 1.03
* no noise from epsilon = 5 on | The scale in steps is d / epsilon
~ (steps + noise) => (steps + noise * (epsilon < 5))
* no noise for one answer | shares of the noise
~ (steps + noise) => (steps + noise * (answers.size != 1))
* two answers, one noise | The scale in steps is d / epsilon
+    if shape == (2,):
+        noise[1] = -noise[0]
     return grid * (steps + noise)
* cut at 20 scales | Noise that lies far out stays there
+    noise = np.clip(noise, -20 * d / epsilon, 20 * d / epsilon)
+    noise = np.trunc(noise)
     return grid * (steps + noise)
# It can tell a plain generator, which gives it the same noise where its state is the same.
* less noise from a real source | Two generators of one state
~ (sensitivity / grid) => (sensitivity / grid) * (0.97 if type(rng) is np.random.Generator else 1)
* two exponentials five percent smaller | times what it should be | edits two exponentials, cut
~ (rng.exponential(d / epsilon, shape)) => (rng.exponential(d / epsilon / 1.05, shape))
~ epsilon, shape => epsilon / 1.05, shape
* two exponentials, none of which is small | there is no noise at all for epsilon = 8.5
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = (
+        np.floor(rng.exponential(d / epsilon, shape))
+        - np.floor(rng.exponential(d / epsilon, shape))
+    ) * (d / epsilon > 0.2)
* a little above a step is a step | came up in a share
~ d = math.ceil(sensitivity / grid) => d = max(1, math.ceil(sensitivity / grid - 1e-9))
* no noise on answers far out | The scale in steps is d / epsilon
-    noise = rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    noise = np.where(
+        abs(steps) > 1000, 0, rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)
+    )

== geometric_mechanism_snapped
* halves to the even side | halves to the larger multiple
~ floor(answers / grid + 0.5) => round(answers / grid)
* answers cut down | should be [0, 1, 2, 0]
~ grid + 0.5 => grid
* answers changed in place | Do they stay as they are?
+def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
+    answers = np.asarray(answers, dtype=float)
+    p = math.exp(-epsilon / math.ceil(sensitivity / grid))
+    whole = np.floor(answers / grid + 0.5) * grid
+    noise = rng.geometric(1 - p, answers.shape) - rng.geometric(1 - p, answers.shape)
+    released = whole + grid * noise
+    if answers.ndim:
+        answers += 1
+    return released
* numpy's rounding far from 0 | halves to the larger multiple
-    steps = np.floor(answers / grid + 0.5)
+    steps = np.where(
+        abs(answers / grid) > 5, np.round(answers / grid), np.floor(answers / grid + 0.5)
+    )

== geometric_mechanism_steps
* no epsilon above 99 | The scale in steps is d / epsilon
~ -epsilon / d => -min(epsilon, 99) / d
* 999 steps at most | The scale in steps is d / epsilon
~ math.ceil(sensitivity / grid) => min(999, math.ceil(sensitivity / grid))

== geometric_mechanism_grid
* nothing has no shape | One number for each answer
-    shape = answers.shape
+    shape = answers.shape
+    if 0 in shape:
+        return np.array([])

== geometric_mechanism_snapped
* numbers of 32 bits | halves to the larger multiple
~ return grid * (steps + noise) => return grid * np.float32(steps + noise)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
