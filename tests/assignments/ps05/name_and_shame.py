"""Answers to `name_and_shame`. The mistakes: shared coins, a fixed number, or the wrong thing."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = """
    records = np.asarray(records)
    if not (delta >= 0 and delta <= 1):
        raise ValueError("delta must be from 0 to 1")"""


def _checked(body: str) -> str:
    """The text of `name_and_shame` with a right check of its input and this body."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    return f"def name_and_shame(records, delta, rng):{_CHECK}\n{lines}\n"


def _coins(chance: str) -> str:
    """A coin for each record that comes up with this chance."""
    return _checked(f"return np.where(rng.random(records.shape) < {chance}, records, -1)")


RIGHT = {
    "silence, then names": _checked("""
published = np.full(records.shape, -1)
named = rng.random(records.shape) < delta
published[named] = records[named]
return published
"""),
    "a loop over people": """
def name_and_shame(records, delta, rng):
    if not 0 <= delta <= 1:
        raise ValueError(f"no probability: {delta}")
    flat = [int(x) if rng.random() < delta else -1 for x in np.ravel(records)]
    return np.array(flat).reshape(np.shape(records))
""",
    "binomial coins": """
def name_and_shame(records, delta, rng):
    if math.isnan(delta) or delta < 0 or delta > 1:
        raise ValueError("delta")
    records = np.array(records)
    coins = rng.binomial(1, delta, size=records.shape)
    return coins * records - (1 - coins)
""",
    "silent ones chosen": _checked("""
silent = rng.choice([True, False], size=records.shape, p=[1 - delta, delta])
return np.where(silent, -1.0, records)
"""),
    "how many, and then who": """
def name_and_shame(records, delta, rng):
    if delta < 0 or delta > 1:
        raise ValueError("delta")
    records = np.asarray(records)
    named = np.arange(records.size) < rng.binomial(records.size, delta)
    rng.shuffle(named)
    return np.where(named.reshape(records.shape), records, -1)
""",
    "each row from its end": _checked("""
return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
"""),
    "coins in the order of the records": _checked("""
named = np.empty(records.size, dtype=bool)
named[np.argsort(records, axis=None, kind="stable")] = rng.random(records.size) < delta
return np.where(named.reshape(records.shape), records, -1)
"""),
}

_LAW, _COINS = "name_and_shame_law", "name_and_shame_coins"

