"""Answers to `process_sigma` and `gaussian_process_noise`. The mistakes: h, n, what moves alone."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SIGMA = "math.sqrt(2) / (n * math.sqrt(2 * math.pi) * h * mu)"
_KERNEL = "np.exp(-((t[:, None] - t) ** 2) / (2 * h**2))"
_CURVES = "sigma * rng.normal(size=(size, len(t))) @ root.T"


def _both(
    sigma: str = _SIGMA,
    kernel: str = _KERNEL,
    root: str = "np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)))",
    curves: str = _CURVES,
) -> str:
    """Both functions with these parts."""
    return f"""
def process_sigma(n, h, mu):
    return {sigma}


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    covariance = {kernel}
    root = {root}
    return {curves}
"""


RIGHT = {
    "Cholesky": _both(),
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
    "numpy's normal vectors": _both(
        "1 / (n * h * mu * math.sqrt(math.pi))",
        root="np.zeros(len(t))",
        curves='rng.multivariate_normal(root, sigma**2 * covariance, size, check_valid="ignore")',
    ),
    "numpy's normal vectors, one by one": _both(
        root="np.zeros(len(t))",
        curves="sigma * np.array([rng.multivariate_normal(root, covariance,"
        ' check_valid="ignore") for _ in range(size)])',
    ),
    "numpy's normal vectors, then wider": _both(
        root="np.zeros(len(t))",
        curves='sigma * rng.multivariate_normal(root, covariance, size, check_valid="ignore")',
    ),
    "numpy's normal vectors at different points, times a root": _both(
        root="np.unique(t, return_inverse=True)",
        curves="sigma * _vectors(rng, size, h, root[0])[:, root[1]]",
    )
    + """

def _vectors(rng, size, h, t):
    covariance = np.exp(-np.subtract.outer(t, t) ** 2 / (2 * h**2)) + 1e-8 * np.eye(len(t))
    plain = rng.multivariate_normal(np.zeros(len(t)), np.eye(len(t)), size)
    return plain @ np.linalg.cholesky(covariance).T
