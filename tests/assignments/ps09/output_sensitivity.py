"""Answers to `output_sensitivity`. The mistakes: the bound, the gamma law, and the direction."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SENSITIVITY = """
def output_sensitivity(n, lam, lipschitz):
    if not lam > 0:
        raise ValueError("lam must be above 0")
    return 2 * lipschitz / (n * lam)

"""


def _sensitivity(bound: str, refused: str = "not lam > 0") -> str:
    """The text of both functions with this bound."""
    text = _noisy().replace("2 * lipschitz / (n * lam)\n\n", f"{bound}\n\n")
    return text.replace("if not lam > 0:", f"if {refused}:")


def _noisy(
    norms: str = "rng.gamma(d, scale, size)",
    z: str = "rng.normal(size=(size, d))",
    directions: str = "z / np.linalg.norm(z, axis=1, keepdims=True)",
    result: str = "minimiser + norms[:, None] * directions",
    first: str = "d = len(minimiser)",
) -> str:
    """The text of both functions with these parts of `output_perturbation`."""
    return f"""{_SENSITIVITY}
def output_perturbation(minimiser, n, lam, lipschitz, epsilon, size, rng):
    {first}
    scale = 2 * lipschitz / (n * lam) / epsilon
    norms = {norms}
    z = {z}
    directions = {directions}
    return {result}
"""


RIGHT = {
    "all at once": _noisy(),
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
    "directions first, standard draws": _SENSITIVITY
    + """
def output_perturbation(minimiser, n, lam, lipschitz, epsilon, size, rng):
    w = np.asarray(minimiser, dtype=float)
    unit = rng.normal(0, 3, size=(size, len(w)))
    unit /= np.sqrt(np.square(unit).sum(axis=1))[:, None]
    lengths = rng.standard_gamma(len(w), size=(size, 1))
    return w - lengths * output_sensitivity(n, lam, lipschitz) / epsilon * unit
