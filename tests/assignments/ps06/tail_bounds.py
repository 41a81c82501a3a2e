"""Answers to `tail_bounds`. The mistakes: another moment, another side, another constant."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where

TAIL, MOMENT = "masses[losses > t].sum()", "min(1, (masses * abs(losses) ** k).sum() / t**k)"
VARIANCE = "v / (v + (t - m) ** 2) if t > m else 1"
ZCDP = "math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1"


def _entries(tail=TAIL, moment=MOMENT, variance=VARIANCE, zcdp=ZCDP, v="(losses - m) ** 2") -> str:
    """The text of a right answer, but for what is given."""
    return f"""
def tail_bounds(losses, masses, k, rho, t):
    losses, masses = np.array(losses, dtype=float), np.array(masses, dtype=float)
    m = (masses * losses).sum()
    v = (masses * ({v})).sum()
    tail = {tail}
    moment = {moment}
    variance = {variance}
    zcdp = {zcdp}
    return tail, moment, variance, zcdp
"""


RIGHT = {
    "four formulas": _entries(),
    "sums over pairs": """
def tail_bounds(losses, masses, k, rho, t):
    pairs = list(zip(losses, masses))
    m = sum(p * z for z, p in pairs)
    v = sum(p * z * z for z, p in pairs) - m * m
    bounds = [sum(p for z, p in pairs if z > t), sum(p * abs(z / t) ** k for z, p in pairs), 1, 1]
    if t > m:
        bounds[2] = v / (v + (t - m) ** 2)
    if t > rho:
        bounds[3] = math.exp(-((t - rho) ** 2) / (4 * rho))
    return [min(1.0, bound) for bound in bounds]
""",
    "averages": """
def tail_bounds(losses, masses, k, rho, t):
    def mean(values):
        return np.average(values, weights=masses)

    z = np.asarray(losses, dtype=float)
    m, v = mean(z), mean((z - mean(z)) ** 2)
    above_mean, above_rho = max(0.0, t - m), max(0.0, t - rho)
    chebyshev = 1 / (1 + above_mean**2 / v)
    return np.array(
        [mean(z > t), np.clip(mean((abs(z) / t) ** k), 0, 1), chebyshev]
        + [np.exp(-((above_rho / 2) ** 2) / rho)]
    )
""",
    "the best order": """
def tail_bounds(losses, masses, k, rho, t):
    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    place = np.searchsorted(z, t, side="right")
    m = np.dot(p, z)
    v = np.dot(p, z**2) - m**2
    alpha = max(1.0, (t + rho) / (2 * rho))  # of the Renyi bound, for a line through the origin
    renyi = math.exp((alpha - 1) * (rho * alpha - t))
    moment = math.exp(min(0.0, math.log(np.dot(p, abs(z) ** k)) - k * math.log(t)))
    return [p[place:].sum(), moment, v / (v + (t - m) ** 2) if t >= m else 1.0, renyi]
""",
    "helpers called mean, moment and variance": """
def mean(values, masses):
    return np.dot(masses, values)


def moment(losses, masses, k):
    return mean(abs(losses) ** k, masses)


def variance(losses, masses):
    return mean((losses - mean(losses, masses)) ** 2, masses)


def tail_bounds(losses, masses, k, rho, t):
    z, v = np.array(losses, dtype=float), variance(np.array(losses, dtype=float), masses)
    far = max(0, t - mean(z, masses))
    by_moment = min(1, moment(z, masses, k) / t**k)
    by_rho = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1
    return [mean(z > t, masses), by_moment, v / (v + far**2), by_rho]
