"""Answers to `gaussian_sigma`. The mistakes: the wrong norm, a formula, or a search too short."""

from tests.assignments.edits import read_answers

RIGHT = {
    "halving": """
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = max(np.linalg.norm(move) for move in moves)
    low, high = 1e-3, 1e4
    for _ in range(100):
        sigma = (low + high) / 2
        mu = 1 / sigma
        true = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        if true > delta:
            low = sigma
        else:
            high = sigma
    return sensitivity * high
""",
    "a root on the scale of logarithms": """
def gaussian_sigma(moves, epsilon, delta):
    from scipy.optimize import brentq

    lengths = np.sqrt((np.array(moves) ** 2).sum(axis=1))
    if not lengths.any():
        return 0.0

    def excess(log_mu):
        mu = np.exp(log_mu)
        first, second = ndtr(mu / 2 - epsilon / mu), ndtr(-mu / 2 - epsilon / mu)
        return first - np.exp(epsilon) * second - delta

    return lengths.max() / np.exp(brentq(excess, -10, 6, xtol=1e-13, rtol=1e-13))
""",
    "doubling, then halving, in the query's units": """
def gaussian_sigma(moves, epsilon, delta):
    sensitivity = max(math.sqrt(sum(step * step for step in move)) for move in moves)
    if sensitivity == 0:
        return 0

    def kept(sigma):
        mu = sensitivity / sigma
        true = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        return true <= delta

    high = sensitivity / 100
    while not kept(high):
        high *= 2
    low = high / 2 if high > sensitivity / 100 else 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high
""",
    "by the mechanism's own guarantee": """
def gaussian_sigma(moves, epsilon, delta):
    low, high = -3.0, 5.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        true = GaussianMechanism(sum, 1, 10**middle, epsilon).guarantee.delta
        low, high = (low, middle) if true <= delta else (middle, high)
    return float(10**high * np.linalg.norm(np.asarray(moves), axis=1).max())
""",
}