""",
    "curve by curve": _both(
        curves="np.array([sigma * (root @ rng.normal(0, 1, len(t))) for _ in range(size)])"
    ),
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

_LEAST, _LAW = "gaussian_process_noise_sigma", "gaussian_process_noise_law"
_EXACT, _FINE = "gaussian_process_noise_exact", "gaussian_process_noise_fine"
_DELTA, _VALUES = "Delta = sqrt(2) / (n sqrt(2 pi) h)", "Values at s and t have the covariance"
_MATRIX, _SMOOTH = "0 between two curves", "to move as the bumps do"

MUTANTS = {
    "one kernel's norm": Mutant(_both("1 / (n * math.sqrt(2 * math.pi) * h * mu)"), _LEAST, _DELTA),
    "the notes' root of h": Mutant(
        _both("math.sqrt(2) / (n * math.sqrt(2 * math.pi) * math.sqrt(h) * mu)"), _LEAST, _DELTA
    ),
    "twice a kernel": Mutant(_both("2 / (n * math.sqrt(2 * math.pi) * h * mu)"), _LEAST, _DELTA),
    "without n": Mutant(_both("math.sqrt(2) / (math.sqrt(2 * math.pi) * h * mu)"), _LEAST, _DELTA),
    "the square root of n": Mutant(
        _both("math.sqrt(2) / (math.sqrt(n) * math.sqrt(2 * math.pi) * h * mu)"), _LEAST, _DELTA
    ),
    "mu above": Mutant(_both(f"mu**2 * {_SIGMA}"), _LEAST, _DELTA),
    "zCDP's rho": Mutant(_both(f"mu * {_SIGMA} / math.sqrt(mu**2 / 2)"), _LEAST, _DELTA),
    "the classic factor": Mutant(
        _both("math.sqrt(2 * math.log(2 / 1e-5)) / (n * math.sqrt(math.pi) * h * mu)"),
        _LEAST,
        _DELTA,
    ),
    "bumps that integrate to the root": Mutant(
        _both("math.sqrt(2) / (n * math.sqrt(2 * math.pi * h) * mu)"), _LEAST, _DELTA
    ),
    "h at least a hundredth": Mutant(
        _both(_SIGMA.replace("* h", "* max(h, 0.01)")), _LEAST, _DELTA
    ),
    "the variance": Mutant(
        _both(curves="sigma**2 * rng.normal(size=(size, len(t))) @ root.T"), _LAW, _VALUES
    ),
    "without sigma": Mutant(
        _both(curves="rng.normal(size=(size, len(t))) @ root.T"), _LAW, _VALUES
    ),
    "independent noise": Mutant(
        _both(curves="sigma * rng.normal(size=(size, len(t)))"), _LAW, _VALUES
    ),
    "one number for the curve": Mutant(
        _both(curves="sigma * rng.normal(size=(size, 1)) * np.ones(len(t))"), _LAW, _VALUES
    ),
    "a Laplace law": Mutant(
        _both(curves="sigma * rng.laplace(scale=2**-0.5, size=(size, len(t))) @ root.T"),
        _EXACT,
        "Every draw is of rng.normal",
    ),
    "h squared, not twice": Mutant(
        _both(kernel=_KERNEL.replace("(2 * h**2)", "h**2")), _LAW, _VALUES
    ),
    "the distance not squared": Mutant(
        _both(kernel="np.exp(-np.abs(t[:, None] - t) / h)"), _LAW, _VALUES
    ),
    "the root's wrong side": Mutant(
        _both(curves="sigma * rng.normal(size=(size, len(t))) @ root"), _LAW, _VALUES
    ),
    "covariance for its root": Mutant(
        _both(curves="sigma * rng.normal(size=(size, len(t))) @ covariance"), _LAW, _VALUES
    ),
    "one curve for all rows": Mutant(
        _both(curves="np.tile(sigma * (root @ rng.normal(size=len(t))), (size, 1))"),
        _LAW,
        _VALUES,
    ),
    "columns for rows": Mutant(
        _both(curves="sigma * root @ rng.normal(size=(len(t), size))"),
        _LAW,
        "One curve a row",
    ),
    "every second curve turned over": Mutant(
        _both(
            curves="sigma * (np.repeat(rng.normal(size=(-(-size // 2), len(t))), 2, axis=0)[:size]"
            " * (-1.0) ** np.arange(size)[:, None]) @ root.T"
        ),
        _LAW,
        "draws of its own",
    ),
    "a thousand curves again and again": Mutant(
        _both(
            curves="np.resize(sigma * rng.normal(size=(min(size, 1000), len(t))) @ root.T,"
            " (size, len(t)))"
        ),
        _LAW,
        "draws of its own",
    ),
    "less noise by three in a hundred": Mutant(_both(curves=f"0.97 * {_CURVES}"), _EXACT, _MATRIX),
    "the bandwidth a little larger": Mutant(
        _both(kernel=_KERNEL.replace("h**2", "(1.05 * h) ** 2")), _EXACT, _MATRIX
    ),
    "numpy's vectors of a narrower law": Mutant(
        _both(
            root="np.zeros(len(t))",
            curves="rng.multivariate_normal(root, 0.95 * sigma**2 * covariance, size,"
            ' check_valid="ignore")',
        ),
        _EXACT,
        _MATRIX,
    ),
    "a nugget of a tenth": Mutant(
        _both(root="np.linalg.cholesky(covariance + 0.1 * np.eye(len(t)))"), _EXACT, _MATRIX
    ),
    "cut at five sigmas": Mutant(
        _both(curves=f"np.clip({_CURVES}, -5 * sigma, 5 * sigma)"), _EXACT, "no largest value"
    ),
    "far points don't count": Mutant(
        _both(
            kernel=f"np.where(np.abs(t[:, None] - t) < 2 * h, {_KERNEL}, 0)",
            root="np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t)) + np.diag(np.where("
            "np.linalg.eigvalsh(covariance).min() < 0, -np.linalg.eigvalsh(covariance).min(), 0)"
            " * np.ones(len(t))))",
        ),
        _EXACT,
        _MATRIX,
    ),
    "neighbouring points only": Mutant(
        """
def process_sigma(n, h, mu):
    return 1 / (n * h * mu * math.sqrt(math.pi))


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.asarray(points, dtype=float)
    curves = rng.normal(size=(size, len(t)))
    for j in range(1, len(t)):
        near = math.exp(-((t[j] - t[j - 1]) ** 2) / (2 * h**2))
        curves[:, j] = near * curves[:, j - 1] + math.sqrt(1 - near**2) * curves[:, j]
    return sigma * curves
""",
        _EXACT,
        _MATRIX,
    ),
    "a sum of random waves": Mutant(
        """
def process_sigma(n, h, mu):
    return 1 / (n * h * mu * math.sqrt(math.pi))


def gaussian_process_noise(points, h, sigma, size, rng):
    waves = rng.normal(0, 1 / h, 5000)
    angles = np.outer(points, waves) + rng.uniform(0, 2 * np.pi, 5000)
    return sigma * rng.normal(size=(size, 5000)) @ np.cos(angles).T * math.sqrt(2 / 5000)