""",
}


def _but(condition: str, instead: str) -> str:
    return but_where(RIGHT["four formulas"], condition, instead)


MUTANTS = {
    "t is above t": Mutant(
        _entries(tail="masses[losses >= t].sum()"), "tail_bounds_tail", "should be 0, it is 0.75"
    ),
    "the tail on both sides": Mutant(
        _entries(tail="masses[abs(losses) > t].sum()"),
        "tail_bounds_tail",
        "should be 0.75, it is 1",
    ),
    "the other side": Mutant(
        _entries(tail="masses[losses <= t].sum()"), "tail_bounds_tail", "should be 0, it is 1"
    ),
    "how many are above, not how likely": Mutant(
        _entries(tail="(losses > t).mean()"), "tail_bounds_tail", "should be 0.75, it is 0.5"
    ),
    "the delta at t": Mutant(
        _entries(tail="sum(masses * np.maximum(0, 1 - np.exp(t - losses)))"),
        "tail_bounds_tail",
        "Entry 0 is the probability of the losses above t",
    ),
    "the tail of a thousand losses": Mutant(
        _but("len(losses) > 1000", "losses, masses = losses[-1000:], masses[-1000:]"),
        "tail_bounds_tail",
        "Entry 0 is the probability of the losses above t",
    ),
    "a little above t left out": Mutant(
        _entries(tail="masses[losses > t + 2e-4].sum()"),
        "tail_bounds_tail",
        "Entry 0 is the probability of the losses above t",
    ),
    "zero where the bounds are small": Mutant(
        _entries(tail=f"0.0 if t > rho + 3 * math.sqrt(rho) else {TAIL}"),
        "tail_bounds_tail",
        "Entry 0 is the probability of the losses above t",
    ),
    "rare losses left out": Mutant(
        _entries(tail="masses[(losses > t) & (masses > 1e-5)].sum()"),
        "tail_bounds_tail",
        "Entry 0 is the probability of the losses above t",
    ),
    "the moment of Z": Mutant(
        _entries(moment="min(1, (masses * losses**k).sum() / t**k)"),
        "tail_bounds_moment",
        "should be 0.5, it is 0.25",
    ),
    "the moment of what is above 0": Mutant(
        _entries(moment="min(1, (masses * np.maximum(0, losses) ** k).sum() / t**k)"),
        "tail_bounds_moment",
        "should be 0.5, it is 0.375",
    ),
    "the power of the mean": Mutant(
        _entries(moment="min(1, ((masses * abs(losses)).sum() / t) ** k)"),
        "tail_bounds_moment",
        "Entry 1: the mean of |Z|^k",
    ),
    "the k-th root": Mutant(
        _entries(moment="min(1, (masses * abs(losses) ** k).sum() ** (1 / k) / t)"),
        "tail_bounds_moment",
        "should be 0.25, it is 0.5",
    ),
    "always Markov's own": Mutant(
        _entries(moment="min(1, (masses * abs(losses)).sum() / t)"),
        "tail_bounds_moment",
        "should be 0.25, it is 0.5",
    ),
    "the moment over t": Mutant(
        _entries(moment="min(1, (masses * abs(losses) ** k).sum() / t)"),
        "tail_bounds_moment",
        "should be 0.25, it is 0.5",
    ),
    "the moment about the mean": Mutant(
        _entries(moment="min(1, (masses * abs(losses - m) ** k).sum() / t**k)"),
        "tail_bounds_moment",
        "should be 0.5, it is 0.375",
    ),
    "a bound above 1": Mutant(
        _entries(moment="(masses * abs(losses) ** k).sum() / t**k"),
        "tail_bounds_moment",
        "should be 1, it is 8",
    ),
    "the best of all orders up to k": Mutant(
        _entries(
            moment="min(1, *((masses * abs(losses) ** j).sum() / t**j for j in range(1, k + 1)))"
        ),
        "tail_bounds_moment",
        "Entry 1: the mean of |Z|^k, divided by t^k",
    ),
    "orders up to 12": Mutant(
        _but("k > 12", "k = 12"), "tail_bounds_moment", "Entry 1: the mean of |Z|^k"
    ),
    "odd orders rounded up": Mutant(
        _but("k % 2 and k > 1", "k += 1"), "tail_bounds_moment", "Entry 1: the mean of |Z|^k"
    ),
    "two-sided Chebyshev": Mutant(
        _entries(variance="min(1, v / (t - m) ** 2) if t > m else 1"),
        "tail_bounds_variance",
        "should be 0.25, it is 0.3333",
    ),
    "the square on both sides": Mutant(
        _entries(variance="v / (v + (t - m) ** 2)"),
        "tail_bounds_variance",
        "should be 1, it is 0.9231",
    ),
    "the second moment for the variance": Mutant(
        _entries(v="losses**2"), "tail_bounds_variance", "should be 0.25, it is 0.3077"
    ),
    "the mean left out": Mutant(
        _entries(variance="v / (v + t**2)"), "tail_bounds_variance", "should be 0.25, it is 0.1579"
    ),
    "the deviation for the variance": Mutant(
        _entries(variance="v**0.5 / (v**0.5 + (t - m) ** 2) if t > m else 1"),
        "tail_bounds_variance",
        "should be 0.25, it is 0.2779",
    ),
    "no square of the distance": Mutant(
        _entries(variance="v / (v + (t - m)) if t > m else 1"),
        "tail_bounds_variance",
        "should be 0.25, it is 0.3333",
    ),
    "masses forgotten": Mutant(
        _entries(variance="np.var(losses) / (np.var(losses) + (t - m) ** 2) if t > m else 1"),
        "tail_bounds_variance",
        "should be 0.25, it is 0.3077",
    ),
    "one above 0 instead of above the mean": Mutant(
        _entries(variance="v / (v + (t - m) ** 2) if t > abs(m) else 1"),
        "tail_bounds_variance",
        "v / (v + (t - m)^2)",
    ),
    "a mean below 0 taken for 0": Mutant(
        _entries(variance="v / (v + (t - max(0, m)) ** 2) if t > m else 1"),
        "tail_bounds_variance",
        "v / (v + (t - m)^2)",
    ),
    "a normal loss's variance": Mutant(
        _entries(variance="2 * m / (2 * m + (t - m) ** 2) if t > m else 1"),
        "tail_bounds_variance",
        "v / (v + (t - m)^2)",
    ),
    "half the exponent forgotten": Mutant(
        _entries(zcdp="math.exp(-((t - rho) ** 2) / (2 * rho)) if t > rho else 1"),
        "tail_bounds_zcdp",
        "one of your bounds is below the tail",
    ),
    "no drift": Mutant(
        _entries(zcdp="math.exp(-(t**2) / (4 * rho))"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "the drift twice": Mutant(
        _entries(zcdp="math.exp(-((t - 2 * rho) ** 2) / (4 * rho)) if t > 2 * rho else 1"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "falls on both sides of rho": Mutant(
        _entries(zcdp="math.exp(-((t - rho) ** 2) / (4 * rho))"),
        "tail_bounds_zcdp",
        "should be 1, it is",
    ),
    "the mean for rho": Mutant(
        _entries(zcdp="math.exp(-((t - m) ** 2) / (4 * m)) if t > m > 0 else 1"),
        "tail_bounds_zcdp",
        "1 where t is not above rho",
    ),
    "half the variance for rho": Mutant(
        _entries(zcdp="math.exp(-((t - v / 2) ** 2) / (2 * v)) if t > v / 2 else 1"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "the moment generating function at t": Mutant(
        _entries(zcdp="math.exp(min(0, rho * (rho + 1) - t))"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "a best order that is whole": Mutant(
        """
