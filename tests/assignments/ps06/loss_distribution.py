"""Answers to `loss_distribution`. The mistakes: the wrong law, the wrong order, the impossible."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where


def _dict(loss="math.log(a / b)", mass="a", keep="a > 0", end="") -> str:
    """The text of `loss_distribution` with a dict from loss to probability."""
    return f"""
def loss_distribution(p, q):
    pairs = [({loss} if b > 0 else math.inf, {mass}) for a, b in zip(p, q) if {keep}]
    law, last = {{}}, -math.inf
    for loss, mass in sorted(pairs):
        if loss > last + 1e-7:
            last = loss
        law[last] = law.get(last, 0) + mass
    {end}
    losses = sorted(law)
    return np.array([losses, [law[z] for z in losses]])
"""


def _rounded(digits=9) -> str:
    """The text with a dict from rounded loss to probability."""
    return f"""
def loss_distribution(p, q):
    law = {{}}
    for a, b in zip(p, q):
        if a > 0:
            loss = round(math.log(a / b), {digits}) if b > 0 else math.inf
            law[loss] = law.get(loss, 0) + a
    losses = sorted(law)
    return np.array([losses, [law[z] for z in losses]])
"""


RIGHT = {
    "a dict": _dict(),
    "arrays and unique": """
def loss_distribution(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    p, q = p[p > 0], q[p > 0]
    with np.errstate(divide="ignore"):
        z = np.log(p) - np.log(q)
    values = np.unique(z)
    first = np.append(True, np.diff(values) > 1e-8)
    groups = np.cumsum(first)[np.searchsorted(values, z)] - 1
    return np.array([values[first], np.bincount(groups, weights=p)])
""",
    "sorted, then merged with the one before": """
def loss_distribution(p, q):
    pairs = sorted((math.log(a / b) if b else math.inf, a) for a, b in zip(p, q) if a)
    losses, masses = [], []
    for loss, mass in pairs:
        if losses and (loss == losses[-1] or loss - losses[-1] < 1e-9):
            masses[-1] += mass
        else:
            losses.append(loss)
            masses.append(mass)
    return losses, masses
""",
    "every value, and who is close to it": """
def loss_distribution(p, q):
    p, q = np.array(p), np.array(q)
    z = np.full(len(p), np.inf)
    z[q > 0] = np.log(np.maximum(p[q > 0], 1e-300) / q[q > 0])
    z, p = z[p > 0], p[p > 0]
    values = []
    for value in np.sort(z):
        if not any(value == other or abs(value - other) < 1e-9 for other in values):
            values.append(value)
    return np.array([values, [p[np.isclose(z, v, rtol=0, atol=1e-9)].sum() for v in values]])
""",
}

MUTANTS = {
    "equal losses listed twice": Mutant(
        """
def loss_distribution(p, q):
    pairs = sorted((math.log(a / b) if b > 0 else math.inf, a) for a, b in zip(p, q) if a > 0)
    return np.array(pairs).T
""",
        "loss_distribution_merged",
        "should be an array of shape (2, 3), it is an array of shape (2, 4)",
    ),
    "equal losses only if equal to the last bit": Mutant(
        """
def loss_distribution(p, q):
    law = {}
    for a, b in zip(p, q):
        if a > 0:
            loss = math.log(a / b) if b > 0 else math.inf
            law[loss] = law.get(loss, 0) + a
    return np.array([sorted(law), [law[z] for z in sorted(law)]])
""",
        "loss_distribution_merged",
        "should be an array of shape",
    ),
    "under q": Mutant(_dict(mass="b"), "loss_distribution_small", "how likely each is under p"),
    "the ratio upside down": Mutant(
        _dict(loss="math.log(b / a)"), "loss_distribution_small", "Row 0: log(p / q)"
    ),
    "no logarithm": Mutant(
        _dict(loss="a / b"), "loss_distribution_small", "it is [[0.5, 2], [0.3, 0.7]]"
    ),
    "logarithm to base 2": Mutant(
        _dict(loss="math.log2(a / b)"), "loss_distribution_small", "it is [[-1, 1], [0.3, 0.7]]"
    ),
    "absolute values": Mutant(
        _dict(loss="abs(math.log(a / b))"),
        "loss_distribution_small",
        "should be an array of shape (2, 2), it is an array of shape (2, 1)",
    ),
    "decreasing": Mutant(
        _dict().replace("sorted(law)", "sorted(law, reverse=True)"),
        "loss_distribution_small",
        "increasing",
    ),
    "in the order of the outcomes": Mutant(
        _rounded().replace("sorted(law)", "list(law)"), "loss_distribution_small", "increasing"
    ),
    "what only p can produce is left out": Mutant(
        _dict(keep="a > 0 and b > 0"),
        "loss_distribution_impossible",
        "An outcome that only p can produce has the loss inf",
    ),
    "what p can't produce is listed": Mutant(
        """
def loss_distribution(p, q):
    p, q = np.asarray(p), np.asarray(q)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.nan_to_num(np.round(np.log(p / q), 9), posinf=np.inf, neginf=-np.inf)
    values, places = np.unique(z, return_inverse=True)
    return np.array([values, np.bincount(places, weights=p)])
""",
        "loss_distribution_impossible",
        "one that only q can, never happens",
    ),
    "a large number for infinity": Mutant(
        """
def loss_distribution(p, q):
    law = {}
    for a, b in zip(p, q):
        if a > 0:
            loss = round(math.log(a / max(b, 1e-300)), 9)
            law[loss] = law.get(loss, 0) + a
    return np.array([sorted(law), [law[z] for z in sorted(law)]])
""",
        "loss_distribution_impossible",
        "has the loss inf",
    ),
    "losses far too coarse": Mutant(_rounded(2), "loss_distribution_small", "Row 0: log(p / q)"),
    "masses in the order of the outcomes": Mutant(
        """
def loss_distribution(p, q):
    p, q = np.asarray(p), np.asarray(q)
    kept = p > 0
    with np.errstate(divide="ignore"):
        z = np.log(p[kept] / q[kept])
    values = np.unique(np.round(z, 9))
    if len(values) == kept.sum():
        return np.array([values, p[kept]])
    return np.array([values, [p[kept][np.isclose(z, v)].sum() for v in values]])
""",
        "loss_distribution_values",
        "belongs to the loss above it",
    ),
    "small probabilities taken for 0": Mutant(
        _dict(keep="a > 1e-6"),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "a dict": Mutant(
        _dict(end="return law"), "loss_distribution_small", "should be numbers, it is a dict"
    ),
    "the first thousand outcomes": Mutant(
        but_where(RIGHT["a dict"], "len(p) > 1000", "p, q = p[:1000], q[:1000]"),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "the smallest 128 losses": Mutant(
        _dict(end="law = dict(sorted(law.items())[:128])"),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "close for np.isclose": Mutant(
        """
def loss_distribution(p, q):
    pairs = sorted((math.log(a / b) if b else math.inf, a) for a, b in zip(p, q) if a)
    losses, masses = [], []
    for loss, mass in pairs:
        if losses and np.isclose(loss, losses[-1]):
            masses[-1] += mass
        else:
            losses.append(loss)
            masses.append(mass)
    return losses, masses
""",
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "rounded to six decimals": Mutant(_rounded(6), "loss_distribution_small", "Row 0: log(p / q)"),
    "fifteen decimals kept": Mutant(
        _rounded(15),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "losses clipped at 50": Mutant(
        _dict(loss="max(-50, min(50, math.log(a / b)))"),
        "loss_distribution_impossible",
        "its loss is large, but finite",
    ),
    "rare under q taken for impossible": Mutant(
        _dict().replace("if b > 0 else", "if b > 1e-10 else"),
        "loss_distribution_impossible",
        "What is rare under q is not impossible",
    ),
    "rare under p taken for impossible": Mutant(
        _dict(keep="a > 1e-10"),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "probabilities rounded": Mutant(
        _dict(end="law = {z: round(mass, 9) for z, mass in law.items()}"),
        "loss_distribution_values",
        "The probability in row 1 belongs to the loss above it",
    ),
    "one outcome taken for none": Mutant(
        but_where(RIGHT["a dict"], "len(p) < 2", "return [[], []]"),
        "loss_distribution_small",
        "One outcome alone has the loss 0",
    ),
    "dplab's own": Mutant(
        """
def loss_distribution(p, q):
    loss = privacy_loss(Finite.of(dict(enumerate(p))), Finite.of(dict(enumerate(q))))
    return np.array([loss.losses[loss.p > 0], loss.p[loss.p > 0]])
""",
        "loss_distribution_small",
        "is off limits in an answer",
    ),
    "the first 15,000 outcomes": Mutant(
        _dict().replace("zip(p, q)", "list(zip(p, q))[:15_000]"), "loss_distribution_values", "row"
    ),
    "below 1e-150 is impossible": Mutant(
        _dict(keep="a > 1e-150"), "loss_distribution_impossible", "should be an array of shape"
    ),
    "no loss below -400": Mutant(
        _dict("max(-400.0, math.log(a / b))"),
        "loss_distribution_impossible",
        "its loss is far below 0, but finite",
    ),
    "nine decimals kept": Mutant(
        _rounded(),
        "loss_distribution_values",
        "should be an array of shape (2, 36)",
    ),
    "unique losses of ten decimals": Mutant(
        """
def loss_distribution(p, q):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    p, q = p[p > 0], q[p > 0]
    with np.errstate(divide="ignore"):
        z = np.log(p) - np.log(q)
    values, places = np.unique(np.round(z, 10), return_inverse=True)
    return np.array([values, np.bincount(places, weights=p)])
""",
        "loss_distribution_values",
        "should be an array of shape (2, 36)",
    ),
    "impossible where the product is 0": Mutant(
        _dict(keep="a * b > 0 or (a > 0 and b == 0)"),
        "loss_distribution_impossible",
        "should be an array of shape (2, ",
    ),
    "differences of running sums": Mutant(
        _dict(
            end="sums = np.cumsum([law[z] for z in sorted(law)])\n"
            "    law = dict(zip(sorted(law), np.diff(sums, prepend=0)))"
        ),
        "loss_distribution_impossible",
        "its probability is not 0",
    ),
    "a law sorted in place": Mutant(
        _dict(end="p.sort()"), "loss_distribution_values", "changes what it was given"
    ),
}

ANSWERS = Answers("loss_distribution", RIGHT, MUTANTS)
