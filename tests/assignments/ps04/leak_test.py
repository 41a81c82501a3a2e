"""Answers to `leak_test`. The mistakes: guesses, another grid, a replay that is not numpy's."""

from autograder.rehearsal.catalogue import Answers, Mutant

_REPLAY = """
def replay(k, count):
    u = k * 2.0**-53
    return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - u - u)
"""
_POSSIBLE = """
def possible(y, count, reach=8):
    t = y - count
    u = math.exp(t) / 2 if t < 0 else 1 - math.exp(-t) / 2
    k = round(u * 2**53)
    around = range(max(1, k - reach), min(2**53 - 1, k + reach) + 1)
    return any(replay(near, count) == y for near in around)
"""
_VERDICTS = """
def leak_test(outputs):
    verdicts = []
    for y in outputs:
        zero, one = possible(float(y), 0.0), possible(float(y), 1.0)
        if zero and not one:
            verdicts.append(0)
        elif one and not zero:
            verdicts.append(1)
        else:
            verdicts.append(-1)
    return np.array(verdicts)
"""


def _parts(replay: str = _REPLAY, possible: str = _POSSIBLE, verdicts: str = _VERDICTS) -> str:
    """The right answer with some of its three functions exchanged."""
    return "\n".join([replay, possible, verdicts])


def _judged_before(condition: str, verdict: str) -> str:
    """The verdicts, where outputs y that meet a condition are given one without a replay."""
    shortcut = (
        f"        if {condition}:\n            verdicts.append({verdict})\n            continue\n"
    )
    return _VERDICTS.replace("        zero, one", f"{shortcut}        zero, one")


def _formula(formula: str) -> str:
    """A test that looks at all outputs y by one formula."""
    return f"""
def leak_test(outputs):
    y = np.asarray(outputs)
    return {formula}
"""


RIGHT = {
    "three functions": _parts(),
    "a bisection": """
def leak_test(outputs):
    def first_at_least(y, count):
        low, high = 1, 2**53 - 1
        while low < high:
            middle = (low + high) // 2
            if replay(middle, count) < y:
                low = middle + 1
            else:
                high = middle
        return low

    def replay(k, count):
        u = k * 2.0**-53
        return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - u - u)

    result = np.full(len(outputs), -1)
    for i, y in enumerate(outputs):
        fits = [replay(first_at_least(y, count), count) == y for count in (0, 1)]
        if not all(fits):
            result[i] = fits.index(True)
    return result
""",
    "arrays of candidates": """
log = np.vectorize(math.log, otypes=[float])


def possible(y, count):
    t = y - count
    u = np.where(t < 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2)
    k = np.rint(u * 2.0**53)[:, None] + np.arange(-8, 9)
    u = np.clip(k, 1, 2**53 - 1) * 2.0**-53
    low = u < 0.5
    noise = log(np.where(low, u + u, 2.0 - u - u))
    return (count + np.where(low, noise, -noise) == y[:, None]).any(axis=1)


def leak_test(outputs):
    y = np.asarray(outputs, dtype=float)
    return np.where(possible(y, 1.0), np.where(possible(y, 0.0), -1, 1), 0)
""",
    "one line first": _parts(
        verdicts="""
def leak_test(outputs):
    def judge(y):
        if y * 2.0**53 % 1 != 0 or not possible(y, 1.0):
            return 0
        return -1 if possible(y, 0.0) else 1

    return [judge(y) for y in np.array(outputs).tolist()]
"""
    ),
}

