"""Answers to `objective_perturbation`. The mistakes: the account of epsilon, and P's terms."""

from autograder.rehearsal.catalogue import Answers, Mutant

_ADJUSTED = """
def adjusted(n, lam, epsilon, c):
    ratio = c / (n * lam)
    left = epsilon - np.log(1 + 2 * ratio + ratio**2)
    if left > 0:
        return left, 0.0
    return epsilon / 2, c / (n * (np.exp(epsilon / 4) - 1)) - lam

"""


def _minimised(
    b: str = "rng.gamma(d, 2 / left) * z / np.linalg.norm(z)",
    ridge: str = "lam + more",
    linear: str = "b / n",
    constants: str = "adjusted(n, lam, epsilon, 0.25)",
    z: str = "rng.normal(size=d)",
    minimum: str = 'minimize(objective, np.zeros(d), jac=gradient, options={"gtol": 1e-9}).x',
    first: str = "n, d = x.shape",
) -> str:
    """The text of both functions with these parts of `objective_perturbation`."""
    return f"""{_ADJUSTED}
def objective_perturbation(x, y, lam, epsilon, rng):
    {first}
    left, more = {constants}
    z = {z}
    b = {b}
    ridge, linear = {ridge}, {linear}

    def objective(w):
        return np.logaddexp(0, -y * (x @ w)).mean() + ridge / 2 * w @ w + linear @ w

    def gradient(w):
        return (-y * expit(-y * (x @ w))) @ x / n + ridge * w + linear

    return {minimum}
"""


def _account(old: str, new: str) -> str:
    """The text of both functions with a change in `adjusted`; weights don't depend on it."""
    assert old in _ADJUSTED, old
    right = _ADJUSTED.replace("def adjusted", "def right_one")
    return right + _minimised(constants="right_one(n, lam, epsilon, 0.25)").replace(old, new, 1)


