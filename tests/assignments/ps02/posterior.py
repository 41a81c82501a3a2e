"""Answers to `surname_geography_posterior`. The mistakes: wrong shares, and what noise brings."""

from autograder.rehearsal.catalogue import Answers, Mutant

CLIPPED = "b, s = np.maximum(block_counts, 0), np.maximum(surname_counts, 0)"
SHARE = "s[surname] / np.maximum(s.sum(axis=0), 1)"
UNIFORM = """
    if weight.sum() == 0:
        return np.ones(len(weight)) / len(weight)"""


def _posterior(
    weight: str = f"b[block] * {SHARE}", clipped: str = CLIPPED, uniform: str = UNIFORM
) -> str:
    """The text of the function with this weight in b and s."""
    return f"""
def surname_geography_posterior(block_counts, surname_counts, block, surname):
    {clipped}
    weight = {weight}{uniform}
    return weight / weight.sum()
"""


RIGHT = {
    "counts of the block are enough": _posterior(),
    "shares in the block": """
def surname_geography_posterior(block_counts, surname_counts, block, surname):
    lives = np.clip(block_counts[block], 0, None).astype(float)
    bears = np.clip(surname_counts, 0, None).astype(float)
    groups = len(lives)
    if lives.sum() > 0:
        lives /= lives.sum()
    totals = bears.sum(axis=0)
    share = np.divide(bears[surname], totals, out=np.zeros(groups), where=totals > 0)
    product = lives * share
    return product / product.sum() if product.any() else np.full(groups, 1 / groups)
""",
    "a loop over groups": """
def surname_geography_posterior(block_counts, surname_counts, block, surname):
    weights = []
    for g in range(len(block_counts[0])):
        named = [max(0, row[g]) for row in surname_counts]
        share = named[surname] / sum(named) if sum(named) > 0 else 0
        weights.append(max(0, block_counts[block][g]) * share)
    total = sum(weights)
    return [w / total if total > 0 else 1 / len(weights) for w in weights]
""",
    "from the group backwards": """
def surname_geography_posterior(block_counts, surname_counts, block, surname):
    b, s = (np.where(counts > 0, counts, 0) for counts in (block_counts, surname_counts))
    with np.errstate(all="ignore"):
        share = np.nan_to_num(s / s.sum(axis=0))[surname]
    weight = share * b[block]
    return np.full(weight.shape, 1 / weight.size) if weight.max() == 0 else weight / weight.sum()
""",
}