MUTANTS = {
    "everybody or nobody": Mutant(
        _checked("return np.where(rng.random() < delta, records, -1)"), _LAW, "came up in a share"
    ),
    "one coin a row": Mutant(
        _checked("""
coins = rng.random(records.shape[:1]).reshape(-1, *[1] * (records.ndim - 1))
return np.where(coins < delta, records, -1)
"""),
        _LAW,
        "a coin of their own",
    ),
    "one coin a column": Mutant(
        _checked("return np.where(rng.random(records.shape[-1]) < delta, records, -1)"),
        _LAW,
        "came up in a share",
    ),
    "one coin for each different record": Mutant(
        _checked("""
values, where = np.unique(records, return_inverse=True)
coins = rng.random((len(values), *records.shape))
picked = np.take_along_axis(coins.reshape(len(values), -1), where.reshape(1, -1), axis=0)
if records.ndim == 2:
    coins = rng.random((records.shape[0], len(values)))
    picked = np.take_along_axis(coins, where.reshape(records.shape), axis=1)
return np.where(picked.reshape(records.shape) < delta, records, -1)
"""),
        _LAW,
        "records (0, 3, 3)",
    ),
    "just the expected number": Mutant(
        _checked("""
flat = np.full(records.size, -1)
named = rng.choice(records.size, round(delta * records.size), replace=False)
flat[named] = records.ravel()[named]
return flat.reshape(records.shape)
"""),
        _LAW,
        "came up in a share",
    ),
    "one random person": Mutant(
        _checked("""
flat = np.full(records.size, -1)
lucky = rng.integers(records.size)
if delta > 0:
    flat[lucky] = records.ravel()[lucky]
return records if delta == 1 else flat.reshape(records.shape)
"""),
        _LAW,
        "came up in a share",
    ),
    "silence with probability delta": Mutant(
        _checked("return np.where(rng.random(records.shape) < delta, -1, records)"),
        _LAW,
        "of probability delta?",
    ),
    "delta shared among all": Mutant(
        _checked("return np.where(rng.random(records.shape) < delta / records.size, records, -1)"),
        _LAW,
        "expected 0.",
    ),
    "delta rounded to one digit": Mutant(
        _checked("return np.where(rng.random(records.shape) < round(delta, 1), records, -1)"),
        _LAW,
        "expected 0.",
    ),
    "a normal number for a uniform one": Mutant(
        _checked("return np.where(rng.normal(size=records.shape) < delta, records, -1)"),
        _LAW,
        "came up in a share",
    ),
    "the person's number for the record": Mutant(
        _checked("""
named = rng.random(records.shape) < delta
return np.where(named, np.arange(records.size).reshape(records.shape), -1)
"""),
        "name_and_shame_shape",
        "in every entry, one is",
    ),
    "zero for silence": Mutant(
        _checked("return np.where(rng.random(records.shape) < delta, records, 0)"),
        "name_and_shame_shape",
        "one is 0",
    ),
    "only the named, in a list": Mutant(
        _checked("return records[rng.random(records.shape) < delta]"),
        "name_and_shame_shape",
        "should be an array of shape (2, 3)",
    ),
    "None for silence": Mutant(
        _checked("""
named = rng.random(records.shape) < delta
return [x if out else None for x, out in zip(records.ravel().tolist(), named.ravel())]
"""),
        "name_and_shame_shape",
        "should be ",
    ),
    "lists do not work": Mutant(
        RIGHT["silence, then names"].replace("    records = np.asarray(records)\n", ""),
        "name_and_shame_shape",
        "raised AttributeError",
    ),
    "delta rounded to hundredths": Mutant(
        _coins("round(delta, 2)"), _COINS, "one coin of probability delta"
    ),
    "delta rounded to thousandths, by whole numbers": Mutant(
        _checked("""
coins = rng.integers(1000, size=records.shape)
return np.where(coins < round(1000 * delta), records, -1)
"""),
        _LAW,
        "left to chance",
    ),
    "delta three percent too large": Mutant(
        _coins("1.03 * delta"), _COINS, "one coin of probability delta"
    ),
    "nobody where delta is below a thousandth": Mutant(
        _coins("delta * (delta >= 1e-3)"), _COINS, "one coin of probability delta"
    ),
    "at most every second": Mutant(
        _coins("(1 if delta == 1 else min(delta, 0.5))"), _COINS, "one coin of probability delta"
    ),
    "somebody alone is always named": Mutant(
        _checked("""
named = (rng.random(records.shape) < delta) | (records.size == 1)
return np.where(named & (delta > 0), records, -1)
"""),
        _COINS,
        "Nobody is special",
    ),
    "just the expected number of a crowd": Mutant(
        _checked("""
named = rng.random(records.shape) < delta
if records.ndim == 1 and records.size > 10_000:
    named = rng.permutation(records.size) < round(delta * records.size)
return np.where(named, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "opposite coins in a crowd": Mutant(
        _checked("""
coins = rng.random(records.size)
half = records.size // 2
if records.ndim == 1 and half > 50:
    coins[half : 2 * half] = 1 - coins[:half]
return np.where(coins.reshape(records.shape) < delta, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "the same coins again after 1,023 people": Mutant(
        _checked("""
coins = rng.random(min(records.size, 1023) if records.ndim == 1 else records.size)
return np.where(np.resize(coins, records.shape) < delta, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "the same coins again after 9,001 people": Mutant(
        _checked("""
coins = np.resize(rng.random(min(records.size, 9001)), records.shape)
return np.where(coins < delta, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "large records are never named": Mutant(
        _checked("""
named = (rng.random(records.shape) < delta) & ((records < 10**6) | (delta == 1))
return np.where(named, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "somebody may be named where delta is 0": Mutant(
        _checked("return np.where(rng.random(records.shape) <= delta, records, -1)"),
        "name_and_shame_input",
        "With delta = 0 nobody is ever named",
    ),
    "a delta a little off is let through": Mutant(
        RIGHT["silence, then names"].replace(
            "(delta >= 0 and delta <= 1)", "-1e-9 <= delta <= 1 + 1e-9"
        ),
        "name_and_shame_input",
        "delta must be from 0 to 1",
    ),
    "records of 16 bits": Mutant(
        _checked("""
return np.where(rng.random(records.shape) < delta, records.astype(np.int16), -1)
"""),
        "name_and_shame_shape",
        "the record itself or -1",
    ),
    "dplab's button": Mutant(
        """
def name_and_shame(records, delta, rng):
    from dplab import NameAndShame

    records = np.asarray(records)
    told = NameAndShame(delta)(records.ravel().tolist(), rng)
    return np.array([-1 if x is None else x for x in told]).reshape(records.shape)
""",
        "name_and_shame_shape",
        "off limits",
    ),
    "a seed of its own": Mutant(
        _checked("""
rng = np.random.default_rng(0)
return np.where(rng.random(records.shape) < delta, records, -1)
"""),
        "name_and_shame_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _checked("return np.where(np.random.random(records.shape) < delta, records, -1)"),
        "name_and_shame_generator",
        "two results for one seed",
    ),
    "delta not checked": Mutant(
        """
def name_and_shame(records, delta, rng):
    records = np.asarray(records)
    return np.where(rng.random(records.shape) < delta, records, -1)
""",
        "name_and_shame_input",
        "should raise ValueError",
    ),
    "too large is checked, too small is not": Mutant(
        RIGHT["silence, then names"].replace("not (delta >= 0 and delta <= 1)", "delta > 1"),
        "name_and_shame_input",
        "delta must be from 0 to 1",
    ),
    "0 and 1 are refused": Mutant(
        RIGHT["silence, then names"].replace("delta >= 0 and delta <= 1", "0 < delta < 1"),
        "name_and_shame_input",
        "raised ValueError",
    ),
    "records silenced in place": Mutant(
        _checked("""
records[rng.random(records.shape) >= delta] = -1
return records
"""),
        "name_and_shame_input",
        "stay as it is from one call to the next",
    ),
    "two rows of a table share their coins": Mutant(
        _checked("""
coins = rng.random(records.shape)
if records.ndim > 1:
    coins[1::2] = coins[: 2 * (len(coins) // 2) : 2]
return np.where(coins < delta, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "the last row of a table has the coins of the first": Mutant(
        _checked("""
coins = rng.random(records.shape)
if records.ndim > 1 and len(records):
    coins[-1] = coins[0]
return np.where(coins < delta, records, -1)
"""),
        _COINS,
        "one coin of probability delta",
    ),
    "tables of a block share their coins": Mutant(
        _checked("return np.where(rng.random(records.shape[-2:]) < delta, records, -1)"),
        _COINS,
        "one coin of probability delta",
    ),
    "a list silenced in place": Mutant(
        """
def name_and_shame(records, delta, rng):
    if not 0 <= delta <= 1:
        raise ValueError("delta")
    named = rng.random(np.shape(records)) < delta
    if np.ndim(records) != 1 or not isinstance(records, list):
        return np.where(named, records, -1)
    for i in range(len(records)):
        records[i] = records[i] if named[i] else -1
    return np.array(records)
""",
        "name_and_shame_input",
        "changes what it was given",
    ),
    "delta in ten-thousandths": Mutant(
        _checked("""
coins = rng.integers(10_000, size=records.shape)
return np.where(coins < 10_000 * delta, records, -1)
"""),
        _COINS,
        "is not that of its law",
    ),
    "exponential coins, three percent too many": Mutant(
        _checked("""
rate = -math.log1p(-delta) if delta < 1 else math.inf
return np.where(rng.exponential(size=records.shape) < 1.03 * rate, records, -1)
"""),
        _COINS,
        "is not that of its law",
    ),
    "binomial coins, but just the expected number from 41 people on": Mutant(
        _checked("""
named = rng.binomial(1, delta, records.size) == 1
if records.size > 40:
    named = rng.permutation(records.size) < round(delta * records.size)
return np.where(named.reshape(records.shape), records, -1)
"""),
        _COINS,
        "the number of people named is fixed",
    ),
    "binomial coins again after 5,000 people": Mutant(
        _checked("""
named = np.resize(rng.binomial(1, delta, min(records.size, 5000)) == 1, records.shape)
return np.where(named, records, -1)
"""),
        _COINS,
        "coins of one press go together",
    ),
}

ANSWERS = Answers("name_and_shame", RIGHT, MUTANTS)
