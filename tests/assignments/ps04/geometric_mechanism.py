"""Answers to `geometric_mechanism`. The mistakes: float noise, the wrong p, the grid forgotten."""

from autograder.rehearsal.catalogue import Answers, Mutant

_DIFFERENCE = "rng.geometric(1 - p, shape) - rng.geometric(1 - p, shape)"


_FLOORS = "np.floor(rng.exponential(scale, shape)) - np.floor(rng.exponential(scale, shape))"


def _mechanism(
    noise: str = _DIFFERENCE,
    d: str = "math.ceil(sensitivity / grid)",
    snapped: str = "np.floor(answers / grid + 0.5)",
    result: str = "grid * (steps + noise)",
) -> str:
    """The text of `geometric_mechanism`, right where nothing else is given."""
    return f"""
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    answers = np.asarray(answers, dtype=float)
    shape = answers.shape
    d = {d}
    p = np.exp(-epsilon / d)
    steps = {snapped}
    noise = {noise}
    return {result}
"""


RIGHT = {
    "a difference of two": _mechanism(),
    "a difference of two rows": _mechanism(noise="np.subtract(*rng.geometric(1 - p, (2, *shape)))"),
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
    "two exponentials, cut": _mechanism(noise=_FLOORS.replace("scale", "d / epsilon")),
    "a difference of two, shuffled": _mechanism().replace(
        "    return", "    rng.shuffle(noise.reshape(-1))\n    return"
    ),
    "whole numbers, of no dimension too": _mechanism(
        noise="(rng.geometric(1 - p, size=shape) - rng.geometric(1 - p, size=shape)).astype(int)"
    ),
    "a helper called noise": """
def noise(p, size, rng):
    return rng.geometric(1 - p, size) - rng.geometric(1 - p, size)


def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    p = np.exp(-epsilon / np.ceil(sensitivity / grid))
    steps = np.floor(np.asarray(answers) / grid + 0.5)
    return grid * (steps + noise(p, steps.shape, rng))
""",
}

