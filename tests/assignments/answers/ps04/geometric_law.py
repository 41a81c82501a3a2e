"""Answers to `geometric_law`. The mistakes: tails lost or shared out, and other laws."""

from tests.assignments.edits import read_answers

RIGHT = {
    "tails in closed form": """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)
    law = (1 - p) / (1 + p) * p ** np.abs(np.arange(n + 1) - count)
    law[0] = p**count / (1 + p)
    law[n] = p ** (n - count) / (1 + p)
    return law
""",
    "what is left over": """
def geometric_law(count, epsilon, n):
    p = np.exp(-epsilon)
    law = [(1 - p) / (1 + p) * p ** abs(j - count) for j in range(n + 1)]
    above = 1 / (1 + p) if count < n else 0.0
    law[0] = 1 / (1 + p) * p**count
    if count == n:
        law[n] = 1 / (1 + p)
    else:
        law[n] = p ** (n - count) * above
    return np.array(law)
""",
    "a long sum": """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)
    reach = n + int(60 / epsilon) + 60
    k = np.arange(-reach, reach + 1)
    mass = (1 - p) / (1 + p) * p ** np.abs(k)
    return np.bincount(np.clip(count + k, 0, n), weights=mass, minlength=n + 1)
""",
    "from the distribution function": """
def geometric_law(count, epsilon, n):
    p = math.exp(-epsilon)

    def at_most(m):
        return p ** (-m) / (1 + p) if m < 0 else 1 - p ** (m + 1) / (1 + p)

    inside = [at_most(j - count) for j in range(n)]
    return np.diff([0.0, *inside, 1.0])
""",
}

EDITS = """
== geometric_law_small
* tails forgotten | should be [0.3333
-    law[0] = p**count / (1 + p)
-    law[n] = p ** (n - count) / (1 + p)
* all of the rest on the count | the nearer end
-    law[0] = p**count / (1 + p)
-    law[n] = p ** (n - count) / (1 + p)
+    law[count] += 1 - law.sum()
* tails without their denominator | should be [0.3333
~ count / (1 + p) => count
~ (n - count) / (1 + p) => (n - count)
* twice the mass at no noise | should be [0.3333
~ (1 + p) * p => 2 * p
* the density of Laplace noise | should be [0.3333
+def geometric_law(count, epsilon, n):
+    law = epsilon / 2 * np.exp(-epsilon * np.abs(np.arange(n + 1) - count))
+    law[0] += np.exp(-epsilon * (count + 0.5)) / 2
+    law[n] += np.exp(-epsilon * (n - count + 0.5)) / 2
+    return law
* Laplace noise, rounded | should be [0.3333
+def geometric_law(count, epsilon, n):
+    def cdf(t):
+        return np.exp(epsilon * t) / 2 if t < 0 else 1 - np.exp(-epsilon * t) / 2
+
+    inside = [cdf(j + 0.5 - count) for j in range(n)]
+    return np.diff([0.0, *inside, 1.0])
* from n down to 0 | should be [0.6667
~ return law => return law[::-1]
* the end is one short | should be an array of shape (3,)
~ return law => return law[:n]
* dplab's own | dplab.GeometricMechanism is off limits in an answer
+def geometric_law(count, epsilon, n):
+    mechanism = GeometricMechanism(int, sensitivity=1, epsilon=epsilon)
+    return mechanism.clamp(0, n).distribution(int(count)).probabilities
* dplab's distribution | dplab.DiscreteLaplace is off limits in an answer
+from dplab import DiscreteLaplace
+
+
+def geometric_law(count, epsilon, n):
+    return DiscreteLaplace(int(count), 1 / Fraction(epsilon)).clamp(0, n).probabilities

== geometric_law_epsilon
* shared out by dividing by the sum | the largest |log-ratio|
+def geometric_law(count, epsilon, n):
+    p = math.exp(-epsilon)
+    law = (1 - p) / (1 + p) * p ** np.abs(np.arange(n + 1) - count)
+    return law / law.sum()
* tails beside the ends | the sum of each law
~ [0] = p => [0] += p
~ [n] = p => [n] += p
* half of epsilon | the largest |log-ratio| should be 1, it is 0.5
~ (-epsilon) => (-epsilon / 2)
* noise on one side | the largest |log-ratio|
~ (1 - p) / (1 + p) * p ** np.abs(np.arange(n + 1) - count) => np.zeros(n + 1)
~ [0] = p**count / (1 + p) => [count:] = (1 - p) * p ** np.arange(n - count + 1)
~ (n - count) / (1 + p) => (n - count)
* one person without noise | the largest |log-ratio|
-    return law
+    far = np.abs(np.arange(n + 1) - count)
+    return np.where(n == 1 and epsilon > 2, far == 0, law)

== geometric_law_values
* left over in equal parts | moved onto them
-    law[0] = p**count / (1 + p)
-    law[n] = p ** (n - count) / (1 + p)
+    law[[0, n]] += (1 - law.sum()) / 2
* p is epsilon | p = exp(-epsilon)
~ math.exp(-epsilon) => epsilon / (1 + epsilon)
* shared out where there are many | moved onto them
+    if n > 50:
+        return law / law.sum()
     law[0] = p**count / (1 + p)
* cut at 30 steps | Are the tails there
-    return law
+    far = np.abs(np.arange(n + 1) - count)
+    return np.where(far > 30, 0, law)
* cut at 20 scales | Are the tails there
-    return law
+    far = np.abs(np.arange(n + 1) - count)
+    return np.where(far * epsilon > 20, 0, law)
* epsilon at most 3 | p = exp(-epsilon)
~ (-epsilon) => (-min(epsilon, 3))
* epsilon at least 0.02 | Are the tails there
~ (-epsilon) => (-max(epsilon, 0.02))
* no noise from epsilon = 5 on | Are the tails there
-    return law
+    far = np.abs(np.arange(n + 1) - count)
+    return np.where((epsilon >= 5) & (n > 5), far == 0, law)
* nobody stays nobody | Are the tails there
-    return law
+    far = np.abs(np.arange(n + 1) - count)
+    return np.where(count == 0 and n > 50, far == 0, law)
* never below 1e-12 | the sum of the probabilities
~ return law => return np.maximum(law, 1e-12)

== geometric_law_values
* ten thousand people at most | Are the tails there
-    law[n] = p ** (n - count) / (1 + p)
+    law[n] = p ** (n - count) / (1 + p)
+    law[10_001:n] = 0
* numbers of 32 bits | moved onto them
~ p = math.exp(-epsilon) => p = float(np.float32(math.exp(-epsilon)))

== geometric_law_small
* fewer than three people are hidden by a coin | the nearer end
+    if n < 3:
+        return np.full(n + 1, 1 / (n + 1))
     p = math.exp(-epsilon)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
