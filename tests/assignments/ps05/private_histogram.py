"""Answers to `private_histogram`. The mistakes: the budget split, one noise, bins forgotten."""

from autograder.rehearsal.catalogue import Answers, Mutant

_MOVE = "Between neighbours two counts move, each by 1"
_LAPLACE = "rng.laplace(scale=scale, size=bins)"
_SIGNED = "rng.exponential(scale, bins) * rng.choice([-1.0, 1.0], bins)"


def _noisy(
    noise: str = _LAPLACE,
    scale: str = "{'replace': 2, 'add': 1}[neighbors] / epsilon",
    result: str = "counts + noise",
    check: str = "neighbors not in ('replace', 'add') or not epsilon > 0",
) -> str:
    """The text of `private_histogram` with these parts."""
    return f"""
def private_histogram(records, bins, epsilon, neighbors, rng):
    if {check}:
        raise ValueError("bad neighbors or epsilon")
    counts = np.bincount(np.asarray(records, dtype=int), minlength=bins)
    scale = {scale}
    noise = {noise}
    return {result}
"""


RIGHT = {
    "bincount": _noisy(),
    "a loop over bins": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    if neighbors == "replace":
        sensitivity = 2
    elif neighbors == "add":
        sensitivity = 1
    else:
        raise ValueError("unknown neighbors")
    records = list(records)
    noisy = []
    for j in range(bins):
        noisy.append(records.count(j) + rng.laplace(0, sensitivity / epsilon))
    return noisy
""",
    "by the inverse distribution function": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    moves = {"replace": 2, "add": 1}
    if neighbors not in moves or epsilon <= 0:
        raise ValueError("bad argument")
    counts, _ = np.histogram(records, bins=np.arange(bins + 1) - 0.5)
    u = rng.uniform(-0.5, 0.5, bins)
    return counts - moves[neighbors] / epsilon * np.sign(u) * np.log1p(-2 * np.abs(u))
""",
    "a difference of exponentials": _noisy(
        "rng.exponential(scale, (2, bins))", result=("counts + noise[0] - noise[1]")
    ),
    "an exponential with a sign": _noisy(_SIGNED),
    "a table of who is where": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors != "replace" and neighbors != "add" or not epsilon > 0:
        raise ValueError
    table = np.array(records)[:, None] == np.arange(bins)
    width = (1 + (neighbors == "replace")) / epsilon
    return table.sum(axis=0) + width * rng.laplace(size=bins)
""",
    "noise used up from its end": _noisy(
        f"{_LAPLACE}.tolist()", result="np.array([count + noise.pop() for count in counts])"
    ),
    "all that goes up, then all that goes down": _noisy(
        "rng.exponential(scale, bins) - [rng.exponential(scale) for _ in range(bins)]"
    ),
    "a helper called noise": """
def noise(bins, scale, rng):
    return rng.laplace(scale=scale, size=bins)


def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors not in ("replace", "add") or epsilon <= 0:
        raise ValueError("neighbors must be 'replace' or 'add', and epsilon above 0")
    counts = np.bincount(np.array(records, dtype=int), minlength=bins)
    return counts + noise(bins, (2 if neighbors == "replace" else 1) / epsilon, rng)
""",
}

MUTANTS = {
    "one person moves one count": Mutant(
        _noisy(scale="1 / epsilon"), "private_histogram_law", "two counts move, each by 1"
    ),
    "two counts always": Mutant(
        _noisy(scale="2 / epsilon"), "private_histogram_relation", "more would be a waste"
    ),
    "the budget split among the bins": Mutant(
        _noisy(scale="bins / epsilon"), "private_histogram_law", "the number of bins"
    ),
    "the relations mixed up": Mutant(
        _noisy(scale="{'replace': 1, 'add': 2}[neighbors] / epsilon"),
        "private_histogram_relation",
        "Now one count moves",
    ),
    "the scale upside down": Mutant(
        _noisy(scale="epsilon / {'replace': 2, 'add': 1}[neighbors]"),
        "private_histogram_law",
        "times what it should be",
    ),
    "normal noise": Mutant(
        _noisy("rng.normal(0, 2**0.5 * scale, bins)"),
        "private_histogram_law",
        _MOVE,
    ),
    "the scale taken for the deviation": Mutant(
        _noisy("rng.laplace(scale=scale / 2**0.5, size=bins)"),
        "private_histogram_law",
        "the noise is 0.7071 times what it should be",
    ),
    "one noise for all bins": Mutant(
        _noisy("rng.laplace(scale=scale)"),
        "private_histogram_law",
        "one draw of the noise serves more than one number",
    ),
    "noise on one side": Mutant(
        _noisy("rng.exponential(scale, bins)"),
        "private_histogram_law",
        _MOVE,
    ),
    "neighbouring bins share their noise": Mutant(
        _noisy("np.repeat(rng.laplace(scale=scale, size=bins), 2)[:bins]"),
        "private_histogram_law",
        _MOVE,
    ),
    "empty bins without noise": Mutant(
        _noisy("np.where(counts > 0, rng.laplace(scale=scale, size=bins), 0)"),
        "private_histogram_source",
        "Draw one number for each bin, whatever is in it.",
    ),
    "noise drawn for each record": Mutant(
        _noisy("np.array([rng.laplace(scale=scale, size=max(c, 1)).mean() for c in counts])"),
        "private_histogram_source",
        "Draw one number for each bin, whatever is in it.",
    ),
    "a generator of its own": Mutant(
        _noisy("np.random.default_rng(1).laplace(scale=scale, size=bins)"),
        "private_histogram_source",
        "gives the same result for two seeds",
    ),
    "the global generator": Mutant(
        _noisy("np.random.laplace(scale=scale, size=bins)"),
        "private_histogram_source",
        "gives two results for one seed",
    ),
    "the last empty bins missing": Mutant(
        """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors not in ("replace", "add") or not epsilon > 0:
        raise ValueError("bad argument")
    counts = np.bincount(np.asarray(records, dtype=int))
    return counts + rng.laplace(scale=(1 + (neighbors == "replace")) / epsilon, size=len(counts))
""",
        "private_histogram_shape",
        "should be an array of shape (4,), it is an array of shape (3,)",
    ),
    "only bins that occur": Mutant(
        """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors not in ("replace", "add") or not epsilon > 0:
        raise ValueError("bad argument")
    _, counts = np.unique(records, return_counts=True)
    return counts + rng.laplace(scale=(1 + (neighbors == "replace")) / epsilon, size=len(counts))
""",
        "private_histogram_shape",
        "it is an array of shape (2,)",
    ),
    "shares in place of counts": Mutant(
        _noisy(result="(counts + noise) / len(records)"),
        "private_histogram_shape",
        "should be [1, 0, 2, 0]",
    ),
    "cut off at zero": Mutant(
        _noisy(result="np.maximum(0, counts + noise)"),
        "private_histogram_law",
        _MOVE,
    ),
    "rounded": Mutant(
        _noisy(result="np.round(counts + noise)"),
        "private_histogram_law",
        _MOVE,
    ),
    "no noise for one bin": Mutant(
        _noisy(result="counts + noise * (bins > 1)"), "private_histogram_law", _MOVE
    ),
    "no noise for one person": Mutant(
        _noisy(result="counts + noise * (len(records) != 1)"), "private_histogram_law", _MOVE
    ),
    "no noise for more than 5,000 people": Mutant(
        _noisy(result="counts + noise * (len(records) <= 5000)"), "private_histogram_law", _MOVE
    ),
    "no noise for large counts": Mutant(
        _noisy(result="counts + noise * (counts <= 1000)"),
        "private_histogram_source",
        "Draw one number for each bin, whatever is in it.",
    ),
    "no noise for epsilon of 5 and more": Mutant(
        _noisy(result="counts + noise * (epsilon < 5)"), "private_histogram_law", _MOVE
    ),
    "epsilon is at least 0.1": Mutant(
        _noisy(scale="{'replace': 2, 'add': 1}[neighbors] / max(epsilon, 0.1)"),
        "private_histogram_law",
        _MOVE,
    ),
    "epsilon three percent too large": Mutant(
        _noisy(scale="{'replace': 2, 'add': 1}[neighbors] / (1.03 * epsilon)"),
        "private_histogram_law",
        "the noise is 0.9709 times what it should be",
    ),
    "noise cut off at twenty scales": Mutant(
        _noisy(f"np.clip({_LAPLACE}, -20 * scale, 20 * scale)"),
        "private_histogram_relation",
        "The noise has no largest value",
    ),
    "noise cut off at thirty scales": Mutant(
        _noisy(f"np.clip({_LAPLACE}, -30 * scale, 30 * scale)"),
        "private_histogram_law",
        "The noise has no largest value",
    ),
    "the same noise again after 1,023 bins": Mutant(
        _noisy(f"np.resize({_LAPLACE.replace('bins', 'min(bins, 1023)')}, bins)"),
        "private_histogram_law",
        "one draw of the noise serves more than one number",
    ),
    "the same noise again after 3,001 bins": Mutant(
        _noisy(f"np.resize({_LAPLACE.replace('bins', 'min(bins, 3001)')}, bins)"),
        "private_histogram_law",
        _MOVE,
    ),
    "two bins have opposite noise": Mutant(
        _noisy(result="counts + (noise if bins != 2 else noise[0] * np.array([1, -1]))"),
        "private_histogram_law",
        _MOVE,
    ),
    "the second half has the opposite noise": Mutant(
        _noisy(
            "rng.laplace(scale=scale, size=-(-bins // 2))",
            result="counts + np.concatenate([noise, -noise])[:bins]",
        ),
        "private_histogram_law",
        "one draw of the noise serves more than one number",
    ),
    "the noises of more than ten bins sum to zero": Mutant(
        _noisy(result="counts + noise - noise.mean() * (bins > 10)"),
        "private_histogram_law",
        _MOVE,
    ),
    "two decimals": Mutant(
        _noisy(result="np.round(counts + noise, 2)"), "private_histogram_law", _MOVE
    ),
    "neighbors whatever the case": Mutant(
        _noisy(
            check="neighbors.lower() not in ('replace', 'add') or not epsilon > 0",
            scale="{'replace': 2, 'add': 1}[neighbors.lower()] / epsilon",
        ),
        "private_histogram_input",
        "neighbors is 'replace' or 'add'.",
    ),
    "dplab's mechanism": Mutant(
        """
def private_histogram(records, bins, epsilon, neighbors, rng):
    from dplab import LaplaceMechanism

    if neighbors not in ("replace", "add"):
        raise ValueError("neighbors")

    def counts(data):
        return np.bincount(np.asarray(data, dtype=int), minlength=bins)

    return LaplaceMechanism(counts, 1 + (neighbors == "replace"), epsilon)(records, rng)
""",
        "private_histogram_shape",
        "off limits",
    ),
    "any relation": Mutant(
        _noisy(scale="(1 + (neighbors == 'replace')) / epsilon", check="not epsilon > 0"),
        "private_histogram_input",
        "neighbors is 'replace' or 'add'.",
    ),
    "any epsilon": Mutant(
        _noisy(
            "scale * rng.laplace(size=bins)",
            scale="{'replace': 2, 'add': 1}[neighbors] / np.float64(epsilon)",
            check="neighbors not in ('replace', 'add')",
        ),
        "private_histogram_input",
        "epsilon must be above 0.",
    ),
    "the same noise again after 16,384 bins": Mutant(
        _noisy("np.resize(rng.laplace(scale=scale, size=min(bins, 2**14)), bins)"),
        "private_histogram_law",
        "is not its true value plus the noise drawn for it",
    ),
    "two bins share the noise that squares of normal numbers make": Mutant(
        _noisy(
            "np.repeat([scale / 2, -scale / 2] @ (rng.normal(size=(2, 2, bins)) ** 2).sum(axis=1)"
            ".reshape(2, -1)[:, : (bins + 1) // 2], 2)[:bins]",
        ),
        "private_histogram_law",
        "counts share their noise",
    ),
    "counts up to 15,000": Mutant(
        _noisy(result="np.minimum(counts, 15_000) + noise"),
        "private_histogram_shape",
        "a noisy count is far from its count",
    ),
    "half the noise for up to ten bins": Mutant(
        _noisy(f"{_SIGNED} * (0.5 if bins <= 10 else 1)"),
        "private_histogram_law",
        "bins = 1: the noise is 0.",
    ),
    "an exponential with a sign, three percent smaller": Mutant(
        _noisy(_SIGNED.replace("scale", "scale / 1.03")),
        "private_histogram_law",
        "bins = 20000: the noise is 0.97",
    ),
    "one sign for two bins of many": Mutant(
        _noisy(
            "rng.exponential(scale, bins) * rng.choice([-1.0, 1.0], bins)"
            "[np.arange(bins) // (1 + (bins > 100))]"
        ),
        "private_histogram_law",
        "the signs of noise go together",
    ),
}

ANSWERS = Answers("private_histogram", RIGHT, MUTANTS)
