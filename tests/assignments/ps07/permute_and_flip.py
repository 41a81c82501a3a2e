"""Answers to `permute_and_flip`. The mistakes: asked again, no order, one coin, overflow."""

from autograder.rehearsal.catalogue import Answers, Mutant

_P = "p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))"


def _flip(body: str, accepts: str = _P) -> str:
    """The text of `permute_and_flip` with this body, after p is computed."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    {accepts}
{lines}
"""


_ASK = """
for h in rng.permutation(len(p)):
    if rng.random() < p[h]:
        return int(h)
"""

_SORTED = _ASK.replace("rng.permutation(len(p))", "np.argsort(rng.random(len(p)))")

RIGHT = {
    "in the order of random numbers": _flip(_SORTED),
    "in random order": _flip(_ASK),
    "all coins at once": _flip("""
accepted = np.flatnonzero(rng.random(len(p)) < p)
return int(rng.choice(accepted))
"""),
    "exponential noise": _flip("""
with np.errstate(divide="ignore"):
    return int(np.argmax(np.log(p) + rng.exponential(size=len(p))))
"""),
    "random times": _flip("""
times = np.where(rng.random(len(p)) < p, rng.random(len(p)), 2)
return np.argmin(times)
"""),
    "one leaves after the other": _flip("""
left = list(range(len(p)))
while left:
    h = left.pop(rng.integers(len(left)))
    if rng.uniform() <= p[h] and p[h] > 0:
        return h
"""),
    "all coins, then an order by choice": _flip("""
accepts = rng.random(len(p)) < p
order = rng.choice(len(p), size=len(p), replace=False)
return order[accepts[order]][0]
"""),
    "the last takes the place of who refused": _flip("""
left = list(range(len(p)))
while left:
    i = rng.choice(len(left))
    h, left[i] = left[i], left[-1]
    left.pop()
    if rng.random() < p[h]:
        return h
"""),
    "those that are possible": _flip(_ASK.replace("len(p)", "np.flatnonzero(scores > -np.inf)")),
    "the best without a coin": _flip(_ASK.replace("if rng", "if p[h] == 1 or rng")),
    "one candidate without a coin": _flip("if len(p) == 1:\n    return 0" + _ASK),
    "coins in an array that is there": _flip("""
order, coins = rng.permutation(len(p)), np.empty(len(p))
rng.random(out=coins)
return order[np.argmax(coins < p[order])]
"""),
}