MUTANTS = {
    "never sure": Mutant(
        _formula("np.full(len(y), -1)"), "leak_test_low_bits", "recognises 0.0% of 700 outputs"
    ),
    "the nearer count": Mutant(
        _formula("np.where(y < 0.5, 0, 1)"), "leak_test_low_bits", "When in doubt, say -1"
    ),
    "always the same": Mutant(
        _formula("np.zeros(len(y), dtype=int)"),
        "leak_test_low_bits",
        "the number of outputs of count 1 of which leak_test says 0 should be 0",
    ),
    "a guess where the line is silent": Mutant(
        _formula("np.where(y * 2.0**53 % 1 != 0, 0, 1)"),
        "leak_test_low_bits",
        "the number of outputs of count 0 of which leak_test says 1",
    ),
    "one line and no more": Mutant(
        _formula("np.where(y * 2.0**53 % 1 != 0, 0, -1)"),
        "leak_test_inversion",
        "outputs of count 0, not 50%",
    ),
    "a grid too coarse": Mutant(
        _formula("np.where(y * 2.0**52 % 1 != 0, 0, -1)"),
        "leak_test_low_bits",
        "of which leak_test says 0 should be 0",
    ),
    "a grid too fine": Mutant(
        _formula("np.where(y * 2.0**56 % 1 != 0, 0, -1)"),
        "leak_test_low_bits",
        "finer than 2^-53",
    ),
    "the line read the wrong way": Mutant(
        _formula("np.where(y * 2.0**53 % 1 != 0, 1, -1)"),
        "leak_test_low_bits",
        "When in doubt, say -1",
    ),
    "no whole number near k is tried": Mutant(
        _parts(possible=_POSSIBLE.replace("reach=8", "reach=0")),
        "leak_test_low_bits",
        "of which leak_test says",
    ),
    "a replay on the lower half only": Mutant(
        _parts(
            replay="""
def replay(k, count):
    u = k * 2.0**-53
    return count + math.log(u + u) if u < 0.5 else count - math.log(2.0 - 2.0 * u)
"""
        ),
        "leak_test_low_bits",
        "of which leak_test says",
    ),
    "equal up to rounding": Mutant(
        _parts(
            possible=_POSSIBLE.replace(
                "replay(near, count) == y", "abs(replay(near, count) - y) < 1e-15"
            )
        ),
        "leak_test_low_bits",
        "leak_test recognises",
    ),
    "the counts swapped": Mutant(
        _parts(
            verdicts=_VERDICTS.replace("append(0)", "append(2)")
            .replace("append(1)", "append(0)")
            .replace("append(2)", "append(1)")
        ),
        "leak_test_inversion",
        "When in doubt, say -1",
    ),
    "the majority decides": Mutant(
        _parts(
            verdicts=_VERDICTS.replace(
                "    return np.array(verdicts)",
                "    sure = [v for v in verdicts if v >= 0]\n"
                "    common = max(set(sure), key=sure.count) if sure else -1\n"
                "    return np.array([common if v < 0 else v for v in verdicts])",
            )
        ),
        "leak_test_each",
        "Judge each by itself",
    ),
    "sorted first": Mutant(
        _parts(verdicts=_VERDICTS.replace("in outputs:", "in sorted(outputs):")),
        "leak_test_each",
        "Judge each by itself",
    ),
    "True and False": Mutant(
        _formula("['leak' if v else 'none' for v in y * 2.0**53 % 1 != 0]"),
        "leak_test_low_bits",
        "should be numbers",
    ),
    "a guess far out": Mutant(
        _parts(verdicts=_judged_before("abs(y - 0.5) > 9", "int(y > 0.5)")),
        "leak_test_low_bits",
        "the number of",
    ),
    "a guess where both counts can give it": Mutant(
        _parts(verdicts=_VERDICTS.replace("append(-1)", "append(0 if -2 < y < -1 else -1)")),
        "leak_test_low_bits",
        "leak_test says 0",
    ),
    "sure of nothing but 0": Mutant(
        _parts(verdicts=_judged_before("y == 0.0", "0")),
        "leak_test_low_bits",
        "the number of verdicts that are not proven",
    ),
    "the ends of k forgotten": Mutant(
        _parts(
            possible=_POSSIBLE.replace(
                "    around", "    if not 9 < k < 2**53 - 9:\n        return count == 0\n    around"
            )
        ),
        "leak_test_low_bits",
        "Say 0 only where count 1 cannot give the output",
    ),
    "the first five hundred": Mutant(
        _parts(
            verdicts=_VERDICTS.replace("in outputs:", "in outputs[:500]:").replace(
                "array(verdicts)", "array(verdicts + [0] * (len(outputs) - len(verdicts)))"
            )
        ),
        "leak_test_low_bits",
        "the number of verdicts that are not proven",
    ),
    "guesses for many outputs": Mutant(
        _parts(verdicts=_judged_before("len(outputs) > 800 and y > 2", "1")),
        "leak_test_low_bits",
        "the number of verdicts that are not proven",
    ),
    "duplicates taken for a sign": Mutant(
        _parts(verdicts=_judged_before("list(outputs).count(y) > 1", "0")),
        "leak_test_low_bits",
        "the number of verdicts that are not proven",
    ),
    "remembered by three digits": Mutant(
        "_known = {}\n"
        + _parts(
            verdicts=_judged_before(
                "round(float(y), 3) in _known", "_known[round(float(y), 3)]"
            ).replace(
                "    return",
                "    _known.update(zip(np.round(outputs, 3).tolist(), verdicts))\n    return",
            )
        ),
        "leak_test_low_bits",
        "of which leak_test says",
    ),
    "dplab's own": Mutant(
        """
from dplab import Laplace
from dplab.attacks.floating_point import impossible


def leak_test(outputs):
    zero, one = (~impossible(Laplace(count, 1.0), outputs) for count in (0.0, 1.0))
    return np.where(zero & one, -1, np.where(one, 1, 0))
""",
        "leak_test_low_bits",
        "is off limits in an answer",
    ),
}

ANSWERS = Answers("leak_test", RIGHT, MUTANTS)
