"""Answers to `respond`. The mistakes: no noise, noise shared, seeded or of the wrong size."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = """
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")"""


def _checked(body: str) -> str:
    """The text of `respond` with a right check of its input and this body."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    return f"def respond(truths, epsilon, rng):{_CHECK}\n{lines}\n"


def _coins(numbers: str, first: str = "") -> str:
    """The text of `respond` that lies where these numbers, made of u, are below `lie`.

    `first` comes after the check, when `lie` is known and u has been drawn.
    """
    return _checked(f"""
lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
{first}
lies = (({numbers}) < lie).reshape(truths.shape)
return np.where(lies, 1 - truths, truths)
""")


RIGHT = {
    "one number each, compared": _checked("""
truth = np.exp(epsilon) / (1 + np.exp(epsilon))
return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
"""),
    "a child of the generator": _checked("""
lies = rng.spawn(1)[0].random(truths.shape) < 1 / (1 + np.exp(epsilon))
return np.where(lies, 1 - truths, truths)
"""),
    "a loop over people": """
def respond(truths, epsilon, rng):
    if epsilon < 0:
        raise ValueError("epsilon must not be negative")
    lie = 1 / (1 + math.exp(epsilon))
    answers = []
    for truth in np.ravel(truths):
        if truth not in (0, 1):
            raise ValueError(f"{truth} is no truth")
        if rng.random() < lie:
            answers.append(1 - truth)
        else:
            answers.append(truth)
    return np.array(answers).reshape(np.shape(truths))
""",
    "coins and exclusive or": """
def respond(truths, epsilon, rng):
    truths = np.array(truths)
    if not (set(truths.flat) <= {0, 1}) or not epsilon >= 0:
        raise ValueError("bad input")
    coins = rng.binomial(1, 1 / (1 + np.exp(epsilon)), size=truths.shape)
    return truths.astype(int) ^ coins
""",
    "chosen from a law": _checked("""
p = 1 / (1 + np.exp(-epsilon))
keeps = rng.choice([True, False], size=truths.shape, p=[p, 1 - p])
answers = truths.copy()
answers[~keeps] = 1 - answers[~keeps]
return answers
"""),
    "another law for each truth": _checked("""
lie = 1 / (1 + np.exp(epsilon))
return (rng.uniform(size=truths.shape) < np.where(truths == 1, 1 - lie, lie)).astype(float)
"""),
    "two coins": _checked("""
honest = rng.random(truths.shape) < np.tanh(epsilon / 2)
return np.where(honest, truths, rng.integers(2, size=truths.shape))
"""),
    "those with truth 1 first": _checked("""
lie, answers = 1 / (1 + np.exp(epsilon)), truths.copy()
for truth in (1, 0):
    who = truths == truth
    answers[who] = np.abs(truth - (rng.random(who.sum()) < lie))
return answers
"""),
    "waits between lies": _checked("""
lie, answers = 1 / (1 + np.exp(epsilon)), truths.ravel().copy()
place = rng.geometric(lie) - 1
while place < answers.size:
    answers[place] = 1 - answers[place]
    place += rng.geometric(lie)
return answers.reshape(truths.shape)
"""),
    "no wait for a lie": _checked("""
lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
return np.where(lies, 1 - truths, truths)
"""),
    "two answers race": _checked("""
truth, lie = rng.gumbel(size=(2, *truths.shape))
return np.where(truth + epsilon > lie, truths, 1 - truths)
"""),
}

MUTANTS = {
    "no noise": Mutant(
        _checked("return truths.copy()"), "respond_privacy", "prove a privacy loss of at least"
    ),
    "a probability without its denominator": Mutant(
        _checked("return np.where(rng.random(truths.shape) < np.exp(epsilon), truths, 1 - truths)"),
        "respond_privacy",
        "the promise is 1",
    ),
    "epsilon spent twice": Mutant(
        _checked("""
truth = np.exp(2 * epsilon) / (1 + np.exp(2 * epsilon))
return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
"""),
        "respond_privacy",
        "prove a privacy loss of at least",
    ),
    "one coin for everybody": Mutant(
        _checked("""
truth = np.exp(epsilon) / (1 + np.exp(epsilon))
return truths.copy() if rng.random() < truth else 1 - truths
"""),
        "respond_privacy",
        "three together",
    ),
    "one coin a row": Mutant(
        _checked("""
