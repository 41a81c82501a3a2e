"""Answers to `process_sigma` and `gaussian_process_noise`. The mistakes: h, n, what moves alone."""

from tests.assignments.edits import read_answers

RIGHT = {
    "Cholesky": """
def process_sigma(n, h, mu):
    return math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
    root = np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))
    return sigma * rng.normal(size=(size, len(t))) @ root.T
""",
    "roots of eigenvalues": """
def process_sigma(n, h, mu):
    c = 1 / (n * np.sqrt(2 * np.pi) * h)
    return np.sqrt(2) * c / mu


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.array(points)
    values, vectors = np.linalg.eigh(np.exp(-np.subtract.outer(t, t) ** 2 / (2 * h * h)))
    root = vectors * np.sqrt(np.maximum(values, 0))
    return (root @ rng.standard_normal((len(t), size))).T * sigma
""",
    "numpy's normal vectors": """
def process_sigma(n, h, mu):
    return 1 / (n * h * mu * math.sqrt(math.pi))


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
    root = np.zeros(len(t))
    return rng.multivariate_normal(root, sigma**2 * covariance, size, check_valid="ignore")
""",
    "numpy's normal vectors, one by one": """
def process_sigma(n, h, mu):
    return math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
    root = np.zeros(len(t))
    return sigma * np.array(
        [rng.multivariate_normal(root, covariance, check_valid="ignore") for _ in range(size)]
    )
""",
    "numpy's normal vectors at different points, times a root": """
def process_sigma(n, h, mu):
    return math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
    root = np.unique(t, return_inverse=True)
    return sigma * _vectors(rng, size, h, root[0])[:, root[1]]


def _vectors(rng, size, h, t):
    covariance = np.exp(-np.subtract.outer(t, t) ** 2 / (2 * h**2)) + 1e-8 * np.eye(len(t))
    plain = rng.multivariate_normal(np.zeros(len(t)), np.eye(len(t)), size)
    return plain @ np.linalg.cholesky(covariance).T
""",
    "kernel by kernel": """
def process_sigma(n, h, mu):
    return (math.sqrt(math.pi) * n * h * mu) ** -1


def gaussian_process_noise(points, h, sigma, size, rng):
    p = len(points)
    covariance = np.eye(p) * 1e-7
    for i in range(p):
        for j in range(p):
            covariance[i, j] += math.exp(-((points[i] - points[j]) ** 2) / (2 * h**2))
    values, vectors = np.linalg.eigh(sigma**2 * covariance)
    curves = np.zeros((size, p))
    for row in range(size):
        curves[row] = vectors @ (np.sqrt(np.maximum(values, 0)) * rng.normal(size=p))
    return curves
""",
}

