"""Answers to `name_and_shame`. The mistakes: shared coins, a fixed number, or the wrong thing."""

from tests.assignments.edits import read_answers

RIGHT = {
    "silence, then names": """
def name_and_shame(records, delta, rng):
    records = np.asarray(records)
    if not (delta >= 0 and delta <= 1):
        raise ValueError("delta must be from 0 to 1")
    published = np.full(records.shape, -1)
    named = rng.random(records.shape) < delta
    published[named] = records[named]
    return published
""",
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
    "silent ones chosen": """
def name_and_shame(records, delta, rng):
    records = np.asarray(records)
    if not (delta >= 0 and delta <= 1):
        raise ValueError("delta must be from 0 to 1")
    silent = rng.choice([True, False], size=records.shape, p=[1 - delta, delta])
    return np.where(silent, -1.0, records)
""",
    "how many, and then who": """
def name_and_shame(records, delta, rng):
    if delta < 0 or delta > 1:
        raise ValueError("delta")
    records = np.asarray(records)
    named = np.arange(records.size) < rng.binomial(records.size, delta)
    rng.shuffle(named)
    return np.where(named.reshape(records.shape), records, -1)
""",
    "each row from its end": """
def name_and_shame(records, delta, rng):
    records = np.asarray(records)
    if not (delta >= 0 and delta <= 1):
        raise ValueError("delta must be from 0 to 1")
    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
""",
    "coins in the order of the records": """
def name_and_shame(records, delta, rng):
    records = np.asarray(records)
    if not (delta >= 0 and delta <= 1):
        raise ValueError("delta must be from 0 to 1")
    named = np.empty(records.size, dtype=bool)
    named[np.argsort(records, axis=None, kind="stable")] = rng.random(records.size) < delta
    return np.where(named.reshape(records.shape), records, -1)
""",
}

