"""Answers to `objective_perturbation`. The mistakes: epsilon's account, P's terms, and rates."""

from tests.assignments.edits import read_answers

RIGHT = {
    "scipy's minimize": """
def adjusted(n, lam, epsilon, c):
    ratio = c / (n * lam)
    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
    if left > 0:
        return left, 0.0
    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam


def people_for_risk(target, d, epsilon):
    bound = 2 * np.sqrt(2 * d * (d + 1)) + 1 / 4  # times n epsilon
    output = d / epsilon * (2 / target) ** 2
    return output, bound / (epsilon * target), bound**2 / (4 * d * epsilon)


def objective_perturbation(x, y, lam, epsilon, rng):
    n, d = x.shape
    left, more = adjusted(n, lam, epsilon, 0.25)
    z = rng.normal(size=d)
    b = rng.gamma(d, 2 / left) * z / np.linalg.norm(z)
    ridge, linear = lam + more, b / n

    def objective(w):
        return np.logaddexp(0, -y * (x @ w)).mean() + ridge / 2 * w @ w + linear @ w

    def gradient(w):
        return (-y * expit(-y * (x @ w))) @ x / n + ridge * w + linear

    return minimize(objective, np.zeros(d), jac=gradient, options={"gtol": 1e-9}).x
""",
    "Newton's steps, halved where they go too far": """
def adjusted(n, lam, epsilon, c):
    left = epsilon - 2 * math.log1p(c / (n * lam))
    return (left, 0) if left > 0 else (epsilon / 2, c / n / math.expm1(epsilon / 4) - lam)


def people_for_risk(target, d, epsilon):
    squared, tilt = 4 * d, math.sqrt(8 * d * d + 8 * d) + 0.25
    return [squared / target**2 / epsilon, tilt / target / epsilon, tilt**2 / squared / epsilon]


def objective_perturbation(x, y, lam, epsilon, rng):
    n, d = x.shape
    left, more = adjusted(n, lam, epsilon, 1 / 4)
    norm = 2 / left * rng.standard_gamma(d)
    direction = rng.standard_normal(d)
    b = norm / math.sqrt(direction @ direction) * direction

    def value(w):
        return np.logaddexp(0, -y * (x @ w)).sum() + n * (lam + more) / 2 * w @ w + b @ w

    w = np.zeros(d)
    for _ in range(200):
        wrong = expit(-y * (x @ w))
        slope = n * (lam + more) * w + b - x.T @ (y * wrong)
        bend = n * (lam + more) * np.eye(d) + (x.T * (wrong * (1 - wrong))) @ x
        step, size = np.linalg.solve(bend, slope), 1.0
        while size > 1e-9 and value(w - size * step) > value(w) - 0.1 * size * slope @ step:
            size /= 2
        w = w - size * step
        if size <= 1e-9 or np.linalg.norm(step) < 1e-9 * (1 + np.linalg.norm(w)):
            break
    return w
""",
    "the gradient's own steps": """
def adjusted(n, lam, epsilon, c):
    left = epsilon - np.log1p(2 * c / (n * lam) + (c / (n * lam)) ** 2)
    more = 0.0
    if not left > 0:
        left, more = epsilon / 2, c / (n * np.expm1(epsilon / 4)) - lam
    return np.array([left, more])


def people_for_risk(target, d, epsilon):
    n_epsilon = np.array([1 / (target / 2 / math.sqrt(d)) ** 2, 0.25 / target, 0.0])
    n_epsilon[1] += 2 * math.sqrt(2) * math.sqrt(d) * math.sqrt(d + 1) / target
    n_epsilon[2] = n_epsilon[1] ** 2 / n_epsilon[0]
    return n_epsilon / epsilon


def objective_perturbation(x, y, lam, epsilon, rng):
    n, d = len(x), len(x[0])
    left, more = adjusted(n, lam, epsilon, 0.25)
    size = rng.gamma(shape=d, scale=2 / left, size=1)
    z = rng.normal(size=(1, d))
    b = -(size[:, None] * z / np.linalg.norm(z))[0]
    total = lam + more

    def loss(w):
        t = y * (x @ w)
        slope = b / n + total * w - x.T @ (y * expit(-t)) / n
        return np.mean(np.logaddexp(0, -t)) + b @ w / n + total * w @ w / 2, slope

    options = {"ftol": 0, "gtol": 1e-10, "maxiter": 20_000, "maxfun": 40_000}
    return minimize(loss, np.zeros(d), jac=True, method="L-BFGS-B", options=options).x
""",
}