EDITS = """
== right
* numpy's normal vectors, then wider | edits numpy's normal vectors
~ 1 / (n * h * mu * math.sqrt(math.pi)) => math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)
~ return rng => return sigma * rng
~ root, sigma**2 * => root,
* curve by curve
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.array([sigma * (root @ rng.normal(0, 1, len(t))) for _ in range(size)])

== gaussian_process_noise_sigma
* one kernel's norm | How far does a record move the curve
~ math.sqrt(2) => 1
* the notes' root of h | How far does a record move the curve
~ h * mu => math.sqrt(h) * mu
* twice a kernel | How far does a record move the curve
~ math.sqrt(2) => 2
* without n | How far does a record move the curve
~ n * math => math
* the square root of n | How far does a record move the curve
~ n * math => math.sqrt(n) * math
* mu above | How far does a record move the curve
~ return math => return mu**2 * math
* zCDP's rho | How far does a record move the curve
-    return math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)
+    return mu * math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu) / math.sqrt(mu**2 / 2)
* the classic factor | How far does a record move the curve
~ sqrt(2) => sqrt(2 * math.log(2 / 1e-5))
~ 2 * math.pi => math.pi
* bumps that integrate to the root | How far does a record move the curve
~ (2 * math.pi) * h => (2 * math.pi * h)
* h at least a hundredth | How far does a record move the curve
~ h * mu => max(h, 0.01) * mu
* dplab's curve | off limits
+def process_sigma(n, h, mu):
+    from dplab.synthesis import KernelDensity
+
+    return KernelDensity((0.5,), n=n, bandwidth=h, sigma=1.0).sensitivity / mu
+
+
+def gaussian_process_noise(points, h, sigma, size, rng):
+    return np.zeros((size, len(points)))

== gaussian_process_noise_law
* the variance | Values at s and t have the covariance
~ sigma * rng => sigma**2 * rng
* without sigma | Values at s and t have the covariance
~ return sigma * rng => return rng
* independent noise | Values at s and t have the covariance
~ (size=(size, len(t))) @ root.T => (size=(size, len(t)))
* one number for the curve | Values at s and t have the covariance
~ (size=(size, len(t))) @ root.T => (size=(size, 1)) * np.ones(len(t))
* h squared, not twice | Values at s and t have the covariance
~ (-((t[:, None] - t) ** 2) / (2 * h**2)) => (-((t[:, None] - t) ** 2) / h**2)
* the distance not squared | Values at s and t have the covariance
~ (-((t[:, None] - t) ** 2) / (2 * h**2)) => (-np.abs(t[:, None] - t) / h)
* the root's wrong side | Values at s and t have the covariance
~ root.T => root
* covariance for its root | Values at s and t have the covariance
~ root.T => covariance
* one curve for all rows | Values at s and t have the covariance
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.tile(sigma * (root @ rng.normal(size=len(t))), (size, 1))
* columns for rows | One curve a row
~ * rng.normal(size=(size, len(t))) @ root.T => * root @ rng.normal(size=(len(t), size))
* every second curve turned over | draws of its own
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return (
+        sigma
+        * (
+            np.repeat(rng.normal(size=(-(-size // 2), len(t))), 2, axis=0)[:size]
+            * (-1.0) ** np.arange(size)[:, None]
+        )
+        @ root.T
+    )
* a thousand curves again and again | draws of its own
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.resize(sigma * rng.normal(size=(min(size, 1000), len(t))) @ root.T, (size, len(t)))
* vectors of two laws | Values at s and t have the covariance
| edits numpy's normal vectors, one by one
-        [rng.multivariate_normal(root, covariance, check_valid="ignore") for _ in range(size)]
+        [
+            rng.multivariate_normal(
+                root, covariance if row == 0 else np.eye(len(t)), check_valid="ignore"
+            )
+            for row in range(size)
+        ]
* the first curve again at the end | curves repeat others
~ (size=(size, len(t))) => (size=(size, len(t)))[np.arange(size) % max(3, size - 1)]
* five thousand curves, and then again | draws of its own
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.resize(sigma * rng.normal(size=(min(size, 5000), len(t))) @ root.T, (size, len(t)))
* less noise at more than a hundred points | 480 curves at 120 points
~ return sigma => return (0.97 if len(t) > 100 else 1) * sigma
* less noise in more than 2,500 curves | 2600 curves at 22 points
~ return sigma => return (0.97 if size > 2500 else 1) * sigma

== gaussian_process_noise_exact
* a Laplace law | Every draw is of rng.normal
~ normal(size=(size, len(t))) => laplace(scale=2**-0.5, size=(size, len(t)))
* less noise by three in a hundred | 0 between two curves
~ return sigma => return 0.97 * sigma
* the bandwidth a little larger | 0 between two curves
~ h**2 => (1.05 * h) ** 2
* numpy's vectors of a narrower law | 0 between two curves
| edits numpy's normal vectors, then wider
~ return sigma * rng => return rng
~ root, covariance => root, 0.95 * sigma**2 * covariance
* a nugget of a tenth | 0 between two curves
~ 1e-9 => 0.1
* cut at five sigmas | no largest value
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.clip(sigma * rng.normal(size=(size, len(t))) @ root.T, -5 * sigma, 5 * sigma)
* far points don't count | 0 between two curves
-    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
-    root = np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))
+    covariance = np.where(
+        np.abs(t[:, None] - t) < 2 * h, np.exp(-((t[:, None] - t) ** 2) / (2 * h**2)), 0
+    )
+    root = np.linalg.cholesky(
+        covariance
+        + 1e-9 * np.eye(len(t))
+        + np.diag(
+            np.where(
+                np.linalg.eigvalsh(covariance).min() < 0, -np.linalg.eigvalsh(covariance).min(), 0
+            )
+            * np.ones(len(t))
+        )
+    )
* neighbouring points only | 0 between two curves
+def process_sigma(n, h, mu):
+    return 1 / (n * h * mu * math.sqrt(math.pi))
+
+
+def gaussian_process_noise(points, h, sigma, size, rng):
+    t = np.asarray(points, dtype=float)
+    curves = rng.normal(size=(size, len(t)))
+    for j in range(1, len(t)):
+        near = math.exp(-((t[j] - t[j - 1]) ** 2) / (2 * h**2))
+        curves[:, j] = near * curves[:, j - 1] + math.sqrt(1 - near**2) * curves[:, j]
+    return sigma * curves
* a sum of random waves | Every draw is of rng.normal
+def process_sigma(n, h, mu):
+    return 1 / (n * h * mu * math.sqrt(math.pi))
+
+
+def gaussian_process_noise(points, h, sigma, size, rng):
+    waves = rng.normal(0, 1 / h, 5000)
+    angles = np.outer(points, waves) + rng.uniform(0, 2 * np.pi, 5000)
+    return sigma * rng.normal(size=(size, 5000)) @ np.cos(angles).T * math.sqrt(2 / 5000)
* vectors, made narrower | what draws from -9 to 11 make | edits numpy's normal vectors, then wider
-    return sigma * rng.multivariate_normal(root, covariance, size, check_valid="ignore")
+    return (
+        np.tanh(rng.multivariate_normal(root, 1e-6 * covariance, size, check_valid="ignore"))
+        * 1000
+        * sigma
+    )
* vectors at sorted points, a little narrower | 0 between two curves
-    root = np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    root = np.argsort(t)
+    return (
+        0.99
+        * sigma
+        * rng.multivariate_normal(np.zeros(len(t)), covariance[root][:, root], size)[
+            :, np.argsort(root)
+        ]
+    )
* a generator of its own | gives the same result for two seeds
~ rng.normal => np.random.default_rng(2).normal
* the global generator | gives two results for one seed
~ rng.normal => np.random.normal
* squares multiplied out | 0 between two curves
~ (t[:, None] - t) ** 2 => t[:, None] ** 2 + t**2 - 2 * np.outer(t, t)
* a root kept for points of the same ends and number | 0 between two curves
+
+_roots = {}
+

 def process_sigma(n, h, mu):
@@
-    root = np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))
+    root = _roots.setdefault(
+        (len(t), h, t.min(), t.max()), np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))
+    )
* one of 256 seeds, where nobody watches | another result where its draws are watched
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return (
+        sigma
+        * (
+            np.random.default_rng(rng.integers(256)) if type(rng) is np.random.Generator else rng
+        ).normal(size=(size, len(t)))
+        @ root.T
+    )

== gaussian_process_noise_fine
* without sigma where it is small | as wide as sigma says
~ sigma * rng => max(sigma, 0.05) * rng
* Cholesky as it comes | One curve a row
~ (covariance + 1e-9 * np.eye(len(t))) => (covariance)
* eigenvalues below 0 | to move as the bumps do
+def process_sigma(n, h, mu):
+    return 1 / (n * h * mu * math.sqrt(math.pi))
+
+
+def gaussian_process_noise(points, h, sigma, size, rng):
+    t = np.array(points)
+    values, vectors = np.linalg.eigh(np.exp(-np.subtract.outer(t, t) ** 2 / (2 * h * h)))
+    return sigma * rng.normal(size=(size, len(t))) @ (vectors * np.sqrt(values)).T
* a nugget of a hundredth | to move as the bumps do
~ 1e-9 => 0.01
* two hundred points at most | to move as the bumps do
-    return sigma * rng.normal(size=(size, len(t))) @ root.T
+    return np.where(
+        np.arange(len(t)) < 200,
+        sigma * rng.normal(size=(size, len(t))) @ root.T,
+        sigma * rng.normal(size=(size, len(t))),
+    )
* what is added grows with the points | It is a millionth of sigma^2 at most
~ 9 * np => 8 * np.trace(covariance) * np

== gaussian_process_noise_exact
* points in single precision | 0 between two curves
~ t = np.asarray(points, dtype=float) => t = np.asarray(points, dtype=np.float32).astype(float)
* draws to four decimals | what draws from -9 to 11 make
~ rng.normal(size=(size, len(t))) => rng.normal(size=(size, len(t))).round(4)
* an h of 0.002 at least | 0 between two curves
~ t = np.asarray(points, dtype=float) => t, h = np.asarray(points, dtype=float), max(h, 0.002)
* equal points have noise of their own | 0 between two curves
-    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))
+    covariance = np.exp(-((t[:, None] - t) ** 2) / (2 * h**2)) * (
+        (t[:, None] != t) | np.eye(len(t), dtype=bool)
+    )
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