def tail_bounds(losses, masses, k, rho, t):
    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    m = p @ z
    v = p @ (z - m) ** 2
    orders = np.arange(1, 2 + int(t / rho))
    renyi = np.exp((orders - 1) * (rho * orders - t)).min()
    return p @ (z > t), min(1, p @ abs(z) ** k / t**k), v / (v + max(0, t - m) ** 2), renyi
""",
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "a small rho taken for 0": Mutant(
        _entries(zcdp=f"0.0 if rho < 1e-5 else {ZCDP}"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "the least of the bounds": Mutant(
        _entries(zcdp=f"min(moment, variance, {ZCDP})"),
        "tail_bounds_zcdp",
        "Entry 3: e^(-(t - rho)^2 / (4 rho))",
    ),
    "dplab's own": Mutant(
        """
def tail_bounds(losses, masses, k, rho, t):
    from dplab.theorems.loss_tails import MomentBound, SubgaussianBound, VarianceBound

    z, p = np.asarray(losses, dtype=float), np.asarray(masses, dtype=float)
    m = p @ z
    rungs = MomentBound(k, p @ abs(z) ** k), VarianceBound(m, p @ (z - m) ** 2)
    return p @ (z > t), *(float(one.tail(t)) for one in (*rungs, SubgaussianBound(rho)))
""",
        "tail_bounds_tail",
        "is off limits in an answer",
    ),
    "the first 15,000 losses": Mutant(
        _entries().replace(
            "    m = (", "    losses, masses = losses[:15_000], masses[:15_000]\n    m = ("
        ),
        "tail_bounds_tail",
        "the losses above t",
    ),
    "a loss near t is t": Mutant(
        _entries(tail="masses[(losses > t) & ~np.isclose(losses, t)].sum()"),
        "tail_bounds_tail",
        "the losses above t",
    ),
    "powers of whole numbers": Mutant(
        _entries().replace("np.array(losses, dtype=float)", "np.array(losses)"),
        "tail_bounds_moment",
        "Entry 1: the mean of |Z|^k",
    ),
}

ANSWERS = Answers("tail_bounds", RIGHT, MUTANTS)