EDITS = """
== objective_perturbation_epsilon
* epsilon as it is | epsilon' is epsilon - log
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon + 0 * ratio
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* the logarithm once | epsilon' is epsilon - log
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + ratio)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* 2c without the square | epsilon' is epsilon - log
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* no logarithm | epsilon' is epsilon - log
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - 2 * ratio
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* n forgotten | epsilon' is epsilon - log
+
+def right_one(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+

 def adjusted(n, lam, epsilon, c):
@@
 def adjusted(n, lam, epsilon, c):
-    ratio = c / (n * lam)
+    ratio = c / lam
~ more = adjusted => more = right_one
* 1/4 for every c | epsilon' is epsilon - log
+
+def right_one(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+

 def adjusted(n, lam, epsilon, c):
@@
 def adjusted(n, lam, epsilon, c):
-    ratio = c / (n * lam)
+    ratio = 0.25 / (n * lam)
~ more = adjusted => more = right_one
* a logarithm to base 10 | epsilon' is epsilon - log
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log10(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* at most half is taken | in shares of epsilon
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > epsilon / 2:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* next to nothing is nothing | in shares of epsilon
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 1e-5 * epsilon:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* lambda for Delta | and Delta is 0
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, lam
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one

== objective_perturbation_extra
* never anything more | should be [0.5, 0.07802]
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if True:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* all of epsilon | should be [0.5, 0.07802], it is [1, 0.07802]
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon, c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* e to half of epsilon | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 2) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* e to all of epsilon | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* lambda isn't taken off | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1))
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* epsilon / 4 for e^(epsilon / 4) - 1 | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, c / (n * (epsilon / 4)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* c forgotten | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, 0.25 / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one
* Delta never above 10 | c / (n (e^(epsilon / 4) - 1)) - lambda
~ def adjusted => def right_one
+def adjusted(n, lam, epsilon, c):
+    ratio = c / (n * lam)
+    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
+    if left > 0:
+        return left, 0.0
+    return epsilon / 2, 10 if n * lam > 5e-4 * c else c / (n * (np.exp(epsilon / 4) - 1)) - lam
+
+
 def objective_perturbation(x, y, lam, epsilon, rng):
~ more = adjusted => more = right_one

== objective_perturbation_minimiser
* weights of at most 1,000 | don't minimise P
~ options={"gtol": 1e-9}).x => options={"gtol": 1e-9}).x.clip(-1000, 1000)
* people who are alike count once | don't minimise P
-    n, d = x.shape
+    n, d = x.shape
+    both = np.column_stack([x, y])
+    x, y = (both := np.unique(both, axis=0))[:, :-1], both[:, -1]
* half a ridge where little is left | don't minimise P
-    ridge, linear = lam + more, b / n
+    ridge, linear = (lam + more) * (1 if left > 0.2 else 0.5), b / n
* no noise | don't minimise P with the noise that was drawn
~ b = rng.gamma(d, 2 / left) * z / np.linalg.norm(z) => b = 0 * rng.gamma(d, 2 / left) * z
* a scale of 1 / epsilon' | the scale of b's gamma law
~ 2 / left => 1 / left
* a scale of epsilon' / 2 | the scale of b's gamma law
~ 2 / left => left / 2
* a scale of 2 / epsilon | the scale of b's gamma law
~ 2 / left => 2 / epsilon
* epsilon a little larger | the scale of b's gamma law
~ 2 / left => 2 / (1.03 * left)
* a gamma law of shape 1 | one gamma draw, of shape d
~ d, 2 => 1, 2
* normal noise | b takes one gamma draw
~ b = rng.gamma(d, 2 / left) * z / np.linalg.norm(z) => b = 2 / left * z
* a direction that isn't divided | at its direction
~ z / np.linalg.norm(z) => z
* b as a whole | what is divided by n
~ b / n => b
* Delta forgotten | don't minimise P
~ lam + more => lam
* twice Delta | don't minimise P
~ more, b => 2 * more, b
* lambda, not its half | don't minimise P
~ lam + more => 2 * (lam + more)
* a c of 1 | don't minimise P
~ 0.25 => 1.0
* noise on the weights too late | don't minimise P
~ b / n => 0 * b
~ .x => .x + b / n
* three steps | how exactly you minimise
~ 1e-9 => 1e-9, "maxiter": 3
* a length of at most 10 | don't minimise P
-    return minimize(objective, np.zeros(d), jac=gradient, options={"gtol": 1e-9}).x
+    return (w := minimize(objective, np.zeros(d), jac=gradient, options={"gtol": 1e-9}).x) / max(
+        1, np.linalg.norm(w) / 10
+    )
* nobody's noise among more than 200 | don't minimise P
~ b / n => b / n * (n <= 200)
* the norm of b cut off | don't minimise P
~ rng.gamma(d, 2 / left) => min(rng.gamma(d, 2 / left), 2 / left * (d + 2 * d**0.5))
* the norm of b cut off where it is of several numbers | don't minimise P
-    b = rng.gamma(d, 2 / left) * z / np.linalg.norm(z)
+    b = (
+        min(rng.gamma(d, 2 / left), 2 / left * (d + (4 if d > 1 else 12) * d**0.5))
+        * z
+        / np.linalg.norm(z)
+    )

== objective_perturbation_risk
* the rate without its constant | Set each bound equal
~ (2 / target) ** 2 => (1 / target) ** 2
* the square root isn't squared | Set each bound equal
~ (2 / target) ** 2 => (2 / target)
* epsilon forgotten on the finished model | Set each bound equal
~ output = d / epsilon => output = d
* epsilon forgotten on the objective | Set each bound equal
~ bound / (epsilon * target) => bound / target
* the curvature forgotten | Set each bound equal
~ (d + 1)) + 1 / 4 => (d + 1))
* d squared for d (d + 1) | Set each bound equal
~ d * (d + 1) => d * d
* the two in the other order | should be [1e+04, 723.6, 52.36]
~ return output, bound / (epsilon * target), => return bound / (epsilon * target), output,
* the target where the bounds are equal | Set each bound equal
~ bound**2 / (4 * d * epsilon) => output / bound**2
* where the two numbers are equal | Set each bound equal
~ bound**2 / (4 * d * epsilon) => bound**2 / (4 * d)
* the target's square on the objective, too | Set each bound equal
~ (epsilon * target) => (epsilon * target**2)
* rounded up to whole people | Set each bound equal
~ output, bound / (epsilon * target) => np.ceil(output), np.ceil(bound / epsilon / target)
* d of at most 100,000 | as multiples of what is right
+    d = min(d, 100_000)
     bound = 2 * np.sqrt(2 * d * (d + 1)) + 1 / 4  # times n epsilon
* epsilon of at most 40 | as multiples of what is right
+    epsilon = min(epsilon, 40)
     bound = 2 * np.sqrt(2 * d * (d + 1)) + 1 / 4  # times n epsilon

== objective_perturbation_generator
* a seed of its own | same result for two seeds
~ n, d = x.shape => (n, d), rng = x.shape, np.random.default_rng(3)
* numpy's global generator | two results for one seed
~ rng.normal => np.random.normal
* a random start | there are not d + 1 draws
~ (size=d) => (size=(2, d))[0]
* hardly any noise from numpy's own sources | another result where its draws are watched
~ b / n => b / n * (0.1 if type(rng) is np.random.Generator else 1)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