coins = rng.random(truths.shape[:1]).reshape(-1, *[1] * (truths.ndim - 1))
return np.where(coins < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_independence",
        "coin of their own",
    ),
    "one coin a column": Mutant(
        _checked("""
lies = rng.random(truths.shape[-1]) < 1 / (1 + np.exp(epsilon))
return np.where(lies, 1 - truths, truths)
"""),
        "respond_law",
        "came up in a share",
    ),
    "one coin for two people": Mutant(
        _coins("np.repeat(rng.random((len(u) + 1) // 2), 2)[: len(u)]"),
        "respond_privacy",
        "three together",
    ),
    "one coin a column of a wide table": Mutant(
        _checked("""
wide = truths.ndim == 2 and truths.shape[1] > 3
lies = rng.random(truths.shape[1:] if wide else truths.shape) < 1 / (1 + np.exp(epsilon))
return np.where(lies, 1 - truths, truths)
"""),
        "respond_independence",
        "coin of their own",
    ),
    "the same coins for each sheet of a cube": Mutant(
        _checked("""
lies = rng.random(truths.shape[-2:]) < 1 / (1 + np.exp(epsilon))
return np.where(lies, 1 - truths, truths)
"""),
        "respond_independence",
        "coin of their own",
    ),
    "only a truth of 1 is ever hidden": Mutant(
        _checked("""
lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
return np.where(lies & (truths == 1), 0, truths)
"""),
        "respond_privacy",
        "can hardly give",
    ),
    "tails say yes": Mutant(
        _checked("""
heads = rng.random(truths.shape) < np.exp(epsilon) / (1 + np.exp(epsilon))
return np.where(heads, truths, 1)
"""),
        "respond_privacy",
        "can hardly give",
    ),
    "truth and lie swapped": Mutant(
        _checked("""
truth = np.exp(epsilon) / (1 + np.exp(epsilon))
return np.where(rng.random(truths.shape) < truth, 1 - truths, truths)
"""),
        "respond_law",
        "came up in a share 0.2",
    ),
    "the sign of epsilon": Mutant(
        _checked("""
truth = 1 / (1 + np.exp(epsilon))
return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
"""),
        "respond_law",
        "belongs to the truth",
    ),
    "a lie with probability e^-epsilon": Mutant(
        _checked("""
return np.where(rng.random(truths.shape) < np.exp(-epsilon), 1 - truths, truths)
"""),
        "respond_law",
        "expected 0.",
    ),
    "half of epsilon": Mutant(
        _checked("""
truth = np.exp(epsilon / 2) / (1 + np.exp(epsilon / 2))
return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
"""),
        "respond_law",
        "expected 0.",
    ),
    "a fair coin where a lie was due": Mutant(
        _checked("""
lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
return np.where(lies, rng.integers(2, size=truths.shape), truths)
"""),
        "respond_law",
        "expected 0.",
    ),
    "a probability rounded to one digit": Mutant(
        _checked("""
truth = round(float(np.exp(epsilon) / (1 + np.exp(epsilon))), 1)
return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
"""),
        "respond_law",
        "came up in a share 0.",
    ),
    "epsilon fixed at log(3)": Mutant(
        _checked("return np.where(rng.random(truths.shape) < 0.75, truths, 1 - truths)"),
        "respond_exact",
        "expected 0.",
    ),
    "the lies in place of the answers": Mutant(
        _checked("return rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))"),
        "respond_law",
        "whose truth is 1",
    ),
    "just the expected number of lies": Mutant(
        _checked("""
answers = truths.ravel().copy()
liars = rng.permutation(answers.size)[: round(answers.size / (1 + np.exp(epsilon)))]
answers[liars] = 1 - answers[liars]
return answers.reshape(truths.shape)
"""),
        "respond_independence",
        "asked 120 times",
    ),
    "just the expected number of lies in large surveys": Mutant(
        _checked("""
u = rng.permutation((np.arange(truths.size) + 0.5) / truths.size)
u = u if truths.size > 1000 else rng.random(truths.size)
return np.where(u.reshape(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_independence",
        "fixed beforehand",
    ),
    "truths changed in place": Mutant(
        _checked("""
lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
truths[lies] = 1 - truths[lies]
return truths
"""),
        "respond_independence",
        "does `truths` stay as it is?",
    ),
    "a seed of its own": Mutant(
        _checked("""
rng = np.random.default_rng(0)
return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _checked("""
return np.where(np.random.rand(*truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_generator",
        "two results for one seed",
    ),
    "a new generator each time": Mutant(
        _checked("""
rng = np.random.default_rng()
return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_generator",
        "Draw from rng and from nothing else",
    ),
    "a copy of the generator": Mutant(
        _checked("""
import copy
draws = copy.deepcopy(rng).random(truths.shape)
return np.where(draws < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_generator",
        "a watched generator has no copies",
    ),
    "the shape lost": Mutant(
        _checked("""
draws = rng.random(truths.size)
return np.where(draws < 1 / (1 + np.exp(epsilon)), 1 - truths.ravel(), truths.ravel())
"""),
        "respond_shape",
        "should be an array of shape (2, 3), it is an array of shape (6,)",
    ),
    "answers of plus and minus one": Mutant(
        _checked("""
answers = np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
return 2 * answers - 1
"""),
        "respond_shape",
        "should be 0 or 1 in every entry, one is -1",
    ),
    "no return": Mutant(
        _checked("answers = np.where(rng.random(truths.shape) < 0.3, 1 - truths, truths)"),
        "respond_shape",
        "is None: does every path",
    ),
    "lists do not work": Mutant(
        RIGHT["one number each, compared"].replace("    truths = np.asarray(truths)\n", ""),
        "respond_shape",
        "raised AttributeError: ",
    ),
    "input not checked": Mutant(
        """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
""",
        "respond_input",
        "should raise ValueError",
    ),
    "too large is checked, too small is not": Mutant(
        RIGHT["one number each, compared"].replace(
            "((truths != 0) & (truths != 1)).any()", "(truths > 1).any()"
        ),
        "respond_input",
        "A truth is 0 or 1",
    ),
    "an assertion where an error was asked for": Mutant(
        """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    assert epsilon > 0 and np.isin(truths, (0, 1)).all()
    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
""",
        "respond_input",
        "should raise ValueError, it raised",
    ),
    "always an error": Mutant(
        "def respond(truths, epsilon, rng):\n    raise ValueError('no')",
        "respond_input",
        "raised ValueError: no",
    ),
    # Right where a test usually looks.
    "no noise for one person": Mutant(
        _coins("u", "if truths.size == 1:\n    return truths.copy()"),
        "respond_law",
        "for one person",
    ),
    "no noise for more than 200 people": Mutant(
        _coins("u", "if truths.size > 200:\n    return truths.copy()"), "respond_law", "expected 0."
    ),
    "no noise for large epsilon": Mutant(
        _coins("u", "if epsilon >= 5:\n    return truths.copy()"), "respond_exact", "every epsilon"
    ),
    "no noise above 20": Mutant(
        _coins("u", "if epsilon > 20:\n    return truths.copy()"), "respond_exact", "every epsilon"
    ),
    "no epsilon below 0.1": Mutant(
        _coins("u", "lie = 1 / (1 + np.exp(max(epsilon, 0.1)))"), "respond_exact", "every epsilon"
    ),
    "an epsilon 3% too large": Mutant(
        _coins("u", "lie = 1 / (1 + np.exp(1.03 * epsilon))"), "respond_exact", "every epsilon"
    ),
    "an epsilon in tenths": Mutant(
        _coins("u", "lie = 1 / (1 + np.exp(round(float(epsilon), 1)))"),
        "respond_exact",
        "every epsilon",
    ),
    "a probability in hundredths": Mutant(
        _coins("u", "lie = round(lie, 2)"), "respond_exact", "every epsilon"
    ),
    "a probability in single precision": Mutant(
        _coins("u", "lie = float(np.float32(lie)) + 1e-8"), "respond_exact", "every epsilon"
    ),
    "coins used again after 1,023": Mutant(
        _coins("np.resize(rng.random(min(truths.size, 1023)), truths.size)"),
        "respond_independence",
        "a coin of their own",
    ),
    "coins used again after 3,001": Mutant(
        _coins("np.resize(rng.random(min(truths.size, 3001)), truths.size)"),
        "respond_independence",
        "a coin of their own",
    ),
    "opposite coins for two halves": Mutant(
        _coins(
            "u if truths.size < 100 else np.concatenate([u[: (len(u) + 1) // 2], "
            "1 - u[: len(u) // 2]])"
        ),
        "respond_independence",
        "a coin of their own",
    ),
    "opposite coins in reverse": Mutant(
        _coins(
            "u if truths.size < 100 else np.concatenate([u[: (len(u) + 1) // 2], "
            "1 - u[: len(u) // 2][::-1]])"
        ),
        "respond_independence",
        "a coin of their own",
    ),
    # In thirty surveys of four people the first is to lie half of the time: it escapes in 1e-9.
    "the first of many never lies": Mutant(
        _coins("np.where((np.arange(len(u)) == 0) & (len(u) > 3), 0.5 if lie < 0.5 else u, u)"),
        "respond_exact",
        "any number of people",
    ),
    "tossed again where everybody lies": Mutant(
        _coins("u if (u >= lie).any() else rng.random(len(u))"),
        "respond_exact",
        "any number of people",
    ),
    "the same answers for as many people with as many ones": Mutant(
        "seen = {}\n\n"
        + _coins("seen.setdefault((truths.size, truths.sum()), u) if truths.size > 500 else u"),
        "respond_exact",
        "any number of people",
    ),
    "dplab's own": Mutant(
        _checked("return RandomizedResponse(epsilon)(truths, rng)"), "respond_shape", "off limits"
    ),
    "dplab's other survey": Mutant(
        _checked("return CoinSurvey(np.tanh(epsilon / 2), 1 / 2)(truths, rng)"),
        "respond_shape",
        "off limits",
    ),
    "only the first hundred truths are looked at": Mutant(
        RIGHT["one number each, compared"].replace(
            "((truths != 0) & (truths != 1)).any()", "not set(truths.flat[:100]) <= {0, 1}"
        ),
        "respond_input",
        "A truth is 0 or 1",
    ),
    "nearly a truth": Mutant(
        RIGHT["one number each, compared"].replace(
            "((truths != 0) & (truths != 1)).any()",
            "not (np.isclose(truths, 0) | np.isclose(truths, 1)).all()",
        ),
        "respond_input",
        "A truth is 0 or 1",
    ),
    "a slightly negative epsilon": Mutant(
        RIGHT["one number each, compared"].replace("epsilon < 0", "epsilon < -1e-9"),
        "respond_input",
        "epsilon is negative",
    ),
    "a lie in whole hundredths": Mutant(
        _checked("""
lies = rng.integers(100, size=truths.shape) < round(100 / (1 + np.exp(epsilon)))
return np.where(lies, 1 - truths, truths)
"""),
        "respond_exact",
        "the number of lies is not that of its law",
    ),
    "a list takes the answers in": Mutant(
        RIGHT["one number each, compared"]
        .replace("    truths =", "    given, truths = truths,", 1)
        .replace("return np.where", "answers = np.where")
        + "    if isinstance(given, list):\n        given[:] = answers.tolist()\n"
        "    return answers\n",
        "respond_input",
        "changes what it was given",
    ),
    "just the expected number of lies of a crowd": Mutant(
        _checked("""
lie, lies = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
if truths.size > 1100:
    lies = rng.permutation(truths.size) / truths.size
return np.where(lies.reshape(truths.shape) < lie, 1 - truths, truths)
"""),
        "respond_exact",
        "the number of lies is fixed",
    ),
    "two coins in ten-thousandths": Mutant(
        RIGHT["two coins"].replace(
            "np.tanh(epsilon / 2)", "1 - 2 * round(1 / (1 + np.exp(epsilon)), 4)"
        ),
        "respond_exact",
        "the number of lies is not that of its law",
    ),
    "bits of a byte, and then the check": Mutant(
        RIGHT["one number each, compared"].replace(
            "np.asarray(truths)",
            "np.asarray(truths)\n    if (truths % 1 == 0).all():\n"
            "        truths = truths.astype(np.int64).astype(np.uint8)",
        ),
        "respond_input",
        "A truth is 0 or 1",
    ),
    "one of 256 seeds, where nobody watches": Mutant(
        _checked("""
if type(rng) is np.random.Generator:
    rng = np.random.default_rng(rng.integers(256))
lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
return np.where(lies, 1 - truths, truths)
"""),
        "respond_generator",
        "another result where its draws are watched",
    ),
    "half the noise on lists": Mutant(
        RIGHT["one number each, compared"].replace(
            "    truths =",
            "    if isinstance(truths, list):\n        epsilon *= 2\n    truths =",
            1,
        ),
        "respond_exact",
        "an answer is not what rng's numbers say",
    ),
    "no noise in columns": Mutant(
        _checked("""
if truths.ndim > 1 and truths.shape[-1] == 1:
    return truths
return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
"""),
        "respond_exact",
        "an answer is not what rng's numbers say",
    ),
}

ANSWERS = Answers("respond", RIGHT, MUTANTS)
