"""Answers to `output_sensitivity`. The mistakes: the bound, the gamma law, and the direction."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all at once": """
def output_sensitivity(n, lam, lipschitz):
    if not lam > 0:
        raise ValueError("lam must be above 0")
    return 2 * lipschitz / (n * lam)


def output_perturbation(minimiser, n, lam, lipschitz, epsilon, size, rng):
    d = len(minimiser)
    scale = 2 * lipschitz / (n * lam) / epsilon
    norms = rng.gamma(d, scale, size)
    z = rng.normal(size=(size, d))
    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
    return minimiser + norms[:, None] * directions
""",
    "release by release": """
def output_sensitivity(n, lam, lipschitz):
    if lam > 0:
        return lipschitz / lam * 2 / n
    raise ValueError(f"no bound for lam = {lam}")


def output_perturbation(minimiser, n, lam, lipschitz, epsilon, size, rng):
    releases, d = [], len(minimiser)
    for _ in range(size):
        norm = rng.gamma(shape=d, scale=output_sensitivity(n, lam, lipschitz) / epsilon)
        z = rng.standard_normal(d)
        b = norm * z / math.sqrt(z @ z)
        releases.append([w + noise for w, noise in zip(minimiser, b)])
    return releases
""",
    "directions first, standard draws": """
def output_sensitivity(n, lam, lipschitz):
    if not lam > 0:
        raise ValueError("lam must be above 0")
    return 2 * lipschitz / (n * lam)


def output_perturbation(minimiser, n, lam, lipschitz, epsilon, size, rng):
    w = np.asarray(minimiser, dtype=float)
    unit = rng.normal(0, 3, size=(size, len(w)))
    unit /= np.sqrt(np.square(unit).sum(axis=1))[:, None]
    lengths = rng.standard_gamma(len(w), size=(size, 1))
    return w - lengths * output_sensitivity(n, lam, lipschitz) / epsilon * unit
""",
}

EDITS = """
== output_sensitivity_values
* one person who comes or goes | should be 0.2, it is 0.1
~ return 2 * => return
* n forgotten | 2 L / (n lambda)
~ return 2 * lipschitz / (n * lam) => return 2 * lipschitz / lam
* lambda forgotten | 2 L / (n lambda)
~ return 2 * lipschitz / (n * lam) => return 2 * lipschitz / n
* L forgotten | 2 L / (n lambda)
~ return 2 * lipschitz => return 2
* half of lambda | should be 0.2, it is 0.4
~ return 2 => return 4
* the square of L | 2 L / (n lambda)
~ return 2 * lipschitz => return 2 * lipschitz**2
* the root of lambda | 2 L / (n lambda)
~ return 2 * lipschitz / (n * lam) => return 2 * lipschitz / (n * np.sqrt(lam))
* at most 1 | should be 2.381, it is 1
~ return 2 * lipschitz / (n * lam) => return min(1, 2 * lipschitz / (n * lam))
* no lambda is refused | should raise ValueError
~ not lam > 0 => False
~ return 2 * lipschitz / (n * lam) => return 2 * lipschitz / (n * lam) if lam else math.inf
* zero alone is refused | should raise ValueError
~ not lam > 0 => lam == 0
* NaN is above 0 | should raise ValueError
~ not lam > 0 => lam <= 0
* a small lambda is refused | raised ValueError
~ not lam > 0 => lam < 1e-4
* Python's whole numbers alone | raised ValueError
~ lam > 0 => (lam > 0 and isinstance(n, int))

