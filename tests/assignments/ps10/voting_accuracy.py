"""Answers to `voting_accuracy` and `questions_until`. The mistakes: gamma, ties, large n."""

from autograder.rehearsal.catalogue import Answers, Mutant

_GAMMA = "math.comb(n - 1, (n - 1) // 2) / 2**n"
_SHARE = "binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2"


def _both(
    gamma: str = _GAMMA,
    share: str = _SHARE,
    until: str = "int(ks[np.argmax(enough)])",
    most: str = "10_000",
    enough: str = "shares >= accuracy",
) -> str:
    """Both functions with these parts; `gamma` and `share` are those of the first."""
    return f"""
def voting_accuracy(n, k):
    n = int(n)
    p = 0.5 + {gamma}
    return float({share})


def questions_until(n, accuracy):
    n = int(n)
    p = 0.5 + {_GAMMA}
    ks = np.arange(1, {most})
    shares = binom.sf(ks / 2, ks, p) + binom.pmf(ks / 2, ks, p) / 2
    enough = {enough}
    return {until}
"""


RIGHT = {
    "all k in an array": _both(),
    "logarithms, and a search": """
def voting_accuracy(n, k):
    from scipy.special import gammaln

    half = (n - 1) // 2
    log = gammaln(n) - gammaln(half + 1) - gammaln(n - half) - n * np.log(2)
    p = 0.5 + np.exp(log)
    return (binom.sf(k // 2, k, p) + binom.sf((k - 1) // 2, k, p)) / 2


def questions_until(n, accuracy):
    high = 1
    while voting_accuracy(n, high) < accuracy:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if voting_accuracy(n, middle) < accuracy:
            low = middle
        else:
            high = middle
    return high
""",
    "by the incomplete beta function": """
def voting_accuracy(n, k):
    from scipy.special import betainc

    half = (k + 1) // 2  # an even number of votes is as good as one less
    return float(betainc(half, half, 0.5 + math.comb(n - 1, (n - 1) // 2) / (1 << int(n))))


def questions_until(n, accuracy):
    from scipy.special import betaincinv

    p = 0.5 + math.comb(n - 1, (n - 1) // 2) / (1 << int(n))
    halves = np.arange(1, 10_000)
    return 2 * int(halves[np.argmax(betaincinv(halves, halves, accuracy) <= p)]) - 1
""",
    "gamma as a product, odd numbers only": """
def coin(n):
    ones = np.arange(1, n // 2 + 1)
    p = 0.5 * np.prod(1 - 0.5 / ones)
    return 0.5 + float(p)


def voting_accuracy(n, k):
    k -= k % 2 == 0
    return 1 - binom.cdf(k // 2, k, coin(n))


def questions_until(n, accuracy):
    low, high = -1, 1
    while voting_accuracy(n, high) < accuracy:
        low, high = high, 2 * high + 1
    while high - low > 2:
        middle = low + 2 * ((high - low) // 4)
        if voting_accuracy(n, middle) < accuracy:
            low = middle
        else:
            high = middle
    return high
""",
    "one k after the other": """
def share(p, k):
    return binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p) / 2


def chance(n):
    return 0.5 + math.comb(int(n) - 1, (int(n) - 1) // 2) / 2 ** int(n)


def voting_accuracy(n, k):
    return share(chance(n), k)


def questions_until(n, accuracy):
    p, k = chance(n), 1
    while share(p, k) < accuracy:
        k += 2
    return k
""",
}

_SMALL, _LARGE, _UNTIL = (f"voting_accuracy_{part}" for part in ("small", "large", "until"))
_MORE, _EXACT, _LEAST = "The vote is right where", "Exactly, not by", "The least k"