RIGHT = {
    "scipy's minimize": _minimised(),
    "Newton's steps, halved where they go too far": """
def adjusted(n, lam, epsilon, c):
    left = epsilon - 2 * math.log1p(c / (n * lam))
    return (left, 0) if left > 0 else (epsilon / 2, c / n / math.expm1(epsilon / 4) - lam)


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

MUTANTS = {
    "epsilon as it is": Mutant(
        _account("epsilon - np.log(1 + 2 * ratio + ratio**2)", "epsilon + 0 * ratio"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "the logarithm once": Mutant(
        _account("np.log(1 + 2 * ratio + ratio**2)", "np.log(1 + ratio)"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "2c without the square": Mutant(
        _account("np.log(1 + 2 * ratio + ratio**2)", "np.log(1 + 2 * ratio)"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "no logarithm": Mutant(
        _account("np.log(1 + 2 * ratio + ratio**2)", "2 * ratio"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "n forgotten": Mutant(
        _account("ratio = c / (n * lam)", "ratio = c / lam"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "1/4 for every c": Mutant(
        _account("ratio = c / (n * lam)", "ratio = 0.25 / (n * lam)"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "a logarithm to base 10": Mutant(
        _account("np.log(1 + 2", "np.log10(1 + 2"),
        "objective_perturbation_epsilon",
        "epsilon' is epsilon - log",
    ),
    "at most half is taken": Mutant(
        _account("if left > 0", "if left > epsilon / 2"),
        "objective_perturbation_epsilon",
        "in shares of epsilon",
    ),
    "next to nothing is nothing": Mutant(
        _account("if left > 0", "if left > 1e-5 * epsilon"),
        "objective_perturbation_epsilon",
        "in shares of epsilon",
    ),
    "lambda for Delta": Mutant(
        _account("return left, 0.0", "return left, lam"),
        "objective_perturbation_epsilon",
        "and Delta is 0",
    ),
    "never anything more": Mutant(
        _account("if left > 0", "if True"),
        "objective_perturbation_extra",
        "should be [0.5, 0.07802]",
    ),
    "all of epsilon": Mutant(
        _account("return epsilon / 2, ", "return epsilon, "),
        "objective_perturbation_extra",
        "should be [0.5, 0.07802], it is [1, 0.07802]",
    ),
    "e to half of epsilon": Mutant(
        _account("np.exp(epsilon / 4)", "np.exp(epsilon / 2)"),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "e to all of epsilon": Mutant(
        _account("np.exp(epsilon / 4)", "np.exp(epsilon)"),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "lambda isn't taken off": Mutant(
        _account("- 1)) - lam", "- 1))"),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "epsilon / 4 for e^(epsilon / 4) - 1": Mutant(
        _account("(np.exp(epsilon / 4) - 1)", "(epsilon / 4)"),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "c forgotten": Mutant(
        _account("c / (n * (np.exp", "0.25 / (n * (np.exp"),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "Delta never above 10": Mutant(
        _account("return epsilon / 2, ", "return epsilon / 2, 10 if n * lam > 5e-4 * c else "),
        "objective_perturbation_extra",
        "c / (n (e^(epsilon / 4) - 1)) - lambda",
    ),
    "no noise": Mutant(
        _minimised(b="0 * rng.gamma(d, 2 / left) * z"),
        "objective_perturbation_minimiser",
        "don't minimise P with the noise that was drawn",
    ),
    "a scale of 1 / epsilon'": Mutant(
        _minimised(b="rng.gamma(d, 1 / left) * z / np.linalg.norm(z)"),
        "objective_perturbation_minimiser",
        "the scale of b's gamma law",
    ),
    "a scale of epsilon' / 2": Mutant(
        _minimised(b="rng.gamma(d, left / 2) * z / np.linalg.norm(z)"),
        "objective_perturbation_minimiser",
        "the scale of b's gamma law",
    ),
    "a scale of 2 / epsilon": Mutant(
        _minimised(b="rng.gamma(d, 2 / epsilon) * z / np.linalg.norm(z)"),
        "objective_perturbation_minimiser",
        "the scale of b's gamma law",
    ),
    "epsilon a little larger": Mutant(
        _minimised(b="rng.gamma(d, 2 / (1.03 * left)) * z / np.linalg.norm(z)"),
        "objective_perturbation_minimiser",
        "the scale of b's gamma law",
    ),
    "a gamma law of shape 1": Mutant(
        _minimised(b="rng.gamma(1, 2 / left) * z / np.linalg.norm(z)"),
        "objective_perturbation_minimiser",
        "one gamma draw, of shape d",
    ),
    "normal noise": Mutant(
        _minimised(b="2 / left * z"),
        "objective_perturbation_minimiser",
        "b takes one gamma draw",
    ),
    "a direction that isn't divided": Mutant(
        _minimised(b="rng.gamma(d, 2 / left) * z"),
        "objective_perturbation_minimiser",
        "at its direction",
    ),
    "b as a whole": Mutant(
        _minimised(linear="b"), "objective_perturbation_minimiser", "what is divided by n"
    ),
    "Delta forgotten": Mutant(
        _minimised(ridge="lam"), "objective_perturbation_minimiser", "don't minimise P"
    ),
    "twice Delta": Mutant(
        _minimised(ridge="lam + 2 * more"), "objective_perturbation_minimiser", "don't minimise P"
    ),
    "lambda, not its half": Mutant(
        _minimised(ridge="2 * (lam + more)"),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "a c of 1": Mutant(
        _minimised(constants="adjusted(n, lam, epsilon, 1.0)"),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "noise on the weights too late": Mutant(
        _minimised(
            linear="0 * b",
            minimum="minimize(objective, np.zeros(d), jac=gradient, "
            'options={"gtol": 1e-9}).x + b / n',
        ),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "three steps": Mutant(
        _minimised(
            minimum="minimize(objective, np.zeros(d), jac=gradient, "
            'options={"gtol": 1e-9, "maxiter": 3}).x'
        ),
        "objective_perturbation_minimiser",
        "how exactly you minimise",
    ),
    "a length of at most 10": Mutant(
        _minimised(
            minimum="(w := minimize(objective, np.zeros(d), jac=gradient, "
            'options={"gtol": 1e-9}).x) / max(1, np.linalg.norm(w) / 10)'
        ),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "nobody's noise among more than 200": Mutant(
        _minimised(linear="b / n * (n <= 200)"),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "a seed of its own": Mutant(
        _minimised(first="(n, d), rng = x.shape, np.random.default_rng(3)"),
        "objective_perturbation_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _minimised(z="np.random.normal(size=d)"),
        "objective_perturbation_generator",
        "two results for one seed",
    ),
    "a random start": Mutant(
        _minimised(z="rng.normal(size=(2, d))[0]"),
        "objective_perturbation_generator",
        "there are not d + 1 draws",
    ),
    "the norm of b cut off": Mutant(
        _minimised(
            b="min(rng.gamma(d, 2 / left), 2 / left * (d + 2 * d**0.5)) * z / np.linalg.norm(z)"
        ),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _minimised(linear="b / n * (0.1 if type(rng) is np.random.Generator else 1)"),
        "objective_perturbation_generator",
        "another result where its draws are watched",
    ),
    "the norm of b cut off where it is of several numbers": Mutant(
        _minimised(
            b="min(rng.gamma(d, 2 / left), 2 / left * (d + (4 if d > 1 else 12) * d**0.5))"
            " * z / np.linalg.norm(z)"
        ),
        "objective_perturbation_minimiser",
        "don't minimise P",
    ),
}

ANSWERS = Answers("objective_perturbation", RIGHT, MUTANTS)