MUTANTS = {
    "one side only": Mutant(
        _mechanism(noise="rng.geometric(1 - p, shape) - 1"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "Laplace noise": Mutant(
        _mechanism(noise="rng.laplace(0, d / epsilon, shape)"),
        "geometric_mechanism_grid",
        "Outputs are multiples of the grid",
    ),
    "Laplace noise, rounded": Mutant(
        _mechanism(noise="np.round(rng.laplace(0, d / epsilon, shape))"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "Laplace noise, cut": Mutant(
        _mechanism(noise="np.floor(rng.laplace(0, d / epsilon, shape))"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "noise in units of the answers": Mutant(
        _mechanism(result="grid * steps + noise"), "geometric_mechanism_steps", "steps of noise"
    ),
    "a sign, and zero counted twice": Mutant(
        _mechanism(noise="rng.choice([-1, 1], shape) * (rng.geometric(1 - p, shape) - 1)"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "never no noise": Mutant(
        _mechanism(noise="rng.choice([-1, 1], shape) * rng.geometric(1 - p, shape)"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "success for failure": Mutant(
        _mechanism(noise="rng.geometric(p, shape) - rng.geometric(p, shape)"),
        "geometric_mechanism_law",
        "Look at p",
    ),
    "the grid forgotten in the scale": Mutant(
        _mechanism(d="math.ceil(sensitivity)"), "geometric_mechanism_steps", "came up in a share"
    ),
    "steps not rounded up": Mutant(
        _mechanism(d="sensitivity / grid"), "geometric_mechanism_steps", "sensitivity 0.3"
    ),
    "steps rounded down": Mutant(
        _mechanism(d="max(1, math.floor(sensitivity / grid))"),
        "geometric_mechanism_steps",
        "sensitivity 0.3",
    ),
    "always one step": Mutant(
        _mechanism(d="1"), "geometric_mechanism_steps", "8,000 answers of 0.5"
    ),
    "epsilon split between the two draws": Mutant(
        _mechanism(d="2 * math.ceil(sensitivity / grid)"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "answers left off the grid": Mutant(
        _mechanism(snapped="answers / grid"), "geometric_mechanism_grid", "multiples of the grid"
    ),
    "halves to the even side": Mutant(
        _mechanism(snapped="np.round(answers / grid)"),
        "geometric_mechanism_snapped",
        "halves to the larger multiple",
    ),
    "answers cut down": Mutant(
        _mechanism(snapped="np.floor(answers / grid)"),
        "geometric_mechanism_snapped",
        "should be [0, 1, 2, 0]",
    ),
    "noise first, then the grid": Mutant(
        _mechanism(
            noise="rng.laplace(0, sensitivity / epsilon, shape)",
            result="np.floor((answers + noise) / grid + 0.5) * grid",
        ),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "one draw for all": Mutant(
        _mechanism(noise="rng.geometric(1 - p) - rng.geometric(1 - p)"),
        "geometric_mechanism_law",
        "came up in a share",
    ),
    "one draw a row": Mutant(
        _mechanism(
            noise="sum(s * rng.geometric(1 - p, shape[:1]).reshape(-1, *[1] * (len(shape) - 1))"
            " for s in (1, -1)) if shape else rng.geometric(1 - p) - rng.geometric(1 - p)"
        ),
        "geometric_mechanism_law",
        "Does each answer have noise of its own",
    ),
    "a seed of its own": Mutant(
        _mechanism(d="math.ceil(sensitivity / grid)\n    rng = np.random.default_rng(3)"),
        "geometric_mechanism_grid",
        "same result for two seeds",
    ),
    "answers changed in place": Mutant(
        """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    answers = np.asarray(answers, dtype=float)
    p = math.exp(-epsilon / math.ceil(sensitivity / grid))
    whole = np.floor(answers / grid + 0.5) * grid
    noise = rng.geometric(1 - p, answers.shape) - rng.geometric(1 - p, answers.shape)
    released = whole + grid * noise
    if answers.ndim:
        answers += 1
    return released
""",
        "geometric_mechanism_snapped",
        "Do they stay as they are?",
    ),
    "dplab's own": Mutant(
        _mechanism(
            noise="GeometricMechanism(np.array, d, epsilon)(np.zeros(shape, dtype=int), rng)"
        ),
        "geometric_mechanism_grid",
        "dplab.GeometricMechanism is off limits in an answer",
    ),
    "dplab's sampler": Mutant(
        _mechanism(noise="dplab.sampling.discrete_laplace(d / epsilon, rng, shape)").replace(
            "    answers =", "    import dplab.sampling\n\n    answers =", 1
        ),
        "geometric_mechanism_grid",
        "dplab.sampling.discrete_laplace is off limits in an answer",
    ),
    # Of 20,000 sizes, half or fewer are different.
    "tiled": Mutant(
        _mechanism(
            noise=f"np.resize({_DIFFERENCE}, shape)".replace(
                "shape)", "min(answers.size, 3001))", 2
            )
        ),
        "geometric_mechanism_law",
        "the noise of many answers repeats itself",
    ),
    "antithetic pairs": Mutant(
        _mechanism(
            noise=f"{_DIFFERENCE}\n    if answers.size > 100:\n        half = answers.size // 2\n"
            "        noise.ravel()[half : 2 * half] = -noise.ravel()[:half]"
        ),
        "geometric_mechanism_law",
        "the noise of many answers repeats itself",
    ),
    "equal answers, equal noise": Mutant(
        _mechanism(
            noise=f"np.atleast_1d({_DIFFERENCE})\n    if answers.size > 100 and np.ptp(answers):\n"
            "        places = np.unique(answers, return_inverse=True)[1]\n"
            "        noise = noise.ravel()[places]\n    noise = noise.reshape(shape)"
        ),
        "geometric_mechanism_law",
        "Does each answer have noise of its own",
    ),
    "at most 64 steps": Mutant(
        _mechanism(d="min(math.ceil(sensitivity / grid), 64)"),
        "geometric_mechanism_law",
        "the noise of many answers repeats itself",
    ),
    "a support of 50 steps": Mutant(
        _mechanism(noise="rng.choice(np.arange(-50, 51), shape, p=_law(p))")
        + "\n\ndef _law(p):\n    law = p ** abs(np.arange(-50, 51))\n    return law / law.sum()\n",
        "geometric_mechanism_law",
        "the noise of many answers repeats itself",
    ),
    "epsilon times 1.03": Mutant(
        _mechanism(d="math.ceil(sensitivity / grid) / 1.03"),
        "geometric_mechanism_steps",
        "p is 0.8138, it should be 0.8187",
    ),
    "no noise from epsilon = 5 on": Mutant(
        _mechanism(result="grid * (steps + noise * (epsilon < 5))"),
        "geometric_mechanism_steps",
        "The scale in steps is d / epsilon",
    ),
    "no noise for one answer": Mutant(
        _mechanism(result="grid * (steps + noise * (answers.size != 1))"),
        "geometric_mechanism_steps",
        "shares of the noise",
    ),
    "two answers, one noise": Mutant(
        _mechanism(noise=f"{_DIFFERENCE}\n    if shape == (2,):\n        noise[1] = -noise[0]"),
        "geometric_mechanism_steps",
        "The scale in steps is d / epsilon",
    ),
    "cut at 20 scales": Mutant(
        _mechanism(
            noise=f"{_DIFFERENCE}\n    noise = np.clip(noise, -20 * d / epsilon, 20 * d / epsilon)"
            "\n    noise = np.trunc(noise)"
        ),
        "geometric_mechanism_steps",
        "Noise that lies far out stays there",
    ),
    # It can tell a plain generator, which gives it the same noise where its state is the same.
    "less noise from a real source": Mutant(
        _mechanism(
            d="math.ceil(sensitivity / grid) * (0.97 if type(rng) is np.random.Generator else 1)"
        ),
        "geometric_mechanism_steps",
        "Two generators of one state",
    ),
    "numpy's rounding far from 0": Mutant(
        _mechanism(
            snapped="np.where(abs(answers / grid) > 5, np.round(answers / grid),"
            " np.floor(answers / grid + 0.5))"
        ),
        "geometric_mechanism_snapped",
        "halves to the larger multiple",
    ),
    "one noise for a table of three sides": Mutant(
        _mechanism(noise=f"({_DIFFERENCE}) if len(shape) < 3 else (rng.geometric(1 - p) - 1)"),
        "geometric_mechanism_law",
        "in a table of any shape",
    ),
    "noise written into whole numbers": Mutant(
        """
def geometric_mechanism(answers, sensitivity, epsilon, grid, rng):
    p = math.exp(-epsilon / math.ceil(sensitivity / grid))

    def released(answer):
        noise = rng.geometric(1 - p) - rng.geometric(1 - p)
        return grid * (math.floor(answer / grid + 0.5) + noise)

    if np.ndim(answers) == 0:
        return released(answers)
    noisy = np.array(answers)
    for i, answer in np.ndenumerate(noisy):
        noisy[i] = released(answer)
    return noisy
""",
        "geometric_mechanism_law",
        "all whole numbers get whole noise",
    ),
    "two exponentials five percent smaller": Mutant(
        _mechanism(noise=_FLOORS.replace("scale", "d / epsilon / 1.05")),
        "geometric_mechanism_steps",
        "times what it should be",
    ),
    "two exponentials, none of which is small": Mutant(
        _mechanism(noise=f"({_FLOORS.replace('scale', 'd / epsilon')}) * (d / epsilon > 0.2)"),
        "geometric_mechanism_steps",
        "there is no noise at all for epsilon = 8.5",
    ),
    "a little above a step is a step": Mutant(
        _mechanism(d="max(1, math.ceil(sensitivity / grid - 1e-9))"),
        "geometric_mechanism_steps",
        "came up in a share",
    ),
    "two exponentials, the same for two neighbours of a few": Mutant(
        _mechanism(noise=_FLOORS.replace("scale", "d / epsilon")).replace(
            "    return",
            "    if noise.ndim == 1 and 2 < noise.size < 300:\n"
            "        noise[1::2] = -noise[::2][: noise.size // 2]\n    return",
        ),
        "geometric_mechanism_law",
        "the noise of some answers repeats itself",
    ),
    "no noise on answers far out": Mutant(
        _mechanism(noise=f"np.where(abs(steps) > 1000, 0, {_DIFFERENCE})"),
        "geometric_mechanism_steps",
        "The scale in steps is d / epsilon",
    ),
}

ANSWERS = Answers("geometric_mechanism", RIGHT, MUTANTS)
