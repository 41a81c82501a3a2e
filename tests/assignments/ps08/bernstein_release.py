"""Answers to `bernstein_release` and `bernstein_polynomial`. The mistakes: K, one value's move."""

from autograder.rehearsal.catalogue import Answers, Mutant

_VALUES = "np.array([function(k / K) for k in range(K + 1)])"
_REFUSED = "not (sensitivity > 0 and epsilon > 0)"
_CURVE = """
def bernstein_polynomial(values, t):
    from scipy.stats import binom

    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)
    k = np.arange(len(values))
    return (binom.pmf(k, len(values) - 1, t[..., None]) * values).sum(axis=-1)
"""


def _both(
    values: str = _VALUES,
    noise: str = "rng.laplace(0, (K + 1) * sensitivity / epsilon, K + 1)",
    check: str = _REFUSED,
    curve: str = _CURVE,
) -> str:
    """Both functions with these parts."""
    return f"""
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if {check}:
        raise ValueError("sensitivity and epsilon must be above 0")
    return {values} + {noise}


{curve.strip()}
"""


RIGHT = {
    "scipy's binomial law": _both(),
    "an array of places, and logarithms": _both(
        "np.asarray(function(np.linspace(0, 1, K + 1)))",
        curve="""
def bernstein_polynomial(values, t):
    from scipy.special import gammaln, xlog1py, xlogy

    values, t = np.asarray(values), np.asarray(t)[..., np.newaxis]
    K, k = len(values) - 1, np.arange(len(values))
    logs = gammaln(K + 1) - gammaln(k + 1) - gammaln(K - k + 1) + xlogy(k, t) + xlog1py(K - k, -t)
    return np.exp(logs) @ values
""",
    ),
    "de Casteljau": """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("nothing to promise")
    noisy = []
    for k in range(K + 1):
        noisy.append(function(k / K) + rng.laplace(0, sensitivity * (K + 1) / epsilon))
    return noisy


def bernstein_polynomial(values, t):
    t = np.asarray(t, dtype=float)
    row = np.array(values, dtype=float).reshape(-1, *[1] * t.ndim) * np.ones(t.shape)
    while len(row) > 1:
        row = row[:-1] + t * (row[1:] - row[:-1])
    return row[0]
""",
    "one place after the other": _both(
        noise="(K + 1) * sensitivity / epsilon * rng.laplace(size=K + 1)",
        curve="""
def bernstein_polynomial(values, t):
    if np.ndim(t):
        return np.array([bernstein_polynomial(values, one) for one in t]).reshape(np.shape(t))
    K = len(values) - 1
    if t in (0, 1):
        return float(values[0] if t == 0 else values[K])
    total = 0.0
    for k in range(K + 1):
        log = math.lgamma(K + 1) - math.lgamma(k + 1) - math.lgamma(K - k + 1)
        total += values[k] * math.exp(log + k * math.log(t) + (K - k) * math.log1p(-t))
    return total
""",
    ),
}

_LATTICE, _NOISE = "bernstein_release_lattice", "bernstein_release_noise"
_INPUT = "bernstein_release_input"
_SMALL, _LARGE = "bernstein_release_polynomial", "bernstein_release_large"
_PLACES, _MOVE = "that is K + 1 places", "(K + 1) times that of one"
_SUM, _LOGS = "The sum over k", "C(2000, 1000) is no float"
_BY_HAND = """
def bernstein_polynomial(values, t):
    K, t = len(values) - 1, np.asarray(t, dtype=float)
    return sum(values[k] * math.comb(K, k) * t**k * (1 - t) ** (K - k) for k in range(K + 1))
"""