EDITS = """
== name_and_shame_law
* everybody or nobody | came up in a share | edits each row from its end
~ (records.shape)[..., ::-1] => ()
* one coin a row | a coin of their own | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.random(records.shape[:1]).reshape(-1, *[1] * (records.ndim - 1))
+    return np.where(coins < delta, records, -1)
* one coin a column | came up in a share | edits each row from its end
~ (records.shape)[..., ::-1] => (records.shape[-1])
* one coin for each different record | records (0, 3, 3)
+def name_and_shame(records, delta, rng):
+    records = np.asarray(records)
+    if not (delta >= 0 and delta <= 1):
+        raise ValueError("delta must be from 0 to 1")
+    values, where = np.unique(records, return_inverse=True)
+    coins = rng.random((len(values), *records.shape))
+    picked = np.take_along_axis(coins.reshape(len(values), -1), where.reshape(1, -1), axis=0)
+    if records.ndim == 2:
+        coins = rng.random((records.shape[0], len(values)))
+        picked = np.take_along_axis(coins, where.reshape(records.shape), axis=1)
+    return np.where(picked.reshape(records.shape) < delta, records, -1)
* just the expected number | came up in a share
~ published = np.full(records.shape, -1) => flat = np.full(records.size, -1)
~ random(records.shape) < delta => choice(records.size, round(delta * records.size), replace=False)
~ published[named] = records => flat[named] = records.ravel()
~ published => flat.reshape(records.shape)
* one random person | came up in a share | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    flat = np.full(records.size, -1)
+    lucky = rng.integers(records.size)
+    if delta > 0:
+        flat[lucky] = records.ravel()[lucky]
+    return records if delta == 1 else flat.reshape(records.shape)
* silence with probability delta | of probability delta? | edits each row from its end
~ (records.shape)[..., ::-1] < delta, records, -1 => (records.shape) < delta, -1, records
* delta shared among all | expected 0. | edits each row from its end
~ (records.shape)[..., ::-1] < delta => (records.shape) < delta / records.size
* delta rounded to one digit | expected 0. | edits each row from its end
~ (records.shape)[..., ::-1] < delta => (records.shape) < round(delta, 1)
* a normal number for a uniform one | came up in a share | edits each row from its end
~ random(records.shape)[..., ::-1] => normal(size=records.shape)
* delta rounded to thousandths, by whole numbers | left to chance | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.integers(1000, size=records.shape)
+    return np.where(coins < round(1000 * delta), records, -1)

== name_and_shame_shape
* the person's number for the record | in every entry, one is | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = rng.random(records.shape) < delta
+    return np.where(named, np.arange(records.size).reshape(records.shape), -1)
* zero for silence | one is 0 | edits each row from its end
~ (records.shape)[..., ::-1] < delta, records, -1 => (records.shape) < delta, records, 0
* only the named, in a list | should be an array of shape (2, 3) | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    return records[rng.random(records.shape) < delta]
* None for silence | should be  | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = rng.random(records.shape) < delta
+    return [x if out else None for x, out in zip(records.ravel().tolist(), named.ravel())]
* lists do not work | raised AttributeError
-    records = np.asarray(records)
* records of 16 bits | the record itself or -1 | edits each row from its end
~ (records.shape)[..., ::-1] < delta, records => (records.shape) < delta, records.astype(np.int16)
* dplab's button | off limits
+def name_and_shame(records, delta, rng):
+    from dplab import NameAndShame
+
+    records = np.asarray(records)
+    told = NameAndShame(delta)(records.ravel().tolist(), rng)
+    return np.array([-1 if x is None else x for x in told]).reshape(records.shape)

== name_and_shame_coins
* delta rounded to hundredths | one coin of probability delta | edits each row from its end
~ (records.shape)[..., ::-1] < delta => (records.shape) < round(delta, 2)
* delta three percent too large | one coin of probability delta | edits each row from its end
~ (records.shape)[..., ::-1] < => (records.shape) < 1.03 *
* nobody where delta is below a thousandth | one coin of probability delta
| edits each row from its end
~ (records.shape)[..., ::-1] < delta => (records.shape) < delta * (delta >= 1e-3)
* at most every second | one coin of probability delta | edits each row from its end
~ (records.shape)[..., ::-1] < delta => (records.shape) < (1 if delta == 1 else min(delta, 0.5))
* somebody alone is always named | Nobody is special | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = (rng.random(records.shape) < delta) | (records.size == 1)
+    return np.where(named & (delta > 0), records, -1)
* just the expected number of a crowd | one coin of probability delta | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = rng.random(records.shape) < delta
+    if records.ndim == 1 and records.size > 10_000:
+        named = rng.permutation(records.size) < round(delta * records.size)
+    return np.where(named, records, -1)
* opposite coins in a crowd | one coin of probability delta | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.random(records.size)
+    half = records.size // 2
+    if records.ndim == 1 and half > 50:
+        coins[half : 2 * half] = 1 - coins[:half]
+    return np.where(coins.reshape(records.shape) < delta, records, -1)
* the same coins again after 1,023 people | one coin of probability delta
| edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.random(min(records.size, 1023) if records.ndim == 1 else records.size)
+    return np.where(np.resize(coins, records.shape) < delta, records, -1)
* the same coins again after 9,001 people | one coin of probability delta
| edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = np.resize(rng.random(min(records.size, 9001)), records.shape)
+    return np.where(coins < delta, records, -1)
* large records are never named | one coin of probability delta | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = (rng.random(records.shape) < delta) & ((records < 10**6) | (delta == 1))
+    return np.where(named, records, -1)
* two rows of a table share their coins | one coin of probability delta
| edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.random(records.shape)
+    if records.ndim > 1:
+        coins[1::2] = coins[: 2 * (len(coins) // 2) : 2]
+    return np.where(coins < delta, records, -1)
* the last row of a table has the coins of the first | one coin of probability delta
| edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.random(records.shape)
+    if records.ndim > 1 and len(records):
+        coins[-1] = coins[0]
+    return np.where(coins < delta, records, -1)
* tables of a block share their coins | one coin of probability delta | edits each row from its end
~ (records.shape)[..., ::-1] => (records.shape[-2:])
* delta in ten-thousandths | is not that of its law | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    coins = rng.integers(10_000, size=records.shape)
+    return np.where(coins < 10_000 * delta, records, -1)
* exponential coins, three percent too many | is not that of its law | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    rate = -math.log1p(-delta) if delta < 1 else math.inf
+    return np.where(rng.exponential(size=records.shape) < 1.03 * rate, records, -1)
* binomial coins, but just the expected number from 41 people on
| the number of people named is fixed | edits coins in the order of the records
-    named = np.empty(records.size, dtype=bool)
-    named[np.argsort(records, axis=None, kind="stable")] = rng.random(records.size) < delta
+    named = rng.binomial(1, delta, records.size) == 1
+    if records.size > 40:
+        named = rng.permutation(records.size) < round(delta * records.size)
* binomial coins again after 5,000 people | coins of one press go together
| edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    named = np.resize(rng.binomial(1, delta, min(records.size, 5000)) == 1, records.shape)
+    return np.where(named, records, -1)

== name_and_shame_input
* somebody may be named where delta is 0 | With delta = 0 nobody is ever named
| edits each row from its end
~ (records.shape)[..., ::-1] < => (records.shape) <=
* a delta a little off is let through | delta must be from 0 to 1
~ (delta >= 0 and delta <= 1) => -1e-9 <= delta <= 1 + 1e-9
* delta not checked | should raise ValueError
+def name_and_shame(records, delta, rng):
+    records = np.asarray(records)
+    return np.where(rng.random(records.shape) < delta, records, -1)
* too large is checked, too small is not | delta must be from 0 to 1
~ not (delta >= 0 and delta <= 1) => delta > 1
* 0 and 1 are refused | raised ValueError
~ delta >= 0 and delta <= 1 => 0 < delta < 1
* records silenced in place | stay as it is from one call to the next | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    records[rng.random(records.shape) >= delta] = -1
+    return records
* a list silenced in place | changes what it was given
+def name_and_shame(records, delta, rng):
+    if not 0 <= delta <= 1:
+        raise ValueError("delta")
+    named = rng.random(np.shape(records)) < delta
+    if np.ndim(records) != 1 or not isinstance(records, list):
+        return np.where(named, records, -1)
+    for i in range(len(records)):
+        records[i] = records[i] if named[i] else -1
+    return np.array(records)

== name_and_shame_generator
* a seed of its own | same result for two seeds | edits each row from its end
-    return np.where(rng.random(records.shape)[..., ::-1] < delta, records, -1)
+    rng = np.random.default_rng(0)
+    return np.where(rng.random(records.shape) < delta, records, -1)
* numpy's global generator | two results for one seed | edits each row from its end
~ rng.random(records.shape)[..., ::-1] => np.random.random(records.shape)

== name_and_shame_shape
* records of 32-bit floats | the record itself or -1
~ np.full(records.shape, -1) => np.full(records.shape, -1, dtype=np.float32)

== name_and_shame_coins
* everybody where delta is above 0.999 | one coin of probability delta
~ rng.random(records.shape) < delta => (rng.random(records.shape) < delta) | (delta > 0.999)

== name_and_shame_input
* a delta above a hundred is in percent | delta must be from 0 to 1
-    if not (delta >= 0 and delta <= 1):
+    if 1 < delta < 1 + 1e-13:
+        delta = 1
+    if not (delta >= 0 and delta <= 1):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