EDITS = """
== gaussian_sigma_sensitivity
* the L1 norm | should be 18.65, it is 26.11
~ linalg.norm(move) => abs(move).sum()
* the largest coordinate | it is 14.92
~ max(np.linalg.norm(move) for move in moves) => np.abs(moves).max()
* the first pair of neighbours only | should be 10.55, it is 3.73
~ max(np.linalg.norm(move) for move in moves) => np.linalg.norm(moves[0])
* the norm of the whole table | the root of the sum of squares
~ max(np.linalg.norm(move) for move in moves) => np.linalg.norm(moves)
* the mean length | largest L2 norm
~ max(np.linalg.norm(move) for move in moves) => np.mean([np.linalg.norm(move) for move in moves])
* the length squared | it is 93.27
~ linalg.norm(move) => sum(np.square(move))
* the largest column, not row | it is 14.92
~ max(np.linalg.norm(move) for move in moves) => np.linalg.norm(moves, axis=0).max()
* no sensitivity at all | it is 3.731
~ max(np.linalg.norm(move) for move in moves) => 1
* where nothing moves, an error | raised ValueError
+def gaussian_sigma(moves, epsilon, delta):
+    sensitivity = np.linalg.norm(moves, axis=1).max()
+    low, high = sensitivity / 1000, sensitivity * 1e4
+    if low == high:
+        raise ValueError("moves must not be all zero")
+    while high / low > 1 + 1e-9:
+        sigma = math.sqrt(low * high)
+        mu = sensitivity / sigma
+        true = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
+        low, high = (low, sigma) if true <= delta else (sigma, high)
+    return high
* six decimals | Delta is the largest L2 norm
~ sensitivity * high => round(sensitivity * high, 6)
* moves rounded to three decimals | Delta is the largest L2 norm
~ (move) for => (np.round(move, 3)) for
* no move is longer than a thousand | Delta is the largest L2 norm
-    sensitivity = max(np.linalg.norm(move) for move in moves)
+    sensitivity = min(1000.0, max(np.linalg.norm(move) for move in moves))
* a hundred pairs of neighbours at most | Delta is the largest L2 norm
~ in moves => in moves[:100]
* ten thousand pairs of neighbours at most | Delta is the largest L2 norm
~ in moves => in moves[:10_000]
* ten answers at most | Delta is the largest L2 norm
~ (move) for => (move[:10]) for
* one answer moves upwards only | should be 7.461, it is 3.731
-    sensitivity = max(np.linalg.norm(move) for move in moves)
+    sensitivity = (
+        max(np.linalg.norm(move) for move in moves) if len(moves[0]) > 1 else max(max(moves)[0], 0)
+    )
* fifteen thousand moves | should be
~ in moves => in moves[:15_000]

== gaussian_sigma_values
* the classic formula | should be 3.731, it is 4.845
+def gaussian_sigma(moves, epsilon, delta):
+    sensitivity = max(np.linalg.norm(move) for move in moves)
+    return sensitivity * np.sqrt(2 * np.log(1.25 / delta)) / epsilon
* the slides' formula | it is 4.941 | edits the classic formula
~ 1.25 => 2
* the notes' formula | it is 3.393 | edits the classic formula
~ 2 * np.log(1.25 / delta) => np.log(1 / delta)
* the chance of a loss above epsilon | should be 3.731, it is 4.379
-        true = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
+        true = ndtr(mu / 2 - epsilon / mu)
* the exponential forgotten | The text has this
~ np.exp(epsilon) * ndtr => ndtr
* sigma in the place of mu | should be 3.731
~ (mu / 2 - epsilon / mu) => (sigma / 2 - epsilon / sigma)
~ mu / 2 - epsilon / mu => sigma / 2 - epsilon / sigma
* a variance | it is 13.92
~ sensitivity * high => sensitivity * high ** 2
* mu, not sigma | it is 0.268
~ sensitivity * high => sensitivity * 1 / high
* three digits | should be 3.73063
~ sensitivity * high => sensitivity * round(high, 3)
* a little more noise, to be safe | should be 3.73063
~ sensitivity * high => sensitivity * high * (1 + 2e-5)
* epsilon three percent too large | should be 3.731
-        true = ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
+        true = ndtr(mu / 2 - (1.03 * epsilon) / mu) - np.exp((1.03 * epsilon)) * ndtr(
+            -mu / 2 - (1.03 * epsilon) / mu
+        )
* dplab's own sigma | off limits
+def gaussian_sigma(moves, epsilon, delta):
+    from dplab import analytic_sigma
+
+    sensitivity = max(np.linalg.norm(move) for move in moves)
+    if sensitivity == 0:
+        return 0.0
+    return analytic_sigma(sensitivity=sensitivity, epsilon=epsilon, delta=delta)

== gaussian_sigma_range
* noise of at least one sensitivity | Does your search reach that far
~ 1e-3 => 1.0
* noise of at most fifty sensitivities | gaussian_sigma([[1.0]], 0.05
~ 3, 1e4 => 3, 50.0
* noise of at least a sixth of the sensitivity | Does your search reach that far
~ 1e-3 => 0.17
* a formula for small epsilon | every term of the inequality
+    if epsilon < 0.04:
+        return sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
     low, high = 1e-3, 1e4
* the second term left out where it is small | every term of the inequality
~ (-mu / 2 - epsilon / mu) => (-mu / 2 - epsilon / mu) * (epsilon < 15)
* a formula for large epsilon | gaussian_sigma([[1.0]], 10, 1e-05) should be
~ gaussian_sigma => exact
     return sensitivity * high
+
+
+def gaussian_sigma(moves, epsilon, delta):
+    if epsilon <= 3:
+        return exact(moves, epsilon, delta)
+    return exact(moves, 3, delta) * 3 / epsilon

== gaussian_sigma_sensitivity
* squares of sixteen bits | Delta is the largest L2 norm
-    sensitivity = max(np.linalg.norm(move) for move in moves)
+    squares = [np.array(move).astype(np.int16) ** 2 for move in moves]
+    sensitivity = max(math.sqrt(abs(square.sum(dtype=np.int16))) for square in squares)
* forty-nine answers at most | Delta is the largest L2 norm
~ np.linalg.norm(move) => np.linalg.norm(move[:49])

== gaussian_sigma_range
* no epsilon above 19.5 | Does your search reach that far
+    epsilon = min(epsilon, 19.5)
     low, high = 1e-3, 1e4
* five digits | Does your search reach that far
~ return sensitivity * high => return float(f"{sensitivity * high:.5g}")
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
