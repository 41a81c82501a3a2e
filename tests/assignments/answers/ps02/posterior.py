"""Answers to `surname_geography_posterior`. The mistakes: wrong shares, and what noise brings."""

from tests.assignments.edits import read_answers

RIGHT = {
    "counts of the block are enough": """
def surname_geography_posterior(block_counts, surname_counts, block, surname):
    b, s = np.maximum(block_counts, 0), np.maximum(surname_counts, 0)
    weight = b[block] * s[surname] / np.maximum(s.sum(axis=0), 1)
    if weight.sum() == 0:
        return np.ones(len(weight)) / len(weight)
    return weight / weight.sum()
""",
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

EDITS = """
== posterior_example
* the block alone | it is [0.6, 0.4]
~ s[surname] / np.maximum(s.sum(axis=0), 1) => 1.0
* the surname alone | it is [0.2, 0.8]
~ = b[block] * s => = s
* the groups of the surname | the share of the surname in the group
~ np.maximum(s.sum(axis=0), 1) => max(1, s[surname].sum())
* counts in place of shares | the share of the surname in the group
~ [surname] / np.maximum(s.sum(axis=0), 1) => [surname]
* the blocks of the group | the share of the group in the block
~ [block] * s => [block] / np.maximum(b.sum(axis=0), 1) * s
* not normalized | it is [0.006, 0.016]
~ weight / weight => weight / b[block]
* added, not multiplied | times the share of the surname
~ [block] * s => [block] / b[block].sum() + s
* the likeliest group | should be an array of shape (2,), it is one number
~ weight / weight.sum => weight.argmax
* rounded to four decimals | times the share of the surname
~ weight / weight.sum() => np.round(weight / weight.sum(), 4)
* one person is added everywhere | times the share of the surname
~ (block_counts, 0) => (block_counts, 0) + 1
~ surname_counts, 0 => surname_counts, 1
* a thousandth is added everywhere | times the share of the surname
~ b[block] => (b[block] + 1e-3)
* dplab's own | is off limits in an answer
+from dplab.attacks.inference import Tables
+
+
+def surname_geography_posterior(block_counts, surname_counts, block, surname):
+    return Tables(np.asarray(block_counts), np.asarray(surname_counts)).posterior(block, surname)
* counts below 0 set to 0 where they are | changes what it was given
-    b, s = np.maximum(block_counts, 0), np.maximum(surname_counts, 0)
+    b, s = np.asarray(block_counts), np.asarray(surname_counts)
+    b[b < 0], s[s < 0] = 0, 0

== posterior_bayes
* always the first block | Among all people of this block and surname
~ [block] * s => [0] * s
* little weight is none | in small towns and in large ones
~ () == 0: => () < 1e-3:
* two groups | in small towns and in large ones
-    weight = b[block] * s[surname] / np.maximum(s.sum(axis=0), 1)
+    weight = np.where(
+        np.arange(b.shape[1]) < 4, b[block] * s[surname] / np.maximum(s.sum(axis=0), 1), 0
+    )
* no more than a thousand people | in small towns and in large ones
~ maximum(block_counts, 0) => clip(block_counts, 0, 1000)
* a hundred surnames at most | All rows of the tables count
~ s.sum => s[:100].sum
* counts below a million | should be [
-    b, s = np.maximum(block_counts, 0), np.maximum(surname_counts, 0)
+    b, s = (np.clip(t, 0, 999_000) for t in (block_counts, surname_counts))

== posterior_noisy
* negative counts kept | A count below 0 stands for 0
~ maximum(block_counts, 0) => asarray(block_counts)
~ maximum(surname_counts, 0) => asarray(surname_counts)
* negative weights cut, sums not | in every sum too
~ maximum(block_counts, 0) => asarray(block_counts)
~ maximum(surname_counts, 0) => asarray(surname_counts)
~ b[block] * s[surname] => np.maximum(b[block], 0) * np.maximum(s[surname], 0)
* nothing for no group | if no group is possible, all are alike
~ np.ones(len(weight)) / len(weight) => weight
* groups without anybody | it is [nan, nan, nan]
~ np.maximum(s.sum(axis=0), 1) => s.sum(axis=0)
* the block's counts as they come | A count below 0 stands for 0
~ maximum(block_counts, 0) => abs(block_counts)
* possible groups share the rest | if no group is possible, all are alike
~ np.ones(len(weight)) / len(weight) => (b[block] > 0) / max(1, (b[block] > 0).sum())
* the surname alone where nobody lives | no group is possible
~ b[block] => (b[block] if b[block].any() else 1.0)
* the block alone where nobody bears the name | no group is possible
-    weight = b[block] * s[surname] / np.maximum(s.sum(axis=0), 1)
+    weight = b[block] * (s[surname] / np.maximum(s.sum(axis=0), 1) if s[surname].any() else 1.0)
* a sum that is nearly nought | A group is possible where
~ weight.sum() == 0 => np.isclose(weight.sum(), 0)
* a weight of less than a billionth is none | A group is possible where
~ () == 0: => () < 1e-9:

== posterior_example
* surnames that are alike count once | Every row of a table counts
~ np.maximum(s.sum(axis=0), 1) => np.unique(s, axis=0).sum(axis=0)
* sums in 32 bits | Every row of a table counts
~ s.sum(axis=0) => s.astype(np.int64).astype(np.int32).sum(axis=0, dtype=np.int32)
* rounded to six decimals | times the share of the surname
~ weight / weight.sum() => np.round(weight / weight.sum(), 6)

== posterior_bayes
* products in 32 bits | in small towns and in large ones
~ b[block] * s[surname] / => np.multiply(b[block], s[surname]).astype(np.int32) /
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