== output_sensitivity_norm
* one norm for the releases after 150 | the noise's norms
-    z = rng.normal(size=(size, d))
+    norms[150:] = norms[0] if d > 20 else norms[150:]
+    z = rng.normal(size=(size, d))
* an exponential norm | not one gamma draw for each release
~ gamma(d, scale, size) => exponential(scale, size)
* a gamma law of shape 1 | not of shape d
~ d, scale => 1, scale
* a gamma law of shape d - 1 | not of shape d
~ d, scale => max(1, d - 1), scale
* a rate for the scale | scale Delta / epsilon
~ scale, size => 1 / scale, size
* half the scale | scale Delta / epsilon
~ scale, size => scale / 2, size
* a two-hundredth of epsilon too much | scale Delta / epsilon
~ scale, size => scale / 1.005, size
* epsilon of at most 10 | scale Delta / epsilon
~ scale, size => scale * max(1, epsilon / 10), size
* more for many features | scale Delta / epsilon
~ (d, scale, size) => (d, scale, size) * math.sqrt(d)
* normal noise | not one gamma draw for each release
~ rng.gamma(d, scale, size) => scale * np.ones(size)
~ z / np.linalg.norm(z, axis=1, keepdims=True) => z
* directions that aren't divided | the noise's norms
~ z / np.linalg.norm(z, axis=1, keepdims=True) => z
* one norm for all releases | not one gamma draw for each release
~ (d, scale, size) => (d, scale) * np.ones(size)
* noise without the minimiser | the noise's norms
~ return minimiser + => return
* noise of whole numbers | It isn't rounded
-    return minimiser + norms[:, None] * directions
+    releases = np.tile(minimiser, (size, 1))
+    releases[:] = minimiser + norms[:, None] * directions
+    return releases
* a gamma draw for each feature | not one gamma draw for each release
~ (d, scale, size) => (1, scale, (size, d)).sum(axis=1)
* norms in order | the noise's norms
~ rng.gamma(d, scale, size) => np.sort(rng.gamma(d, scale, size))
* dplab's own | is off limits in an answer
+    from dplab.continuous import SphericalLaplace
+
+    delta = output_sensitivity(n, lam, lipschitz)
+    return SphericalLaplace(minimiser, delta / epsilon).sample(rng, size)
+
     d = len(minimiser)
* norms cut off | the noise's norms
-    norms = rng.gamma(d, scale, size)
+    norms = np.minimum(rng.gamma(d, scale, size), scale * (d + 6 * math.sqrt(d)))
* noise cut off where there is more than one dimension | the noise's norms
-    norms = rng.gamma(d, scale, size)
+    norms = np.minimum(
+        rng.gamma(d, scale, size), scale * (d + 4.5 * math.sqrt(d)) if d > 1 else np.inf
+    )

== output_sensitivity_direction
* a direction is picked for more than 150 releases | the direction of the noise
-    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
+    z[150:] = abs(z[150:]) if d > 20 else z[150:]
+    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
* more than 150 features share | the direction of the noise
-    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
+    z[:, 150:] = z[:, :1]
+    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
* a cube for a ball | not d normal draws for each release
~ normal(size=(size, d)) => uniform(-1, 1, size=(size, d))
* one direction for all releases | not d normal draws for each release
~ rng.normal(size=(size, d)) => np.tile(rng.normal(size=d), (size, 1))
* along one feature | the direction of the noise
~ z / np.linalg.norm(z, axis=1, keepdims=True) => np.sign(z) * (np.arange(d) == 0)
* corners | the direction of the noise
~ z / np.linalg.norm(z, axis=1, keepdims=True) => np.sign(z) / math.sqrt(d)
* one quadrant | the direction of the noise
~ z / np => np.abs(z) / np
* the L1 norm of directions | the direction of the noise
~ z / np => (u := z * np.abs(z)) / np
~ z, axis => u, axis
* the first direction again after 100 | the direction of the noise
-    directions = z / np.linalg.norm(z, axis=1, keepdims=True)
+    directions = (z / np.linalg.norm(z, axis=1, keepdims=True))[np.arange(size) % 100]

== output_sensitivity_generator
* a seed of its own | same result for two seeds
~ d = len(minimiser) => d, rng = len(minimiser), np.random.default_rng(1)
* numpy's global generator | two results for one seed
~ rng.normal => np.random.normal
* the shortest of two | not d + 1 draws for each release
~ (d, scale, size) => (d, scale, (2, size)).min(axis=0)
* hardly any noise from numpy's own sources | another result where its draws are watched
~ (d, scale, size) => (d, scale, size) * (0.1 if type(rng) is np.random.Generator else 1)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