MUTANTS = {
    "K values": Mutant(
        _both("np.array([function(k / K) for k in range(K)])", "rng.laplace(size=K)"),
        _LATTICE,
        "should be an array of shape (3,), it is an array of shape (2,)",
    ),
    "steps of 1 / (K + 1)": Mutant(
        _both("np.array([function(k / (K + 1)) for k in range(K + 1)])"), _LATTICE, _PLACES
    ),
    "the middles of cells": Mutant(
        _both("np.array([function((k + 0.5) / (K + 1)) for k in range(K + 1)])"), _LATTICE, _PLACES
    ),
    "the function at k": Mutant(
        _both("np.array([function(k) for k in range(K + 1)])"), _LATTICE, _PLACES
    ),
    "backwards": Mutant(
        _both("np.array([function(1 - k / K) for k in range(K + 1)])"), _LATTICE, _PLACES
    ),
    "a straight line through the ends": Mutant(
        _both("np.linspace(function(0.0), function(1.0), K + 1)"), _LATTICE, _PLACES
    ),
    "a little off the lattice": Mutant(
        _both("np.array([function(min(1, k / K + 1e-4)) for k in range(K + 1)])"),
        _LATTICE,
        _PLACES,
    ),
    "asked for in between": Mutant(_both(f"{_VALUES} + 0 * function(0.123)"), _LATTICE, _PLACES),
    "a thousand times on the way": Mutant(
        _both(f"{_VALUES} + 0 * np.sum(function(np.linspace(0, 1, 1001)))"), _LATTICE, _PLACES
    ),
    "noise for one value": Mutant(
        _both(noise="rng.laplace(0, sensitivity / epsilon, K + 1)"), _NOISE, _MOVE
    ),
    "K values move": Mutant(
        _both(noise="rng.laplace(0, K * sensitivity / epsilon, K + 1)"), _NOISE, _MOVE
    ),
    "the L2 norm": Mutant(
        _both(noise="rng.laplace(0, math.sqrt(K + 1) * sensitivity / epsilon, K + 1)"),
        _NOISE,
        _MOVE,
    ),
    "each value twice": Mutant(
        _both(noise="rng.laplace(0, 2 * (K + 1) * sensitivity / epsilon, K + 1)"), _NOISE, _MOVE
    ),
    "epsilon above": Mutant(
        _both(noise="rng.laplace(0, (K + 1) * sensitivity * epsilon, K + 1)"), _NOISE, _MOVE
    ),
    "one draw for all": Mutant(
        _both(noise="rng.laplace(0, (K + 1) * sensitivity / epsilon)"), _NOISE, _MOVE
    ),
    "the ends without noise": Mutant(
        _both(
            noise="rng.laplace(0, (K + 1) * sensitivity / epsilon, K + 1)"
            " * ((np.arange(K + 1) > 0) | (K < 3))"
        ),
        _NOISE,
        _MOVE,
    ),
    "noise cut off": Mutant(
        _both(noise="np.clip(rng.laplace(size=K + 1), -40, 40) * (K + 1) * sensitivity / epsilon"),
        _NOISE,
        _MOVE,
    ),
    "epsilon at least a hundredth": Mutant(
        _both(noise="rng.laplace(0, (K + 1) * sensitivity / max(epsilon, 0.01), K + 1)"),
        _NOISE,
        _MOVE,
    ),
    "a generator of its own": Mutant(
        _both(noise="np.random.default_rng(K).laplace(0, (K + 1) * sensitivity / epsilon, K + 1)"),
        _NOISE,
        _MOVE,
    ),
    "the same noise at each call": Mutant(
        """
_drawn = {}


def bernstein_release(function, sensitivity, K, epsilon, rng):
    if sensitivity <= 0 or epsilon <= 0:
        raise ValueError("sensitivity and epsilon must be above 0")
    if (id(rng), K) not in _drawn:
        _drawn[id(rng), K] = rng, rng.laplace(size=K + 1)
    values = np.array([function(k / K) for k in range(K + 1)])
    return values + (K + 1) * sensitivity / epsilon * _drawn[id(rng), K][1]
"""
        + _CURVE,
        _NOISE,
        "at each call anew",
    ),
    "any epsilon": Mutant(
        _both(
            noise="rng.laplace(size=K + 1) * (K + 1) * sensitivity / np.float64(epsilon)",
            check="sensitivity <= 0",
        ),
        _INPUT,
        "should raise ValueError",
    ),
    "any sensitivity": Mutant(
        _both(
            noise="rng.laplace(size=K + 1) * (K + 1) * sensitivity / epsilon",
            check="epsilon <= 0",
        ),
        _INPUT,
        "should raise ValueError",
    ),
    "both below 0": Mutant(
        _both(
            noise="rng.laplace(size=K + 1) * (K + 1) * sensitivity / epsilon",
            check="not sensitivity / (epsilon or -1) > 0",
        ),
        _INPUT,
        "Both must be above 0",
    ),
    "checked after the draw": Mutant(
        """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    values = np.array([function(k / K) for k in range(K + 1)])
    noise = rng.laplace(size=K + 1)
    if sensitivity <= 0 or epsilon <= 0:
        raise ValueError("sensitivity and epsilon must be above 0")
    return values + (K + 1) * sensitivity / epsilon * noise
"""
        + _CURVE,
        _INPUT,
        "the number of draws should be 0, it is",
    ),
    "without binomials": Mutant(
        _both(curve=_BY_HAND.replace("math.comb(K, k) * ", "")), _SMALL, _SUM
    ),
    "the powers exchanged": Mutant(
        _both(curve=_BY_HAND.replace("t**k * (1 - t) ** (K - k)", "t ** (K - k) * (1 - t) ** k")),
        _SMALL,
        _SUM,
    ),
    "lines from value to value": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    return np.interp(t, np.linspace(0, 1, len(values)), values)
"""
        ),
        _SMALL,
        "should be 4.625, it is 3.5",
    ),
    "through all values": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    K = len(values) - 1
    return np.polyval(np.polyfit(np.linspace(0, 1, K + 1), values, K), t)
"""
        ),
        _SMALL,
        "should be 4.625, it is 3.5",
    ),
    "a degree too high": Mutant(
        _both(
            curve=_BY_HAND.replace("len(values) - 1", "len(values)").replace(
                "range(K + 1)", "range(K)"
            )
        ),
        _SMALL,
        _SUM,
    ),
    "the ends are not a number": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    K, k = len(values) - 1, np.arange(len(values))
    t = np.asarray(t, dtype=float)[..., None]
    ways = np.array([math.lgamma(K + 1) - math.lgamma(i + 1) - math.lgamma(K - i + 1) for i in k])
    return np.exp(ways + k * np.log(t) + (K - k) * np.log(1 - t)) @ np.asarray(values)
