"""Answers to `bounded_range`. The mistakes: the largest loss for the range, and lost outcomes."""

from autograder.rehearsal.catalogue import Answers, Mutant

_RHO = """

def rho_bounds(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if (p > 0).tolist() != (q > 0).tolist():
        return math.inf, math.inf
    loss = np.log(p[p > 0] / q[q > 0])
    return abs(loss).max() ** 2 / 2, (loss.max() - loss.min()) ** 2 / 8
"""


def _range(body: str) -> str:
    """The text of the cell with this body of `bounded_range`, and a right `rho_bounds`."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"def bounded_range(p, q):\n{lines}\n{_RHO}"


def _rho(body: str) -> str:
    """The text of the cell with a right `bounded_range`, and this body of `rho_bounds`."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"{_LOOP}\n\ndef rho_bounds(p, q):\n{lines}\n"


_LOOP = """
def bounded_range(p, q):
    losses = []
    for a, b in zip(p, q):
        if a == 0 and b == 0:
            continue
        if a == 0 or b == 0:
            return math.inf
        losses.append(math.log(a) - math.log(b))
    return max(losses) - min(losses)
"""
_CLEAN = """
p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
if ((p > 0) != (q > 0)).any():
    return math.inf
z = np.log(p[p > 0] / q[p > 0])
"""

RIGHT = {
    "arrays": _range(f"{_CLEAN}return np.ptp(z)"),
    "a loop over outcomes": _LOOP + _RHO,
    "ratios first": _range("""
kept = [(a, b) for a, b in zip(p, q) if a or b]
if any(a == 0 or b == 0 for a, b in kept):
    return float("inf")
ratios = [a / b for a, b in kept]
return math.log(max(ratios) / min(ratios))
"""),
    "rho from the range": _rho("""
eta = bounded_range(p, q)
if math.isinf(eta):
    return [eta, eta]
epsilon = max(abs(math.log(a / b)) for a, b in zip(p, q) if a > 0)
return [epsilon * epsilon / 2, eta * eta / 8]
"""),
    "a helper called losses": """
def losses(p, q):
    return [
        math.log(a / b) if a > 0 and b > 0 else math.inf
        for a, b in zip(p, q, strict=True)
        if a > 0 or b > 0
    ]


def bounded_range(p, q):
    found = losses(p, q)
    return math.inf if math.inf in found else max(found) - min(found)


def rho_bounds(p, q):
    largest = max(abs(loss) for loss in losses(p, q))
    return largest**2 / 2, bounded_range(p, q) ** 2 / 8
""",
}

