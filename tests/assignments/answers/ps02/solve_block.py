"""Answers to `solve_block`. The mistakes: a table unread, people lost or twice, one block only."""

from tests.assignments.edits import read_answers

RIGHT = {
    "choices of women and of men": """
def solve_block(ages, tables):
    def agrees(table, found):
        return (
            len(found) == table["count"]
            and (table["mean"] is None or abs(np.mean(found) - table["mean"]) < 1e-6)
            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
        )

    def choices(table):
        return [c for c in combinations_with_replacement(ages, table["count"]) if agrees(table, c)]

    blocks = []
    for women in choices(tables["women"]):
        for men in choices(tables["men"]):
            if agrees(tables["all"], women + men):
                blocks.append([(0, a) for a in women] + [(1, a) for a in men])
    return sorted(blocks)
""",
    "all blocks, then a sieve": """
def solve_block(ages, tables):
    people = list(product((0, 1), ages))
    groups = {"all": (0, 1), "women": (0,), "men": (1,)}
    found = []
    for block in combinations_with_replacement(people, tables["all"]["count"]):
        fits = True
        for name, sexes in groups.items():
            table, own = tables[name], [age for sex, age in block if sex in sexes]
            if len(own) != table["count"]:
                fits = False
            elif table["mean"] is not None and not math.isclose(
                sum(own) / len(own), table["mean"], abs_tol=1e-6
            ):
                fits = False
            elif table["median"] is not None and np.median(own) != table["median"]:
                fits = False
        if fits:
            found.append(list(block))
    return found
""",
    "a search that adds one person at a time": """
def solve_block(ages, tables):
    people = [(sex, age) for sex in (0, 1) for age in ages]
    result = []

    def ages_of(block, sexes):
        return sorted(age for sex, age in block if sex in sexes)

    def middle(values):
        n = len(values)
        return (values[(n - 1) // 2] + values[n // 2]) / 2

    def fits(block):
        for name, sexes in (("all", {0, 1}), ("women", {0}), ("men", {1})):
            own, table = ages_of(block, sexes), tables[name]
            if len(own) != table["count"]:
                return False
            mean, median = table["mean"], table["median"]
            if mean is not None and abs(sum(own) - len(own) * mean) > 1e-5:
                return False
            if median is not None and middle(own) != median:
                return False
        return True

    def extend(block, start):
        if len(block) == tables["all"]["count"]:
            if fits(block):
                result.append(list(block))
            return
        for i in range(start, len(people)):
            extend(block + [people[i]], i)

    extend([], 0)
    return result
""",
}