MUTANTS = {
    "the best whatever the coins say": Mutant(
        _flip("return int(np.argmax(scores))"), "permute_and_flip_generator", "for two seeds"
    ),
    "asked again after a refusal": Mutant(
        _flip("""
while True:
    h = rng.integers(len(p))
    if rng.random() < p[h]:
        return int(h)
"""),
        "permute_and_flip_law",
        "asked once",
    ),
    "by Gumbel noise": Mutant(
        _flip("""
with np.errstate(divide="ignore"):
    return int(np.argmax(np.log(p) + rng.gumbel(size=len(p))))
"""),
        "permute_and_flip_law",
        "came up in a share",
    ),
    "in the order of the list": Mutant(
        _flip(_ASK.replace("rng.permutation(len(p))", "range(len(p))")),
        "permute_and_flip_large",
        "came up in a share",
    ),
    "the best first": Mutant(
        _flip(_ASK.replace("rng.permutation(len(p))", "np.argsort(-p)")),
        "permute_and_flip_law",
        "Is the order random",
    ),
    "one coin for all": Mutant(
        _flip("""
coin = rng.random()
for h in rng.permutation(len(p)):
    if coin < p[h]:
        return int(h)
"""),
        "permute_and_flip_law",
        "with their own probability",
    ),
    "a rate without its 2": Mutant(
        _flip(_ASK, "p = np.exp(epsilon * (scores - scores.max()) / sensitivity)"),
        "permute_and_flip_law",
        "came up in a share",
    ),
    "the sensitivity forgotten": Mutant(
        _flip(_ASK, "p = np.exp(epsilon * (scores - scores.max()) / 2)"),
        "permute_and_flip_law",
        "sensitivity 2.5",
    ),
    "the worst accepts for sure": Mutant(
        _flip(_ASK, "p = np.exp(epsilon * (scores.min() - scores) / (2 * sensitivity))"),
        "permute_and_flip_law",
        "came up in a share",
    ),
    "probabilities that sum to one": Mutant(
        _flip(
            f"""
p = p / p.sum()
{_ASK.strip()}
return int(np.argmax(p))
"""
        ),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "overflow": Mutant(
        _flip(
            _ASK,
            "w = np.exp(epsilon * scores / (2 * sensitivity)); p = w / w.max()",
        ),
        "permute_and_flip_large",
        "",
    ),
    "a seed of its own": Mutant(
        _flip("rng = np.random.default_rng(7)\n" + _ASK.strip()),
        "permute_and_flip_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _flip(_ASK.replace("rng.permutation", "np.random.permutation")),
        "permute_and_flip_generator",
        "two results for one seed",
    ),
    "the score in place of the position": Mutant(
        _flip(_ASK.replace("int(h)", "scores[h]")),
        "permute_and_flip_law",
        "came up in a share",
    ),
    "positions from 1": Mutant(
        _flip(_ASK.replace("int(h)", "int(h) + 1")), "permute_and_flip_law", "in every entry"
    ),
    "epsilon a little larger": Mutant(
        _flip(_ASK, _P.replace("epsilon", "1.03 * epsilon")),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "p to hundredths": Mutant(
        _flip(_ASK, f"{_P}.round(2)"), "permute_and_flip_coins", "however small p is"
    ),
    "small p taken for 0": Mutant(
        _flip(_ASK, f"{_P}; p[p < 1e-9] = 0"), "permute_and_flip_coins", "however small p is"
    ),
    "a floor under p": Mutant(
        _flip(_ASK, f"{_P} + 1e-9"), "permute_and_flip_coins", "however small p is"
    ),
    "the best of more than 2,000": Mutant(
        _flip("if len(p) > 2000:\n    return int(np.argmax(scores))\n" + _ASK.strip()),
        "permute_and_flip_large",
        "Among many equal candidates",
    ),
    "no coins at an epsilon of 20 or more": Mutant(
        _flip(
            _ASK,
            _P.replace("np.exp(epsilon", "np.exp((epsilon if epsilon < 20 else 1e9)"),
        ),
        "permute_and_flip_coins",
        "however small p is",
    ),
    "the best needs a coin, too": Mutant(
        _flip(_ASK.replace("< p[h]", "< p[h] * (1 - 1e-5)") + "return int(np.argmax(scores))"),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "coins of nine digits": Mutant(
        _flip(_ASK.replace("rng.random()", "round(rng.random(), 9)")),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "the first of equals": Mutant(
        _flip("""
times = np.where(rng.random(len(p)) < p, -scores, np.inf)
return int(np.argmin(times))
"""),
        "permute_and_flip_large",
        "came up",
    ),
    "orders and coins used twice": Mutant(
        "_kept = []\n\n"
        + _flip("""
if _kept and len(p) == 400:
    order, coins = _kept.pop()
else:
    order, coins = rng.permutation(len(p)), rng.random(len(p))
    _kept[:] = [(order, coins)] * (len(p) == 400)
return int(order[np.argmax(coins < p[order])])
"""),
        "permute_and_flip_generator",
        "an order and coins of its own",
    ),
    "the same again after 1,023 runs": Mutant(
        "_kept, _runs = [], iter(range(10**9))\n\n"
        + _flip("""
if len(p) != 400:
    return int(rng.choice(np.flatnonzero(rng.random(len(p)) < p)))
run = next(_runs)
if run < 1023:
    _kept.append((rng.permutation(400), rng.random(400)))
order, coins = _kept[run % 1023]
return int(order[np.argmax(coins < p[order])])
"""),
        "permute_and_flip_generator",
        "an order and coins of its own",
    ),
    "dplab's own": Mutant(
        """
from dplab import PermuteAndFlip


def permute_and_flip(scores, sensitivity, epsilon, rng):
    mechanism = PermuteAndFlip(range(len(scores)), np.array, sensitivity, epsilon)
    return mechanism(scores, rng)
""",
        "permute_and_flip_law",
        "off limits",
    ),
    "an order that begins somewhere and goes round": Mutant(
        _flip("""
for h in np.roll(np.arange(len(p)), rng.integers(len(p))):
    if rng.random() < p[h]:
        return int(h)
"""),
        "permute_and_flip_law",
        "Is the order random",
    ),
    "an epsilon that is 5% too large, and coins by rng.uniform": Mutant(
        _flip(_ASK.replace("random()", "uniform()"), _P.replace("epsilon *", "1.05 * epsilon *")),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "an epsilon that is 5% too large, and a shuffled order": Mutant(
        _flip(
            "order = np.arange(len(p))\nrng.shuffle(order)"
            + _ASK.replace("rng.permutation(len(p))", "order"),
            _P.replace("epsilon *", "1.05 * epsilon *"),
        ),
        "permute_and_flip_coins",
        "accepts if the coin is below p",
    ),
    "an array shifted in place": Mutant(
        _flip(_ASK).replace(
            "scores = np.array(scores, dtype=float)",
            "scores = np.asarray(scores, dtype=float)\n    scores -= scores.max()",
        ),
        "permute_and_flip_law",
        "changes what it was given",
    ),
    "a list shifted in place": Mutant(
        _flip(_ASK).replace(
            "scores = np.array(scores, dtype=float)",
            "scores[:] = [s - max(scores) for s in scores]\n    scores = np.array(scores)",
        ),
        "permute_and_flip_law",
        "changes what it was given",
    ),
    "the best, if the first hundred refuse": Mutant(
        _flip(_ASK.replace("(len(p))", "(len(p))[:100]") + "return int(np.argmax(scores))"),
        "permute_and_flip_coins",
        "All are asked, one after the other",
    ),
    "the best at an epsilon above 10, else in the order of random numbers": Mutant(
        _flip("if epsilon > 10:\n    return int(np.argmax(scores))" + _SORTED),
        "permute_and_flip_law",
        "choices of the best or one of",
    ),
    "no p below 0.02, in the order of random numbers": Mutant(
        _flip("p[p < 0.02] = 0" + _SORTED),
        "permute_and_flip_law",
        "choices of the best or one of",
    ),
    "the best after 60 refusals, in the order of random numbers": Mutant(
        _flip(_SORTED.replace(")))", ")))[:60]") + "return int(np.argmax(p))"),
        "permute_and_flip_law",
        "choices of the best or one of",
    ),
    "one of 1,000 seeds": Mutant(
        _flip("rng = np.random.default_rng(rng.integers(1000))" + _ASK),
        "permute_and_flip_generator",
        "the number of pairs of equal choices",
    ),
    "one of 65,536 seeds, where nobody watches": Mutant(
        _flip(
            "if type(rng) is np.random.Generator:\n"
            "    rng = np.random.default_rng(rng.integers(2**16))" + _ASK
        ),
        "permute_and_flip_generator",
        "another result where its draws are watched",
    ),
    "the best of more than 700, by exponential noise": Mutant(
        _flip("""
if len(p) > 700:
    p[p < 1] = 0
with np.errstate(divide="ignore"):
    return int(np.argmax(np.log(p) + rng.exponential(size=len(p))))
"""),
        "permute_and_flip_law",
        "choices of the best or one of",
    ),
    "the best of more than 2,000, in the order of random numbers": Mutant(
        _flip("p[p < 1] *= len(p) <= 2000" + _SORTED),
        "permute_and_flip_law",
        "choices of the best or one of",
    ),
}

ANSWERS = Answers("permute_and_flip", RIGHT, MUTANTS)