""",
        _EXACT,
        "Every draw is of rng.normal",
    ),
    "vectors, made narrower": Mutant(
        _both(
            root="np.zeros(len(t))",
            curves="np.tanh(rng.multivariate_normal(root, 1e-6 * covariance, size,"
            ' check_valid="ignore")) * 1000 * sigma',
        ),
        _EXACT,
        "what draws from -9 to 11 make",
    ),
    "vectors at sorted points, a little narrower": Mutant(
        _both(
            root="np.argsort(t)",
            curves="0.99 * sigma * rng.multivariate_normal(np.zeros(len(t)),"
            " covariance[root][:, root], size)[:, np.argsort(root)]",
        ),
        _EXACT,
        _MATRIX,
    ),
    "vectors of two laws": Mutant(
        _both(
            root="np.zeros(len(t))",
            curves="sigma * np.array([rng.multivariate_normal(root, covariance if row == 0 else"
            ' np.eye(len(t)), check_valid="ignore") for row in range(size)])',
        ),
        _LAW,
        _VALUES,
    ),
    "a generator of its own": Mutant(
        _both(curves="sigma * np.random.default_rng(2).normal(size=(size, len(t))) @ root.T"),
        _EXACT,
        "gives the same result for two seeds",
    ),
    "the global generator": Mutant(
        _both(curves="sigma * np.random.normal(size=(size, len(t))) @ root.T"),
        _EXACT,
        "gives two results for one seed",
    ),
    "without sigma where it is small": Mutant(
        _both(curves=_CURVES.replace("sigma", "max(sigma, 0.05)")), _FINE, "as wide as sigma says"
    ),
    "Cholesky as it comes": Mutant(
        _both(root="np.linalg.cholesky(covariance)"), _FINE, "One curve a row"
    ),
    "eigenvalues below 0": Mutant(
        """
def process_sigma(n, h, mu):
    return 1 / (n * h * mu * math.sqrt(math.pi))


def gaussian_process_noise(points, h, sigma, size, rng):
    t = np.array(points)
    values, vectors = np.linalg.eigh(np.exp(-np.subtract.outer(t, t) ** 2 / (2 * h * h)))
    return sigma * rng.normal(size=(size, len(t))) @ (vectors * np.sqrt(values)).T
""",
        _FINE,
        _SMOOTH,
    ),
    "a nugget of a hundredth": Mutant(
        _both(root="np.linalg.cholesky(covariance + 0.01 * np.eye(len(t)))"), _FINE, _SMOOTH
    ),
    "two hundred points at most": Mutant(
        _both(
            curves="np.where(np.arange(len(t)) < 200, sigma * rng.normal(size=(size, len(t)))"
            " @ root.T, sigma * rng.normal(size=(size, len(t))))"
        ),
        _FINE,
        _SMOOTH,
    ),
    "dplab's curve": Mutant(
        """
def process_sigma(n, h, mu):
    from dplab.synthesis import KernelDensity

    return KernelDensity((0.5,), n=n, bandwidth=h, sigma=1.0).sensitivity / mu


def gaussian_process_noise(points, h, sigma, size, rng):
    return np.zeros((size, len(points)))
""",
        _LEAST,
        "off limits",
    ),
    "the first curve again at the end": Mutant(
        _both(
            curves="sigma * rng.normal(size=(size, len(t)))"
            "[np.arange(size) % max(3, size - 1)] @ root.T"
        ),
        _LAW,
        "curves repeat others",
    ),
    "five thousand curves, and then again": Mutant(
        _both(
            curves="np.resize(sigma * rng.normal(size=(min(size, 5000), len(t))) @ root.T,"
            " (size, len(t)))"
        ),
        _LAW,
        "draws of its own",
    ),
    "less noise at more than a hundred points": Mutant(
        _both(curves=f"(0.97 if len(t) > 100 else 1) * {_CURVES}"), _LAW, "480 curves at 120 points"
    ),
    "less noise in more than 2,500 curves": Mutant(
        _both(curves=f"(0.97 if size > 2500 else 1) * {_CURVES}"), _LAW, "2600 curves at 22 points"
    ),
    "what is added grows with the points": Mutant(
        _both(root="np.linalg.cholesky(covariance + 1e-8 * np.trace(covariance) * np.eye(len(t)))"),
        _FINE,
        "It is a millionth of sigma^2 at most",
    ),
    "squares multiplied out": Mutant(
        _both(
            kernel=_KERNEL.replace(
                "(t[:, None] - t) ** 2", "t[:, None] ** 2 + t**2 - 2 * np.outer(t, t)"
            )
        ),
        _EXACT,
        _MATRIX,
    ),
    "a root kept for points of the same ends and number": Mutant(
        "_roots = {}\n"
        + _both(
            root="_roots.setdefault((len(t), h, t.min(), t.max()),"
            " np.linalg.cholesky(covariance + 1e-9 * np.eye(len(t))))"
        ),
        _EXACT,
        _MATRIX,
    ),
    "one of 256 seeds, where nobody watches": Mutant(
        _both(
            curves=_CURVES.replace(
                "rng.normal",
                "(np.random.default_rng(rng.integers(256))"
                " if type(rng) is np.random.Generator else rng).normal",
            )
        ),
        _EXACT,
        "another result where its draws are watched",
    ),
}

ANSWERS = Answers("gaussian_process_noise", RIGHT, MUTANTS)