MUTANTS = {
    "the block alone": Mutant(
        _posterior("b[block] * 1.0"), "posterior_example", "it is [0.6, 0.4]"
    ),
    "the surname alone": Mutant(_posterior(SHARE), "posterior_example", "it is [0.2, 0.8]"),
    "the groups of the surname": Mutant(
        _posterior("b[block] * s[surname] / max(1, s[surname].sum())"),
        "posterior_example",
        "the share of the surname in the group",
    ),
    "counts in place of shares": Mutant(
        _posterior("b[block] * s[surname]"),
        "posterior_example",
        "the share of the surname in the group",
    ),
    "the blocks of the group": Mutant(
        _posterior(f"b[block] / np.maximum(b.sum(axis=0), 1) * {SHARE}"),
        "posterior_example",
        "the share of the group in the block",
    ),
    "not normalized": Mutant(
        _posterior().replace("return weight / weight.sum()", "return weight / b[block].sum()"),
        "posterior_example",
        "it is [0.006, 0.016]",
    ),
    "added, not multiplied": Mutant(
        _posterior(f"b[block] / b[block].sum() + {SHARE}"),
        "posterior_example",
        "times the share of the surname",
    ),
    "the likeliest group": Mutant(
        _posterior().replace("return weight / weight.sum()", "return weight.argmax()"),
        "posterior_example",
        "should be an array of shape (2,), it is one number",
    ),
    "always the first block": Mutant(
        _posterior(f"b[0] * {SHARE}"),
        "posterior_bayes",
        "Among all people of this block and surname",
    ),
    "negative counts kept": Mutant(
        _posterior(clipped="b, s = np.asarray(block_counts), np.asarray(surname_counts)"),
        "posterior_noisy",
        "A count below 0 stands for 0",
    ),
    "negative weights cut, sums not": Mutant(
        _posterior(
            "np.maximum(b[block], 0) * np.maximum(s[surname], 0) / np.maximum(s.sum(axis=0), 1)",
            clipped="b, s = np.asarray(block_counts), np.asarray(surname_counts)",
        ),
        "posterior_noisy",
        "in every sum too",
    ),
    "nothing for no group": Mutant(
        _posterior(uniform="\n    if weight.sum() == 0:\n        return weight"),
        "posterior_noisy",
        "if no group is possible, all are alike",
    ),
    "groups without anybody": Mutant(
        _posterior("b[block] * s[surname] / s.sum(axis=0)"),
        "posterior_noisy",
        "it is [nan, nan, nan]",
    ),
    "rounded to four decimals": Mutant(
        _posterior().replace("weight / weight.sum()", "np.round(weight / weight.sum(), 4)"),
        "posterior_example",
        "times the share of the surname",
    ),
    "little weight is none": Mutant(
        _posterior(uniform=UNIFORM.replace("weight.sum() == 0", "weight.sum() < 1e-3")),
        "posterior_bayes",
        "in small towns and in large ones",
    ),
    "one person is added everywhere": Mutant(
        _posterior(clipped="b, s = np.maximum(block_counts, 0) + 1, np.maximum(surname_counts, 1)"),
        "posterior_example",
        "times the share of the surname",
    ),
    "a thousandth is added everywhere": Mutant(
        _posterior("(b[block] + 1e-3) * " + SHARE),
        "posterior_example",
        "times the share of the surname",
    ),
    "two groups": Mutant(
        _posterior("np.where(np.arange(b.shape[1]) < 4, b[block] * " + SHARE + ", 0)"),
        "posterior_bayes",
        "in small towns and in large ones",
    ),
    "no more than a thousand people": Mutant(
        _posterior(clipped="b, s = np.clip(block_counts, 0, 1000), np.maximum(surname_counts, 0)"),
        "posterior_bayes",
        "in small towns and in large ones",
    ),
    "the block's counts as they come": Mutant(
        _posterior(clipped="b, s = np.abs(block_counts), np.maximum(surname_counts, 0)"),
        "posterior_noisy",
        "A count below 0 stands for 0",
    ),
    "possible groups share the rest": Mutant(
        _posterior(
            uniform="\n    if weight.sum() == 0:\n"
            "        return (b[block] > 0) / max(1, (b[block] > 0).sum())"
        ),
        "posterior_noisy",
        "if no group is possible, all are alike",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.inference import Tables


def surname_geography_posterior(block_counts, surname_counts, block, surname):
    return Tables(np.asarray(block_counts), np.asarray(surname_counts)).posterior(block, surname)
""",
        "posterior_example",
        "is off limits in an answer",
    ),
    "a hundred surnames at most": Mutant(
        _posterior(weight="b[block] * s[surname] / np.maximum(s[:100].sum(axis=0), 1)"),
        "posterior_bayes",
        "All rows of the tables count",
    ),
    "counts below a million": Mutant(
        _posterior(
            clipped="b, s = (np.clip(t, 0, 999_000) for t in (block_counts, surname_counts))"
        ),
        "posterior_bayes",
        "should be [",
    ),
    "the surname alone where nobody lives": Mutant(
        _posterior(weight=f"(b[block] if b[block].any() else 1.0) * {SHARE}"),
        "posterior_noisy",
        "no group is possible",
    ),
    "the block alone where nobody bears the name": Mutant(
        _posterior(weight=f"b[block] * ({SHARE} if s[surname].any() else 1.0)"),
        "posterior_noisy",
        "no group is possible",
    ),
    "a sum that is nearly nought": Mutant(
        _posterior(uniform=UNIFORM.replace("weight.sum() == 0", "np.isclose(weight.sum(), 0)")),
        "posterior_noisy",
        "A group is possible where",
    ),
    "a weight of less than a billionth is none": Mutant(
        _posterior(uniform=UNIFORM.replace("weight.sum() == 0", "weight.sum() < 1e-9")),
        "posterior_noisy",
        "A group is possible where",
    ),
    "counts below 0 set to 0 where they are": Mutant(
        _posterior(
            clipped="b, s = np.asarray(block_counts), np.asarray(surname_counts)\n"
            "    b[b < 0], s[s < 0] = 0, 0"
        ),
        "posterior_example",
        "changes what it was given",
    ),
}

ANSWERS = Answers("posterior", RIGHT, MUTANTS)