"""
        ),
        _SMALL,
        "it is [nan, 0.3, 2.25, nan]",
    ),
    "one place only": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    from scipy.stats import binom

    return float(np.dot(binom.pmf(np.arange(len(values)), len(values) - 1, np.ravel(t)[0]), values))
"""
        ),
        _SMALL,
        "it is one number",
    ),
    "always flat": Mutant(
        _both(curve=_CURVE.replace("np.asarray(t, dtype=float)", "np.ravel(t)")),
        _SMALL,
        "should be one number",
    ),
    "the values rounded": Mutant(
        _both(curve=_CURVE.replace("np.asarray(values, dtype=float)", "np.round(values, 3)")),
        _SMALL,
        _SUM,
    ),
    "binomials by hand": Mutant(_both(curve=_BY_HAND), _LARGE, "raised OverflowError"),
    "Gauss in place of the binomial": Mutant(
        _both(
            curve=_CURVE.replace(
                "return (binom",
                "if len(values) > 31:\n"
                "        K, t = len(k) - 1, t[..., None]\n"
                "        w = np.exp(-((k - K * t) ** 2) / (2 * K * t * (1 - t) + 1e-9))\n"
                "        return (w / w.sum(axis=-1, keepdims=True) * values).sum(axis=-1)\n"
                "    return (binom",
            )
        ),
        _LARGE,
        _LOGS,
    ),
    "floats' factorials": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    from scipy.special import comb

    values, t = np.asarray(values, dtype=float), np.asarray(t, dtype=float)[..., None]
    K, k = len(values) - 1, np.arange(len(values))
    return (comb(K, k) * t**k * (1 - t) ** (K - k)) @ values
"""
        ),
        _LARGE,
        _LOGS,
    ),
    "no more than a thousand values": Mutant(
        _both(
            curve=_CURVE.replace(
                "np.asarray(values, dtype=float),",
                "np.asarray(values, dtype=float)[:: -(-len(values) // 1001)],",
            )
        ),
        _LARGE,
        _LOGS,
    ),
    "weights from 1e-6 on": Mutant(
        _both(
            curve=_CURVE.replace(
                "return (binom.pmf(k, len(values) - 1, t[..., None])",
                "w = binom.pmf(k, len(values) - 1, t[..., None])\n"
                "    return (np.where(w > 1e-6, w, 0)",
            )
        ),
        _LARGE,
        _LOGS,
    ),
    "dplab's polynomial": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    return dplab_polynomial(values, t)
"""
        ),
        _SMALL,
        "off limits",
    ),
    "dplab's mechanism": Mutant(
        """
def bernstein_release(function, sensitivity, K, epsilon, rng):
    from dplab.synthesis import bernstein_mechanism

    return bernstein_mechanism(lambda data, t: function(t), sensitivity, K, epsilon=epsilon)(0, rng)
"""
        + _CURVE,
        _LATTICE,
        "off limits",
    ),
    "three axes made one": Mutant(
        _both(curve=_CURVE.replace("    k =", "    t = np.ravel(t) if t.ndim > 2 else t\n    k =")),
        _SMALL,
        "should be an array of shape (2, 1, 4)",
    ),
    "whole values get whole noise": Mutant(
        f"""
def bernstein_release(function, sensitivity, K, epsilon, rng):
    if {_REFUSED}:
        raise ValueError("sensitivity and epsilon must be above 0")
    values = {_VALUES}
    for k in range(K + 1):
        values[k] += rng.laplace(scale=(K + 1) * sensitivity / epsilon)
    return values


{_CURVE.strip()}
""",
        _NOISE,
        _MOVE,
    ),
    "whole values at whole places": Mutant(
        _both(
            curve="""
def bernstein_polynomial(values, t):
    from scipy.stats import binom

    t, k = np.asarray(t), np.arange(len(values))
    curve = np.zeros_like(t)
    for place in np.ndindex(t.shape):
        curve[place] = binom.pmf(k, len(k) - 1, t[place]) @ np.asarray(values)
    return curve
"""
        ),
        _SMALL,
        _SUM,
    ),
    "no number is let through": Mutant(
        _both(check="sensitivity <= 0 or epsilon <= 0"), _INPUT, "should raise ValueError"
    ),
}

ANSWERS = Answers("bernstein_release", RIGHT, MUTANTS)