EDITS = """
== solve_block_example
* the first block only | it is an array of shape (1, 3, 2)
~ (blocks) => (blocks)[:1]
* a None is a zero | it is an array of shape (0,)
-            and (table["mean"] is None or abs(np.mean(found) - table["mean"]) < 1e-6)
+            and abs(np.mean(found) - (table["mean"] or 0)) < 1e-6
* men first | Women before men
-                blocks.append([(0, a) for a in women] + [(1, a) for a in men])
+                blocks.append([(1, a) for a in men] + [(0, a) for a in women])
* the sexes exchanged | it is [[[1, 25], [0, 60]]]
~ 0, a => 1, a
~ (1, a) for a in men => (0, a) for a in men
* ages without sexes | it is an array of shape (1, 2)
~ [(0, a) for a in women] + [(1, a) for a in men] => list(women + men)
* how many blocks | it is one number
~ return sorted => return len
* dplab's own | is off limits in an answer
+from dplab.attacks.census_block import Statistic, consistent_blocks
+
+
+def solve_block(ages, tables):
+    groups = {"all": {}, "women": {1: 0}, "men": {1: 1}}
+    wanted = [Statistic(groups[name], table["count"]) for name, table in tables.items()]
+    found = consistent_blocks(wanted, [(age, sex) for age in ages for sex in (0, 1)])
+    return [[(sex, age) for age, sex in block] for block in found.blocks]
* tables taken out of the dict | changes what it was given
~ blocks = [] => everybody, blocks = tables.pop("all"), []
~ tables["all"] => everybody

== solve_block_tables
* medians unread | Compare the mean and the median
-            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
+            and True
* means unread | Compare the mean and the median
-            and (table["mean"] is None or abs(np.mean(found) - table["mean"]) < 1e-6)
+            and True
* the table of all unread | of the men, and of all
~ agrees(tables["all"], women + men) => True
* of all only the count | of the men, and of all
~ agrees(tables["all"], women + men) => tables["all"]["count"] == len(women + men)
* the lower of the middle two | Compare the mean and the median
-            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
+            and (
+                table["median"] is None or sorted(found)[(len(found) - 1) // 2] == table["median"]
+            )
* a mean of nought is suppressed | A mean of 0
~ table["mean"] is None => not table["mean"]
* a median of nought is suppressed | A mean of 0
~ table["median"] is None => not table["median"]
* means to the bit | right to a millionth
-            and (table["mean"] is None or abs(np.mean(found) - table["mean"]) < 1e-6)
+            and table["mean"] in (None, np.mean(found) if found else None)
* means to the year | Compare the mean and the median
~ abs(np.mean(found) - table["mean"]) < 1e-6 => round(np.mean(found)) == round(table["mean"])
* medians to the year | Compare the mean and the median
~ abs(np.median(found) - table["median"]) < 1e-6 => int(np.median(found)) == int(table["median"])
* the men's mean unread | Compare the mean and the median
~ tables["men"] => {**tables["men"], "mean": None}
* the women's median unread | Compare the mean and the median
~ tables["women"] => {**tables["women"], "median": None}
* of all the mean unread | Compare the mean and the median
~ tables["all"] => {**tables["all"], "mean": None}

== solve_block_all
* everybody of another age | Two people may have the same age
-        return [c for c in combinations_with_replacement(ages, table["count"]) if agrees(table, c)]
+        return [
+            c
+            for c in [c for c in product(ages, repeat=table["count"]) if list(c) == sorted(set(c))]
+            if agrees(table, c)
+        ]
* every order a block | no block is there twice
~ combinations_with_replacement(ages, table["count"]) => product(ages, repeat=table["count"])
* the men's median unread | every table's mean and median
~ tables["men"] => {**tables["men"], "median": None}
* a hundred blocks at most | ten ages and three people
~ (blocks) => (blocks)[:100]
* four people at most | no block is there twice
~ (blocks) => (blocks) if tables["all"]["count"] < 5 else []
* two of one age at most | Two people may have the same age
-        return [c for c in combinations_with_replacement(ages, table["count"]) if agrees(table, c)]
+        return [
+            c
+            for c in [
+                c
+                for c in combinations_with_replacement(ages, table["count"])
+                if all(c.count(a) < 3 for a in c)
+            ]
+            if agrees(table, c)
+        ]
* no median beside a mean | both count
-            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
+            and (
+                table["median"] is None
+                or table["mean"] is not None
+                or abs(np.median(found) - table["median"]) < 1e-6
+            )
* no median of men beside a mean | both count
-            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
+            and (
+                table is tables["men"]
+                and table["mean"] is not None
+                or table["median"] is None
+                or abs(np.median(found) - table["median"]) < 1e-6
+            )
* no mean of all beside a median | both count
-            and (table["mean"] is None or abs(np.mean(found) - table["mean"]) < 1e-6)
+            and (
+                table is tables["all"]
+                and table["median"] is not None
+                or table["mean"] is None
+                or abs(np.mean(found) - table["mean"]) < 1e-6
+            )
* a thousand blocks at most | However many women and men
~ (blocks) => (blocks)[:1000]
* four of one sex at most | However many women and men
-        return [c for c in combinations_with_replacement(ages, table["count"]) if agrees(table, c)]
+        return [
+            c
+            for c in combinations_with_replacement(ages, min(table["count"], 4))
+            if agrees(table, c)
+        ]

== solve_block_infeasible
* contradictions raise | raised ValueError: no block
+    if not blocks:
+        raise ValueError("no block")
     return sorted(blocks)
* contradictions are an empty block | the list of them is empty
~ (blocks) => (blocks) or [[]]
* the count of all unread | No block agrees with all of the tables
~ tables["all"] => {**tables["all"], "count": len(women + men)}
* means to a twentieth | a ten-thousandth of a year
~ (np.mean(found) - table["mean"]) < 1e-6 => (np.mean(found) - table["mean"]) < 0.05
* means to one decimal | a ten-thousandth of a year
~ abs(np.mean(found) - table["mean"]) < 1e-6 => round(np.mean(found), 1) == round(table["mean"], 1)
* means that are close | a ten-thousandth of a year
~ abs(np.mean(found) - table["mean"]) < 1e-6 => np.isclose(np.mean(found), table["mean"])
* statistics in the order of a table | Look values up by their names
+        table = dict(zip(("count", "mean", "median"), table.values()))
         return (

== solve_block_tables
* means to a ten-millionth | right to a millionth
~ (np.mean(found) - table["mean"]) < 1e-6 => (np.mean(found) - table["mean"]) < 1e-7
* nobody is 0 years old | A mean of 0
+    ages = [age for age in ages if age]
+
     def agrees(table, found):
* the middle of women and then men | of the men, and of all
-            and (table["median"] is None or abs(np.median(found) - table["median"]) < 1e-6)
+            and (
+                table["median"] is None
+                or found[(len(found) - 1) // 2] + found[len(found) // 2] == 2 * table["median"]
+            )
* nobody is 115 years old | Compare every number that is told
+    ages = [age for age in ages if age < 115]
+
     def agrees(table, found):

== solve_block_infeasible
* medians to the nearest year | age is 30.2
~ abs(np.median(found) - table["median"]) < 1e-6 => abs(np.median(found) - table["median"]) < 0.5
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