MUTANTS = {
    "ties are wrong": Mutant(_both(share="binom.sf(k / 2, k, p)"), _SMALL, _MORE),
    "ties are right": Mutant(
        _both(share="binom.sf(k / 2, k, p) + binom.pmf(k / 2, k, p)"), _SMALL, _MORE
    ),
    "half of them is enough": Mutant(_both(share="binom.sf((k - 1) // 2, k, p)"), _SMALL, _MORE),
    "gamma of n": Mutant(_both(gamma="math.comb(n, n // 2) / 2**n"), _SMALL, _MORE),
    "gamma twice": Mutant(
        _both(gamma="min(0.5, 2 * math.comb(n - 1, (n - 1) // 2) / 2**n)"), _SMALL, _MORE
    ),
    "a third of n": Mutant(_both(gamma="math.comb(n - 1, (n - 1) // 3) / 2**n"), _SMALL, _MORE),
    "the gain": Mutant(_both(share=f"{_SHARE} - 0.5"), _SMALL, _MORE),
    "wrong votes": Mutant(_both(share="binom.cdf(k / 2, k, p)"), _SMALL, _MORE),
    "Stirling's gamma": Mutant(
        _both(gamma="min(0.5, 1 / math.sqrt(2 * math.pi * n))"), _SMALL, _MORE
    ),
    "one vote": Mutant(_both(share="p"), _SMALL, _MORE),
    "Stirling's gamma for large n": Mutant(
        _both(gamma=f"({_GAMMA} if n < 100 else 1 / math.sqrt(2 * math.pi * n))"), _LARGE, _EXACT
    ),
    "the normal law": Mutant(
        _both(
            share=f"({_SHARE}) if k < 50 else 0.5 + math.erf(2 * (p - 0.5) * math.sqrt(k / 2)) / 2"
        ),
        _LARGE,
        _EXACT,
    ),
    "the root": Mutant(
        _both(share=f"({_SHARE}) if n * k < 500 else 0.5 + math.sqrt(k / n) / math.pi"),
        _LARGE,
        _EXACT,
    ),
    "a float too large": Mutant(
        _both(gamma="math.comb(n - 1, (n - 1) // 2) / 2.0**n"), _LARGE, "raised OverflowError"
    ),
    "a float too small": Mutant(
        _both(gamma="0.5**n * float(min(math.comb(n - 1, (n - 1) // 2), 10**300))"),
        _LARGE,
        _EXACT,
    ),
    "numpy's power of two": Mutant(
        _both().replace("    n = int(n)\n", "", 1), _LARGE, "whose 2**64 is 0"
    ),
    "a thousand votes": Mutant(_both(share=_SHARE.replace("k", "min(k, 1001)")), _LARGE, _EXACT),
    "one before": Mutant(_both(until="max(1, int(ks[np.argmax(enough)]) - 1)"), _UNTIL, _LEAST),
    "one after": Mutant(_both(until="int(ks[np.argmax(enough)]) + 1"), _UNTIL, _LEAST),
    "how many are not enough": Mutant(_both(until="int(np.argmax(enough))"), _UNTIL, _LEAST),
    "a thousand at most": Mutant(_both(most="1000"), _UNTIL, _LEAST),
    "the gain for the accuracy": Mutant(_both(enough="shares - 0.5 >= accuracy"), _UNTIL, _LEAST),
    "numpy's power of two until": Mutant(
        _both("math.comb(n - 1, (n - 1) // 2) / 2 ** int(n)").replace("    n = int(n)\n", ""),
        _UNTIL,
        "whose 2**64 is 0",
    ),
    "a millionth more": Mutant(_both(enough="shares >= accuracy + 1e-6"), _UNTIL, _LEAST),
    "nearly enough": Mutant(_both(enough="shares >= accuracy - 1e-6"), _UNTIL, _LEAST),
    "by the root": Mutant(
        _both(until="max(1, math.ceil(n * (math.pi * (accuracy - 0.5)) ** 2))"), _UNTIL, _LEAST
    ),
    "by the normal law": Mutant(
        _both(
            until="max(1, math.ceil((float(np.sqrt(2)) * __import__('scipy.special').special"
            ".erfinv(2 * accuracy - 1) / (2 * (p - 0.5))) ** 2))"
        ),
        _UNTIL,
        _LEAST,
    ),
    "doubled, and no more": Mutant(
        _both(until="next(2**i for i in range(15) if enough[2**i - 1])"), _UNTIL, _LEAST
    ),
    "dplab's": Mutant(
        _both().replace(
            "    p = 0.5 + math",
            "    from dplab.theorems.adaptive_gain import adaptive_gain\n\n"
            "    return 0.5 + float(adaptive_gain(k, n).voting)\n    p = 0.5 + math",
            1,
        ),
        _SMALL,
        "off limits",
    ),
}

ANSWERS = Answers("voting_accuracy", RIGHT, MUTANTS)