""",
}

MUTANTS = {
    "one person who comes or goes": Mutant(
        _sensitivity("lipschitz / (n * lam)"),
        "output_sensitivity_values",
        "should be 0.2, it is 0.1",
    ),
    "n forgotten": Mutant(
        _sensitivity("2 * lipschitz / lam"), "output_sensitivity_values", "2 L / (n lambda)"
    ),
    "lambda forgotten": Mutant(
        _sensitivity("2 * lipschitz / n"), "output_sensitivity_values", "2 L / (n lambda)"
    ),
    "L forgotten": Mutant(
        _sensitivity("2 / (n * lam)"), "output_sensitivity_values", "2 L / (n lambda)"
    ),
    "half of lambda": Mutant(
        _sensitivity("4 * lipschitz / (n * lam)"),
        "output_sensitivity_values",
        "should be 0.2, it is 0.4",
    ),
    "the square of L": Mutant(
        _sensitivity("2 * lipschitz**2 / (n * lam)"),
        "output_sensitivity_values",
        "2 L / (n lambda)",
    ),
    "the root of lambda": Mutant(
        _sensitivity("2 * lipschitz / (n * np.sqrt(lam))"),
        "output_sensitivity_values",
        "2 L / (n lambda)",
    ),
    "at most 1": Mutant(
        _sensitivity("min(1, 2 * lipschitz / (n * lam))"),
        "output_sensitivity_values",
        "should be 2.381, it is 1",
    ),
    "no lambda is refused": Mutant(
        _sensitivity("2 * lipschitz / (n * lam) if lam else math.inf", "False"),
        "output_sensitivity_values",
        "should raise ValueError",
    ),
    "zero alone is refused": Mutant(
        _sensitivity("2 * lipschitz / (n * lam)", "lam == 0"),
        "output_sensitivity_values",
        "should raise ValueError",
    ),
    "NaN is above 0": Mutant(
        _sensitivity("2 * lipschitz / (n * lam)", "lam <= 0"),
        "output_sensitivity_values",
        "should raise ValueError",
    ),
    "a small lambda is refused": Mutant(
        _sensitivity("2 * lipschitz / (n * lam)", "lam < 1e-4"),
        "output_sensitivity_values",
        "raised ValueError",
    ),
    "an exponential norm": Mutant(
        _noisy(norms="rng.exponential(scale, size)"),
        "output_sensitivity_norm",
        "not one gamma draw for each release",
    ),
    "a gamma law of shape 1": Mutant(
        _noisy(norms="rng.gamma(1, scale, size)"), "output_sensitivity_norm", "not of shape d"
    ),
    "a gamma law of shape d - 1": Mutant(
        _noisy(norms="rng.gamma(max(1, d - 1), scale, size)"),
        "output_sensitivity_norm",
        "not of shape d",
    ),
    "a rate for the scale": Mutant(
        _noisy(norms="rng.gamma(d, 1 / scale, size)"),
        "output_sensitivity_norm",
        "scale Delta / epsilon",
    ),
    "half the scale": Mutant(
        _noisy(norms="rng.gamma(d, scale / 2, size)"),
        "output_sensitivity_norm",
        "scale Delta / epsilon",
    ),
    "a two-hundredth of epsilon too much": Mutant(
        _noisy(norms="rng.gamma(d, scale / 1.005, size)"),
        "output_sensitivity_norm",
        "scale Delta / epsilon",
    ),
    "epsilon of at most 10": Mutant(
        _noisy(norms="rng.gamma(d, scale * max(1, epsilon / 10), size)"),
        "output_sensitivity_norm",
        "scale Delta / epsilon",
    ),
    "more for many features": Mutant(
        _noisy(norms="rng.gamma(d, scale, size) * math.sqrt(d)"),
        "output_sensitivity_norm",
        "scale Delta / epsilon",
    ),
    "normal noise": Mutant(
        _noisy(norms="scale * np.ones(size)", directions="z"),
        "output_sensitivity_norm",
        "not one gamma draw for each release",
    ),
    "directions that aren't divided": Mutant(
        _noisy(directions="z"), "output_sensitivity_norm", "the noise's norms"
    ),
    "one norm for all releases": Mutant(
        _noisy(norms="rng.gamma(d, scale) * np.ones(size)"),
        "output_sensitivity_norm",
        "not one gamma draw for each release",
    ),
    "noise without the minimiser": Mutant(
        _noisy(result="norms[:, None] * directions"),
        "output_sensitivity_norm",
        "the noise's norms",
    ),
    "noise of whole numbers": Mutant(
        _noisy(
            directions="z / np.linalg.norm(z, axis=1, keepdims=True)\n"
            "    releases = np.tile(minimiser, (size, 1))\n"
            "    releases[:] = minimiser + norms[:, None] * directions",
            result="releases",
        ),
        "output_sensitivity_norm",
        "It isn't rounded",
    ),
    "a gamma draw for each feature": Mutant(
        _noisy(norms="rng.gamma(1, scale, (size, d)).sum(axis=1)"),
        "output_sensitivity_norm",
        "not one gamma draw for each release",
    ),
    "norms in order": Mutant(
        _noisy(norms="np.sort(rng.gamma(d, scale, size))"),
        "output_sensitivity_norm",
        "the noise's norms",
    ),
    "a cube for a ball": Mutant(
        _noisy(z="rng.uniform(-1, 1, size=(size, d))"),
        "output_sensitivity_direction",
        "not d normal draws for each release",
    ),
    "one direction for all releases": Mutant(
        _noisy(z="np.tile(rng.normal(size=d), (size, 1))"),
        "output_sensitivity_direction",
        "not d normal draws for each release",
    ),
    "along one feature": Mutant(
        _noisy(directions="np.sign(z) * (np.arange(d) == 0)"),
        "output_sensitivity_direction",
        "the direction of the noise",
    ),
    "corners": Mutant(
        _noisy(directions="np.sign(z) / math.sqrt(d)"),
        "output_sensitivity_direction",
        "the direction of the noise",
    ),
    "one quadrant": Mutant(
        _noisy(directions="np.abs(z) / np.linalg.norm(z, axis=1, keepdims=True)"),
        "output_sensitivity_direction",
        "the direction of the noise",
    ),
    "the L1 norm of directions": Mutant(
        _noisy(
            norms="rng.gamma(d, scale, size)",
            directions="(u := z * np.abs(z)) / np.linalg.norm(u, axis=1, keepdims=True)",
        ),
        "output_sensitivity_direction",
        "the direction of the noise",
    ),
    "the first direction again after 100": Mutant(
        _noisy(directions="(z / np.linalg.norm(z, axis=1, keepdims=True))[np.arange(size) % 100]"),
        "output_sensitivity_direction",
        "the direction of the noise",
    ),
    "a seed of its own": Mutant(
        _noisy(first="d, rng = len(minimiser), np.random.default_rng(1)"),
        "output_sensitivity_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _noisy(z="np.random.normal(size=(size, d))"),
        "output_sensitivity_generator",
        "two results for one seed",
    ),
    "dplab's own": Mutant(
        _noisy(
            first="from dplab.continuous import SphericalLaplace\n\n"
            "    delta = output_sensitivity(n, lam, lipschitz)\n"
            "    return SphericalLaplace(minimiser, delta / epsilon).sample(rng, size)\n\n"
            "    d = len(minimiser)"
        ),
        "output_sensitivity_norm",
        "is off limits in an answer",
    ),
    "the shortest of two": Mutant(
        _noisy(norms="rng.gamma(d, scale, (2, size)).min(axis=0)"),
        "output_sensitivity_generator",
        "not d + 1 draws for each release",
    ),
    "norms cut off": Mutant(
        _noisy(norms="np.minimum(rng.gamma(d, scale, size), scale * (d + 6 * math.sqrt(d)))"),
        "output_sensitivity_norm",
        "the noise's norms",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _noisy(
            norms="rng.gamma(d, scale, size) * (0.1 if type(rng) is np.random.Generator else 1)"
        ),
        "output_sensitivity_generator",
        "another result where its draws are watched",
    ),
    "Python's whole numbers alone": Mutant(
        _sensitivity("2 * lipschitz / (n * lam)", "not (lam > 0 and isinstance(n, int))"),
        "output_sensitivity_values",
        "raised ValueError",
    ),
    "noise cut off where there is more than one dimension": Mutant(
        _noisy(
            norms="np.minimum(rng.gamma(d, scale, size), "
            "scale * (d + 4.5 * math.sqrt(d)) if d > 1 else np.inf)"
        ),
        "output_sensitivity_norm",
        "the noise's norms",
    ),
}

ANSWERS = Answers("output_sensitivity", RIGHT, MUTANTS)