MUTANTS = {
    "the largest absolute loss": Mutant(
        _range(f"{_CLEAN}return abs(z).max()"), "bounded_range_values", "with their signs"
    ),
    "the largest loss": Mutant(
        _range(f"{_CLEAN}return z.max()"), "bounded_range_exponential", "what all have in common"
    ),
    "twice the largest absolute loss": Mutant(
        _range(f"{_CLEAN}return 2 * abs(z).max()"), "bounded_range_values", "should be 1.099"
    ),
    "absolute values before the range": Mutant(
        _range(f"{_CLEAN}return np.ptp(abs(z))"), "bounded_range_values", "should be 1.099"
    ),
    "logarithms to base 2": Mutant(
        _range(f"{_CLEAN}return np.ptp(z) / np.log(2)"), "bounded_range_values", "it is 1.585"
    ),
    "ratios without a logarithm": Mutant(
        _range(f"{_CLEAN}return np.ptp(np.exp(z))"), "bounded_range_values", "log ratio"
    ),
    "differences of probabilities": Mutant(
        _range("return np.ptp(np.subtract(p, q))"), "bounded_range_values", "it is 0.5"
    ),
    "outcomes that one law lacks are left out": Mutant(
        _range("""
p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
both = (p > 0) & (q > 0)
return np.ptp(np.log(p[both] / q[both]))
"""),
        "bounded_range_impossible",
        "should be inf",
    ),
    "impossible under both is infinite, too": Mutant(
        _range("""
if 0 in list(p) or 0 in list(q):
    return math.inf
return np.ptp(np.log(np.divide(p, q)))
"""),
        "bounded_range_impossible",
        "doesn't count",
    ),
    "0 divided by 0": Mutant(
        _range("return np.ptp(np.log(np.asarray(p, dtype=float) / np.asarray(q, dtype=float)))"),
        "bounded_range_impossible",
        "doesn't count",
    ),
    "a loss of an outcome that only p has is forgotten": Mutant(
        _range("""
p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
if (q[p > 0] == 0).any():
    return math.inf
return np.ptp(np.log(p[p > 0] / q[p > 0]))
"""),
        "bounded_range_impossible",
        "no interval is long enough",
    ),
    "rho the other way round": Mutant(
        _rho("""
eta = bounded_range(p, q)
if eta == math.inf:
    return eta, eta
epsilon = max(abs(math.log(a / b)) for a, b in zip(p, q) if a > 0)
return eta**2 / 8, epsilon**2 / 2
"""),
        "bounded_range_rho",
        "In their order",
    ),
    "rho of the range over 2": Mutant(
        _RHO.join([_LOOP, ""]).replace("** 2 / 8", "** 2 / 2"),
        "bounded_range_rho",
        "range^2 / 8",
    ),
    "rho of a loss that is not absolute": Mutant(
        _RHO.join([_LOOP, ""]).replace("abs(loss).max()", "loss.max()"),
        "bounded_range_rho",
        "largest |loss|",
    ),
    "no return": Mutant(
        _range(f"{_CLEAN}np.ptp(z)"), "bounded_range_exponential", "is None: does every path"
    ),
    "nearly impossible taken for impossible": Mutant(
        _range("""
p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
p, q = np.where(p > 1e-12, p, 0), np.where(q > 1e-12, q, 0)
if ((p > 0) != (q > 0)).any():
    return math.inf
z = np.log(p[p > 0] / q[p > 0])
return np.ptp(z)
"""),
        "bounded_range_impossible",
        "A probability of 1e-150 is above 0",
    ),
    "a little added to every probability": Mutant(
        _range("return np.ptp(np.log(np.add(p, 1e-12) / np.add(q, 1e-12)))"),
        "bounded_range_impossible",
        "no interval is long enough",
    ),
    "the rarest one per cent left out": Mutant(
        _range(f"{_CLEAN}z = np.sort(z)\nreturn z[-1 - len(z) // 200] - z[len(z) // 200]"),
        "bounded_range_values",
        "The largest log ratio minus the smallest",
    ),
    "losses cut at 100": Mutant(
        _range(f"{_CLEAN}return np.ptp(np.clip(z, -100, 100))"),
        "bounded_range_impossible",
        "an outcome that has it counts",
    ),
    "the first thousand outcomes": Mutant(
        _range("p, q = p[:1000], q[:1000]\n" + _CLEAN.strip() + "\nreturn np.ptp(z)"),
        "bounded_range_values",
        "The largest log ratio",
    ),
    "equal probabilities counted once": Mutant(
        _range(f"q = dict(zip(p, q))\np, q = list(q), list(q.values())\n{_CLEAN}return np.ptp(z)"),
        "bounded_range_values",
        "should be 1.099, it is 0",
    ),
    "both laws sorted": Mutant(
        _range(f"p, q = np.sort(p), np.sort(q)\n{_CLEAN}return np.ptp(z)"),
        "bounded_range_values",
        "should be 2.773",
    ),
    "a range of six digits": Mutant(
        _range(f"{_CLEAN}return round(np.ptp(z), 6)"),
        "bounded_range_values",
        "log ratio",
    ),
    "impossible under p alone forgotten": Mutant(
        _range("""
p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
if (p[q > 0] == 0).any():
    return math.inf
both = (p > 0) & (q > 0)
return np.ptp(np.log(p[both] / q[both]))
"""),
        "bounded_range_impossible",
        "should be inf",
    ),
    "rho of a range that is wide": Mutant(
        _rho("""
eta = bounded_range(p, q)
if eta > 50:
    return math.inf, math.inf
epsilon = max(abs(math.log(a / b)) for a, b in zip(p, q) if a > 0)
return epsilon**2 / 2, eta**2 / 8
"""),
        "bounded_range_rho",
        "largest |loss|",
    ),
    "rho of the smallest loss": Mutant(
        _RHO.join([_LOOP, ""]).replace("abs(loss).max()", "loss.min()"),
        "bounded_range_rho",
        "largest |loss|",
    ),
    "dplab's own range": Mutant(
        _range("""
from dplab.theorems.bounded_range import range_of_loss

laws = [Finite.of(dict(enumerate(np.array(law) / np.sum(law)))) for law in (p, q)]
return range_of_loss(*laws).width
"""),
        "bounded_range_values",
        "off limits",
    ),
    "eleven thousand outcomes": Mutant(
        _range(f"p, q = p[:11_000], q[:11_000]\n{_CLEAN}\nreturn z.max() - z.min()"),
        "bounded_range_values",
        "The largest log ratio minus the smallest",
    ),
    "no range above 640": Mutant(
        _range(f"{_CLEAN}\nreturn min(640.0, z.max() - z.min())"),
        "bounded_range_impossible",
        "an outcome that has it counts",
    ),
    "what is impossible taken out of the lists": Mutant(
        _range(
            """
if isinstance(p, list):
    for i in reversed(range(len(p))):
        if p[i] == q[i] == 0:
            del p[i], q[i]
"""
            + _CLEAN
            + "\nreturn z.max() - z.min()"
        ),
        "bounded_range_values",
        "changes what it was given",
    ),
}

ANSWERS = Answers("bounded_range", RIGHT, MUTANTS)
